// SPDX-License-Identifier: MIT OR Apache-2.0
//! Streams that were opened before the fork: their input, position and state are those of node 0.

use crate::{arena, commit, descriptors::COUNT, die::die, rank, slices, stdio, system, team};
use libc::FILE;
use std::sync::atomic::{AtomicU64, Ordering};

/// For each descriptor of a stream that is read and written: one more than the number of barriers when another
/// rank than 0 wrote last, and when rank 0 read last. Shared by all processes.
const MIXED: usize = 0x0520_1000_0000;

/// Maps the table, before the fork.
pub(crate) fn map() {
    if !system::map_shared(MIXED, 2 * COUNT * 8) {
        die!("the system refuses memory for the table of streams");
    }
}

/// Returns true if all processes have this stream: it was opened before the fork. One in memory of the program,
/// such as that of `fmemopen`, travels.
fn is_shared(stream: usize) -> bool {
    rank::started() && arena::rank_of(stream).is_none() && !slices::has(stream)
}

/// Rank 0 reads from a stream, or another one writes to it. The position of the descriptor is the same for all,
/// so both without a barrier between them would be wrong.
fn mixed(name: &str, stream: usize, read: bool) {
    if !team::in_region() || !stdio::is_for_both(stream) {
        return;
    }
    // SAFETY: a stream of libc.
    let descriptor = unsafe { libc::fileno(stream as *mut FILE) };
    let Ok(descriptor) = usize::try_from(descriptor) else { return };
    if descriptor >= COUNT {
        return;
    }
    // SAFETY: the table has two words for each descriptor.
    let words = unsafe { &*(MIXED as *const [AtomicU64; 2]).add(descriptor) };
    let now = u64::from(commit::barriers()) + 1;
    words[usize::from(read)].store(now, Ordering::SeqCst);
    if words[usize::from(!read)].load(Ordering::SeqCst) == now {
        die!(
            "{name} on a file that thread 0 reads and another thread writes without a barrier between them: not supported"
        );
    }
}

/// Returns true if all processes have this stream; ends the run if this is another thread than 0, which alone can do
/// what `can` says.
fn is_of_first(name: &str, stream: usize, can: &str) -> bool {
    let shared = is_shared(stream);
    if shared && rank::rank() != 0 {
        die!(
            "{name} in a parallel region on thread {}: only thread 0 can {can} (use `master` or `single`)",
            rank::rank()
        );
    }
    shared
}

/// Ends the run if another thread than 0 reads from a stream that was opened before the fork.
pub(crate) fn before_input(name: &str, stream: usize) {
    if is_of_first(name, stream, "read input") {
        mixed(name, stream, true);
    }
}

/// Whether a stream that was opened before the fork has ended or failed is known to the process that has read or
/// written.
pub(crate) fn before_flags(name: &str, stream: usize) {
    is_of_first(name, stream, "ask for the state of a stream");
}

/// The position of a stream that was opened before the fork belongs to node 0, which asks the system for it,
/// as others have written, too.
pub(crate) fn before_position(name: &str, stream: usize) {
    if is_of_first(name, stream, "use the position in a file") {
        mixed(name, stream, true);
        stdio::forget_position(stream);
    }
}

/// Ends the run if threads write to a stream from which thread 0 reads.
pub(crate) fn before_output(name: &str, stream: usize) {
    if is_shared(stream) && rank::rank() != 0 {
        mixed(name, stream, false);
    }
}
