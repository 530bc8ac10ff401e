// SPDX-License-Identifier: MIT OR Apache-2.0
//! The board in lockstep: a single one between a hostile link and a host that tries everything,
//! and rings of boards with hosts that work.

pub mod addresses;
pub mod burst;
pub mod case;
pub mod defences;
pub mod directed;
pub mod engine;
mod incoming;
pub mod join;
pub mod limits;
pub mod one_word;
pub mod parts;
mod phases;
pub mod player;
pub mod ring;
pub mod rings;
pub mod shrink;
pub mod sized;
pub mod stimulus;
pub mod strategy;
pub mod warm;
pub mod work;

pub use case::BoardRun;
pub use ring::RingRun;
pub use stimulus::BoardStimulus;
pub use work::WorkRun;
