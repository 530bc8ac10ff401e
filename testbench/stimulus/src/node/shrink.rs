// SPDX-License-Identifier: MIT OR Apache-2.0
//! Smaller runs of a node and of a ring.

use crate::ends::Warm;
use crate::node::{Defect, NodeStimulus, SendFault};
use crate::shrink::{below, edited, without};
use awgstar::quantity::{Cycle, narrow};
use awgstar::ring::Scenario;

fn small16(n: u16, least: u16) -> Vec<u16> {
    below(n.into(), least.into()).into_iter().filter_map(|n| n.try_into().ok()).collect()
}

macro_rules! lists {
    ($all:ident, $s:ident, $($field:ident)*) => {
        $($all.extend(without(&$s.$field).into_iter().map(|list| {
            let mut smaller = $s.clone();
            smaller.$field = list;
            smaller
        }));)*
    };
}

/// Rings a step smaller, the largest steps first.
pub(super) fn ring(s: &Scenario) -> Vec<Scenario> {
    let mut all = Vec::new();
    for gone in (0..s.nodes).rev().filter(|_| s.nodes > 1) {
        edited(s, &mut all, |s| {
            s.nodes -= 1;
            s.fibre.remove(gone);
            s.groups.remove(gone);
            s.monitor = s.monitor.filter(|n| *n != gone).map(|n| n - usize::from(n > gone));
            s.sends.retain(|e| e.node != gone);
            s.saturate.retain(|e| e.node != gone);
            s.faults.retain(|e| e.link != gone);
            let sends = s.sends.iter_mut().map(|e| &mut e.node);
            let others = s.saturate.iter_mut().map(|e| &mut e.node);
            let nodes = sends.chain(others).chain(s.faults.iter_mut().map(|e| &mut e.link));
            for node in nodes.filter(|n| **n > gone) {
                *node -= 1;
            }
        });
    }
    lists!(all, s, saturate sends faults);
    edited(s, &mut all, |s| s.monitor = None);
    edited(s, &mut all, |s| s.fibre.fill(0));
    edited(s, &mut all, |s| s.groups.fill(0));
    for i in 0..s.nodes {
        edited(s, &mut all, |s| s.fibre[i] /= 2);
        edited(s, &mut all, |s| s.groups[i] = 0);
    }
    for tokens in below(s.tokens as u64, 0) {
        edited(s, &mut all, |s| s.tokens = narrow::<usize>(tokens));
    }
    for i in 0..s.saturate.len() {
        for len in small16(s.saturate[i].len, 1) {
            edited(s, &mut all, |s| s.saturate[i].len = len);
        }
    }
    for i in 0..s.sends.len() {
        for len in below(s.sends[i].frame.data.len() as u64, 0) {
            let len = narrow::<usize>(len);
            edited(s, &mut all, |s| s.sends[i].frame.data.truncate(len));
        }
        for cycle in below(s.sends[i].cycle.0, 0) {
            edited(s, &mut all, |s| s.sends[i].cycle = Cycle(cycle));
        }
        edited(s, &mut all, |s| s.sends[i].frame.data.fill(0));
        edited(s, &mut all, |s| s.sends[i].frame.c_st = 0);
        edited(s, &mut all, |s| s.sends[i].frame.node_id = 0);
        edited(s, &mut all, |s| s.sends[i].frame.multi_g = 0);
        edited(s, &mut all, |s| s.sends[i].frame.act_seq = 0);
        edited(s, &mut all, |s| s.sends[i].frame.packet_cnt = 0);
        edited(s, &mut all, |s| s.sends[i].frame.addr = 0);
    }
    for i in 0..s.faults.len() {
        for frame in below(s.faults[i].frame, 0) {
            edited(s, &mut all, |s| s.faults[i].frame = frame);
        }
    }
    all
}

/// Runs of a node a step smaller, the largest steps first.
pub(super) fn node(s: &NodeStimulus) -> Vec<NodeStimulus> {
    let mut all = Vec::new();
    edited(s, &mut all, |s| s.warm = Warm::default());
    for ends in without(&s.warm.ends) {
        edited(s, &mut all, |s| s.warm.ends = ends);
    }
    lists!(all, s, link sends resets issues discards);
    edited(s, &mut all, |s| s.monitor = false);
    edited(s, &mut all, |s| s.ready = [8; 2]);
    edited(s, &mut all, |s| s.groups = 0);
    edited(s, &mut all, |s| s.noise = 0);
    for i in 0..s.link.len() {
        edited(s, &mut all, |s| s.link[i].frame.defect = Defect::None);
        for len in small16(s.link[i].frame.len, u16::from(s.link[i].frame.token == 1)) {
            edited(s, &mut all, |s| s.link[i].frame.len = len);
        }
        for gap in small16(s.link[i].gap, 1) {
            edited(s, &mut all, |s| s.link[i].gap = gap);
        }
        edited(s, &mut all, |s| s.link[i].frame.salt = 0);
        edited(s, &mut all, |s| s.link[i].frame.multi_g = 0);
        edited(s, &mut all, |s| s.link[i].frame.c_st = 0);
        edited(s, &mut all, |s| s.link[i].frame.monitor = false);
        let defect = s.link[i].frame.defect;
        let smaller: Vec<Defect> = match defect {
            Defect::Flip(n) => small16(n, 0).into_iter().map(Defect::Flip).collect(),
            Defect::Cut(n) => small16(n, 0).into_iter().map(Defect::Cut).collect(),
            Defect::User(n) => small16(n, 0).into_iter().map(Defect::User).collect(),
            Defect::Long(n) => small16(n, 1).into_iter().map(Defect::Long).collect(),
            Defect::Hole(n, k) => small16(n, 0).into_iter().map(|n| Defect::Hole(n, k)).collect(),
            Defect::Keep(n, k) => small16(n, 0).into_iter().map(|n| Defect::Keep(n, k)).collect(),
            Defect::None | Defect::Abort => Vec::new(),
        };
        for defect in smaller {
            edited(s, &mut all, |s| s.link[i].frame.defect = defect);
        }
    }
    for i in 0..s.sends.len() {
        edited(s, &mut all, |s| s.sends[i].fault = SendFault::None);
        for len in small16(s.sends[i].len, 0) {
            edited(s, &mut all, |s| s.sends[i].len = len);
        }
        for cycle in below(s.sends[i].cycle.0, 0) {
            edited(s, &mut all, |s| s.sends[i].cycle = Cycle(cycle));
        }
        edited(s, &mut all, |s| (s.sends[i].salt, s.sends[i].c_st) = (0, 0));
    }
    for i in 0..s.resets.len() {
        for cycle in below(s.resets[i].0.0, 0) {
            edited(s, &mut all, |s| s.resets[i].0 = Cycle(cycle));
        }
        edited(s, &mut all, |s| s.resets[i].1 = 1);
    }
    for i in 0..s.issues.len() {
        for cycle in below(s.issues[i].0, 0) {
            edited(s, &mut all, |s| s.issues[i] = Cycle(cycle));
        }
    }
    for i in 0..s.discards.len() {
        for cycle in below(s.discards[i].0.0, 0) {
            edited(s, &mut all, |s| s.discards[i].0 = Cycle(cycle));
        }
        for length in small16(s.discards[i].1, 1) {
            edited(s, &mut all, |s| s.discards[i].1 = length);
        }
    }
    all
}
