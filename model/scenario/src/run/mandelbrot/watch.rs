// SPDX-License-Identifier: MIT OR Apache-2.0
//! Activities of processes and ring in a run.

use awgstar::quantity::Nanoseconds;
use awgstar::request::{Answer, Process, Request};
use awgstar_thesis::{
    gen1::record::{Happened, Record},
    gen2::Sent,
    mandelbrot::program::Purpose,
};
use std::{cell::RefCell, collections::VecDeque, rc::Rc};

/// From when on a process does what; nothing: it has ended.
pub type Mark = (Nanoseconds, Option<Purpose>);

/// From when to when a frame of a node is on the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// Source of the frame.
    pub node: usize,
    /// Time at which it is attached, or its first word leaves.
    pub from: Nanoseconds,
    /// Time at which it has returned.
    pub to: Nanoseconds,
}

/// Observations of a run.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Activities of each process, by time; an activity may be marked twice.
    pub marks: Vec<Vec<Mark>>,
    /// The frames, in the order in which they came to the ring.
    pub flights: Vec<Flight>,
}

/// A process that follows its steps and says when each begins.
pub(super) struct WatchedProcess {
    steps: VecDeque<(Purpose, Request)>,
    marks: Rc<RefCell<Vec<Mark>>>,
}

impl WatchedProcess {
    /// The process, and where its marks will be.
    pub(super) fn new(steps: Vec<(Purpose, Request)>) -> (WatchedProcess, Rc<RefCell<Vec<Mark>>>) {
        let marks = Rc::<RefCell<Vec<Mark>>>::default();
        (WatchedProcess { steps: steps.into(), marks: marks.clone() }, marks)
    }
}

impl Process for WatchedProcess {
    fn next(&mut self, answer: &Answer) -> Request {
        let (step, request) =
            self.steps.pop_front().map_or((None, Request::End), |(s, op)| (Some(s), op));
        self.marks.borrow_mut().push((answer.now.time(), step));
        request
    }
}

/// When the barriers opened for the process of these marks.
pub(super) fn opened(marks: &[Mark]) -> Vec<Nanoseconds> {
    let barrier = |pair: &&[Mark]| matches!(pair[0].1, Some(Purpose::Barrier(_)));
    marks.windows(2).filter(barrier).map(|pair| pair[1].0).collect()
}

/// Frames of a run of the current version. Those that return bad are attached again.
pub(super) fn flights_of_current(records: &[Record], nodes: usize) -> Vec<Flight> {
    let mut flights: Vec<Flight> = Vec::new();
    let mut out = vec![VecDeque::new(); nodes];
    for &Record { at, node, ref what } in records {
        match what {
            Happened::Attached(_) => {
                out[node].push_back(flights.len());
                flights.push(Flight { node, from: at, to: Nanoseconds(u64::MAX) });
            }
            Happened::Removed { good, bad } => {
                for flight in out[node].drain(..good + bad) {
                    flights[flight].to = at;
                }
            }
            _ => {}
        }
    }
    flights
}

/// The frames of a run of the next version.
pub(super) fn flights_of_next(sent: &[Sent]) -> Vec<Flight> {
    let flight = |sent: &Sent| Flight {
        node: sent.node,
        from: sent.start.to_nanoseconds_ceil(),
        to: sent.back.to_nanoseconds_ceil(),
    };
    sent.iter().map(flight).collect()
}
