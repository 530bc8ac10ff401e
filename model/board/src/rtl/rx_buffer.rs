// SPDX-License-Identifier: MIT OR Apache-2.0
//! `rx_buffer`: Data and headers of delivered frames; nothing can be read before its verdict
//! (NODE-17).

use super::state::{ports, state};
use crate::rtl::bundle::Stream;
use awgstar_frame::contract::{HDR_BITS, Hdr};

const BEAT_W: usize = 36;

ports! {
    /// Inputs of `rx_buffer`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// A beat of the stream.
        s_axis: Stream = 0 => stream,
        /// Verdict of `frame_rx`.
        verdict: bool = 1,
        /// The frame is for us.
        deliver: bool = 1,
        /// Header of the frame.
        hdr: Hdr = HDR_BITS,
        /// The header is taken.
        m_hdr_ready: bool = 1,
        /// The beat is taken.
        m_axis_tready: bool = 1,
    }
}

ports! {
    /// Outputs of `rx_buffer`.
    pub struct Outputs {
        /// A delivered frame.
        m_hdr_valid: bool = 1,
        /// Header of the frame.
        m_hdr: Hdr = HDR_BITS,
        /// A beat of the stream.
        m_axis: Stream = 0 => stream,
        /// A frame is delivered.
        ev_delivered: bool = 1,
        /// There was no room for one.
        ev_overflow: bool = 1,
    }
}

state! {
    /// Registers and memories of `rx_buffer`.
    pub struct RxBuffer("rx_buffer", Inputs, Outputs) with parameters {
        registers {
            /// Address of the next beat.
            wr_ptr_q: u16 = parameters.rx_addr_w() + 1,
            /// End of what may be read.
            commit_ptr_q: u16 = parameters.rx_addr_w() + 1,
            /// The next beat to be read.
            rd_ptr_q: u16 = parameters.rx_addr_w() + 1,
            /// A beat of the frame under way found no room.
            lost_q: bool = 1,
            /// Beat at the read pointer: `{tdata, tkeep}`.
            head_q: u64 = BEAT_W,
            /// `tlast` of that beat.
            last_q: bool = 1,
            /// `tlast` of the beat after it.
            next_last_q: bool = 1,
            /// Headers written.
            hdr_wr_q: u16 = parameters.rx_header_addr_w() + 1,
            hdr_rd_q: u16 = parameters.rx_header_addr_w() + 1,
            /// Header at the read pointer, MAC on top.
            hdr_head_q: u128 = HDR_BITS,
        }
        buffers {
            /// Beats: `{tdata, tkeep}`.
            mem: [u64; 1 << parameters.rx_addr_w()] = BEAT_W => U64,
            /// `tlast` of the beats.
            last_mem: [u8; 1 << parameters.rx_addr_w()] = 1 => U8,
            /// Headers.
            hdr_mem: [u128; 1 << parameters.rx_header_addr_w()] = HDR_BITS => U128,
        }
    }
}

impl RxBuffer {
    #[inline]
    fn room(&self) -> bool {
        self.wr_ptr_q.wrapping_sub(self.rd_ptr_q) & self.mem.pointer_mask() != self.mem.full()
    }

    /// NODE-17: `ev_delivered` and `ev_overflow`.
    #[inline]
    pub(super) fn verdict(&self, verdict: bool, deliver: bool, beat: bool) -> (bool, bool) {
        if !(verdict && deliver) {
            return (false, false);
        }
        let lost = self.lost_q || (beat && !self.room());
        let headers = self.hdr_wr_q.wrapping_sub(self.hdr_rd_q) & self.hdr_mem.pointer_mask();
        let accept = !lost && headers != self.hdr_mem.full();
        (accept, !accept)
    }

    /// A beat can be read.
    #[inline]
    pub(crate) fn has_beat(&self) -> bool {
        self.rd_ptr_q != self.commit_ptr_q
    }

    /// Data of the beat at the read pointer.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a word and 4 bits")]
    pub(crate) fn data(&self) -> u32 {
        (self.head_q >> 4) as u32
    }

    /// A header can be read.
    #[inline]
    pub(crate) fn has_header(&self) -> bool {
        self.hdr_rd_q != self.hdr_wr_q
    }

    /// Without a beat and a verdict an edge changes nothing.
    pub(super) fn at_rest(&self) -> bool {
        !self.has_beat()
            && !self.has_header()
            && self.head_q == self.mem.at(self.rd_ptr_q)
            && u8::from(self.next_last_q) == self.last_mem.at(self.rd_ptr_q.wrapping_add(1))
            && self.hdr_head_q == self.hdr_mem.at(self.hdr_rd_q)
    }

    /// Just before the edge.
    #[must_use]
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the parts of a word")]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let (ev_delivered, ev_overflow) = self.verdict(i.verdict, i.deliver, i.s_axis.tvalid);
        Outputs {
            m_hdr_valid: self.has_header(),
            m_hdr: Hdr(self.hdr_head_q),
            m_axis: Stream {
                tdata: self.data(),
                tkeep: self.head_q as u8 & 15,
                tvalid: self.has_beat(),
                tlast: self.last_q,
            },
            ev_delivered,
            ev_overflow,
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        self.edge(i, |i| i.hdr.0);
    }

    /// The clock edge, with a header that is made only when it is written.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the hot loop")]
    pub(super) fn edge(&mut self, i: &Inputs, header: impl FnOnce(&Inputs) -> u128) {
        let pop = i.m_axis_tready && self.has_beat();
        let rd_ptr_d = self.rd_ptr_q.wrapping_add(pop.into()) & self.mem.pointer_mask();
        let hdr_rd_d = self.hdr_rd_q.wrapping_add((i.m_hdr_ready && self.has_header()).into())
            & self.hdr_mem.pointer_mask();
        let (accept, _) = self.verdict(i.verdict, i.deliver, i.s_axis.tvalid);

        if pop {
            self.last_q = self.next_last_q;
        }
        if i.s_axis.tvalid {
            if self.room() {
                let beat = u64::from(i.s_axis.tdata) << 4 | u64::from(i.s_axis.tkeep);
                self.write(beat, i.s_axis.tlast, rd_ptr_d);
            } else {
                self.lost_q = true;
            }
        }
        if i.verdict {
            if accept {
                *self.hdr_mem.at_mut(self.hdr_wr_q) = header(i);
                self.hdr_wr_q = self.hdr_wr_q.wrapping_add(1) & self.hdr_mem.pointer_mask();
                self.commit_ptr_q = self.wr_ptr_q;
            }
            self.wr_ptr_q = self.commit_ptr_q;
            self.lost_q = false;
        }
        // After the writes, so that a word written to the head's place is seen there.
        self.read(rd_ptr_d);
        self.hdr_head_q = self.hdr_mem.at(hdr_rd_d);
        (self.rd_ptr_q, self.hdr_rd_q) = (rd_ptr_d, hdr_rd_d);
        if i.rst {
            (self.wr_ptr_q, self.commit_ptr_q, self.rd_ptr_q) = (0, 0, 0);
            (self.hdr_wr_q, self.hdr_rd_q, self.lost_q) = (0, 0, false);
        }
    }

    /// Writes a beat while the head is the beat at `rd_ptr_d` after the edge.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the hot loop")]
    fn write(&mut self, beat: u64, last: bool, rd_ptr_d: u16) {
        *self.mem.at_mut(self.wr_ptr_q) = beat;
        *self.last_mem.at_mut(self.wr_ptr_q) = last.into();
        if (self.wr_ptr_q ^ rd_ptr_d) & (self.mem.full() - 1) == 0 {
            self.last_q = last;
        }
        self.wr_ptr_q = self.wr_ptr_q.wrapping_add(1) & self.mem.pointer_mask();
    }

    /// What the memories give after an edge that leaves the read pointer at `rd_ptr_d`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the hot loop")]
    fn read(&mut self, rd_ptr_d: u16) {
        self.head_q = self.mem.at(rd_ptr_d);
        self.next_last_q = self.last_mem.at(rd_ptr_d.wrapping_add(1)) != 0;
    }

    /// The clock edge out of reset without a verdict, when the heads are those of the memories, as
    /// they are after any edge.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the hot loop")]
    pub(super) fn stream(&mut self, beat: Option<(u64, bool)>, hdr_ready: bool, ready: bool) {
        let pop = ready && self.has_beat();
        self.rd_ptr_q = self.rd_ptr_q.wrapping_add(pop.into()) & self.mem.pointer_mask();
        if pop {
            self.last_q = self.next_last_q;
        }
        if let Some((beat, last)) = beat {
            // Against the read pointer before the edge.
            let rd_ptr = self.rd_ptr_q.wrapping_sub(u16::from(pop));
            if self.wr_ptr_q.wrapping_sub(rd_ptr) & self.mem.pointer_mask() == self.mem.full() {
                self.lost_q = true;
            } else {
                self.write(beat, last, self.rd_ptr_q);
            }
        }
        self.read(self.rd_ptr_q);
        if hdr_ready && self.has_header() {
            self.hdr_rd_q = self.hdr_rd_q.wrapping_add(1) & self.hdr_mem.pointer_mask();
            self.hdr_head_q = self.hdr_mem.at(self.hdr_rd_q);
        }
    }
}
