// SPDX-License-Identifier: MIT OR Apache-2.0
//! Start of the program and of the processes of the other nodes.

use crate::{
    arena,
    cell::{Solo, Value},
    census, commit,
    die::{die, say},
    gates, image,
    layout::{OWN_STACK, OWN_STACK_SIZE, PAGE, STACK_HEAD, STACK_SIZE, TLS_MAX, stack},
    objects, rank, signals, slices, stdio, switch, system, team, wire,
};
use libc::{c_char, c_int, c_void};
use std::{
    ffi::{CStr, CString},
    ops::Range,
    sync::atomic::{AtomicU32, Ordering},
};

/// Environment variable of the launcher's options.
pub(crate) const OPTIONS: &CStr = c"AWGSTAR_OPENMP";

#[used]
#[unsafe(link_section = ".init_array")]
static INIT: extern "C" fn(c_int, *const *const c_char, *const *const c_char) = init;

/// A variable of the environment.
pub(crate) fn variable(name: &CStr) -> Option<String> {
    // SAFETY: the name ends with a zero, and nobody changes the environment yet.
    let value = unsafe { libc::getenv(name.as_ptr()) };
    // SAFETY: not null, a string of the environment.
    (!value.is_null()).then(|| unsafe { CStr::from_ptr(value) }.to_string_lossy().into_owned())
}

/// Runs before the program.
extern "C" fn init(_: c_int, argv: *const *const c_char, envp: *const *const c_char) {
    let Some(options) = variable(OPTIONS) else {
        // A program that has LD_PRELOAD from elsewhere.
        die!("start the program with `awgstar run --openmp -n NODES -- PROGRAM`");
    };
    fix_addresses(argv, envp);
    switch::map();
    gates::map();
    rank::read(&variable(c"AWGSTAR_RUN").unwrap_or_default(), &options);
    if let Some(forked) = rank::forked() {
        forked.set_loaded();
    }
    let preload = variable(c"LD_PRELOAD").unwrap_or_default();
    if let Some(Ok(fd)) = preload.strip_prefix("/proc/self/fd/").map(str::parse) {
        // The launcher's descriptor of this library: the program must not see it.
        // SAFETY: nobody else uses it.
        unsafe { libc::close(fd) };
    }
    for name in [OPTIONS, c"AWGSTAR_RUN", c"LD_PRELOAD", FILL] {
        // SAFETY: as above. What the program starts is not part of the run.
        unsafe { libc::unsetenv(name.as_ptr()) };
    }
    std::panic::set_hook(Box::new(|info| die!("internal: {info}")));
    objects::scan();
    map_stack(0);
    stdio::begin();
    crate::random::begin();
    crate::calendar::begin();
    crate::descriptors::map();
    crate::audit::map(rank::ranks());
    census::begin();
    crate::entries::check().need_regions(true);
    crate::traps::patch();
    gates::install();
    signals::install();
}

/// Variable that fills the environment.
const FILL: &CStr = c"AWGSTAR_FILL";
/// Multiples to which the environment is filled: variables, and bytes of all strings.
const FILL_COUNT: usize = 256;
const FILL_BYTES: usize = 64 << 10;

/// Strings of a vector that ends with null.
fn strings(vector: *const *const c_char) -> Vec<&'static CStr> {
    // SAFETY: a vector of the program's start.
    let at = |index| unsafe { *vector.add(index) };
    let all = (0..).map(at).take_while(|text| !text.is_null());
    // SAFETY: as above.
    all.map(|text| unsafe { CStr::from_ptr(text) }).collect()
}

/// Starts the program again without random addresses, unless it has none. The environment is filled, so that
/// its size does not change the address of the program's arguments.
fn fix_addresses(argv: *const *const c_char, envp: *const *const c_char) {
    const ALL: libc::c_ulong = 0xffff_ffff;
    // SAFETY: plain system calls; the vectors are those of the program's start.
    unsafe {
        let now = libc::personality(ALL);
        if now & libc::ADDR_NO_RANDOMIZE != 0 {
            return;
        }
        if now < 0 || libc::personality((now | libc::ADDR_NO_RANDOMIZE) as libc::c_ulong) < 0 {
            // As in some containers: results are the same, but pointers in shared data are not.
            say("the system does not allow fixed addresses: times may differ from run to run");
            return;
        }
        // The stack's limit says where libraries are.
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: libc::RLIM_INFINITY };
        libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit);
        limit.rlim_cur = limit.rlim_max.min(FIRST_STACK as libc::rlim_t);
        libc::setrlimit(libc::RLIMIT_STACK, &raw const limit);
    }
    let mut environment: Vec<CString> = strings(envp).into_iter().map(CString::from).collect();
    let fill = |bytes: usize| {
        CString::new([FILL.to_bytes(), b"=", &vec![b'x'; bytes]].concat()).unwrap_or_default()
    };
    let count = (environment.len() + 1).next_multiple_of(FILL_COUNT);
    while environment.len() + 1 < count {
        environment.push(fill(0));
    }
    let size = |text: &CStr| text.to_bytes_with_nul().len();
    let bytes: usize =
        environment.iter().map(|text| size(text)).chain(strings(argv).into_iter().map(size)).sum();
    let empty = size(&fill(0));
    environment.push(fill((bytes + empty).next_multiple_of(FILL_BYTES) - bytes - empty));
    let pointers = environment.iter().map(|text| text.as_ptr()).chain([std::ptr::null()]);
    let pointers: Vec<*const c_char> = pointers.collect();
    // SAFETY: both vectors end with null.
    unsafe { libc::execve(c"/proc/self/exe".as_ptr(), argv, pointers.as_ptr()) };
    die!("cannot start the program again without random addresses");
}

type Main = extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char) -> c_int;
type StartMain = unsafe extern "C" fn(
    Main,
    c_int,
    *mut *mut c_char,
    *mut c_void,
    *mut c_void,
    *mut c_void,
    *mut c_void,
) -> c_int;

static MAIN: Value<Option<Main>> = Value::new(None);

/// libc's start of a program: `main` gets a stack at a fixed address.
#[unsafe(no_mangle)]
unsafe extern "C" fn __libc_start_main(
    main: Main,
    argc: c_int,
    argv: *mut *mut c_char,
    init: *mut c_void,
    fini: *mut c_void,
    rtld_fini: *mut c_void,
    stack_end: *mut c_void,
) -> c_int {
    MAIN.set(Some(main));
    // SAFETY: libc has this function with this type; the arguments are those it was to get.
    unsafe {
        let real =
            std::mem::transmute::<*mut c_void, StartMain>(system::next(c"__libc_start_main"));
        real(on_own_stack, argc, argv, init, fini, rtld_fini, stack_end)
    }
}

/// Returns true for the address of the function above: it needs no gate.
pub(crate) fn is_start(at: usize) -> bool {
    at == __libc_start_main as *const () as usize
}

/// Most bytes of the stack on which the program starts.
pub(crate) const FIRST_STACK: usize = 8 << 20;

/// Address of the vector of arguments; above it are the strings.
static ARGUMENTS: Value<usize> = Value::new(0);

/// Address of the arguments of the program.
pub(crate) fn arguments() -> usize {
    ARGUMENTS.get()
}

struct Call {
    argc: c_int,
    argv: *mut *mut c_char,
    envp: *mut *mut c_char,
    code: c_int,
}

extern "C" fn on_own_stack(argc: c_int, argv: *mut *mut c_char, envp: *mut *mut c_char) -> c_int {
    extern "C" fn enter(call: *mut c_void) {
        // SAFETY: points to the call below.
        let call = unsafe { &mut *call.cast::<Call>() };
        if let Some(main) = MAIN.get() {
            let arguments = [call.argc as usize, call.argv as usize, call.envp as usize];
            call.code = gates::call(main as *const () as usize, stack(0).1, arguments) as c_int;
        }
    }
    ARGUMENTS.set(argv as usize);
    let mut call = Call { argc, argv, envp, code: 0 };
    switch::call_on(gates::free_stack(), enter, std::ptr::from_mut(&mut call).cast());
    switch::run(|| finish(call.code));
    call.code
}

/// The program is about to end with a code.
pub(crate) fn finish(code: c_int) {
    if !rank::active() {
        return;
    }
    stdio::flush();
    if crate::process::ENDING.replace(true) {
        // An exit handler ends the program with another code.
        if let Some(forked) =
            rank::forked().filter(|forked| code != 0 && forked.exit_code().is_some())
        {
            forked.exit(code.to_le_bytes()[0]);
        }
        return;
    }
    if code == 0 && !rank::started() {
        // What it was to load may not have come.
        objects::scan();
        crate::entries::check().need_regions(false);
    }
    if rank::rank() == 0 && !team::in_region() {
        if let Some(forked) = rank::forked().filter(|_| code != 0) {
            forked.exit(code.to_le_bytes()[0]);
        }
        team::quit();
        wire::leave();
        return;
    }
    // A rank ends the program in the middle of a region. The launcher ends the others when this process ends.
    if let Some(forked) = rank::forked() {
        forked.exit(code.to_le_bytes()[0]);
    }
}

/// Begins what looks at the program in this process.
fn begin_watches() {
    crate::watch::begin();
    image::pages_of_variables().into_iter().for_each(crate::audit::touched);
}

/// What the threads that become ranks share with the main thread.
struct Birth {
    /// The rank whose turn it is to fork; its thread increments it.
    turn: AtomicU32,
    ready: AtomicU32,
    /// The thread that has forked last.
    thread: AtomicU32,
    tls: Solo<Vec<Range<usize>>>,
}

static BIRTH: Birth = Birth {
    turn: AtomicU32::new(0),
    ready: AtomicU32::new(0),
    thread: AtomicU32::new(0),
    tls: Solo::new(Vec::new()),
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
fn map_stack(rank: usize) {
    let (base, _) = stack(rank);
    let size = thread_bytes();
    let runs = objects::all().iter().any(|object| object.runs_stack && !object.is_system());
    let done = if runs { system::map_stack(base, size) } else { system::map(base, size) };
    if !done {
        die!("the system refuses memory for the stack of node {rank}");
    }
    system::small_pages(base, size);
}

/// Forks the processes of the other nodes, and joins the ring.
pub(crate) fn fork_ranks() {
    let ranks = rank::ranks();
    crate::process::begin();
    stdio::flush();
    crate::descriptors::before_fork();
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
            let error = crate::interpose::inside(|| {
                create(&raw mut thread, &raw const attr, born, rank as *mut c_void)
            });
            if error != 0 {
                die!("the system refuses a thread for node {rank}");
            }
            wait_for(&BIRTH.ready, u32::try_from(rank).unwrap_or(0));
        }
        // What the program has loaded meanwhile.
        objects::scan();
        crate::entries::check();
        crate::traps::patch();
        gates::install();
        census::track(ranks, &BIRTH.tls.borrow());
        let tls = objects::main_tls();
        for rank in 1..ranks {
            BIRTH.turn.store(u32::try_from(rank).unwrap_or(0), Ordering::Release);
            system::wake_word(BIRTH.turn.as_ptr());
            wait_for(&BIRTH.ready, u32::try_from(ranks + rank).unwrap_or(0));
            // The system writes to a thread's memory while it runs: none may run when pages are protected.
            let (process, thread) = (crate::process::own(), BIRTH.thread.load(Ordering::Acquire));
            while libc::syscall(libc::SYS_tgkill, process, thread, 0) == 0 {
                libc::sched_yield();
            }
        }
        rank::become_rank(0);
        arena::begin_rank(0);
        commit::begin_rank();
        // One node alone has nobody to tell what it changes.
        if ranks > 1 {
            image::arm(0, tls);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const old, std::ptr::null_mut());
    }
    signals::install();
    begin_watches();
    if let Some(forked) = rank::forked() {
        forked.set_process(0, crate::process::own());
    }
    wire::join();
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
    BIRTH.ready.store(u32::try_from(value).unwrap_or(0), Ordering::Release);
    system::wake_word(BIRTH.ready.as_ptr());
}

/// A thread that forks its rank's process. The process has this thread alone, with its own stack and
/// thread-local variables; in the first process the thread ends.
extern "C" fn born(rank: *mut c_void) -> *mut c_void {
    let rank = rank as usize;
    BIRTH.tls.borrow().push(objects::main_tls());
    tell(rank);
    wait_for(&BIRTH.turn, u32::try_from(rank).unwrap_or(0));
    // SAFETY: the process that is forked first ends at once, so that the launcher becomes the parent of the
    // second.
    unsafe {
        let first = crate::interpose::real_fork();
        if first == 0 {
            let second = crate::interpose::real_fork();
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
    crate::descriptors::begin_worker();
    image::arm(rank, objects::main_tls());
    signals::install();
    begin_watches();
    // SAFETY: the set is valid. The program may have blocked signals; a worker begins as a thread of it would.
    unsafe {
        let mut none = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
    switch::call_on(OWN_STACK + OWN_STACK_SIZE, team::worker, std::ptr::null_mut());
    system::exit(0)
}

/// Barrier of the end: the others are to leave.
pub(crate) fn last_barrier() {
    commit::barrier();
}
