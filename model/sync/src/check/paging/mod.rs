// SPDX-License-Identifier: MIT OR Apache-2.0
//! Model of the ring with the words of the shared memory in every replica, on which paging is
//! checked.
//!
//! As in [`network`](super::network) frames stay in order on every link. A data frame carries bytes
//! of a word, and a replica has them when the frame has passed. So the flags of the page table
//! travel as they do on the ring. Each read of a state machine is a separate step: the value may be
//! old when the state machine acts on it. Losses affect data and signals; boards retransmit data in
//! order (ACK-3, RCV-2).

mod settings;
mod state;
mod step;
mod steps;

use awgstar_frame::quantity::{ByteAddress, NodeId};
pub use settings::{Property, Settings};
pub use state::{State, Word};
pub use step::What;

use super::{
    board::{Board, Frame},
    explore::{Checkable, Next},
    step::Step,
};
use crate::firmware::paging::{Access, Action, Event, Master};
use awgstar_frame::contract::page_table::PageTableError;
use state::{Chief, Job, Node, Nodes, Process, write};
use std::{collections::VecDeque, rc::Rc};

/// A ring of processes with virtual shared memory.
#[derive(Clone, Debug)]
pub struct Network {
    settings: Settings,
}

impl Network {
    /// A ring with these settings.
    ///
    /// # Errors
    /// If there are no nodes or more than a page has bytes, places without pages, or a script
    /// accesses a page that does not exist.
    pub fn new(settings: Settings) -> Result<Network, PageTableError> {
        settings.check()?;
        Ok(Network { settings })
    }

    /// Writes for the host of `at`: to its local replica at once, to others when the frame arrives
    /// there.
    fn write(state: &mut State, at: usize, addr: ByteAddress, data: u32, strobe: u8) {
        let source = NodeId::at(at);
        let node = &mut state.nodes[at];
        write(&mut node.memory, addr, data, strobe);
        node.board.write(|number| Word { source, number, addr, data, strobe });
    }

    /// Carries out the actions of a state machine of node `at`.
    fn act(&self, state: &mut State, at: usize, master: bool, actions: Vec<Action>) {
        for action in actions {
            let job = match action {
                Action::Read(addr) => Job::Read(addr),
                Action::Until(addr) => Job::Until(addr),
                Action::Confirm => Job::Confirm(state.nodes[at].board.mark()),
                Action::CopyOut(copy) => Job::Out(copy),
                Action::CopyIn(copy) => Job::In(copy),
                other => {
                    self.do_now(state, at, other);
                    continue;
                }
            };
            if master {
                Rc::make_mut(&mut state.chief).job = job;
            } else {
                state.nodes[at].job = job;
            }
        }
    }

    fn do_now(&self, state: &mut State, at: usize, action: Action) {
        match action {
            Action::Write { addr, data, strobe } => Self::write(state, at, addr, data, strobe),
            Action::Send(message) => {
                self.asked(state, at);
                let node = &mut state.nodes[at];
                node.board.send(message, awgstar_frame::contract::Order::None);
                node.board.pump(&mut state.links[at], self.settings.profile);
            }
            Action::Ask(page) => {
                self.asked(state, at);
                self.tell_master(state, Event::Wanted(page));
            }
            Action::Start => state.nodes[at].timer = true,
            Action::Stop => state.nodes[at].timer = false,
            Action::Granted(offset) => {
                if let Process::Waiting(page) = state.nodes[at].process {
                    state.nodes[at].process = Process::Has(page, offset);
                }
            }
            Action::Released => state.nodes[at].process = Process::Idle,
            _ => {}
        }
    }

    /// A request leaves.
    fn asked(&self, state: &mut State, at: usize) {
        let s = &self.settings;
        let asked = &mut state.nodes[at].asked;
        *asked = (*asked + 1).min(2);
        let faultless = (state.losses, state.early, state.full) == (s.losses, s.early, s.full);
        if *asked == 2 && faultless {
            state.wrong = Some(Property::OneRequest);
        }
    }

    fn tell(&self, state: &mut State, at: usize, event: Event) {
        let mut actions = Vec::new();
        state.nodes[at].access.step(event, &mut actions);
        self.act(state, at, false, actions);
    }

    fn tell_master(&self, state: &mut State, event: Event) {
        let mut actions = Vec::new();
        Rc::make_mut(&mut state.chief).machine.step(event, &mut actions);
        self.act(state, 0, true, actions);
    }
}

impl Checkable for Network {
    type State = State;
    type Step = Step<What>;
    type Property = Property;

    fn start(&self) -> State {
        let s = &self.settings;
        let (at, nodes) = (s.table(), s.nodes());
        let machine = Master::new(s.place(0), s.repairs);
        let node = |node| {
            Rc::new(Node {
                memory: vec![0; at.end().word()],
                access: Access::new(s.place(node), s.repairs),
                job: Job::None,
                process: Process::Idle,
                begun: 0,
                asked: 0,
                timer: false,
                board: Board::new(nodes),
            })
        };
        let mut state = State {
            nodes: Nodes((0..nodes).map(node).collect()),
            chief: Rc::new(Chief {
                machine,
                job: Job::None,
                inbox: VecDeque::new(),
                areas: vec![0; at.areas().into()],
            }),
            links: vec![VecDeque::new(); nodes],
            losses: s.losses,
            early: s.early,
            full: s.full,
            written: vec![0; usize::from(s.pages) * nodes],
            wrong: None,
        };
        // Every board has the table before any process accesses it.
        let mut table = Vec::new();
        state.chief.machine.start(&mut table);
        for action in table {
            let Action::Write { addr, data, strobe } = action else { continue };
            for node in 0..nodes {
                write(&mut state.nodes[node].memory, addr, data, strobe);
            }
        }
        state
    }

    fn steps(&self, state: &State, next: &mut Vec<Next<Self>>) {
        for at in 0..self.settings.nodes() {
            self.link(state, at, next);
            self.node(state, at, next);
        }
    }

    fn broken(&self, state: &State) -> Option<Property> {
        let whole = || state.whole(&self.settings.table());
        state.wrong.or_else(|| (self.done(state) && !whole()).then_some(Property::Update))
    }

    /// All scripts are done and nothing is under way.
    fn done(&self, state: &State) -> bool {
        let s = &self.settings;
        let ended = |(node, script): (&Node, &Vec<u16>)| {
            usize::from(node.begun) == script.len() && node.process == Process::Idle
        };
        state.nodes.iter().zip(&s.scripts).all(ended)
            && state.chief.job == Job::None
            && state.quiet()
    }

    fn describe(&self, step: &mut Step<What>, after: &State) {
        step.after = after.nodes[step.node].access.summary();
        if step.node == 0 {
            step.after = format!("{}; {}", step.after, after.chief.machine.summary());
        }
    }
}

/// Frames on a link, for the steps.
type Link = VecDeque<Frame<Word>>;
