// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parallel regions: rank 0 publishes what to call, the others wait for it at the barrier.

use crate::{
    census, coherent, commit,
    die::die,
    fork, frames, gates,
    layout::stack,
    locks, process, rank,
    schedule::{Loop, Schedule},
    stdio, switch, system,
    team::{self, Control},
    wire,
};
use libc::{c_uint, c_void};

/// Body of a region.
pub(crate) type Body = extern "C" fn(*mut c_void);

const REGION: u32 = 1;
const QUIT: u32 = 2;

/// Threads of a region that asks for `asked`; 0 asks for the default.
fn threads_for(asked: c_uint) -> usize {
    if team::in_region() || team::control().levels == 0 {
        return 1;
    }
    let asked = if asked == 0 { team::control().threads } else { asked as usize };
    if asked > rank::ranks() {
        die!("a region asks for {asked} threads: run with -n {asked}, or fewer threads");
    }
    asked
}

fn halves(word: usize) -> [u32; 2] {
    [(word & 0xffff_ffff) as u32, (word >> 32) as u32]
}

fn whole(low: u32, high: u32) -> usize {
    low as usize | (high as usize) << 32
}

/// Begins a region, and a loop in each of its threads.
pub(crate) fn begin(body: Body, data: *mut c_void, asked: c_uint, the: Option<Loop>) {
    begin_team(body, data, asked, the);
    match the {
        Some(the) => team::share(the, false),
        None => drop(team::take_sharing()),
    }
}

fn begin_team(body: Body, data: *mut c_void, asked: c_uint, the: Option<Loop>) {
    let threads = threads_for(asked);
    team::begin();
    // One node alone has the time of the ring, too.
    if rank::ranks() == 1 && !rank::started() && !process::ENDING.get() {
        fork::fork_ranks(worker);
    }
    if threads == 1 {
        team::push_alone();
        return;
    }
    if process::ENDING.get() {
        die!("a parallel region after the end of the program, in an exit handler: not supported");
    }
    if locks::any_held() {
        die!("a region begins while its first thread holds a lock of omp_set_lock: not supported");
    }
    if rank::started() {
        census::check();
    } else {
        fork::fork_ranks(worker);
    }
    let sharings = team::sharings();
    let control = team::control();
    let [body_low, body_high] = halves(body as *const () as usize);
    let [data_low, data_high] = halves(data as usize);
    let [kind, chunk] = control.schedule.words();
    let mut command = [0; wire::COMMAND_WORDS];
    command[..11].copy_from_slice(&[
        REGION,
        commit::barriers().wrapping_add(1),
        threads as u32,
        body_low,
        body_high,
        data_low,
        data_high,
        (sharings & 0xffff_ffff) as u32,
        control.threads as u32,
        kind,
        chunk,
    ]);
    if let Some(the) = the {
        command[11] = 1;
        command[12..22].copy_from_slice(&the.words());
    }
    command[22] = control.dynamic.into();
    command[23] = control.levels.cast_unsigned();
    wire::set_command(&command);
    commit::barrier();
    team::push_first(threads, body as *const () as usize);
}

/// Ends a region, with its barrier.
pub(crate) fn end() {
    if !team::alone() {
        frames::set_ending(team::body());
        commit::barrier();
        frames::set_ending(0);
    }
    team::pop();
}

/// Runs a region.
pub(crate) fn parallel(body: Body, data: *mut c_void, asked: c_uint, the: Option<Loop>) {
    switch::run(|| begin(body, data, asked, the));
    switch::call_program(body as *const () as usize, [data as usize, 0, 0]);
    switch::run(end);
}

/// What the process of another node does until the program ends, on the stack of the library. The program has its
/// own stack there.
pub(crate) extern "C" fn worker(_: *mut c_void) {
    gates::set_entry(stack(rank::rank()).1);
    switch::run(|| {
        wire::join();
        coherent::begin();
    });
    loop {
        let work = switch::run(|| {
            commit::barrier();
            let command = wire::command();
            if command[1] != commit::barriers() {
                // A barrier in a region that has fewer threads than there are nodes.
                return Some(None);
            }
            if command[0] == QUIT {
                return None;
            }
            let threads = command[2] as usize;
            if rank::rank() >= threads {
                return Some(None);
            }
            team::set_control(Control {
                threads: command[8] as usize,
                schedule: Schedule::from_words([command[9], command[10]]),
                dynamic: command[22] != 0,
                levels: command[23].cast_signed(),
            });
            let body = whole(command[3], command[4]);
            team::push_other(threads, body, command[7].into());
            if command[11] == 1 {
                team::share(Loop::from_words(&command[12..22]), false);
            }
            Some(Some((body, whole(command[5], command[6]))))
        });
        match work {
            Some(Some((body, data))) => {
                // The address that rank 0 was given: code is at the same addresses everywhere.
                gates::call(body, stack(rank::rank()).1, [data, 0, 0]);
                switch::run(end);
            }
            Some(None) => {}
            None => break,
        }
    }
    switch::run(|| {
        stdio::flush();
        coherent::leave();
        wire::leave(&locks::held());
        system::exit(0);
    });
}

/// Rank 0 ends the program: the others leave.
pub(crate) fn quit() {
    if !rank::started() {
        return;
    }
    let mut command = [0; wire::COMMAND_WORDS];
    command[..2].copy_from_slice(&[QUIT, commit::barriers().wrapping_add(1)]);
    wire::set_command(&command);
    commit::barrier();
}
