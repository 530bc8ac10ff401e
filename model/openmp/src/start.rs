// SPDX-License-Identifier: MIT OR Apache-2.0
//! Start of the program.

use crate::{
    audit, calendar,
    cell::Value,
    census, descriptors,
    die::{die, say},
    ends, entries, fork, forward, gates,
    layout::{FIRST_STACK, stack},
    objects, random, rank, signals, stdio, streams, switch, system, traps,
};
use libc::{c_char, c_int, c_void};
use std::ffi::{CStr, CString};

/// Environment variable of the launcher's options.
pub(crate) const OPTIONS: &CStr = c"AWGSTAR_OPENMP";

#[used]
#[unsafe(link_section = ".init_array")]
static INIT: extern "C" fn(c_int, *const *const c_char, *const *const c_char) = init;

/// Runs before the program.
extern "C" fn init(_: c_int, argv: *const *const c_char, envp: *const *const c_char) {
    let Some(options) = system::variable(OPTIONS) else {
        // A program that has LD_PRELOAD from elsewhere.
        die!("start the program with `awgstar run --openmp -n NODES -- PROGRAM`");
    };
    fix_addresses(argv, envp);
    switch::map();
    gates::map();
    rank::read(&system::variable(c"AWGSTAR_RUN").unwrap_or_default(), &options);
    if let Some(forked) = rank::forked() {
        forked.set_loaded();
    }
    let preload = system::variable(c"LD_PRELOAD").unwrap_or_default();
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
    fork::map_stack(0);
    stdio::begin();
    random::begin();
    calendar::begin();
    descriptors::map();
    streams::map();
    audit::map(rank::ranks());
    census::begin();
    entries::check().need_regions(true);
    traps::patch();
    gates::exempt(forward::all().chain([__libc_start_main as *const () as usize]));
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
    census::set_arguments(argv as usize);
    let mut call = Call { argc, argv, envp, code: 0 };
    switch::call_on(gates::free_stack(), enter, std::ptr::from_mut(&mut call).cast());
    switch::run(|| ends::finish(call.code));
    call.code
}
