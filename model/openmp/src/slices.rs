// SPDX-License-Identifier: MIT OR Apache-2.0
//! Heap of the program. Each rank takes blocks from its own slice, so no two ranks take the same block. The
//! address of a block says its size: nothing is stored beside the data, and nothing but data travels.

use crate::{
    cell::Guarded,
    die::die,
    layout::{CLASS, PAGE, RANKS_MAX, SLICE, SLICES, page},
    system,
};
use std::ops::Range;

/// Sizes of blocks: 16 to 128 bytes in steps of 16, then four for each power of two.
pub(crate) const CLASSES: usize = 108;

#[derive(Default)]
struct Class {
    /// Free blocks, last one first.
    free: Vec<usize>,
    /// Bytes of the part that have been used.
    used: usize,
}

struct State {
    rank: usize,
    classes: [Class; CLASSES],
    /// Blocks of other ranks that this rank has freed; they travel to their owners with the next commit.
    remote: Vec<usize>,
    mapped: usize,
}

static STATE: Guarded<State> = Guarded::new(State {
    rank: 0,
    classes: [const { Class { free: Vec::new(), used: 0 } }; CLASSES],
    remote: Vec::new(),
    mapped: 0,
});

/// Bytes of the blocks of a class.
pub(crate) const fn size_of_class(class: usize) -> usize {
    if class < 8 {
        return (class + 1) * 16;
    }
    let (power, quarter) = ((class - 8) / 4, (class - 8) % 4 + 1);
    (128 << power) + ((32 << power) * quarter)
}

fn class_of_size(size: usize) -> Option<usize> {
    if size <= 128 {
        return Some(size.max(1).div_ceil(16) - 1);
    }
    let power = (size - 1).ilog2() as usize - 7;
    let class = 8 + 4 * power + (size - 1 - (128 << power)) / (32 << power);
    (class < CLASSES && size_of_class(class) <= CLASS).then_some(class)
}

/// Rank, class and start of the block with this address; `None` if it is in no slice.
fn place(addr: usize) -> Option<(usize, usize, usize)> {
    let offset = addr.checked_sub(SLICES)?;
    let (rank, class) = (offset / SLICE, offset % SLICE / CLASS);
    if rank >= RANKS_MAX || class >= CLASSES {
        return None;
    }
    let base = SLICES + rank * SLICE + class * CLASS;
    let size = size_of_class(class);
    Some((rank, class, base + (addr - base) / size * size))
}

/// Maps the slices of `ranks` ranks. Only pages that are used take memory.
pub(crate) fn map(ranks: usize) {
    STATE.borrow().map(ranks);
}

impl State {
    fn map(&mut self, ranks: usize) {
        for rank in self.mapped..ranks {
            let base = SLICES + rank * SLICE;
            if !system::map(base, SLICE) {
                die!(
                    "the system refuses {SLICE:#x} bytes of addresses for the heap of node {rank}"
                );
            }
            system::small_pages(base, SLICE);
            self.mapped = rank + 1;
        }
    }
}

/// From now on blocks come from the slice of this rank.
pub(crate) fn begin_rank(rank: usize) {
    let mut state = STATE.borrow();
    if rank != 0 {
        state.classes = [const { Class { free: Vec::new(), used: 0 } }; CLASSES];
    }
    state.rank = rank;
}

/// A block of at least `size` bytes, aligned to a power of two, and whether it may hold old data; `None` if
/// there is none.
pub(crate) fn allocate(size: usize, align: usize) -> Option<(usize, bool)> {
    let mut state = STATE.borrow();
    if state.mapped == 0 {
        state.map(1);
    }
    let size = if align > 16 { size.max(align).checked_next_power_of_two()? } else { size };
    let number = class_of_size(size)?;
    let class = &mut state.classes[number];
    if let Some(block) = class.free.pop() {
        return Some((block, true));
    }
    let bytes = size_of_class(number);
    if class.used + bytes > CLASS {
        return None;
    }
    let used = class.used;
    class.used += bytes;
    Some((SLICES + state.rank * SLICE + number * CLASS + used, false))
}

/// Returns true for an address in a slice.
pub(crate) fn has(addr: usize) -> bool {
    place(addr).is_some()
}

/// Bytes of the block at `addr`; `None` if no block begins there.
pub(crate) fn size(addr: usize) -> Option<usize> {
    place(addr).filter(|one| one.2 == addr).map(|one| size_of_class(one.1))
}

/// Frees a block; false if no block begins at `addr`.
pub(crate) fn release(addr: usize) -> bool {
    let Some((rank, class, start)) = place(addr) else { return false };
    if start != addr {
        return false;
    }
    let mut state = STATE.borrow();
    if rank == state.rank {
        state.classes[class].free.push(addr);
    } else {
        state.remote.push(addr);
    }
    true
}

/// Whole pages of the blocks of this process of at least so many bytes, before others had any.
pub(crate) fn large(least: usize) -> Vec<Range<usize>> {
    let state = STATE.borrow();
    let mut all = Vec::new();
    for (number, class) in state.classes.iter().enumerate() {
        let (size, base) = (size_of_class(number), SLICES + number * CLASS);
        if size >= least.max(PAGE) {
            let blocks = (0..class.used / size).map(|block| base + block * size);
            all.extend(blocks.map(|at| page(at)..page(at + size)));
        }
    }
    all
}

/// Takes the blocks of other ranks that were freed since the last call.
pub(crate) fn take_remote() -> Vec<usize> {
    std::mem::take(&mut STATE.borrow().remote)
}

/// Another rank has freed blocks: those of this rank are free now. Returns true if there are some.
pub(crate) fn freed(blocks: &[usize]) -> bool {
    let rank = STATE.borrow().rank;
    let own = blocks.iter().filter(|&&addr| place(addr).is_some_and(|one| one.0 == rank));
    own.filter(|&&addr| release(addr)).count() > 0
}

/// Words that say where an address of the heap is, for messages.
pub(crate) fn describe(addr: usize) -> Option<String> {
    let (rank, class, start) = place(addr)?;
    let size = size_of_class(class);
    Some(format!(
        "byte {} of a block of up to {size} bytes that node {rank} has allocated",
        addr - start
    ))
}
