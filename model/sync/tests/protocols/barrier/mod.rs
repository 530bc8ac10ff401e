//! Barriers.

mod bench;
mod breaks;
mod data;
mod holds;
mod latency;
mod page;
mod units;
