// SPDX-License-Identifier: MIT OR Apache-2.0
//! libawgstar: the C interface of programs on a modelled ring. `include/awgstar.h` is its header.
//!
//! Each function is a thin shell over [`Node`]. `unsafe` is needed for the pointers of the caller and for
//! names without mangling; nothing else is done here.

use awgstar_frame::quantity::Nanoseconds;
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

/// Error codes, as in the header.
const CODES: [(CallError, c_int); 12] = [
    (CallError::NotStarted, 1),
    (CallError::Version, 2),
    (CallError::Over, 3),
    (CallError::Refused, 4),
    (CallError::Unaligned, 5),
    (CallError::Range, 6),
    (CallError::Lock, 7),
    (CallError::Held, 8),
    (CallError::NotHeld, 9),
    (CallError::StillHeld, 10),
    (CallError::NoRoom, 11),
    (CallError::NotAllocated, 12),
];
/// A pointer is null.
const NULL: c_int = 13;
/// `awg_init` was called twice.
const TWICE: c_int = 14;

fn code(result: Result<(), CallError>) -> c_int {
    let Err(error) = result else { return 0 };
    // Every error is in the table; a new one would not compile in `text`.
    CODES.iter().find(|(e, _)| *e == error).map_or(3, |(_, code)| *code)
}

/// Does something with the node.
fn with(work: impl FnOnce(&mut Node) -> Result<(), CallError>) -> c_int {
    code(lock().as_mut().ok_or(CallError::NotStarted).and_then(work))
}

/// Joins the ring. See the header.
#[unsafe(no_mangle)]
pub extern "C" fn awg_init() -> c_int {
    let mut node = lock();
    if node.is_some() {
        return TWICE;
    }
    code(Node::join().map(|joined| *node = Some(joined)))
}

/// Leaves the ring. See the header.
#[unsafe(no_mangle)]
pub extern "C" fn awg_finalize() -> c_int {
    let mut node = lock();
    let done = node.as_mut().ok_or(CallError::NotStarted).and_then(Node::leave);
    if done.is_ok() {
        *node = None;
    }
    code(done)
}

/// Number of this node, -1 before `awg_init`.
#[unsafe(no_mangle)]
pub extern "C" fn awg_node() -> c_int {
    lock().as_ref().map_or(-1, |node| node.node().0.into())
}

/// Nodes of the ring, -1 before `awg_init`.
#[unsafe(no_mangle)]
pub extern "C" fn awg_nodes() -> c_int {
    lock().as_ref().map_or(-1, |node| c_int::try_from(node.nodes()).unwrap_or(-1))
}

/// Bytes of the shared memory, 0 before `awg_init`.
#[unsafe(no_mangle)]
pub extern "C" fn awg_memory() -> u32 {
    lock().as_ref().map_or(0, Node::memory)
}

/// Time on the ring in ns, 0 before `awg_init`.
#[unsafe(no_mangle)]
pub extern "C" fn awg_now() -> u64 {
    lock().as_ref().map_or(0, |node| node.now().0)
}

/// Reads the local replica. See the header.
///
/// # Safety
/// `to` must point to `bytes` bytes that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_read(addr: u32, to: *mut c_void, bytes: usize) -> c_int {
    if to.is_null() {
        return NULL;
    }
    // SAFETY: the caller's promise; not null. A length beyond isize is beyond every memory.
    with(|node| match isize::try_from(bytes) {
        Ok(_) => node.read(addr, unsafe { slice::from_raw_parts_mut(to.cast(), bytes) }),
        Err(_) => Err(CallError::Range),
    })
}

/// Writes the shared memory. See the header.
///
/// # Safety
/// `from` must point to `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_write(addr: u32, from: *const c_void, bytes: usize) -> c_int {
    if from.is_null() {
        return NULL;
    }
    // SAFETY: the caller's promise; not null. A length beyond isize is beyond every memory.
    with(|node| match isize::try_from(bytes) {
        Ok(_) => node.write(addr, unsafe { slice::from_raw_parts(from.cast(), bytes) }),
        Err(_) => Err(CallError::Range),
    })
}

/// Takes a lock. See the header.
#[unsafe(no_mangle)]
pub extern "C" fn awg_lock(number: u32) -> c_int {
    with(|node| node.lock(number))
}

/// Releases a lock. See the header.
#[unsafe(no_mangle)]
pub extern "C" fn awg_unlock(number: u32) -> c_int {
    with(|node| node.unlock(number))
}

/// Waits for all nodes. See the header.
#[unsafe(no_mangle)]
pub extern "C" fn awg_barrier() -> c_int {
    with(Node::barrier)
}

/// Lets time pass. See the header.
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

/// Allocates shared memory. See the header.
///
/// # Safety
/// `addr` must point to a word that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_alloc(bytes: usize, addr: *mut u32) -> c_int {
    if addr.is_null() {
        return NULL;
    }
    // SAFETY: the caller's promise.
    with(|node| node.allocate(bytes).map(|at| unsafe { put(addr, at) }))
}

/// Gives shared memory back. See the header.
#[unsafe(no_mangle)]
pub extern "C" fn awg_release(addr: u32) -> c_int {
    with(|node| node.release(addr))
}

/// Adds to a word. See the header.
///
/// # Safety
/// `old` must be null or point to a word that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_fetch_add(addr: u32, value: u32, old: *mut u32) -> c_int {
    // SAFETY: the caller's promise.
    with(|node| node.update(addr, |word| word.wrapping_add(value)).map(|w| unsafe { put(old, w) }))
}

/// Replaces a word. See the header.
///
/// # Safety
/// `old` must be null or point to a word that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_swap(addr: u32, value: u32, old: *mut u32) -> c_int {
    // SAFETY: the caller's promise.
    with(|node| node.update(addr, |_| value).map(|w| unsafe { put(old, w) }))
}

/// Replaces a word that has a value. See the header.
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
    with(|node| node.update(addr, new).map(|w| unsafe { put(old, w) }))
}

/// Text of an error code.
#[unsafe(no_mangle)]
pub extern "C" fn awg_error(error: c_int) -> *const c_char {
    let text = match error {
        0 => c"no error",
        1 => c"not on a ring: start the program with `awgstar run -n NODES -- PROGRAM`",
        2 => c"the library and the command `awgstar` are of different versions",
        3 => c"the run is over",
        4 => c"the board refused the access",
        5 => c"address and length must be multiples of 4 bytes",
        6 => c"beyond the end of the shared memory",
        7 => c"expected a lock from 0 to 65534",
        8 => c"this node holds the lock already",
        9 => c"this node does not hold the lock",
        10 => c"a lock is still held",
        11 => c"no room in the shared memory",
        12 => c"no allocation begins here",
        13 => c"a pointer is null",
        14 => c"awg_init was called twice",
        _ => c"not an error code of libawgstar",
    };
    text.as_ptr()
}
