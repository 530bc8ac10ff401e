// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames on links as they arrive, for a capture file.
//!
//! A link ends at a node. The recorder takes the words at both ends. What left is followed over the link as the
//! model's fibre does it, with the faults that met their frames; so it is known which frame arrived when, which one
//! did not, and what differs.

use crate::run::boards::fault_text;
use awgstar::contract::{
    capture::{
        ABORTED, AGAIN, BYTES, CHANGED, CUT, FLAGS_BYTE, KEEP, LINK_TYPE, LOST, MONITOR, VERSION,
    },
    limits::{CLOCK_HZ, LINE_RATE_BPS},
};
use awgstar::quantity::{Cycle, narrow};
use awgstar::ring::{
    FaultKind, Word,
    boards::{Cut, Slow},
};
use awgstar::rtl::{ring_node, smb};
use awgstar_draw::pcapng::{self, Interface, Packet};
use std::{collections::BTreeMap, fmt::Write as _, ops::Range};

/// Inverted bits of a frame that a comment lists.
const LISTED: usize = 8;

/// Name of the file of a run.
pub(crate) const FILE: &str = "frames.pcapng";

/// A link of a ring, as it is known after the run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Link {
    /// Name of the interface.
    pub(crate) name: String,
    /// Its description.
    pub(crate) description: String,
    /// Cycles from one end to the other; none where the light is turned during the run.
    pub(crate) delay: Option<u64>,
    /// Faults that changed a frame, with its number.
    pub(crate) faults: Vec<(u64, FaultKind)>,
    /// Times in which the link is cut at its end.
    pub(crate) cuts: Vec<Cut>,
    /// Times in which frames are late.
    pub(crate) slow: Vec<Slow>,
    /// Cycle in which the run ended.
    pub(crate) end: u64,
}

/// A frame at one end of a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen {
    /// Cycle of its first word.
    begin: u64,
    bytes: Vec<u8>,
    words: u64,
    flags: u8,
}

/// Frames at one end of a link: those that are whole, and the one under way.
#[derive(Clone, Debug, Default)]
struct End {
    frames: Vec<Seen>,
    open: Option<Seen>,
    /// The link was idle: the next word is the first of a frame.
    idle: bool,
}

impl End {
    fn word(&mut self, cycle: u64, word: Option<Word>) {
        let Some(word) = word else {
            self.idle = true;
            if let Some(open) = self.open.take() {
                self.frames.push(Seen { flags: open.flags | CUT, ..open });
            }
            return;
        };
        let first = self.open.is_none();
        // A recorder that begins within a frame leaves it out.
        if !self.idle {
            return;
        }
        let open = self.open.get_or_insert_with(|| Seen { begin: cycle, ..Seen::default() });
        if word.last && word.user {
            open.flags |= ABORTED;
        } else if first && word.user {
            open.flags |= MONITOR;
        }
        let kept = if word.last { word.keep.trailing_ones() } else { 4 };
        let allowed = word.keep == 0xF || (word.last && matches!(word.keep, 1 | 3 | 7));
        if !allowed {
            open.flags |= KEEP;
        }
        open.words += 1;
        open.bytes.extend(&word.data.to_le_bytes()[..kept.clamp(1, 4) as usize]);
        if word.last {
            self.frames.extend(self.open.take());
        }
    }
}

/// Both ends of a link.
#[derive(Clone, Debug, Default)]
struct Ends {
    left: End,
    arrived: End,
    /// Cycles in which there was a node at the far end.
    watched: Vec<Range<u64>>,
}

/// Records frames. Feed it every node of every cycle.
#[derive(Clone, Debug)]
pub struct Capture {
    links: Vec<Ends>,
    /// The link at whose end each node is.
    before: Vec<usize>,
}

/// The word on the input of a node or board.
macro_rules! arriving {
    ($i:expr) => {
        $i.s_axis_tvalid.then_some(Word {
            data: $i.s_axis_tdata,
            keep: $i.s_axis_tkeep,
            last: $i.s_axis_tlast,
            user: $i.s_axis_tuser,
        })
    };
}

/// The word on the output of a node or board.
macro_rules! leaving {
    ($o:expr) => {
        $o.m_axis_tvalid.then_some(Word {
            data: $o.m_axis_tdata,
            keep: $o.m_axis_tkeep,
            last: $o.m_axis_tlast,
            user: $o.m_axis_tuser,
        })
    };
}

/// A frame that leaves and how it gets to the other end.
struct Flight<'a> {
    frame: &'a Seen,
    /// Cycle in which the first word arrives, and words that do.
    at: u64,
    words: u64,
    comments: Vec<String>,
    again: bool,
}

impl Capture {
    /// For a ring whose nodes have that order.
    pub(crate) fn new(order: &[usize]) -> Capture {
        let mut before = vec![0; order.len()];
        for (place, node) in order.iter().enumerate() {
            before[order[(place + 1) % order.len()]] = *node;
        }
        Capture { links: vec![Ends::default(); order.len()], before }
    }

    /// A node of a ring just before the edge of `cycle`.
    pub(crate) fn node(
        &mut self,
        cycle: u64,
        node: usize,
        i: &ring_node::Inputs,
        o: &ring_node::Outputs,
    ) {
        self.cycle(cycle, node, arriving!(i), leaving!(o));
    }

    /// A board of a ring just before the edge of `cycle`.
    pub fn board(&mut self, cycle: u64, board: usize, i: &smb::Inputs, o: &smb::Outputs) {
        self.cycle(cycle, board, arriving!(i), leaving!(o));
    }

    fn cycle(&mut self, cycle: u64, node: usize, arriving: Option<Word>, leaving: Option<Word>) {
        self.links[node].left.word(cycle, leaving);
        let link = &mut self.links[self.before[node]];
        link.arrived.word(cycle, arriving);
        match link.watched.last_mut() {
            Some(range) if range.end == cycle => range.end += 1,
            _ => link.watched.push(cycle..cycle + 1),
        }
    }

    /// The capture file of the frames that began to arrive in these cycles.
    pub(crate) fn file(self, title: &str, links: &[Link], window: (u64, u64)) -> Vec<u8> {
        let mut packets: Vec<Packet> = Vec::new();
        for (number, (link, ends)) in links.iter().zip(&self.links).enumerate() {
            link.packets(ends, window, |cycle, flags, bytes, comments| {
                let mut all = vec![0; BYTES];
                all[0] = VERSION;
                all[FLAGS_BYTE] = flags;
                all.extend(bytes);
                packets.push(Packet {
                    interface: narrow(number),
                    ns: nanoseconds(cycle),
                    bytes: all,
                    comments,
                });
            });
        }
        packets.sort_by_key(|packet| (packet.ns, packet.interface));
        let interfaces: Vec<Interface> = links
            .iter()
            .map(|link| Interface {
                name: link.name.clone(),
                description: link.description.clone(),
                link_type: LINK_TYPE,
                speed: LINE_RATE_BPS,
            })
            .collect();
        let mut out = Vec::new();
        let application = concat!("awgstar ", env!("CARGO_PKG_VERSION"));
        // Memory takes all, and no frame has 4 GB.
        let _ = pcapng::write(&mut out, application, title, &interfaces, &packets);
        out
    }
}

/// The ns in which a cycle begins.
fn nanoseconds(cycle: u64) -> u64 {
    narrow(u128::from(cycle) * 1_000_000_000 / u128::from(CLOCK_HZ))
}

impl Link {
    /// A link that nothing disturbs; `what` is at its ends.
    pub(crate) fn between(what: &str, from: usize, to: usize, metres: f64) -> Link {
        Link {
            name: format!("link {from}"),
            description: format!("{what} {from} to {what} {to}, {metres} m of fibre"),
            ..Link::default()
        }
    }

    /// Calls `each` with every frame of the link: cycle, flags, bytes, comments.
    fn packets(
        &self,
        ends: &Ends,
        (from, to): (u64, u64),
        mut each: impl FnMut(u64, u8, &[u8], Vec<String>),
    ) {
        let (mut flights, lost) = self.flights(&ends.left.frames);
        for arrived in &ends.arrived.frames {
            // A cut may take the first words of a frame.
            let after = flights.range(..=arrived.begin).next_back().map(|(at, _)| *at);
            let whole = |flight: &Flight| arrived.begin < flight.at + flight.words;
            let found = after.filter(|at| whole(&flights[at])).and_then(|at| flights.remove(&at));
            if !(from..to).contains(&arrived.begin) {
                continue;
            }
            let (mut flags, mut comments) = (arrived.flags, Vec::new());
            if let Some(flight) = found {
                let same = flight.frame.bytes == arrived.bytes;
                let link = MONITOR | ABORTED | KEEP | CUT;
                if !same || (flight.frame.flags ^ arrived.flags) & link != 0 {
                    flags |= CHANGED;
                }
                if flight.again {
                    flags |= AGAIN;
                }
                if !same && flight.comments.is_empty() {
                    comments.push(self.difference(&flight, arrived));
                }
                comments.extend(flight.comments);
            }
            each(arrived.begin, flags, &arrived.bytes, comments);
        }
        for flight in flights.into_values().chain(lost) {
            let (at, end) = (flight.at, flight.at + flight.words);
            // The last frames of a run are under way at its end.
            if !(from..to).contains(&at) || end > self.end {
                continue;
            }
            let mut comments = flight.comments;
            if ends.watched.iter().any(|range| range.start <= at && end <= range.end) {
                if comments.is_empty() {
                    comments.push(self.cut_at(at).unwrap_or_else(|| "lost".into()));
                }
                each(at, flight.frame.flags | LOST, &flight.frame.bytes, comments);
            } else if ends.watched.last().is_some_and(|range| range.end <= at) {
                comments.push("passes the dead board at the end of the link".into());
                each(at, flight.frame.flags, &flight.frame.bytes, comments);
            }
        }
    }

    /// The frames that leave, by the cycle in which they arrive, and those that a fault loses.
    fn flights<'a>(&self, left: &'a [Seen]) -> (BTreeMap<u64, Flight<'a>>, Vec<Flight<'a>>) {
        let (mut flights, mut lost) = (BTreeMap::new(), Vec::new());
        let Some(delay) = self.delay else { return (flights, lost) };
        let (mut free, mut number) = (0, 0);
        for frame in left {
            let late = self.slow.iter().filter(|slow| within(slow.from, slow.until, frame.begin));
            let late = late.map(|slow| u64::from(slow.cycles)).max().unwrap_or(0);
            let mut comments: Vec<String> = Vec::new();
            let (mut words, mut twice) = (frame.words, false);
            for (_, fault) in self.faults.iter().filter(|(of, _)| *of == number) {
                match fault {
                    FaultKind::Lose => words = 0,
                    FaultKind::Truncate(most) => words = words.min((*most).into()),
                    FaultKind::Twice => twice = true,
                    FaultKind::Bit(_) => {}
                }
                comments.push(format!("fault: {}", fault_text(*fault)));
            }
            if late > 0 {
                comments.push(format!("fault: {late} cycles late"));
            }
            let due = frame.begin + delay + late;
            if words == 0 {
                let words = frame.words;
                lost.push(Flight { frame, at: due, words, comments, again: false });
            } else {
                let whole = words == frame.words && frame.flags & CUT == 0;
                let at = due.max(free);
                free = at + words + u64::from(whole);
                if twice && whole {
                    let comments = comments.clone();
                    flights.insert(free, Flight { frame, at: free, words, comments, again: true });
                    free += words + 1;
                }
                flights.insert(at, Flight { frame, at, words, comments, again: false });
            }
            number += u64::from(frame.flags & CUT == 0);
        }
        (flights, lost)
    }

    fn cut_at(&self, cycle: u64) -> Option<String> {
        let cut = self.cuts.iter().find(|cut| within(cut.from, cut.until, cycle))?;
        Some(match cut.until {
            Cycle(u64::MAX) => format!("fault: link cut from cycle {}", cut.from),
            until => format!("fault: link cut from cycle {} to {until}", cut.from),
        })
    }

    /// What no fault of a frame explains.
    fn difference(&self, flight: &Flight, arrived: &Seen) -> String {
        let end = arrived.begin + arrived.words;
        if let Some(cut) = self.cut_at(end).or_else(|| self.cut_at(flight.at)) {
            return cut;
        }
        let pairs = flight.frame.bytes.iter().zip(&arrived.bytes).enumerate();
        let bits = pairs.flat_map(|(byte, (was, is))| {
            (0..8).filter(move |bit| (was ^ is) >> bit & 1 == 1).map(move |bit| 8 * byte + bit)
        });
        let bits: Vec<usize> = bits.collect();
        let mut text = String::from("noise: bits inverted:");
        for bit in bits.iter().take(LISTED) {
            let _ = write!(text, " {bit}");
        }
        if bits.len() > LISTED {
            let _ = write!(text, " and {} more", bits.len() - LISTED);
        }
        text
    }
}

fn within(from: Cycle, until: Cycle, cycle: u64) -> bool {
    (from.0..until.0).contains(&cycle)
}

#[cfg(test)]
mod tests {
    use super::{AGAIN, CHANGED, CUT, Capture, LOST, Link};
    use crate::scenario;
    use awgstar::{
        ring::Ring,
        trace::{Flight, Recorder},
    };

    const SCENARIO: &str = "
        system = \"node-ring\"
        nodes = 4
        cycles = 9000
        fibre_m = [10, 0, 25, 7]
        seed = 3
        [[random]]
        every = 150
        until = 8000
        signals = 0.3
        bytes_max = 400
        [[fault]]
        link = 1
        frame = 60
        lose = true
        [[fault]]
        link = 2
        frame = 133
        twice = true
        [[fault]]
        link = 0
        frame = 81
        words = 9
        [[fault]]
        link = 3
        frame = 150
        bit = 300
    ";

    /// Frames arrive, or do not, as the trace of the model has it, which knows the nodes' decisions.
    #[test]
    fn frames_are_those_of_the_trace() {
        let plan = scenario::read_nodes("test", SCENARIO).expect("a scenario");
        let mut ring = Ring::new(&plan.scenario).expect("a ring");
        let (mut trace, mut capture) = (Recorder::new(4), Capture::new(&[0, 1, 2, 3]));
        while !ring.done() {
            let cycle = ring.cycle();
            ring.step_observed(&mut |n, node, i, o| {
                trace.cycle(cycle, n, node, i, o);
                capture.node(cycle.0, n, i, o);
            });
        }
        let trace = trace.finish();
        let mut seen = [0; 4];
        for (number, ends) in capture.links.iter().enumerate() {
            let link = Link {
                delay: Some(plan.scenario.fibre[number].into()),
                faults: ring.faults_met(number).to_vec(),
                end: plan.scenario.cycles.0,
                ..Link::between("node", number, (number + 1) % 4, 0.0)
            };
            assert_eq!(link.faults.len(), 1, "link {number}");
            let (mut arrived, mut missed, mut faults) = (Vec::new(), Vec::new(), Vec::new());
            let delay = u64::from(plan.scenario.fibre[number]);
            let mut cut = false;
            link.packets(ends, (0, u64::MAX), |cycle, flags, bytes, comments| {
                // A node swallows what follows a frame without a last word, up to the next one (NODE-6).
                if flags & LOST != 0 || cut {
                    missed.push(cycle - delay);
                } else {
                    arrived.push((cycle, bytes[6] >> 5));
                }
                cut = flags & CUT != 0;
                for (flag, count) in [LOST, AGAIN, CUT, CHANGED].into_iter().zip(&mut seen) {
                    *count += u32::from(flags & flag != 0);
                }
                faults.extend(comments);
            });
            let flights = &trace.links[number];
            let token = |flight: &Flight| flight.frame.token;
            // The verdict on the last frame may be out at the end.
            let latest = arrived.last().map_or(0, |(cycle, _)| *cycle);
            let expected = flights.iter().filter_map(|f| Some((f.arrival?.0, token(f))));
            let expected: Vec<_> = expected.filter(|(cycle, _)| *cycle <= latest).collect();
            assert_eq!(arrived, expected, "link {number}");
            let never = flights.iter().filter(|f| f.arrival.is_none() && f.end.0 + 200 < link.end);
            let never: Vec<u64> = never.map(|f| f.begin.0).collect();
            assert_eq!(missed, never, "link {number}");
            let twice = link.faults[0].1 == awgstar::ring::FaultKind::Twice;
            assert_eq!(faults.len(), 1 + usize::from(twice), "{faults:?}");
        }
        // The frame that is cut short is changed, too, and so is the one with a bit error.
        assert_eq!(seen, [1, 1, 1, 2]);
    }
}
