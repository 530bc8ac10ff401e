// SPDX-License-Identifier: MIT OR Apache-2.0
//! `axi4_port`: AXI4 bursts become requests of the board, one beat a cycle (AXI-1 to AXI-6).

use super::state::{ports, state};
use crate::rtl::bundle::{Axi4Answer, Axi4Request};

ports! {
    /// Inputs of `axi4_port`.
    pub struct Inputs with parameters {
        /// Synchronous reset.
        rst: bool = 1,
        /// What the host drives.
        s_axi: Axi4Request = parameters.axi_id_w() => axi4_request,
        /// The request is answered.
        rsp_valid: bool = 1,
        /// The request was refused.
        rsp_error: bool = 1,
        /// Read data of a register.
        rsp_rdata: u32 = 32,
        /// Word of the shared memory at the address of the cycle before.
        mem_rdata: u32 = 32,
    }
}

ports! {
    /// Outputs of `axi4_port`.
    pub struct Outputs with parameters {
        /// What the host gets.
        s_axi: Axi4Answer = parameters.axi_id_w() => axi4_answer,
        req_valid: bool = 1,
        /// The request is a write; otherwise a read.
        req_write: bool = 1,
        /// Byte address of the request.
        req_addr: u32 = 32,
        /// Write data of the request.
        req_wdata: u32 = 32,
        /// Byte lanes to write.
        req_wstrb: u8 = 4,
        /// The memory reads a word for the port.
        mem_read: bool = 1,
        /// Address of the word.
        mem_addr: u32 = parameters.mem_addr_w(),
    }
}

state! {
    /// Registers of `axi4_port`.
    pub struct Axi4Port("axi4_port", Inputs, Outputs) with parameters {
        registers {
            /// A burst is written.
            aw_valid_q: bool = 1,
            aw_id_q: u16 = parameters.axi_id_w(),
            /// Byte address of its next beat.
            aw_addr_q: u32 = 32,
            /// Bytes of a beat: 2^n.
            aw_size_q: u8 = 2,
            /// The port takes it.
            aw_ok_q: bool = 1,
            /// A burst waits behind it.
            aw_next_valid_q: bool = 1,
            /// ID of the next burst.
            aw_next_id_q: u16 = parameters.axi_id_w(),
            /// Byte address of the next burst.
            aw_next_addr_q: u32 = 32,
            /// Bytes of a beat of the next burst: 2^n.
            aw_next_size_q: u8 = 2,
            /// The port takes the next burst.
            aw_next_ok_q: bool = 1,
            /// There is a beat to write.
            w_valid_q: bool = 1,
            /// Data of the beat.
            w_data_q: u32 = 32,
            /// Byte lanes of the beat.
            w_strb_q: u8 = 4,
            /// The beat ends its burst.
            w_last_q: bool = 1,
            /// A beat waits behind it.
            w_next_valid_q: bool = 1,
            /// Data of the next beat.
            w_next_data_q: u32 = 32,
            /// Byte lanes of the next beat.
            w_next_strb_q: u8 = 4,
            /// The next beat ends its burst.
            w_next_last_q: bool = 1,
            /// There is an answer to a write.
            b_valid_q: bool = 1,
            /// ID of the answer.
            b_id_q: u16 = parameters.axi_id_w(),
            /// The answer is SLVERR.
            b_error_q: bool = 1,
            /// An answer waits behind it.
            b_next_valid_q: bool = 1,
            /// ID of the next answer.
            b_next_id_q: u16 = parameters.axi_id_w(),
            /// The next answer is SLVERR.
            b_next_error_q: bool = 1,
            /// A burst is read.
            ar_valid_q: bool = 1,
            ar_id_q: u16 = parameters.axi_id_w(),
            /// Byte address of its next beat.
            ar_addr_q: u32 = 32,
            /// Beats behind that.
            ar_left_q: u8 = 8,
            /// Bytes of a beat: 2^n.
            ar_size_q: u8 = 2,
            /// The port takes it.
            ar_ok_q: bool = 1,
            /// A burst waits behind it.
            ar_next_valid_q: bool = 1,
            /// ID of the next burst.
            ar_next_id_q: u16 = parameters.axi_id_w(),
            /// Byte address of the next burst.
            ar_next_addr_q: u32 = 32,
            /// Beats of the next burst, less one.
            ar_next_left_q: u8 = 8,
            /// Bytes of a beat of the next burst: 2^n.
            ar_next_size_q: u8 = 2,
            /// The port takes the next burst.
            ar_next_ok_q: bool = 1,
            /// The memory gives the word of a beat in this cycle.
            word_valid_q: bool = 1,
            /// ID of that beat.
            word_id_q: u16 = parameters.axi_id_w(),
            /// That beat ends its burst.
            word_last_q: bool = 1,
            /// That beat is refused.
            word_error_q: bool = 1,
            /// A beat was read that the master has not taken.
            r_valid_q: bool = 1,
            r_id_q: u16 = parameters.axi_id_w(),
            r_data_q: u32 = 32,
            /// It ends its burst.
            r_last_q: bool = 1,
            /// It is refused.
            r_error_q: bool = 1,
            /// A beat waits behind it.
            r_next_valid_q: bool = 1,
            /// ID of the next beat.
            r_next_id_q: u16 = parameters.axi_id_w(),
            /// Data of the next beat.
            r_next_data_q: u32 = 32,
            /// The next beat ends its burst.
            r_next_last_q: bool = 1,
            /// The next beat is refused.
            r_next_error_q: bool = 1,
            /// A beat of the burst that is written was refused.
            failed_q: bool = 1,
            /// The last beat was of a write: one of a read goes first.
            write_q: bool = 1,
            /// The write of the cycle before was not answered.
            hold_q: bool = 1,
            /// A register is read.
            reg_q: bool = 1,
        }
    }
}

/// FIXED burst.
const FIXED: u8 = 0;
/// INCR burst.
const INCR: u8 = 1;

/// The port takes such a burst (AXI-3).
const fn taken(addr: u32, len: u8, size: u8, burst: u8) -> bool {
    let size = size & 7;
    size <= 2
        && match burst & 3 {
            INCR => (addr & 0xfff) + ((len as u32) << size) < 0x1000,
            FIXED => len == 0,
            _ => false,
        }
}

/// Address of the beat after that of `addr`, inside its 4 KiB (AXI-2).
const fn following(addr: u32, size: u8) -> u32 {
    let step = 1 << size;
    addr & !0xfff | ((addr & 0xfff & !(step - 1)) + step) & 0xfff
}

/// What the port does in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beat {
    /// Nothing.
    Idle,
    /// A request to write.
    Write,
    /// A beat of a write is dropped (AXI-3, AXI-4).
    Drop,
    /// The address of a word, or of a beat that is refused.
    Word,
    /// A register is to be read from the next cycle on.
    Launch,
    /// A request to read a register.
    Register,
}

impl Axi4Port {
    /// The beat of this cycle, which depends on registers only.
    fn beat(&self) -> Beat {
        if self.reg_q {
            return Beat::Register;
        }
        let can_write =
            self.aw_valid_q && self.w_valid_q && !(self.w_last_q && self.b_next_valid_q);
        let full = self.r_next_valid_q || (self.word_valid_q && self.r_valid_q);
        let can_read = self.ar_valid_q && !full;
        if self.hold_q || (can_write && !(can_read && self.write_q)) {
            if self.aw_ok_q && !self.failed_q { Beat::Write } else { Beat::Drop }
        } else if !can_read {
            Beat::Idle
        } else if self.ar_ok_q && self.ar_addr_q >> 31 == 0 {
            Beat::Launch
        } else {
            Beat::Word
        }
    }

    /// No burst is under way, and no edge changes a register before one begins.
    pub(crate) fn is_idle(&self) -> bool {
        let busy = self.aw_valid_q
            || self.w_valid_q
            || self.b_valid_q
            || self.ar_valid_q
            || self.word_valid_q
            || self.r_valid_q
            || self.reg_q
            || self.hold_q;
        let next = self.word_error_q != (self.ar_ok_q && self.in_range());
        !busy && next && self.word_id_q == self.ar_id_q && !self.word_last_q
    }

    fn in_range(&self) -> bool {
        (self.ar_addr_q & 0x7fff_ffff) >> (self.parameters.mem_addr_w() + 2) == 0
    }

    /// Just before the edge. The request depends on registers only.
    #[must_use]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let beat = self.beat();
        let read = beat == Beat::Register;
        let mut o = Outputs {
            s_axi: Axi4Answer {
                awready: !self.aw_next_valid_q,
                wready: !self.w_next_valid_q,
                bid: self.b_id_q,
                bresp: u8::from(self.b_error_q) << 1,
                bvalid: self.b_valid_q,
                arready: !self.ar_next_valid_q,
                rid: self.word_id_q,
                rdata: i.mem_rdata,
                rresp: u8::from(self.word_error_q) << 1,
                rlast: self.word_last_q,
                rvalid: self.r_valid_q || self.word_valid_q,
            },
            req_valid: read || beat == Beat::Write,
            req_write: !read,
            req_addr: if read { self.ar_addr_q } else { self.aw_addr_q },
            req_wdata: self.w_data_q,
            req_wstrb: self.w_strb_q,
            mem_read: beat == Beat::Word,
            mem_addr: self.ar_addr_q >> 2 & ((1 << self.parameters.mem_addr_w()) - 1),
        };
        if self.r_valid_q {
            (o.s_axi.rid, o.s_axi.rdata) = (self.r_id_q, self.r_data_q);
            (o.s_axi.rresp, o.s_axi.rlast) = (u8::from(self.r_error_q) << 1, self.r_last_q);
        }
        o
    }

    /// The clock edge.
    pub fn clock(&mut self, i: &Inputs) {
        let beat = self.beat();
        let refused = !self.aw_ok_q || self.failed_q || i.rsp_error;
        let written = beat == Beat::Drop || (beat == Beat::Write && i.rsp_valid);
        let word = beat == Beat::Word;
        let answer = beat == Beat::Register && i.rsp_valid;

        // What goes out, with the registers as they were.
        let end = written && self.w_last_q;
        let last = self.ar_left_q == 0;
        let arrives = if self.word_valid_q {
            let at_once = !self.r_valid_q && i.s_axi.rready;
            let beat = (self.word_id_q, i.mem_rdata, self.word_last_q, self.word_error_q);
            (!at_once, beat)
        } else {
            (answer, (self.ar_id_q, i.rsp_rdata, answer && last, i.rsp_error))
        };
        self.take_read_beat(i, arrives);
        self.word_valid_q = word;
        (self.word_id_q, self.word_last_q) = (self.ar_id_q, word && last);
        self.word_error_q = !(self.ar_ok_q && self.in_range());
        self.answer_write(i, end, refused);

        // What comes in.
        if written {
            self.failed_q = !self.w_last_q && refused;
        }
        match beat {
            Beat::Write | Beat::Drop => self.write_q = true,
            Beat::Word | Beat::Launch => self.write_q = false,
            Beat::Idle | Beat::Register => {}
        }
        self.hold_q = beat == Beat::Write && !i.rsp_valid;
        self.reg_q = beat == Beat::Launch || (beat == Beat::Register && !i.rsp_valid);
        self.take_write_burst(i, written);
        self.take_write_beat(i, written);
        self.take_read_burst(i, word || answer);
        if i.rst {
            self.reset();
        }
    }

    fn reset(&mut self) {
        (self.aw_valid_q, self.aw_next_valid_q) = (false, false);
        (self.w_valid_q, self.w_next_valid_q) = (false, false);
        (self.b_valid_q, self.b_next_valid_q) = (false, false);
        (self.ar_valid_q, self.ar_next_valid_q) = (false, false);
        (self.r_valid_q, self.r_next_valid_q) = (false, false);
        (self.word_valid_q, self.word_last_q) = (false, false);
        (self.failed_q, self.write_q) = (false, false);
        (self.hold_q, self.reg_q) = (false, false);
    }

    /// A beat that was read (`arrives.0`: there is one) is kept until the master takes it.
    fn take_read_beat(&mut self, i: &Inputs, arrives: (bool, (u16, u32, bool, bool))) {
        let (valid, beat) = arrives;
        let behind = self.r_valid_q && !i.s_axi.rready;
        if !behind {
            if self.r_next_valid_q {
                (self.r_id_q, self.r_data_q) = (self.r_next_id_q, self.r_next_data_q);
                (self.r_last_q, self.r_error_q) = (self.r_next_last_q, self.r_next_error_q);
            } else {
                self.r_valid_q = valid;
                (self.r_id_q, self.r_data_q, self.r_last_q, self.r_error_q) = beat;
            }
            self.r_next_valid_q = false;
        } else if valid {
            self.r_next_valid_q = true;
            (self.r_next_id_q, self.r_next_data_q, self.r_next_last_q, self.r_next_error_q) = beat;
        }
    }

    /// The end of a write burst is answered.
    fn answer_write(&mut self, i: &Inputs, end: bool, refused: bool) {
        let beat = (self.aw_id_q, refused);
        if !self.b_valid_q || i.s_axi.bready {
            if self.b_next_valid_q {
                (self.b_id_q, self.b_error_q) = (self.b_next_id_q, self.b_next_error_q);
            } else {
                self.b_valid_q = end;
                (self.b_id_q, self.b_error_q) = beat;
            }
            self.b_next_valid_q = false;
        } else if end {
            self.b_next_valid_q = true;
            (self.b_next_id_q, self.b_next_error_q) = beat;
        }
    }

    fn take_write_burst(&mut self, i: &Inputs, written: bool) {
        let take = i.s_axi.awvalid && !self.aw_next_valid_q;
        let ok = taken(i.s_axi.awaddr, i.s_axi.awlen, i.s_axi.awsize, i.s_axi.awburst);
        if !self.aw_valid_q || (written && self.w_last_q) {
            if self.aw_next_valid_q {
                (self.aw_id_q, self.aw_addr_q) = (self.aw_next_id_q, self.aw_next_addr_q);
                (self.aw_size_q, self.aw_ok_q) = (self.aw_next_size_q, self.aw_next_ok_q);
            } else {
                self.aw_valid_q = take;
                (self.aw_id_q, self.aw_addr_q) = (i.s_axi.awid, i.s_axi.awaddr);
                (self.aw_size_q, self.aw_ok_q) = (i.s_axi.awsize & 3, ok);
            }
            self.aw_next_valid_q = false;
            return;
        }
        if written {
            self.aw_addr_q = following(self.aw_addr_q, self.aw_size_q);
        }
        if take {
            self.aw_next_valid_q = true;
            (self.aw_next_id_q, self.aw_next_addr_q) = (i.s_axi.awid, i.s_axi.awaddr);
            (self.aw_next_size_q, self.aw_next_ok_q) = (i.s_axi.awsize & 3, ok);
        }
    }

    fn take_write_beat(&mut self, i: &Inputs, written: bool) {
        let take = i.s_axi.wvalid && !self.w_next_valid_q;
        let beat = (i.s_axi.wdata, i.s_axi.wstrb, i.s_axi.wlast);
        if !self.w_valid_q || written {
            if self.w_next_valid_q {
                (self.w_data_q, self.w_strb_q, self.w_last_q) =
                    (self.w_next_data_q, self.w_next_strb_q, self.w_next_last_q);
            } else {
                self.w_valid_q = take;
                (self.w_data_q, self.w_strb_q, self.w_last_q) = beat;
            }
            self.w_next_valid_q = false;
        } else if take {
            self.w_next_valid_q = true;
            (self.w_next_data_q, self.w_next_strb_q, self.w_next_last_q) = beat;
        }
    }

    fn take_read_burst(&mut self, i: &Inputs, read: bool) {
        let take = i.s_axi.arvalid && !self.ar_next_valid_q;
        let ok = taken(i.s_axi.araddr, i.s_axi.arlen, i.s_axi.arsize, i.s_axi.arburst);
        if !self.ar_valid_q || (read && self.ar_left_q == 0) {
            if self.ar_next_valid_q {
                (self.ar_id_q, self.ar_addr_q) = (self.ar_next_id_q, self.ar_next_addr_q);
                (self.ar_size_q, self.ar_ok_q) = (self.ar_next_size_q, self.ar_next_ok_q);
                self.ar_left_q = self.ar_next_left_q;
            } else {
                self.ar_valid_q = take;
                (self.ar_id_q, self.ar_addr_q) = (i.s_axi.arid, i.s_axi.araddr);
                (self.ar_size_q, self.ar_ok_q) = (i.s_axi.arsize & 3, ok);
                self.ar_left_q = i.s_axi.arlen;
            }
            self.ar_next_valid_q = false;
            return;
        }
        if read {
            self.ar_addr_q = following(self.ar_addr_q, self.ar_size_q);
            self.ar_left_q -= 1;
        }
        if take {
            self.ar_next_valid_q = true;
            (self.ar_next_id_q, self.ar_next_addr_q) = (i.s_axi.arid, i.s_axi.araddr);
            (self.ar_next_size_q, self.ar_next_ok_q) = (i.s_axi.arsize & 3, ok);
            self.ar_next_left_q = i.s_axi.arlen;
        }
    }
}
