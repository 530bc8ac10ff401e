// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames on links as they arrive, written to a capture file while the run goes on.
//!
//! A link ends at a node. The recorder takes the words at both ends, follows the frames and writes each one as
//! soon as no earlier one can come.

mod end;
pub(crate) mod follow;
mod link;

pub(crate) use link::Link;

use crate::run::lost::Lost;
use awgstar::contract::{
    capture::{BYTES, FLAGS_BYTE, LINK_TYPE, VERSION},
    limits::{CLOCK_HZ, LINE_RATE_BPS},
};
use awgstar::quantity::narrow;
use awgstar::ring::{Ring, boards::Board};
use awgstar::rtl::ring_node;
use awgstar_draw::pcapng::{Interface, Packet, Writer};
use follow::{Follower, Found};
use std::{
    fmt,
    io::{self, Write},
    sync::{Mutex, PoisonError},
};

/// Name of the file of a run.
pub const FILE: &str = "frames.pcapng";

/// Cycles between two looks for frames that can be written.
const PERIOD: u64 = 1024;

/// The file that frames are written to.
#[derive(Clone, Copy)]
pub struct Sink<'a>(pub &'a Mutex<dyn Write + Send + 'a>);

impl fmt::Debug for Sink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sink").finish_non_exhaustive()
    }
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}

/// Records frames. Feed it every node of every cycle, and then the ring.
#[derive(Debug)]
pub struct Capture<'a> {
    file: Writer<Sink<'a>>,
    follower: Follower,
    /// Cycles in which the frames of the file begin to arrive.
    window: (u64, u64),
    /// Before this cycle all frames are written.
    written: u64,
    failed: Option<io::Error>,
}

impl<'a> Capture<'a> {
    /// Begins a file of the frames that begin to arrive in these cycles. `losses` are those of a router, if there is one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn new(
        out: Sink<'a>,
        title: &str,
        links: Vec<Link>,
        losses: Option<&[Lost]>,
        window: (u64, u64),
    ) -> io::Result<Capture<'a>> {
        let interface = |link: &Link| Interface {
            name: link.name.clone(),
            description: link.description.clone(),
            link_type: LINK_TYPE,
            speed: LINE_RATE_BPS,
        };
        let interfaces: Vec<Interface> = links.iter().map(interface).collect();
        let application = concat!("awgstar ", env!("CARGO_PKG_VERSION"));
        let file = Writer::new(out, application, title, &interfaces)?;
        let follower = Follower::new(links, losses);
        Ok(Capture { file, follower, window, written: 0, failed: None })
    }

    /// A node of a ring just before the edge of `cycle`.
    pub(crate) fn node(
        &mut self,
        cycle: u64,
        node: usize,
        i: &ring_node::Inputs,
        o: &ring_node::Outputs,
    ) {
        self.follower.cycle(cycle, node, i.s_axis.word(), o.m_axis.word());
    }

    /// A board of a ring just before the edge of `cycle`.
    pub(crate) fn board<M: Board>(&mut self, cycle: u64, at: usize, board: &M, i: &M::Inputs) {
        self.follower.cycle(cycle, at, M::arriving(i), board.leaving());
    }

    /// After a cycle of a ring of nodes.
    pub(crate) fn after_nodes(&mut self, ring: &Ring) {
        let cycle = ring.cycle().0 - 1;
        self.follower.after(cycle, |_| None, |link| ring.faults_met(link), |_| None);
        self.now_and_then(cycle);
    }

    /// After a cycle of a ring of boards.
    pub(crate) fn after_boards(&mut self, ring: &Ring<impl Board>) {
        let cycle = ring.cycle().0 - 1;
        let (left, met) = (|board| ring.leaving(board), |link| ring.faults_met(link));
        self.follower.after(cycle, left, met, |board| ring.beam(board));
        self.now_and_then(cycle);
    }

    /// All frames of the window are in the file, or it cannot be written: there is nothing to record any more.
    pub(crate) fn is_done(&self) -> bool {
        self.failed.is_some() || self.written >= self.window.1
    }

    fn now_and_then(&mut self, cycle: u64) {
        if cycle % PERIOD == PERIOD - 1 && self.failed.is_none() {
            let (found, written) = self.follower.take(false);
            self.failed = self.write(found).err();
            self.written = written;
        }
    }

    fn write(&mut self, found: Vec<Found>) -> io::Result<()> {
        let (from, to) = self.window;
        for one in found.into_iter().filter(|one| (from..to).contains(&one.cycle)) {
            let mut bytes = vec![0; BYTES];
            bytes[0] = VERSION;
            bytes[FLAGS_BYTE] = one.flags;
            bytes.extend(one.bytes);
            self.file.packet(&Packet {
                interface: narrow(self.follower.interface(one.at)),
                ns: nanoseconds(one.cycle),
                bytes,
                comments: one.comments,
            })?;
        }
        Ok(())
    }

    /// Ends the file after the last cycle of the run.
    ///
    /// # Errors
    /// If the file cannot be written, now or before.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if let Some(failed) = self.failed.take() {
            return Err(failed);
        }
        let (found, _) = self.follower.take(true);
        self.write(found)?;
        self.file.finish()
    }
}

/// The ns in which a cycle begins.
fn nanoseconds(cycle: u64) -> u64 {
    narrow(u128::from(cycle) * 1_000_000_000 / u128::from(CLOCK_HZ))
}
