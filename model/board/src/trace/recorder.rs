// SPDX-License-Identifier: MIT OR Apache-2.0
//! The observer.

use super::event::{Event, Identity, Kind};
use super::link::{Fate, Flight};
use super::node::{About, events};
use crate::rtl::ring_egress;
use crate::rtl::ring_node::{Inputs, Outputs, RingNode};
use awgstar_frame::Tap;
use awgstar_frame::quantity::Cycle;

/// Events and frames of a run.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Every event, by cycle and node.
    pub events: Vec<Event>,
    /// Frames on the link after each node, in the order in which they left it.
    pub links: Vec<Vec<Flight>>,
}

/// Collects a [`Trace`]. Feed it every node of every cycle.
#[derive(Clone, Debug)]
pub struct Recorder {
    nodes: Vec<Watch>,
    trace: Trace,
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
}

impl Recorder {
    /// For a ring of `nodes`.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        let trace = Trace { events: Vec::new(), links: vec![Vec::new(); nodes] };
        Recorder { nodes: vec![Watch::default(); nodes], trace }
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
        if o.m_axis_tvalid {
            self.leaves(cycle, n, node, o);
        }
        if i.s_axis_tvalid {
            self.nodes[n].arriving.word(i.s_axis_tdata, i.s_axis_tlast);
        }
        let wires = node.wires(i);
        events(node, i, o, &wires, &mut |kind, about| self.event(cycle, n, o.held, kind, about));
    }

    /// A word on the node's output.
    #[inline]
    fn leaves(&mut self, cycle: Cycle, n: usize, node: &RingNode, o: &Outputs) {
        let link = &mut self.trace.links[n];
        let words = &mut self.nodes[n].leaving;
        words.word(o.m_axis_tdata, o.m_axis_tlast);
        let index = words.words() - 1;
        if index == 0 {
            let inserted = node.u_egress.state_q == ring_egress::INSERT;
            link.push(Flight { begin: cycle, end: cycle, inserted, ..Flight::default() });
        }
        if index > 2 && !o.m_axis_tlast {
            return;
        }
        let Some(flight) = link.last_mut() else { return };
        flight.frame = Identity::of(&words.header());
        let (frame, held) = (Some(flight.frame), o.held);
        if index == 2 || (o.m_axis_tlast && index < 2) {
            let kind = Kind::Begins;
            self.trace.events.push(Event { cycle: flight.begin, node: n, kind, frame, held });
        }
        if o.m_axis_tlast {
            (flight.end, flight.aborted) = (cycle, o.m_axis_tuser);
            let kind = Kind::Ends { aborted: o.m_axis_tuser };
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
