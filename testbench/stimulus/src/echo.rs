// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text that a user or a file gave, in the form in which it is shown again: without control
//! characters, and shortened where it is a value in a message.

use std::{borrow::Cow, fmt::Display, io};

/// Longest echo of one value, in characters.
const VALUE_MAX: usize = 60;
/// Longest message of another library, in characters.
const MESSAGE_MAX: usize = 1000;

/// Characters that change how a terminal or a browser shows what follows: controls, line separators
/// and the controls of the direction of writing.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `text` with every control character written as `\u` and four hex digits, which is also how JSON
/// writes it. Line breaks and tabs are controls here too.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

fn escaped(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hidden) {
        return text.into();
    }
    let one = |c| if hidden(c) { format!("\\u{:04x}", u32::from(c)) } else { String::from(c) };
    text.chars().map(one).collect::<String>().into()
}

/// A value of the input as a message repeats it: printable, and no longer than 60 characters; of a
/// longer one the message has the first 60 and the number of all.
#[must_use]
pub fn shown(value: impl Display) -> String {
    printable(&shortened(&value.to_string(), VALUE_MAX)).into_owned()
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.into(),
        Some((end, _)) => format!("{}... ({} characters)", &text[..end], text.chars().count()),
    }
}

/// A message of another library: escaped, the values between its quotation marks shortened as
/// [`shown`] does it, and the whole no longer than 1,000 characters.
#[must_use]
pub fn message(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find(['`', '"']) {
        let (before, value) = rest.split_at(open + 1);
        let Some(close) = value.find(&before[open..]) else { break };
        out.push_str(&printable(before));
        out.push_str(&shown(&value[..close]));
        out.push_str(&before[open..]);
        rest = &value[close + 1..];
    }
    out.push_str(&printable(rest));
    shortened(&out, MESSAGE_MAX)
}

/// Most names that a message lists, and how many of more.
const NAMES: usize = 12;
const FIRST: usize = 4;

/// What a message expects instead of `found`: the names, or the first of many, and the nearest if one is near.
#[must_use]
pub fn expected<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let length = found.chars().count();
    let far = (length / 3).max(1);
    // A name of another length is not compared: what was found may be of any.
    let comparable = names.iter().filter(|name| name.chars().count().abs_diff(length) <= far);
    let nearest = comparable
        .map(|&name| (strsim::damerau_levenshtein(found, name), name))
        .min_by_key(|&(distance, _)| distance)
        .and_then(|(distance, name)| (distance <= far).then_some(name));
    let (few, more) = match names.get(..FIRST).filter(|_| names.len() > NAMES) {
        None => (&names[..], String::new()),
        Some(few) => (few, format!(", ... ({} in all)", names.len())),
    };
    let nearest = nearest.map_or(String::new(), |name| format!("; the nearest is `{name}`"));
    format!("expected one of {}{more}{nearest}", few.join(", "))
}

/// Bytes from hex digits.
///
/// # Errors
/// The first character that is no hex digit, with its index in characters, or their odd number.
pub fn hex(digits: &str) -> Result<Vec<u8>, String> {
    if let Some((index, c)) = digits.chars().enumerate().find(|(_, c)| !c.is_ascii_hexdigit()) {
        let found = character(c);
        return Err(format!("hex digit {index}: expected 0-9 or a-f, found {found}"));
    }
    hex::decode(digits)
        .map_err(|_| format!("expected an even number of hex digits, found {}", digits.len()))
}

/// A character, with its number if it is not one of ASCII: some look alike, and marks have no form
/// without the letter before them.
fn character(c: char) -> String {
    let number = format!("U+{:04X}", u32::from(c));
    match c {
        ' '..='~' => format!("'{c}'"),
        '\u{300}'..='\u{36f}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{200b}'..='\u{200f}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe2f}' => number,
        c if is_hidden(c) => number,
        c => format!("'{c}' ({number})"),
    }
}

/// A terminal, or what reads instead of it: control characters other than line breaks and tabs are
/// escaped on their way.
#[derive(Debug)]
pub struct Terminal<W>(pub W);

impl<W: io::Write> io::Write for Terminal<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let safe = escaped(&text, |c| is_hidden(c) && c != '\n' && c != '\t');
        self.0.write_all(safe.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
