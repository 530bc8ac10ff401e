//! What is wrong with a scenario file, and where.

use std::ops::Range;

/// A scenario file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {what}\n{line:>5} | {source_line}")]
pub struct FileError {
    /// Its name.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The field, what was found and what was expected.
    pub what: String,
    /// The line itself.
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
        FileError {
            file: file.into(),
            line: line + 1,
            column: before[line_start..].chars().count() + 1,
            what: what.into(),
            source_line: text.lines().nth(line).unwrap_or_default().trim_end().into(),
        }
    }

    pub(super) fn toml(file: &str, text: &str, error: &toml::de::Error) -> Self {
        // A missing key has no place of its own but that of its table.
        FileError::at(file, text, &error.span().unwrap_or(0..0), error.message().trim_end())
    }
}
