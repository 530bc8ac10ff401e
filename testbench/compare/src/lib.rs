// SPDX-License-Identifier: MIT OR Apache-2.0
//! The comparison of the model with a design: no files, no processes.
//!
//! * [`word`]: the formula, one for every bit that is compared.
//! * [`signals`]: all that is compared in a module, in the order of reports.
//! * [`comparison`]: takes a cycle at a time from whoever has the design; a [`Source`] says what is expected in it.
//!   [`starts`] is the source with a live model of which the start is unknown.
//! * [`difference`], [`cause`], [`flight`] and [`text`]: what a difference is, where it comes from, and the report.
#![forbid(unsafe_code)]

pub mod cause;
pub mod comparison;
pub mod cycle;
pub mod difference;
pub mod flight;
pub mod signals;
pub mod starts;
pub mod text;
pub mod word;

pub use comparison::{Comparison, Refused, Rules, Source, Words};
pub use cycle::{Cycle, Expect, Sample};
pub use difference::{Cause, Difference, Divergence};
pub use signals::{Kind, Signal, Signals};
pub use starts::Starts;
pub use word::{Expected, Seen};
