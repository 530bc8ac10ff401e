// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process of the run: its memory and its locks.

use crate::{
    function::Function,
    pages::{Pages, of_node},
    places::Place,
    region::{BASE, PAGE},
};
use awgstar_caller::{memory::Memory, numbers::number, wrong::Wrong};
use awgstar_frame::quantity::narrow;
use awgstar_program::{CallError, LOCK_MAX};
use awgstar_request::{Coherent, FLUSH_LOCK, Shared as _};
use rustix::process::{Pid, getpid};
use std::{collections::BTreeSet, ffi::c_int, ops::Range, time::Duration};

/// The protocol's lock that is lock 0 of programs: those below are of libraries.
const FIRST_LOCK: u32 = FLUSH_LOCK + 1;

/// A process of the run.
pub(crate) struct Process {
    pub(crate) pages: Pages,
    /// Where the loop has begun in which the process is.
    pub(crate) within: Option<Place>,
    /// Collective calls so far.
    pub(crate) collectives: u64,
    held: BTreeSet<u32>,
    pid: Pid,
}

impl Process {
    pub(crate) fn join() -> Result<Process, Wrong> {
        let pages = Pages::join()?;
        Ok(Process { pages, within: None, collectives: 0, held: BTreeSet::new(), pid: getpid() })
    }

    /// Addresses of the shared memory.
    pub(crate) const fn memory(&self) -> Range<usize> {
        self.pages.addresses()
    }

    pub(crate) fn me(&self) -> usize {
        self.pages.node.node().index()
    }

    pub(crate) const fn processes(&self) -> usize {
        self.pages.node.nodes()
    }

    pub(crate) fn node(&self) -> c_int {
        number(self.me())
    }

    pub(crate) fn nodes(&self) -> c_int {
        number(self.processes())
    }

    /// Time on the machine in seconds.
    pub(crate) fn seconds(&mut self) -> Result<f64, Wrong> {
        let now = self.pages.node.now().map_err(of_node)?;
        Ok(Duration::from_nanos(now.0).as_secs_f64())
    }

    /// A call of the protocol. Its work is not the program's.
    pub(crate) fn coherent(&mut self, call: Coherent) -> Result<(), Wrong> {
        self.pages.node.pause().map_err(of_node)?;
        let done = self.pages.call(call);
        self.pages.node.resume();
        done
    }

    /// Allocates zeros, with all processes.
    pub(crate) fn allocate(&mut self, bytes: usize) -> Result<Memory, Wrong> {
        self.outside_of_a_loop()?;
        if bytes == 0 {
            return Err(Wrong::argument("bytes", bytes, "1 or more"));
        }
        let found = self.pages.heap.allocate(bytes);
        if let Some((pages, _)) = &found {
            // All know that these pages belong together before one of them is used.
            let (page, pages) = ((pages.start / PAGE) as u64, narrow(pages.len() / PAGE));
            self.coherent(Coherent::Area { page, pages })?;
        }
        self.alike(Function::Allocate, ("bytes", bytes as u64))?;
        let Some((pages, again)) = found else {
            let found = format!("{bytes} bytes");
            let expected = format!(
                "{} or fewer, which are free (`awgstar run --memory`)",
                self.pages.heap.room()
            );
            return Err(Wrong::argument("bytes", found, expected));
        };
        let start = pages.start;
        self.pages.show(pages.clone(), again)?;
        if again {
            if self.me() == 0 {
                self.pages.clear(pages)?;
            }
            self.coherent(Place::of_caller().barrier())?;
        }
        Ok(Memory::at(std::ptr::with_exposed_provenance_mut(start)))
    }

    /// Frees an allocation, with all processes.
    pub(crate) fn free(&mut self, memory: Memory) -> Result<(), Wrong> {
        self.outside_of_a_loop()?;
        if memory.is_null() {
            return Ok(());
        }
        let offset = memory.address().wrapping_sub(BASE) as u64;
        // What was written before is published, and does not come into a later allocation.
        self.alike(Function::Free, ("memory", offset))?;
        let Some(pages) = self.pages.heap.free(memory.address()) else {
            let found = format!("{:p}", memory.pointer());
            return Err(Wrong::argument("memory", found, "an address that fdsm_alloc gave"));
        };
        self.pages.hide(pages)
    }

    fn lock_of(number: c_int) -> Result<u32, Wrong> {
        let lock = u32::try_from(number).ok().filter(|&lock| lock <= LOCK_MAX);
        lock.ok_or_else(|| Wrong::argument("lock", number, format!("0 to {LOCK_MAX}")))
    }

    pub(crate) fn lock(&mut self, number: c_int) -> Result<(), Wrong> {
        let lock = Process::lock_of(number)?;
        if !self.held.insert(lock) {
            return Err(Wrong::argument("lock", number, "a lock that this process does not hold"));
        }
        self.coherent(Coherent::Acquire(FIRST_LOCK + lock))
    }

    pub(crate) fn unlock(&mut self, number: c_int) -> Result<(), Wrong> {
        let lock = Process::lock_of(number)?;
        if !self.held.remove(&lock) {
            return Err(Wrong::argument("lock", number, "a lock that this process holds"));
        }
        self.coherent(Coherent::Release(FIRST_LOCK + lock))
    }

    /// Makes bytes ready for the system, for which no fault comes.
    pub(crate) fn ready(
        &mut self,
        memory: Memory,
        bytes: usize,
        write: c_int,
    ) -> Result<(), Wrong> {
        if bytes == 0 {
            return Ok(());
        }
        let start = memory.address();
        let of = self.pages.heap.of(start);
        let end = start.checked_add(bytes).filter(|&end| of.is_some_and(|pages| end <= pages.end));
        let Some(end) = end else {
            let found = format!("{bytes} bytes at {:p}", memory.pointer());
            return Err(Wrong::argument("memory", found, "bytes of one allocation of fdsm_alloc"));
        };
        self.pages.ready(start..end, write != 0)
    }

    /// An access of the program to a page that it may not access so.
    pub(crate) fn fault(&mut self, at: usize, write: bool) -> Result<(), Wrong> {
        if self.pages.heap.of(at).is_none() {
            return Err(Wrong::Order("in no allocation of fdsm_alloc"));
        }
        // A child has not even the memory.
        if getpid() != self.pid {
            return Err(of_node(CallError::Forked));
        }
        self.pages.node.pause().map_err(of_node)?;
        let page = (at / PAGE) as u64;
        // valgrind does not say what kind of access has failed: a page that can be read was written to.
        if !self.pages.open(page, write)? {
            self.pages.open(page, true)?;
        }
        self.pages.node.resume();
        Ok(())
    }

    /// Leaves the run, with all processes. The program may not access the memory any more.
    pub(crate) fn leave(&mut self) -> Result<(), Wrong> {
        self.outside_of_a_loop()?;
        if let Some(lock) = self.held.first() {
            return Err(Wrong::Found(format!("lock {lock} is still held")));
        }
        self.alike(Function::Finalize, ("", 0))?;
        self.pages.hide(self.memory())?;
        self.pages.node.leave().map_err(of_node)
    }
}
