// SPDX-License-Identifier: MIT OR Apache-2.0
//! `link_control`: makes the board known to all, and is the ring's monitor when it is its turn
//! (MON-1 to MON-5).

use super::{
    data_window::TIMER_MASK,
    state::{ports, state},
};
use awgstar_frame::contract::{Token, board, fsm};

/// Not enabled.
pub const OFF: u8 = fsm::code("link_control", "off");
/// `sync` is offered.
pub const SYNC: u8 = fsm::code("link_control", "sync");
/// `sync` is on its way.
pub const SYNCING: u8 = fsm::code("link_control", "syncing");
/// Known to all.
pub const READY: u8 = fsm::code("link_control", "ready");
/// `monitor` is offered.
pub const BEAT: u8 = fsm::code("link_control", "beat");
/// `monitor` is on its way.
pub const CENSUS: u8 = fsm::code("link_control", "census");
/// Censuses in a row that found as much, before the one that acts.
const ROW: u8 = 3;
const QUIET_MAX: u16 = 511;
/// Periods a standby of Node_ID 0 hears nothing before it becomes active.
const QUIET_PERIODS: u16 = 4;

ports! {
    /// Inputs of `link_control`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// The board takes part in the ring.
        enable: bool = 1,
        /// Node_ID of this board.
        cfg_node_id: u8 = 8,
        /// Tokens the monitor keeps on the ring.
        cfg_tokens: u8 = 8,
        /// Cycles until a control token is given up.
        cfg_timeout: u32 = 24,
        /// Cycles between heartbeats, less 1.
        cfg_period: u32 = 24,
        /// The control token is taken.
        c_hdr_ready: bool = 1,
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
        /// Another board's heartbeat was received.
        monitor_seen: bool = 1,
        /// The MAC in the heartbeat is below that of this board.
        monitor_lower: bool = 1,
        /// Packet_Cnt of the heartbeat.
        monitor_count: u8 = 8,
        /// A free or data token arrives.
        token_seen: bool = 1,
        /// Words wait in the insertion buffer.
        buffered: bool = 1,
        /// Tokens in the node's hand.
        held: u8 = 8,
        /// The node dropped a token.
        ev_discarded: bool = 1,
    }
}

ports! {
    /// Outputs of `link_control`.
    pub struct Outputs {
        /// A control token to send.
        c_hdr_valid: bool = 1,
        /// C.ST of the control token.
        c_hdr_c_st: u8 = 5,
        /// Packet_Cnt of the control token.
        c_hdr_packet_cnt: u8 = 8,
        /// One new token.
        issue: bool = 1,
        /// One token is to go.
        discard: bool = 1,
        /// All boards know this one.
        synced: bool = 1,
        /// This board is the active monitor.
        active: bool = 1,
        /// A token was made.
        ev_added: bool = 1,
        /// A token was dropped.
        ev_removed: bool = 1,
        /// `active` changes.
        ev_role: bool = 1,
        /// The returned frame is the one that was expected.
        ret_hit: bool = 1,
    }
}

state! {
    /// Registers of `link_control`.
    pub struct LinkControl("link_control", Inputs, Outputs) {
        registers {
            state_q: u8 = 3,
            /// Packet_Cnt of the next control token.
            count_q: u8 = 8,
            /// Cycles in flight.
            timer_q: u32 = 24,
            /// All boards know this one.
            synced_q: bool = 1,
            /// This board is the active monitor.
            active_q: bool = 1,
            /// Cycles of this period.
            period_q: u32 = 24,
            /// A heartbeat is due.
            due_q: bool = 1,
            /// Periods without a heartbeat of another.
            quiet_q: u16 = 9,
            /// As many, and a standby becomes active: 4 and Node_ID.
            limit_q: u16 = 9,
            /// Packet_Cnt of the last heartbeat.
            beat_q: u8 = 8,
            /// `token_seen` of the cycle before: a token right after the heartbeat is seen before its
            /// return is known, and must not count.
            token_q: bool = 1,
            /// Tokens counted by this census.
            seen_q: u8 = 8,
            /// The census counts.
            clean_q: bool = 1,
            /// Censuses in a row that found too few.
            short_q: u8 = 2,
            /// Too many.
            over_q: u8 = 2,
            /// The most they found.
            best_q: u8 = 8,
            /// Tokens still to be issued.
            add_q: u8 = 8,
            /// One is to go.
            discard_q: bool = 1,
        }
    }
}

/// Periods without a heartbeat after which a standby becomes active (MON-3).
#[inline]
pub(super) fn quiet_limit(node_id: u8) -> u16 {
    QUIET_PERIODS + u16::from(node_id)
}

/// Change of the role, from the period counter and the heartbeats of other boards.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Stays,
    /// No other board is the monitor: this one becomes active.
    Takes,
    /// Another board is the monitor: this one steps back.
    Leaves,
}

impl LinkControl {
    /// Decodes a return: (the control token under way has returned good, a frame has returned bad).
    #[inline]
    fn back(&self, i: &Inputs) -> (bool, bool) {
        let c_st = match self.state_q {
            SYNCING => board::SYNC.c_st,
            CENSUS => board::MONITOR.c_st,
            _ => return (false, false),
        };
        let good = i.ret_valid
            && i.ret_good
            && i.ret_token == Token::Control.code()
            && i.ret_c_st == c_st
            && i.ret_packet_cnt == self.count_q;
        (good, i.ret_valid && !i.ret_good)
    }

    #[inline]
    fn tick(&self, i: &Inputs) -> bool {
        self.synced_q && self.period_q >= i.cfg_period
    }

    /// A standby hears a heartbeat. That of a monitor that died goes round without end: the same one
    /// again is no sign of life.
    fn fresh(&self, i: &Inputs) -> bool {
        i.monitor_seen && !self.active_q && i.monitor_count != self.beat_q
    }

    /// MON-3, MON-4
    #[inline]
    fn role(&self, i: &Inputs, tick: bool) -> Role {
        if i.monitor_seen && self.active_q && i.monitor_lower {
            Role::Leaves
        } else if self.fresh(i) {
            Role::Stays
        } else if tick && !self.active_q && self.quiet_q >= self.limit_q {
            Role::Takes
        } else {
            Role::Stays
        }
    }

    /// Just before the edge. What goes to the mux and the node depends on registers only.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let beat = self.state_q == BEAT;
        Outputs {
            c_hdr_valid: beat || self.state_q == SYNC,
            c_hdr_c_st: if beat { board::MONITOR.c_st } else { board::SYNC.c_st },
            c_hdr_packet_cnt: self.count_q,
            issue: self.add_q != 0,
            discard: self.discard_q,
            synced: self.synced_q,
            active: self.active_q,
            ev_added: self.add_q != 0,
            ev_removed: i.ev_discarded,
            ev_role: self.role(i, self.tick(i)) != Role::Stays,
            ret_hit: self.back(i).0,
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let tick = self.tick(i);
        let role = self.role(i, tick);
        let (active, synced, fresh) = (self.active_q, self.synced_q, self.fresh(i));
        if i.monitor_seen {
            self.beat_q = i.monitor_count;
        }
        self.add_q = self.add_q.saturating_sub(1);
        if i.ev_discarded {
            self.discard_q = false;
        }
        self.advance(i);
        self.token_q = i.token_seen;
        self.limit_q = quiet_limit(i.cfg_node_id);
        if synced {
            self.count_periods(tick, active, fresh);
        }
        match role {
            Role::Stays => {}
            Role::Takes => {
                (self.active_q, self.due_q) = (true, true);
                (self.quiet_q, self.short_q, self.over_q) = (0, 0, 0);
            }
            Role::Leaves => {
                (self.active_q, self.due_q, self.discard_q) = (false, false, false);
                (self.quiet_q, self.add_q) = (0, 0);
            }
        }
        if i.rst {
            self.reset();
        }
    }

    #[inline]
    fn count_periods(&mut self, tick: bool, active: bool, fresh: bool) {
        self.period_q = if tick { 0 } else { (self.period_q + 1) & TIMER_MASK };
        if active {
            self.due_q |= tick;
        } else if fresh {
            self.quiet_q = 0;
        } else if tick {
            self.quiet_q = (self.quiet_q + 1).min(QUIET_MAX);
        }
    }

    #[inline]
    fn advance(&mut self, i: &Inputs) {
        let (back, bad) = self.back(i);
        let over = back || bad || self.timer_q >= i.cfg_timeout;
        match self.state_q {
            OFF if i.enable => self.state_q = SYNC,
            SYNC if i.c_hdr_ready => (self.state_q, self.timer_q) = (SYNCING, 0),
            SYNCING if over => {
                self.count_q = self.count_q.wrapping_add(1);
                self.synced_q |= back;
                self.state_q = if back { READY } else { SYNC };
            }
            READY if self.due_q && self.active_q => (self.state_q, self.due_q) = (BEAT, false),
            BEAT if i.c_hdr_ready => {
                (self.state_q, self.timer_q) = (CENSUS, 0);
                self.seen_q = i.held;
                self.clean_q = !i.buffered && !i.ev_discarded;
            }
            CENSUS => {
                let counted = self.seen_q;
                self.seen_q = self.seen_q.saturating_add(self.token_q.into());
                // What was counted and then dropped is not there any more.
                self.clean_q &= !i.ev_discarded;
                if over {
                    self.count_q = self.count_q.wrapping_add(1);
                    self.state_q = READY;
                } else {
                    self.timer_q = (self.timer_q + 1) & TIMER_MASK;
                }
                if back && self.clean_q && self.active_q {
                    self.judge(counted, i.cfg_tokens);
                }
            }
            SYNCING => self.timer_q = (self.timer_q + 1) & TIMER_MASK,
            _ => {}
        }
    }

    /// MON-5
    fn judge(&mut self, found: u8, tokens: u8) {
        let over = std::mem::take(&mut self.over_q);
        if found > tokens {
            if over == ROW {
                self.discard_q = true;
            } else {
                self.over_q = over + 1;
            }
        }
        if found >= tokens {
            self.short_q = 0;
            return;
        }
        self.best_q = if self.short_q == 0 { found } else { found.max(self.best_q) };
        if self.short_q == ROW {
            (self.add_q, self.short_q) = (tokens.wrapping_sub(self.best_q), 0);
        } else {
            self.short_q += 1;
        }
    }

    fn reset(&mut self) {
        self.state_q = OFF;
        (self.count_q, self.timer_q, self.period_q) = (0, 0, 0);
        (self.synced_q, self.active_q, self.due_q) = (false, false, false);
        (self.quiet_q, self.short_q, self.over_q, self.add_q) = (0, 0, 0, 0);
        self.discard_q = false;
        (self.token_q, self.beat_q) = (false, 0);
    }
}
