// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is checked: programs, faults, repairs and the properties that must hold.

use crate::gen1::mailbox::{MailRepairs, Primitive};

/// Programs of the processes, and faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailSettings {
    /// Requests of each process, the master's main thread first; 1 to 32 processes.
    pub programs: Vec<Vec<Primitive>>,
    /// A signal may come before words that were written before it.
    pub apart: bool,
    /// Signals that come a second time, at most: on the ring, or because a worker's timeout is early.
    pub twice: u8,
}

impl MailSettings {
    /// `processes` processes that each do `program`, in the order of the ring.
    #[must_use]
    pub fn all(processes: usize, program: &[Primitive]) -> MailSettings {
        MailSettings { programs: vec![program.to_vec(); processes], apart: false, twice: 0 }
    }
}

/// A property that must hold in every run (MBX-4, MBX-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MailProperty {
    /// At most one process has a lock.
    Exclusion,
    /// No process passes a barrier before all have arrived.
    Together,
}

/// Master and workers to be checked.
#[derive(Clone, Debug)]
pub struct MailNetwork {
    /// Programs and faults of the run.
    pub settings: MailSettings,
    /// Repairs of the primitives.
    pub repairs: MailRepairs,
}
