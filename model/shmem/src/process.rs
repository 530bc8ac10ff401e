// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process of the run, and places in its symmetric memory.

mod heap;
mod locks;
mod teams;

use crate::{
    heap::Heap,
    image,
    locks::Held,
    teams::{Team, Teams},
};
use awgstar_caller::{
    heap::ALIGNED,
    memory::{Array, Memory},
    numbers::number,
    wrong::Wrong,
};
use awgstar_onesided::{Group, Place, World};
use std::{ffi::c_int, ops::Range, sync::Arc, time::Duration};

/// A process of the run.
pub(crate) struct Process {
    pub(crate) world: World,
    /// All processes.
    pub(crate) all: Group,
    /// Pages of static data.
    data: Vec<Range<usize>>,
    /// Address of the heap. The library has a word there.
    pub(crate) first: usize,
    pub(crate) heap: Heap,
    pub(crate) teams: Teams,
    pub(crate) held: Held,
    /// Element at which the next look at several begins.
    pub(crate) next: usize,
}

/// A process in a call with a context.
pub(crate) struct On<'a> {
    pub(crate) process: &'a mut Process,
    pub(crate) team: Arc<Team>,
}

impl Process {
    pub(crate) fn join() -> Result<Process, Wrong> {
        let mut world = World::join()?;
        // What the library itself keeps in static data is there before that is symmetric: it must not change while a
        // call waits.
        world.sync(&world.all())?;
        world.now()?;
        world.fence(None)?;
        let data = image::data();
        for pages in &data {
            image::adopt(&mut world, pages)?;
        }
        let (base, bytes) = world.heap();
        let first = base.expose_provenance();
        world.use_heap(ALIGNED);
        // Static data of all is there before the first put.
        world.barrier()?;
        let all = world.all();
        Ok(Process {
            data,
            first,
            heap: Heap::new(first + ALIGNED, first + bytes),
            teams: Teams::new(&all),
            held: Held::default(),
            next: 0,
            all,
            world,
        })
    }

    fn is_symmetric(&self, address: usize, bytes: usize) -> bool {
        let end = address.saturating_add(bytes);
        let within = |pages: &Range<usize>| pages.start <= address && end <= pages.end;
        self.heap.has(address, bytes) || self.data.iter().any(within)
    }

    /// The place in a process of bytes that are symmetric.
    pub(crate) fn place(
        &self,
        argument: &'static str,
        memory: Memory,
        bytes: usize,
        rank: usize,
    ) -> Result<Place, Wrong> {
        let place = self
            .is_symmetric(memory.address(), bytes)
            .then(|| self.world.place(memory.pointer(), rank));
        place.flatten().ok_or_else(|| {
            let found = format!("{bytes} bytes at {:p}", memory.pointer());
            let expected =
                "symmetric memory: static data, or bytes of one allocation of shmem_malloc";
            Wrong::argument(argument, found, expected)
        })
    }

    /// The place of a value at a multiple of its size.
    pub(crate) fn word<T>(
        &self,
        argument: &'static str,
        memory: Array<T>,
        rank: usize,
    ) -> Result<Place, Wrong> {
        let (memory, bytes) = (memory.memory(), size_of::<T>());
        if !memory.address().is_multiple_of(bytes) {
            let found = format!("{:p}", memory.pointer());
            return Err(Wrong::argument(argument, found, format!("a multiple of {bytes}")));
        }
        self.place(argument, memory, bytes, rank)
    }

    pub(crate) fn me(&self) -> c_int {
        number(self.world.rank())
    }

    pub(crate) fn processes(&self) -> c_int {
        number(self.world.ranks())
    }

    /// A process by its number.
    pub(crate) fn rank(&self, pe: c_int) -> Option<usize> {
        usize::try_from(pe).ok().filter(|&rank| rank < self.world.ranks())
    }

    /// Whether a process can reach memory: as symmetric memory.
    pub(crate) fn reaches(&self, memory: Memory, pe: c_int) -> bool {
        self.rank(pe).is_some() && self.is_symmetric(memory.address(), 1)
    }

    /// The memory itself, if it is of this process: others have no address here.
    pub(crate) fn pointer(&self, memory: Memory, pe: c_int) -> Memory {
        let own = self.reaches(memory, pe) && pe == self.me();
        if own { memory } else { Memory::NULL }
    }

    /// Time on the machine in seconds.
    pub(crate) fn seconds(&mut self) -> Result<f64, Wrong> {
        Ok(Duration::from_nanos(self.world.now()?).as_secs_f64())
    }
}

/// Bytes of so many elements.
pub(crate) fn bytes_of<T>(argument: &'static str, count: usize) -> Result<usize, Wrong> {
    let bytes = count.checked_mul(size_of::<T>()).filter(|&bytes| isize::try_from(bytes).is_ok());
    bytes.ok_or_else(|| Wrong::argument(argument, count, "fewer"))
}
