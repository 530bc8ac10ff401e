// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reports of races: two ranks change one byte to different values, and neither has seen the other's change.

use crate::{cell::Guarded, die, rank, symbols};
use std::collections::BTreeSet;

/// One of the two ranks.
pub(crate) struct Side {
    /// Its number, if it is known.
    pub(crate) node: Option<usize>,
    /// What it wrote to the byte.
    pub(crate) value: u8,
    /// A place in the program; 0 if not known.
    pub(crate) site: usize,
    /// The place is where it synchronised next, not where it wrote.
    pub(crate) commit: bool,
}

/// Greatest number of reports of a process.
const MOST: usize = 20;

static TOLD: Guarded<BTreeSet<(String, Option<usize>)>> = Guarded::new(BTreeSet::new());

fn sentence(side: &Side) -> String {
    let place = match (side.site, side.commit) {
        (0, _) => String::new(),
        (site, true) => format!(" before it synchronised at {}", symbols::code(site)),
        (site, false) => format!(", to this page first at {}", symbols::code(site)),
    };
    let who = side.node.map_or_else(|| "another node".into(), |node| format!("node {node}"));
    format!("{who} wrote {:#04x}{place}", side.value)
}

/// Reports a race on the byte at `addr`, once for each variable and other node.
pub(crate) fn report(addr: usize, ours: &Side, theirs: &Side) {
    let (name, offset) = symbols::data(addr);
    {
        let mut told = TOLD.borrow();
        if told.len() >= MOST || !told.insert((name.clone(), theirs.node)) {
            return;
        }
    }
    let place = if offset.is_empty() { name } else { format!("{name}, {offset}") };
    let text = format!("race on {place}: {}; {}", sentence(ours), sentence(theirs));
    if rank::options().stop_at_race {
        die::end(&text);
    }
    die::say(&text);
    if let Some(forked) = rank::forked() {
        forked.set_race();
    }
}
