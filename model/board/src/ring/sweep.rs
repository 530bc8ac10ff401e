// SPDX-License-Identifier: MIT OR Apache-2.0
//! One cycle of a ring. Nodes at rest are passed over.

use super::Ring;
use super::fibre::{Fibre, Word};
use super::host::Host;
use super::rest::Rest;
use crate::rtl::ring_node::{Inputs, RingNode};

impl Ring {
    /// A cycle of the nodes that are not at rest. With `EXACT` the counters of the others go on too;
    /// with `ALL` none rests. `look` sees each node that does not just before its edge.
    #[inline]
    pub(super) fn sweep<const EXACT: bool, const ALL: bool>(
        &mut self,
        look: &mut impl FnMut(usize, &RingNode, &Inputs),
    ) {
        let cycle = self.cycle;
        // Nodes before this one have had their edge, but what they put on their output is meant for
        // the next cycle and waits in the fibre.
        let mut arriving = self.fibres.last_mut().and_then(|fibre| fibre.pop(cycle));
        let last = self.nodes.len() - 1;
        let nodes = self.nodes.iter_mut().zip(&mut self.hosts);
        let links = self.fibres.iter_mut().zip(&mut self.rests);
        for (i, ((node, host), (fibre, rest))) in nodes.zip(links).enumerate() {
            let word = arriving;
            // The last link's word has been taken.
            arriving = if i == last { None } else { fibre.pop(cycle) };
            if rest.until != 0 {
                if !ALL && rest.until > cycle && word.is_none() {
                    if EXACT {
                        rest.catch_up(node, cycle + 1);
                    }
                    continue;
                }
                rest.wake(node, cycle);
                self.awake += 1;
            }
            drive(host, cycle, word);
            look(i, node, &host.inputs);
            clock(node, host, fibre, cycle);
            if word.is_none() && node.at_rest(&host.inputs) {
                let until = host.next_change(cycle + 1);
                if until > cycle + 1 {
                    *rest = Rest { until, since: cycle + 1 };
                    self.awake -= 1;
                }
            }
        }
        self.cycle += 1;
    }

    /// First cycle in which something happens to a ring at rest.
    pub(super) fn next_event(&self) -> u64 {
        let arrivals = self.fibres.iter().filter_map(Fibre::next_arrival);
        let changes = self.rests.iter().map(|rest| rest.until);
        arrivals.chain(changes).min().unwrap_or(u64::MAX)
    }
}

/// Inputs of a node in this cycle.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the hot loop")]
fn drive(host: &mut Host, cycle: u64, word: Option<Word>) {
    host.drive(cycle);
    host.inputs.s_axis_tvalid = word.is_some();
    if let Some(Word { data, keep, last, user }) = word {
        (host.inputs.s_axis_tdata, host.inputs.s_axis_tkeep) = (data, keep);
        (host.inputs.s_axis_tlast, host.inputs.s_axis_tuser) = (last, user);
    }
}

/// Clocks the node, and puts its output word on the link.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the hot loop")]
fn clock(node: &mut RingNode, host: &mut Host, fibre: &mut Fibre, cycle: u64) {
    host.take(cycle, node);
    if !node.stream(&host.inputs) {
        let wires = node.wires(&host.inputs);
        node.advance(&host.inputs, &wires);
        host.clock(&wires);
    }
    let out = &node.u_egress;
    if out.m_valid_q {
        let word =
            Word { data: out.m_data_q, keep: out.keep(), last: out.m_last_q, user: out.m_user_q };
        fibre.push(cycle + 1, word);
    }
}
