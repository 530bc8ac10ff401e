// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a cluster of clusters is made of, and what things cost there.

use crate::gateway::Place;
use crate::machine::{LOCKS_MAX, RINGS_MAX};
use crate::words::RingNumber;
use crate::{Neighbours, Operation};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId, narrow};
use awgstar_request::{Homes, PAGE};
use thiserror::Error;

/// Bytes that the times of transfers are for (paper 004, section 5.2); each further one takes the time of its rate.
const MEASURED: u64 = 8;

/// Times of steps, and bytes of a transfer in a millisecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// A read from the memory of another node of the cluster.
    pub nicam_read: Nanoseconds,
    /// A write there.
    pub nicam_write: Nanoseconds,
    /// A message from a gateway to another one: half of a round trip.
    pub tcp: Nanoseconds,
    /// A read or write of a node's own memory.
    pub local: Nanoseconds,
    /// What a handler takes for each request and each answer. A far access and a barrier have three on their way.
    pub handling: Nanoseconds,
    pub nicam_bytes_per_ms: u64,
    pub tcp_bytes_per_ms: u64,
}

impl Costs {
    /// `COMPaS`, the cluster of paper 004: Myrinet with NICAM and Fast Ethernet with TCP. Tables 2 and 3 have the first
    /// four times. `handling` is a third of what they leave of the 1,358 us of a read, and the rates are fitted to two
    /// rows of Table 4, 1 x 2 and 2 x 1: see `docs/clusters-study.md`.
    pub const COMPAS: Costs = Costs {
        nicam_read: Nanoseconds(200_000),
        nicam_write: Nanoseconds(188_000),
        tcp: Nanoseconds(220_000),
        local: Nanoseconds(8_000),
        handling: Nanoseconds(42_000),
        nicam_bytes_per_ms: 32_042,
        tcp_bytes_per_ms: 10_162,
    };

    /// Time of one-sided access, beside that of its bytes.
    pub(crate) const fn nicam(&self, operation: Operation) -> Nanoseconds {
        match operation {
            Operation::Get => self.nicam_read,
            Operation::Put => self.nicam_write,
        }
    }

    /// Time that so many bytes take on Myrinet beyond those that are in the time of an access.
    pub(crate) fn nicam_bytes(&self, bytes: usize) -> Nanoseconds {
        beyond(bytes, self.nicam_bytes_per_ms)
    }

    /// The same between gateways.
    pub(crate) fn tcp_bytes(&self, bytes: usize) -> Nanoseconds {
        beyond(bytes, self.tcp_bytes_per_ms)
    }
}

fn beyond(bytes: usize, per_ms: u64) -> Nanoseconds {
    let bytes = (bytes as u64).saturating_sub(MEASURED);
    Nanoseconds((bytes.saturating_mul(1_000_000)).div_ceil(per_ms.max(1)))
}

/// Who releases the barrier. The paper does not say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// The gateway of cluster 0, which the others ask.
    Master,
    /// Each gateway, when all others have sent it a message.
    Peers,
}

impl Meeting {
    pub const ALL: &[Meeting] = &[Meeting::Master, Meeting::Peers];

    /// As files and options have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Meeting::Master => "master",
            Meeting::Peers => "peers",
        }
    }
}

/// What a handler does while bytes of a message leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sends {
    /// It waits, as a process that writes to a socket does when bytes are more than the socket keeps.
    InTurn,
    /// It goes on; the next message waits for these bytes.
    Beside,
}

/// A cluster of clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    pub clusters: usize,
    /// Processes of each, beside its gateway.
    pub processes: usize,
    /// Bytes of the memory of a cluster: a segment of whole pages for each node, that of the gateway first.
    pub memory: u32,
    pub costs: Costs,
    pub meeting: Meeting,
    pub sends: Sends,
    /// Locks of all clusters, from number 0 on.
    pub locks: u16,
    /// What happens is kept for waves and pages.
    pub record: bool,
    /// A run that takes longer is an error.
    pub limit: Nanoseconds,
}

/// A cluster of clusters that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    #[error("{field}: {found}; expected {least} to {most}")]
    Range { field: &'static str, found: u64, least: u64, most: u64 },
}

impl Settings {
    /// `COMPaS` with so many clusters, each of so many processes and a gateway.
    #[must_use]
    pub fn new(clusters: usize, processes: usize) -> Settings {
        Settings {
            clusters,
            processes,
            memory: 16 << 20,
            costs: Costs::COMPAS,
            meeting: Meeting::Master,
            sends: Sends::InTurn,
            locks: 16,
            record: false,
            limit: Nanoseconds(u64::MAX),
        }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// [`SettingsError::Range`] names the field.
    pub fn check(&self) -> Result<(), SettingsError> {
        let within = |field, found, least, most| {
            let bad = SettingsError::Range { field, found, least, most };
            if (least..=most).contains(&found) { Ok(()) } else { Err(bad) }
        };
        let Costs { nicam_read, nicam_write, tcp, local, handling, .. } = self.costs;
        within("clusters", self.clusters as u64, 1, RINGS_MAX as u64)?;
        within("processes", self.processes as u64, 1, 255)?;
        within("locks", self.locks.into(), 0, LOCKS_MAX.into())?;
        let nodes = self.processes as u64 + 1;
        within("memory", self.memory.into(), nodes * u64::from(PAGE), u32::MAX.into())?;
        let hour = 3_600_000_000_000;
        // Without these a process, or two gateways, could go on without end while no time passes.
        within("local", local.0, 1, hour)?;
        within("tcp", tcp.0, 1, hour)?;
        for (field, time) in
            [("nicam_read", nicam_read), ("nicam_write", nicam_write), ("handling", handling)]
        {
            within(field, time.0, 0, hour)?;
        }
        within("nicam_bytes_per_ms", self.costs.nicam_bytes_per_ms, 1, 1_000_000_000)?;
        within("tcp_bytes_per_ms", self.costs.tcp_bytes_per_ms, 1, 1_000_000_000)
    }

    /// The segments of the nodes of a cluster.
    #[must_use]
    pub fn homes(&self) -> Homes {
        Homes::new(self.memory, self.processes + 1)
    }

    /// Numbers of the clusters.
    pub(crate) fn rings(&self) -> impl Iterator<Item = RingNumber> + use<> {
        (0..narrow::<u16>(self.clusters)).map(RingNumber)
    }

    /// Nodes of the processes of a cluster.
    pub(crate) fn clients(&self) -> impl Iterator<Item = NodeId> + use<> {
        NodeId::all(self.processes + 1).skip(1)
    }

    /// The number of a process among those of all clusters.
    pub(crate) fn number(&self, ring: RingNumber, node: NodeId) -> usize {
        usize::from(ring.0) * self.processes + node.index() - 1
    }

    /// The gateway of a cluster among the others.
    pub(crate) fn place(&self, ring: RingNumber) -> Place {
        let (clients, homes, master) = (self.clients().collect(), self.homes(), RingNumber(0));
        let end = ByteAddress(homes.segment * narrow::<u32>(homes.ranks));
        // Records of far clients are read when a gateway begins: there are none yet.
        let only = Place::only(ring, narrow(self.clusters), clients, end);
        let peer = Place { far: Vec::new(), locks: self.locks, ..only };
        let neighbours = match self.meeting {
            Meeting::Peers => return peer,
            Meeting::Master if ring == master => {
                Neighbours { below: peer.neighbours.peers.clone(), ..Neighbours::default() }
            }
            Meeting::Master => Neighbours { above: Some(master), ..Neighbours::default() },
        };
        Place { neighbours, ..peer }
    }
}
