// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a node of SCASH does with messages.

use super::machine::Actions;
use super::node::{Node, ScashRepairs, Waits};
use super::{Message, News};
use crate::interface::Refused;
use crate::memory::Memory;
use awgstar_frame::quantity::NodeId;

impl Node {
    /// At a home: a page has changed.
    fn serve(&mut self, page: usize, memory: &mut impl Memory, actions: Actions<'_>) {
        for (to, wanted, need) in std::mem::take(&mut self.fetches) {
            if wanted == page && self.satisfied(page, &need) {
                self.answer(to, page, memory, actions);
            } else {
                self.fetches.push((to, wanted, need));
            }
        }
        if let Waits::Page(waits, write) = self.waits
            && waits == page
            && self.satisfied(page, &self.need)
        {
            self.open(page, write, memory, actions);
        }
    }

    fn answer(&mut self, to: NodeId, page: usize, memory: &impl Memory, actions: Actions<'_>) {
        if let Some(sharers) = self.sharers.get_mut(&page) {
            sharers.insert(to);
        }
        let bytes = self.published(page, memory.page(page)).to_vec();
        self.send(to, Message::Page { page, bytes }, actions);
    }

    pub(super) fn message(
        &mut self,
        from: NodeId,
        message: Message,
        memory: &mut impl Memory,
        actions: Actions<'_>,
    ) -> Result<(), Refused> {
        match message {
            Message::Fetch { page, need } => {
                if self.satisfied(page, &need) {
                    self.answer(from, page, memory, actions);
                } else {
                    self.fetches.push((from, page, need));
                }
            }
            Message::Page { page, bytes } => {
                let Waits::Page(waits, write) = self.waits else {
                    return Err(Refused::Unexpected(from));
                };
                if waits != page || bytes.len() != self.shape.page_size() {
                    return Err(Refused::Unexpected(from));
                }
                memory.page_mut(page).copy_from_slice(&bytes);
                self.open(page, write, memory, actions);
            }
            Message::Diff { page, number, diff } => {
                if !diff.fits(self.shape.page_size()) {
                    return Err(Refused::Bytes { page, size: self.shape.page_size() });
                }
                diff.apply(memory.page_mut(page));
                if let Some(twin) = self.twins.get_mut(&page) {
                    diff.apply(twin);
                }
                self.applied.note(page, from, number);
                self.invalidate(page, from, actions);
                if self.settings.acknowledged {
                    self.send(from, Message::Applied { page }, actions);
                }
                self.serve(page, memory, actions);
            }
            Message::Applied { .. } => {
                self.owed = self.owed.saturating_sub(1);
                if let Waits::Home(lock) = self.waits {
                    self.leave(lock, actions);
                }
            }
            Message::Invalidate { page } => self.close(page, memory, actions),
            Message::Claim { page } => {
                let home = *self.assigned.entry(page).or_insert(from);
                self.send(from, Message::Homed { page, home }, actions);
            }
            Message::Homed { page, home } => {
                if home.index() >= self.shape.nodes() {
                    return Err(Refused::Node { found: home, nodes: self.shape.nodes() });
                }
                self.homes.entry(page).or_insert(home);
                if let Waits::Page(waits, write) = self.waits
                    && waits == page
                    && self.has(ScashRepairs::ASSIGNED)
                {
                    self.fault(page, write, memory, actions);
                }
            }
            Message::Request { lock } => {
                if let Some(news) = self.locks.request(lock, from) {
                    self.send(from, Message::Grant { lock, news }, actions);
                }
            }
            Message::Unlock { lock, news } => {
                let freed = self.locks.unlock(lock, from, |carried| carried.merge(&news));
                if let Some((to, news)) = freed.map_err(|_| Refused::Unexpected(from))? {
                    self.send(to, Message::Grant { lock, news }, actions);
                }
            }
            Message::Grant { lock, news } => {
                if self.waits != Waits::Grant(lock) {
                    return Err(Refused::Unexpected(from));
                }
                self.held.insert(lock);
                let need = self.has(ScashRepairs::NEED_OF_GRANT);
                self.accept(&news, need, memory, actions);
                self.done(actions);
            }
            Message::Arrive { epoch, news } => {
                if epoch != self.epoch || self.arrived.contains_key(&from) {
                    return Err(Refused::Unexpected(from));
                }
                self.arrived.insert(from, news);
                if self.arrived.len() == self.shape.nodes() {
                    let mut news = News::default();
                    for one in std::mem::take(&mut self.arrived).values() {
                        news.merge(one);
                    }
                    for to in self.shape.all() {
                        self.send(to, Message::Leave { epoch, news: news.clone() }, actions);
                    }
                }
            }
            Message::Leave { epoch, news } => {
                if self.waits != Waits::Release || epoch != self.epoch {
                    return Err(Refused::Unexpected(from));
                }
                self.epoch += 1;
                let need = self.has(ScashRepairs::NEED);
                self.accept(&news, need, memory, actions);
                // All nodes know these now, so that no lock need carry them any more.
                self.common = self.known.clone();
                let common = &self.common;
                self.locks.each(|carried| *carried = carried.beyond(common));
                self.done(actions);
            }
        }
        Ok(())
    }

    /// A message that every node can have sent: its pages and nodes exist.
    pub(super) fn check(&self, from: NodeId, message: &Message) -> Result<(), Refused> {
        let (pages, nodes) = (self.shape.pages(), self.shape.nodes());
        if from.index() >= nodes {
            return Err(Refused::Node { found: from, nodes });
        }
        match message.page() {
            Some(found) if found >= pages => Err(Refused::Page { found, pages }),
            _ => Ok(()),
        }
    }
}
