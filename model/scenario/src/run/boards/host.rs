// SPDX-License-Identifier: MIT OR Apache-2.0
//! A host that does one thing after the other.

use crate::run::boards::act::{Act, Gives};
use crate::run::boards::plan::Settings;
use awgstar::quantity::Cycle;
use awgstar::{
    contract::{Token, board},
    ring::{
        HostOp, HostResult, Outcome, Ring, ScenarioError,
        boards::{Board, register},
    },
};

/// Outcome of an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The act was done.
    Done,
    /// The board answered that many accesses with SLVERR.
    Refused(usize),
    /// The condition was not met in time.
    Expired,
    /// The board died or was reset meanwhile, or the run was over.
    Broken,
    /// The act never began.
    NotBegun,
}

/// An act that is over, or will never be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActResult {
    pub began: Cycle,
    pub ended: Cycle,
    /// Outcome of the act.
    pub ending: Ending,
    /// Bytes that were read.
    pub read: Vec<u8>,
    /// Messages taken out of the mailbox.
    pub messages: Vec<Message>,
}

/// A message of the mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Low byte of the sender's MAC.
    pub from: u8,
    /// TOKEN, if it is assigned.
    pub token: Option<Token>,
    pub c_st: u8,
    pub node_id: u8,
    pub multi_g: u8,
    /// Data as it stood in the mailbox: pad included, 48 bytes at most.
    pub data: Vec<u8>,
}

impl Message {
    /// From the words of `MAIL_DATA`.
    fn new(words: &[u32]) -> Option<Message> {
        let [head, _, low, _, data @ ..] = words else { return None };
        let bytes: Vec<u8> = data.iter().flat_map(|w| w.to_le_bytes()).collect();
        let len = bytes.len().min((low & 0x7ff) as usize);
        let [packet, groups, node_id, kind] = head.to_le_bytes();
        let _ = packet;
        Some(Message {
            from: low.to_le_bytes()[2],
            token: Token::from_code(kind >> 5),
            c_st: kind & 31,
            node_id,
            multi_g: groups >> 4,
            data: bytes[..len].to_vec(),
        })
    }
}

/// State of a host.
#[derive(Clone, Debug)]
pub(super) struct Host {
    settings: Settings,
    acts: Vec<Act>,
    /// The board is set up, or will be when what waits at its port is over.
    set_up: bool,
    /// Every act that has begun.
    done: Vec<ActResult>,
    /// Stages left of the act under way.
    stages: Vec<Vec<HostOp>>,
    /// An act is under way.
    busy: bool,
    /// A message was seen in the mailbox.
    mail: bool,
    /// Results of the port that were looked at.
    looked: usize,
}

impl Host {
    pub(super) fn new(settings: Settings, acts: &[Act]) -> Self {
        Host {
            settings,
            acts: acts.to_vec(),
            set_up: false,
            done: Vec::new(),
            stages: Vec::new(),
            busy: false,
            mail: false,
            looked: 0,
        }
    }

    /// Results of the acts, in order.
    pub(super) fn done(&self) -> Vec<ActResult> {
        let never = ActResult {
            began: Cycle(0),
            ended: Cycle(0),
            ending: Ending::NotBegun,
            read: Vec::new(),
            messages: Vec::new(),
        };
        let rest = self.acts.len() - self.done.len();
        self.done.iter().cloned().chain(std::iter::repeat_n(never, rest)).collect()
    }

    /// It has set its board up, and every act is over.
    pub(super) fn is_done(&self) -> bool {
        self.set_up && !self.busy && self.done.len() == self.acts.len()
    }

    /// Handles a reset of its board: ends the act under way and configures the board again.
    pub(super) fn reset(&mut self, ring: &Ring<impl Board>, i: usize) {
        self.busy = false;
        self.set_up = false;
        self.looked = ring.results(i).len();
    }

    /// Before a cycle in which nothing waits at the port of board `i`; whether something does now.
    pub(super) fn step(
        &mut self,
        ring: &mut Ring<impl Board>,
        i: usize,
    ) -> Result<bool, ScenarioError> {
        let cycle = ring.cycle();
        if self.busy {
            self.take(ring, i);
            if let Some(ops) = self.more(cycle) {
                ring.push(i, ops)?;
                return Ok(true);
            }
        }
        if !self.set_up {
            if cycle < self.settings.at {
                return Ok(false);
            }
            self.set_up = true;
            ring.push(i, self.settings.operations())?;
            return Ok(true);
        }
        let Some(act) = self.acts.get(self.done.len()).filter(|act| act.at <= cycle) else {
            return Ok(false);
        };
        self.looked = ring.results(i).len();
        self.done.push(ActResult {
            began: cycle,
            ended: cycle,
            ending: Ending::Broken,
            read: Vec::new(),
            messages: Vec::new(),
        });
        self.busy = true;
        self.stages.clone_from(&act.stages);
        self.stages.reverse();
        let ops = self.more(cycle).unwrap_or_default();
        let waits = !ops.is_empty();
        ring.push(i, ops)?;
        Ok(waits)
    }

    /// Takes what the port has done of the act under way.
    fn take(&mut self, ring: &Ring<impl Board>, i: usize) {
        let results = &ring.results(i)[self.looked..];
        self.looked += results.len();
        let at = self.done.len() - 1;
        let Some(done) = self.done.last_mut() else { return };
        done.ended = ring.cycle();
        let refused = results.iter().filter(|r| r.outcome == Outcome::Refused).count();
        if refused > 0 {
            let before = if let Ending::Refused(n) = done.ending { n } else { 0 };
            done.ending = Ending::Refused(before + refused);
        }
        if results.iter().any(|r| r.outcome == Outcome::Expired) {
            done.ending = Ending::Expired;
        }
        match self.acts[at].gives {
            Gives::Nothing => {}
            Gives::Bytes { skip, len } => {
                let bytes = results.iter().flat_map(|r| r.data.to_le_bytes());
                done.read = bytes.skip(skip).take(len).collect();
            }
            Gives::Register => {
                done.read = results.iter().flat_map(|r| r.data.to_be_bytes()).collect();
            }
            Gives::Messages { .. } => {
                self.mail = matches!(results, [count] if count.data != 0);
                done.messages.extend(message(results));
            }
        }
    }

    /// The next accesses of the act under way; `None` when it is over.
    fn more(&mut self, cycle: Cycle) -> Option<Vec<HostOp>> {
        let at = self.done.len() - 1;
        let done = self.done.last_mut()?;
        let well = done.ending == Ending::Broken;
        let next = match self.acts[at].gives {
            Gives::Messages { .. } if well && self.mail => Some(take_message()),
            Gives::Messages { count, limit } if well => {
                look(done, count, cycle.saturating_sub(done.began) >= limit)
            }
            _ if well => self.stages.pop(),
            _ => None,
        };
        self.busy = next.is_some();
        if !self.busy && well && done.ending == Ending::Broken {
            done.ending = Ending::Done;
        }
        next
    }
}

/// Looks into the mailbox, unless all messages are there or it is too late.
fn look(done: &mut ActResult, count: u32, late: bool) -> Option<Vec<HostOp>> {
    if done.messages.len() >= count as usize {
        return None;
    }
    if late {
        done.ending = Ending::Expired;
        return None;
    }
    Some(vec![HostOp::Read { addr: board::MAIL_COUNT.offset }])
}

/// Takes the oldest message.
fn take_message() -> Vec<HostOp> {
    let words = (0..16).map(|i| HostOp::Read { addr: board::MAIL_DATA.offset + 4 * i });
    words.chain([register(&board::MAIL_POP, 0)]).collect()
}

/// The message in what [`take_message`] gave.
fn message(results: &[HostResult]) -> Option<Message> {
    let [words @ .., _pop] = results else { return None };
    Message::new(&words.iter().map(|r| r.data).collect::<Vec<_>>())
}
