// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a node of SCASH does on each event.

use super::node::{Node, Page, PageCause, ScashRepairs, Waits};
use super::{Homes, Message, News};
use crate::interface::{Action, Coherence, Event, Misuse, Refused};
use crate::locks::manager;
use crate::memory::{Diff, Memory};
use awgstar_frame::quantity::NodeId;
use awgstar_request::Protection;
use std::collections::BTreeSet;
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

    fn go(&mut self, page: usize, cause: PageCause, actions: Actions<'_>) {
        let mut state = self.state(page);
        state.go(cause);
        if state == Page::Clean {
            self.pages.remove(&page);
        } else {
            self.pages.insert(page, state);
        }
        actions.push(Action::Protect(page, self.protection(page)));
    }

    pub(super) fn done(&mut self, actions: Actions<'_>) {
        self.waits = Waits::No;
        actions.push(Action::Done);
    }

    /// The process waits for a page: what it needs next.
    pub(super) fn fault(
        &mut self,
        page: usize,
        write: bool,
        memory: &mut impl Memory,
        actions: Actions<'_>,
    ) {
        let closed = self.state(page) == Page::Closed;
        let home = match self.home(page) {
            Some(home) => home,
            None if self.has(ScashRepairs::ASSIGNED) => {
                let assigns = NodeId::at(page % self.shape.nodes());
                self.send(assigns, Message::Claim { page }, actions);
                return;
            }
            None => {
                self.homes.insert(page, self.me);
                let home = self.me;
                for to in self.shape.all().filter(|to| *to != home) {
                    self.send(to, Message::Homed { page, home }, actions);
                }
                self.me
            }
        };
        if closed && home != self.me {
            let need = self.need.of(page);
            self.send(home, Message::Fetch { page, need }, actions);
        } else if !closed || self.satisfied(page, &self.need) {
            self.open(page, write, memory, actions);
        }
    }

    /// The page is up to date.
    pub(super) fn open(
        &mut self,
        page: usize,
        write: bool,
        memory: &mut impl Memory,
        actions: Actions<'_>,
    ) {
        if self.state(page) == Page::Closed {
            self.go(page, PageCause::Fetched, actions);
        }
        if write {
            self.twins.insert(page, memory.page(page).to_vec());
            self.go(page, PageCause::Write, actions);
        }
        self.done(actions);
    }

    /// Sends what the process has changed in a page to its home.
    fn publish(&mut self, page: usize, renew: bool, memory: &impl Memory, actions: Actions<'_>) {
        let Some(twin) = self.twins.get(&page) else { return };
        let diff = Diff::between(twin, memory.page(page));
        if renew {
            self.twins.remove(&page);
            self.go(page, PageCause::Publish, actions);
        }
        let at_home = self.home(page) == Some(self.me);
        if diff.is_empty() || at_home && !self.has(ScashRepairs::HOME_WRITES) {
            return;
        }
        let number = self.known.last(page, self.me) + 1;
        self.known.note(page, self.me, number);
        self.need.note(page, self.me, number);
        match self.home(page) {
            Some(home) if home != self.me => {
                self.owed += usize::from(self.settings.acknowledged);
                self.send(home, Message::Diff { page, number, diff }, actions);
            }
            _ => {
                self.applied.note(page, self.me, number);
                self.invalidate(page, self.me, actions);
            }
        }
    }

    fn publish_all(&mut self, renew: bool, memory: &impl Memory, actions: Actions<'_>) {
        let dirty: Vec<usize> = self.twins.keys().copied().collect();
        for page in dirty {
            self.publish(page, renew, memory, actions);
        }
    }

    /// As published: the home sends the notices, to all that have a copy.
    pub(super) fn invalidate(&mut self, page: usize, writer: NodeId, actions: Actions<'_>) {
        if self.has(ScashRepairs::NOTICES) {
            return;
        }
        let sharers = self.sharers.insert(page, BTreeSet::from([writer]));
        let sharers = sharers.unwrap_or_else(|| self.shape.all().collect());
        let me = self.me;
        for to in sharers.into_iter().filter(|to| *to != writer && *to != me) {
            self.send(to, Message::Invalidate { page }, actions);
        }
    }

    /// The copy of a page is old.
    pub(super) fn close(&mut self, page: usize, memory: &impl Memory, actions: Actions<'_>) {
        if self.state(page) == Page::Dirty {
            if self.has(ScashRepairs::DIFF_FIRST) {
                self.publish(page, true, memory, actions);
            } else {
                self.twins.remove(&page);
            }
        }
        if self.state(page) != Page::Closed {
            self.go(page, PageCause::Notice, actions);
        }
    }

    /// Notices that came with a lock or with the barrier.
    pub(super) fn accept(
        &mut self,
        news: &News,
        need: bool,
        memory: &impl Memory,
        actions: Actions<'_>,
    ) {
        let news = news.beyond(&self.known);
        self.known.merge(&news);
        if need {
            self.need.merge(&news);
        }
        let pages: BTreeSet<usize> = news.entries().map(|(page, ..)| page).collect();
        for page in pages {
            let at_home = self.home(page) == Some(self.me);
            if !at_home || !self.satisfied(page, &self.need) {
                self.close(page, memory, actions);
            }
        }
    }

    /// Notices that go with a lock or with an arrival.
    fn news(&self) -> News {
        if self.has(ScashRepairs::NOTICES) {
            self.known.beyond(&self.common)
        } else {
            News::default()
        }
    }

    /// The process gives a lock up, or arrives; its diffs were sent.
    pub(super) fn leave(&mut self, lock: Option<u32>, actions: Actions<'_>) {
        if self.owed > 0 {
            self.waits = Waits::Home(lock);
            return;
        }
        let news = self.news();
        if let Some(lock) = lock {
            let news = if self.has(ScashRepairs::ALL_KNOWN) { news } else { news.by(self.me) };
            let to = manager(lock, self.shape.nodes());
            self.send(to, Message::Unlock { lock, news }, actions);
            self.done(actions);
        } else {
            self.waits = Waits::Release;
            self.send(MANAGER, Message::Arrive { epoch: self.epoch, news }, actions);
        }
    }

    fn call(
        &mut self,
        event: &Event<Message>,
        memory: &mut impl Memory,
        actions: Actions<'_>,
    ) -> Result<(), Refused> {
        if self.waits != Waits::No {
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
                self.waits = Waits::Page(page, write);
                self.fault(page, write, memory, actions);
            }
            Event::Acquire(lock) => {
                if self.held.contains(&lock) {
                    return Err(Misuse::Twice(lock).into());
                }
                self.waits = Waits::Grant(lock);
                let to = manager(lock, self.shape.nodes());
                self.send(to, Message::Request { lock }, actions);
            }
            Event::Release(lock) => {
                if !self.held.remove(&lock) {
                    return Err(Misuse::NotHeld(lock).into());
                }
                self.publish_all(self.has(ScashRepairs::RENEW), memory, actions);
                self.leave(Some(lock), actions);
            }
            Event::Barrier(_) => {
                self.publish_all(true, memory, actions);
                self.leave(None, actions);
            }
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
        match self.state(page) {
            Page::Closed => Protection::None,
            Page::Clean => Protection::Read,
            Page::Dirty => Protection::Write,
        }
    }

    fn lacked(&self) -> Vec<usize> {
        let closed = self.pages.iter().filter(|(_, state)| **state == Page::Closed);
        closed.map(|(page, _)| *page).collect()
    }

    fn summary(&self) -> String {
        let mut text = match self.waits {
            Waits::No => "runs".to_owned(),
            Waits::Page(page, _) => format!("waits for page {page}"),
            Waits::Grant(lock) => format!("waits for lock {lock}"),
            Waits::Home(_) => "waits for a home".to_owned(),
            Waits::Release => "at the barrier".to_owned(),
        };
        for page in 0..self.shape.pages() {
            let _ = write!(text, "; {page} {}", self.state(page).name());
        }
        if self.settings.homes == Homes::FirstTouch {
            for (page, home) in &self.homes {
                let _ = write!(text, "; home of {page}: {home}");
            }
        }
        text
    }

    fn size(message: &Message) -> usize {
        message.size()
    }
}
