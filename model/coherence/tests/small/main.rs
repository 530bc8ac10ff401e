// SPDX-License-Identifier: MIT OR Apache-2.0
//! SCASH and FDSM (paper 003) on small systems: every run, with all repairs and with one left out.

#[path = "../../../test_support/copies.rs"]
mod copies;
#[path = "../../../test_support/document.rs"]
mod document;
mod fdsm;
mod found;
mod replicas;
mod ring;
mod scash;
mod script;
#[path = "../../../test_support/seeded.rs"]
mod seeded;
mod units;
