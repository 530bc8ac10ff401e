// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frame of a reflective-memory ring.
//!
//! * [`contract`]: field layout, codes, lengths, registers and timing, each written once. The Verilog
//!   header, the tables in `docs/` and the vector schema are generated from it.
//! * [`codec`]: encodes and decodes the bytes of a frame: header, data, FCS.
//! * [`quantity`]: types of node numbers and times.
//! * [`random`]: numbers that look random and are the same everywhere.
//! * [`Tap`]: decodes the header of the frame on a link, word by word.
//!
//! Requirement ids such as `FRM-3` refer to `docs/spec.md`.
#![forbid(unsafe_code)]
#![no_std]

extern crate alloc;

pub mod codec;
pub mod contract;
pub mod quantity;
pub mod random;
mod tap;

pub use codec::{DecodeError, EncodeError, Frame, Mac};
pub use tap::Tap;
