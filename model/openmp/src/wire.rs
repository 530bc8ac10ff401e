// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring under the library: its node, and the areas of its memory.
//!
//! | bytes | area |
//! |---|---|
//! | 0 | command of rank 0: what the others do next |
//! | 256 | two words for each rank: how much of its logs holds records |
//! | 4 KiB | cells of loops, sections and ordered regions |
//! | 64 KiB | a word for each lock of the program: whether it is held |
//! | 128 KiB | two words for each lock of the program: its address |
//! | 256 KiB | logs, two for each rank |

use crate::{
    cell::{Guarded, Value},
    die::die,
    interpose,
    layout::RANKS_MAX,
    rank::{self, Computing},
    system,
};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds};
use awgstar_program::{CallError, Cause, Node, Traffic};

pub(crate) const COMMAND_WORDS: usize = 24;
const HEADS: u32 = 256;
const CELLS: u32 = 4 << 10;
pub(crate) const CELL_WORDS: usize = 8;
/// Number of cells.
pub(crate) const CELLS_MAX: u64 = 64;
const FLAGS: u32 = 64 << 10;
const NAMES: u32 = 128 << 10;
const LOGS: u32 = 256 << 10;
const _: () = assert!(FLAGS + 4 * lock::LOCKS.1 <= NAMES && NAMES + 8 * lock::LOCKS.1 <= LOGS);
const _: () = assert!(CELLS + 4 * (CELL_WORDS as u32) * (CELLS_MAX as u32) <= FLAGS);

/// Locks of the ring that the library takes.
pub(crate) mod lock {
    /// Critical section without a name.
    pub(crate) const CRITICAL: u32 = 1;
    /// Atomic operations.
    pub(crate) const ATOMIC: u32 = 2;
    pub(crate) const CELL: u32 = 3;
    /// State of the C library that the library keeps.
    pub(crate) const LIBC: u32 = 4;
    /// Behind the words that `omp_test_lock` looks at.
    pub(crate) const TEST: u32 = 5;
    /// Things that are done once.
    pub(crate) const ONCE: u32 = 6;
    /// Of flushes, with a protocol of pages.
    pub(crate) const FLUSH: u32 = awgstar_request::FLUSH_LOCK;
    /// The table of the program's locks.
    pub(crate) const TABLE: u32 = 7;
    /// First lock of the program, and their number: critical sections with names, `omp_init_lock`, mutexes.
    pub(crate) const LOCKS: (u32, u32) = (16, 16_000);
}

static NODE: Guarded<Option<Node>> = Guarded::new(None);
/// There is a node.
static JOINED: Value<bool> = Value::new(false);

/// Joins the ring as the node of this rank.
pub(crate) fn join() {
    // The descriptors that it opens and closes are not the program's.
    match interpose::inside(|| Node::join_as(rank::descriptor(), rank::rank())) {
        Ok(node) => *NODE.borrow() = Some(node),
        Err(e) => failed(e),
    }
    JOINED.set(true);
    if !rank::has_protocol() && log_bytes() < 16 << 10 {
        die!(
            "the memory of the ring is too small for {} nodes: expected --memory 4M or more",
            rank::ranks()
        );
    }
}

/// Ends this process: the ring does not answer as it should.
fn failed(error: CallError) -> ! {
    match error {
        // The launcher knows why.
        CallError::Over => system::exit(1),
        error => die!("{error}"),
    }
}

/// Does something with the node; its errors end the run.
pub(crate) fn with<R>(work: impl FnOnce(&mut Node) -> Result<R, CallError>) -> R {
    match NODE.borrow().as_mut() {
        Some(node) => work(node).unwrap_or_else(|e| failed(e)),
        None => die!("internal: no ring"),
    }
}

fn count(cause: Cause, more: Traffic) {
    if let Some(forked) = rank::forked() {
        forked.add_traffic(rank::rank(), cause, more);
    }
}

fn read(cause: Cause, at: ByteAddress, to: &mut [u8]) {
    let read_bytes = to.len() as u64;
    count(cause, Traffic { reads: 1, read_bytes, ..Traffic::default() });
    with(|node| node.read(at, to));
}

fn write(cause: Cause, at: ByteAddress, from: &[u8]) {
    let written_bytes = from.len() as u64;
    count(cause, Traffic { writes: 1, written_bytes, ..Traffic::default() });
    with(|node| node.write(at, from));
}

/// Counts a load or a store of shared data in the program.
pub(crate) fn count_access(bytes: usize, store: bool) {
    let bytes = bytes as u64;
    let more = if store {
        Traffic { writes: 1, written_bytes: bytes, ..Traffic::default() }
    } else {
        Traffic { reads: 1, read_bytes: bytes, ..Traffic::default() }
    };
    count(Cause::Program, more);
}

/// Takes a lock; `what` names it for a message.
pub(crate) fn take(number: u32, what: &str) {
    let lock = |node: &mut Node| node.lock(number);
    match NODE.borrow().as_mut().map(lock) {
        Some(Ok(())) => {}
        Some(Err(CallError::Held)) => {
            die!("{what} is entered again by the thread that is in it: a deadlock")
        }
        Some(Err(e)) => failed(e),
        None => die!("internal: no ring"),
    }
}

/// Leaves the ring; `held` are the locks of the ring that this thread holds.
pub(crate) fn leave(held: &[u32]) {
    let node = NODE.borrow().take();
    let Some(mut node) = node else { return };
    JOINED.set(false);
    if let Some(forked) = rank::forked() {
        forked.set_left(rank::rank());
    }
    // A thread may end with a lock, which nobody waits for then. The run may be over.
    for &lock in held {
        let _ = node.unlock(lock);
    }
    let _ = node.leave();
}

/// Returns true while this process is on the ring.
pub(crate) fn joined() -> bool {
    JOINED.get()
}

/// Does work of the library, whose processor time does not count as computing of the program.
pub(crate) fn uncounted<R>(work: impl FnOnce() -> R) -> R {
    if rank::options().computing != Computing::Processor || !joined() {
        return work();
    }
    with(Node::pause);
    let result = work();
    if let Some(node) = NODE.borrow().as_mut() {
        node.resume();
    }
    result
}

/// Time on the ring in ns; 0 before the first parallel region.
pub(crate) fn now() -> u64 {
    if joined() { with(Node::now).0 } else { 0 }
}

fn words<const N: usize>(cause: Cause, at: u32) -> [u32; N] {
    let mut bytes = [[0; 4]; N];
    read(cause, ByteAddress(at), bytes.as_flattened_mut());
    bytes.map(u32::from_le_bytes)
}

fn set_words(cause: Cause, at: u32, words: &[u32]) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    write(cause, ByteAddress(at), &bytes);
}

/// The command of rank 0.
pub(crate) fn command() -> [u32; COMMAND_WORDS] {
    words(Cause::Command, 0)
}

/// Writes the command; only rank 0 does.
pub(crate) fn set_command(words: &[u32; COMMAND_WORDS]) {
    set_words(Cause::Command, 0, words);
}

/// Word behind the command: what `copyprivate` hands over.
const HANDOVER: u32 = 128;

/// Hands a pointer to all threads, before a barrier; only rank 0 does.
pub(crate) fn set_handover(pointer: usize) {
    set_words(Cause::Command, HANDOVER, &[pointer as u32, (pointer >> 32) as u32]);
}

/// The pointer that rank 0 has handed over.
pub(crate) fn handover() -> usize {
    let [low, high] = words(Cause::Command, HANDOVER);
    low as usize | (high as usize) << 32
}

fn cell_at(number: u64) -> u32 {
    let index = u32::try_from(number % CELLS_MAX).unwrap_or(0);
    CELLS + index * 4 * CELL_WORDS as u32
}

pub(crate) fn cell(number: u64) -> [u32; CELL_WORDS] {
    words(Cause::Loops, cell_at(number))
}

/// Writes words of a cell from word `first` on. Callers hold a lock, or nobody else writes them.
pub(crate) fn set_cell(number: u64, first: usize, words: &[u32]) {
    set_words(Cause::Loops, cell_at(number) + 4 * first as u32, words);
}

/// Words of a place in the table of locks: the address of the lock; zero if there is none.
pub(crate) fn lock_name(number: u32) -> [u32; 2] {
    words(Cause::Locks, NAMES + 8 * number)
}

/// Writes them; callers hold the lock of the table.
pub(crate) fn set_lock_name(number: u32, name: [u32; 2]) {
    set_words(Cause::Locks, NAMES + 8 * number, &name);
}

/// Word of a lock of the program: whether it is held.
pub(crate) fn flag(number: u32) -> u32 {
    words::<1>(Cause::Locks, FLAGS + 4 * number)[0]
}

/// Writes it; only the holder does.
pub(crate) fn set_flag(number: u32, value: u32) {
    set_words(Cause::Locks, FLAGS + 4 * number, &[value]);
}

/// Bytes of one log: a multiple of 4.
pub(crate) fn log_bytes() -> usize {
    let memory = with(|node| Ok(node.memory())).saturating_sub(LOGS) as usize;
    (memory / (2 * rank::ranks())).min(4 * (LENGTH as usize)) / 4 * 4
}

/// Bits of a head: the epoch, whether the log goes on in the next one, and the words that are valid.
const LENGTH: u32 = (1 << 22) - 1;
const MORE: u32 = 1 << 22;

/// How much of a log is valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) words: usize,
    /// The rest of the commit follows in the next log.
    pub(crate) more: bool,
}

fn log_at(rank: usize, epoch: u32) -> usize {
    LOGS as usize + (2 * rank + (epoch & 1) as usize) * log_bytes()
}

fn head_at(rank: usize, epoch: u32) -> u32 {
    HEADS + 4 * ((epoch & 1) * RANKS_MAX as u32 + u32::try_from(rank).unwrap_or(0))
}

/// Heads of all ranks in this node's replica.
pub(crate) fn heads(epoch: u32) -> Vec<Head> {
    let mut bytes = vec![0; 4 * rank::ranks()];
    read(Cause::Heads, ByteAddress(head_at(0, epoch)), &mut bytes);
    let (words, _) = bytes.as_chunks::<4>();
    let head = |word: &[u8; 4]| {
        let word = u32::from_le_bytes(*word);
        // A head of an older epoch says nothing of this one.
        if word >> 23 == (epoch + 1) & 0x1ff {
            Head { words: (word & LENGTH) as usize, more: word & MORE != 0 }
        } else {
            Head::default()
        }
    };
    words.iter().map(head).collect()
}

fn address(at: usize) -> ByteAddress {
    ByteAddress(u32::try_from(at).unwrap_or_else(|_| die!("internal: beyond the ring's memory")))
}

/// Appends records to the own log, behind `used` words, and makes them valid.
pub(crate) fn append(cause: Cause, epoch: u32, used: usize, records: &[u8], more: bool) {
    let rank = rank::rank();
    let at = log_at(rank, epoch) + 4 * used;
    let words = u32::try_from(used + records.len() / 4).unwrap_or(u32::MAX);
    if words > LENGTH {
        die!("internal: log too long");
    }
    if !records.is_empty() {
        write(cause, address(at), records);
    }
    let head = ((epoch + 1) & 0x1ff) << 23 | if more { MORE } else { 0 } | words;
    set_words(Cause::Heads, head_at(rank, epoch), &[head]);
}

/// Words `from..to` of a rank's log, out of this node's replica.
pub(crate) fn log(cause: Cause, rank: usize, epoch: u32, from: usize, to: usize) -> Vec<u8> {
    let mut bytes = vec![0; 4 * (to - from)];
    read(cause, address(log_at(rank, epoch) + 4 * from), &mut bytes);
    bytes
}

/// Waits of a thread that looks at a word until another thread changes it.
pub(crate) struct Patience {
    step: u64,
    waited: u64,
    limit: u64,
}

/// Time of the first wait in ns, and of the longest.
const STEPS: (u64, u64) = (500, 8_000);
/// Time on the ring after which nothing will change any more in ns; and the same if computing takes time.
const LIMITS: (u64, u64) = (40_000_000, 1_000_000_000_000);
/// The same where an iteration of a loop is waited for, which may itself wait or read a long log.
const LIMIT_OF_ITERATIONS: u64 = 4_000_000_000;

impl Patience {
    pub(crate) const fn new() -> Self {
        Patience { step: STEPS.0, waited: 0, limit: LIMITS.0 }
    }

    pub(crate) const fn of_iterations() -> Self {
        Patience { limit: LIMIT_OF_ITERATIONS, ..Self::new() }
    }

    /// Waits a little; false when it has been long.
    pub(crate) fn wait(&mut self) -> bool {
        with(|node| node.compute(Nanoseconds(self.step)));
        self.waited += self.step;
        self.step = (self.step + self.step / 4).min(STEPS.1);
        let computes = rank::options().computing != Computing::None;
        self.waited < if computes { LIMITS.1 } else { self.limit }
    }
}
