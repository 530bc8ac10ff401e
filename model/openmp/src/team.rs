// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parallel regions: rank 0 publishes what to call, the others wait for it at the barrier.

use crate::{
    cell::Solo,
    census, commit,
    die::die,
    gates,
    layout::stack,
    loops::{Loop, Schedule, Sharing},
    rank, start, switch, symbols, wire,
};
use libc::{c_uint, c_void};

/// Body of a region.
pub(crate) type Body = extern "C" fn(*mut c_void);

/// What a thread knows of its team. Threads of nested regions are alone.
#[derive(Default)]
struct Team {
    /// Threads.
    threads: usize,
    /// Number of this thread.
    thread: usize,
    /// Loop or sections under way.
    sharing: Option<Sharing>,
    /// Address of what its threads run.
    body: usize,
    /// Depth of tasks that are final.
    finals: usize,
    /// Control variables around the region, which come back at its end.
    outer: Option<Control>,
}

/// Variables that OpenMP calls internal control variables.
#[derive(Clone, Copy)]
pub(crate) struct Control {
    /// Threads of the next region.
    pub(crate) threads: usize,
    /// Schedule of `runtime`.
    pub(crate) schedule: Schedule,
    /// `omp_set_dynamic`.
    pub(crate) dynamic: bool,
    /// `omp_set_max_active_levels`.
    pub(crate) levels: i32,
}

struct State {
    teams: Vec<Team>,
    control: Option<Control>,
    /// Loops and sections that used a cell, in all regions.
    sharings: u64,
}

static STATE: Solo<State> = Solo::new(State { teams: Vec::new(), control: None, sharings: 0 });

const REGION: u32 = 1;
const QUIT: u32 = 2;

/// Internal control variables of this thread.
pub(crate) fn control() -> Control {
    let known = STATE.borrow().control;
    known.unwrap_or_else(|| {
        let schedule = Schedule::from_environment();
        let first = Control { threads: rank::ranks(), schedule, dynamic: false, levels: 1 };
        set_control(first);
        first
    })
}

/// Sets them.
pub(crate) fn set_control(control: Control) {
    STATE.borrow().control = Some(control);
}

impl State {
    /// The team of this thread.
    fn team(&mut self) -> &mut Team {
        if self.teams.is_empty() {
            self.teams.push(Team { threads: 1, ..Team::default() });
        }
        let last = self.teams.len() - 1;
        &mut self.teams[last]
    }
}

#[track_caller]
fn with_team<R>(work: impl FnOnce(&mut Team) -> R) -> R {
    work(STATE.borrow().team())
}

/// Threads of the team.
pub(crate) fn threads() -> usize {
    with_team(|team| team.threads)
}

/// Number of this thread.
pub(crate) fn thread() -> usize {
    with_team(|team| team.thread)
}

/// Begins a loop or sections.
pub(crate) fn set_sharing(sharing: Sharing) {
    with_team(|team| team.sharing = Some(sharing));
}

/// Takes the loop or sections under way.
pub(crate) fn take_sharing() -> Option<Sharing> {
    with_team(|team| team.sharing.take())
}

/// Does something with the loop or sections under way.
pub(crate) fn with_sharing<R>(work: impl FnOnce(&mut Sharing) -> R) -> Option<R> {
    let mut sharing = take_sharing()?;
    let result = work(&mut sharing);
    set_sharing(sharing);
    Some(result)
}

/// Depth of tasks that are final.
pub(crate) fn finals() -> usize {
    with_team(|team| team.finals)
}

/// A task that is final begins.
pub(crate) fn begin_final() {
    with_team(|team| team.finals += 1);
}

/// It ends.
pub(crate) fn end_final() {
    with_team(|team| team.finals -= 1);
}

/// Threads of the teams around this thread and its numbers there, the outermost first.
pub(crate) fn levels() -> Vec<(usize, usize)> {
    let mut state = STATE.borrow();
    state.team();
    state.teams.iter().map(|team| (team.thread, team.threads)).collect()
}

/// Returns true in a region with more than one thread.
pub(crate) fn in_region() -> bool {
    STATE.borrow().teams.iter().any(|team| team.threads > 1)
}

/// Returns true in a region of one thread, or outside of regions.
pub(crate) fn alone() -> bool {
    threads() == 1
}

/// Number of the next loop or sections with a cell.
pub(crate) fn next_sharing() -> u64 {
    let mut state = STATE.borrow();
    state.sharings += 1;
    state.sharings
}

/// Threads of a region that asks for `asked`; 0 asks for the default.
fn threads_for(asked: c_uint) -> usize {
    if in_region() || control().levels == 0 {
        return 1;
    }
    let asked = if asked == 0 { control().threads } else { asked as usize };
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
    let sharing = the.map(|the| Sharing::new(the, false));
    with_team(|team| team.sharing = sharing);
}

fn begin_team(body: Body, data: *mut c_void, asked: c_uint, the: Option<Loop>) {
    let threads = threads_for(asked);
    STATE.borrow().team();
    // One node alone has the time of the ring, too.
    if rank::ranks() == 1 && !rank::started() && !crate::process::ENDING.get() {
        start::fork_ranks();
    }
    if threads == 1 {
        let outer = Some(control());
        STATE.borrow().teams.push(Team { threads: 1, outer, ..Team::default() });
        return;
    }
    if crate::process::ENDING.get() {
        die!("a parallel region after the end of the program, in an exit handler: not supported");
    }
    if crate::locks::any_held() {
        die!("a region begins while its first thread holds a lock of omp_set_lock: not supported");
    }
    if rank::started() {
        census::check();
    } else {
        start::fork_ranks();
    }
    let sharings = STATE.borrow().sharings;
    let control = control();
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
    let body = body as *const () as usize;
    let outer = Some(control);
    STATE.borrow().teams.push(Team { threads, body, outer, ..Team::default() });
}

/// Ends a region, with its barrier.
pub(crate) fn end() {
    if !alone() {
        symbols::set_ending(with_team(|team| team.body));
        commit::barrier();
        symbols::set_ending(0);
    }
    let ended = STATE.borrow().teams.pop();
    if let Some(outer) = ended.and_then(|team| team.outer) {
        set_control(outer);
    }
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
    switch::run(wire::join);
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
            set_control(Control {
                threads: command[8] as usize,
                schedule: Schedule::from_words([command[9], command[10]]),
                dynamic: command[22] != 0,
                levels: command[23].cast_signed(),
            });
            let body = whole(command[3], command[4]);
            {
                let mut state = STATE.borrow();
                state.sharings = command[7].into();
                state.team();
                state.teams.truncate(1);
                state.teams.push(Team { threads, thread: rank::rank(), body, ..Team::default() });
            }
            if command[11] == 1 {
                set_sharing(Sharing::new(Loop::from_words(&command[12..22]), false));
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
        crate::stdio::flush();
        wire::leave();
        crate::system::exit(0);
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
    start::last_barrier();
}
