// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names for codes, for both viewers.

use crate::gtkw;

/// (file, text): filters for GTKWave, and the same as mappings for Surfer, which looks for them
/// below the folder it is started in.
#[must_use]
pub fn name_files() -> Vec<(String, String)> {
    let filters = gtkw::filters();
    let mappings: Vec<(String, String)> = filters
        .iter()
        .map(|(name, text)| {
            let stem = name.trim_end_matches(".filter");
            let bits = text.split_whitespace().next().map_or(1, str::len);
            let lines = text.lines().fold(String::new(), |t, line| format!("{t}0b{line}\n"));
            let text = format!("Name = awgstar {stem}\nBits = {bits}\n{lines}");
            (format!(".surfer/mappings/{stem}.mapping"), text)
        })
        .collect();
    filters.into_iter().chain(mappings).collect()
}
