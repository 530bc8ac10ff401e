// SPDX-License-Identifier: MIT OR Apache-2.0
//! A barrier after which all puts made before it are written (paper 001, 3.1).
//!
//! *All-fence*: each server is asked for a confirmation, one after the other, and then the processes meet.
//! *Combined*: the processes add up in phases how many puts each server has to write, each waits until its own
//! has written them, and then they meet.
//!
//! As published, partners differ in one bit of their number, so only powers of two are right. Repaired, a member
//! sends in phase k to the one 2^k after it and receives from the one 2^k before it.

use super::{Action, Client, End, Event, GroupError, Message, Misuse, Server};
use awgstar_frame::quantity::NodeId;
use std::ops::Range;

crate::repairs! {
    /// Repairs of the fence and of the barrier.
    pub struct FenceRepairs {
        /// A fence says how many puts must be written: a later message may overtake a put.
        COUNTED = 0 "fence with a count";
        /// Partners by distance, for any number of processes.
        ANY_NUMBER = 1 "any number of processes";
        /// The sum of the counts is a copy: the process's own counts stay. Where each count takes one way
        /// ([`FenceRepairs::ANY_NUMBER`]) it need not be: nothing is counted twice.
        COPY = 2 "sum is a copy";
        /// Counts never begin again; as published both are set to 0 on leaving.
        CUMULATIVE = 3 "cumulative counts";
        /// A server counts for each process of its node.
        PER_TARGET = 4 "count for each process of a node";
        /// A server counts for each source: puts from outside of the group are not those that are waited for.
        BY_SOURCE = 5 "count for each source";
        /// The library's own puts are not counted.
        LIBRARY = 6 "puts of the library not counted";
        /// Counts are compared modulo 2^32; as published one must not be less than the other.
        DIFFERENCE = 7 "counts by difference";
        /// A put is written, then counted.
        WRITTEN_FIRST = 8 "written, then counted";
        /// A process sleeps only if the count is still the one that it saw.
        SLEEP_ON_VALUE = 9 "sleep on the value";
        /// An arrival is the number of the episode; as published a flag that is set and cleared.
        EPISODE = 10 "arrivals with numbers";
    }
}

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A confirmation of each server, then a barrier (3.1.1).
    AllFence,
    /// A barrier that contains the fence (3.1.2, figure 2).
    Combined,
}

crate::states! {
    /// State of a process at the barrier.
    pub enum Barrier, /// Cause of a transition.
    BarrierCause, "barrier of one-sided programs: process" {
        states {
            /// The process is not at the barrier.
            Out "out",
            /// The process waits for the confirmation of a server.
            Fence "fence",
            /// The process waits for the counts of its partner.
            Sum "sum",
            /// The process waits until its server has written all puts.
            Drain "drain",
            /// The process waits for the arrival of its partner.
            Meet "meet",
        }
        causes {
            /// All-fence begins.
            Ask "ask": Out => Fence;
            /// The combined barrier begins.
            Add "add": Out => Sum;
            /// All counts are there.
            Added "added": Sum => Drain;
            /// All puts are in place.
            Written "written": Fence => Meet, Drain => Meet;
            /// All have arrived.
            Pass "pass": Meet => Out;
        }
    }
}

/// A process in a barrier of a group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    kind: Kind,
    repairs: FenceRepairs,
    rank: NodeId,
    /// Of this process in the group.
    place: usize,
    /// The group, in the same order in each of its processes; phases count places in it.
    members: Vec<NodeId>,
    state: Barrier,
    /// The phase in `Sum` and `Meet`.
    phase: u8,
    /// In `Fence`: the place in the group of the process whose server is asked.
    asked: usize,
    episode: u16,
    /// Puts to each process since the start, modulo 2^32.
    issued: Vec<u32>,
    /// Counts that this process has to pass on, or to wait for.
    part: Vec<u32>,
    /// Counts that came early: source, episode, phase.
    sums: Vec<(NodeId, u16, u8, Vec<u32>)>,
    /// The last arrival of each phase: its episode, or 1 for a flag that is set.
    arrived: Vec<u16>,
}

/// Puts that a server has written, as it counts them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Counts {
    repairs: FenceRepairs,
    /// The processes of the node.
    processes: Vec<NodeId>,
    ranks: usize,
    /// For each process of the node, or for all together, a row of counts by source, modulo 2^32.
    done: Vec<u32>,
    /// Fences that wait: their process, the target, and the puts that must be written.
    fences: Vec<(NodeId, NodeId, u32)>,
}

impl Process {
    /// A process of a group, out of `ranks`.
    ///
    /// # Errors
    /// [`GroupError`] if the process is not in the group, or the group has others than the processes.
    pub fn new(
        kind: Kind,
        rank: NodeId,
        members: Vec<NodeId>,
        ranks: usize,
        repairs: FenceRepairs,
    ) -> Result<Self, GroupError> {
        let Some(place) = members.iter().position(|member| *member == rank) else {
            return Err(GroupError::NotMember(rank));
        };
        if let Some(&found) = members.iter().find(|member| member.index() >= ranks) {
            return Err(GroupError::NoProcess { found, ranks });
        }
        let arrived = vec![0; members.len()];
        Ok(Process {
            kind,
            repairs,
            rank,
            place,
            members,
            state: Barrier::Out,
            phase: 0,
            asked: 0,
            episode: 0,
            issued: vec![0; ranks],
            part: vec![0; ranks],
            sums: Vec::new(),
            arrived,
        })
    }

    /// Starts as if this process had made so many puts to each process.
    #[must_use]
    pub fn counting_from(mut self, puts: u32) -> Self {
        self.issued.fill(puts);
        self
    }

    /// Phases of an exchange.
    fn phases(&self) -> u32 {
        let members = self.members.len();
        if self.repairs.has(FenceRepairs::ANY_NUMBER) {
            members.next_power_of_two().ilog2()
        } else {
            members.ilog2()
        }
    }

    /// To whom this process sends in its phase, and from whom it receives; as published there may be no partner.
    fn partners(&self) -> Option<(NodeId, NodeId)> {
        let (me, members) = (self.place, self.members.len());
        if self.repairs.has(FenceRepairs::ANY_NUMBER) {
            let distance = (1 << self.phase) % members;
            let at = |place: usize| self.members[place % members];
            Some((at(me + distance), at(me + members - distance)))
        } else {
            // The first partner is half of the group away.
            let partner = *self.members.get(me ^ members >> (self.phase + 1))?;
            Some((partner, partner))
        }
    }

    /// This phase counts for the last one, too.
    fn over(&self) -> bool {
        u32::from(self.phase) >= self.phases()
    }

    fn enter(&mut self, server: &Counts, actions: &mut Vec<Action>) {
        if self.state != Barrier::Out {
            actions.push(Action::Misuse(Misuse::Nested));
            return;
        }
        self.episode = self.episode.wrapping_add(1);
        self.phase = 0;
        match self.kind {
            Kind::AllFence => {
                self.state.go(BarrierCause::Ask);
                self.asked = 0;
                self.ask(actions);
            }
            Kind::Combined => {
                self.part.clone_from(&self.issued);
                self.state.go(BarrierCause::Add);
                self.send_sums(actions);
                self.add(server, actions);
            }
        }
    }

    /// Asks the next server; its own needs no question.
    fn ask(&mut self, actions: &mut Vec<Action>) {
        if self.asked == self.place {
            self.asked += 1;
        }
        if let Some(member) = self.members.get(self.asked) {
            let puts = self.issued.get(member.index()).copied().unwrap_or_default();
            let target = *member;
            actions.push(Action::Send(End::Server(target), Message::Fence { target, puts }));
        } else {
            self.meet(actions);
        }
    }

    /// The counts that the partner of this phase is to have.
    fn send_sums(&mut self, actions: &mut Vec<Action>) {
        if self.over() {
            return;
        }
        let Some((to, _)) = self.partners() else { return };
        let mut counts = self.part.clone();
        if self.repairs.has(FenceRepairs::ANY_NUMBER) {
            let (me, members) = (self.place, self.members.len());
            counts.fill(0);
            for (place, member) in self.members.iter().enumerate() {
                // Each count takes one way: by the bits of its distance.
                if ((place + members - me) % members) >> self.phase & 1 == 1 {
                    counts[member.index()] = std::mem::take(&mut self.part[member.index()]);
                }
            }
        }
        let (episode, phase) = (self.episode, self.phase);
        actions.push(Action::Send(End::Process(to), Message::Sums { episode, phase, counts }));
    }

    /// Adds the counts that are here, phase by phase.
    fn add(&mut self, server: &Counts, actions: &mut Vec<Action>) {
        while !self.over() {
            if let Some((_, from)) = self.partners() {
                let wanted = |one: &(NodeId, u16, u8, Vec<u32>)| {
                    (one.0, one.1, one.2) == (from, self.episode, self.phase)
                };
                let Some(at) = self.sums.iter().position(wanted) else { return };
                let (.., counts) = self.sums.remove(at);
                for (part, more) in self.part.iter_mut().zip(counts) {
                    *part = part.wrapping_add(more);
                }
            }
            self.phase += 1;
            self.send_sums(actions);
        }
        if !self.repairs.has(FenceRepairs::COPY) {
            self.issued.clone_from(&self.part);
        }
        self.state.go(BarrierCause::Added);
        self.drain(server, actions);
    }

    /// Puts to this process that its server has counted.
    fn done(&self, server: &Counts) -> u32 {
        server.done(self.rank, &self.members)
    }

    fn drain(&mut self, server: &Counts, actions: &mut Vec<Action>) {
        let (done, all) = (self.done(server), self.part[self.rank.index()]);
        let equal =
            if self.repairs.has(FenceRepairs::DIFFERENCE) { done == all } else { done >= all };
        if equal {
            self.meet(actions);
        } else {
            let seen = self.repairs.has(FenceRepairs::SLEEP_ON_VALUE).then_some(done);
            actions.push(Action::Sleep(seen));
        }
    }

    fn meet(&mut self, actions: &mut Vec<Action>) {
        self.state.go(BarrierCause::Written);
        self.phase = 0;
        self.arrive(actions);
    }

    /// Tells the partner of this phase.
    fn arrive(&self, actions: &mut Vec<Action>) {
        if let Some((to, _)) = self.partners().filter(|_| !self.over()) {
            let (episode, phase) = (self.episode, self.phase);
            actions.push(Action::Send(End::Process(to), Message::Arrive { episode, phase }));
        }
    }

    /// Goes through the phases whose partner has arrived.
    fn met(&mut self, server: &mut Counts, actions: &mut Vec<Action>) {
        if self.state != Barrier::Meet {
            return;
        }
        while !self.over() {
            if self.partners().is_some() {
                let arrived = &mut self.arrived[usize::from(self.phase)];
                if self.repairs.has(FenceRepairs::EPISODE) {
                    // Not older than this episode, modulo 65,536.
                    if self.episode.wrapping_sub(*arrived).wrapping_sub(1) < 1 << 15 {
                        return;
                    }
                } else if std::mem::take(arrived) == 0 {
                    return;
                }
            }
            self.phase += 1;
            self.arrive(actions);
        }
        if !self.repairs.has(FenceRepairs::CUMULATIVE) {
            self.issued.fill(0);
            server.forget(self.rank);
        }
        self.state.go(BarrierCause::Pass);
        actions.push(Action::Passed);
    }

    fn message(
        &mut self,
        from: NodeId,
        message: Message,
        server: &Counts,
        actions: &mut Vec<Action>,
    ) {
        match message {
            Message::Confirm if self.state == Barrier::Fence => {
                self.asked += 1;
                self.ask(actions);
            }
            Message::Sums { episode, phase, counts } => {
                self.sums.push((from, episode, phase, counts));
                if self.state == Barrier::Sum {
                    self.add(server, actions);
                }
            }
            Message::Arrive { episode, phase } => {
                let numbered = self.repairs.has(FenceRepairs::EPISODE);
                if let Some(arrived) = self.arrived.get_mut(usize::from(phase)) {
                    *arrived = if numbered { episode } else { 1 };
                }
                if !numbered {
                    // A flag is in memory, and the process sees it when it looks.
                    actions.push(Action::GoOn);
                }
            }
            _ => {}
        }
    }
}

impl Client for Process {
    type Server = Counts;

    fn step(&mut self, event: Event, server: &mut Counts, actions: &mut Vec<Action>) {
        let flag = matches!(event, Event::Message(_, Message::Arrive { .. }));
        match event {
            Event::Put(to) => {
                if let Some(count) = self.issued.get_mut(to.index()) {
                    *count = count.wrapping_add(1);
                }
            }
            Event::Enter => self.enter(server, actions),
            Event::Message(from, message) => self.message(from, message, server, actions),
            Event::Look if self.state == Barrier::Drain => self.drain(server, actions),
            _ => {}
        }
        if self.repairs.has(FenceRepairs::EPISODE) || !flag {
            self.met(server, actions);
        }
    }

    fn summary(&self, server: &Counts) -> String {
        let (state, phase) = (self.state.name(), self.phase);
        match self.state {
            Barrier::Out => state.into(),
            Barrier::Fence => format!("{state}, asks {}", self.asked),
            Barrier::Drain => {
                format!("{state}, {} of {}", self.done(server), self.part[self.rank.index()])
            }
            _ => format!("{state} {phase}"),
        }
    }

    fn watched(&self, server: &Counts) -> u32 {
        self.done(server)
    }
}

impl Counts {
    /// The server of a node with these processes, out of `ranks`.
    #[must_use]
    pub fn new(processes: Vec<NodeId>, ranks: usize, repairs: FenceRepairs) -> Self {
        let rows = if repairs.has(FenceRepairs::PER_TARGET) { processes.len() } else { 1 };
        Counts { repairs, processes, ranks, done: vec![0; rows * ranks], fences: Vec::new() }
    }

    /// Starts as if so many puts of each source had been written.
    #[must_use]
    pub fn counting_from(mut self, puts: u32) -> Self {
        self.done.fill(puts);
        self
    }

    /// The counts of puts to a process of the node, by source; empty for a process of another node.
    fn row(&self, target: NodeId) -> Range<usize> {
        let Some(place) = self.processes.iter().position(|process| *process == target) else {
            return 0..0;
        };
        let row = if self.repairs.has(FenceRepairs::PER_TARGET) { place } else { 0 };
        row * self.ranks..(row + 1) * self.ranks
    }

    /// Puts to `target` that are written, of `members` or of all.
    fn done(&self, target: NodeId, members: &[NodeId]) -> u32 {
        let row = &self.done[self.row(target)];
        let counted = |source: usize| {
            !self.repairs.has(FenceRepairs::BY_SOURCE)
                || members.iter().any(|member| member.index() == source)
        };
        let counts = row.iter().enumerate().filter(|(source, _)| counted(*source));
        counts.fold(0, |sum, (_, count)| sum.wrapping_add(*count))
    }

    /// As published, the count of a process that leaves the barrier begins again.
    fn forget(&mut self, target: NodeId) {
        let row = self.row(target);
        self.done[row].fill(0);
    }

    fn answer(&mut self, actions: &mut Vec<Action>) {
        let mut fences = std::mem::take(&mut self.fences);
        fences.retain(|&(source, target, puts)| {
            let written = self.done[self.row(target)].get(source.index());
            let missing = puts.wrapping_sub(written.copied().unwrap_or_default());
            let waits =
                self.repairs.has(FenceRepairs::COUNTED) && missing != 0 && missing < 1 << 31;
            if !waits {
                actions.push(Action::Send(End::Process(source), Message::Confirm));
            }
            waits
        });
        self.fences = fences;
    }
}

impl Server for Counts {
    fn serve(&mut self, from: NodeId, message: &Message, actions: &mut Vec<Action>) {
        if let Message::Fence { target, puts } = message {
            self.fences.push((from, *target, *puts));
            self.answer(actions);
        }
    }

    fn count(
        &mut self,
        (source, target): (NodeId, NodeId),
        library: bool,
        actions: &mut Vec<Action>,
    ) {
        if library && self.repairs.has(FenceRepairs::LIBRARY) {
            return;
        }
        let row = self.row(target);
        if let Some(count) = self.done[row].get_mut(source.index()) {
            *count = count.wrapping_add(1);
        }
        self.answer(actions);
    }

    fn counts_first(&self) -> bool {
        !self.repairs.has(FenceRepairs::WRITTEN_FIRST)
    }
}
