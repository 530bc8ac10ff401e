// SPDX-License-Identifier: MIT OR Apache-2.0
//! Firmware of your own: a barrier in which every node counts the arrivals that the ring brings.
//!
//! A protocol is a state machine without I/O: events go in, actions come out. The driver of
//! `awgstar::host` connects it to a board; `awgstar::check` tries it in every order of events.
//!
//! `cargo run -p awgstar --example own_firmware`

use awgstar::contract::{Order, Signal};
use awgstar::firmware::{Action, Event, Firmware, Message, Timer, lock};
use awgstar::host::{DrivenRing, Handle, Program, Protocols, Setup};
use awgstar::quantity::{Cycle, NodeId};

/// One node's side of the barrier.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Counting {
    node: NodeId,
    nodes: usize,
    arrived: usize,
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
        format!("{} of {} arrived", self.arrived, self.nodes)
    }
}

/// The firmware of the ring: the project's queue lock and the barrier above.
struct Mine;

impl Protocols for Mine {
    type Lock = lock::RingQueue;
    type Barrier = Counting;

    fn lock(&self, node: NodeId, _: usize, number: u32) -> lock::RingQueue {
        lock::RingQueue::new(node, number, NodeId(0), Order::Confirmed) // node 0 owns every lock first
    }

    fn barrier(&self, node: NodeId, nodes: usize) -> Counting {
        Counting { node, nodes, arrived: 0, episode: 0 }
    }

    fn cycles(&self, _: Timer) -> Cycle {
        Cycle(10_000)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut system = DrivenRing::new(Mine, &Setup::new(3, 4))?;
    let programs = (0..3).map(|node| -> Program {
        Box::new(move |host: &mut Handle| {
            host.wait(Cycle(1_000 * node))?;
            host.barrier()?;
            println!("node {} passes the barrier in cycle {}", host.node(), host.cycle());
            Ok(())
        })
    });
    for end in system.run_programs(Cycle(200_000), programs.collect())? {
        end?;
    }
    Ok(())
}
