// SPDX-License-Identifier: MIT OR Apache-2.0
//! `engine_regs`: the host's registers of the lock and barrier engine (ENG-7).

use super::state::{ports, state};
use awgstar_frame::contract::{
    EngineInterrupt, Order,
    board::{self, Access, ENGINE_REGISTERS, Register},
    fsm,
};
use awgstar_frame::quantity::ByteAddress;

/// No access.
pub const IDLE: u8 = fsm::code("engine_regs", "idle");
pub const COMMAND: u8 = fsm::code("engine_regs", "command");
pub const ANSWER: u8 = fsm::code("engine_regs", "answer");
/// Number of interrupts.
pub const EVENTS: usize = EngineInterrupt::ALL.len();
const EVENT_MASK: u8 = (1 << EVENTS) - 1;
/// Byte address of the first register of the engine.
pub const BASE: ByteAddress = board::ENGINE_STATUS.offset;
const M24: u32 = 0x00ff_ffff;

ports! {
    /// Inputs of `engine_regs`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// The host accesses a register of the engine.
        reg_valid: bool = 1,
        /// The access is a write.
        reg_write: bool = 1,
        /// Byte address, lower bits.
        reg_addr: u16 = 11,
        /// Word to write.
        reg_wdata: u32 = 32,
        /// Bytes to write.
        reg_wstrb: u8 = 4,
        /// CONTROL.enable.
        enable: bool = 1,
        /// The engine's memories are cleared.
        ready: bool = 1,
        /// The command for the lock engine is done.
        lock_done: bool = 1,
        /// It was refused.
        lock_error: bool = 1,
        /// The command for the barrier engine is done.
        arrive_done: bool = 1,
        /// It was refused.
        arrive_error: bool = 1,
        /// Locks that the process has.
        held: u16 = 16,
        /// Locks that the process waits for.
        asking: u16 = 16,
        /// Locks that the board owns.
        owned: u16 = 16,
        /// Barriers at which the process waits.
        waiting: u8 = 8,
        /// The process has got a lock.
        ev_acquired: bool = 1,
        /// The process may pass a barrier.
        ev_passed: bool = 1,
    }
}

ports! {
    /// Outputs of `engine_regs`.
    pub struct Outputs {
        /// The access is answered.
        reg_done: bool = 1,
        /// The access was not allowed.
        reg_error: bool = 1,
        /// Word read.
        reg_rdata: u32 = 32,
        /// Locks that the engine serves.
        cfg_locks: u16 = 16,
        /// Barriers that the engine serves.
        cfg_barriers: u8 = 8,
        /// Locks that the board owns at the start.
        cfg_first: u16 = 16,
        /// Order of lock rights passed on.
        cfg_pass_order: u8 = 2,
        cfg_arrival_order: u8 = 2,
        /// A period of the retry timer has ended.
        tick: bool = 1,
        /// A word of a barrier's members is written.
        member_we: bool = 1,
        /// Barrier and word.
        member_addr: u8 = 6,
        /// The word.
        member_data: u32 = 32,
        /// A command for the lock engine, until it is done.
        lock_valid: bool = 1,
        /// It gives the lock back; else it asks for it.
        lock_release: bool = 1,
        lock_number: u8 = 4,
        /// An arrival for the barrier engine, until it is done.
        arrive_valid: bool = 1,
        /// Its barrier.
        arrive_number: u8 = 3,
        irq: bool = 1,
    }
}

state! {
    /// Registers of `engine_regs`.
    pub struct EngineRegs("engine_regs", Inputs, Outputs) with parameters {
        registers {
            state_q: u8 = 2,
            /// `LOCK_ENABLE`.
            locks_q: u16 = 16,
            /// `BARRIER_ENABLE`.
            barriers_q: u8 = 8,
            /// `LOCK_FIRST`.
            first_q: u16 = 16,
            /// `ENGINE_ORDER`.
            order_q: u8 = 4,
            /// `ENGINE_RETRY`.
            retry_q: u32 = 24,
            /// Cycles since the last tick.
            timer_q: u32 = 24,
            /// `ENGINE_IRQ_STATUS`.
            status_q: u8 = EVENTS,
            /// `ENGINE_IRQ_ENABLE`.
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

/// The register at a byte address relative to [`BASE`].
fn register(addr: u16) -> Option<&'static Register> {
    let addr = (BASE + u32::from(addr)).aligned();
    ENGINE_REGISTERS.iter().find(|r| (r.offset..r.offset + 4 * r.count).contains(&addr))
}

#[expect(clippy::cast_possible_truncation, reason = "the lowest byte")]
const fn byte(value: u32) -> u8 {
    value as u8
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
const fn half(value: u32) -> u16 {
    value as u16
}

const fn is_order(code: u8) -> bool {
    code <= Order::Confirmed.code()
}

impl EngineRegs {
    #[inline]
    fn on(&self) -> bool {
        self.parameters.engine_node_w() != 0
    }

    fn allowed(&self, i: &Inputs) -> bool {
        let Some(register) = register(i.reg_addr) else { return false };
        if !i.reg_write {
            return register.access.reads();
        }
        let w = i.reg_wdata;
        let serves = i.enable && i.ready;
        let may = match *register {
            board::LOCK_ACQUIRE | board::LOCK_RELEASE => {
                serves && w < 16 && self.locks_q >> w & 1 != 0
            }
            board::BARRIER_ARRIVE => serves && w < 8 && self.barriers_q >> w & 1 != 0,
            board::ENGINE_ORDER => is_order(byte(w) & 3) && is_order(byte(w) >> 2 & 3),
            board::BARRIER_MEMBERS => !i.enable && i.ready,
            _ => register.access != Access::Config || !i.enable,
        };
        may && register.access.writes() && i.reg_wstrb == 0b1111
    }

    /// The write that acts in this cycle.
    fn act(&self, i: &Inputs) -> Option<&'static Register> {
        let acts = self.state_q == IDLE && self.on() && i.reg_valid && i.reg_write;
        if acts && self.allowed(i) { register(i.reg_addr) } else { None }
    }

    /// Nothing but the timer goes on.
    #[inline]
    pub(super) fn rests(&self) -> bool {
        self.state_q == IDLE && self.irq_q == (self.status_q & self.mask_q != 0)
    }

    /// Just before the edge.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let answer = self.state_q == ANSWER;
        let act = self.act(i);
        let waits = self.state_q == COMMAND || act.is_some_and(is_command);
        let members = act.is_some_and(|r| *r == board::BARRIER_MEMBERS);
        let lock = is_lock(i);
        Outputs {
            reg_done: answer,
            reg_error: answer && !self.ok_q,
            reg_rdata: if answer && self.ok_q { self.read(i) } else { 0 },
            cfg_locks: self.locks_q,
            cfg_barriers: self.barriers_q,
            cfg_first: self.first_q,
            cfg_pass_order: self.order_q & 3,
            cfg_arrival_order: self.order_q >> 2,
            tick: self.on() && self.timer_q == self.retry_q,
            member_we: members,
            member_addr: byte((i.reg_addr >> 2).into()) & 63,
            member_data: i.reg_wdata,
            lock_valid: waits && lock,
            lock_release: register(i.reg_addr) == Some(&board::LOCK_RELEASE),
            lock_number: byte(i.reg_wdata) & 15,
            arrive_valid: waits && !lock,
            arrive_number: byte(i.reg_wdata) & 7,
            irq: self.irq_q,
        }
    }

    /// The register at `sel_q`.
    fn read(&self, i: &Inputs) -> u32 {
        let Some(register) = register(self.sel_q << 2) else { return 0 };
        match *register {
            #[expect(clippy::cast_possible_truncation, reason = "8 at most")]
            board::ENGINE_STATUS => {
                u32::from(i.ready) | (self.parameters.engine_node_w() as u32) << 8
            }
            board::LOCK_ENABLE => self.locks_q.into(),
            board::BARRIER_ENABLE => self.barriers_q.into(),
            board::LOCK_FIRST => self.first_q.into(),
            board::ENGINE_ORDER => self.order_q.into(),
            board::ENGINE_RETRY => self.retry_q,
            board::ENGINE_IRQ_STATUS => self.status_q.into(),
            board::ENGINE_IRQ_ENABLE => self.mask_q.into(),
            board::LOCK_HELD => i.held.into(),
            board::LOCK_ASKING => i.asking.into(),
            board::LOCK_OWNED => i.owned.into(),
            board::BARRIER_WAITING => i.waiting.into(),
            _ => 0,
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let mask = self.mask_q;
        self.timer_q = if self.on() && self.timer_q < self.retry_q { self.timer_q + 1 } else { 0 };
        let mut cleared = 0;
        match self.state_q {
            IDLE if self.on() && i.reg_valid => {
                let acts = self.act(i);
                self.ok_q = self.allowed(i);
                self.sel_q = i.reg_addr >> 2 & 0x1ff;
                self.state_q = if acts.is_some_and(is_command) { COMMAND } else { ANSWER };
                if let Some(register) = acts {
                    if *register == board::ENGINE_IRQ_STATUS {
                        cleared = byte(i.reg_wdata);
                    }
                    self.write(register, i.reg_wdata);
                }
            }
            COMMAND => {
                let (done, error) = if is_lock(i) {
                    (i.lock_done, i.lock_error)
                } else {
                    (i.arrive_done, i.arrive_error)
                };
                if done {
                    (self.state_q, self.ok_q) = (ANSWER, !error);
                }
            }
            IDLE => {}
            _ => self.state_q = IDLE,
        }
        if self.on() {
            let events = u8::from(i.ev_acquired) << EngineInterrupt::Lock.code()
                | u8::from(i.ev_passed) << EngineInterrupt::Barrier.code();
            self.status_q = (self.status_q & !cleared | events) & EVENT_MASK;
        }
        self.irq_q = self.status_q & mask != 0;
        if i.rst {
            self.reset();
        }
    }

    fn write(&mut self, register: &Register, value: u32) {
        match *register {
            board::LOCK_ENABLE => self.locks_q = half(value),
            board::BARRIER_ENABLE => self.barriers_q = byte(value),
            board::LOCK_FIRST => self.first_q = half(value),
            board::ENGINE_ORDER => self.order_q = byte(value) & 15,
            board::ENGINE_RETRY => self.retry_q = value & M24,
            board::ENGINE_IRQ_ENABLE => self.mask_q = byte(value) & EVENT_MASK,
            _ => {}
        }
    }

    fn reset(&mut self) {
        self.state_q = IDLE;
        (self.locks_q, self.barriers_q, self.first_q) = (0, 0, 0);
        self.order_q = byte(board::ENGINE_ORDER.reset);
        (self.retry_q, self.timer_q) = (board::ENGINE_RETRY.reset, 0);
        (self.status_q, self.mask_q, self.irq_q) = (0, 0, false);
    }
}

/// The access is a command for the lock engine.
fn is_lock(i: &Inputs) -> bool {
    let register = register(i.reg_addr);
    [&board::LOCK_ACQUIRE, &board::LOCK_RELEASE].iter().any(|lock| register == Some(lock))
}

/// A write to it is a command for the engine.
fn is_command(register: &Register) -> bool {
    [board::LOCK_ACQUIRE, board::LOCK_RELEASE, board::BARRIER_ARRIVE].contains(register)
}
