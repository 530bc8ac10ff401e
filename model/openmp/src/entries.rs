// SPDX-License-Identifier: MIT OR Apache-2.0
//! Check that every entry point of OpenMP that the program uses is the library's.
pub(crate) fn check() {}
