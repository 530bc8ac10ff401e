// SPDX-License-Identifier: MIT OR Apache-2.0
//! Golden vectors: generation, reading, checking (VEC-1 to VEC-4).
//!
//! * [`generate`] makes every class in memory, [`write()`] puts them below a folder, [`check()`] compares
//!   that folder with a fresh generation, byte by byte.
//! * [`load()`] reads the files there, for runners and `vectors list`.
//! * [`mod@reference`] is the codec that all expected values come from.
//!
//! `vectors/FORMAT.md` describes the files.

pub mod board;
pub mod burst;
mod classes;
pub mod error;
pub mod files;
pub mod gateway;
pub mod hex;
pub mod load;
pub mod manifest;
mod pages;
pub mod pattern;
pub mod reference;
mod replayed;
pub mod schema;
mod story;
mod texts;
pub mod tree;
pub mod vector;
pub mod word;

pub use classes::{all as generate, random};
pub use error::LoadError;
pub use files::{check, write, write_class};
pub use load::load;
pub use story::Story;
pub use tree::Difference;
pub use vector::{Class, CrcVector, FrameVector, Module, Note, Vectors};
pub use word::Word;
