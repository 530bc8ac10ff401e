// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process of a one-sided program.

#[expect(unsafe_code, reason = "the caller says that data are whole pages")]
mod data;
mod locks;
mod messages;

use crate::{
    Error,
    channels::Channels,
    layout::Layout,
    locks::Locks,
    memory::{Memory, PAGE},
};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId, narrow};
use awgstar_program::{CallError, Lock, Node};
use awgstar_request::{Change, Kind, UPDATE_BYTES, Update};

/// Time of a look at memory of the own node, on a machine without replicas.
const LOOK: Nanoseconds = Nanoseconds(100);

/// Most bytes that [`World::wait_change`] watches.
pub const WATCHED_BYTES: usize = 1024;

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
    node: Node,
    memory: Memory,
    layout: Layout,
    locks: Locks,
    channels: Channels,
    /// First byte of the segment that is neither the layer's nor adopted.
    free: usize,
    /// The rest is the program's heap.
    given: bool,
}

impl World {
    /// Joins the run.
    ///
    /// # Errors
    /// [`Error::Call`], [`Error::TooSmall`], [`Error::Map`].
    pub fn join() -> Result<World, Error> {
        let mut node = Node::join()?;
        let (memory, ranks) = (u64::from(node.memory()), node.nodes());
        let expected = Layout::enough(ranks);
        let layout =
            Layout::new(memory, ranks).ok_or(Error::TooSmall { memory, ranks, expected })?;
        let first = node.node().index() * layout.segment;
        let memory = Memory::open(&mut node, first, layout.segment)?;
        let (locks, channels) = (Locks::default(), Channels::new(ranks));
        let free = layout.reserved();
        Ok(World { node, memory, layout, locks, channels, free, given: false })
    }

    /// Number of this process, from 0.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.node.node().index()
    }

    /// Processes of the run.
    #[must_use]
    pub const fn ranks(&self) -> usize {
        self.layout.ranks
    }

    /// Takes bytes of the segment for static data.
    fn claim(&mut self, bytes: usize) -> Result<usize, Error> {
        if self.given {
            return Err(Error::Static("the heap was given away before"));
        }
        let end = self.free + bytes;
        if end + PAGE > self.layout.segment {
            let memory = self.node.memory().into();
            let ranks = self.ranks();
            let expected = ((end + PAGE) * 2 * ranks).next_power_of_two() as u64;
            return Err(Error::TooSmall { memory, ranks, expected });
        }
        Ok(std::mem::replace(&mut self.free, end))
    }

    /// The part of the own segment that is the program's: address, the same in every process, and bytes. Zeros at
    /// first.
    pub fn heap(&mut self) -> (*mut u8, usize) {
        self.given = true;
        (self.memory.address(self.free), self.layout.segment - self.free)
    }

    /// Says that only the first bytes of the heap are in use: only there is looked for stores before each wait. At first
    /// all are.
    pub fn use_heap(&mut self, bytes: usize) {
        self.memory.set_end(self.free.saturating_add(bytes));
    }

    /// The place of a rank that belongs to an address of the own heap or of adopted data.
    #[must_use]
    pub fn place(&self, pointer: *const u8, rank: usize) -> Option<Place> {
        let offset = self.memory.offset(pointer).filter(|&at| at >= self.layout.reserved())?;
        (rank < self.ranks()).then_some(Place { rank, offset: offset as u64 })
    }

    /// The address of a byte of the own segment; null beyond it.
    #[must_use]
    pub fn pointer(&self, offset: u64) -> *mut u8 {
        usize::try_from(offset).map_or(std::ptr::null_mut(), |offset| self.memory.address(offset))
    }

    /// Address in the shared memory of so many bytes, and their offset.
    fn range(&self, at: Place, bytes: usize) -> Result<(ByteAddress, usize), Error> {
        let (ranks, segment) = (self.ranks(), self.layout.segment);
        if at.rank >= ranks {
            return Err(Error::Rank { rank: at.rank, ranks });
        }
        let Place { offset, .. } = at;
        let end = offset.checked_add(bytes as u64).filter(|&end| end <= segment as u64);
        end.ok_or(Error::Range { offset, bytes, segment: segment as u64 })?;
        let offset = narrow::<usize>(offset);
        Ok((self.address(at.rank, offset), offset))
    }

    /// Address in the shared memory of a byte of a segment.
    fn address(&self, rank: usize, offset: usize) -> ByteAddress {
        ByteAddress(narrow(rank * self.layout.segment + offset))
    }

    /// Writes what the process has stored, and gives the pages in which it was.
    fn publish(&mut self) -> Result<Vec<usize>, Error> {
        let (stored, pages) = self.memory.stored();
        for (offset, bytes) in stored {
            let at = self.address(self.rank(), offset);
            self.node.write(at, &bytes)?;
        }
        Ok(pages)
    }

    /// A call during which the machine advances: what the process has stored goes out before it.
    fn during<T>(
        &mut self,
        call: impl FnOnce(&mut Node) -> Result<T, CallError>,
    ) -> Result<T, Error> {
        let pages = self.publish()?;
        let got = call(&mut self.node)?;
        if !pages.is_empty() {
            self.node.flush()?;
            // No earlier value may come back.
            if self.node.echoes() {
                self.node.fence(None)?;
            }
            Memory::forget(&pages)?;
        }
        Ok(got)
    }

    /// Writes bytes of the shared memory; posted.
    fn write(&mut self, at: ByteAddress, from: &[u8]) -> Result<(), Error> {
        let posts = self.node.posts(from.len());
        let write = |node: &mut Node| match from.first_chunk() {
            // A value of 64 bits is never seen in halves.
            Some(value) if from.len() == 8 && at.0.is_multiple_of(8) => node.write_long(at, *value),
            _ => node.write(at, from),
        };
        if posts {
            return Ok(write(&mut self.node)?);
        }
        self.during(|node| {
            write(node)?;
            node.flush()
        })
    }

    /// Writes bytes. Posted: [`World::fence`] waits for it. To the own rank it is a store.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Range`], [`Error::Call`].
    pub fn put(&mut self, to: Place, from: &[u8]) -> Result<(), Error> {
        let (at, offset) = self.range(to, from.len())?;
        if to.rank == self.rank() {
            self.memory.store(offset, from);
            return Ok(());
        }
        self.write(at, from)
    }

    /// Reads bytes. From the own rank it is a load.
    ///
    /// # Errors
    /// As of [`World::put`].
    pub fn get(&mut self, from: Place, to: &mut [u8]) -> Result<(), Error> {
        let (at, offset) = self.range(from, to.len())?;
        if from.rank == self.rank() {
            self.memory.load(offset, to);
            return Ok(());
        }
        self.during(|node| node.read(at, to))
    }

    /// Changes memory in one step: under the lock of its segment, if the machine does not do it.
    fn change(&mut self, rank: usize, at: ByteAddress, change: &Change) -> Result<Vec<u8>, Error> {
        if self.node.homes() {
            return self.during(|node| node.change(at, change));
        }
        let lock = Lock::Segment(NodeId::at(rank));
        self.during(|node| {
            node.take(lock)?;
            let mut bytes = vec![0; change.bytes()];
            let done = node.read(at, &mut bytes).and_then(|()| {
                let old = change.apply(&mut bytes);
                match bytes.first_chunk() {
                    Some(value) if bytes.len() == 8 && at.0.is_multiple_of(8) => {
                        node.write_long(at, *value)?;
                    }
                    _ => node.write(at, &bytes)?,
                }
                // A refusal must not cost the unlock.
                node.flush().map(|()| old)
            });
            node.give(lock)?;
            done
        })
    }

    /// Changes a value in one step and gives the one from before: as many bytes as it has, then zeros. Its address is
    /// a multiple of its bytes, of a pair a multiple of 8.
    ///
    /// # Errors
    /// [`Error::Width`], [`Error::Unaligned`]; as of [`World::put`].
    pub fn update(&mut self, at: Place, update: Update) -> Result<[u8; UPDATE_BYTES], Error> {
        if !update.is_valid() {
            return Err(Error::Width { bytes: update.bytes });
        }
        let (addr, _) = self.range(at, update.bytes.into())?;
        let unit = u64::from(update.bytes.min(8));
        if !at.offset.is_multiple_of(unit) {
            return Err(Error::Unaligned { offset: at.offset, unit });
        }
        let old = self.change(at.rank, addr, &Change::Update(update))?;
        let mut all = [0; UPDATE_BYTES];
        all.iter_mut().zip(old).for_each(|(to, from)| *to = from);
        Ok(all)
    }

    /// Adds `scale`, a number, times each number of `data`, in one step. [`World::fence`] waits for it.
    ///
    /// # Errors
    /// [`Error::Numbers`], [`Error::Unaligned`]; as of [`World::put`].
    pub fn accumulate(
        &mut self,
        at: Place,
        kind: Kind,
        scale: &[u8],
        data: &[u8],
    ) -> Result<(), Error> {
        let number = kind.bytes();
        if scale.len() != number || !data.len().is_multiple_of(number) {
            return Err(Error::Numbers { data: data.len(), scale: scale.len(), number });
        }
        let (mut addr, _) = self.range(at, data.len())?;
        let unit = match kind {
            Kind::Int32 | Kind::Float32 | Kind::Complex32 => 4,
            Kind::Int64 | Kind::Float64 | Kind::Complex64 => 8,
        };
        if !at.offset.is_multiple_of(unit) {
            return Err(Error::Unaligned { offset: at.offset, unit });
        }
        let mut one = [0; UPDATE_BYTES];
        one.iter_mut().zip(scale).for_each(|(to, from)| *to = *from);
        // Each part in a step, as large as a call takes.
        for part in data.chunks(32 << 10) {
            let change = Change::Accumulate { kind, scale: one, data: part.into() };
            self.change(at.rank, addr, &change)?;
            addr += narrow::<u32>(part.len());
        }
        Ok(())
    }

    /// Waits until all puts, accumulates and stores of this rank, to `rank` or to all, are in place.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Call`].
    pub fn fence(&mut self, rank: Option<usize>) -> Result<(), Error> {
        let ranks = self.ranks();
        let to = match rank {
            Some(rank) if rank >= ranks => return Err(Error::Rank { rank, ranks }),
            to => to.map(NodeId::at),
        };
        self.during(|node| node.fence(to))
    }

    /// Waits for all ranks. What any of them stored, put or accumulated before is in place then.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn barrier(&mut self) -> Result<(), Error> {
        self.during(Node::barrier)
    }

    /// Waits until bytes of the own segment, 1 to [`WATCHED_BYTES`], differ from `old`.
    ///
    /// # Errors
    /// [`Error::Watched`], [`Error::Range`], [`Error::Call`].
    pub fn wait_change(&mut self, offset: u64, old: &[u8]) -> Result<(), Error> {
        if !(1..=WATCHED_BYTES).contains(&old.len()) {
            return Err(Error::Watched(old.len()));
        }
        let (at, offset) = self.range(Place { rank: self.rank(), offset }, old.len())?;
        let mut now = vec![0; old.len()];
        self.memory.load(offset, &mut now);
        // The process may have stored something else itself.
        if now != old {
            return self.progress();
        }
        self.during(|node| node.wait_change(at, old))
    }

    /// Publishes what was stored, and lets as much time pass as a look at memory takes.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn progress(&mut self) -> Result<(), Error> {
        let at = self.address(self.rank(), 0);
        if self.node.homes() {
            return self.during(|node| {
                node.compute(LOOK)?;
                node.flush()
            });
        }
        self.during(|node| node.read(at, &mut [0; 4]))
    }

    /// Time on the machine, in ns.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn now(&mut self) -> Result<u64, Error> {
        Ok(self.during(Node::now)?.0)
    }

    /// Lets so many ns pass on this node.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn compute(&mut self, ns: u64) -> Result<(), Error> {
        if self.node.posts(0) {
            return Ok(self.node.compute(Nanoseconds(ns))?);
        }
        self.during(|node| node.compute(Nanoseconds(ns)))
    }

    /// Says that the run ends with an exit code, which may be 0: the end of this process ends it then.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn end_run(&mut self, code: u8) -> Result<(), Error> {
        Ok(self.node.end_run(code)?)
    }

    /// Leaves the run. Further calls are errors.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn leave(&mut self) -> Result<(), Error> {
        // No call comes after it: the pages stay.
        self.publish()?;
        Ok(self.node.leave()?)
    }
}
