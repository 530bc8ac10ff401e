//! Scenario files, studies, campaigns and the commands of `awgstar`.
#![forbid(unsafe_code)]

pub mod blocks;
pub mod boards;
pub mod campaign;
pub mod codec;
pub mod counterexample;
pub mod current;
pub mod generated;
pub mod latency;
pub mod mandelbrot;
pub mod primitives;
pub mod scenario;
pub mod spacetime;
pub mod speed;
pub mod study;
pub mod summary;
pub mod survived;
pub mod traceability;
pub mod wave;
