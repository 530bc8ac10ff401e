// SPDX-License-Identifier: MIT OR Apache-2.0
//! `join_fence`: fences of boards that join, and their answers (JOIN-1 to JOIN-3, JOIN-5).

use super::state::{ports, state};
use awgstar_frame::contract::{Token, board, fsm};

/// No token under way.
pub const IDLE: u8 = fsm::code("join_fence", "idle");
/// A fence is on offer.
pub const FENCE: u8 = fsm::code("join_fence", "fence");
/// It is to return.
pub const FENCING: u8 = fsm::code("join_fence", "fencing");
/// An answer is on offer.
pub const HERE: u8 = fsm::code("join_fence", "here");
/// It is to return.
pub const ANSWERED: u8 = fsm::code("join_fence", "answered");

ports! {
    /// Inputs of `join_fence`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// All boards know this one.
        synced: bool = 1,
        /// Node_ID of this board.
        cfg_node_id: u8 = 8,
        /// Cycles after which a token that has not returned is sent again.
        cfg_timeout: u32 = 24,
        /// Nothing is known any more: a fence.
        cmd_begin: bool = 1,
        /// The number of its fence.
        cmd_number: u8 = 8,
        /// Another fence.
        cmd_again: bool = 1,
        /// The last fence.
        cmd_settle: bool = 1,
        /// The replica is whole.
        cmd_whole: bool = 1,
        /// `known_map` is being cleared.
        clearing: bool = 1,
        /// A token of `link_control`.
        s_hdr_valid: bool = 1,
        /// Its C.ST.
        s_hdr_c_st: u8 = 5,
        /// Its Packet_Cnt.
        s_hdr_packet_cnt: u8 = 8,
        /// The token on offer is taken.
        m_hdr_ready: bool = 1,
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
        /// Source of the frame that `rx_sorter` deals with.
        rx_source: u8 = 8,
        /// Its Addr.
        rx_addr: u32 = 32,
        /// It is a fence.
        fence_seen: bool = 1,
        /// It is an answer.
        here_seen: bool = 1,
        /// All data that was sent has returned good.
        drained: bool = 1,
        /// Number of the next data frame.
        fresh: u8 = 8,
    }
}

ports! {
    /// Outputs of `join_fence`.
    pub struct Outputs {
        /// The token of `link_control` is taken.
        s_hdr_ready: bool = 1,
        /// A token to send.
        m_hdr_valid: bool = 1,
        /// Its C.ST.
        m_hdr_c_st: u8 = 5,
        /// Its Packet_Cnt.
        m_hdr_packet_cnt: u8 = 8,
        /// Its Addr.
        m_hdr_addr: u32 = 32,
        /// The returned frame is the one that was expected.
        ret_hit: bool = 1,
        /// Data of the source does not count yet.
        blocked: bool = 1,
        /// An answer of the source would say where its data begins.
        here_new: bool = 1,
        /// New data waits.
        hold: bool = 1,
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
        /// Boards that have answered.
        heard: u16 = 9,
        /// Source of the last fence of another board.
        peer: u8 = 8,
        ev_fenced: bool = 1,
        ev_here: bool = 1,
        ev_peer: bool = 1,
    }
}

state! {
    /// Registers of `join_fence`.
    pub struct JoinFence("join_fence", Inputs, Outputs) with parameters {
        registers {
            state_q: u8 = 3,
            /// Packet_Cnt of the next token.
            count_q: u8 = 8,
            /// Cycles in flight.
            timer_q: u32 = 24,
            /// A fence is to return.
            busy_q: bool = 1,
            /// The last fence has.
            fenced_q: bool = 1,
            /// Its number.
            fence_q: u8 = 8,
            /// The replica is whole.
            whole_q: bool = 1,
            /// The board joins.
            joining_q: bool = 1,
            /// Data of all sources counts.
            settled_q: bool = 1,
            /// A fence is to be answered.
            owe_q: bool = 1,
            /// Its source.
            owe_node_q: u8 = 8,
            /// Its number.
            owe_count_q: u8 = 8,
            /// Both of the answer under way.
            echo_q: u16 = 16,
            /// Sources that are here, 0 to 127.
            here_low_q: u128 = 128,
            /// Sources that are here, 128 to 255.
            here_high_q: u128 = 128,
            /// Number of them.
            heard_q: u16 = 9,
            /// Source of the last fence.
            peer_q: u8 = 8,
            /// A token of `link_control` is on offer.
            lead_q: bool = 1,
            /// One of this module is.
            mine_q: bool = 1,
        }
    }
}

/// Cycles of a timer of 24 bits.
const TIMER_MASK: u32 = 0x00ff_ffff;

impl JoinFence {
    #[inline]
    fn on(&self) -> bool {
        self.parameters.join() != 0
    }

    #[inline]
    fn is_here(&self, source: u8) -> bool {
        let half = if source >= 128 { self.here_high_q } else { self.here_low_q };
        half >> (source & 127) & 1 != 0
    }

    /// An answer with this Addr would be the first of the source to our last fence.
    #[inline]
    fn answers(&self, i: &Inputs) -> bool {
        let echo = u16::from(i.cfg_node_id) << 8 | u16::from(self.fence_q);
        let ours = i.rx_addr >> 16 == u32::from(echo);
        self.joining_q && self.fenced_q && ours && !self.is_here(i.rx_source)
    }

    #[inline]
    fn fencing(&self) -> bool {
        matches!(self.state_q, FENCE | FENCING)
    }

    #[inline]
    fn offers(&self) -> bool {
        matches!(self.state_q, FENCE | HERE)
    }

    /// The header on offer is that of this module.
    #[inline]
    fn picks(&self, i: &Inputs) -> bool {
        !self.lead_q && (self.mine_q || !i.s_hdr_valid)
    }

    #[inline]
    fn c_st(&self) -> u8 {
        if self.fencing() { board::FENCE.c_st } else { board::HERE.c_st }
    }

    #[inline]
    fn returned(&self, i: &Inputs) -> bool {
        matches!(self.state_q, FENCING | ANSWERED)
            && i.ret_valid
            && i.ret_good
            && i.ret_token == Token::Control.code()
            && i.ret_c_st == self.c_st()
            && i.ret_packet_cnt == self.count_q
    }

    /// New data waits for the answer of this board (JOIN-2).
    #[inline]
    pub(super) fn holds(&self) -> bool {
        self.on() && (self.owe_q || matches!(self.state_q, HERE | ANSWERED))
    }

    /// Nothing goes on but the timer of a token in flight; says whether one is.
    #[inline]
    pub(super) fn rests(&self) -> Option<bool> {
        let quiet = !self.lead_q && !self.mine_q;
        match self.state_q {
            IDLE if quiet && !self.owe_q && !self.busy_q => Some(false),
            FENCING | ANSWERED if quiet => Some(true),
            _ => None,
        }
    }

    /// Just before the edge. What goes to `signal_mux` depends on registers and the token of `link_control` only.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let registers = Outputs {
            whole: self.whole_q,
            joining: self.joining_q,
            settled: self.settled_q,
            busy: self.busy_q,
            fenced: self.fenced_q,
            heard: self.heard_q,
            peer: self.peer_q,
            ..Outputs::default()
        };
        if !self.on() {
            return Outputs {
                s_hdr_ready: i.m_hdr_ready,
                m_hdr_valid: i.s_hdr_valid,
                m_hdr_c_st: i.s_hdr_c_st,
                m_hdr_packet_cnt: i.s_hdr_packet_cnt,
                ..registers
            };
        }
        let pick = self.picks(i);
        let known = self.is_here(i.rx_source);
        let back = self.returned(i);
        let addr = if self.fencing() {
            self.fence_q.into()
        } else {
            u32::from(self.echo_q) << 16 | u32::from(i.fresh)
        };
        Outputs {
            s_hdr_ready: !pick && i.m_hdr_ready,
            m_hdr_valid: if pick { self.offers() } else { i.s_hdr_valid },
            m_hdr_c_st: if pick { self.c_st() } else { i.s_hdr_c_st },
            m_hdr_packet_cnt: if pick { self.count_q } else { i.s_hdr_packet_cnt },
            m_hdr_addr: if pick { addr } else { 0 },
            ret_hit: back,
            blocked: self.joining_q && !self.settled_q && !known,
            here_new: self.answers(i) && !self.settled_q,
            hold: self.holds(),
            ev_fenced: back && self.fencing(),
            ev_here: i.here_seen && self.answers(i),
            ev_peer: i.fence_seen,
            ..registers
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        if self.on() && !i.rst {
            let o = self.outputs(i);
            let (pick, offers) = (self.picks(i), self.offers());
            self.lead_q = !pick && i.s_hdr_valid && !i.m_hdr_ready;
            self.mine_q = pick && offers && !i.m_hdr_ready;
            let before = self.owe_node_q;
            self.token(i, &o, pick && offers && i.m_hdr_ready);
            self.receive(i, &o, before);
            self.command(i);
        } else {
            *self = JoinFence { parameters: self.parameters, ..JoinFence::default() };
        }
    }

    /// The token on offer, or in flight.
    fn token(&mut self, i: &Inputs, o: &Outputs, taken: bool) {
        let fencing = self.fencing();
        match self.state_q {
            IDLE if !i.synced => {}
            IDLE if self.owe_q && i.drained => {
                self.state_q = HERE;
                self.echo_q = u16::from(self.owe_node_q) << 8 | u16::from(self.owe_count_q);
                self.owe_q = false;
            }
            IDLE if self.busy_q && !i.clearing => self.state_q = FENCE,
            IDLE => {}
            FENCE | HERE => {
                if taken {
                    self.state_q = if fencing { FENCING } else { ANSWERED };
                    self.timer_q = 0;
                }
            }
            _ => {
                let lost = (i.ret_valid && !i.ret_good) || self.timer_q >= i.cfg_timeout;
                self.timer_q = (self.timer_q + 1) & TIMER_MASK;
                if o.ret_hit {
                    self.state_q = IDLE;
                    if fencing {
                        (self.busy_q, self.fenced_q) = (false, true);
                    }
                } else if lost {
                    self.state_q = if fencing { FENCE } else { HERE };
                    self.fence_q = self.fence_q.wrapping_add(fencing.into());
                }
                self.count_q = self.count_q.wrapping_add(u8::from(o.ret_hit || lost));
            }
        }
    }

    /// A fence of another board, or an answer to ours. One answer is owed at a time, so far to `owed`.
    fn receive(&mut self, i: &Inputs, o: &Outputs, owed: u8) {
        if i.fence_seen {
            self.peer_q = i.rx_source;
            if !self.owe_q || owed == i.rx_source {
                self.owe_q = true;
                (self.owe_node_q, self.owe_count_q) = (i.rx_source, i.rx_addr.to_le_bytes()[0]);
            }
        }
        if o.ev_here {
            self.heard_q = (self.heard_q + 1) & 0x1ff;
            let half =
                if i.rx_source >= 128 { &mut self.here_high_q } else { &mut self.here_low_q };
            *half |= 1 << (i.rx_source & 127);
        }
    }

    fn command(&mut self, i: &Inputs) {
        if i.cmd_begin || i.cmd_again || i.cmd_settle {
            (self.busy_q, self.fenced_q) = (true, false);
            self.fence_q = if i.cmd_begin { i.cmd_number } else { self.fence_q.wrapping_add(1) };
        }
        if i.cmd_begin || i.cmd_settle {
            (self.joining_q, self.settled_q) = (true, i.cmd_settle);
            (self.here_low_q, self.here_high_q, self.heard_q) = (0, 0, 0);
        }
        if i.cmd_begin {
            self.whole_q = false;
        }
        if i.cmd_whole {
            (self.whole_q, self.joining_q) = (true, false);
        }
    }
}
