// SPDX-License-Identifier: MIT OR Apache-2.0
//! The controller's times, and what it reports (AWG-5, AWG-6).

/// Reaction times of the controller and the lasers, in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// A receiver without light for so long says so.
    pub detect: u32,
    /// From there until the lasers have their orders.
    pub command: u32,
    /// A laser is dark for so long while it is tuned.
    pub tune: u32,
}

impl Default for Times {
    /// 1 µs, 10 µs and 100 µs: decisions, the thesis gives none.
    fn default() -> Self {
        Times { detect: 68, command: 673, tune: 6_725 }
    }
}

/// Event of the controller: an observation or an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The receiver of a board says that it has no light.
    Dark(usize),
    /// A laser begins to be tuned.
    Tuning {
        board: usize,
        /// To the receiver of this one.
        to: usize,
        wavelength: u16,
    },
    /// The ring goes round without this board, and all its receivers have light.
    Bypassed(usize),
    /// The ring goes through this board again.
    Inserted(usize),
    /// The attempt to bypass this board did not restore the light.
    NotIt(usize),
    /// Nothing is left to try: this board stays without light.
    GaveUp(usize),
}
