// SPDX-License-Identifier: MIT OR Apache-2.0
//! The locks.

mod bench;
mod data;
mod documents;
mod hand_overs;
mod holds;
mod in_place;
mod machines;
mod printed;
mod without;
