// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a kind of frame or of activity looks.

use serde::Serialize;

/// Colour and name of a kind of frame or of activity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Style {
    pub(crate) name: String,
    pub(crate) colour: String,
}
