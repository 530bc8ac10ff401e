// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stimuli for a module, a node, a board or a ring: frames on the link, accesses of the host,
//! faults, deposits. Golden vectors and lockstep use the same stimuli.
//!
//! * [`node`] and [`board`]: directed and random stimuli.
//! * [`link`]: those of modules with more than one clock.
//! * [`gateway`]: modules of a gateway between two rings.
//! * [`machine`]: interface of a module that stimuli drive; [`case`]: a run of it; [`shape`]: its names and widths.
//! * [`reached`]: events that a run has reached, counted in the model.
//! * [`ends`] and [`deposit`]: warm starts near the far ends of counters and timers.
//! * [`vectors`]: golden vectors and their files; [`vector`]: those of a node or board.
#![forbid(unsafe_code)]

pub mod alone;
pub mod board;
pub mod case;
pub mod deposit;
pub mod echo;
pub mod ends;
pub mod engine;
pub mod error;
pub mod gateway;
pub mod known;
pub mod link;
pub mod machine;
pub mod meaning;
pub mod node;
pub mod place;
pub mod reached;
mod runs;
pub mod shape;
pub mod shrink;
pub mod vector;
pub mod vectors;

pub use case::{Case, Source};
pub use error::StimulusError;
pub use node::NodeStimulus;
pub use vector::case_text;
