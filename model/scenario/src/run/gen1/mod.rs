// SPDX-License-Identifier: MIT OR Apache-2.0
//! Generation 1 from a scenario file: programs, their outcome, waves and pictures (CUR-7).

mod events;
mod job;
mod picture;
mod report;
mod wave;

pub use events::events;
pub use picture::train;
pub(crate) use picture::{SOURCES, TrainFrame, trains};
pub use report::{Outcome, report};
pub use wave::waves;

use crate::place::FileError;
use awgstar::quantity::{ByteAddress, Nanoseconds};
use awgstar_thesis::gen1::{
    Access, Answer, Gen1, Gen1Error, Op, Process, Ring, Settings, record::Record,
};
use std::collections::VecDeque;

/// Step of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// One thing.
    Op(Op),
    /// Reads a word and writes it back with so much added, modulo 2^32: two accesses.
    Add {
        /// Byte address.
        addr: ByteAddress,
        /// Amount to add.
        by: u32,
    },
}

/// Generation 1 from a file, ready to run.
#[derive(Clone, Debug)]
pub struct Gen1Plan {
    /// One line that says what it shows.
    pub title: String,
    /// The system.
    pub settings: Settings,
    /// Steps of each process; each begins no earlier than its time.
    pub programs: Vec<Vec<(Nanoseconds, Step)>>,
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
        let process = |steps: &Vec<(Nanoseconds, Step)>| {
            let steps = steps.iter().cloned().collect();
            Box::new(PlannedProcess { steps, add: None }) as Box<dyn Process>
        };
        let mut system = Gen1::new(&settings, self.programs.iter().map(process).collect())?;
        let end = system.run(&mut |now| progress(now.0, self.settings.limit.0))?;
        let records = system.records();
        Ok(Gen1Run { system, end: end.0, records })
    }
}

/// A process that follows its steps.
struct PlannedProcess {
    steps: VecDeque<(Nanoseconds, Step)>,
    /// An addition whose word is being read.
    add: Option<(ByteAddress, u32)>,
}

impl Process for PlannedProcess {
    fn next(&mut self, answer: &Answer) -> Op {
        if let Some((addr, by)) = self.add.take() {
            return Op::write(addr, &answer.word().wrapping_add(by).to_be_bytes());
        }
        if let Some((at, _)) = self.steps.front().filter(|(at, _)| *at > answer.now) {
            return Op::Compute(*at - answer.now);
        }
        match self.steps.pop_front().map(|(_, step)| step) {
            None => Op::End,
            Some(Step::Op(op)) => op,
            Some(Step::Add { addr, by }) => {
                self.add = Some((addr, by));
                Op::Read { addr, len: 4, access: Access::Pointer }
            }
        }
    }
}

/// The first node whose replica differs from node 0's, and where.
#[must_use]
pub fn first_difference(ring: &Ring) -> Option<(usize, ByteAddress)> {
    (1..ring.line().nodes())
        .find_map(|node| Some((node, ring.memory(0).first_difference(ring.memory(node))?)))
}
