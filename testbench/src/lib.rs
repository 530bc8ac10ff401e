//! Golden vectors, simulators and runners for awgstar.
#![deny(unsafe_code)]

pub mod blocks;
pub mod boards;
pub mod campaign;
pub mod codec;
pub mod conform;
pub mod counterexample;
pub mod current;
pub mod echo;
pub mod firmware_mutants;
pub mod generated;
pub mod latency;
pub mod lockstep;
pub mod mandelbrot;
mod markup;
pub mod primitives;
pub mod scenario;
pub mod sim;
pub mod spacetime;
pub mod speed;
pub mod study;
pub mod summary;
pub mod survived;
pub mod traceability;
pub mod vectors;
pub mod wave;
