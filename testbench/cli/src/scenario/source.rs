//! Values of a file, each checked, with the place of an error.

use crate::place::FileError;
use crate::scenario::file::OneOrMany;
use awgstar::contract::limits::{CLOCK_HZ, FIBRE_NS_PER_M};
use awgstar_stimulus::echo;
use std::{collections::BTreeMap, fmt::Display, ops::Range};
use toml::Spanned;

/// Longest fibre behind a node in metres.
const FIBRE_MAX: f64 = 1e6;

/// Where errors are said to be.
pub(super) struct Source<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

/// A key that says what is done, and the keys that may go with it.
pub(super) type Verb = (&'static str, &'static [&'static str]);

pub(super) type Result<T> = std::result::Result<T, FileError>;

impl Source<'_> {
    pub(super) fn error(&self, span: &Range<usize>, what: impl Into<String>) -> FileError {
        FileError::at(self.name, self.text, span, what)
    }

    /// The value if it lies in `range`.
    pub(super) fn within<T: TryFrom<i64>>(
        &self,
        field: &str,
        value: &Spanned<i64>,
        min: i64,
        max: i64,
    ) -> Result<T> {
        let found = *value.get_ref();
        let fits = (min..=max).contains(&found).then(|| T::try_from(found).ok()).flatten();
        fits.ok_or_else(|| {
            self.error(&value.span(), format!("{field} is {found}: expected {min} to {max}"))
        })
    }

    pub(super) fn optional<T: TryFrom<i64> + Default>(
        &self,
        field: &str,
        value: Option<&Spanned<i64>>,
        max: i64,
    ) -> Result<T> {
        value.map_or(Ok(T::default()), |v| self.within(field, v, 0, max))
    }

    /// Groups of each node, from lists of nodes by group.
    pub(super) fn groups(
        &self,
        lists: &BTreeMap<Spanned<String>, Vec<Spanned<i64>>>,
        nodes: usize,
        last: i64,
    ) -> Result<Vec<u16>> {
        let mut groups = vec![0; nodes];
        for (group, members) in lists {
            let bit: u8 = group.get_ref().parse().ok().filter(|g| *g < 16).ok_or_else(|| {
                self.error(&group.span(), "group: expected a number from 0 to 15")
            })?;
            for member in members {
                let member: usize = self.within("member of a group", member, 0, last)?;
                groups[member] |= 1 << bit;
            }
        }
        Ok(groups)
    }

    /// What is done: the one of `verbs` that is among the `keys` of a table at `place`. All others must go
    /// with it.
    pub(super) fn verb(
        &self,
        keys: &[(&'static str, Range<usize>)],
        verbs: &[Verb],
        place: &Range<usize>,
    ) -> Result<&'static str> {
        let there = |verb: &&Verb| keys.iter().any(|(key, _)| *key == verb.0);
        let found: Vec<&Verb> = verbs.iter().filter(there).collect();
        let [&(verb, others)] = found[..] else {
            return Err(self.none(verbs, place));
        };
        match keys.iter().find(|(key, _)| *key != verb && !others.contains(key)) {
            Some((key, span)) => {
                Err(self.error(span, format!("do: {key} does not go with {verb}")))
            }
            None => Ok(verb),
        }
    }

    /// A table that does not say what is done.
    pub(super) fn none(&self, verbs: &[Verb], place: &Range<usize>) -> FileError {
        let names: Vec<&str> = verbs.iter().map(|(verb, _)| *verb).collect();
        self.error(place, format!("do: expected exactly one of {}", names.join(", ")))
    }

    /// The address in `field` of `len` bytes that must lie in a memory of `size` bytes.
    pub(super) fn place(
        &self,
        field: &str,
        addr: &Spanned<i64>,
        len: impl TryInto<i64> + Copy + Display,
        size: i64,
    ) -> Result<u32> {
        let most = len.try_into().ok().map(|len| size - len).filter(|most| *most >= 0);
        let most = most.ok_or_else(|| {
            self.error(&addr.span(), format!("{field}: {len} bytes: expected at most {size}"))
        })?;
        self.within(field, addr, 0, most)
    }

    /// A key that is there to be `true`.
    pub(super) fn yes(&self, field: &str, value: Option<&Spanned<bool>>) -> Result<()> {
        match value {
            Some(value) if !value.get_ref() => {
                Err(self.error(&value.span(), format!("{field} is false: expected true")))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn hex(&self, field: &str, value: &Spanned<String>) -> Result<Vec<u8>> {
        echo::hex(value.get_ref())
            .map_err(|e| self.error(&value.span(), format!("{field} is not hex: {e}")))
    }
}

/// RING-1: ceil(5 ns/m times metres / clock period).
pub(super) fn fibre_cycles(metres: f64) -> u32 {
    #[expect(clippy::cast_precision_loss, reason = "small constants")]
    let cycles = metres * FIBRE_NS_PER_M as f64 * CLOCK_HZ as f64 / 1e9;
    // A product that is whole must not become one more by the last bit of a double.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked range")]
    let whole = (cycles - 1e-9).ceil().max(0.0) as u32;
    whole
}

/// Metres behind each node.
pub(super) fn fibre(
    source: &Source,
    metres: Option<&Spanned<OneOrMany>>,
    nodes: usize,
) -> Result<Vec<f64>> {
    let Some(spanned) = metres else { return Ok(vec![10.0; nodes]) };
    let metres = match spanned.get_ref() {
        OneOrMany::One(m) => vec![*m; nodes],
        OneOrMany::Many(list) => list.clone(),
    };
    if metres.len() != nodes {
        return Err(source.error(
            &spanned.span(),
            format!("fibre_m has {} values: expected one number or {nodes}", metres.len()),
        ));
    }
    if let Some(bad) = metres.iter().find(|m| !(0.0..=FIBRE_MAX).contains(*m)) {
        return Err(source.error(
            &spanned.span(),
            format!("fibre_m is {}: expected 0 to {FIBRE_MAX} metres", echo::shown(bad)),
        ));
    }
    Ok(metres)
}

/// The nodes of a list; without it all of `count`.
pub(super) fn node_list(
    source: &Source,
    field: &str,
    nodes: Option<&[Spanned<i64>]>,
    count: u16,
) -> Result<Vec<usize>> {
    match nodes {
        None => Ok((0..count).map(usize::from).collect()),
        Some(given) => {
            let last = i64::from(count) - 1;
            given.iter().map(|node| source.within(field, node, 0, last)).collect()
        }
    }
}
