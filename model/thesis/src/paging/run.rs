// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run: processes, their state machines and the master on a ring of frames.

mod acts;

use super::{
    Costs, Visit,
    line::Line,
    state::{Node, Side, Todo, What, Word, put},
};
use awgstar_frame::contract::PageTable;
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId};
use awgstar_request::Queue;
use awgstar_sync::firmware::paging::{Access, Action, Event, Master, Place, Repairs, Worker};
use std::collections::VecDeque;

/// Settings of a run: pages, times and visits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// Pages and their table.
    pub at: PageTable,
    /// Times of all steps.
    pub costs: Costs,
    /// The visits of each process; node 0 is the master.
    pub visits: Vec<Vec<Visit>>,
}

/// Result of a run. Times of processes are the sum over all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Until the last process had ended.
    pub time: Nanoseconds,
    /// Words written.
    pub words: u64,
    /// Pages entered.
    pub visits: u64,
    /// Pages swapped.
    pub swaps: u64,
    /// Pages hidden and shown again, because a flag was set meanwhile.
    pub aborted: u64,
    /// Writes of the processes.
    pub work: Nanoseconds,
    /// Reading the table and changing access flags, until they are on every board.
    pub table: Nanoseconds,
    /// Waiting for a page to be swapped in.
    pub swap: Nanoseconds,
}

struct Run {
    load: Load,
    line: Line,
    nodes: Vec<Node>,
    master: Master,
    todo: Todo,
    queue: Queue<What>,
    figures: Figures,
}

/// Runs a load to its end.
#[must_use]
pub fn run(load: &Load) -> Figures {
    let mut run = Run::new(load);
    for node in 0..run.nodes.len() {
        run.queue.put(Nanoseconds(0), What::Process(node));
    }
    while let Some((_, what)) = run.queue.take() {
        run.happens(what);
    }
    debug_assert!(run.nodes.iter().all(|node| node.ended), "every process has ended");
    // A valid flag is set for each swap, and for each page shown again.
    run.figures.aborted -= run.figures.swaps;
    run.figures
}

impl Run {
    fn new(load: &Load) -> Run {
        let place = |node| Place { node: NodeId::at(node), master: NodeId(0), at: load.at };
        let master = Master::new(place(0), Repairs::ALL);
        let mut table = vec![0; load.at.physical.word()];
        let mut first = Vec::new();
        master.start(&mut first);
        for action in first {
            if let Action::Write { addr, data, strobe } = action {
                put(&mut table, Word { addr, data, strobe });
            }
        }
        let node = |(node, visits): (usize, &Vec<Visit>)| Node {
            access: Access::new(place(node), Repairs::ALL),
            table: table.clone(),
            todo: Todo::default(),
            visits: visits.iter().cloned().collect(),
            since: Nanoseconds(0),
            asked: None,
            free: Nanoseconds(0),
            out: VecDeque::new(),
            written: 0,
            left: 0,
            ended: false,
        };
        Run {
            line: Line::new(load.costs, load.visits.len()),
            nodes: load.visits.iter().enumerate().map(node).collect(),
            load: load.clone(),
            master,
            todo: Todo::default(),
            queue: Queue::default(),
            figures: Figures::default(),
        }
    }

    fn todo(&mut self, side: Side) -> &mut Todo {
        if side.master { &mut self.todo } else { &mut self.nodes[side.node].todo }
    }

    /// The host of `node` does something that takes `takes`, after what it does now; when it has.
    fn host(&mut self, node: usize, takes: Nanoseconds) -> Nanoseconds {
        let end = self.nodes[node].free.max(self.queue.now()) + takes;
        self.nodes[node].free = end;
        end
    }

    fn at(&mut self, time: Nanoseconds, what: What) {
        self.queue.put(time.saturating_sub(self.queue.now()), what);
    }

    /// The host has written a frame's Data at `time`.
    fn write(&mut self, node: usize, time: Nanoseconds, bytes: u64, word: Option<Word>) {
        self.nodes[node].out.push_back((bytes, word));
        self.nodes[node].written += 1;
        self.at(time + self.load.costs.close, What::Leaves(node));
    }

    fn happens(&mut self, what: What) {
        match what {
            What::Leaves(node) => self.leaves(node),
            What::Word(node, word) => {
                put(&mut self.nodes[node].table, word);
                self.seen(node, word.addr);
            }
            What::Machine(side, event) => self.machine(side, event),
            What::Turn(side) => {
                self.todo(side).waits = false;
                self.turn(side);
            }
            What::Wanted(page) => {
                // It does not end what the master waits for.
                let mut actions = Vec::new();
                self.master.step(Event::Wanted(page), &mut actions);
                self.todo.actions.extend(actions);
                self.turn(Side { node: 0, master: true });
            }
            What::Process(node) => self.process(node),
        }
    }

    fn leaves(&mut self, node: usize) {
        let Some((bytes, word)) = self.nodes[node].out.pop_front() else { return };
        let frame = self.line.data(node, self.queue.now(), bytes);
        self.nodes[node].left += 1;
        if let Some(word) = word {
            for other in (0..self.nodes.len()).filter(|&other| other != node) {
                let arrives = self.line.arrives(frame, node, other);
                self.at(arrives, What::Word(other, word));
            }
        }
        self.confirms(Side { node, master: false });
        if node == 0 {
            self.confirms(Side { node, master: true });
        }
    }

    /// Schedules the event of a state machine that waits for acknowledgement, when all its frames
    /// have left.
    fn confirms(&mut self, side: Side) {
        let left = self.nodes[side.node].left;
        if self.todo(side).mark.is_some_and(|mark| mark <= left) {
            self.todo(side).mark = None;
            let back = self.line.confirmed(side.node).max(self.queue.now());
            let Costs { poll, read, .. } = self.load.costs;
            self.at(back + poll / 2 + read, What::Machine(side, Event::Confirmed));
        }
    }

    /// A process polls for this word: it finds it half a poll later.
    fn seen(&mut self, node: usize, addr: ByteAddress) {
        let value = self.nodes[node].table[addr.word()];
        let todo = &mut self.nodes[node].todo;
        if value != 0 && !todo.waits && todo.actions.front() == Some(&Action::Until(addr)) {
            todo.actions.pop_front();
            todo.waits = true;
            let end = self.queue.now() + self.load.costs.poll / 2 + self.load.costs.read;
            let side = Side { node, master: false };
            self.at(end, What::Machine(side, Event::Word(value)));
        }
    }

    fn machine(&mut self, side: Side, event: Event) {
        let mut actions = Vec::new();
        if side.master {
            self.master.step(event, &mut actions);
        } else {
            let now = self.queue.now();
            let one = &mut self.nodes[side.node];
            one.access.step(event, &mut actions);
            if one.access.state() == Worker::Asking {
                one.asked.get_or_insert(now);
            }
        }
        let todo = self.todo(side);
        todo.waits = false;
        todo.actions.extend(actions);
        self.turn(side);
    }

    /// A state machine does what it has to, up to the next thing that takes time.
    fn turn(&mut self, side: Side) {
        while !self.todo(side).waits {
            let Some(&action) = self.todo(side).actions.front() else { return };
            if let Action::Until(addr) = action {
                return self.seen(side.node, addr);
            }
            self.todo(side).actions.pop_front();
            self.act(side, action);
        }
    }

    /// The process writes the pieces of its page, if it has it, and wants the next.
    fn process(&mut self, node: usize) {
        let side = Side { node, master: false };
        let Some(visit) = self.nodes[node].visits.front() else {
            return self.machine(side, Event::LetGo);
        };
        let page = visit.page;
        if self.nodes[node].access.page().map(|held| held.0) != Some(page) {
            self.nodes[node].since = self.queue.now();
            self.figures.visits += 1;
            return self.machine(side, Event::Access(page));
        }
        let pieces = self.nodes[node].visits.pop_front().map(|visit| visit.pieces);
        let start = self.nodes[node].free.max(self.queue.now());
        for piece in pieces.into_iter().flatten() {
            let end = self.host(node, self.load.costs.write * u64::from(piece.words));
            self.write(node, end, u64::from(4 * piece.words), None);
            self.figures.words += u64::from(piece.words);
        }
        let end = self.nodes[node].free.max(start);
        self.figures.work += end - start;
        self.at(end, What::Process(node));
    }
}
