// SPDX-License-Identifier: MIT OR Apache-2.0
//! The body of a board, `smb_core.vh`: all of it but its host port.
//!
//! The wires between the modules have no loop: what the node sees depends on registers only, the
//! link aside, and what it says is needed by all others. So the node has its edge first.

mod edge;
mod look;
mod rest;
mod wires;

pub(crate) use wires::{Request, Response};

use super::{
    DataWindow, HostRegs, HostWindow, JoinFence, JoinRegs, KnownMap, LinkControl, Mailbox,
    MemWriter, NodeCounters, RingNode, RxSorter, SharedMemory, SignalMux, SignalSender, SyncEngine,
    WriteCombiner,
    bundle::Link,
    state::{ports, state},
};

ports! {
    /// What the body takes besides requests of its host port.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// A word of the link.
        s_axis: Link = 0 => link_word,
    }
}

ports! {
    /// What it gives besides answers.
    pub struct Outputs {
        irq: bool = 1,
    }
}

state! {
    /// Instances that both boards have; the body has no registers except theirs.
    pub struct SmbCore("smb_core", Inputs, Outputs) with parameters {
        children {
            /// Registers of the host port.
            u_regs: HostRegs,
            /// Window onto the shared memory.
            u_window: HostWindow,
            /// Data frames out of writes.
            u_combiner: WriteCombiner,
            /// Retransmit buffer: data frames that have not returned.
            u_data: DataWindow,
            /// Queue of signals that have not returned.
            u_signal: SignalSender,
            /// `sync`, `monitor` and tokens.
            u_control: LinkControl,
            /// Fences and their answers.
            u_fence: JoinFence,
            /// Registers of a board that can join.
            u_join: JoinRegs,
            /// Bytes of the replica that are known.
            u_known: KnownMap,
            /// Signals and control tokens.
            u_mux: SignalMux,
            u_node: RingNode,
            /// Sorts received frames into data, signals and control tokens.
            u_sorter: RxSorter,
            /// Locks and barriers.
            u_engine: SyncEngine,
            /// Data into the memory.
            u_writer: MemWriter,
            /// The replica.
            u_memory: SharedMemory,
            /// Signals that arrived.
            u_mailbox: Mailbox,
            /// Events of the board.
            u_counters: NodeCounters,
        }
    }
}

impl SmbCore {
    #[inline]
    #[must_use]
    pub fn irq(&self) -> bool {
        self.u_regs.irq_q || self.u_engine.u_regs.irq_q || self.u_join.irq_q
    }
}
