// SPDX-License-Identifier: MIT OR Apache-2.0
//! Trains of generation 1 as frames on links.

use awgstar_thesis::{
    gen1::{
        frame::OVERHEAD,
        record::{Happened, Record},
    },
    time::line_ns,
};

/// Colours of sources: also distinguishable without full colour vision; each bar has its number
/// too.
pub(crate) const SOURCES: [&str; 8] =
    ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999933"];

/// A frame of a train: the node that it leaves, its source (none: the control token), begin and end in ns on
/// the link, and its bytes.
pub(crate) type TrainFrame = (usize, Option<usize>, u64, u64, u64);

/// Every frame that leaves a node.
pub(crate) fn trains(records: &[Record]) -> impl Iterator<Item = TrainFrame> {
    records.iter().flat_map(|record| {
        let frames = match &record.what {
            Happened::Leaves { frames, .. } => Some(frames),
            _ => None,
        };
        let token = frames.map(|_| (None, OVERHEAD as u64));
        let frames = frames.into_iter().flatten().map(|(source, len)| (Some(source.index()), *len));
        let mut before = 0;
        token.into_iter().chain(frames).map(move |(source, bytes)| {
            let (from, to) = (line_ns(before), line_ns(before + bytes));
            before += bytes;
            (record.node, source, (record.at + from).0, (record.at + to).0, bytes)
        })
    })
}
