// SPDX-License-Identifier: MIT OR Apache-2.0
//! A step of a run of paging, as it is in the file.

use awgstar::quantity::ByteAddress;
use serde::{Deserialize, Serialize};

/// A step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorStep {
    /// Node in which it happens.
    pub node: usize,
    /// Description of the step.
    pub what: String,
    /// `wants`, `uses`, `lets_go` by the process; `reads`, `confirmed`, `copies_out`, `copies_in`, `timer`:
    /// what a state machine asked for is there; `sends`, `receives`, `passes`, `comes_back`, `lost`,
    /// `sends_again`: what a frame does.
    pub does: String,
    /// The event is for the master's state machine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub master: bool,
    /// Index of the frame that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<usize>,
    /// The page that the process wants or uses, or that is copied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u16>,
    /// Address of the word that is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub addr: Option<ByteAddress>,
    /// The word that is read, the page that is copied, or the byte that the process writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Actions of the state machine; those of the master after those of the process.
    pub actions: Vec<VectorAction>,
    /// The node's states afterwards, in words.
    pub state: String,
}

/// Action of a state machine, as [`awgstar::firmware::paging::Action`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum VectorAction {
    Read { addr: ByteAddress },
    Until { addr: ByteAddress },
    Write { addr: ByteAddress, bytes: String },
    Confirm,
    CopyOut { page: u16, offset: ByteAddress, area: u16 },
    CopyIn { page: u16, offset: ByteAddress, area: u16 },
    Send { frame: usize },
    Ask { page: u16 },
    Start,
    Stop,
    Granted { offset: ByteAddress },
    Released,
}
