//! Classes of golden vectors as the runners see them: names, words, comments, requirements.

use super::{SimError, Word};
use serde_json::Value;
use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

/// What a vector is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `frame_tx` and `frame_rx`.
    Frame,
    /// `crc32`.
    Crc32,
}

impl Kind {
    /// Name of the folder below `vectors/`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Frame => "frame",
            Kind::Crc32 => "crc32",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A class of vectors: a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// What it is for.
    pub kind: Kind,
    /// Name of the folder.
    pub name: String,
    /// The folder.
    pub dir: PathBuf,
}

/// What the manifest says about one vector. Empty where it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// What the vector is there for.
    pub comment: String,
    /// Requirements it checks.
    pub requirements: Vec<String>,
}

/// Reads `classes.txt` below the folder of all vectors.
///
/// # Errors
/// When it is missing, empty, or a line is not `<kind> <name>`.
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
        let mut note = Note::default();
        let entries = json(&self.dir.join("vectors.json"));
        let list = entries.as_array().or_else(|| entries["vectors"].as_array());
        let id = self.id(index);
        if let Some(entry) = list.and_then(|l| {
            l.iter()
                .find(|e| e["id"].as_str() == Some(&id))
                .or_else(|| l.get(index).filter(|e| e["id"].is_null()))
        }) {
            entry["comment"].as_str().unwrap_or_default().clone_into(&mut note.comment);
            collect(&entry["requirements"], &mut note.requirements);
        }
        collect(&entries["requirements"], &mut note.requirements);
        if let Some(vectors) = self.dir.ancestors().nth(2) {
            let manifest = json(&vectors.join("manifest.json"));
            let mut found = Vec::new();
            search(&manifest, &self.name, self.kind, &mut found);
            for value in found {
                collect(value, &mut note.requirements);
            }
        }
        note
    }

    /// The words a vector has on the link.
    ///
    /// # Errors
    /// When the class cannot be read.
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

fn json(path: &Path) -> Value {
    fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or(Value::Null)
}

fn collect(list: &Value, into: &mut Vec<String>) {
    for id in list.as_array().into_iter().flatten() {
        if let Some(id) = id.as_str()
            && !into.iter().any(|i| i == id)
        {
            into.push(id.to_owned());
        }
    }
}

/// The `requirements` of the class in a manifest, whether it lists classes or maps their names.
fn search<'a>(value: &'a Value, name: &str, kind: Kind, into: &mut Vec<&'a Value>) {
    let named = |o: &Value| ["name", "class", "id"].iter().any(|k| o[*k] == name);
    let of_kind = |o: &Value| o["kind"].is_null() || o["kind"] == kind.name();
    match value {
        Value::Array(items) => items.iter().for_each(|i| search(i, name, kind, into)),
        Value::Object(map) => {
            if named(value) && of_kind(value) {
                into.push(&value["requirements"]);
            }
            for (key, inner) in map {
                if key == name && inner.is_object() {
                    into.push(&inner["requirements"]);
                }
                search(inner, name, kind, into);
            }
        }
        _ => {}
    }
}
