// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tasks: each runs where it is created, at once. That order fulfils every dependence, and every wait for
//! tasks is over when it begins.

use crate::{
    die::die,
    interpose,
    schedule::{Loop, Schedule},
    switch, team,
};
use libc::{c_int, c_long, c_uint, c_ulong, c_ulonglong, c_void};

type Work = extern "C" fn(*mut c_void);
type Copy = Option<extern "C" fn(*mut c_void, *mut c_void)>;

const FINAL: c_uint = 1 << 1;
const GRAINSIZE: c_uint = 1 << 9;
const UP: c_uint = 1 << 8;
const REDUCTION: c_uint = 1 << 12;
const DETACH: c_uint = 1 << 13;

/// A copy of a task's data, in memory that other threads can be given pointers to.
struct Data {
    at: *mut c_void,
}

impl Data {
    fn new(data: *mut c_void, copy: Copy, size: c_long, align: c_long) -> Self {
        let (size, align) = (size.max(1) as usize, align.max(16) as usize);
        let at = interpose::shared(size, align);
        if at.is_null() {
            die!("no memory for the {size} bytes of a task");
        }
        match copy {
            Some(copy) => {
                let copy = copy as *const () as usize;
                switch::call_program(copy, [at as usize, data as usize, 0]);
            }
            // SAFETY: both have so many bytes.
            None if !data.is_null() => unsafe {
                std::ptr::copy_nonoverlapping(data.cast::<u8>(), at.cast(), size);
            },
            None => {}
        }
        Data { at }
    }

    fn run(self, work: Work, last: bool) {
        if last {
            team::begin_final();
        }
        switch::call_program(work as *const () as usize, [self.at as usize, 0, 0]);
        if last {
            team::end_final();
        }
        interpose::shared_free(self.at);
    }
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_task(
    work: Work,
    data: *mut c_void,
    copy: Copy,
    size: c_long,
    align: c_long,
    _if_clause: bool,
    flags: c_uint,
    _depend: *mut *mut c_void,
    _priority: c_int,
    _detach: *mut c_void,
) {
    if flags & DETACH != 0 {
        die!("task with a detach clause: not supported");
    }
    Data::new(data, copy, size, align).run(work, flags & FINAL != 0);
}

/// Tasks for so many iterations: the iterations of each but the rest, and how many have one more.
fn split(count: u64, asked: u64, flags: c_uint) -> (u64, u64) {
    let tasks = match (asked, flags & GRAINSIZE != 0) {
        (0, _) => team::threads() as u64,
        (size, true) => count / size,
        (tasks, false) => tasks,
    };
    let tasks = tasks.clamp(1, count.max(1));
    (count / tasks, count % tasks)
}

/// Runs a loop as tasks; `first` and `step` in two's complement.
fn taskloop(
    work: Work,
    data: *mut c_void,
    copy: Copy,
    shape: (c_long, c_long),
    flags: c_uint,
    asked: u64,
    the: (u64, u64, u64, u64),
) {
    if flags & REDUCTION != 0 {
        die!("taskloop with a reduction: not supported");
    }
    let (first, end, step, count) = the;
    let (part, rest) = split(count, asked, flags);
    let mut at = 0;
    let mut task = 0;
    while at < count {
        let next = at + part + u64::from(task < rest);
        let value = |index: u64| {
            if index >= count { end } else { first.wrapping_add(index.wrapping_mul(step)) }
        };
        let data = Data::new(data, copy, shape.0, shape.1);
        // SAFETY: the data of a task of a loop begin with its two bounds.
        unsafe {
            data.at.cast::<u64>().write(value(at));
            data.at.cast::<u64>().add(1).write(value(next));
        }
        data.run(work, flags & FINAL != 0);
        (at, task) = (next, task + 1);
    }
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_taskloop(
    work: Work,
    data: *mut c_void,
    copy: Copy,
    size: c_long,
    align: c_long,
    flags: c_uint,
    tasks: c_ulong,
    _priority: c_int,
    first: c_long,
    end: c_long,
    step: c_long,
) {
    let the = Loop::signed(Schedule::Static(0), first, end, step);
    let bounds = (the.first, the.end, the.step, the.count);
    taskloop(work, data, copy, (size, align), flags, tasks, bounds);
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_taskloop_ull(
    work: Work,
    data: *mut c_void,
    copy: Copy,
    size: c_long,
    align: c_long,
    flags: c_uint,
    tasks: c_ulong,
    _priority: c_int,
    first: c_ulonglong,
    end: c_ulonglong,
    step: c_ulonglong,
) {
    let schedule = Schedule::Static(0);
    let the = Loop::unsigned(schedule, flags & UP != 0, first, end, step);
    let bounds = (the.first, the.end, the.step, the.count);
    taskloop(work, data, copy, (size, align), flags, tasks, bounds);
}

/// Nothing is left to wait for.
macro_rules! nothing {
    ($($name:ident)*) => { $( #[unsafe(no_mangle)] extern "C" fn $name() {} )* };
}

nothing! { GOMP_taskwait GOMP_taskwait_depend GOMP_taskyield GOMP_taskgroup_start GOMP_taskgroup_end }
