// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the protocol of the shared pages did: tables by node and by block.

use awgstar::quantity::Nanoseconds;
use awgstar::request::Coherent;
use awgstar_cluster::{Blocks, Counts};
use awgstar_draw::table::Table;
use object::{Object, ObjectKind, ObjectSymbol, SymbolKind};
use std::{collections::BTreeMap, fs, path::Path};

/// Where the system loads a program that can be anywhere, without random addresses.
const BASE: u64 = 0x5555_5555_4000;

/// Functions of a program, by address: name and size.
#[derive(Default)]
pub(super) struct Functions(BTreeMap<u64, (String, u64)>);

impl Functions {
    /// Those of a program; none of one that cannot be read.
    pub(super) fn of(program: &Path) -> Functions {
        let bytes = fs::read(program).unwrap_or_default();
        let Ok(file) = object::File::parse(&bytes[..]) else { return Functions::default() };
        let base = if file.kind() == ObjectKind::Dynamic { BASE } else { 0 };
        let code = file.symbols().filter(|one| one.kind() == SymbolKind::Text && one.size() > 0);
        let name = |one: &object::Symbol<'_, '_>| one.name().unwrap_or("?").to_owned();
        Functions(code.map(|one| (base + one.address(), (name(&one), one.size()))).collect())
    }

    /// The place where a block begins.
    fn name(&self, place: u64) -> String {
        let at = Coherent::caller(place);
        match self.0.range(..=at).next_back() {
            _ if place == 0 => "start".into(),
            Some((first, (name, size))) if at <= first + size => {
                format!("{name}+{:#x}", at - first)
            }
            _ if at == 0 => "a thread without work".into(),
            _ => format!("{at:#x}"),
        }
    }
}

fn micros(ns: Nanoseconds) -> String {
    format!("{}.{:03}", ns.0 / 1000, ns.0 % 1000)
}

fn sum<'a>(all: impl Iterator<Item = &'a Counts>) -> Counts {
    all.fold(Counts::default(), |sum, one| Counts {
        runs: sum.runs + one.runs,
        read_faults: sum.read_faults + one.read_faults,
        write_faults: sum.write_faults + one.write_faults,
        messages: sum.messages + one.messages,
        bytes: sum.bytes + one.bytes,
        diffs: sum.diffs + one.diffs,
        pages: sum.pages + one.pages,
        beyond: sum.beyond + one.beyond,
        at_faults: sum.at_faults + one.at_faults,
        at_locks: sum.at_locks + one.at_locks,
        at_barriers: sum.at_barriers + one.at_barriers,
    })
}

/// Rows of both tables: by node, and by block. Blocks of all nodes with one place are one row.
pub(super) fn rows(all: &[Blocks], functions: &Functions) -> [Vec<(String, Counts)>; 2] {
    let nodes = all.iter().enumerate();
    let nodes = nodes.map(|(node, blocks)| (node.to_string(), sum(blocks.values()))).collect();
    let mut places: BTreeMap<String, Vec<&Counts>> = BTreeMap::new();
    for (&place, counts) in all.iter().flatten() {
        places.entry(functions.name(place)).or_default().push(counts);
    }
    let blocks = places.into_iter().map(|(name, counts)| (name, sum(counts.into_iter()))).collect();
    [nodes, blocks]
}

/// Both tables as text.
pub(super) fn text(rows: &[Vec<(String, Counts)>; 2]) -> String {
    let table = |name: &'static str| {
        Table::new()
            .text(name, |row: &(String, Counts)| row.0.clone())
            .number("runs", |row| row.1.runs)
            .number("read faults", |row| row.1.read_faults)
            .number("write faults", |row| row.1.write_faults)
            .number("beyond", |row| row.1.beyond)
            .number("diffs", |row| row.1.diffs)
            .number("pages", |row| row.1.pages)
            .number("messages", |row| row.1.messages)
            .number("bytes", |row| row.1.bytes)
            .number("faults µs", |row| micros(row.1.at_faults))
            .number("locks µs", |row| micros(row.1.at_locks))
            .number("barriers µs", |row| micros(row.1.at_barriers))
    };
    let [nodes, blocks] = rows;
    format!("{}\n{}", table("node").markdown(nodes), table("block after").markdown(blocks))
}

/// Both tables as JSON; times in ns.
pub(super) fn json(rows: &[Vec<(String, Counts)>; 2]) -> serde_json::Value {
    let row = |(name, one): &(String, Counts)| {
        serde_json::json!({
            "name": name, "runs": one.runs, "read_faults": one.read_faults,
            "write_faults": one.write_faults, "beyond": one.beyond, "diffs": one.diffs,
            "pages": one.pages, "messages": one.messages, "bytes": one.bytes,
            "faults_ns": one.at_faults.0, "locks_ns": one.at_locks.0,
            "barriers_ns": one.at_barriers.0,
        })
    };
    let [nodes, blocks] = rows;
    let list = |rows: &[(String, Counts)]| rows.iter().map(row).collect::<Vec<_>>();
    serde_json::json!({ "nodes": list(nodes), "blocks": list(blocks) })
}
