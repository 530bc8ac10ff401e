// SPDX-License-Identifier: MIT OR Apache-2.0
//! A machine with replicated memory, without boards: what a process writes is in its own replica at once, and in each
//! other one later, after what it wrote before.

use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId, narrow};
use awgstar_request::{
    Answer, Data, Fence, Got, Len, Moment, Place, Process, ProcessSignal, Request,
};
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;
use std::collections::{BTreeMap, VecDeque};

/// Many more than a run of the tests has.
const EVENTS_MAX: u64 = 400_000;

enum Thing {
    Bytes(ByteAddress, Vec<u8>),
    Signal(ProcessSignal),
}

enum Event {
    /// To a node.
    Arrives(usize, Thing),
    /// A process has its answer; the number of its request.
    Answer(usize, u64, Got),
}

pub(crate) struct Replicas {
    processes: Vec<Box<dyn Process>>,
    memories: Vec<Vec<u8>>,
    events: BTreeMap<(u64, u64), Event>,
    number: u64,
    /// Of each pair of nodes: when what was sent last arrives.
    last: Vec<Vec<u64>>,
    /// What goes from one to the other takes much longer.
    late: (usize, usize),
    inboxes: Vec<VecDeque<ProcessSignal>>,
    /// What each process waits for, with the number of its request.
    waits: Vec<Option<(Request, u64)>>,
    ended: usize,
    random: XorShiftRng,
    now: u64,
}

impl Replicas {
    pub(crate) fn new(
        processes: Vec<Box<dyn Process>>,
        bytes: usize,
        seed: u64,
        late: (usize, usize),
    ) -> Replicas {
        let nodes = processes.len();
        Replicas {
            processes,
            memories: vec![vec![0; bytes]; nodes],
            events: BTreeMap::new(),
            number: 0,
            last: vec![vec![0; nodes]; nodes],
            late,
            inboxes: vec![VecDeque::new(); nodes],
            waits: vec![None; nodes],
            ended: 0,
            random: XorShiftRng::seed_from_u64(seed),
            now: 0,
        }
    }

    fn at(&mut self, time: u64, event: Event) {
        self.number += 1;
        self.events.insert((time, self.number), event);
    }

    fn send(&mut self, from: usize, to: usize, thing: Thing) -> u64 {
        let more = if self.late == (from, to) { 300_000 } else { 0 };
        let time = self.now + 100 + more + u64::from(self.random.next_u32() % 20_000);
        let time = time.max(self.last[from][to]);
        self.last[from][to] = time;
        self.at(time, Event::Arrives(to, thing));
        time
    }

    /// To the end of all processes, or until `stops`.
    pub(crate) fn run(mut self, stops: &dyn Fn() -> bool) {
        let nodes = self.processes.len();
        for node in 0..nodes {
            self.at(0, Event::Answer(node, 0, Got::Nothing));
            self.waits[node] = Some((Request::End, 0));
        }
        while self.ended < nodes && !stops() {
            let ((time, _), event) = self.events.pop_first().expect("no process can go on");
            self.now = time;
            assert!(self.number < EVENTS_MAX, "the run has no end");
            match event {
                Event::Arrives(node, thing) => self.arrives(node, thing),
                Event::Answer(node, number, got) => {
                    if self.waits[node].as_ref().is_some_and(|(_, of)| *of == number) {
                        self.answer(node, got);
                    }
                }
            }
        }
    }

    fn arrives(&mut self, node: usize, thing: Thing) {
        match thing {
            Thing::Bytes(at, bytes) => self.store(node, at, &bytes),
            Thing::Signal(signal) => self.inboxes[node].push_back(signal),
        }
        let waits = self.waits[node].clone();
        match waits {
            Some((Request::Changed(place, old), _))
                if self.load(node, place, old.len()) != *old =>
            {
                self.answer(node, Got::Nothing);
            }
            Some((Request::Await(..), _)) => {
                if let Some(signal) = self.inboxes[node].pop_front() {
                    self.answer(node, Got::Signal(Some(signal)));
                }
            }
            _ => {}
        }
    }

    fn load(&self, node: usize, place: Place, bytes: usize) -> Vec<u8> {
        self.memories[node][place.addr.0 as usize..][..bytes].to_vec()
    }

    fn store(&mut self, node: usize, at: ByteAddress, bytes: &[u8]) {
        self.memories[node][at.0 as usize..][..bytes.len()].copy_from_slice(bytes);
    }

    fn answer(&mut self, node: usize, got: Got) {
        self.waits[node] = None;
        let now = Moment::Time(Nanoseconds(self.now));
        let request = self.processes[node].next(&Answer { now, got: Ok(got) });
        self.number += 1;
        let number = self.number;
        self.waits[node] = Some((request.clone(), number));
        let now = self.now;
        let answered = match request {
            Request::Compute(span) => Some((now + span.time().0, Got::Nothing)),
            Request::Read(place, Len::Bytes(bytes)) => {
                Some((now + 100, Got::Bytes(self.load(node, place, narrow(bytes)))))
            }
            Request::Read(place, Len::Word) => {
                let bytes = self.load(node, place, 4);
                let word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
                Some((now + 100, Got::Word(word)))
            }
            Request::Write(place, data) => {
                let bytes = match data {
                    Data::Bytes(bytes) => bytes.to_vec(),
                    Data::Word { data, lanes: 0b1111 } => data.to_le_bytes().to_vec(),
                    other => panic!("{other:?}"),
                };
                self.store(node, place.addr, &bytes);
                for to in (0..self.memories.len()).filter(|to| *to != node) {
                    self.send(node, to, Thing::Bytes(place.addr, bytes.clone()));
                }
                Some((now + 100, Got::Nothing))
            }
            Request::Fence(Fence::Confirmed) => {
                let last = self.last[node].iter().copied().max().unwrap_or(0);
                Some((last.max(now), Got::Nothing))
            }
            Request::Signal(signal, _) => {
                assert!(signal.source.index() == node && signal.to != Some(signal.source));
                let all = NodeId::all(self.memories.len()).filter(|to| to.index() != node);
                let all: Vec<_> = all.filter(|one| signal.to.is_none_or(|to| to == *one)).collect();
                let times =
                    all.into_iter().map(|to| self.send(node, to.index(), Thing::Signal(signal)));
                Some((times.max().unwrap_or(now), Got::Nothing))
            }
            Request::Await(_, limit) => Some(match self.inboxes[node].pop_front() {
                Some(signal) => (now, Got::Signal(Some(signal))),
                None => (now + limit.expect("a limit").time().0, Got::Signal(None)),
            }),
            Request::Changed(place, old) => {
                let changed = self.load(node, place, old.len()) != *old;
                changed.then_some((now, Got::Nothing))
            }
            Request::End => {
                self.waits[node] = None;
                self.ended += 1;
                None
            }
            other => panic!("{other}"),
        };
        if let Some((time, got)) = answered {
            self.at(time, Event::Answer(node, number, got));
        }
    }
}
