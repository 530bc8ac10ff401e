// SPDX-License-Identifier: MIT OR Apache-2.0
//! FDSM: nodes learn in the first execution of a block what each reads and writes; later the writers send
//! at its beginning what others will read (paper 003, section 3).
//!
//! This is the repaired form, which has no home: all nodes keep one [`Map`] that says for each byte which
//! node has the latest value and which others hold it. Homes, as in the paper, are an option. A *block* is all between two barriers.

mod machine;
mod map;
mod message;
mod node;
mod observed;
mod pattern;
mod receive;
mod repairs;

pub use map::{Held, Map};
pub use message::{Counts, Message, Piece};
pub use node::{HomeRules, Inspection, Node, Phase, PhaseCause};
pub use pattern::{Pattern, Plan, Report};
pub use repairs::FdsmRepairs;
