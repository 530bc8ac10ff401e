// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of states in the document are those of the code.

use crate::snapshot;
use awgstar_sync::firmware::{
    paging::{Swap, Worker},
    states::Table,
};

fn shown(table: &Table) -> String {
    format!("{}\n```mermaid\n{}```\n", table.markdown(), table.mermaid())
}

#[test]
fn documents_show_the_tables_of_the_code() {
    for (name, table) in [("process", Worker::TABLE), ("master", Swap::TABLE)] {
        snapshot::section("paging.md", &format!("states {name}"), &shown(&table));
    }
}
