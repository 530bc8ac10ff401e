// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors and the top levels of boards, in both simulators. A missing simulator fails, never skips.

mod boards;
mod crossings;
mod extremes;
#[path = "../common/gtkw.rs"]
mod gtkw;
mod speed;
mod texts;
mod vectors;
