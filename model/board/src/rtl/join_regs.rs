// SPDX-License-Identifier: MIT OR Apache-2.0
//! `join_regs`: the host's registers of a board that can join, and the filling of its replica (JOIN-4, JOIN-6).

use super::state::{ports, state};
use awgstar_frame::{
    contract::{
        JoinCommand, JoinInterrupt,
        board::{self, JOIN_REGISTERS, Register},
        fsm,
    },
    quantity::ByteAddress,
};

/// No access.
pub const IDLE: u8 = fsm::code("join_regs", "idle");
/// The bytes of a word that are known are read.
pub const LOOK: u8 = fsm::code("join_regs", "look");
/// The others are filled.
pub const FILL: u8 = fsm::code("join_regs", "fill");
/// The answer.
pub const ANSWER: u8 = fsm::code("join_regs", "answer");

/// Number of events.
pub const EVENTS: usize = JoinInterrupt::ALL.len();

ports! {
    /// Inputs of `join_regs`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// The host accesses a register.
        reg_valid: bool = 1,
        /// The access is a write.
        reg_write: bool = 1,
        /// Byte address, lower bits.
        reg_addr: u16 = 11,
        /// Word to write.
        reg_wdata: u32 = 32,
        /// Bytes to write.
        reg_wstrb: u8 = 4,
        /// Data of the host has not returned good.
        data_pending: bool = 1,
        /// The replica is whole.
        whole: bool = 1,
        /// The board joins.
        joining: bool = 1,
        /// Data of all sources counts.
        settled: bool = 1,
        /// A fence is to return.
        busy: bool = 1,
        /// The last fence has returned good.
        fenced: bool = 1,
        /// New data waits for our answer.
        held: bool = 1,
        /// Boards that have answered.
        heard: u16 = 9,
        /// Source of the last fence of another board.
        peer: u8 = 8,
        /// Lanes of the word at `fill_addr` that are known, of the cycle before.
        known: u8 = 4,
        /// The ring writes in this cycle.
        writing: bool = 1,
        ev_fenced: bool = 1,
        ev_here: bool = 1,
        ev_peer: bool = 1,
    }
}

ports! {
    /// Outputs of `join_regs`.
    pub struct Outputs with parameters {
        /// The access is answered.
        reg_done: bool = 1,
        /// The access was not allowed.
        reg_error: bool = 1,
        /// Word read.
        reg_rdata: u32 = 32,
        cmd_begin: bool = 1,
        /// The number of its fence.
        cmd_number: u8 = 8,
        cmd_again: bool = 1,
        cmd_settle: bool = 1,
        cmd_whole: bool = 1,
        /// Word that is filled next.
        fill_addr: u32 = parameters.mem_addr_w(),
        /// Lanes filled.
        fill_we: u8 = 4,
        /// Word to fill them from.
        fill_wdata: u32 = 32,
        irq: bool = 1,
    }
}

state! {
    /// Registers of `join_regs`.
    pub struct JoinRegs("join_regs", Inputs, Outputs) with parameters {
        registers {
            state_q: u8 = 2,
            /// Word that is filled next.
            fill_q: u32 = parameters.mem_addr_w(),
            /// `JOIN_IRQ_STATUS`.
            status_q: u8 = EVENTS,
            /// `JOIN_IRQ_ENABLE`.
            mask_q: u8 = EVENTS,
            /// `irq`.
            irq_q: bool = 1,
            /// The access was allowed.
            ok_q: bool = 1,
            /// Word address of the access.
            sel_q: u16 = 9,
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the events")]
const fn events(value: u32) -> u8 {
    value as u8 & ((1 << EVENTS) - 1)
}

/// The register at a byte address of the lower half of the registers.
fn register(addr: u16) -> Option<&'static Register> {
    let addr = ByteAddress(addr.into()).aligned();
    JOIN_REGISTERS.iter().find(|r| r.offset == addr)
}

impl JoinRegs {
    #[inline]
    fn on(&self) -> bool {
        self.parameters.join() != 0
    }

    /// An access of the host to this address is one to a register of this module.
    #[inline]
    pub(crate) fn answers(&self, addr: u32) -> bool {
        self.on() && addr >> 10 == 1
    }

    /// What the register takes.
    fn may_write(&self, register: &Register, i: &Inputs) -> bool {
        let w = i.reg_wdata;
        match *register {
            board::JOIN_COMMAND => {
                match JoinCommand::ALL.iter().find(|c| u32::from(c.code()) == w & !0xff00) {
                    _ if i.busy => false,
                    Some(JoinCommand::Begin) => !i.data_pending,
                    Some(JoinCommand::Again | JoinCommand::Settle) => i.joining,
                    Some(JoinCommand::Whole) => true,
                    None => false,
                }
            }
            board::FILL_ADDR => w >> (self.parameters.mem_addr_w() + 2) == 0 && w.is_multiple_of(4),
            board::FILL_DATA => i.joining,
            _ => true,
        }
    }

    fn allowed(&self, i: &Inputs) -> bool {
        let Some(register) = register(i.reg_addr) else { return false };
        if i.reg_write {
            let whole = register.access.writes() && i.reg_wstrb == 0b1111;
            whole && self.may_write(register, i)
        } else {
            register.access.reads()
        }
    }

    /// The write that acts in this cycle.
    fn act(&self, i: &Inputs) -> Option<&'static Register> {
        let acts = self.state_q == IDLE && self.on() && i.reg_valid && i.reg_write;
        if acts && self.allowed(i) { register(i.reg_addr) } else { None }
    }

    fn commands(&self, i: &Inputs, command: JoinCommand) -> bool {
        i.reg_wdata & 3 == u32::from(command.code()) && self.act(i) == Some(&board::JOIN_COMMAND)
    }

    #[inline]
    pub(super) fn rests(&self) -> bool {
        self.state_q == IDLE && self.irq_q == (self.status_q & self.mask_q != 0)
    }

    /// Just before the edge.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let answer = self.state_q == ANSWER;
        let fill = self.state_q == FILL && !i.writing;
        Outputs {
            reg_done: answer,
            reg_error: answer && !self.ok_q,
            reg_rdata: if answer && self.ok_q { self.read(i) } else { 0 },
            cmd_begin: self.commands(i, JoinCommand::Begin),
            cmd_number: i.reg_wdata.to_le_bytes()[1],
            cmd_again: self.commands(i, JoinCommand::Again),
            cmd_settle: self.commands(i, JoinCommand::Settle),
            cmd_whole: self.commands(i, JoinCommand::Whole),
            fill_addr: self.fill_q,
            fill_we: if fill { !i.known & 15 } else { 0 },
            fill_wdata: i.reg_wdata,
            irq: self.irq_q,
        }
    }

    /// The register at `sel_q`.
    fn read(&self, i: &Inputs) -> u32 {
        match register(self.sel_q << 2) {
            Some(&board::JOIN_STATUS) => {
                u32::from(i.whole)
                    | u32::from(i.joining) << 1
                    | u32::from(i.settled) << 2
                    | u32::from(i.busy) << 3
                    | u32::from(i.fenced) << 4
                    | u32::from(i.held) << 5
                    | u32::from(i.heard) << 8
                    | u32::from(i.peer) << 24
            }
            Some(&board::FILL_ADDR) => self.fill_q << 2,
            Some(&board::JOIN_IRQ_STATUS) => self.status_q.into(),
            Some(&board::JOIN_IRQ_ENABLE) => self.mask_q.into(),
            _ => 0,
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let mask = self.mask_q;
        match self.act(i) {
            Some(&board::JOIN_IRQ_STATUS) => self.status_q &= !events(i.reg_wdata),
            Some(&board::JOIN_IRQ_ENABLE) => self.mask_q = events(i.reg_wdata),
            Some(&board::FILL_ADDR) => self.fill_q = i.reg_wdata >> 2,
            _ => {}
        }
        self.status_q |= u8::from(i.ev_fenced) << JoinInterrupt::Fenced.code()
            | u8::from(i.ev_here) << JoinInterrupt::Here.code()
            | u8::from(i.ev_peer) << JoinInterrupt::Peer.code();
        self.irq_q = self.status_q & mask != 0;
        match self.state_q {
            IDLE if self.on() && i.reg_valid => {
                self.ok_q = self.allowed(i);
                self.sel_q = i.reg_addr >> 2;
                let fills = i.reg_write && self.ok_q;
                let fills = fills && register(i.reg_addr) == Some(&board::FILL_DATA);
                self.state_q = if fills { LOOK } else { ANSWER };
            }
            // What is known is a cycle old: two cycles without a write of the ring.
            LOOK if !i.writing => self.state_q = FILL,
            FILL if i.writing => self.state_q = LOOK,
            FILL => {
                self.fill_q = (self.fill_q + 1) & ((1 << self.parameters.mem_addr_w()) - 1);
                self.state_q = ANSWER;
            }
            ANSWER => self.state_q = IDLE,
            _ => {}
        }
        if i.rst || !self.on() {
            (self.state_q, self.fill_q) = (IDLE, 0);
            (self.status_q, self.mask_q, self.irq_q) = (0, 0, false);
        }
    }
}
