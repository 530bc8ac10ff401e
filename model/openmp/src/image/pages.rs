// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pages with a protocol: the process accesses them as the protocol says.

use super::{Conflict, Open, STATE, State, of_page, parts};
use crate::{
    die::die,
    frames,
    layout::{Bytes, PAGE, SLICES, page},
    patch::Patch,
    rank, system,
};
use awgstar_request::Protection;
use std::ops::Range;

/// Returns true for a page of variables or of the heap, if a protocol keeps those coherent.
pub(crate) fn is_coherent(at: usize) -> bool {
    rank::has_protocol()
        && frames::has_protocol(at)
        && !parts(&STATE.borrow().ranges, at, at + PAGE).is_empty()
}

/// What this process may do with a page.
pub(crate) fn protection(at: usize) -> Protection {
    STATE.borrow().protection(at)
}

/// The instruction that wrote first to a page that is open.
pub(crate) fn set_site(at: usize, site: usize) {
    if let Some(open) = STATE.borrow().open.get_mut(&at).filter(|open| open.site == 0) {
        open.site = site;
    }
}

/// Protects a page as the protocol says; false if the system refuses, and the page stays as it is.
pub(crate) fn protect(at: usize, protection: Protection) -> bool {
    STATE.borrow().protect_page(at, protection)
}

/// The bytes of a page that this process has published, or that it had.
pub(crate) fn published(at: usize) -> Bytes {
    STATE.borrow().published(at)
}

/// Gives pages that this process has changed since the last call, with what they were.
pub(crate) fn take_coherent(each: &mut dyn FnMut(&Patch, &Bytes)) {
    let mut borrow = STATE.borrow();
    let state = &mut *borrow;
    for (&at, open) in state.open.iter_mut().filter(|(at, _)| frames::has_protocol(**at)) {
        let parts = parts(&state.ranges, at, at + PAGE);
        if let Some(patch) = Patch::of(at, &open.twin, of_page(at), &parts, open.site) {
            each(&patch, &open.twin);
            open.twin.copy_from_slice(of_page(at));
        }
    }
}

/// A page has other bytes. Those that this process has changed to another value and not published stay: `conflict` is
/// called with each, and with the value of the other process.
pub(crate) fn replace(at: usize, bytes: &Bytes, conflict: &mut dyn FnMut(Conflict, u8)) {
    let patch = {
        let state = STATE.borrow();
        let parts = parts(&state.ranges, at, at + PAGE);
        Patch::of(at, &state.published(at), bytes, &parts, 0)
    };
    if let Some(patch) = patch {
        super::apply(&patch, &|_| false, &mut |one| {
            let theirs = bytes[one.addr - at];
            conflict(one, theirs);
        });
    }
}

/// Whole pages of variables, and of what the program has mapped.
pub(crate) fn areas() -> Vec<Range<usize>> {
    let all = STATE.borrow().pages();
    all.into_iter()
        .filter(|range| frames::has_protocol(range.start) && range.start < SLICES)
        .collect()
}

/// The protocol begins: pages are protected as it assumes. Gives those that this process has written to before.
pub(crate) fn begin() -> Vec<usize> {
    let state = STATE.borrow();
    for range in state.pages().into_iter().filter(|range| frames::has_protocol(range.start)) {
        let mut at = range.start;
        // Pages that are open stay so.
        let open = state.open.range(range.clone()).map(|(&at, _)| at).chain([range.end]);
        for end in open {
            if at < end && !system::protect(at, end - at, State::first(at)) {
                die!("cannot protect the memory at {at:#x} to {end:#x}");
            }
            at = end + PAGE;
        }
    }
    state.open.keys().copied().filter(|&at| frames::has_protocol(at)).collect()
}

/// Ends the detection of accesses: this process leaves.
pub(crate) fn disarm() {
    let mut state = STATE.borrow();
    state.armed = false;
    for range in state.pages() {
        if !system::protect(range.start, range.len(), Protection::Write) {
            die!("cannot open the memory at {:#x}", range.start);
        }
    }
}

impl State {
    /// Whole pages of what is tracked.
    pub(super) fn pages(&self) -> Vec<Range<usize>> {
        self.ranges.iter().map(|(&start, &end)| page(start)..page(end + PAGE - 1)).collect()
    }

    /// Protection of a page before the protocol says another one.
    pub(super) fn first(at: usize) -> Protection {
        if frames::has_protocol(at) {
            rank::options().first.min(Protection::Read)
        } else {
            Protection::Read
        }
    }

    fn protection(&self, at: usize) -> Protection {
        if self.open.contains_key(&at) {
            return Protection::Write;
        }
        self.protections.get(&at).copied().unwrap_or_else(|| State::first(at))
    }

    pub(super) fn published(&self, at: usize) -> Bytes {
        if let Some(open) = self.open.get(&at) {
            return *open.twin;
        }
        if self.protection(at) == Protection::None { self.peek(at) } else { *of_page(at) }
    }

    /// The bytes of a page that this process may not access.
    pub(super) fn peek(&self, at: usize) -> Bytes {
        let mut bytes = [0; PAGE];
        // SAFETY: the buffer has so many bytes.
        let done = unsafe {
            libc::syscall(libc::SYS_pread64, self.memory, bytes.as_mut_ptr(), bytes.len(), at)
        };
        if usize::try_from(done) != Ok(bytes.len()) {
            die!("cannot read the page at {at:#x}");
        }
        bytes
    }

    fn protect_page(&mut self, at: usize, protection: Protection) -> bool {
        let before = self.protection(at);
        if before == protection {
            return true;
        }
        let twin = self.published(at);
        if !system::protect(at, PAGE, protection) {
            if protection == Protection::None {
                return false;
            }
            die!("too many separate pages are used: the system refuses to split its mappings");
        }
        if protection == Protection::Write {
            self.opened += 1;
            self.open.insert(at, Open { twin: Box::new(twin), site: 0 });
        } else {
            self.open.remove(&at);
            self.protections.insert(at, protection);
        }
        true
    }
}
