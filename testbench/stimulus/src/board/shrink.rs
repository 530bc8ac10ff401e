// SPDX-License-Identifier: MIT OR Apache-2.0
//! Smaller runs of a board.

use crate::board::ring::RingRun;
use crate::board::stimulus::BoardStimulus;
use crate::shrink::{below, edited, without};
use awgstar::quantity::narrow;

/// Runs a step smaller, the largest steps first.
#[must_use]
pub fn board(s: &BoardStimulus) -> Vec<BoardStimulus> {
    let mut all = Vec::new();
    all.extend(without(&s.link).into_iter().map(|link| BoardStimulus { link, ..s.clone() }));
    all.extend(without(&s.host).into_iter().map(|host| BoardStimulus { host, ..s.clone() }));
    all.extend(without(&s.resets).into_iter().map(|resets| BoardStimulus { resets, ..s.clone() }));
    for ends in without(&s.warm.ends) {
        edited(s, &mut all, |s| s.warm.ends = ends);
    }
    for leaps in without(&s.warm.leaps) {
        edited(s, &mut all, |s| s.warm.leaps = leaps);
    }
    edited(s, &mut all, |s| s.restless = false);
    edited(s, &mut all, |s| s.loopback = None);
    edited(s, &mut all, |s| s.noise = 0);
    for i in 0..s.link.len() {
        edited(s, &mut all, |s| s.link[i].frame.flip = None);
        edited(s, &mut all, |s| s.link[i].frame.skip = 0);
        edited(s, &mut all, |s| s.link[i].frame.monitor = false);
        edited(s, &mut all, |s| s.link[i].frame.salt = 0);
        let least = u64::from(s.link[i].frame.token == 1);
        for len in below(s.link[i].frame.len.into(), least) {
            edited(s, &mut all, |s| s.link[i].frame.len = narrow::<u16>(len));
        }
        for gap in below(s.link[i].gap.into(), 1) {
            edited(s, &mut all, |s| s.link[i].gap = narrow::<u16>(gap));
        }
    }
    for i in 0..s.host.len() {
        edited(s, &mut all, |s| (s.host[i].skew, s.host[i].late) = (0, 0));
        edited(s, &mut all, |s| s.host[i].data = 0);
        for gap in below(s.host[i].gap.into(), 0) {
            edited(s, &mut all, |s| s.host[i].gap = narrow::<u16>(gap));
        }
    }
    all
}

/// Runs of a ring of boards a step smaller. Boards stay: a board that does nothing costs little.
#[must_use]
pub fn ring(r: &RingRun) -> Vec<RingRun> {
    let mut all = Vec::new();
    for faults in without(&r.scenario.faults) {
        edited(r, &mut all, |r| r.scenario.faults = faults);
    }
    edited(r, &mut all, |r| r.scenario.noise = awgstar::ring::boards::Noise::default());
    edited(r, &mut all, |r| r.scenario.cuts.clear());
    edited(r, &mut all, |r| r.scenario.dead.clear());
    edited(r, &mut all, |r| r.scenario.fibre.fill(0));
    for (board, ops) in r.hosts.iter().enumerate() {
        for ops in without(ops) {
            edited(r, &mut all, |r| r.hosts[board] = ops);
        }
    }
    all
}
