// SPDX-License-Identifier: MIT OR Apache-2.0
//! The requirements that a random case is about, from what is in it: without a reset it says
//! nothing about resets (CNF-5).

use awgstar::contract::{Signal, Token, board as map};
use awgstar::quantity::ByteAddress;
use awgstar::ring::HostOp;
use awgstar::ring::burst::{INCR, Pace};
use awgstar::rtl::{RingNode, Smb, SmbAxi4};
use awgstar_stimulus::board::BoardRun;
use awgstar_stimulus::board::stimulus::HostAccess;
use awgstar_stimulus::node::{Defect, LinkEvent};
use awgstar_stimulus::{Case, NodeStimulus, Source};
use std::collections::BTreeSet;

/// Ids of requirements of the ring node.
#[must_use]
pub fn of_node(case: &Case<RingNode>) -> Vec<String> {
    let Source::Alone(s) = &case.source else { return Vec::new() };
    let mut ids = BTreeSet::new();
    link(s, &mut ids);
    if !s.sends.is_empty() {
        ids.extend(["NODE-8", "NODE-14", "NODE-19"]);
        ids.extend(s.link.first().map(|_| "NODE-10"));
        let ports = [true, false].map(|signal| s.sends.iter().any(|n| n.signal == signal));
        ids.extend(ports.iter().all(|p| *p).then_some("NODE-11"));
        ids.extend(ports[1].then_some("NODE-12"));
    }
    if !s.issues.is_empty() {
        ids.extend(["NODE-13", "NODE-15"]);
    }
    if s.resets.iter().any(|(at, _)| *at < s.cycles) {
        ids.insert("NODE-21");
    }
    if !s.discards.is_empty() {
        ids.insert("NODE-23");
    }
    ids.into_iter().map(str::to_owned).collect()
}

/// Adds the requirements that the events on the link concern.
fn link(s: &NodeStimulus, ids: &mut BTreeSet<&'static str>) {
    for (i, LinkEvent { gap, frame }) in s.link.iter().enumerate() {
        let token = Token::from_code(frame.token);
        let own = frame.source == s.node_id && token != Some(Token::Free);
        let whole = matches!(frame.defect, Defect::None | Defect::Flip(_) | Defect::Abort);
        // What is said of frames that arrive holds for those with an idle word before them.
        if *gap == 0 && i > 0 {
            ids.insert("NODE-7");
            continue;
        }
        ids.insert("NODE-20");
        if !whole {
            ids.extend(["NODE-6", "NODE-7"]);
            continue;
        }
        if token.is_none() {
            ids.insert("NODE-5");
        } else if own {
            ids.extend(["NODE-3", "NODE-18"]);
            ids.extend((token == Some(Token::Data)).then_some("NODE-4"));
        } else {
            ids.extend(["NODE-1", "NODE-2", "NODE-8"]);
            ids.extend(["NODE-16", "NODE-17"]);
            ids.extend(s.monitor.then_some("NODE-22"));
        }
        if matches!(token, Some(Token::Free | Token::Data)) {
            ids.extend(["NODE-13", "NODE-24"]);
        }
    }
}

/// Ids of requirements of the board.
#[must_use]
pub fn of_board(case: &Case<Smb>) -> Vec<String> {
    let Source::Alone(s) = &case.source else { return Vec::new() };
    let mut ids = BTreeSet::from(["HST-1", "HST-3"]);
    let window = |a: &&HostAccess| a.addr.0 >> map::WINDOW_BIT == 1;
    if s.host.iter().any(|a| window(&a)) {
        ids.extend(["HST-2", "HST-4", "WRT-1"]);
    }
    let writes = || s.host.iter().filter(window).filter(|a| a.write);
    if writes().any(|a| a.strobe != 15) {
        ids.insert("WRT-2");
    }
    let counters = map::COUNT.offset..map::COUNT.offset + 4 * map::COUNT.count;
    ids.extend(s.host.iter().any(|a| !a.write && counters.contains(&a.addr)).then_some("HST-7"));
    if s.loopback.is_some() {
        ids.extend(["MON-2", "MON-3"]);
        ids.extend(writes().next().map(|_| "WRT-3"));
        ids.extend(writes().next().map(|_| "ACK-2"));
        let sends = s.host.iter().any(|a| a.write && a.addr == map::SIGNAL_SEND.offset);
        ids.extend(sends.then_some("SND-1"));
    }
    for event in &s.link {
        match Token::from_code(event.frame.token) {
            Some(Token::Data) => ids.extend(["RCV-2", "RCV-4"]),
            Some(Token::P2p | Token::Multicast | Token::Broadcast) => {
                ids.extend(["RCV-3", "RCV-5"]);
            }
            _ => {}
        }
    }
    ids.insert("IRQ-1");
    ids.into_iter().map(str::to_owned).collect()
}

/// Ids of requirements of the lock and barrier engine of a board: of the first one of a ring.
#[must_use]
pub fn of_engine(case: &Case<Smb>) -> Vec<String> {
    match &case.source {
        Source::Alone(s) => {
            let writes = s.host.iter().filter(|a| a.write).map(|a| a.addr);
            engine(writes, s.link.iter().map(|event| event.frame.c_st))
        }
        Source::Ring(BoardRun::Hosts(run)) => {
            let writes = run.hosts.first().into_iter().flatten().filter_map(|op| match op {
                HostOp::Write { addr, .. } => Some(*addr),
                _ => None,
            });
            engine(writes, QUEUE.into_iter().map(Signal::c_st))
        }
        Source::Ring(BoardRun::Firmware(_)) | Source::Inputs(_) => Vec::new(),
    }
}

/// The same of a board with an AXI4 port.
#[must_use]
pub fn of_burst_engine(case: &Case<SmbAxi4>) -> Vec<String> {
    let Source::Alone(s) = &case.source else { return Vec::new() };
    let writes = s.bursts.iter().filter(|b| b.write).map(|b| ByteAddress(b.addr));
    engine(writes, s.link.iter().map(|event| event.frame.c_st))
}

/// Signals that the engine takes.
const QUEUE: [Signal; 3] =
    [Signal::LockQueueRequest, Signal::LockQueuePass, Signal::BarrierRingArrival];

/// The requirements that these writes of the host and these kinds of signals on the link concern.
fn engine(
    writes: impl Iterator<Item = ByteAddress>,
    mut c_st: impl Iterator<Item = u8>,
) -> Vec<String> {
    let mut ids = BTreeSet::new();
    let (mut own, mut host) = (false, false);
    for addr in writes {
        if addr == map::LOCK_ACQUIRE.offset {
            ids.extend(["ENG-1", "ENG-3", "ENG-7"]);
            own = true;
        } else if addr == map::LOCK_RELEASE.offset {
            ids.extend(["ENG-1", "ENG-2", "ENG-7"]);
        } else if addr == map::BARRIER_ARRIVE.offset {
            ids.extend(["ENG-4", "ENG-5", "ENG-7"]);
            own = true;
        } else if addr == map::SIGNAL_SEND.offset {
            host = true;
        }
    }
    if own {
        ids.extend(host.then_some("ENG-8"));
        ids.extend(c_st.any(|code| QUEUE.iter().any(|s| s.c_st() == code)).then_some("ENG-6"));
    }
    ids.into_iter().map(str::to_owned).collect()
}

/// Ids of requirements of the AXI4 port of a board.
#[must_use]
pub fn of_burst_board(case: &Case<SmbAxi4>) -> Vec<String> {
    let Source::Alone(s) = &case.source else { return Vec::new() };
    let mut ids = BTreeSet::from(["AXI-1", "AXI-5"]);
    ids.extend(s.bursts.iter().any(|b| b.len > 0 && b.kind == INCR).then_some("AXI-2"));
    ids.extend(s.bursts.iter().any(|b| b.kind != INCR || b.size > 2).then_some("AXI-3"));
    ids.extend(s.bursts.iter().any(|b| b.write && b.len > 0).then_some("AXI-4"));
    ids.extend((s.pace == Pace::FULL).then_some("AXI-6"));
    ids.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use awgstar_stimulus::node::LinkFrame;

    #[test]
    fn a_case_is_about_what_is_in_it() {
        assert!(of_node(&Case::alone(NodeStimulus::default())).is_empty());
        let frame = LinkFrame { source: 1, token: Token::Data.code(), ..LinkFrame::default() };
        let link = vec![LinkEvent { gap: 3, frame }];
        let ids = |node_id| {
            of_node(&Case::alone(NodeStimulus {
                node_id,
                link: link.clone(),
                ..NodeStimulus::default()
            }))
        };
        assert!(ids(1).iter().any(|id| id == "NODE-4") && !ids(1).iter().any(|id| id == "NODE-1"));
        assert!(ids(2).iter().any(|id| id == "NODE-1") && !ids(2).iter().any(|id| id == "NODE-4"));
        assert!(!ids(2).iter().any(|id| id == "NODE-21"));
    }
}
