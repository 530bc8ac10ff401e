// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the launcher knows of all processes: the first fault, counts, and time lines.

use crate::call::Call;
use awgstar_frame::quantity::{Nanoseconds, NodeId};
use std::{cell::RefCell, collections::BTreeMap};
use thiserror::Error;

/// Why a process ended the run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The process failed.
    #[error("{how}, {}", after(*.last))]
    Failed {
        /// Exit code or signal.
        how: String,
        /// Name of its last call.
        last: Option<&'static str>,
    },
    /// The process ended in success but holds locks.
    #[error("ended while it holds lock {lock}")]
    Holds {
        /// One of them.
        lock: u32,
    },
    /// The process ended in success, but did not leave the ring.
    #[error("ended without awg_finalize, after its call `{last}`")]
    NotFinalized {
        /// Name of its last call.
        last: &'static str,
    },
    /// The slot holds no valid call: something overwrote it, or the library is not ours.
    #[error("made a call that is not valid, {}", after(*.last))]
    Invalid {
        /// Name of the call before.
        last: Option<&'static str>,
    },
}

fn after(last: Option<&'static str>) -> String {
    last.map_or_else(|| "before its first call".into(), |last| format!("after its call `{last}`"))
}

/// Counts of the activity of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// For each kind of call: how many, and their time on the ring.
    pub calls: BTreeMap<&'static str, (u64, Nanoseconds)>,
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
    /// When its last call was answered.
    pub end: Nanoseconds,
}

/// A call and its time on the ring. Calls of a process follow one another without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The call.
    pub call: Call,
    /// When it was made.
    pub from: Nanoseconds,
    /// When it was answered.
    pub to: Nanoseconds,
}

/// Counts of all processes of a run, and the first fault.
#[derive(Debug, Default)]
pub struct Monitor {
    fault: RefCell<Option<(NodeId, Fault)>>,
    usage: RefCell<BTreeMap<NodeId, Usage>>,
    spans: Option<RefCell<BTreeMap<NodeId, Vec<Span>>>>,
}

impl Monitor {
    /// A monitor that keeps every [`Span`] too.
    #[must_use]
    pub fn with_spans() -> Self {
        Monitor { spans: Some(RefCell::default()), ..Monitor::default() }
    }

    /// The first fault, and its node.
    #[must_use]
    pub fn fault(&self) -> Option<(NodeId, Fault)> {
        self.fault.borrow().clone()
    }

    /// Returns true when a process has failed.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.fault.borrow().is_some()
    }

    /// Counts of a process; all zero before its first call was answered.
    #[must_use]
    pub fn usage(&self, node: NodeId) -> Usage {
        self.usage.borrow().get(&node).cloned().unwrap_or_default()
    }

    /// Calls of a process, in order; none unless this is a monitor [with spans](Monitor::with_spans).
    #[must_use]
    pub fn spans(&self, node: NodeId) -> Vec<Span> {
        let spans = self.spans.as_ref().and_then(|spans| spans.borrow().get(&node).cloned());
        spans.unwrap_or_default()
    }

    pub(crate) fn fail(&self, node: NodeId, fault: Fault) {
        self.fault.borrow_mut().get_or_insert((node, fault));
    }

    pub(crate) fn count(&self, node: NodeId, call: Call, from: Nanoseconds, to: Nanoseconds) {
        let mut all = self.usage.borrow_mut();
        let usage = all.entry(node).or_default();
        let (count, time) = usage.calls.entry(call.name()).or_default();
        *count += 1;
        *time += to.saturating_sub(from);
        match call {
            Call::Read { words, .. } => usage.read += 4 * u64::from(words),
            Call::WritePart { bytes, .. } => usage.written += u64::from(bytes.count_ones()),
            Call::Write { words, .. } => usage.written += 4 * u64::from(words),
            _ => {}
        }
        usage.end = to;
        if let Some(spans) = &self.spans {
            spans.borrow_mut().entry(node).or_default().push(Span { call, from, to });
        }
    }
}
