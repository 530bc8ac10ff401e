// SPDX-License-Identifier: MIT OR Apache-2.0
//! Start and end of the libraries, and what a process has between them.

use crate::{
    groups::Groups,
    segments::{Local, Segments},
    sets::Mutexes,
};
use awgstar_caller::{numbers::number, wrong::Wrong};
use awgstar_onesided::{Group, World};
use std::{ffi::c_int, time::Duration};

/// Highest level of threads: calls of several threads are made one after another.
pub(crate) const SERIALIZED: c_int = 2;

/// A process, before, between and after.
pub(crate) struct State {
    process: Option<Armci>,
    /// Starts of ARMCI without an end.
    starts: usize,
    mpi: Mpi,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mpi {
    Before,
    Running,
    After,
}

/// A process of the run.
pub(crate) struct Armci {
    pub(crate) world: World,
    /// All processes.
    pub(crate) all: Group,
    pub(crate) segments: Segments,
    pub(crate) local: Local,
    pub(crate) groups: Groups,
    pub(crate) mutexes: Mutexes,
}

impl State {
    pub(crate) const fn new() -> State {
        State { process: None, starts: 0, mpi: Mpi::Before }
    }

    /// The process, while the library of the function runs.
    pub(crate) fn running(&mut self, function: &str) -> Result<&mut Armci, Wrong> {
        let (runs, order) = if function.starts_with("MPI_") {
            (
                self.mpi == Mpi::Running,
                "MPI does not run: expected between MPI_Init and MPI_Finalize",
            )
        } else {
            (self.starts > 0, "ARMCI does not run: expected between ARMCI_Init and ARMCI_Finalize")
        };
        self.process.as_mut().filter(|_| runs).ok_or(Wrong::Order(order))
    }

    fn join(&mut self) -> Result<(), Wrong> {
        if self.process.is_none() {
            self.process = Some(Armci::join()?);
        }
        Ok(())
    }

    /// Leaves the run when neither library runs any more.
    fn leave(&mut self) -> Result<(), Wrong> {
        if self.starts > 0 || self.mpi == Mpi::Running {
            return Ok(());
        }
        match &mut self.process {
            Some(process) => Ok(process.world.leave()?),
            None => Ok(()),
        }
    }

    /// Starts ARMCI, once more if it runs.
    pub(crate) fn start(&mut self, threads: c_int) -> Result<(), Wrong> {
        threads_within("armci_requested", threads)?;
        self.join()?;
        self.starts += 1;
        Ok(())
    }

    /// Ends ARMCI if each start has its end.
    pub(crate) fn end(&mut self) -> Result<(), Wrong> {
        if self.starts == 1 {
            let process = self.running("ARMCI_Finalize")?;
            process.mutexes.none_held()?;
            process.world.barrier()?;
        }
        self.starts = self.starts.saturating_sub(1);
        self.leave()
    }

    pub(crate) const fn runs(&self) -> bool {
        self.starts > 0
    }

    pub(crate) fn start_mpi(&mut self) -> Result<(), Wrong> {
        if self.mpi != Mpi::Before {
            return Err(Wrong::Order("a second time"));
        }
        self.join()?;
        self.mpi = Mpi::Running;
        Ok(())
    }

    pub(crate) fn end_mpi(&mut self) -> Result<(), Wrong> {
        let process = self.running("MPI_Finalize")?;
        process.world.barrier()?;
        self.mpi = Mpi::After;
        self.leave()
    }

    /// MPI has begun, and ended.
    pub(crate) fn mpi_was(&self) -> (bool, bool) {
        (self.mpi != Mpi::Before, self.mpi == Mpi::After)
    }
}

/// A level of threads that there is.
fn threads_within(argument: &'static str, level: c_int) -> Result<(), Wrong> {
    if (0..=SERIALIZED).contains(&level) {
        return Ok(());
    }
    Err(Wrong::argument(argument, level, "MPI_THREAD_SERIALIZED or less"))
}

impl Armci {
    fn join() -> Result<Armci, Wrong> {
        let mut world = World::join()?;
        let (heap, bytes) = world.heap();
        let all = world.all();
        let (me, ranks) = (world.rank(), world.ranks());
        Ok(Armci {
            segments: Segments::new(heap, bytes),
            local: Local::default(),
            groups: Groups::new(all.clone()),
            mutexes: Mutexes::new(me, ranks),
            all,
            world,
        })
    }

    /// A process by its number.
    pub(crate) fn process(&self, argument: &'static str, proc: c_int) -> Result<usize, Wrong> {
        let ranks = self.world.ranks();
        let rank = usize::try_from(proc).ok().filter(|&rank| rank < ranks);
        rank.ok_or_else(|| Wrong::argument(argument, proc, format!("0 to {}", ranks - 1)))
    }

    /// Time on the machine in seconds.
    pub(crate) fn seconds(&mut self) -> Result<f64, Wrong> {
        Ok(Duration::from_nanos(self.world.now()?).as_secs_f64())
    }

    /// The number of this process.
    pub(crate) fn me(&self) -> c_int {
        number(self.world.rank())
    }

    pub(crate) fn processes(&self) -> c_int {
        number(self.world.ranks())
    }
}
