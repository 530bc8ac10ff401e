// SPDX-License-Identifier: MIT OR Apache-2.0
//! A cache of words of other rings in the memory of a ring.
//!
//! A *line* is a block of words of another ring. The near gateway stores lines in *places* of the memory of its ring,
//! where each client reads them in its own replica. The home gateway notes which rings may have a line, and what is
//! written there goes ahead only when these have dropped it.

pub(crate) mod home;
pub(crate) mod near;
