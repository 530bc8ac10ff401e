// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shared pages that the machine keeps coherent by a protocol (paper 003), in place of a commit to all.
//!
//! Pages of variables and of the heap have a protocol; stacks and thread-local variables travel as records to all, as
//! on the ring. A page that the process may not access has no protection at all. What it writes is found by twins,
//! and goes to the machine with the next call; what others wrote comes with the answer. Bytes travel as the exclusive
//! or with what all processes had at the fork, so that the machine need not know that.

use crate::{
    cell::{Guarded, Value},
    die::die,
    frames,
    image::{self, pages},
    layout::{Bytes, PAGE, page},
    patch::Patch,
    race, rank, slices, symbols, wire,
};
use awgstar_frame::quantity::narrow;
use awgstar_request::{Changes, Coherent, News, Piece, Protection, Shared};
use std::{
    collections::{BTreeMap, BTreeSet},
    convert::Infallible,
    ops::Range,
};

/// What all had at the fork, of each page that has changed since; `None` for zeros.
type Initial = BTreeMap<usize, Option<Box<Bytes>>>;

struct State {
    initial: Initial,
    /// Locks that this process holds.
    held: BTreeSet<u32>,
    /// Pages that belong together, as they were before the fork.
    areas: Vec<Range<usize>>,
    /// Records that go along with the next release or arrival, and those of others.
    note: Vec<u8>,
    notes: Vec<(usize, Vec<u8>)>,
}

static STATE: Guarded<State> = Guarded::new(State {
    initial: BTreeMap::new(),
    held: BTreeSet::new(),
    areas: Vec::new(),
    note: Vec::new(),
    notes: Vec::new(),
});

/// Where the block that runs began.
static SITE: Value<usize> = Value::new(0);

/// Pages that others have changed, as far as this process knows.
static LEARNED: Value<u64> = Value::new(0);

/// Pages of which this process has learned that others have changed them.
pub(crate) fn learned() -> u64 {
    LEARNED.get()
}

fn number(at: usize) -> u64 {
    (at / PAGE) as u64
}

fn keep_initial(initial: &mut Initial, at: usize, bytes: &Bytes) {
    initial.entry(at).or_insert_with(|| (*bytes != [0; PAGE]).then(|| Box::new(*bytes)));
}

/// The pages of this process.
struct Pages;

impl Shared for Pages {
    /// What is wrong ends the run.
    type Error = Infallible;

    fn changes(&mut self, call: Coherent) -> Changes {
        let mut pieces = Vec::new();
        let mut state = STATE.borrow();
        pages::take_coherent(&mut |patch: &Patch, twin| {
            keep_initial(&mut state.initial, patch.page, twin);
            let initial = state.initial.get(&patch.page).and_then(Option::as_deref);
            patch.each(|index, value| {
                let byte = value ^ initial.map_or(0, |bytes| bytes[index]);
                Piece::push(&mut pieces, (patch.page + index) as u64, byte);
            });
        });
        let carries = matches!(call, Coherent::Release(_) | Coherent::Barrier(_));
        let note = if carries { std::mem::take(&mut state.note) } else { Vec::new() };
        Changes { pieces, note }
    }

    fn ask(&mut self, call: Coherent, changes: &Changes) -> Result<News, Infallible> {
        let news = wire::with(|node| node.coherent(call, changes));
        LEARNED.set(LEARNED.get() + (news.pages.len() + news.protections.len()) as u64);
        Ok(news)
    }

    fn replace(&mut self, page: &Piece) -> Result<(), Infallible> {
        let at = address(page.place().0);
        let Ok(bytes) = <&Bytes>::try_from(&page.bytes[..]) else {
            die!("internal: {} bytes for the page at {at:#x}", page.bytes.len());
        };
        let mut bytes = *bytes;
        {
            let mut state = STATE.borrow();
            keep_initial(&mut state.initial, at, &pages::published(at));
            if let Some(Some(initial)) = state.initial.get(&at) {
                bytes.iter_mut().zip(&**initial).for_each(|(to, from)| *to ^= from);
            }
        }
        pages::replace(at, &bytes, &mut |conflict, theirs| {
            let (node, site) = (Some(rank::rank()), conflict.site);
            let ours = race::Side { node, value: conflict.mine, site, commit: false };
            let theirs = race::Side { node: None, value: theirs, site: 0, commit: false };
            race::report(conflict.addr, &ours, &theirs);
        });
        Ok(())
    }

    fn protection(&self, page: u64) -> Protection {
        pages::protection(address(page))
    }

    fn told(&mut self, news: &News) -> Result<(), Infallible> {
        let notes = news.notes.iter().map(|(node, note)| (node.index(), note.clone()));
        STATE.borrow().notes.extend(notes);
        for one in &news.races {
            let at = address(one.at / PAGE as u64) + (one.at % PAGE as u64) as usize;
            let initial = STATE
                .borrow()
                .initial
                .get(&page(at))
                .and_then(|bytes| Some(bytes.as_ref()?[at % PAGE]));
            let value = |byte: u8| byte ^ initial.unwrap_or(0);
            let side = |node: usize, byte| race::Side {
                node: Some(node),
                value: value(byte),
                site: 0,
                commit: false,
            };
            race::report(at, &side(rank::rank(), one.mine), &side(one.node.index(), one.theirs));
        }
        if let (Some(&page), true) = (news.beyond.first(), rank::options().check) {
            let at = address(page);
            die!(
                "the block that begins at {} uses the page at {at:#x} ({}), which its pattern does not have",
                symbols::code(SITE.get()),
                symbols::of_page(at)
            );
        }
        Ok(())
    }

    fn protect(&mut self, page: u64, protection: Protection) -> Result<bool, Infallible> {
        Ok(pages::protect(address(page), protection))
    }
}

fn address(page: u64) -> usize {
    narrow::<usize>(page) * PAGE
}

fn call(call: Coherent) {
    let Ok(()) = Pages.call(call);
}

/// Before the fork: arrays and variables, which all processes name alike.
pub(crate) fn prepare() {
    if rank::has_protocol() {
        let least = rank::ranks() * PAGE;
        STATE.borrow().areas = pages::areas().into_iter().chain(slices::large(least)).collect();
    }
}

/// Begins when this process has joined.
pub(crate) fn begin() {
    if rank::has_protocol() {
        image::set_touch(touch);
        let areas = std::mem::take(&mut STATE.borrow().areas);
        for area in areas {
            let pages = narrow(area.len() / PAGE);
            call(Coherent::Area { page: number(area.start), pages });
        }
        for at in pages::begin() {
            call(Coherent::Fault { page: number(at), write: true });
        }
    }
}

/// An access of the program to a page that it may not access so; false if that is no matter of the protocol.
pub(crate) fn fault(addr: usize, write: bool, site: usize) -> bool {
    let at = page(addr);
    if !pages::is_coherent(at) || !wire::joined() {
        return false;
    }
    let Ok(opened) = Pages.open(number(at), write);
    if opened {
        pages::set_site(at, site);
    }
    opened
}

/// Makes bytes accessible for the system, which takes no fault.
pub(crate) fn touch(at: usize, len: usize, write: bool) {
    if !rank::has_protocol() || len == 0 {
        return;
    }
    let end = at.saturating_add(len);
    for one in image::tracked(at, end) {
        for page in (page(one.start)..one.end).step_by(PAGE) {
            fault(page, write, 0);
        }
    }
}

/// Makes a text accessible for the system.
pub(crate) fn touch_text(at: usize) {
    if rank::has_protocol() && pages::is_coherent(page(at)) {
        // SAFETY: the program hands the text over; a page that is closed faults here.
        std::hint::black_box(unsafe { libc::strlen(at as *const libc::c_char) });
    }
}

/// Makes the buffers of a vector accessible for the system.
pub(crate) fn touch_vectors(at: usize, count: usize) {
    if !rank::has_protocol() {
        return;
    }
    for index in 0..count.min(1024) {
        // SAFETY: the program hands so many entries over.
        let one = unsafe { (at as *const libc::iovec).add(index).read() };
        touch(one.iov_base as usize, one.iov_len, false);
    }
}

/// Records that go along with the next release or arrival.
pub(crate) fn note(records: &[u8]) {
    STATE.borrow().note.extend_from_slice(records);
}

/// Records of others, those of each rank in its order.
pub(crate) fn notes() -> Vec<(usize, Vec<u8>)> {
    std::mem::take(&mut STATE.borrow().notes)
}

/// Takes a lock of the ring; with a protocol of pages that which its node knows. `what` names it for a message.
pub(crate) fn take(lock: u32, what: &str) {
    if rank::has_protocol() {
        acquire(lock, what);
    } else {
        wire::take(lock, what);
    }
}

/// Releases it.
pub(crate) fn give(lock: u32) {
    if rank::has_protocol() {
        release(lock);
    } else {
        wire::with(|node| node.unlock(lock));
    }
}

/// Takes a lock, with what its holders have published; `what` names it for a message.
fn acquire(lock: u32, what: &str) {
    if !STATE.borrow().held.insert(lock) {
        die!("{what} is entered again by the thread that is in it: a deadlock");
    }
    call(Coherent::Acquire(lock));
}

/// Publishes what has changed, and releases a lock.
fn release(lock: u32) {
    STATE.borrow().held.remove(&lock);
    call(Coherent::Release(lock));
}

/// Publishes what has changed, and takes what others published before.
pub(crate) fn flush(lock: u32) {
    if STATE.borrow().held.contains(&lock) {
        return;
    }
    acquire(lock, "internal: a flush");
    release(lock);
}

/// Waits for all ranks.
pub(crate) fn barrier() {
    let (_, top) = frames::stack();
    let caller = frames::caller();
    call(Coherent::barrier(caller, top.saturating_sub(frames::end())));
    SITE.set(caller);
}

/// Before this process leaves: it gets all pages, which its last functions may use.
pub(crate) fn leave() {
    if !rank::has_protocol() || !wire::joined() {
        return;
    }
    if rank::rank() == 0 {
        let lacked = wire::with(|node| node.coherent(Coherent::Lacked, &Changes::default()));
        for page in lacked.beyond {
            fault(address(page), false, 0);
        }
    }
    pages::disarm();
}
