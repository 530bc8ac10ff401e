// SPDX-License-Identifier: MIT OR Apache-2.0
//! Free windows: `awgstar run --mapped flush`.

use crate::{
    page::{PAGE, die},
    status::Status,
};
use awgstar_frame::quantity::{ByteAddress, narrow};
use awgstar_program::{CallError, Node, Replica};
use libc::{c_int, c_void};
use rustix::mm::{MapFlags, ProtFlags, mmap};
use std::{
    os::fd::AsFd,
    ptr,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// A window whose loads and stores run free.
struct Free {
    /// Where the program sees it.
    seen: usize,
    offset: u32,
    length: u32,
    /// A flag for each page: the program has stored there.
    stored: Box<[AtomicBool]>,
}

static FREE: Mutex<Vec<Free>> = Mutex::new(Vec::new());
/// A page of a free window has been stored to.
static STORED: AtomicBool = AtomicBool::new(false);

/// Maps a free window.
pub(crate) fn open(
    node: &mut Node,
    offset: u32,
    length: u32,
    size: usize,
) -> Result<*mut c_void, Status> {
    let (replica, file) = (node.replica()?, node.replicas()?);
    let at = replica.offset() + u64::from(offset);
    // SAFETY: a new mapping, at an address that the system chooses.
    let seen = unsafe {
        mmap(ptr::null_mut(), size, ProtFlags::READ, MapFlags::PRIVATE, file.as_fd(), at)
    };
    let seen = seen.map_err(|_| Status::OS_ERROR)?.addr();
    let stored = (0..size / PAGE as usize).map(|_| AtomicBool::new(false)).collect();
    windows().push(Free { seen, offset, length, stored });
    Ok(ptr::with_exposed_provenance_mut(seen))
}

fn windows() -> std::sync::MutexGuard<'static, Vec<Free>> {
    FREE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Changes the access to a page of a free window.
fn protect_page(at: usize, access: c_int) {
    // SAFETY: a page of a mapping that `open` made.
    let done =
        unsafe { libc::mprotect(ptr::with_exposed_provenance_mut(at), PAGE as usize, access) };
    if done != 0 {
        die("the protection of a mapped window cannot be changed");
    }
}

/// A store to a free window: the page can be written from now on, and its changes go out with the next call.
pub(crate) fn store(address: usize) -> bool {
    for window in &*windows() {
        let Some(page) = address.checked_sub(window.seen).map(|at| at / PAGE as usize) else {
            continue;
        };
        if let Some(stored) = window.stored.get(page) {
            protect_page(window.seen + page * PAGE as usize, libc::PROT_READ | libc::PROT_WRITE);
            stored.store(true, Ordering::Relaxed);
            STORED.store(true, Ordering::Relaxed);
            return true;
        }
    }
    false
}

/// Sends what the program has stored through free windows since the last call.
pub(crate) fn flush(node: &mut Node) -> Result<(), Status> {
    if !STORED.swap(false, Ordering::Relaxed) {
        return Ok(());
    }
    let replica = node.replica()?;
    let mut writes: Vec<(ByteAddress, Vec<u8>)> = Vec::new();
    let mut pages = Vec::new();
    for window in &*windows() {
        for (page, stored) in window.stored.iter().enumerate() {
            if !stored.swap(false, Ordering::Relaxed) {
                continue;
            }
            let at = page * PAGE as usize;
            pages.push(window.seen + at);
            // SAFETY: a page of the window, which can be read; the thread of the program is in this call.
            let own = unsafe {
                std::slice::from_raw_parts(
                    ptr::with_exposed_provenance::<u8>(window.seen + at),
                    PAGE as usize,
                )
            };
            let from = window.offset + narrow::<u32>(at);
            let within = (window.length as usize).saturating_sub(at);
            changes(own, from, within, window.length, &replica, &mut writes);
        }
    }
    // All windows are compared before the first write changes the replica.
    let written = writes.iter().try_for_each(|(at, bytes)| node.write(*at, bytes));
    match written.and_then(|()| node.flush()) {
        // The program has stored already: there is no call that could answer with a status.
        Err(CallError::Refused) => die("a write of a mapped window failed: the board refuses it"),
        other => other?,
    }
    for page in pages {
        // SAFETY: a page of a window. Without its copy the page is that of the replica again.
        let dropped = unsafe {
            libc::madvise(
                ptr::with_exposed_provenance_mut(page),
                PAGE as usize,
                libc::MADV_DONTNEED,
            )
        };
        if dropped != 0 {
            die("a page of a mapped window cannot be dropped");
        }
        protect_page(page, libc::PROT_READ);
    }
    Ok(())
}

/// The runs of bytes in which a page differs from the replica, of which `within` are of the window.
fn changes(
    own: &[u8],
    from: u32,
    within: usize,
    length: u32,
    replica: &Replica,
    writes: &mut Vec<(ByteAddress, Vec<u8>)>,
) {
    let (words, _) = own.as_chunks::<4>();
    let mut last = None;
    for (word, bytes) in words.iter().enumerate() {
        let there = replica.word(ByteAddress(from) + narrow::<u32>(4 * word));
        if *bytes == there {
            continue;
        }
        for (lane, _) in bytes.iter().zip(there).enumerate().filter(|(_, (a, b))| **a != *b) {
            let at = 4 * word + lane;
            if at >= within {
                die(&format!("a write ends beyond a mapped window of {length} bytes"));
            }
            match writes.last_mut().filter(|_| last.is_some_and(|last| last + 1 == at)) {
                Some((_, run)) => run.push(own[at]),
                None => writes.push((ByteAddress(from + narrow::<u32>(at)), vec![own[at]])),
            }
            last = Some(at);
        }
    }
}

/// Removes the window that begins at an address; false if there is none.
pub(crate) fn close(at: usize) -> bool {
    let mut all = windows();
    let Some(found) = all.iter().position(|window| window.seen == at) else { return false };
    let window = all.swap_remove(found);
    let size = window.stored.len() * PAGE as usize;
    // SAFETY: mapped by `open`; no other function unmaps it.
    let _ = unsafe { rustix::mm::munmap(ptr::with_exposed_provenance_mut(window.seen), size) };
    true
}
