// SPDX-License-Identifier: MIT OR Apache-2.0
//! Model of the ring with the words of the shared memory in every replica, on which paging is
//! checked.
//!
//! The ring is that of [`Network`](super::Network). A data frame carries bytes
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
pub use step::{Does, Placed, What};

use super::{
    explore::{Checkable, Next},
    network::{self, Rules, Traffic},
    step::Step,
};
use crate::firmware::{
    Message,
    paging::{Access, Action, Event, Master},
};
use awgstar_frame::contract::{Order, page_table::PageTableError};
use state::{Chief, Job, Node, Process, write};
use std::{collections::VecDeque, rc::Rc};

/// A ring of processes with virtual shared memory.
pub type Network = network::Network<Access, Settings>;

impl network::Network<Access, Settings> {
    /// A ring with these settings.
    ///
    /// # Errors
    /// If there are no nodes or more than a page has bytes, places without pages, or a script
    /// accesses a page that does not exist.
    pub fn new(settings: Settings) -> Result<Network, PageTableError> {
        settings.check()?;
        let access = |node| vec![Access::new(settings.place(node), settings.repairs)];
        let machines = (0..settings.nodes()).map(access).collect();
        Ok(Network { settings, machines })
    }

    /// Writes for the host of `at`: to its local replica at once, to others when the frame arrives
    /// there.
    fn write(state: &mut State, at: usize, addr: ByteAddress, data: u32, strobe: u8) {
        let source = NodeId::at(at);
        write(&mut state.nodes[at].memory, addr, data, strobe);
        state.boards[at].write(|number| Word { source, number, addr, data, strobe });
    }

    /// Carries out the actions of a state machine of node `at`.
    fn act(&self, state: &mut State, at: usize, master: bool, actions: Vec<Action>) {
        for action in actions {
            let job = match action {
                Action::Read(addr) => Job::Read(addr),
                Action::Until(addr) => Job::Until(addr),
                Action::Confirm => Job::Confirm(state.boards[at].mark()),
                Action::CopyOut(copy) => Job::Out(copy),
                Action::CopyIn(copy) => Job::In(copy),
                other => {
                    self.do_now(state, at, other);
                    continue;
                }
            };
            if master {
                Rc::make_mut(&mut state.common).job = job;
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
                self.send(state, at, message, Order::None);
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
        let asked = &mut state.nodes[at].asked;
        *asked = (*asked + 1).min(2);
        if *asked == 2 && self.faultless(state) {
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
        Rc::make_mut(&mut state.common).machine.step(event, &mut actions);
        self.act(state, 0, true, actions);
    }
}

impl Traffic for network::Network<Access, Settings> {
    type Node = Node;
    type Common = Rc<Chief>;
    type Data = Word;
    type Shown = Placed;
    type Local = Does;
    type Property = Property;

    fn rules(&self) -> Rules {
        let s = &self.settings;
        let &Settings { profile, losses, early, full, .. } = s;
        Rules { nodes: s.nodes(), descending: false, profile, losses, early, full }
    }

    fn shown(&self, word: Word) -> Placed {
        Placed(self.settings.table(), word)
    }

    fn takes(&self, at: usize, message: Message) -> bool {
        at == 0 && message.reaches(NodeId(0))
    }

    fn passes(message: Message) -> What {
        What::Passes(message)
    }

    fn arrives(&self, state: &mut State, _: usize, message: Message, _: usize) {
        if self.settings.slow {
            Rc::make_mut(&mut state.common).inbox.push_back(message);
        } else {
            self.wanted(state, message);
        }
    }

    fn stores(state: &mut State, at: usize, Word { addr, data, strobe, .. }: Word) {
        write(&mut state.nodes[at].memory, addr, data, strobe);
    }

    /// No state machine has anything to read.
    fn idle(state: &State) -> bool {
        let goes_on = |at: usize, job: Job| match job {
            Job::None => false,
            Job::Until(addr) => state.nodes[at].memory[addr.word()] != 0,
            Job::Confirm(mark) => state.boards[at].confirmed(mark),
            Job::Read(_) | Job::Out(_) | Job::In(_) => true,
        };
        let chief = &state.common;
        !state.nodes.iter().enumerate().any(|(at, node)| goes_on(at, node.job))
            && !goes_on(0, chief.job)
            && chief.inbox.is_empty()
    }
}

impl Checkable for network::Network<Access, Settings> {
    type State = State;
    type Step = Step<What>;
    type Property = Property;

    fn start(&self) -> State {
        let s = &self.settings;
        let (at, nodes) = (s.table(), s.nodes());
        let node = |access: &Access| Node {
            memory: vec![0; at.end().word()],
            access: access.clone(),
            job: Job::None,
            process: Process::Idle,
            begun: 0,
            asked: 0,
            timer: false,
        };
        let chief = Chief {
            machine: Master::new(s.place(0), s.repairs),
            job: Job::None,
            inbox: VecDeque::new(),
            areas: vec![0; at.areas().into()],
        };
        let (all, written) =
            (self.machines.iter().flatten().map(node), usize::from(s.pages) * nodes);
        let mut state = self.state(all, Rc::new(chief), (true, written));
        // Every board has the table before any process accesses it.
        let mut table = Vec::new();
        state.common.machine.start(&mut table);
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
            self.job(state, at, false, next);
            if at == 0 {
                self.job(state, at, true, next);
                self.handle(state, next);
            }
            self.run_out(state, at, next);
            self.resend(state, at, next);
            self.process(state, at, next);
        }
    }

    fn broken(&self, state: &State) -> Option<Property> {
        let whole = || state::whole(state, &self.settings.table());
        state.wrong.or_else(|| (self.done(state) && !whole()).then_some(Property::Update))
    }

    /// All scripts are done and nothing is under way.
    fn done(&self, state: &State) -> bool {
        let s = &self.settings;
        let ended = |(node, script): (&Node, &Vec<u16>)| {
            usize::from(node.begun) == script.len() && node.process == Process::Idle
        };
        state.nodes.iter().zip(&s.scripts).all(ended)
            && state.common.job == Job::None
            && Self::quiet(state)
    }

    fn describe(&self, step: &mut Step<What>, after: &State) {
        step.after = after.nodes[step.node].access.summary();
        if step.node == 0 {
            step.after = format!("{}; {}", step.after, after.common.machine.summary());
        }
    }
}
