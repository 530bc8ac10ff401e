// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison of the replicas after the last cycle.

use crate::run::boards::{Act, BoardsPlan, BoardsRun};
use awgstar::quantity::ByteAddress;
use awgstar::{
    ring::boards::bytes,
    rtl::{Smb, mem_writer, rx_sorter},
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Result of the comparison of those replicas that must be equal.
///
/// Left out are boards that died, were reset or were lost to the ring, and the writes of their
/// hosts: these may have reached any board. Data that is under way is in some replicas only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Replicas {
    /// Boards with data under way: not all of it has returned good, or it is not in the memory yet.
    pub on_the_way: Vec<usize>,
    /// First difference.
    pub differ: Option<Differ>,
    /// The file says that they may.
    pub may_differ: bool,
}

/// Difference between replicas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Differ {
    /// Bytes that are not the same everywhere.
    pub bytes: usize,
    /// The first of them.
    pub addr: ByteAddress,
    /// Values of that byte, each with the boards that have it.
    pub values: BTreeMap<u8, Vec<usize>>,
}

impl Replicas {
    pub(super) fn of(plan: &BoardsPlan, run: &BoardsRun) -> Replicas {
        let live: Vec<usize> = run.ring.live().collect();
        let on_the_way = live.iter().copied().filter(|&i| pending(run.ring.board(i))).collect();
        let gone = plan.gone();
        let sure = |board: &usize| live.contains(board) && !gone.contains(board);
        let boards: Vec<usize> = (0..run.ring.boards()).filter(sure).collect();
        let unsure: BTreeSet<usize> = (0..run.ring.boards())
            .filter(|board| !sure(board))
            .flat_map(|board| &plan.acts[board])
            .flat_map(Act::bytes)
            .collect();
        Replicas { on_the_way, differ: differ(run, &boards, &unsure), may_differ: plan.may_differ }
    }
}

/// Returns true if data that the host of a board wrote has not returned good, or received data is
/// being written.
fn pending(smb: &Smb) -> bool {
    smb.u_combiner.open_q
        || smb.u_data.base_q != smb.u_data.tail_q
        || smb.u_sorter.state_q == rx_sorter::DATA
        || smb.u_writer.state_q != mem_writer::IDLE
}

fn differ(run: &BoardsRun, boards: &[usize], unsure: &BTreeSet<usize>) -> Option<Differ> {
    let size = run.memory();
    let replicas: Vec<Vec<u8>> =
        boards.iter().map(|&i| bytes(run.ring.board(i), ByteAddress(0), size)).collect();
    let (first, others) = replicas.split_first()?;
    let other = |at: &usize| others.iter().any(|replica| replica[*at] != first[*at]);
    let sure = |at: &usize| !unsure.contains(at);
    let wrong: Vec<usize> = (0..size).filter(other).filter(sure).collect();
    let at = *wrong.first()?;
    let mut values = BTreeMap::<u8, Vec<usize>>::new();
    for (board, replica) in boards.iter().zip(&replicas) {
        values.entry(replica[at]).or_default().push(*board);
    }
    Some(Differ { bytes: wrong.len(), addr: ByteAddress::at(at), values })
}
