// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signal handlers: write faults on protected pages, and instructions that the library has replaced.

use crate::{
    arena,
    cell::Value,
    coherent,
    die::{self, die},
    frames, image,
    layout::{SIGNAL_STACK, SIGNAL_STACK_SIZE},
    rank, symbols, system, traps, wire,
};
use libc::{c_int, c_void, sigaction, siginfo_t, ucontext_t};

/// Handlers that the program has installed for the library's signals.
static PROGRAM: [Value<Option<sigaction>>; 2] = [const { Value::new(None) }; 2];

const SIGNALS: [c_int; 2] = [libc::SIGSEGV, libc::SIGTRAP];

type Sigaction = unsafe extern "C" fn(c_int, *const sigaction, *mut sigaction) -> c_int;

/// libc's own function; the library replaces the one that the program calls.
pub(crate) fn real_sigaction() -> Sigaction {
    static REAL: Value<Option<Sigaction>> = Value::new(None);
    if let Some(real) = REAL.get() {
        return real;
    }
    // SAFETY: libc has this function with this type.
    let real = unsafe { std::mem::transmute::<*mut c_void, Sigaction>(system::next(c"sigaction")) };
    REAL.set(Some(real));
    real
}

fn slot(signal: c_int) -> Option<&'static Value<Option<sigaction>>> {
    let index = SIGNALS.iter().position(|&one| one == signal)?;
    rank::active().then(|| &PROGRAM[index])
}

/// Returns true for a signal that the library uses: it keeps the program's handler.
pub(crate) fn kept(signal: c_int) -> bool {
    slot(signal).is_some()
}

/// The program's handler of a signal that the library uses, if it has one.
pub(crate) fn program(signal: c_int) -> Option<sigaction> {
    slot(signal).and_then(Value::get)
}

/// Keeps the program's handler of a signal that the library uses.
pub(crate) fn set_program(signal: c_int, action: sigaction) {
    if let Some(slot) = slot(signal) {
        slot.set(Some(action));
    }
}

/// Installs the handlers, and their stack for the thread that calls.
pub(crate) fn install() {
    let stack = libc::stack_t {
        ss_sp: SIGNAL_STACK as *mut c_void,
        ss_flags: 0,
        ss_size: SIGNAL_STACK_SIZE,
    };
    // SAFETY: the stack is mapped, and the handlers have the type that SA_SIGINFO asks for.
    unsafe {
        libc::syscall(libc::SYS_sigaltstack, &raw const stack, 0_usize);
        let handlers: [(c_int, usize); 2] = [
            (libc::SIGSEGV, fault as *const () as usize),
            (libc::SIGTRAP, trap as *const () as usize),
        ];
        for (signal, handler) in handlers {
            let mut action: sigaction = std::mem::zeroed();
            action.sa_sigaction = handler;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
            // A handler of the program must not write to its memory while the library works.
            libc::sigfillset(&raw mut action.sa_mask);
            for own in SIGNALS {
                libc::sigdelset(&raw mut action.sa_mask, own);
            }
            real_sigaction()(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

extern "C" fn fault(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system gives valid pointers to a handler with SA_SIGINFO.
    let (addr, context) = unsafe { ((*info).si_addr() as usize, &*context.cast::<ucontext_t>()) };
    let site = context.uc_mcontext.gregs[libc::REG_RIP as usize] as usize;
    // SAFETY: as above. A process has sent the signal: no instruction has failed, and none runs again.
    if unsafe { (*info).si_code } <= 0 {
        return chain(signal, true);
    }
    // Bit 1 of the error code: the access was a write.
    let write = context.uc_mcontext.gregs[libc::REG_ERR as usize] & 2 != 0;
    let opens = || coherent::fault(addr, write, site) || image::open(addr, site);
    if wire::uncounted(opens) {
        return;
    }
    if let Some(rank) = arena::rank_of(addr).filter(|&rank| rank != rank::rank()) {
        die!(
            "uses what node {rank} has opened after the first parallel region (a file or a directory): not supported"
        );
    }
    if program(signal).is_none() {
        die::say(&format!("segmentation fault: access to {addr:#x} at {}", symbols::code(site)));
    }
    chain(signal, false);
}

extern "C" fn trap(signal: c_int, _: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: as above; nobody else uses the registers meanwhile.
    let context = unsafe { &mut *context.cast::<ucontext_t>() };
    let registers = &mut context.uc_mcontext.gregs;
    // The 128 bytes below the stack pointer belong to the function, too.
    frames::set_end((registers[libc::REG_RSP as usize] as usize).saturating_sub(128));
    let at = registers[libc::REG_RIP as usize] as usize;
    match traps::at(at) {
        Some(next) => registers[libc::REG_RIP as usize] = next as i64,
        None => chain(signal, true),
    }
}

/// A signal that is not the library's: the program's handler gets it when the instruction runs again, or when it
/// is sent `again`, or the signal ends the process.
fn chain(signal: c_int, again: bool) {
    // SAFETY: zero is a valid value: the default action.
    let default = unsafe { std::mem::zeroed() };
    let action = program(signal).unwrap_or(default);
    // SAFETY: an action that the program gave, or the default.
    unsafe { real_sigaction()(signal, &raw const action, std::ptr::null_mut()) };
    if again {
        // SAFETY: as if the signal came now.
        unsafe { libc::raise(signal) };
    }
}
