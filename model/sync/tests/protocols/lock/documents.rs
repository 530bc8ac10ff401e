// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of states in the document are those of the code.

use crate::snapshot;
use awgstar_sync::firmware::{
    lock::{Arbiter, Caller, QueueCaller, Right},
    states::Table,
};

fn shown(table: &Table) -> String {
    format!("{}\n```mermaid\n{}```\n", table.markdown(), table.mermaid())
}

#[test]
fn documents_show_the_tables_of_the_code() {
    let tables = [
        ("caller", Caller::TABLE),
        ("arbiter", Arbiter::TABLE),
        ("right", Right::TABLE),
        ("queue caller", QueueCaller::TABLE),
    ];
    for (name, table) in tables {
        snapshot::section("protocols-lock.md", &format!("states {name}"), &shown(&table));
    }
}
