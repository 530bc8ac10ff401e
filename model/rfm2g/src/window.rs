// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mapped windows of the shared memory.
//!
//! A program stores through a mapped pointer and polls through it. Time passes only in calls, so every access
//! has to be one: the pages are protected, an access traps (SIGSEGV), what it reads is fetched from the
//! replica, the instruction is executed alone (the trap flag, SIGTRAP), what it wrote is posted, and the page
//! is protected again. The library writes the page through a second mapping that the program does not know.
//!
//! With `awgstar run --mapped flush` loads and stores run free: the window is a private mapping of the replica, so
//! the first store to a page makes a copy of the page. At the next call the bytes in which the copies differ from
//! the replica are written, and the copies are dropped.

use crate::{
    board::{self, Board},
    status::Status,
};
use awgstar_frame::quantity::{ByteAddress, narrow};
use awgstar_program::Replica;
use iced_x86::{Decoder, DecoderOptions, InstructionInfoFactory, OpAccess};
use libc::{c_int, c_void, siginfo_t, ucontext_t};
use rustix::mm::{MapFlags, ProtFlags, mmap};
use std::{
    os::fd::AsFd,
    ptr,
    sync::{
        Mutex, Once, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// Bytes of a page.
pub(crate) const PAGE: u32 = 4096;
/// The trap flag of the processor.
const TRAP: i64 = 1 << 8;
/// Longest instruction, in bytes.
const LONGEST: usize = 15;

/// A window.
#[derive(Clone, Copy)]
struct Window {
    /// Where the program sees it, and the library.
    seen: usize,
    own: usize,
    /// Bytes mapped: whole pages.
    size: usize,
    /// Address of its first byte in the shared memory, and its bytes.
    offset: u32,
    length: u32,
}

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

/// Environment variable that the command sets: `flush` or `trap`.
const VARIABLE: &str = "AWGSTAR_MAPPED";

/// An access that is being executed.
#[derive(Clone, Copy)]
struct Step {
    window: Window,
    /// Bytes of the window that it accesses, and whether it writes them.
    from: usize,
    bytes: usize,
    writes: bool,
}

static WINDOWS: Mutex<Vec<Window>> = Mutex::new(Vec::new());

thread_local! {
    static STEP: std::cell::Cell<Option<Step>> = const { std::cell::Cell::new(None) };
}

fn windows() -> std::sync::MutexGuard<'static, Vec<Window>> {
    WINDOWS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process: an access that cannot be executed must not be skipped.
fn die(why: &str) -> ! {
    let text = format!("librfm2g: {why}\n");
    // SAFETY: plain calls of the C library.
    unsafe {
        libc::write(2, text.as_ptr().cast(), text.len());
        libc::abort()
    }
}

/// Maps `length` bytes from `offset` on.
pub(crate) fn open(board: &mut Board, offset: u64, length: u32) -> Result<*mut c_void, Status> {
    let memory = board.node.memory();
    let end = u32::try_from(offset).ok().and_then(|offset| offset.checked_add(length));
    let (Ok(offset), Some(_)) = (u32::try_from(offset), end.filter(|&end| end <= memory)) else {
        return Err(Status::OUT_OF_RANGE);
    };
    if length == 0 {
        return Err(Status::BAD_PARAMETER_4);
    }
    if !offset.is_multiple_of(PAGE) {
        return Err(Status::UNALIGNED_OFFSET);
    }
    let size = length.next_multiple_of(PAGE) as usize;
    if std::env::var_os(VARIABLE).is_some_and(|how| how == "flush") {
        return open_free(board, offset, length, size);
    }
    let os = |_| Status::OS_ERROR;
    let file = rustix::fs::memfd_create("rfm2g", rustix::fs::MemfdFlags::CLOEXEC).map_err(os)?;
    rustix::fs::ftruncate(&file, size as u64).map_err(os)?;
    let map = |access| {
        // SAFETY: a new mapping, at an address that the system chooses.
        unsafe { mmap(ptr::null_mut(), size, access, MapFlags::SHARED, file.as_fd(), 0) }
            .map(<*mut c_void>::addr)
            .map_err(os)
    };
    let seen = map(ProtFlags::empty())?;
    let own = map(ProtFlags::READ | ProtFlags::WRITE)?;
    install();
    windows().push(Window { seen, own, size, offset, length });
    Ok(ptr::with_exposed_provenance_mut(seen))
}

/// Maps a free window.
fn open_free(
    board: &mut Board,
    offset: u32,
    length: u32,
    size: usize,
) -> Result<*mut c_void, Status> {
    let (replica, file) = (board.node.replica()?, board.node.replicas()?);
    let at = replica.offset() + u64::from(offset);
    // SAFETY: a new mapping, at an address that the system chooses.
    let seen = unsafe {
        mmap(ptr::null_mut(), size, ProtFlags::READ, MapFlags::PRIVATE, file.as_fd(), at)
    };
    let seen = seen.map_err(|_| Status::OS_ERROR)?.addr();
    install();
    let stored = (0..size / PAGE as usize).map(|_| AtomicBool::new(false)).collect();
    free().push(Free { seen, offset, length, stored });
    Ok(ptr::with_exposed_provenance_mut(seen))
}

fn free() -> std::sync::MutexGuard<'static, Vec<Free>> {
    FREE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Changes the access to a page of a free window.
fn protect_page(at: usize, access: c_int) {
    // SAFETY: a page of a mapping that `open_free` made.
    let done =
        unsafe { libc::mprotect(ptr::with_exposed_provenance_mut(at), PAGE as usize, access) };
    if done != 0 {
        die("the protection of a mapped window cannot be changed");
    }
}

/// A store to a free window: the page can be written from now on, and its changes go out with the next call.
fn store(address: usize) -> bool {
    for window in &*free() {
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
pub(crate) fn flush(board: &mut Board) -> Result<(), Status> {
    if !STORED.swap(false, Ordering::Relaxed) {
        return Ok(());
    }
    let replica = board.node.replica()?;
    let mut writes: Vec<(ByteAddress, Vec<u8>)> = Vec::new();
    let mut pages = Vec::new();
    for window in &*free() {
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
    for (at, bytes) in writes {
        board.node.write(at, &bytes)?;
    }
    board.node.flush()?;
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
                die(&format!("a write ends behind a mapped window of {length} bytes"));
            }
            match writes.last_mut().filter(|_| last.is_some_and(|last| last + 1 == at)) {
                Some((_, run)) => run.push(own[at]),
                None => writes.push((ByteAddress(from + narrow::<u32>(at)), vec![own[at]])),
            }
            last = Some(at);
        }
    }
}

/// Removes the window that begins at a pointer.
pub(crate) fn close(at: *mut c_void) -> Result<(), Status> {
    let mut all = free();
    if let Some(found) = all.iter().position(|window| window.seen == at.addr()) {
        let window = all.swap_remove(found);
        let size = window.stored.len() * PAGE as usize;
        // SAFETY: mapped by `open_free`; no other function unmaps it.
        let _ = unsafe { rustix::mm::munmap(ptr::with_exposed_provenance_mut(window.seen), size) };
        return Ok(());
    }
    drop(all);
    let mut all = windows();
    let found = all.iter().position(|window| window.seen == at.addr());
    let window = all.swap_remove(found.ok_or(Status::MEM_NOT_MAPPED)?);
    for at in [window.seen, window.own] {
        // SAFETY: both were mapped by `open`, and nobody else unmaps them.
        let _ = unsafe { rustix::mm::munmap(ptr::with_exposed_provenance_mut(at), window.size) };
    }
    Ok(())
}

fn protect(window: &Window, access: c_int) {
    // SAFETY: the window's own mapping.
    let done = unsafe {
        libc::mprotect(ptr::with_exposed_provenance_mut(window.seen), window.size, access)
    };
    if done != 0 {
        die("the protection of a mapped window cannot be changed");
    }
}

/// Handlers of the program, for what is not ours.
static INSTALLED: Once = Once::new();
static OLD: Mutex<Option<[libc::sigaction; 2]>> = Mutex::new(None);

fn install() {
    INSTALLED.call_once(|| {
        // SAFETY: zero is valid for these structures, and the handlers have the form that the flags name.
        unsafe {
            let mut old = [std::mem::zeroed::<libc::sigaction>(); 2];
            for (index, (signal, handler)) in
                [(libc::SIGSEGV, fault as *const ()), (libc::SIGTRAP, stepped as *const ())]
                    .into_iter()
                    .enumerate()
            {
                let mut new = std::mem::zeroed::<libc::sigaction>();
                new.sa_sigaction = handler.expose_provenance();
                // An access on a stack that is full cannot be handled on it.
                new.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                libc::sigaction(signal, &raw const new, &raw mut old[index]);
            }
            *OLD.lock().unwrap_or_else(PoisonError::into_inner) = Some(old);
        }
    });
}

/// A signal that is not of a window: as if this library were not there.
fn not_ours(signal: c_int) {
    let old = OLD.lock().unwrap_or_else(PoisonError::into_inner);
    let index = usize::from(signal == libc::SIGTRAP);
    if let Some(old) = *old {
        // SAFETY: what the system gave before. The instruction faults again under that handler.
        unsafe { libc::sigaction(signal, &raw const old[index], ptr::null_mut()) };
    }
    if signal == libc::SIGTRAP {
        // SAFETY: it does not come again by itself.
        unsafe { libc::raise(signal) };
    }
}

/// Bytes that the instruction at `code` accesses at `address`, and how: reads, writes. `None` if it is not one
/// that can be executed so.
fn access(
    code: usize,
    address: usize,
    read_register: impl Fn(iced_x86::Register) -> u64,
) -> Option<(usize, bool, bool)> {
    let page_end = (code | (PAGE as usize - 1)) + 1;
    let mut bytes = [0; LONGEST];
    // The page behind may not be there; an instruction that goes on there is read as a whole when it must be.
    let length = LONGEST.min(page_end - code);
    // SAFETY: code that is being executed can be read up to the end of its page.
    unsafe {
        ptr::copy_nonoverlapping(ptr::with_exposed_provenance(code), bytes.as_mut_ptr(), length);
    }
    let decode = |bytes: &[u8]| {
        let mut decoder = Decoder::with_ip(64, bytes, code as u64, DecoderOptions::NONE);
        let instruction = decoder.decode();
        (!instruction.is_invalid()).then_some(instruction)
    };
    let instruction = decode(&bytes[..length]).or_else(|| {
        // SAFETY: the instruction does not end on its page, so the next one is there.
        unsafe {
            ptr::copy_nonoverlapping(
                ptr::with_exposed_provenance(code),
                bytes.as_mut_ptr(),
                LONGEST,
            );
        }
        decode(&bytes)
    })?;
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info(&instruction);
    let (mut found, mut reads, mut writes) = (None, false, false);
    for memory in info.used_memory() {
        let size = memory.memory_size().size();
        let at = memory.virtual_address(0, |register, _, _| Some(read_register(register)))?;
        let at = usize::try_from(at).ok()?;
        if size == 0 || !(at..at + size).contains(&address) {
            continue;
        }
        found = Some(at + size - address);
        let of = memory.access();
        reads |= !matches!(of, OpAccess::Write);
        writes |= !matches!(of, OpAccess::Read | OpAccess::CondRead);
    }
    found.map(|size| (size, reads, writes))
}

/// A register that the system saved.
fn greg(context: &ucontext_t, at: c_int) -> u64 {
    context.uc_mcontext.gregs[narrow::<usize>(at)].cast_unsigned()
}

/// Register of the program at a fault.
fn register(context: &ucontext_t, of: iced_x86::Register) -> u64 {
    use iced_x86::Register as R;
    let at = match of.full_register() {
        R::RAX => libc::REG_RAX,
        R::RBX => libc::REG_RBX,
        R::RCX => libc::REG_RCX,
        R::RDX => libc::REG_RDX,
        R::RSI => libc::REG_RSI,
        R::RDI => libc::REG_RDI,
        R::RBP => libc::REG_RBP,
        R::RSP => libc::REG_RSP,
        R::R8 => libc::REG_R8,
        R::R9 => libc::REG_R9,
        R::R10 => libc::REG_R10,
        R::R11 => libc::REG_R11,
        R::R12 => libc::REG_R12,
        R::R13 => libc::REG_R13,
        R::R14 => libc::REG_R14,
        R::R15 => libc::REG_R15,
        // Segments begin at 0 for data of the program.
        _ => return 0,
    };
    let value = greg(context, at);
    if of.size() == 4 { value & 0xffff_ffff } else { value }
}

extern "C" fn fault(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system gives valid pointers to a handler with SA_SIGINFO.
    let (address, context) =
        unsafe { ((*info).si_addr().addr(), &mut *context.cast::<ucontext_t>()) };
    let here = |window: &&Window| (window.seen..window.seen + window.size).contains(&address);
    let window = windows().iter().find(here).copied();
    // Bit 1 of the error code: a write.
    if window.is_none() && greg(context, libc::REG_ERR) & 2 != 0 && store(address) {
        return;
    }
    let Some(window) = window else { return not_ours(signal) };
    if board::inside() {
        die("a mapped window cannot be the buffer of a function of RFM2g");
    }
    let code = narrow(greg(context, libc::REG_RIP));
    let Some((bytes, reads, writes)) = access(code, address, |of| register(context, of)) else {
        die(&format!(
            "an instruction at {code:#x} accesses a mapped window in a way that is not known"
        ));
    };
    let from = address - window.seen;
    // A function such as memcmp reads whole vectors, also behind the end: those bytes are not of the memory.
    let within = (window.length as usize).saturating_sub(from);
    if writes && bytes > within {
        die(&format!(
            "a write of {bytes} bytes ends behind a mapped window of {} bytes",
            window.length
        ));
    }
    let bytes = bytes.min(within);
    if reads {
        // SAFETY: within the library's own mapping, which is as long as the window.
        let to = unsafe {
            std::slice::from_raw_parts_mut(
                ptr::with_exposed_provenance_mut(window.own + from),
                bytes,
            )
        };
        let at = ByteAddress(window.offset + narrow::<u32>(from));
        let read = board::lock().board().map(|board| board.node.read(at, to));
        if !matches!(read, Some(Ok(()))) {
            die("a read of a mapped window failed: the run is over");
        }
    }
    STEP.set(Some(Step { window, from, bytes, writes }));
    protect(&window, libc::PROT_READ | libc::PROT_WRITE);
    context.uc_mcontext.gregs[libc::REG_EFL as usize] |= TRAP;
}

extern "C" fn stepped(signal: c_int, _info: *mut siginfo_t, context: *mut c_void) {
    let Some(Step { window, from, bytes, writes }) = STEP.take() else { return not_ours(signal) };
    // SAFETY: as in `fault`.
    let context = unsafe { &mut *context.cast::<ucontext_t>() };
    context.uc_mcontext.gregs[libc::REG_EFL as usize] &= !TRAP;
    protect(&window, libc::PROT_NONE);
    if writes {
        // SAFETY: as in `fault`.
        let data = unsafe {
            std::slice::from_raw_parts(ptr::with_exposed_provenance::<u8>(window.own + from), bytes)
        };
        let at = ByteAddress(window.offset + narrow::<u32>(from));
        let written = board::lock().board().map(|board| board.node.write(at, data));
        if !matches!(written, Some(Ok(()))) {
            die("a write of a mapped window failed: the run is over");
        }
    }
}
