// SPDX-License-Identifier: MIT OR Apache-2.0
//! The AWG router: its table, the ring that wavelengths make, and what happens when a board, a laser
//! or a fibre is lost.

mod campaign;
mod losses;
mod order;
mod star;
mod table;
