// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames of a page: a column for each property, so that 100,000 take some MB.

use super::limits::{DATA_MAX, FRAMES_MAX};
use super::style::Style;
use crate::spacetime::trains::{SOURCES, TrainFrame};
use crate::spacetime::{Bar, COLOURS, Diagram, Fate, Origin};
use awgstar::{
    Tap,
    codec::Frame,
    contract::{Field, LAYOUT, Signal, Token},
};
use serde::Serialize;
use std::collections::HashMap;

/// Frames on links. Lists of the same length, sorted by `first`.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Frames {
    /// Kinds of frames; `how` has the index.
    kinds: Vec<Style>,
    /// Names of the columns of `contents`.
    fields: Vec<&'static str>,
    /// What is in a frame: a row for all frames with the same bytes.
    contents: Vec<Content>,
    signals: Vec<SignalName>,
    link: Vec<usize>,
    /// Moment of the first word, less that of the frame before.
    first: Vec<u64>,
    /// Time from the first word to after the last; 0 if the run ended before it.
    length: Vec<u64>,
    /// Row of `contents`.
    content: Vec<usize>,
    /// Time that the first word took through the node before the link; 0 if the node did not pass it on.
    through: Vec<u64>,
    /// Kind, and from bit 4 on flags: see [`how`].
    how: Vec<u16>,
    /// Frames whose first word is at this moment or later are not in the page.
    pub(super) until: Option<u64>,
}

/// Values of header fields in the order of `LAYOUT`, bytes of the frame, valid data bytes, data in hex, and why
/// the frame is not valid.
#[derive(Clone, Debug, Serialize)]
struct Content(Vec<u64>, usize, usize, String, Option<String>);

/// Names of the columns after those of the header.
const OTHERS: [&str; 4] = ["bytes", "valid", "data", "error"];

#[derive(Clone, Debug, Serialize)]
struct SignalName {
    kind: usize,
    c_st: u8,
    name: &'static str,
    meaning: &'static str,
    node_id: &'static str,
}

/// Bit of the first flag; the bits below have the kind.
const FLAGS: u32 = 4;

fn kind(token: Option<Token>) -> usize {
    COLOURS.iter().position(|colour| colour.0 == token).unwrap_or(COLOURS.len() - 1)
}

/// Kind and flags: 0 to 2 fate of the frame (`Fate`), 3 sent here, 4 received by the next node, 5 bad.
fn how(bar: &Bar) -> u16 {
    let fate = match bar.fate {
        Fate::Passed => 0,
        Fate::Stripped => 1,
        Fate::Taken => 2,
        Fate::Absorbed => 3,
        Fate::Unseen => 4_u16,
    };
    let flags = fate
        | u16::from(bar.origin == Origin::Sent) << 3
        | u16::from(bar.delivered) << 4
        | u16::from(bar.bad) << 5;
    awgstar::quantity::narrow::<u16>(kind(bar.token)) | flags << FLAGS
}

impl Content {
    /// A frame as it is on a link.
    fn of_bytes(bytes: &[u8]) -> Content {
        let tap = Tap::of_bytes(bytes);
        let header = LAYOUT.iter().map(|at| tap.field(at.field).unwrap_or_default()).collect();
        let (data, error) = match Frame::decode(bytes) {
            Ok(frame) => (frame.data, None),
            Err(error) => (bytes.get(14..).unwrap_or_default(), Some(error.to_string())),
        };
        let shown = &data[..data.len().min(DATA_MAX)];
        Content(header, bytes.len(), data.len(), hex::encode(shown), error)
    }

    /// A frame whose end is not known.
    fn of_bar(bar: &Bar) -> Content {
        let value = |field| match field {
            Field::Mac => awgstar::ring::node_mac(bar.source.into()).to_u64(),
            Field::Token => bar.token.map_or(7, Token::code).into(),
            Field::PacketCnt => bar.packet_cnt.into(),
            _ => 0,
        };
        let header = LAYOUT.iter().map(|at| value(at.field)).collect();
        let why = bar.last.is_none().then(|| "the run ends within it".into());
        Content(header, 0, 0, String::new(), why)
    }
}

impl Frames {
    /// The frames that are on a link or at the next node in the window, and what is left out.
    pub(super) fn of(
        diagram: &Diagram,
        contents: &[Box<[u8]>],
        window: (u64, u64),
    ) -> (Frames, Option<String>) {
        let fibre = |bar: &Bar| u64::from(diagram.fibre.get(bar.link).copied().unwrap_or(0));
        let shown = |bar: &&Bar| {
            let end = bar.last.map(|last| last + fibre(bar));
            bar.first < window.1 && end.is_none_or(|end| end >= window.0)
        };
        let mut bars: Vec<&Bar> = diagram.bars.iter().filter(shown).collect();
        bars.sort_by_key(|bar| (bar.first, bar.link));
        let until = bars.get(FRAMES_MAX).map(|bar| bar.first);
        let left = until.map(|first| left(bars.len(), "cycle", first));
        bars.truncate(FRAMES_MAX);
        let kinds = COLOURS
            .iter()
            .map(|(_, colour, name)| Style { name: (*name).into(), colour: (*colour).into() });
        let fields = LAYOUT.iter().map(|at| at.field.name()).chain(OTHERS).collect();
        let signals = Signal::ALL.iter().map(|signal| SignalName {
            kind: kind(Some(signal.token())),
            c_st: signal.c_st(),
            name: signal.name(),
            meaning: signal.doc(),
            node_id: signal.node_id_meaning(),
        });
        let mut frames = Frames {
            kinds: kinds.collect(),
            fields,
            signals: signals.collect(),
            until,
            ..Frames::default()
        };
        let mut rows: HashMap<u32, usize> = HashMap::new();
        let mut before = 0;
        for bar in bars {
            let known = bar.content.and_then(|at| Some((at, contents.get(at as usize)?)));
            let row = if let Some((at, bytes)) = known {
                *rows.entry(at).or_insert_with(|| {
                    frames.contents.push(Content::of_bytes(bytes));
                    frames.contents.len() - 1
                })
            } else {
                frames.contents.push(Content::of_bar(bar));
                frames.contents.len() - 1
            };
            let through = match bar.origin {
                Origin::Passed { arrived } => bar.first.saturating_sub(arrived),
                Origin::Sent | Origin::Unknown => 0,
            };
            let length = bar.last.map_or(0, |last| last + 1 - bar.first);
            frames.add(bar.link, bar.first - before, length, row, through, how(bar));
            before = bar.first;
        }
        (frames, left)
    }

    fn add(&mut self, link: usize, first: u64, length: u64, row: usize, through: u64, how: u16) {
        self.link.push(link);
        self.first.push(first);
        self.length.push(length);
        self.content.push(row);
        self.through.push(through);
        self.how.push(how);
    }

    /// Frames of generation 1: link, source (none: the token), begin, end and bytes.
    pub(super) fn of_trains(
        all: &[TrainFrame],
        nodes: usize,
        window: (u64, u64),
    ) -> (Frames, Option<String>) {
        let mut all: Vec<_> = all.iter().filter(|f| f.2 < window.1 && f.3 > window.0).collect();
        all.sort_by_key(|frame| (frame.2, frame.0));
        let until = all.get(FRAMES_MAX).map(|frame| frame.2);
        let left = until.map(|first| left(all.len(), "ns", first));
        all.truncate(FRAMES_MAX);
        let mut frames = Frames {
            fields: vec!["source", "bytes", "valid", "data", "error"],
            until,
            ..Frames::default()
        };
        // A page has 15 colours of frames at most: 4 bits.
        let own = nodes.min(SOURCES.len());
        frames.kinds.push(Style { name: "control token".into(), colour: "#9a9a9a".into() });
        for (node, colour) in SOURCES.into_iter().enumerate().take(own) {
            let name = if nodes > own {
                format!("frame of node {node}, {}, ...", node + own)
            } else {
                format!("frame of node {node}")
            };
            frames.kinds.push(Style { name, colour: colour.into() });
        }
        let mut rows: HashMap<(Option<usize>, u64), usize> = HashMap::new();
        let mut before = 0;
        for &&(link, source, from, to, bytes) in &all {
            let row = *rows.entry((source, bytes)).or_insert_with(|| {
                let source = source.map_or(u64::MAX >> 11, |source| source as u64);
                let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
                frames.contents.push(Content(vec![source], bytes, bytes, String::new(), None));
                frames.contents.len() - 1
            });
            let kind = source.map_or(0, |source| 1 + source % own.max(1));
            let how = awgstar::quantity::narrow::<u16>(kind)
                | u16::from(source == Some(link)) << (FLAGS + 3);
            frames.add(link, from - before, to - from, row, 0, how);
            before = from;
        }
        (frames, left)
    }
}

fn left(all: usize, unit: &str, first: u64) -> String {
    format!(
        "{} frames from {unit} {first} on: a page has {FRAMES_MAX} at most. --window selects a part of the run.",
        all - FRAMES_MAX
    )
}
