//! What makes no sense is refused, with the field and what was expected. Checks RING-1.

use awgstar::ring::boards::{Cut, Dead, Noise};
use awgstar::ring::{BoardRing, BoardScenario, Fault, FaultKind, HostOp, ScenarioError};

fn refused(change: impl FnOnce(&mut BoardScenario)) -> String {
    let mut s = BoardScenario::new(3);
    change(&mut s);
    BoardRing::new(&s).map(|_| ()).expect_err("nonsense").to_string()
}

fn fault(kind: FaultKind) -> String {
    refused(|s| s.faults = vec![Fault { link: 0, frame: 0, kind }])
}

/// RING-1: each wrong value, and the text that names it.
#[test]
fn wrong_values() {
    assert_eq!(refused(|s| s.boards = 0), "nodes: expected 1 to 256, found 0");
    assert_eq!(refused(|s| s.boards = 257), "nodes: expected 1 to 256, found 257");
    let fibre = refused(|s| s.fibre.truncate(2));
    assert_eq!(fibre, "fibre: expected one entry for each of 3 nodes, found 2");
    let long = refused(|s| s.fibre[1] = 340_001);
    assert_eq!(long, "fibre[1].cycles: expected 0 to 340000, found 340001");
    let noise = refused(|s| s.noise = Noise { rate: (1 << 27) + 1, seed: 0 });
    assert_eq!(noise, "noise[0].rate: expected 0 to 134217728, found 134217729");
    let link = Fault { link: 3, frame: 0, kind: FaultKind::Lose };
    assert_eq!(refused(|s| s.faults = vec![link]), "faults[0]: expected a node below 3, found 3");
    assert_eq!(fault(FaultKind::Bit(8336)), "faults[0].bit: expected 0 to 8335, found 8336");
    assert_eq!(fault(FaultKind::Truncate(0)), "faults[0].words: expected 1 to 260, found 0");
    assert_eq!(fault(FaultKind::Truncate(261)), "faults[0].words: expected 1 to 260, found 261");
    let cut = |link, from, until| refused(move |s| s.cuts = vec![Cut { link, from, until }]);
    assert_eq!(cut(7, 0, 1), "cuts[0]: expected a node below 3, found 7");
    assert!(cut(0, 5, 4).starts_with("cuts[0].until: expected 5 to "));
    let dead = refused(|s| s.dead = vec![Dead { board: 9, cycle: 0 }]);
    assert_eq!(dead, "dead[0]: expected a node below 3, found 9");
}

/// Wrong operations are refused, and none of their list is taken.
#[test]
fn wrong_operations() {
    let mut ring = BoardRing::new(&BoardScenario::new(1)).expect("good");
    let good = HostOp::Read { addr: 0 };
    let strobe = HostOp::Write { addr: 0, data: 0, strobe: 16 };
    let error = ring.push(0, [good, strobe]).expect_err("strobe");
    assert_eq!(error.to_string(), "operations[1].strobe: expected 0 to 15, found 16");
    let poll = HostOp::Poll { addr: 0, mask: 1, value: 2, limit: 1 };
    assert!(matches!(ring.push(0, [poll]), Err(ScenarioError::Mask { index: 0, .. })));
    assert!(ring.push(1, [good]).is_err());
    assert!(ring.reset(1, 1).is_err());
    assert!(ring.host(0).is_idle());
}

/// A poll ends when its value is there, or when its time is over; a wait lasts as long as it says.
#[test]
fn polls_and_waits() {
    let mut ring = BoardRing::new(&BoardScenario::new(1)).expect("good");
    let id = awgstar::contract::board::ID;
    let poll = |value, limit| HostOp::Poll { addr: id.offset, mask: !0, value, limit };
    ring.push(0, [HostOp::Wait { cycles: 100 }, poll(id.reset, 50), poll(1, 50)]).expect("good");
    ring.run_until(400);
    let [wait, found, expired] = ring.host(0).results() else { panic!("three results") };
    assert_eq!(wait.ended - wait.began, 100);
    assert_eq!((found.data, found.outcome), (id.reset, awgstar::ring::Outcome::Done));
    assert!(found.ended - found.began < 6);
    assert_eq!(expired.outcome, awgstar::ring::Outcome::Expired);
    assert!((50..56).contains(&(expired.ended - expired.began)));
}
