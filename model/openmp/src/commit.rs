// SPDX-License-Identifier: MIT OR Apache-2.0
//! Publishing what this rank has changed, and applying what the others have.
//!
//! A commit is a record in the rank's own log, in the ring's memory. A reader takes it from its own replica.
//! Each all-rank barrier ends an epoch: the next one uses the other log, so a log is only written again when
//! all ranks have read it.

use crate::{
    audit,
    cell::Guarded,
    coherent,
    die::die,
    frames, image,
    patch::Patch,
    race, rank,
    record::{BARRIER, FLUSH, Order, Record},
    slices, stdio, wire,
};
use awgstar_program::Cause;
use std::{collections::BTreeMap, rc::Rc};

/// A published patch of this rank.
struct Own {
    order: Rc<Order>,
    patch: Patch,
}

struct State {
    epoch: u32,
    /// All-rank barriers.
    barriers: u32,
    /// Commits, with empty ones, and records applied.
    syncs: u64,
    applied: u64,
    /// Words used in the own log of this epoch.
    used: usize,
    /// Words read of each rank's log.
    read: Vec<usize>,
    lamport: u32,
    /// Commits with changes since the last barrier.
    number: u32,
    /// For each rank the last commit that comes before what this rank does now.
    synced: Vec<u32>,
    /// Changes of `number` and `synced`, and how many of them each cause has published.
    known: u32,
    told: BTreeMap<u32, u32>,
    /// Commits that have arrived, and that a lock or a flush may yet put before what this rank does.
    arrived: Vec<(usize, Order)>,
    /// What this rank has published since the last barrier, by page.
    own: BTreeMap<usize, Vec<Own>>,
}

static STATE: Guarded<State> = Guarded::new(State {
    epoch: 0,
    barriers: 0,
    syncs: 0,
    applied: 0,
    used: 0,
    read: Vec::new(),
    lamport: 0,
    number: 0,
    synced: Vec::new(),
    known: 0,
    told: BTreeMap::new(),
    arrived: Vec::new(),
    own: BTreeMap::new(),
});

/// Begins in the process of a rank.
pub(crate) fn begin_rank() {
    let mut state = STATE.borrow();
    state.read = vec![0; rank::ranks()];
    state.synced = vec![0; rank::ranks()];
}

/// What is left to publish of a commit.
struct Pending {
    order: Rc<Order>,
    site: usize,
    freed: Vec<usize>,
    patches: std::iter::Peekable<std::vec::IntoIter<Patch>>,
    /// A record is due even if nothing has changed: it tells what came before.
    due: bool,
}

impl Pending {
    fn is_empty(&mut self) -> bool {
        self.freed.is_empty() && self.patches.peek().is_none() && !self.due
    }

    /// A record of at most `room` bytes.
    fn part(&mut self, room: usize) -> Option<Vec<u8>> {
        let head = Record::head_len(rank::ranks(), 0);
        let mut left = room.checked_sub(head)?;
        let mut record =
            Record { order: (*self.order).clone(), site: self.site, ..Record::default() };
        while let Some(patch) = self.patches.next_if(|patch| patch.encoded_len() <= left) {
            left -= patch.encoded_len();
            record.patches.push(patch);
        }
        // After all changes of the blocks that they free.
        while self.patches.peek().is_none()
            && left >= 8
            && let Some(block) = self.freed.pop()
        {
            record.freed.push(block);
            left -= 8;
        }
        if record.freed.is_empty() && record.patches.is_empty() && !self.due {
            return None;
        }
        self.due = false;
        let mut bytes = Vec::new();
        record.encode(&mut bytes);
        Some(bytes)
    }
}

/// What the data of a commit counts as.
const fn counted(cause: u32) -> Cause {
    match cause {
        BARRIER => Cause::Barrier,
        FLUSH => Cause::Flush,
        wire::lock::ATOMIC => Cause::Atomic,
        wire::lock::CELL => Cause::Loops,
        _ => Cause::Critical,
    }
}

/// Takes what has changed as a commit.
fn collect(cause: u32) -> Pending {
    stdio::flush();
    let patches = image::take_changes();
    let freed = slices::take_remote();
    let mut state = STATE.borrow();
    state.syncs += 1;
    if !patches.is_empty() || !freed.is_empty() {
        state.number += 1;
        state.known += 1;
    }
    // Who takes the lock next must know all that came before its release, even if nothing changed under it.
    let known = state.known;
    let due = cause != BARRIER && state.told.insert(cause, known).unwrap_or(0) < known;
    if !patches.is_empty() || !freed.is_empty() || due {
        state.lamport += 1;
    }
    let (lamport, number, synced) = (state.lamport, state.number, state.synced.clone());
    let order = Rc::new(Order { lamport, number, synced, cause });
    for patch in &patches {
        audit::touched(patch.page);
        let own = Own { order: Rc::clone(&order), patch: patch.clone() };
        state.own.entry(patch.page).or_default().push(own);
    }
    let patches = patches.into_iter().peekable();
    Pending { order, site: frames::caller(), freed, patches, due }
}

/// Number of all-rank barriers so far, the same in all ranks.
pub(crate) fn barriers() -> u32 {
    STATE.borrow().barriers
}

/// Number of commits so far, with empty ones.
pub(crate) fn syncs() -> u64 {
    STATE.borrow().syncs
}

/// Number of records of other ranks applied so far, and of pages that they have changed.
pub(crate) fn applied() -> u64 {
    STATE.borrow().applied + coherent::learned()
}

fn epoch() -> u32 {
    STATE.borrow().epoch
}

/// How much all ranks have published in this epoch.
pub(crate) fn heads() -> Vec<wire::Head> {
    wire::heads(epoch())
}

/// Publishes all changes in the log of this epoch: before the release of a lock, and at a flush.
pub(crate) fn publish(cause: u32) {
    let mut pending = collect(cause);
    if rank::has_protocol() {
        note(&mut pending);
        return;
    }
    while !pending.is_empty() {
        let (epoch, used) = place();
        let room = wire::log_bytes() - 4 * used;
        let Some(bytes) = pending.part(room) else {
            die!(
                "the log of {} bytes is full: too much has changed since the last barrier; run with a larger --memory",
                wire::log_bytes()
            );
        };
        wire::append(counted(cause), epoch, used, &bytes, false);
        STATE.borrow().used += bytes.len() / 4;
    }
}

/// With a protocol of pages: publishes what has changed, and takes what others have published, where no lock is.
pub(crate) fn settle(cause: u32) {
    if rank::has_protocol() {
        coherent::flush(if cause == FLUSH { wire::lock::FLUSH } else { cause });
        update(cause);
    }
}

/// With a protocol of pages records go along with its calls.
fn note(pending: &mut Pending) {
    while let Some(bytes) = pending.part(usize::MAX) {
        coherent::note(&bytes);
    }
}

/// Where the next record goes: the epoch, and the words used in its log.
fn place() -> (u32, usize) {
    let state = STATE.borrow();
    (state.epoch, state.used)
}

/// Applies all that has arrived: after a lock is taken, and at a flush. Commits of that lock come before what
/// this rank does now; at a flush all do.
pub(crate) fn update(cause: u32) {
    if rank::has_protocol() {
        apply_notes();
    } else {
        apply(counted(cause), &heads());
    }
    let mut state = STATE.borrow();
    let mut arrived = std::mem::take(&mut state.arrived);
    arrived.retain(|(rank, order)| {
        let before = cause == FLUSH || order.cause == cause;
        if before {
            state.comes_before(*rank, order);
        }
        !before
    });
    state.arrived = arrived;
}

impl State {
    fn begin_epoch(&mut self) {
        self.epoch += 1;
        self.used = 0;
        self.read.fill(0);
    }

    fn pass_barrier(&mut self) {
        self.barriers = self.barriers.wrapping_add(1);
        self.number = 0;
        self.synced.fill(0);
        self.known = 0;
        self.told.clear();
        self.arrived.clear();
        self.own.clear();
    }

    /// A commit of another rank comes before what this rank does now.
    fn comes_before(&mut self, rank: usize, order: &Order) {
        let old = self.synced.clone();
        self.synced[rank] = self.synced[rank].max(order.number);
        for (mine, theirs) in self.synced.iter_mut().zip(&order.synced) {
            *mine = (*mine).max(*theirs);
        }
        // Of its own commits this rank knows anyway.
        self.synced[rank::rank()] = 0;
        self.known += u32::from(self.synced != old);
    }
}

/// Epochs after which each of the two heads is written again: fewer than those that a head can tell apart.
const HEAD_AGE: u32 = 256;

/// Waits for all ranks. After it each has what all have changed.
pub(crate) fn barrier() {
    let mut pending = collect(BARRIER);
    if rank::has_protocol() {
        note(&mut pending);
        coherent::barrier();
        apply_notes();
        STATE.borrow().pass_barrier();
        return;
    }
    loop {
        let (epoch, used) = place();
        let room = wire::log_bytes() - 4 * used;
        let bytes = if pending.is_empty() { None } else { pending.part(room) };
        let more = !pending.is_empty();
        // A head has nine bits of its epoch: one that nobody writes again would be valid again 512 epochs later.
        let refresh = epoch % HEAD_AGE >= HEAD_AGE - 2;
        if bytes.is_some() || more || refresh {
            let bytes = bytes.unwrap_or_default();
            wire::append(Cause::Barrier, epoch, used, &bytes, more);
        }
        audit::before_barrier(barriers().wrapping_add(1));
        wire::with(awgstar_program::Node::barrier);
        let heads = heads();
        apply(Cause::Barrier, &heads);
        STATE.borrow().begin_epoch();
        if !heads.iter().any(|head| head.more) {
            break;
        }
    }
    STATE.borrow().pass_barrier();
    audit::after_barrier(barriers());
}

fn apply(cause: Cause, heads: &[wire::Head]) {
    let me = rank::rank();
    let epoch = epoch();
    let mut records = Vec::new();
    for (rank, head) in heads.iter().enumerate() {
        let read = STATE.borrow().read[rank];
        if rank == me || head.words <= read {
            continue;
        }
        let bytes = wire::log(cause, rank, epoch, read, head.words);
        STATE.borrow().read[rank] = head.words;
        decode(rank, &bytes, &mut records);
    }
    apply_records(records);
}

/// Records that came with calls of the protocol of pages.
fn apply_notes() {
    let mut records = Vec::new();
    for (rank, bytes) in coherent::notes() {
        decode(rank, &bytes, &mut records);
    }
    apply_records(records);
}

fn decode(rank: usize, bytes: &[u8], records: &mut Vec<(usize, Record)>) {
    let mut rest = bytes;
    while !rest.is_empty() {
        match Record::decode(&mut rest, rank::ranks()) {
            Some(record) => records.push((rank, record)),
            None => die!("internal: the log of node {rank} is not valid"),
        }
    }
}

fn apply_records(mut records: Vec<(usize, Record)>) {
    records.sort_by_key(|(rank, record)| (record.order.lamport, *rank));
    for (rank, record) in records {
        let freed = slices::freed(&record.freed);
        let mut state = STATE.borrow();
        state.applied += 1;
        state.lamport = state.lamport.max(record.order.lamport);
        state.arrived.push((rank, record.order.clone()));
        if freed {
            // What the block held before is over when it is used again.
            state.comes_before(rank, &record.order);
        }
        for patch in &record.patches {
            audit::touched(patch.page);
            state.apply_patch(rank, &record, patch);
        }
    }
}

impl State {
    fn apply_patch(&self, rank: usize, record: &Record, patch: &Patch) {
        let me = rank::rank();
        let order = &record.order;
        let before = |order: &Order, rank: usize| order.synced.get(rank).copied().unwrap_or(0);
        let own = self.own.get(&patch.page).map_or(&[][..], Vec::as_slice);
        // Neither commit comes before the other.
        let aside = |own: &&Own| {
            own.order.number > before(order, me)
                && order.number > before(&own.order, rank)
                && own.patch.overlaps(patch)
        };
        let side: Vec<&Own> = own.iter().filter(aside).collect();
        for own in &side {
            patch.each(|index, value| {
                if let Some(mine) = own.patch.value(index).filter(|&mine| mine != value) {
                    let theirs =
                        race::Side { node: Some(rank), value, site: record.site, commit: true };
                    let ours = race::Side {
                        node: Some(me),
                        value: mine,
                        site: own.patch.site,
                        commit: false,
                    };
                    race::report(patch.page + index, &ours, &theirs);
                }
            });
        }
        let keep = |addr: usize| {
            side.iter().any(|own| {
                (own.order.lamport, me) > (order.lamport, rank)
                    && own.patch.value(addr - patch.page).is_some()
            })
        };
        image::apply(patch, &keep, &mut |conflict| {
            let value = patch.value(conflict.addr - patch.page).unwrap_or(0);
            let theirs = race::Side { node: Some(rank), value, site: record.site, commit: true };
            let ours = race::Side {
                node: Some(me),
                value: conflict.mine,
                site: conflict.site,
                commit: false,
            };
            race::report(conflict.addr, &ours, &theirs);
        });
    }
}
