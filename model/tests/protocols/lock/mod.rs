//! The locks.

mod bench;
mod holds;
