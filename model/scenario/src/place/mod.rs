// SPDX-License-Identifier: MIT OR Apache-2.0
//! Places in a scenario file: errors and warnings about it.

mod error;
mod marks;

pub use error::FileError;
pub use marks::Marks;
pub(crate) use marks::missed;
