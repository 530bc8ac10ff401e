// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shared memory of launcher and processes. All `unsafe` of the crate is here: mappings.

use awgstar_frame::quantity::{ByteAddress, NodeId, narrow};
use rustix::{
    fs::{MemfdFlags, SealFlags, fcntl_add_seals, fstat, ftruncate, memfd_create},
    io,
    mm::{MapFlags, ProtFlags, mmap, munmap},
    thread::futex,
    time::Timespec,
};
use std::{
    fmt,
    os::fd::{AsFd, AsRawFd, OwnedFd},
    ptr::NonNull,
    slice,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

/// Words of a slot: 64 KiB.
pub(crate) const SLOT_WORDS: usize = 1 << 14;
const SLOT_BYTES: usize = 4 * SLOT_WORDS;
/// Looks at a word before a thread sleeps: an answer often takes less than a sleep.
const SPINS: usize = 20;
/// Looks after that, between which others may run.
const YIELDS: usize = 300;
/// A yield that takes longer has let a busy program run: so many waits do without yields after it.
const TURN: Duration = Duration::from_micros(100);
const WARY: u32 = 1_000;

/// A mapping of the shared memory.
struct Segment {
    base: NonNull<AtomicU32>,
    words: usize,
    /// Waits that are to sleep at once. It is no static variable: static data of a program may be shared memory, which
    /// must not change during a wait.
    busy: AtomicU32,
}

// SAFETY: the mapping belongs to the process, not to a thread, and is only accessed as atomics.
unsafe impl Send for Segment {}
// SAFETY: as above; no method gives exclusive access to a word.
unsafe impl Sync for Segment {}

impl Segment {
    fn map(fd: impl AsFd, slots: usize) -> io::Result<Segment> {
        Segment::map_part(fd, ProtFlags::READ | ProtFlags::WRITE, 0, slots * SLOT_BYTES)
    }

    /// Maps `bytes` bytes from `from` on: whole pages, of which the file has as many.
    fn map_part(fd: impl AsFd, prot: ProtFlags, from: u64, bytes: usize) -> io::Result<Segment> {
        // SAFETY: the system chooses the address, so the mapping overlaps nothing; it stays until drop.
        let base = unsafe { mmap(std::ptr::null_mut(), bytes, prot, MapFlags::SHARED, fd, from)? };
        let base = NonNull::new(base.cast()).ok_or(io::Errno::NOMEM)?;
        Ok(Segment { base, words: bytes / 4, busy: AtomicU32::new(0) })
    }

    fn words(&self) -> &[AtomicU32] {
        // SAFETY: the mapping has this many words and lives as long as `self`. It is aligned to a page,
        // every bit pattern is an `AtomicU32`, and all processes access it as atomics only. Of one that
        // cannot be written no method of this module writes a word.
        unsafe { slice::from_raw_parts(self.base.as_ptr(), self.words) }
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: the range is the mapping's own, and no slot is left when its last owner drops it.
        let _ = unsafe { munmap(self.base.as_ptr().cast(), 4 * self.words) };
    }
}

/// The words that the launcher shares with the process of one node.
#[derive(Clone)]
pub struct Slot {
    segment: Arc<Segment>,
    /// Index of its first word; `SLOT_WORDS` words from there on are in the segment.
    first: usize,
    /// The memory with the replicas; in the launcher only.
    replicas: Option<Arc<Replicas>>,
}

/// Bytes of a page: mappings begin and end there.
const PAGE: u64 = 4096;

/// Memory for the replicas of all nodes, of which launcher and processes map what they need. What is not written
/// takes no place.
pub(crate) struct Replicas {
    fd: OwnedFd,
}

/// Bytes from the replica of one node to that of the next.
pub(crate) fn stride(memory: u32) -> u64 {
    u64::from(memory).next_multiple_of(PAGE)
}

impl Replicas {
    /// New memory for the replicas of so many nodes.
    ///
    /// # Errors
    /// If the system has no memory or no descriptor left.
    pub(crate) fn create(nodes: usize, memory: u32) -> io::Result<Self> {
        let fd = memfd_create("awgstar-replicas", MemfdFlags::ALLOW_SEALING)?;
        ftruncate(&fd, stride(memory) * nodes as u64)?;
        fcntl_add_seals(&fd, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        Ok(Replicas { fd })
    }

    /// Number of the descriptor, which child processes inherit.
    pub(crate) fn descriptor(&self) -> u32 {
        self.fd.as_raw_fd().cast_unsigned()
    }
}

/// The replica of a node as memory of launcher and process. Only the launcher writes it.
#[derive(Clone)]
pub struct Replica {
    segment: Arc<Segment>,
    bytes: u32,
    offset: u64,
}

impl fmt::Debug for Replica {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replica").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl Replica {
    /// The replica of a node from an inherited descriptor, to be read.
    ///
    /// # Errors
    /// If it is no such memory.
    pub(crate) fn open(fd: impl AsFd, node: NodeId, memory: u32) -> io::Result<Self> {
        let size = u64::try_from(fstat(&fd)?.st_size).map_err(|_| io::Errno::INVAL)?;
        if stride(memory) * (node.index() as u64 + 1) > size {
            return Err(io::Errno::INVAL);
        }
        Replica::map(fd, ProtFlags::READ, node, memory)
    }

    fn map(fd: impl AsFd, prot: ProtFlags, node: NodeId, memory: u32) -> io::Result<Self> {
        let from = stride(memory) * node.index() as u64;
        let segment = Segment::map_part(fd, prot, from, narrow(stride(memory)))?;
        Ok(Replica { segment: Arc::new(segment), bytes: memory, offset: from })
    }

    /// Puts bytes, a multiple of 4, at a multiple of 4; what is beyond the memory is ignored.
    pub(crate) fn put(&self, at: ByteAddress, bytes: &[u8]) {
        let (words, _) = bytes.as_chunks::<4>();
        let own = &self.segment.words()[..self.bytes as usize / 4];
        for (to, from) in own.iter().skip(at.word()).zip(words) {
            to.store(u32::from_ne_bytes(*from), Ordering::Relaxed);
        }
    }

    /// Where it is mapped in this process.
    #[must_use]
    pub fn address(&self) -> *const u8 {
        self.segment.base.as_ptr().cast_const().cast()
    }

    /// Number of bytes.
    #[must_use]
    pub const fn bytes(&self) -> u32 {
        self.bytes
    }

    /// Where it begins in the file of all replicas.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The word at a multiple of 4, as its bytes; zeros beyond the memory.
    #[must_use]
    pub fn word(&self, at: ByteAddress) -> [u8; 4] {
        let own = &self.segment.words()[..self.bytes as usize / 4];
        own.get(at.word()).map_or(0, |word| word.load(Ordering::Relaxed)).to_ne_bytes()
    }

    /// Bytes from a place on; zeros beyond the memory.
    #[must_use]
    pub fn load(&self, at: ByteAddress, bytes: usize) -> Vec<u8> {
        let words = (at.lane() + bytes).div_ceil(4);
        let word = |index| self.word(ByteAddress::at_word(at.word() + index));
        (0..words).flat_map(word).skip(at.lane()).take(bytes).collect()
    }

    /// Stores bytes from a place on, for a process that waits in a call; what is beyond the memory is ignored.
    pub fn store(&self, at: ByteAddress, bytes: &[u8]) {
        let end = at.lane() + bytes.len();
        let first = at.aligned();
        let mut all = self.load(first, end.next_multiple_of(4));
        all.iter_mut().skip(at.lane()).zip(bytes).for_each(|(to, from)| *to = *from);
        self.put(first, &all);
    }

    /// Keeps the mapping until the process ends.
    pub(crate) fn keep(&self) {
        // A copy that nothing leads to would be a leak to a sanitizer.
        static KEPT: Mutex<Vec<Replica>> = Mutex::new(Vec::new());
        KEPT.lock().unwrap_or_else(PoisonError::into_inner).push(self.clone());
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot").field("number", &(self.first / SLOT_WORDS)).finish_non_exhaustive()
    }
}

impl Slot {
    /// New memory with `count` slots, all zero, and the descriptor that a child process inherits. The
    /// size is sealed: no process can shrink it under another.
    ///
    /// # Errors
    /// If the system has no memory or no descriptor left.
    pub(crate) fn create(count: usize) -> io::Result<(OwnedFd, Vec<Slot>)> {
        let fd = memfd_create("awgstar", MemfdFlags::ALLOW_SEALING)?;
        ftruncate(&fd, (count * SLOT_BYTES) as u64)?;
        fcntl_add_seals(&fd, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        let segment = Arc::new(Segment::map(&fd, count)?);
        let slot = |number| {
            let segment = Arc::clone(&segment);
            Slot { segment, first: number * SLOT_WORDS, replicas: None }
        };
        Ok((fd, (0..count).map(slot).collect()))
    }

    /// Slot `number` of the memory behind an inherited descriptor.
    ///
    /// # Errors
    /// If it is no such memory, or has no such slot.
    pub(crate) fn open(fd: impl AsFd, number: usize) -> io::Result<Slot> {
        let size = usize::try_from(fstat(&fd)?.st_size).map_err(|_| io::Errno::INVAL)?;
        let slots = size / SLOT_BYTES;
        if !size.is_multiple_of(SLOT_BYTES) || number >= slots {
            return Err(io::Errno::INVAL);
        }
        let segment = Arc::new(Segment::map(&fd, slots)?);
        Ok(Slot { segment, first: number * SLOT_WORDS, replicas: None })
    }

    /// Gives the launcher's end the memory of the replicas.
    pub(crate) fn set_replicas(&mut self, replicas: &Arc<Replicas>) {
        self.replicas = Some(Arc::clone(replicas));
    }

    /// The replica of a node, to be written; `None` if the system cannot map it.
    pub(crate) fn replica(&self, node: NodeId, memory: u32) -> Option<Replica> {
        let fd = &self.replicas.as_ref()?.fd;
        Replica::map(fd, ProtFlags::READ | ProtFlags::WRITE, node, memory).ok()
    }

    fn word(&self, at: usize) -> &AtomicU32 {
        &self.segment.words()[self.first + at]
    }

    pub(crate) fn get(&self, at: usize) -> u32 {
        self.word(at).load(Ordering::Relaxed)
    }

    pub(crate) fn set(&self, at: usize, value: u32) {
        self.word(at).store(value, Ordering::Relaxed);
    }

    pub(crate) fn get_long(&self, at: usize) -> u64 {
        u64::from(self.get(at)) | u64::from(self.get(at + 1)) << 32
    }

    pub(crate) fn set_long(&self, at: usize, value: u64) {
        let low = value & u64::from(u32::MAX);
        self.set(at, narrow(low));
        self.set(at + 1, narrow(value >> 32));
    }

    /// Copies bytes, a multiple of 4, to the words from `at` on.
    pub(crate) fn put(&self, at: usize, bytes: &[u8]) {
        let (words, _) = bytes.as_chunks::<4>();
        let to = &self.segment.words()[self.first + at..][..words.len()];
        for (to, from) in to.iter().zip(words) {
            to.store(u32::from_le_bytes(*from), Ordering::Relaxed);
        }
    }

    /// Copies the words from `at` on to bytes, a multiple of 4.
    pub(crate) fn take(&self, at: usize, bytes: &mut [u8]) {
        let (words, _) = bytes.as_chunks_mut::<4>();
        let from = &self.segment.words()[self.first + at..][..words.len()];
        for (from, to) in from.iter().zip(words) {
            *to = from.load(Ordering::Relaxed).to_le_bytes();
        }
    }

    /// The word whose change the other end waits for.
    pub(crate) fn turn(&self) -> u32 {
        self.word(0).load(Ordering::Acquire)
    }

    /// Changes it, with all that was written before, and wakes the other end.
    pub(crate) fn pass(&self, turn: u32) {
        self.word(0).store(turn, Ordering::Release);
        // The other end may not sleep: that is no error.
        let _ = futex::wake(self.word(0), futex::Flags::empty(), u32::MAX);
    }

    /// Waits until the word is no longer `turn`, for `limit` at most, and gives what it is then.
    pub(crate) fn wait(&self, turn: u32, limit: Duration) -> u32 {
        let waits = &self.segment.busy;
        let busy = waits.load(Ordering::Relaxed);
        waits.store(busy.saturating_sub(1), Ordering::Relaxed);
        let yields = if busy == 0 { YIELDS } else { 0 };
        for look in 0..SPINS + yields {
            if self.turn() != turn {
                return self.turn();
            }
            if look < SPINS {
                std::hint::spin_loop();
                continue;
            }
            // The other end may need this processor.
            let before = Instant::now();
            std::thread::yield_now();
            // Another program had it meanwhile. Who sleeps gets it back sooner than who yields.
            if before.elapsed() > TURN {
                waits.store(WARY, Ordering::Relaxed);
                break;
            }
        }
        let seconds = narrow(limit.as_secs());
        let time = Timespec { tv_sec: seconds, tv_nsec: limit.subsec_nanos().into() };
        // A signal, a change before the sleep and the end of the time all lead to another look.
        let _ = futex::wait(self.word(0), futex::Flags::empty(), turn, Some(&time));
        self.turn()
    }
}
