// SPDX-License-Identifier: MIT OR Apache-2.0
//! Audit: after each barrier all ranks must have the same bytes in all that is shared. Each rank writes a hash
//! of each page into memory that the processes share beside the ring; rank 0 compares at the next barrier,
//! so an audited run takes the same time on the ring.

use crate::{
    cell::Guarded,
    die::die,
    frames, image,
    layout::{PAGE, RANKS_MAX, page, stack},
    rank, symbols, system,
};
use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// Tables: two for each rank, of pairs of a page and its hash, behind their number.
const TABLES: usize = 0x0530_0000_0000;
const TABLE: usize = 64 << 20;
const LOWS: usize = TABLES - PAGE;

static PAGES: Guarded<BTreeSet<usize>> = Guarded::new(BTreeSet::new());

/// Maps the tables, before the fork.
pub(crate) fn map(ranks: usize) {
    if rank::options().audit
        && !(system::map_shared(TABLES, 2 * ranks * TABLE) && system::map_shared(LOWS, PAGE))
    {
        die!("the system refuses memory for the audit");
    }
}

/// A page has changed, here or on another rank, or is to be compared anyway.
pub(crate) fn touched(page: usize) {
    if rank::options().audit {
        PAGES.borrow().insert(page);
    }
}

fn words(at: usize, count: usize) -> &'static [AtomicU64] {
    // SAFETY: the tables are mapped; each rank writes its own between barriers of the ring.
    unsafe { std::slice::from_raw_parts(at as *const AtomicU64, count) }
}

/// Stack pointers of all ranks at a barrier.
fn lows(barrier: u32) -> &'static [AtomicU64] {
    words(LOWS + (barrier & 1) as usize * RANKS_MAX * 8, RANKS_MAX)
}

fn table(rank: usize, barrier: u32) -> &'static [AtomicU64] {
    words(TABLES + (2 * rank + (barrier & 1) as usize) * TABLE, TABLE / 8)
}

/// Says how far down the stack of this rank is in use, before barrier `barrier`.
pub(crate) fn before_barrier(barrier: u32) {
    if rank::options().audit {
        let low = &lows(barrier)[rank::rank()];
        low.store(frames::end() as u64, Relaxed);
    }
}

fn hash(parts: &[std::ops::Range<usize>]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add =
        |word: u64| hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    for part in parts {
        let page = image::of_page(page(part.start));
        let (words, rest) =
            page[part.start % PAGE..part.start % PAGE + part.len()].as_chunks::<8>();
        for word in words {
            add(u64::from_le_bytes(*word));
        }
        for &byte in rest {
            add(byte.into());
        }
    }
    hash
}

/// The parts of a page that all ranks must have alike after a barrier.
fn parts(at: usize, barrier: u32) -> Vec<std::ops::Range<usize>> {
    for rank in 0..rank::ranks() {
        let (base, top) = stack(rank);
        if (base..top).contains(&at) {
            // Below its stack pointer a rank has what nobody else needs.
            let low = lows(barrier)[rank].load(Relaxed) as usize;
            let part = at.max(low)..(at + PAGE).min(top);
            return if part.is_empty() { Vec::new() } else { vec![part] };
        }
    }
    let mut parts = image::tracked(at, at + PAGE);
    let tls = image::own_tls();
    if tls.start < at + PAGE && tls.end > at {
        parts.push(tls.start.max(at)..tls.end.min(at + PAGE));
        parts.sort_by_key(|part| part.start);
    }
    parts
}

/// After barrier `barrier`: writes the hashes of this rank, and compares those of the barrier before.
pub(crate) fn after_barrier(barrier: u32) {
    if !rank::options().audit {
        return;
    }
    if rank::rank() == 0 && barrier > 1 {
        compare(barrier - 1);
    }
    let table = table(rank::rank(), barrier);
    let pages = PAGES.borrow();
    if 2 * pages.len() + 1 > table.len() {
        die!("audit: {} pages are more than it can compare", pages.len());
    }
    table[0].store(pages.len() as u64, Relaxed);
    for (index, &at) in pages.iter().enumerate() {
        table[1 + 2 * index].store(at as u64, Relaxed);
        table[2 + 2 * index].store(hash(&parts(at, barrier)), Relaxed);
    }
}

fn compare(barrier: u32) {
    let mine = table(0, barrier);
    for rank in 1..rank::ranks() {
        let theirs = table(rank, barrier);
        let count = mine[0].load(Relaxed).max(theirs[0].load(Relaxed)) as usize;
        let pairs = |table: &'static [AtomicU64]| {
            let (pairs, _) = table[1..].as_chunks::<2>();
            let pairs = pairs.iter().take(table[0].load(Relaxed) as usize);
            pairs.map(|pair| pair.each_ref().map(|word| word.load(Relaxed)))
        };
        let (mut mine, mut theirs) = (pairs(mine), pairs(theirs));
        for _ in 0..count {
            let (a, b) = (mine.next(), theirs.next());
            if a != b {
                let at = a.or(b).map_or(0, |pair| pair[0]) as usize;
                die!(
                    "audit: after barrier {barrier} node {rank} has other bytes than node 0 in the page at {at:#x} ({})",
                    symbols::of_page(at)
                );
            }
        }
    }
}
