// SPDX-License-Identifier: MIT OR Apache-2.0
//! The driver and the programs, with a firmware so simple that nothing of it can be wrong on a ring
//! that loses nothing: node 0 serves requests one after the other.

use awgstar_board::ring::boards::bytes;
use awgstar_frame::contract::{Order, Signal};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_host::{DrivenRing, Happened, HostError, Protocols, Setup, Stopped, work::Work};
use awgstar_request::Request;
use awgstar_sync::firmware::{Action, Event, Firmware, Message, Timer};
use std::collections::VecDeque;

/// Node 0 keeps the queue; the others ask it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Server {
    node: NodeId,
    lock: u32,
    queue: VecDeque<NodeId>,
}

impl Server {
    fn message(&self, signal: Signal, node_id: NodeId) -> Message {
        let lock_number = self.lock;
        Message {
            node_id: NodeId(node_id.0),
            send_node: NodeId(0),
            lock_number,
            ..Message::new(signal, self.node)
        }
    }

    fn grant(&self, actions: &mut Vec<Action>) {
        match self.queue.front() {
            Some(NodeId(0)) => actions.push(Action::Acquired),
            Some(&node) => {
                let grant = self.message(Signal::LockMwAck, node);
                // It may stand for the server's own unlock.
                actions.push(Action::Send(grant, Order::Confirmed));
            }
            None => {}
        }
    }

    fn serve(&mut self, signal: Signal, node: NodeId, actions: &mut Vec<Action>) {
        if signal == Signal::LockMwRequest {
            self.queue.push_back(node);
            if self.queue.len() == 1 {
                self.grant(actions);
            }
        } else {
            self.queue.pop_front();
            self.grant(actions);
        }
    }
}

impl Firmware for Server {
    fn step(&mut self, event: Event, actions: &mut Vec<Action>) {
        let (signal, order) = match event {
            Event::Acquire => (Signal::LockMwRequest, Order::None),
            Event::Release => (Signal::LockMwUnlock, Order::Confirmed),
            Event::Signal(m) if m.signal == Signal::LockMwAck => {
                if m.node_id == self.node {
                    actions.push(Action::Acquired);
                }
                return;
            }
            Event::Signal(m) if self.node == NodeId(0) => {
                return self.serve(m.signal, NodeId(m.source.0), actions);
            }
            _ => return,
        };
        if event == Event::Release {
            actions.push(Action::Released);
        }
        if self.node == NodeId(0) {
            self.serve(signal, NodeId(0), actions);
        } else {
            actions.push(Action::Send(self.message(signal, NodeId(0)), order));
        }
    }

    fn summary(&self) -> String {
        format!("{} wait", self.queue.len())
    }
}

/// All have arrived when all arrivals were counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Counting {
    node: NodeId,
    nodes: usize,
    arrived: usize,
    /// The driver sends nothing twice: what is said again must differ.
    episode: u16,
}

impl Firmware for Counting {
    fn step(&mut self, event: Event, actions: &mut Vec<Action>) {
        if event == Event::Arrive {
            self.episode += 1;
            let tag = self.episode;
            let arrival = Message { tag, ..Message::new(Signal::BarrierRingArrival, self.node) };
            actions.push(Action::Send(arrival, Order::Confirmed));
        }
        if matches!(event, Event::Arrive | Event::Signal(_)) {
            self.arrived += 1;
        }
        if self.arrived == self.nodes {
            self.arrived = 0;
            actions.push(Action::Passed);
        }
    }

    fn summary(&self) -> String {
        format!("{} arrived", self.arrived)
    }
}

struct Plain;

impl Protocols for Plain {
    type Lock = Server;
    type Barrier = Counting;

    fn lock(&self, node: NodeId, _: usize, lock: u32) -> Server {
        Server { node, lock, queue: VecDeque::new() }
    }

    fn barrier(&self, node: NodeId, nodes: usize) -> Counting {
        Counting { node, nodes, arrived: 0, episode: 0 }
    }

    fn cycles(&self, _: Timer) -> Cycle {
        Cycle(10_000)
    }
}

fn system(nodes: usize) -> DrivenRing<Plain> {
    DrivenRing::new(Plain, &Setup { records: true, ..Setup::new(nodes, 4) }).expect("good")
}

fn run(nodes: usize, work: Work) -> DrivenRing<Plain> {
    let mut system = system(nodes);
    for end in system.run_programs(Cycle(2_000_000), work.programs(nodes)).expect("in time") {
        end.expect("good");
    }
    system.settle(Cycle(100_000)).expect("in time");
    system
}

#[test]
fn a_counter() {
    for nodes in [2, 3, 5] {
        let work = Work::Counter { rounds: 4, inside: Cycle(20), outside: Cycle(0) };
        assert_eq!(work.check(&run(nodes, work)), Ok(()));
    }
}

#[test]
fn a_linked_list() {
    let work = Work::List { rounds: 5 };
    assert_eq!(work.check(&run(4, work)), Ok(()));
}

#[test]
fn a_stencil() {
    let work = Work::Stencil { cells: 3, steps: 1 };
    assert_eq!(work.check(&run(4, work)), Ok(()));
}

/// The checks can fail: a lost update, an element lost, a cell wrong.
#[test]
fn what_is_wrong_is_seen() {
    for work in [
        Work::Counter { rounds: 2, inside: Cycle(0), outside: Cycle(0) },
        Work::List { rounds: 2 },
        Work::Stencil { cells: 2, steps: 1 },
    ] {
        let mut system = run(2, work);
        let memory = &mut system.ring_mut().board_mut(1).u_memory.mem;
        let place = if matches!(work, Work::Stencil { .. }) { 16 + 4 } else { 0 };
        memory[place] = if matches!(work, Work::List { .. }) { 64 } else { memory[place] + 1 };
        let wrong = work.check(&system).expect_err("one word is wrong");
        assert_eq!(wrong.node, NodeId(1), "{wrong}");
    }
}

/// A run is the same every time, though programs run on threads.
#[test]
fn the_same_again() {
    let work = Work::List { rounds: 3 };
    let once = run(3, work).take_records();
    assert_eq!(once, run(3, work).take_records());
    assert!(once.iter().any(|r| matches!(r.what, Happened::Answered(Request::Lock(7)))));
}

/// A board that dies with the lock: the others do not hang, they are reported.
#[test]
fn who_waits_for_ever_is_reported() {
    let mut system = system(3);
    let programs: Vec<awgstar_host::Program> = (0..3)
        .map(|node| -> awgstar_host::Program {
            Box::new(move |handle| {
                handle.wait(Cycle(1 + 2000 * node))?;
                handle.lock(1)?;
                handle.write(ByteAddress(8), 1)?;
                if node == 1 {
                    handle.wait(Cycle(u64::MAX / 2))?;
                }
                handle.unlock(1)
            })
        })
        .collect();
    let error = system.run_programs(Cycle(60_000), programs).expect_err("node 1 keeps the lock");
    let HostError::Timeout { waiting, .. } = &error else { panic!("{error}") };
    let who: Vec<_> = waiting.iter().map(|w| (w.node, w.asked.clone())).collect();
    assert_eq!(
        who,
        [
            (NodeId(1), Some(Request::wait(Cycle(u64::MAX / 2)))),
            (NodeId(2), Some(Request::Lock(1)))
        ]
    );
    assert!(error.to_string().contains("node 2 waits for lock 1 since"), "{error}");
}

/// What the board refuses is an error of the call, not of the run.
#[test]
fn an_address_beyond_the_memory() {
    let mut system = system(2);
    let ends = system
        .run_programs(
            Cycle(20_000),
            vec![Box::new(|node| {
                assert_eq!(
                    node.read(ByteAddress(0x10_0000)),
                    Err(Stopped::Refused { addr: ByteAddress(0x10_0000) })
                );
                assert_eq!(
                    node.write(ByteAddress(0x10_0000), 5),
                    Err(Stopped::Refused { addr: ByteAddress(0x10_0000) })
                );
                node.write(ByteAddress(0x20), 5)
            })],
        )
        .expect("in time");
    assert_eq!(ends, [Ok(())]);
    assert_eq!(bytes(system.ring().board(0), ByteAddress(0x20), 1), [5]);
    let none: Vec<awgstar_host::Program> =
        (0..3).map(|_| -> awgstar_host::Program { Box::new(|_| Ok(())) }).collect();
    let error = system.run_programs(Cycle(10), none).expect_err("there are two");
    assert_eq!(error.to_string(), "node 2: expected one below 2");
}

/// A signal that arrives while the mailbox is being emptied is told once: the interrupt that it leaves
/// behind must not make the driver read a message that is no longer there.
#[test]
fn every_signal_is_told_once() {
    for nodes in [6, 12] {
        let mut system = system(nodes);
        let programs = (0..nodes)
            .map(|_| -> awgstar_host::Program { Box::new(awgstar_host::Handle::barrier) })
            .collect();
        for end in system.run_programs(Cycle(200_000), programs).expect("in time") {
            end.expect("good");
        }
        system.settle(Cycle(100_000)).expect("in time");
        let records = system.take_records();
        for node in NodeId::all(nodes) {
            let mut told: Vec<NodeId> = Vec::new();
            for record in records.iter().filter(|record| record.node == node) {
                if let Happened::Received(message) = record.what {
                    assert!(!told.contains(&message.source), "node {node}: {message:?} again");
                    told.push(message.source);
                }
            }
            assert_eq!(told.len(), nodes - 1, "node {node}");
        }
    }
}
