// SPDX-License-Identifier: MIT OR Apache-2.0
//! Long random runs of a ring of boards with faults: replicas, signals and tokens are checked after each.
//!
//! A campaign is a row of episodes. An episode is one ring: its scenario and what its hosts do follow
//! from the seed and the number of the episode alone, so that one of them can be run again.

mod check;
mod episode;
mod plan;
mod random;
pub mod rings;
mod verdict;

pub use episode::{Violation, episode};
pub use plan::{BOARDS_MAX, BOARDS_MIN, Plan};
pub use verdict::{Campaign, Verdict};

use awgstar::contract::{BoardCounter, Counter};
use awgstar::quantity::Cycle;
use serde::{Deserialize, Deserializer, Serialize};
use std::{collections::BTreeMap, fmt};

/// Counts of the faults of links and boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// Frames with one bit inverted.
    pub bits: u64,
    /// Frames lost.
    pub lost: u64,
    /// Frames that came twice.
    pub twice: u64,
    /// Frames cut short.
    pub truncated: u64,
    /// Bits inverted by noise, in any frame.
    pub noise: u64,
    /// Links cut for a time.
    pub cuts: u64,
    /// Boards that died.
    pub dead: u64,
    /// Those of them that were the monitor.
    pub monitors: u64,
}

/// What gateways between rings did, and what processes of several rings asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gateways {
    /// Answers that were compared with what they must be.
    pub answers: u64,
    /// Reads and writes of other rings.
    pub far: u64,
    /// Times that a process had a lock of all rings, and that a lock went to another ring.
    pub locks: u64,
    pub turns: u64,
    /// Words of windows that went to other rings.
    pub reflected: u64,
    /// Far reads that found their words in the cache of their ring, and those that did not.
    pub hits: u64,
    pub misses: u64,
    pub messages: u64,
    /// Gateways that began again, those that found an open request, and messages that were lost by it.
    pub restarts: u64,
    pub recovered: u64,
    pub lost: u64,
    /// Gateways whose boards died, standbys that took over, and runs that stood still after a death and named who waited.
    #[serde(default)]
    pub deaths: u64,
    #[serde(default)]
    pub take_overs: u64,
    #[serde(default)]
    pub stood_still: u64,
}

impl Gateways {
    fn rows(&self) -> [(&'static str, u64); 14] {
        [
            ("answers compared", self.answers),
            ("accesses to other rings", self.far),
            ("locks of all rings taken", self.locks),
            ("locks that went to another ring", self.turns),
            ("words of windows", self.reflected),
            ("far reads that found their words in a cache", self.hits),
            ("far reads that did not", self.misses),
            ("messages of gateways", self.messages),
            ("fault: gateway begins again", self.restarts),
            ("with an open request", self.recovered),
            ("messages lost by it", self.lost),
            ("fault: gateway dies", self.deaths),
            ("a standby took over", self.take_overs),
            ("without a standby: who waited was named", self.stood_still),
        ]
    }

    fn add(&mut self, other: &Gateways) {
        self.answers += other.answers;
        self.far += other.far;
        self.locks += other.locks;
        self.turns += other.turns;
        self.reflected += other.reflected;
        self.hits += other.hits;
        self.misses += other.misses;
        self.messages += other.messages;
        self.restarts += other.restarts;
        self.recovered += other.recovered;
        self.lost += other.lost;
        self.deaths += other.deaths;
        self.take_overs += other.take_overs;
        self.stood_still += other.stood_still;
    }

    /// What no run has come to, of what happens when gateways die.
    #[must_use]
    pub fn missed(&self) -> Vec<&'static str> {
        let all = self.rows().into_iter().skip(11);
        all.filter(|(_, count)| *count == 0).map(|(name, _)| name).collect()
    }
}

/// Sums over episodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub episodes: u64,
    /// Cycles of all rings.
    pub cycles: Cycle,
    /// Data frames, signals and control tokens that boards sent, again or not.
    pub frames: u64,
    /// Words that hosts wrote to the shared memory.
    pub writes: u64,
    /// Writes that were refused because the ring was cut.
    pub refused: u64,
    /// Signals that were taken out of mailboxes.
    pub signals: u64,
    /// Faults by kind.
    pub faults: Faults,
    /// Of rings with gateways.
    #[serde(default)]
    pub gateways: Gateways,
    /// Counters of all nodes and boards.
    #[serde(deserialize_with = "counters")]
    pub counters: BTreeMap<&'static str, u64>,
}

/// Names of all counters of a node and of a board.
fn names() -> impl Iterator<Item = &'static str> {
    let of_node = Counter::ALL.iter().map(|c| c.name());
    of_node.chain(BoardCounter::ALL.iter().map(|c| c.name()))
}

fn counters<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<&'static str, u64>, D::Error> {
    let mut read = BTreeMap::<String, u64>::deserialize(from)?;
    let known = names().filter_map(|name| Some((name, read.remove(name)?))).collect();
    match read.into_keys().next() {
        None => Ok(known),
        Some(name) => Err(serde::de::Error::custom(format!("no counter `{name}`"))),
    }
}

impl Tally {
    /// Both together.
    pub fn add(&mut self, other: &Tally) {
        self.episodes += other.episodes;
        self.cycles += other.cycles;
        self.frames += other.frames;
        self.writes += other.writes;
        self.refused += other.refused;
        self.signals += other.signals;
        let (f, o) = (&mut self.faults, &other.faults);
        f.bits += o.bits;
        f.lost += o.lost;
        f.twice += o.twice;
        f.truncated += o.truncated;
        f.noise += o.noise;
        f.cuts += o.cuts;
        f.dead += o.dead;
        f.monitors += o.monitors;
        self.gateways.add(&other.gateways);
        for (name, count) in &other.counters {
            *self.counters.entry(name).or_default() += count;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let t = &self.faults;
        let rows = [
            ("episodes", self.episodes),
            ("cycles", self.cycles.0),
            ("frames sent", self.frames),
            ("words written", self.writes),
            ("writes refused", self.refused),
            ("signals received", self.signals),
            ("fault: bit of a frame", t.bits),
            ("fault: frame lost", t.lost),
            ("fault: frame twice", t.twice),
            ("fault: frame cut short", t.truncated),
            ("fault: bits by noise", t.noise),
            ("fault: link cut for a time", t.cuts),
            ("fault: board dead", t.dead),
            ("of them the monitor", t.monitors),
        ];
        writeln!(f, "| | |\n|---|---:|")?;
        let gateways = Some(self.gateways).filter(|all| *all != Gateways::default());
        for (name, value) in rows.into_iter().chain(gateways.iter().flat_map(Gateways::rows)) {
            writeln!(f, "| {name} | {value} |")?;
        }
        for name in names() {
            writeln!(f, "| `{name}` | {} |", self.counters.get(name).unwrap_or(&0))?;
        }
        Ok(())
    }
}
