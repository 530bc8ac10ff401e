// SPDX-License-Identifier: MIT OR Apache-2.0
//! A host whose board joins after each reset, and gives its memory to others that do (DRV-11).

use crate::CustomHost;
use crate::port::{confirmed, flush, numbers};
use awgstar_board::ring::{
    HostOp, HostResult, Outcome,
    boards::{read_block, register, send_signal, wait_synced, write_block},
};
use awgstar_frame::contract::{
    JoinCommand, Order, Token,
    board::{
        FILL_ADDR, FILL_DATA, FRAMES, JOIN_COMMAND, JOIN_STATUS, MAIL_COUNT, MAIL_DATA, MAIL_POP,
    },
    signal::{JOIN_ASK_C_ST, JOIN_COPY_C_ST, JOIN_REFUSE_C_ST, JOIN_SUM_C_ST},
};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar_sync::firmware::join::{Action, Ask, Event, Joiner, PIECE, Plan, Status, sum};
use std::collections::VecDeque;

/// How a board begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// With the ring: its memory is whole as it is, all zeros on each board.
    First,
    /// After the others: it joins.
    Joins(Plan),
}

/// Cycles without anything new after which a board asks again.
const PATIENCE: u64 = 20_000;
/// Cycles in which a board is known to all others.
const SYNCED: Cycle = Cycle(200_000);

/// What the host waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Waits {
    /// The board is configured.
    Begin,
    /// `MAIL_COUNT`, `JOIN_STATUS` and `STATUS` are read.
    Look,
    /// A message is read.
    Mail,
    /// Orders and fills are under way; their results say nothing.
    Acts,
    /// The oldest write of the host is under way, and then the numbers of data frames are read.
    Writing,
    /// Words of this board are read, for itself.
    Own,
    /// Words of this board are read, for another one, and before them whether it is whole.
    Serve(NodeId, Ask),
    /// A signal is handed over: again, if it is refused.
    Sending(Vec<HostOp>),
}

/// Bytes that are written: address, bytes.
type Block = (ByteAddress, Vec<u8>);

/// The host of a board: what it does follows from what comes, one access after the other.
#[derive(Clone, Debug)]
pub struct Station {
    configuration: Vec<HostOp>,
    role: Role,
    joiner: Option<Joiner>,
    waits: Waits,
    /// Since when nothing new has come for the board that joins.
    since: u64,
    /// Words that others have asked for.
    asked: VecDeque<(NodeId, Ask)>,
    acts: VecDeque<Action>,
    writes: VecDeque<Block>,
    /// Writes that have not returned good, with the number of the data frame after each.
    flight: VecDeque<(u8, Block)>,
    /// Cycles between two pieces that are given.
    pause: Cycle,
    whole: bool,
}

impl Station {
    /// A host that configures its board with these accesses. Between two pieces of a memory that it gives to
    /// another board it waits for `pause`: so the ring keeps its share.
    #[must_use]
    pub fn new(configuration: Vec<HostOp>, role: Role, pause: Cycle) -> Self {
        Station {
            configuration,
            role,
            joiner: None,
            waits: Waits::Begin,
            since: 0,
            asked: VecDeque::new(),
            acts: VecDeque::new(),
            writes: VecDeque::new(),
            flight: VecDeque::new(),
            pause,
            whole: false,
        }
    }

    /// The board was reset: the host begins anew, with the memory of the others. Of its writes that have not
    /// returned good some boards may have some: it writes them again, to each place the last one.
    pub fn reset(&mut self, plan: Plan) {
        let configuration = std::mem::take(&mut self.configuration);
        let mut again: Vec<Block> = Vec::new();
        let flight = std::mem::take(&mut self.flight).into_iter().map(|(_, block)| block);
        for block in flight.chain(std::mem::take(&mut self.writes)) {
            again.retain(|(at, bytes)| *at != block.0 || bytes.len() > block.1.len());
            again.push(block);
        }
        *self = Station::new(configuration, Role::Joins(plan), self.pause);
        self.writes = again.into();
    }

    /// A write of the host, when the replica is whole and those before it are done.
    pub fn write(&mut self, addr: ByteAddress, bytes: Vec<u8>) {
        self.writes.push_back((addr, bytes));
    }

    /// The host has found its replica whole.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// A board has left the ring, and need not answer.
    pub fn left(&mut self, node: NodeId) {
        if let Some(joiner) = &mut self.joiner {
            joiner.left(node);
        }
        if let Role::Joins(plan) = &mut self.role {
            plan.peers.retain(|&peer| peer != node);
        }
    }

    /// Words that the board has, while it joins.
    #[must_use]
    pub fn progress(&self) -> Option<u32> {
        self.joiner.as_ref().filter(|joiner| !joiner.is_whole()).map(Joiner::progress)
    }

    fn begin(&mut self, cycle: Cycle) -> Vec<HostOp> {
        self.since = cycle.0;
        match self.role.clone() {
            Role::First => {
                self.whole = true;
                self.waits = Waits::Acts;
                vec![register(&JOIN_COMMAND, JoinCommand::Whole.code().into())]
            }
            Role::Joins(plan) => {
                let (joiner, acts) = Joiner::new(plan);
                self.joiner = Some(joiner);
                self.acts.extend(acts);
                self.next_act()
            }
        }
    }

    fn look(&mut self) -> Vec<HostOp> {
        self.waits = Waits::Look;
        [&MAIL_COUNT, &JOIN_STATUS, &FRAMES].map(|r| HostOp::Read { addr: r.offset }).to_vec()
    }

    fn happens(&mut self, cycle: Cycle, event: Event) {
        if let Some(joiner) = &mut self.joiner {
            let acts = joiner.step(event);
            if !acts.is_empty() {
                self.since = cycle.0;
            }
            self.acts.extend(acts);
        }
    }

    fn looked(&mut self, cycle: Cycle, results: &[HostResult]) -> Vec<HostOp> {
        let [mail, status, frames] = results else { return self.look() };
        let (base, _) = numbers(frames.data);
        while self.flight.front().is_some_and(|&(mark, _)| confirmed(mark, base)) {
            self.flight.pop_front();
        }
        let status = Status {
            whole: status.data & 1 != 0,
            fenced: status.data >> 4 & 1 != 0,
            heard: narrow(status.data >> 8 & 0x1ff),
        };
        self.whole = status.whole;
        self.happens(cycle, Event::Status(status));
        if cycle.0 > self.since + PATIENCE {
            self.since = cycle.0;
            self.happens(cycle, Event::Timer);
        }
        if mail.data != 0 {
            self.waits = Waits::Mail;
            let word = |k: u32| HostOp::Read { addr: MAIL_DATA.offset + 4 * k };
            return (0..16).map(word).chain([register(&MAIL_POP, 1)]).collect();
        }
        self.next_act()
    }

    /// What is to be done next: for this board, for another one, or of the process.
    fn next_act(&mut self) -> Vec<HostOp> {
        if let Some(act) = self.acts.pop_front() {
            return self.act(act);
        }
        if let Some((node, ask)) = self.asked.pop_front() {
            return self.serve(node, ask);
        }
        match self.writes.front().filter(|_| self.whole) {
            Some((addr, bytes)) => {
                self.waits = Waits::Writing;
                write_block(*addr, bytes).into_iter().chain(flush()).collect()
            }
            None => self.look(),
        }
    }

    fn act(&mut self, act: Action) -> Vec<HostOp> {
        self.waits = Waits::Acts;
        match act {
            Action::Order(command, number) => {
                let value = u32::from(command.code()) | u32::from(number) << 8;
                vec![register(&JOIN_COMMAND, value)]
            }
            Action::Whole => {
                self.whole = true;
                self.next_act()
            }
            Action::Fill(at, words) => {
                let begin = register(&FILL_ADDR, 4 * at);
                let fills = words.iter().map(|&word| register(&FILL_DATA, word));
                [begin].into_iter().chain(fills).collect()
            }
            Action::Read(at, words) => {
                self.waits = Waits::Own;
                read_block(ByteAddress(4 * at), words)
            }
            Action::Ask(node, ask) => {
                let mut data = head(ask.incarnation, ask.at);
                data.extend([narrow::<u8>(ask.words & 255), u8::from(ask.sum)]);
                self.send(node, JOIN_ASK_C_ST, &data)
            }
        }
    }

    /// The oldest write is in a frame; one that was refused is made again.
    fn wrote(&mut self, results: &[HostResult]) {
        let done = results.iter().all(|result| result.outcome == Outcome::Done);
        if let Some((frames, block)) = results.last().zip(self.writes.pop_front()) {
            if done {
                self.flight.push_back((numbers(frames.data).1, block));
            } else {
                self.writes.push_front(block);
            }
        }
    }

    fn send(&mut self, node: NodeId, c_st: u8, data: &[u8]) -> Vec<HostOp> {
        let ops = send_signal(Token::P2p, c_st, node, Order::None, data);
        self.waits = Waits::Sending(ops.clone());
        ops
    }

    /// Reads a piece, or all words of a check sequence.
    fn serve(&mut self, node: NodeId, ask: Ask) -> Vec<HostOp> {
        self.waits = Waits::Serve(node, ask);
        let words = if ask.sum { ask.words } else { PIECE };
        let status = HostOp::Read { addr: JOIN_STATUS.offset };
        let pause = HostOp::Wait { cycles: self.pause };
        let at = ByteAddress(4 * ask.at);
        [pause, status].into_iter().chain(read_block(at, words)).collect()
    }

    fn served(&mut self, node: NodeId, ask: Ask, results: &[HostResult]) -> Vec<HostOp> {
        let reads: Vec<_> = results.iter().skip(1).collect();
        let [status, words @ ..] = &reads[..] else { return self.look() };
        let mut data = head(ask.incarnation, ask.at);
        if status.data & 1 == 0 || words.iter().any(|word| word.outcome != Outcome::Done) {
            return self.send(node, JOIN_REFUSE_C_ST, &data);
        }
        let words: Vec<u32> = words.iter().map(|word| word.data).collect();
        if ask.sum {
            data.extend(sum(&words).to_le_bytes());
            return self.send(node, JOIN_SUM_C_ST, &data);
        }
        data.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        if let Some(left) = ask.words.checked_sub(PIECE).filter(|&left| left != 0) {
            self.asked.push_front((node, Ask { at: ask.at + PIECE, words: left, ..ask }));
        }
        self.send(node, JOIN_COPY_C_ST, &data)
    }

    fn mail(&mut self, cycle: Cycle, results: &[HostResult]) {
        let words: Vec<u32> = results.iter().take(16).map(|result| result.data).collect();
        let [first, _, source, _, data @ ..] = &words[..] else { return };
        let [incarnation, at, rest @ ..] = data else { return };
        let (incarnation, at) = (*incarnation, *at);
        let [_, from, ..] = source.to_be_bytes();
        let from = NodeId(from);
        let Some(&third) = rest.first() else { return };
        if first >> 29 != u32::from(Token::P2p.code()) {
            return;
        }
        match narrow::<u8>(first >> 24 & 31) {
            JOIN_ASK_C_ST => {
                let [words, sum, ..] = third.to_le_bytes();
                // What was asked for before the last reset, or asked again, need not be answered any more.
                self.asked.retain(|&(node, _)| node != from);
                let ask = Ask { incarnation, at, words: words.into(), sum: sum != 0 };
                self.asked.push_back((from, ask));
            }
            JOIN_COPY_C_ST => {
                let words = rest.iter().copied().take(PIECE as usize).collect();
                self.happens(cycle, Event::Copy { incarnation, at, words });
            }
            JOIN_SUM_C_ST => self.happens(cycle, Event::Sum { incarnation, at, sum: third }),
            JOIN_REFUSE_C_ST => self.happens(cycle, Event::Refused { incarnation, from }),
            _ => {}
        }
    }
}

/// What all signals of a board that joins begin with.
fn head(incarnation: u32, at: u32) -> Vec<u8> {
    [incarnation.to_le_bytes(), at.to_le_bytes()].concat()
}

impl CustomHost for Station {
    fn next(&mut self, cycle: Cycle, results: &[HostResult]) -> Vec<HostOp> {
        match std::mem::replace(&mut self.waits, Waits::Look) {
            Waits::Begin if results.is_empty() => {
                self.waits = Waits::Begin;
                let configuration = self.configuration.iter().copied();
                configuration.chain([wait_synced(SYNCED)]).collect()
            }
            Waits::Begin => self.begin(cycle),
            Waits::Look => self.looked(cycle, results),
            Waits::Mail => {
                self.mail(cycle, results);
                self.next_act()
            }
            Waits::Own => {
                let words = results.iter().map(|result| result.data).collect();
                self.happens(cycle, Event::Own(words));
                self.next_act()
            }
            Waits::Writing => {
                self.wrote(results);
                self.look()
            }
            Waits::Serve(node, ask) => self.served(node, ask, results),
            Waits::Sending(ops)
                if results.last().is_some_and(|r| r.outcome == Outcome::Refused) =>
            {
                self.waits = Waits::Sending(ops.clone());
                let wait = HostOp::Wait { cycles: Cycle(64) };
                [wait].into_iter().chain(ops).collect()
            }
            // What the board says of itself counts after all orders.
            Waits::Acts | Waits::Sending(_) if self.acts.is_empty() => self.look(),
            Waits::Acts | Waits::Sending(_) => self.next_act(),
        }
    }

    fn ended(&self) -> bool {
        self.whole && self.writes.is_empty() && self.flight.is_empty()
    }
}
