// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `.hex` files of `vectors/FORMAT.md`: text to values and back.

use crate::echo::shown;
use crate::vectors::error::HexError;
use crate::vectors::word::Word;
use awgstar::quantity::{Narrow, narrow};
use std::fmt::Write;

/// Entries of `fields.hex` of a frame class, in link order: name, hexadecimal digits, largest value.
pub const FRAME_FIELDS: [(&str, usize, u64); 16] = [
    ("flags", 2, 7),
    ("check", 2, 0xF),
    ("tx_status", 2, 7),
    ("mac", 12, 0xFFFF_FFFF_FFFF),
    ("token", 2, 7),
    ("c_st", 2, 0x1F),
    ("node_id", 2, 0xFF),
    ("multi_g", 1, 0xF),
    ("act_seq", 1, 0xF),
    ("packet_cnt", 2, 0xFF),
    ("addr", 8, 0xFFFF_FFFF),
    ("zero", 2, 0),
    ("len", 4, 0x7FF),
    ("wire_words", 4, 0xFFFF),
    ("tx_words", 4, 0xFFFF),
    ("rx_words", 4, 0xFFFF),
];

/// Entries of `fields.hex` of a crc32 class.
pub const CRC_FIELDS: [(&str, usize, u64); 4] = [
    ("tkeep", 1, 0xF),
    ("crc_in", 8, 0xFFFF_FFFF),
    ("tdata", 8, 0xFFFF_FFFF),
    ("crc_out", 8, 0xFFFF_FFFF),
];

const SIZE: [(&str, usize, u64); 1] = [("size", 8, 0xFFFF_FFFF)];
const WORD: [(&str, usize, u64); 3] =
    [("flags", 1, 7), ("tkeep", 1, 0xF), ("tdata", 8, 0xFFFF_FFFF)];

/// Content of a file without entries: some simulators do not open an empty one.
pub const EMPTY: &str = "// empty\n";

/// Renders lines of values; the layout gives the digits of each.
#[must_use]
pub fn render<const N: usize>(layout: &[(&str, usize, u64); N], lines: &[[u64; N]]) -> String {
    let mut out = String::new();
    for line in lines {
        for (n, ((_, digits, _), value)) in layout.iter().zip(line).enumerate() {
            let mark = if n == 0 { "" } else { "_" };
            let _ = write!(out, "{mark}{value:0digits$x}");
        }
        out.push('\n');
    }
    if out.is_empty() { EMPTY.into() } else { out }
}

/// Reads lines of values. Empty lines and lines that begin with `//` hold no entry.
///
/// # Errors
/// On the first line that is not as the layout says.
pub fn parse<const N: usize>(
    layout: &[(&'static str, usize, u64); N],
    text: &str,
) -> Result<Vec<[u64; N]>, HexError> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with("//"))
        .map(|(n, line)| entry(layout, n + 1, line))
        .collect()
}

fn entry<const N: usize>(
    layout: &[(&'static str, usize, u64); N],
    line: usize,
    text: &str,
) -> Result<[u64; N], HexError> {
    let mut parts = text.split('_');
    let mut column = 1;
    let mut values = [0; N];
    for (value, &(field, digits, max)) in values.iter_mut().zip(layout) {
        let error = |expected: String, found: &str| HexError {
            line,
            column,
            field,
            expected,
            found: shown(found),
        };
        let wanted = format!("{digits} hexadecimal digits");
        let part = parts.next().ok_or_else(|| error(wanted.clone(), "end of line"))?;
        if part.len() != digits || !part.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(error(wanted, part));
        }
        *value = u64::from_str_radix(part, 16).map_err(|e| error(wanted, &e.to_string()))?;
        if *value > max {
            return Err(error(format!("at most {max:x}"), part));
        }
        column += digits + 1;
    }
    match parts.next() {
        None => Ok(values),
        Some(more) => Err(HexError {
            line,
            column,
            field: "line",
            expected: "end of line".into(),
            found: more.into(),
        }),
    }
}

/// Renders `wire.hex`, `tx_payload.hex` or `rx_payload.hex`.
#[must_use]
pub fn render_words<'a>(words: impl IntoIterator<Item = &'a Word>) -> String {
    let lines: Vec<[u64; 3]> = words
        .into_iter()
        .map(|w| {
            let flags = u64::from(w.last) | u64::from(w.user) << 1 | u64::from(w.gap) << 2;
            [flags, u64::from(w.keep), u64::from(w.data)]
        })
        .collect();
    render(&WORD, &lines)
}

/// Reads `wire.hex`, `tx_payload.hex` or `rx_payload.hex`.
///
/// # Errors
/// On the first line that is no word.
pub fn parse_words(text: &str) -> Result<Vec<Word>, HexError> {
    let lines = parse(&WORD, text)?;
    Ok(lines
        .into_iter()
        .map(|[flags, keep, data]| Word {
            data: low(data),
            keep: low(keep),
            last: flags & 1 == 1,
            user: flags >> 1 & 1 == 1,
            gap: flags >> 2 & 1 == 1,
        })
        .collect())
}

/// Renders `sizes.hex`.
#[must_use]
pub fn render_sizes(sizes: &[usize]) -> String {
    let lines: Vec<[u64; 1]> = sizes.iter().map(|n| [*n as u64]).collect();
    render(&SIZE, &lines)
}

/// Reads `sizes.hex`.
///
/// # Errors
/// On the first line that is no number.
pub fn parse_sizes(text: &str) -> Result<Vec<u64>, HexError> {
    Ok(parse(&SIZE, text)?.into_iter().map(|[n]| n).collect())
}

/// A value that the layout's maximum holds within `T`.
pub(super) fn low<T: Narrow + TryFrom<u64>>(value: u64) -> T {
    narrow(value)
}
