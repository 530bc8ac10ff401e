// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the tree below `vectors/`. Nothing is believed: sizes are compared, never allocated by.

use crate::vectors::error::{HexError, LoadError};
use crate::vectors::hex;
use crate::vectors::manifest::{Manifest, ManifestClass, SCHEMA_VERSION, VectorList};
use crate::vectors::vector::{Class, CrcVector, FrameVector, Module, Note, Vectors};
use crate::vectors::word::Word;
use awgstar::contract::{Check, HeaderWire, TxStatus};
use serde::de::DeserializeOwned;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Largest file that is read.
pub const FILE_LIMIT: u64 = 16 << 20;

/// Texts of the `.hex` files of a frame class.
#[derive(Clone, Copy, Debug)]
pub struct FrameTexts<'a> {
    /// `fields.hex`.
    pub fields: &'a str,
    /// `wire.hex`.
    pub wire: &'a str,
    /// `tx_payload.hex`.
    pub tx_payload: &'a str,
    /// `rx_payload.hex`.
    pub rx_payload: &'a str,
}

/// Reads every class that the manifest below `root` (the folder `vectors`) names.
///
/// # Errors
/// On the first file that is missing, not of its format, or at odds with another.
pub fn load(root: &Path) -> Result<Vec<Class>, LoadError> {
    let path = root.join("manifest.json");
    let manifest: Manifest = json(&path)?;
    same(&path, "schema_version", &SCHEMA_VERSION, &manifest.schema_version)?;
    manifest.classes.iter().map(|entry| class(root, entry)).collect()
}

fn class(root: &Path, entry: &ManifestClass) -> Result<Class, LoadError> {
    let manifest = root.join("manifest.json");
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    if entry.name.is_empty() || !entry.name.bytes().all(plain) {
        return Err(mismatch(&manifest, "name", "a-z, 0-9 and _", &entry.name));
    }
    let folder = root.join(&entry.module).join(&entry.name);
    let text = |name: &str| read(&folder.join(name));
    let in_file = |name: &str| {
        let path = folder.join(name);
        move |source| LoadError::Hex { path, source }
    };
    let sizes = hex::parse_sizes(&text("sizes.hex")?).map_err(in_file("sizes.hex"))?;
    let fields = text("fields.hex")?;
    let (mut vectors, found) = if entry.module == Module::Frame.name() {
        let (wire, tx, rx) = (text("wire.hex")?, text("tx_payload.hex")?, text("rx_payload.hex")?);
        let texts = FrameTexts { fields: &fields, wire: &wire, tx_payload: &tx, rx_payload: &rx };
        let v = frames(&texts).map_err(|(name, source)| in_file(name)(source))?;
        let sum = |words: fn(&FrameVector) -> usize| v.iter().map(words).sum::<usize>() as u64;
        let found = vec![
            v.len() as u64,
            sum(|v| v.wire.len()),
            sum(|v| v.tx_payload.len()),
            sum(|v| v.rx_payload.len()),
        ];
        (Vectors::Frame(v), found)
    } else if entry.module == Module::Crc32.name() {
        let v = crcs(&fields).map_err(in_file("fields.hex"))?;
        let found = vec![v.len() as u64];
        (Vectors::Crc32(v), found)
    } else {
        return Err(mismatch(&manifest, "module", "frame or crc32", &entry.module));
    };
    same_debug(&folder.join("sizes.hex"), "sizes", &found, &sizes)?;
    notes(&folder.join("vectors.json"), entry, &mut vectors)?;
    let class = Class {
        name: entry.name.clone(),
        requirements: entry.requirements.clone(),
        bug_class: entry.bug_class.clone(),
        effect: entry.effect.clone(),
        vectors,
    };
    same(&manifest, "number of vectors", &class.len(), &entry.vectors)?;
    Ok(class)
}

/// Puts the comments of `vectors.json` to the vectors.
fn notes(path: &Path, entry: &ManifestClass, vectors: &mut Vectors) -> Result<(), LoadError> {
    let list: VectorList = json(path)?;
    same(path, "schema_version", &SCHEMA_VERSION, &list.schema_version)?;
    same(path, "class", &entry.name, &list.class)?;
    let slots: Vec<&mut Note> = match vectors {
        Vectors::Frame(v) => v.iter_mut().map(|v| &mut v.note).collect(),
        Vectors::Crc32(v) => v.iter_mut().map(|v| &mut v.note).collect(),
    };
    same(path, "number of vectors", &slots.len(), &list.vectors.len())?;
    for (index, (slot, line)) in slots.into_iter().zip(list.vectors).enumerate() {
        same(path, "id", &format!("{}/{index:04}", entry.name), &line.id)?;
        slot.comment = line.comment;
        slot.requirements = line.requirements;
    }
    Ok(())
}

/// Reads the vectors of a frame class, without comments.
///
/// # Errors
/// With the name of the file and the place in it.
pub fn frames(texts: &FrameTexts) -> Result<Vec<FrameVector>, (&'static str, HexError)> {
    let named = |name: &'static str| move |error| (name, error);
    let lines = hex::parse(&hex::FRAME_FIELDS, texts.fields).map_err(named("fields.hex"))?;
    let mut wire = Entries::new("wire.hex", texts.wire)?;
    let mut tx = Entries::new("tx_payload.hex", texts.tx_payload)?;
    let mut rx = Entries::new("rx_payload.hex", texts.rx_payload)?;
    let mut out = Vec::new();
    for (index, f) in lines.iter().enumerate() {
        let code = |field: &'static str, expected: &str, value: u64| {
            let error = HexError {
                line: index + 1,
                column: 1,
                field,
                expected: expected.into(),
                found: format!("{value:x}"),
            };
            ("fields.hex", error)
        };
        out.push(FrameVector {
            note: Note::default(),
            tx: f[0] & 1 == 1,
            rx: f[0] >> 1 & 1 == 1,
            monitor: f[0] >> 2 & 1 == 1,
            check: Check::from_code(hex::low(f[1]))
                .ok_or_else(|| code("check", "a verdict of the receiver", f[1]))?,
            tx_status: TxStatus::from_code(hex::low(f[2]))
                .ok_or_else(|| code("tx_status", "a verdict of the transmitter", f[2]))?,
            header: HeaderWire {
                mac: f[3],
                token: hex::low(f[4]),
                c_st: hex::low(f[5]),
                node_id: hex::low(f[6]),
                multi_g: hex::low(f[7]),
                act_seq: hex::low(f[8]),
                packet_cnt: hex::low(f[9]),
                addr: hex::low(f[10]),
            },
            len: hex::low(f[12]),
            wire: wire.take(f[13])?,
            tx_payload: tx.take(f[14])?,
            rx_payload: rx.take(f[15])?,
        });
    }
    wire.end()?;
    tx.end()?;
    rx.end()?;
    Ok(out)
}

/// Reads the vectors of a crc32 class, without comments.
///
/// # Errors
/// On the first line that is not of the format.
pub fn crcs(fields: &str) -> Result<Vec<CrcVector>, HexError> {
    let lines = hex::parse(&hex::CRC_FIELDS, fields)?;
    Ok(lines
        .into_iter()
        .map(|[keep, crc_in, data, crc_out]| CrcVector {
            note: Note::default(),
            keep: hex::low(keep),
            crc_in: hex::low(crc_in),
            data: hex::low(data),
            crc_out: hex::low(crc_out),
        })
        .collect())
}

/// Words of a file, handed out vector by vector.
struct Entries {
    name: &'static str,
    words: Vec<Word>,
    next: usize,
}

impl Entries {
    fn new(name: &'static str, text: &str) -> Result<Self, (&'static str, HexError)> {
        let words = hex::parse_words(text).map_err(|error| (name, error))?;
        Ok(Self { name, words, next: 0 })
    }

    fn take(&mut self, count: u64) -> Result<Vec<Word>, (&'static str, HexError)> {
        let end = self.next.saturating_add(hex::low(count));
        let taken = self.words.get(self.next..end).map(<[Word]>::to_vec);
        let left = self.words.len() - self.next;
        let taken = taken.ok_or_else(|| self.error(format!("{count} words"), left))?;
        self.next = end;
        Ok(taken)
    }

    fn end(&self) -> Result<(), (&'static str, HexError)> {
        match self.words.len() - self.next {
            0 => Ok(()),
            left => Err(self.error("end of file".into(), left)),
        }
    }

    fn error(&self, expected: String, left: usize) -> (&'static str, HexError) {
        let error = HexError {
            line: self.next + 1,
            column: 1,
            field: "word",
            expected,
            found: format!("{left} words"),
        };
        (self.name, error)
    }
}

fn read(path: &Path) -> Result<String, LoadError> {
    let io = |source| LoadError::Io { path: PathBuf::from(path), source };
    let bytes = fs::metadata(path).map_err(io)?.len();
    if bytes > FILE_LIMIT {
        return Err(LoadError::TooLarge { path: path.into(), bytes, limit: FILE_LIMIT });
    }
    fs::read_to_string(path).map_err(io)
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, LoadError> {
    serde_json::from_str(&read(path)?)
        .map_err(|source| LoadError::Json { path: path.into(), source })
}

fn mismatch(path: &Path, what: &'static str, expected: &str, found: &str) -> LoadError {
    LoadError::Mismatch { path: path.into(), what, expected: expected.into(), found: found.into() }
}

fn same<T: PartialEq + ToString>(
    path: &Path,
    what: &'static str,
    expected: &T,
    found: &T,
) -> Result<(), LoadError> {
    if expected == found {
        return Ok(());
    }
    Err(mismatch(path, what, &expected.to_string(), &found.to_string()))
}

fn same_debug(
    path: &Path,
    what: &'static str,
    expected: &[u64],
    found: &[u64],
) -> Result<(), LoadError> {
    if expected == found {
        return Ok(());
    }
    Err(mismatch(path, what, &format!("{expected:x?}"), &format!("{found:x?}")))
}
