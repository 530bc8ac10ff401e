// SPDX-License-Identifier: MIT OR Apache-2.0
//! Audit: after each barrier all ranks must have the same bytes in all that is shared.

/// A page has changed.
pub(crate) fn touched(_page: usize) {}
pub(crate) fn before_barrier(_more: bool) {}
pub(crate) fn after_barrier() {}
