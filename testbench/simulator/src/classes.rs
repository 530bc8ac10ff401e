// SPDX-License-Identifier: MIT OR Apache-2.0
//! Classes of golden vectors as the runners see them: names, words, comments, requirements.

use crate::{Kind, Module, SimError, Word};
use awgstar_stimulus::vectors::manifest::{Manifest, ManifestClass, VectorList};
use serde::de::DeserializeOwned;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A class of vectors: a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Modules that the vectors are for.
    pub kind: Kind,
    /// Name of the folder.
    pub name: String,
    /// The folder.
    pub dir: PathBuf,
}

/// Entry of the manifest for one vector; empty if there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// Purpose of the vector.
    pub comment: String,
    /// Requirements it checks.
    pub requirements: Vec<String>,
}

/// Reads `classes.txt` below the folder of all vectors.
///
/// # Errors
/// If it is missing, empty, or a line is not `<kind> <name>`.
pub fn list(vectors: &Path) -> Result<Vec<Class>, SimError> {
    let path = vectors.join("classes.txt");
    let text = fs::read_to_string(&path).map_err(SimError::io(&path))?;
    let mut classes = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let kind = match line.split_once(' ') {
            Some(("frame", name)) => Some((Kind::Frame, name)),
            Some(("crc32", name)) => Some((Kind::Crc32, name)),
            _ => None,
        };
        let Some((kind, name)) = kind else {
            return Err(SimError::format(path, format!("unusable line `{line}`")));
        };
        classes.push(Class {
            kind,
            name: name.trim().to_owned(),
            dir: vectors.join(kind.name()).join(name.trim()),
        });
    }
    if classes.is_empty() {
        return Err(SimError::format(path, "no classes"));
    }
    Ok(classes)
}

impl Class {
    /// A folder outside `classes.txt`, such as one of random vectors.
    #[must_use]
    pub fn folder(kind: Kind, dir: &Path) -> Self {
        let name = dir.file_name().unwrap_or_default().to_string_lossy();
        Class { kind, name: name.into_owned(), dir: dir.to_owned() }
    }

    /// Id of a vector: `<class>/<index>`.
    #[must_use]
    pub fn id(&self, index: usize) -> String {
        format!("{}/{index:04}", self.name)
    }

    /// Comment and requirements of a vector, from `vectors.json` and the manifest.
    #[must_use]
    pub fn note(&self, index: usize) -> Note {
        let list: Option<VectorList> = json(&self.dir.join("vectors.json"));
        let Some(line) = list.and_then(|list| list.vectors.into_iter().nth(index)) else {
            return Note::default();
        };
        let requirements = match line.requirements {
            own if own.is_empty() => self.requirements(),
            own => own,
        };
        Note { comment: line.comment, requirements }
    }

    /// Requirements of the class, from the manifest two folders up; none for a class beyond it.
    fn requirements(&self) -> Vec<String> {
        let manifest: Option<Manifest> =
            self.dir.ancestors().nth(2).and_then(|vectors| json(&vectors.join("manifest.json")));
        let classes = manifest.map(|m| m.classes).unwrap_or_default();
        let ours = |c: &ManifestClass| c.name == self.name && c.module == self.kind.name();
        classes.into_iter().find(ours).map(|c| c.requirements).unwrap_or_default()
    }

    /// The words a vector has on the link.
    ///
    /// # Errors
    /// If the class cannot be read.
    pub fn wire(&self, index: usize) -> Result<Vec<Word>, SimError> {
        let path = self.dir.join("fields.hex");
        let text = fs::read_to_string(&path).map_err(SimError::io(&path))?;
        let mut first = 0;
        let mut count = 0;
        for (i, line) in text.lines().take(index + 1).enumerate() {
            let digits: String = line.chars().filter(char::is_ascii_hexdigit).collect();
            count = digits
                .get(42..46)
                .and_then(|d| usize::from_str_radix(d, 16).ok())
                .ok_or_else(|| SimError::format(&path, format!("unusable line {}", i + 1)))?;
            if i < index {
                first += count;
            }
        }
        let path = self.dir.join("wire.hex");
        let text = fs::read_to_string(&path).map_err(SimError::io(&path))?;
        text.lines()
            .skip(first)
            .take(count)
            .map(|l| l.parse().map_err(|()| SimError::format(&path, format!("`{l}` is no word"))))
            .collect()
    }
}

/// Counts the vectors of the class in `dir` that apply to `module`; with `only`, 1 or 0.
///
/// # Errors
/// If `fields.hex` cannot be read, or a line of it has no flags.
pub fn applying(dir: &Path, module: Module, only: Option<usize>) -> Result<usize, SimError> {
    let path = dir.join("fields.hex");
    let text = fs::read_to_string(&path).map_err(SimError::io(&path))?;
    let lines = text.lines().filter(|line| !line.starts_with("//")).enumerate();
    let mut count = 0;
    for (index, line) in lines.filter(|(index, _)| only.is_none_or(|o| o == *index)) {
        let flags = line.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        count += match (module.kind(), flags) {
            (Kind::Crc32, _) => 1,
            (Kind::Frame, Some(flags)) => usize::from(flags & module.flag() != 0),
            (Kind::Frame, None) => {
                return Err(SimError::format(path, format!("unusable line {}", index + 1)));
            }
        };
    }
    Ok(count)
}

fn json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}
