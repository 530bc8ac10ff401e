// SPDX-License-Identifier: MIT OR Apache-2.0
//! The board of this process, and its events.

use crate::{free, status::Status};
use awgstar_frame::quantity::{Nanoseconds, NodeId};
use awgstar_program::{CallError, Node};
use std::{
    collections::{BTreeSet, VecDeque},
    ffi::c_void,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// Kinds of events.
pub(crate) const EVENTS: usize = 12;
/// The numbers of the events that the board itself makes.
pub(crate) const RXFIFO_FULL: usize = 6;
pub(crate) const SYNC_LOSS: usize = 9;
/// Events that a program can send: reset and the four interrupts.
pub(crate) const SENT: usize = 5;
/// Bits of the register `STATUS`.
const SYNCED: u32 = 1;
const STALLED: u32 = 4;
/// While a thread waits for an event, others of its process make calls at these intervals.
const SLICE: Nanoseconds = Nanoseconds(100_000);

/// Function that a program wants to be called.
pub(crate) type Callback = extern "C" fn(*mut c_void, *mut Info);

/// `RFM2GEVENTINFO`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Info {
    pub(crate) extended: u32,
    pub(crate) node: u16,
    pub(crate) event: u8,
    /// Milliseconds.
    pub(crate) timeout: u32,
    pub(crate) driver: *mut c_void,
}

/// State of an event.
#[derive(Default)]
struct Event {
    enabled: bool,
    callback: Option<(usize, Callback)>,
    waits: bool,
    cancelled: bool,
    /// Those that have come: node and extended data.
    come: VecDeque<(u16, u32)>,
    count: u32,
}

pub(crate) struct Board {
    pub(crate) node: Node,
    handles: BTreeSet<usize>,
    next: usize,
    events: [Event; EVENTS],
    /// The link was lost when the board was looked at last.
    lost: bool,
    pub(crate) led: u8,
    pub(crate) dma_threshold: u32,
}

static BOARD: Mutex<Option<Board>> = Mutex::new(None);
/// The process has joined the ring: time is that of the ring from then on.
static JOINED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// This thread is in a function of the library.
    static INSIDE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// The board, for one function. Only one thread of the process is in a function at a time.
pub(crate) struct Locked(MutexGuard<'static, Option<Board>>);

impl Drop for Locked {
    fn drop(&mut self) {
        INSIDE.set(false);
    }
}

/// Returns true if this thread is in a function of the library.
pub(crate) fn inside() -> bool {
    INSIDE.get()
}

pub(crate) fn lock() -> Locked {
    let guard = BOARD.lock().unwrap_or_else(PoisonError::into_inner);
    INSIDE.set(true);
    Locked(guard)
}

impl Locked {
    pub(crate) fn board(&mut self) -> Option<&mut Board> {
        self.0.as_mut()
    }
}

/// Time on the ring; `None` before the process has joined, and within the library.
pub(crate) fn now() -> Option<Nanoseconds> {
    if !JOINED.load(Ordering::Acquire) || inside() {
        return None;
    }
    let mut locked = lock();
    let board = locked.board()?;
    free::flush(&mut board.node).ok()?;
    board.node.now().ok()
}

extern "C" fn leave() {
    if let Some(board) = lock().board() {
        // What an error would tell, the run tells.
        let _ = free::flush(&mut board.node);
        let _ = board.node.leave();
    }
}

/// Opens a handle; the first one joins the ring.
pub(crate) fn open() -> Result<usize, Status> {
    let mut locked = lock();
    if locked.0.is_none() {
        let mut node = Node::join()?;
        // Generation 1 has no signals and no registers.
        if let Err(error) = node.status() {
            // What an error would tell, the run tells.
            let _ = node.leave();
            return Err(error.into());
        }
        // SAFETY: the function has no arguments and does not unwind.
        if unsafe { libc::atexit(leave) } != 0 {
            return Err(Status::OS_ERROR);
        }
        let (handles, events) = (BTreeSet::new(), Default::default());
        let (lost, led, dma_threshold) = (false, 0, 32);
        *locked.0 = Some(Board { node, handles, next: 0, events, lost, led, dma_threshold });
        JOINED.store(true, Ordering::Release);
    }
    let board = locked.board().ok_or(Status::NO_RFM2G_BOARD)?;
    board.next += 1;
    // Looks like a pointer, but nothing is there.
    let handle = board.next << 4;
    board.handles.insert(handle);
    Ok(handle)
}

pub(crate) fn close(handle: usize) -> Result<(), Status> {
    let mut locked = lock();
    let board = locked.board().ok_or(Status::NOT_OPEN)?;
    if board.handles.remove(&handle) { Ok(()) } else { Err(Status::NOT_OPEN) }
}

/// Does something with the board of a handle, and then calls back for events that have come.
pub(crate) fn with<T>(
    handle: *mut c_void,
    work: impl FnOnce(&mut Board) -> Result<T, Status>,
) -> Result<T, Status> {
    if handle.is_null() {
        return Err(Status::NULL_DESCRIPTOR);
    }
    let mut locked = lock();
    let board = locked.board().ok_or(Status::NOT_OPEN)?;
    if !board.handles.contains(&handle.addr()) {
        return Err(Status::NOT_OPEN);
    }
    free::flush(&mut board.node)?;
    let done = work(board)?;
    drop(locked);
    if lock().board().is_some_and(|board| board.events.iter().any(|e| e.callback.is_some())) {
        call_back(Some(Nanoseconds(0)))?;
    }
    Ok(done)
}

/// Takes what comes within `limit`, and calls back; true if something came.
fn call_back(limit: Option<Nanoseconds>) -> Result<bool, Status> {
    let mut locked = lock();
    let board = locked.board().ok_or(Status::NOT_OPEN)?;
    free::flush(&mut board.node)?;
    let came = board.take(limit)?;
    let mut calls = Vec::new();
    for (number, event) in (0_u8..).zip(&mut board.events) {
        if let Some((handle, function)) = event.callback.filter(|_| event.enabled) {
            calls.extend(event.come.drain(..).map(|come| (handle, function, number, come)));
        }
    }
    drop(locked);
    for (handle, function, event, (node, extended)) in calls {
        let driver = std::ptr::null_mut();
        let mut info = Info { extended, node, event, timeout: 0, driver };
        function(std::ptr::without_provenance_mut(handle), &raw mut info);
    }
    Ok(came)
}

/// Lets so much time pass on the ring, and calls back for what comes meanwhile; false if the process has not
/// joined.
pub(crate) fn sleep(time: Nanoseconds) -> bool {
    let Some(begin) = now() else { return false };
    let end = begin.saturating_add(time);
    while let Some(left) = now().map(|now| end.saturating_sub(now)) {
        if left.0 == 0 || call_back(Some(slice(left))).is_err() {
            break;
        }
    }
    true
}

/// The time for which a thread may wait in one piece.
fn slice(left: Nanoseconds) -> Nanoseconds {
    // Without other threads nobody has to make calls meanwhile.
    let alone = std::fs::read_dir("/proc/self/task").is_ok_and(|tasks| tasks.count() == 1);
    if alone { left } else { left.min(SLICE) }
}

fn number(event: u32) -> Result<usize, Status> {
    let at = event as usize;
    if at < EVENTS { Ok(at) } else { Err(Status::BAD_PARAMETER_2) }
}

/// `RFM2gWaitForEvent`.
pub(crate) fn wait(handle: *mut c_void, info: &mut Info) -> Result<(), Status> {
    let at = number(info.event.into())?;
    let limit = match info.timeout {
        u32::MAX => None,
        ms => Some(Nanoseconds(u64::from(ms) * 1_000_000)),
    };
    let begin = with(handle, |board| {
        let event = &mut board.events[at];
        match event {
            Event { enabled: false, .. } => return Err(Status::NOT_ENABLED),
            Event { callback: Some(_), .. } | Event { waits: true, .. } => {
                return Err(Status::EVENT_IN_USE);
            }
            _ => (event.waits, event.cancelled) = (true, false),
        }
        Ok(board.node.now()?)
    })?;
    let found = waiting(at, limit.map(|limit| begin.saturating_add(limit)));
    if let Some(board) = lock().board() {
        board.events[at].waits = false;
    }
    (info.node, info.extended) = found?;
    Ok(())
}

fn waiting(at: usize, end: Option<Nanoseconds>) -> Result<(u16, u32), Status> {
    // What has come and not been taken counts, also without waiting.
    let mut first = true;
    loop {
        let mut locked = lock();
        let board = locked.board().ok_or(Status::NOT_OPEN)?;
        if std::mem::take(&mut board.events[at].cancelled) {
            return Err(Status::WAIT_EVENT_CANCELED);
        }
        if at == SYNC_LOSS {
            board.look_at_link()?;
        }
        if let Some(come) = board.events[at].come.pop_front() {
            return Ok(come);
        }
        let left = match end {
            None => None,
            Some(end) => Some(end.saturating_sub(board.node.now()?)),
        };
        drop(locked);
        if left == Some(Nanoseconds(0)) && !first {
            return Err(Status::TIMED_OUT);
        }
        first = false;
        let polls = at == SYNC_LOSS || slice(SLICE + SLICE) == SLICE;
        let most = if polls { Some(left.map_or(SLICE, |left| left.min(SLICE))) } else { left };
        call_back(most)?;
    }
}

impl Board {
    /// The ring is closed, and the others know this board.
    pub(crate) fn linked(&mut self) -> Result<bool, Status> {
        Ok(self.node.status()? & (SYNCED | STALLED) == SYNCED)
    }

    fn look_at_link(&mut self) -> Result<(), Status> {
        let lost = !self.linked()?;
        if lost && !self.lost {
            self.come(SYNC_LOSS, self.node.node().0.into(), 0);
        }
        self.lost = lost;
        Ok(())
    }

    fn come(&mut self, event: usize, node: u16, extended: u32) {
        let event = &mut self.events[event];
        event.count = event.count.wrapping_add(1);
        event.come.push_back((node, extended));
    }

    /// Takes the signals that come within `limit`; true if there was one.
    fn take(&mut self, mut limit: Option<Nanoseconds>) -> Result<bool, Status> {
        let mut any = false;
        loop {
            match self.node.wait_signal(None, limit) {
                Ok(Some(signal)) => {
                    // A number beyond the events is of another library.
                    if usize::from(signal.number) < SENT {
                        self.come(signal.number.into(), signal.source.0.into(), signal.value);
                    }
                }
                Ok(None) => return Ok(any),
                // As a queue that overflows on a board.
                Err(CallError::Lost) => self.come(RXFIFO_FULL, self.node.node().0.into(), 0),
                Err(error) => return Err(error.into()),
            }
            (any, limit) = (true, Some(Nanoseconds(0)));
        }
    }

    pub(crate) fn enable(&mut self, event: u32) -> Result<(), Status> {
        let event = &mut self.events[number(event)?];
        if std::mem::replace(&mut event.enabled, true) {
            return Err(Status::ALREADY_ENABLED);
        }
        Ok(())
    }

    pub(crate) fn disable(&mut self, event: u32) -> Result<(), Status> {
        let event = &mut self.events[number(event)?];
        if !std::mem::take(&mut event.enabled) {
            return Err(Status::NOT_ENABLED);
        }
        Ok(())
    }

    pub(crate) fn call_for(
        &mut self,
        handle: usize,
        event: u32,
        function: Callback,
    ) -> Result<(), Status> {
        let event = &mut self.events[number(event)?];
        if event.waits || event.callback.is_some() {
            return Err(Status::EVENT_IN_USE);
        }
        event.callback = Some((handle, function));
        Ok(())
    }

    pub(crate) fn call_no_more(&mut self, event: u32) -> Result<(), Status> {
        let callback = &mut self.events[number(event)?].callback;
        callback.take().map(|_| ()).ok_or(Status::EVENT_NOT_IN_USE)
    }

    pub(crate) fn clear(&mut self, event: u32) -> Result<(), Status> {
        let event = number(event)?;
        self.take(Some(Nanoseconds(0)))?;
        self.events[event].come.clear();
        Ok(())
    }

    pub(crate) fn cancel(&mut self, event: u32) -> Result<(), Status> {
        let event = &mut self.events[number(event)?];
        if !event.waits {
            return Err(Status::EVENT_NOT_IN_USE);
        }
        event.cancelled = true;
        Ok(())
    }

    pub(crate) fn count(&mut self, event: u32) -> Result<&mut u32, Status> {
        let event = number(event)?;
        self.take(Some(Nanoseconds(0)))?;
        Ok(&mut self.events[event].count)
    }

    /// `RFM2gSendEvent`.
    pub(crate) fn send(&mut self, to: u16, event: u32, extended: u32) -> Result<(), Status> {
        let event = u16::try_from(event).ok().filter(|event| usize::from(*event) < SENT);
        let event = event.ok_or(Status::BAD_PARAMETER_3)?;
        let to = match to {
            0xffff => None,
            to if to == u16::from(self.node.node().0) => return Err(Status::NODE_ID_SELF),
            to => Some(NodeId(u8::try_from(to).map_err(|_| Status::BAD_PARAMETER_2)?)),
        };
        Ok(self.node.signal(to, event, extended)?)
    }
}
