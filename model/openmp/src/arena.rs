// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory of the library: apart from the heap of the program, whose bytes travel.

use crate::{
    cell::Guarded,
    layout::{ARENA, ARENA_ZONE, RANKS_MAX},
    system,
};
use std::{
    alloc::{GlobalAlloc, Layout},
    ptr::null_mut,
};

/// Blocks are powers of two; a list of free ones for each.
struct State {
    free: [*mut u8; 48],
    next: usize,
    end: usize,
    /// The zone of the next fresh block.
    zone: usize,
}

impl State {
    /// Returns true for a block of the zone in use.
    fn has(&self, block: *mut u8) -> bool {
        (self.zone..self.zone + ARENA_ZONE).contains(&(block as usize))
    }
}

static STATE: Guarded<State> =
    Guarded::new(State { free: [null_mut(); 48], next: 0, end: 0, zone: ARENA });

/// Allocator of all Rust code in the library.
pub(crate) struct Arena;

#[global_allocator]
static GLOBAL: Arena = Arena;

/// Bytes that are mapped at a time.
const STEP: usize = 1 << 20;

fn class(size: usize, align: usize) -> usize {
    size.max(align).max(16).next_power_of_two().trailing_zeros() as usize
}

/// A block of at least `size` bytes; null when the system has none.
pub(crate) fn allocate(size: usize, align: usize) -> *mut u8 {
    let class = class(size, align);
    let mut state = STATE.borrow();
    if class >= state.free.len() {
        return null_mut();
    }
    let head = state.free[class];
    if !head.is_null() {
        // SAFETY: the first word of a free block points to the next one.
        state.free[class] = unsafe { head.cast::<*mut u8>().read() };
        return head;
    }
    let bytes = 1_usize << class;
    let at = state.next.next_multiple_of(bytes);
    if state.end == 0 || at + bytes > state.end {
        let from = if state.end == 0 { state.zone } else { state.end };
        let at = from.next_multiple_of(bytes);
        let end = (at + bytes).next_multiple_of(STEP);
        if end > state.zone + ARENA_ZONE || !system::map(from, end - from) {
            return null_mut();
        }
        if state.end == 0 {
            state.next = from;
        }
        state.end = end;
    }
    let at = state.next.next_multiple_of(bytes);
    state.next = at + bytes;
    at as *mut u8
}

/// Gives back a block of [`allocate`]. One from before the fork is not used again: a new stream there would
/// be, at the same address, the old one for the other ranks.
pub(crate) fn release(block: *mut u8, size: usize, align: usize) {
    let class = class(size, align);
    let mut state = STATE.borrow();
    if !state.has(block) {
        return;
    }
    // SAFETY: the block is free and has 16 bytes or more.
    unsafe { block.cast::<*mut u8>().write(state.free[class]) };
    state.free[class] = block;
}

/// Begins the zone of a rank: what it allocates from now on has an address that no other rank uses, so an
/// access of another rank is found.
pub(crate) fn begin_rank(rank: usize) {
    let mut state = STATE.borrow();
    *state =
        State { free: [null_mut(); 48], next: 0, end: 0, zone: ARENA + (rank + 1) * ARENA_ZONE };
}

/// The rank whose own memory has this address, if it was made after the fork.
pub(crate) fn rank_of(addr: usize) -> Option<usize> {
    let zone = addr.checked_sub(ARENA)? / ARENA_ZONE;
    (1..=RANKS_MAX).contains(&zone).then(|| zone - 1)
}

// SAFETY: blocks of the state are disjoint and aligned to their size.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        allocate(layout.size(), layout.align())
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        release(block, layout.size(), layout.align());
    }
}
