// SPDX-License-Identifier: MIT OR Apache-2.0
//! The machines of a ring, step by step: errors of the program, late signals, values that are returned.

use super::FROM;
use crate::misuse::step;
use awgstar_frame::contract::Order::{Confirmed, None as AnyTime, Sent};
use awgstar_frame::quantity::NodeId;
use awgstar_sync::firmware::onesided::owner::{self, OwnerRepairs, Segment};
use awgstar_sync::firmware::onesided::ring::{self, Replica, RingRepairs};
use awgstar_sync::firmware::onesided::{
    Access::{Add, Fetch, Get, Put},
    Action, Client, Event, Message, Misuse, Ring, Server, Turn,
};

const P0: NodeId = NodeId(0);
const P1: NodeId = NodeId(1);

fn turn(process: NodeId, number: u16) -> Turn {
    Turn { process, number }
}

fn write(message: Message) -> Action {
    Action::Ring(Ring::Write(message, Sent))
}

/// A server handles a message.
fn serve<S: Server>(server: &mut S, from: NodeId, message: &Message) -> Vec<Action> {
    let mut actions = Vec::new();
    server.serve(from, message, &mut actions);
    actions
}

/// A node makes the writes of its process or firmware, in its replica.
fn make<S: Server>(server: &mut S, at: NodeId, actions: &[Action]) {
    for action in actions {
        if let Action::Ring(Ring::Write(message, _)) = action {
            assert_eq!(serve(server, at, message), []);
        }
    }
}

fn lock() -> (ring::Process, Replica) {
    let repairs = RingRepairs::ALL;
    (ring::Process::new(P0, 2, repairs), Replica::new(repairs))
}

#[test]
fn errors_with_a_lock_are_named_and_do_nothing() {
    let (mut process, mut server) = lock();
    let before = process.clone();
    let found = step(&mut process, &mut server, Event::Release(0));
    assert_eq!(found, [Action::Misuse(Misuse::NotHeld(0))]);
    assert_eq!(process, before);
    let asked = step(&mut process, &mut server, Event::Acquire(0));
    let first = Message::Before { lock: 0, process: P0, before: None };
    let answer = Message::Answer { lock: 0, turn: turn(P0, 1) };
    assert_eq!(asked, [write(first), write(answer)]);
    let waits = process.clone();
    let found = step(&mut process, &mut server, Event::Acquire(0));
    assert_eq!(found, [Action::Misuse(Misuse::Twice(0))]);
    let found = step(&mut process, &mut server, Event::Release(0));
    assert_eq!(found, [Action::Misuse(Misuse::NotHeld(0))]);
    assert_eq!(process, waits);
    make(&mut server, P0, &asked);
    let found = step(&mut process, &mut server, Event::Look);
    assert_eq!(found, [Action::Ring(Ring::Stop), Action::Acquired(0)]);
    assert_eq!(step(&mut process, &mut server, Event::Timer), []);
    assert_eq!(step(&mut process, &mut server, Event::Release(0)), [Action::Fence]);
    let done = write(Message::Done { lock: 0, turn: turn(P0, 1) });
    let found = step(&mut process, &mut server, Event::Fenced);
    assert_eq!(found, [done, Action::Released(0)]);
}

/// The signal of lock 1, which is at home with process 1, was lost: the same request again, as long as it has no
/// answer.
#[test]
fn a_request_for_a_lock_is_repeated() {
    let (mut process, mut server) = lock();
    let swap = Message::Swap { lock: 1, turn: turn(P0, 1) };
    let ask = [Action::Ring(Ring::Signal(P1, swap, AnyTime)), Action::Ring(Ring::Start)];
    assert_eq!(step(&mut process, &mut server, Event::Acquire(1)), ask);
    assert_eq!(step(&mut process, &mut server, Event::Timer), ask);
}

/// Numbers wrap: 0 comes after 65,535.
#[test]
fn a_late_copy_of_an_older_request_has_no_place_in_the_queue() {
    let mut home = Replica::new(RingRepairs::ALL).counting_from(FROM);
    let ask = |number| Message::Swap { lock: 0, turn: turn(P1, number) };
    for number in [0xffff, 0] {
        assert_eq!(serve(&mut home, P1, &ask(number)).len(), 2, "{number}");
    }
    for late in [0xffff, 0] {
        let before = home.clone();
        assert_eq!(serve(&mut home, P1, &ask(late)), [], "{late}");
        assert_eq!(home, before);
    }
}

fn user(rank: NodeId, ranks: usize) -> (owner::Process, Segment) {
    let repairs = OwnerRepairs::ALL;
    (owner::Process::new(rank, ranks, repairs), Segment::new(rank, ranks, repairs))
}

fn done(value: Option<u32>) -> Action {
    Action::Ring(Ring::Done(value))
}

/// Word 0 is at home with process 0.
#[test]
fn an_owner_updates_its_word_at_once() {
    let (mut process, mut server) = user(P0, 2);
    for (access, value, old) in [(Add(5), 5, None), (Fetch(2), 7, Some(5)), (Add(1), 8, None)] {
        let found = step(&mut process, &mut server, Event::Word(0, access));
        assert_eq!(found, [write(Message::Word { word: 0, value }), done(old)]);
        make(&mut server, P0, &found);
    }
    assert_eq!(step(&mut process, &mut server, Event::Word(0, Get)), [done(Some(8))]);
}

#[test]
fn a_fetch_gives_the_word_as_it_was() {
    let (mut process, mut mine) = user(P0, 2);
    let (_, mut owner) = user(P1, 2);
    let asked = step(&mut process, &mut mine, Event::Word(1, Fetch(3)));
    let request = Message::Request { word: 1, more: 3, number: 1 };
    let bell = Action::Ring(Ring::Signal(P1, Message::Doorbell, Confirmed));
    assert_eq!(asked, [write(request.clone()), bell.clone(), Action::Ring(Ring::Start)]);
    let again = step(&mut process, &mut mine, Event::Timer);
    assert_eq!(again, [bell, Action::Ring(Ring::Start)]);
    assert_eq!(serve(&mut owner, P0, &Message::Doorbell), [], "the request is not there");
    serve(&mut owner, P1, &Message::Word { word: 1, value: 40 });
    serve(&mut owner, P0, &request);
    let old = Message::Old { turn: turn(P0, 1), old: 40 };
    let answers = serve(&mut owner, P0, &Message::Doorbell);
    let update = write(Message::Word { word: 1, value: 43 });
    assert_eq!(answers, [update, Action::Ring(Ring::Write(old.clone(), Confirmed))]);
    assert_eq!(serve(&mut owner, P0, &Message::Doorbell), [], "it rings twice");
    assert_eq!(step(&mut process, &mut mine, Event::Look), []);
    serve(&mut mine, P1, &old);
    let found = step(&mut process, &mut mine, Event::Look);
    assert_eq!(found, [Action::Ring(Ring::Stop), done(Some(40))]);
    assert_eq!(step(&mut process, &mut mine, Event::Timer), []);
}

/// Only what is about the word of the open request waits, and what asks an owner again.
#[test]
fn other_words_do_not_wait_for_the_answer() {
    let (mut process, mut server) = user(P0, 2);
    step(&mut process, &mut server, Event::Word(1, Add(1)));
    let put = write(Message::Word { word: 3, value: 9 });
    assert_eq!(step(&mut process, &mut server, Event::Word(3, Put(9))), [put, done(None)]);
    assert_eq!(step(&mut process, &mut server, Event::Word(3, Get)), [done(Some(0))]);
    for (event, waits) in [
        (Event::Word(1, Get), true),
        (Event::Word(1, Put(1)), true),
        (Event::Word(3, Add(1)), true),
        (Event::Word(3, Fetch(1)), true),
        (Event::Fence, true),
        (Event::Word(2, Get), false),
    ] {
        let found = step(&mut process.clone(), &mut server.clone(), event.clone());
        assert_eq!(found.is_empty(), waits, "{event:?}");
    }
}

/// A doorbell that rings late finds a request to another owner: it is not this one's.
#[test]
fn a_late_doorbell_does_not_update_the_word_of_another_owner() {
    let (_, mut owner) = user(P1, 3);
    let first = Message::Request { word: 1, more: 1, number: 1 };
    serve(&mut owner, P0, &first);
    assert_eq!(serve(&mut owner, P0, &Message::Doorbell).len(), 2);
    serve(&mut owner, P0, &Message::Request { word: 2, more: 1, number: 2 });
    assert_eq!(serve(&mut owner, P0, &Message::Doorbell), []);
    serve(&mut owner, P0, &Message::Request { word: 4, more: 1, number: 3 });
    assert_eq!(serve(&mut owner, P0, &Message::Doorbell).len(), 2);
}

/// A run that is read shows state, numbers and words.
#[test]
fn summaries() {
    let (mut process, mut server) = lock();
    let asked = step(&mut process, &mut server, Event::Acquire(0));
    make(&mut server, P0, &asked);
    step(&mut process, &mut server, Event::Look);
    serve(&mut server, P1, &Message::Done { lock: 0, turn: turn(P1, 7) });
    let expected = "lock 0 inside 1, done {1: 7}; tail of lock 0: request 1 of process 0";
    assert_eq!(process.summary(&server), expected);
    let (mut process, mut server) = user(P0, 2);
    step(&mut process, &mut server, Event::Word(1, Add(1)));
    serve(&mut server, P1, &Message::Word { word: 5, value: 6 });
    assert_eq!(process.summary(&server), "open, request 1; word 5 is 6");
}
