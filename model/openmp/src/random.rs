// SPDX-License-Identifier: MIT OR Apache-2.0
//! `rand` and `strtok`: libc's state belongs to a process, so the library keeps one that travels. In a region
//! a lock of the ring orders the calls, and `rand` gives the numbers of libc.

use crate::{cell::Value, die::die, interpose, switch, sync, wire};
use libc::{c_char, c_int, c_long, c_uint, c_void};

/// State of libc's generator of numbers, as `random_r` has it.
#[repr(C)]
struct Data {
    front: *mut i32,
    rear: *mut i32,
    state: *mut i32,
    kind: c_int,
    degree: c_int,
    distance: c_int,
    end: *mut i32,
}

unsafe extern "C" {
    fn initstate_r(seed: c_uint, state: *mut c_char, size: usize, data: *mut Data) -> c_int;
    fn srandom_r(seed: c_uint, data: *mut Data) -> c_int;
    fn random_r(data: *mut Data, result: *mut i32) -> c_int;
    fn strtok_r(text: *mut c_char, ends: *const c_char, saved: *mut *mut c_char) -> *mut c_char;
}

/// Bytes of the state that libc uses.
const STATE: usize = 128;

/// Memory that travels: the state of `strtok`, the generator, and its numbers.
#[repr(C)]
struct Shared {
    token: *mut c_char,
    data: Data,
    numbers: [c_char; STATE],
}

static SHARED: Value<usize> = Value::new(0);

/// Makes the state, before the fork.
pub(crate) fn begin() {
    let at = interpose::shared_zero(1, size_of::<Shared>());
    if at.is_null() {
        die!("no memory for the state of rand");
    }
    SHARED.set(at as usize);
    let shared = shared();
    // SAFETY: the block is zero, as libc asks for. A program that sets no seed has the seed 1.
    unsafe {
        initstate_r(1, (&raw mut (*shared).numbers).cast(), STATE, &raw mut (*shared).data);
    }
}

fn shared() -> *mut Shared {
    SHARED.get() as *mut Shared
}

fn alone<R>(work: impl FnOnce() -> R) -> R {
    switch::run(|| sync::enter(wire::lock::LIBC, "a function of libc"));
    let result = work();
    switch::run(|| sync::leave(wire::lock::LIBC));
    result
}

#[unsafe(no_mangle)]
extern "C" fn random() -> c_long {
    alone(|| {
        let mut number = 0;
        // SAFETY: the state was made by `begin`.
        unsafe { random_r(&raw mut (*shared()).data, &raw mut number) };
        number.into()
    })
}

#[unsafe(no_mangle)]
extern "C" fn rand() -> c_int {
    random() as c_int
}

#[unsafe(no_mangle)]
extern "C" fn srandom(seed: c_uint) {
    // SAFETY: as above.
    alone(|| unsafe { srandom_r(seed, &raw mut (*shared()).data) });
}

#[unsafe(no_mangle)]
extern "C" fn srand(seed: c_uint) {
    srandom(seed);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn strtok(text: *mut c_char, ends: *const c_char) -> *mut c_char {
    // SAFETY: the program's own call, with state that travels.
    alone(|| unsafe { strtok_r(text, ends, &raw mut (*shared()).token) })
}

/// # Safety
/// As of libc's function; the state would be the program's.
#[unsafe(no_mangle)]
unsafe extern "C" fn initstate(_seed: c_uint, _state: *mut c_char, _size: usize) -> *mut c_void {
    die!("initstate: not supported in an OpenMP program on the ring");
}

#[unsafe(no_mangle)]
unsafe extern "C" fn setstate(_state: *mut c_char) -> *mut c_void {
    die!("setstate: not supported in an OpenMP program on the ring");
}
