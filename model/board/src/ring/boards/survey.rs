// SPDX-License-Identifier: MIT OR Apache-2.0
//! Survey of the frames on the links of a ring. Use it while the hosts are quiet.

use super::BoardRing;
use awgstar_frame::Tap;
use awgstar_frame::codec::{Frame, Mac};
use awgstar_frame::contract::{Field, Token, board};
use awgstar_frame::quantity::Cycle;

/// Counts of the frames that passed on a ring in a period of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Tokens on the ring and in the hands of boards; `None` when no heartbeat went round, from which
    /// the time of a rotation follows.
    pub tokens: Option<u64>,
    pub rotation: Option<Cycle>,
    /// Heartbeats that left their source.
    pub beats: u64,
    /// Frames on any link that are neither a free token nor a heartbeat.
    pub others: u64,
    /// Frames on any link that are not good, and no free tokens.
    pub bad: u64,
    /// Free tokens on any link that are not good: they are tokens all the same (NODE-5), and go round
    /// as they are until a board takes them.
    pub damaged: u64,
}

/// The bytes of the frame on a link.
#[derive(Clone, Debug, Default)]
struct FrameBytes {
    bytes: Vec<u8>,
    /// A frame has begun, or the link was idle: what comes is no rest of a frame.
    whole: bool,
}

/// Kind of a frame on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Free,
    Damaged,
    Beat(Mac),
    Other,
    Bad,
}

impl FrameBytes {
    fn word(&mut self, valid: bool, data: u32, keep: u8, last: bool) -> Option<Kind> {
        if !valid {
            self.whole = true;
            return None;
        }
        if self.whole {
            self.bytes.extend_from_slice(&data.to_le_bytes()[..(keep & 15).count_ones() as usize]);
        }
        if !last {
            return None;
        }
        let whole = std::mem::replace(&mut self.whole, true);
        let bytes = std::mem::take(&mut self.bytes);
        whole.then(|| match Frame::decode(&bytes) {
            Ok(f) if f.token == Token::Free => Kind::Free,
            Ok(f) if f.token == Token::Control && f.c_st == board::MONITOR.c_st => {
                Kind::Beat(f.mac)
            }
            Ok(_) => Kind::Other,
            Err(_) if says_free(&bytes) => Kind::Damaged,
            Err(_) => Kind::Bad,
        })
    }
}

/// The TOKEN of a frame that cannot be decoded is that of a free token.
fn says_free(bytes: &[u8]) -> bool {
    Tap::of_bytes(bytes).field(Field::Token) == Some(Token::Free.code().into())
}

impl BoardRing {
    /// Observes all links for that many cycles. Their number must be that of many rotations, with some
    /// heartbeats among them.
    pub fn survey(&mut self, cycles: Cycle) -> Survey {
        let mut found = Survey::default();
        let mut taps = vec![FrameBytes::default(); self.boards()];
        let mut inward = FrameBytes::default();
        let monitor = self.live().find(|&i| self.board(i).u_control.active_q);
        // Free tokens after the monitor, and when its heartbeat left.
        let (mut free, mut left) = (0, None);
        let (from, end) = (self.cycle(), self.cycle() + cycles);
        while self.cycle() < end {
            let cycle = self.cycle();
            self.step_observed(&mut |i, smb, inputs, o| {
                let at_monitor = monitor == Some(i);
                let own = |mac: Mac| mac.0[5] == smb.u_regs.node_id_q;
                let kind =
                    taps[i].word(o.m_axis.tvalid, o.m_axis.tdata, o.m_axis.tkeep, o.m_axis.tlast);
                match kind {
                    Some(Kind::Free) => free += u64::from(at_monitor),
                    Some(Kind::Damaged) => {
                        free += u64::from(at_monitor);
                        found.damaged += 1;
                    }
                    Some(Kind::Beat(mac)) if own(mac) => {
                        found.beats += 1;
                        left = at_monitor.then_some(cycle).or(left);
                    }
                    Some(Kind::Other) => found.others += 1,
                    Some(Kind::Bad) => found.bad += 1,
                    _ => {}
                }
                if at_monitor {
                    let i = inputs;
                    let valid = i.s_axis.tvalid;
                    let kind = inward.word(valid, i.s_axis.tdata, i.s_axis.tkeep, i.s_axis.tlast);
                    if matches!(kind, Some(Kind::Beat(mac)) if own(mac))
                        && let Some(left) = left.take()
                    {
                        // A frame passes a node in 4 cycles, the last of them on its output.
                        let lap = cycle - left + NODE;
                        found.rotation = Some(found.rotation.unwrap_or(lap).min(lap));
                    }
                }
            });
        }
        let held: u64 = self.live().map(|i| u64::from(self.board(i).u_node.u_arbiter.held_q)).sum();
        let span = (self.cycle() - from).0;
        found.tokens = found.rotation.map(|Cycle(lap)| (2 * free * lap + span) / (2 * span) + held);
        found
    }
}

/// Cycles of a frame through a node without load.
const NODE: Cycle = Cycle(4);
