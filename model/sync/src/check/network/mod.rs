// SPDX-License-Identifier: MIT OR Apache-2.0
//! Model of the ring on which firmware is checked: messages and data in flight, boards and faults. What is on the
//! nodes is one [`Traffic`]: locks and barriers, or pages.
//!
//! Frames stay in order on every link. A node receives the frames that are for it and passes all
//! on. A frame that it sends in answer follows the frame that caused it. The source of a frame
//! removes it from the ring.
//!
//! [`Rules`] says which faults there are: a frame is lost on a link, a timer runs out early, a mailbox is
//! full. A timeout is *right* only if the ring is empty and nothing waits. At any other time it is early, and
//! each early timeout takes one of those that the settings allow.

mod steps;

use super::{
    board::{Board, Data, Frame},
    settings::{Profile, Settings},
    step::{Local, What},
};
use crate::firmware::Message;
use std::{
    collections::VecDeque,
    fmt::Display,
    hash::Hash,
    ops::{Index, IndexMut},
    rc::Rc,
};

/// A ring of state machines to be checked. What `S` describes is on its nodes.
#[derive(Clone, Debug)]
pub struct Network<F, S = Settings> {
    /// Traffic and faults of the run.
    pub settings: S,
    /// State machines of each node; of locks one for each: `machines[node][lock]`.
    pub machines: Vec<Vec<F>>,
}

/// What settings say of the ring, and how often something may go wrong on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    pub(super) nodes: usize,
    pub(super) descending: bool,
    pub(super) profile: Profile,
    pub(super) losses: u8,
    pub(super) early: u8,
    pub(super) full: u8,
}

/// What is on the nodes of a network, and what it does with frames.
pub trait Traffic: Sized {
    /// A node in a state, without its board.
    type Node: Clone + Eq + Hash;
    /// What a state has besides nodes and links.
    type Common: Clone + Eq + Hash;
    /// A data frame.
    type Data: Data;
    /// A data frame, as a reader sees it.
    type Shown: Copy + Display;
    /// Kind of step of a node that is not about a frame on a link.
    type Local: Local;
    /// A property that must hold.
    type Property: Copy + Eq + Hash;

    /// The ring.
    fn rules(&self) -> Rules;
    /// Data as a reader sees it.
    fn shown(&self, data: Self::Data) -> Self::Shown;
    /// The firmware of a node takes the message from the ring.
    fn takes(&self, at: usize, message: Message) -> bool;
    /// The step of a message that passes a node which does not take it.
    fn passes(message: Message) -> WhatOf<Self>;
    /// A node takes a message, which went on to this place of its link.
    fn arrives(&self, state: &mut StateOf<Self>, at: usize, message: Message, place: usize);
    /// A message has returned to its node, and counts.
    fn returns(&self, _state: &mut StateOf<Self>, _at: usize, _message: Message) {}
    /// The board has taken data of another node.
    fn stores(_state: &mut StateOf<Self>, _at: usize, _data: Self::Data) {}
    /// No node has anything to handle; boards and links are idle.
    fn idle(state: &StateOf<Self>) -> bool;
}

/// Kind of step of a network.
pub type WhatOf<T> = What<<T as Traffic>::Local, <T as Traffic>::Shown>;
/// State of a network.
pub type StateOf<T> = State<
    <T as Traffic>::Node,
    <T as Traffic>::Data,
    <T as Traffic>::Property,
    <T as Traffic>::Common,
>;

/// The nodes of a state. Those that a step does not touch are shared with the state before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Nodes<N>(Vec<Rc<N>>);

impl<N> Nodes<N> {
    pub(super) fn iter(&self) -> impl Iterator<Item = &N> {
        self.0.iter().map(Rc::as_ref)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl<N> FromIterator<N> for Nodes<N> {
    fn from_iter<I: IntoIterator<Item = N>>(all: I) -> Self {
        Nodes(all.into_iter().map(Rc::new).collect())
    }
}

impl<N> Index<usize> for Nodes<N> {
    type Output = N;

    fn index(&self, at: usize) -> &N {
        &self.0[at]
    }
}

impl<N: Clone> IndexMut<usize> for Nodes<N> {
    fn index_mut(&mut self, at: usize) -> &mut N {
        Rc::make_mut(&mut self.0[at])
    }
}

/// A state of the ring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<N, D, P, C> {
    pub(super) nodes: Nodes<N>,
    pub(super) boards: Nodes<Board<D>>,
    pub(super) common: C,
    /// Frames on link i, from node i to the next; the first one arrives next.
    pub(super) links: Vec<VecDeque<Frame<D>>>,
    pub(super) losses: u8,
    pub(super) early: u8,
    pub(super) full: u8,
    /// What the processes wrote last.
    pub(super) written: Vec<u8>,
    /// Property that the last step violated.
    pub(super) wrong: Option<P>,
}

impl<F, S> Network<F, S>
where
    Self: Traffic,
{
    /// The state before anything happened. Boards look at the data of other nodes, or have none.
    pub(super) fn state(
        &self,
        nodes: impl Iterator<Item = <Self as Traffic>::Node>,
        common: <Self as Traffic>::Common,
        (data, written): (bool, usize),
    ) -> StateOf<Self> {
        let Rules { nodes: count, losses, early, full, .. } = self.rules();
        let board = Board::new(if data { count } else { 0 });
        State {
            nodes: nodes.collect(),
            boards: vec![board; count].into_iter().collect(),
            common,
            links: vec![VecDeque::new(); count],
            losses,
            early,
            full,
            written: vec![0; written],
            wrong: None,
        }
    }

    /// Nothing is under way, nothing waits to be handled, and no board has anything to send.
    pub(super) fn quiet(state: &StateOf<Self>) -> bool {
        state.links.iter().all(VecDeque::is_empty)
            && state.boards.iter().all(Board::is_idle)
            && Self::idle(state)
    }

    /// Nothing has gone wrong.
    pub(super) fn faultless(&self, state: &StateOf<Self>) -> bool {
        let Rules { losses, early, full, .. } = self.rules();
        (state.losses, state.early, state.full) == (losses, early, full)
    }
}
