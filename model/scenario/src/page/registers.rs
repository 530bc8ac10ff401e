// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers of a page: those that the save file of `GTKWave` shows of each node or board, as far as there is
//! room for their changes.

use super::limits::CHANGES_MAX;
use crate::wave::Owner;
use awgstar::rtl::{RingNode, SmbCore};
use awgstar_draw::gtkw::{Shown, filters};
use serde::Serialize;
use std::collections::BTreeMap;

/// A register: path and value.
pub type Probe<S> = (&'static str, fn(&S) -> u32);

/// Registers of a node.
pub const NODE: &[Probe<RingNode>] = &[
    ("u_ingress.state_q", |n| n.u_ingress.state_q.into()),
    ("u_ingress.kind_q", |n| n.u_ingress.kind_q.into()),
    ("u_buffer.words_q", |n| n.u_buffer.words_q.into()),
    ("u_mux.class_q", |n| n.u_mux.class_q.into()),
    ("u_egress.state_q", |n| n.u_egress.state_q.into()),
    ("u_frame_rx.v_valid_q", |n| n.u_frame_rx.v_valid_q.into()),
    ("u_frame_rx.v_check_q", |n| n.u_frame_rx.v_check_q.into()),
];

/// Registers of a board.
pub const BOARD: &[Probe<SmbCore>] = &[
    ("u_data.tail_q", |b| b.u_data.tail_q.into()),
    ("u_data.next_q", |b| b.u_data.next_q.into()),
    ("u_data.base_q", |b| b.u_data.base_q.into()),
    ("u_control.synced_q", |b| b.u_control.synced_q.into()),
    ("u_control.active_q", |b| b.u_control.active_q.into()),
    ("u_node.u_ingress.state_q", |b| b.u_node.u_ingress.state_q.into()),
    ("u_node.u_ingress.kind_q", |b| b.u_node.u_ingress.kind_q.into()),
    ("u_node.u_arbiter.held_q", |b| b.u_node.u_arbiter.held_q.into()),
    ("u_node.u_egress.state_q", |b| b.u_node.u_egress.state_q.into()),
    ("u_sorter.state_q", |b| b.u_sorter.state_q.into()),
    ("u_mailbox.wr_q", |b| b.u_mailbox.wr_q.into()),
    ("u_mailbox.rd_q", |b| b.u_mailbox.rd_q.into()),
];

/// Changes of registers in a part of a run.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Registers {
    names: Vec<&'static str>,
    /// For each register the names of its values, if it has any.
    values: Vec<BTreeMap<u32, String>>,
    /// For each node: cycles since the change before, register, value; one after the other.
    changes: Vec<Vec<u64>>,
    /// First cycle that is recorded, and the one after the last.
    from: u64,
    pub(super) until: u64,
}

/// Registers of one node.
#[derive(Clone, Debug)]
struct NodeLog {
    column: usize,
    last: Vec<Option<u32>>,
    /// Cycle of the last change.
    at: u64,
    changes: Vec<u64>,
}

/// Records registers of nodes or boards, cycle by cycle.
#[derive(Clone, Debug)]
pub struct RegisterLog<S: 'static> {
    probes: &'static [Probe<S>],
    owner: Owner,
    from: u64,
    to: u64,
    nodes: Vec<NodeLog>,
    count: usize,
    until: Option<u64>,
}

impl<S> RegisterLog<S> {
    /// For a part of a run. `columns` has the column of each node.
    #[must_use]
    pub fn new(
        probes: &'static [Probe<S>],
        owner: Owner,
        columns: &[usize],
        (from, to): (u64, u64),
    ) -> Self {
        let last = vec![None; probes.len()];
        let node = |column: &usize| NodeLog {
            column: *column,
            last: last.clone(),
            at: from,
            changes: Vec::new(),
        };
        let nodes = columns.iter().map(node).collect();
        RegisterLog { probes, owner, from, to, nodes, count: 0, until: None }
    }

    /// A node just before the edge of a cycle.
    #[inline]
    pub fn cycle(&mut self, cycle: u64, node: usize, state: &S) {
        if cycle < self.from || cycle >= self.to || self.until.is_some_and(|until| cycle >= until) {
            return;
        }
        let Some(NodeLog { last, at, changes, .. }) = self.nodes.get_mut(node) else { return };
        for (register, (probe, last)) in self.probes.iter().zip(last).enumerate() {
            let value = (probe.1)(state);
            if *last != Some(value) {
                *last = Some(value);
                changes.extend([cycle - *at, register as u64, value.into()]);
                *at = cycle;
                self.count += 1;
            }
        }
        if self.count >= CHANGES_MAX && self.until.is_none() {
            // All nodes to the end of this cycle.
            self.until = Some(cycle + 1);
        }
    }

    pub(super) fn finish(self, end: u64) -> Registers {
        let mut nodes = self.nodes;
        nodes.sort_by_key(|node| node.column);
        let filters = filters();
        let rows = self.owner.rows();
        let names = |path: &str| {
            let shown = rows.iter().find(|row| row.0 == path).map(|row| row.1);
            let file = match shown {
                Some(Shown::Names(stem)) => format!("{stem}.filter"),
                Some(Shown::State(module)) => format!("{module}_state.filter"),
                _ => return BTreeMap::new(),
            };
            let text = filters.iter().find(|(name, _)| *name == file).map_or("", |(_, text)| text);
            let entry = |line: &str| {
                let (code, name) = line.split_once(' ')?;
                Some((u32::from_str_radix(code, 2).ok()?, name.to_owned()))
            };
            text.lines().filter_map(entry).collect()
        };
        Registers {
            names: self.probes.iter().map(|probe| probe.0).collect(),
            values: self.probes.iter().map(|probe| names(probe.0)).collect(),
            changes: nodes.into_iter().map(|node| node.changes).collect(),
            from: self.from,
            until: self.until.unwrap_or(self.to).min(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use awgstar::rtl::state::State;

    /// Each probe reads the register that its path names: one after the other is set in an image of the state.
    fn reads_its_name<S: State>(probes: &[Probe<S>], rows: &[(&str, Shown<'_>)]) {
        let wanted = rows.iter().map(|row| row.0).filter(|path| path.ends_with("_q"));
        let found: Vec<_> = probes.iter().map(|probe| probe.0).collect();
        assert_eq!(found, wanted.collect::<Vec<_>>(), "registers of the save file");
        let registers = S::layout().flat_registers();
        for (set, (path, _)) in probes.iter().enumerate() {
            let place = registers.iter().position(|register| register.0 == *path);
            let place = place.unwrap_or_else(|| panic!("no register {path}"));
            let words = |(_, bits): &(String, usize)| bits.div_ceil(32);
            let mut image = vec![0; S::WORDS];
            image[registers[..place].iter().map(words).sum::<usize>()] = 1;
            let mut state = S::default();
            state.unpack(&image);
            for (i, (other, value)) in probes.iter().enumerate() {
                assert_eq!(value(&state), u32::from(i == set), "{other} with {path} = 1");
            }
        }
    }

    #[test]
    fn registers_are_those_of_the_save_file() {
        reads_its_name(NODE, Owner::Node.rows());
        reads_its_name(BOARD, Owner::Board.rows());
    }

    #[test]
    fn a_log_ends_where_it_is_full() {
        let mut log = RegisterLog::new(NODE, Owner::Node, &[0, 1], (10, 1_000_000));
        let mut node = RingNode::default();
        for cycle in 0..CHANGES_MAX as u64 {
            node.u_buffer.words_q = (cycle & 1) as u16;
            log.cycle(cycle, 0, &node);
            log.cycle(cycle, 1, &RingNode::default());
        }
        let log = log.finish(1_000_000);
        // Two nodes with seven registers at the begin, then a change of the first in each cycle.
        let full = 10 + CHANGES_MAX as u64 - 14 + 1;
        assert_eq!((log.from, log.until), (10, full));
        assert_eq!(log.changes[0].len(), 3 * (CHANGES_MAX - 7));
        assert_eq!(log.changes[1].len(), 3 * 7);
        assert_eq!(&log.changes[0][18..24], [0, 6, 0, 1, 2, 1]);
        assert_eq!(log.values[4].get(&0).map(String::as_str), Some("ready"));
    }
}
