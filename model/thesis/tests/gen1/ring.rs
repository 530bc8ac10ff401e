// SPDX-License-Identifier: MIT OR Apache-2.0
//! Token, train and replicas (CUR-1, CUR-3, CUR-4), and what goes wrong on a link (CUR-6).

use super::seeded::seeded;
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId};
use awgstar_thesis::gen1::{
    Fault, FaultKind, Forwarding, Line, Processing, Ring,
    frame::Kind,
    record::Happened::{self, Attached, BadCrc, Copied, Removed},
    ring::{Content, Delivery},
};
use proptest::prelude::*;

/// A bus so fast that it takes no time that matters.
const FAST: u64 = 1_000_000_000_000;

fn ring(line: &Line, faults: &[Fault]) -> Ring {
    let mut ring = Ring::new(line, faults).unwrap();
    ring.record();
    ring
}

fn write(ring: &mut Ring, node: usize, now: u64, addr: u32, bytes: &[u8]) {
    ring.write(node, Nanoseconds(now), ByteAddress(addr), Content::Bytes(bytes.into()), FAST);
}

/// To the end: signals that arrived, and (ns, node, what) of what frames did.
fn run(ring: &mut Ring) -> (Vec<Delivery>, Vec<(u64, usize, Happened)>) {
    let mut arrived = Vec::new();
    while ring.next().is_some() {
        ring.step(&mut arrived);
    }
    let of_frames =
        |what: &Happened| matches!(what, Attached(_) | Copied(_) | Removed { .. } | BadCrc);
    let records = ring.records().into_iter().filter(|r| of_frames(&r.what));
    (arrived, records.map(|r| (r.at.0, r.node, r.what)).collect())
}

fn word(what: &Happened) -> &'static str {
    match what {
        Attached(_) => "attached",
        Copied(_) => "copied",
        Removed { bad: 0, .. } => "removed",
        Removed { .. } => "removed bad",
        BadCrc => "bad",
        _ => "",
    }
}

fn times(records: &[(u64, usize, Happened)]) -> Vec<(u64, usize, &'static str)> {
    records.iter().map(|(at, node, what)| (*at, *node, word(what))).collect()
}

/// 4 nodes, 10 m. The token's 14 bytes take 53 ns; its head is at node 0 at 0, 550 ns later at
/// node 1, and is handled when its end has come and 500 ns have passed: at 1103. The train of 8
/// bytes is 36 bytes, 134 ns.
#[test]
fn a_write_goes_round_once() {
    let mut ring = ring(&Line::new(4, 10), &[]);
    assert_eq!(ring.line().rotation(), Nanoseconds(2200));
    write(&mut ring, 1, 0, 0x100, b"12345678");
    let (_, records) = run(&mut ring);
    assert_eq!(
        times(&records),
        [
            (1103, 1, "attached"),
            (1100 + 134 + 500, 2, "copied"),
            (1650 + 134 + 500, 3, "copied"),
            (2200 + 134 + 500, 0, "copied"),
            (2750 + 134 + 500, 1, "removed"),
        ]
    );
    for node in 0..4 {
        assert_eq!(ring.memory(node).read(ByteAddress(0xff), 10), b"\x0012345678\x00");
        assert!(ring.synced(node));
    }
}

/// The same, each node waiting for all of the train: a hop takes 53 ns more while it is short.
#[test]
fn stored_and_forwarded() {
    let line = Line { forwarding: Forwarding::StoreAndForward, ..Line::new(4, 10) };
    let mut ring = ring(&line, &[]);
    assert_eq!(line.rotation(), Nanoseconds(4 * 603));
    write(&mut ring, 1, 0, 0x100, b"12345678");
    let (_, records) = run(&mut ring);
    // Node 1 has the token's end at 603 + 53 and sends at 1156.
    let first = 1156 + 50 + 134 + 500;
    let at = [1156, first, first + 684, first + 2 * 684, first + 3 * 684];
    assert_eq!(records.iter().map(|r| r.0).collect::<Vec<_>>(), at);
}

/// Processing each frame: node 1 attaches one, the others copy it, so nothing changes; a train of two
/// frames takes 1000 ns a node.
#[test]
fn processing_by_the_frame() {
    let line = Line { per: Processing::Frame, regenerate: None, ..Line::new(3, 0) };
    let mut ring = ring(&line, &[]);
    for at in 0..2 {
        write(&mut ring, 1, 0, at, &[1]);
    }
    let (_, records) = run(&mut ring);
    // Head at node 1 at 500; it leaves 2 * 500 later; 14 + 2 * 15 bytes are 164 ns.
    let node_2 = 500 + 1000 + 164 + 500;
    let found: Vec<_> = times(&records).into_iter().filter(|r| r.2 == "copied").collect();
    let node_0 = node_2 + 1000;
    let expected = [node_2, node_2, node_0, node_0];
    assert_eq!(found.iter().map(|r| r.0).collect::<Vec<_>>(), expected);
}

/// While nothing is sent no visit is looked at, and the token is where it would be.
#[test]
fn the_token_goes_round_unseen() {
    for now in [1, 552, 553, 554, 1103, 2200, 1_000_003, 7_654_321] {
        let mut ring = ring(&Line::new(4, 10), &[]);
        write(&mut ring, 2, now, 0, b"x");
        let (_, records) = run(&mut ring);
        // Visits of node 2: 1653 and every 2200 ns; one byte is there a ns after `now`.
        let first = (1653..).step_by(2200).find(|at| *at > now).unwrap();
        assert_eq!(records[0].0, first, "{now}");
        assert!(ring.counters().visits <= 9, "{:?}", ring.counters());
    }
}

/// A signal that comes at the very ns of a visit goes with it.
#[test]
fn a_visit_takes_what_comes_then() {
    for (now, attached) in [(1652, 1653), (1653, 1653), (1654, 3853), (3853, 3853)] {
        let mut ring = ring(&Line::new(4, 10), &[]);
        ring.signal(2, Nanoseconds(now), NodeId(0), Order::Sent);
        let (_, records) = run(&mut ring);
        assert_eq!(records[0].0, attached, "{now}");
    }
}

/// Node 0 has seen the token until it was lost, also while nobody looked at its visits.
#[test]
fn the_time_without_a_token_begins_with_its_last_visit() {
    let line = Line { regenerate: Some(Nanoseconds(1_000_000)), ..Line::new(4, 10) };
    let lost = 10_000_000;
    let mut ring = ring(&line, &[Fault { link: 2, at: Nanoseconds(lost), kind: FaultKind::Lose }]);
    ring.signal(1, Nanoseconds(lost), NodeId(0), Order::Sent);
    while ring.counters().tokens_made == 0 {
        ring.step(&mut Vec::new());
    }
    // Visits of node 0: at 553 and every 2200 ns; the last one before the loss, or, if the token had
    // passed node 2 by then, the one after.
    let visit = 553 + (lost - 553) / 2200 * 2200;
    let made = ring.records().into_iter().find(|r| r.what == Happened::TokenMade).unwrap().at;
    assert!([visit, visit + 2200].contains(&(made.0 - 1_000_000)), "{made}");
}

/// At most 1,024 bytes a visit; what a node attached is at the front when it returns.
#[test]
fn a_visit_takes_so_much() {
    let mut ring = ring(&Line::new(2, 10), &[]);
    let bytes: Vec<u8> = (0..2500_u32).map(|i| (i % 251) as u8).collect();
    write(&mut ring, 0, 0, 0x1000, &bytes);
    write(&mut ring, 1, 0, 0x9000, &bytes[..1500]);
    let (_, records) = run(&mut ring);
    let attached: Vec<(usize, usize)> = records
        .iter()
        .filter_map(|(_, node, what)| match what {
            Attached(frame) => Some((*node, frame.data.len())),
            _ => None,
        })
        .collect();
    assert_eq!(attached, [(0, 1024), (1, 1024), (0, 1024), (1, 476), (0, 452)]);
    assert_eq!(ring.memory(1).read(ByteAddress(0x1000), 2500), bytes);
    assert_eq!(ring.memory(0).first_difference(ring.memory(1)), None);
    // Token, 1,024 and 1,024 bytes.
    assert_eq!(ring.counters().longest_train, 14 + 2 * 1038);
}

/// At most a quarter as many frames as bytes: 256 signals, then the others.
#[test]
fn a_visit_takes_so_many_frames() {
    let mut ring = ring(&Line::new(2, 10), &[]);
    for _ in 0..300 {
        ring.signal(0, Nanoseconds(0), NodeId(1), Order::Sent);
    }
    let (arrived, records) = run(&mut ring);
    assert_eq!(arrived.len(), 300);
    let first = records.iter().filter(|r| r.0 == records[0].0).count();
    assert_eq!((records[0].0, first), (553, 256));
}

/// Two nodes write one address at once: the frame behind on the train wins everywhere, also where
/// the host wrote before the other's frame came.
#[test]
fn the_last_on_the_train_wins() {
    let mut ring = ring(&Line::new(4, 10), &[]);
    write(&mut ring, 3, 0, 0, b"three");
    write(&mut ring, 1, 0, 0, b"one..");
    run(&mut ring);
    for node in 0..4 {
        assert_eq!(ring.memory(node).read(ByteAddress(0), 5), b"three", "node {node}");
    }
}

#[test]
fn signals_keep_to_their_order() {
    // (order, what node 0 attaches in its first visits)
    let cases = [
        (Order::None, vec![(0, Kind::Signal), (0, Kind::Data)]),
        (Order::Sent, vec![(0, Kind::Data), (0, Kind::Signal)]),
        (Order::Confirmed, vec![(0, Kind::Data), (1, Kind::Signal)]),
    ];
    for (order, expected) in cases {
        let mut ring = ring(&Line::new(2, 10), &[]);
        write(&mut ring, 0, 0, 0, b"data");
        ring.signal(0, Nanoseconds(0), NodeId(1), order);
        let (arrived, records) = run(&mut ring);
        assert_eq!(arrived, [Delivery { to: NodeId(1), from: NodeId(0) }]);
        let kinds = records.iter().filter_map(|(at, _, what)| match what {
            Attached(frame) => Some((u64::from(*at > 553), frame.kind)),
            _ => None,
        });
        assert_eq!(kinds.collect::<Vec<_>>(), expected, "{order:?}");
    }
}

fn bit(link: usize, at: u64, bit: u64) -> Fault {
    Fault { link, at: Nanoseconds(at), kind: FaultKind::Bit(bit) }
}

/// Bit 200 of the train is in the first frame: the nodes behind the fault do not take it, nor the one
/// behind it; the source attaches both again.
#[test]
fn a_bit_error_is_repeated_in_order() {
    let mut ring = ring(&Line::new(4, 10), &[bit(1, 0, 200)]);
    write(&mut ring, 0, 0, 0, b"first...");
    write(&mut ring, 0, 0, 0, b"second..");
    let (_, records) = run(&mut ring);
    let words: Vec<(usize, &str)> = times(&records).into_iter().map(|r| (r.1, r.2)).collect();
    let expected = [
        [(0, "attached"), (0, "attached")].as_slice(),
        &[(1, "copied"), (1, "copied"), (2, "bad"), (3, "bad"), (0, "removed bad")],
        // Node 1 has seen them.
        &[(0, "attached"), (0, "attached"), (2, "copied"), (2, "copied")],
        &[(3, "copied"), (3, "copied"), (0, "removed")],
    ];
    assert_eq!(words, expected.concat());
    let c = ring.counters();
    assert_eq!((c.came_back_bad, c.sent_again, c.bad_crc, c.out_of_order), (1, 2, 2, 4));
    for node in 0..4 {
        assert_eq!(ring.memory(node).read(ByteAddress(0), 8), b"second..");
    }
}

/// The token is lost, or hit: node 0 makes another one, and what was on the train goes out again.
#[test]
fn a_lost_token_is_made_again() {
    for kind in [FaultKind::Lose, FaultKind::Bit(3)] {
        let line = Line { regenerate: Some(Nanoseconds(1_000_000)), ..Line::new(4, 10) };
        let mut ring = ring(&line, &[Fault { link: 2, at: Nanoseconds(0), kind }]);
        write(&mut ring, 1, 0, 0, b"12345678");
        ring.signal(1, Nanoseconds(0), NodeId(3), Order::Sent);
        let (arrived, records) = run(&mut ring);
        assert_eq!(arrived, [Delivery { to: NodeId(3), from: NodeId(1) }], "once");
        assert_eq!((ring.counters().tokens_lost, ring.counters().tokens_made), (1, 1));
        // Node 0 saw it at 553.
        let again = records.iter().filter(|r| r.0 > 1_000_553 && word(&r.2) == "attached");
        assert_eq!(again.count(), 2, "{kind:?}: {:?}", times(&records));
        assert_eq!(ring.memory(0).read(ByteAddress(0), 8), b"12345678");
        assert!((0..4).all(|node| ring.synced(node)));
    }
}

#[test]
fn without_a_new_token_the_ring_halts() {
    let line = Line { regenerate: None, ..Line::new(4, 10) };
    let mut ring = ring(&line, &[Fault { link: 0, at: Nanoseconds(0), kind: FaultKind::Lose }]);
    write(&mut ring, 1, 0, 0, b"x");
    let (_, records) = run(&mut ring);
    assert!(ring.halted() && records.is_empty() && !ring.synced(1));
}

#[test]
fn settings_have_their_ranges() {
    let good = Line::new(4, 10);
    let error = |line: &Line| Ring::new(line, &[]).err().unwrap().to_string();
    assert_eq!(error(&Line::new(0, 0)), "nodes is 0: expected 1 to 256");
    let none = Line { processing: Nanoseconds(0), ..good.clone() };
    assert_eq!(error(&none), "processing is 0: expected 1 to 60000000000");
    let short = Line { processing: Nanoseconds(1), ..Line::new(4, 0) };
    assert_eq!(error(&short), format!("rotation is 4: expected 53 to {}", u64::MAX));
    let small = Line { visit_bytes: 3, ..good.clone() };
    assert_eq!(error(&small), "visit_bytes is 3: expected 4 to 65536");
    // A train of all that four nodes may attach: 14 + 4 * (1024 + 256 * 14) bytes in each of four
    // hops, so a token that is made earlier might be a second one.
    let early = Line { regenerate: Some(Nanoseconds(1000)), ..good.clone() };
    let train = 53 + 4 * 17_131;
    assert_eq!(good.longest_rotation(), Nanoseconds(4 * (train + 550)));
    let text = format!("regenerate is 1000: expected {} to {}", 4 * (train + 550), u64::MAX);
    assert_eq!(error(&early), text);
    let link = Ring::new(&good, &[bit(4, 0, 0)]).err().unwrap().to_string();
    assert_eq!(link, "fault.link is 4: expected 0 to 3");
}

/// What a node does at a time: writes so many bytes, or sends a signal.
#[derive(Clone, Debug)]
enum Act {
    Write { offset: u32, len: u8 },
    Signal { to: u8, confirmed: bool },
}

fn act() -> impl Strategy<Value = (u64, usize, Act)> {
    let what = prop_oneof![
        (0..60_u32, 1..200_u8).prop_map(|(offset, len)| Act::Write { offset, len }),
        (any::<u8>(), any::<bool>()).prop_map(|(to, confirmed)| Act::Signal { to, confirmed }),
    ];
    (0..60_000_u64, 0..6_usize, what)
}

fn fault() -> impl Strategy<Value = (u64, usize, FaultKind)> {
    let kind = prop_oneof![
        1 => Just(FaultKind::Lose),
        6 => (0..4000_u64).prop_map(FaultKind::Bit),
    ];
    (0..80_000_u64, 0..6_usize, kind)
}

proptest! {
    #![proptest_config(seeded(256))]

    /// Whatever is hit or lost: each node's own part of the memory is the same everywhere, as its host
    /// left it, and every signal arrives once, in the order of its source.
    #[test]
    fn nothing_stays_lost(
        nodes in 1..=6_usize,
        mut acts in proptest::collection::vec(act(), 1..40),
        faults in proptest::collection::vec(fault(), 0..8),
    ) {
        let faults: Vec<Fault> = faults
            .into_iter()
            .map(|(at, link, kind)| Fault { link: link % nodes, at: Nanoseconds(at), kind })
            .collect();
        let mut ring = Ring::new(&Line::new(nodes, 10), &faults).unwrap();
        acts.sort_by_key(|act| act.0);
        let mut expected = vec![vec![0_u8; 1024]; nodes];
        let mut signals = Vec::new();
        let mut arrived = Vec::new();
        for (count, (at, node, act)) in acts.into_iter().enumerate() {
            while ring.next().is_some_and(|next| next <= Nanoseconds(at)) {
                ring.step(&mut arrived);
            }
            let node = node % nodes;
            match act {
                Act::Write { offset, len } => {
                    let bytes = vec![u8::try_from(count + 1).unwrap(); len.into()];
                    let from = offset as usize;
                    expected[node][from..from + bytes.len()].copy_from_slice(&bytes);
                    let addr = u32::try_from(node * 1024).unwrap() + offset;
                    write(&mut ring, node, at, addr, &bytes);
                }
                Act::Signal { to, confirmed } => {
                    let to = to % u8::try_from(nodes).unwrap();
                    if usize::from(to) != node {
                        signals.push((node, usize::from(to)));
                        let order = if confirmed { Order::Confirmed } else { Order::Sent };
                        ring.signal(node, Nanoseconds(at), NodeId(to), order);
                    }
                }
            }
        }
        for _ in 0..100_000 {
            if ring.next().is_none() {
                break;
            }
            ring.step(&mut arrived);
        }
        prop_assert!(ring.next().is_none(), "{:?}", ring.counters());
        let whole = expected.concat();
        for node in 0..nodes {
            prop_assert!(ring.memory(node).read(ByteAddress(0), nodes * 1024) == whole, "node {}", node);
        }
        for from in 0..nodes {
            for to in 0..nodes {
                let sent = signals.iter().filter(|pair| **pair == (from, to)).count();
                let came = arrived.iter().filter(|one| (one.from.index(), one.to.index()) == (from, to)).count();
                prop_assert_eq!(sent, came, "from {} to {}", from, to);
            }
        }
    }
}
