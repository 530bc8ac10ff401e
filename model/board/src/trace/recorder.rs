// SPDX-License-Identifier: MIT OR Apache-2.0
//! The observer.

use super::event::{Event, Identity, Kind};
use super::link::{Fate, Flight};
use super::node::{About, events};
use crate::rtl::ring_egress;
use crate::rtl::ring_node::{Inputs, Outputs, RingNode};
use awgstar_frame::Tap;
use awgstar_frame::quantity::Cycle;
use std::collections::HashMap;

/// Events and frames of a run.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Every event, by cycle and node.
    pub events: Vec<Event>,
    /// Frames on the link after each node, in the order in which they left it.
    pub links: Vec<Vec<Flight>>,
    /// The bytes of frames as they left a node, each sequence once; empty without
    /// [`Recorder::with_contents`].
    pub contents: Vec<Box<[u8]>>,
}

/// Collects a [`Trace`]. Feed it every node of every cycle.
#[derive(Clone, Debug)]
pub struct Recorder {
    nodes: Vec<Watch>,
    trace: Trace,
    /// Contents that were seen, if they are kept.
    contents: Option<HashMap<Box<[u8]>, u32>>,
}

/// State of the recorder for a node and its two links.
#[derive(Clone, Debug, Default)]
struct Watch {
    arriving: Tap,
    leaving: Tap,
    /// Flight on the link in of the frame whose first words were decided on last.
    under_way: Option<usize>,
    /// First flight on the link in that has not arrived.
    next: usize,
    /// Bytes of the frame on the link out, if contents are kept.
    bytes: Vec<u8>,
}

impl Recorder {
    /// For a ring of `nodes`.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        let trace = Trace { links: vec![Vec::new(); nodes], ..Trace::default() };
        Recorder { nodes: vec![Watch::default(); nodes], trace, contents: None }
    }

    /// Like [`Recorder::new`], with the bytes of every frame: [`Flight::content`].
    #[must_use]
    pub fn with_contents(nodes: usize) -> Self {
        Recorder { contents: Some(HashMap::new()), ..Recorder::new(nodes) }
    }

    /// Ends the recording. The events lack the frames that are still under way; the links have
    /// them.
    #[must_use]
    pub fn finish(mut self) -> Trace {
        self.trace.events.sort_by_key(|event| (event.cycle, event.node));
        self.trace
    }

    /// Node `n` just before the edge of `cycle`. A node that the recorder was not made for is
    /// passed over.
    #[inline]
    pub fn cycle(&mut self, cycle: Cycle, n: usize, node: &RingNode, i: &Inputs, o: &Outputs) {
        if i.rst || n >= self.nodes.len() {
            return;
        }
        if o.m_axis.tvalid {
            self.leaves(cycle, n, node, o);
        }
        if i.s_axis.tvalid {
            self.nodes[n].arriving.word(i.s_axis.tdata, i.s_axis.tlast);
        }
        let wires = node.wires(i);
        events(node, i, o, &wires, &mut |kind, about| self.event(cycle, n, o.held, kind, about));
    }

    /// A word on the node's output.
    #[inline]
    fn leaves(&mut self, cycle: Cycle, n: usize, node: &RingNode, o: &Outputs) {
        let link = &mut self.trace.links[n];
        let words = &mut self.nodes[n].leaving;
        words.word(o.m_axis.tdata, o.m_axis.tlast);
        let index = words.words() - 1;
        if index == 0 {
            let inserted = node.u_egress.state_q == ring_egress::INSERT;
            link.push(Flight { begin: cycle, end: cycle, inserted, ..Flight::default() });
        }
        if self.contents.is_some() {
            let bytes = &mut self.nodes[n].bytes;
            if index == 0 {
                bytes.clear();
            }
            let lanes = o.m_axis.tkeep.count_ones() as usize;
            bytes.extend_from_slice(&o.m_axis.tdata.to_le_bytes()[..lanes.min(4)]);
        }
        if index > 2 && !o.m_axis.tlast {
            return;
        }
        let words = &self.nodes[n].leaving;
        let Some(flight) = link.last_mut() else { return };
        flight.frame = Identity::of(&words.header());
        let (frame, held) = (Some(flight.frame), o.held);
        if index == 2 || (o.m_axis.tlast && index < 2) {
            let kind = Kind::Begins;
            self.trace.events.push(Event { cycle: flight.begin, node: n, kind, frame, held });
        }
        if o.m_axis.tlast {
            (flight.end, flight.aborted) = (cycle, o.m_axis.tuser);
            if let Some(seen) = &mut self.contents {
                let (bytes, contents) = (&self.nodes[n].bytes, &mut self.trace.contents);
                let known = seen.get(&bytes[..]).copied();
                flight.content = known.or_else(|| {
                    let next = u32::try_from(contents.len()).ok()?;
                    contents.push(bytes[..].into());
                    seen.insert(bytes[..].into(), next);
                    Some(next)
                });
            }
            let kind = Kind::Ends { aborted: o.m_axis.tuser };
            self.trace.events.push(Event { cycle, node: n, kind, frame, held });
        }
    }

    fn event(&mut self, cycle: Cycle, n: usize, held: u8, kind: Kind, about: About) {
        let before = if n == 0 { self.nodes.len() - 1 } else { n - 1 };
        let link = &mut self.trace.links[before];
        let watch = &mut self.nodes[n];
        // The ingress decides two cycles after a first word came in.
        let decides = !matches!(kind, Kind::TokenBack);
        if about == About::Arriving && decides {
            watch.arrives(cycle.saturating_sub(Cycle(2)), link);
        }
        let flight = watch.under_way.and_then(|at| link.get_mut(at));
        let frame = match about {
            About::Own(frame) => Some(frame),
            About::Nothing => None,
            _ => flight.as_ref().map(|flight| flight.frame),
        };
        if let Some(flight) = flight {
            flight.take(kind);
        }
        self.trace.events.push(Event { cycle, node: n, kind, frame, held });
    }
}

impl Watch {
    /// The frame whose first word arrived in cycle `at` is one of the link's: the first under way
    /// that looks like it, else the same once more, else the first under way, changed by a bit
    /// error.
    fn arrives(&mut self, at: Cycle, link: &mut Vec<Flight>) {
        let seen: Identity = Identity::of(&self.arriving.header());
        let from = self.next.min(link.len());
        let same =
            link[from..].iter().position(|flight| flight.frame == seen && flight.begin <= at);
        let twice = from > 0 && link[from - 1].frame == seen;
        let found = match same {
            Some(ahead) => from + ahead,
            None if twice => {
                let again = Flight { fate: Fate::UnderWay, good: None, ..link[from - 1] };
                link.insert(from, again);
                from
            }
            None if from < link.len() => from,
            None => {
                self.under_way = None;
                return;
            }
        };
        link[found].arrival = Some(at);
        self.under_way = Some(found);
        self.next = found + 1;
    }
}

impl Flight {
    /// Applies an event of the next node to the flight.
    fn take(&mut self, kind: Kind) {
        match kind {
            Kind::Passed => self.fate = Fate::Passed,
            Kind::TokenTaken => self.fate = Fate::Taken,
            Kind::Stripped => self.fate = Fate::Stripped,
            Kind::Reserved | Kind::Orphan => self.fate = Fate::Absorbed,
            Kind::Dropped => self.fate = Fate::Dropped,
            Kind::Cut => self.fate = Fate::Cut,
            Kind::Delivered => (self.fate, self.good) = (Fate::Delivered, Some(true)),
            Kind::Overflow => self.good = Some(true),
            Kind::Returned { good } => self.good = Some(good),
            Kind::Bad(_) => self.good = Some(false),
            _ => {}
        }
    }
}
