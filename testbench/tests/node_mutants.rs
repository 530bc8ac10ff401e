//! Every deliberate bug in the ring node is found by the stimuli of the lockstep (LCK-3).

use awgstar::rtl::RingNode;
use awgstar_testbench::{
    lockstep::{
        Case,
        campaign::case,
        directed,
        mutants::{self, Fate},
        strategy,
    },
    sim::{Sources, mutants as list},
};
use proptest::strategy::ValueTree;
use std::{path::Path, sync::Mutex};

/// The stimuli: single nodes in a hostile environment, directed cases, and rings.
fn cases() -> Vec<Case> {
    let node = strategy::node(1200);
    let ring = strategy::ring(2, 1200);
    let mut nodes = (0..24).map(|k| case(&node, 11, k).unwrap().current());
    let rings = (0..6).map(|k| case(&ring, 12, k).unwrap().current());
    let first: Vec<Case> = nodes.by_ref().take(6).collect();
    first
        .into_iter()
        .chain(directed::cases().into_iter().map(|d| d.case))
        .chain(nodes)
        .chain(rings)
        .collect()
}

#[test]
fn no_mutant_of_the_ring_node_survives() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let sources = Sources::of(&root);
    let all = list::read(&root.join("testbench/mutants/node.toml")).unwrap();
    assert!(all.len() >= 60, "{} mutants", all.len());
    let unmatched: Vec<String> = list::unmatched(&all, &sources.hdl)
        .unwrap()
        .into_iter()
        .map(|(m, count)| format!("{}: `find` occurs {count} times", m.id))
        .collect();
    assert!(unmatched.is_empty(), "{unmatched:#?}");
    let only = std::env::var("AWGSTAR_MUTANTS").unwrap_or_default();
    let all: Vec<_> =
        all.into_iter().filter(|m| only.split(',').any(|o| m.id.contains(o))).collect();
    assert!(!all.is_empty(), "no mutant has {only} in its name");

    let told = Mutex::new(Vec::new());
    let out = root.join("target/cosim/node-mutants");
    let fates = mutants::run::<RingNode>(&all, &sources, &out, &cases(), &|mutant, fate| {
        println!("{}: {fate:?}", mutant.id);
        if !fate.killed() {
            let why = match fate {
                Fate::DoesNotCompile(log) => format!("does not compile: {log}"),
                other => format!("{other:?}"),
            };
            told.lock().unwrap().push(format!("{} ({}): {why}", mutant.id, mutant.story));
        }
    })
    .unwrap();
    let told = told.into_inner().unwrap();
    assert_eq!(fates.len(), all.len());
    assert!(told.is_empty(), "{told:#?}");
}
