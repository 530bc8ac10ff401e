// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a node of FDSM does for its process.

use super::node::{Node, Phase, PhaseCause};
use super::{FdsmRepairs, Message, Piece, Report};
use crate::interface::{Action, Coherence, Event, Misuse, Refused, Site};
use crate::locks::manager;
use crate::memory::{Diff, Memory};
use crate::spans::Spans;
use awgstar_frame::quantity::NodeId;
use awgstar_request::Protection;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

pub(super) type Actions<'a> = &'a mut Vec<Action<Message>>;

/// The node that manages the barrier.
const MANAGER: NodeId = NodeId(0);

impl Node {
    pub(super) fn send(&mut self, to: NodeId, message: Message, actions: Actions<'_>) {
        if to == self.me {
            self.own.push(message);
        } else {
            actions.push(Action::Send(to, message));
        }
    }

    /// The process may do this with a page from now on; a page that it may write has a twin.
    pub(super) fn protect(
        &mut self,
        page: usize,
        protection: Protection,
        memory: &impl Memory,
        actions: Actions<'_>,
    ) {
        if protection == Protection::Write {
            self.twins.entry(page).or_insert_with(|| memory.page(page).to_vec());
        }
        if self.protection(page) != protection {
            actions.push(Action::Protect(page, protection));
        }
        if protection == Protection::None {
            self.open.remove(&page);
        } else {
            self.open.insert(page, protection);
        }
    }

    /// The page of the fault is valid.
    pub(super) fn open(&mut self, memory: &impl Memory, actions: Actions<'_>) {
        if let Some((page, write)) = self.fault.take() {
            let protection = if write { Protection::Write } else { Protection::Read };
            self.protect(page, protection, memory, actions);
            actions.push(Action::Done);
        }
    }

    fn fault(&mut self, page: usize, write: bool, memory: &impl Memory, actions: Actions<'_>) {
        self.fault = Some((page, write));
        // A write opens the page for reads, too, which would not be seen.
        if !write || self.has(FdsmRepairs::APART) {
            self.beyond.insert(page);
        }
        if self.pattern().is_some() {
            actions.push(Action::Beyond(page));
        }
        let wanted = Spans::from(self.shape.page(page));
        let lacked = self.map.lacked(&wanted.without(&self.recorded), self.me);
        if self.protection(page) != Protection::None || lacked.is_empty() {
            self.open(memory, actions);
            return;
        }
        self.phase.go(PhaseCause::Ask);
        let mut gets = lacked;
        if let Some(home) = self.home(page) {
            let all = gets.values().flat_map(Spans::ranges).collect();
            gets = BTreeMap::from([(home, all)]);
        }
        for (from, wanted) in gets {
            self.asked.insert(from);
            self.send(from, Message::Get { epoch: self.epoch, page, wanted }, actions);
        }
    }

    /// What the process has changed since the twins were made.
    fn changes(&self, memory: &impl Memory) -> Vec<Piece> {
        let piece = |(&page, twin): (&usize, &Vec<u8>)| {
            let diff = Diff::between(twin, memory.page(page));
            (!diff.is_empty()).then_some(Piece { page, diff })
        };
        self.twins.iter().filter_map(piece).collect()
    }

    /// All that the process has written goes to all nodes.
    fn record(&mut self, memory: &impl Memory, actions: Actions<'_>) {
        let pieces = self.changes(memory);
        if pieces.is_empty() {
            return;
        }
        for piece in &pieces {
            self.recorded.insert_all(&piece.spans(self.shape));
            if let Some(twin) = self.twins.get_mut(&piece.page) {
                piece.diff.apply(twin);
            }
        }
        self.counts.count(self.me);
        let me = self.me;
        for to in self.shape.all().filter(|to| *to != me) {
            let (epoch, counts, pieces) = (self.epoch, self.counts.clone(), pieces.clone());
            self.send(to, Message::Record { epoch, counts, pieces }, actions);
        }
    }

    /// What the pattern of the block does not have.
    fn report(&self, memory: &impl Memory) -> Report {
        let (me, shape) = (self.me, self.shape);
        let pattern = self.pattern();
        if pattern.is_some() && !self.has(FdsmRepairs::CHECK) {
            return Report::default();
        }
        let written = pattern.map(|known| known.written(me, shape)).unwrap_or_default();
        let mut writes = Spans::new();
        for piece in self.changes(memory) {
            if self.has(FdsmRepairs::DIFF) || !written.contains(&piece.page) {
                writes.insert_all(&piece.spans(shape));
            }
        }
        let alone = self.has(FdsmRepairs::ALONE);
        let claim = pattern.map(|known| known.claim(me, alone)).unwrap_or_default();
        Report { pages: self.beyond.clone(), writes: writes.without(&claim) }
    }

    fn arrive(&mut self, site: Site, memory: &impl Memory, actions: Actions<'_>) {
        self.phase.go(PhaseCause::Arrive);
        let report = self.report(memory);
        if self.pattern().is_some() {
            let page_size = self.shape.page_size();
            let pages: BTreeSet<usize> =
                report.writes.ranges().map(|one| one.start / page_size).collect();
            actions.extend(pages.difference(&self.beyond).map(|page| Action::Beyond(*page)));
        }
        // From here on the bytes of this block are published.
        self.twins.clear();
        let (epoch, records) = (self.epoch, self.counts.of(self.me));
        self.send(MANAGER, Message::Arrive { epoch, site, report, records }, actions);
    }

    fn call(
        &mut self,
        event: &Event<Message>,
        memory: &impl Memory,
        actions: Actions<'_>,
    ) -> Result<(), Refused> {
        if self.phase != Phase::In {
            return Err(Misuse::Nested.into());
        }
        match *event {
            Event::Fault { page, write } => {
                let pages = self.shape.pages();
                if page >= pages {
                    return Err(Refused::Page { found: page, pages });
                }
                let wanted = if write { Protection::Write } else { Protection::Read };
                if self.protection(page) >= wanted {
                    return Err(Misuse::Open(page).into());
                }
                self.fault(page, write, memory, actions);
            }
            Event::Acquire(lock) => {
                if self.held.contains(&lock) {
                    return Err(Misuse::Twice(lock).into());
                }
                self.phase.go(PhaseCause::Want);
                self.lock = Some((lock, None));
                let to = manager(lock, self.shape.nodes());
                self.send(to, Message::Request { lock }, actions);
            }
            Event::Release(lock) => {
                if !self.held.remove(&lock) {
                    return Err(Misuse::NotHeld(lock).into());
                }
                if self.has(FdsmRepairs::RECORDS) {
                    self.record(memory, actions);
                }
                let to = manager(lock, self.shape.nodes());
                let counts = self.counts.clone();
                self.send(to, Message::Unlock { lock, counts }, actions);
                actions.push(Action::Done);
            }
            Event::Barrier(site) => self.arrive(site, memory, actions),
            Event::Message(..) => {}
        }
        Ok(())
    }
}

impl Coherence for Node {
    type Message = Message;

    fn step(
        &mut self,
        event: Event<Message>,
        memory: &mut impl Memory,
        actions: &mut Vec<Action<Message>>,
    ) -> Result<(), Refused> {
        match event {
            Event::Message(from, message) => {
                self.check(from, &message)?;
                self.message(from, message, memory, actions)?;
            }
            event => self.call(&event, memory, actions)?,
        }
        while !self.own.is_empty() {
            let message = self.own.remove(0);
            self.message(self.me, message, memory, actions)?;
        }
        Ok(())
    }

    fn protection(&self, page: usize) -> Protection {
        self.open.get(&page).copied().unwrap_or(Protection::None)
    }

    fn lacked(&self) -> Vec<usize> {
        let all = Spans::from(0..self.shape.bytes());
        let lacked: Spans =
            self.map.lacked(&all, self.me).values().flat_map(Spans::ranges).collect();
        let parts = lacked.ranges().flat_map(|one| self.shape.by_page(one));
        let pages: BTreeSet<usize> = parts.map(|part| part.0).collect();
        pages.into_iter().collect()
    }

    fn summary(&self) -> String {
        let mut text = format!("{} {}", self.phase.name(), self.epoch);
        for (page, protection) in &self.open {
            let word = if *protection == Protection::Write { "written" } else { "read" };
            let _ = write!(text, "; {page} {word}");
        }
        text
    }

    fn size(message: &Message) -> usize {
        message.size()
    }
}
