// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments of functions: one of a wrong type or out of range is an `ArgumentError` that names it.

use crate::error::Error;
use awgstar::contract::Token;
use pyo3::FromPyObject;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What an argument can be, in words.
pub(crate) trait Wanted {
    /// The words.
    fn wanted() -> String;
}

macro_rules! wanted {
    ($($type:ty => $words:expr,)*) => {
        $(impl Wanted for $type {
            fn wanted() -> String {
                $words.into()
            }
        })*
    };
}

wanted! {
    bool => "True or False",
    u8 => "a number from 0 to 255",
    u32 => "a number from 0 to 4294967295",
    u64 => "a number from 0 to 18446744073709551615",
    usize => "a number from 0",
    isize => "a number",
    i64 => "a number",
    String => "text",
    PathBuf => "a path",
    Vec<u8> => "bytes",
    Vec<String> => "a list of text",
    BTreeMap<String, i64> => "a dict of names and numbers",
    TokenArg => "a Token, its code or its name",
    MacArg => "text as 02:53:4d:42:00:01 or a number of 48 bits",
}

/// TOKEN as a code or a name.
#[derive(FromPyObject)]
pub(crate) enum TokenArg {
    /// The code.
    Code(i64),
    /// The name.
    Name(String),
}

impl TokenArg {
    /// The token.
    pub(crate) fn token(&self, class: &'static str) -> Result<Token, Error> {
        let found = match self {
            TokenArg::Code(code) => u8::try_from(*code).ok().and_then(Token::from_code),
            TokenArg::Name(name) => Token::ALL.into_iter().find(|token| token.name() == name),
        };
        let shown = match self {
            TokenArg::Code(code) => code.to_string(),
            TokenArg::Name(name) => name.clone(),
        };
        found.ok_or_else(|| Error::new(class, "token", "an assigned code", shown))
    }
}

/// MAC as text or a number.
#[derive(FromPyObject)]
pub(crate) enum MacArg {
    /// A number of 48 bits.
    Number(i128),
    /// Six bytes in hex.
    Text(String),
}

impl<T: Wanted> Wanted for Option<T> {
    fn wanted() -> String {
        format!("{} or None", T::wanted())
    }
}

/// Declares a function for each name, that gives the argument of this name, or the error about it.
macro_rules! arguments {
    ($($name:ident)*) => {
        $(pub(crate) fn $name<'a, 'py, T>(value: &'a Bound<'py, PyAny>) -> PyResult<T>
        where
            T: Wanted + FromPyObject<'a, 'py>,
        {
            value.extract().map_err(|_| wrong(stringify!($name), T::wanted(), value).into())
        })*
    };
}

arguments! {
    act_seq
    addr
    barrier
    bit
    board
    boards
    c_st
    classes
    cycle
    cycles
    data
    every
    fibre
    folder
    frame
    frames
    group
    index
    kind
    length
    limit
    link
    lock
    lose
    mac
    mask
    multi_g
    names
    node
    node_id
    packet_cnt
    parameters
    register
    path
    period
    picture
    source
    text
    times
    to
    token
    trace
    twice
    value
    words
}

/// The error about the argument `name`.
pub(crate) fn wrong(name: &str, expected: impl Into<String>, found: &Bound<'_, PyAny>) -> Error {
    let found = found.repr().map_or_else(|_| "a value".to_owned(), |text| text.to_string());
    // The repr of a long value says nothing more at its end.
    let shown: String = found.chars().take(80).collect();
    Error::new("ArgumentError", name, expected, shown)
}
