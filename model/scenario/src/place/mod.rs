// SPDX-License-Identifier: MIT OR Apache-2.0
//! Places in a scenario file: errors and warnings about it.

mod marks;

pub use awgstar_stimulus::place::FileError;
pub use marks::Marks;
pub(crate) use marks::missed;
