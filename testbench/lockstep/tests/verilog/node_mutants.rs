// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every deliberate bug in the ring node is found by the stimuli of the lockstep (LCK-3).

use crate::fates::survivors;
use crate::node::injected::copy;
use awgstar::rtl::RingNode;
use awgstar_lockstep::campaign::case;
use awgstar_lockstep::mutants::machines::Model;
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::mutants::{Fate, Found, Mutant, Oracle, chosen, list_of, read};
use awgstar_lockstep::{Lockstep, Verdict};
use awgstar_simulator::{SimError, Sources};
use awgstar_stimulus::Case;
use awgstar_stimulus::node::{directed, strategy};
use proptest::strategy::ValueTree;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

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

/// The library that Verilator makes, which takes some seconds for each bug, and the loop that compares it.
struct Library {
    hdl: PathBuf,
    cases: Vec<Case<RingNode>>,
    clean: Mutex<Lockstep<RingNode>>,
}

/// Case, cycle and signal.
#[derive(Debug)]
struct Place(usize, u64, String);

impl Found for Place {
    fn place(&self) -> [String; 3] {
        [self.0.to_string(), self.1.to_string(), self.2.clone()]
    }
}

impl Library {
    fn new() -> Result<Library, SimError> {
        let hdl = root().join("hdl");
        let clean = Mutex::new(Lockstep::new(&hdl, &root().join("target/cosim"))?);
        Ok(Library { hdl, cases: cases(), clean })
    }

    fn holds(&self, case: usize) -> Result<bool, SimError> {
        let clean = self.clean.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(matches!(clean.run(&self.cases[case])?, Verdict::Equal(_)))
    }
}

impl Oracle for Library {
    type By = Place;

    fn sources(&self) -> &Path {
        &self.hdl
    }

    fn judge(&self, mutant: &Mutant) -> Result<Fate<Place>, SimError> {
        let folder = tempfile::tempdir().unwrap();
        let hdl = folder.path().join("hdl");
        copy(&hdl, &(&mutant.file, &mutant.find, &mutant.replace));
        let lockstep = match Lockstep::<RingNode>::new(&hdl, &folder.path().join("out")) {
            Ok(lockstep) => lockstep,
            Err(SimError::Build { log, .. }) => return Ok(Fate::DoesNotCompile(log)),
            Err(error) => return Err(error),
        };
        let first = Some(mutant.first).filter(|&first| first < self.cases.len());
        let others = (0..self.cases.len()).filter(|&case| Some(case) != first);
        for case in first.into_iter().chain(others) {
            if let Verdict::Diverged(d) = lockstep.run(&self.cases[case])? {
                assert!(self.holds(case)?, "case {case} differs without a bug");
                let signal = d.first().map(|first| first.signal.path.clone()).unwrap_or_default();
                return Ok(Fate::Killed(Place(case, d.cycle, signal)));
            }
        }
        Ok(Fate::Survived)
    }
}

#[test]
#[ignore = "long: a build for each bug; no_mutant_of_the_ring_node_survives has them in Icarus"]
fn no_mutant_of_the_ring_node_survives_in_verilator() {
    let list = chosen(&root(), "node", &Selection::from_env()).unwrap();
    let told = survivors(&list, &Library::new().unwrap()).unwrap();
    assert!(told.is_empty(), "{told:#?}");
}

#[test]
fn the_list_is_long_enough() {
    let count = read(&list_of(&root(), "node")).unwrap().len();
    assert!(count >= 60, "{count} mutants");
}
