// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much a page has at most.

/// Most frames on links in a page.
pub const FRAMES_MAX: usize = 100_000;
/// Most changes of registers in a page.
pub const CHANGES_MAX: usize = 200_000;
/// Most spans of time lines, most lines of signals and most notes in a page.
pub const LANES_MAX: usize = 50_000;
/// Data bytes of a frame in a page.
pub const DATA_MAX: usize = 32;
