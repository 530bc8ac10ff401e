// SPDX-License-Identifier: MIT OR Apache-2.0
//! Error in a file that a person writes, with its place.

use crate::echo::{self, shown};
use serde::Serialize;
use std::ops::Range;

/// Characters of a line of a file that are repeated, and how many of them before the place.
const LINE: usize = 100;
const BEFORE: usize = 30;

/// A mistake in a file that a person writes, or a warning about one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{file}:{line}:{column}: {what}\n{line:>5} | {source_line}")]
pub struct FileError {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The field, what was found and what was expected.
    pub what: String,
    /// The line itself, or its part around the column; printable.
    #[serde(skip)]
    pub source_line: String,
}

impl FileError {
    /// An error at a range of bytes of `text`.
    #[must_use]
    pub fn at(file: &str, text: &str, span: &Range<usize>, what: impl Into<String>) -> Self {
        let start = (0..=span.start.min(text.len())).rev().find(|&i| text.is_char_boundary(i));
        let before = &text[..start.unwrap_or(0)];
        let line = before.matches('\n').count();
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let column = before[line_start..].chars().count();
        FileError {
            file: file.into(),
            line: line + 1,
            column: column + 1,
            what: what.into(),
            source_line: part(text[line_start..].lines().next().unwrap_or_default(), column),
        }
    }

    /// What the parser of TOML says of `text`.
    #[must_use]
    pub fn toml(file: &str, text: &str, error: &toml::de::Error) -> Self {
        // A missing key has no place except that of its table.
        FileError::at(file, text, &error.span().unwrap_or(0..0), said(error.message()))
    }

    /// The same with more words at the end.
    #[must_use]
    pub fn and(mut self, more: &str) -> Self {
        self.what.push_str(more);
        self
    }
}

/// The mistakes of one or more files, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct FileErrors(pub Vec<FileError>);

impl FileErrors {
    /// The value, or none and one mistake more.
    pub fn keep<T>(&mut self, found: Result<T, FileError>) -> Option<T> {
        let mistake = match found {
            Ok(value) => return Some(value),
            Err(mistake) => mistake,
        };
        if !self.0.contains(&mistake) {
            self.0.push(mistake);
        }
        None
    }

    /// What was read from files without mistakes.
    ///
    /// # Errors
    /// The mistakes, if there are any.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }
}

/// The message of the parser of TOML, on one line; of a key that is not known, with the nearest instead of all.
fn said(message: &str) -> String {
    let unknown = message.strip_prefix("unknown field `").and_then(|rest| rest.split_once('`'));
    if let Some((found, known)) = unknown {
        let names = known.split('`').skip(1).step_by(2);
        return format!("unknown key `{}`: {}", shown(found), echo::expected(found, names));
    }
    let lines: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return "the value of a key is missing".into();
    }
    echo::message(&lines.join(", "))
}

/// The part of a line that is repeated.
fn part(line: &str, column: usize) -> String {
    let line = line.trim_end().replace('\t', " ");
    let count = line.chars().count();
    let from = if count > LINE { column.saturating_sub(BEFORE) } else { 0 };
    let some: String = line.chars().skip(from).take(LINE).collect();
    let cut = |cut: bool| if cut { "..." } else { "" };
    format!("{}{}{}", cut(from > 0), echo::printable(&some), cut(from + LINE < count))
}
