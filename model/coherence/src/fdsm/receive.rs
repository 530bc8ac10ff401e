// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a node of FDSM does with messages.

use super::machine::Actions;
use super::node::{Node, Phase, PhaseCause, Release};
use super::{Counts, FdsmRepairs, Held, Message, Pattern, Piece, Plan, Report};
use crate::interface::{Action, Refused};
use crate::memory::{Diff, Memory};
use crate::spans::Spans;
use awgstar_frame::quantity::NodeId;
use awgstar_request::Protection;
use std::collections::BTreeMap;

/// FNV-1a of the sites of all nodes at the last two barriers: the name of the block between them.
fn name(sites: impl Iterator<Item = u64>) -> u64 {
    let bytes = sites.flat_map(u64::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl Node {
    /// Bytes of others, without those that a record of this epoch has changed.
    fn merge(&mut self, piece: &Piece, keep: bool, memory: &mut impl Memory) {
        let first = self.shape.page(piece.page).start;
        let recorded = if keep { self.recorded.clone() } else { Spans::new() };
        for run in &piece.diff.runs {
            let at = first + run.at as usize;
            let all = Spans::from(at..at + run.bytes.len());
            for range in all.without(&recorded).ranges() {
                let bytes = &run.bytes[range.start - at..range.end - at];
                memory.page_mut(piece.page)[range.start - first..range.end - first]
                    .copy_from_slice(bytes);
            }
        }
    }

    /// These bytes as they are published.
    fn pieces(&self, spans: &Spans, memory: &impl Memory) -> Vec<Piece> {
        let mut pages: BTreeMap<usize, Spans> = BTreeMap::new();
        for range in spans.ranges() {
            for (page, part) in self.shape.by_page(range) {
                let first = self.shape.page(page).start;
                pages.entry(page).or_default().insert(part.start - first..part.end - first);
            }
        }
        let piece = |(page, places): (usize, Spans)| {
            let bytes = self.published(page, memory.page(page));
            Piece { page, diff: Diff::copy(bytes, places.ranges()) }
        };
        pages.into_iter().map(piece).collect()
    }

    /// The new map, from what was reported and claimed of the block that ends.
    fn settle(&mut self, reports: &BTreeMap<NodeId, Report>) {
        let shape = self.shape;
        for (&node, report) in reports {
            let pages = report.pages.iter().map(|page| shape.page(*page)).collect();
            self.map.hold(&pages, node);
        }
        let recorded = std::mem::take(&mut self.recorded);
        self.map.everywhere(&recorded);
        let old = self.pattern().cloned().unwrap_or_default();
        let alone = self.has(FdsmRepairs::ALONE);
        let claims = shape.all().map(|node| (node, old.claim(node, alone).without(&recorded)));
        let reported = reports.iter().map(|(node, report)| (*node, report.writes.clone()));
        let mut given: Vec<(NodeId, Spans)> = claims.collect();
        if self.has(FdsmRepairs::REPORT_FIRST) {
            given.extend(reported);
        } else {
            given.splice(0..0, reported);
        }
        if self.has(FdsmRepairs::ALL_BLOCKS) || !self.semi {
            for (node, spans) in given {
                self.map.give(&spans, node);
            }
        }
        let pattern = self.patterns.entry(self.block).or_default();
        let mut changed = false;
        for (node, report) in reports {
            changed |= pattern.learn(*node, report);
        }
        if changed {
            self.plans.remove(&self.block);
        }
    }

    fn plan(&mut self) -> Plan {
        let by_map = self.has(FdsmRepairs::PLAN_BY_MAP);
        if let Some((map, plan)) = self.plans.get(&self.block)
            && (!by_map || *map == self.map)
        {
            return plan.clone();
        }
        let Some(pattern) = self.pattern() else { return self.plan_for_homes() };
        let plan = pattern.plan(&self.map, self.shape, self.repairs);
        self.plans.insert(self.block, (self.map.clone(), plan.clone()));
        plan
    }

    /// What homes lack of their pages, in a block that has to be inspected; nothing where there are none.
    fn plan_for_homes(&self) -> Plan {
        let mut plan = Plan::new();
        if self.homes.is_none() {
            return plan;
        }
        // A process may have 2^36 pages: only those that a node wrote alone are looked at.
        for (run, held) in self.map.runs(0..self.shape.bytes()) {
            let Held::By { owner, holders } = held else { continue };
            for (page, part) in self.shape.by_page(run) {
                if let Some(home) = self.home(page).filter(|home| !holders.contains(home)) {
                    plan.entry(home).or_default().entry(*owner).or_default().insert(part);
                }
            }
        }
        plan
    }

    /// Carries the release out as soon as all records of the epoch are here.
    fn leave(&mut self, memory: &mut impl Memory, actions: Actions<'_>) {
        let all = !self.has(FdsmRepairs::LEAVE_COUNTS);
        let Some(release) =
            self.release.take_if(|release| all || self.counts.reach(&release.counts, None))
        else {
            return;
        };
        self.settle(&release.reports);
        self.epoch += 1;
        self.block = release.block;
        self.semi = release.semi;
        self.beyond.clear();
        self.phase.go(PhaseCause::Released);
        for (to, from) in self.plan() {
            for (owner, spans) in from {
                if owner == self.me {
                    let pieces = self.pieces(&spans, memory);
                    self.send(to, Message::Push { epoch: self.epoch, pieces }, actions);
                }
                if to == self.me {
                    self.awaited.insert(owner);
                }
                self.map.hold(&spans, to);
            }
        }
        for (from, message) in std::mem::take(&mut self.early) {
            self.later(from, message, memory);
        }
        self.begin(memory, actions);
    }

    /// Lets the process run when all pushes are here.
    fn begin(&mut self, memory: &mut impl Memory, actions: Actions<'_>) {
        if self.awaited.is_empty() {
            for (from, message) in std::mem::take(&mut self.gets) {
                self.get(from, message, memory, actions);
            }
        }
        let inspects = self.pattern().is_none();
        let early = inspects && self.homes.is_some_and(|rules| !rules.runs_late);
        let waits = !self.awaited.is_empty() && !early;
        if self.phase != Phase::Collecting || waits {
            return;
        }
        self.phase.go(PhaseCause::Begin);
        let known = self.pattern().cloned();
        let everything = known.is_some() && !self.has(FdsmRepairs::CHECK);
        let pattern = known.unwrap_or_else(Pattern::default);
        let (pages, written) = (pattern.pages(self.me), pattern.written(self.me, self.shape));
        let old: Vec<usize> = self.open.keys().copied().collect();
        for page in old {
            if !everything && !pages.contains(&page) && !written.contains(&page) {
                self.protect(page, Protection::None, memory, actions);
            }
        }
        if everything {
            for page in 0..self.shape.pages() {
                self.protect(page, Protection::Write, memory, actions);
            }
        }
        for page in pages.difference(&written).filter(|_| !everything) {
            self.protect(*page, Protection::Read, memory, actions);
        }
        for page in written {
            self.protect(page, Protection::Write, memory, actions);
        }
        actions.push(Action::Done);
    }

    /// A record or a push; one that cannot be applied yet is kept.
    fn later(&mut self, from: NodeId, message: Message, memory: &mut impl Memory) {
        match message {
            Message::Record { epoch, ref counts, ref pieces } => {
                let late = epoch > self.epoch && self.has(FdsmRepairs::EPOCH);
                let causal = self.counts.reach(counts, Some(from));
                if late || !causal && self.has(FdsmRepairs::CAUSAL) {
                    self.early.push((from, message));
                    return;
                }
                for piece in pieces {
                    piece.diff.apply(memory.page_mut(piece.page));
                    if let Some(twin) = self.twins.get_mut(&piece.page) {
                        piece.diff.apply(twin);
                    }
                    self.recorded.insert_all(&piece.spans(self.shape));
                }
                self.counts.count(from);
                // It may be what others wait for.
                for (from, message) in std::mem::take(&mut self.early) {
                    self.later(from, message, memory);
                }
            }
            Message::Push { epoch, ref pieces } => {
                if epoch != self.epoch {
                    self.early.push((from, message));
                    return;
                }
                let keep = self.has(FdsmRepairs::PUSH_AFTER_RECORD);
                for piece in pieces {
                    self.merge(piece, keep, memory);
                }
                self.awaited.remove(&from);
            }
            _ => {}
        }
    }

    /// Bytes as they are published; a home answers when it has those of the epoch.
    fn get(&mut self, from: NodeId, message: Message, memory: &impl Memory, actions: Actions<'_>) {
        let Message::Get { epoch, page, ref wanted } = message else { return };
        let late = epoch > self.epoch || !self.awaited.is_empty();
        if late && self.homes.is_some_and(|rules| rules.answers_late) {
            self.gets.push((from, message));
            return;
        }
        let whole = Spans::from(self.shape.page(page));
        let merge = self.has(FdsmRepairs::MERGE);
        for piece in self.pieces(if merge { wanted } else { &whole }, memory) {
            self.send(from, Message::Data { epoch, piece }, actions);
        }
    }

    /// The lock is here; the process gets the lock when the records are here, too.
    fn granted(&mut self, actions: Actions<'_>) {
        if let Some((lock, Some(counts))) = &self.lock
            && (self.counts.reach(counts, None) || !self.has(FdsmRepairs::GRANT_COUNTS))
        {
            self.held.insert(*lock);
            self.lock = None;
            self.phase.go(PhaseCause::Granted);
            actions.push(Action::Done);
        }
    }

    /// All have arrived: what the manager sends to all.
    fn all_arrived(&mut self, actions: Actions<'_>) {
        let arrived = std::mem::take(&mut self.arrived);
        let sites: Vec<u64> = arrived.values().map(|(site, ..)| site.place).collect();
        let block = name(self.sites.iter().chain(&sites).copied());
        self.sites = sites;
        let semi = arrived.values().any(|(site, ..)| site.semi);
        let (mut reports, mut counts) = (BTreeMap::new(), Counts::default());
        for (node, (_, report, records)) in arrived {
            reports.insert(node, report);
            counts.set(node, records);
        }
        let epoch = self.epoch;
        for to in self.shape.all() {
            let (reports, counts) = (reports.clone(), counts.clone());
            self.send(to, Message::Leave { epoch, block, semi, reports, counts }, actions);
        }
    }

    pub(super) fn message(
        &mut self,
        from: NodeId,
        message: Message,
        memory: &mut impl Memory,
        actions: Actions<'_>,
    ) -> Result<(), Refused> {
        match message {
            Message::Record { .. } | Message::Push { .. } => {
                self.later(from, message, memory);
                self.granted(actions);
                self.leave(memory, actions);
                self.begin(memory, actions);
            }
            Message::Get { .. } => self.get(from, message, memory, actions),
            Message::Data { epoch, piece } => {
                let page = self.fault.map(|(page, _)| page);
                let expected = epoch == self.epoch && page == Some(piece.page);
                if !expected || !self.asked.remove(&from) {
                    return Err(Refused::Unexpected(from));
                }
                self.merge(&piece, self.has(FdsmRepairs::DATA_AFTER_RECORD), memory);
                if self.asked.is_empty() {
                    self.phase.go(PhaseCause::Answered);
                    self.open(memory, actions);
                }
            }
            Message::Request { lock } => {
                if let Some(counts) = self.locks.request(lock, from) {
                    self.send(from, Message::Grant { lock, counts }, actions);
                }
            }
            Message::Unlock { lock, counts } => {
                let freed = self.locks.unlock(lock, from, |carried| carried.merge(&counts));
                if let Some((to, counts)) = freed.map_err(|_| Refused::Unexpected(from))? {
                    self.send(to, Message::Grant { lock, counts }, actions);
                }
            }
            Message::Grant { lock, counts } => {
                match &mut self.lock {
                    Some((wanted, granted @ None)) if *wanted == lock => *granted = Some(counts),
                    _ => return Err(Refused::Unexpected(from)),
                }
                self.granted(actions);
            }
            Message::Arrive { epoch, site, report, records } => {
                if epoch != self.epoch || self.arrived.contains_key(&from) {
                    return Err(Refused::Unexpected(from));
                }
                self.arrived.insert(from, (site, report, records));
                if self.arrived.len() == self.shape.nodes() {
                    self.all_arrived(actions);
                }
            }
            Message::Leave { epoch, block, semi, reports, counts } => {
                if self.phase != Phase::Arrived || epoch != self.epoch || self.release.is_some() {
                    return Err(Refused::Unexpected(from));
                }
                self.release = Some(Release { block, semi, reports, counts });
                self.leave(memory, actions);
            }
        }
        Ok(())
    }

    /// A message that every node can have sent: its pages, bytes and nodes exist.
    pub(super) fn check(&self, from: NodeId, message: &Message) -> Result<(), Refused> {
        let (shape, nodes) = (self.shape, self.shape.nodes());
        if from.index() >= nodes {
            return Err(Refused::Node { found: from, nodes });
        }
        let page = |page: usize| {
            let pages = shape.pages();
            if page < pages { Ok(()) } else { Err(Refused::Page { found: page, pages }) }
        };
        let bytes = |spans: &Spans| {
            let last = spans.ranges().last().map_or(0, |range| range.end - 1);
            page(last / shape.page_size())
        };
        let piece = |piece: &Piece| {
            page(piece.page)?;
            let size = shape.page_size();
            let fits = piece.diff.fits(size);
            if fits { Ok(()) } else { Err(Refused::Bytes { page: piece.page, size }) }
        };
        let report = |report: &Report| {
            report.pages.iter().try_for_each(|one| page(*one))?;
            bytes(&report.writes)
        };
        match message {
            Message::Push { pieces, .. } | Message::Record { pieces, .. } => {
                pieces.iter().try_for_each(piece)
            }
            Message::Get { page: one, wanted, .. } => page(*one).and_then(|()| bytes(wanted)),
            Message::Data { piece: one, .. } => piece(one),
            Message::Arrive { report: one, .. } => report(one),
            Message::Leave { reports, .. } => {
                let node = |node: &NodeId| {
                    let found = *node;
                    if found.index() < nodes { Ok(()) } else { Err(Refused::Node { found, nodes }) }
                };
                reports.iter().try_for_each(|(one, all)| node(one).and_then(|()| report(all)))
            }
            Message::Request { .. } | Message::Grant { .. } | Message::Unlock { .. } => Ok(()),
        }
    }
}
