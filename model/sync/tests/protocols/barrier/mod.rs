// SPDX-License-Identifier: MIT OR Apache-2.0
//! Barriers.

mod bench;
mod breaks;
mod data;
mod holds;
mod latency;
mod page;
mod units;
