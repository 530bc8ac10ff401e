// SPDX-License-Identifier: MIT OR Apache-2.0
//! Model of a ring on which a board joins while others write (JOIN-1 to JOIN-5, DRV-11), frame by frame.
//!
//! Board 0 is reset and joins with its real firmware ([`Joiner`]). One other board writes a word twice; the third
//! writes it a last time when the second value is confirmed. So the values of the word have one order, and a replica
//! that is whole never goes back in it. Frames are in order on each link and may be lost, also in the receive buffer
//! of the board that is reset. Signals take any time, and outlive a reset.

use super::explore::{Checkable, Next, action};
use crate::firmware::join::{Action, Event, Joiner, PIECE, Plan, Status};
use awgstar_frame::{
    contract::JoinCommand,
    quantity::{NodeId, narrow},
};
use std::collections::VecDeque;
use std::fmt;

/// Boards of the ring; board 0 joins.
const BOARDS: usize = 3;
/// The value that is written last.
const LAST: u8 = 3;

/// What can be left out, and is then found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// A board goes on with new data after a fence (JOIN-2).
    NoHold,
    /// An answer is sent before all that was sent has returned (JOIN-2).
    NoDrain,
    /// Data of a source counts whatever it has answered (JOIN-3).
    NoGate,
    /// A copy takes the place of what came with the stream (JOIN-4).
    NoKnown,
    /// The replica is whole with the last copy.
    NoSettle,
    /// Copies of the time before a reset count.
    OldCopies,
    /// Words are asked for before all have answered.
    NoWait,
    /// A fence has the number that one of the time before a reset had.
    OldNumbers,
}

impl Mutant {
    pub const ALL: &'static [Mutant] = &[
        Mutant::NoHold,
        Mutant::NoDrain,
        Mutant::NoGate,
        Mutant::NoKnown,
        Mutant::NoSettle,
        Mutant::OldCopies,
        Mutant::NoWait,
        Mutant::OldNumbers,
    ];
}

/// A ring with a board that joins.
#[derive(Clone, Debug)]
pub struct Joining {
    /// The board after board 0 writes first; else the one before it.
    pub writer_first: bool,
    /// Frames that are lost, at most.
    pub losses: u8,
    /// Times that board 0 is reset.
    pub resets: u8,
    /// Times that a board sends data again although it is still under way.
    pub early: u8,
    pub mutant: Option<Mutant>,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// A write that every board had is not in a replica that is whole, nor in its receive buffer.
    Lost,
    /// A replica that is whole goes back to an older value.
    Back,
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Property::Lost => "a confirmed write is not in a replica that is whole",
            Property::Back => "a word of a replica that is whole goes back",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Data { number: u8, value: u8 },
    Sync { count: u8 },
    Fence { count: u8, number: u8 },
    Here { count: u8, echo: u8, number: u8 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Frame {
    source: u8,
    kind: Kind,
    /// Lost on the way: only its source looks at it.
    bad: bool,
}

/// What a board sends until it returns, beside data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Token {
    kind: Kind,
    flies: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "the registers of a board")]
struct Board {
    /// The word.
    value: u8,
    known: bool,
    /// Values written; those before `base` are confirmed.
    written: Vec<u8>,
    base: u8,
    next: u8,
    fresh: u8,
    recover: bool,
    /// Number of the next data frame of each source.
    sources: [Option<u8>; BOARDS],
    synced: bool,
    count: u8,
    token: Option<Token>,
    busy: bool,
    /// Number of the last fence.
    fence: u8,
    fenced: Option<u8>,
    joining: bool,
    settled: bool,
    whole: bool,
    here: [bool; BOARDS],
    heard: u8,
    /// Number of the fence that is to be answered.
    owes: Option<u8>,
}

/// State of the ring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    boards: [Board; BOARDS],
    /// Link i leads to board i + 1.
    links: [VecDeque<Frame>; BOARDS],
    /// Frames that board 0 has passed on and not looked at.
    received: VecDeque<Frame>,
    joiner: Option<Joiner>,
    acts: VecDeque<Action>,
    /// Asks under way, with their incarnation, and copies.
    asks: VecDeque<(u8, u32)>,
    copies: VecDeque<(u32, u8)>,
    losses: u8,
    resets: u8,
    early: u8,
    /// A replica that is whole has gone back.
    back: bool,
}

impl Board {
    fn hold(&self, ring: &Joining) -> bool {
        let answers = matches!(self.token, Some(Token { kind: Kind::Here { .. }, .. }));
        ring.mutant != Some(Mutant::NoHold) && (self.owes.is_some() || answers)
    }

    fn drained(&self, ring: &Joining) -> bool {
        self.base == self.fresh || ring.mutant == Some(Mutant::NoDrain)
    }

    fn tail(&self) -> u8 {
        narrow(self.written.len())
    }

    fn status(&self) -> Status {
        Status { whole: self.whole, fenced: self.fenced.is_some(), heard: self.heard.into() }
    }
}

impl State {
    /// The word becomes this one; a replica that is whole does not go back.
    fn put(&mut self, at: usize, value: u8) {
        let board = &mut self.boards[at];
        if board.whole && value < board.value {
            self.back = true;
        }
        board.value = value;
    }

    /// The value that every board had seen returned.
    fn confirmed(&self) -> u8 {
        let of = |board: &Board| board.written[..board.base.into()].iter().copied().max();
        self.boards.iter().skip(1).filter_map(of).max().unwrap_or(0)
    }

    fn own_data_flies(&self, at: usize) -> bool {
        let own = |frame: &Frame| {
            usize::from(frame.source) == at && matches!(frame.kind, Kind::Data { .. })
        };
        self.links.iter().flatten().any(own)
    }

    fn token_flies(&self, at: usize, kind: Kind) -> bool {
        let same = |frame: &Frame| usize::from(frame.source) == at && frame.kind == kind;
        self.links.iter().flatten().any(same)
    }
}

impl Joining {
    fn writer(&self) -> usize {
        if self.writer_first { 1 } else { 2 }
    }

    fn other(&self) -> usize {
        3 - self.writer()
    }

    fn plan(&self, incarnation: u32) -> Plan {
        // The board that is asked first has seen the writer's data later, or earlier.
        let peers = [self.other(), self.writer()].map(NodeId::at).to_vec();
        Plan { peers, words: PIECE, incarnation, compare: false }
    }

    fn order(&self, state: &mut State, command: JoinCommand, number: u8) {
        let board = &mut state.boards[0];
        if command != JoinCommand::Whole {
            (board.busy, board.fenced) = (true, None);
            board.fence += 1;
        }
        match command {
            JoinCommand::Begin => {
                board.fence = if self.mutant == Some(Mutant::OldNumbers) { 0 } else { number };
                (board.joining, board.settled, board.whole) = (true, false, false);
                (board.here, board.heard, board.known) = ([false; BOARDS], 0, false);
            }
            JoinCommand::Settle => {
                (board.settled, board.here, board.heard) = (true, [false; BOARDS], 0);
            }
            JoinCommand::Again => {}
            JoinCommand::Whole => {
                (board.whole, board.joining) = (true, false);
            }
        }
    }

    fn happens(&self, state: &mut State, event: Event) {
        if let Some(joiner) = &mut state.joiner {
            let mut acts = joiner.step(event);
            if self.mutant == Some(Mutant::NoSettle)
                && acts.iter().any(|act| matches!(act, Action::Order(JoinCommand::Settle, _)))
            {
                acts.retain(|act| !matches!(act, Action::Order(JoinCommand::Settle, _)));
                acts.push(Action::Order(JoinCommand::Whole, 0));
            }
            state.acts.extend(acts);
        }
    }

    /// A good frame of another board.
    fn receive(&self, state: &mut State, at: usize, frame: Frame) {
        let source = usize::from(frame.source);
        let joins = at == 0 && self.mutant != Some(Mutant::NoGate);
        let board = &mut state.boards[at];
        let blocked = joins && board.joining && !board.settled && !board.here[source];
        match frame.kind {
            Kind::Sync { .. } => board.sources[source] = Some(0),
            Kind::Fence { number, .. } => board.owes = Some(number),
            Kind::Here { echo, number, .. } => {
                if at == 0 && board.joining && board.fenced == Some(echo) && !board.here[source] {
                    board.here[source] = true;
                    board.heard += 1;
                    if !board.settled {
                        board.sources[source] = Some(number);
                    }
                }
            }
            Kind::Data { number, value } => {
                let next = board.sources[source].unwrap_or(number);
                if !blocked && next == number {
                    board.sources[source] = Some(number + 1);
                    board.known = true;
                    state.put(at, value);
                }
            }
        }
    }

    /// An own frame returns.
    fn returns(state: &mut State, at: usize, frame: Frame) {
        let board = &mut state.boards[at];
        let waits = board.base != board.next;
        match frame.kind {
            Kind::Data { number, .. } if !frame.bad && waits && number == board.base => {
                board.base += 1;
                board.recover = false;
                return;
            }
            Kind::Data { number, .. } if waits && (frame.bad || number > board.base) => {
                if !board.recover {
                    (board.next, board.recover) = (board.base, true);
                }
                return;
            }
            Kind::Data { .. } => return,
            _ => {}
        }
        let Some(token) = board.token.filter(|token| token.flies) else { return };
        if token.kind != frame.kind {
            return;
        }
        if frame.bad {
            board.token = Some(Self::again(board, token));
            return;
        }
        board.token = None;
        board.count += 1;
        match frame.kind {
            Kind::Sync { .. } => board.synced = true,
            Kind::Fence { number, .. } => (board.busy, board.fenced) = (false, Some(number)),
            _ => {}
        }
    }

    /// A token that is lost is sent again, with the next number.
    fn again(board: &mut Board, token: Token) -> Token {
        board.count += 1;
        let count = board.count;
        let kind = match token.kind {
            Kind::Sync { .. } => Kind::Sync { count },
            Kind::Fence { .. } => {
                board.fence += 1;
                Kind::Fence { count, number: board.fence }
            }
            Kind::Here { echo, number, .. } => Kind::Here { count, echo, number },
            data @ Kind::Data { .. } => data,
        };
        Token { kind, flies: false }
    }

    /// A frame leaves board `at` at the end of its link.
    fn arrives(&self, state: &mut State, at: usize) -> Option<String> {
        let frame = state.links[(at + BOARDS - 1) % BOARDS].pop_front()?;
        if usize::from(frame.source) == at {
            Self::returns(state, at, frame);
            return Some(format!("{frame:?} returns"));
        }
        state.links[at].push_back(frame);
        if !frame.bad {
            if at == 0 {
                state.received.push_back(frame);
            } else {
                self.receive(state, at, frame);
            }
        }
        Some(format!("{frame:?} arrives"))
    }

    fn reset(&self, state: &mut State) {
        let value = state.boards[0].value;
        state.boards[0] = Board { value, ..Board::default() };
        state.received.clear();
        state.acts.clear();
        state.resets -= 1;
        let incarnation = u32::from(self.resets - state.resets);
        let plan = self.plan(if self.mutant == Some(Mutant::OldCopies) { 1 } else { incarnation });
        let (mut joiner, acts) = Joiner::new(plan);
        if self.mutant == Some(Mutant::NoWait) {
            joiner = Joiner::new(Plan { peers: vec![NodeId::at(self.other())], ..self.plan(1) }).0;
        }
        state.joiner = Some(joiner);
        state.acts.extend(acts);
    }

    /// The token that a board has to send now.
    fn due(&self, state: &State, at: usize) -> Option<Kind> {
        let board = &state.boards[at];
        let count = board.count;
        if board.token.is_some() {
            return None;
        }
        if !board.synced {
            return Some(Kind::Sync { count });
        }
        if let Some(echo) = board.owes.filter(|_| board.drained(self)) {
            return Some(Kind::Here { count, echo, number: board.fresh });
        }
        board.busy.then_some(Kind::Fence { count, number: board.fence })
    }

    fn act(&self, state: &mut State, act: Action) {
        match act {
            Action::Order(command, number) => self.order(state, command, number),
            Action::Ask(node, ask) => {
                state.asks.push_back((node.0, ask.incarnation));
            }
            Action::Fill(_, words) => {
                let board = &mut state.boards[0];
                if !board.known || self.mutant == Some(Mutant::NoKnown) {
                    board.known = true;
                    let value = words[0].to_le_bytes()[0];
                    state.put(0, value);
                }
            }
            Action::Read(..) | Action::Whole => {}
        }
    }
}

/// A step, as a reader sees it.
pub type Step = String;

impl Checkable for Joining {
    type State = State;
    type Step = Step;
    type Property = Property;

    fn start(&self) -> State {
        let board =
            Board { synced: true, whole: true, sources: [Some(0); BOARDS], ..Board::default() };
        State {
            boards: [board.clone(), board.clone(), board],
            links: Default::default(),
            received: VecDeque::new(),
            joiner: None,
            acts: VecDeque::new(),
            asks: VecDeque::new(),
            copies: VecDeque::new(),
            losses: self.losses,
            resets: self.resets,
            early: self.early,
            back: false,
        }
    }

    fn steps(&self, state: &State, next: &mut Vec<Next<Self>>) {
        let mut add = |step: String, at: usize, kind: Option<u16>, state: State| {
            next.push(Next {
                step: format!("board {at}: {step}"),
                state,
                action: kind.map(|kind| action(at, kind)),
            });
        };
        for at in 0..BOARDS {
            // A frame at the end of the link, which may be lost.
            let mut after = state.clone();
            if let Some(step) = self.arrives(&mut after, at) {
                add(step, at, Some(0), after);
                let link = (at + BOARDS - 1) % BOARDS;
                if state.losses > 0 && !state.links[link][0].bad {
                    let mut after = state.clone();
                    after.links[link][0].bad = true;
                    after.losses -= 1;
                    add(format!("{:?} is lost", state.links[link][0]), at, None, after);
                }
            }
            let board = &state.boards[at];
            // Data.
            let may = board.next < board.tail() && !(board.next == board.fresh && board.hold(self));
            if board.synced && may {
                let mut after = state.clone();
                let number = board.next;
                let value = board.written[usize::from(number)];
                let kind = Kind::Data { number, value };
                after.links[at].push_back(Frame { source: NodeId::at(at).0, kind, bad: false });
                let sender = &mut after.boards[at];
                sender.next += 1;
                sender.fresh = sender.fresh.max(sender.next);
                add(format!("sends {kind:?}"), at, Some(1), after);
            }
            let flies = state.own_data_flies(at);
            if board.base != board.next && (!flies || state.early > 0) {
                let mut after = state.clone();
                after.early -= u8::from(flies);
                after.boards[at].next = board.base;
                add("times out".to_string(), at, (!flies).then_some(2), after);
            }
            // Tokens.
            if let Some(kind) = self.due(state, at) {
                let mut after = state.clone();
                after.boards[at].token = Some(Token { kind, flies: false });
                if matches!(kind, Kind::Here { .. }) {
                    after.boards[at].owes = None;
                }
                add(format!("has to send {kind:?}"), at, Some(3), after);
            }
            match board.token {
                Some(Token { kind, flies: false }) => {
                    let mut after = state.clone();
                    after.boards[at].token = Some(Token { kind, flies: true });
                    after.links[at].push_back(Frame { source: NodeId::at(at).0, kind, bad: false });
                    add(format!("sends {kind:?}"), at, Some(4), after);
                }
                Some(token) if !state.token_flies(at, token.kind) => {
                    let mut after = state.clone();
                    after.boards[at].token = Some(Self::again(&mut after.boards[at], token));
                    add("misses its token".to_string(), at, Some(5), after);
                }
                _ => {}
            }
        }
        self.hosts(state, &mut add);
    }

    fn broken(&self, state: &State) -> Option<Property> {
        let board = &state.boards[0];
        let lost = board.whole && state.received.is_empty() && board.value < state.confirmed();
        if state.back { Some(Property::Back) } else { lost.then_some(Property::Lost) }
    }

    fn done(&self, state: &State) -> bool {
        let all = state.boards.iter().all(|board| board.whole && board.value == LAST);
        all && state.resets == 0 && state.links.iter().all(VecDeque::is_empty)
    }
}

impl Joining {
    /// Steps of hosts, and of board 0 alone.
    fn hosts(&self, state: &State, add: &mut impl FnMut(String, usize, Option<u16>, State)) {
        let writes = |at: usize, value: u8| {
            let mut after = state.clone();
            after.boards[at].written.push(value);
            after.put(at, value);
            after
        };
        let (first, other) = (self.writer(), self.other());
        let written = state.boards[first].tail();
        if written < LAST - 1 {
            add(format!("writes {}", written + 1), first, Some(6), writes(first, written + 1));
        }
        if state.boards[first].base == LAST - 1 && state.boards[other].written.is_empty() {
            add(format!("writes {LAST}"), other, Some(6), writes(other, LAST));
        }
        if state.resets > 0 {
            let mut after = state.clone();
            self.reset(&mut after);
            add("is reset".to_string(), 0, Some(7), after);
        }
        if let Some(&frame) = state.received.front() {
            let mut after = state.clone();
            after.received.pop_front();
            self.receive(&mut after, 0, frame);
            add(format!("looks at {frame:?}"), 0, Some(8), after);
        }
        // The host of board 0: its orders wait until all boards know the board.
        if state.boards[0].synced {
            if let Some(act) = state.acts.front() {
                let mut after = state.clone();
                after.acts.pop_front();
                self.act(&mut after, act.clone());
                add(format!("{act:?}"), 0, Some(9), after);
            } else {
                let mut after = state.clone();
                self.happens(&mut after, Event::Status(state.boards[0].status()));
                if after != *state {
                    add("looks at its status".to_string(), 0, Some(10), after);
                }
                if let Some(&(incarnation, value)) = state.copies.front() {
                    let mut after = state.clone();
                    after.copies.pop_front();
                    let words = vec![value.into(); PIECE as usize];
                    self.happens(&mut after, Event::Copy { incarnation, at: 0, words });
                    add(format!("gets {value}"), 0, Some(11), after);
                } else if state.asks.is_empty() && Self::waits_for_copies(state) {
                    let mut after = state.clone();
                    self.happens(&mut after, Event::Timer);
                    add("asks again".to_string(), 0, Some(12), after);
                }
            }
        }
        if let Some(&(node, incarnation)) = state.asks.front() {
            let mut after = state.clone();
            after.asks.pop_front();
            let peer = usize::from(node);
            after.copies.push_back((incarnation, state.boards[peer].value));
            add(format!("gives {}", state.boards[peer].value), peer, Some(13), after);
        }
    }

    /// A copy was lost: it came before the board that was reset could take it.
    fn waits_for_copies(state: &State) -> bool {
        let board = &state.boards[0];
        board.joining
            && !board.busy
            && !board.settled
            && state.joiner.as_ref().is_some_and(|joiner| {
                let mut tried = joiner.clone();
                matches!(tried.step(Event::Timer)[..], [Action::Ask(..)])
            })
    }
}
