// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every run of processes that take the lock of all rings: a queue lock for each ring, one above them, and the gateways.
//!
//! A queue lock is one step here. That the ring queue lock is such a queue is what the checker of one ring finds.

use super::push;
use crate::lock::{LockGateway, Queue, Step as Does};
use crate::repairs::LockRepairs;
use awgstar_frame::quantity::narrow;
use awgstar_sync::check::Step;
use awgstar_sync::check::explore::{Checkable, Next};
use std::collections::VecDeque;
use std::fmt;

/// A member of a queue lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Member {
    Process(usize),
    /// The gateway of this ring.
    Gateway(usize),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Line {
    holder: Option<Member>,
    waiting: VecDeque<Member>,
}

impl Line {
    fn ask(&mut self, member: Member) {
        match self.holder {
            None => self.holder = Some(member),
            Some(_) => self.waiting.push_back(member),
        }
    }

    fn seen(&self, by: Member) -> Queue {
        Queue {
            held: self.holder == Some(by),
            asked: self.waiting.contains(&by),
            wanted: self.waiting.iter().any(|member| *member != by),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Caller {
    Outside,
    Waiting,
    Inside,
}

/// A process: its ring, and how often it takes the lock; `None`: without end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taker {
    pub ring: usize,
    pub rounds: Option<u8>,
}

/// Rings and processes to be checked.
#[derive(Clone, Debug)]
pub struct Locks {
    /// The ring above each ring; the last one, the highest, has none and no gateway.
    pub above: Vec<usize>,
    pub takers: Vec<Taker>,
    pub repairs: LockRepairs,
    /// Gateways that restart, at most.
    pub restarts: u8,
}

/// A state of the locks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    lines: Vec<Line>,
    gateways: Vec<LockGateway>,
    callers: Vec<(Caller, u8)>,
    restarts: u8,
}

/// What happens in a step.
#[derive(Clone, Copy, Debug)]
pub enum What {
    Wants(usize),
    Leaves(usize),
    Gateway(usize, Does),
    Restarts(usize),
}

/// A property that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// At most one process has the lock.
    Exclusion,
    /// A lower lock is away from its gateway only while the gateway has the upper one.
    Covered,
}

impl Property {
    /// The property in words, as one that is violated.
    #[must_use]
    pub const fn violated(self) -> &'static str {
        match self {
            Property::Exclusion => "two processes have the lock",
            Property::Covered => "a ring has the lower lock without the upper one",
        }
    }
}

impl Locks {
    fn give(state: &mut State, lock: usize) {
        let line = &mut state.lines[lock];
        line.holder = line.waiting.pop_front();
        if let Some(Member::Process(next)) = line.holder {
            state.callers[next].0 = Caller::Inside;
        }
    }

    fn of_process(&self, state: &State, at: usize, next: &mut Vec<Next<Self>>) {
        let Taker { ring, rounds } = self.takers[at];
        let (caller, taken) = state.callers[at];
        let mut after = state.clone();
        // Each process is one action, at the place of its ring.
        let node = (ring, Some(8 + narrow::<u16>(at)));
        match caller {
            Caller::Outside if rounds.is_none_or(|rounds| taken < rounds) => {
                after.callers[at] = (Caller::Waiting, taken + u8::from(rounds.is_some()));
                let line = &mut after.lines[ring];
                line.ask(Member::Process(at));
                if line.holder == Some(Member::Process(at)) {
                    after.callers[at].0 = Caller::Inside;
                }
                push(next, node, What::Wants(at), after);
            }
            Caller::Inside => {
                after.callers[at].0 = Caller::Outside;
                Self::give(&mut after, ring);
                push(next, node, What::Leaves(at), after);
            }
            _ => {}
        }
    }

    fn of_gateway(&self, state: &State, ring: usize, next: &mut Vec<Next<Self>>) {
        let (me, upper) = (Member::Gateway(ring), self.above[ring]);
        let mut after = state.clone();
        let seen = |lock: usize| state.lines[lock].seen(me);
        if let Some(does) = after.gateways[ring].step(seen(ring), seen(upper)) {
            match does {
                Does::AskUpper => after.lines[upper].ask(me),
                Does::AskLower => after.lines[ring].ask(me),
                Does::GiveUpper => Self::give(&mut after, upper),
                Does::GiveLower => Self::give(&mut after, ring),
            }
            push(next, (ring, Some(0)), What::Gateway(ring, does), after);
        }
        if state.restarts > 0 {
            let mut after = state.clone();
            after.restarts -= 1;
            after.gateways[ring] = LockGateway::new(self.repairs);
            if !self.repairs.has(LockRepairs::KEPT) {
                after.lines[ring] = Line { holder: Some(me), waiting: VecDeque::new() };
            }
            push(next, (ring, None), What::Restarts(ring), after);
        }
    }
}

impl Checkable for Locks {
    type State = State;
    type Step = Step<What>;
    type Property = Property;

    fn start(&self) -> State {
        let rings = self.above.len();
        let line = |ring| Line { holder: Some(Member::Gateway(ring)), waiting: VecDeque::new() };
        State {
            lines: (0..rings).map(line).chain([Line::default()]).collect(),
            gateways: vec![LockGateway::new(self.repairs); rings],
            callers: vec![(Caller::Outside, 0); self.takers.len()],
            restarts: self.restarts,
        }
    }

    fn steps(&self, state: &State, next: &mut Vec<Next<Self>>) {
        (0..self.takers.len()).for_each(|at| self.of_process(state, at, next));
        (0..self.above.len()).for_each(|ring| self.of_gateway(state, ring, next));
    }

    fn broken(&self, state: &State) -> Option<Property> {
        let inside = state.callers.iter().filter(|caller| caller.0 == Caller::Inside).count();
        let covered = |ring: usize| {
            let me = Some(Member::Gateway(ring));
            state.lines[ring].holder == me || state.lines[self.above[ring]].holder == me
        };
        if inside > 1 {
            Some(Property::Exclusion)
        } else if !(0..self.above.len()).all(covered) {
            Some(Property::Covered)
        } else {
            None
        }
    }

    fn done(&self, state: &State) -> bool {
        let ended = |(taker, caller): (&Taker, &(Caller, u8))| {
            taker.rounds.is_none_or(|rounds| *caller == (Caller::Outside, rounds))
        };
        self.takers.iter().zip(&state.callers).all(ended)
    }

    fn describe(&self, step: &mut Step<What>, after: &State) {
        let holder = |line: &Line| match line.holder {
            None => "free".to_owned(),
            Some(Member::Process(process)) => format!("P{process}"),
            Some(Member::Gateway(ring)) => format!("G{ring}"),
        };
        let lines: Vec<String> = after.lines.iter().map(holder).collect();
        let fresh = after.gateways.get(step.node).map_or("", LockGateway::summary);
        step.after = format!("locks {}, {fresh}", lines.join(" "));
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Wants(process) => write!(f, "P{process} wants the lock"),
            What::Leaves(process) => write!(f, "P{process} leaves"),
            What::Gateway(ring, Does::AskUpper) => write!(f, "G{ring} asks for the upper lock"),
            What::Gateway(ring, Does::AskLower) => write!(f, "G{ring} asks for the lower lock"),
            What::Gateway(ring, Does::GiveUpper) => write!(f, "G{ring} gives the upper lock up"),
            What::Gateway(ring, Does::GiveLower) => write!(f, "G{ring} gives the lower lock up"),
            What::Restarts(ring) => write!(f, "G{ring} RESTARTS"),
        }
    }
}
