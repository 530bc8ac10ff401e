// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings with a gateway each, all of which have links to each other.

use super::client::FarProcess;
use super::common::Common;
use super::gateway::{GatewayHost, Link};
use super::run::{Rings, Side, Stepped, System};
use super::tap::{Store, Tap};
use super::wire::{Pace, wire};
use crate::gateway::Place;
use crate::layout::Layout;
use crate::line::Cache;
use crate::window::{Window, wrong};
use crate::words::RingNumber;
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar_host::{Choice, DrivenRing, HostError, Setup};
use awgstar_request::Process;
use std::collections::BTreeMap;
use thiserror::Error;

/// The most rings that the channels of gateways are made for here.
pub const RINGS_MAX: usize = 256;

/// The most locks of all rings: a client that gives up all between two looks of its gateway is heard.
pub const LOCKS_MAX: u16 = 128;

/// The processes of a ring, with their nodes: its gateway first.
pub type Processes = Vec<(NodeId, Box<dyn Process + Send>)>;

/// Rings that are alike, with a link between each two gateways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mesh {
    pub rings: usize,
    /// The boards of each ring, its gateway, node 0, among them. Bit errors are at other places in each.
    pub setup: Setup,
    /// Locks of one ring, and the order of signals after data.
    pub choice: Choice,
    /// The links between gateways.
    pub link: Pace,
    /// Most words of a far read or write.
    pub block: u16,
    /// Cycles after which a gateway sends open requests again.
    pub timeout: Cycle,
    /// When the firmware of the gateways of rings begins again.
    pub restarts: BTreeMap<RingNumber, Vec<Cycle>>,
    pub windows: Vec<Window>,
    /// Locks of all rings, from number 0 on.
    pub locks: u16,
    /// Lines of other rings that each ring has in its memory.
    pub cache: Option<Cache>,
}

/// A mesh that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MeshError {
    #[error("rings: {0}; expected 1 to 256")]
    Rings(usize),
    #[error("boards of a ring: {0}; expected 2 to 256")]
    Boards(usize),
    #[error("latency of a link: 0 cycles; expected 1 or more")]
    Latency,
    #[error("words of a far access: {0}; expected 1 to 4095")]
    Block(u16),
    #[error("timeout of open requests: 0 cycles; expected 1 or more")]
    Timeout,
    #[error("locks of all rings: {0}; expected 0 to {LOCKS_MAX}")]
    Locks(u16),
    #[error("restarts: ring {ring}; expected 0 to {}", rings.saturating_sub(1))]
    Restart { ring: u16, rings: usize },
    #[error(
        "window {0}: expected words of the memory of programs that no other window has, of a ring, for others"
    )]
    Window(usize),
    #[error("cache: {lines} lines of {words} words; expected 1 to 65535 of 1 to 4095", lines = .0.lines, words = .0.words)]
    Cache(Cache),
    #[error("channels of {bytes} bytes; expected {memory}, half of the memory, or less")]
    Memory { bytes: u64, memory: u64 },
    #[error("ring {ring}, node {node}: no process")]
    Process { ring: u16, node: NodeId },
    #[error(transparent)]
    Host(#[from] HostError),
}

impl Mesh {
    /// Boards of a ring.
    #[must_use]
    pub const fn boards(&self) -> usize {
        self.setup.scenario.boards
    }

    /// Where the words of channels are: at the end of the memory.
    ///
    /// # Errors
    /// [`MeshError`].
    pub fn layout(&self) -> Result<Layout, MeshError> {
        if !(1..=RINGS_MAX).contains(&self.rings) {
            return Err(MeshError::Rings(self.rings));
        }
        if !(2..=256).contains(&self.boards()) {
            return Err(MeshError::Boards(self.boards()));
        }
        if self.link.latency == Cycle(0) {
            return Err(MeshError::Latency);
        }
        if !(1..=0xfff).contains(&self.block) {
            return Err(MeshError::Block(self.block));
        }
        if self.timeout == Cycle(0) {
            return Err(MeshError::Timeout);
        }
        if self.locks > LOCKS_MAX {
            return Err(MeshError::Locks(self.locks));
        }
        let beyond = |ring: &&RingNumber| usize::from(ring.0) >= self.rings;
        if let Some(ring) = self.restarts.keys().find(beyond) {
            return Err(MeshError::Restart { ring: ring.0, rings: self.rings });
        }
        let wrong_cache = |one: &Cache| one.lines == 0 || !(1..=0xfff).contains(&one.words);
        if let Some(cache) = self.cache.filter(wrong_cache) {
            return Err(MeshError::Cache(cache));
        }
        let (clients, rings) = (narrow(self.boards()), narrow(self.rings));
        let base = ByteAddress(0);
        let Mesh { block, locks, cache, .. } = *self;
        let layout = Layout { base, clients, gateways: 1, rings, block, locks, cache };
        let memory = 4_u64 << self.setup.scenario.parameters.mem_addr_w();
        let (bytes, half) = (layout.bytes(), memory / 2);
        if bytes > half {
            return Err(MeshError::Memory { bytes, memory: half });
        }
        let base = ByteAddress(narrow(memory - bytes));
        match wrong(&self.windows, rings, base) {
            Some(window) => Err(MeshError::Window(window)),
            None => Ok(Layout { base, ..layout }),
        }
    }

    /// The rings, with a process for each board but those of gateways, for which it is asked in the order of rings and
    /// boards.
    ///
    /// # Errors
    /// [`MeshError`].
    pub fn build<Q: Process + Send + 'static>(
        &self,
        process: impl FnMut(RingNumber, NodeId) -> Option<Q>,
    ) -> Result<Rings, MeshError> {
        self.build_of(process, |ring, processes| {
            let setup = self.setup.clone();
            let mut setup = if self.choice.has_engines() { setup.with_engines() } else { setup };
            let noise = &mut setup.scenario.noise;
            noise.seed = noise.seed.wrapping_add(ring.0.into());
            let mut driven: System =
                DrivenRing::for_processes(self.choice, &setup, setup.configuration())?;
            for (node, process) in processes {
                driven.start(node, process)?;
            }
            Ok(driven)
        })
    }

    /// The same, of rings that `make` makes for their processes.
    ///
    /// # Errors
    /// [`MeshError`], and those of `make`.
    pub fn build_of<Q: Process + Send + 'static, R: Stepped, E: From<MeshError>>(
        &self,
        mut process: impl FnMut(RingNumber, NodeId) -> Option<Q>,
        mut make: impl FnMut(RingNumber, Processes) -> Result<R, E>,
    ) -> Result<Rings<R>, E> {
        let layout = self.layout()?;
        let common = Common::default();
        let numbers: Vec<RingNumber> = (0..layout.rings).map(RingNumber).collect();
        let mut links: Vec<BTreeMap<RingNumber, Link>> =
            numbers.iter().map(|_| BTreeMap::new()).collect();
        for (at, &a) in numbers.iter().enumerate() {
            for (to, &b) in numbers.iter().enumerate().skip(at + 1) {
                let ((to_b, from_a), (to_a, from_b)) = (wire(self.link), wire(self.link));
                links[at].insert(b, Link::new(to_b, from_b));
                links[to].insert(a, Link::new(to_a, from_a));
            }
        }
        let clients: Vec<NodeId> = NodeId::all(self.boards()).skip(1).collect();
        let mut sides = Vec::new();
        for (&ring, links) in numbers.iter().zip(links) {
            let place = Place::only(ring, layout.rings, clients.clone(), layout.base);
            let Mesh { locks, cache, .. } = *self;
            let place = Place { windows: self.windows.clone(), locks, cache, ..place };
            let store = Store::default();
            let end = self.cache.map_or(ByteAddress(0), |_| layout.base);
            let tapped = (self.windows.clone(), end);
            let tap = Tap::new(ring, tapped, store.clone(), common.clone());
            let tap = Some(tap).filter(|_| !self.windows.is_empty() || self.cache.is_some());
            let mut restarts = self.restarts.get(&ring).cloned().unwrap_or_default();
            restarts.sort_unstable();
            let times = (self.timeout, restarts);
            let host = GatewayHost::new(place, layout, (links, store), times, common.clone());
            let mut processes: Processes = vec![(NodeId(0), Box::new(host))];
            let order = self.choice.order;
            for &node in &clients {
                let own = process(ring, node).ok_or(MeshError::Process { ring: ring.0, node })?;
                let far = FarProcess::new(own, (ring, node), (layout, order), common.clone());
                processes.push((node, Box::new(far)));
            }
            sides.push(Side { ring: make(ring, processes)?, ending: clients.clone(), tap });
        }
        Ok(Rings::new(sides, self.link.latency, common))
    }
}
