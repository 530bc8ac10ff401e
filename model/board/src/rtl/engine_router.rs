// SPDX-License-Identifier: MIT OR Apache-2.0
//! `engine_router`: takes the messages of the lock and barrier engine out of what `rx_sorter` writes
//! into the mailbox (ENG-6).

use super::state::{State, ports, state};
use awgstar_frame::contract::{Signal, Token, limits};
use awgstar_frame::quantity::narrow;

/// `msg_kind`: a lock request.
pub const REQUEST: u8 = 0;
/// `msg_kind`: a lock's right passed on.
pub const PASS: u8 = 1;
/// `msg_kind`: a barrier arrival.
pub const ARRIVAL: u8 = 2;

/// Length of a signal that is padded to the shortest Data, in bytes.
const LEN: usize = limits::DATA_MIN;
/// Bits of a message in the queue.
const MSG_W: usize = 54;
/// Messages that the queue has room for.
pub const QUEUE: usize = 4;

ports! {
    /// Inputs of `engine_router`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// The memories of the engine are cleared.
        ready: bool = 1,
        /// Bit l: the engine has lock l.
        cfg_locks: u16 = 16,
        /// Bit b: the engine has barrier b.
        cfg_barriers: u8 = 8,
        /// TOKEN of the frame that `rx_sorter` looks at.
        s_token: u8 = 3,
        s_c_st: u8 = 5,
        /// A word of a message.
        s_we: bool = 1,
        /// Index of the word in the message.
        s_index: u8 = 4,
        /// The word.
        s_data: u32 = 32,
        /// The message is complete.
        s_commit: bool = 1,
        /// The mailbox has no room.
        m_full: bool = 1,
        /// The lock engine is done with the message.
        l_msg_ready: bool = 1,
        /// The barrier engine is done with the message.
        b_msg_ready: bool = 1,
    }
}

ports! {
    /// Outputs of `engine_router`.
    pub struct Outputs {
        /// `mail_full` of `rx_sorter`.
        s_full: bool = 1,
        /// A word for the mailbox.
        m_we: bool = 1,
        m_index: u8 = 4,
        /// The word.
        m_data: u32 = 32,
        /// The message is the mailbox', and complete.
        m_commit: bool = 1,
        /// A message for the lock engine.
        l_msg_valid: bool = 1,
        /// A message for the barrier engine.
        b_msg_valid: bool = 1,
        /// What it is.
        msg_kind: u8 = 2,
        /// Its lock or barrier.
        msg_number: u8 = 4,
        /// The node that sent it.
        msg_source: u8 = 8,
        /// Its Node_ID.
        msg_node: u8 = 8,
        msg_tag: u16 = 16,
        msg_epoch: u16 = 16,
        /// A message that is not the engine's found the mailbox full.
        ev_mail_full: bool = 1,
    }
}

state! {
    /// Registers and memory of `engine_router`.
    pub struct EngineRouter("engine_router", Inputs, Outputs) with parameters {
        registers {
            /// The message under way has codes of the engine.
            mine_q: bool = 1,
            /// The mailbox has room for it.
            room_q: bool = 1,
            /// What came of it is as the engine's messages are.
            good_q: bool = 1,
            /// The engine has it.
            taken_q: bool = 1,
            /// What it is.
            kind_q: u8 = 2,
            /// Its lock or barrier.
            number_q: u8 = 4,
            /// The node that sent it.
            source_q: u8 = 8,
            /// Its Node_ID.
            node_q: u8 = 8,
            tag_q: u16 = 16,
            /// Messages put into the queue.
            wr_q: u8 = 3,
            /// Messages taken out.
            rd_q: u8 = 3,
        }
        memories {
            /// {kind, number, source, node, tag, epoch}.
            queue: [u64; QUEUE] = MSG_W => U64,
        }
    }
}

impl EngineRouter {
    /// The kind of a frame that may be the engine's.
    fn kind(&self, i: &Inputs) -> Option<u8> {
        let on = self.parameters.engine_node_w() != 0 && i.ready;
        let kind = match Signal::from_codes(Token::from_code(i.s_token)?, i.s_c_st)? {
            Signal::LockQueueRequest => REQUEST,
            Signal::LockQueuePass => PASS,
            Signal::BarrierRingArrival => ARRIVAL,
            _ => return None,
        };
        let any = if kind == ARRIVAL { i.cfg_barriers != 0 } else { i.cfg_locks != 0 };
        (on && any).then_some(kind)
    }

    /// Output `s_full`.
    #[inline]
    pub(super) fn full(&self, i: &Inputs) -> bool {
        i.m_full && self.kind(i).is_none()
    }

    fn takes_part(&self, node: u8) -> bool {
        u32::from(node) >> self.parameters.engine_node_w() == 0
    }

    /// The word is as in a message of the engine.
    fn word_good(&self, i: &Inputs) -> bool {
        let arrival = self.kind_q == ARRIVAL;
        match (i.s_index, i.s_data.to_le_bytes()) {
            (2, [.., node, _]) => self.takes_part(node) && narrow::<usize>(i.s_data & 0x7ff) == LEN,
            (4, [0, number, ..]) => number < if arrival { 8 } else { 1 },
            (5, [0, 0, 0, number]) => number < if arrival { 1 } else { 16 },
            (6, [high, low, 0, 0]) => self.kind_q == PASS || [high, low] == [0, 0],
            (4..=6, _) => false,
            _ => true,
        }
    }

    fn enabled(&self, i: &Inputs) -> bool {
        match self.kind_q {
            ARRIVAL => i.cfg_barriers >> (self.number_q & 7) & 1 != 0,
            _ => i.cfg_locks >> self.number_q & 1 != 0,
        }
    }

    /// The word is the last that matters of a message of the engine.
    fn takes(&self, i: &Inputs) -> bool {
        let full = self.wr_q ^ self.rd_q == 4;
        let good = self.mine_q && self.good_q && self.word_good(i);
        good && i.s_we && i.s_index == 6 && self.enabled(i) && !full
    }

    /// Nothing goes on until a message arrives.
    #[inline]
    pub(super) fn rests(&self) -> bool {
        self.wr_q == self.rd_q
    }

    /// Just before the edge.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the parts of a message")]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let hit = self.kind(i).is_some();
        let begins = i.s_we && i.s_index == 0;
        let room = if begins { !hit || !i.m_full } else { !self.mine_q || self.room_q };
        let message = self.queue[usize::from(self.rd_q & 3)];
        let kind = (message >> 52) as u8;
        let some = self.wr_q != self.rd_q;
        let kept = self.mine_q && self.taken_q;
        let refused = self.mine_q && !self.room_q;
        Outputs {
            s_full: self.full(i),
            m_we: i.s_we && room,
            m_index: i.s_index,
            m_data: i.s_data,
            m_commit: i.s_commit && !kept && !refused,
            l_msg_valid: some && kind != ARRIVAL,
            b_msg_valid: some && kind == ARRIVAL,
            msg_kind: kind,
            msg_number: (message >> 48) as u8 & 15,
            msg_source: (message >> 40) as u8,
            msg_node: (message >> 32) as u8,
            msg_tag: (message >> 16) as u16,
            msg_epoch: message as u16,
            ev_mail_full: i.s_commit && refused && !kept,
        }
    }

    /// The edge.
    pub fn clock(&mut self, i: &Inputs) {
        if self.parameters.engine_node_w() == 0 {
            return self.unpack(&[0; Self::WORDS]);
        }
        let o = self.outputs(i);
        let takes = self.takes(i);
        let good = self.word_good(i);
        let [b0, b1, b2, b3] = i.s_data.to_le_bytes();
        if takes {
            let epoch = u16::from_be_bytes([b0, b1]);
            self.queue[usize::from(self.wr_q & 3)] = u64::from(self.kind_q) << 52
                | u64::from(self.number_q) << 48
                | u64::from(self.source_q) << 40
                | u64::from(self.node_q) << 32
                | u64::from(self.tag_q) << 16
                | u64::from(epoch);
        }
        let popped = o.l_msg_valid && i.l_msg_ready || o.b_msg_valid && i.b_msg_ready;
        self.wr_q = (self.wr_q + u8::from(takes)) & 7;
        self.rd_q = (self.rd_q + u8::from(popped)) & 7;
        if i.s_we {
            self.good_q &= good;
            match i.s_index {
                0 => {
                    (self.mine_q, self.room_q) = (self.kind(i).is_some(), !i.m_full);
                    (self.good_q, self.taken_q) = (self.takes_part(b2), false);
                    self.kind_q = Self::code(i.s_c_st);
                    self.node_q = b2;
                }
                2 => self.source_q = b2,
                4 => {
                    self.number_q = b1 & 15;
                    self.tag_q = u16::from_be_bytes([b2, b3]);
                }
                5 if self.kind_q != ARRIVAL => self.number_q = b3 & 15,
                6 => self.taken_q = takes,
                _ => {}
            }
        }
        if i.rst {
            (self.mine_q, self.taken_q, self.wr_q, self.rd_q) = (false, false, 0, 0);
        }
    }

    /// `kind_q` follows from C.ST alone.
    fn code(c_st: u8) -> u8 {
        if c_st == Signal::BarrierRingArrival.c_st() {
            ARRIVAL
        } else if c_st == Signal::LockQueuePass.c_st() {
            PASS
        } else {
            REQUEST
        }
    }
}
