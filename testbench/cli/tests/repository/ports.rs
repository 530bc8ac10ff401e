// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ports in the pages of `docs/blocks`, against the elaborated Verilog.

use crate::blocks::pages::repository;
use crate::pages::{pages, section};
use awgstar::contract::board;
use awgstar::rtl::Parameters;
use awgstar_simulator::elaborate;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// Names in backticks; `a_{b,c}` is `a_b` and `a_c`.
fn names(cell: &str) -> Vec<String> {
    let quoted = cell.split('`').skip(1).step_by(2);
    let mut all = Vec::new();
    for name in quoted {
        match name.split_once('{').and_then(|(head, rest)| Some((head, rest.strip_suffix('}')?))) {
            Some((head, rest)) => all.extend(rest.split(',').map(|r| format!("{head}{r}"))),
            None => all.push(name.to_owned()),
        }
    }
    all
}

/// `12`, `MEM_ADDR_W`, `MAIL_W + 1`, with the contract's parameters, or those of the last instance of the module.
fn width(page: &str, text: &str) -> Option<usize> {
    let (base, more) = match text.split_once('+') {
        Some((base, more)) => (base.trim(), more.trim().parse().ok()?),
        None => (text.trim(), 0),
    };
    let value = match (page, base) {
        ("clock_crossing" | "elastic_buffer", "ADDR_W") | (_, "ELASTIC_ADDR_W") => 6,
        ("clock_crossing", "WIDTH") => 38,
        (_, "WINDOWS") => 4,
        (_, "26*WINDOWS") => 26 * 4,
        (_, "MEM_ADDR_W") => board::MEM_ADDR_W,
        (_, "TX_ADDR_W") => board::TX_ADDR_W,
        (_, "MAIL_W") => board::MAIL_W,
        (_, "AXI_ID_W") => board::AXI_ID_W,
        // Without an engine its memories have the least size.
        ("synchronizer", "WIDTH") | (_, "NODE_W") => 1,
        (_, "WORDS_W") => 10,
        (_, "ADDR_W") => 9,
        _ => base.parse().ok()?,
    };
    Some(value + more)
}

/// One entry for each name, or the same for all.
fn spread(cell: &str, count: usize) -> Option<Vec<String>> {
    let parts: Vec<String> = cell.split(',').map(|p| p.trim().to_owned()).collect();
    match parts.len() {
        1 => Some(vec![parts[0].clone(); count]),
        n if n == count => Some(parts),
        _ => None,
    }
}

type Ports = BTreeMap<String, (String, usize)>;

/// The table of a page; what cannot be read goes to `wrong`.
fn table(page: &str, text: &str, wrong: &mut Vec<String>) -> Ports {
    let mut ports = Ports::new();
    for line in section(text, "Interface").into_iter().filter(|l| l.starts_with("| `")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let all = names(cells[1]);
        let (Some(directions), Some(widths)) =
            (spread(cells[2], all.len()), spread(cells[3], all.len()))
        else {
            wrong.push(format!("{page}: as many directions and widths as names: {line}"));
            continue;
        };
        for ((name, direction), text) in all.into_iter().zip(directions).zip(widths) {
            match width(page, &text) {
                Some(bits) if ports.insert(name.clone(), (direction, bits)).is_none() => {}
                Some(_) => wrong.push(format!("{page}: `{name}` twice")),
                None => wrong.push(format!("{page}: `{name}` is `{text}` wide")),
            }
        }
    }
    ports
}

/// Ports of all modules in the boards and in `ring_link`, by module; the last has the sizes of the page.
fn of_the_verilog(hdl: &Path) -> BTreeMap<String, Ports> {
    fn walk(module: &elaborate::Module, hdl: &Path, all: &mut BTreeMap<String, Ports>) {
        let both = [("in", &module.inputs), ("out", &module.outputs)];
        let mut ports: Ports = both
            .into_iter()
            .flat_map(|(d, list)| list.iter().map(move |(n, b)| (n.clone(), (d.to_owned(), *b))))
            .collect();
        let text = fs::read_to_string(hdl.join(format!("{}.v", module.name))).unwrap();
        if text.lines().any(|l| l.trim_start().starts_with("input") && l.contains(" clk,")) {
            ports.insert("clk".to_owned(), ("in".to_owned(), 1));
        }
        all.insert(module.name.clone(), ports);
        module.children.values().for_each(|child| walk(child, hdl, all));
    }
    let mut all = BTreeMap::new();
    for top in ["ring_gateway", "smb_axi4", "smb_link"] {
        let top = elaborate::elaborate(hdl, top, &Parameters::DEFAULT)
            .unwrap_or_else(|error| panic!("{error}"));
        walk(&top, hdl, &mut all);
    }
    all
}

/// What differs between page and Verilog.
fn compare(page: &str, found: &Ports, expected: &Ports) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, port) in expected {
        match found.get(name) {
            None => wrong.push(format!("{page}: `{name}` is missing: {port:?}")),
            Some(other) if other != port => {
                wrong.push(format!("{page}: `{name}` is {port:?}, not {other:?}"));
            }
            Some(_) => {}
        }
    }
    let extra = found.keys().filter(|name| !expected.contains_key(*name));
    wrong.extend(extra.map(|name| format!("{page}: the Verilog has no `{name}`")));
    wrong
}

/// The tables are written from the text of the Verilog; this is what Yosys makes of it.
#[test]
fn ports_of_the_pages_are_those_of_yosys() {
    let verilog = of_the_verilog(&repository().join("hdl"));
    let pages = pages();
    let mut wrong = Vec::new();
    for (page, text) in &pages {
        let found = table(page, text, &mut wrong);
        match verilog.get(page) {
            Some(expected) => wrong.extend(compare(page, &found, expected)),
            None => wrong.push(format!("{page}: no such module")),
        }
    }
    let with: BTreeSet<&String> = pages.iter().map(|(name, _)| name).collect();
    wrong.extend(verilog.keys().filter(|m| !with.contains(m)).map(|m| format!("{m}: no page")));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_wrong_port_is_named() {
    let text = "## Interface\n\n| port | dir | width | |\n|---|---|---:|---|\n\
                | `clk`, `a_{valid,ready}` | in, in, out | 1 | |\n| `b` | out | MAIL_W + 1 | |\n\n## Next\n| `c` | in | 1 |\n";
    let mut wrong = Vec::new();
    let found = table("x", text, &mut wrong);
    assert!(wrong.is_empty(), "{wrong:?}");
    let port = |d: &str, bits| (d.to_owned(), bits);
    let expected: Ports = [
        ("clk", port("in", 1)),
        ("a_valid", port("in", 1)),
        ("a_ready", port("in", 1)),
        ("b", port("out", 4)),
        ("d", port("out", 2)),
    ]
    .into_iter()
    .map(|(name, port)| (name.to_owned(), port))
    .collect();
    let told = compare("x", &found, &expected);
    assert_eq!(told.len(), 3, "{told:?}");
    for name in ["`a_ready` is", "`b` is", "`d` is missing"] {
        assert!(told.iter().any(|t| t.contains(name)), "{name}: {told:?}");
    }
}
