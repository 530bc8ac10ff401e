//! Cycles of a file: each must come before the run is over.

use crate::place::Marks;
use crate::scenario::source::{Result, Source};
use awgstar::quantity::narrow;
use toml::Spanned;

/// The cycles of a run, and the places of everything that a file lets happen in one of them.
pub(super) struct Timeline<'a> {
    pub(super) source: &'a Source<'a>,
    /// Cycles of the run, at most.
    pub(super) end: u64,
    pub(super) marks: Marks,
}

impl Timeline<'_> {
    /// A cycle in which something happens; 0 without the key.
    pub(super) fn at(&mut self, field: &str, value: Option<&Spanned<i64>>) -> Result<u64> {
        self.between(field, value, 0, self.end - 1).map(Option::unwrap_or_default)
    }

    /// The cycle in which something ends that began in cycle `from`; `None` without the key.
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
        let whole = |cycle: u64| narrow(cycle.min(i64::MAX.cast_unsigned()));
        let found = self.source.within(field, value, whole(least), whole(most));
        let cycle =
            found.map_err(|e| e.and(&format!(": the run ends after {} cycles", self.end)))?;
        let what = format!("{field} is {cycle}");
        self.marks.due.push((cycle, self.source.error(&value.span(), what)));
        Ok(Some(cycle))
    }
}
