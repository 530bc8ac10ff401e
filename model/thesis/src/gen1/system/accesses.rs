// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests of a process to its own board: accesses over PCI, computing, waiting (CUR-5).

use super::{
    Activity, Content, Doing, Event, Gen1, Gen1Error, Gives, MEMORY_BYTES, Primitive, Span,
    transfer_ns,
};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds};
use awgstar_request::{Data, Feature, Fence, Len, Path, Place, Refused, Request, Space};
use std::sync::Arc;

/// What this machine does not have of a request.
const fn lacks(request: &Request) -> Option<Refused> {
    let feature = match request {
        Request::Read(Place { space: Space::Virtual, .. }, _)
        | Request::Write(Place { space: Space::Virtual, .. }, _) => Feature::Pages,
        Request::Status => Feature::Registers,
        Request::Signal(..) | Request::Await(..) => Feature::Signals,
        Request::Update(..) => Feature::Updates,
        Request::Try(_) => Feature::Tries,
        Request::Coherent(..) => Feature::Coherence,
        Request::FarRead { .. } | Request::FarWrite { .. } => Feature::Rings,
        Request::Changed(Place { space: Space::Virtual, .. }, _) => Feature::Changes,
        Request::Barrier(number @ 1..) => return Some(Refused::NoBarrier(*number)),
        _ => return None,
    };
    Some(Refused::NotOffered(feature))
}

/// The bytes of a word that are written, and the address of the first of each run of them.
fn runs(addr: ByteAddress, data: u32, lanes: u8) -> Vec<(ByteAddress, Content)> {
    let lane = |at: &u32| lanes >> at & 1 == 1;
    let mut runs: Vec<(ByteAddress, Vec<u8>)> = Vec::new();
    for (at, byte) in (0..).zip(data.to_be_bytes()).filter(|(at, _)| lane(at)) {
        match runs.last_mut() {
            Some((_, run)) if at > 0 && lane(&(at - 1)) => run.push(byte),
            _ => runs.push((addr + at, vec![byte])),
        }
    }
    runs.into_iter().map(|(addr, run)| (addr, Content::Bytes(run.into()))).collect()
}

impl Gen1 {
    pub(super) fn begin(
        &mut self,
        at: usize,
        now: Nanoseconds,
        request: Request,
    ) -> Result<(), Gen1Error> {
        if let Some(refused) = lacks(&request) {
            self.until(at, now, Activity::Compute, Gives::Refused(refused));
            return Ok(());
        }
        if let Some(primitive) = Primitive::of(&request) {
            return self.ask(at, now, primitive);
        }
        match request {
            Request::Compute(span) => {
                self.until(at, now + span.time(), Activity::Compute, Gives::Nothing);
            }
            Request::Write(Place { addr, path, .. }, data) => {
                let len = match &data {
                    Data::Word { .. } => 4,
                    Data::Long(_) => 8,
                    Data::Bytes(bytes) => bytes.len() as u64,
                    Data::Blank(len) => *len,
                };
                Self::check(at, now, addr, len)?;
                let contents = match data {
                    Data::Word { data, lanes } => runs(addr, data, lanes),
                    Data::Bytes(bytes) => vec![(addr, Content::Bytes(bytes))],
                    Data::Long(bytes) => vec![(addr, Content::Whole(bytes.into()))],
                    Data::Blank(len) => vec![(addr, Content::Blank(len))],
                };
                self.write(at, now, len, contents, path);
            }
            Request::ComputeWrite { addr, ready } => {
                Self::check(at, now, addr, 4 * ready.len() as u64)?;
                let rate = self.settings.host.pointer_write;
                let written =
                    |(words, ready): (u64, &Nanoseconds)| *ready + transfer_ns(4 * words, rate);
                let times: Arc<[Nanoseconds]> = (1..).zip(ready.iter()).map(written).collect();
                let end = now + times.last().copied().unwrap_or(Nanoseconds(0));
                self.ring.write_words(at, now, addr, times);
                self.until(at, end, Activity::Compute, Gives::Nothing);
            }
            Request::Read(Place { addr, path, .. }, len) => {
                let (addr, bytes, gives) = match len {
                    Len::Word => (addr, 4, Gives::Read(addr, len)),
                    Len::Bytes(bytes) => (addr, bytes, Gives::Read(addr, len)),
                    Len::Blank(bytes) => (ByteAddress(0), bytes, Gives::Nothing),
                };
                Self::check(at, now, addr, bytes)?;
                self.read(at, now, bytes, path, gives);
            }
            Request::Fence(Fence::Dma) => {
                let end = self.nodes[at].dma_free.max(now);
                self.until(at, end, Activity::Dma, Gives::Nothing);
            }
            Request::Fence(Fence::Confirmed | Fence::To(_)) => {
                self.nodes[at].since = (now, Activity::Sync);
                if self.ring.synced(at) {
                    self.until(at, now, Activity::Sync, Gives::Nothing);
                } else {
                    self.nodes[at].doing = Doing::Sync;
                }
            }
            Request::Changed(_, old) if old.is_empty() => {
                self.until(at, now, Activity::Sync, Gives::Nothing);
            }
            Request::Changed(Place { addr, path, .. }, old) => {
                Self::check(at, now, addr, old.len() as u64)?;
                self.nodes[at].since = (now, Activity::Sync);
                self.nodes[at].doing = Doing::Watching(addr, old, path);
                self.look(at, now);
            }
            Request::End => self.nodes[at].doing = Doing::Ended,
            // Of the master, or not offered.
            Request::Lock(_)
            | Request::Try(_)
            | Request::Coherent(..)
            | Request::FarRead { .. }
            | Request::FarWrite { .. }
            | Request::Unlock(_)
            | Request::Barrier(_)
            | Request::Status
            | Request::Signal(..)
            | Request::Update(..)
            | Request::Await(..) => {}
        }
        Ok(())
    }

    /// A process whose bytes have changed reads them.
    pub(super) fn look(&mut self, at: usize, now: Nanoseconds) {
        let Doing::Watching(addr, old, path) = &self.nodes[at].doing else { return };
        let (bytes, path) = (old.len(), *path);
        if self.ring.memory(at).read(*addr, bytes) != **old {
            self.close(at, now);
            self.read(at, now, bytes as u64, path, Gives::Nothing);
        }
    }

    fn check(node: usize, at: Nanoseconds, addr: ByteAddress, len: u64) -> Result<(), Gen1Error> {
        let fits = len > 0 && u64::from(addr.0) + len <= MEMORY_BYTES;
        if fits { Ok(()) } else { Err(Gen1Error::Address { node, at, addr, len }) }
    }

    fn until(&mut self, at: usize, end: Nanoseconds, activity: Activity, gives: Gives) {
        let now = self.now();
        self.nodes[at].since = (now, activity);
        self.nodes[at].doing = Doing::Until(end, gives);
        self.queue.put(end - now, Event::Resume(at));
    }

    fn write(
        &mut self,
        at: usize,
        now: Nanoseconds,
        len: u64,
        contents: Vec<(ByteAddress, Content)>,
        path: Path,
    ) {
        let host = self.settings.host;
        let (start, rate, end) = match path {
            Path::Words => (now, host.pointer_write, now + transfer_ns(len, host.pointer_write)),
            Path::Dma => {
                let start = self.nodes[at].dma_free.max(now + host.dma_setup);
                self.nodes[at].dma_free = start + transfer_ns(len, host.dma_write);
                (start, host.dma_write, now + host.dma_setup)
            }
        };
        for (addr, content) in contents {
            self.ring.write(at, start, addr, content, rate);
        }
        self.until(at, end, Activity::Access, Gives::Nothing);
    }

    fn read(&mut self, at: usize, now: Nanoseconds, len: u64, path: Path, gives: Gives) {
        let host = self.settings.host;
        match path {
            Path::Words => {
                let end = now + transfer_ns(len, host.pointer_read);
                self.until(at, end, Activity::Access, gives);
            }
            Path::Dma => {
                let start = self.nodes[at].dma_free.max(now + host.dma_setup);
                let end = start + transfer_ns(len, host.dma_read);
                self.nodes[at].dma_free = end;
                let setup =
                    Span { from: now, to: now + host.dma_setup, activity: Activity::Access };
                setup.add_to(&mut self.nodes[at].spans);
                self.until(at, end, Activity::Dma, gives);
                self.nodes[at].since.0 = now + host.dma_setup;
            }
        }
    }
}
