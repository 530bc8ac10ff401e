// SPDX-License-Identifier: MIT OR Apache-2.0
//! Start of the processes of the other nodes.

use crate::{
    arena, audit,
    cell::{Guarded, Value},
    census, coherent, commit, descriptors,
    die::die,
    entries, frames, gates, image, interpose,
    layout::{OWN_STACK, OWN_STACK_SIZE, PAGE, STACK_HEAD, STACK_SIZE, TLS_MAX, stack},
    objects, process, rank, signals, slices, stdio, switch, system, traps, watch, wire,
};
use libc::{c_int, c_void};
use std::{
    ops::Range,
    sync::atomic::{AtomicU32, Ordering},
};

/// Begins what looks at the program in this process.
fn begin_watches() {
    watch::begin();
    image::pages_of_variables().into_iter().for_each(audit::touched);
}

/// What the process of another node does, on the stack of the library.
pub(crate) type Work = extern "C" fn(*mut c_void);

/// What the threads that become ranks share with the main thread.
struct Birth {
    /// The rank whose turn it is to fork; its thread increments it.
    turn: AtomicU32,
    ready: AtomicU32,
    /// The thread that has forked last.
    thread: AtomicU32,
    tls: Guarded<Vec<Range<usize>>>,
    /// What the process of another node does.
    work: Value<Option<Work>>,
}

static BIRTH: Birth = Birth {
    turn: AtomicU32::new(0),
    ready: AtomicU32::new(0),
    thread: AtomicU32::new(0),
    tls: Guarded::new(Vec::new()),
    work: Value::new(None),
};

type Create = unsafe extern "C" fn(
    *mut libc::pthread_t,
    *const libc::pthread_attr_t,
    extern "C" fn(*mut c_void) -> *mut c_void,
    *mut c_void,
) -> c_int;

/// Bytes of the stack of a thread, and of its thread-local variables above it.
fn thread_bytes() -> usize {
    let tls =
        objects::all().first().and_then(|main| main.tls).map_or(0, |(size, align)| size + align);
    if tls > TLS_MAX {
        die!("the program has {tls} bytes of thread-local variables: expected up to {TLS_MAX}");
    }
    STACK_SIZE + STACK_HEAD + tls.next_multiple_of(PAGE)
}

/// Maps the stack of the program on a rank.
pub(crate) fn map_stack(rank: usize) {
    let (base, _) = stack(rank);
    let size = thread_bytes();
    let runs = objects::all().iter().any(|object| object.runs_stack && !object.is_system());
    let done = if runs { system::map_stack(base, size) } else { system::map(base, size) };
    if !done {
        die!("the system refuses memory for the stack of node {rank}");
    }
    system::small_pages(base, size);
}

/// Forks the processes of the other nodes, which do `work`, and joins the ring.
pub(crate) fn fork_ranks(work: Work) {
    let ranks = rank::ranks();
    BIRTH.work.set(Some(work));
    process::begin();
    stdio::flush();
    descriptors::before_fork();
    slices::map(ranks);
    // SAFETY: the calls get valid arguments; each stack belongs to one thread.
    unsafe {
        let create = std::mem::transmute::<*mut c_void, Create>(system::next(c"pthread_create"));
        *BIRTH.tls.borrow() = vec![objects::main_tls()];
        let mut all = std::mem::zeroed();
        let mut old = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const all, &raw mut old);
        for rank in 1..ranks {
            let (base, _) = stack(rank);
            map_stack(rank);
            let mut attr = std::mem::zeroed();
            let mut thread = std::mem::zeroed();
            libc::pthread_attr_init(&raw mut attr);
            libc::pthread_attr_setstack(&raw mut attr, base as *mut c_void, thread_bytes());
            let error = interpose::inside(|| {
                create(&raw mut thread, &raw const attr, born, rank as *mut c_void)
            });
            if error != 0 {
                die!("the system refuses a thread for node {rank}");
            }
            wait_for(&BIRTH.ready, word(rank));
        }
        // What the program has loaded meanwhile.
        objects::scan();
        entries::check();
        traps::patch();
        gates::install();
        census::track(ranks, &BIRTH.tls.borrow());
        if let Some(tls) = BIRTH.tls.borrow().first() {
            frames::set_first_tls(tls);
        }
        coherent::prepare();
        let tls = objects::main_tls();
        for rank in 1..ranks {
            BIRTH.turn.store(word(rank), Ordering::Release);
            system::wake_word(BIRTH.turn.as_ptr());
            wait_for(&BIRTH.ready, word(ranks + rank));
            // The system writes to a thread's memory while it runs: none may run when pages are protected.
            let (process, thread) = (process::own(), BIRTH.thread.load(Ordering::Acquire));
            while libc::syscall(libc::SYS_tgkill, process, thread, 0) == 0 {
                libc::sched_yield();
            }
        }
        rank::become_rank(0);
        arena::begin_rank(0);
        commit::begin_rank();
        // With one node no other process needs what it changes.
        if ranks > 1 {
            image::arm(0, tls);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const old, std::ptr::null_mut());
    }
    signals::install();
    begin_watches();
    if let Some(forked) = rank::forked() {
        forked.set_process(0, process::own());
    }
    wire::join();
    coherent::begin();
}

/// A number of ranks as a word that processes wait for.
fn word(number: usize) -> u32 {
    u32::try_from(number).unwrap_or_else(|_| die!("internal: {number} ranks"))
}

fn wait_for(word: &AtomicU32, value: u32) {
    loop {
        let now = word.load(Ordering::Acquire);
        if now == value {
            return;
        }
        system::wait_word(word.as_ptr(), now);
    }
}

fn tell(value: usize) {
    BIRTH.ready.store(word(value), Ordering::Release);
    system::wake_word(BIRTH.ready.as_ptr());
}

/// A thread that forks its rank's process. The process has this thread alone, with its own stack and
/// thread-local variables; in the first process the thread ends.
extern "C" fn born(rank: *mut c_void) -> *mut c_void {
    let rank = rank as usize;
    BIRTH.tls.borrow().push(objects::main_tls());
    tell(rank);
    wait_for(&BIRTH.turn, word(rank));
    // SAFETY: the process that is forked first ends at once, so that the launcher becomes the parent of the
    // second.
    unsafe {
        let first = interpose::real_fork();
        if first == 0 {
            let second = interpose::real_fork();
            if second == 0 {
                worker(rank);
            }
            // Not by that process: it may be killed before it does anything.
            if let (Some(forked), Ok(second @ 1..)) = (rank::forked(), u32::try_from(second)) {
                forked.set_process(rank, second);
            }
            system::exit(u8::from(second < 0));
        }
        // Not by libc's functions: those are the library's, and would use the stack of the main thread.
        let mut status: c_int = 0;
        let ended = libc::syscall(libc::SYS_wait4, first, &raw mut status, 0, 0);
        if first < 0 || ended != libc::c_long::from(first) || status != 0 {
            die!("the system refuses a process for node {rank}");
        }
        BIRTH.thread.store(libc::gettid().cast_unsigned(), Ordering::Release);
        tell(rank::ranks() + rank);
        loop {
            libc::syscall(libc::SYS_exit, 0);
        }
    }
}

fn worker(rank: usize) -> ! {
    rank::become_rank(rank);
    arena::begin_rank(rank);
    slices::begin_rank(rank);
    switch::begin_rank();
    commit::begin_rank();
    descriptors::begin_worker();
    image::arm(rank, objects::main_tls());
    signals::install();
    begin_watches();
    // SAFETY: the set is valid. The program may have blocked signals; a worker begins as a thread of it would.
    unsafe {
        let mut none = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
    if let Some(work) = BIRTH.work.get() {
        switch::call_on(OWN_STACK + OWN_STACK_SIZE, work, std::ptr::null_mut());
    }
    system::exit(0)
}
