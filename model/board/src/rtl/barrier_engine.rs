// SPDX-License-Identifier: MIT OR Apache-2.0
//! `barrier_engine`: 8 ring barriers without the host (ENG-4, ENG-5).

use super::state::{State, ports, state};
use awgstar_frame::contract::{Signal, fsm};
use awgstar_frame::quantity::narrow;

/// After reset: the members are cleared.
pub const CLEAR: u8 = fsm::code("barrier_engine", "clear");
/// The board is off: members are counted.
pub const LOAD: u8 = fsm::code("barrier_engine", "load");
/// They are added up.
pub const ADD: u8 = fsm::code("barrier_engine", "add");
/// Nothing at hand.
pub const IDLE: u8 = fsm::code("barrier_engine", "idle");
/// A message, or an arrival of the process, is compared with what is known.
pub const LOOK: u8 = fsm::code("barrier_engine", "look");
pub const COUNT: u8 = fsm::code("barrier_engine", "count");
/// A timer has run out: who is missing?
pub const SCAN: u8 = fsm::code("barrier_engine", "scan");
/// An arrival goes out.
pub const SEND: u8 = fsm::code("barrier_engine", "send");

pub const BARRIERS: usize = 8;
/// Words of members, 8 of each barrier.
const WORDS: usize = 64;

ports! {
    /// Inputs of `barrier_engine`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// The board is on.
        enable: bool = 1,
        /// Node_ID of this board.
        cfg_node_id: u8 = 8,
        /// Order of arrivals relative to earlier data.
        cfg_order: u8 = 2,
        /// A period of the timers is over.
        tick: bool = 1,
        /// A word of members; only while `ready` is 1 and `enable` 0.
        member_we: bool = 1,
        /// Its place: {barrier, word}.
        member_addr: u8 = 6,
        /// Bit i: node 32·word + i takes part.
        member_data: u32 = 32,
        /// A message waits.
        msg_valid: bool = 1,
        /// Its barrier.
        msg_number: u8 = 3,
        /// The node that sent it.
        msg_source: u8 = 8,
        /// Its Node_ID.
        msg_node: u8 = 8,
        /// Its episode.
        msg_tag: u16 = 16,
        /// The process arrives; held until `cmd_done`.
        cmd_valid: bool = 1,
        /// At this barrier.
        cmd_number: u8 = 3,
        /// The signal has returned good.
        out_done: bool = 1,
    }
}

ports! {
    /// Outputs of `barrier_engine`.
    pub struct Outputs {
        /// The message is done with.
        msg_ready: bool = 1,
        cmd_done: bool = 1,
        /// It was refused: the process waits already, or Node_ID is none of those that take part.
        cmd_error: bool = 1,
        /// A signal to send.
        out_valid: bool = 1,
        /// Its order relative to earlier data.
        out_order: u8 = 2,
        out_c_st: u8 = 5,
        out_node_id: u8 = 8,
        /// Bytes 0 to 9 of its Data, byte 0 in bits 7 to 0.
        out_data: u128 = 80,
        /// The members are cleared.
        ready: bool = 1,
        /// Bit b: the process waits at barrier b.
        waiting: u8 = 8,
        /// The process has passed a barrier.
        ev_passed: bool = 1,
    }
}

state! {
    /// Registers and memories of `barrier_engine`.
    pub struct BarrierEngine("barrier_engine", Inputs, Outputs) with parameters {
        registers {
            state_q: u8 = 3,
            /// Barrier at hand.
            number_q: u8 = 3,
            /// Word of its members.
            word_q: u8 = 3,
            /// Members in the words before.
            sum_q: u16 = 9,
            /// A word of members was written since this walk began.
            dirty_q: bool = 1,
            /// Bit b: the process waits at barrier b.
            waiting_q: u8 = 8,
            /// Bit {b, w}: word w of `heard` is of the episode; otherwise it counts as 0.
            live_q: u64 = 64,
            /// Bit b: an arrival at barrier b waits to be sent.
            queued_q: u8 = 8,
            /// Arrivals put into `slots`.
            wr_q: u8 = 3,
            /// Arrivals taken out.
            rd_q: u8 = 3,
            /// Bit b: the timer of barrier b has seen a tick.
            age_q: u8 = 8,
            /// Bit b: it has run out.
            due_q: u8 = 8,
            /// A signal is on offer or under way.
            out_valid_q: bool = 1,
            out_order_q: u8 = 2,
            out_node_id_q: u8 = 8,
            /// Its barrier.
            out_number_q: u8 = 3,
            /// Its episode.
            out_tag_q: u16 = 16,
            /// The process arrives; otherwise a message is at hand.
            own_q: bool = 1,
            /// The message is of this episode.
            same_q: bool = 1,
            next_q: bool = 1,
            /// The word of `heard` counts.
            kept_q: bool = 1,
            /// The node is a member.
            takes_q: bool = 1,
            /// And was not heard.
            first_q: bool = 1,
            /// It is the last one missing, if any is.
            last_q: bool = 1,
            /// Members of the word before that are missing; of the word at hand in load.
            lacking_q: u32 = 32,
            /// That was the last word.
            end_q: bool = 1,
            /// The word of `heard` at hand.
            heard_q: u32 = 32,
            /// The word of `member` at hand.
            member_q: u32 = 32,
        }
        memories {
            /// Nodes that have arrived: word w of barrier b at {b, w}.
            heard: [u32; WORDS] = 32 => U32,
            /// Nodes that take part.
            member: [u32; WORDS] = 32 => U32,
            /// Episode that the process is in, or arrives in next.
            episodes: [u16; BARRIERS] = 16 => U16,
            /// Members that are not heard.
            missing: [u16; BARRIERS] = 9 => U16,
            /// Members.
            sizes: [u16; BARRIERS] = 9 => U16,
            /// Node_ID of the arrival that waits to be sent.
            asked: [u8; BARRIERS] = 8 => U8,
            /// Barriers whose arrivals wait, in order.
            slots: [u8; BARRIERS] = 3 => U8,
        }
    }
}

/// What a message, or the process' arrival, does to the barrier at hand.
#[expect(clippy::struct_excessive_bools, reason = "each is a wire of the Verilog")]
#[derive(Clone, Copy, Debug, Default)]
struct Effect {
    /// The process is let go by an arrival of the next episode.
    jump: bool,
    /// Somebody is counted.
    counts: bool,
    /// All are here.
    complete: bool,
    /// This node is asked.
    answers: bool,
    /// Members not heard afterwards, if the process does not pass.
    left: u16,
    /// The word of `heard` afterwards.
    heard: u32,
}

impl BarrierEngine {
    /// Whether there is an engine.
    #[inline]
    fn on(&self) -> bool {
        self.parameters.engine_node_w() != 0
    }

    /// Last word of a barrier's members.
    fn last(&self) -> u8 {
        match self.parameters.engine_node_w() {
            8 => 7,
            7 => 3,
            6 => 1,
            _ => 0,
        }
    }

    /// The nodes that take part, of a word.
    fn nodes(&self) -> u32 {
        match self.parameters.engine_node_w() {
            small @ 0..5 => (1 << (1 << small)) - 1,
            _ => u32::MAX,
        }
    }

    fn at(&self) -> usize {
        usize::from(self.number_q)
    }

    fn place(&self) -> usize {
        usize::from(self.number_q) << 3 | usize::from(self.word_q)
    }

    fn waits(&self) -> bool {
        self.waiting_q >> self.number_q & 1 != 0
    }

    fn live(&self) -> bool {
        self.live_q >> self.place() & 1 != 0
    }

    fn arrives(&self) -> bool {
        self.state_q == COUNT && self.own_q
    }

    fn refused(&self, i: &Inputs) -> bool {
        let outside = u32::from(i.cfg_node_id) >> self.parameters.engine_node_w() != 0;
        self.arrives() && (self.waits() || outside)
    }

    /// Nothing goes on until a message, a command, a tick or the return of a signal.
    #[inline]
    pub(super) fn rests(&self) -> bool {
        let sends = self.queued_q != 0 && !self.out_valid_q;
        self.state_q == IDLE && !sends && self.due_q == 0 && !self.dirty_q
    }

    #[inline]
    pub(super) fn data(&self) -> u128 {
        let [high, low] = self.out_tag_q.to_be_bytes();
        u32::from_le_bytes([0, self.out_number_q, high, low]).into()
    }

    #[inline]
    pub(super) fn ready(&self) -> bool {
        self.state_q != CLEAR
    }

    /// Just before the edge.
    #[must_use]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        Outputs {
            msg_ready: matches!(self.state_q, LOAD | ADD) || self.state_q == COUNT && !self.own_q,
            cmd_done: self.arrives(),
            cmd_error: self.refused(i),
            out_valid: self.out_valid_q,
            out_order: self.out_order_q,
            out_c_st: Signal::BarrierRingArrival.c_st(),
            out_node_id: self.out_node_id_q,
            out_data: self.data(),
            ready: self.ready(),
            waiting: self.waiting_q,
            ev_passed: self.passes(i),
        }
    }

    /// The edge.
    pub fn clock(&mut self, i: &Inputs) {
        if !self.on() {
            return self.unpack(&[0; Self::WORDS]);
        }
        let (state, waiting, age) = (self.state_q, self.waiting_q, self.age_q);
        let (offered, due, queued) = (self.out_valid_q, self.due_q, self.queued_q);
        let written = i.member_we && !i.enable && state != CLEAR;
        self.dirty_q |= written;
        self.out_valid_q &= !i.out_done;
        if i.tick {
            self.due_q |= waiting & age;
            self.age_q = !(waiting & age);
        }
        // What the words that may be written have before.
        let (own, other) = (self.place(), usize::from(i.member_addr));
        let heard = (own, self.heard[own]);
        let member = if written { other } else { own };
        let member = (member, self.member[member]);
        if written {
            self.member[other] = i.member_data & self.nodes();
        }
        let lacking = self.member_q & if self.live() { !self.heard_q } else { u32::MAX };
        let lacking = match state {
            SCAN => (lacking, self.word_q == self.last()),
            LOAD => (self.member_q, false),
            _ => (0, false),
        };
        match state {
            CLEAR => self.clear(),
            LOAD => self.state_q = ADD,
            ADD => self.add(i, written),
            IDLE => self.choose(i, offered, due),
            LOOK => self.look(i),
            COUNT => {
                let effect = self.effect(i);
                if self.own_q && !self.refused(i) {
                    self.waiting_q |= 1 << self.number_q;
                    self.age_q &= !(1 << self.number_q);
                    self.due_q &= !(1 << self.number_q);
                    self.call(i.cfg_node_id, false);
                }
                self.apply(i, &effect);
                // At once if nothing else is to be sent.
                let sends = queued == 0 && self.queued_q != 0 && !offered;
                self.state_q = if sends { SEND } else { IDLE };
            }
            SCAN => self.scan(i),
            SEND => self.send(i),
            _ => {}
        }
        (self.lacking_q, self.end_q) = lacking;
        let place = self.place();
        let read = |memory: &[u32; WORDS], before: (usize, u32)| {
            if before.0 == place { before.1 } else { memory[place] }
        };
        (self.heard_q, self.member_q) = (read(&self.heard, heard), read(&self.member, member));
        if i.rst {
            self.reset();
        }
    }

    fn clear(&mut self) {
        self.member[self.place()] = 0;
        let next = (self.place() + 1) % WORDS;
        if next == 0 {
            self.state_q = LOAD;
        }
        [self.number_q, self.word_q] = [next >> 3, next & 7].map(narrow::<u8>);
        (self.sum_q, self.dirty_q) = (0, false);
    }

    /// While the board is off all is as at the start, and members are counted.
    fn add(&mut self, i: &Inputs, written: bool) {
        (self.waiting_q, self.live_q, self.queued_q, self.due_q) = (0, 0, 0, 0);
        (self.wr_q, self.rd_q) = (0, 0);
        let total = self.sum_q + narrow::<u16>(self.lacking_q.count_ones());
        self.sum_q = total & 0x1ff;
        self.state_q = LOAD;
        if self.word_q != self.last() {
            self.word_q = (self.word_q + 1) & 7;
            return;
        }
        let at = self.at();
        (self.episodes[at], self.missing[at], self.sizes[at]) = (0, self.sum_q, self.sum_q);
        (self.sum_q, self.word_q) = (0, 0);
        self.number_q = (self.number_q + 1) & 7;
        if self.number_q == 0 {
            if i.enable && !self.dirty_q {
                self.state_q = IDLE;
            }
            // A word written in this cycle is for the next walk.
            self.dirty_q = written;
        }
    }

    /// Messages, then commands, then what is to be sent, then timers.
    fn choose(&mut self, i: &Inputs, offered: bool, due: u8) {
        self.word_q = 0;
        if !i.enable {
            (self.number_q, self.sum_q, self.state_q) = (0, 0, LOAD);
        } else if i.msg_valid {
            (self.number_q, self.own_q, self.state_q) = (i.msg_number, false, LOOK);
            self.word_q = i.msg_source >> 5 & self.last();
        } else if i.cmd_valid {
            (self.number_q, self.own_q, self.state_q) = (i.cmd_number, true, LOOK);
            self.word_q = i.cfg_node_id >> 5 & self.last();
        } else if self.queued_q != 0 && !offered {
            (self.number_q, self.state_q) = (self.slots[usize::from(self.rd_q)], SEND);
        } else if due != 0 {
            (self.number_q, self.state_q) = (narrow(due.trailing_zeros()), SCAN);
        }
    }

    /// What is counted is made of.
    fn look(&mut self, i: &Inputs) {
        let node = if self.own_q { i.cfg_node_id } else { i.msg_source };
        let bit = 1 << (node & 31);
        let (episode, missing) = (self.episodes[self.at()], self.missing[self.at()]);
        self.same_q = !self.own_q && i.msg_tag == episode;
        self.next_q = !self.own_q && i.msg_tag == episode.wrapping_add(1);
        self.kept_q = self.live();
        self.takes_q = self.member_q & bit != 0;
        self.first_q = self.takes_q && !(self.kept_q && self.heard_q & bit != 0);
        self.last_q = missing == u16::from(self.first_q);
        self.state_q = COUNT;
    }

    fn effect(&self, i: &Inputs) -> Effect {
        match self.state_q {
            COUNT if !self.own_q => self.message(i),
            COUNT if !self.refused(i) => self.count(i.cfg_node_id, true),
            _ => Effect::default(),
        }
    }

    fn passes(&self, i: &Inputs) -> bool {
        let effect = self.effect(i);
        effect.jump || effect.complete
    }

    fn message(&self, i: &Inputs) -> Effect {
        let asked = i.msg_node == i.cfg_node_id;
        if self.next_q && self.waits() {
            let left = self.sizes[self.at()].wrapping_sub(self.takes_q.into()) & 0x1ff;
            let heard = 1 << (i.msg_source & 31);
            Effect { jump: true, counts: true, left, heard, ..Effect::default() }
        } else if self.same_q {
            Effect { answers: asked && self.waits(), ..self.count(i.msg_source, false) }
        } else {
            Effect { answers: asked, ..Effect::default() }
        }
    }

    /// A node has arrived in this episode.
    fn count(&self, node: u8, own: bool) -> Effect {
        let old = if self.kept_q { self.heard_q } else { 0 };
        let left = self.missing[self.at()].wrapping_sub(self.first_q.into()) & 0x1ff;
        let complete = self.last_q && (own || self.waits());
        let heard = old | 1 << (node & 31);
        Effect { counts: true, complete, left, heard, ..Effect::default() }
    }

    fn apply(&mut self, i: &Inputs, effect: &Effect) {
        let (at, place) = (self.at(), self.place());
        if effect.answers {
            self.call(i.cfg_node_id, false);
        }
        if effect.jump || effect.complete {
            self.episodes[at] = self.episodes[at].wrapping_add(1);
            self.waiting_q &= !(1 << at);
            self.due_q &= !(1 << at);
            self.live_q &= !(0xff << (8 * at));
        }
        if effect.counts {
            self.heard[place] = effect.heard;
            self.missing[at] = if effect.complete { self.sizes[at] } else { effect.left };
            self.live_q |= u64::from(!effect.complete) << place;
        }
    }

    /// The latest arrival is to be sent. An answer leaves a question that waits as it is.
    fn call(&mut self, asked: u8, question: bool) {
        let bit = 1 << self.number_q;
        if self.queued_q & bit == 0 || question {
            self.asked[usize::from(self.number_q)] = asked;
        }
        if self.queued_q & bit == 0 {
            self.slots[usize::from(self.wr_q)] = self.number_q;
            self.wr_q = (self.wr_q + 1) & 7;
            self.queued_q |= bit;
        }
    }

    /// Asks the lowest member that is missing.
    fn scan(&mut self, i: &Inputs) {
        let lacking = self.lacking_q;
        if lacking != 0 || self.end_q {
            let word = self.word_q.wrapping_sub(1) & 7;
            let bit = narrow::<u8>(lacking.trailing_zeros());
            let asked = if lacking == 0 { i.cfg_node_id } else { word << 5 | bit };
            self.call(asked, true);
            self.due_q &= !(1 << self.number_q);
            self.state_q = IDLE;
        }
        self.word_q = (self.word_q + 1) & 7;
    }

    fn send(&mut self, i: &Inputs) {
        let episode = self.episodes[self.at()];
        self.queued_q &= !(1 << self.number_q);
        self.rd_q = (self.rd_q + 1) & 7;
        self.out_valid_q = true;
        self.out_order_q = i.cfg_order;
        self.out_node_id_q = self.asked[self.at()];
        self.out_number_q = self.number_q;
        self.out_tag_q = if self.waits() { episode } else { episode.wrapping_sub(1) };
        self.state_q = IDLE;
    }

    fn reset(&mut self) {
        (self.state_q, self.number_q, self.word_q) = (CLEAR, 0, 0);
        (self.waiting_q, self.live_q, self.queued_q, self.due_q) = (0, 0, 0, 0);
        (self.wr_q, self.rd_q, self.out_valid_q) = (0, 0, false);
        self.end_q = false;
    }
}
