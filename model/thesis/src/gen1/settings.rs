// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of a ring of the current version and of its hosts (CUR-1, CUR-3, CUR-5).

use super::frame::{DATA_MAX, OVERHEAD};
pub use crate::settings::SettingsError;
use crate::time::line_ns;
use awgstar_frame::contract::limits::FIBRE_NS_PER_M;
use awgstar_frame::quantity::Nanoseconds;

/// When a node begins to pass the train on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forwarding {
    /// As soon as its head has been processed.
    CutThrough,
    /// When all of it has arrived and been processed.
    StoreAndForward,
}

/// Event that the processing time is charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processing {
    /// Each visit of the token: "the series for treating the control token" (thesis 2.2.4).
    Visit,
    /// Each frame that is attached, copied or deleted, and at least once a visit.
    Frame,
}

/// The ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Delay of the fibre after each node in ns; as many as there are nodes, 1 to 256.
    pub fibre: Vec<Nanoseconds>,
    /// Processing time of a node in ns.
    pub processing: Nanoseconds,
    /// Event that the processing time is charged for.
    pub per: Processing,
    /// When a node begins to pass the train on.
    pub forwarding: Forwarding,
    /// Bytes of data that a node may attach at a visit, 4 to 65,536, in at most a quarter as many frames.
    pub visit_bytes: usize,
    /// Time in ns without the token after which node 0 makes a new one; never when `None`.
    pub regenerate: Option<Nanoseconds>,
}

/// Access of hosts to their boards over PCI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Host {
    /// Bytes per second that a CPU writes with a pointer, word by word.
    pub pointer_write: u64,
    /// Bytes per second that a CPU reads with a pointer, word by word.
    pub pointer_read: u64,
    /// Bytes per second of DMA to the board.
    pub dma_write: u64,
    /// Bytes per second of DMA from the board.
    pub dma_read: u64,
    /// CPU time to start a DMA transfer, in ns.
    pub dma_setup: Nanoseconds,
    /// From a signal's arrival at the board to the thread that waits for it, in ns.
    pub interrupt: Nanoseconds,
    /// Time between two looks of the control thread at `RequestProcess`, and of the main thread at
    /// what it waits for, in ns; not 0.
    pub poll: Nanoseconds,
}

impl Default for Host {
    /// Rates of the thesis (Table 2 and 4.3.2); the times are decisions (CUR-5).
    fn default() -> Self {
        Host {
            pointer_write: 64_000_000,
            pointer_read: 125_000,
            dma_write: 64_000_000,
            dma_read: 80_000_000,
            dma_setup: Nanoseconds(10_000),
            interrupt: Nanoseconds(5_000),
            poll: Nanoseconds(10_000),
        }
    }
}

impl Host {
    /// Pointer reads as fast as the best that the thesis has for reads (Table 2).
    #[must_use]
    pub fn best() -> Self {
        Host { pointer_read: 80_000_000, ..Host::default() }
    }
}

/// Longest delay or time in ns: a minute.
pub const TIME_MAX: Nanoseconds = Nanoseconds(60_000_000_000);

impl Line {
    /// A ring of `nodes` nodes with `metres` of fibre after each, processing 500 ns a visit, with
    /// cut-through, 1,024 bytes a visit, and a token that is made again.
    #[must_use]
    pub fn new(nodes: usize, metres: u64) -> Line {
        let mut line = Line {
            fibre: vec![Nanoseconds(metres * FIBRE_NS_PER_M); nodes],
            processing: Nanoseconds(500),
            per: Processing::Visit,
            forwarding: Forwarding::CutThrough,
            visit_bytes: DATA_MAX,
            regenerate: None,
        };
        line.regenerate = Some(2 * line.longest_rotation());
        line
    }

    /// Number of nodes.
    #[must_use]
    pub const fn nodes(&self) -> usize {
        self.fibre.len()
    }

    /// Time of a rotation of the token alone.
    #[must_use]
    pub fn rotation(&self) -> Nanoseconds {
        (0..self.nodes()).map(|node| self.hop(node)).sum()
    }

    /// From one visit to the next of the token alone.
    pub(super) fn hop(&self, from: usize) -> Nanoseconds {
        let stored = match self.forwarding {
            Forwarding::CutThrough => Nanoseconds(0),
            Forwarding::StoreAndForward => line_ns(OVERHEAD as u64),
        };
        stored + self.processing + self.fibre[from]
    }

    /// Frames that a node may attach at a visit: as many as there are words in its bytes.
    pub(super) const fn visit_frames(&self) -> usize {
        self.visit_bytes.div_ceil(4)
    }

    /// More than a rotation with all that nodes may attach: each as much as it may, in frames of
    /// one word, which have the most overhead.
    #[must_use]
    pub fn longest_rotation(&self) -> Nanoseconds {
        let nodes = self.nodes() as u64;
        let frames = self.visit_frames() as u64;
        let attached = line_ns(self.visit_bytes as u64 + frames * OVERHEAD as u64);
        let train = line_ns(OVERHEAD as u64) + nodes * attached;
        let touched = match self.per {
            Processing::Visit => 1,
            Processing::Frame => 2 * nodes * frames,
        };
        let hop = train + self.processing * touched;
        self.fibre.iter().map(|fibre| *fibre + hop).sum()
    }

    /// # Errors
    /// The first setting that is out of its range.
    pub fn check(&self) -> Result<(), SettingsError> {
        let within = SettingsError::within;
        within("nodes", self.nodes() as u64, 1, 256)?;
        for fibre in &self.fibre {
            within("fibre", fibre.0, 0, TIME_MAX.0)?;
        }
        within("processing", self.processing.0, 1, TIME_MAX.0)?;
        // Else the token would meet its own end.
        within("rotation", self.rotation().0, line_ns(OVERHEAD as u64).0, u64::MAX)?;
        within("visit_bytes", self.visit_bytes as u64, 4, 65_536)?;
        if let Some(time) = self.regenerate {
            // Sooner there could be two tokens.
            within("regenerate", time.0, self.longest_rotation().0, u64::MAX)?;
        }
        Ok(())
    }
}

impl Host {
    /// # Errors
    /// The first setting that is out of its range.
    pub fn check(&self) -> Result<(), SettingsError> {
        let rates = [
            ("pointer_write", self.pointer_write),
            ("pointer_read", self.pointer_read),
            ("dma_write", self.dma_write),
            ("dma_read", self.dma_read),
        ];
        let times = [("dma_setup", self.dma_setup.0), ("interrupt", self.interrupt.0)];
        let rates = rates.map(|(field, found)| (field, found, 1, 1_000_000_000_000));
        let times = times.map(|(field, found)| (field, found, 0, TIME_MAX.0));
        let poll = [("poll", self.poll.0, 1, TIME_MAX.0)];
        let mut all = rates.into_iter().chain(times).chain(poll);
        all.try_for_each(|(field, found, least, most)| {
            SettingsError::within(field, found, least, most)
        })
    }
}
