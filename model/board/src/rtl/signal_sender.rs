// SPDX-License-Identifier: MIT OR Apache-2.0
//! `signal_sender`: sends the signals of the host and of the engine one at a time, and repeats each
//! until it has returned (SND-1 to SND-4, ENG-8).

use super::{
    data_window::{LIMIT, TIMER_MASK, reached},
    frame_tx::keep_of,
    state::{ports, state},
};
use crate::rtl::bundle::Stream;
use awgstar_frame::contract::{Hdr, HeaderWire, Order, SIGNAL_HDR_BITS, Token, fsm};

/// No signal at hand.
pub const IDLE: u8 = fsm::code("signal_sender", "idle");
/// A signal waits for its order.
pub const WAIT: u8 = fsm::code("signal_sender", "wait");
/// The header is offered.
pub const OFFER: u8 = fsm::code("signal_sender", "offer");
/// The payload is given.
pub const STREAM: u8 = fsm::code("signal_sender", "stream");
/// The signal has not returned yet.
pub const FLIGHT: u8 = fsm::code("signal_sender", "flight");

const HEADER_W: usize = 36;
const SENT: u8 = Order::Sent.code();
const CONFIRMED: u8 = Order::Confirmed.code();

ports! {
    /// Inputs of `signal_sender`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// Signals may be sent.
        enable: bool = 1,
        /// Cycles after which a frame that has not returned is retransmitted.
        cfg_timeout: u32 = 24,
        /// A word of Data of the signal being written.
        word_we: bool = 1,
        /// Index of the word of Data, 0 to 11.
        word_index: u8 = 4,
        word_data: u32 = 32,
        /// The signal is complete; only when not `full`.
        push: bool = 1,
        /// Order of the signal relative to earlier data.
        push_order: u8 = 2,
        /// TOKEN of the signal.
        push_token: u8 = 3,
        /// C.ST of the signal.
        push_c_st: u8 = 5,
        /// Node_ID of the signal.
        push_node_id: u8 = 8,
        /// Multi_G of the signal.
        push_multi_g: u8 = 4,
        /// Number of bytes of Data of the signal, 0 to 46.
        push_len: u8 = 6,
        /// Number of the first data frame after the signal.
        push_mark: u8 = 8,
        /// The engine has a signal, until it has returned.
        e_valid: bool = 1,
        /// Order of the engine's signal relative to earlier data.
        e_order: u8 = 2,
        /// Number of the first data frame after the engine's signal.
        e_mark: u8 = 8,
        /// C.ST of the engine's signal.
        e_c_st: u8 = 5,
        /// Node_ID of the engine's signal.
        e_node_id: u8 = 8,
        /// Data of the engine's signal, byte 0 in the lowest bits.
        e_data: u128 = 80,
        /// `base` of `data_window`.
        data_base: u8 = 8,
        /// `next` of `data_window`.
        data_next: u8 = 8,
        /// The header is taken.
        m_hdr_ready: bool = 1,
        /// The beat is taken.
        m_axis_tready: bool = 1,
        /// An own frame has returned.
        ret_valid: bool = 1,
        /// The returned frame is good.
        ret_good: bool = 1,
        /// TOKEN of the returned frame.
        ret_token: u8 = 3,
        /// C.ST of the returned frame.
        ret_c_st: u8 = 5,
        /// Packet_Cnt of the returned frame.
        ret_packet_cnt: u8 = 8,
    }
}

ports! {
    /// Outputs of `signal_sender`.
    pub struct Outputs {
        /// No room for another signal of the host.
        full: bool = 1,
        /// A signal of the host waits or is under way.
        pending: bool = 1,
        /// The engine's signal has returned good.
        e_done: bool = 1,
        /// A signal to send.
        m_hdr_valid: bool = 1,
        /// Header of the signal, from TOKEN on.
        m_hdr: Hdr = SIGNAL_HDR_BITS,
        /// A beat of the stream.
        m_axis: Stream = 0 => stream,
        /// A signal of the host has returned good.
        ev_done: bool = 1,
        /// A signal is retransmitted.
        ev_resend: bool = 1,
        /// 8 timeouts in a row: nothing returns (ACK-6).
        stalled: bool = 1,
        /// The returned frame is the one that was expected.
        ret_hit: bool = 1,
        /// Data is so far ahead of the signal at hand that it must wait: 8 bits of a number would
        /// not tell ahead from behind any more.
        hold: bool = 1,
    }
}

state! {
    /// Registers and memories of `signal_sender`.
    pub struct SignalSender("signal_sender", Inputs, Outputs) with parameters {
        registers {
            state_q: u8 = 3,
            /// Signals pushed.
            wr_q: u8 = parameters.signal_w() + 1,
            /// Signals done.
            rd_q: u8 = parameters.signal_w() + 1,
            /// The signal at hand, or the last one, is the engine's.
            engine_q: bool = 1,
            /// Number of the signal at hand.
            number_q: u32 = 31,
            /// Order of the signal at hand.
            order_q: u8 = 2,
            /// Number of the first data frame after the signal at hand.
            mark_q: u8 = 8,
            /// TOKEN of the signal at hand.
            token_q: u8 = 3,
            /// C.ST of the signal at hand.
            c_st_q: u8 = 5,
            /// Node_ID of the signal at hand.
            node_id_q: u8 = 8,
            /// Multi_G of the signal at hand.
            multi_g_q: u8 = 4,
            /// Number of bytes of Data of the signal at hand, 0 to 46.
            len_q: u8 = 6,
            /// Index of the word of Data being sent.
            index_q: u8 = 4,
            /// Word of Data at `index_q`.
            word_q: u32 = 32,
            /// Cycles in flight.
            timer_q: u32 = 24,
            /// Timeouts since the last signal returned, 8 at most.
            retries_q: u8 = 4,
        }
        buffers {
            /// Word i of signal n at {n, i}.
            mem: [u32; 16 << parameters.signal_w()] = 32 => U32,
            /// `{order, mark, token, c_st, node_id, multi_g, len}`.
            headers: [u64; 1 << parameters.signal_w()] = HEADER_W => U64,
        }
    }
}

/// Index in `mem` of word `index` of signal `number`.
fn at(number: u8, index: u8) -> usize {
    usize::from(number) << 4 | usize::from(index & 15)
}

/// Bytes of Data of a signal of the engine.
const ENGINE_LEN: u8 = 10;

/// Data is so far ahead of a signal that it must wait.
#[inline]
const fn is_ahead(frame: u8, mark: u8) -> bool {
    frame.wrapping_sub(mark) >> 6 == 1
}

/// Result of a cycle in state `flight`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flight {
    Goes,
    Done,
    /// Before its data: it does not count.
    Early,
    Again,
    Timeout,
}

impl SignalSender {
    /// Signals that can wait.
    #[inline]
    fn full(&self) -> u8 {
        1 << self.parameters.signal_w()
    }

    /// Ones in the bits of a number of a signal in the queue.
    #[inline]
    fn mask(&self) -> u8 {
        2 * self.full() - 1
    }

    #[inline]
    fn settled(&self, i: &Inputs) -> bool {
        reached(i.data_base, self.mark_q)
    }

    /// SND-2
    #[inline]
    pub(super) fn go(&self, i: &Inputs) -> bool {
        match self.order_q {
            SENT => reached(i.data_next, self.mark_q),
            CONFIRMED => self.settled(i),
            _ => self.order_q == Order::None.code(),
        }
    }

    #[inline]
    fn is_last(&self) -> bool {
        self.index_q == ((self.len_q + 3) >> 2).wrapping_sub(1) & 15
    }

    /// The return that is waited for.
    #[inline]
    fn ret(&self, i: &Inputs) -> bool {
        i.ret_valid
            && i.ret_good
            && i.ret_token == self.token_q
            && i.ret_c_st == self.c_st_q
            && i.ret_packet_cnt == self.number_q.to_le_bytes()[0]
    }

    fn flight(&self, i: &Inputs) -> Flight {
        if self.ret(i) {
            // SND-3
            if self.order_q != SENT || self.settled(i) { Flight::Done } else { Flight::Early }
        } else if i.ret_valid && !i.ret_good {
            Flight::Again
        } else if self.timer_q >= i.cfg_timeout {
            Flight::Timeout
        } else {
            Flight::Goes
        }
    }

    /// Data waits for a signal; the one that is not at hand may be the older one.
    #[inline]
    fn hold(&self, i: &Inputs) -> bool {
        let at_hand = self.state_q != IDLE;
        at_hand && is_ahead(i.data_next, self.mark_q)
            || at_hand
                && self.engine_q
                && self.wr_q != self.rd_q
                && is_ahead(i.data_next, self.head_mark())
            || i.e_valid && is_ahead(i.data_next, i.e_mark)
    }

    /// Mark of the host's next signal.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a part of a header")]
    fn head_mark(&self) -> u8 {
        (self.headers.at(self.rd_q) >> 26) as u8
    }

    /// The word of the engine's Data at `index_q`.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a word of Data")]
    fn engine_word(&self, i: &Inputs) -> u32 {
        (i.e_data >> (32 * u32::from(self.index_q & 3).min(2))) as u32
    }

    /// The engine's signal is the next (ENG-8).
    #[inline]
    fn engine_turn(&self, i: &Inputs) -> bool {
        i.e_valid && !(self.wr_q != self.rd_q && self.engine_q)
    }

    /// SND-3, SND-4
    #[inline]
    fn header(&self) -> Hdr {
        let number = (self.number_q >> 8) << 8;
        let header = HeaderWire {
            token: self.token_q,
            c_st: self.c_st_q,
            node_id: self.node_id_q,
            multi_g: self.multi_g_q,
            packet_cnt: self.number_q.to_le_bytes()[0],
            addr: u32::from(self.order_q == SENT) << 31 | number | u32::from(self.mark_q),
            ..HeaderWire::default()
        };
        Hdr::new(&header, self.len_q.into())
    }

    /// Just before the edge. The header depends on registers only, the payload on them and `e_data`.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let in_flight = self.state_q == FLIGHT;
        let flight = if in_flight { self.flight(i) } else { Flight::Goes };
        let last = self.is_last();
        Outputs {
            full: self.wr_q.wrapping_sub(self.rd_q) & self.mask() == self.full(),
            pending: self.wr_q != self.rd_q,
            m_hdr_valid: self.state_q == OFFER,
            m_hdr: self.header(),
            m_axis: Stream {
                tdata: if self.engine_q { self.engine_word(i) } else { self.word_q },
                tkeep: if last { keep_of(self.len_q) } else { 0b1111 },
                tvalid: self.state_q == STREAM,
                tlast: last,
            },
            e_done: flight == Flight::Done && self.engine_q,
            ev_done: flight == Flight::Done && !self.engine_q,
            ev_resend: matches!(flight, Flight::Early | Flight::Again | Flight::Timeout),
            stalled: self.retries_q == LIMIT,
            ret_hit: in_flight && self.ret(i),
            hold: self.hold(i),
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let rd = self.rd_q;
        match self.state_q {
            IDLE if i.enable && self.engine_turn(i) => self.load_engine(i),
            IDLE if i.enable && self.wr_q != self.rd_q => self.load(),
            WAIT => {
                (self.index_q, self.timer_q) = (0, 0);
                if self.go(i) {
                    self.state_q = OFFER;
                }
            }
            OFFER if i.m_hdr_ready => {
                self.state_q = if self.len_q == 0 { FLIGHT } else { STREAM };
            }
            STREAM if i.m_axis_tready => {
                if self.is_last() {
                    self.state_q = FLIGHT;
                }
                self.index_q = (self.index_q + 1) & 15;
            }
            FLIGHT => self.fly(i),
            _ => {}
        }
        // Before the write, so that the word is the one the memory held.
        self.word_q = self.mem.at(at(rd, self.index_q));
        self.fill(i);
        if i.rst {
            self.reset();
        }
    }

    /// The signal at `rd_q` becomes the one at hand.
    #[expect(clippy::cast_possible_truncation, reason = "the parts of a header")]
    fn load(&mut self) {
        let header = self.headers.at(self.rd_q);
        self.order_q = (header >> 34) as u8 & 3;
        self.mark_q = (header >> 26) as u8;
        self.token_q = (header >> 23) as u8 & 7;
        self.c_st_q = (header >> 18) as u8 & 31;
        self.node_id_q = (header >> 10) as u8;
        self.multi_g_q = (header >> 6) as u8 & 15;
        self.len_q = header as u8 & 63;
        self.engine_q = false;
        self.timer_q = 0;
        self.state_q = WAIT;
    }

    /// The engine's signal becomes the one at hand.
    fn load_engine(&mut self, i: &Inputs) {
        (self.order_q, self.mark_q) = (i.e_order, i.e_mark);
        (self.token_q, self.c_st_q) = (Token::Broadcast.code(), i.e_c_st);
        (self.node_id_q, self.multi_g_q, self.len_q) = (i.e_node_id, 0, ENGINE_LEN);
        self.engine_q = true;
        self.timer_q = 0;
        self.state_q = WAIT;
        if i.e_order == Order::None.code() {
            (self.index_q, self.state_q) = (0, OFFER);
        }
    }

    fn fly(&mut self, i: &Inputs) {
        let flight = self.flight(i);
        self.timer_q = (self.timer_q + 1) & TIMER_MASK;
        match flight {
            Flight::Goes => {}
            Flight::Early => {
                self.order_q = CONFIRMED;
                self.state_q = WAIT;
            }
            Flight::Again => self.state_q = WAIT,
            Flight::Timeout => {
                if self.retries_q != LIMIT {
                    self.retries_q = (self.retries_q + 1) & 15;
                }
                self.state_q = WAIT;
            }
            Flight::Done => {
                if !self.engine_q {
                    self.rd_q = (self.rd_q + 1) & self.mask();
                }
                self.number_q = (self.number_q + 1) & 0x7fff_ffff;
                self.retries_q = 0;
                self.state_q = IDLE;
            }
        }
    }

    /// Words and headers from the host.
    #[inline]
    fn fill(&mut self, i: &Inputs) {
        if i.word_we {
            *self.mem.at_mut(at(self.wr_q, i.word_index)) = i.word_data;
        }
        if i.push {
            *self.headers.at_mut(self.wr_q) = u64::from(i.push_order) << 34
                | u64::from(i.push_mark) << 26
                | u64::from(i.push_token) << 23
                | u64::from(i.push_c_st) << 18
                | u64::from(i.push_node_id) << 10
                | u64::from(i.push_multi_g) << 6
                | u64::from(i.push_len);
            self.wr_q = (self.wr_q + 1) & self.mask();
        }
    }

    fn reset(&mut self) {
        (self.state_q, self.engine_q) = (IDLE, false);
        (self.wr_q, self.rd_q, self.number_q) = (0, 0, 0);
        (self.timer_q, self.retries_q) = (0, 0);
    }
}
