// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs with locks and barriers on the ring in time (MBX-3 to MBX-8): what comes out, and when.

use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{ByteAddress, Nanoseconds};
use awgstar_request::{Answer, Process, Request};
use awgstar_thesis::gen1::{
    Activity, Fault, FaultKind, Gen1, Host, MailRepairs, Script, Settings, system::FREE,
};
use std::{cell::Cell, rc::Rc};

const LOCK: u32 = 3;
const COUNTER: ByteAddress = ByteAddress(FREE.0 + 0x40);

/// Adds 1 to a word `rounds` times, under a lock, and meets the others.
fn counter(rounds: u32) -> Box<dyn Process> {
    let (mut left, mut step) = (rounds, 0);
    Box::new(move |answer: &Answer| {
        step += 1;
        match step {
            1 if left == 0 => Request::Barrier(0),
            2 if left == 0 => Request::End,
            1 => Request::Lock(LOCK),
            2 => Request::read(COUNTER),
            3 => Request::write_bytes(COUNTER, &(answer.word() + 1).to_be_bytes()),
            _ => {
                step = 0;
                left -= 1;
                Request::Unlock(LOCK)
            }
        }
    })
}

fn run(settings: &Settings, processes: Vec<Box<dyn Process>>) -> Gen1 {
    let mut system = Gen1::new(settings, processes).unwrap();
    system.run(&mut |_| {}).unwrap();
    system
}

fn counted(settings: &Settings, rounds: u32) -> (Vec<u32>, Gen1) {
    let nodes = settings.line.nodes();
    let system = run(settings, (0..nodes).map(|_| counter(rounds)).collect());
    let words = (0..nodes).map(|node| system.ring().memory(node).word(COUNTER)).collect();
    (words, system)
}

fn scripts(ops: Vec<Vec<Request>>) -> Vec<Box<dyn Process>> {
    ops.into_iter().map(|ops| Box::new(Script::new(ops)) as Box<dyn Process>).collect()
}

/// Also when signals pass the words: those are looked at until they have the right number, and they
/// come behind the data.
#[test]
fn a_counter_under_a_lock_is_exact() {
    for order in [Order::None, Order::Sent, Order::Confirmed] {
        for nodes in [1, 2, 3, 4, 8, 32] {
            let (words, system) = counted(&Settings { order, ..Settings::new(nodes) }, 5);
            let expected = u32::try_from(nodes).unwrap() * 5;
            assert_eq!(words, vec![expected; nodes], "{order:?}");
            assert!(system.unfinished().is_empty());
        }
    }
}

/// Bits are inverted and the token is lost all the time: the count stays exact.
#[test]
fn a_counter_is_exact_under_faults() {
    let mut faults = Vec::new();
    for i in 0..400_u64 {
        let kind = if i % 40 == 39 { FaultKind::Lose } else { FaultKind::Bit(112 + i * 37 % 300) };
        let link = usize::try_from(i % 4).unwrap();
        faults.push(Fault { link, at: Nanoseconds(i * 9_000), kind });
    }
    let settings = Settings { faults, ..Settings::new(4) };
    let (words, system) = counted(&settings, 10);
    assert_eq!(words, [40; 4], "{:?}", system.counters());
    assert!(system.counters().sent_again > 20 && system.counters().tokens_made >= 5);
}

/// Node 2 writes under a lock that node 1 takes next: what node 1 reads then, and what stands there
/// in the end.
fn handed_over(order: Order, faults: &[Fault]) -> (u32, u32) {
    let host = Host { interrupt: Nanoseconds(0), poll: Nanoseconds(1), ..Host::best() };
    let faults = faults.to_vec();
    let limit = 10_000_000;
    let settings = Settings { host, order, faults, limit: Nanoseconds(limit), ..Settings::new(3) };
    let write = Request::write_bytes(COUNTER, &7_u32.to_be_bytes());
    let first =
        [Request::Lock(1), Request::compute(Nanoseconds(50_000)), write, Request::Unlock(1)];
    let (read, mut step) = (Rc::new(Cell::new(u32::MAX)), 0);
    let found = Rc::clone(&read);
    let second = move |answer: &Answer| {
        step += 1;
        match step {
            1 => Request::compute(Nanoseconds(20_000)),
            2 => Request::Lock(1),
            3 => Request::read(COUNTER),
            _ => {
                found.set(answer.word());
                Request::End
            }
        }
    };
    let end = || Box::new(Script::default());
    let system = run(&settings, vec![end(), Box::new(second), Box::new(Script::new(first))]);
    assert!(system.unfinished().is_empty(), "{:?}: {:?}", system.unfinished(), system.counters());
    (read.get(), system.ring().memory(1).word(COUNTER))
}

/// A signal that goes out behind the data, but before that has returned, can let the next holder in
/// too early. One error is not enough: the source sees it and retransmits before the token has returned at
/// the master. The second must hit the data again, on the train that carries the grant.
#[test]
fn signals_wait_until_the_data_is_back() {
    let bit = |at| Fault { link: 0, at, kind: FaultKind::Bit(8 * 14 + 90) };
    let times = || (50_000..70_000).step_by(50);
    assert_eq!(handed_over(Order::Sent, &[]), (7, 7));
    assert!(times().all(|at| handed_over(Order::Sent, &[bit(Nanoseconds(at))]) == (7, 7)));
    let twice = |order| {
        times().map(move |at| {
            handed_over(order, &[bit(Nanoseconds(at)), bit(Nanoseconds(at + 1_000))])
        })
    };
    assert!(twice(Order::Sent).any(|seen| seen == (0, 7)), "it reads what was there before");
    assert!(twice(Order::Confirmed).all(|seen| seen == (7, 7)));
}

/// Nobody passes before the last one has arrived, and then all do within the same few µs.
#[test]
fn a_barrier_lets_all_go_at_once() {
    for nodes in [2_usize, 4, 32] {
        let last = 40_000_000;
        let ops = |node: usize| {
            let first = Request::compute(if node == nodes / 2 {
                Nanoseconds(last)
            } else {
                Nanoseconds(1000 * node as u64)
            });
            vec![first, Request::Barrier(0), Request::compute(Nanoseconds(1))]
        };
        let system = run(&Settings::new(nodes), scripts((0..nodes).map(ops).collect()));
        for node in 0..nodes {
            let end = system.spans(node).last().unwrap();
            assert_eq!(end.activity, Activity::Compute);
            // Two words are read by the master and by the worker; each answer waits until what was
            // written before it has returned.
            let most = last + 200_000 + 2 * 550 * (nodes * nodes) as u64;
            assert!((last..most).contains(&end.from.0), "node {node} of {nodes}: {}", end.from);
        }
    }
}

/// What an acquisition takes, from the settings: words and signal, a visit, interrupt, the next look
/// of the control thread, two words read, answer, and two words read by the worker.
#[test]
fn the_time_of_an_acquisition_adds_up() {
    let host = Host { interrupt: Nanoseconds(5_000), poll: Nanoseconds(10_000), ..Host::default() };
    let settings = Settings { host, order: Order::Sent, ..Settings::new(2) };
    let system = run(
        &settings,
        scripts(vec![vec![], vec![Request::Lock(1), Request::compute(Nanoseconds(1))]]),
    );
    let wait = system.spans(1)[0];
    assert_eq!((wait.from, wait.activity), (Nanoseconds(0), Activity::Lock));
    // Words over the bus: 125 ns; at node 1 at 1103, 14 + 22 + 14 bytes: 186 ns, at node 0 at
    // 1050 + 50 + 186 + 500 = 1786. Interrupt: 6786. The control thread looks at 10,000 and has the
    // words 64,000 later, at 74,000. It writes index (4 bytes) and area (8): 188 ns.
    let index = 74_000 + 63;
    let answer = index + 125;
    // Then the signal is attached; at most a rotation of 1100 ns until then, and 600 to the worker.
    let arrives = answer..answer + 1100 + 50 + 500 + 300;
    let end = wait.to - Nanoseconds(64_000) - Nanoseconds(5_000);
    assert!(arrives.contains(&end.0), "{end}: {arrives:?}");
}

/// As published: two signals reach the master before its control thread looks, and one request is lost.
#[test]
fn as_printed_a_request_is_lost() {
    let ask = vec![Request::Lock(1), Request::compute(Nanoseconds(1_000)), Request::Unlock(1)];
    let programs = || scripts(vec![vec![], ask.clone(), ask.clone()]);
    let limit = 100_000_000;
    let printed =
        Settings { repairs: MailRepairs::NONE, limit: Nanoseconds(limit), ..Settings::new(3) };
    let system = run(&printed, programs());
    assert_eq!(system.unfinished(), [(1, Some(Request::Lock(1)))], "it waits for ever");
    let queued = Settings { repairs: MailRepairs::QUEUED, ..printed };
    assert!(run(&queued, programs()).unfinished().is_empty());
}

/// As published: the unlock stands in the area until the process asks for something else.
#[test]
fn as_printed_an_unlock_is_overwritten() {
    let ask = vec![Request::Lock(1), Request::Unlock(1), Request::Barrier(0)];
    let programs = || scripts(vec![vec![Request::Barrier(0), Request::Lock(1)], ask.clone()]);
    let limit = 100_000_000;
    let repairs = MailRepairs::ALL.without(MailRepairs::ANSWERED).without(MailRepairs::NUMBERED);
    let printed = Settings { repairs, limit: Nanoseconds(limit), ..Settings::new(2) };
    let left = run(&printed, programs()).unfinished();
    assert_eq!(left, [(0, Some(Request::Lock(1)))], "nobody gives it back");
    let answered = Settings { repairs: repairs.with(MailRepairs::ANSWERED), ..printed };
    assert!(run(&answered, programs()).unfinished().is_empty());
}

/// As published a process asks only when it sees the lock free, so that one that came later may be
/// first: node 1 looks at the index all the time and yet comes behind node 2.
#[test]
fn asking_at_once_is_fair() {
    let order = |repairs, late| {
        let hold =
            vec![Request::Lock(1), Request::compute(Nanoseconds(1_000_000)), Request::Unlock(1)];
        let soon = vec![
            Request::compute(Nanoseconds(400_000)),
            Request::Lock(1),
            Request::compute(Nanoseconds(50_000)),
            Request::Unlock(1),
        ];
        let mut last = soon.clone();
        last[0] = Request::compute(late);
        let settings = Settings { repairs, limit: Nanoseconds(1_000_000_000), ..Settings::new(3) };
        let system = run(&settings, scripts(vec![hold, soon, last]));
        assert!(system.unfinished().is_empty());
        let got = |node: usize| {
            system.spans(node).iter().find(|s| s.activity == Activity::Lock).unwrap().to
        };
        got(1) < got(2)
    };
    let mut late = (900_000..1_050_000).step_by(2_000);
    assert!(late.clone().all(|late| order(MailRepairs::ALL, Nanoseconds(late))));
    let looks = MailRepairs::ALL.without(MailRepairs::ASK_AT_ONCE);
    assert!(late.any(|late| !order(looks, Nanoseconds(late))));
}

#[test]
fn a_run_is_the_same_again() {
    let (_, mut one) = counted(&Settings { record: true, ..Settings::new(4) }, 3);
    let (_, mut other) = counted(&Settings { record: true, ..Settings::new(4) }, 3);
    let records = one.records();
    assert!(records.len() > 500 && records == other.records());
    assert!(records.is_sorted_by_key(|record| record.at));
    for node in 0..4 {
        let spans = one.spans(node);
        assert_eq!(spans, other.spans(node));
        assert!(spans.windows(2).all(|w| w[0].to == w[1].from && w[0].activity != w[1].activity));
    }
}
