// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loops that wait for a variable without a flush: `while (!done);` with an atomic read. Nothing of it comes to
//! the library, so the ring would wait for the process for ever. A timer looks at the registers. If they
//! have few states for a while, the program does nothing but wait, and the library flushes for it. While the
//! library works the timer does nothing: it acts between two instructions of the program only.

use crate::{
    cell::Value,
    commit,
    die::die,
    frames, image, objects, rank,
    record::FLUSH,
    symbols, sync, team,
    waits::{Seen, Waits},
    wire,
};
use libc::{c_int, c_void, siginfo_t, ucontext_t};

/// Processor time between two looks.
const LOOK_NS: i64 = 4_000_000;

/// Only the timer's handler uses it, which does not interrupt itself.
static WAITS: Value<Waits> = Value::new(Waits::NEW);

fn signal() -> c_int {
    libc::SIGRTMAX()
}

/// Begins to look, in this process.
pub(crate) fn begin() {
    // SAFETY: the structures are valid; the handler has the type that SA_SIGINFO asks for.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = look as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
        crate::signals::real_sigaction()(signal(), &raw const action, std::ptr::null_mut());
        let mut event: libc::sigevent = std::mem::zeroed();
        event.sigev_notify = libc::SIGEV_SIGNAL;
        event.sigev_signo = signal();
        let mut timer: c_int = 0;
        // A timer of the process would make its clock coarse, which times computing.
        let clock = libc::CLOCK_THREAD_CPUTIME_ID;
        let made = libc::syscall(libc::SYS_timer_create, clock, &raw mut event, &raw mut timer);
        let step = libc::timespec { tv_sec: 0, tv_nsec: LOOK_NS };
        let every = libc::itimerspec { it_interval: step, it_value: step };
        let set = libc::syscall(libc::SYS_timer_settime, timer, 0, &raw const every, 0_usize);
        if made != 0 || set != 0 {
            die!("the system refuses a timer");
        }
    }
}

extern "C" fn look(_: c_int, _: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system gives valid pointers to a handler with SA_SIGINFO.
    let registers = unsafe { &(*context.cast::<ucontext_t>()).uc_mcontext.gregs };
    let rip = registers[libc::REG_RIP as usize] as usize;
    let rsp = registers[libc::REG_RSP as usize] as usize;
    let see = || {
        if !objects::in_program(rip) || !team::in_region() || !frames::on_stack(rsp) {
            return None;
        }
        let words = ((frames::stack().1 - rsp) / 8).min(32);
        // SAFETY: the words above the stack pointer are below the top of the stack.
        let top = unsafe { std::slice::from_raw_parts(rsp as *const u64, words) };
        let words = registers[..17].iter().map(|&word| word as u64).chain(top.iter().copied());
        let state = words.fold(7_u64, |hash, word| {
            (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31)
        });
        Some(Seen { work: commit::syncs().wrapping_add(image::opened()), state })
    };
    let mut waits = WAITS.get();
    let found = waits.look(see);
    WAITS.set(waits);
    if !found {
        return;
    }
    frames::set_end(rsp.saturating_sub(128));
    wait(rip);
}

/// Flushes until another rank has changed something.
fn wait(rip: usize) {
    commit::publish(FLUSH);
    let before = commit::applied();
    let mut patience = wire::Patience::new();
    while patience.wait() {
        sync::settle_all();
        commit::update(FLUSH);
        if commit::applied() != before {
            return;
        }
    }
    die!(
        "thread {} waits in a loop at {}, and no other thread changes anything",
        rank::rank(),
        symbols::code(rip)
    );
}
