// SPDX-License-Identifier: MIT OR Apache-2.0
//! `host_regs`: the registers of the host port (HST-3, HST-5, HST-7, IRQ-1).

mod ports;

pub use ports::{EVENTS, Inputs, Outputs};

use super::state::state;
use awgstar_frame::contract::{
    Order, Token,
    board::{self, Access, MAC_PREFIX, REGISTERS, Register, SIGNAL_MAX},
    fsm,
};
use awgstar_frame::quantity::ByteAddress;

/// No access, or the cycle in which it acts.
pub const IDLE: u8 = fsm::code("host_regs", "idle");
pub const ANSWER: u8 = fsm::code("host_regs", "answer");
const EVENT_MASK: u16 = (1 << EVENTS) - 1;
const M24: u32 = 0x00ff_ffff;

state! {
    /// Registers of `host_regs`.
    pub struct HostRegs("host_regs", Inputs, Outputs) with parameters {
        registers {
            state_q: u8 = 1,
            /// CONTROL.
            enable_q: bool = 1,
            /// `PREFIX_HIGH` and `PREFIX_LOW`.
            prefix_q: u64 = 40,
            /// `NODE_ID`.
            node_id_q: u8 = 8,
            groups_q: u16 = 16,
            tokens_q: u8 = 8,
            timeout_q: u32 = 24,
            combine_q: u16 = 16,
            period_q: u32 = 24,
            /// `IRQ_STATUS`.
            status_q: u16 = EVENTS,
            /// `IRQ_ENABLE`.
            mask_q: u16 = EVENTS,
            /// `irq`.
            irq_q: bool = 1,
            /// The access was allowed.
            ok_q: bool = 1,
            /// Word address of the request.
            sel_q: u16 = 9,
        }
    }
}

/// The register at a byte address, and which of its row.
fn register(addr: u32) -> Option<(&'static Register, u32)> {
    let addr = ByteAddress(addr).aligned();
    REGISTERS
        .iter()
        .find(|r| (r.offset..r.offset + 4 * r.count).contains(&addr))
        .map(|r| (r, (addr - r.offset) / 4))
}

#[expect(clippy::cast_possible_truncation, reason = "a byte of a register")]
const fn byte(value: u32, bit: u32) -> u8 {
    (value >> bit) as u8
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
const fn half(value: u32) -> u16 {
    value as u16
}

impl HostRegs {
    /// MAC of the board (HST-5).
    #[inline]
    pub(crate) fn mac(&self) -> u64 {
        self.prefix_q << 8 | u64::from(self.node_id_q)
    }

    /// HST-3
    fn allowed(&self, i: &Inputs) -> bool {
        let Some((register, _)) = register(i.reg_addr & 0x7fff_ffff) else {
            return false;
        };
        if !i.reg_write {
            return register.access.reads()
                && (register.offset != board::MAIL_DATA.offset || i.mail_count != 0);
        }
        let now = match register.offset {
            o if o == board::SIGNAL_SEND.offset => !i.signal_full && is_signal(i.reg_wdata),
            // When the queue is full the words would be those of its oldest signal.
            o if o == board::SIGNAL_DATA.offset => !i.signal_full,
            o if o == board::MAIL_POP.offset => i.mail_count != 0,
            _ => register.access != Access::Config || !self.enable_q,
        };
        now && register.access.writes() && i.reg_wstrb == 0b1111
    }

    /// The access acts in this cycle.
    fn act(&self, i: &Inputs) -> Option<(&'static Register, u32)> {
        if self.state_q == IDLE && i.reg_valid && i.reg_write && self.allowed(i) {
            register(i.reg_addr)
        } else {
            None
        }
    }

    /// Just before the edge. What `reg_*` says depends on registers, `mail_data` and the counters.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let w = i.reg_wdata;
        let answer = self.state_q == ANSWER;
        let mut o = Outputs {
            reg_done: answer,
            reg_error: answer && !self.ok_q,
            reg_rdata: if answer && self.ok_q { self.read(i) } else { 0 },
            enable: self.enable_q,
            cfg_mac: self.mac(),
            cfg_groups: self.groups_q,
            cfg_tokens: self.tokens_q,
            cfg_timeout: self.timeout_q,
            cfg_combine: self.combine_q,
            cfg_period: self.period_q,
            word_index: byte(i.reg_addr, 2) & 15,
            word_data: w,
            push_token: byte(w, 0) & 7,
            push_c_st: byte(w, 3) & 31,
            push_node_id: byte(w, 8),
            push_multi_g: byte(w, 16) & 15,
            push_len: byte(w, 20) & 63,
            push_order: byte(w, 26) & 3,
            mail_index: byte(i.reg_addr, 2) & 15,
            count_addr: byte(i.reg_addr, 2) & 31,
            irq: self.irq_q,
            ..Outputs::default()
        };
        if let Some((register, _)) = self.act(i) {
            let at = register.offset;
            o.push = at == board::SIGNAL_SEND.offset;
            o.flush = at == board::FLUSH.offset || (o.push && o.push_order != Order::None.code());
            o.word_we = at == board::SIGNAL_DATA.offset;
            o.mail_pop = at == board::MAIL_POP.offset;
        }
        o
    }

    /// The register at `sel_q`.
    fn read(&self, i: &Inputs) -> u32 {
        let Some((register, index)) = register(u32::from(self.sel_q) << 2) else {
            return 0;
        };
        let flag = |flag: bool, bit: u32| u32::from(flag) << bit;
        match *register {
            board::CONTROL => flag(self.enable_q, 0),
            board::STATUS => {
                flag(i.synced, 0)
                    | flag(i.active, 1)
                    | flag(i.stalled, 2)
                    | flag(i.open || i.base != i.tail, 3)
                    | flag(i.signal_pending, 4)
                    | flag(i.signal_full, 5)
                    | u32::from(i.held) << 8
            }
            #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
            board::PREFIX_LOW => self.prefix_q as u32,
            board::PREFIX_HIGH => u32::from(self.prefix_q.to_le_bytes()[4]),
            board::NODE_ID => self.node_id_q.into(),
            board::GROUPS => self.groups_q.into(),
            board::TOKENS => self.tokens_q.into(),
            board::TIMEOUT => self.timeout_q,
            board::COMBINE => self.combine_q.into(),
            board::PERIOD => self.period_q,
            board::IRQ_STATUS => self.status_q.into(),
            board::IRQ_ENABLE => self.mask_q.into(),
            board::TX_FREE => i.words_free.into(),
            board::FRAMES => u32::from(i.base) | u32::from(i.next) << 8 | u32::from(i.tail) << 16,
            board::MAIL_COUNT => i.mail_count.into(),
            board::MAIL_DATA => i.mail_data,
            board::COUNT => {
                if index < 16 {
                    i.node_count
                } else {
                    i.board_count
                }
            }
            board::MEM_SIZE => 4 << self.parameters.mem_addr_w(),
            // Constants, and registers that are written only.
            _ => register.reset,
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        self.irq_q = self.status_q & self.mask_q != 0;
        let mut cleared = 0;
        if self.state_q == ANSWER {
            self.state_q = IDLE;
        } else if i.reg_valid {
            if let Some((register, _)) = self.act(i) {
                if *register == board::IRQ_STATUS {
                    cleared = half(i.reg_wdata);
                }
                self.write(register, i.reg_wdata);
            }
            self.ok_q = self.allowed(i);
            self.sel_q = half(i.reg_addr >> 2) & 0x1ff;
            self.state_q = ANSWER;
        }
        self.status_q = (self.status_q & !cleared | i.events) & EVENT_MASK; // IRQ-1
        if i.rst {
            self.reset();
        }
    }

    fn write(&mut self, register: &Register, value: u32) {
        match *register {
            board::CONTROL => self.enable_q |= value & 1 != 0,
            board::PREFIX_LOW => {
                self.prefix_q = self.prefix_q >> 32 << 32 | u64::from(value);
            }
            board::PREFIX_HIGH => {
                self.prefix_q = self.prefix_q & 0xffff_ffff | u64::from(byte(value, 0)) << 32;
            }
            board::NODE_ID => self.node_id_q = byte(value, 0),
            board::GROUPS => self.groups_q = half(value),
            board::TOKENS => self.tokens_q = byte(value, 0),
            board::TIMEOUT => self.timeout_q = value & M24,
            board::COMBINE => self.combine_q = half(value),
            board::PERIOD => self.period_q = value & M24,
            board::IRQ_ENABLE => self.mask_q = half(value) & EVENT_MASK,
            _ => {}
        }
    }

    fn reset(&mut self) {
        (self.state_q, self.enable_q) = (IDLE, false);
        (self.prefix_q, self.node_id_q, self.groups_q) = (MAC_PREFIX, 0, 0);
        self.tokens_q = byte(board::TOKENS.reset, 0);
        self.timeout_q = board::TIMEOUT.reset;
        self.combine_q = half(board::COMBINE.reset);
        self.period_q = board::PERIOD.reset;
        (self.status_q, self.mask_q, self.irq_q) = (0, 0, false);
    }
}

/// `SIGNAL_SEND` with this value is a signal.
fn is_signal(value: u32) -> bool {
    let token = Token::from_code(byte(value, 0) & 7);
    matches!(token, Some(Token::P2p | Token::Multicast | Token::Broadcast))
        && byte(value, 26) & 3 <= Order::Confirmed.code()
        && usize::from(byte(value, 20) & 63) <= SIGNAL_MAX
}
