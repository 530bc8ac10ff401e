// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which node this process is, and what the launcher said.

use crate::{
    cell::Value,
    die::{self, die},
    layout::RANKS_MAX,
};
use awgstar_program::{Forked, Node};
use awgstar_request::Protection;

/// What the launcher said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Compare the images of all ranks at each barrier.
    pub(crate) audit: bool,
    /// A race ends the run; else it is only reported.
    pub(crate) stop_at_race: bool,
    /// Time of computing on the ring.
    pub(crate) computing: Computing,
    /// Protection of a page before the first access: `Write` without a protocol of pages.
    pub(crate) first: Protection,
    /// A block that does more than its pattern ends the run.
    pub(crate) check: bool,
}

/// What takes time on the ring between two calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Computing {
    None,
    /// Each basic block of a program with hooks.
    Blocks,
    /// Processor time.
    Processor,
}

#[derive(Clone, Copy)]
struct State {
    rank: usize,
    ranks: usize,
    fd: u32,
    started: bool,
    active: bool,
    options: Options,
    forked: Option<&'static Forked>,
}

static STATE: Value<State> = Value::new(State {
    rank: 0,
    ranks: 1,
    fd: 0,
    started: false,
    active: false,
    options: Options {
        audit: false,
        stop_at_race: true,
        computing: Computing::None,
        first: Protection::Write,
        check: false,
    },
    forked: None,
});

/// Number of this node.
pub(crate) fn rank() -> usize {
    STATE.get().rank
}

/// Number of nodes.
pub(crate) fn ranks() -> usize {
    STATE.get().ranks
}

/// Returns true when the processes of the other nodes have been forked.
pub(crate) fn started() -> bool {
    STATE.get().started
}

/// Returns true in a program that the launcher has started, not in a program that such a one starts.
pub(crate) fn active() -> bool {
    STATE.get().active
}

/// Options of the launcher.
pub(crate) fn options() -> Options {
    STATE.get().options
}

/// A protocol keeps pages coherent.
pub(crate) fn has_protocol() -> bool {
    ranks() > 1 && options().first != Protection::Write
}

/// Words shared with the launcher and the other nodes.
pub(crate) fn forked() -> Option<&'static Forked> {
    STATE.get().forked
}

/// Descriptor of the slots.
pub(crate) fn descriptor() -> u32 {
    STATE.get().fd
}

/// This process is now that of a node.
pub(crate) fn become_rank(rank: usize) {
    die::set_node(rank);
    STATE.set(State { rank, started: true, ..STATE.get() });
}

/// Reads what the launcher said: `slots` is `DESCRIPTOR:NODE`, `options` is `nodes=N` and words after it.
pub(crate) fn read(slots: &str, options: &str) {
    let mut state = STATE.get();
    let wrong = || -> ! { die!("library and command `awgstar` are of different versions") };
    let fd = slots.split_once(':').and_then(|(fd, _)| fd.parse().ok());
    state.fd = fd.unwrap_or_else(|| wrong());
    for word in options.split(',') {
        match word.split_once('=') {
            Some(("nodes", n)) => state.ranks = n.parse().unwrap_or_else(|_| wrong()),
            Some(("audit", how)) => state.options.audit = how == "1",
            Some(("computing", "told")) => state.options.computing = Computing::None,
            Some(("computing", "counted")) => state.options.computing = Computing::Blocks,
            Some(("computing", "measured")) => state.options.computing = Computing::Processor,
            Some(("pages", "closed")) => state.options.first = Protection::None,
            Some(("pages", "clean")) => state.options.first = Protection::Read,
            Some(("check", "pattern")) => state.options.check = true,
            Some(("races", how)) => state.options.stop_at_race = how == "stop",
            _ => wrong(),
        }
    }
    if !(1..=RANKS_MAX).contains(&state.ranks) {
        wrong();
    }
    match Node::forked(state.fd, state.ranks) {
        Ok(forked) => {
            let forked = &*Box::leak(Box::new(forked));
            die::set_forked(forked);
            state.forked = Some(forked);
        }
        Err(e) => die!("{e}"),
    }
    state.active = true;
    STATE.set(state);
}
