//! The locks.

mod bench;
mod data;
mod documents;
mod holds;
mod machines;
mod printed;
mod without;
