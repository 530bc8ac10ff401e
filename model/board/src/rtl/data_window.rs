// SPDX-License-Identifier: MIT OR Apache-2.0
//! `data_window`: retransmit buffer for closed data frames until they have returned good
//! (ACK-1 to ACK-6, JOIN-2).

use super::{
    frame_tx::keep_of,
    state::{ports, state},
};
use crate::rtl::bundle::Stream;
use awgstar_frame::contract::{DATA_HDR_BITS, Hdr, HeaderWire, Token, board::RETRY_LIMIT, fsm};

/// No frame under way to the node.
pub const IDLE: u8 = fsm::code("data_window", "idle");
/// The first word is being read.
pub const LOAD: u8 = fsm::code("data_window", "load");
/// The header is offered.
pub const OFFER: u8 = fsm::code("data_window", "offer");
/// The payload is given.
pub const STREAM: u8 = fsm::code("data_window", "stream");

const HEADER_W: usize = 47;
const SIZE_W: usize = 9;
#[expect(clippy::cast_possible_truncation, reason = "8")]
pub(super) const LIMIT: u8 = RETRY_LIMIT as u8;
pub(super) const TIMER_MASK: u32 = 0x00ff_ffff;

ports! {
    /// Inputs of `data_window`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// Frames may be sent.
        enable: bool = 1,
        /// Nothing goes out that has not gone out before (JOIN-2).
        fence: bool = 1,
        /// Cycles after which a frame that has not returned is retransmitted.
        cfg_timeout: u32 = 24,
        /// A word of the open frame.
        word_valid: bool = 1,
        word_data: u32 = 32,
        /// The open frame ends.
        close_valid: bool = 1,
        /// Byte address of the first byte of the closed frame.
        close_addr: u32 = 32,
        /// Number of bytes in the closed frame.
        close_len: u16 = 11,
        /// Act_Seq of the closed frame.
        close_seq: u8 = 4,
        /// The node takes the header.
        m_hdr_ready: bool = 1,
        /// The node takes the beat.
        m_axis_tready: bool = 1,
        /// An own frame has returned.
        ret_valid: bool = 1,
        /// The returned frame is good.
        ret_good: bool = 1,
        /// TOKEN of the returned frame.
        ret_token: u8 = 3,
        /// Packet_Cnt of the returned frame.
        ret_packet_cnt: u8 = 8,
    }
}

ports! {
    /// Outputs of `data_window`.
    pub struct Outputs with parameters {
        word_room: bool = 1,
        frame_room: bool = 1,
        /// A frame to send.
        m_hdr_valid: bool = 1,
        /// Header of the frame, from Act_Seq on.
        m_hdr: Hdr = DATA_HDR_BITS,
        /// A beat of the stream.
        m_axis: Stream = 0 => stream,
        /// Number of the next frame to be acknowledged.
        base: u8 = 8,
        /// The next frame to be sent.
        next: u8 = 8,
        /// The next frame to be closed.
        tail: u8 = 8,
        /// The first that has never been sent.
        fresh: u8 = 8,
        /// All that was sent has returned good.
        drained: bool = 1,
        /// Words that can be written without waiting.
        words_free: u16 = parameters.tx_addr_w() + 1,
        /// The cycle of a rewind.
        rewound: bool = 1,
        /// 8 timeouts in a row: nothing returns (ACK-6).
        stalled: bool = 1,
        ev_timeout: bool = 1,
        /// The returned frame is the one that was expected.
        ret_hit: bool = 1,
    }
}

state! {
    /// Registers and memories of `data_window`.
    pub struct DataWindow("data_window", Inputs, Outputs) with parameters {
        registers {
            state_q: u8 = 2,
            /// Next word written.
            wr_q: u16 = parameters.tx_addr_w() + 1,
            /// First word still needed.
            free_q: u16 = parameters.tx_addr_w() + 1,
            /// Next word sent.
            rd_q: u16 = parameters.tx_addr_w() + 1,
            /// Number of the next frame to be closed.
            tail_q: u8 = 8,
            /// Number of the next frame to be acknowledged.
            base_q: u8 = 8,
            /// Number of the next frame to be sent.
            next_q: u8 = 8,
            /// Number of the first frame that has never been sent.
            fresh_q: u8 = 8,
            /// Go back before the next frame.
            rewind_q: bool = 1,
            /// The window went back, and frame `base` has not returned since.
            recover_q: bool = 1,
            /// Cycles since the last progress.
            timer_q: u32 = 24,
            /// Timeouts since the last acknowledgement, 8 at most.
            retries_q: u8 = 4,
            /// First byte of the frame being sent.
            addr_q: u32 = 32,
            /// Number of bytes of the frame being sent.
            len_q: u16 = 11,
            /// Act_Seq of the frame being sent.
            seq_q: u8 = 4,
            /// Words of the frame being sent that the node has not taken yet.
            left_q: u16 = SIZE_W,
            /// No word of the store is free.
            words_full_q: bool = 1,
            /// No header of the store is free.
            frames_full_q: bool = 1,
            /// The word at `rd_q`.
            word_q: u32 = 32,
        }
        buffers {
            /// Words.
            mem: [u32; 1 << parameters.tx_addr_w()] = 32 => U32,
            /// `{addr, len, seq}` of frame n, at n modulo the frames it holds.
            headers: [u64; 1 << parameters.tx_frame_w()] = HEADER_W => U64,
            /// Words of frame n.
            sizes: [u16; 1 << parameters.tx_frame_w()] = SIZE_W => U16,
        }
    }
}

/// Words of `len` bytes.
#[inline]
pub(super) const fn words(len: u16) -> u16 {
    (len + 3) >> 2
}

/// `a` is at or after `b`, modulo 256.
#[inline]
pub(super) const fn reached(a: u8, b: u8) -> bool {
    a.wrapping_sub(b) & 0x80 == 0
}

/// Meaning of a returned frame, or of the absence of one, in a cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Verdict {
    hit: bool,
    expire: bool,
    /// Something is lost: go back.
    lost: bool,
}

impl DataWindow {
    /// Returns true while frames have been sent that have not returned.
    #[inline]
    fn outstanding(&self) -> bool {
        self.base_q != self.next_q
    }

    /// Words in the store.
    #[inline]
    fn used(&self) -> u16 {
        self.wr_q.wrapping_sub(self.free_q) & self.mem.pointer_mask()
    }

    /// Headers in the store.
    #[inline]
    fn frames(&self) -> u16 {
        self.tail_q.wrapping_sub(self.base_q).into()
    }

    /// ACK-3, ACK-4
    #[inline]
    fn judge(&self, i: &Inputs) -> Verdict {
        if self.base_q == self.tail_q {
            return Verdict::default();
        }
        let outstanding = self.outstanding();
        let ret = i.ret_valid && outstanding;
        let ours = ret && i.ret_good && i.ret_token == Token::Data.code();
        let hit = ours && i.ret_packet_cnt == self.base_q;
        let ahead = ours && !hit && reached(i.ret_packet_cnt, self.base_q);
        let bad = ret && !i.ret_good;
        // Timeouts count while anything waits, sent or not: else a board that gets no token would
        // never say that it is stalled (ACK-6).
        let expire = !hit && self.timer_q >= i.cfg_timeout;
        let lost = if expire { outstanding } else { (ahead || bad) && !self.recover_q };
        Verdict { hit, expire, lost }
    }

    /// Just before the edge. All but `ev_timeout` and `ret_hit` depends on registers only.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let verdict = self.judge(i);
        let last = self.left_q == 1;
        let used = self.used();
        Outputs {
            word_room: !self.words_full_q,
            frame_room: !self.frames_full_q,
            m_hdr_valid: self.state_q == OFFER,
            m_hdr: Hdr::new(
                &HeaderWire {
                    act_seq: self.seq_q,
                    packet_cnt: self.next_q,
                    addr: self.addr_q,
                    ..HeaderWire::default()
                },
                self.len_q,
            ),
            m_axis: Stream {
                tdata: self.word_q,
                tkeep: if last { keep_of(self.len_q.to_le_bytes()[0]) } else { 0b1111 },
                tvalid: self.state_q == STREAM,
                tlast: last,
            },
            base: self.base_q,
            next: self.next_q,
            tail: self.tail_q,
            fresh: self.fresh_q,
            drained: self.state_q == IDLE && self.base_q == self.fresh_q,
            words_free: self.mem.full().wrapping_sub(used) & self.mem.pointer_mask(),
            rewound: self.state_q == IDLE && self.rewind_q,
            stalled: self.retries_q == LIMIT,
            ev_timeout: verdict.expire,
            ret_hit: verdict.hit,
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let verdict = self.judge(i);
        let counts = self.base_q != self.tail_q;
        // Nothing comes while there is no room, and an acknowledged frame makes room for what comes.
        self.words_full_q = !verdict.hit
            && if i.word_valid { self.used() + 1 == self.mem.full() } else { self.words_full_q };
        self.frames_full_q = !verdict.hit
            && if i.close_valid {
                self.frames() + 1 == self.headers.full()
            } else {
                self.frames_full_q
            };
        if verdict.hit {
            self.free_q =
                self.free_q.wrapping_add(self.sizes.at(self.base_q)) & self.mem.pointer_mask();
            self.base_q = self.base_q.wrapping_add(1);
            (self.recover_q, self.retries_q) = (false, 0);
        }
        let first = self.base_q == self.next_q && !verdict.hit;
        let restart = self.advance(i, first);
        self.timer_q = if !counts || verdict.hit || verdict.expire || restart {
            0
        } else {
            (self.timer_q + 1) & TIMER_MASK
        };
        if verdict.expire && self.retries_q != LIMIT {
            self.retries_q = (self.retries_q + 1) & 15;
        }
        if verdict.lost {
            (self.rewind_q, self.recover_q) = (true, true);
        }
        // Before the write, so that the word is the one the memory held.
        self.word_q = self.mem.at(self.rd_q);
        self.fill(i);
        if i.rst {
            self.reset();
        }
    }

    /// A frame waits that may go out; after a fence, one that has gone out before.
    #[inline]
    pub(super) fn may_send(&self, enable: bool, fence: bool) -> bool {
        enable && self.next_q != self.tail_q && !(fence && self.next_q == self.fresh_q)
    }

    /// The frame on its way to the node. Says whether the timer starts anew: on a rewind, and when
    /// the `first` of the frames that wait has been given to the node.
    #[inline]
    fn advance(&mut self, i: &Inputs, first: bool) -> bool {
        match self.state_q {
            IDLE if self.rewind_q => {
                (self.next_q, self.rd_q) = (self.base_q, self.free_q);
                self.rewind_q = false;
                return true;
            }
            IDLE if self.may_send(i.enable, i.fence) => self.load(),
            LOAD => self.state_q = OFFER,
            OFFER if i.m_hdr_ready => self.state_q = STREAM,
            STREAM if i.m_axis_tready => {
                self.rd_q = self.rd_q.wrapping_add(1) & self.mem.pointer_mask();
                self.left_q = self.left_q.wrapping_sub(1) & ((1 << SIZE_W) - 1);
                if self.left_q == 0 {
                    let sent = self.next_q.wrapping_add(1);
                    if self.next_q == self.fresh_q {
                        self.fresh_q = sent;
                    }
                    self.next_q = sent;
                    self.state_q = IDLE;
                    return first;
                }
            }
            _ => {}
        }
        false
    }

    #[expect(clippy::cast_possible_truncation, reason = "the parts of a header")]
    fn load(&mut self) {
        let header = self.headers.at(self.next_q);
        self.addr_q = (header >> 15) as u32;
        self.len_q = (header >> 4) as u16 & 0x7ff;
        self.seq_q = header as u8 & 15;
        self.left_q = words(self.len_q) & ((1 << SIZE_W) - 1);
        self.state_q = LOAD;
    }

    /// Words and headers from the combiner.
    #[inline]
    fn fill(&mut self, i: &Inputs) {
        if i.word_valid {
            *self.mem.at_mut(self.wr_q) = i.word_data;
            self.wr_q = self.wr_q.wrapping_add(1) & self.mem.pointer_mask();
        }
        if i.close_valid {
            let header = u64::from(i.close_addr) << 15
                | u64::from(i.close_len) << 4
                | u64::from(i.close_seq);
            *self.headers.at_mut(self.tail_q) = header;
            *self.sizes.at_mut(self.tail_q) = words(i.close_len) & ((1 << SIZE_W) - 1);
            self.tail_q = self.tail_q.wrapping_add(1);
        }
    }

    fn reset(&mut self) {
        self.state_q = IDLE;
        (self.wr_q, self.free_q, self.rd_q) = (0, 0, 0);
        (self.tail_q, self.base_q, self.next_q, self.fresh_q) = (0, 0, 0, 0);
        (self.rewind_q, self.recover_q) = (false, false);
        (self.timer_q, self.retries_q) = (0, 0);
        (self.words_full_q, self.frames_full_q) = (false, false);
    }
}
