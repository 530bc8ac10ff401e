// SPDX-License-Identifier: MIT OR Apache-2.0
//! `smb` as a member of a ring.

use super::host::BoardHost;
use crate::ring::access::{HostOp, HostResult};
use crate::ring::board::Board;
use crate::ring::fibre::Word;
use crate::ring::member::{Member, Now};
use crate::ring::scenario::ScenarioError;
use crate::rtl::state::State;
use crate::rtl::{Parameters, RingEgress, Smb, ring_node, smb};

impl Member for Smb {
    type Inputs = smb::Inputs;
    type Outputs = smb::Outputs;
    type Host = BoardHost;

    // A memory may still be read in the cycles before.
    const CALM: u8 = 4;

    #[inline]
    fn cycle<const SEEN: bool>(
        &mut self,
        host: &mut BoardHost,
        Now { cycle, reset, word }: Now,
        look: impl FnOnce(&Smb, &smb::Inputs, &smb::Outputs),
    ) {
        if !reset {
            host.drive(cycle);
        }
        let inputs = &mut host.pins.inputs;
        inputs.rst = reset;
        inputs.s_axis.set(word);
        let outputs = self.outputs(inputs);
        look(self, inputs, &outputs);
        self.advance(inputs);
        if !reset {
            host.take(cycle, &outputs);
        }
    }

    #[inline]
    fn rests(&self, host: &BoardHost, cycle: u64) -> u64 {
        let Some(free) = host.free_until() else { return 0 };
        self.rests(&host.pins.inputs).min(free.saturating_sub(cycle))
    }

    #[inline]
    fn egress(&self) -> &RingEgress {
        &self.u_node.u_egress
    }

    #[inline]
    fn pass(&mut self, from: u64, until: u64) {
        self.skip(until - from);
    }
}

impl Board for Smb {
    const BURST: usize = 1;

    fn with(parameters: &Parameters) -> Self {
        Smb::new(parameters)
    }

    fn host() -> BoardHost {
        BoardHost::default()
    }

    fn is_idle(host: &BoardHost) -> bool {
        host.is_idle()
    }

    fn forget(host: &mut BoardHost) {
        host.forget();
    }

    fn push(host: &mut BoardHost, ops: Vec<HostOp>) -> Result<(), ScenarioError> {
        host.push(ops)
    }

    fn results(host: &BoardHost) -> &[HostResult] {
        host.results()
    }

    fn take_results(host: &mut BoardHost) -> Vec<HostResult> {
        host.take_results()
    }

    fn arriving(i: &smb::Inputs) -> Option<Word> {
        i.s_axis.word()
    }

    fn node_ports(&self, i: &smb::Inputs) -> (ring_node::Inputs, ring_node::Outputs) {
        self.node_ports(i)
    }
}
