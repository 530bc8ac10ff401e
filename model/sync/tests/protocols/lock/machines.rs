// SPDX-License-Identifier: MIT OR Apache-2.0
//! Single machines: what they send, and that numbers wrap.

use super::bench::{Acknowledged, LIMIT, base, dist, mw, network, queue};
use awgstar_frame::contract::{
    Order::{self, Confirmed, Sent},
    Signal,
};
use awgstar_frame::quantity::NodeId;
use awgstar_sync::{
    check::{Settings, explore},
    firmware::{
        Action::{Acquired, Released, Send, Start, Stop},
        Event, Firmware, Message,
        Timer::{Grant, Pass, Release, Request},
        lock::{DistRepairs, Distributed, MasterWorker, MwRepairs, RingQueue},
    },
};

const LOCK: u32 = 7;

fn step(machine: &mut impl Firmware, event: Event) -> Vec<awgstar_sync::firmware::Action> {
    let mut actions = Vec::new();
    machine.step(event, &mut actions);
    actions
}

/// A message of node `source` and of lock 7.
fn message(signal: Signal, source: u8, node_id: u8, tag: u16, epoch: u16) -> Message {
    let fields = signal.fields();
    let send_node = if fields.iter().any(|one| one.name == "send_node") { source } else { 0 };
    let new = Message::new(signal, NodeId(source));
    Message {
        node_id: NodeId(node_id),
        send_node: NodeId(send_node),
        tag,
        epoch,
        lock_number: LOCK,
        ..new
    }
}

#[test]
fn hand_over_of_the_ring_queue_is_one_frame() {
    let mut holder = RingQueue::new(NodeId(0), LOCK, NodeId(0), Sent);
    assert_eq!(step(&mut holder, Event::Acquire), [Acquired], "the right is here: no frame");
    let asks = |node| Event::Signal(message(Signal::LockQueueRequest, node, node, 1, 0));
    assert_eq!(step(&mut holder, asks(2)), []);
    assert_eq!(step(&mut holder, asks(1)), []);
    assert_eq!(step(&mut holder, asks(2)), [], "it is known, and nothing was given away");
    let pass = message(Signal::LockQueuePass, 0, 2, 1, 1);
    let given = [Send(pass, Sent), Start(Pass)];
    let mut released = vec![Released];
    released.extend(given);
    assert_eq!(step(&mut holder, Event::Release), released, "to the first that asked");
    assert!(!holder.leads());
    assert_eq!(step(&mut holder, Event::Timer(Pass)), given, "until it is back");
    let other = Message { epoch: 0, ..pass };
    assert_eq!(step(&mut holder, Event::Returned(other)), []);
    assert_eq!(step(&mut holder, Event::Returned(pass)), [Stop(Pass)]);
    assert_eq!(step(&mut holder, asks(1)), given, "who asks again may not have been reached");
    let on = message(Signal::LockQueuePass, 2, 1, 1, 2);
    assert_eq!(step(&mut holder, Event::Signal(on)), [Stop(Pass)], "seen to go on");
    assert_eq!(step(&mut holder, asks(1)), [], "now it is for another to say");
}

#[test]
fn who_waits_in_the_ring_queue_takes_the_right_once() {
    let mut waits = RingQueue::new(NodeId(1), LOCK, NodeId(0), Confirmed);
    let request = message(Signal::LockQueueRequest, 1, 1, 1, 0);
    let asked = [Send(request, Order::None), Start(Request)];
    assert_eq!(step(&mut waits, Event::Acquire), asked);
    assert_eq!(step(&mut waits, Event::Acquire), [], "it has asked");
    assert_eq!(step(&mut waits, Event::Release), [], "it has nothing");
    assert_eq!(step(&mut waits, Event::Timer(Request)), asked);
    let pass = Event::Signal(message(Signal::LockQueuePass, 0, 1, 1, 1));
    assert_eq!(step(&mut waits, pass), [Stop(Request), Acquired]);
    assert!(waits.leads());
    assert_eq!(step(&mut waits, pass), [], "the same once more");
    assert_eq!(step(&mut waits, Event::Release), [Released], "nobody waits: the right stays");
    assert_eq!(step(&mut waits, pass), []);
    assert_eq!(waits.summary(), "idle #1, right here (1), waiting []");
}

/// Who missed a pass may serve a request again: its sender, which waits with another one, is behind
/// those that it has on its list.
#[test]
fn a_right_for_an_earlier_request_is_handed_on() {
    let mut waits = RingQueue::new(NodeId(1), LOCK, NodeId(0), Confirmed).counting_from(1, 0);
    step(&mut waits, Event::Signal(message(Signal::LockQueueRequest, 2, 2, 5, 0)));
    step(&mut waits, Event::Acquire);
    let mut alone = waits.clone();
    let earlier = Event::Signal(message(Signal::LockQueuePass, 0, 1, 1, 1));
    let pass = message(Signal::LockQueuePass, 1, 2, 5, 2);
    assert_eq!(step(&mut waits, earlier), [Send(pass, Confirmed), Start(Pass)]);
    // With nobody on the list it enters all the same.
    step(&mut alone, Event::Signal(message(Signal::LockQueuePass, 0, 2, 5, u16::MAX)));
    assert_eq!(step(&mut alone, earlier), [Stop(Request), Acquired]);
}

#[test]
fn numbers_wrap() {
    let mut holder =
        RingQueue::new(NodeId(0), LOCK, NodeId(0), Confirmed).counting_from(u16::MAX, u16::MAX);
    let asks = |tag| Event::Signal(message(Signal::LockQueueRequest, 1, 1, tag, 0));
    assert_eq!(step(&mut holder, Event::Acquire), [Acquired]);
    step(&mut holder, asks(u16::MAX));
    step(&mut holder, asks(0));
    step(&mut holder, asks(u16::MAX));
    let pass = message(Signal::LockQueuePass, 0, 1, 0, 0);
    let released = [Released, Send(pass, Confirmed), Start(Pass)];
    assert_eq!(step(&mut holder, Event::Release), released, "0 is newer than 65535");
    let back = |epoch| Event::Signal(message(Signal::LockQueuePass, 1, 0, 1, epoch));
    step(&mut holder, back(u16::MAX));
    assert!(!holder.leads(), "an old hand-over");
    step(&mut holder, back(0x8000));
    assert!(!holder.leads(), "half of the numbers are older");
    step(&mut holder, back(1));
    assert!(holder.leads());
}

/// The states are as many as from the start of the numbers: nothing depends on where they are.
#[test]
fn rings_do_not_see_numbers_wrap() {
    let s = Settings { rounds: 2, losses: 1, early: 1, ..base(2, Acknowledged) };
    let (tag, epoch) = (u16::MAX, u16::MAX - 1);
    let all = MwRepairs::ALL;
    let near = explore(
        &network(s, |n, l| {
            MasterWorker::new(NodeId(n), l, NodeId(0), Confirmed, all).counting_from(tag)
        }),
        LIMIT,
    );
    assert!(near.holds() && near.states == explore(&mw(s, Confirmed, all), LIMIT).states);
    let all = DistRepairs::ALL;
    let near = explore(
        &network(s, |n, l| {
            Distributed::new(NodeId(n), l, NodeId(0), Confirmed, all).counting_from(tag, epoch)
        }),
        LIMIT,
    );
    assert!(near.holds() && near.states == explore(&dist(s, Confirmed, all), LIMIT).states);
    let near = explore(
        &network(s, |n, l| {
            RingQueue::new(NodeId(n), l, NodeId(0), Confirmed).counting_from(tag, epoch)
        }),
        LIMIT,
    );
    assert!(near.holds() && near.states == explore(&queue(s, Confirmed), LIMIT).states);
}

#[test]
fn master_gives_the_lock_in_the_order_of_requests() {
    let mut master = MasterWorker::new(NodeId(0), LOCK, NodeId(0), Sent, MwRepairs::ALL);
    let asks = |node, tag| Event::Signal(message(Signal::LockMwRequest, node, 0, tag, 0));
    let ack = |node, tag| message(Signal::LockMwAck, 0, node, tag, 0);
    let leaves = |node, tag| Event::Signal(message(Signal::LockMwUnlock, node, node, tag, 0));
    let first = [Send(ack(2, 5), Sent), Start(Grant)];
    assert_eq!(step(&mut master, asks(2, 5)), first);
    assert_eq!(master.summary(), "idle #0, lock taken by 2#5, waiting []");
    assert_eq!(step(&mut master, asks(1, 9)), first, "the answer names the holder");
    assert_eq!(step(&mut master, asks(2, 5)), first, "the holder asks again");
    assert_eq!(step(&mut master, Event::Acquire), [Start(Request)], "the third to ask");
    assert_eq!(step(&mut master, Event::Timer(Request))[..2], first, "has the holder left?");
    assert_eq!(step(&mut master, Event::Timer(Grant)), first);
    assert_eq!(step(&mut master, leaves(2, 4)), [], "of an older grant");
    assert_eq!(step(&mut master, leaves(1, 5)), [], "of another node");
    assert_eq!(step(&mut master, Event::Returned(ack(2, 4))), []);
    assert_eq!(step(&mut master, Event::Returned(ack(2, 5))), [Stop(Grant)]);
    let second = [Send(ack(1, 9), Sent), Start(Grant)];
    let mut freed = vec![Stop(Grant)];
    freed.extend(second);
    assert_eq!(step(&mut master, leaves(2, 5)), freed);
    assert_eq!(step(&mut master, leaves(2, 5)), [], "the same unlock again");
    assert_eq!(
        step(&mut master, leaves(1, 9)),
        [Stop(Grant), Send(ack(0, 1), Sent), Start(Grant), Stop(Request), Acquired]
    );
    let unlock = message(Signal::LockMwUnlock, 0, 0, 1, 0);
    assert_eq!(
        step(&mut master, Event::Release),
        [Send(unlock, Sent), Start(Release), Released, Stop(Grant)]
    );
    assert_eq!(master.summary(), "idle #1, lock free, waiting []");
}

#[test]
fn worker_says_again_that_it_has_left() {
    let mut worker = MasterWorker::new(NodeId(1), LOCK, NodeId(0), Confirmed, MwRepairs::ALL);
    let request = message(Signal::LockMwRequest, 1, 0, 1, 0);
    let asked = [Send(request, Order::None), Start(Request)];
    let ack = |node, tag| Event::Signal(message(Signal::LockMwAck, 0, node, tag, 0));
    let unlock = message(Signal::LockMwUnlock, 1, 1, 1, 0);
    let says = [Send(unlock, Confirmed), Start(Release)];
    assert_eq!(step(&mut worker, Event::Acquire), asked);
    assert_eq!(step(&mut worker, ack(2, 1)), [], "another's");
    assert_eq!(step(&mut worker, Event::Timer(Request)), asked);
    assert_eq!(step(&mut worker, ack(1, 1)), [Stop(Request), Acquired]);
    assert_eq!(step(&mut worker, ack(1, 1)), [], "it is inside");
    let mut left = says.to_vec();
    left.push(Released);
    assert_eq!(step(&mut worker, Event::Release), left);
    assert_eq!(step(&mut worker, ack(1, 1)), [], "the unlock is on its way");
    assert_eq!(step(&mut worker, Event::Timer(Release)), says);
    let older = Message { tag: 0, ..unlock };
    assert_eq!(step(&mut worker, Event::Returned(older)), []);
    assert_eq!(step(&mut worker, Event::Returned(unlock)), [Stop(Release)]);
    assert_eq!(step(&mut worker, Event::Timer(Release)), []);
    assert_eq!(step(&mut worker, ack(1, 1)), says, "the master did not take it");
    assert_eq!(worker.summary(), "idle #1");
}

#[test]
fn distributed_gives_the_right_with_an_acknowledgement_or_a_pass() {
    let unseen = DistRepairs::ALL.without(DistRepairs::SHOWN);
    let mut holder = Distributed::new(NodeId(0), LOCK, NodeId(0), Sent, unseen);
    let asks = |node, tag| Event::Signal(message(Signal::LockDistRequest, node, node, tag, 0));
    let ack = message(Signal::LockDistAck, 0, 2, 1, 1);
    let given = [Send(ack, Sent), Start(Grant)];
    assert_eq!(step(&mut holder, asks(2, 1)), given, "the lock is free");
    assert_eq!(step(&mut holder, asks(1, 1)), [], "new, and for another");
    assert_eq!(step(&mut holder, asks(1, 1)), [], "not the one it gave the right to");
    assert_eq!(step(&mut holder, asks(2, 1)), given, "it may not have got it");
    assert_eq!(step(&mut holder, Event::Timer(Grant)), given);
    assert_eq!(step(&mut holder, Event::Returned(Message { epoch: 0, ..ack })), []);
    assert_eq!(step(&mut holder, Event::Returned(ack)), [Stop(Grant)]);
    assert_eq!(holder.summary(), "idle #0, right away (1), waiting [1#1]");
    // The right returns; node 1 still waits.
    step(&mut holder, Event::Acquire);
    let back = message(Signal::LockDistPass, 2, 0, 1, 2);
    let got = message(Signal::LockDistPassAck, 0, 2, 1, 2);
    assert_eq!(
        step(&mut holder, Event::Signal(back)),
        [Stop(Grant), Stop(Pass), Stop(Request), Acquired, Send(got, Order::None)]
    );
    let got_again = [Send(got, Order::None)];
    assert_eq!(step(&mut holder, Event::Signal(back)), got_again);
    let pass = message(Signal::LockDistPass, 0, 1, 1, 3);
    assert_eq!(step(&mut holder, Event::Release), [Released, Send(pass, Sent), Start(Pass)]);
    assert_eq!(step(&mut holder, Event::Signal(back)), got_again, "an old one");
    assert!(!holder.leads());
    let old = message(Signal::LockDistPassAck, 1, 0, 1, 1);
    assert_eq!(step(&mut holder, Event::Signal(old)), []);
    assert_eq!(step(&mut holder, Event::Timer(Pass)), [Send(pass, Sent), Start(Pass)]);
    let taken = message(Signal::LockDistPassAck, 1, 0, 1, 3);
    assert_eq!(step(&mut holder, Event::Signal(taken)), [Stop(Grant), Stop(Pass)]);
    assert_eq!(step(&mut holder, Event::Timer(Pass)), [], "it has arrived");
}

/// As repaired, who leaves says to all who is next.
#[test]
fn distributed_shows_who_is_next() {
    let mut all =
        [0, 1, 2].map(|i| Distributed::new(NodeId(i), LOCK, NodeId(0), Sent, DistRepairs::ALL));
    let [holder, next, third] = &mut all;
    step(holder, Event::Acquire);
    for node in [2, 1] {
        let asks = Event::Signal(message(Signal::LockDistRequest, node, node, 1, 0));
        assert_eq!(step(holder, asks), []);
        step(if node == 1 { &mut *third } else { &mut *next }, asks);
    }
    let ack = message(Signal::LockDistAck, 0, 2, 1, 1);
    assert_eq!(step(holder, Event::Release), [Released, Send(ack, Sent), Start(Grant)]);
    assert_eq!(next.summary(), "idle #0, right away (0), waiting [2#1]");
    assert_eq!(step(next, Event::Signal(ack)), []);
    assert_eq!(next.summary(), "idle #0, right away (1), waiting []");
    // It did not ask: it gives the right to whom it has on its list, in the same way.
    let on = message(Signal::LockDistAck, 2, 1, 1, 2);
    assert_eq!(step(third, Event::Signal(ack)), [Send(on, Sent), Start(Grant)]);
    assert_eq!(step(holder, Event::Signal(on)), [Stop(Grant), Stop(Pass)]);
}

/// LOCK-4: one node has the right at first, wherever it is.
#[test]
fn who_is_first_has_the_right_alone() {
    for first in 0..3 {
        let queue = |node| RingQueue::new(node, 0, NodeId(first), Confirmed).leads();
        assert_eq!((0..3).filter(|&node| queue(NodeId(node))).collect::<Vec<_>>(), [first]);
        let dist =
            |node| Distributed::new(node, 0, NodeId(first), Confirmed, DistRepairs::ALL).leads();
        assert_eq!((0..3).filter(|&node| dist(NodeId(node))).collect::<Vec<_>>(), [first]);
    }
}
