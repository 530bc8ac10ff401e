// SPDX-License-Identifier: MIT OR Apache-2.0
//! The teams of this thread: what it knows of the regions around it.

use crate::{
    cell::Guarded,
    loops::Sharing,
    rank,
    schedule::{Loop, Schedule},
};

/// What a thread knows of its team. Threads of nested regions are alone.
#[derive(Default)]
struct Team {
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

static STATE: Guarded<State> =
    Guarded::new(State { teams: Vec::new(), control: None, sharings: 0 });

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

/// Begins a loop or sections in this thread. All threads of the team begin the same ones in the same order.
pub(crate) fn share(the: Loop, ordered: bool) {
    let sharing = Sharing::new(the, ordered, [thread(), threads()], next_sharing);
    set_sharing(sharing);
}

/// Keeps a loop or sections under way.
fn set_sharing(sharing: Sharing) {
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
fn next_sharing() -> u64 {
    let mut state = STATE.borrow();
    state.sharings += 1;
    state.sharings
}

/// Loops and sections that used a cell, in all regions.
pub(crate) fn sharings() -> u64 {
    STATE.borrow().sharings
}

/// Makes sure that this thread is in a team, be it alone.
pub(crate) fn begin() {
    STATE.borrow().team();
}

/// A region of this thread alone begins.
pub(crate) fn push_alone() {
    let outer = Some(control());
    STATE.borrow().teams.push(Team { threads: 1, outer, ..Team::default() });
}

/// A region of several threads begins in thread 0.
pub(crate) fn push_first(threads: usize, body: usize) {
    let outer = Some(control());
    STATE.borrow().teams.push(Team { threads, body, outer, ..Team::default() });
}

/// A region of several threads begins in another thread; so many loops and sections have used a cell.
pub(crate) fn push_other(threads: usize, body: usize, sharings: u64) {
    let mut state = STATE.borrow();
    state.sharings = sharings;
    state.team();
    state.teams.truncate(1);
    state.teams.push(Team { threads, thread: rank::rank(), body, ..Team::default() });
}

/// What the threads of the team run.
pub(crate) fn body() -> usize {
    with_team(|team| team.body)
}

/// A region ends.
pub(crate) fn pop() {
    let ended = STATE.borrow().teams.pop();
    if let Some(outer) = ended.and_then(|team| team.outer) {
        set_control(outer);
    }
}
