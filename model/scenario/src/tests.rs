// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames that were followed, against the trace of the model; and how many are held.

use crate::run::capture::Link;
use crate::run::capture::follow::{Follower, Found};
use crate::scenario;
use awgstar::contract::capture::{AGAIN, CHANGED, CUT, LOST};
use awgstar::quantity::Cycle;
use awgstar::ring::{Ring, Word};
use awgstar::trace::{Flight, Recorder};

const SCENARIO: &str = "
    system = \"node-ring\"
    nodes = 4
    cycles = 9000
    fibre_m = [10, 0, 25, 7]
    seed = 3
    [[random]]
    every = 150
    until = 8000
    signals = 0.3
    bytes_max = 400
    [[fault]]
    link = 1
    frame = 60
    lose = true
    [[fault]]
    link = 2
    frame = 133
    twice = true
    [[fault]]
    link = 0
    frame = 81
    words = 9
    [[fault]]
    link = 3
    frame = 150
    bit = 300
";

/// A run of a ring of nodes: what the follower finds, looked for every `period` cycles, the largest number of frames
/// that it held then, and the trace.
fn follow(text: &str, period: u64) -> (Vec<Found>, usize, awgstar::trace::Trace, Ring) {
    let plan = scenario::read_nodes("test", text).expect("a scenario");
    let mut ring = Ring::new(&plan.scenario).expect("a ring");
    let links = Link::fibres("node", &plan.scenario.fibre, &plan.fibre_m);
    let mut follower = Follower::new(links, None);
    let mut trace = Recorder::new(plan.scenario.nodes);
    let (mut found, mut held) = (Vec::new(), 0);
    while !ring.done() {
        let cycle = ring.cycle();
        ring.step_observed(&mut |n, node, i, o| {
            trace.cycle(cycle, n, node, i, o);
            let word = |valid: bool, data, keep, last, user| {
                valid.then_some(Word { data, keep, last, user })
            };
            let arriving = word(
                i.s_axis.tvalid,
                i.s_axis.tdata,
                i.s_axis.tkeep,
                i.s_axis.tlast,
                i.s_axis.tuser,
            );
            let leaving = word(
                o.m_axis.tvalid,
                o.m_axis.tdata,
                o.m_axis.tkeep,
                o.m_axis.tlast,
                o.m_axis.tuser,
            );
            follower.cycle(cycle.0, n, arriving, leaving);
        });
        follower.after(cycle.0, |_| None, |link| ring.faults_met(link), |_| None);
        if cycle.0 % period == period - 1 {
            let (some, until) = follower.take(false);
            assert!(some.iter().all(|one| one.cycle < until), "{until}");
            let before = found.last().map_or(0, |one: &Found| one.cycle);
            assert!(some.iter().all(|one| one.cycle >= before), "before cycle {before}");
            found.extend(some);
            held = held.max(follower.held());
        }
    }
    found.extend(follower.take(true).0);
    (found, held, trace.finish(), ring)
}

/// Frames arrive, or do not, as the trace of the model has it, which knows the nodes' decisions.
#[test]
fn frames_are_those_of_the_trace() {
    let (found, _, trace, ring) = follow(SCENARIO, 1);
    // 5 ns for each metre, in cycles of 14.87 ns.
    let fibre = [4, 0, 9, 3];
    let mut seen = [0; 4];
    for (number, delay) in fibre.into_iter().enumerate() {
        assert_eq!(ring.faults_met(number).len(), 1, "link {number}");
        let (mut arrived, mut missed, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        let mut cut = false;
        for one in found.iter().filter(|one| one.at == (number + 1) % 4) {
            // A node swallows what follows a frame without a last word, up to the next one (NODE-6).
            if one.flags & LOST != 0 || cut {
                missed.push(one.cycle - delay);
            } else {
                arrived.push((one.cycle, one.bytes[6] >> 5));
            }
            cut = one.flags & CUT != 0;
            for (flag, count) in [LOST, AGAIN, CUT, CHANGED].into_iter().zip(&mut seen) {
                *count += u32::from(one.flags & flag != 0);
            }
            faults.extend(&one.comments);
        }
        let flights = &trace.links[number];
        let token = |flight: &Flight| flight.frame.token;
        // The verdict on the last frame may be out at the end.
        let latest = arrived.last().map_or(0, |(cycle, _)| *cycle);
        let expected = flights.iter().filter_map(|f| Some((f.arrival?.0, token(f))));
        let expected: Vec<_> = expected.filter(|(cycle, _)| *cycle <= latest).collect();
        assert_eq!(arrived, expected, "link {number}");
        let end = ring.cycle().0;
        let never = flights.iter().filter(|f| f.arrival.is_none() && f.end.0 + 200 < end);
        let never: Vec<u64> = never.map(|f| f.begin.0).collect();
        assert_eq!(missed, never, "link {number}");
        let twice = ring.faults_met(number)[0].1 == awgstar::ring::FaultKind::Twice;
        assert_eq!(faults.len(), 1 + usize::from(twice), "{faults:?}");
    }
    // The frame that is cut short is changed, too, and so is the one with a bit error.
    assert_eq!(seen, [1, 1, 1, 2]);
}

/// The time between two looks changes nothing, and what is held does not grow with the run.
#[test]
fn few_frames_are_held() {
    let (every, ..) = follow(SCENARIO, 1);
    let (some, short, ..) = follow(SCENARIO, 1024);
    assert_eq!(every, some);
    let longer = SCENARIO.replace("cycles = 9000", "cycles = 90_000").replace("8000", "89_000");
    let (all, long, _, ring) = follow(&longer, 1024);
    assert!(ring.cycle() == Cycle(90_000) && all.len() > 9 * every.len(), "{} frames", all.len());
    // A frame has 16 words or more, and one idle word follows it: 1024 cycles and a long frame have 76 on each of
    // four links, and each fibre one more.
    assert!(long <= 4 * 77 && short <= 4 * 77, "{short} and {long} frames");
}
