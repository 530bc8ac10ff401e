// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pictures and waves of plain data: SVG, HTML, VCD, save files for GTKWave and Surfer,
//! capture files for Wireshark.
//!
//! Nothing here knows what a run is: callers pass names, numbers and times.
#![forbid(unsafe_code)]

mod changes;
pub mod gtkw;
pub mod markup;
mod names;
pub mod page;
pub mod pcapng;
pub mod plot;
pub mod svg;
pub mod table;
pub mod waves;

pub use changes::{Change, Changes};
pub use names::name_files;
