// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings with a gateway each, all of which have links to each other.

use super::client::FarProcess;
use super::common::Common;
use super::gateway::{Bridge, Firmware, GatewayHost, Link};
use super::run::{AtBoard, Rings, Side, Stepped, System};
use super::tap::{Store, Tap};
use super::wire::{Pace, wire};
use crate::gateway::Place;
use crate::layout::Layout;
use crate::line::Cache;
use crate::repairs::Repairs;
use crate::window::{Window, wrong};
use crate::words::{RingNumber, Slot};
use awgstar_board::ring::BoardScenario;
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
    /// Each ring has a second gateway, node 1, which takes over when the board of the first one is dead.
    pub standby: bool,
    /// What the firmware of gateways does: without a repair a run shows what goes wrong.
    pub repairs: Repairs,
}

/// A mesh that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MeshError {
    #[error("rings: {0}; expected 1 to 256")]
    Rings(usize),
    #[error("boards of a ring: {found}; expected {least} to 256")]
    Boards { found: usize, least: usize },
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
    #[error("a standby cannot take lines of other rings over; expected no cache")]
    StandbyCache,
    #[error("a standby cannot take turns of locks over; expected no locks of all rings")]
    StandbyLocks,
    #[error(
        "ring {0}: its gateway dies, and it writes a window; expected none with a standby, to which words that the \
         dead gateway had sent may not have come"
    )]
    StandbyWindow(u16),
    #[error(
        "ring {0}: its gateway dies, and frames may be lost; expected no bit errors, faults, cuts or other dead \
         boards: no board sends again what the dead one had sent"
    )]
    Losses(u16),
    #[error("channels of {bytes} bytes; expected {memory}, half of the memory, or less")]
    Memory { bytes: u64, memory: u64 },
    #[error("ring {ring}, node {node}: no process")]
    Process { ring: u16, node: NodeId },
    #[error(transparent)]
    Host(#[from] HostError),
}

impl MeshError {
    /// What is refused could be without a standby.
    #[must_use]
    pub const fn is_of_standby(&self) -> bool {
        matches!(
            self,
            MeshError::StandbyCache
                | MeshError::StandbyLocks
                | MeshError::StandbyWindow(_)
                | MeshError::Losses(_)
        )
    }
}

impl Mesh {
    /// Boards of a ring.
    #[must_use]
    pub const fn boards(&self) -> usize {
        self.setup.scenario.boards
    }

    /// Gateways of a ring, its first nodes.
    #[must_use]
    pub const fn gateways(&self) -> u8 {
        1 + self.standby as u8
    }

    /// Looks whether a standby of a ring has all that the dead gateway had sent: no board keeps a log of another one's
    /// frames, so none may be lost on the way from the standby. `hits`: something else loses frames.
    ///
    /// # Errors
    /// [`MeshError::Losses`], and [`MeshError::StandbyWindow`] for a ring that writes a window.
    pub fn can_take_over(
        &self,
        ring: RingNumber,
        scenario: &BoardScenario,
        hits: bool,
    ) -> Result<(), MeshError> {
        let BoardScenario { noise, faults, cuts, dead, .. } = scenario;
        if !self.standby || !dead.iter().any(|one| one.board == 0) {
            return Ok(());
        }
        let gateways = usize::from(self.gateways());
        let other = dead.iter().any(|one| one.board >= gateways);
        let loses = noise.rate > 0 || !faults.is_empty() || !cuts.is_empty() || other || hits;
        if self.windows.iter().any(|one| one.ring == ring) {
            return Err(MeshError::StandbyWindow(ring.0));
        }
        if loses { Err(MeshError::Losses(ring.0)) } else { Ok(()) }
    }

    /// Where the words of channels are: at the end of the memory.
    ///
    /// # Errors
    /// [`MeshError`].
    pub fn layout(&self) -> Result<Layout, MeshError> {
        if !(1..=RINGS_MAX).contains(&self.rings) {
            return Err(MeshError::Rings(self.rings));
        }
        let (found, least) = (self.boards(), 1 + usize::from(self.gateways()));
        if !(least..=256).contains(&found) {
            return Err(MeshError::Boards { found, least });
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
        if self.standby && self.cache.is_some() {
            return Err(MeshError::StandbyCache);
        }
        if self.standby && self.locks > 0 {
            return Err(MeshError::StandbyLocks);
        }
        let wrong_cache = |one: &Cache| one.lines == 0 || !(1..=0xfff).contains(&one.words);
        if let Some(cache) = self.cache.filter(wrong_cache) {
            return Err(MeshError::Cache(cache));
        }
        let (clients, rings) = (narrow(self.boards()), narrow(self.rings));
        let base = ByteAddress(0);
        let Mesh { block, locks, cache, .. } = *self;
        let gateways = self.gateways();
        let layout = Layout { base, clients, gateways, rings, block, locks, cache };
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
        for ring in (0..narrow(self.rings)).map(RingNumber) {
            self.can_take_over(ring, &self.setup.scenario, false)?;
        }
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
        let slots: Vec<Slot> = (0..layout.gateways).map(Slot).collect();
        let gateways = numbers.iter().flat_map(|&ring| slots.iter().map(move |&slot| (ring, slot)));
        let gateways: Vec<(RingNumber, Slot)> = gateways.collect();
        let mut links: BTreeMap<_, BTreeMap<(RingNumber, Slot), Link>> = BTreeMap::new();
        let mut lights: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (at, &a) in gateways.iter().enumerate() {
            for &b in gateways[at + 1..].iter().filter(|b| b.0 != a.0) {
                let ((to_b, from_a), (to_a, from_b)) = (wire(self.link), wire(self.link));
                lights.entry(a).or_default().push((b, to_b.clone()));
                lights.entry(b).or_default().push((a, to_a.clone()));
                links.entry(a).or_default().insert(b, Link::new(to_b, from_b));
                links.entry(b).or_default().insert(a, Link::new(to_a, from_a));
            }
        }
        let clients: Vec<NodeId> = NodeId::all(self.boards()).skip(slots.len()).collect();
        let order = self.choice.order;
        let mut sides = Vec::new();
        for &ring in &numbers {
            let place = Place::only(ring, layout.rings, clients.clone(), layout.base);
            let Mesh { locks, cache, .. } = *self;
            let gateways = layout.gateways;
            let place = Place { gateways, windows: self.windows.clone(), locks, cache, ..place };
            let mut restarts = self.restarts.get(&ring).cloned().unwrap_or_default();
            restarts.sort_unstable();
            let (mut processes, mut all): (Processes, Vec<AtBoard>) = (Vec::new(), Vec::new());
            let mut standby = None;
            for &slot in slots.iter().rev() {
                let (links, store) = (links.remove(&(ring, slot)), Store::default());
                let end = self.cache.map_or(ByteAddress(0), |_| layout.base);
                let tapped = (self.windows.clone(), end);
                let tap = Tap::new(ring, tapped, store.clone(), common.clone());
                let looks = self.standby || !self.windows.is_empty() || self.cache.is_some();
                let tap = Some(tap).filter(|_| looks);
                let lights = lights.remove(&(ring, slot)).unwrap_or_default();
                let bridge = Bridge { lights, standby, common: common.clone() };
                standby = Some(store.clone());
                all.insert(0, AtBoard { tap, bridge: Some(bridge) });
                let links = (links.unwrap_or_default(), store);
                let firmware = Firmware {
                    place: Place { slot, ..place.clone() },
                    repairs: self.repairs,
                    timeout: self.timeout,
                    restarts: restarts.clone().into(),
                };
                let host = GatewayHost::new(firmware, layout, links, common.clone());
                processes.insert(0, (NodeId(slot.0), Box::new(host)));
            }
            for &node in &clients {
                let own = process(ring, node).ok_or(MeshError::Process { ring: ring.0, node })?;
                let far = FarProcess::new(own, (ring, node), (layout, order), common.clone());
                processes.push((node, Box::new(far)));
            }
            let ring = make(ring, processes)?;
            sides.push(Side { ring, ending: clients.clone(), gateways: all });
        }
        Ok(Rings::new(sides, self.link.latency, common))
    }
}
