// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times of a file: each must come before the run is over.

use crate::place::Marks;
use crate::scenario::source::{Result, Source};
use awgstar::quantity::narrow;
use std::ops::Range;
use toml::Spanned;

/// The time of a run, and the places of everything that a file lets happen in it.
pub(super) struct Timeline<'a> {
    pub(super) source: &'a Source<'a>,
    /// Length of the run, at most.
    pub(super) end: u64,
    /// `cycles` or `ns`.
    pub(super) unit: &'static str,
    pub(super) marks: Marks,
}

impl<'a> Timeline<'a> {
    pub(super) fn new(source: &'a Source<'a>, end: u64, unit: &'static str) -> Self {
        Timeline { source, end, unit, marks: Marks::default() }
    }

    /// A warning that holds for every run, given once.
    pub(super) fn warn(&mut self, place: &Range<usize>, what: String) {
        let warning = self.source.error(place, what);
        if !self.marks.always.contains(&warning) {
            self.marks.always.push(warning);
        }
    }

    /// The time at which something happens; 0 without the key.
    pub(super) fn at(&mut self, field: &str, value: Option<&Spanned<i64>>) -> Result<u64> {
        self.between(field, value, 0, self.end - 1).map(Option::unwrap_or_default)
    }

    /// The time at which something ends that began at `from`; `None` without the key.
    pub(super) fn until(
        &mut self,
        field: &str,
        value: Option<&Spanned<i64>>,
        from: u64,
    ) -> Result<Option<u64>> {
        self.between(field, value, from + 1, self.end)
    }

    fn between(
        &mut self,
        field: &str,
        value: Option<&Spanned<i64>>,
        least: u64,
        most: u64,
    ) -> Result<Option<u64>> {
        let Some(value) = value else { return Ok(None) };
        let whole = |time: u64| narrow(time.min(i64::MAX.cast_unsigned()));
        let found = self.source.between(field, value, whole(least), whole(most));
        let end = format!(": the run ends after {} {}", self.end, self.unit);
        let time = found.map_err(|e| e.and(&end))?;
        let what = format!("{field} is {time}");
        self.marks.due.push((time, self.source.error(&value.span(), what)));
        Ok(Some(time))
    }
}
