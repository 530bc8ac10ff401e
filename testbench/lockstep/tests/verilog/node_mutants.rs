// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every deliberate bug in the ring node is found by the stimuli of the lockstep (LCK-3).

use crate::fates::survivors;
use awgstar::rtl::RingNode;
use awgstar_lockstep::campaign::case;
use awgstar_lockstep::mutants::machines::Model;
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::mutants::{chosen, list_of, read};
use awgstar_simulator::Sources;
use awgstar_stimulus::Case;
use awgstar_stimulus::node::{directed, strategy};
use proptest::strategy::ValueTree;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The stimuli: single nodes in a hostile environment, directed cases, and rings.
fn cases() -> Vec<Case<RingNode>> {
    let node = strategy::node(1200);
    let ring = strategy::ring(2, 1200);
    let mut nodes = (0..24).map(|k| case(&node, 11, k).unwrap().current());
    let rings = (0..6).map(|k| case(&ring, 12, k).unwrap().current());
    let first: Vec<Case<RingNode>> = nodes.by_ref().take(6).collect();
    first
        .into_iter()
        .chain(directed::cases().into_iter().map(|d| d.case))
        .chain(nodes)
        .chain(rings)
        .collect()
}

#[test]
fn no_mutant_of_the_ring_node_survives() {
    let list = chosen(&root(), "node", &Selection::from_env()).unwrap();
    let model = Model::new::<RingNode>(Sources::of(&root()), &cases()).unwrap();
    let told = survivors(&list, &model).unwrap();
    assert!(told.is_empty(), "{told:#?}");
}

#[test]
fn the_list_is_long_enough() {
    let count = read(&list_of(&root(), "node")).unwrap().len();
    assert!(count >= 60, "{count} mutants");
}
