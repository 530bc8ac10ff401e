// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every run of one-sided programs on a small cluster: processes, a server for each node, messages that arrive in
//! order between two ends, and puts beside the messages of the protocols.
//!
//! With [`Settings::replicas`] it is a ring: each node has a replica of the memory, and a server, its firmware. Writes of
//! a node come to each other node in their order and those of different nodes in any order, however late: that is
//! what boards do that retransmit what was lost (RCV-2, ACK-3). Signals may be lost, and timers run out early.

mod calls;
mod replicas;
mod settings;
mod state;
mod step;
mod traffic;

pub use settings::{Call, Property, Settings};
pub use state::State;
pub use step::{Packet, What};

use super::{explore::Checkable, explore::Next, step::Step};
use crate::firmware::onesided::{Client, End};
use awgstar_frame::quantity::NodeId;
use state::{Node, Process, Sleeps};
use std::{collections::BTreeMap, rc::Rc};

/// Processes and servers to be checked.
#[derive(Clone, Debug)]
pub struct Cluster<C: Client> {
    pub settings: Settings,
    pub processes: Vec<C>,
    /// One for each node.
    pub servers: Vec<C::Server>,
}

impl<C: Client> Cluster<C> {
    fn ranks(&self) -> usize {
        self.settings.nodes.len()
    }

    /// The node of an end of a message: a server is named by a process of its node.
    fn end(&self, end: End) -> End {
        match end {
            End::Server(rank) => End::Server(NodeId::at(self.settings.nodes[rank.index()])),
            End::Process(_) => end,
        }
    }

    fn send(&self, state: &mut State<C>, from: End, to: End, packet: Packet) {
        state.channels.entry((from, self.end(to))).or_default().push_back(packet);
    }

    fn process(at: usize) -> End {
        End::Process(NodeId::at(at))
    }

    fn server(at: usize) -> End {
        End::Server(NodeId::at(at))
    }

    #[must_use]
    pub fn nodes(&self) -> usize {
        self.servers.len()
    }

    /// A step, and the node on which it happens.
    fn step(&self, what: What) -> Step<What> {
        let node = match what {
            What::Calls(at, _)
            | What::GoesOn(at)
            | What::Fenced(at)
            | What::Sleeps(at)
            | What::Timer(at, _)
            | What::Leaves(at, _)
            | What::Lost(at, ..) => self.settings.nodes[at],
            What::Arrives(_, End::Process(to), _) | What::Late(_, End::Process(to), _) => {
                self.settings.nodes[to.index()]
            }
            What::Arrives(_, End::Server(node), _) | What::Late(_, End::Server(node), _) => {
                node.index()
            }
            What::Writes(node, _) => node,
        };
        Step { node, what, after: String::new() }
    }
}

impl<C: Client> Checkable for Cluster<C> {
    type State = State<C>;
    type Step = Step<What>;
    type Property = Property;

    fn start(&self) -> State<C> {
        let ranks = self.ranks();
        let process = |client: &C| {
            Rc::new(Process {
                client: client.clone(),
                begun: 0,
                waits: false,
                sleeps: Sleeps::No,
                goes_on: false,
                fences: None,
                timer: false,
                inside: Vec::new(),
            })
        };
        let node = |server: &C::Server| Rc::new(Node { server: server.clone(), writes: None });
        State {
            processes: self.processes.iter().map(process).collect(),
            nodes: self.servers.iter().map(node).collect(),
            channels: BTreeMap::new(),
            late: Vec::new(),
            copies: self.settings.copies,
            written: vec![vec![0; ranks]; ranks],
            words: vec![0; if self.settings.replicas { ranks * ranks } else { ranks }],
            held: Vec::new(),
            losses: self.settings.losses,
            early: self.settings.early,
            updates: vec![0; ranks],
            wrong: None,
        }
    }

    fn steps(&self, state: &State<C>, next: &mut Vec<Next<Self>>) {
        self.of_processes(state, next);
        self.of_the_network(state, next);
        self.of_the_ring(state, next);
    }

    fn broken(&self, state: &State<C>) -> Option<Property> {
        state.wrong.or_else(|| self.wrong_in_the_end(state))
    }

    fn done(&self, state: &State<C>) -> bool {
        let ended = |(at, process): (usize, &Rc<Process<C>>)| {
            let called = process.begun == self.settings.scripts[at].len();
            called && !process.waits && !process.timer
        };
        state.channels.is_empty()
            && state.held.is_empty()
            && state.nodes.iter().all(|node| node.writes.is_none())
            && state.processes.iter().enumerate().all(ended)
    }

    fn describe(&self, step: &mut Step<What>, after: &State<C>) {
        let on = |at: &usize| self.settings.nodes[*at] == step.node;
        // Of the process to which it happens, or of the first one on the node.
        let at = match step.what {
            What::Calls(at, _)
            | What::GoesOn(at)
            | What::Fenced(at)
            | What::Sleeps(at)
            | What::Timer(at, _) => Some(at),
            What::Arrives(_, End::Process(to), _) => Some(to.index()),
            _ => (0..self.ranks()).find(on),
        };
        if let Some(at) = at {
            step.after = after.processes[at].client.summary(&after.nodes[step.node].server);
        }
    }
}
