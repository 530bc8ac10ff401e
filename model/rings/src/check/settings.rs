// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of a small system, what their processes do, and what may go wrong.

use crate::barrier::Neighbours;
use crate::line::Cache;
use crate::repairs::Repairs;
use crate::window::Window;
use crate::words::RingNumber;
use awgstar_frame::quantity::narrow;
use std::collections::BTreeMap;

/// An operation of a process. Words are named by their index in the memory of a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// So many words of a ring are read through the gateways.
    Get(usize, usize, u16),
    /// So many words of a ring are stored through the gateways, with values that no other operation has.
    Put(usize, usize, u16),
    /// The barrier of all rings.
    Meet,
    /// In the own ring: the process sees what the operation of this number of another process stores in a word, named by
    /// node and operation.
    See(usize, usize, usize),
    /// In the own ring: the word is stored.
    Set(usize),
    /// In the own ring: a word of a window, one that is written before it, and the mark before and after.
    Compare(usize, usize),
    /// The process takes the lock of all rings with this number, and gives it up.
    Lock(u16),
    GiveUp(u16),
}

/// A ring: its gateways and the scripts of its clients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RingShape {
    pub scripts: Vec<Vec<Op>>,
    /// There is a second gateway.
    pub standby: bool,
    /// The neighbour on the way to each ring.
    pub routes: BTreeMap<RingNumber, RingNumber>,
    pub neighbours: Neighbours,
}

/// A small system and what may happen in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub rings: Vec<RingShape>,
    pub repairs: Repairs,
    /// Gateways that restart, at most.
    pub restarts: u8,
    /// Resets of links, at most.
    pub resets: u8,
    /// Timers that run out while something else can happen, at most.
    pub early: u8,
    /// Gateways that die where there is a standby, at most.
    pub deaths: u8,
    /// Requests for one ring that a gateway sends at once, at most.
    pub credits: usize,
    /// Messages on a link, at most, where sends wait.
    pub capacity: usize,
    /// Requests that a home gateway has room for.
    pub room: usize,
    /// Locks of all rings.
    pub locks: u16,
    /// Lines of other rings in the memory of each ring.
    pub cache: Option<Cache>,
    /// Windows, which have their first values in all rings at the start.
    pub windows: Vec<Window>,
}

impl Settings {
    /// Rings that are all neighbours of each other, each with the scripts of its clients, without faults.
    #[must_use]
    pub fn new(rings: &[&[&[Op]]], repairs: Repairs) -> Settings {
        let all = || (0..).map(RingNumber).take(rings.len());
        let shape = |(at, scripts): (RingNumber, &&[&[Op]])| {
            let others: Vec<RingNumber> = all().filter(|ring| *ring != at).collect();
            RingShape {
                scripts: scripts.iter().map(|script| script.to_vec()).collect(),
                standby: false,
                routes: others.iter().map(|ring| (*ring, *ring)).collect(),
                neighbours: Neighbours { peers: others, ..Neighbours::default() },
            }
        };
        Settings {
            rings: all().zip(rings).map(shape).collect(),
            repairs,
            restarts: 0,
            resets: 0,
            early: 0,
            deaths: 0,
            credits: 4,
            capacity: 1,
            room: 4,
            locks: 0,
            cache: None,
            windows: Vec::new(),
        }
    }

    /// Rings 0 to `rings.len()` - 1, two below each gateway of the next level, until the gateways of a level have none
    /// above them: they are peers. A gateway above is on a ring without clients.
    ///
    /// `above`: for each level but the highest, the ring above each ring.
    #[must_use]
    pub fn levels(rings: &[&[&[Op]]], above: &[usize], repairs: Repairs) -> Settings {
        let number = |at: usize| RingNumber(narrow::<u16>(at));
        let count = rings.len() + above.iter().max().map_or(0, |last| last + 1 - rings.len());
        let over = |ring: usize| above.get(ring).copied();
        let top: Vec<usize> = (0..count).filter(|ring| over(*ring).is_none()).collect();
        let below = |ring: usize| (0..count).filter(move |one| over(*one) == Some(ring));
        // The neighbour of a ring that leads to another one.
        let under = |ring: usize, to: usize| {
            let mut at = to;
            while let Some(next) = over(at) {
                if next == ring {
                    return Some(at);
                }
                at = next;
            }
            (over(ring).is_none() && at != ring).then_some(at)
        };
        let mut settings = Settings::new(&vec![&[][..]; count], repairs);
        for (ring, shape) in settings.rings.iter_mut().enumerate() {
            let way = |to: usize| under(ring, to).or(over(ring));
            let others = (0..count).filter(|to| *to != ring);
            shape.routes = others.filter_map(|to| Some((number(to), number(way(to)?)))).collect();
            let peers = top.iter().filter(|one| top.contains(&ring) && **one != ring);
            shape.neighbours = Neighbours {
                below: below(ring).map(number).collect(),
                peers: peers.map(|one| number(*one)).collect(),
                above: over(ring).map(number),
            };
            let scripts = rings.get(ring).copied().unwrap_or_default();
            shape.scripts = scripts.iter().map(|script| script.to_vec()).collect();
        }
        settings
    }
}

/// A property that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// What a client has put is stored when it goes on.
    Lost,
    /// What a client puts is stored once.
    Twice,
    /// What a client has put is in all replicas of that ring when it goes on.
    Unseen,
    /// A client reads what the word was while it waited.
    Stale,
    /// With a cache: a client reads what the word is, or was at its gateway after each value that a read had returned
    /// before the call, that of each far write that was done before, and those of the ring before a barrier that the
    /// client has passed.
    Older,
    /// No client leaves the barrier before all have arrived.
    Together,
    /// Requests have room at the gateway to which they go.
    Room,
    /// Each request is answered as good.
    Calls,
    /// At most one process has a lock.
    Exclusion,
    /// While a window is whole, no word of it is older than one that was written before another word there, or than it
    /// was before.
    Old,
}

impl Property {
    /// The property in words, as one that is violated.
    #[must_use]
    pub const fn violated(self) -> &'static str {
        match self {
            Property::Lost => "a write is lost",
            Property::Twice => "a write is done twice",
            Property::Unseen => "a write is done before all can see it",
            Property::Stale => "a read returns what is not there",
            Property::Older => "a read returns an older value",
            Property::Together => "a process leaves before all have arrived",
            Property::Room => "a gateway has no room",
            Property::Calls => "a request is refused",
            Property::Old => "a whole window has an old word",
            Property::Exclusion => "two processes have the lock",
        }
    }
}
