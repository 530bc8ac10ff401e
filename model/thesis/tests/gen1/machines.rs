// SPDX-License-Identifier: MIT OR Apache-2.0
//! The machines alone: the words and where they lie (MBX-1, MBX-2), and what each does about every event in every state.

use crate::snapshot;
use awgstar_sync::firmware::states::Table;
use awgstar_thesis::gen1::mailbox::{
    Caller, Control, Mail, MailRepairs, Main, Master, MasterEvent,
    Primitive::{Barrier, Lock, Unlock},
    Worker, WorkerEvent, area, index_word,
};
use std::{
    collections::{BTreeMap, btree_map::Entry},
    fmt::{Debug, Write as _},
};

#[test]
fn the_words_are_those_of_the_thesis() {
    let words = |request| Mail { request, number: 0, answer: false }.words();
    assert_eq!(words(Lock(5)), [0x0000_ff00, 5]);
    assert_eq!(words(Unlock(6)), [0x0000_fff0, 6]);
    assert_eq!(words(Barrier), [0xff00_0000, 0]);
    let answer = Mail { request: Unlock(6), number: 3, answer: true };
    assert_eq!(answer.words(), [0x0000_fffb, 6]);
    for request in [Lock(1), Unlock(u32::MAX), Barrier] {
        for number in 0..8 {
            for answer in [false, true] {
                let mail = Mail { request, number, answer };
                assert_eq!(Mail::read(mail.words()), Ok(mail));
            }
        }
    }
    let error = |words| Mail::read(words).unwrap_err().to_string();
    let code =
        "word 0 of the area is 0x00000000: expected a code: 0x0000FF0n, 0x0000FFFn or 0xFF00000n";
    assert_eq!(error([0, 1]), code);
    let lock = "word 1 of the area is 0x00000000: expected a lock, 1 or more";
    assert_eq!(error([0xff00, 0]), lock);
    let barrier = "word 1 of the area is 0x00000001: expected 0 at the barrier";
    assert_eq!(error([0xff00_0000, 1]), barrier);
    assert_eq!([area(0), area(1), area(255)].map(|addr| addr.0), [0, 8, 2040]);
    assert_eq!([index_word(1), index_word(2)].map(|addr| addr.0), [2048, 2052]);
}

/// One line for each event in each state: a machine that is in it, the event, what it does, and how it
/// is afterwards. Machines are found by trying all events from the start on.
fn pairs<M: Clone, E: Copy + Debug, A: Debug>(
    start: M,
    events: &[E],
    state: impl Fn(&M) -> String,
    words: impl Fn(&M) -> String,
    step: impl Fn(&mut M, E) -> Vec<A>,
) -> String {
    let mut first: BTreeMap<String, M> = BTreeMap::from([(state(&start), start.clone())]);
    let mut todo = vec![start];
    while let Some(machine) = todo.pop() {
        for event in events {
            let mut after = machine.clone();
            step(&mut after, *event);
            if let Entry::Vacant(place) = first.entry(state(&after)) {
                place.insert(after.clone());
                todo.insert(0, after);
            }
        }
    }
    let mut text = String::new();
    for machine in first.values() {
        let _ = writeln!(text, "{}", words(machine));
        for event in events {
            let mut after = machine.clone();
            let actions = step(&mut after, *event);
            let _ = writeln!(text, "    {event:?} -> {actions:?}; {}", words(&after));
        }
    }
    text
}

fn of_worker(repairs: MailRepairs) -> String {
    let answer =
        |request, number| WorkerEvent::Area(Mail { request, number, answer: true }.words());
    let events = [
        WorkerEvent::Call(Lock(1)),
        WorkerEvent::Call(Unlock(1)),
        WorkerEvent::Call(Barrier),
        WorkerEvent::Index(-1),
        WorkerEvent::Index(2),
        WorkerEvent::Signal,
        answer(Lock(1), 1),
        answer(Lock(1), 7),
        WorkerEvent::Area(Mail { request: Lock(1), number: 1, answer: false }.words()),
        WorkerEvent::Area([0, 0]),
        WorkerEvent::Timeout,
    ];
    let step = |worker: &mut Worker, event| {
        let mut actions = Vec::new();
        worker.step(event, &mut actions);
        actions
    };
    pairs(Worker::new(repairs), &events, |w| w.state().name().into(), Worker::summary, step)
}

fn of_master(repairs: MailRepairs) -> String {
    let mail = |request, number| MasterEvent::Area(Mail { request, number, answer: false }.words());
    let events = [
        MasterEvent::Call(Lock(1)),
        MasterEvent::Call(Unlock(1)),
        MasterEvent::Call(Barrier),
        MasterEvent::Main,
        MasterEvent::Signal(1),
        MasterEvent::Signal(2),
        MasterEvent::Signal(0),
        MasterEvent::Signal(3),
        MasterEvent::Control,
        mail(Lock(1), 1),
        mail(Unlock(1), 1),
        mail(Barrier, 1),
        mail(Barrier, 0),
        MasterEvent::Area(Mail { request: Barrier, number: 1, answer: true }.words()),
        MasterEvent::Area([1, 2]),
    ];
    let step = |master: &mut Master, event| {
        let mut actions = Vec::new();
        master.step(event, &mut actions);
        actions
    };
    let state = |m: &Master| {
        let threads = (m.control().name(), m.main().name());
        format!("{threads:?} {} {}", m.control_ready(), m.holder(1))
    };
    pairs(Master::new(3, repairs), &events, state, Master::summary, step)
}

#[test]
fn every_event_in_every_state() {
    for (name, repairs) in [("printed", MailRepairs::NONE), ("repaired", MailRepairs::ALL)] {
        snapshot::run("current.md", &format!("mail_pairs_worker_{name}"), &of_worker(repairs));
        snapshot::run("current.md", &format!("mail_pairs_master_{name}"), &of_master(repairs));
    }
}

#[test]
fn documents_show_the_tables_of_the_code() {
    let shown =
        |table: &Table| format!("{}\n```mermaid\n{}```\n", table.markdown(), table.mermaid());
    for (name, table) in [
        ("worker", Caller::TABLE),
        ("control thread", Control::TABLE),
        ("main thread", Main::TABLE),
    ] {
        snapshot::section("current.md", &format!("states {name}"), &shown(&table));
    }
}
