// SPDX-License-Identifier: MIT OR Apache-2.0
//! What nodes know of the right that do not want it: they saw many hand-overs, or missed one.

use awgstar_frame::contract::Order::Confirmed;
use awgstar_frame::quantity::NodeId;
use awgstar_sync::firmware::{
    Action, Event, Firmware, Timer,
    lock::{DistRepairs, Distributed, RingQueue},
};
use std::collections::VecDeque;

const LOCK: u32 = 7;
const HAND_OVERS: u32 = 33_000;

/// Signals reach the nodes one after the other along the ring, their source last. Who got the lock.
fn tell<F: Firmware>(nodes: &mut [F], at: usize, event: Event) -> Vec<usize> {
    tell_but(nodes, at, event, None)
}

/// The same while the mailbox of `full` is full.
fn tell_but<F: Firmware>(
    nodes: &mut [F],
    at: usize,
    event: Event,
    full: Option<usize>,
) -> Vec<usize> {
    let mut acquired = Vec::new();
    let mut todo = VecDeque::from([(at, event)]);
    while let Some((at, event)) = todo.pop_front() {
        let mut actions = Vec::new();
        nodes[at].step(event, &mut actions);
        for action in actions {
            match action {
                Action::Acquired => acquired.push(at),
                Action::Send(message, _) => {
                    let others = (1..nodes.len()).map(|hop| (at + hop) % nodes.len());
                    let others = others.filter(|&to| Some(to) != full);
                    let reached = others.filter(|&to| message.reaches(NodeId::at(to)));
                    todo.extend(reached.map(|to| (to, Event::Signal(message))));
                    todo.push_back((at, Event::Returned(message)));
                }
                _ => {}
            }
        }
    }
    acquired
}

/// Nodes 0 and 1 take turns; then node 2 wants it too. Who has it when the other leaves.
fn third<F: Firmware>(mut nodes: [F; 3]) -> Vec<usize> {
    assert_eq!(tell(&mut nodes, 0, Event::Acquire), [0]);
    let mut holder = 0;
    for _ in 0..HAND_OVERS {
        assert_eq!(tell(&mut nodes, 1 - holder, Event::Acquire), []);
        assert_eq!(tell(&mut nodes, holder, Event::Release), [1 - holder]);
        holder = 1 - holder;
    }
    assert_eq!(tell(&mut nodes, 2, Event::Acquire), []);
    let got = tell(&mut nodes, holder, Event::Release);
    let right: Vec<usize> = (0..3).filter(|&i| nodes[i].leads()).collect();
    assert_eq!(right, got, "who got it has the right");
    got
}

#[test]
fn the_ring_queue_and_the_distributed_lock_reach_who_did_not_want_it_for_long() {
    assert_eq!(
        third([0, 1, 2].map(|i| RingQueue::new(NodeId(i), LOCK, NodeId(0), Confirmed))),
        [2]
    );
    let all = DistRepairs::ALL;
    assert_eq!(
        third([0, 1, 2].map(|i| Distributed::new(NodeId(i), LOCK, NodeId(0), Confirmed, all))),
        [2]
    );
}

/// Found with 256 boards that all wanted the lock: a node that sees no pass knows an old number of the right. A pass
/// to it that is more than 32,767 further looks older; it acknowledges it, and nobody has the right.
#[test]
fn a_pass_that_not_all_see_loses_the_right() {
    let unseen = DistRepairs::ALL.without(DistRepairs::SHOWN);
    assert_eq!(
        third([0, 1, 2].map(|i| Distributed::new(NodeId(i), LOCK, NodeId(0), Confirmed, unseen))),
        []
    );
}

/// Node 2 does not hear that node 1 was served, and serves it again; node 0 waits for the lock.
fn served_again(repairs: DistRepairs) -> [Distributed; 3] {
    let mut nodes =
        [0, 1, 2].map(|i| Distributed::new(NodeId(i), LOCK, NodeId(0), Confirmed, repairs));
    assert_eq!(tell(&mut nodes, 0, Event::Acquire), [0]);
    assert_eq!(tell(&mut nodes, 1, Event::Acquire), []);
    assert_eq!(tell_but(&mut nodes, 0, Event::Release, Some(2)), [1]);
    assert_eq!(tell(&mut nodes, 2, Event::Acquire), []);
    assert_eq!(tell(&mut nodes, 1, Event::Release), [2]);
    assert_eq!(tell(&mut nodes, 0, Event::Acquire), []);
    assert_eq!(nodes[2].summary(), "inside #1, right here (2), waiting [1#1 0#1]");
    nodes
}

/// `handed_on`: else the right stays with node 1, until node 0 asks again.
#[test]
fn the_right_does_not_stay_with_who_does_not_want_it() {
    let mut nodes = served_again(DistRepairs::ALL);
    assert_eq!(tell(&mut nodes, 2, Event::Release), [0]);
    let mut nodes = served_again(DistRepairs::ALL.without(DistRepairs::HANDED_ON));
    assert_eq!(tell(&mut nodes, 2, Event::Release), []);
    assert_eq!(nodes[1].summary(), "idle #1, right here (3), waiting [0#1]");
    assert_eq!(tell(&mut nodes, 0, Event::Timer(Timer::Request)), [0]);
}

/// The checker found it in its long list: the right goes to who does not want it and is dropped there by a full
/// mailbox. That node does not ask; so who gave it gives it again when another asks again, or itself.
#[test]
fn a_right_that_did_not_arrive_is_given_again_for_whoever_asks() {
    for asks in [0, 2] {
        let mut nodes = served_again(DistRepairs::ALL);
        assert_eq!(tell_but(&mut nodes, 2, Event::Release, Some(1)), []);
        assert_eq!(tell(&mut nodes, 2, Event::Acquire), []);
        assert!(nodes.iter().all(|node| !node.leads()), "the right is lost");
        assert_eq!(tell(&mut nodes, asks, Event::Timer(Timer::Request)), [0]);
        assert_eq!(tell(&mut nodes, 0, Event::Release), [2]);
    }
}
