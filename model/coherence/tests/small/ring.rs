// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shared pages over replicated memory: processes on a machine whose replicas get what others write late, each in the
//! order of its writer.

use crate::{copies, replicas::Replicas, seeded::seeded};
use awgstar_coherence::{fdsm::Inspection, pages::Protocol, ring, scash::Homes};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, narrow};
use awgstar_request::{Answer, Process, Request};
use proptest::prelude::*;

const OWNERS: Protocol = Protocol::Fdsm(Inspection::Owners);
const COSTS: ring::Costs = ring::Costs { fault: Nanoseconds(5_000), page: Nanoseconds(1_000) };

/// Runs programs, with so many words of the log of each node.
fn run(
    nodes: usize,
    protocol: Protocol,
    log_words: u32,
    (seed, late): (u64, (usize, usize)),
    phases: &[copies::Phase],
) -> Result<ring::Common, String> {
    let mut common = None;
    copies::run(nodes, protocol.first_protection(), phases, |processes, wrong| {
        let count = narrow::<u32>(nodes);
        let logs = (ByteAddress(64), 4 * (count * (1 + count) + count * log_words));
        let (all, shared) = ring::nodes(processes, (protocol, COSTS), logs).unwrap();
        let all = all.into_iter().map(|one| Box::new(one) as Box<dyn Process>).collect();
        let stops = || wrong() || shared.borrow().failure.is_some();
        Replicas::new(all, 64 + logs.1 as usize, seed, late).run(&stops);
        common = Some(shared);
    })?;
    let common = common.ok_or("no run")?;
    let failure = common.borrow().failure;
    failure.map_or(Ok(common), |(node, why)| Err(format!("node {node}: {why}")))
}

fn protocols() -> impl Strategy<Value = Protocol> {
    prop_oneof![
        2 => Just(OWNERS),
        1 => Just(Protocol::Fdsm(Inspection::Homes)),
        1 => Just(Protocol::Scash(Homes::FirstTouch)),
        1 => Just(Protocol::Scash(Homes::RoundRobin)),
    ]
}

proptest! {
    // A run that does not end takes long: few are tried to make one small.
    #![proptest_config(ProptestConfig { max_shrink_iters: 4, ..seeded(60) })]

    /// Also where a log has less room than a message, so that it is sent in parts.
    #[test]
    fn programs_read_what_was_written(
        (nodes, phases, late) in (1..5_usize)
            .prop_flat_map(|nodes| (Just(nodes), copies::phases(nodes), (0..nodes, 0..nodes))),
        protocol in protocols(),
        log_words in prop_oneof![Just(64_u32), Just(100), Just(4096)],
        seed in any::<u64>(),
    ) {
        let found = run(nodes, protocol, log_words, (seed, late), &phases).map(drop);
        prop_assert_eq!(found, Ok(()));
    }
}

/// All nodes read what one writes: that is in its log once, whoever reads it.
#[test]
fn what_several_read_is_sent_once() {
    let bytes = |nodes: usize| {
        let phase = |step: u8| copies::Phase {
            site: 0,
            writes: (0..12).map(|cell| (0, step * 16 + cell)).collect(),
            reads: (0..12).map(|cell| 1 + cell % (nodes - 1)).collect(),
            sums: vec![0; nodes],
            computes: vec![5; nodes],
        };
        let phases: Vec<_> = (1..12).map(phase).collect();
        let common = run(nodes, OWNERS, 4096, (1, (0, 0)), &phases).unwrap();
        let shared = common.borrow();
        // Pages in the pushes of node 0, and words of its log.
        let diffs: u64 = shared.blocks[0].values().map(|one| one.diffs).sum();
        (diffs, shared.words[0])
    };
    let ((few, two), (many, four)) = (bytes(2), bytes(4));
    assert!(few > 0 && many >= 2 * few, "{few} {many}");
    assert!(four < 2 * two, "{two} {four}");
}

/// Node 0 manages the lock, and its process computes for a second.
#[test]
fn who_computes_is_woken() {
    let phase = copies::Phase {
        site: 0,
        writes: vec![(0, 7); 12],
        reads: vec![0; 12],
        sums: vec![0, 2, 1, 0],
        computes: vec![1_000_000, 0, 0, 0],
    };
    let common = run(4, OWNERS, 4096, (3, (0, 0)), &[phase]).unwrap();
    let blocks = common.borrow().blocks[1].clone();
    let at_locks: u64 = blocks.values().map(|one| one.at_locks.0).sum();
    assert!((10_000..1_000_000).contains(&at_locks), "{at_locks}");
}

#[test]
fn memory_that_is_too_small_is_refused() {
    let process = |_| Box::new(|_: &Answer| Request::End) as Box<dyn Process>;
    let processes: Vec<_> = (0..3).map(process).collect();
    let Err(error) = ring::nodes(processes, (OWNERS, COSTS), (ByteAddress(0), 815)) else {
        panic!("accepted");
    };
    let expected = "815 bytes for logs of shared pages: expected 816 or more for 3 nodes";
    assert_eq!(error.to_string(), expected);
}
