// SPDX-License-Identifier: MIT OR Apache-2.0
//! The launcher's end: a process of the operating system as a process of the driven ring.

use crate::call::{CALLS, COMPUTES, Call, MAGIC, OVER, Status, at};
use crate::segment::{Segment, Slot};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar_host::{Answer, Ask, Process};
use std::{
    collections::{BTreeMap, BTreeSet},
    os::fd::OwnedFd,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use thiserror::Error;

/// Time between two looks at whether a process that makes no call still lives.
const LOOK: Duration = Duration::from_millis(20);

/// State of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Life {
    /// The process runs.
    Runs,
    /// The process ended in success.
    Succeeded,
    /// The process ended otherwise; a description for messages.
    Failed(String),
}

/// Why a process ended the run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The process failed.
    #[error("{how}, {}", after(*.last))]
    Failed {
        /// Exit code or signal.
        how: String,
        /// Name of its last call.
        last: Option<&'static str>,
    },
    /// The process ended in success but holds locks.
    #[error("ended while it holds lock {lock}")]
    Holds {
        /// One of them.
        lock: u32,
    },
    /// The slot holds no valid call: something overwrote it, or the library is not ours.
    #[error("made a call that is not valid, {}", after(*.last))]
    Invalid {
        /// Name of the call before.
        last: Option<&'static str>,
    },
}

fn after(last: Option<&'static str>) -> String {
    last.map_or_else(|| "before its first call".into(), |last| format!("after its call `{last}`"))
}

/// Counts of the activity of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// For each kind of call: how many, and the cycles that they took.
    pub calls: BTreeMap<&'static str, (u64, Cycle)>,
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
    /// Cycle in which it made its last call.
    pub end: Cycle,
    /// Why it ended the run.
    pub fault: Option<Fault>,
}

/// State that [`Remote`] shares with the launcher.
#[derive(Debug, Default)]
struct Shared {
    usage: Mutex<Usage>,
}

/// The end of one process.
pub struct Remote {
    segment: Arc<Segment>,
    number: usize,
    life: Box<dyn FnMut() -> Life>,
    shared: Arc<Shared>,
    /// The call that is under way, the cycle in which it began, and the words that are done.
    under_way: Option<(Call, Cycle, u32)>,
    held: BTreeSet<u32>,
    last: Option<&'static str>,
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote").field("number", &self.number).finish_non_exhaustive()
    }
}

/// Reads what a [`Remote`] has counted.
#[derive(Clone, Debug)]
pub struct Watch(Arc<Shared>);

impl Watch {
    /// Counts so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        lock(&self.0.usage).clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Remote {
    /// Memory with a slot for each of so many nodes, which know the `memory` bytes that they share, and the
    /// descriptor that the processes inherit.
    ///
    /// # Errors
    /// If the system has no memory or no descriptor left.
    pub fn segment(nodes: usize, memory: u32) -> rustix::io::Result<(OwnedFd, Segment)> {
        let (fd, segment) = Segment::create(nodes)?;
        for node in NodeId::all(nodes) {
            if let Some(slot) = segment.slot(node.index()) {
                slot.set(at::NODE, node.into());
                slot.set(at::NODES, narrow(nodes));
                slot.set(at::MEMORY, memory);
                slot.set(at::MAGIC, MAGIC);
            }
        }
        Ok((fd, segment))
    }

    /// The process of a node. `life` says what became of it whenever it makes no call for a while.
    #[must_use]
    pub fn new(
        segment: Arc<Segment>,
        node: NodeId,
        life: Box<dyn FnMut() -> Life>,
    ) -> (Self, Watch) {
        let shared = Arc::new(Shared::default());
        let watch = Watch(shared.clone());
        let (number, held) = (node.index(), BTreeSet::new());
        (Remote { segment, number, life, shared, under_way: None, held, last: None }, watch)
    }

    /// Ends every call of every process: each gets the error that the run is over.
    pub fn end(segment: &Segment) {
        for slot in (0..segment.slots()).filter_map(|number| segment.slot(number)) {
            slot.pass(OVER);
        }
    }

    fn fault(&self, fault: Fault) -> Ask {
        lock(&self.shared.usage).fault = Some(fault);
        Ask::End
    }

    /// Waits until the process makes a call.
    fn wait(&mut self, slot: Slot<'_>) -> Result<(), Ask> {
        while slot.wait(COMPUTES, LOOK) != CALLS {
            let life = (self.life)();
            // It may have made a call and ended between the two looks.
            if life == Life::Runs || slot.turn() == CALLS {
                continue;
            }
            return Err(match (life, self.held.first()) {
                (Life::Failed(how), _) => self.fault(Fault::Failed { how, last: self.last }),
                (_, Some(&lock)) => self.fault(Fault::Holds { lock }),
                _ => Ask::End,
            });
        }
        Ok(())
    }

    /// Answers the call under way.
    fn answer(&mut self, slot: Slot<'_>, status: Status, now: Cycle) {
        let Some((call, began, _)) = self.under_way.take() else { return };
        {
            let mut usage = lock(&self.shared.usage);
            let (count, time) = usage.calls.entry(call.name()).or_default();
            *count += 1;
            *time += now.saturating_sub(began);
            match call {
                Call::Read { words, .. } => usage.read += 4 * u64::from(words),
                Call::Write { words, .. } => usage.written += 4 * u64::from(words),
                _ => {}
            }
            usage.end = now;
        }
        status.put(slot);
        slot.set_long(at::NOW, now.0);
        slot.pass(COMPUTES);
    }

    /// The next wish of the call under way; `None` when it is done.
    fn ask(&self, slot: Slot<'_>) -> Option<Ask> {
        let (call, _, done) = self.under_way?;
        let word = at::BLOCK + done as usize;
        match call {
            Call::Read { addr, words } => {
                (done < words).then(|| Ask::Read(ByteAddress(addr + 4 * done)))
            }
            Call::Write { addr, words } => {
                (done < words).then(|| Ask::Write(ByteAddress(addr + 4 * done), slot.get(word)))
            }
            _ if done > 0 => None,
            Call::Lock(lock) => Some(Ask::Lock(lock)),
            Call::Unlock(lock) => Some(Ask::Unlock(lock)),
            Call::Barrier => Some(Ask::Barrier),
            Call::Compute(cycles) => Some(Ask::Wait(Cycle(cycles))),
            Call::Begin => Some(Ask::Wait(Cycle(1))),
            Call::End => Some(Ask::End),
        }
    }
}

impl Process for Remote {
    fn next(&mut self, answer: Answer) -> Ask {
        let segment = self.segment.clone();
        let Some(slot) = segment.slot(self.number) else { return Ask::End };
        let now = answer.cycle;
        if let Some((call, _, done)) = &mut self.under_way {
            if let Call::Read { .. } = call {
                slot.set(at::BLOCK + *done as usize, answer.data);
            }
            *done += 1;
            if answer.refused {
                self.answer(slot, Status::Refused, now);
            }
        }
        if let Some(ask) = self.ask(slot) {
            return ask;
        }
        self.answer(slot, Status::Done, now);
        if let Err(end) = self.wait(slot) {
            return end;
        }
        let Some(call) = Call::get(slot) else {
            return self.fault(Fault::Invalid { last: self.last });
        };
        let valid = match call {
            Call::Lock(lock) => self.held.insert(lock),
            Call::Unlock(lock) => self.held.remove(&lock),
            _ => true,
        };
        if !valid {
            return self.fault(Fault::Invalid { last: self.last });
        }
        self.last = Some(call.name());
        self.under_way = Some((call, now, 0));
        let ask = self.ask(slot).unwrap_or(Ask::End);
        if ask == Ask::End {
            self.answer(slot, Status::Done, now);
        }
        ask
    }
}
