// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loops and sections: which thread has which iterations. Iterations are numbered from 0. What dynamic and
//! guided schedules hand out next is in a cell of the ring's memory, changed under a lock of the ring.

use crate::{
    commit,
    die::die,
    schedule::{Loop, Schedule},
    wire,
};

/// A loop or sections under way in this thread.
pub(crate) struct Sharing {
    the: Loop,
    ordered: bool,
    /// Threads of the team, and the number of this one.
    threads: usize,
    thread: usize,
    /// Number of the cell; 0 without one.
    cell: u64,
    /// Chunks that this thread has had.
    chunks: u64,
    /// Next iteration, in a team of one.
    next: u64,
    /// Iterations of the current chunk.
    current: (u64, u64),
    /// It is this thread's turn in an ordered loop.
    turn: bool,
}

/// Words of a cell.
mod at {
    pub(super) const NUMBER: usize = 0;
    pub(super) const NEXT: usize = 1;
    pub(super) const DONE: usize = 3;
    pub(super) const THREADS: usize = 4;
    /// Not written with the others: only who has the turn does.
    pub(super) const TURN: usize = 6;
}

fn long(cell: &[u32], at: usize) -> u64 {
    u64::from(cell[at]) | u64::from(cell[at + 1]) << 32
}

/// Takes the lock of the cells when the cell of loop `number` is this loop's, and gives its words.
fn open_cell(number: u64, threads: usize) -> [u32; wire::CELL_WORDS] {
    let mut patience = wire::Patience::new();
    loop {
        wire::take(wire::lock::CELL, "internal: a cell");
        let mut cell = wire::cell(number);
        if u64::from(cell[at::NUMBER]) == number & 0xffff_ffff {
            return cell;
        }
        if cell[at::NUMBER] == 0 || cell[at::DONE] >= cell[at::THREADS] {
            cell = [0; wire::CELL_WORDS];
            cell[at::NUMBER] = number as u32;
            cell[at::THREADS] = threads as u32;
            wire::set_cell(number, 0, &cell);
            return cell;
        }
        // Other threads are in an older loop that has the same cell.
        wire::with(|node| node.unlock(wire::lock::CELL));
        if !patience.wait() {
            die!("a loop waits for threads that are {} loops behind", wire::CELLS_MAX);
        }
    }
}

fn close_cell() {
    wire::with(|node| node.unlock(wire::lock::CELL));
}

impl Sharing {
    /// Begins a loop in this thread. All threads of the team begin the same loops in the same order.
    /// `number` gives the number of a cell.
    pub(crate) fn new(
        the: Loop,
        ordered: bool,
        [thread, threads]: [usize; 2],
        number: impl FnOnce() -> u64,
    ) -> Self {
        let shared = threads > 1 && (ordered || !the.schedule.is_static());
        let cell = if shared { number() } else { 0 };
        if ordered && shared {
            open_cell(cell, threads);
            close_cell();
        }
        Sharing {
            the,
            ordered,
            threads,
            thread,
            cell,
            chunks: 0,
            next: 0,
            current: (0, 0),
            turn: false,
        }
    }

    /// The next values of this thread: the first, and the one behind the last; `None` when there are no more.
    pub(crate) fn next(&mut self) -> Option<(u64, u64)> {
        self.pass_turn();
        let chunk = self.chunk();
        self.chunks += 1;
        self.current = chunk.unwrap_or((self.the.count, self.the.count));
        chunk.map(|(first, end)| (self.the.value(first), self.the.value(end)))
    }

    fn chunk(&mut self) -> Option<(u64, u64)> {
        let (threads, thread) = (self.threads as u64, self.thread as u64);
        let count = self.the.count;
        let size = match self.the.schedule {
            Schedule::Static(0) | Schedule::Auto => {
                if self.chunks > 0 {
                    return None;
                }
                let (part, rest) = (count / threads, count % threads);
                let first = thread * part + thread.min(rest);
                let end = first + part + u64::from(thread < rest);
                return (first < end).then_some((first, end));
            }
            Schedule::Static(chunk) => {
                let first = (self.chunks * threads + thread).checked_mul(chunk)?;
                return (first < count).then(|| (first, count.min(first.saturating_add(chunk))));
            }
            Schedule::Dynamic(chunk) | Schedule::Guided(chunk) => chunk,
        };
        let guided = matches!(self.the.schedule, Schedule::Guided(_));
        let take = |next: u64| {
            let share = if guided { (count - next).div_ceil(threads) } else { 0 };
            (next, count.min(next.saturating_add(size.max(share))))
        };
        if self.cell == 0 {
            let chunk = (self.next < count).then(|| take(self.next));
            self.next = chunk.map_or(count, |chunk| chunk.1);
            return chunk;
        }
        let mut cell = open_cell(self.cell, self.threads);
        let next = long(&cell, at::NEXT);
        let chunk = (next < count).then(|| take(next));
        match chunk {
            Some((_, end)) => {
                cell[at::NEXT] = end as u32;
                cell[at::NEXT + 1] = (end >> 32) as u32;
            }
            None => cell[at::DONE] += 1,
        }
        wire::set_cell(self.cell, 0, &cell[..at::TURN]);
        close_cell();
        chunk
    }

    /// Waits until all iterations before the current chunk are done.
    pub(crate) fn wait_turn(&mut self) {
        if self.turn || self.cell == 0 {
            return;
        }
        let mut patience = wire::Patience::of_iterations();
        let mut heads = commit::heads();
        loop {
            if long(&wire::cell(self.cell), at::TURN) == self.current.0 {
                // Behind the lock this rank has all that the thread before it has published.
                wire::take(wire::lock::CELL, "internal: a cell");
                commit::update(wire::lock::CELL);
                close_cell();
                commit::settle(wire::lock::CELL);
                self.turn = true;
                return;
            }
            // A long iteration that publishes something is under way.
            let now = commit::heads();
            if now != heads {
                (heads, patience) = (now, wire::Patience::of_iterations());
            }
            if !patience.wait() {
                die!("an ordered region waits for iterations that do not end");
            }
        }
    }

    /// Gives the turn to the chunk behind the current one.
    fn pass_turn(&mut self) {
        let (first, end) = self.current;
        if !self.ordered || self.cell == 0 || first == end {
            return;
        }
        self.wait_turn();
        wire::take(wire::lock::CELL, "internal: a cell");
        commit::publish(wire::lock::CELL);
        close_cell();
        commit::settle(wire::lock::CELL);
        wire::set_cell(self.cell, at::TURN, &[end as u32, (end >> 32) as u32]);
        self.turn = false;
        self.current = (end, end);
    }

    /// The loop ends in this thread.
    pub(crate) fn finish(mut self) {
        self.pass_turn();
        if self.ordered && self.the.schedule.is_static() && self.cell != 0 {
            let mut cell = open_cell(self.cell, self.threads);
            cell[at::DONE] += 1;
            wire::set_cell(self.cell, 0, &cell[..at::TURN]);
            close_cell();
        }
    }
}
