// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines that repeat, with their number (`vectors/FORMAT.md`, board and node).

use std::fmt::Write as _;

/// Lines that come after one another and are the same, as one with their number before it.
pub(super) fn runs<T: AsRef<str>>(lines: impl IntoIterator<Item = T>) -> String {
    let mut all: Vec<(u32, T)> = Vec::new();
    for line in lines {
        match all.last_mut() {
            Some((count, last)) if last.as_ref() == line.as_ref() && *count < 0xffff => *count += 1,
            _ => all.push((1, line)),
        }
    }
    all.iter().fold(String::new(), |mut text, (count, line)| {
        let _ = writeln!(text, "{count:04x}_{}", line.as_ref());
        text
    })
}

/// The lines that [`runs`] was given; what is not of its form ends it.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Option<&str>> {
    text.lines().flat_map(|line| {
        let run = line.split_once('_').and_then(|(count, rest)| {
            let count = usize::from_str_radix(count, 16).ok()?;
            (1..=0xffff).contains(&count).then_some((count, Some(rest)))
        });
        let (count, line) = run.unwrap_or((1, None));
        std::iter::repeat_n(line, count)
    })
}
