// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the launcher knows of all processes: the first fault, counts, and time lines.

use crate::call::{Call, Lock};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
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
    #[error("ended while it holds {}", Lock::of(*.lock))]
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
    /// A call that this machine does not offer reached it.
    #[error("made the call `{call}`, which this machine does not offer")]
    NotOffered {
        /// Name of the call.
        call: &'static str,
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
    pub call: Call,
    /// When it was made.
    pub from: Nanoseconds,
    /// When it was answered.
    pub to: Nanoseconds,
}

/// Bytes that all processes moved in an allocation of the shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// Number of the allocation in the order of a process, from 1: the first of those at this place.
    pub number: usize,
    pub addr: ByteAddress,
    pub bytes: u32,
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
}

/// Allocations of a process that are not released, by address, and how many it has made.
#[derive(Debug, Default)]
struct Stack {
    live: Vec<(ByteAddress, u32)>,
    made: usize,
}

/// Allocations of all processes.
#[derive(Debug, Default)]
struct Allocations {
    stacks: BTreeMap<NodeId, Stack>,
    /// Number of the first allocation at an address with so many bytes, and its bytes read and written.
    all: BTreeMap<(ByteAddress, u32), (usize, u64, u64)>,
    /// Bytes read and written in no allocation.
    outside: (u64, u64),
}

impl Allocations {
    /// Counts the bytes of an access.
    fn count(&mut self, node: NodeId, from: ByteAddress, bytes: u32, reads: bool) {
        let to = u64::from(from.0) + u64::from(bytes);
        let live = self.stacks.get(&node).map_or(&[][..], |stack| &stack.live);
        let first = live.partition_point(|&(addr, size)| addr.0 + size <= from.0);
        let mut left = u64::from(bytes);
        let add = |counts: (&mut u64, &mut u64), bytes| {
            *(if reads { counts.0 } else { counts.1 }) += bytes;
        };
        for &(addr, size) in live[first..].iter().take_while(|(addr, _)| u64::from(addr.0) < to) {
            let end = to.min(u64::from(addr.0) + u64::from(size));
            let within = end.saturating_sub(from.0.max(addr.0).into());
            if let Some((_, read, written)) = self.all.get_mut(&(addr, size)) {
                add((read, written), within);
            }
            left -= within;
        }
        add((&mut self.outside.0, &mut self.outside.1), left);
    }
}

/// No code of the monitor's own can fail while it is locked.
fn locked<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts of all processes of a run, and the first fault. Processes may be asked on any thread.
#[derive(Debug, Default)]
pub struct Monitor {
    fault: Mutex<Option<(NodeId, Fault)>>,
    usage: Mutex<BTreeMap<NodeId, Usage>>,
    spans: Option<Mutex<BTreeMap<NodeId, Vec<Span>>>>,
    allocations: Mutex<Allocations>,
    doing: Mutex<BTreeMap<NodeId, Option<Call>>>,
}

impl Monitor {
    /// A monitor that keeps every [`Span`] too.
    #[must_use]
    pub fn with_spans() -> Self {
        Monitor { spans: Some(Mutex::default()), ..Monitor::default() }
    }

    /// The first fault, and its node.
    #[must_use]
    pub fn fault(&self) -> Option<(NodeId, Fault)> {
        locked(&self.fault).clone()
    }

    /// Returns true when a process has failed.
    #[must_use]
    pub fn failed(&self) -> bool {
        locked(&self.fault).is_some()
    }

    /// Counts of a process; all zero before its first call was answered.
    #[must_use]
    pub fn usage(&self, node: NodeId) -> Usage {
        locked(&self.usage).get(&node).cloned().unwrap_or_default()
    }

    /// Calls of a process, in order; none unless this is a monitor [with spans](Monitor::with_spans).
    #[must_use]
    pub fn spans(&self, node: NodeId) -> Vec<Span> {
        let spans = self.spans.as_ref().and_then(|spans| locked(spans).get(&node).cloned());
        spans.unwrap_or_default()
    }

    /// Allocations that the processes made, by address, with their bytes.
    #[must_use]
    pub fn allocations(&self) -> Vec<Allocation> {
        let all = locked(&self.allocations);
        let one = |(&(addr, bytes), &(number, read, written)): (&_, &_)| Allocation {
            number,
            addr,
            bytes,
            read,
            written,
        };
        all.all.iter().map(one).collect()
    }

    /// Bytes read and bytes written in no allocation.
    #[must_use]
    pub fn outside(&self) -> (u64, u64) {
        locked(&self.allocations).outside
    }

    /// The processes that have joined and not left: the call that each waits for, or `None` if it computes.
    #[must_use]
    pub fn doing(&self) -> BTreeMap<NodeId, Option<Call>> {
        let mut doing = locked(&self.doing).clone();
        doing.retain(|_, call| *call != Some(Call::End));
        doing
    }

    /// Calls of all processes that were answered.
    #[must_use]
    pub fn calls(&self) -> u64 {
        let usage = locked(&self.usage);
        usage.values().flat_map(|usage| usage.calls.values()).map(|(count, _)| count).sum()
    }

    pub(crate) fn begin(&self, node: NodeId, call: Option<Call>) {
        let mut doing = locked(&self.doing);
        // What has left stays so.
        if doing.get(&node) != Some(&Some(Call::End)) {
            doing.insert(node, call);
        }
    }

    /// Takes the report of an allocation or of a release.
    pub(crate) fn allocation(&self, node: NodeId, report: Call) {
        let mut all = locked(&self.allocations);
        let Allocations { stacks, all, .. } = &mut *all;
        let stack = stacks.entry(node).or_default();
        match report {
            Call::Allocated { addr, bytes } => {
                stack.made += 1;
                // A library of ours allocates behind what is there.
                stack.live.retain(|&(other, size)| other.0 + size <= addr.0);
                stack.live.push((addr, bytes));
                all.entry((addr, bytes)).or_insert((stack.made, 0, 0));
            }
            Call::Released(addr) => stack.live.retain(|&(other, _)| other < addr),
            _ => {}
        }
    }

    pub(crate) fn fail(&self, node: NodeId, fault: Fault) {
        locked(&self.fault).get_or_insert((node, fault));
    }

    pub(crate) fn count(&self, node: NodeId, call: Call, from: Nanoseconds, to: Nanoseconds) {
        let mut all = locked(&self.usage);
        let usage = all.entry(node).or_default();
        let (count, time) = usage.calls.entry(call.name()).or_default();
        *count += 1;
        *time += to.saturating_sub(from);
        if let Some((addr, bytes)) = call.area() {
            let reads = matches!(call, Call::Read { .. });
            *(if reads { &mut usage.read } else { &mut usage.written }) += u64::from(bytes);
            locked(&self.allocations).count(node, addr, bytes, reads);
        }
        usage.end = to;
        if let Some(spans) = &self.spans {
            locked(spans).entry(node).or_default().push(Span { call, from, to });
        }
    }
}
