// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every run of two gateways that reflect the frames of a near ring onto a far ring with losses, of which the active one
//! dies.
//!
//! Boards on the far ring are 0, the active gateway, 1, the standby, and the receivers. A receiver takes the frames of a
//! stream in the order of their numbers; a frame that it cannot take returns marked (ACK-3, RCV-2). A near frame comes
//! to both gateways, however late: near boards send again until all have it.

use super::push;
use crate::repairs::ReflectRepairs;
use crate::standby::{Near, Out, Reflected, Reflecting, Reflector};
use awgstar_frame::quantity::narrow;
use awgstar_sync::check::Step;
use awgstar_sync::check::explore::{Checkable, Next};
use std::collections::VecDeque;
use std::fmt;

/// Two gateways and their rings.
#[derive(Clone, Debug)]
pub struct Reflection {
    /// Frames that each near source sends.
    pub sources: Vec<u16>,
    pub repairs: ReflectRepairs,
    /// Frames that the log has room for.
    pub window: usize,
    /// Receivers on the far ring.
    pub receivers: usize,
    /// Frames that are lost on the far ring, at most.
    pub losses: u8,
    /// The active gateway may die.
    pub dies: bool,
}

/// What is on the far ring: what its board sent, and whether all receivers could take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Passing {
    board: usize,
    out: Out,
    good: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Receiver {
    /// Last number of each stream.
    taken: [u16; 2],
    /// Last near frame of each source.
    near: Vec<u16>,
}

/// A state of both rings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    gateways: [Reflector; 2],
    dead: bool,
    /// Near frames that each gateway has, of each source.
    near: [Vec<u16>; 2],
    /// To the board at each place of the far ring.
    links: Vec<VecDeque<Passing>>,
    receivers: Vec<Receiver>,
    losses: u8,
    wrong: Option<Property>,
}

/// What happens in a step.
#[derive(Clone, Copy, Debug)]
pub enum What {
    Near(Near),
    Sends(Out),
    Again,
    Arrives(Out),
    Lost(Out),
    Dies,
    /// The standby learns of it.
    Learns,
}

/// A property that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// A receiver takes no frame of a near source without the one before it.
    Lost,
    /// A receiver takes each near frame once.
    Twice,
}

impl Property {
    /// The property in words, as one that is violated.
    #[must_use]
    pub const fn violated(self) -> &'static str {
        match self {
            Property::Lost => "a frame is lost",
            Property::Twice => "a frame is taken twice",
        }
    }
}

impl Reflection {
    /// Boards in the order of the far ring.
    fn order(&self) -> Vec<usize> {
        let all = 0..2 + self.receivers;
        if self.repairs.has(ReflectRepairs::NEXT_BOARD) {
            return all.collect();
        }
        // The first receiver is between the two gateways.
        [0, 2, 1].into_iter().chain(all.skip(3)).collect()
    }

    #[must_use]
    pub fn nodes(&self) -> usize {
        2 + self.receivers
    }

    /// The place after that of a board.
    fn next_place(&self, board: usize) -> usize {
        let order = self.order();
        let place = order.iter().position(|one| *one == board).unwrap_or(0);
        (place + 1) % order.len()
    }

    fn send(&self, state: &mut State, board: usize, out: Out) {
        let place = self.next_place(board);
        state.links[place].push_back(Passing { board, out, good: true });
    }

    fn of_gateway(&self, state: &State, at: usize, next: &mut Vec<Next<Self>>) {
        for (source, &frames) in self.sources.iter().enumerate() {
            if state.near[at][source] < frames {
                let mut after = state.clone();
                after.near[at][source] += 1;
                let near = Near { source, number: after.near[at][source] };
                after.gateways[at].near(near);
                let kind = 16 + narrow::<u16>(source);
                push(next, (at, Some(kind)), What::Near(near), after);
            }
        }
        let mut after = state.clone();
        if let Some(out) = after.gateways[at].send() {
            self.send(&mut after, at, out);
            push(next, (at, Some(0)), What::Sends(out), after);
        }
        // What was sent is lost, or was not good.
        let under_way = |frame: &Reflected| {
            let is = |passing: &Passing| passing.out == Out::Frame(*frame) && passing.board == at;
            state.links.iter().flatten().any(is)
        };
        let gateway = &state.gateways[at];
        let (active, open) = (gateway.state() == Reflecting::Active, gateway.open());
        if active && !open.is_empty() && !open.iter().any(under_way) {
            let mut after = state.clone();
            for frame in gateway.open() {
                self.send(&mut after, at, Out::Frame(*frame));
            }
            push(next, (at, Some(1)), What::Again, after);
        }
        let marks = state.links.iter().flatten().any(|passing| passing.out == Out::Mark);
        if gateway.state() == Reflecting::Marking && !marks {
            let mut after = state.clone();
            self.send(&mut after, at, Out::Mark);
            push(next, (at, Some(2)), What::Sends(Out::Mark), after);
        }
    }

    /// The first frame of the link to a place.
    fn link(&self, state: &State, place: usize, next: &mut Vec<Next<Self>>) {
        let mut after = state.clone();
        let Some(mut passing) = after.links[place].pop_front() else { return };
        let board = self.order()[place];
        if state.losses > 0 {
            let mut lost = after.clone();
            lost.losses -= 1;
            push(next, (board, None), What::Lost(passing.out), lost);
        }
        let home = passing.board == board;
        match (board, passing.out) {
            // A dead board is passed by light; its frames end there.
            (0, _) if state.dead => {}
            (0 | 1, Out::Frame(frame)) if home && passing.good => {
                after.gateways[board].returned(frame);
            }
            (1, Out::Mark) if home => after.gateways[1].mark_returned(),
            (1, Out::Frame(frame)) => passing.good &= after.gateways[1].passes(frame),
            (2.., Out::Frame(frame)) => passing.good &= Self::receive(&mut after, board - 2, frame),
            _ => {}
        }
        if !home {
            let on = self.next_place(board);
            after.links[on].push_back(passing);
        }
        let kind = 8;
        push(next, (board, Some(kind)), What::Arrives(passing.out), after);
    }

    /// A receiver takes the next frame of a stream; false if it lacks the one before.
    fn receive(state: &mut State, at: usize, frame: Reflected) -> bool {
        let receiver = &mut state.receivers[at];
        let taken = &mut receiver.taken[usize::from(frame.stream)];
        if frame.number != *taken + 1 {
            return frame.number <= *taken;
        }
        *taken = frame.number;
        let last = &mut receiver.near[frame.near.source];
        if frame.near.number <= *last {
            state.wrong = Some(Property::Twice);
        } else if frame.near.number > *last + 1 {
            state.wrong = Some(Property::Lost);
        }
        *last = frame.near.number;
        true
    }
}

impl Checkable for Reflection {
    type State = State;
    type Step = Step<What>;
    type Property = Property;

    fn start(&self) -> State {
        let gateway =
            |standby| Reflector::new(standby, self.sources.len(), self.window, self.repairs);
        let none = vec![0; self.sources.len()];
        State {
            gateways: [gateway(false), gateway(true)],
            dead: false,
            near: [none.clone(), none.clone()],
            links: vec![VecDeque::new(); self.nodes()],
            receivers: vec![Receiver { taken: [0; 2], near: none }; self.receivers],
            losses: self.losses,
            wrong: None,
        }
    }

    fn steps(&self, state: &State, next: &mut Vec<Next<Self>>) {
        for at in 0..2 {
            if at == 1 || !state.dead {
                self.of_gateway(state, at, next);
            }
        }
        (0..self.nodes()).for_each(|place| self.link(state, place, next));
        if self.dies && !state.dead {
            let mut after = state.clone();
            after.dead = true;
            push(next, (0, None), What::Dies, after);
        }
        if state.dead && state.gateways[1].state() == Reflecting::Passive {
            let mut after = state.clone();
            if let Some(out) = after.gateways[1].other_dead() {
                self.send(&mut after, 1, out);
            }
            push(next, (1, Some(3)), What::Learns, after);
        }
    }

    fn broken(&self, state: &State) -> Option<Property> {
        state.wrong
    }

    fn done(&self, state: &State) -> bool {
        state.receivers.iter().all(|receiver| receiver.near == self.sources)
    }

    fn describe(&self, step: &mut Step<What>, after: &State) {
        step.after = match step.node {
            0 if after.dead => "dead".to_owned(),
            at @ (0 | 1) => after.gateways[at].summary(),
            at => format!("has {:?}", after.receivers[at - 2].near),
        };
    }
}

impl fmt::Display for Near {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "near frame {} of source {}", self.number, self.source)
    }
}

impl fmt::Display for Out {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Out::Mark => f.write_str("mark"),
            Out::Frame(Reflected { stream: 0, number, near }) => write!(f, "#{number}, {near}"),
            Out::Frame(Reflected { number, near, .. }) => write!(f, "own #{number}, {near}"),
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Near(near) => write!(f, "takes {near}"),
            What::Sends(out) => write!(f, "sends {out}"),
            What::Again => f.write_str("sends again what is open"),
            What::Arrives(out) => write!(f, "passes {out}"),
            What::Lost(out) => write!(f, "LOST before it: {out}"),
            What::Dies => f.write_str("DIES"),
            What::Learns => f.write_str("learns that the other gateway is dead"),
        }
    }
}
