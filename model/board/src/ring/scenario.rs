// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenario of a run of nodes: sizes, traffic and faults (RING-1 to RING-3).

use awgstar_frame::codec::Mac;
use awgstar_frame::contract::{Token, limits::FRAME_MAX};
use awgstar_frame::quantity::Cycle;

/// Cycles at the start of a run in which every node is reset.
pub const RESET_CYCLES: Cycle = Cycle(4);
/// Nodes a ring can have (RING-1).
pub const NODES_MAX: usize = 256;
/// Longest link in cycles: a thousand kilometres.
pub const FIBRE_MAX: u32 = 340_000;
/// Longest payload that a length port can say.
pub const LEN_MAX: usize = 2047;

/// A run: all of it follows from here, bit for bit (RING-2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scenario {
    /// Number of nodes, 1 to 256.
    pub nodes: usize,
    /// Cycles of link i, from node i to node i + 1.
    pub fibre: Vec<u32>,
    /// Multicast groups of each node: bit g is group g.
    pub groups: Vec<u16>,
    /// The node that is the active monitor (NODE-22), if one is.
    pub monitor: Option<usize>,
    /// Free tokens, issued at node 0 in the first cycles after reset.
    pub tokens: usize,
    /// Frames to send.
    pub sends: Vec<Send>,
    /// Nodes that always have a data frame waiting.
    pub saturate: Vec<Saturate>,
    /// Faults of the links.
    pub faults: Vec<Fault>,
    /// Length of the run.
    pub cycles: Cycle,
}

/// A frame that a host hands to its node. Each port of each node takes its frames in the order of
/// the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Send {
    pub node: usize,
    /// Not before this cycle.
    pub cycle: Cycle,
    pub frame: Outgoing,
}

/// A frame as a host knows it. MAC is the node's, and so is `Node_ID` of a data token (NODE-14).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Data goes to the data port, all else to the signal port.
    pub token: Token,
    /// C.ST of a signal.
    pub c_st: u8,
    /// `Node_ID` of a signal.
    pub node_id: u8,
    /// `Multi_G` of a signal.
    pub multi_g: u8,
    /// `Act_Seq`.
    pub act_seq: u8,
    /// `Packet_Cnt`.
    pub packet_cnt: u8,
    pub addr: u32,
    /// Valid bytes. A length the node must refuse is allowed up to 2,047.
    pub data: Vec<u8>,
}

impl Outgoing {
    /// A frame with these and zero in every other field.
    #[must_use]
    pub const fn new(token: Token, data: Vec<u8>) -> Self {
        Outgoing {
            token,
            c_st: 0,
            node_id: 0,
            multi_g: 0,
            act_seq: 0,
            packet_cnt: 0,
            addr: 0,
            data,
        }
    }
}

/// A node that always has a data frame of `len` bytes waiting, after those of
/// [`Scenario::sends`] that are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saturate {
    pub node: usize,
    /// Valid bytes, 1 to 1,024.
    pub len: u16,
}

/// A fault by frame and bit, not by cycle (RING-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The link: that after node `link`.
    pub link: usize,
    /// The frame, counted from 0, among all that leave the node.
    pub frame: u64,
    pub kind: FaultKind,
}

/// Fault of a frame on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// This bit is inverted: 0 is bit 0 of the first word's `tdata`. Nothing happens if the frame
    /// is shorter.
    Bit(u32),
    /// The frame is lost.
    Lose,
    /// The frame is sent twice.
    Twice,
    /// Only its first words arrive, and no `tlast`; nothing happens if it has no more.
    Truncate(u32),
}

/// Bit errors at random.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noise {
    /// Bits inverted of 2^32; 2^27 at most, which is one in every word.
    pub rate: u32,
    /// Where they are follows from here.
    pub seed: u64,
}

/// A link over which nothing comes for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The link: that after board `link`.
    pub link: usize,
    /// First cycle in which nothing arrives.
    pub from: Cycle,
    /// First cycle in which something arrives again.
    pub until: Cycle,
}

/// A board that dies: an optical switch bridges it, so that what comes to it goes on to the next
/// board, a cycle later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dead {
    pub board: usize,
    /// First cycle in which the board is dead.
    pub cycle: Cycle,
}

/// A board that is slow: frames that leave it in this time reach the link later. Their words stay
/// together, and their order is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slow {
    pub board: usize,
    /// Delay in cycles, 1 to 340,000.
    pub cycles: u32,
    /// First cycle in which a frame that leaves it is late.
    pub from: Cycle,
    /// First cycle in which no frame is late any more.
    pub until: Cycle,
}

impl Cut {
    /// Nothing comes over a link in `cycle`.
    #[inline]
    pub(super) fn any(cuts: &[Cut], link: usize, cycle: u64) -> bool {
        cuts.iter().any(|cut| cut.link == link && (cut.from.0..cut.until.0).contains(&cycle))
    }
}

impl Dead {
    /// First cycle in which board `i` is dead.
    pub(super) fn from(dead: &[Dead], i: usize) -> u64 {
        let cycles = dead.iter().filter(|dead| dead.board == i).map(|dead| dead.cycle.0);
        cycles.min().unwrap_or(u64::MAX)
    }
}

impl Slow {
    /// By how many cycles frames that leave board `i` in `cycle` are late.
    pub(super) fn late(slow: &[Slow], i: usize, cycle: u64) -> u64 {
        let now = |s: &&Slow| s.board == i && (s.from.0..s.until.0).contains(&cycle);
        slow.iter().filter(now).map(|s| s.cycles.into()).max().unwrap_or(0)
    }
}

/// Error in a scenario: field, place, expected range and value found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScenarioError {
    /// Number of nodes.
    #[error("nodes: expected 1 to 256, found {0}")]
    Nodes(usize),
    /// One entry per node is needed.
    #[error("{list}: expected one entry for each of {nodes} nodes, found {found}")]
    PerNode {
        /// Name of the list.
        list: &'static str,
        /// Nodes of the ring.
        nodes: usize,
        /// Entries.
        found: usize,
    },
    /// An entry names a node or link that the ring does not have.
    #[error("{list}[{index}]: expected a node below {nodes}, found {found}")]
    NoSuchNode {
        /// Name of the list.
        list: &'static str,
        /// Index of the entry.
        index: usize,
        /// Nodes of the ring.
        nodes: usize,
        /// The node named.
        found: usize,
    },
    /// A value is too large for its field, or too small.
    #[error("{list}[{index}].{field}: expected {least} to {most}, found {found}")]
    Range {
        /// Name of the list.
        list: &'static str,
        /// Index of the entry.
        index: usize,
        /// Name of the field.
        field: &'static str,
        /// Least value.
        least: u64,
        /// Largest value.
        most: u64,
        /// The value.
        found: u64,
    },
    /// A value has bits that its mask leaves out: it can never be found.
    #[error("{list}[{index}].value: expected no bits beyond mask {mask:#x}, found {found:#x}")]
    Mask {
        /// Name of the list.
        list: &'static str,
        /// Index of the entry.
        index: usize,
        /// Mask of the entry.
        mask: u32,
        /// The value.
        found: u32,
    },
    /// More boards than the router has ports.
    #[error("boards: expected at most 32 on one router, found {0}")]
    Ports(usize),
    /// More tokens than a node can hold.
    #[error("tokens: expected 0 to 255, found {0}")]
    Tokens(usize),
}

/// MAC of node `i`: 02:53:4d:42:00:i.
#[must_use]
pub const fn node_mac(i: usize) -> Mac {
    Mac([0x02, 0x53, 0x4d, 0x42, 0x00, i.to_le_bytes()[0]])
}

impl Scenario {
    /// A ring of `nodes` with links of no delay, no groups, `tokens` tokens and nothing to do.
    #[must_use]
    pub fn new(nodes: usize, tokens: usize, cycles: Cycle) -> Self {
        Scenario {
            nodes,
            fibre: vec![0; nodes],
            groups: vec![0; nodes],
            tokens,
            cycles,
            ..Scenario::default()
        }
    }

    /// A new ring whose nodes all have a data frame of `len` bytes waiting at any time (RING-4).
    #[must_use]
    pub fn saturated(nodes: usize, tokens: usize, len: u16, cycles: Cycle) -> Self {
        let saturate = (0..nodes).map(|node| Saturate { node, len }).collect();
        Scenario { saturate, ..Scenario::new(nodes, tokens, cycles) }
    }

    /// Checks that every entry is in range and names an existing node.
    ///
    /// # Errors
    /// If the scenario is invalid; the error names the first wrong entry.
    pub fn check(&self) -> Result<(), ScenarioError> {
        let nodes = self.nodes;
        if !(1..=NODES_MAX).contains(&nodes) {
            return Err(ScenarioError::Nodes(nodes));
        }
        for (list, found) in [("fibre", self.fibre.len()), ("groups", self.groups.len())] {
            if found != nodes {
                return Err(ScenarioError::PerNode { list, nodes, found });
            }
        }
        if self.tokens > 255 {
            return Err(ScenarioError::Tokens(self.tokens));
        }
        for (index, &delay) in self.fibre.iter().enumerate() {
            range("fibre", index, "cycles", 0, FIBRE_MAX.into(), delay.into())?;
        }
        let node = |list, index, found| {
            let error = ScenarioError::NoSuchNode { list, index, nodes, found };
            if found < nodes { Ok(()) } else { Err(error) }
        };
        if let Some(found) = self.monitor {
            node("monitor", 0, found)?;
        }
        for (index, send) in self.sends.iter().enumerate() {
            node("sends", index, send.node)?;
            send.frame.check(index)?;
        }
        for (index, s) in self.saturate.iter().enumerate() {
            node("saturate", index, s.node)?;
            range("saturate", index, "len", 1, 1024, s.len.into())?;
        }
        for (index, fault) in self.faults.iter().enumerate() {
            node("faults", index, fault.link)?;
            fault.check(index)?;
        }
        Ok(())
    }
}

impl Fault {
    /// Checks that the fault is possible for some frame.
    pub(super) fn check(&self, index: usize) -> Result<(), ScenarioError> {
        let (bits, words) = (8 * FRAME_MAX as u64, FRAME_MAX.div_ceil(4) as u64);
        match self.kind {
            FaultKind::Bit(bit) => range("faults", index, "bit", 0, bits - 1, bit.into()),
            FaultKind::Truncate(w) => range("faults", index, "words", 1, words - 1, w.into()),
            FaultKind::Lose | FaultKind::Twice => Ok(()),
        }
    }
}

impl Outgoing {
    /// Checks that every value fits its port.
    pub(super) fn check(&self, index: usize) -> Result<(), ScenarioError> {
        let list = "sends";
        range(list, index, "c_st", 0, 31, self.c_st.into())?;
        range(list, index, "multi_g", 0, 15, self.multi_g.into())?;
        range(list, index, "act_seq", 0, 15, self.act_seq.into())?;
        range(list, index, "data", 0, LEN_MAX as u64, self.data.len() as u64)
    }
}

pub(super) fn range(
    list: &'static str,
    index: usize,
    field: &'static str,
    least: u64,
    most: u64,
    found: u64,
) -> Result<(), ScenarioError> {
    if (least..=most).contains(&found) {
        Ok(())
    } else {
        Err(ScenarioError::Range { list, index, field, least, most, found })
    }
}
