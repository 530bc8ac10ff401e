// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes on the cycle-accurate ring of boards.

mod barriers;
mod engine;
mod firmware;
mod pages;
mod plain;
mod signals;
