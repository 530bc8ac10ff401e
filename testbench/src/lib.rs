//! Golden vectors, simulators and runners for awgstar.
#![deny(unsafe_code)]

pub mod generated;
