// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every injected bug in the Verilog of the lock engine is found by the comparison with the model.

use super::repository;
use super::stimuli::drive;
use crate::fates::survivors;
use awgstar::rtl::LockEngine;
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::mutants::{chosen, list_of, machines::Model, read};
use awgstar_simulator::Sources;

#[test]
fn no_mutant_of_the_lock_engine_survives() {
    let count = read(&list_of(&repository(), "engine-lock")).unwrap().len();
    assert!(count >= 30, "{count} mutants");
    let list = chosen(&repository(), "engine-lock", &Selection::from_env()).unwrap();
    let model =
        Model::new::<LockEngine>(Sources::of(&repository()), &[drive(2, 2, 24).case()]).unwrap();
    let told = survivors(&list, &model).unwrap();
    assert!(told.is_empty(), "{told:#?}");
}
