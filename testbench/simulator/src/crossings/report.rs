// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is found in a top level.

use super::tops::TOPS;
use std::fmt::{self, Display, Formatter};

/// What crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A bit of a register.
    Bit,
    /// A pin of no clock.
    Pin,
    /// A counter in Gray code.
    Gray,
    /// The words of a memory.
    Words,
}

/// One end of a crossing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// It is a port of the top level.
    pub port: bool,
    /// The register, memory or port. Words end in any register of their reader's clock: no name.
    pub name: String,
    /// The bit, of a register that has more; a counter crosses with all.
    pub bits: Option<usize>,
    /// Its clock.
    pub clock: &'static str,
}

/// A path between clocks that may be there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crossing {
    pub kind: Kind,
    pub from: End,
    pub to: End,
}

/// What was found in a top level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub top: &'static str,
    /// Bits of registers.
    pub bits: usize,
    /// Memories that are written.
    pub memories: usize,
    pub crossings: Vec<Crossing>,
    /// What must not be there, a sentence each.
    pub wrong: Vec<String>,
}

impl Report {
    /// Crossings of this kind.
    #[must_use]
    pub fn count(&self, kind: Kind) -> usize {
        self.crossings.iter().filter(|crossing| crossing.kind == kind).count()
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let clocks = TOPS.iter().find(|top| top.module == self.top).map_or(&[][..], |t| t.clocks);
        let clocks: Vec<_> = clocks.iter().map(|clock| clock.net).collect();
        let [bits, pins, gray, words] =
            [Kind::Bit, Kind::Pin, Kind::Gray, Kind::Words].map(|kind| self.count(kind));
        write!(
            f,
            "{}: clocks {}; {} bits of registers, {} memories; crossings: {bits} bits, {pins} pins, {gray} counters, {words} stores",
            self.top,
            clocks.join(", "),
            self.bits,
            self.memories
        )
    }
}
