// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two boards that write: to one address, and to neighbouring bytes of one word.

use std::collections::{BTreeSet, VecDeque};

/// A write of one byte lane of the word.
type Write = (usize, u8);

#[derive(Clone, Debug)]
struct Two {
    replica: [[u8; 4]; 2],
    /// Writes still to be made by each board.
    todo: [Option<Write>; 2],
    /// Writes on their way to the other board.
    flying: [VecDeque<Write>; 2],
}

/// The ends of all runs: the word on both boards.
fn ends(state: &Two, all: &mut BTreeSet<[[u8; 4]; 2]>) {
    let mut moved = false;
    for board in 0..2 {
        if let Some((lane, value)) = state.todo[board] {
            let mut next = state.clone();
            next.todo[board] = None;
            next.replica[board][lane] = value; // WRT-1
            next.flying[board].push_back((lane, value));
            ends(&next, all);
            moved = true;
        }
        if let Some(&(lane, value)) = state.flying[board].front() {
            let mut next = state.clone();
            next.flying[board].pop_front();
            next.replica[1 - board][lane] = value; // RCV-4
            ends(&next, all);
            moved = true;
        }
    }
    if !moved {
        all.insert(state.replica);
    }
}

fn all_ends(first: Write, second: Write) -> BTreeSet<[[u8; 4]; 2]> {
    let mut all = BTreeSet::new();
    let state = Two {
        replica: [[0; 4]; 2],
        todo: [Some(first), Some(second)],
        flying: [VecDeque::new(), VecDeque::new()],
    };
    ends(&state, &mut all);
    all
}

/// Shown as it is: at the same time, each board ends with what the other wrote (RCV-6).
#[test]
fn two_writers_of_one_byte_can_leave_replicas_different() {
    let found = all_ends((0, 1), (0, 2));
    let expected =
        [[[1, 0, 0, 0]; 2], [[2, 0, 0, 0]; 2], [[2, 0, 0, 0], [1, 0, 0, 0]]].into_iter().collect();
    assert_eq!(found, expected);
}

/// WRT-2: neither write touches the other's byte, in no order.
#[test]
fn writers_of_neighbouring_bytes_both_stay() {
    assert_eq!(all_ends((1, 7), (2, 9)), [[[0, 7, 9, 0]; 2]].into_iter().collect());
}
