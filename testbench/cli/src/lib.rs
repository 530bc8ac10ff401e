// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenario files, studies, campaigns and the commands of `awgstar`.
#![forbid(unsafe_code)]

#[cfg(feature = "command")]
pub mod campaign;
#[cfg(feature = "command")]
pub mod carried;
#[cfg(feature = "command")]
pub mod codec;
#[cfg(feature = "command")]
pub mod counterexample;
#[cfg(feature = "command")]
pub mod generated;
#[cfg(feature = "command")]
pub mod latency;
#[cfg(feature = "command")]
pub mod measured;
#[cfg(feature = "command")]
pub mod mutation;

pub mod page;
pub mod place;
#[cfg(feature = "command")]
pub mod primitives;
pub mod run;
pub mod scenario;
pub mod spacetime;
#[cfg(feature = "command")]
pub mod speed;
#[cfg(feature = "command")]
pub mod study;
#[cfg(feature = "command")]
pub mod survived;
#[cfg(feature = "command")]
pub mod timing;
#[cfg(feature = "command")]
pub mod traceability;
pub mod wave;
#[cfg(feature = "command")]
pub mod work;
