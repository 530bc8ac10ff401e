//! The locks.

mod bench;
mod data;
mod holds;
mod printed;
mod without;
