// SPDX-License-Identifier: MIT OR Apache-2.0
//! The random cases of the command line really come past the far ends: on the model alone, with the
//! default seed, number of cases and length.

use awgstar::rtl::{NodeCounters, RingNode, Smb};
use awgstar_lockstep::campaign;
use awgstar_stimulus::Case;
use awgstar_stimulus::board;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::node::strategy;
use proptest::strategy::{Strategy, ValueTree};
use std::collections::BTreeSet;

/// Half of the default `--scenarios`.
const CASES: usize = 100;
const CYCLES: u64 = 2000;

/// A number: its name, its width, and where it stands.
type Number<M> = (&'static str, u32, fn(&M) -> u64);

/// Something else that ends: its name, and whether it does from one cycle to the next.
type Event<M> = (&'static str, fn(&M, &M) -> bool);

/// The numbers that went from the last quarter of their range to the first in one cycle without a
/// reset, and the events.
fn passed<M: Machine>(
    strategy: &impl Strategy<Value = Case<M>>,
    numbers: &[Number<M>],
    events: &[Event<M>],
    rst: fn(&M::Inputs) -> bool,
) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for number in 0..CASES {
        let case = campaign::case(strategy, 1, number).unwrap().current();
        let mut bench = case.bench().unwrap();
        let mut last: Option<M> = None;
        while !bench.done() {
            let deposited = !bench.deposit().is_empty();
            bench.step(&mut |_, now, inputs, _| {
                if let Some(last) = last.as_ref().filter(|_| !deposited) {
                    for (name, bits, get) in numbers {
                        let quarter = |m: &M| get(m) >> (bits - 2);
                        if quarter(last) == 3 && quarter(now) == 0 {
                            found.insert(*name);
                        }
                    }
                    let seen = events.iter().filter(|(_, seen)| seen(last, now));
                    found.extend(seen.map(|(name, _)| *name));
                }
                last = (!rst(inputs)).then(|| now.clone());
            });
        }
    }
    found
}

/// Asserts that all of them were found.
fn every<M>(found: &BTreeSet<&'static str>, numbers: &[Number<M>], events: &[Event<M>]) {
    let wanted = numbers.iter().map(|(name, ..)| *name);
    let missed: Vec<_> =
        wanted.chain(events.iter().map(|(name, _)| *name)).filter(|n| !found.contains(n)).collect();
    assert!(missed.is_empty(), "no case comes past {missed:#?}");
}

/// The counter that comes next in its round.
fn counter(counters: &NodeCounters) -> u64 {
    counters.mem[usize::from(counters.scan_q.wrapping_sub(1) & 15)].into()
}

fn counted_over(last: &NodeCounters, now: &NodeCounters) -> bool {
    let at = usize::from(last.scan_q);
    counter(now) < 0x100 && last.mem[at] > 0xffff_ff00
}

const NODE: &[Number<RingNode>] = &[
    ("insertion buffer, written", 9, |n| n.u_buffer.wr_ptr_q.into()),
    ("insertion buffer, read", 9, |n| n.u_buffer.rd_ptr_q.into()),
    ("receive buffer, written", 10, |n| n.u_rx_buffer.wr_ptr_q.into()),
    ("receive buffer, committed", 10, |n| n.u_rx_buffer.commit_ptr_q.into()),
    ("receive buffer, read", 10, |n| n.u_rx_buffer.rd_ptr_q.into()),
    ("headers, written", 5, |n| n.u_rx_buffer.hdr_wr_q.into()),
    ("headers, read", 5, |n| n.u_rx_buffer.hdr_rd_q.into()),
];

const NODE_EVENTS: &[Event<RingNode>] = &[
    ("full hand", |last, now| last.u_arbiter.held_q < 255 && now.u_arbiter.held_q == 255),
    ("counter", |last, now| counted_over(&last.u_counters, &now.u_counters)),
];

#[test]
fn warm_nodes_come_past_every_end() {
    let cases = strategy::warm_node(CYCLES);
    let found = passed::<RingNode>(&cases, NODE, NODE_EVENTS, |i| i.rst);
    every(&found, NODE, NODE_EVENTS);
}

const BOARD: &[Number<Smb>] = &[
    ("frames closed", 8, |b| b.u_data.tail_q.into()),
    ("frames sent", 8, |b| b.u_data.next_q.into()),
    ("frames acknowledged", 8, |b| b.u_data.base_q.into()),
    ("words stored", 11, |b| b.u_data.wr_q.into()),
    ("words sent", 11, |b| b.u_data.rd_q.into()),
    ("words acknowledged", 11, |b| b.u_data.free_q.into()),
    ("signal number", 31, |b| b.u_signal.number_q.into()),
    ("signal number, 8 bits", 8, |b| (b.u_signal.number_q & 0xff).into()),
    ("signal number, 16 bits", 16, |b| (b.u_signal.number_q & 0xffff).into()),
    ("signals pushed", 3, |b| b.u_signal.wr_q.into()),
    ("signals done", 3, |b| b.u_signal.rd_q.into()),
    ("messages", 5, |b| b.u_mailbox.wr_q.into()),
    ("messages dropped", 5, |b| b.u_mailbox.rd_q.into()),
    ("control tokens", 8, |b| b.u_control.count_q.into()),
    ("act_seq", 4, |b| b.u_combiner.seq_q.into()),
    ("node: insertion buffer", 9, |b| b.u_node.u_buffer.rd_ptr_q.into()),
    ("node: receive buffer", 10, |b| b.u_node.u_rx_buffer.rd_ptr_q.into()),
    ("node: headers", 5, |b| b.u_node.u_rx_buffer.hdr_rd_q.into()),
];

const EVENTS: &[Event<Smb>] = &[
    ("board counter", |last, now| counted_over(&last.u_counters, &now.u_counters)),
    ("node counter", |last, now| counted_over(&last.u_node.u_counters, &now.u_node.u_counters)),
    ("number of the data of another board", |last, now| {
        let next =
            |b: &Smb| (0..10).map(|i| b.u_sorter.sources[i] >> 32 & 0xff).collect::<Vec<_>>();
        next(last).iter().zip(next(now)).any(|(last, now)| *last == 0xff && now == 0)
    }),
    ("number of the signals of another board", |last, now| {
        let number = |b: &Smb, i: usize| b.u_sorter.sources[i] & 0x7fff_ffff;
        (0..10).any(|i| number(last, i) >> 29 == 3 && number(now, i) >> 29 == 0)
    }),
    ("timer of data", |last, now| last.u_data.timer_q >= 0x80_0000 && now.u_data.timer_q == 0),
    ("timer of a signal", |last, now| {
        last.u_signal.timer_q >= 0x80_0000 && now.u_signal.state_q != last.u_signal.state_q
    }),
    ("period", |last, now| last.u_control.period_q >= 0x80_0000 && now.u_control.period_q == 0),
    ("write combiner", |last, now| last.u_combiner.idle_q >= 0x8000 && !now.u_combiner.open_q),
    ("a monitor that steps back while it issues", |last, now| {
        last.u_control.active_q && !now.u_control.active_q && last.u_control.add_q > 1
    }),
    ("a monitor that steps back while it drops", |last, now| {
        last.u_control.active_q && !now.u_control.active_q && last.u_control.discard_q
    }),
    ("full hand", |_, now| now.u_node.u_arbiter.held_q == 255 && now.u_control.add_q > 1),
    ("quiet for 256 periods", |last, now| {
        last.u_control.quiet_q >= 256 && !last.u_control.active_q && now.u_control.active_q
    }),
];

#[test]
fn warm_boards_come_past_every_end() {
    let cases = board::warm::warm_board(CYCLES);
    let found = passed::<Smb>(&cases, BOARD, EVENTS, |i| i.rst);
    every(&found, BOARD, EVENTS);
}
