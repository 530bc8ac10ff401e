// SPDX-License-Identifier: MIT OR Apache-2.0
//! Committed vectors are those that are made, and hold on model and Verilator; and a sample, in `long` all, on Icarus.

use crate::link::repository;
use awgstar::rtl::Parameters;
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::{Lockstep, Verdict, check, text};
use awgstar_simulator::four_state as icarus;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::vector::{self, Vector};

/// The vectors of a folder below `vectors`; `answers` gives those that the hosts get in the model on these inputs.
#[track_caller]
pub(crate) fn committed<'a, M: Machine>(
    folder: &str,
    made: impl Iterator<Item = (&'a str, Vector<M>)>,
    answers: impl Fn(&[M::Inputs]) -> Vec<String>,
) {
    let (hdl, out) = (repository().join("hdl"), repository().join("target/cosim"));
    let lockstep = Lockstep::<M>::with_parameters(&hdl, &out, &Parameters::DEFAULT);
    let lockstep = lockstep.unwrap_or_else(|e| panic!("{e}"));
    let program = icarus::build(M::shape(), &hdl, &out).unwrap_or_else(|e| panic!("{e}"));
    let root = repository().join("vectors").join(folder);
    let made: Vec<_> = made.collect();
    let names: Vec<&str> = made.iter().map(|(name, _)| *name).collect();
    let in_icarus = Selection::from_env().sized(2).names(&names);
    for (name, made) in &made {
        let name = *name;
        let vector = Vector::<M>::load(&root.join(name)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(vector.files().unwrap(), made.files().unwrap(), "{name}");
        assert_eq!(answers(&vector.track.inputs), made.about.answers, "{name}");
        assert_eq!(vector.drift(), None, "{name}: the model does not give expect.hex");
        if let Verdict::Diverged(d) = lockstep.run(&vector.case()).unwrap() {
            panic!("{name}: {}", text::render(&d));
        }
        if !in_icarus.contains(name) {
            continue;
        }
        let cycles = icarus::play::<M>(M::shape(), &program, &vector.track).unwrap();
        let wrong = check::<M>(M::shape(), &vector.track, &cycles).unwrap();
        assert!(wrong.is_empty(), "{name}: {wrong:#x?}");
    }
    assert!(!made.is_empty(), "{folder}");
    assert_eq!(vector::list(&root).len(), made.len(), "{folder}");
}
