// SPDX-License-Identifier: MIT OR Apache-2.0
//! Notes that processes give along with a lock or with the barrier: bytes that the protocol of the shared pages does
//! not look at. They travel with its messages, and reach who takes the lock next, with all that its holder knew, or
//! all who leave the barrier.

use awgstar_frame::quantity::NodeId;
use awgstar_request::FLUSH_LOCK;
use std::collections::BTreeMap;

/// How many notes of each process.
pub type Count = Vec<usize>;

/// Which notes a message carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carries {
    Nothing,
    /// What its sender wrote with this call: with the release of a lock, or with its arrival.
    Own(Option<u32>),
    /// What its receiver has not seen of those of a lock.
    Lock(u32),
    /// What its receiver has not seen.
    All,
}

/// The notes of all processes.
#[derive(Clone, Debug)]
pub struct Notes {
    written: Vec<Vec<Vec<u8>>>,
    seen: Vec<Count>,
    locks: BTreeMap<u32, Count>,
    /// Those written before the last barrier.
    common: Count,
}

impl Notes {
    #[must_use]
    pub fn new(processes: usize) -> Notes {
        Notes {
            written: vec![Vec::new(); processes],
            seen: vec![vec![0; processes]; processes],
            locks: BTreeMap::new(),
            common: vec![0; processes],
        }
    }

    /// A process writes a note.
    pub fn write(&mut self, process: usize, note: &[u8]) {
        self.written[process].push(note.to_vec());
        self.seen[process][process] += 1;
    }

    /// A process gives a lock up.
    pub fn release(&mut self, process: usize, lock: u32) {
        let seen = self.seen[process].clone();
        self.learn_lock(lock, &seen);
    }

    /// Who held a lock has seen so many.
    pub fn learn_lock(&mut self, lock: u32, seen: &Count) {
        let known = self.locks.entry(lock).or_insert_with(|| vec![0; self.seen.len()]);
        known.iter_mut().zip(seen).for_each(|(known, seen)| *known = *seen.max(known));
    }

    /// All have arrived at the barrier, and have written so many.
    pub fn learn_all(&mut self, common: &Count) {
        self.common.clone_from(common);
    }

    /// All processes are at the barrier.
    pub fn all_arrived(&mut self) {
        self.common = self.all();
    }

    fn all(&self) -> Count {
        self.written.iter().map(Vec::len).collect()
    }

    /// What a process has seen.
    #[must_use]
    pub fn seen(&self, process: usize) -> &Count {
        &self.seen[process]
    }

    /// All that a message brings its receiver to has been written.
    #[must_use]
    pub fn has(&self, carries: Carries) -> bool {
        let until = self.until(carries);
        until.is_none_or(|until| until.iter().zip(&self.written).all(|(n, all)| all.len() >= *n))
    }

    /// How many of each a message brings its receiver to.
    #[must_use]
    pub fn until(&self, carries: Carries) -> Option<Count> {
        match carries {
            Carries::Lock(FLUSH_LOCK) => Some(self.all()),
            Carries::Lock(lock) => self.locks.get(&lock).cloned(),
            Carries::All => Some(self.common.clone()),
            Carries::Nothing | Carries::Own(_) => None,
        }
    }

    fn unseen(&self, process: usize, carries: Carries) -> impl Iterator<Item = (usize, &Vec<u8>)> {
        let all = self.until(carries).into_iter().flatten().zip(&self.seen[process]).enumerate();
        all.flat_map(|(node, (until, seen))| {
            let notes = self.written[node].get(*seen..until.max(*seen)).unwrap_or_default();
            notes.iter().map(move |note| (node, note))
        })
    }

    /// Bytes of the notes in a message to `to`.
    #[must_use]
    pub fn bytes(&self, from: usize, to: usize, carries: Carries) -> u64 {
        let bytes: usize = match carries {
            Carries::Own(_) => self.written[from].last().map_or(0, Vec::len),
            carries => self.unseen(to, carries).map(|(_, note)| note.len()).sum(),
        };
        bytes as u64
    }

    /// What a process has not seen; it has then.
    pub fn take(&mut self, process: usize, carries: Carries) -> Vec<(NodeId, Vec<u8>)> {
        let all: Vec<_> = self
            .unseen(process, carries)
            .filter(|(_, note)| !note.is_empty())
            .map(|(node, note)| (NodeId::at(node), note.clone()))
            .collect();
        if let Some(until) = self.until(carries) {
            let seen = self.seen[process].iter_mut();
            seen.zip(until).for_each(|(seen, until)| *seen = until.max(*seen));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(all: Vec<(NodeId, Vec<u8>)>) -> Vec<(usize, String)> {
        all.into_iter().map(|(n, b)| (n.index(), String::from_utf8(b).unwrap())).collect()
    }

    #[test]
    fn a_lock_hands_on_what_its_holders_knew_and_the_barrier_the_rest() {
        let mut notes = Notes::new(3);
        notes.write(0, b"a");
        notes.release(0, 5);
        assert_eq!(notes.bytes(0, 1, Carries::Lock(5)), 1);
        assert_eq!(texts(notes.take(1, Carries::Lock(5))), [(0, "a".into())]);
        notes.write(1, b"bc");
        assert_eq!(notes.bytes(1, 0, Carries::Own(None)), 2);
        notes.release(1, 6);
        // By another lock: what node 1 learned, too.
        assert_eq!(texts(notes.take(2, Carries::Lock(6))), [(0, "a".into()), (1, "bc".into())]);
        assert_eq!(notes.take(2, Carries::Lock(5)), []);
        notes.write(2, b"");
        // A flush: whatever lock it was under.
        assert_eq!(texts(notes.clone().take(0, Carries::Lock(FLUSH_LOCK))), [(1, "bc".into())]);
        notes.all_arrived();
        // Written after the barrier, before another process has left it.
        notes.write(2, b"d");
        assert_eq!(texts(notes.take(0, Carries::All)), [(1, "bc".into())]);
        assert_eq!((notes.take(1, Carries::All), notes.take(2, Carries::All)), (vec![], vec![]));
        notes.all_arrived();
        assert_eq!(texts(notes.take(0, Carries::All)), [(2, "d".into())]);
    }
}
