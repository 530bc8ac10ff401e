//! The locks.

mod bench;
mod data;
mod holds;
mod machines;
mod printed;
mod without;
