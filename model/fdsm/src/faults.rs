// SPDX-License-Identifier: MIT OR Apache-2.0
//! The handler of faults at shared pages.

use crate::state::{Guard, State};
use awgstar_caller::wrong::Wrong;
use libc::{c_int, c_void, siginfo_t, ucontext_t};
use std::{
    io::{self, Write as _},
    ops::Range,
    ptr,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// First address of the shared memory, and the end; zeros before it is mapped.
static MEMORY: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];
/// The handler that the program had before.
static BEFORE: Mutex<Option<libc::sigaction>> = Mutex::new(None);

/// Installs the handler for accesses to this memory.
pub(crate) fn install(memory: Range<usize>) {
    MEMORY[0].store(memory.start, Ordering::Relaxed);
    MEMORY[1].store(memory.end, Ordering::Relaxed);
    // SAFETY: zero is valid for these structures, and the handler has the form that the flag names.
    let before = unsafe {
        let mut before = std::mem::zeroed::<libc::sigaction>();
        let mut action = std::mem::zeroed::<libc::sigaction>();
        action.sa_sigaction = (fault as *const ()).expose_provenance();
        // On the stack of the program: one that it has for signals may be too small for a few pages.
        action.sa_flags = libc::SA_SIGINFO;
        // A handler of the program must not use the shared memory while the library works.
        libc::sigfillset(&raw mut action.sa_mask);
        libc::sigaction(libc::SIGSEGV, &raw const action, &raw mut before);
        before
    };
    *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
}

type Handler = extern "C" fn(c_int, *mut siginfo_t, *mut c_void);

extern "C" fn fault(signal: c_int, info: *mut siginfo_t, context_of: *mut c_void) {
    // SAFETY: the system gives valid pointers to a handler with SA_SIGINFO.
    let (sent, at, context) = unsafe {
        ((*info).si_code <= 0, (*info).si_addr().addr(), &*context_of.cast::<ucontext_t>())
    };
    // Bits of the error code: the access was a write, the processor wanted an instruction.
    let code = context.uc_mcontext.gregs[libc::REG_ERR as usize];
    let (write, runs) = (code & 2 != 0, code & 16 != 0);
    let memory = MEMORY[0].load(Ordering::Relaxed)..MEMORY[1].load(Ordering::Relaxed);
    if sent || runs || !memory.contains(&at) {
        not_ours(signal, sent, info, context_of);
        return;
    }
    // SAFETY: the program may look at the number of the last error after an access; it is of this thread.
    let error = unsafe { *libc::__errno_location() };
    if let Err(wrong) = handle(at, write) {
        let access = if write { "write to" } else { "read of" };
        // One write, and no function of the program's end: the access may be in one that holds a lock of the C library.
        let line = format!("fdsm: {access} shared memory at {at:#x}: {wrong}\n");
        let _ = io::stderr().write_all(line.as_bytes());
        // SAFETY: ends the process.
        unsafe { libc::_exit(1) };
    }
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = error };
}

fn handle(at: usize, write: bool) -> Result<(), Wrong> {
    match Guard::take().as_deref_mut() {
        Some(State::Running(process)) => process.fault(at, write),
        Some(_) => Err(Wrong::Order("after fdsm_finalize")),
        None => Err(Wrong::Order("within a call of this library")),
    }
}

/// A signal that is not of the shared memory goes to the handler that the program had before, if there is one; else it
/// ends the process.
fn not_ours(signal: c_int, sent: bool, info: *mut siginfo_t, context: *mut c_void) {
    let before = *BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(before) = before else { return };
    match before.sa_sigaction {
        libc::SIG_IGN if sent => {}
        libc::SIG_DFL | libc::SIG_IGN => {
            // SAFETY: the default action. The instruction faults again; a signal that was sent does not come again.
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
                if sent {
                    libc::raise(signal);
                }
            }
        }
        handler => {
            let handler: *const c_void = ptr::with_exposed_provenance(handler);
            if before.sa_flags & libc::SA_SIGINFO == 0 {
                // SAFETY: the program gave a function of this type.
                let handler: extern "C" fn(c_int) = unsafe { std::mem::transmute(handler) };
                handler(signal);
            } else {
                // SAFETY: as above, with the flag.
                let handler: Handler = unsafe { std::mem::transmute(handler) };
                handler(signal, info, context);
            }
        }
    }
}
