// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of a file, each checked, with the place of an error.

use crate::place::FileError;
use crate::scenario::file::{Groups, OneOrMany, Table, Which};
use crate::scenario::system::System;
use crate::scenario::{limits, renamed};
use awgstar::contract::limits::{CLOCK_HZ, FIBRE_NS_PER_M};
use awgstar::quantity::ByteAddress;
use awgstar_stimulus::echo::{self, shown};
use std::{collections::BTreeSet, fmt::Display, ops::Range};
use toml::Spanned;

/// The most processes of a run.
const PROCESSES_MAX: usize = 256;

/// The file that errors name.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
    /// The system of the file, once it is known.
    pub(super) system: Option<System>,
    /// Of several rings: the one that is read, and the last.
    pub(super) ring: Option<(usize, i64)>,
}

pub(super) type Result<T> = std::result::Result<T, FileError>;
type Number = Option<Spanned<i64>>;

impl Source<'_> {
    pub(super) fn error(&self, span: &Range<usize>, what: impl Into<String>) -> FileError {
        FileError::at(self.name, self.text, span, what)
    }

    /// An entry of this ring: without a key of all rings. A file of one ring has no such key.
    pub(super) fn here(&self, field: &str, said: Option<&Spanned<i64>>) -> Result<bool> {
        match (said, self.ring) {
            (None, _) => Ok(true),
            (Some(said), Some((ring, last))) => {
                Ok(self.node(field, &said.span(), *said.get_ref(), last)? == ring)
            }
            (Some(said), None) => {
                Err(self
                    .error(&said.span(), format!("{field}: expected no ring: the file has one")))
            }
        }
    }

    /// The value of a key that must be there; `place` is its table.
    pub(super) fn need<'v, T>(
        &self,
        field: &str,
        value: Option<&'v T>,
        place: &Range<usize>,
    ) -> Result<&'v T> {
        value.ok_or_else(|| self.error(place, format!("missing key `{field}`")))
    }

    /// Refuses keys that are not among `known`; `of` is what has those.
    pub(super) fn only(&self, table: &impl Table, known: &str, of: &str) -> Result<()> {
        match table.keys().into_iter().find(|(key, _)| known.split(' ').all(|k| k != *key)) {
            None => Ok(()),
            Some((key, span)) => {
                let known = echo::expected(key, known.split(' '));
                Err(self.error(&span, format!("{of} has no key `{key}`: {known}")))
            }
        }
    }

    /// The one of `among` that is there.
    pub(super) fn one_of(
        &self,
        name: &str,
        table: &impl Table,
        among: &str,
        place: &Range<usize>,
    ) -> Result<&'static str> {
        let keys = table.keys();
        let mut found = keys.iter().filter(|(key, _)| among.split(' ').any(|one| one == *key));
        if let (Some((key, _)), None) = (found.next(), found.next()) {
            return Ok(key);
        }
        let among = among.replace(' ', ", ");
        Err(self.error(place, format!("{name}: expected exactly one of {among}")))
    }

    /// The value if it is in the range of the field.
    pub(super) fn within<T: TryFrom<i64>>(&self, field: &str, value: &Spanned<i64>) -> Result<T> {
        let (min, max) = self.range(field);
        self.between(field, value, min, max)
    }

    fn range(&self, field: &str) -> (i64, i64) {
        let range = self.system.and_then(|system| limits::integer(field, system));
        debug_assert!(range.is_some(), "{field} has no range");
        range.unwrap_or((0, i64::MAX))
    }

    /// The value if it is in a part of the range of the field that follows from the file.
    pub(super) fn between<T: TryFrom<i64>>(
        &self,
        field: &str,
        value: &Spanned<i64>,
        min: i64,
        max: i64,
    ) -> Result<T> {
        let (least, most) = self.range(field);
        debug_assert!(
            least <= min && max <= most,
            "{field}: {min} to {max}, not {least} to {most}"
        );
        let found = *value.get_ref();
        let fits = (min..=max).contains(&found).then(|| T::try_from(found).ok()).flatten();
        fits.ok_or_else(|| {
            self.error(&value.span(), format!("{field} is {found}: expected {min} to {max}"))
        })
    }

    /// A number that may be missing.
    pub(super) fn maybe<T: TryFrom<i64>>(&self, field: &str, value: &Number) -> Result<Option<T>> {
        value.as_ref().map(|v| self.within(field, v)).transpose()
    }

    /// A number, `usual` without the key.
    pub(super) fn number<T: TryFrom<i64>>(
        &self,
        field: &str,
        value: &Number,
        usual: T,
    ) -> Result<T> {
        Ok(self.maybe(field, value)?.unwrap_or(usual))
    }

    /// So many rings or clusters with so many processes each are not too many.
    pub(super) fn few(&self, what: &str, count: &Spanned<i64>, each: usize) -> Result<()> {
        let said = *count.get_ref();
        let all = usize::try_from(said).ok().and_then(|count| count.checked_mul(each));
        if all.is_some_and(|all| all <= PROCESSES_MAX) {
            return Ok(());
        }
        let what = format!(
            "{what}: {said} {what} with {each} processes each: expected {PROCESSES_MAX} processes or fewer"
        );
        Err(self.error(&count.span(), what))
    }

    /// One of `names`.
    pub(super) fn choice<T: Copy>(
        &self,
        field: &str,
        value: &Spanned<String>,
        names: impl IntoIterator<Item = (&'static str, T)> + Clone,
    ) -> Result<T> {
        let found = names.clone().into_iter().find(|(name, _)| name == value.get_ref());
        found.map(|(_, one)| one).ok_or_else(|| {
            let names = names.into_iter().map(|(name, _)| name);
            let (found, names) = (shown(value.get_ref()), echo::expected(value.get_ref(), names));
            let new = renamed::value(value.get_ref());
            let new = new.map_or(String::new(), |new| format!("; it is now `{new}`"));
            let what = format!("{field} is `{found}`: {names}{new}");
            self.error(&value.span(), what)
        })
    }

    /// The number of a node.
    fn node(&self, field: &str, span: &Range<usize>, found: i64, last: i64) -> Result<usize> {
        let fits = (0..=last).contains(&found).then(|| usize::try_from(found).ok()).flatten();
        let what = || format!("{field} is {found}: expected 0 to {last}");
        fits.ok_or_else(|| self.error(span, what()))
    }

    /// The nodes that a key selects.
    pub(super) fn nodes(
        &self,
        field: &str,
        which: &Spanned<Which>,
        count: usize,
    ) -> Result<Vec<usize>> {
        let last = i64::try_from(count).unwrap_or(i64::MAX) - 1;
        let span = which.span();
        let one = |number: &i64| self.node(field, &span, *number, last);
        let wrong = |what| Err(self.error(&span, what));
        match which.get_ref() {
            Which::Named(name) if name == "all" => Ok((0..count).collect()),
            Which::Named(name) => {
                wrong(format!("{field} is `{}`: expected \"all\" or numbers", shown(name)))
            }
            Which::One(node) => Ok(vec![one(node)?]),
            Which::Many(nodes) => {
                let all: Vec<usize> = nodes.iter().map(one).collect::<Result<_>>()?;
                let different = all.iter().collect::<BTreeSet<_>>().len() == all.len();
                if all.is_empty() || !different {
                    return wrong(format!("{field}: expected one number or more, each once"));
                }
                Ok(all)
            }
        }
    }

    /// The same; all nodes without the key.
    pub(super) fn nodes_or_all(
        &self,
        field: &str,
        which: Option<&Spanned<Which>>,
        count: usize,
    ) -> Result<Vec<usize>> {
        which.map_or_else(|| Ok((0..count).collect()), |which| self.nodes(field, which, count))
    }

    /// Groups of each node, from nodes by group.
    pub(super) fn groups(&self, lists: Option<&Spanned<Groups>>, nodes: usize) -> Result<Vec<u16>> {
        let mut groups = vec![0; nodes];
        for (group, members) in lists.into_iter().flat_map(Spanned::get_ref) {
            let bit: u8 = group.get_ref().parse().ok().filter(|g| *g < 16).ok_or_else(|| {
                self.error(&group.span(), "group: expected a number from 0 to 15")
            })?;
            for member in self.nodes("member of a group", members, nodes)? {
                groups[member] |= 1 << bit;
            }
        }
        Ok(groups)
    }

    /// The address in `field` of `len` bytes that must lie in a memory of `size` bytes.
    pub(super) fn place(
        &self,
        field: &str,
        addr: &Spanned<i64>,
        len: impl TryInto<i64> + Copy + Display,
        size: i64,
    ) -> Result<ByteAddress> {
        let most = len.try_into().ok().map(|len| size - len).filter(|most| *most >= 0);
        let most = most.ok_or_else(|| {
            self.error(&addr.span(), format!("{field}: {len} bytes: expected at most {size}"))
        })?;
        self.between(field, addr, 0, most).map(ByteAddress)
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

    /// A fraction or another real number.
    pub(super) fn real(&self, field: &str, value: &Spanned<f64>, unit: &str) -> Result<f64> {
        let found = *value.get_ref();
        let range = limits::real(field);
        debug_assert!(range.is_some(), "{field} has no range");
        let (least, most) = range.unwrap_or((0.0, f64::MAX));
        if (least..=most).contains(&found) {
            return Ok(found);
        }
        let what = format!("{field} is {}: expected {least} to {most}{unit}", shown(found));
        Err(self.error(&value.span(), what))
    }

    /// Metres of fibre after each node.
    pub(super) fn fibre(
        &self,
        metres: Option<&Spanned<OneOrMany>>,
        nodes: usize,
    ) -> Result<Vec<f64>> {
        let Some(spanned) = metres else { return Ok(vec![10.0; nodes]) };
        let metres = match spanned.get_ref() {
            OneOrMany::One(m) => vec![*m; nodes],
            OneOrMany::Many(list) => list.clone(),
        };
        if metres.len() != nodes {
            let found = metres.len();
            let what = format!("fibre_m has {found} values: expected one number or {nodes}");
            return Err(self.error(&spanned.span(), what));
        }
        for &m in &metres {
            self.real("fibre_m", &Spanned::new(spanned.span(), m), " metres")?;
        }
        Ok(metres)
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
