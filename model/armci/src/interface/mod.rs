// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions of the headers: a file for each.

mod armci;
mod armcix;
mod awgstar_armci;
mod message;
mod mpi;
