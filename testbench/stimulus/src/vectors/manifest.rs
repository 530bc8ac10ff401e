// SPDX-License-Identifier: MIT OR Apache-2.0
//! `manifest.json` and the `vectors.json` of each class.

use serde::{Deserialize, Serialize};

/// Version of the JSON files' shape.
pub const SCHEMA_VERSION: u32 = 1;

/// `vectors/manifest.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Every class, in the order of `classes.txt`.
    pub classes: Vec<ManifestClass>,
    /// Every vector of the board.
    #[serde(default)]
    pub boards: Vec<ManifestBoard>,
    /// Files of vectors that are not generated, in the order of their paths.
    #[serde(default)]
    pub replayed: Vec<FileHash>,
    /// Files that belong to no class.
    pub files: Vec<FileHash>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestClass {
    /// `frame` or `crc32`: the folder and the test bench.
    pub module: String,
    /// Name of the class and of its folder.
    pub name: String,
    /// Verilog modules that some vector applies to.
    pub duts: Vec<String>,
    /// Requirement ids.
    pub requirements: Vec<String>,
    /// The bug it catches.
    pub bug_class: String,
    /// Effect of that bug in the field.
    pub effect: String,
    /// Number of vectors.
    pub vectors: usize,
    pub files: Vec<FileHash>,
}

/// One vector of the board in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestBoard {
    /// Name of the vector and of its folder below `board/`, `board_engine/` or `board_axi4/`.
    pub name: String,
    /// Requirement ids.
    pub requirements: Vec<String>,
    /// Behaviour that the vector shows.
    pub shows: String,
    /// The bug it catches.
    pub bug_class: String,
    /// Effect of that bug in the field.
    pub effect: String,
    /// Length in cycles.
    pub cycles: u64,
    /// Files of the vector.
    pub files: Vec<FileHash>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileHash {
    /// Path below `vectors/`, with `/`.
    pub path: String,
    /// SHA-256, 64 hexadecimal digits.
    pub sha256: String,
}

/// `vectors/<module>/<class>/vectors.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorList {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Name of the class.
    pub class: String,
    /// One line per vector.
    pub vectors: Vec<VectorLine>,
}

/// One vector in `vectors.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorLine {
    /// `<class>/<index>`.
    pub id: String,
    /// Purpose of the vector, in a few words.
    pub comment: String,
    /// Expected verdict of `frame_rx`; absent where the vector does not apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// Expected verdict of `frame_tx`; absent where the vector does not apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tx_status: Option<String>,
    /// Requirement ids where they differ from those of the class.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
}
