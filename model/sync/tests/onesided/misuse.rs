// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls that are errors of the program do nothing and are named; tries; the tables of the document.

use crate::document;
use awgstar_frame::quantity::NodeId;
use awgstar_sync::firmware::onesided::barrier::{Barrier, Counts, FenceRepairs, Kind};
use awgstar_sync::firmware::onesided::hybrid::{Holding, Home, HybridRepairs};
use awgstar_sync::firmware::onesided::owner::Asked;
use awgstar_sync::firmware::onesided::queue::{Place, QueueRepairs, Words};
use awgstar_sync::firmware::onesided::ring::Standing;
use awgstar_sync::firmware::onesided::{
    Action, Client, End, Event, GroupError, Message, Misuse, Server, barrier, hybrid, queue,
};

pub(crate) fn step<C: Client>(
    process: &mut C,
    server: &mut C::Server,
    event: Event,
) -> Vec<Action> {
    let mut actions = Vec::new();
    process.step(event, server, &mut actions);
    actions
}

/// A lock is requested twice, and released by a process that does not hold it.
fn locks<C: Client>(mut process: C, mut server: C::Server) {
    let before = process.clone();
    let found = step(&mut process, &mut server, Event::Release(0));
    assert_eq!(found, [Action::Misuse(Misuse::NotHeld(0))]);
    assert_eq!(process, before);
    assert_eq!(step(&mut process, &mut server, Event::Acquire(0)), [Action::Acquired(0)]);
    let held = process.clone();
    let found = step(&mut process, &mut server, Event::Acquire(0));
    assert_eq!(found, [Action::Misuse(Misuse::Twice(0))]);
    assert_eq!(process, held);
    assert_eq!(step(&mut process, &mut server, Event::Release(0)), [Action::Fence]);
}

#[test]
fn errors_of_the_program_are_named_and_do_nothing() {
    let home = NodeId(0);
    let repairs = HybridRepairs::ALL;
    locks(hybrid::Process::new(home, 2, repairs), Home::new(repairs));
    let repairs = QueueRepairs::ALL;
    locks(queue::Process::new(home, 2, repairs), Words::new(repairs));
    let (members, repairs) = (vec![NodeId(0), NodeId(1)], FenceRepairs::ALL);
    let mut server = Counts::new(vec![home], 2, repairs);
    let mut process = barrier::Process::new(Kind::Combined, home, members, 2, repairs).unwrap();
    assert_eq!(step(&mut process, &mut server, Event::Enter).len(), 1);
    let found = step(&mut process, &mut server, Event::Enter);
    assert_eq!(found, [Action::Misuse(Misuse::Nested)]);
}

#[test]
fn a_group_without_the_process_or_with_a_strange_one_is_refused() {
    let new = |members: &[u8]| {
        let members = members.iter().map(|member| NodeId(*member)).collect();
        barrier::Process::new(Kind::Combined, NodeId(1), members, 3, FenceRepairs::ALL)
    };
    assert_eq!(new(&[]).unwrap_err(), GroupError::NotMember(NodeId(1)));
    assert_eq!(new(&[0, 2]).unwrap_err(), GroupError::NotMember(NodeId(1)));
    let error = new(&[1, 3]).unwrap_err();
    assert_eq!(error.to_string(), "group: member 3; expected processes 0 to 2");
    assert!(new(&[1]).is_ok() && new(&[2, 1, 0]).is_ok());
}

/// A server that hears of a process of another node, or of none, neither panics nor confirms a put that it has not
/// written.
#[test]
fn puts_to_a_process_of_another_node_are_not_confirmed() {
    let mut server = Counts::new(vec![NodeId(0)], 2, FenceRepairs::ALL);
    let mut actions = Vec::new();
    server.count((NodeId(1), NodeId(1)), false, &mut actions);
    server.count((NodeId(7), NodeId(0)), false, &mut actions);
    server.serve(NodeId(1), &Message::Fence { target: NodeId(1), puts: 1 }, &mut actions);
    assert_eq!(actions, []);
}

#[test]
fn a_try_takes_no_ticket_of_a_lock_that_is_taken() {
    let mut server = Home::new(HybridRepairs::ALL);
    let mut tries = |from: u8| {
        let (before, mut actions) = (server.clone(), Vec::new());
        server.serve(NodeId(from), &Message::Lock { lock: 0, once: true }, &mut actions);
        (actions, server == before)
    };
    let answer = |to: u8, yes| {
        vec![Action::Send(End::Process(NodeId(to)), Message::Locked { lock: 0, yes })]
    };
    assert_eq!(tries(0), (answer(0, true), false));
    assert_eq!(tries(1), (answer(1, false), true));
}

/// A process at the home of a lock has released it, and the unlock is under way to the server: a try that looks at the
/// words itself finds a free lock taken.
#[test]
fn a_try_comes_after_the_own_unlock() {
    let repairs = HybridRepairs::ALL;
    let mut server = Home::new(repairs);
    let mut process = hybrid::Process::new(NodeId(0), 1, repairs);
    let to_server = |message| [Action::Send(End::Server(NodeId(0)), message)];
    assert_eq!(step(&mut process, &mut server, Event::Acquire(0)), [Action::Acquired(0)]);
    assert_eq!(step(&mut process, &mut server, Event::Release(0)), [Action::Fence]);
    step(&mut process, &mut server, Event::Fenced);
    let asks = Message::Lock { lock: 0, once: true };
    assert_eq!(step(&mut process, &mut server, Event::Try(0)), to_server(asks));
}

#[test]
fn a_try_of_a_queue_lock_is_answered() {
    let repairs = QueueRepairs::ALL;
    let mut server = Words::new(repairs);
    let mut first = queue::Process::new(NodeId(0), 1, repairs);
    let mut second = first.clone();
    assert_eq!(step(&mut first, &mut server, Event::Try(0)), [Action::Acquired(0)]);
    assert_eq!(step(&mut second, &mut server, Event::Try(0)), [Action::Taken(0)]);
    assert_eq!(step(&mut first, &mut server, Event::Release(0)), [Action::Fence]);
    assert_eq!(step(&mut first, &mut server, Event::Fenced), [Action::Released(0)]);
    assert_eq!(step(&mut second, &mut server, Event::Try(0)), [Action::Acquired(0)]);
}

/// The place of the server that is asked was a number of 8 bits.
#[test]
fn all_fence_of_256_processes_asks_each_server_once() {
    let repairs = FenceRepairs::ALL;
    let members: Vec<NodeId> = NodeId::all(256).collect();
    for own in [NodeId(0), NodeId(100), NodeId(255)] {
        let mut server = Counts::new(vec![own], 256, repairs);
        let kind = Kind::AllFence;
        let mut process = barrier::Process::new(kind, own, members.clone(), 256, repairs).unwrap();
        let mut actions = step(&mut process, &mut server, Event::Enter);
        for other in members.iter().filter(|one| **one != own) {
            let fence = Message::Fence { target: *other, puts: 0 };
            assert_eq!(actions, [Action::Send(End::Server(*other), fence)]);
            let confirm = Event::Message(*other, Message::Confirm);
            actions = step(&mut process, &mut server, confirm);
        }
        let next = End::Process(NodeId(own.0.wrapping_add(1)));
        let arrive = Message::Arrive { episode: 1, phase: 0 };
        assert_eq!(actions, [Action::Send(next, arrive)]);
    }
}

#[test]
fn the_page_has_the_tables_of_the_code() {
    for (name, table) in [
        ("barrier", Barrier::TABLE),
        ("hybrid", Holding::TABLE),
        ("queue", Place::TABLE),
        ("ring", Standing::TABLE),
        ("owner", Asked::TABLE),
    ] {
        let text = format!("{}\n```mermaid\n{}```\n", table.markdown(), table.mermaid());
        document::section("one-sided-protocols.md", &format!("states {name}"), &text);
    }
}
