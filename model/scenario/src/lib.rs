// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenario files and their runs: from the text of a file to reports, pictures, waves and captures.
//!
//! [`scenario`] reads and checks files, [`run`] runs them; [`page`], [`spacetime`] and [`wave`] are the views
//! that a run can write.
#![forbid(unsafe_code)]

mod error;
pub mod page;
pub mod place;
pub mod run;
pub mod scenario;
pub mod spacetime;
#[cfg(test)]
mod tests;
pub mod wave;
