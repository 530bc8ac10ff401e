// SPDX-License-Identifier: MIT OR Apache-2.0
//! The native part of the Python package `awgstar`; `python/awgstar` is the rest.
//!
//! The model is that of the crates that it depends on. This crate converts values, runs loops and calls the
//! coroutines of programs.
#![forbid(unsafe_code)]

mod argument;
mod boards;
mod codec;
mod condition;
mod cycles;
mod error;
mod nodes;
mod plain;
mod process;
mod records;
mod reference;
mod ring;
mod scenario;
mod shared;
mod speed;
mod vectors;

use pyo3::prelude::*;

/// The native module.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::boards::BoardRing;
    #[pymodule_export]
    use crate::boards::memory::Memory;
    #[pymodule_export]
    use crate::codec::{decode, encode, explain};
    #[pymodule_export]
    use crate::condition::{
        Condition, after, at, barrier_passed, delivered, frame_at, interrupt, lock_held, up, word,
    };
    #[pymodule_export]
    use crate::cycles::{CycleIterator, CycleVector, CycleVectorIterator, cycle_vectors};
    #[pymodule_export]
    use crate::nodes::NodeRing;
    #[pymodule_export]
    use crate::reference::Reference;
    #[pymodule_export]
    use crate::scenario::{Report, simulate};
    #[pymodule_export]
    use crate::speed::speed;
    #[pymodule_export]
    use crate::vectors::{VectorIterator, vectors};
}
