// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process of a one-sided program.

use crate::Error;
use awgstar_program::CallError;
use awgstar_request::{Kind, Update};

/// A place in the segment of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub rank: usize,
    /// Byte of the segment.
    pub offset: u64,
}

/// A process of a one-sided program. There is one in each process.
#[derive(Debug)]
pub struct World {
    rank: usize,
    ranks: usize,
}

const NOT_STARTED: Error = Error::Call(CallError::NotStarted);

impl World {
    /// Joins the run.
    ///
    /// # Errors
    /// [`Error::Call`], [`Error::TooSmall`], [`Error::Map`].
    pub fn join() -> Result<World, Error> {
        Err(NOT_STARTED)
    }

    /// Number of this process, from 0.
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// Processes of the run.
    #[must_use]
    pub const fn ranks(&self) -> usize {
        self.ranks
    }

    /// Makes pages of static data part of the segment, and gives their offset there. Every rank adopts the same, at
    /// the same addresses, before the first [`World::heap`].
    ///
    /// # Errors
    /// [`Error::Static`], [`Error::TooSmall`], [`Error::Map`].
    ///
    /// # Safety
    /// The bytes are whole pages of this process's data, and only its main thread runs.
    pub unsafe fn adopt(&mut self, start: *mut u8, bytes: usize) -> Result<u64, Error> {
        let _ = (start, bytes);
        Err(NOT_STARTED)
    }

    /// The part of the own segment that is a program's: address, the same in every process, and bytes.
    pub fn heap(&mut self) -> (*mut u8, usize) {
        (std::ptr::null_mut(), 0)
    }

    /// The place of a rank that belongs to an address of the own heap or of adopted data.
    #[must_use]
    pub fn place(&self, pointer: *const u8, rank: usize) -> Option<Place> {
        let _ = (pointer, rank);
        None
    }

    /// The address of a byte of the own segment.
    #[must_use]
    pub fn pointer(&self, offset: u64) -> *mut u8 {
        let _ = offset;
        std::ptr::null_mut()
    }

    /// Writes bytes. Posted: [`World::fence`] waits for it. To the own rank it is a store.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Range`], [`Error::Call`].
    pub fn put(&mut self, to: Place, from: &[u8]) -> Result<(), Error> {
        let _ = (to, from);
        Err(NOT_STARTED)
    }

    /// Reads bytes.
    ///
    /// # Errors
    /// As of [`World::put`].
    pub fn get(&mut self, from: Place, to: &mut [u8]) -> Result<(), Error> {
        let _ = (from, to);
        Err(NOT_STARTED)
    }

    /// Changes a value in one step and gives the one from before: as many bytes as it has, then zeros.
    ///
    /// # Errors
    /// [`Error::Width`]; as of [`World::put`].
    pub fn update(&mut self, at: Place, update: Update) -> Result<[u8; 16], Error> {
        let _ = (at, update);
        Err(NOT_STARTED)
    }

    /// Adds `scale`, a number, times each number of `data`, in one step. [`World::fence`] waits for it.
    ///
    /// # Errors
    /// [`Error::Numbers`]; as of [`World::put`].
    pub fn accumulate(
        &mut self,
        at: Place,
        kind: Kind,
        scale: &[u8],
        data: &[u8],
    ) -> Result<(), Error> {
        let _ = (at, kind, scale, data);
        Err(NOT_STARTED)
    }

    /// Waits until all puts and accumulates of this rank, to `rank` or to all, are in place.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Call`].
    pub fn fence(&mut self, rank: Option<usize>) -> Result<(), Error> {
        let _ = rank;
        Err(NOT_STARTED)
    }

    /// Waits for all ranks. What any of them stored, put or accumulated before is in place then.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn barrier(&mut self) -> Result<(), Error> {
        Err(NOT_STARTED)
    }

    /// Waits until bytes of the own segment, 1 to 8, differ from `old`.
    ///
    /// # Errors
    /// [`Error::Watched`], [`Error::Range`], [`Error::Call`].
    pub fn wait_change(&mut self, offset: u64, old: &[u8]) -> Result<(), Error> {
        let _ = (offset, old);
        Err(NOT_STARTED)
    }

    /// Publishes what was stored, and lets some time pass.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn progress(&mut self) -> Result<(), Error> {
        Err(NOT_STARTED)
    }

    /// Takes a lock, 0 to 65,535. What earlier holders wrote is in place then.
    ///
    /// # Errors
    /// [`Error::Lock`], [`Error::Call`].
    pub fn lock(&mut self, n: u32) -> Result<(), Error> {
        let _ = n;
        Err(NOT_STARTED)
    }

    /// Takes a lock if nobody has it: true then.
    ///
    /// # Errors
    /// As of [`World::lock`].
    pub fn try_lock(&mut self, n: u32) -> Result<bool, Error> {
        let _ = n;
        Err(NOT_STARTED)
    }

    /// Gives a lock back.
    ///
    /// # Errors
    /// As of [`World::lock`].
    pub fn unlock(&mut self, n: u32) -> Result<(), Error> {
        let _ = n;
        Err(NOT_STARTED)
    }

    /// Time on the machine, in ns.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn now(&mut self) -> Result<u64, Error> {
        Err(NOT_STARTED)
    }

    /// Lets so many ns pass on this node.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn compute(&mut self, ns: u64) -> Result<(), Error> {
        let _ = ns;
        Err(NOT_STARTED)
    }

    /// Leaves the run. Further calls are errors.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn leave(&mut self) -> Result<(), Error> {
        Err(NOT_STARTED)
    }
}
