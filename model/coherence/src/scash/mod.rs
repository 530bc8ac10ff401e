// SPDX-License-Identifier: MIT OR Apache-2.0
//! SCASH: each page has a home, to which writers send what they changed.
//!
//! Paper 003 compares with it (sections 5 and 7) and cites it for the rest (reference 3). A page at a node
//! is closed, clean or dirty. The first write to a page keeps a *twin*, a copy; at a barrier and where a
//! lock is given up the difference to the twin, the *diff*, goes to the home. Nodes whose copy is old get a
//! *write notice*, close the page, and fetch it from the home when their process needs it.

mod machine;
mod message;
mod node;
mod observed;
mod receive;

pub use message::{Message, News};
pub use node::{Homes, Node, Page, PageCause, ScashRepairs, Settings};
