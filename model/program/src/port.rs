// SPDX-License-Identifier: MIT OR Apache-2.0
//! The launcher's end of a slot: takes the calls of a process and answers them.

use crate::{
    call::{
        BLOCK_WORDS, CALLS, CLOSED, COHERENT, COMPUTE_WORDS, COMPUTES, COUNTS, Call, Computing,
        HOMES, LONG_WORDS, MAGIC, Machine, NOBODY, OVER, PART_WORDS, REPORT_WORDS, SIGNALS, Status,
        WATCHES, WRITE_HEAD, at,
    },
    forked::Forked,
    monitor::{Fault, Monitor},
    segment::{Replica, Replicas, Slot},
};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId, narrow};
use awgstar_request::{Changes, ProcessSignal, Protection};
use std::{collections::BTreeSet, os::fd::OwnedFd, sync::Arc, time::Duration};

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

/// Slots for the nodes of a machine, and the descriptor that the processes inherit.
///
/// # Errors
/// If the system has no memory or no descriptor left.
pub fn slots(
    nodes: usize,
    machine: Machine,
    computing: Computing,
) -> rustix::io::Result<(OwnedFd, Vec<Slot>)> {
    forked_slots(nodes, machine, computing).map(|(fd, slots, _)| (fd, slots))
}

/// As [`slots`], and the words shared with a program that forks the processes of its nodes itself.
///
/// # Errors
/// As of [`slots`].
pub fn forked_slots(
    nodes: usize,
    machine: Machine,
    computing: Computing,
) -> rustix::io::Result<(OwnedFd, Vec<Slot>, Forked)> {
    let (how, scale) = computing.words();
    let (fd, mut slots) = Slot::create(nodes + 1)?;
    let replicas = Replicas::create(nodes, machine.memory)?;
    let forked = Forked::new(slots.split_off(nodes).remove(0));
    let rings = machine.rings.map_or(1, |rings| rings.count);
    for (process, slot) in slots.iter().enumerate() {
        let (ring, node) = machine.place(process);
        slot.set(at::NODE, node.into());
        slot.set(at::NODES, narrow(nodes / usize::from(rings.max(1))));
        slot.set(at::RING, u32::from(rings) << 16 | u32::from(ring));
        slot.set(at::PROCESS, narrow(process));
        slot.set(at::FAR, machine.rings.map_or(0, |rings| rings.words.into()));
        slot.set(at::MEMORY, machine.memory);
        let has = [
            (machine.signals, SIGNALS),
            (machine.homes, HOMES),
            (machine.coherent.is_some(), COHERENT),
            (machine.coherent == Some(Protection::None), CLOSED),
        ];
        slot.set(at::SIGNAL, has.iter().filter(|one| one.0).map(|one| one.1).sum());
        slot.set(at::ADDR, replicas.descriptor());
        slot.set(at::VALUE, how);
        slot.set(at::SCALE, scale);
        slot.set(at::MAGIC, MAGIC);
    }
    let replicas = Arc::new(replicas);
    for slot in &mut slots {
        slot.set_replicas(&replicas);
    }
    Ok((fd, slots, forked))
}

/// Ends every call of every process: each gets the error that the run is over.
pub fn end(slots: &[Slot]) {
    for slot in slots {
        slot.pass(OVER);
    }
}

impl Slot {
    /// Returns true if the program of a process that has joined has counted its blocks.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.get(at::FLAGS) & COUNTS != 0
    }
}

/// Where a call keeps its words.
#[derive(Clone, Copy, Debug)]
struct Work {
    call: Call,
    began: Nanoseconds,
    /// Index in the block of its first word.
    first: usize,
}

/// The launcher's end of the slot of one process.
pub struct Port {
    slot: Slot,
    /// The number of the process.
    node: NodeId,
    machine: Machine,
    life: Box<dyn FnMut() -> Life + Send>,
    monitor: Arc<Monitor>,
    work: Option<Work>,
    /// The call of the process, which comes after what it has posted.
    call: Option<Call>,
    /// Next word of what is posted, and their number.
    posted: (usize, usize),
    held: BTreeSet<u32>,
    last: Option<&'static str>,
    /// The replica in the mapping of the process, if that has asked for it.
    replica: Option<Replica>,
    /// Bytes of a call of the protocol of pages, and those of its answer.
    coherent: Vec<u8>,
    news: Vec<u8>,
}

impl std::fmt::Debug for Port {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Port").field("node", &self.node).finish_non_exhaustive()
    }
}

impl Port {
    /// The end of a slot of [`slots`] for the same `machine`. `life` tells the state of the process whenever it
    /// makes no call for a while.
    #[must_use]
    pub fn new(
        slot: Slot,
        node: NodeId,
        machine: Machine,
        life: Box<dyn FnMut() -> Life + Send>,
        monitor: Arc<Monitor>,
    ) -> Self {
        Port {
            slot,
            node,
            machine,
            life,
            monitor,
            work: None,
            call: None,
            posted: (0, 0),
            held: BTreeSet::new(),
            last: None,
            replica: None,
            coherent: Vec::new(),
            news: Vec::new(),
        }
    }

    pub(crate) const fn machine(&self) -> Machine {
        self.machine
    }

    /// The memory of this node, which the process has mapped, too, on a machine with [`Machine::homes`]; `None` if the
    /// system cannot map it.
    #[must_use]
    pub fn home(&self) -> Option<Replica> {
        self.slot.replica(self.node, self.machine.memory)
    }

    fn fault(&self, fault: Fault) {
        self.monitor.fail(self.node, fault);
    }

    /// Waits until the process makes a call; false when it has ended.
    fn wait(&mut self) -> bool {
        while self.slot.wait(COMPUTES, LOOK) != CALLS {
            let life = (self.life)();
            // It may have made a call and ended between the two looks.
            if life == Life::Runs || self.slot.turn() == CALLS {
                continue;
            }
            match (life, self.held.first(), self.last) {
                (Life::Failed(how), _, last) => self.fault(Fault::Failed { how, last }),
                (_, Some(&lock), _) => self.fault(Fault::Holds { lock }),
                // One that never joined is no fault; a program need not use the ring.
                (_, None, Some(last)) if last != Call::End.name() => {
                    self.fault(Fault::NotFinalized { last });
                }
                _ => {}
            }
            return false;
        }
        true
    }

    /// The next call, which begins `now`; `None` when the process has ended or failed. Waits for the process.
    ///
    /// The call before must have been answered by [`Port::done`].
    pub fn next(&mut self, now: Nanoseconds) -> Option<Call> {
        loop {
            let (next, end) = self.posted;
            if next < end {
                let Some(call) = Call::posted(&self.slot, next, end, self.machine.memory) else {
                    break;
                };
                if matches!(call, Call::Allocated { .. } | Call::Released(_)) {
                    self.monitor.allocation(self.node, call);
                    self.posted.0 = next + REPORT_WORDS;
                    continue;
                }
                let first = next + WRITE_HEAD;
                self.posted.0 = match call {
                    Call::Write { words, .. } => first + words as usize,
                    Call::WritePart { .. } => next + PART_WORDS,
                    Call::WriteLong(_) => next + LONG_WORDS,
                    _ => next + COMPUTE_WORDS,
                };
                return Some(self.begin(call, now, first));
            }
            match self.call {
                Some(Call::Flush) => self.answer(Status::Done, now),
                Some(Call::Coherent { words, more: true, .. }) => {
                    self.hand_over(end, words);
                    self.answer(Status::Done, now);
                }
                Some(Call::Rest(from)) => {
                    self.put_news(from as usize);
                    self.answer(Status::Done, now);
                }
                Some(call) if locks(&mut self.held, call) => {
                    return Some(self.begin(call, now, end));
                }
                Some(_) => break,
                None => {
                    if !self.wait() {
                        return None;
                    }
                    let (_, node) = self.machine.place(self.node.index());
                    self.call = Call::get(&self.slot, node, self.machine);
                    self.posted = (0, self.slot.get(at::POSTED) as usize);
                    if self.call.is_none() || self.posted.1 > BLOCK_WORDS {
                        break;
                    }
                }
            }
        }
        self.fault(Fault::Invalid { last: self.last });
        None
    }

    /// The machine has nothing for the call that [`Port::next`] gave: a fault.
    pub(crate) fn not_offered(&self, call: Call) {
        self.fault(Fault::NotOffered { call: call.name() });
    }

    fn begin(&mut self, call: Call, began: Nanoseconds, first: usize) -> Call {
        self.last = Some(call.name());
        self.monitor.begin(self.node, Some(call));
        self.work = Some(Work { call, began, first });
        call
    }

    /// Word `index` of the data of the call that [`Port::next`] gave.
    #[must_use]
    pub fn word(&self, index: usize) -> u32 {
        self.work.map_or(0, |work| self.slot.get(at::BLOCK + work.first + index))
    }

    /// Puts word `index` of the read that [`Port::next`] gave.
    pub fn put_word(&self, index: usize, word: u32) {
        self.slot.set(at::BLOCK + index, word);
    }

    /// Takes words of a call of the protocol of pages: they begin at word `first` of the block, after what is posted.
    fn hand_over(&mut self, first: usize, words: u32) {
        let old = self.coherent.len();
        self.coherent.resize(old + 4 * words as usize, 0);
        self.slot.take(at::BLOCK + first, &mut self.coherent[old..]);
    }

    /// What the process has changed, of the call that [`Port::next`] gave; `None` if no library wrote it.
    pub(crate) fn changes(&mut self) -> Option<Changes> {
        if let Some(Work { call: Call::Coherent { words, .. }, first, .. }) = self.work {
            self.hand_over(first, words);
        }
        Changes::decode(&std::mem::take(&mut self.coherent))
    }

    /// Answers a call of the protocol of pages: as much as the block has room for, and the process asks for the rest.
    pub(crate) fn set_news(&mut self, news: Vec<u8>) {
        self.news = news;
        self.put_news(0);
    }

    fn put_news(&self, word: usize) {
        let rest = self.news.get(4 * word..).unwrap_or_default();
        self.slot.put(at::BLOCK, &rest[..rest.len().min(4 * BLOCK_WORDS)]);
        self.slot.set(at::VALUE, narrow(self.news.len() / 4));
    }

    /// Puts the signal that [`Port::next`] asked for; `None` if none came in time.
    pub fn put_signal(&self, signal: Option<ProcessSignal>) {
        self.slot.set(at::SIGNAL, signal.map_or(NOBODY, |signal| signal.source.into()));
        self.slot.set(at::WORDS, signal.map_or(0, |signal| signal.number.into()));
        self.slot.set(at::VALUE, signal.map_or(0, |signal| signal.value));
    }

    /// Returns true if the process has mapped the replica of its node.
    #[must_use]
    pub fn watches(&self) -> bool {
        self.slot.get(at::FLAGS) & WATCHES != 0
    }

    /// Puts bytes of the replica into the mapping of the process, from a multiple of 4 on; bytes beyond the
    /// memory are ignored. The process must be in a call.
    pub fn see(&mut self, at: ByteAddress, bytes: &[u8]) {
        if self.replica.is_none() {
            self.replica = self.home();
        }
        if let Some(replica) = &self.replica {
            replica.put(at, bytes);
        } else {
            let how = "its replica cannot be mapped".into();
            self.fault(Fault::Failed { how, last: self.last });
        }
    }

    /// Puts the register that [`Port::next`] asked for.
    pub fn put_status(&self, status: u32) {
        self.slot.set(at::VALUE, status);
    }

    /// The process has got a lock that it tried.
    pub(crate) fn holds(&mut self, lock: u32) {
        self.held.insert(lock);
    }

    /// The call that [`Port::next`] gave is done, or the board refused it.
    pub fn done(&mut self, refused: bool, now: Nanoseconds) {
        let Some(Work { call, began, .. }) = self.work.take() else { return };
        self.monitor.count(self.node, call, began, now);
        if refused {
            self.posted = (0, 0);
            self.answer(Status::Refused, now);
        } else if !call.is_posted() {
            self.answer(Status::Done, now);
        }
    }

    fn answer(&mut self, status: Status, now: Nanoseconds) {
        self.call = None;
        self.monitor.begin(self.node, None);
        status.put(&self.slot);
        self.slot.set_long(at::NOW, now.0);
        self.slot.pass(COMPUTES);
    }
}

/// Keeps account of the locks that a process holds; false for a call that the library would have refused.
fn locks(held: &mut BTreeSet<u32>, call: Call) -> bool {
    match call {
        Call::Lock(lock) => held.insert(lock),
        Call::Try(lock) => !held.contains(&lock),
        Call::Unlock(lock) => held.remove(&lock),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::{ALLOCATED, COMPUTE, COMPUTE_MAX, LOCKS, LONG, PART, RELEASED, Rings};

    const MACHINE: Machine = Machine {
        memory: 64,
        first_byte: ByteAddress(0),
        first_lock: 0,
        first_node: NodeId(0),
        rings: Some(Rings { count: 2, processes: 1, words: 4 }),
        signals: true,
        homes: true,
        coherent: Some(Protection::Read),
    };

    /// The fault of a process that has put these words into its slot, as no library does.
    fn fault(words: &[(usize, u32)]) -> Option<Fault> {
        let (_fd, slots) = slots(1, MACHINE, Computing::Told).unwrap();
        for &(at, word) in words {
            slots[0].set(at, word);
        }
        slots[0].pass(CALLS);
        let monitor = Arc::new(Monitor::default());
        let ended = Box::new(|| Life::Succeeded);
        let mut port = Port::new(slots[0].clone(), NodeId(0), MACHINE, ended, Arc::clone(&monitor));
        while port.next(Nanoseconds(0)).is_some() {
            port.done(false, Nanoseconds(0));
        }
        monitor.fault().map(|(_, fault)| fault)
    }

    #[test]
    fn what_no_library_writes_is_a_fault() {
        let (kind, addr, words, posted, block) =
            (at::KIND, at::ADDR, at::WORDS, at::POSTED, at::BLOCK);
        let value = at::VALUE;
        let long = COMPUTE_MAX.0 + 1;
        let [low, high] = [long & 0xffff_ffff, long >> 32].map(narrow::<u32>);
        let all: [&[(usize, u32)]; 60] = [
            &[(kind, 0)],
            &[(kind, 99)],
            &[(kind, 2), (addr, 0), (words, 0)],
            &[(kind, 2), (addr, 2), (words, 1)],
            &[(kind, 2), (addr, 64), (words, 1)],
            &[(kind, 2), (addr, 0xffff_fffc), (words, 2)],
            &[(kind, 2), (addr, 0), (words, 0x4000_0001)],
            &[(kind, 4), (addr, LOCKS)],
            &[(kind, 16), (addr, LOCKS)],
            &[(kind, 5), (addr, 3)],
            &[(kind, 3), (posted, narrow(BLOCK_WORDS + 1))],
            &[(kind, 3), (posted, 1), (block, 0)],
            &[(kind, 3), (posted, 3), (block, 60), (block + 1, 2)],
            &[(kind, 3), (posted, 4), (block, 60), (block + 1, 2)],
            &[(kind, 3), (posted, 3), (block, 6), (block + 1, 1)],
            &[(kind, 3), (posted, 2), (block, COMPUTE)],
            &[(kind, 3), (posted, 3), (block, COMPUTE), (block + 1, low), (block + 2, high)],
            &[(kind, 3), (posted, 3), (block, PART), (block + 1, 0), (block + 3, 1)],
            &[(kind, 3), (posted, 4), (block, PART), (block + 1, 0), (block + 3, 0)],
            &[(kind, 3), (posted, 4), (block, PART), (block + 1, 0), (block + 3, 0b101)],
            &[(kind, 3), (posted, 4), (block, PART), (block + 1, 64), (block + 3, 1)],
            &[(kind, 3), (posted, 4), (block, PART), (block + 1, 0), (block + 3, 16)],
            &[(kind, 3), (posted, 2), (block, ALLOCATED), (block + 1, 0)],
            &[(kind, 3), (posted, 3), (block, ALLOCATED), (block + 1, 60), (block + 2, 8)],
            &[(kind, 3), (posted, 2), (block, RELEASED), (block + 1, 0)],
            &[(kind, 9), (addr, 0)],
            &[(kind, 9), (addr, 256)],
            &[(kind, 10), (addr, 0x1_0000)],
            // A value of 64 bits: half of it, at a word, beyond the end.
            &[(kind, 3), (posted, 3), (block, LONG), (block + 1, 0)],
            &[(kind, 3), (posted, 4), (block, LONG), (block + 1, 4)],
            &[(kind, 3), (posted, 4), (block, LONG), (block + 1, 64)],
            &[(kind, 3), (posted, 4), (block, LONG), (block + 1, 0xffff_fff8)],
            // A fence to a node beyond the last that there can be.
            &[(kind, 13), (addr, 256)],
            // A change of no bytes, beyond the end, of more than the block has.
            &[(kind, 14), (addr, 0), (words, 0)],
            &[(kind, 14), (addr, 60), (words, 5)],
            &[(kind, 14), (addr, 0xffff_ffff), (words, 1)],
            &[(kind, 14), (addr, 0), (words, 5), (posted, narrow(BLOCK_WORDS - 1))],
            &[(kind, 14), (addr, 0), (words, u32::MAX)],
            // An update without its words, of an unknown kind, width, place.
            &[(kind, 15), (addr, 0), (words, 0)],
            &[(kind, 15), (addr, 0), (words, 9), (block, 0), (block + 1, 4)],
            &[(kind, 15), (addr, 0), (words, 10), (block, 13), (block + 1, 4)],
            &[(kind, 15), (addr, 0), (words, 10), (block, u32::MAX), (block + 1, 4)],
            &[(kind, 15), (addr, 0), (words, 10), (block, 0), (block + 1, 3)],
            &[(kind, 15), (addr, 0), (words, 10), (block, 0), (block + 1, 0x104)],
            &[(kind, 15), (addr, 0), (words, 10), (block, 0), (block + 1, 16)],
            &[(kind, 15), (addr, 2), (words, 10), (block, 0), (block + 1, 4)],
            &[(kind, 15), (addr, 4), (words, 10), (block, 0), (block + 1, 8)],
            &[(kind, 15), (addr, 64), (words, 10), (block, 0), (block + 1, 4)],
            &[(kind, 15), (addr, 0), (words, 10), (block, 0), (posted, narrow(BLOCK_WORDS))],
            // A far access to a ring that is not there, of no words, of more than a channel has, beyond the end.
            &[(kind, 19), (addr, 0), (words, 1), (value, 2)],
            &[(kind, 20), (addr, 0), (words, 1), (value, 0x1_0000)],
            &[(kind, 19), (addr, 0), (words, 0), (value, 1)],
            &[(kind, 20), (addr, 0), (words, 5), (value, 1)],
            &[(kind, 19), (addr, 64), (words, 1), (value, 1)],
            &[(kind, 20), (addr, 0), (words, 4), (value, 1), (posted, narrow(BLOCK_WORDS - 3))],
            // An accumulate of nothing, of half a number, of other data than it says, beyond the end.
            &[(kind, 15), (addr, 0), (words, 6), (block, 7), (block + 1, 0)],
            &[(kind, 15), (addr, 0), (words, 7), (block, 8), (block + 1, 4)],
            &[(kind, 15), (addr, 0), (words, 8), (block, 7), (block + 1, 4)],
            &[(kind, 15), (addr, 0), (words, 7), (block, 7), (block + 1, 8)],
            &[(kind, 15), (addr, 60), (words, 8), (block, 7), (block + 1, 8)],
        ];
        for words in all {
            assert!(matches!(fault(words), Some(Fault::Invalid { .. })), "{words:?}");
        }
        // What a library may write is not called invalid: this process then ends without leaving.
        let good: [(&str, &[(usize, u32)]); 8] = [
            ("write", &[(kind, 3), (posted, 3), (block, 60), (block + 1, 1)]),
            ("write", &[(kind, 3), (posted, 4), (block, LONG), (block + 1, 56)]),
            ("far read", &[(kind, 19), (addr, 48), (words, 4), (value, 1)]),
            ("far write", &[(kind, 20), (addr, 60), (words, 1), (value, 0)]),
            ("fence", &[(kind, 13), (addr, 255)]),
            ("change", &[(kind, 14), (addr, 59), (words, 5)]),
            ("update", &[(kind, 15), (addr, 56), (words, 10), (block, 2), (block + 1, 8)]),
            ("update", &[(kind, 15), (addr, 60), (words, 7), (block, 9), (block + 1, 4)]),
        ];
        for (last, words) in good {
            assert_eq!(fault(words), Some(Fault::NotFinalized { last }), "{words:?}");
        }
    }
}
