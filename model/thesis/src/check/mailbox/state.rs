// SPDX-License-Identifier: MIT OR Apache-2.0
//! A state of master and workers, what can happen in it, and what comes of that.

use super::network::{MailNetwork, MailProperty};
use super::step::MailWhat;
use crate::gen1::mailbox::{
    Control, Mail, MailRepairs, Master, MasterAction, MasterEvent, Primitive, Worker, WorkerAction,
    WorkerEvent,
};
use awgstar_frame::quantity::narrow;
use std::collections::VecDeque;

/// Item under way between the master and a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Item {
    Words([u32; 2]),
    Index(u32, i32),
    Signal,
}

/// A state. Vectors have an entry for each process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) master: Master,
    /// Worker i at i - 1.
    pub(super) workers: Vec<Worker>,
    /// Number of requests of its program that a process has been answered.
    pub(super) at: Vec<usize>,
    /// The process waits for the answer to its next request.
    pub(super) calling: Vec<bool>,
    /// Area of the process, in the master's replica and in the local replica.
    pub(super) areas: Vec<[[u32; 2]; 2]>,
    /// Entries of the index in the replica of the process, by lock; kept while a thread reads them.
    pub(super) indices: Vec<Vec<(u32, i32)>>,
    pub(super) up: Vec<VecDeque<Item>>,
    pub(super) down: Vec<VecDeque<Item>>,
    /// Process whose area the control thread reads.
    pub(super) reads: Option<u8>,
    pub(super) reads_area: Vec<bool>,
    pub(super) reads_index: Vec<Option<u32>>,
    pub(super) twice: u8,
    pub(super) wrong: Option<MailProperty>,
}

fn number(process: usize) -> u8 {
    narrow(process)
}

impl State {
    /// Nothing is under way, and the control thread rests.
    fn is_silent(&self) -> bool {
        self.up.iter().chain(&self.down).all(VecDeque::is_empty)
            && !self.master.control_ready()
            && self.reads.is_none()
    }

    /// As [`State::is_silent`], and no worker has anything to read.
    pub(super) fn is_quiet(&self) -> bool {
        self.is_silent()
            && !self.reads_area.contains(&true)
            && self.reads_index.iter().all(Option::is_none)
    }

    /// Steps that are possible at a process.
    pub(super) fn possible(&self, network: &MailNetwork, process: usize) -> Vec<MailWhat> {
        let mut all = Vec::new();
        let program = &network.settings.programs[process];
        if let Some(request) = program.get(self.at[process])
            && !self.calling[process]
        {
            all.push(MailWhat::Calls(*request));
        }
        let links = if process == 0 { &self.up[..] } else { &self.down[process..=process] };
        for (at, link) in links.iter().enumerate() {
            let from = if process == 0 { number(at) } else { 0 };
            let Some(first) = link.front() else { continue };
            all.push(Self::arrives(*first, from));
            let passes = network.settings.apart && *first != Item::Signal;
            if passes && link.contains(&Item::Signal) {
                all.push(MailWhat::Passes(from));
            }
            if *first == Item::Signal && self.twice > 0 {
                all.push(MailWhat::Twice(from));
            }
        }
        if process == 0 {
            if self.master.control_ready() {
                all.push(match self.master.control() {
                    Control::Looked => MailWhat::ControlChanges,
                    _ => MailWhat::ControlLooks,
                });
            }
            if let Some(of) = self.reads {
                all.push(MailWhat::ControlReads(of));
            }
            if self.master.main_ready() {
                all.push(MailWhat::MainGoesOn);
            }
        }
        if process > 0 && self.workers[process - 1].asks_again() {
            let early = !self.is_silent();
            if !early || self.twice > 0 {
                all.push(MailWhat::Timeout(early));
            }
        }
        if self.reads_area[process] {
            all.push(MailWhat::ReadsArea);
        }
        if let Some(lock) = self.reads_index[process] {
            all.push(MailWhat::ReadsIndex(lock));
        }
        all
    }

    fn arrives(item: Item, from: u8) -> MailWhat {
        match item {
            Item::Words(words) => MailWhat::Words(from, words),
            Item::Index(lock, holder) => MailWhat::Index(lock, holder),
            Item::Signal => MailWhat::Signal(from),
        }
    }

    /// Something of that happens.
    pub(super) fn take(&mut self, network: &MailNetwork, process: usize, what: MailWhat) {
        match what {
            MailWhat::Calls(request) => {
                self.calling[process] = true;
                if process == 0 {
                    self.tell_master(network, MasterEvent::Call(request));
                } else {
                    self.tell_worker(network, process, WorkerEvent::Call(request));
                }
            }
            MailWhat::Words(from, words) if process == 0 => {
                self.up[usize::from(from)].pop_front();
                self.areas[usize::from(from)][0] = words;
            }
            MailWhat::Words(_, words) => {
                self.down[process].pop_front();
                self.areas[process][1] = words;
            }
            MailWhat::Index(lock, holder) => {
                self.down[process].pop_front();
                self.indices[process].retain(|entry| entry.0 != lock);
                self.indices[process].push((lock, holder));
                self.indices[process].sort_unstable();
            }
            MailWhat::Signal(from) | MailWhat::Passes(from) => {
                let links = if process == 0 { &mut self.up } else { &mut self.down };
                let link = &mut links[if process == 0 { usize::from(from) } else { process }];
                if let Some(at) = link.iter().position(|item| *item == Item::Signal) {
                    link.remove(at);
                }
                self.signal(network, process, from);
            }
            MailWhat::Twice(from) => {
                self.twice -= 1;
                self.signal(network, process, from);
            }
            MailWhat::Timeout(early) => {
                self.twice -= u8::from(early);
                self.tell_worker(network, process, WorkerEvent::Timeout);
            }
            MailWhat::ControlLooks | MailWhat::ControlChanges => {
                self.tell_master(network, MasterEvent::Control);
            }
            MailWhat::ControlReads(of) => {
                self.reads = None;
                let words = self.areas[usize::from(of)][0];
                self.tell_master(network, MasterEvent::Area(words));
            }
            MailWhat::MainGoesOn => self.tell_master(network, MasterEvent::Main),
            MailWhat::ReadsArea => {
                self.reads_area[process] = false;
                let words = self.areas[process][1];
                self.tell_worker(network, process, WorkerEvent::Area(words));
            }
            MailWhat::ReadsIndex(lock) => {
                self.reads_index[process] = None;
                let entry = self.indices[process].iter().find(|entry| entry.0 == lock);
                let holder = entry.map_or(-1, |entry| entry.1);
                self.tell_worker(network, process, WorkerEvent::Index(holder));
            }
        }
    }

    fn signal(&mut self, network: &MailNetwork, process: usize, from: u8) {
        if process == 0 {
            self.tell_master(network, MasterEvent::Signal(from));
        } else {
            self.tell_worker(network, process, WorkerEvent::Signal);
        }
    }

    fn tell_worker(&mut self, network: &MailNetwork, process: usize, event: WorkerEvent) {
        let mut actions = Vec::new();
        self.workers[process - 1].step(event, &mut actions);
        for action in actions {
            match action {
                WorkerAction::ReadIndex(lock) => self.reads_index[process] = Some(lock),
                WorkerAction::ReadArea => self.reads_area[process] = true,
                WorkerAction::Write(words) => {
                    self.areas[process][1] = words;
                    self.up[process].push_back(Item::Words(words));
                }
                WorkerAction::Signal => self.up[process].push_back(Item::Signal),
                WorkerAction::Go(_) => self.goes(network, process),
            }
        }
    }

    fn tell_master(&mut self, network: &MailNetwork, event: MasterEvent) {
        let mut actions = Vec::new();
        self.master.step(event, &mut actions);
        for action in actions {
            match action {
                MasterAction::ReadArea(process) => self.reads = Some(process),
                MasterAction::Write(process, words) => {
                    let at = usize::from(process);
                    self.areas[at][0] = words;
                    self.down[at].push_back(Item::Words(words));
                }
                MasterAction::WriteIndex(lock, holder) => {
                    if !network.repairs.has(MailRepairs::ASK_AT_ONCE) {
                        let workers = self.down.iter_mut().skip(1);
                        workers.for_each(|link| link.push_back(Item::Index(lock, holder)));
                    }
                }
                MasterAction::Signal(to) => self.down[usize::from(to)].push_back(Item::Signal),
                MasterAction::Go(_) => self.goes(network, 0),
            }
        }
    }

    /// A process has what it asked for.
    fn goes(&mut self, network: &MailNetwork, process: usize) {
        let programs = &network.settings.programs;
        let request = programs[process][self.at[process]];
        self.calling[process] = false;
        self.at[process] += 1;
        let barriers = |requests: &[Primitive]| {
            requests.iter().filter(|request| **request == Primitive::Barrier).count()
        };
        let others = || (0..programs.len()).filter(|other| *other != process);
        match request {
            Primitive::Lock(lock) => {
                let has = |other: usize| {
                    let got = &programs[other][..self.at[other]];
                    let last = got.iter().rfind(
                        |r| matches!(r, Primitive::Lock(n) | Primitive::Unlock(n) if *n == lock),
                    );
                    let next = programs[other].get(self.at[other]);
                    let leaves = self.calling[other] && next == Some(&Primitive::Unlock(lock));
                    last == Some(&Primitive::Lock(lock)) && !leaves
                };
                if others().any(has) {
                    self.wrong = Some(MailProperty::Exclusion);
                }
            }
            Primitive::Barrier => {
                let passed = barriers(&programs[process][..self.at[process]]);
                let arrived = |other: usize| {
                    let calls = self.at[other] + usize::from(self.calling[other]);
                    barriers(&programs[other][..calls])
                };
                if others().any(|other| arrived(other) < passed) {
                    self.wrong = Some(MailProperty::Together);
                }
            }
            Primitive::Unlock(_) => {}
        }
    }

    /// A process in words; of the master with the areas as it has them.
    pub(super) fn words(&self, process: usize) -> String {
        let text = |words: [u32; 2]| Mail::read(words).map_or("-".into(), Mail::text);
        if process == 0 {
            let areas = self.areas.iter().skip(1).map(|area| text(area[0]));
            let areas: Vec<String> = areas.collect();
            format!("{}; areas: {}", self.master.summary(), areas.join(" | "))
        } else {
            format!(
                "{}; area: {}",
                self.workers[process - 1].summary(),
                text(self.areas[process][1])
            )
        }
    }
}
