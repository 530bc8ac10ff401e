// SPDX-License-Identifier: MIT OR Apache-2.0
//! libawgstar: the C interface of programs on a modelled ring.
//!
//! Each function is a thin shell over [`Node`]. `unsafe` is needed for the pointers of the caller and for
//! names without mangling; nothing else is done here. The comments of the functions are those of
//! `include/awgstar.h` and of the manual pages: a test writes both from this file.

mod coverage;

use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId};
use awgstar_program::{CallError, Node};
use std::{
    ffi::{c_char, c_int, c_void},
    slice,
    sync::{Mutex, MutexGuard, PoisonError},
};

static NODE: Mutex<Option<Node>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<Node>> {
    NODE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn code(result: Result<(), CallError>) -> c_int {
    result.err().map_or(0, CallError::code)
}

/// Does something with the node.
fn with(work: impl FnOnce(&mut Node) -> Result<(), CallError>) -> c_int {
    code(lock().as_mut().ok_or(CallError::NotStarted).and_then(work))
}

/// Joins the ring. Call it first, once.
#[unsafe(no_mangle)]
pub extern "C" fn awg_init() -> c_int {
    let mut node = lock();
    if node.is_some() {
        return CallError::Twice.code();
    }
    code(Node::join().map(|joined| *node = Some(joined)))
}

/// Leaves the ring. Writes made before still reach the other nodes. A program that has joined must call
/// it before it exits, and must not hold a lock.
#[unsafe(no_mangle)]
pub extern "C" fn awg_finalize() -> c_int {
    let mut node = lock();
    let done = node.as_mut().ok_or(CallError::NotStarted).and_then(Node::leave);
    if done.is_ok() {
        *node = None;
    }
    code(done)
}

/// Number of this node, from 0; -1 before `awg_init`.
#[unsafe(no_mangle)]
pub extern "C" fn awg_node() -> c_int {
    lock().as_ref().map_or(-1, |node| node.node().0.into())
}

/// Number of nodes; -1 before `awg_init`.
#[unsafe(no_mangle)]
pub extern "C" fn awg_nodes() -> c_int {
    lock().as_ref().map_or(-1, |node| c_int::try_from(node.nodes()).unwrap_or(-1))
}

/// Number of the ring of this node, from 0; -1 before `awg_init`. A machine that is no machine of rings has ring 0
/// alone. Nodes, memory, locks and signals are those of the own ring; a barrier is that of all rings.
#[unsafe(no_mangle)]
pub extern "C" fn awg_ring() -> c_int {
    lock().as_ref().map_or(-1, |node| node.ring().into())
}

/// Number of rings, which have as many nodes each; -1 before `awg_init`.
#[unsafe(no_mangle)]
pub extern "C" fn awg_rings() -> c_int {
    lock().as_ref().map_or(-1, |node| node.rings().into())
}

/// Bytes of the shared memory; 0 before `awg_init`. Addresses are byte addresses from 0.
#[unsafe(no_mangle)]
pub extern "C" fn awg_memory() -> u32 {
    lock().as_ref().map_or(0, Node::memory)
}

/// Time on the ring in ns; 0 before `awg_init` and after the end of the run. It does not pass between
/// calls.
#[unsafe(no_mangle)]
pub extern "C" fn awg_now() -> u64 {
    lock().as_mut().and_then(|node| node.now().ok()).map_or(0, |now| now.0)
}

/// The bytes that the caller's pointer leads to, to be written. A length beyond isize is beyond every memory.
///
/// # Safety
/// `to` must be null or point to `bytes` bytes that can be written.
unsafe fn writable<'a>(to: *mut c_void, bytes: usize) -> Result<&'a mut [u8], CallError> {
    match (to.is_null(), isize::try_from(bytes)) {
        (true, _) => Err(CallError::Null),
        (_, Err(_)) => Err(CallError::Range),
        // SAFETY: the caller's promise; not null.
        _ => Ok(unsafe { slice::from_raw_parts_mut(to.cast(), bytes) }),
    }
}

/// The same, to be read.
///
/// # Safety
/// `from` must be null or point to `bytes` bytes.
unsafe fn readable<'a>(from: *const c_void, bytes: usize) -> Result<&'a [u8], CallError> {
    match (from.is_null(), isize::try_from(bytes)) {
        (true, _) => Err(CallError::Null),
        (_, Err(_)) => Err(CallError::Range),
        // SAFETY: the caller's promise; not null.
        _ => Ok(unsafe { slice::from_raw_parts(from.cast(), bytes) }),
    }
}

/// Reads `bytes` bytes of the local replica at `addr`: what had arrived there when each word was read. Each
/// word that the bytes touch is one access of the board.
///
/// # Safety
/// `to` must point to `bytes` bytes that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_read(addr: u32, to: *mut c_void, bytes: usize) -> c_int {
    // SAFETY: the caller's promise.
    let to = unsafe { writable(to, bytes) };
    to.map_or_else(CallError::code, |to| with(|node| node.read(ByteAddress(addr), to)))
}

/// Writes `bytes` bytes at `addr`: to the local replica at once, to those of the others when their frame
/// arrives there. Writes of one node arrive everywhere in the order of the calls. Writes are posted: if
/// the board refuses one, a later call returns `AWG_REFUSED`. Of a word that is not written whole only these
/// bytes change, everywhere.
///
/// # Safety
/// `from` must point to `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_write(addr: u32, from: *const c_void, bytes: usize) -> c_int {
    // SAFETY: the caller's promise.
    let from = unsafe { readable(from, bytes) };
    from.map_or_else(CallError::code, |from| with(|node| node.write(ByteAddress(addr), from)))
}

/// The ring with this number, as C gives it.
fn ring_number(number: c_int) -> Result<u16, CallError> {
    u16::try_from(number).map_err(|_| CallError::NoRing)
}

/// Reads `bytes` bytes at `addr` of a ring, both multiples of 4: what is there when the gateway of that ring reads
/// them. Of the own ring as `awg_read`.
///
/// # Safety
/// `to` must point to `bytes` bytes that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_far_read(
    ring: c_int,
    addr: u32,
    to: *mut c_void,
    bytes: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    let to = unsafe { writable(to, bytes) };
    to.map_or_else(CallError::code, |to| {
        with(|node| node.far_read(ring_number(ring)?, ByteAddress(addr), to))
    })
}

/// Writes `bytes` bytes at `addr` of a ring, both multiples of 4. When it returns, they are in the replicas of all
/// nodes there, after all that this node wrote there before. Many bytes arrive part by part.
///
/// # Safety
/// `from` must point to `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_far_write(
    ring: c_int,
    addr: u32,
    from: *const c_void,
    bytes: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    let from = unsafe { readable(from, bytes) };
    from.map_or_else(CallError::code, |from| {
        with(|node| node.far_write(ring_number(ring)?, ByteAddress(addr), from))
    })
}

/// Maps the replica of this node as memory of the program, to be read only: byte `a` is what `awg_read` gives at
/// address `a`. Loads take no time on the ring. They give what had arrived at the end of the last call of this
/// process that waits: `awg_write` and `awg_compute` are posted and change nothing, `awg_flush` waits for them. A
/// store is a segmentation fault. Each call gives the same pointer, which is valid until the program ends; the first
/// call takes a cycle of the ring. Pointer and number of bytes are put where the arguments say, unless they are null.
///
/// # Safety
/// `to` must be null or point to a pointer that can be written, `bytes` to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_replica(to: *mut *const c_void, bytes: *mut usize) -> c_int {
    with(|node| {
        let replica = node.replica()?;
        // SAFETY: the caller's promise; not null.
        unsafe {
            if !to.is_null() {
                to.write_unaligned(replica.address().cast());
            }
            if !bytes.is_null() {
                bytes.write_unaligned(replica.bytes() as usize);
            }
        }
        Ok(())
    })
}

/// Waits until all that was posted is done: writes are in the local replica then.
#[unsafe(no_mangle)]
pub extern "C" fn awg_flush() -> c_int {
    with(Node::flush)
}

/// Takes a lock. When it returns, no other node holds the lock, and all that earlier holders wrote before
/// they released it is in the local replica.
#[unsafe(no_mangle)]
pub extern "C" fn awg_lock(number: u32) -> c_int {
    with(|node| node.lock(number))
}

/// Releases a lock, after all writes made before.
#[unsafe(no_mangle)]
pub extern "C" fn awg_unlock(number: u32) -> c_int {
    with(|node| node.unlock(number))
}

/// Waits for all nodes. When it returns, all that any node wrote before its own call is in the local
/// replica.
#[unsafe(no_mangle)]
pub extern "C" fn awg_barrier() -> c_int {
    with(Node::barrier)
}

/// Sends a signal with a number from 0 to 65535 and a word to a node, or with -1 to all others. It leaves
/// after all that this node wrote before: who has received it reads what was written. When it returns, the
/// signal is in the mailbox of each receiver.
#[unsafe(no_mangle)]
pub extern "C" fn awg_signal(node: c_int, number: u32, value: u32) -> c_int {
    with(|own| {
        let to = u8::try_from(node).map(NodeId).ok();
        let number = u16::try_from(number).map_err(|_| CallError::NoSignal)?;
        if to.is_none() && node != -1 {
            Err(CallError::NoNode)
        } else {
            own.signal(to, number, value)
        }
    })
}

/// Waits for the oldest signal that has arrived with this number, or with -1 for the oldest of all, but no
/// longer than `limit_ns` ns; `UINT64_MAX` waits for ever. Node and value of the signal are put where the
/// pointers say, unless they are null.
///
/// # Safety
/// `node` and `value` must be null or point to a word that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_wait(
    number: c_int,
    limit_ns: u64,
    node: *mut u32,
    value: *mut u32,
) -> c_int {
    with(|own| {
        let wanted = u16::try_from(number).ok();
        if wanted.is_none() && number != -1 {
            return Err(CallError::NoSignal);
        }
        let limit = (limit_ns != u64::MAX).then_some(Nanoseconds(limit_ns));
        let signal = own.wait_signal(wanted, limit)?.ok_or(CallError::TimedOut)?;
        // SAFETY: the caller's promise.
        unsafe {
            put(node, signal.source.into());
            put(value, signal.value);
        }
        Ok(())
    })
}

/// Lets time pass on this node: the duration of a computation in ns, an hour at most. Posted, as
/// `awg_write` is.
#[unsafe(no_mangle)]
pub extern "C" fn awg_compute(ns: u64) -> c_int {
    with(|node| node.compute(Nanoseconds(ns)))
}

/// Puts a number where the caller wants it.
///
/// # Safety
/// `place` is null or points to a word that can be written.
unsafe fn put(place: *mut u32, value: u32) {
    if !place.is_null() {
        // SAFETY: the caller's promise.
        unsafe { place.write_unaligned(value) };
    }
}

/// Takes `bytes` bytes, rounded up to words, from the stack of shared memory, and gives their address.
/// Nothing is sent: every process must make the same allocations in the same order.
///
/// # Safety
/// `addr` must point to a word that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_alloc(bytes: usize, addr: *mut u32) -> c_int {
    if addr.is_null() {
        return CallError::Null.code();
    }
    // SAFETY: the caller's promise.
    with(|node| node.allocate(bytes).map(|at| unsafe { put(addr, at.0) }))
}

/// Gives back the allocation at `addr` and all made after it.
#[unsafe(no_mangle)]
pub extern "C" fn awg_release(addr: u32) -> c_int {
    with(|node| node.release(ByteAddress(addr)))
}

/// Adds to the word at `addr` in one step. `old` receives what was there, unless it is null. Atomic
/// functions exclude each other, not `awg_write`. They order other data as a lock does.
///
/// # Safety
/// `old` must be null or point to a word that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_fetch_add(addr: u32, value: u32, old: *mut u32) -> c_int {
    // SAFETY: the caller's promise.
    with(|node| {
        node.update(ByteAddress(addr), |word| word.wrapping_add(value))
            .map(|w| unsafe { put(old, w) })
    })
}

/// Replaces the word at `addr` in one step, as `awg_fetch_add`.
///
/// # Safety
/// `old` must be null or point to a word that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_swap(addr: u32, value: u32, old: *mut u32) -> c_int {
    // SAFETY: the caller's promise.
    with(|node| node.update(ByteAddress(addr), |_| value).map(|w| unsafe { put(old, w) }))
}

/// Replaces the word at `addr` in one step if it is `expected`, as `awg_fetch_add`.
///
/// # Safety
/// `old` must be null or point to a word that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_compare_swap(
    addr: u32,
    expected: u32,
    value: u32,
    old: *mut u32,
) -> c_int {
    let new = |word| if word == expected { value } else { word };
    // SAFETY: the caller's promise.
    with(|node| node.update(ByteAddress(addr), new).map(|w| unsafe { put(old, w) }))
}

/// Text of an error code.
#[unsafe(no_mangle)]
pub extern "C" fn awg_error(error: c_int) -> *const c_char {
    let text = match (error, CallError::from_code(error)) {
        (0, _) => c"no error",
        (_, Some(error)) => error.c_text(),
        (_, None) => c"not an error code of libawgstar",
    };
    text.as_ptr()
}
