// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenario files, studies, campaigns and the commands of `awgstar`.
#![forbid(unsafe_code)]

mod burst_board;
pub mod campaign;
pub mod carried;
pub mod codec;
pub mod counterexample;
pub mod generated;
pub mod latency;
pub mod place;
pub mod primitives;
pub mod run;
pub mod scenario;
pub mod spacetime;
pub mod speed;
pub mod study;
pub mod survived;
pub mod timing;
pub mod traceability;
pub mod wave;
