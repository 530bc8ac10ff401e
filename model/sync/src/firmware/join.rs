// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board that joins: how its replica becomes that of the ring while the others write (DRV-11).
//!
//! The board does what has to be done at the place where frames arrive (JOIN-1 to JOIN-5); this state machine
//! orders its fences, asks other boards for words and has them filled in.

use awgstar_frame::contract::JoinCommand;
use awgstar_frame::quantity::NodeId;

/// Words that a signal brings.
pub const PIECE: u32 = 8;
/// Words that are asked for at once: half of what the mailbox of a board has room for.
pub const RUN: u32 = 64;

/// What a joining board has to know.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    /// The other boards of the ring. All answer a fence.
    pub peers: Vec<NodeId>,
    /// Words of the memory, a multiple of [`PIECE`].
    pub words: u32,
    /// Differs from those of the last times that this board joined: the time, or a random number.
    pub incarnation: u32,
    /// Words are asked for only where the check sequence of the other board differs.
    pub compare: bool,
}

/// What a board says of itself in `JOIN_STATUS`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Status {
    pub whole: bool,
    /// The last fence has returned good.
    pub fenced: bool,
    /// Boards that have answered it.
    pub heard: u16,
}

/// What a board asks another one for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ask {
    pub incarnation: u32,
    /// Word address.
    pub at: u32,
    /// Number of words.
    pub words: u32,
    /// The check sequence, not the words.
    pub sum: bool,
}

/// What comes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    Status(Status),
    /// Words of another board, read after it was asked.
    Copy {
        incarnation: u32,
        /// Word address.
        at: u32,
        words: Vec<u32>,
    },
    /// The check sequence of the words that were asked for.
    Sum {
        incarnation: u32,
        /// Word address.
        at: u32,
        sum: u32,
    },
    /// The other board is not whole itself.
    Refused {
        incarnation: u32,
        from: NodeId,
    },
    /// The words of this board that were to be read.
    Own(Vec<u32>),
    /// Nothing has come for a time.
    Timer,
}

/// What is to be done, in this order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The byte is the number of the fence, with `begin`.
    Order(JoinCommand, u8),
    Ask(NodeId, Ask),
    /// The bytes of these words that are not known become these.
    Fill(u32, Vec<u32>),
    /// Words of this board are to be read: address, number.
    Read(u32, u32),
    /// The replica is whole.
    Whole,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum State {
    /// A fence is to return and to be answered by all; it may be the last.
    Fence {
        last: bool,
    },
    /// Own words are to be read.
    Own,
    /// A check sequence is to come.
    Sum(Vec<u32>),
    /// Words are to come: bit i is piece i of the run.
    Copy(u32),
    Whole,
}

/// The state machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Joiner {
    plan: Plan,
    state: State,
    /// First word of the run.
    at: u32,
    /// Which peer is asked.
    peer: usize,
    /// Peers that have refused in a row.
    refusals: usize,
}

/// Check sequence of words: that of a frame over their bytes, lowest first.
#[must_use]
pub fn sum(words: &[u32]) -> u32 {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    awgstar_frame::codec::fcs::compute(&bytes)
}

impl Joiner {
    /// A board begins to join. On a ring of one board it is whole at once.
    #[must_use]
    pub fn new(plan: Plan) -> (Joiner, Vec<Action>) {
        let state = State::Fence { last: false };
        let joiner = Joiner { plan, state, at: 0, peer: 0, refusals: 0 };
        // Room for the fences of this time.
        let number = joiner.plan.incarnation.wrapping_mul(16).to_le_bytes()[0];
        (joiner, vec![Action::Order(JoinCommand::Begin, number)])
    }

    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.state == State::Whole
    }

    /// Words that are there so far.
    #[must_use]
    pub fn progress(&self) -> u32 {
        self.at
    }

    /// A board has left the ring: it need not answer.
    pub fn left(&mut self, node: NodeId) {
        self.plan.peers.retain(|&peer| peer != node);
        self.peer = 0;
    }

    /// Handles what comes and says what is to be done.
    pub fn step(&mut self, event: Event) -> Vec<Action> {
        match (event, &self.state) {
            (Event::Status(status), &State::Fence { last }) => self.fence(status, last),
            (Event::Timer, State::Fence { .. }) => vec![Action::Order(JoinCommand::Again, 0)],
            (Event::Own(words), State::Own) => {
                self.state = State::Sum(words);
                self.ask()
            }
            (Event::Sum { incarnation, at, sum: other }, State::Sum(own))
                if self.counts(incarnation) && at == self.at =>
            {
                if sum(own) == other {
                    let fill = Action::Fill(at, own.clone());
                    [vec![fill], self.go_on()].concat()
                } else {
                    self.state = State::Copy(0);
                    self.ask()
                }
            }
            (Event::Copy { incarnation, at, words }, &State::Copy(got))
                if self.counts(incarnation) =>
            {
                self.copy(at, words, got)
            }
            (Event::Refused { incarnation, from }, State::Sum(_) | State::Copy(_))
                if self.counts(incarnation) && self.asked() == Some(from) =>
            {
                self.refusals += 1;
                self.next_peer();
                // All have: until the timer runs out.
                if self.refusals < self.plan.peers.len() { self.ask() } else { Vec::new() }
            }
            (Event::Timer, State::Sum(_) | State::Copy(_)) => {
                self.refusals = 0;
                self.next_peer();
                self.ask()
            }
            _ => Vec::new(),
        }
    }

    fn counts(&self, incarnation: u32) -> bool {
        incarnation == self.plan.incarnation
    }

    fn asked(&self) -> Option<NodeId> {
        self.plan.peers.get(self.peer).copied()
    }

    fn next_peer(&mut self) {
        self.peer = (self.peer + 1) % self.plan.peers.len().max(1);
    }

    fn fence(&mut self, status: Status, last: bool) -> Vec<Action> {
        if !status.fenced || usize::from(status.heard) < self.plan.peers.len() {
            return Vec::new();
        }
        if last {
            self.state = State::Whole;
            return vec![Action::Order(JoinCommand::Whole, 0), Action::Whole];
        }
        self.run()
    }

    /// Words of the run under way.
    fn words(&self) -> u32 {
        RUN.min(self.plan.words - self.at)
    }

    fn go_on(&mut self) -> Vec<Action> {
        self.at += self.words();
        self.refusals = 0;
        self.run()
    }

    /// The run at `at`, or after the last one the last fence.
    fn run(&mut self) -> Vec<Action> {
        if self.plan.peers.is_empty() {
            self.at = self.plan.words; // no other board has words
        }
        if self.at >= self.plan.words {
            self.state = State::Fence { last: true };
            return vec![Action::Order(JoinCommand::Settle, 0)];
        }
        if self.plan.compare {
            self.state = State::Own;
            return vec![Action::Read(self.at, self.words())];
        }
        self.state = State::Copy(0);
        self.ask()
    }

    fn ask(&self) -> Vec<Action> {
        // From the first that is missing on: else the same one may find the mailbox full each time.
        let there = match self.state {
            State::Copy(got) => PIECE * got.trailing_ones(),
            _ => 0,
        };
        let ask = Ask {
            incarnation: self.plan.incarnation,
            at: self.at + there,
            words: self.words() - there,
            sum: matches!(self.state, State::Sum(_)),
        };
        self.asked().map(|peer| Action::Ask(peer, ask)).into_iter().collect()
    }

    fn copy(&mut self, at: u32, words: Vec<u32>, got: u32) -> Vec<Action> {
        let piece = at.wrapping_sub(self.at) / PIECE;
        let inside =
            at >= self.at && at.is_multiple_of(PIECE) && piece < self.words().div_ceil(PIECE);
        if !inside || words.len() != PIECE as usize || got >> piece & 1 != 0 {
            return Vec::new();
        }
        let got = got | 1 << piece;
        self.state = State::Copy(got);
        let fill = vec![Action::Fill(at, words)];
        if got.count_ones() == self.words().div_ceil(PIECE) {
            [fill, self.go_on()].concat()
        } else {
            fill
        }
    }
}
