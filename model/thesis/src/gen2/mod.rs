//! The next version of the AWG-STAR system in nanoseconds: frames, tokens and hosts, not clocks
//! (thesis 5.1; EVA-6).
//!
//! The cycle-accurate ring of boards says what happens in every cycle; a run of minutes of simulated time
//! with megabytes of data would take it hours. Here a data frame is three numbers: when a token reaches
//! its node, when the ring has room for it, when it is back. `model/thesis/tests/mandelbrot/calibration.rs`
//! compares both.
//!
//! * [`Ring`]: tokens and frames.
//! * [`Gen2`]: processes as in generation 1 ([`Op`](super::gen1::Op)), on this ring.

mod chunks;
mod ring;
mod settings;
mod system;

pub use ring::{Ring, Sent};
pub use settings::{Settings, SettingsError, Store, cycles_ns, frame_words, ns_cycles};
pub use system::{BARRIER, Gen2, Gen2Error};
