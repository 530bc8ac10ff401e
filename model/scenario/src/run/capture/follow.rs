// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames followed from one end of their link to the other.
//!
//! What left is followed over the link as the model's fibre does it, with the faults that met their frames; so it
//! is known which frame arrived when, which one did not, and what differs. With a router a laser can be turned to
//! another receiver, or off; what has left stays on its way.

use super::end::{End, Seen};
use super::link::Link;
use crate::run::fault;
use crate::run::lost::Lost;
use awgstar::contract::capture::{ABORTED, AGAIN, CHANGED, CUT, KEEP, LOST, MONITOR};
use awgstar::quantity::Cycle;
use awgstar::ring::{FaultKind, Word, boards::Aim, star::recovery::Loss};
use std::{collections::BTreeMap, fmt::Write as _, mem, ops::Range};

/// Inverted bits of a frame that a comment lists.
const LISTED: usize = 8;

/// A frame of the capture file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Cycle in which it begins to arrive.
    pub(crate) cycle: u64,
    /// Cycle after its last word.
    end: u64,
    /// The node at whose receiver it is.
    pub(crate) at: usize,
    pub(crate) flags: u8,
    pub(crate) bytes: Vec<u8>,
    pub(crate) comments: Vec<String>,
}

/// A way of the light of a node.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// First cycle of a word that takes it.
    from: u64,
    /// Where it goes, or went before the light turned off.
    aim: Aim,
    dark: bool,
    /// Earliest cycle at the far end that is not taken.
    free: u64,
}

/// The output of a node.
#[derive(Clone, Debug)]
struct Sender {
    end: End,
    /// Frames that have left whole.
    number: u64,
    /// The newest way is the last.
    ways: Vec<Way>,
    /// Cycle after the last one in which the node was there.
    seen: u64,
}

/// A frame, or a part of one, under way.
#[derive(Clone, Debug)]
struct Flight {
    bytes: Vec<u8>,
    flags: u8,
    words: u64,
    comments: Vec<String>,
    again: bool,
}

/// The input of a node.
#[derive(Clone, Debug, Default)]
struct Receiver {
    end: End,
    /// By the cycle in which they arrive, and by the node they come from.
    flights: BTreeMap<(u64, usize), Flight>,
    /// Cycles in which the node was there.
    watched: Vec<Range<u64>>,
}

/// Follows the frames of a ring.
#[derive(Clone, Debug)]
pub(crate) struct Follower {
    links: Vec<Link>,
    losses: Vec<Lost>,
    /// Light is turned.
    router: bool,
    senders: Vec<Sender>,
    receivers: Vec<Receiver>,
    /// Frames whose time may still come after that of another one.
    found: Vec<Found>,
    /// Cycles that were seen.
    now: u64,
}

impl Follower {
    /// For a ring with these links, one for each node. `losses` are those of a router, if there is one.
    pub(crate) fn new(links: Vec<Link>, losses: Option<&[Lost]>) -> Follower {
        let sender = |link: &Link| {
            let way = Way { from: 0, aim: link.aim, dark: false, free: 0 };
            Sender { end: End::default(), number: 0, ways: vec![way], seen: 0 }
        };
        Follower {
            senders: links.iter().map(sender).collect(),
            receivers: vec![Receiver::default(); links.len()],
            links,
            losses: losses.unwrap_or_default().to_vec(),
            router: losses.is_some(),
            found: Vec::new(),
            now: 0,
        }
    }

    /// The words on both ports of a node in a cycle.
    pub(crate) fn cycle(
        &mut self,
        cycle: u64,
        node: usize,
        arriving: Option<Word>,
        leaving: Option<Word>,
    ) {
        let sender = &mut self.senders[node];
        sender.end.word(cycle, leaving);
        sender.seen = cycle + 1;
        let receiver = &mut self.receivers[node];
        receiver.end.word(cycle, arriving);
        match receiver.watched.last_mut() {
            Some(range) if range.end == cycle => range.end += 1,
            _ => receiver.watched.push(cycle..cycle + 1),
        }
    }

    /// After all nodes of a cycle. `left` is the word on the output of a node that is no longer there, `met` are the
    /// faults that met frames of a link, `beam` is where the light of a node went.
    pub(crate) fn after<'r>(
        &mut self,
        cycle: u64,
        left: impl Fn(usize) -> Option<Word>,
        met: impl Fn(usize) -> &'r [(u64, FaultKind)],
        beam: impl Fn(usize) -> Option<Aim>,
    ) {
        self.now = cycle + 1;
        for node in 0..self.senders.len() {
            let sender = &mut self.senders[node];
            if sender.seen == cycle && cycle > 0 {
                // It had this word on its output when it failed.
                if let Some(word) = left(node) {
                    sender.end.word(cycle, Some(word));
                }
                let open = sender.end.leave();
                sender.end.frames.extend(open);
                self.receivers[node].end.leave();
            }
            if self.router
                && let Some(last) = sender.ways.last().copied()
            {
                // The beam of this cycle is that of the word which is on the output in the next one.
                let (aim, dark) = beam(node).map_or((last.aim, true), |aim| (aim, false));
                if (aim, dark) != (last.aim, last.dark) {
                    sender.ways.push(Way { from: cycle + 1, aim, dark, free: 0 });
                }
            }
            for frame in mem::take(&mut sender.end.frames) {
                self.fly(node, frame, met(node));
            }
        }
    }

    /// What a frame that has left becomes.
    fn fly(&mut self, from: usize, frame: Seen, met: &[(u64, FaultKind)]) {
        let (link, sender) = (&self.links[from], &mut self.senders[from]);
        let late = link.slow.iter().filter(|slow| within(slow.from, slow.until, frame.begin));
        let late = late.map(|slow| u64::from(slow.cycles)).max().unwrap_or(0);
        let mut comments: Vec<String> = Vec::new();
        let (mut words, mut twice) = (frame.words, false);
        let first = met.partition_point(|(of, _)| *of < sender.number);
        for (_, fault) in met[first..].iter().take_while(|(of, _)| *of == sender.number) {
            match fault {
                FaultKind::Lose => words = 0,
                FaultKind::Truncate(most) => words = words.min((*most).into()),
                FaultKind::Twice => twice = true,
                FaultKind::Bit(_) => {}
            }
            comments.push(format!("fault: {}", fault::text(*fault)));
        }
        if late > 0 {
            comments.push(format!("fault: {late} cycles late"));
        }
        if frame.failed {
            comments.push(format!("fault: board {from} fails within the frame"));
        }
        let complete = frame.flags & CUT == 0;
        sender.number += u64::from(complete);
        let old = sender.ways.partition_point(|way| way.from <= frame.begin).saturating_sub(1);
        sender.ways.drain(..old);
        // The parts of the frame that take one way each: usually one.
        let end = frame.begin + frame.words;
        let mut parts = Vec::new();
        for place in 0..sender.ways.len() {
            let until = sender.ways.get(place + 1).map_or(u64::MAX, |way| way.from).min(end);
            let begin = sender.ways[place].from.max(frame.begin);
            if begin < until {
                parts.push((place, begin, until));
            }
        }
        let turned = parts.iter().find(|(place, ..)| sender.ways[*place].dark);
        if let Some((_, at, _)) = turned {
            let uplink = self.losses.iter().any(|lost| {
                let now = lost.at.0 < *at && lost.until.is_none_or(|until| *at <= until.0);
                lost.board == from && lost.loss == Loss::Uplink && now
            });
            comments.push(if uplink {
                format!("fault: uplink of board {from} lost")
            } else {
                format!("the laser of board {from} points to no receiver")
            });
        }
        let dark = parts.iter().all(|(place, ..)| sender.ways[*place].dark);
        if dark || words == 0 {
            let aim = sender.ways[0].aim;
            let cycle = frame.begin + u64::from(aim.delay) + late;
            let (end, flags) = (cycle + frame.words, frame.flags | LOST);
            self.found.push(Found { cycle, end, at: aim.to, flags, bytes: frame.bytes, comments });
            return;
        }
        let whole = complete && words == frame.words;
        for (place, begin, until) in &parts {
            let way = &mut sender.ways[*place];
            let until = (*until).min(frame.begin + words);
            if way.dark || until <= *begin {
                continue;
            }
            let count = until - begin;
            let at = (begin + u64::from(way.aim.delay) + late).max(way.free);
            way.free = at + count + u64::from(whole && until == end);
            let bytes = if parts.len() == 1 {
                frame.bytes.clone()
            } else {
                let byte = |word: u64| usize::try_from(4 * word).unwrap_or(usize::MAX);
                let last = byte(until - frame.begin).min(frame.bytes.len());
                frame.bytes[byte(begin - frame.begin).min(last)..last].to_vec()
            };
            let flight = Flight {
                bytes,
                flags: frame.flags,
                words: count,
                comments: comments.clone(),
                again: false,
            };
            let flights = &mut self.receivers[way.aim.to].flights;
            if twice && whole && parts.len() == 1 {
                flights.insert((way.free, from), Flight { again: true, ..flight.clone() });
                way.free += count + 1;
            }
            flights.insert((at, from), flight);
        }
    }

    /// Takes out the frames before which no other one can begin any more, in the order of their times and links; with
    /// `last`, at the end of the run, all but those that are under way. Returns them and the cycle up to which
    /// that are all.
    ///
    /// A frame waits for the frames that are under way on other links: for no more than the longest frame and the
    /// longest delay.
    pub(crate) fn take(&mut self, last: bool) -> (Vec<Found>, u64) {
        let open = self.senders.iter().filter_map(|sender| sender.end.open());
        let open = open.chain(self.receivers.iter().filter_map(|receiver| receiver.end.open()));
        // Before this cycle all frames are known that leave or arrive.
        let known = if last { self.now } else { open.min().unwrap_or(self.now).min(self.now) };
        for at in 0..self.receivers.len() {
            self.match_up(at, known);
        }
        let mut until = known;
        for receiver in &self.receivers {
            until = receiver.flights.keys().next().map_or(until, |(at, _)| until.min(*at));
        }
        let late = self.found.iter().filter(|one| one.end > known).map(|one| one.cycle);
        until = late.min().unwrap_or(until).min(until);
        let (mut found, rest): (Vec<_>, Vec<_>) = mem::take(&mut self.found)
            .into_iter()
            .partition(|one| if last { one.end <= known } else { one.cycle < until });
        self.found = rest;
        found.sort_by_key(|one| (one.cycle, self.links[one.at].receiver));
        (found, if last { u64::MAX } else { until })
    }

    /// The interface of the receiver of a node.
    pub(crate) fn interface(&self, node: usize) -> usize {
        self.links[node].receiver
    }

    /// Frames that are held, for a test of the bound.
    #[cfg(test)]
    pub(crate) fn held(&self) -> usize {
        let receivers = self.receivers.iter().map(|r| r.flights.len() + r.end.frames.len());
        self.found.len() + receivers.sum::<usize>()
    }

    /// Finds what arrived at a node before `known`, and what did not.
    fn match_up(&mut self, at: usize, known: u64) {
        let receiver = &mut self.receivers[at];
        let ready = receiver.end.frames.partition_point(|frame| frame.begin < known);
        for arrived in receiver.end.frames.drain(..ready) {
            // A cut may take the first words of a frame.
            let before = receiver.flights.range(..=(arrived.begin, usize::MAX)).rev();
            let mut before = before.map(|(key, flight)| (*key, flight.words));
            let key = before.find(|((at, _), words)| arrived.begin < at + words).map(|one| one.0);
            let flight = key.and_then(|key| Some((key, receiver.flights.remove(&key)?)));
            let (mut flags, mut comments) = (arrived.flags, Vec::new());
            if let Some(((begin, from), flight)) = flight {
                let same = flight.bytes == arrived.bytes;
                let link = MONITOR | ABORTED | KEEP | CUT;
                if !same || (flight.flags ^ arrived.flags) & link != 0 {
                    flags |= CHANGED;
                }
                if flight.again {
                    flags |= AGAIN;
                }
                if !same && flight.comments.is_empty() {
                    let down = down(&self.losses, at, begin, begin + flight.words);
                    let other = || self.links[from].difference(begin, &flight.bytes, &arrived);
                    comments.push(down.unwrap_or_else(other));
                }
                comments.extend(flight.comments);
            }
            let end = arrived.begin + arrived.words;
            self.found.push(Found {
                cycle: arrived.begin,
                end,
                at,
                flags,
                bytes: arrived.bytes,
                comments,
            });
        }
        while let Some(entry) = receiver.flights.first_entry()
            && entry.key().0 + entry.get().words <= known
        {
            let (cycle, from) = *entry.key();
            let Flight { mut flags, words, bytes, mut comments, .. } = entry.remove();
            let end = cycle + words;
            let there = |range: &Range<u64>| range.start <= cycle && end <= range.end;
            if receiver.watched.iter().any(there) {
                flags |= LOST;
                if let Some(down) = down(&self.losses, at, cycle, end) {
                    comments.push(down);
                } else if let Some(cut) = self.links[from].cut_at(cycle) {
                    comments.push(cut);
                } else if comments.is_empty() {
                    comments.push("lost".into());
                }
            } else if self.router {
                flags |= LOST;
                comments.push(format!("fault: board {at} has no power"));
            } else if receiver.watched.last().is_none_or(|range| range.end <= cycle) {
                comments.push("passes the dead board at the end of the link".into());
            } else {
                flags |= LOST;
                comments.push(format!("fault: board {at} fails within the frame"));
            }
            self.found.push(Found { cycle, end, at, flags, bytes, comments });
        }
        // What is before is over.
        let gone = receiver.watched.iter().take_while(|range| {
            let first = receiver.flights.keys().next().map_or(known, |(at, _)| *at);
            range.end < first.min(known)
        });
        let gone = gone.count().min(receiver.watched.len().saturating_sub(1));
        receiver.watched.drain(..gone);
    }
}

impl Link {
    fn cut_at(&self, cycle: u64) -> Option<String> {
        let cut = self.cuts.iter().find(|cut| within(cut.from, cut.until, cycle))?;
        Some(match cut.until {
            Cycle(u64::MAX) => format!("fault: link cut from cycle {}", cut.from),
            until => format!("fault: link cut from cycle {} to {until}", cut.from),
        })
    }

    /// What no fault of a frame explains. `bytes` were to arrive from cycle `at` on.
    fn difference(&self, at: u64, bytes: &[u8], arrived: &Seen) -> String {
        let end = arrived.begin + arrived.words;
        if let Some(cut) = self.cut_at(end).or_else(|| self.cut_at(at)) {
            return cut;
        }
        let pairs = bytes.iter().zip(&arrived.bytes).enumerate();
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

/// The loss of the light of a board in some of these cycles.
fn down(losses: &[Lost], board: usize, from: u64, end: u64) -> Option<String> {
    let now = |lost: &Lost| {
        let until = lost.until.unwrap_or(Cycle::MAX);
        lost.board == board && lost.loss == Loss::Downlink && lost.at.0 < end && from < until.0
    };
    losses.iter().any(now).then(|| format!("fault: downlink of board {board} lost"))
}

fn within(from: Cycle, until: Cycle, cycle: u64) -> bool {
    (from.0..until.0).contains(&cycle)
}
