// SPDX-License-Identifier: MIT OR Apache-2.0
//! Light that is turned while the ring runs, and the controller. Checks AWG-4, AWG-5, AWG-6.

use awgstar_board::ring::boards::{Aim, bytes, configure, count, write_block};
use awgstar_board::ring::star::{Change, Star, Times};
use awgstar_board::ring::{BoardRing, BoardScenario, ScenarioError};
use awgstar_frame::contract::BoardCounter;
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};

const TIMES: Times = Times { detect: 20, command: 30, tune: 200 };

fn up(boards: usize, fibre: u32) -> BoardRing {
    let fibre = vec![fibre; boards];
    let mut ring = BoardRing::new(&BoardScenario { fibre, ..BoardScenario::new(boards) }).unwrap();
    for i in 0..boards {
        ring.push(i, configure(NodeId::at(i), 1, 3_000, 800)).unwrap();
    }
    ring.run_until(Cycle(12_000));
    assert_eq!(count(ring.board(0), BoardCounter::TokenAdded), 1);
    ring
}

fn run(ring: &mut BoardRing, star: &mut Star, cycles: u64) {
    for _ in 0..cycles {
        star.step(ring).unwrap();
        ring.step();
    }
}

/// To turn every laser to where it points already changes nothing, register for register.
#[test]
fn turned_to_the_same_board() {
    let mut plain = up(3, 9);
    let mut turned = plain.clone();
    for i in 0..3 {
        turned.aim(i, Some(Aim { to: (i + 1) % 3, delay: 9 })).unwrap();
    }
    for ring in [&mut plain, &mut turned] {
        ring.push(1, write_block(ByteAddress(0x40), &[7; 500])).unwrap();
        ring.push(2, write_block(ByteAddress(0x400), &[9; 30])).unwrap();
    }
    for _ in 0..3_000 {
        plain.step();
        turned.step();
        for i in 0..3 {
            assert_eq!(plain.board(i), turned.board(i), "cycle {}, board {i}", plain.cycle());
        }
    }
    assert_eq!(bytes(turned.board(0), ByteAddress(0x40), 500), [7; 500]);
}

/// A laser that is dark sends into nothing; what was on its way still arrives, and the receiver knows
/// a fibre's delay later.
#[test]
fn light_ends_behind_the_fibre() {
    let mut ring = up(3, 50);
    let from = ring.cycle();
    ring.aim(1, None).unwrap();
    let mut lit = Vec::new();
    while ring.cycle() < from + Cycle(60) {
        ring.step();
        lit.push(ring.lit(2));
    }
    assert_eq!(lit.iter().position(|lit| !lit), Some(51));
    assert!(ring.lit(0) && ring.lit(1));
    assert_eq!(
        ring.aim(0, Some(Aim { to: 3, delay: 0 })).unwrap_err().to_string(),
        "aim[0]: expected a node below 3, found 3"
    );
}

/// Two lasers on one output port: nothing arrives, and the port is not lit by one laser.
#[test]
fn light_of_two() {
    let mut ring = up(3, 4);
    ring.aim(0, Some(Aim { to: 2, delay: 4 })).unwrap();
    ring.run_until(ring.cycle() + Cycle(10));
    assert!(!ring.lit(2) && !ring.lit(1) && ring.lit(0));
    ring.push(1, write_block(ByteAddress(0), &[1; 8])).unwrap();
    ring.run_until(ring.cycle() + Cycle(2_000));
    assert_eq!(bytes(ring.board(2), ByteAddress(0), 8), [0; 8]);
}

#[test]
fn a_board_without_power_is_left_out_and_comes_back() {
    let mut ring = up(4, 10);
    let mut star = Star::new(&mut ring, vec![[5, 5]; 4], TIMES).unwrap();
    run(&mut ring, &mut star, 500);
    assert!(star.events().is_empty());
    let died = ring.cycle();
    ring.power_off(2).unwrap();
    run(&mut ring, &mut star, 400);
    // Board 3 sees the end of the light a cycle and ten of fibre later, and waits 20.
    let at = |change| star.events().iter().find(|e| e.1 == change).map(|e| e.0 - died);
    let dark = at(Change::Dark(3)).unwrap();
    assert!((31..=33).contains(&dark.0), "{dark}");
    // From port 2 to port 4 by 52 + 2 · 6.
    assert_eq!(at(Change::Tuning { board: 1, to: 3, wavelength: 64 }), Some(dark + Cycle(30)));
    assert_eq!(at(Change::Bypassed(2)), Some(dark + Cycle(30) + Cycle(200) + Cycle(12)));
    assert_eq!(star.members().collect::<Vec<_>>(), [0, 1, 3]);
    ring.power_on(2).unwrap();
    star.insert(2);
    let back = ring.cycle();
    run(&mut ring, &mut star, 400);
    let tuned = |board, to, wavelength| Change::Tuning { board, to, wavelength };
    let events: Vec<_> = star.events().iter().filter(|e| e.0 >= back).map(|e| e.1).collect();
    assert_eq!(events, [tuned(1, 2, 62), tuned(2, 3, 66), Change::Inserted(2)]);
    assert!((0..4).all(|i| ring.lit(i)) && star.steady());
}

/// A receiver without light does not say whose fault it is: the board ahead of it is left out first, and
/// if that does not help it stays and the dark one goes.
#[test]
fn an_uplink_and_a_downlink() {
    let ends = |change: &dyn Fn(&mut BoardRing)| {
        let mut ring = up(4, 10);
        let mut star = Star::new(&mut ring, vec![[5, 5]; 4], TIMES).unwrap();
        change(&mut ring);
        run(&mut ring, &mut star, 1_500);
        let all: Vec<Change> = star.events().iter().map(|e| e.1).collect();
        (all, star.members().collect::<Vec<_>>())
    };
    let (up, members) = ends(&|ring| ring.set_uplink(1, false).unwrap());
    assert_eq!(members, [0, 2, 3]);
    assert_eq!(up.first(), Some(&Change::Dark(2)));
    assert_eq!(up.last(), Some(&Change::Bypassed(1)));
    assert!(!up.iter().any(|e| matches!(e, Change::NotIt(_))));
    let (down, members) = ends(&|ring| ring.set_downlink(2, false).unwrap());
    assert_eq!(members, [0, 1, 3]);
    assert_eq!(down.first(), Some(&Change::Dark(2)));
    assert!(down.contains(&Change::NotIt(1)));
    assert_eq!(down.last(), Some(&Change::Bypassed(2)));
}

/// All boards ahead of it but one are without power at once: one change is enough.
#[test]
fn several_without_power() {
    let mut ring = up(5, 4);
    let mut star = Star::new(&mut ring, vec![[2, 2]; 5], TIMES).unwrap();
    for i in [1, 2, 4] {
        ring.power_off(i).unwrap();
    }
    run(&mut ring, &mut star, 600);
    assert_eq!(star.members().collect::<Vec<_>>(), [0, 3]);
    assert!(ring.lit(0) && ring.lit(3));
    let tunings = star.events().iter().filter(|e| matches!(e.1, Change::Tuning { .. })).count();
    assert_eq!(tunings, 2);
}

#[test]
fn more_boards_than_ports() {
    let mut ring = BoardRing::new(&BoardScenario::new(33)).unwrap();
    let error = Star::new(&mut ring, vec![[1, 1]; 33], TIMES).unwrap_err();
    assert_eq!(error, ScenarioError::Ports(33));
    let mut ring = BoardRing::new(&BoardScenario::new(3)).unwrap();
    let error = Star::new(&mut ring, vec![[1, 1]; 2], TIMES).unwrap_err();
    assert!(error.to_string().contains("expected one entry for each of 3 nodes, found 2"));
}
