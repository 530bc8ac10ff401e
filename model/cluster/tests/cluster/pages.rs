// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shared pages on a cluster, in programs that know what they must read.

use crate::{copies, memories, seeded::seeded, small};
use awgstar_cluster::{Cluster, Coherence, Homes, Inspection, Settings, Sharing};
use awgstar_frame::quantity::Nanoseconds;
use awgstar_request::{Answer, Coherent, Feature, Got, Refused, Request};
use proptest::prelude::*;

fn settings(nodes: usize, per_computer: usize, protocol: Coherence) -> Settings {
    Settings { per_computer, sharing: Sharing::Pages(protocol), ..small(nodes) }
}

/// Runs programs; gives the faults of all nodes.
fn run(settings: &Settings, protocol: Coherence, phases: &[copies::Phase]) -> Result<u64, String> {
    let mut faults = Err("no run".to_owned());
    let ran =
        copies::run(settings.processes, protocol.first_protection(), phases, |processes, wrong| {
            let mut cluster = Cluster::new(settings, processes, memories(settings)).unwrap();
            faults = cluster.run_while(&mut |_| !wrong()).map_err(|e| e.to_string()).map(|_| {
                let blocks = cluster.blocks().unwrap_or_default();
                let all = blocks.iter().flat_map(|one| one.values());
                all.map(|one| one.read_faults + one.write_faults).sum()
            });
        });
    faults.and_then(|faults| ran.map(|()| faults))
}

proptest! {
    // A run that does not end takes long: few are tried to make one small.
    #![proptest_config(ProptestConfig { max_shrink_iters: 4, ..seeded(60) })]

    /// Also where several processes are on a computer, and share its server.
    #[test]
    fn programs_read_what_was_written(
        (nodes, phases) in (1..5_usize).prop_flat_map(|nodes| (Just(nodes), copies::phases(nodes))),
        per_computer in 1..3_usize,
        protocol in prop_oneof![
            2 => Just(Coherence::Fdsm(Inspection::Owners)),
            1 => Just(Coherence::Fdsm(Inspection::Homes)),
            1 => Just(Coherence::Scash(Homes::FirstTouch)),
            1 => Just(Coherence::Scash(Homes::RoundRobin)),
        ],
    ) {
        let found = run(&settings(nodes, per_computer, protocol), protocol, &phases).map(|_| ());
        prop_assert_eq!(found, Ok(()));
    }
}

/// In the third execution of a block FDSM sends what its readers read, and none faults.
#[test]
fn a_known_block_has_no_faults() {
    let phase = |value: u8| copies::Phase {
        site: 0,
        writes: (0..12).map(|cell| (cell % 2, value + 1)).collect(),
        reads: vec![1; 12],
        sums: vec![0; 2],
        computes: vec![10; 2],
    };
    let faults = |steps: u8| {
        let protocol = Coherence::Fdsm(Inspection::Owners);
        let phases: Vec<_> = (0..steps).map(phase).collect();
        run(&settings(2, 1, protocol), protocol, &phases).unwrap()
    };
    assert!(faults(1) > 4 && faults(3) == faults(9), "{} {} {}", faults(1), faults(3), faults(9));
}

/// Without a protocol there are no calls for it, and with one an error of the program ends the run.
#[test]
fn what_no_protocol_has_is_refused() {
    let call = Request::Coherent(Coherent::Release(3), std::sync::Arc::default());
    let (_, log) = crate::run(&small(2), vec![vec![call.clone()], vec![]]);
    assert_eq!(log[0][1].got, Err(Refused::NotOffered(Feature::Coherence)));
    let settings = settings(2, 1, Coherence::Fdsm(Inspection::Owners));
    let (mut cluster, _) = crate::cluster(&settings, vec![vec![call], vec![]]);
    let error = cluster.run_while(&mut |_| true).unwrap_err().to_string();
    assert!(error.contains("lock 3: given up by a process that does not hold it"), "{error}");
}

/// A write of a replica is in all others after a barrier, and costs a message to each.
#[test]
fn a_replica_has_what_others_wrote() {
    let settings = Settings { sharing: Sharing::Replica, ..small(3) };
    let write = Request::write(crate::at(&settings, 0, 64), 7);
    let read = Request::read(crate::at(&settings, 0, 64));
    let other = vec![Request::Barrier(0), read];
    let first = vec![write, Request::Barrier(0)];
    let (cluster, log) = crate::run(&settings, vec![first, other.clone(), other]);
    let word = |answers: &[Answer]| answers.last().map(|one| one.got.clone());
    for log in &log[1..] {
        assert_eq!(word(log), Some(Ok(Got::Word(7))));
    }
    assert!(cluster.now() > Nanoseconds(0));
}
