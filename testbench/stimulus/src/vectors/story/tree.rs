// SPDX-License-Identifier: MIT OR Apache-2.0
//! A TOML file as a tree in which each value has its place, and tables of it that are read key by key.

use crate::echo::{self, shown};
use crate::place::FileError;
use serde::de::{
    Deserialize, Deserializer, MapAccess, SeqAccess, Visitor,
    value::{MapAccessDeserializer, SeqAccessDeserializer},
};
use std::{cell::RefCell, collections::BTreeMap, fmt, ops::Range};
use toml::Spanned;

pub(super) type Value = Spanned<Any>;
pub(super) type Keys = BTreeMap<Spanned<String>, Value>;
pub(super) type Result<T> = std::result::Result<T, FileError>;

/// A value of any of the types that a story has.
#[derive(Debug)]
pub(super) enum Any {
    Number(i64),
    Text(String),
    Flag(bool),
    List(Vec<Value>),
    Table(Keys),
}

impl Any {
    /// The value as a message repeats it.
    fn shown(&self) -> String {
        match self {
            Any::Number(number) => number.to_string(),
            Any::Text(text) => format!("`{}`", shown(text)),
            Any::Flag(flag) => flag.to_string(),
            Any::List(_) => "a list".into(),
            Any::Table(_) => "a table".into(),
        }
    }
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Any, D::Error> {
        struct Anything;

        impl<'de> Visitor<'de> for Anything {
            type Value = Any;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number, a text, true or false, a list or a table")
            }

            fn visit_i64<E>(self, number: i64) -> std::result::Result<Any, E> {
                Ok(Any::Number(number))
            }

            fn visit_str<E>(self, text: &str) -> std::result::Result<Any, E> {
                Ok(Any::Text(text.into()))
            }

            fn visit_bool<E>(self, flag: bool) -> std::result::Result<Any, E> {
                Ok(Any::Flag(flag))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, all: A) -> std::result::Result<Any, A::Error> {
                Deserialize::deserialize(SeqAccessDeserializer::new(all)).map(Any::List)
            }

            fn visit_map<A: MapAccess<'de>>(self, all: A) -> std::result::Result<Any, A::Error> {
                Deserialize::deserialize(MapAccessDeserializer::new(all)).map(Any::Table)
            }
        }

        deserializer.deserialize_any(Anything)
    }
}

/// The types that a number can have.
pub(super) trait Integer: TryFrom<i64> {
    const MIN: i64;
    const MAX: i64;
}

macro_rules! integers {
    ($($type:ident $min:expr, $max:expr;)+) => {
        $(impl Integer for $type {
            const MIN: i64 = $min;
            const MAX: i64 = $max;
        })+
    };
}

integers! {
    i8 -0x80, 0x7f;
    u8 0, 0xff;
    u16 0, 0xffff;
    u32 0, 0xffff_ffff;
    u64 0, i64::MAX;
}

/// A file: its name and its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct File<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

/// A table of a file that is read key by key. A key that is not asked for is a mistake.
pub(super) struct Table<'a> {
    file: File<'a>,
    /// What it is, with the story that it is in.
    what: String,
    place: Range<usize>,
    keys: &'a Keys,
    /// Keys that were asked for.
    known: RefCell<Vec<&'static str>>,
    /// What the numbers of these keys have grown by.
    more: BTreeMap<&'a str, i64>,
}

impl<'a> Table<'a> {
    pub(super) fn new(file: File<'a>, what: String, place: Range<usize>, keys: &'a Keys) -> Self {
        Table { file, what, place, keys, known: RefCell::default(), more: BTreeMap::new() }
    }

    /// A value that must be a table.
    pub(super) fn of(file: File<'a>, what: String, value: &'a Value) -> Result<Self> {
        match value.get_ref() {
            Any::Table(keys) => Ok(Table::new(file, what, value.span(), keys)),
            other => {
                let what = format!("{what}: expected a table, found {}", other.shown());
                Err(FileError::at(file.name, file.text, &value.span(), what))
            }
        }
    }

    /// Another table of the same story.
    pub(super) fn inner(&self, what: &str, value: &'a Value) -> Result<Table<'a>> {
        Table::of(self.file, format!("{}, {what}", self.what), value)
    }

    /// Calls `each` for the table as often as `times` says. From one time to the next its numbers grow by those of
    /// `step`. In the end each of its keys must have been asked for.
    pub(super) fn turns(mut self, mut each: impl FnMut(&Self) -> Result<()>) -> Result<()> {
        let times = self.number::<u16>("times")?.unwrap_or(1);
        let mut step = Vec::new();
        if let Some(value) = self.get("step") {
            let table = self.inner("step", value)?;
            for (key, value) in table.keys {
                let own = self.keys.get(key).map(Spanned::get_ref);
                let (Some(Any::Number(_)), Any::Number(more)) = (own, value.get_ref()) else {
                    let what = format!("`{}`: expected a number beside `step`", key.get_ref());
                    return Err(table.at(value, what));
                };
                step.push((key.get_ref().as_str(), *more));
            }
        }
        for turn in 0..times {
            let grown = |(key, more): &(&'a str, i64)| (*key, more.saturating_mul(turn.into()));
            self.more = step.iter().map(grown).collect();
            each(&self)?;
        }
        self.done()
    }

    /// A mistake in the table as a whole.
    pub(super) fn wrong(&self, what: impl fmt::Display) -> FileError {
        FileError::at(self.file.name, self.file.text, &self.place, format!("{}: {what}", self.what))
    }

    /// A mistake at a value.
    pub(super) fn at(&self, value: &Value, what: impl fmt::Display) -> FileError {
        let what = format!("{}: {what}", self.what);
        FileError::at(self.file.name, self.file.text, &value.span(), what)
    }

    /// A value of another type or range than `expected`.
    pub(super) fn unexpected(
        &self,
        key: &str,
        value: &Value,
        expected: impl fmt::Display,
    ) -> FileError {
        self.at(value, format!("`{key}` is {}: expected {expected}", value.get_ref().shown()))
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &'static str) -> Option<&'a Value> {
        self.known.borrow_mut().push(key);
        self.keys.get(key)
    }

    /// Whether a key is there.
    pub(super) fn has(&self, key: &'static str) -> bool {
        self.get(key).is_some()
    }

    /// What must be there.
    pub(super) fn need<T>(&self, key: &str, value: Option<T>) -> Result<T> {
        value.ok_or_else(|| self.wrong(format!("missing key `{key}`")))
    }

    /// The value of a key that must be there.
    pub(super) fn value(&self, key: &'static str) -> Result<&'a Value> {
        self.need(key, self.get(key))
    }

    pub(super) fn number<T: Integer>(&self, key: &'static str) -> Result<Option<T>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        self.as_number(key, value).map(Some)
    }

    pub(super) fn as_number<T: Integer>(&self, key: &str, value: &Value) -> Result<T> {
        let more = self.more.get(key).copied().unwrap_or(0);
        let number = match value.get_ref() {
            Any::Number(number) => number.checked_add(more),
            _ => None,
        };
        let range = T::MIN..=T::MAX;
        let fits = number.filter(|n| range.contains(n)).and_then(|n| T::try_from(n).ok());
        fits.ok_or_else(|| {
            let last = if T::MAX == i64::MAX { "on".into() } else { format!("to {:#x}", T::MAX) };
            self.unexpected(key, value, format!("a number from {} {last}", T::MIN))
        })
    }

    /// A number that must be there.
    pub(super) fn needed<T: Integer>(&self, key: &'static str) -> Result<T> {
        self.need(key, self.number(key)?)
    }

    /// A number, or 0.
    pub(super) fn number_or_0<T: Integer + Default>(&self, key: &'static str) -> Result<T> {
        Ok(self.number(key)?.unwrap_or_default())
    }

    pub(super) fn as_text(&self, key: &str, value: &'a Value) -> Result<&'a str> {
        match value.get_ref() {
            Any::Text(text) => Ok(text),
            _ => Err(self.unexpected(key, value, "a text")),
        }
    }

    /// True, or false if the key is not there.
    pub(super) fn flag(&self, key: &'static str) -> Result<bool> {
        let Some(value) = self.get(key) else { return Ok(false) };
        match value.get_ref() {
            Any::Flag(flag) => Ok(*flag),
            _ => Err(self.unexpected(key, value, "true or false")),
        }
    }

    /// A list; empty if the key is not there.
    pub(super) fn list(&self, key: &'static str) -> Result<&'a [Value]> {
        let Some(value) = self.get(key) else { return Ok(&[]) };
        match value.get_ref() {
            Any::List(all) => Ok(all),
            _ => Err(self.unexpected(key, value, "a list")),
        }
    }

    /// A list of texts.
    pub(super) fn texts(&self, key: &'static str) -> Result<Vec<&'a str>> {
        self.list(key)?.iter().map(|value| self.as_text(key, value)).collect()
    }

    /// What the names, most of them of the contract, say that a value is.
    pub(super) fn choice<T: Copy>(
        &self,
        key: &str,
        value: &'a Value,
        names: impl IntoIterator<Item = (&'static str, T)>,
    ) -> Result<T> {
        let names: Vec<_> = names.into_iter().collect();
        let name = self.as_text(key, value)?;
        let found = names.iter().find(|(one, _)| *one == name).map(|(_, one)| *one);
        found.ok_or_else(|| {
            let names = echo::expected(name, names.iter().map(|(one, _)| *one));
            self.at(value, format!("`{key}` is `{}`: {names}", shown(name)))
        })
    }

    /// The only one of these keys that is there.
    pub(super) fn one_of(&self, among: &[&'static str]) -> Result<Option<&'static str>> {
        self.known.borrow_mut().extend(among);
        let mut there = among.iter().copied().filter(|key| self.keys.contains_key(*key));
        match (there.next(), there.next()) {
            (Some(one), Some(other)) => {
                Err(self.wrong(format!("`{one}` and `{other}`: expected one of them")))
            }
            (one, _) => Ok(one),
        }
    }

    /// Refuses keys that were not asked for.
    pub(super) fn done(&self) -> Result<()> {
        let mut known = self.known.borrow().clone();
        known.sort_unstable();
        known.dedup();
        let unknown = self.keys.keys().find(|key| !known.contains(&key.get_ref().as_str()));
        let Some(key) = unknown else { return Ok(()) };
        let (name, known) = (key.get_ref(), echo::expected(key.get_ref(), known));
        let what = format!("{}: unknown key `{}`: {known}", self.what, shown(name));
        Err(FileError::at(self.file.name, self.file.text, &key.span(), what))
    }
}
