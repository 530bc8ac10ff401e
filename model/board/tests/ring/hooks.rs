// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a monitor needs of a node. Checks NODE-1, NODE-13, NODE-22 to NODE-24.

use super::monitor::NodeWatch;
use awgstar_board::ring::{Fault, FaultKind, Outgoing, Ring, Scenario, ScenarioError, Send};
use awgstar_board::trace::{Kind, Recorder};
use awgstar_frame::contract::{Counter, Token};
use awgstar_frame::quantity::Cycle;

const NODES: usize = 4;
/// Inverted it makes a MAC that no node has.
const MAC_BIT: u32 = 36;

const RETURNED: usize = Counter::ReturnedGood.code() as usize;

/// What the nodes of a ring did.
#[derive(Debug)]
struct Observed {
    ring: Ring,
    watches: Vec<NodeWatch>,
    orphans: Vec<u32>,
    discarded: Vec<u32>,
    seen: Vec<u32>,
}

impl Observed {
    fn new(s: &Scenario) -> Self {
        let zeros = vec![0; s.nodes];
        Observed {
            ring: Ring::new(s).expect("good"),
            watches: vec![NodeWatch::default(); s.nodes],
            orphans: zeros.clone(),
            discarded: zeros.clone(),
            seen: zeros,
        }
    }

    fn run_until(&mut self, end: u64) {
        while self.ring.cycle() < Cycle(end) {
            let cycle = self.ring.cycle();
            let Observed { ring, watches, orphans, discarded, seen } = self;
            ring.step_observed(&mut |n, node, i, o| {
                if i.rst {
                    return;
                }
                orphans[n] += u32::from(o.ev_orphan);
                discarded[n] += u32::from(o.ev_discarded);
                seen[n] += u32::from(o.token_seen);
                // NODE-24: with the second word in stage 1, one cycle behind the link.
                assert_eq!(seen[n], watches[n].flow().1, "node {n}, cycle {cycle}");
                assert_eq!(o.buffered, node.u_buffer.words_q != 0);
                watches[n].cycle(cycle.0, node, i, o);
            });
        }
    }

    fn passed(&self, node: usize) -> u32 {
        self.ring.nodes()[node].u_counters.mem[usize::from(Counter::Passed.code())]
    }

    /// `token_seen` at node 0 in the next `cycles`.
    fn seen_in(&mut self, cycles: u64) -> u32 {
        let before = self.seen[0];
        self.run_until((self.ring.cycle() + Cycle(cycles)).0);
        self.seen[0] - before
    }
}

/// Node 1 sends one frame, which is the first with this TOKEN.
fn one_frame(token: Token) -> Scenario {
    let tokens = usize::from(token == Token::Data);
    let mut s = Scenario { fibre: vec![3; NODES], ..Scenario::new(NODES, tokens, Cycle(4_000)) };
    s.sends.push(Send { node: 1, cycle: Cycle(100), frame: Outgoing::new(token, vec![7; 50]) });
    s
}

/// The same, and on `link` its MAC becomes one that nobody has.
fn orphaned(token: Token, link: usize) -> Scenario {
    let s = one_frame(token);
    let mut clean = Observed::new(&s);
    clean.run_until(600);
    let mut frames = clean.watches[link].frames.iter();
    let frame = frames.position(|f| f.bytes[6] >> 5 == token.code()).expect("it passes") as u64;
    Scenario { faults: vec![Fault { link, frame, kind: FaultKind::Bit(MAC_BIT) }], ..s }
}

/// NODE-1: without a monitor a frame that has lost its source goes round for ever.
#[test]
fn nobody_absorbs_it() {
    let mut o = Observed::new(&orphaned(Token::Broadcast, 2));
    o.run_until(4_000);
    assert!(o.passed(3) > 30 && o.orphans == [0; NODES]);
}

/// NODE-22: a frame that has lost its source passes each node twice at most, wherever the monitor
/// is, and wherever it lost it.
#[test]
fn an_orphan_is_absorbed() {
    for monitor in 0..NODES {
        for link in 0..NODES {
            let s = Scenario { monitor: Some(monitor), ..orphaned(Token::Broadcast, link) };
            let mut o = Observed::new(&s);
            o.run_until(4_000);
            assert_eq!(o.orphans[monitor], 1, "monitor {monitor}, link {link}");
            assert_eq!(o.orphans.iter().sum::<u32>(), 1);
            for node in 0..NODES {
                assert!(o.passed(node) <= 2, "monitor {monitor}, link {link}, node {node}");
                assert_eq!(o.ring.nodes()[node].u_counters.mem[RETURNED], 0, "none back");
            }
        }
    }
}

/// NODE-22: the token of a data token that is absorbed is kept, goes on and serves another node.
#[test]
fn the_token_of_an_orphan_is_kept() {
    for monitor in 0..NODES {
        for link in 0..NODES {
            let mut s = orphaned(Token::Data, link);
            s.monitor = Some(monitor);
            s.sends.push(Send {
                node: 3,
                cycle: Cycle(2_000),
                frame: Outgoing::new(Token::Data, vec![9]),
            });
            let mut o = Observed::new(&s);
            o.run_until(2_000);
            assert_eq!(o.orphans[monitor], 1, "monitor {monitor}, link {link}");
            assert!(o.seen_in(200) > 0, "the token goes round");
            o.run_until(4_000);
            assert_eq!(o.ring.host(3).counts().acknowledged, 1, "monitor {monitor}, link {link}");
            assert!(o.watches.iter().all(|w| w.token_checks > 0), "NODE-13 was looked at");
        }
    }
}

/// NODE-22: frames that have their source return good with a monitor on the ring, and free
/// tokens are taken and passed as without one.
#[test]
fn nobody_else_is_absorbed() {
    for monitor in 0..NODES {
        let s = Scenario {
            monitor: Some(monitor),
            fibre: vec![2; NODES],
            ..Scenario::saturated(NODES, 2, 60, Cycle(20_000))
        };
        let mut o = Observed::new(&s);
        o.run_until(20_000);
        assert_eq!(o.orphans, [0; NODES]);
        for node in 0..NODES {
            let counts = o.ring.host(node).counts();
            assert!(counts.acknowledged > 20 && counts.returned_bad == 0, "{counts:?}");
        }
        // M is on the frames behind the monitor, and on no free token.
        let free = |bytes: &[u8]| bytes[6] >> 5 == Token::Free.code();
        for seen in &o.watches[monitor].frames {
            let own = seen.bytes[..6] == awgstar_board::ring::node_mac(monitor).0;
            assert_eq!(seen.monitor, !own && !free(&seen.bytes));
        }
    }
}

/// NODE-23, NODE-24: each `discard` drops one token, from the hand or the next one that comes.
#[test]
fn discard_drops_one() {
    for saturated in [false, true] {
        for node in 0..3 {
            let s = if saturated {
                Scenario::saturated(3, 3, 100, Cycle(20_000))
            } else {
                Scenario::new(3, 3, Cycle(20_000))
            };
            let mut o = Observed::new(&s);
            o.run_until(1_000);
            for left in (0..3).rev() {
                o.ring.discard(node).expect("a node");
                o.run_until((o.ring.cycle() + Cycle(1_000)).0);
                assert_eq!(o.discarded[node], 3 - left);
                assert_eq!(o.seen_in(1_000) != 0, left != 0, "{left} left");
            }
            assert_eq!(o.discarded.iter().sum::<u32>(), 3);
        }
    }
}

/// NODE-23: `discard` waits for a token, however long, and nodes at rest are not forgotten.
#[test]
fn discard_waits() {
    let s = Scenario::new(2, 0, Cycle(10_000));
    let mut o = Observed::new(&s);
    o.run_until(1_000);
    o.ring.discard(1).expect("a node");
    o.run_until(3_000);
    assert_eq!(o.discarded, [0, 0]);

    let mut ring = Ring::new(&Scenario::new(2, 1, Cycle(10_000))).expect("good");
    ring.run_until(Cycle(1_000));
    ring.discard(1).expect("a node");
    ring.run_until(Cycle(10_000));
    let taken = usize::from(Counter::TokenTaken.code());
    assert_eq!(ring.nodes()[1].u_counters.mem[taken], 1, "taken once, and gone");
    assert!(ring.nodes().iter().all(|n| n.u_arbiter.held_q == 0));
}

/// A monitor and a discarding node must be there.
#[test]
fn no_such_node() {
    let s = Scenario { monitor: Some(2), ..Scenario::new(2, 0, Cycle(100)) };
    let error = Ring::new(&s).expect_err("there are two");
    assert_eq!(error.to_string(), "monitor[0]: expected a node below 2, found 2");
    let mut ring = Ring::new(&Scenario::new(2, 0, Cycle(100))).expect("good");
    assert!(matches!(ring.discard(2), Err(ScenarioError::NoSuchNode { found: 2, .. })));
}

/// NODE-22: the trace says what became of an orphan, and of its token.
#[test]
fn traced() {
    let s = Scenario { monitor: Some(3), ..orphaned(Token::Data, 1) };
    let mut ring = Ring::new(&s).expect("good");
    let mut recorder = Recorder::new(NODES);
    while ring.cycle() < Cycle(1_000) {
        let cycle = ring.cycle();
        ring.step_observed(&mut |n, node, i, o| recorder.cycle(cycle, n, node, i, o));
    }
    let trace = recorder.finish();
    let mut at_3 = trace.events.iter().filter(|e| e.node == 3).map(|e| e.kind);
    assert!(at_3.any(|k| k == Kind::Orphan));
    assert_eq!(at_3.next(), Some(Kind::TokenBack));
}
