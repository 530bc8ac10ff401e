// SPDX-License-Identifier: MIT OR Apache-2.0
//! When a board rests: nothing but clocks goes on in it until something arrives, its host does
//! something or a clock reaches its end.

use super::{Inputs, SmbCore};
use crate::rtl::{
    NodeCounters, data_window, host_regs, host_window,
    link_control::{self, quiet_limit},
    mem_writer, rx_sorter, signal_sender,
};
use awgstar_frame::quantity::narrow;

/// Bits of the timers.
const TIMER_MASK: u64 = 0x00ff_ffff;

const fn timer(now: u32, cycles: u64) -> u32 {
    ((now as u64 + cycles) & TIMER_MASK) as u32
}

/// Nothing is to be added.
fn counted(counters: &NodeCounters) -> bool {
    !counters.clear_q && counters.pending_q.0.iter().all(|&events| events == 0)
}

impl SmbCore {
    /// Number of cycles for which [`SmbCore::skip`] equals that many edges with the inputs `i` and no request of the
    /// host port; 0 when the next edge does more. It must have been more than 0 in the three cycles before too:
    /// until then, a memory may still be read.
    #[inline]
    pub(crate) fn rests(&self, i: &Inputs, addr: u32) -> u64 {
        // What fails first when there is traffic comes first.
        if self.u_node.u_egress.m_valid_q
            || self.u_node.u_ingress.s1_valid_q
            || self.u_sorter.state_q != rx_sorter::IDLE
        {
            return 0;
        }
        self.all_rests(i, addr)
    }

    #[inline(never)]
    fn all_rests(&self, i: &Inputs, addr: u32) -> u64 {
        let quiet = !i.s_axis.tvalid
            && !i.rst
            && self.u_regs.state_q == host_regs::IDLE
            && self.u_regs.irq_q == (self.u_regs.status_q & self.u_regs.mask_q != 0)
            && self.u_window.state_q == host_window::IDLE
            && self.u_writer.state_q == mem_writer::IDLE
            && !self.u_mux.busy_q
            && counted(&self.u_counters)
            && counted(&self.u_node.u_counters);
        if !quiet {
            return 0;
        }
        let parts = [self.combiner_rests(), self.data_rests(), self.signal_rests()];
        let cycles = parts.into_iter().min().unwrap_or(0).min(self.control_rests());
        let cycles = cycles.min(self.u_engine.rests()).min(self.join_rests());
        let node = || self.u_node.at_rest(&self.node_inputs(i, addr));
        if cycles > 0 && node() { cycles } else { 0 }
    }

    fn combiner_rests(&self) -> u64 {
        let c = &self.u_combiner;
        match (c.open_q, c.last_q) {
            (false, _) => u64::MAX,
            (true, true) => 0,
            (true, false) => u64::from(self.u_regs.combine_q).saturating_sub(c.idle_q.into()),
        }
    }

    fn data_rests(&self) -> u64 {
        let d = &self.u_data;
        let waits = match d.state_q {
            data_window::IDLE => {
                !d.rewind_q && !d.may_send(self.u_control.synced_q, self.u_fence.holds())
            }
            state => state == data_window::OFFER,
        };
        match (waits, d.base_q == d.tail_q) {
            (false, _) => 0,
            (true, true) => u64::from(d.timer_q == 0) * u64::MAX,
            (true, false) => self.left(d.timer_q),
        }
    }

    fn signal_rests(&self) -> u64 {
        let s = &self.u_signal;
        match s.state_q {
            signal_sender::IDLE if s.wr_q == s.rd_q || !self.u_control.synced_q => u64::MAX,
            signal_sender::FLIGHT => self.left(s.timer_q),
            signal_sender::WAIT => {
                let inputs = signal_sender::Inputs {
                    data_base: self.u_data.base_q,
                    data_next: self.u_data.next_q,
                    ..signal_sender::Inputs::default()
                };
                let stays = s.index_q == 0 && s.timer_q == 0 && !s.go(&inputs);
                u64::from(stays) * u64::MAX
            }
            _ => 0,
        }
    }

    fn control_rests(&self) -> u64 {
        let (c, regs) = (&self.u_control, &self.u_regs);
        let state = match c.state_q {
            link_control::OFF => u64::from(!regs.enable_q) * u64::MAX,
            link_control::READY => u64::from(!(c.due_q && c.active_q)) * u64::MAX,
            link_control::SYNCING | link_control::CENSUS => self.left(c.timer_q),
            _ => 0,
        };
        let quiet = c.add_q == 0 && !c.token_q && c.limit_q == quiet_limit(regs.node_id_q);
        let period = u64::from(regs.period_q).saturating_sub(c.period_q.into());
        let period = if c.synced_q { period } else { u64::MAX };
        if quiet { state.min(period) } else { 0 }
    }

    fn join_rests(&self) -> u64 {
        match self.u_fence.rests() {
            Some(flies) if self.u_join.rests() && !self.u_known.busy_q => {
                if flies {
                    self.left(self.u_fence.timer_q)
                } else {
                    u64::MAX
                }
            }
            _ => 0,
        }
    }

    /// Cycles that a timer can be counted up before its end is seen.
    fn left(&self, timer: u32) -> u64 {
        u64::from(self.u_regs.timeout_q).saturating_sub(timer.into())
    }

    /// Applies that many edges to a quiescent board.
    pub(crate) fn skip(&mut self, cycles: u64) {
        if self.u_combiner.open_q {
            let idle = u64::from(self.u_combiner.idle_q).saturating_add(cycles);
            self.u_combiner.idle_q = narrow(idle.min(u16::MAX.into()));
        }
        if cycles != 0 {
            let idle = u32::from(self.u_combiner.idle_q) + u32::from(!self.u_combiner.open_q);
            self.u_combiner.time_q = idle >= self.u_regs.combine_q.into();
        }
        if self.u_data.base_q != self.u_data.tail_q {
            self.u_data.timer_q = timer(self.u_data.timer_q, cycles);
        }
        if self.u_signal.state_q == signal_sender::FLIGHT {
            self.u_signal.timer_q = timer(self.u_signal.timer_q, cycles);
        }
        self.u_engine.skip(cycles);
        if self.u_fence.rests() == Some(true) {
            self.u_fence.timer_q = timer(self.u_fence.timer_q, cycles);
        }
        let control = &mut self.u_control;
        if matches!(control.state_q, link_control::SYNCING | link_control::CENSUS) {
            control.timer_q = timer(control.timer_q, cycles);
        }
        if control.synced_q {
            control.period_q = timer(control.period_q, cycles);
        }
        for counters in [&mut self.u_counters, &mut self.u_node.u_counters] {
            counters.scan_q = (counters.scan_q + (cycles & 15) as u8) & 15;
        }
    }
}
