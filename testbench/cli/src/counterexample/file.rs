// SPDX-License-Identifier: MIT OR Apache-2.0
//! Common parts of the files of runs.

use serde::{Serialize, de::DeserializeOwned};
use std::{fmt::Display, fs, path::Path};

/// Frames in hexadecimal, each once.
#[derive(Default)]
pub(super) struct Frames(pub(super) Vec<String>);

impl Frames {
    pub(super) fn index(&mut self, frame: String) -> usize {
        let at = self.0.iter().position(|other| *other == frame);
        at.unwrap_or_else(|| {
            self.0.push(frame);
            self.0.len() - 1
        })
    }
}

pub(super) fn text(vector: &impl Serialize) -> String {
    serde_json::to_string_pretty(vector).map(|text| text + "\n").unwrap_or_default()
}

/// Each case has its file in `folder`, and `replay` finds nothing wrong with it. How many, and what is wrong.
pub(super) fn check<C, V: DeserializeOwned>(
    folder: &Path,
    cases: &[C],
    name: impl Fn(&C) -> &'static str,
    replay: impl Fn(&V, &C) -> Result<(), String>,
) -> (usize, Vec<String>) {
    let wrong = |case: &C| -> Result<(), String> {
        let path = folder.join(format!("{}.json", name(case)));
        let error = |e: &dyn Display| format!("{}: {e}", path.display());
        let text = fs::read_to_string(&path).map_err(|e| error(&e))?;
        let vector: V = serde_json::from_str(&text).map_err(|e| error(&e))?;
        replay(&vector, case).map_err(|e| error(&e))
    };
    (cases.len(), cases.iter().filter_map(|case| wrong(case).err()).collect())
}
