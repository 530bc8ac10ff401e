//! The evaluation of the thesis: picture, division, program, CPU use, and the timing of the next version
//! against the cycle-accurate ring of boards.

mod calibration;
#[path = "../common/document.rs"]
mod document;
mod next;
mod picture;
mod program;
#[path = "../common/seeded.rs"]
mod seeded;
