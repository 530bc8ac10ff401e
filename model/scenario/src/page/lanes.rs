// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time lines of nodes, signals between them, and texts beside them.

use super::style::Style;
use crate::spacetime::{ACTIVITIES, LOST, Picture, SIGNAL, activities, read_signals};
use serde::Serialize;
use std::collections::HashMap;

/// Texts, each once.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
struct Texts {
    all: Vec<String>,
    #[serde(skip)]
    places: HashMap<String, usize>,
}

impl Texts {
    fn place(&mut self, text: String) -> usize {
        let all = &mut self.all;
        *self.places.entry(text).or_insert_with_key(|text| {
            all.push(text.clone());
            all.len() - 1
        })
    }
}

/// Moments to differences, each to the one before.
fn differences(moments: &mut [u64]) {
    let mut before = 0;
    for moment in moments {
        (before, *moment) = (*moment, *moment - before);
    }
}

/// Activities of nodes. Lists of the same length, sorted by `from` when finished.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Spans {
    kinds: Vec<Style>,
    texts: Texts,
    node: Vec<usize>,
    /// Begin, less that of the span before.
    from: Vec<u64>,
    length: Vec<u64>,
    kind: Vec<usize>,
    text: Vec<usize>,
}

impl Spans {
    pub(super) fn add(
        &mut self,
        node: usize,
        from: u64,
        to: u64,
        name: &str,
        colour: &str,
        text: String,
    ) {
        let kind = self.kinds.iter().position(|kind| kind.name == name).unwrap_or_else(|| {
            self.kinds.push(Style { name: name.into(), colour: colour.into() });
            self.kinds.len() - 1
        });
        self.node.push(node);
        self.from.push(from);
        self.length.push(to - from);
        self.kind.push(kind);
        self.text.push(self.texts.place(text));
    }

    /// Sorts them, and keeps `most`; returns where the first of the others begins.
    pub(super) fn finish(&mut self, most: usize) -> Option<u64> {
        let mut order: Vec<usize> = (0..self.node.len()).collect();
        order.sort_by_key(|&at| (self.from[at], self.node[at]));
        let end = order.get(most).map(|&at| self.from[at]);
        order.truncate(most);
        for list in [&mut self.node, &mut self.kind, &mut self.text] {
            *list = order.iter().map(|&at| list[at]).collect();
        }
        for list in [&mut self.from, &mut self.length] {
            *list = order.iter().map(|&at| list[at]).collect();
        }
        differences(&mut self.from);
        end
    }
}

/// Lines from a moment at a node to a moment at another.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Lines {
    colour: &'static str,
    lost_colour: &'static str,
    texts: Texts,
    /// From node, from moment, to node, to moment, text, and 1 for one that is lost.
    rows: Vec<(usize, u64, usize, u64, usize, u8)>,
}

impl Lines {
    pub(super) fn of(picture: &Picture<'_>, window: (u64, u64), columns: &[usize]) -> Lines {
        let mut lines = Lines::default();
        let signals = read_signals(picture).map(|(sent, read)| {
            let text = match &sent.what {
                awgstar::host::Happened::Sent(message) => message.signal.name().to_owned(),
                _ => String::new(),
            };
            let from = (sent.node.index(), sent.cycle.0);
            (from, (read.node.index(), read.cycle.0), text, false)
        });
        let hops = picture.hops.iter().map(|hop| {
            let (from, to) = ((hop.from.1, hop.from.0), (hop.to.1, hop.to.0));
            (from, to, hop.text.clone(), hop.lost)
        });
        for (from, to, text, lost) in signals.chain(hops) {
            if to.1 > window.0 && from.1 < window.1 {
                lines.add((columns[from.0], from.1), (columns[to.0], to.1), text, lost);
            }
        }
        lines
    }

    pub(super) fn add(&mut self, from: (usize, u64), to: (usize, u64), text: String, lost: bool) {
        (self.colour, self.lost_colour) = (SIGNAL, LOST);
        let text = self.texts.place(text);
        self.rows.push((from.0, from.1, to.0, to.1, text, lost.into()));
    }

    pub(super) fn finish(&mut self, most: usize) -> Option<u64> {
        self.rows.sort_by_key(|row| row.1);
        let end = self.rows.get(most).map(|row| row.1);
        self.rows.truncate(most);
        end
    }
}

/// Texts beside nodes.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Notes {
    texts: Texts,
    /// Node, moment, text.
    rows: Vec<(usize, u64, usize)>,
}

impl Notes {
    pub(super) fn add(&mut self, node: usize, at: u64, text: &str) {
        let text = self.texts.place(text.into());
        self.rows.push((node, at, text));
    }

    pub(super) fn finish(&mut self, most: usize) -> Option<u64> {
        self.rows.sort_by_key(|row| row.1);
        let end = self.rows.get(most).map(|row| row.1);
        self.rows.truncate(most);
        end
    }
}

/// What processes on firmware do: begin, end, node, name and colour, text.
pub(super) fn activities_of<'a>(
    picture: &'a Picture<'_>,
) -> impl Iterator<Item = (u64, u64, usize, (&'static str, &'static str), String)> + 'a {
    (0..picture.nodes).flat_map(move |node| {
        let all = activities(picture.records, node, picture.window.1);
        all.into_iter().filter_map(move |(from, to, doing)| {
            let (_, colour, name) = ACTIVITIES.iter().find(|entry| entry.0 == doing)?;
            Some((from, to, node, (*name, *colour), String::new()))
        })
    })
}
