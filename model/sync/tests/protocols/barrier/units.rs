// SPDX-License-Identifier: MIT OR Apache-2.0
//! The machines one step at a time: frames as Table 4 says, and what a checked ring never does.

use awgstar_frame::contract::{Order, Signal};
use awgstar_frame::quantity::NodeId;
use awgstar_sync::firmware::{
    Action, Event, Firmware, Message, Timer,
    barrier::{DistRepairs, Distributed, MasterWorker, Member, MwRepairs, Nodes, Ring},
};

fn member(node: u8, nodes: usize) -> Member {
    Member::new(NodeId(node), NodeId::all(nodes).collect())
}

fn step(machine: &mut impl Firmware, event: Event) -> Vec<Action> {
    let mut out = Vec::new();
    machine.step(event, &mut out);
    out
}

fn signal(signal: Signal, source: u8, node_id: u8, tag: u16) -> Event {
    Event::Signal(Message {
        node_id: NodeId(node_id),
        send_node: NodeId(source),
        tag,
        ..Message::new(signal, NodeId(source))
    })
}

fn message(signal: Signal, source: u8, node_id: u8, send_node: u8, tag: u16) -> Message {
    Message {
        node_id: NodeId(node_id),
        send_node: NodeId(send_node),
        tag,
        ..Message::new(signal, NodeId(source))
    }
}

#[test]
fn nodes_up_to_256() {
    let mut all: Nodes = NodeId::all(256).collect();
    assert_eq!(all.iter().count(), 256);
    let low: Nodes = NodeId::all(200).collect();
    assert_eq!(all.without(&low).first(), Some(NodeId(200)));
    assert!(all.contains(NodeId(64)) && all.contains(NodeId(255)));
    all.set(NodeId(64), false);
    assert!(!all.contains(NodeId(64)) && all.contains(NodeId(0)) && all.contains(NodeId(128)));
    all.clear();
    assert_eq!((all, all.first()), (Nodes::default(), None));
}

#[test]
fn master_worker_frames() {
    let new = |node| MasterWorker::new(member(node, 2), NodeId(0), MwRepairs::ALL);
    let (mut master, mut worker) = (new(0), new(1));
    let arrival = message(Signal::BarrierMwArrival, 1, 0, 1, 0);
    assert_eq!(
        step(&mut worker, Event::Arrive),
        [Action::Send(arrival, Order::Confirmed), Action::Start(Timer::Request)]
    );
    let ack = message(Signal::BarrierMwAck, 0, 1, 0, 0);
    assert_eq!(step(&mut master, Event::Signal(arrival)), [Action::Send(ack, Order::None)]);
    assert_eq!(
        step(&mut worker, Event::Signal(ack)),
        [Action::Stop(Timer::Request), Action::Start(Timer::Grant)]
    );
    let release = message(Signal::BarrierMwRelease, 0, 0, 0, 0);
    let sent = Action::Send(release, Order::Sent);
    let start = Action::Start(Timer::Release);
    assert_eq!(step(&mut master, Event::Arrive), [sent, start, Action::Passed]);
    // A late arrival, of this episode or a long gone one.
    assert_eq!(step(&mut master, Event::Signal(arrival)), [sent]);
    assert_eq!(step(&mut master, signal(Signal::BarrierMwArrival, 1, 0, 0xFFFF)), []);
    assert_eq!(step(&mut master, Event::Timer(Timer::Release)), [sent, start]);
    assert_eq!(step(&mut master, Event::Returned(release)), [Action::Stop(Timer::Release)]);
    assert_eq!(step(&mut master, Event::Returned(release)), []);
    assert_eq!(step(&mut master, Event::Timer(Timer::Release)), [], "it has come back");
    assert_eq!(
        step(&mut worker, Event::Signal(release)),
        [Action::Stop(Timer::Request), Action::Stop(Timer::Grant), Action::Passed]
    );
    assert_eq!(step(&mut worker, Event::Signal(release)), []);
    assert_eq!(step(&mut worker, Event::Timer(Timer::Request)), [], "it does not wait");
    assert_eq!(step(&mut worker, Event::Signal(ack)), []);
    // What is not a barrier's, or not a process' to do, is nothing.
    for machine in [&mut master, &mut worker] {
        assert_eq!(step(machine, Event::Acquire), []);
        assert_eq!(step(machine, signal(Signal::BarrierDistArrival, 2, 0, 1)), []);
        assert_eq!(step(machine, Event::Returned(arrival)), []);
        step(machine, Event::Arrive);
        assert_eq!(step(machine, Event::Arrive), [], "arrived already");
    }
}

#[test]
fn as_printed_frames_carry_no_episode() {
    let member = |node| Member { episode: 7, ..member(node, 2) };
    let mut worker = MasterWorker::new(member(1), NodeId(0), MwRepairs::NONE);
    let arrival = message(Signal::BarrierMwArrival, 1, 0, 1, 0);
    assert_eq!(step(&mut worker, Event::Arrive)[0], Action::Send(arrival, Order::Confirmed));
    let mut process = Distributed::new(member(1), DistRepairs::NONE);
    let arrival = message(Signal::BarrierDistArrival, 1, 0, 1, 0);
    assert_eq!(step(&mut process, Event::Arrive)[0], Action::Send(arrival, Order::Confirmed));
}

#[test]
fn distributed_frames() {
    let member = |node| Member { episode: 7, ..member(node, 3) };
    let new = |node| Distributed::new(member(node), DistRepairs::ALL);
    let (mut first, mut second) = (new(1), new(2));
    let arrival = message(Signal::BarrierDistArrival, 1, 1, 1, 7);
    let start = Action::Start(Timer::Request);
    assert_eq!(step(&mut first, Event::Arrive), [Action::Send(arrival, Order::Confirmed), start]);
    assert_eq!(step(&mut second, Event::Signal(arrival)), []);
    let main = [Action::Stop(Timer::Request), Action::Start(Timer::Grant)];
    assert_eq!(step(&mut first, Event::Returned(arrival)), main);
    assert_eq!(first.led(), Some(7));
    // The second one names the first.
    let follows = message(Signal::BarrierDistArrival, 2, 1, 2, 7);
    assert_eq!(step(&mut second, Event::Arrive), [Action::Send(follows, Order::Confirmed), start]);
    assert_eq!(step(&mut second, Event::Returned(follows)), [], "it waits to be acknowledged");
    let ack = message(Signal::BarrierDistAck, 1, 2, 1, 7);
    assert_eq!(step(&mut first, Event::Signal(follows)), [Action::Send(ack, Order::None)]);
    assert_eq!(step(&mut second, Event::Signal(Message { tag: 6, ..ack })), []);
    assert_eq!(step(&mut second, Event::Signal(ack)), main);
    // A lower one, late: the main process names itself all the same.
    let ack = message(Signal::BarrierDistAck, 1, 0, 1, 7);
    let release = message(Signal::BarrierDistRelease, 1, 0, 0, 7);
    let mut more = first.clone();
    let out = step(&mut more, signal(Signal::BarrierDistArrival, 0, 1, 7));
    let sent = Action::Send(release, Order::Sent);
    assert_eq!(out[..3], [Action::Send(ack, Order::None), sent, Action::Start(Timer::Release)]);
    assert_eq!(out[5..], [Action::Passed]);
    assert_eq!(more.led(), Some(7));
    let again = [sent, Action::Start(Timer::Release)];
    assert_eq!(step(&mut more, Event::Timer(Timer::Release)), again);
    assert_eq!(step(&mut more, Event::Timer(Timer::Grant)), [], "it does not wait");
    assert_eq!(step(&mut more, Event::Signal(follows)), [sent], "a late arrival");
    assert_eq!(step(&mut more, Event::Returned(release)), [Action::Stop(Timer::Release)]);
    assert_eq!(step(&mut more, Event::Timer(Timer::Release)), [], "it has come back");
    assert_eq!(step(&mut second, Event::Signal(release)).last(), Some(&Action::Passed));
    assert_eq!(second.led(), None);
    assert_eq!(step(&mut second, Event::Signal(follows)), [], "it has released nobody");
}

/// With four nodes: heard of a lower process, the main one names itself.
#[test]
fn a_main_process_names_itself() {
    let mut main = Distributed::new(member(1, 4), DistRepairs::ALL);
    let own = message(Signal::BarrierDistArrival, 1, 1, 1, 0);
    step(&mut main, Event::Arrive);
    step(&mut main, Event::Returned(own));
    step(&mut main, signal(Signal::BarrierDistArrival, 0, 1, 0));
    assert_eq!(
        step(&mut main, Event::Timer(Timer::Grant)),
        [Action::Send(own, Order::Confirmed), Action::Start(Timer::Grant)]
    );
}

#[test]
fn ring_frames() {
    let new = |node| Ring::new(Member { episode: 0xFFFF, ..member(node, 3) });
    let mut ring = new(1);
    let own = |asked, tag| {
        Action::Send(message(Signal::BarrierRingArrival, 1, asked, 0, tag), Order::Confirmed)
    };
    let start = Action::Start(Timer::Request);
    assert_eq!(step(&mut ring, Event::Timer(Timer::Request)), [], "it does not wait");
    assert_eq!(step(&mut ring, signal(Signal::BarrierRingArrival, 2, 1, 0xFFFF)), [], "not yet");
    assert_eq!(step(&mut ring, Event::Arrive), [own(1, 0xFFFF), start]);
    assert_eq!(step(&mut ring, Event::Arrive), [], "arrived already");
    assert_eq!(step(&mut ring, Event::Timer(Timer::Request)), [own(0, 0xFFFF), start]);
    let passed = [Action::Stop(Timer::Request), Action::Passed];
    let mut late = ring.clone();
    assert_eq!(step(&mut ring, signal(Signal::BarrierRingArrival, 0, 0, 0xFFFF)), passed);
    // Asked for its arrival: of the episode that is over, not of the one it has not arrived in.
    assert_eq!(step(&mut ring, signal(Signal::BarrierRingArrival, 2, 1, 0xFFFF)), [own(1, 0xFFFF)]);
    assert_eq!(step(&mut ring, signal(Signal::BarrierRingArrival, 2, 0, 0xFFFF)), []);
    assert_eq!(step(&mut ring, signal(Signal::BarrierRingArrival, 2, 1, 0)), []);
    // Another one has arrived in the next episode.
    assert_eq!(step(&mut late, signal(Signal::BarrierRingArrival, 0, 0, 0)), passed);
    assert_eq!(step(&mut late, Event::Arrive), [own(1, 0), start]);
    assert_eq!(step(&mut late, signal(Signal::BarrierRingArrival, 2, 1, 0xFFFF)), [own(1, 0)]);
    assert_eq!(step(&mut late, signal(Signal::BarrierMwArrival, 2, 1, 0)), []);
    assert_eq!(step(&mut late, signal(Signal::BarrierRingArrival, 2, 2, 0)), passed);
}

/// BAR-7: the number of the barrier is in what a node sends, and what has another one does not count.
#[test]
fn arrivals_count_at_their_own_barrier() {
    let barrier = |barrier| Ring::new(Member { barrier, ..member(1, 2) });
    let of = |number: u32, tag| {
        let arrival = message(Signal::BarrierRingArrival, 0, 1, 0, tag);
        Event::Signal(Message { lock_number: number, ..arrival })
    };
    for (own, others) in [(0, [1, 2, 256, 0xFF00_0000]), (1, [0, 2, 257, 0x0100_0000])] {
        let mut ring = barrier(own);
        let sent = message(Signal::BarrierRingArrival, 1, 1, 0, 0);
        let sent = Message { lock_number: own.into(), ..sent };
        let start = Action::Start(Timer::Request);
        let out = step(&mut ring, Event::Arrive);
        assert_eq!(out, [Action::Send(sent, Order::Confirmed), start]);
        assert_eq!(sent.data()[..2], [0, own]);
        let waits = ring.clone();
        for other in others {
            assert_eq!(step(&mut ring, of(other, 0)), [], "barrier {other} at {own}");
            assert_eq!(step(&mut ring, of(other, 1)), [], "barrier {other} at {own}");
            assert_eq!(ring, waits);
        }
        assert_eq!(step(&mut ring, of(own.into(), 0)).last(), Some(&Action::Passed));
    }
}

#[test]
fn orders_are_the_members() {
    let member = Member { arrivals: Order::Sent, releases: Order::None, ..member(0, 1) };
    let orders = |out: Vec<Action>| -> Vec<Order> {
        let order = |action| if let Action::Send(_, order) = action { Some(order) } else { None };
        out.into_iter().filter_map(order).collect()
    };
    let mut master = MasterWorker::new(member, NodeId(0), MwRepairs::ALL);
    assert_eq!(orders(step(&mut master, Event::Arrive)), [Order::None]);
    let mut process = Distributed::new(member, DistRepairs::ALL);
    assert_eq!(orders(step(&mut process, Event::Arrive)), [Order::Sent]);
    let own = message(Signal::BarrierDistArrival, 0, 0, 0, 0);
    assert_eq!(orders(step(&mut process, Event::Returned(own))), [Order::None]);
    assert_eq!(orders(step(&mut Ring::new(member), Event::Arrive)), [Order::Sent]);
}
