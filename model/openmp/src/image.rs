// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory of the program that all ranks share: what of it this rank has changed.
//!
//! A page is protected until the program writes to it. The fault makes a copy, the twin, and opens the page.
//! The changed bytes are those that differ from the twin. The stack on which this rank runs cannot be
//! protected; it is compared with its twin as a whole.

pub(crate) mod pages;

use crate::{
    cell::{Guarded, Value},
    die::die,
    frames,
    layout::{
        Bytes, PAGE, RANKS_MAX, SLICE, SLICES, STACK_SIZE, STACK_TWIN, on_a_stack, page, stack,
    },
    patch::Patch,
    rank, system,
};
use awgstar_request::Protection;
use std::{collections::BTreeMap, ffi::CString, ops::Range};

/// A page to which this rank has written.
struct Open {
    twin: Box<Bytes>,
    /// Instruction that wrote first.
    site: usize,
}

struct State {
    /// Bytes whose changes travel, found by page protection; by first address.
    ranges: BTreeMap<usize, usize>,
    open: BTreeMap<usize, Open>,
    /// Pages with a protocol that are not open, once it has said how they are protected.
    protections: BTreeMap<usize, Protection>,
    armed: bool,
    /// Own thread-local variables, and what was last published of them.
    tls: Range<usize>,
    tls_twin: Vec<u8>,
    memory: i32,
    /// Pages opened so far.
    opened: u64,
}

static STATE: Guarded<State> = Guarded::new(State {
    ranges: BTreeMap::new(),
    open: BTreeMap::new(),
    protections: BTreeMap::new(),
    armed: false,
    tls: 0..0,
    tls_twin: Vec::new(),
    memory: -1,
    opened: 0,
});

/// Adds bytes whose changes travel. Ranges that touch are joined.
pub(crate) fn track(start: usize, end: usize) {
    if start >= end {
        return;
    }
    let (mut start, mut end) = (start, end);
    let ranges = &mut STATE.borrow().ranges;
    let touching: Vec<usize> = ranges
        .range(..=end)
        .filter(|&(_, &its_end)| its_end >= start)
        .map(|(&its_start, _)| its_start)
        .collect();
    for one in touching {
        end = end.max(ranges.remove(&one).unwrap_or(end));
        start = start.min(one);
    }
    ranges.insert(start, end);
}

/// Removes bytes from what travels.
pub(crate) fn untrack(start: usize, end: usize) {
    let ranges = &mut STATE.borrow().ranges;
    let hit: Vec<(usize, usize)> =
        ranges.range(..end).filter(|&(_, &e)| e > start).map(|(&s, &e)| (s, e)).collect();
    for (s, e) in hit {
        ranges.remove(&s);
        if s < start {
            ranges.insert(s, start);
        }
        if e > end {
            ranges.insert(end, e);
        }
    }
}

/// Parts of `start..end` that are tracked.
pub(crate) fn tracked(start: usize, end: usize) -> Vec<Range<usize>> {
    parts(&STATE.borrow().ranges, start, end)
}

fn parts(ranges: &BTreeMap<usize, usize>, start: usize, end: usize) -> Vec<Range<usize>> {
    let first = ranges.range(..=start).next_back().map_or(start, |(&s, _)| s);
    let hits = ranges.range(first..end).filter(|&(_, &e)| e > start);
    hits.map(|(&s, &e)| s.max(start)..e.min(end)).collect()
}

/// Begins the detection of writes in this process.
pub(crate) fn arm(rank: usize, tls: Range<usize>) {
    let (base, top) = stack(rank);
    untrack(base, top);
    untrack(tls.start, tls.end);
    let mut state = STATE.borrow();
    state.tls_twin = bytes(tls.start, tls.len()).to_vec();
    state.tls = tls;
    frames::set_stack(base, top);
    if !system::map(STACK_TWIN, STACK_SIZE) {
        die!("the system refuses memory for the stack's copy");
    }
    for (index, here) in system::resident(base, top - base).iter().enumerate() {
        if here & 1 != 0 {
            twin_of_stack(base + index * PAGE, PAGE)
                .copy_from_slice(bytes(base + index * PAGE, PAGE));
        }
    }
    let path = CString::from(c"/proc/self/mem");
    // SAFETY: the path ends with a zero.
    let fd = unsafe {
        libc::syscall(
            libc::SYS_openat,
            libc::AT_FDCWD,
            path.as_ptr(),
            libc::O_RDWR | libc::O_CLOEXEC,
        )
    };
    state.memory = i32::try_from(fd).unwrap_or(-1);
    if state.memory < 0 {
        die!("cannot open /proc/self/mem");
    }
    state.armed = true;
    for Range { start, end } in state.pages() {
        if !system::protect(start, end - start, Protection::Read) {
            die!("cannot protect the memory at {start:#x} to {end:#x}");
        }
    }
}

fn bytes(at: usize, len: usize) -> &'static [u8] {
    if len == 0 {
        return &[];
    }
    // SAFETY: callers give memory of the program that is mapped and readable.
    unsafe { std::slice::from_raw_parts(at as *const u8, len) }
}

/// Bytes that can be written. Callers drop them before they take others of the same memory: the state is the only
/// one that gives them, to one user at a time.
fn bytes_mut<'a>(at: usize, len: usize) -> &'a mut [u8] {
    if len == 0 {
        return &mut [];
    }
    // SAFETY: as above, and writable.
    unsafe { std::slice::from_raw_parts_mut(at as *mut u8, len) }
}

/// The bytes of a page.
pub(crate) fn of_page(at: usize) -> &'static Bytes {
    // SAFETY: tracked pages are mapped.
    unsafe { &*(at as *const Bytes) }
}

/// Opens the page of `addr` for writes of the instruction at `site`; false if the page is not protected by
/// the library.
pub(crate) fn open(addr: usize, site: usize) -> bool {
    STATE.borrow().open_page(page(addr), site)
}

/// Pages that are opened together when the system has too many mappings to split another one.
const AROUND: usize = 512;

impl State {
    fn open_page(&mut self, at: usize, site: usize) -> bool {
        let known = self.open.contains_key(&at);
        if !self.armed || known || parts(&self.ranges, at, at + PAGE).is_empty() {
            return false;
        }
        self.opened += 1;
        self.open.insert(at, Open { twin: Box::new(*of_page(at)), site });
        if !system::protect(at, PAGE, Protection::Write) {
            self.open_around(at);
        }
        true
    }

    /// Opens all pages around one.
    fn open_around(&mut self, at: usize) {
        let block = at & !(AROUND * PAGE - 1);
        let block = parts(&self.ranges, block, block + AROUND * PAGE);
        let block = block.iter().find(|one| one.contains(&at)).cloned().unwrap_or(at..at + PAGE);
        let (first, end) = (page(block.start), page(block.end + PAGE - 1));
        for one in (first..end).step_by(PAGE) {
            self.open.entry(one).or_insert_with(|| Open { twin: Box::new(*of_page(one)), site: 0 });
        }
        if !system::protect(first, end - first, Protection::Write) {
            die!(
                "too many separate pages are written to: the system refuses to split its mappings"
            );
        }
    }
}

/// The copy of a part of the own stack.
fn twin_of_stack<'a>(at: usize, len: usize) -> &'a mut [u8] {
    bytes_mut(STACK_TWIN + (at - frames::stack().0), len)
}

/// Makes bytes accessible as the protocol of pages says, once there is one.
type Touch = fn(usize, usize, bool);
static TOUCH: Value<Option<Touch>> = Value::new(None);

/// Sets it.
pub(crate) fn set_touch(touch: Touch) {
    TOUCH.set(Some(touch));
}

/// Opens all pages of a buffer into which the system is to write.
pub(crate) fn open_all(at: usize, len: usize) {
    if let Some(touch) = TOUCH.get() {
        touch(at, len, true);
    }
    let mut state = STATE.borrow();
    if !state.armed || len == 0 {
        return;
    }
    for one in parts(&state.ranges, at, at.saturating_add(len)) {
        for page in (page(one.start)..one.end).step_by(PAGE) {
            state.open_page(page, 0);
        }
    }
}

/// Takes what this rank has changed since the last call. Pages without a change are protected again.
pub(crate) fn take_changes() -> Vec<Patch> {
    let mut borrow = STATE.borrow();
    let state = &mut *borrow;
    if !state.armed {
        return Vec::new();
    }
    let mut changes = Vec::new();
    let mut clean = Vec::new();
    let other = |at: usize| frames::has_protocol(at) && rank::has_protocol();
    for (&at, open) in state.open.iter_mut().filter(|(at, _)| !other(**at)) {
        let parts = parts(&state.ranges, at, at + PAGE);
        let patch = Patch::of(at, &open.twin, of_page(at), &parts, open.site);
        match patch {
            Some(patch) => {
                open.twin.copy_from_slice(of_page(at));
                changes.push(patch);
            }
            None => clean.push(at),
        }
    }
    for at in clean {
        // A page that the system does not protect again stays open.
        if system::protect(at, PAGE, Protection::Read) {
            state.open.remove(&at);
        }
    }
    state.compare_own(&mut changes);
    changes
}

impl State {
    /// Changes of the own stack above the stack pointer, and of the own thread-local variables.
    fn compare_own(&mut self, changes: &mut Vec<Patch>) {
        let (base, top) = frames::stack();
        let low = frames::end().max(base);
        for at in (page(low)..top).step_by(PAGE) {
            let part = at.max(low)..(at + PAGE).min(top);
            let now = bytes(part.start, part.len());
            if bytes(STACK_TWIN + (part.start - base), part.len()) != now {
                let old = of_page(STACK_TWIN + (at - base));
                changes.extend(Patch::of(at, old, of_page(at), std::slice::from_ref(&part), 0));
                twin_of_stack(part.start, part.len()).copy_from_slice(now);
            }
        }
        let tls = self.tls.clone();
        let now = bytes(tls.start, tls.len());
        if now != self.tls_twin {
            for at in (page(tls.start)..tls.end).step_by(PAGE) {
                let part = at.max(tls.start)..(at + PAGE).min(tls.end);
                let mut old = *of_page(at);
                old[part.start - at..part.end - at]
                    .copy_from_slice(&self.tls_twin[part.start - tls.start..part.end - tls.start]);
                changes.extend(Patch::of(at, &old, of_page(at), std::slice::from_ref(&part), 0));
            }
            self.tls_twin.copy_from_slice(now);
        }
    }
}

/// A byte of this rank that another rank has changed too.
pub(crate) struct Conflict {
    /// Address of the byte.
    pub(crate) addr: usize,
    /// Unpublished value of this rank.
    pub(crate) mine: u8,
    /// Instruction of this rank that wrote to the page first; 0 if not known.
    pub(crate) site: usize,
}

/// Applies what another rank has changed; bytes for which `keep` is true stay. Calls `conflict` for bytes that
/// this rank has changed and not published, to another value: they stay, too, and travel with the next commit.
pub(crate) fn apply(
    patch: &Patch,
    keep: &dyn Fn(usize) -> bool,
    conflict: &mut dyn FnMut(Conflict),
) {
    let mut borrow = STATE.borrow();
    let state = &mut *borrow;
    let at = patch.page;
    let (base, top) = frames::stack();
    if let Some(open) = state.open.get_mut(&at) {
        let now = bytes_mut(at, PAGE);
        patch.each(|index, value| {
            let (mine, twin) = (&mut now[index], &mut open.twin[index]);
            if *mine != *twin && *mine != value {
                conflict(Conflict { addr: at + index, mine: *mine, site: open.site });
                *twin = value;
            } else if !keep(at + index) {
                (*mine, *twin) = (value, value);
            }
        });
    } else if (base..top).contains(&at) {
        let (now, twin) = (bytes_mut(at, PAGE), twin_of_stack(at, PAGE));
        apply_own(at, now, twin, patch, keep, conflict);
    } else if at < state.tls.end && at + PAGE > state.tls.start {
        let tls = state.tls.clone();
        let now = bytes_mut(tls.start, tls.len());
        let twin = &mut state.tls_twin;
        patch.each(|index, value| {
            if let Some(offset) = (at + index).checked_sub(tls.start).filter(|&o| o < tls.len()) {
                let (mine, twin) = (&mut now[offset], &mut twin[offset]);
                if *mine != *twin && *mine != value {
                    conflict(Conflict { addr: at + index, mine: *mine, site: 0 });
                    *twin = value;
                } else if !keep(at + index) {
                    (*mine, *twin) = (value, value);
                }
            } else {
                poke(state.memory, at + index, &[value]);
            }
        });
    } else {
        if parts(&state.ranges, at, at + PAGE).is_empty() {
            die!("internal: node {} does not know the page {at:#x}", rank::rank());
        }
        let mut now = state.published(at);
        let (mut first, mut last) = (PAGE, 0);
        patch.each(|index, value| {
            if !keep(at + index) {
                now[index] = value;
                first = first.min(index);
                last = index;
            }
        });
        if first <= last {
            poke(state.memory, at + first, &now[first..=last]);
        }
    }
}

fn apply_own(
    at: usize,
    now: &mut [u8],
    twin: &mut [u8],
    patch: &Patch,
    keep: &dyn Fn(usize) -> bool,
    conflict: &mut dyn FnMut(Conflict),
) {
    // Below the stack pointer there is no variable of this rank; the library does not write there either.
    patch.each(|index, value| {
        let (mine, twin) = (&mut now[index], &mut twin[index]);
        if *mine != *twin && *mine != value && at + index >= frames::end() {
            conflict(Conflict { addr: at + index, mine: *mine, site: 0 });
            *twin = value;
        } else if !keep(at + index) {
            (*mine, *twin) = (value, value);
        }
    });
}

/// Writes to protected pages of this process.
fn poke(memory: i32, at: usize, bytes: &[u8]) {
    // SAFETY: the bytes are the program's, and tracked.
    let done =
        unsafe { libc::syscall(libc::SYS_pwrite64, memory, bytes.as_ptr(), bytes.len(), at) };
    if usize::try_from(done) != Ok(bytes.len()) {
        die!("cannot write to the page at {at:#x}");
    }
}

/// Own thread-local variables.
pub(crate) fn own_tls() -> Range<usize> {
    STATE.borrow().tls.clone()
}

/// Pages of variables: those that travel, but neither heap nor stack of a thread's program.
pub(crate) fn pages_of_variables() -> Vec<usize> {
    let heap = SLICES..SLICES + RANKS_MAX * SLICE;
    let state = STATE.borrow();
    let large = |at: &usize| heap.contains(at) || on_a_stack(*at);
    let ranges = state.ranges.iter().filter(|(start, _)| !large(start));
    let ranges = ranges.map(|(&start, &end)| start..end).chain([state.tls.clone()]);
    ranges.flat_map(|range| (page(range.start)..range.end).step_by(PAGE)).collect()
}

/// Number of pages opened so far.
pub(crate) fn opened() -> u64 {
    STATE.borrow().opened
}
