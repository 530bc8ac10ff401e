// SPDX-License-Identifier: MIT OR Apache-2.0
//! Replay of a run: state machines and replicas that get its steps one by one, and the property it
//! violates. The replay does not know the checker's states: data arrives by frames only.

use crate::counterexample::frames::{Content, marked};
use crate::counterexample::paging::Case;
use crate::counterexample::paging::act::write;
use crate::counterexample::paging::state::{Doing, Job, Node, Play, Result, put};
use crate::counterexample::paging::step::vector_action;
use crate::counterexample::vector::{Frames, Player, Vector, VectorAction, VectorStep};
use awgstar::quantity::NodeId;
use awgstar::{
    firmware::paging::{Access, Action, Event, Master, Place},
    host::{Happened, pager::Side},
};
use awgstar_scenario::spacetime::Hop;
use awgstar_stimulus::echo;
use std::collections::BTreeMap;

/// Cycles per step: the checker knows the order of events, not their time.
pub(super) const STEP_CYCLES: u64 = 20;

impl Play {
    pub(in crate::counterexample) fn new(case: &'static Case) -> Play {
        let settings = case.settings();
        let at = settings.table();
        let place = |node| Place { node, master: NodeId(0), at };
        let master = Master::new(place(NodeId(0)), case.repairs);
        // Every board has the table before any process accesses it.
        let mut replica = vec![0; at.end().index()];
        let mut actions = Vec::new();
        master.start(&mut actions);
        for action in actions {
            if let Action::Write { addr, data, strobe } = action {
                put(&mut replica, marked(addr, data, strobe));
            }
        }
        let count = settings.nodes();
        let node = |node| Node {
            access: Access::new(place(node), case.repairs),
            replica: replica.clone(),
            job: Job::None,
            doing: Doing::Nothing,
            wrote: BTreeMap::new(),
            sent: Vec::new(),
            back: 0,
            taken: vec![0; count],
            asked: 0,
        };
        let mut play = Play {
            case,
            at,
            nodes: NodeId::all(count).map(node).collect(),
            master,
            job: Job::None,
            areas: vec![vec![0; at.page_bytes as usize]; at.areas().into()],
            wrong: None,
            disturbed: false,
            cycle: 0,
            way: Vec::new(),
            records: Vec::new(),
            seen: Vec::new(),
            hops: Vec::new(),
            texts: Vec::new(),
            past: Vec::new(),
        };
        (0..count).for_each(|node| play.look(node));
        play
    }

    /// The words of the process' state machine, and on node 0 of the master's.
    fn states(&self, node: usize) -> Vec<String> {
        let master = (node == 0).then(|| self.master.summary());
        [self.nodes[node].access.summary()].into_iter().chain(master).collect()
    }

    /// Handles a step without a frame.
    fn alone(&mut self, step: &VectorStep, actions: &mut Vec<Action>) -> Result<()> {
        let at = step.node;
        let page = || step.page.ok_or_else(|| format!("{}: no page", step.does));
        match step.does.as_str() {
            "wants" => {
                let page = page()?;
                (self.nodes[at].doing, self.nodes[at].asked) = (Doing::Waits(page), 0);
                self.note(at, Happened::Asked(write(self.virtual_of(at, page))));
                self.tell(at, Event::Access(page), actions);
            }
            "uses" => self.uses(at, page()?, value(step)?)?,
            "lets_go" => {
                self.nodes[at].doing = Doing::Leaves;
                self.tell(at, Event::LetGo, actions);
            }
            "reads" => {
                let (found, addr) = (self.job(step), step.addr.ok_or("reads: no addr")?);
                let word = self.word(at, addr)?;
                let asked = found == Job::Read(addr) || found == Job::Until(addr) && word != 0;
                if !asked || value(step)? != word.to_le_bytes() {
                    return Err(format!("expected a read of {addr}, found {found:?}, {word:08x}"));
                }
                self.done(step, Event::Word(word), actions);
            }
            "confirmed" => match self.job(step) {
                Job::Confirm(mark) if self.nodes[at].back >= mark => {
                    self.done(step, Event::Confirmed, actions);
                }
                found => return Err(format!("expected that it is confirmed, found {found:?}")),
            },
            "copies_out" => {
                let Job::Out(copy) = self.job else {
                    return Err("nothing is to be copied out".into());
                };
                self.copy_out(copy, &value(step)?)?;
                self.done(step, Event::Copied, actions);
            }
            "copies_in" => {
                let Job::In(copy) = self.job else {
                    return Err("nothing is to be copied in".into());
                };
                let bytes = self.areas[usize::from(copy.area)].clone();
                if bytes != value(step)? {
                    return Err(format!("expected {:?}, found {bytes:?}", step.value));
                }
                self.write(0, copy.offset, bytes);
                self.done(step, Event::Copied, actions);
            }
            "timer" => {
                self.nodes[at].asked = 0;
                self.tell(at, Event::Timer, actions);
            }
            other => return Err(format!("`{other}` without a frame")),
        }
        Ok(())
    }

    /// Handles a frame at a node.
    fn frame(
        &mut self,
        step: &VectorStep,
        content: &Content,
        actions: &mut Vec<Action>,
    ) -> Result<()> {
        let at = step.node;
        if let Content::Data(data) = content {
            let of =
                |node: &'_ Node| node.sent.get(usize::from(data.number).checked_sub(1)?).cloned();
            let sent = self.nodes.get(data.source).and_then(of);
            if sent.as_ref() != Some(data) {
                return Err(format!("expected {sent:?}, found {data:?}"));
            }
        }
        match (step.does.as_str(), content) {
            ("sends", Content::Data(_)) | ("sends_again", Content::Signal(_)) => {
                self.moved(content, at);
                return Ok(());
            }
            ("sends_again", Content::Data(_)) => return Ok(()),
            ("lost", _) => self.disturbed = true,
            ("receives", Content::Data(data)) => {
                let node = &mut self.nodes[at];
                // In order only; what was lost is retransmitted with all after it.
                if data.number == node.taken[data.source] + 1 {
                    node.taken[data.source] += 1;
                    put(&mut node.replica, (data.addr, data.bytes.clone()));
                }
            }
            ("receives", Content::Signal(message)) if message.reaches(NodeId(0)) && at == 0 => {
                self.note(at, Happened::Received(*message));
                // As in the driver: a request for a page that does not exist is ignored.
                if let Some(page) = self.at.page(message.lock_number) {
                    self.tell_master(Event::Wanted(page), actions);
                }
            }
            ("passes", Content::Signal(message)) if !message.reaches(NodeId(0)) || at != 0 => {}
            ("comes_back", Content::Data(data)) => {
                let node = &mut self.nodes[at];
                node.back += u8::from(data.number == node.back + 1);
            }
            ("comes_back", Content::Signal(m)) => self.note(at, Happened::Returned(*m)),
            (does, content) => return Err(format!("`{does}` with {content:?}")),
        }
        if let Some(from) = self.moved(content, at) {
            let (source, text) = match content {
                Content::Signal(m) => (m.source.index(), m.signal.name().to_owned()),
                Content::Data(data) => {
                    (data.source, format!("data {} of {}", data.number, data.source))
                }
            };
            let text = if source == from.1 { text } else { String::new() };
            let lost = step.does == "lost";
            self.hops.push(Hop { from, to: (self.cycle, at), text, lost });
        }
        Ok(())
    }

    /// A frame is at a node: where it was before.
    pub(super) fn moved(&mut self, content: &Content, at: usize) -> Option<(u64, usize)> {
        let now = (self.cycle, at);
        if let Some((_, last)) = self.way.iter_mut().find(|(one, _)| one == content) {
            return Some(std::mem::replace(last, now));
        }
        self.way.push((content.clone(), now));
        None
    }
}

impl Player for Play {
    fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn step(
        &mut self,
        step: &VectorStep,
        content: Option<&Content>,
        frames: &mut Frames,
    ) -> Result<Vec<VectorAction>> {
        self.cycle += STEP_CYCLES;
        self.texts.push((self.cycle, format!("node {}: {}", step.node, step.what)));
        let before = self.states(step.node);
        let mut actions = Vec::new();
        if let Some(content) = content {
            self.frame(step, content, &mut actions)?;
        } else {
            self.alone(step, &mut actions)?;
        }
        if self.nodes[step.node].sent.len() > u8::MAX.into() {
            return Err("a node writes more than 255 times".into());
        }
        let sides = [Side::Process, Side::Master].into_iter();
        for (side, (old, new)) in sides.zip(before.into_iter().zip(self.states(step.node))) {
            if old != new {
                self.note(step.node, Happened::Pages(side, new));
            }
        }
        self.look(step.node);
        self.past.push(self.image());
        Ok(actions.into_iter().map(|action| vector_action(action, frames)).collect())
    }

    fn state(&self, node: usize) -> String {
        self.states(node).join("; ")
    }

    /// The property is violated, or a process waits and the run ends as the file says.
    fn end(&self, vector: &Vector) -> Result<()> {
        let found = self.broken();
        let circles = vector.circles.ok_or("missing field `circles`")?;
        match self.case.breaks {
            Some(property) if found != Some(property) => {
                Err(format!("expected that {property:?} breaks, found {found:?}"))
            }
            None if self.waits().is_empty() => {
                Err("expected a process that waits, found none".into())
            }
            None if circles && !self.circles() || !circles && !self.rests() => {
                let end = if circles { "a circle" } else { "a ring at rest" };
                Err(format!("expected {end} at the end, found that it goes on"))
            }
            _ => Ok(()),
        }
    }
}

fn value(step: &VectorStep) -> Result<Vec<u8>> {
    let text = step.value.as_deref().ok_or_else(|| format!("{}: no value", step.does))?;
    echo::hex(text).map_err(|e| format!("{}: {e}", echo::shown(text)))
}
