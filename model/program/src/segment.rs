// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shared memory of launcher and processes. All `unsafe` of the crate is here: a mapping.

use awgstar_frame::quantity::narrow;
use rustix::{
    fs::{MemfdFlags, SealFlags, fcntl_add_seals, fstat, ftruncate, memfd_create},
    io,
    mm::{MapFlags, ProtFlags, mmap, munmap},
    thread::futex,
    time::Timespec,
};
use std::{
    fmt,
    os::fd::{AsFd, OwnedFd},
    ptr::NonNull,
    slice,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

/// Words of a slot: one page.
pub(crate) const SLOT_WORDS: usize = 1024;
const SLOT_BYTES: usize = 4 * SLOT_WORDS;
/// Looks at a word before a thread sleeps: an answer often takes less than a sleep.
const SPINS: usize = 2_000;

/// A mapping of the shared memory.
pub struct Segment {
    base: NonNull<AtomicU32>,
    slots: usize,
}

// SAFETY: the mapping belongs to the process, not to a thread, and is only accessed as atomics.
unsafe impl Send for Segment {}
// SAFETY: as above; no method gives exclusive access to a word.
unsafe impl Sync for Segment {}

impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Segment").field("slots", &self.slots).finish_non_exhaustive()
    }
}

impl Segment {
    /// New memory with so many slots, all zero, and the descriptor that a child process inherits. Its
    /// size is sealed: no process can shrink it under another.
    ///
    /// # Errors
    /// If the system has no memory or no descriptor left.
    pub fn create(slots: usize) -> io::Result<(OwnedFd, Segment)> {
        let fd = memfd_create("awgstar", MemfdFlags::ALLOW_SEALING)?;
        ftruncate(&fd, (slots * SLOT_BYTES) as u64)?;
        fcntl_add_seals(&fd, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        let segment = Segment::map(&fd, slots)?;
        Ok((fd, segment))
    }

    /// The memory behind an inherited descriptor.
    ///
    /// # Errors
    /// If it is no such memory.
    pub fn open(fd: impl AsFd) -> io::Result<Segment> {
        let size = usize::try_from(fstat(&fd)?.st_size).map_err(|_| io::Errno::INVAL)?;
        if size == 0 || !size.is_multiple_of(SLOT_BYTES) {
            return Err(io::Errno::INVAL);
        }
        Segment::map(&fd, size / SLOT_BYTES)
    }

    fn map(fd: impl AsFd, slots: usize) -> io::Result<Segment> {
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: the system chooses the address, so the mapping overlaps nothing; it stays until drop.
        let base = unsafe {
            mmap(std::ptr::null_mut(), slots * SLOT_BYTES, prot, MapFlags::SHARED, fd, 0)?
        };
        let base = NonNull::new(base.cast()).ok_or(io::Errno::NOMEM)?;
        Ok(Segment { base, slots })
    }

    /// Number of slots.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// A slot; `None` if there is none with this number.
    #[must_use]
    pub fn slot(&self, number: usize) -> Option<Slot<'_>> {
        if number >= self.slots {
            return None;
        }
        // SAFETY: the mapping has `slots` pages and lives as long as `self`. It is aligned to a page, every
        // bit pattern is an `AtomicU32`, and all processes access it as atomics only.
        let words = unsafe {
            slice::from_raw_parts(self.base.as_ptr().add(number * SLOT_WORDS), SLOT_WORDS)
        };
        words.try_into().ok().map(Slot)
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: the range is the mapping's own, and slots borrow `self`, so none is left.
        let _ = unsafe { munmap(self.base.as_ptr().cast(), self.slots * SLOT_BYTES) };
    }
}

/// The words of one slot.
#[derive(Clone, Copy, Debug)]
pub struct Slot<'a>(&'a [AtomicU32; SLOT_WORDS]);

impl Slot<'_> {
    pub(crate) fn get(self, at: usize) -> u32 {
        self.0[at].load(Ordering::Relaxed)
    }

    pub(crate) fn set(self, at: usize, value: u32) {
        self.0[at].store(value, Ordering::Relaxed);
    }

    pub(crate) fn get_long(self, at: usize) -> u64 {
        u64::from(self.get(at)) | u64::from(self.get(at + 1)) << 32
    }

    pub(crate) fn set_long(self, at: usize, value: u64) {
        let low = value & u64::from(u32::MAX);
        self.set(at, narrow(low));
        self.set(at + 1, narrow(value >> 32));
    }

    /// The word whose change the other end waits for.
    pub(crate) fn turn(self) -> u32 {
        self.0[0].load(Ordering::Acquire)
    }

    /// Changes it, with all that was written before, and wakes the other end.
    pub(crate) fn pass(self, turn: u32) {
        self.0[0].store(turn, Ordering::Release);
        // Nobody may wait: that is no error.
        let _ = futex::wake(&self.0[0], futex::Flags::empty(), u32::MAX);
    }

    /// Waits until the word is no longer `turn`, for `limit` at most, and gives what it is then.
    pub(crate) fn wait(self, turn: u32, limit: Duration) -> u32 {
        for _ in 0..SPINS {
            if self.turn() != turn {
                return self.turn();
            }
            std::hint::spin_loop();
        }
        let seconds = limit.as_secs().try_into().unwrap_or(i64::MAX);
        let time = Timespec { tv_sec: seconds, tv_nsec: limit.subsec_nanos().into() };
        // A signal, a change before the sleep and the end of the time all lead to another look.
        let _ = futex::wait(&self.0[0], futex::Flags::empty(), turn, Some(&time));
        self.turn()
    }
}
