// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests of a process to its own board: accesses over PCI, computing, waiting (CUR-5).

use super::{
    Access, Activity, Content, Doing, Event, Gen1, Gen1Error, MEMORY_BYTES, Op, Span, transfer_ns,
};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds};
use std::sync::Arc;

impl Gen1 {
    pub(super) fn begin(&mut self, at: usize, now: Nanoseconds, op: Op) -> Result<(), Gen1Error> {
        if let Some(request) = op.request() {
            return self.ask(at, now, request);
        }
        match op {
            Op::Compute(ns) => self.until(at, now + ns, Activity::Compute, None),
            Op::Write { addr, bytes, access } => {
                Self::check(at, now, addr, bytes.len() as u64)?;
                self.write(at, now, addr, Content::Bytes(bytes), access);
            }
            Op::WriteBlank { addr, len, access } => {
                Self::check(at, now, addr, len)?;
                self.write(at, now, addr, Content::Blank(len), access);
            }
            Op::ComputeBlank { addr, ready } => {
                Self::check(at, now, addr, 4 * ready.len() as u64)?;
                let rate = self.settings.host.pointer_write;
                let written =
                    |(words, ready): (u64, &Nanoseconds)| *ready + transfer_ns(4 * words, rate);
                let times: Arc<[Nanoseconds]> = (1..).zip(ready.iter()).map(written).collect();
                let end = now + times.last().copied().unwrap_or(Nanoseconds(0));
                self.ring.write_words(at, now, addr, times);
                self.until(at, end, Activity::Compute, None);
            }
            Op::Read { addr, len, access } => {
                Self::check(at, now, addr, len)?;
                self.read(at, now, len, access, Some((addr, len)));
            }
            Op::ReadBlank { len, access } => {
                Self::check(at, now, ByteAddress(0), len)?;
                self.read(at, now, len, access, None);
            }
            Op::DmaWait => {
                let end = self.nodes[at].dma_free.max(now);
                self.until(at, end, Activity::Dma, None);
            }
            Op::Sync => {
                self.nodes[at].since = (now, Activity::Sync);
                if self.ring.synced(at) {
                    self.until(at, now, Activity::Sync, None);
                } else {
                    self.nodes[at].doing = Doing::Sync;
                }
            }
            Op::End => self.nodes[at].doing = Doing::Ended,
            Op::Lock(_) | Op::Unlock(_) | Op::Barrier => {}
        }
        Ok(())
    }

    fn check(node: usize, at: Nanoseconds, addr: ByteAddress, len: u64) -> Result<(), Gen1Error> {
        let fits = len > 0 && u64::from(addr.0) + len <= MEMORY_BYTES;
        if fits { Ok(()) } else { Err(Gen1Error::Address { node, at, addr, len }) }
    }

    fn until(
        &mut self,
        at: usize,
        end: Nanoseconds,
        activity: Activity,
        read: Option<(ByteAddress, u64)>,
    ) {
        let now = self.now();
        self.nodes[at].since = (now, activity);
        self.nodes[at].doing = Doing::Until(end, read);
        self.queue.put(end - now, Event::Resume(at));
    }

    fn write(
        &mut self,
        at: usize,
        now: Nanoseconds,
        addr: ByteAddress,
        content: Content,
        access: Access,
    ) {
        let host = self.settings.host;
        let len = content.len();
        match access {
            Access::Pointer => {
                self.ring.write(at, now, addr, content, host.pointer_write);
                let end = now + transfer_ns(len, host.pointer_write);
                self.until(at, end, Activity::Access, None);
            }
            Access::Dma => {
                let start = self.nodes[at].dma_free.max(now + host.dma_setup);
                self.nodes[at].dma_free = start + transfer_ns(len, host.dma_write);
                self.ring.write(at, start, addr, content, host.dma_write);
                self.until(at, now + host.dma_setup, Activity::Access, None);
            }
        }
    }

    fn read(
        &mut self,
        at: usize,
        now: Nanoseconds,
        len: u64,
        access: Access,
        read: Option<(ByteAddress, u64)>,
    ) {
        let host = self.settings.host;
        match access {
            Access::Pointer => {
                let end = now + transfer_ns(len, host.pointer_read);
                self.until(at, end, Activity::Access, read);
            }
            Access::Dma => {
                let start = self.nodes[at].dma_free.max(now + host.dma_setup);
                let end = start + transfer_ns(len, host.dma_read);
                self.nodes[at].dma_free = end;
                let setup =
                    Span { from: now, to: now + host.dma_setup, activity: Activity::Access };
                setup.add_to(&mut self.nodes[at].spans);
                self.until(at, end, Activity::Dma, read);
                self.nodes[at].since.0 = now + host.dma_setup;
            }
        }
    }
}
