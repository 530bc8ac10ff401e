// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loops and sections: which thread has which iterations. Iterations are numbered from 0. What dynamic and
//! guided schedules hand out next is in a cell of the ring's memory, changed under a lock of the ring.

use crate::{commit, die::die, start, team, wire};

/// How iterations are shared out; the number is that of iterations in a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schedule {
    /// Equal parts, or chunks in turn.
    Static(u64),
    /// The next chunk to who asks for it.
    Dynamic(u64),
    /// Chunks that become smaller.
    Guided(u64),
    /// As static without chunks; it has its own number.
    Auto,
}

impl Schedule {
    /// `OMP_SCHEDULE`; dynamic with chunks of 1 without it, as libgomp has it.
    pub(crate) fn from_environment() -> Self {
        let Some(text) = start::variable(c"OMP_SCHEDULE") else { return Schedule::Dynamic(1) };
        let text = text.trim().to_lowercase();
        let plain = text.split_once(':').map_or(&text[..], |(_, schedule)| schedule);
        let (kind, chunk) = plain.split_once(',').unwrap_or((plain, ""));
        let chunk = match chunk.trim() {
            "" => None,
            number => match number.parse::<i32>() {
                Ok(chunk) if chunk >= 0 => Some(u64::from(chunk.cast_unsigned())),
                _ => die!(
                    "OMP_SCHEDULE is `{text}`: expected a number of iterations up to {}",
                    i32::MAX
                ),
            },
        };
        match kind.trim() {
            "static" => Schedule::Static(chunk.unwrap_or(0)),
            "dynamic" => Schedule::Dynamic(chunk.unwrap_or(1).max(1)),
            "guided" => Schedule::Guided(chunk.unwrap_or(1).max(1)),
            "auto" => Schedule::Auto,
            _ => die!("OMP_SCHEDULE is `{text}`: expected static, dynamic, guided or auto"),
        }
    }

    /// Returns true if each thread knows its iterations from the start.
    const fn is_static(self) -> bool {
        matches!(self, Schedule::Static(_) | Schedule::Auto)
    }

    /// Kind, as `omp_sched_t` numbers it, and chunk.
    pub(crate) const fn words(self) -> [u32; 2] {
        match self {
            Schedule::Static(chunk) => [1, chunk as u32],
            Schedule::Dynamic(chunk) => [2, chunk as u32],
            Schedule::Guided(chunk) => [3, chunk as u32],
            Schedule::Auto => [4, 1],
        }
    }

    /// The schedule of an `omp_sched_t`.
    pub(crate) fn from_words([kind, chunk]: [u32; 2]) -> Self {
        let chunk = u64::from(chunk);
        match kind & 0xff {
            2 => Schedule::Dynamic(chunk.max(1)),
            3 => Schedule::Guided(chunk.max(1)),
            4 => Schedule::Auto,
            _ => Schedule::Static(chunk),
        }
    }
}

/// A loop of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    pub(crate) schedule: Schedule,
    /// First value, the one behind the last, and the step; signed loops in two's complement.
    pub(crate) first: u64,
    pub(crate) end: u64,
    pub(crate) step: u64,
    /// Iterations.
    pub(crate) count: u64,
}

impl Loop {
    /// A loop over signed values.
    pub(crate) fn signed(schedule: Schedule, first: i64, end: i64, step: i64) -> Self {
        let distance = i128::from(end) - i128::from(first);
        let step_wide = i128::from(step);
        let count = if step == 0 || distance.signum() != step_wide.signum() {
            0
        } else {
            (distance.abs() + step_wide.abs() - 1) / step_wide.abs()
        };
        let (first, end, step) = (first as u64, end as u64, step as u64);
        Loop { schedule, first, end, step, count: count as u64 }
    }

    /// A loop over unsigned values; the step of one that counts down is in two's complement.
    pub(crate) fn unsigned(schedule: Schedule, up: bool, first: u64, end: u64, step: u64) -> Self {
        let count = if up && first < end {
            (end - first).div_ceil(step.max(1))
        } else if !up && first > end {
            (first - end).div_ceil(step.wrapping_neg().max(1))
        } else {
            0
        };
        Loop { schedule, first, end, step, count }
    }

    /// Sections: numbers 1 to `count`.
    pub(crate) const fn sections(count: u64) -> Self {
        Loop { schedule: Schedule::Dynamic(1), first: 1, end: count + 1, step: 1, count }
    }

    fn value(&self, index: u64) -> u64 {
        if index >= self.count {
            self.end
        } else {
            self.first.wrapping_add(index.wrapping_mul(self.step))
        }
    }

    /// Words for the command of a region.
    pub(crate) fn words(&self) -> [u32; 10] {
        let [kind, chunk] = self.schedule.words();
        let mut words = [kind, chunk, 0, 0, 0, 0, 0, 0, 0, 0];
        for (index, value) in [self.first, self.end, self.step, self.count].into_iter().enumerate()
        {
            words[2 + 2 * index] = value as u32;
            words[3 + 2 * index] = (value >> 32) as u32;
        }
        words
    }

    /// The loop of these words.
    pub(crate) fn from_words(words: &[u32]) -> Self {
        let long = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
        let schedule = Schedule::from_words([words[0], words[1]]);
        Loop { schedule, first: long(2), end: long(4), step: long(6), count: long(8) }
    }
}

/// A loop or sections under way in this thread.
pub(crate) struct Sharing {
    the: Loop,
    ordered: bool,
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
fn open_cell(number: u64) -> [u32; wire::CELL_WORDS] {
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
            cell[at::THREADS] = team::threads() as u32;
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
    pub(crate) fn new(the: Loop, ordered: bool) -> Self {
        let shared = !team::alone() && (ordered || !the.schedule.is_static());
        let cell = if shared { team::next_sharing() } else { 0 };
        if ordered && shared {
            open_cell(cell);
            close_cell();
        }
        Sharing { the, ordered, cell, chunks: 0, next: 0, current: (0, 0), turn: false }
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
        let (threads, thread) = (team::threads() as u64, team::thread() as u64);
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
        let mut cell = open_cell(self.cell);
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
        wire::set_cell(self.cell, at::TURN, &[end as u32, (end >> 32) as u32]);
        self.turn = false;
        self.current = (end, end);
    }

    /// The loop ends in this thread.
    pub(crate) fn finish(mut self) {
        self.pass_turn();
        if self.ordered && self.the.schedule.is_static() && self.cell != 0 {
            let mut cell = open_cell(self.cell);
            cell[at::DONE] += 1;
            wire::set_cell(self.cell, 0, &cell[..at::TURN]);
            close_cell();
        }
    }
}
