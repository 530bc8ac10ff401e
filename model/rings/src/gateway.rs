// SPDX-License-Identifier: MIT OR Apache-2.0
//! A gateway: its ring's requests, requests for its ring, those that it passes on, and the barrier.
//!
//! The handler of paper 004 (section 4.1) repeats: all channels, then all links. Here each [`Event::Poll`] is a turn.
//! The driver carries out the actions of an event before the next one, except that a [`Action::Send`] may wait.

use crate::barrier::{Barrier, Neighbours};
use crate::cache::home::Directory;
use crate::cache::near::Lines;
use crate::home::{Answered, Home};
use crate::interface::{Action, Block, Memory, Message, Order};
use crate::line::{Cache, Note, Says};
use crate::near::Near;
use crate::repairs::{Repairs, RequestRepairs, WindowRepairs};
use crate::turns::{Said, Turns};
use crate::window::Window;
use crate::words::{Requester, RingNumber, Slot, Word};
use awgstar_frame::quantity::{ByteAddress, NodeId};
use std::collections::{BTreeMap, BTreeSet};

awgstar_sync::states! {
    /// State of a gateway.
    pub enum Duty, /// Cause of a transition.
    DutyCause, "gateway" {
        states {
            /// Another gateway of the ring is active, and this one does nothing.
            Passive "passive",
            Active "active",
        }
        causes {
            TakeOver "take_over": Passive => Active;
        }
    }
}

/// Event of a gateway.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The firmware begins; the memory of the ring is as it was.
    Start,
    /// A turn of the handler.
    Poll,
    Message(RingNumber, Message),
    /// The link to this ring's gateway was reset: what was on it is lost.
    Reset(RingNumber),
    /// The timer of open requests has run out.
    Timer,
    /// All frames of this node are in all replicas.
    Flushed,
    /// A board of the ring has written into a window, or, where other rings have lines, anywhere.
    Written(Block),
    /// What [`Action::Fill`] asked for last has been written.
    Filled,
    /// The other gateway of the ring is dead, and its frames are gone from the ring.
    TakeOver,
}

/// A gateway among rings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub ring: RingNumber,
    pub slot: Slot,
    /// Gateways of the ring.
    pub gateways: u8,
    /// Clients of the ring, and those of them that take part in the barrier.
    pub clients: Vec<NodeId>,
    pub members: Vec<NodeId>,
    /// First address beyond the memory that programs use.
    pub end: ByteAddress,
    /// The neighbour on the way to each ring.
    pub routes: BTreeMap<RingNumber, RingNumber>,
    pub neighbours: Neighbours,
    /// All clients of other rings.
    pub far: Vec<Requester>,
    /// Most requests for one ring that are open at once.
    pub credits: usize,
    /// Windows that the ring writes or has.
    pub windows: Vec<Window>,
    /// Locks of all rings.
    pub locks: u16,
    /// Lines of other rings, where the ring has no standby.
    pub cache: Option<Cache>,
}

impl Place {
    /// The only gateway of a ring among rings with the same clients, each a neighbour of all others. Programs use the
    /// memory before `end`.
    #[must_use]
    pub fn only(ring: RingNumber, rings: u16, clients: Vec<NodeId>, end: ByteAddress) -> Place {
        let others: Vec<RingNumber> =
            (0..rings).map(RingNumber).filter(|one| *one != ring).collect();
        let of = |&ring| clients.iter().map(move |&client| Requester { ring, client });
        Place {
            ring,
            slot: Slot(0),
            gateways: 1,
            members: clients.clone(),
            end,
            routes: others.iter().map(|&one| (one, one)).collect(),
            neighbours: Neighbours { peers: others.clone(), ..Neighbours::default() },
            far: others.iter().flat_map(of).collect(),
            // A client has one request at a time.
            credits: clients.len(),
            windows: Vec::new(),
            locks: 0,
            cache: None,
            clients,
        }
    }

    /// Windows that the ring writes.
    pub fn own_windows(&self) -> impl Iterator<Item = &Window> {
        self.windows.iter().filter(|one| one.ring == self.ring)
    }
}

/// The state machine of a gateway.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Gateway {
    place: Place,
    repairs: Repairs,
    duty: Duty,
    near: Near,
    home: Home,
    barrier: Barrier,
    turns: Turns,
    /// The cache: lines of other rings here, and lines of this one there.
    lines: Option<Lines>,
    directory: Option<Directory>,
    /// Windows are on their way once more. What the barrier and the locks say must not come before them.
    filling: bool,
}

impl Gateway {
    /// A gateway; slot 0 is active.
    #[must_use]
    pub fn new(place: Place, repairs: Repairs) -> Gateway {
        let Place { ring, slot, gateways, end, credits, .. } = place;
        let near =
            Near::new((ring, slot, gateways), place.clients.clone(), (repairs.requests, credits));
        let home = Home::new((slot, gateways), end, (repairs.requests, repairs.take_over));
        let (members, neighbours) = (place.members.clone(), place.neighbours.clone());
        let barrier = Barrier::new(slot, members, neighbours, repairs.barrier);
        let rings = place.routes.keys().copied().collect();
        let all = (place.locks, repairs.turns, repairs.locks);
        let turns = Turns::new((ring, slot), place.clients.clone(), rings, all);
        let duty = if slot == Slot(0) { Duty::Active } else { Duty::Passive };
        let lines = place.cache.map(|cache| Lines::new(ring, cache, repairs.cache));
        let directory = place.cache.map(|cache| {
            let others = place.far.iter().map(|one| one.ring).collect();
            Directory::new(ring, (cache, end), repairs.cache, others)
        });
        let filling = false;
        Gateway { place, repairs, duty, near, home, barrier, turns, lines, directory, filling }
    }

    /// Handles an event and appends the resulting actions.
    pub fn step(&mut self, event: Event, memory: &impl Memory, actions: &mut Vec<Action>) {
        if event == Event::TakeOver && self.duty.go(DutyCause::TakeOver) {
            self.begin(memory, actions);
        }
        if self.duty == Duty::Passive {
            return;
        }
        match event {
            Event::Start => self.begin(memory, actions),
            Event::Poll => self.poll(memory, actions),
            Event::Message(from, message) => self.receive(from, message, memory, actions),
            Event::Reset(ring) => {
                let by = |route: &(&RingNumber, &RingNumber)| *route.1 == ring;
                let rings = self.place.routes.iter().filter(by).map(|(ring, _)| *ring).collect();
                self.again(&rings, actions);
                self.barrier.again(ring);
                self.turns.again();
                self.fill(actions);
                self.mark(|from| from == ring, false, memory, actions);
            }
            Event::Timer => {
                let rings: BTreeSet<RingNumber> = self.place.routes.keys().copied().collect();
                self.again(&rings, actions);
                for ring in self.barrier.neighbours() {
                    self.barrier.again(ring);
                }
                self.turns.again();
            }
            Event::Flushed => {
                let answer = self.home.flushed(actions);
                self.send_answer(answer, actions);
                let dropped = self.lines.as_mut().map(Lines::flushed);
                self.say(dropped.into_iter().flatten(), actions);
            }
            Event::Written(block) => {
                self.reflect(&block, actions);
                self.changed(&block, actions);
            }
            Event::Filled => {
                self.filling = false;
                self.say_whole(actions);
            }
            Event::TakeOver => {}
        }
    }

    /// What was sent to these rings may be lost.
    fn again(&mut self, rings: &BTreeSet<RingNumber>, actions: &mut Vec<Action>) {
        self.near.again(rings);
        if let Some(lines) = &mut self.lines {
            lines.again(rings);
        }
        let notes = self.directory.as_ref().map(|one| one.again(rings));
        self.say(notes.into_iter().flatten(), actions);
    }

    fn say(&self, notes: impl IntoIterator<Item = Note>, actions: &mut Vec<Action>) {
        for note in notes {
            self.pass_on(note.to, Message::Note(note), actions);
        }
    }

    /// Other rings may have lines with these words as they were.
    fn changed(&mut self, block: &Block, actions: &mut Vec<Action>) {
        let notes = self.directory.as_mut().map(|one| one.written(block));
        self.say(notes.into_iter().flatten(), actions);
    }

    /// Another gateway says something of a line.
    fn hear(
        &mut self,
        Note { from, says, .. }: Note,
        memory: &impl Memory,
        actions: &mut Vec<Action>,
    ) {
        let note = match says {
            Says::Words(..) | Says::Drop(..) => {
                let lines = self.lines.as_mut();
                lines.and_then(|one| one.hear((from, says), memory, actions))
            }
            Says::Wanted(_) | Says::Dropped(..) => {
                self.directory.as_mut().and_then(|one| one.hear(from, &says))
            }
        };
        self.say(note, actions);
    }

    /// All windows were sent once more.
    fn say_whole(&self, actions: &mut Vec<Action>) {
        let all = self.place.own_windows().flat_map(|one| &one.to);
        let to: BTreeSet<RingNumber> = all.copied().collect();
        for ring in to {
            self.pass_on(ring, Message::Whole, actions);
        }
    }

    /// Words of windows may be lost on their way: all are sent once more.
    fn fill(&mut self, actions: &mut Vec<Action>) {
        if self.place.own_windows().next().is_some() {
            self.filling = true;
            actions.push(Action::Fill);
            if !self.repairs.windows.has(WindowRepairs::FILLED) {
                self.say_whole(actions);
            }
        }
    }

    /// The windows of some rings are whole here, or not: an odd number, or an even one.
    fn mark(
        &mut self,
        of: impl Fn(RingNumber) -> bool,
        whole: bool,
        memory: &impl Memory,
        actions: &mut Vec<Action>,
    ) {
        if !whole && !self.repairs.windows.has(WindowRepairs::MARKED) {
            return;
        }
        let here = |one: &&Window| of(one.ring) && one.to.contains(&self.place.ring);
        let marks = self.place.windows.iter().filter(here).filter_map(|one| one.whole);
        for at in marks.collect::<Vec<_>>() {
            let found = memory.word(Word::Memory(at));
            if (found % 2 == 1) != whole {
                let next = found.wrapping_add(1);
                actions.push(Action::Store(vec![(Word::Memory(at), next)], Order::After));
                self.changed(&Block { first: at, values: vec![next] }, actions);
            }
        }
    }

    /// Each word goes to the rings that have its window.
    fn reflect(&self, block: &Block, actions: &mut Vec<Action>) {
        let words = block.first.word()..block.first.word() + block.values.len();
        for window in self.place.own_windows() {
            let here = window.words();
            let part = here.start.max(words.start)..here.end.min(words.end);
            if part.is_empty() {
                continue;
            }
            let values = &block.values[part.start - words.start..part.end - words.start];
            let part = Block { first: ByteAddress::at_word(part.start), values: values.to_vec() };
            for &ring in &window.to {
                self.pass_on(ring, Message::Reflected(part.clone()), actions);
            }
        }
    }

    fn begin(&mut self, memory: &impl Memory, actions: &mut Vec<Action>) {
        self.barrier.start(memory, self.place.gateways);
        self.turns.start(memory);
        self.home.recover(memory, &self.place.far, actions);
        // Not before the rest of an intent, whose words are counted.
        let notes = self.directory.as_mut().map(|one| one.start(memory, actions));
        self.say(notes.into_iter().flatten(), actions);
        self.fill(actions);
        self.mark(|_| true, false, memory, actions);
    }

    fn poll(&mut self, memory: &impl Memory, actions: &mut Vec<Action>) {
        let routes = &self.place.routes;
        let knows = |ring| routes.contains_key(&ring);
        let (groups, notes) = self.near.poll(memory, (knows, &mut self.lines), actions);
        for (target, group) in groups {
            self.pass_on(target, Message::Requests(group), actions);
        }
        self.say(notes, actions);
        let old = self.directory.as_ref().is_some_and(Directory::arrivals_wait);
        if !self.filling && !old {
            self.barrier.poll(memory, actions);
            let said = self.turns.poll(memory);
            self.say_turns(said, actions);
        }
        // What the home gateway counts is all that this gateway stores in a turn.
        if actions.is_empty() {
            let (answer, notes) = self.home.poll(memory, &mut self.directory, actions);
            self.say(notes, actions);
            self.send_answer(answer, actions);
        }
        if actions.is_empty() {
            let note = self.directory.as_mut().and_then(|one| one.poll(memory));
            self.say(note, actions);
        }
    }

    fn receive(
        &mut self,
        from: RingNumber,
        message: Message,
        memory: &impl Memory,
        actions: &mut Vec<Action>,
    ) {
        match message {
            Message::Requests(group) => {
                let mut groups: BTreeMap<RingNumber, Vec<_>> = BTreeMap::new();
                for request in group {
                    if request.target == self.place.ring {
                        self.home.receive(request);
                    } else {
                        groups.entry(request.target).or_default().push(request);
                    }
                }
                for (target, group) in groups {
                    self.pass_on(target, Message::Requests(group), actions);
                }
            }
            Message::Answer(answer) if answer.to.ring == self.place.ring => {
                self.near.answer(&answer, memory, actions);
            }
            Message::Answer(answer) => {
                self.pass_on(answer.to.ring, Message::Answer(answer), actions);
            }
            Message::Arrived(episode) => self.barrier.arrived(from, episode),
            Message::Released(episode) => self.barrier.released(from, episode),
            Message::Turn(turn) if turn.to == self.place.ring => {
                let said = self.turns.receive(turn);
                self.say_turns(said, actions);
            }
            Message::Turn(turn) => self.pass_on(turn.to, Message::Turn(turn), actions),
            Message::Note(note) if note.to == self.place.ring => self.hear(note, memory, actions),
            Message::Note(note) => self.say([note], actions),
            Message::Whole => self.mark(|ring| ring == from, true, memory, actions),
            Message::Reflected(Block { first, values }) => {
                self.changed(&Block { first, values: values.clone() }, actions);
                let word = |at| Word::Memory(ByteAddress::at_word(first.word() + at));
                let frame = (0..).zip(values).map(|(at, value)| (word(at), value)).collect();
                actions.push(Action::Store(frame, Order::After));
            }
        }
    }

    fn say_turns(&self, said: Said, actions: &mut Vec<Action>) {
        for turn in said.actions(actions) {
            self.pass_on(turn.to, Message::Turn(turn), actions);
        }
    }

    fn send_answer(&self, answer: Answered, actions: &mut Vec<Action>) {
        if let Some(answer) = answer {
            self.pass_on(answer.to.ring, Message::Answer(answer), actions);
        }
    }

    /// A message on the way to a ring; to a ring without a way it is dropped.
    fn pass_on(&self, ring: RingNumber, message: Message, actions: &mut Vec<Action>) {
        if let Some(&neighbour) = self.place.routes.get(&ring) {
            actions.push(Action::Send(neighbour, message));
        }
    }

    /// The timer of open requests runs.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.near.waits()
            || self.turns.waits()
            || self.lines.as_ref().is_some_and(Lines::waits)
            || self.directory.as_ref().is_some_and(Directory::waits)
    }

    /// Requests that wait to be carried out here.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.home.waiting()
    }

    /// The gateway is the active one of its ring.
    #[must_use]
    pub fn active(&self) -> bool {
        self.duty == Duty::Active
    }

    /// A send waits for room on its link, and nothing is received in the meantime: as published.
    #[must_use]
    pub fn blocks(&self) -> bool {
        !self.repairs.requests.has(RequestRepairs::NEVER_WAITS)
    }

    /// The gateway in a few words, for a run that is read.
    #[must_use]
    pub fn summary(&self) -> String {
        match self.duty {
            Duty::Passive => self.duty.name().to_owned(),
            Duty::Active if self.place.locks > 0 => self.turns.summary(),
            Duty::Active => {
                let mut all = vec![self.near.summary(), self.home.summary()];
                all.extend(self.lines.iter().map(Lines::summary));
                all.extend(self.directory.iter().map(Directory::summary));
                all.join("; ")
            }
        }
    }
}
