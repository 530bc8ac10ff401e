// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages, and the time they take.

use crate::settings::Settings;
use awgstar_coherence::pages;
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId};
use awgstar_request::{Change, Got};
use awgstar_sync::firmware::onesided::{End, Message};
use std::{fmt, sync::Arc};

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Packet {
    /// Of a lock, a fence or a barrier.
    Protocol(Message),
    /// Bytes for the memory of a process.
    Put { target: NodeId, at: ByteAddress, data: Arc<[u8]> },
    /// A question for bytes of the memory of a process.
    Get { target: NodeId, at: ByteAddress, bytes: usize },
    /// A change of the memory of a process; counted as a put if no process waits for it.
    Change { target: NodeId, at: ByteAddress, change: Change },
    /// The answer to a get or a change.
    Value(Got),
    /// Of the protocol of the shared pages, to the node of a process, with so many bytes of notes.
    Pages(NodeId, pages::Message, u64),
}

impl Packet {
    /// Bytes of data.
    fn bytes(&self) -> u64 {
        let bytes = match self {
            Packet::Put { data, .. } => data.len(),
            Packet::Change { change, .. } => change.bytes(),
            Packet::Value(Got::Bytes(bytes)) => bytes.len(),
            Packet::Pages(_, message, notes) => return message.bytes() as u64 + notes,
            Packet::Protocol(_) | Packet::Get { .. } | Packet::Value(_) => 0,
        };
        bytes as u64
    }
}

impl fmt::Display for Packet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Packet::Protocol(message) => message.fmt(f),
            Packet::Put { target, at, data } => {
                write!(f, "put of {} bytes to {at:#x} of process {target}", data.len())
            }
            Packet::Get { target, at, bytes } => {
                write!(f, "get of {bytes} bytes at {at:#x} of process {target}")
            }
            Packet::Change { target, at, change } => {
                write!(f, "change of {} bytes at {at:#x} of process {target}", change.bytes())
            }
            Packet::Pages(_, message, _) => message.fmt(f),
            Packet::Value(_) => write!(f, "answer of {} bytes", self.bytes()),
        }
    }
}

/// The network cards.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    /// When the card of each computer has sent what it was given.
    free: Vec<Nanoseconds>,
}

impl Network {
    pub(crate) fn new(settings: &Settings) -> Self {
        Network { free: vec![Nanoseconds(0); settings.computers()] }
    }

    /// When a message that leaves its processor at a moment is at its receiver's. Of two messages between the same
    /// ends the later one arrives later.
    pub(crate) fn arrival(
        &mut self,
        settings: &Settings,
        (from, to): (End, End),
        leaves: Nanoseconds,
        packet: &Packet,
    ) -> Nanoseconds {
        let costs = &settings.costs;
        let (from, to) = (computer(settings, from), computer(settings, to));
        let wire = Nanoseconds((packet.bytes() * 1000).div_ceil(costs.bytes_per_us));
        let latency = if from == to { costs.own_latency } else { costs.latency };
        let sent = self.free[from].max(leaves) + wire;
        self.free[from] = sent;
        sent + latency + costs.receive
    }
}

/// The computer of an end.
pub(crate) fn computer(settings: &Settings, end: End) -> usize {
    let (End::Process(process) | End::Server(process)) = end;
    settings.computer(process.index())
}
