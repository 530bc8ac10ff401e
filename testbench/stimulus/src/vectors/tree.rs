// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files below `vectors/`: their paths, texts and hashes, and how they differ.

use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
    fs, io,
    path::Path,
};

/// Every generated file: path below `vectors/` (with `/`) and text.
pub type Tree = BTreeMap<String, String>;

/// Kind of difference between a file and the generated one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The file is not there, or cannot be read as text.
    Missing {
        /// Path below `vectors/`.
        path: String,
    },
    /// The file is there but no generator makes it.
    Extra {
        /// Path below `vectors/`.
        path: String,
    },
    /// The hash of a file that is not generated is not that of the manifest.
    Hash {
        /// Path below `vectors/`.
        path: String,
    },
    /// A vector that is not generated and not in the manifest.
    Unlisted {
        /// Path below `vectors/`.
        path: String,
    },
    Text {
        /// Path below `vectors/`.
        path: String,
        /// First line that differs, from 1.
        line: usize,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Missing { path } => write!(f, "{path}: missing or not readable"),
            Difference::Extra { path } => write!(f, "{path}: not generated, should not be here"),
            Difference::Hash { path } => {
                write!(f, "{path}: SHA-256 differs from that in manifest.json")
            }
            Difference::Unlisted { path } => write!(
                f,
                "{path}: not in manifest.json; `awgstar vectors generate` puts a new vector there"
            ),
            Difference::Text { path, line } => write!(f, "{path}: line {line} differs"),
        }
    }
}

/// Files in the folders `of` below `root`, and in those within that are `entered`; hidden ones do not count.
pub(super) fn walk(
    root: &Path,
    of: &[&str],
    entered: impl Fn(&str) -> bool,
) -> io::Result<Vec<String>> {
    let mut out = Vec::new();
    let mut folders: Vec<String> = of.iter().map(|&name| name.to_owned()).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let hidden = name.starts_with('.');
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            if !entry.file_type()?.is_dir() {
                out.extend((!hidden).then_some(path));
            } else if entered(&path) {
                folders.push(path);
            }
        }
    }
    out.sort();
    Ok(out)
}

/// SHA-256 in hexadecimal.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}
