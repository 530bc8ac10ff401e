// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vectors and classes of vectors (VEC-1).

use crate::vectors::word::Word;
use awgstar::contract::{Check, HeaderWire, TxStatus};

/// Test bench that runs a class: the folder below `vectors/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Module {
    /// `frame_tx` and `frame_rx`.
    Frame,
    /// `crc32`.
    Crc32,
}

impl Module {
    /// Both, in the order of the manifest.
    pub const ALL: [Module; 2] = [Module::Frame, Module::Crc32];

    /// Name of the folder, in the manifest and in `classes.txt`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Module::Frame => "frame",
            Module::Crc32 => "crc32",
        }
    }
}

/// Description of one vector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// Purpose of the vector, in a few words.
    pub comment: String,
    /// Requirement ids where they differ from those of the class; else empty.
    pub requirements: Vec<String>,
}

/// One frame, at `frame_tx`, `frame_rx` or both. Its fields are those of `vectors/FORMAT.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameVector {
    /// Comment and requirements.
    pub note: Note,
    /// Applies to `frame_tx`.
    pub tx: bool,
    /// Applies to `frame_rx`.
    pub rx: bool,
    /// M: `tuser` of the first word at `frame_rx`.
    pub monitor: bool,
    /// Expected verdict of `frame_rx`; `ok` where the vector does not apply.
    pub check: Check,
    /// Expected verdict of `frame_tx`; `ok` where the vector does not apply.
    pub tx_status: TxStatus,
    /// Header given to `frame_tx` and expected of `frame_rx`.
    pub header: HeaderWire,
    /// Valid bytes: `s_hdr_len`, `m_hdr_len`.
    pub len: u16,
    /// Words on the link.
    pub wire: Vec<Word>,
    /// Payload beats given to `frame_tx`.
    pub tx_payload: Vec<Word>,
    /// Data beats expected of `frame_rx` for a good frame.
    pub rx_payload: Vec<Word>,
}

/// One step of `crc32`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrcVector {
    /// Comment and requirements.
    pub note: Note,
    /// `tkeep`, 4 bits.
    pub keep: u8,
    /// `crc_in`.
    pub crc_in: u32,
    /// `tdata`.
    pub data: u32,
    /// Expected `crc_out`.
    pub crc_out: u32,
}

/// The vectors of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// For `frame_tx` and `frame_rx`.
    Frame(Vec<FrameVector>),
    /// For `crc32`.
    Crc32(Vec<CrcVector>),
}

/// Vectors that look for one class of bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Name of its folder, unique over all modules.
    pub name: String,
    /// Requirement ids that its vectors check.
    pub requirements: Vec<String>,
    /// The bug it catches.
    pub bug_class: String,
    /// Effect of that bug in the field.
    pub effect: String,
    /// The vectors, in order.
    pub vectors: Vectors,
}

impl Class {
    /// Test bench that runs the class.
    #[must_use]
    pub const fn module(&self) -> Module {
        match self.vectors {
            Vectors::Frame(_) => Module::Frame,
            Vectors::Crc32(_) => Module::Crc32,
        }
    }

    /// Verilog modules that some vector applies to.
    #[must_use]
    pub fn duts(&self) -> Vec<&'static str> {
        match &self.vectors {
            Vectors::Crc32(_) => vec!["crc32"],
            Vectors::Frame(v) => {
                let tx = v.iter().any(|v| v.tx).then_some("frame_tx");
                let rx = v.iter().any(|v| v.rx).then_some("frame_rx");
                tx.into_iter().chain(rx).collect()
            }
        }
    }

    /// Number of vectors.
    #[must_use]
    pub const fn len(&self) -> usize {
        match &self.vectors {
            Vectors::Frame(v) => v.len(),
            Vectors::Crc32(v) => v.len(),
        }
    }

    /// Returns true if the class holds no vector.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Id of the vector at `index`: `<class>/<index>`.
    #[must_use]
    pub fn id(&self, index: usize) -> String {
        format!("{}/{index:04}", self.name)
    }

    /// Comments and requirements of the vectors, in order.
    #[must_use]
    pub fn notes(&self) -> Vec<&Note> {
        match &self.vectors {
            Vectors::Frame(v) => v.iter().map(|v| &v.note).collect(),
            Vectors::Crc32(v) => v.iter().map(|v| &v.note).collect(),
        }
    }

    /// Requirement ids of one vector: its own, else those of the class.
    #[must_use]
    pub fn requirements_of<'a>(&'a self, note: &'a Note) -> &'a [String] {
        if note.requirements.is_empty() { &self.requirements } else { &note.requirements }
    }
}
