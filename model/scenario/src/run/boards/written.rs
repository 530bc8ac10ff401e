// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expected contents of the replicas, from the writes of the hosts alone.

use crate::run::boards::{BoardsPlan, BoardsRun};
use awgstar::quantity::ByteAddress;
use awgstar::ring::{
    HostOp, Outcome,
    boards::{WINDOW, bytes},
};
use serde::Serialize;
use std::collections::BTreeMap;

/// Result of the comparison of the replicas with the words written.
///
/// Compared are bytes that one live host wrote, in accesses that were not refused. If two hosts
/// wrote a byte, the last writer is unknown. The last frames of a dead board may have reached any
/// board. A board that was reset has lost data that it had not sent, and data that arrived
/// meanwhile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WrittenBytes {
    /// Bytes that were looked at, on each live board.
    pub bytes: usize,
    /// Bytes written by two boards or more, or by one that died or was reset.
    pub left_out: usize,
    /// (board, first byte that is wrong, number of them).
    pub wrong: Vec<(usize, ByteAddress, usize)>,
}

impl WrittenBytes {
    pub(super) fn of(plan: &BoardsPlan, run: &BoardsRun) -> WrittenBytes {
        // The last value of each byte, and whether one host alone gave it.
        let mut memory: BTreeMap<ByteAddress, (usize, u8, bool)> = BTreeMap::new();
        let live: Vec<usize> = run.ring.live().collect();
        let gone = plan.gone();
        let reset = |board: usize| gone.contains(&board);
        for board in 0..run.ring.boards() {
            let sure = live.contains(&board) && !reset(board);
            for (addr, value) in writes(run, board) {
                let alone = memory.get(&addr).is_none_or(|(by, _, alone)| *by == board && *alone);
                memory.insert(addr, (board, value, sure && alone));
            }
        }
        let left_out = memory.values().filter(|(.., alone)| !alone).count();
        memory.retain(|_, (.., alone)| *alone);
        let mut wrong = Vec::new();
        for &board in live.iter().filter(|b| !reset(**b)) {
            let replica = run.ring.board(board);
            let bad =
                memory.iter().filter(|(addr, (_, value, _))| bytes(replica, **addr, 1) != [*value]);
            let bad: Vec<ByteAddress> = bad.map(|(addr, _)| *addr).collect();
            if let Some(&first) = bad.first() {
                wrong.push((board, first, bad.len()));
            }
        }
        WrittenBytes { bytes: memory.len(), left_out, wrong }
    }
}

/// Bytes that the host of `board` wrote, in order; what was refused is not among them.
fn writes(run: &BoardsRun, board: usize) -> impl Iterator<Item = (ByteAddress, u8)> {
    let done = |r: &&awgstar::ring::HostResult| r.outcome == Outcome::Done;
    run.ring.host(board).results().iter().filter(done).flat_map(|result| {
        let (addr, data, strobe) = match result.op {
            HostOp::Write { addr, data, strobe } if addr >= WINDOW => {
                (ByteAddress(addr - WINDOW), data, strobe)
            }
            _ => (ByteAddress(0), 0, 0),
        };
        let lanes = (0u32..).zip(data.to_le_bytes());
        lanes.filter(move |(l, _)| strobe >> l & 1 == 1).map(move |(l, byte)| (addr + l, byte))
    })
}
