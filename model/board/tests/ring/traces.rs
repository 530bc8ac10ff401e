// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the recorder says of runs whose course is known. Checks NODE-1 to NODE-6, NODE-12, NODE-18,
//! RING-3.

use awgstar_board::ring::{Fault, FaultKind, Outgoing, Ring, Scenario, Send};
use awgstar_board::trace::{Fate, Kind, Recorder, Trace};
use awgstar_frame::contract::{Check, Token, TxStatus};
use awgstar_frame::quantity::Cycle;

fn record(s: &Scenario) -> (Ring, Trace) {
    let mut ring = Ring::new(s).expect("good");
    let mut recorder = Recorder::new(s.nodes);
    while !ring.done() {
        let cycle = ring.cycle();
        ring.step_observed(&mut |n, node, i, o| recorder.cycle(cycle, n, node, i, o));
    }
    (ring, recorder.finish())
}

fn kinds(trace: &Trace, node: usize, packet_cnt: u8) -> Vec<Kind> {
    let of = |e: &&awgstar_board::trace::Event| {
        e.node == node && e.frame.is_some_and(|f| f.packet_cnt == packet_cnt && f.token != 0)
    };
    trace.events.iter().filter(of).map(|e| e.kind).collect()
}

/// A data frame round a ring of three: token taken, converted, delivered twice, back, given back.
#[test]
fn a_data_frame_goes_round() {
    let mut s = Scenario { fibre: vec![3, 4, 5], ..Scenario::new(3, 1, Cycle(1_500)) };
    let frame = Outgoing { packet_cnt: 77, ..Outgoing::new(Token::Data, vec![1; 100]) };
    s.sends.push(Send { node: 1, cycle: Cycle(200), frame });
    let (_, trace) = record(&s);
    assert_eq!(
        kinds(&trace, 1, 77),
        [
            Kind::Converted,
            Kind::Begins,
            // The ring is shorter than the frame: its head has returned before its tail has left.
            Kind::Stripped,
            Kind::TokenBack,
            Kind::Ends { aborted: false },
            Kind::Returned { good: true },
        ]
    );
    for node in [0, 2] {
        let kinds = kinds(&trace, node, 77);
        assert_eq!(kinds[..2], [Kind::Passed, Kind::Begins]);
        assert!(kinds.contains(&Kind::Delivered));
    }
    let count = |kind| trace.events.iter().filter(|e| e.kind == kind).count();
    assert_eq!((count(Kind::Issued), count(Kind::TokenTaken), count(Kind::Converted)), (1, 1, 1));
    assert_eq!(count(Kind::FreeSent), 2, "the new token, and the one given back");
    assert!(trace.events.iter().any(|e| e.kind == Kind::Sent(TxStatus::Ok)));
    // NODE-2 in the drawing: the hop is the fibre and 4 cycles.
    let flight = |link: usize| {
        trace.links[link].iter().find(|f| f.frame.packet_cnt == 77).expect("on every link")
    };
    for (link, fate) in [(1, Fate::Delivered), (2, Fate::Delivered), (0, Fate::Stripped)] {
        let f = flight(link);
        assert_eq!((f.fate, f.good, f.aborted), (fate, Some(true), false));
        assert_eq!(f.end - f.begin, Cycle(29), "118 bytes");
        assert_eq!(f.arrival, Some(f.begin + Cycle(u64::from(s.fibre[link]))));
        assert_eq!(
            (f.inserted, f.frame.source(), f.frame.kind()),
            (link == 1, Some(1), Some(Token::Data))
        );
    }
    assert_eq!(flight(2).begin, flight(1).begin + Cycle(8));
}

/// Faults: lost, doubled, a bit error in the header.
#[test]
fn faults_show() {
    let mut s = Scenario::new(3, 0, Cycle(2_000));
    for packet_cnt in 1..=4 {
        let frame = Outgoing { packet_cnt, ..Outgoing::new(Token::Broadcast, vec![5; 46]) };
        s.sends.push(Send { node: 0, cycle: Cycle(0), frame });
    }
    s.faults = vec![
        Fault { link: 0, frame: 0, kind: FaultKind::Lose },
        Fault { link: 0, frame: 1, kind: FaultKind::Twice },
        Fault { link: 0, frame: 2, kind: FaultKind::Bit(77) },
    ];
    let (ring, trace) = record(&s);
    let link: Vec<_> =
        trace.links[0].iter().map(|f| (f.frame.packet_cnt, f.fate, f.good)).collect();
    let delivered = |cnt| (cnt, Fate::Delivered, Some(true));
    assert_eq!(
        link,
        [
            (1, Fate::UnderWay, None),
            delivered(2),
            delivered(2),
            (3, Fate::Passed, Some(false)),
            delivered(4)
        ]
    );
    let bad = trace.events.iter().filter(|e| e.kind == Kind::Bad(Check::Fcs.code())).count();
    assert_eq!(bad, 2);
    assert_eq!(ring.host(1).delivered().len(), 3);
}

/// Every frame on every link of a busy ring, against what the hosts saw.
#[test]
fn a_busy_ring() {
    let mut s = Scenario::saturated(4, 2, 300, Cycle(20_000));
    s.fibre = vec![0, 7, 2, 1];
    let (ring, trace) = record(&s);
    for n in 0..4 {
        let of = |kind| trace.events.iter().filter(|e| e.node == n && e.kind == kind).count();
        let counts = ring.host(n).counts();
        let returned = usize::try_from(counts.returned_good).expect("small");
        let delivered = usize::try_from(counts.delivered).expect("small");
        assert!(of(Kind::Returned { good: true }).abs_diff(returned) <= 1);
        assert!(of(Kind::Delivered).abs_diff(delivered) <= 1);
        assert!(trace.links[n].windows(2).all(|f| f[0].end + Cycle(2) <= f[1].begin), "NODE-8");
        let settled = trace.links[n].iter().filter(|f| f.end + Cycle(100) < s.cycles);
        assert!(settled.clone().all(|f| f.fate != Fate::UnderWay && f.arrival.is_some()));
        assert!(settled.clone().all(|f| f.arrival == Some(f.begin + Cycle(u64::from(s.fibre[n])))));
        assert!(settled.filter(|f| f.inserted).all(|f| f.frame.source() == Some(n)));
    }
    assert!(trace.events.windows(2).all(|e| e[0].cycle <= e[1].cycle));
}
