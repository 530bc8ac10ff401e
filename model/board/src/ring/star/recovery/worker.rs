// SPDX-License-Identifier: MIT OR Apache-2.0
//! A host that writes its own area, and rewrites areas on request.

#[cfg(test)]
mod tests;

use super::case::{Case, MEMORY};
use crate::ring::boards::{BoardRing, WINDOW, read_block, write_block};
use crate::ring::{HostOp, Outcome, ScenarioError};
use awgstar_frame::quantity::{ByteAddress, Cycle, narrow};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xorshift::XorShiftRng;
use std::collections::VecDeque;
use std::ops::Range;

/// Words that are read before they are written again.
const CHUNK: usize = 32;

/// The bytes that host `i` writes.
pub(super) fn area(case: &Case, i: usize) -> Range<usize> {
    let size = (MEMORY / case.boards) & !3;
    i * size..(i + 1) * size
}

/// A word that was handed to the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) addr: usize,
    pub(super) data: [u8; 4],
    pub(super) strobe: u8,
    /// Answer of the board; `None` before the answer.
    pub(super) outcome: Option<Outcome>,
}

/// Operations that the host waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Batch {
    Nothing,
    Work,
    /// A write that has to go round the ring before the host reads.
    Probe,
    Read,
    Rewrite,
}

/// An area to be rewritten.
#[derive(Clone, Debug)]
struct Job {
    left: Range<usize>,
    /// A frame of the host was sent after all that was under way.
    probed: bool,
    /// That frame has returned.
    clear: bool,
    /// Words read from the replica and still to be written.
    words: Vec<u32>,
}

/// The host.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    pub(super) area: Range<usize>,
    pub(super) works: bool,
    pub(super) log: Vec<Written>,
    /// Words of the log that all boards had when the host last knew.
    pub(super) confirmed: usize,
    /// Number of data frames that have returned since the start.
    pub(super) acknowledged: u64,
    pub(super) refused: u64,
    /// Words of the log that have been answered.
    answered: usize,
    base: u8,
    pause: u32,
    next: Cycle,
    random: XorShiftRng,
    batch: Batch,
    jobs: VecDeque<Job>,
    /// The last thing was the end of a chunk.
    job_last: bool,
}

impl Worker {
    pub(super) fn new(case: &Case, i: usize) -> Self {
        let seed = case.seed.wrapping_mul(1_000_003).wrapping_add(i as u64);
        Worker {
            area: area(case, i),
            works: false,
            log: Vec::new(),
            confirmed: 0,
            acknowledged: 0,
            refused: 0,
            answered: 0,
            base: 0,
            pause: case.pause.max(1),
            next: Cycle(0),
            random: XorShiftRng::seed_from_u64(seed),
            batch: Batch::Nothing,
            jobs: VecDeque::new(),
            job_last: false,
        }
    }

    /// Adds an area to be read from the local replica and written again.
    pub(super) fn rewrite(&mut self, area: Range<usize>) {
        self.jobs.push_back(Job { left: area, probed: false, clear: false, words: Vec::new() });
    }

    /// No job is left.
    pub(super) fn idle_job(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Number of data frames of board `i` that have not returned, with the open one.
    pub(super) fn outstanding(ring: &BoardRing, i: usize) -> u64 {
        let board = ring.board(i);
        u64::from(board.u_data.tail_q.wrapping_sub(board.u_data.base_q))
            + u64::from(board.u_combiner.open_q)
    }

    /// Forgets all waiting work and restarts the numbers: the board has failed.
    pub(super) fn died(&mut self) {
        self.batch = Batch::Nothing;
        self.jobs.clear();
        self.base = 0;
    }

    /// Stops waiting for writes that were never answered.
    pub(super) fn forget_open(&mut self) {
        self.answered = self.log.len();
        self.confirmed = self.log.len();
    }

    /// One cycle.
    pub(super) fn step(&mut self, ring: &mut BoardRing, i: usize) -> Result<(), ScenarioError> {
        if !ring.powered(i) {
            return Ok(());
        }
        let data = &ring.board(i).u_data;
        self.acknowledged += u64::from(data.base_q.wrapping_sub(self.base));
        self.base = data.base_q;
        if !ring.host(i).is_idle() {
            return Ok(());
        }
        self.look(ring, i);
        let back = Worker::outstanding(ring, i) == 0;
        if back {
            self.confirmed = self.answered;
        }
        let cycle = ring.cycle();
        let due = self.works && cycle >= self.next;
        let ops = if !self.jobs.is_empty() && (!due || !self.job_last) {
            // The host's own writes come between chunks, never between reading and writing one.
            let ops = self.job(back);
            self.job_last = self.batch == Batch::Rewrite;
            ops
        } else if due {
            self.job_last = false;
            self.next = cycle + Cycle::from(1 + self.random.next_u32() % (2 * self.pause));
            self.work()
        } else {
            return Ok(());
        };
        if ops.is_empty() { Ok(()) } else { ring.push(i, ops) }
    }

    /// Takes the results of the last batch.
    pub(super) fn look(&mut self, ring: &mut BoardRing, i: usize) {
        let results = ring.take_results(i);
        let refused = results.iter().filter(|r| r.outcome == Outcome::Refused).count();
        match std::mem::replace(&mut self.batch, Batch::Nothing) {
            Batch::Work => {
                for (result, word) in results.iter().zip(&mut self.log[self.answered..]) {
                    word.outcome = Some(result.outcome);
                }
                self.answered += results.len();
                self.refused += refused as u64;
            }
            Batch::Probe => {
                if let Some(job) = self.jobs.front_mut() {
                    job.probed = refused == 0;
                }
            }
            Batch::Read => {
                if let Some(job) = self.jobs.front_mut() {
                    job.words = results.iter().map(|r| r.data).collect();
                }
            }
            Batch::Rewrite => {
                if let Some(job) = self.jobs.front_mut() {
                    if refused == 0 {
                        job.left.start += 4 * job.words.len();
                    }
                    // What was refused is read again: by then it may have been written anew.
                    job.words.clear();
                }
            }
            Batch::Nothing => {}
        }
    }

    /// A block of 1 to 64 bytes somewhere in the own area.
    fn work(&mut self) -> Vec<HostOp> {
        let size = self.area.len();
        let len = 1 + self.random.next_u32() as usize % 64.min(size);
        let at = self.area.start + self.random.next_u32() as usize % (size - len + 1);
        let fill = self.random.next_u32().to_le_bytes();
        let block: Vec<u8> = fill.iter().copied().cycle().take(len).collect();
        let ops = write_block(ByteAddress::at(at), &block);
        for op in &ops {
            if let &HostOp::Write { addr, data, strobe } = op {
                let (addr, data) = ((addr - WINDOW) as usize, data.to_le_bytes());
                self.log.push(Written { addr, data, strobe, outcome: None });
            }
        }
        self.batch = Batch::Work;
        ops
    }

    /// The next step of the first job.
    fn job(&mut self, back: bool) -> Vec<HostOp> {
        if self.jobs.front().is_some_and(|job| !job.probed) {
            // What it holds already: all that matters is that it goes round.
            self.batch = Batch::Probe;
            let image = self.image(self.answered);
            return write_block(ByteAddress::at(self.area.start), &image[..4]);
        }
        let Some(job) = self.jobs.front_mut() else { return Vec::new() };
        let at = ByteAddress::at(job.left.start);
        job.clear |= back;
        if !job.clear {
            return Vec::new();
        }
        if job.left.is_empty() {
            if back {
                self.jobs.pop_front();
            }
            return Vec::new();
        }
        if job.words.is_empty() {
            self.batch = Batch::Read;
            let words = (job.left.len() / 4).min(CHUNK);
            return read_block(at, narrow(words));
        }
        self.batch = Batch::Rewrite;
        let bytes: Vec<u8> = job.words.iter().flat_map(|w| w.to_le_bytes()).collect();
        write_block(at, &bytes)
    }

    /// The own area as the first `words` words of the log make it.
    pub(super) fn image(&self, words: usize) -> Vec<u8> {
        let mut image = vec![0; self.area.len()];
        for word in &self.log[..words] {
            word.put(&mut image, self.area.start);
        }
        image
    }
}

impl Written {
    /// Puts it into an image of the area that begins at `start`.
    pub(super) fn put(&self, image: &mut [u8], start: usize) {
        if self.outcome == Some(Outcome::Refused) {
            return;
        }
        for lane in (0..4).filter(|lane| self.strobe >> lane & 1 == 1) {
            image[self.addr - start + lane] = self.data[lane];
        }
    }
}
