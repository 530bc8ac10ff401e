// SPDX-License-Identifier: MIT OR Apache-2.0
//! Studies, campaigns and the commands of `awgstar`.
#![forbid(unsafe_code)]

pub mod campaign;
pub mod carried;
pub mod codec;
pub mod counterexample;
pub mod generated;
pub mod latency;
pub mod measured;
pub mod mutation;
pub mod ports;
pub mod primitives;
pub mod speed;
pub mod study;
pub mod survived;
pub mod svd;
pub mod timing;
pub mod traceability;
pub mod vector_benches;
pub mod work;

// The names that they had before they were a crate: for one release.
pub use awgstar_scenario::{page, place, run, scenario, spacetime, wave};
