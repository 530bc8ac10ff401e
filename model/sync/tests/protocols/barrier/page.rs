// SPDX-License-Identifier: MIT OR Apache-2.0
//! `docs/protocols-barrier.md` is as the code.

use crate::snapshot;
use awgstar_sync::firmware::barrier::{
    distributed::DistributedState,
    master_worker::{MasterState, WorkerState},
    ring::RingState,
    watch::Watch,
};

#[test]
fn tables_of_states() {
    for table in [
        WorkerState::TABLE,
        MasterState::TABLE,
        DistributedState::TABLE,
        RingState::TABLE,
        Watch::TABLE,
    ] {
        let text = format!("{}\n```mermaid\n{}```\n", table.markdown(), table.mermaid());
        snapshot::section("protocols-barrier.md", table.name, &text);
    }
}
