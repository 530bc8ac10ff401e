// SPDX-License-Identifier: MIT OR Apache-2.0
//! A simulation in four states that shows memory words when they change, as Icarus does.

use super::probe::{Inputs, Probe, inputs, words};
use super::shown::design;
use awgstar::rtl::{RingNode, ring_node, state::State};
use awgstar_compare::starts::check;
use awgstar_compare::{Cycle, Difference, Seen, cause};
use awgstar_stimulus::machine::{Machine, Track};
use awgstar_stimulus::shape::image;

/// What a design shows; `keep` says which changes of words it makes.
fn cycles(track: &[Inputs], keep: &dyn Fn(usize) -> bool) -> Vec<Cycle> {
    let mut design = design();
    let mut shown: Vec<(usize, usize, Seen)> = Vec::new();
    let mut all = Vec::new();
    for (number, now) in track.iter().enumerate() {
        let outputs = image(&design.outputs(now));
        let mut cycle = Cycle::of_images(Probe::shape(), &outputs, &image(&design.registers));
        let seen = words(&design);
        cycle.memories.extend(seen.iter().filter(|word| !shown.contains(word)).copied());
        shown = seen;
        all.push(cycle);
        let before = design.clone();
        design.clock(now);
        if !keep(number) {
            (design.few, design.many) = (before.few, before.many);
        }
    }
    all
}

fn found(cycles: &[Cycle], track: &[Inputs]) -> Vec<(String, u64)> {
    let wrong = check::<Probe>(Probe::shape(), &Track::from(track.to_vec()), cycles).unwrap();
    wrong.iter().map(|d| (d.path(), d.cycle)).collect()
}

#[test]
fn a_word_that_does_not_change_is_found() {
    let track: Vec<Inputs> = (0..30).map(inputs).collect();
    assert_eq!(found(&cycles(&track, &|_| true), &track), []);
    // In cycle 10, 70 mod 16 is written to word 6 of one memory and word 2 of the other.
    let expected = [("few[2]".to_owned(), 11), ("u_inner.many[6]".to_owned(), 11)];
    assert_eq!(found(&cycles(&track, &|number| number != 10), &track), expected);
    // A word that was written in cycle 8, and that the design alone changes later.
    let mut alone = cycles(&track, &|_| true);
    alone[15].memories.push((1, 0, Seen::known(77)));
    assert_eq!(found(&alone, &track), [("u_inner.many[0]".to_owned(), 15)]);
}

/// A design that never takes over a state: what is not set may be anything, in all cycles.
#[test]
fn what_is_not_set_stays_unknown() {
    let track: Vec<Inputs> = (0..30).map(inputs).collect();
    let mut all = cycles(&track, &|_| true);
    for cycle in &mut all {
        cycle.registers[2] = Seen::unknown(65);
        cycle.registers[3].value ^= 1 << 127;
        cycle.outputs[0].value ^= 1;
    }
    assert_eq!(found(&all, &track), []);
    // The model has this output from any start.
    all[0].outputs[2].value = 0;
    assert_eq!(found(&all, &track), [], "nothing is set before the first edge");
    all[29].registers[1].value ^= 1 << 32;
    assert_eq!(found(&all, &track), [("long_q".to_owned(), 29)]);
    all[1].registers[1].value = 1;
    assert_eq!(found(&all, &track), [("long_q".to_owned(), 1)]);
}

/// A register that reads a memory at an address that was never set is X in Verilog, and has the value of all words in
/// the model.
#[test]
fn one_register_may_be_x_and_not_wrong() {
    let shape = RingNode::shape();
    let track: Vec<_> =
        (0..60).map(|n| ring_node::Inputs { rst: n < 2, ..Default::default() }).collect();
    let mut node = RingNode::default();
    let mut cycles = Vec::new();
    for inputs in &track {
        let mut registers = vec![0; RingNode::WORDS];
        node.pack(&mut registers);
        cycles.push(Cycle::of_images(shape, &image(&node.outputs(inputs)), &registers));
        node.clock(inputs);
    }
    let place = |name: &str| shape.registers.iter().position(|(path, _)| path == name).unwrap();
    let (data, clear) = (place("u_counters.data_q"), place("u_counters.clear_q"));
    let wrong = |cycles: &[Cycle]| -> Vec<String> {
        let wrong = check::<RingNode>(shape, &Track::from(track.clone()), cycles).unwrap();
        wrong.iter().filter(|d| d.cycle == 59).map(Difference::path).collect()
    };
    // Memories that were never shown are unknown in this design, so only the last cycle is looked at.
    for (number, memory) in shape.memories.iter().enumerate() {
        let words = (0..memory.1.depth).map(|index| (number, index, Seen::known(0)));
        cycles[0].memories.extend(words);
    }
    assert_eq!(wrong(&cycles), Vec::<String>::new());
    cycles[59].registers[data] = Seen::unknown(32);
    assert_eq!(wrong(&cycles), Vec::<String>::new());
    cycles[59].registers[data] = Seen::known(1);
    assert_eq!(wrong(&cycles), ["u_counters.data_q"]);
    cycles[59].registers[data] = Seen::known(0);
    cycles[59].registers[clear] = Seen::unknown(1);
    assert_eq!(wrong(&cycles), ["u_counters.clear_q"]);
}

/// A port that counts only while another one is 1.
#[test]
fn a_port_without_its_enable_is_no_cause() {
    let (shape, inputs) = (RingNode::shape(), ring_node::Inputs::default());
    let node = RingNode::default();
    let ports = cause::ports(shape);
    let place = |name: &str| ports.iter().position(|(path, _)| path == name).unwrap();
    let mut seen: Vec<_> = ports.iter().map(|(_, port)| Seen::unknown(port.bits)).collect();
    node.look(&inputs, &mut |path, all, image| {
        let mut at = 0;
        for port in all {
            let value = awgstar_stimulus::shape::value(image, at, port.bits);
            seen[place(&format!("{path}.{}", port.name))] = Seen::known(value);
            at += port.words();
        }
    });
    let wrong = |path: &str| -> Vec<String> {
        let mut seen = seen.clone();
        seen[place(path)].value ^= 1;
        let wrong = cause::wires(shape, &node, &inputs, &seen, 0);
        wrong.iter().map(Difference::path).collect()
    };
    assert_eq!(wrong("u_arbiter.grant_cycles"), Vec::<String>::new());
    assert_eq!(wrong("u_arbiter.grant_data"), ["u_arbiter.grant_data"]);
}
