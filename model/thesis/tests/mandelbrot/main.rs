// SPDX-License-Identifier: MIT OR Apache-2.0
//! The evaluation of the thesis: picture, division, program, CPU use, and the timing of the next version
//! against the cycle-accurate ring of boards.

mod calibration;
#[path = "../../../test_support/document.rs"]
mod document;
mod next;
mod picture;
mod program;
#[path = "../../../test_support/seeded.rs"]
mod seeded;
