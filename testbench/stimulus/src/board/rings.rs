// SPDX-License-Identifier: MIT OR Apache-2.0
//! Directed rings of boards: what many boards do at once, and what goes wrong on the links between them.

use crate::board::ring::RingRun;
use crate::case::Case;
use crate::node::directed::Named;
use awgstar::contract::{Order, Token};
use awgstar::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar::ring::boards::{
    Cut, Dead, configure, in_window, read_block, send_signal, wait_synced, write_block,
};
use awgstar::ring::{BoardScenario, Fault, FaultKind, HostOp};
use awgstar::rtl::{Parameters, Smb};

/// Cycles in which the boards come to know each other, at most.
const UP: u64 = 4_000;
/// Cycles of a host's wait for that.
const LIMIT: Cycle = Cycle(20_000);

/// A ring whose hosts do this once it is up, for so many cycles after it.
fn run(
    nodes: u8,
    parameters: Parameters,
    cycles: u64,
    change: impl FnOnce(&mut BoardScenario),
    work: impl Fn(u8) -> Vec<HostOp>,
) -> Case<Smb> {
    let boards = usize::from(nodes);
    let fibre = (0..nodes).map(|node| u32::from(node % 3)).collect();
    let mut scenario = BoardScenario { fibre, parameters, ..BoardScenario::new(boards) };
    change(&mut scenario);
    let host = |node: u8| {
        let timeout = 200 + 60 * u32::from(nodes);
        let start = configure(NodeId(node), nodes.min(16), timeout, 300);
        start.into_iter().chain([wait_synced(LIMIT)]).chain(work(node)).collect()
    };
    let hosts = (0..nodes).map(host).collect();
    Case::ring(RingRun { scenario, hosts, cycles: Cycle(UP + cycles) }.into())
}

/// A write of a word, and a read of it.
fn word(addr: u32, data: u32) -> [HostOp; 2] {
    let addr = in_window(ByteAddress(addr));
    [HostOp::Write { addr, data, strobe: 0b1111 }, HostOp::Read { addr }]
}

/// A block of a host at its place.
fn block(node: u8, bytes: usize) -> Vec<HostOp> {
    let data: Vec<u8> = (0..bytes).map(|at| narrow(at & 0xff)).collect();
    write_block(ByteAddress(u32::from(node % 8) << 10), &data)
}

/// Directed cases of a ring of that many boards of this size.
#[must_use]
pub fn named(nodes: u8, parameters: &Parameters) -> Vec<Named<Case<Smb>>> {
    let all = |_: &mut BoardScenario| {};
    let last = usize::from(nodes) - 1;
    let one_word = |node: u8| -> Vec<HostOp> {
        (0..24).flat_map(|k| word(4 * (k % 3), k << 8 | u32::from(node))).collect()
    };
    let signals = |node: u8| -> Vec<HostOp> {
        let signal = |k: u8| {
            let data = [k; 46];
            let (token, to) = if k.is_multiple_of(3) {
                (Token::P2p, NodeId((node + 1) % nodes))
            } else {
                (Token::Broadcast, NodeId(0))
            };
            send_signal(token, k % 16, to, Order::ALL[usize::from(k % 3)], &data[..usize::from(k)])
        };
        (0..40).flat_map(signal).collect()
    };
    let stream = |node: u8| -> Vec<HostOp> {
        let read = read_block(ByteAddress(u32::from(node) << 2), 4);
        block(node, 1024).into_iter().chain(read).chain(block(node + 1, 1024)).collect()
    };
    let faults = move |kind: fn(u64) -> FaultKind| {
        move |scenario: &mut BoardScenario| {
            let links = 0..=last;
            scenario.faults = links
                .flat_map(|link| (0..6).map(move |k| (link, k)))
                .map(|(link, k)| Fault { link, frame: 30 + 7 * k + link as u64, kind: kind(k) })
                .collect();
        }
    };
    let cut = move |scenario: &mut BoardScenario| {
        let from = Cycle(UP + 300);
        scenario.cuts.push(Cut { link: last / 2, from, until: from + Cycle(900) });
    };
    let dead = |board| {
        move |scenario: &mut BoardScenario| {
            scenario.dead.push(Dead { board, cycle: Cycle(UP + 200) });
        }
    };
    let parameters = *parameters;
    let case = |name: &str, requirements: &[&'static str], case| Named {
        name: format!("rings/{name}"),
        requirements: requirements.to_vec(),
        case,
    };
    let mut cases = vec![
        case("one_word_of_all", &["WRT-1", "RCV-2"], run(nodes, parameters, 3_000, all, one_word)),
        case(
            "signals_of_all",
            &["SND-1", "SND-2", "RCV-5"],
            run(nodes, parameters, 6_000, all, signals),
        ),
        case("streams_of_all", &["WRT-1", "ACK-1"], run(nodes, parameters, 6_000, all, stream)),
        case(
            "bits_on_every_link",
            &["ACK-3"],
            run(nodes, parameters, 6_000, faults(|k| FaultKind::Bit(narrow(90 + 40 * k))), stream),
        ),
        case(
            "frames_lost_on_every_link",
            &["ACK-3", "ACK-5"],
            run(nodes, parameters, 6_000, faults(|_| FaultKind::Lose), one_word),
        ),
        case(
            "frames_twice_on_every_link",
            &["RCV-2"],
            run(nodes, parameters, 6_000, faults(|_| FaultKind::Twice), one_word),
        ),
        case("a_link_cut", &["ACK-5", "MON-3"], run(nodes, parameters, 6_000, cut, stream)),
    ];
    if nodes > 1 {
        let first = run(nodes, parameters, 6_000, dead(0), one_word);
        cases.push(case("the_first_dies", &["MON-3"], first));
        cases.push(case(
            "the_last_dies",
            &["ACK-5"],
            run(nodes, parameters, 6_000, dead(last), stream),
        ));
    }
    cases
}
