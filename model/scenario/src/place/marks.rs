// SPDX-License-Identifier: MIT OR Apache-2.0
//! Places of a file whose key has an effect only if the run gets there: what a run says when it did
//! not.

use crate::place::FileError;
use std::collections::BTreeMap;

/// Places by what they are about. An entry is the warning itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Suspicious in every run.
    pub always: Vec<FileError>,
    /// (cycle, what happens then): for runs that may end before their last cycle.
    pub due: Vec<(u64, FileError)>,
    /// Faults, in the order in which the scenario has them.
    pub faults: Vec<FileError>,
    /// Faults of frames that are looked for, in the order in which the plan has them.
    pub hits: Vec<FileError>,
    /// The first `[[program]]` of each board.
    pub hosts: BTreeMap<usize, FileError>,
}

impl Marks {
    /// The warnings of a run that ended in cycle `end`. `faults` and `hits` say of each whether it
    /// changed a frame, `left` how many acts of each board had not begun.
    #[must_use]
    pub fn warnings(
        &self,
        end: u64,
        faults: &[bool],
        hits: &[bool],
        left: &BTreeMap<usize, usize>,
    ) -> Vec<FileError> {
        let due = self.due.iter().filter(|(cycle, _)| *cycle >= end).map(|(_, place)| {
            place.clone().and(&format!(": the run ended before, in cycle {end}"))
        });
        let missed = |places: &[FileError], met: &[bool]| -> Vec<FileError> {
            let never = places.iter().zip(met).filter(|(_, met)| !**met);
            never.map(|(place, _)| place.clone()).collect()
        };
        let hosts = self.hosts.iter().filter_map(|(board, place)| {
            let count = left.get(board).filter(|count| **count > 0)?;
            Some(place.clone().and(&format!(": {count} acts had not begun when the run ended")))
        });
        let faults = missed(&self.faults, faults).into_iter().chain(missed(&self.hits, hits));
        let mut all: Vec<FileError> =
            self.always.iter().cloned().chain(due).chain(faults).chain(hosts).collect();
        all.sort_by_key(|warning| (warning.line, warning.column));
        all
    }
}

/// Warning for a fault that changed no frame.
pub(crate) fn missed(link: usize, frames: &str) -> String {
    format!("fault on link {link}, {frames}: no such frame left, or it ended before the fault")
}
