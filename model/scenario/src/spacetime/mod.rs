// SPDX-License-Identifier: MIT OR Apache-2.0
//! Space-time diagram of a ring as SVG: nodes across, time down, frames as slanted bars.
//!
//! A bar leaves its node's column on the right and reaches the next column lower down: the slope is
//! the fibre's delay, the height the frame's length. Inside a column the same frame goes on to the
//! next link, or ends at a mark that says why. The last column is node 0 again.

mod bars;
mod firmware;
mod svg;
pub(crate) mod trains;

pub use bars::bars;
pub(crate) use firmware::{ACTIVITIES, LOST, SIGNAL, activities, read_signals, state};
pub use firmware::{Hop, Picture, firmware, firmware_steps};
pub(crate) use svg::COLOURS;
pub use svg::svg;

use awgstar::contract::Token;

/// Left edge of the first column of a picture.
const LEFT: f64 = 84.0;

/// Where cycles and columns are in a picture.
struct Scale {
    /// Pixels above the first cycle of the window.
    top: f64,
    /// Pixels per cycle.
    y: f64,
    /// Distance between the left edges of two columns.
    pitch: f64,
    /// First cycle of the window, and the one after the last.
    from: u64,
    to: u64,
}

impl Scale {
    /// Height of a cycle.
    #[expect(clippy::cast_precision_loss, reason = "pixels")]
    fn y(&self, cycle: u64) -> f64 {
        self.top + (cycle.clamp(self.from, self.to) - self.from) as f64 * self.y
    }

    /// Left edge of a column.
    #[expect(clippy::cast_precision_loss, reason = "pixels")]
    fn left(&self, column: usize) -> f64 {
        LEFT + column as f64 * self.pitch
    }
}

/// Origin of a frame on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The first word arrived at the node in this cycle and was passed on.
    Passed {
        /// Cycle in which its first word was on the node's input.
        arrived: u64,
    },
    /// The node sent it: a signal inserted, a free token turned into data, a token given back.
    Sent,
    /// The frame was there when the recording began, or a fault made it.
    Unknown,
}

/// Action of the node at the end of the link on a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Passed on: it is on the next link too.
    Passed,
    /// Own frame: stripped by its source.
    Stripped,
    /// Free token: taken to send data.
    Taken,
    /// Absorbed: reserved TOKEN, or no frame at all.
    Absorbed,
    /// Lost on the fibre, or not yet arrived.
    Unseen,
}

/// One frame on one link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Link i leads from node i to node i + 1.
    pub link: usize,
    /// Cycle of its first word on the output of node `link`.
    pub first: u64,
    /// Cycle of its last word there; `None` if the run ended before it.
    pub last: Option<u64>,
    /// TOKEN; `None` for a reserved one or a frame that was cut before it.
    pub token: Option<Token>,
    /// Node that sent it, as its MAC says.
    pub source: u8,
    pub packet_cnt: u8,
    /// Origin of the frame.
    pub origin: Origin,
    /// Action of the next node.
    pub fate: Fate,
    /// The receive side of the node at the end of the link got it.
    pub delivered: bool,
    /// The frame does not pass its FCS, or it was cut.
    pub bad: bool,
    /// Index of its bytes in [`Trace::contents`](awgstar::trace::Trace::contents), if they are kept.
    pub content: Option<u32>,
}

/// Contents of a drawing.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// Fibre delay of each link in cycles; one link for each node.
    pub fibre: Vec<u32>,
    /// Frames.
    pub bars: Vec<Bar>,
    /// Cycles drawn: from the first up to and without the second.
    pub window: (u64, u64),
    /// Line above the picture.
    pub title: String,
}
