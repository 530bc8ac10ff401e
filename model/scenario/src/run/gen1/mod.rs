// SPDX-License-Identifier: MIT OR Apache-2.0
//! Generation 1 from a scenario file: programs, their outcome, waves and pictures (CUR-7).

mod events;
mod job;
mod picture;
mod report;
mod wave;

pub use events::events;
pub use picture::train;
pub use report::{Outcome, report};
pub use wave::waves;

use crate::place::FileError;
use crate::run::script::{Runner, Script};
use awgstar::quantity::ByteAddress;
use awgstar::request::Process;
use awgstar_thesis::gen1::{Gen1, Gen1Error, Ring, Settings, record::Record};
use std::sync::Arc;

/// Generation 1 from a file, ready to run.
#[derive(Clone, Debug)]
pub struct Gen1Plan {
    /// One line that says what it shows.
    pub title: String,
    /// The system.
    pub settings: Settings,
    /// The program of each node.
    pub programs: Vec<Script>,
    /// Words whose values the report gives.
    pub show: Vec<ByteAddress>,
    /// For each fault of the settings the warning if it meets no train.
    pub fault_warnings: Vec<FileError>,
}

/// Result of a plan.
pub struct Gen1Run {
    /// The system at the end.
    pub system: Gen1,
    /// When it ended, in ns.
    pub end: u64,
    /// Events of the run.
    pub records: Vec<Record>,
}

impl Gen1Plan {
    /// Runs it.
    ///
    /// # Errors
    /// [`Gen1Error`] when a program asks for what is not there.
    pub fn run(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<Gen1Run, Gen1Error> {
        let settings = Settings { record: true, ..self.settings.clone() };
        let process = |(node, script): (usize, &Script)| {
            Box::new(Runner::new(node, script, &Arc::default())) as Box<dyn Process>
        };
        let processes = self.programs.iter().enumerate().map(process).collect();
        let mut system = Gen1::new(&settings, processes)?;
        let end = system.run(&mut |now| progress(now.0, self.settings.limit.0))?;
        let records = system.records();
        Ok(Gen1Run { system, end: end.0, records })
    }
}

/// The first node whose replica differs from node 0's, and where.
#[must_use]
pub fn first_difference(ring: &Ring) -> Option<(usize, ByteAddress)> {
    (1..ring.line().nodes())
        .find_map(|node| Some((node, ring.memory(0).first_difference(ring.memory(node))?)))
}
