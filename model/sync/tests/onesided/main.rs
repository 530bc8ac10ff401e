// SPDX-License-Identifier: MIT OR Apache-2.0
//! One-sided programs on small clusters: every run of the firmware of paper 001.

#[path = "../../../test_support/document.rs"]
mod document;
mod holds;
mod holes;
mod misuse;
mod ring;
mod systems;
