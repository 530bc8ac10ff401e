// SPDX-License-Identifier: MIT OR Apache-2.0
//! The next version of the AWG-STAR system at the level of frames, tokens and hosts, not of clock
//! cycles (thesis 5.1; EVA-6). Times are in ns.
//!
//! The cycle-accurate ring of boards would take hours for minutes of simulated time with megabytes
//! of data. Here a data frame is three numbers: the time at which a token reaches its node, the
//! time at which the ring has room for it, and the time at which it returns.
//! `model/thesis/tests/mandelbrot/calibration.rs` compares both.
//!
//! * [`Ring`]: tokens and frames.
//! * [`Gen2`]: processes as in generation 1 ([`Request`](awgstar_request::Request)), on this ring.

mod chunks;
mod ring;
mod settings;
mod system;

pub use ring::{Ring, Sent};
pub use settings::{Settings, SettingsError, Store, frame_words};
pub use system::{BARRIER, Gen2, Gen2Error};
