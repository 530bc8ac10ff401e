// SPDX-License-Identifier: MIT OR Apache-2.0
//! `sync_engine`: locks and barriers in the board, without firmware of its host (ENG-1, ENG-4).

use super::{
    BarrierEngine, EngineMux, EngineRegs, EngineRouter, LockEngine, barrier_engine, engine_mux,
    engine_regs, engine_router, lock_engine,
    state::{ports, state},
};

ports! {
    /// Inputs of `sync_engine`.
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
        /// Node_ID of this board.
        cfg_node_id: u8 = 8,
        /// TOKEN of the frame that `rx_sorter` deals with.
        s_token: u8 = 3,
        /// C.ST of that frame.
        s_c_st: u8 = 5,
        /// A word of the message under way.
        s_we: bool = 1,
        /// Index of the word in the message.
        s_index: u8 = 4,
        /// The word.
        s_data: u32 = 32,
        /// The message is complete.
        s_commit: bool = 1,
        /// The mailbox has no room for another message.
        m_full: bool = 1,
        /// Number of the first data frame after a signal that begins now.
        mark: u8 = 8,
        /// The engine's signal has returned good.
        e_done: bool = 1,
    }
}

ports! {
    /// Outputs of `sync_engine`.
    pub struct Outputs {
        /// The access is answered.
        reg_done: bool = 1,
        /// The access was not allowed.
        reg_error: bool = 1,
        /// Word read.
        reg_rdata: u32 = 32,
        /// No room for the message under way.
        s_full: bool = 1,
        /// A word for the mailbox.
        m_we: bool = 1,
        /// Index of the word in the message.
        m_index: u8 = 4,
        /// The word.
        m_data: u32 = 32,
        /// The message is complete.
        m_commit: bool = 1,
        /// A message was dropped because the mailbox was full.
        ev_mail_full: bool = 1,
        /// The data frame under way is closed.
        flush: bool = 1,
        /// A signal for `signal_sender`, until it has returned.
        e_valid: bool = 1,
        /// Order of the signal.
        e_order: u8 = 2,
        /// Number of the first data frame after the signal.
        e_mark: u8 = 8,
        /// C.ST of the signal.
        e_c_st: u8 = 5,
        /// Node_ID of the signal.
        e_node_id: u8 = 8,
        /// Data of the signal.
        e_data: u128 = 80,
        irq: bool = 1,
    }
}

state! {
    /// Instances of `sync_engine`, which has no registers except theirs.
    pub struct SyncEngine("sync_engine", Inputs, Outputs) with parameters {
        children {
            /// Registers of the host, interrupts, retry timer.
            u_regs: EngineRegs,
            /// Messages for the engine out of those for the mailbox.
            u_router: EngineRouter,
            u_lock: LockEngine,
            u_barrier: BarrierEngine,
            /// Signals of both.
            u_mux: EngineMux,
        }
    }
}

/// Inputs and outputs of all instances in one cycle.
struct Wires {
    regs_in: engine_regs::Inputs,
    regs: engine_regs::Outputs,
    router_in: engine_router::Inputs,
    router: engine_router::Outputs,
    lock_in: lock_engine::Inputs,
    barrier_in: barrier_engine::Inputs,
    mux_in: engine_mux::Inputs,
    mux: engine_mux::Outputs,
}

impl SyncEngine {
    /// The board has an engine (ENG-9).
    #[inline]
    fn on(&self) -> bool {
        self.parameters.engine_node_w() != 0
    }

    /// An access of the host to this address is one to a register of the engine.
    #[inline]
    pub(crate) fn answers(&self, addr: u32) -> bool {
        self.on() && addr >> 11 == 1
    }

    /// Data of the signal on offer.
    #[inline]
    pub(crate) fn signal_data(&self) -> u128 {
        if !self.on() {
            return 0;
        }
        if self.u_mux.picks_barrier(self.u_lock.out_valid_q, self.u_barrier.out_valid_q) {
            self.u_barrier.data()
        } else {
            self.u_lock.data()
        }
    }

    #[inline]
    fn ready(&self) -> bool {
        self.on() && self.u_lock.ready() && self.u_barrier.ready()
    }

    /// Output `s_full`, without the others.
    #[inline]
    pub(crate) fn full(&self, i: &Inputs) -> bool {
        if !self.on() {
            return i.m_full;
        }
        self.u_router.full(&engine_router::Inputs {
            ready: self.ready(),
            cfg_locks: self.u_regs.locks_q,
            cfg_barriers: self.u_regs.barriers_q,
            s_token: i.s_token,
            s_c_st: i.s_c_st,
            m_full: i.m_full,
            ..engine_router::Inputs::default()
        })
    }

    /// A signal of the engine is under way or waits.
    #[must_use]
    pub fn sends(&self) -> bool {
        self.on() && (self.offers() || !self.works_off())
    }

    /// A signal is offered to `engine_mux`, or under way.
    fn offers(&self) -> bool {
        self.u_mux.busy_q || self.u_lock.out_valid_q || self.u_barrier.out_valid_q
    }

    /// Nothing is left to be done with messages, commands and timers.
    fn works_off(&self) -> bool {
        self.u_router.rests() && self.u_lock.rests() && self.u_barrier.rests()
    }

    fn wires(&self, i: &Inputs) -> Wires {
        let mut regs_in = engine_regs::Inputs {
            rst: i.rst,
            reg_valid: i.reg_valid,
            reg_write: i.reg_write,
            reg_addr: i.reg_addr,
            reg_wdata: i.reg_wdata,
            reg_wstrb: i.reg_wstrb,
            enable: i.enable,
            ..engine_regs::Inputs::default()
        };
        regs_in.ready = self.ready();
        let regs = self.u_regs.outputs(&regs_in);
        let mut router_in = engine_router::Inputs {
            rst: i.rst,
            ready: regs_in.ready,
            cfg_locks: regs.cfg_locks,
            cfg_barriers: regs.cfg_barriers,
            s_token: i.s_token,
            s_c_st: i.s_c_st,
            s_we: i.s_we,
            s_index: i.s_index,
            s_data: i.s_data,
            s_commit: i.s_commit,
            m_full: i.m_full,
            ..engine_router::Inputs::default()
        };
        let router = self.u_router.outputs(&router_in);
        let lock_in = lock_engine::Inputs {
            rst: i.rst,
            enable: i.enable,
            cfg_node_id: i.cfg_node_id,
            cfg_first: regs.cfg_first,
            cfg_order: regs.cfg_pass_order,
            tick: regs.tick,
            msg_valid: router.l_msg_valid,
            msg_kind: router.msg_kind,
            msg_number: router.msg_number,
            msg_node: router.msg_node,
            msg_tag: router.msg_tag,
            msg_epoch: router.msg_epoch,
            cmd_valid: regs.lock_valid,
            cmd_release: regs.lock_release,
            cmd_number: regs.lock_number,
            out_done: false,
        };
        let barrier_in = barrier_engine::Inputs {
            rst: i.rst,
            enable: i.enable,
            cfg_node_id: i.cfg_node_id,
            cfg_order: regs.cfg_arrival_order,
            tick: regs.tick,
            member_we: regs.member_we,
            member_addr: regs.member_addr,
            member_data: regs.member_data,
            msg_valid: router.b_msg_valid,
            msg_number: router.msg_number & 7,
            msg_source: router.msg_source,
            msg_node: router.msg_node,
            msg_tag: router.msg_tag,
            cmd_valid: regs.arrive_valid,
            cmd_number: regs.arrive_number,
            out_done: false,
        };
        let lock = self.u_lock.outputs(&lock_in);
        let barrier = self.u_barrier.outputs(&barrier_in);
        router_in.l_msg_ready = lock.msg_ready;
        router_in.b_msg_ready = barrier.msg_ready;
        (regs_in.lock_done, regs_in.lock_error) = (lock.cmd_done, lock.cmd_error);
        (regs_in.arrive_done, regs_in.arrive_error) = (barrier.cmd_done, barrier.cmd_error);
        (regs_in.held, regs_in.asking, regs_in.owned) = (lock.held, lock.asking, lock.right);
        regs_in.waiting = barrier.waiting;
        (regs_in.ev_acquired, regs_in.ev_passed) = (lock.ev_acquired, barrier.ev_passed);
        let mux_in = mux_inputs(i, &lock, &barrier);
        let mux = self.u_mux.outputs(&mux_in);
        Wires {
            regs: self.u_regs.outputs(&regs_in),
            regs_in,
            router_in,
            router,
            lock_in: lock_engine::Inputs { out_done: mux.l_done, ..lock_in },
            barrier_in: barrier_engine::Inputs { out_done: mux.b_done, ..barrier_in },
            mux_in,
            mux,
        }
    }

    /// Just before the edge.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        if !self.on() {
            return Outputs {
                s_full: i.m_full,
                m_we: i.s_we,
                m_index: i.s_index,
                m_data: i.s_data,
                m_commit: i.s_commit,
                ..Outputs::default()
            };
        }
        let Wires { regs, router, mux, .. } = self.wires(i);
        Outputs {
            reg_done: regs.reg_done,
            reg_error: regs.reg_error,
            reg_rdata: regs.reg_rdata,
            s_full: router.s_full,
            m_we: router.m_we,
            m_index: router.m_index,
            m_data: router.m_data,
            m_commit: router.m_commit,
            ev_mail_full: router.ev_mail_full,
            flush: mux.flush,
            e_valid: mux.m_valid,
            e_order: mux.m_order,
            e_mark: mux.m_mark,
            e_c_st: mux.m_c_st,
            e_node_id: mux.m_node_id,
            e_data: mux.m_data,
            irq: regs.irq,
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        if !self.on() && !i.rst {
            return;
        }
        let Wires { regs_in, router_in, lock_in, barrier_in, mux_in, .. } = self.wires(i);
        self.u_regs.clock(&regs_in);
        self.u_router.clock(&router_in);
        self.u_lock.clock(&lock_in);
        self.u_barrier.clock(&barrier_in);
        self.u_mux.clock(&mux_in);
    }

    /// Cycles for which nothing but the retry timer goes on if nothing arrives and the host does nothing.
    pub(crate) fn rests(&self) -> u64 {
        if !self.on() {
            return u64::MAX;
        }
        // An offer that engine_mux has not begun with changes it in the next cycle.
        let begins = self.offers() && !self.u_mux.busy_q;
        let quiet = self.u_regs.rests() && self.works_off() && !begins;
        if quiet { u64::from(self.u_regs.retry_q.saturating_sub(self.u_regs.timer_q)) } else { 0 }
    }

    /// Applies that many edges to an engine that rests.
    pub(crate) fn skip(&mut self, cycles: u64) {
        if self.on() {
            let timer = u64::from(self.u_regs.timer_q).saturating_add(cycles);
            self.u_regs.timer_q = awgstar_frame::quantity::narrow(timer);
        }
    }
}

fn mux_inputs(
    i: &Inputs,
    lock: &lock_engine::Outputs,
    barrier: &barrier_engine::Outputs,
) -> engine_mux::Inputs {
    engine_mux::Inputs {
        rst: i.rst,
        l_valid: lock.out_valid,
        l_order: lock.out_order,
        l_c_st: lock.out_c_st,
        l_node_id: lock.out_node_id,
        l_data: lock.out_data,
        b_valid: barrier.out_valid,
        b_order: barrier.out_order,
        b_c_st: barrier.out_c_st,
        b_node_id: barrier.out_node_id,
        b_data: barrier.out_data,
        mark: i.mark,
        m_done: i.e_done,
    }
}
