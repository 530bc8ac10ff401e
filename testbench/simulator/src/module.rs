// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Verilog modules that have a testbench, and the kinds of vectors for them.

use std::{fmt, str::FromStr};

/// Modules that a vector is for.
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

/// A module under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Module {
    /// `crc32`.
    Crc32,
    /// `frame_tx`.
    FrameTx,
    /// `frame_rx`.
    FrameRx,
}

impl Module {
    /// All modules.
    pub const ALL: [Module; 3] = [Module::Crc32, Module::FrameTx, Module::FrameRx];

    /// Name in Verilog.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Module::Crc32 => "crc32",
            Module::FrameTx => "frame_tx",
            Module::FrameRx => "frame_rx",
        }
    }

    /// The kind of vectors it runs.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Module::Crc32 => Kind::Crc32,
            Module::FrameTx | Module::FrameRx => Kind::Frame,
        }
    }

    /// The bit of a vector's flags that says it applies to this module (`vectors/FORMAT.md`).
    #[must_use]
    pub const fn flag(self) -> u8 {
        match self {
            Module::Crc32 => 0,
            Module::FrameTx => 1,
            Module::FrameRx => 2,
        }
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Module {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        Module::ALL
            .into_iter()
            .find(|m| m.name() == name)
            .ok_or_else(|| format!("no module `{name}` (crc32, frame_tx, frame_rx)"))
    }
}
