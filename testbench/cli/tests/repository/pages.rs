// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pages of the blocks say what the Verilog has: every port with direction and width, every state,
//! every mutant. Links of all pages lead somewhere, requirement ids
//! in their prose are links, and the index has every page.

use crate::blocks::pages::{documents, is_markdown, repository};
use awgstar::contract::{board, fsm::FSMS};
use awgstar::rtl::Parameters;
use awgstar_cli::measured::{self, Change};
use awgstar_cli::traceability::ids;
use awgstar_lockstep::mutants;
use awgstar_simulator::elaborate;
use awgstar_stimulus::board::directed;
use awgstar_stimulus::vectors::board::FOLDERS;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// Name and text of every page, `docs/blocks/*.md`.
fn pages() -> Vec<(String, String)> {
    let mut all: Vec<_> = fs::read_dir(repository().join("docs/blocks"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    all.sort();
    all
}

/// The lines of a section.
fn section<'a>(text: &'a str, title: &str) -> Vec<&'a str> {
    let head = format!("## {title}");
    let lines = text.lines().skip_while(|l| *l != head).skip(1);
    lines.take_while(|l| !l.starts_with("## ")).collect()
}

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

/// `12`, `MEM_ADDR_W`, `MAIL_W + 1`, with the contract's parameters.
fn width(text: &str) -> Option<usize> {
    let (base, more) = match text.split_once('+') {
        Some((base, more)) => (base.trim(), more.trim().parse().ok()?),
        None => (text.trim(), 0),
    };
    let parameters = [
        ("MEM_ADDR_W", board::MEM_ADDR_W),
        ("TX_ADDR_W", board::TX_ADDR_W),
        ("MAIL_W", board::MAIL_W),
        ("AXI_ID_W", board::AXI_ID_W),
        // Without an engine its memories have the least size.
        ("NODE_W", 1),
        ("WORDS_W", 10),
        ("ADDR_W", 9),
    ];
    let known = parameters.iter().find(|(name, _)| *name == base).map(|(_, value)| *value);
    Some(known.or_else(|| base.parse().ok())? + more)
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
            match width(&text) {
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
    for top in ["smb_link", "smb", "smb_axi4", "ring_link"] {
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

#[test]
fn every_module_has_a_page_with_its_ports() {
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

/// Where a page has a table of states, it is the contract's.
#[test]
fn states_are_those_of_the_contract() {
    for (page, text) in pages() {
        let rows = section(&text, "Registers and rules");
        let Some(at) = rows.iter().position(|l| l.starts_with("| state | code |")) else {
            continue;
        };
        let fsm =
            FSMS.iter().find(|f| f.module == page).unwrap_or_else(|| panic!("{page}: states"));
        let found: Vec<(String, u8)> = rows[at + 2..]
            .iter()
            .take_while(|l| l.starts_with('|'))
            .map(|l| {
                let cells: Vec<&str> = l.split('|').map(str::trim).collect();
                (cells[1].to_owned(), cells[2].parse().unwrap())
            })
            .collect();
        let expected: Vec<_> = fsm.states.iter().map(|(s, c)| ((*s).to_owned(), *c)).collect();
        assert_eq!(found, expected, "{page}");
    }
}

/// Pages of the board name all mutants of their file, and directed runs and vectors that exist.
#[test]
fn what_checks_a_block_exists() {
    let mut injected: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for list in ["board", "board-more", "board-alone", "axi4"] {
        let path = repository().join(format!("testbench/mutants/{list}.toml"));
        for mutant in mutants::read(&path).unwrap() {
            // What both boards have is on the page of the first.
            let file = mutant.file.replace("include/smb_core.vh", "smb.v");
            injected.entry(file).or_default().insert(mutant.id);
        }
    }
    let runs: BTreeSet<String> = directed::named().into_iter().map(|n| n.name).collect();
    let mut checked = 0;
    for (page, text) in pages() {
        for row in section(&text, "Checked by") {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let [_, what, cell, _] = cells[..] else { continue };
            let told: BTreeSet<String> = names(cell).into_iter().collect();
            if what.starts_with("mutants") {
                let all = injected.get(&format!("{page}.v")).cloned().unwrap_or_default();
                assert_eq!(told, all, "{page}");
                checked += 1;
            } else if what.starts_with("directed runs") {
                let unknown: Vec<_> = told.difference(&runs).collect();
                assert!(unknown.is_empty(), "{page}: {unknown:?}");
            } else if what == "vectors" {
                for name in told.iter().filter(|n| !n.contains('/')) {
                    let found = FOLDERS.iter().any(|folder| {
                        repository().join("vectors").join(folder).join(name).is_dir()
                    });
                    assert!(found, "{page}: no vector {name}");
                }
            }
        }
    }
    // A port of its own: the drawings are of runs of `smb`.
    let drawn = |f: &str| repository().join("docs/blocks").join(f.replace(".v", ".svg")).exists();
    let with = injected.keys().filter(|f| *f == "axi4_port.v" || drawn(f));
    assert_eq!(checked, with.count());
}

/// Lines outside code blocks, with their numbers and without inline code; `generated` with the sections
/// between marks.
fn prose(text: &str, generated: bool) -> Vec<(usize, String)> {
    let (mut fence, mut marked, mut all) = (false, false, Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let start = line.trim_start();
        if start.starts_with("```") {
            fence = !fence;
        } else if start.starts_with("<!-- begin ") {
            marked = true;
        } else if start.starts_with("<!-- end ") {
            marked = false;
        } else if !fence && (generated || !marked) {
            let outside: Vec<&str> = line.split('`').step_by(2).collect();
            all.push((number, outside.join("`")));
        }
    }
    all
}

/// A line without its links, and their targets.
fn targets(line: &str) -> (String, Vec<String>) {
    let (mut rest, mut all) = (line.to_owned(), Vec::new());
    while let Some((head, tail)) = rest.split_once("](")
        && let (Some(open), Some((target, tail))) = (head.rfind('['), tail.split_once(')'))
    {
        all.push(target.to_owned());
        rest = format!("{}{tail}", &head[..open]);
    }
    (rest, all)
}

/// What a link to a page may name after `#`: its headings, as GitHub writes them, and its `id`s.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut fence = false;
    for line in text.lines() {
        fence ^= line.trim_start().starts_with("```");
        let title = line.trim_start_matches('#');
        if !fence && title.len() < line.len() && title.starts_with(' ') {
            let keep = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
            let slug: String = title.trim().to_lowercase().chars().filter(keep).collect();
            let slug = slug.replace(' ', "-");
            let again = (1..).map(|n| format!("{slug}-{n}"));
            let free = std::iter::once(slug.clone()).chain(again).find(|s| !all.contains(s));
            all.extend(free);
        }
        let ids = line.split("id=\"").skip(1).filter_map(|part| part.split_once('"'));
        all.extend(ids.map(|(id, _)| id.to_owned()));
    }
    all
}

#[test]
fn links_lead_somewhere() {
    let documents = documents();
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for (page, text) in &documents {
        let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (number, line) in prose(text, true) {
            for target in targets(&line).1 {
                if target.contains("://") || target.starts_with("mailto:") {
                    continue;
                }
                checked += 1;
                let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
                let full = repository().join(folder).join(path);
                if !path.is_empty() && !full.exists() {
                    wrong.push(format!("{page}:{number}: no file {target}"));
                } else if !anchor.is_empty() && (path.is_empty() || is_markdown(path)) {
                    let there = match path {
                        "" => anchors(text),
                        _ => anchors(&fs::read_to_string(full).unwrap()),
                    };
                    if !there.contains(anchor) {
                        wrong.push(format!("{page}:{number}: no anchor {target}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(checked > 1000, "only {checked} links");
}

/// The index names every page of `docs` once.
#[test]
fn the_index_is_complete() {
    let documents = documents();
    let lines = prose(&documents["docs/README.md"], true);
    let named: Vec<String> = lines.iter().flat_map(|(_, line)| targets(line).1).collect();
    for page in documents.keys().filter_map(|page| page.strip_prefix("docs/")) {
        let times = named.iter().filter(|target| *target == page).count();
        assert_eq!(times, usize::from(page != "README.md"), "{page}");
    }
}

/// Outside headings, code and what is generated.
#[test]
fn requirement_ids_in_prose_are_links() {
    let documents = documents();
    let spec = anchors(&documents["docs/spec.md"]);
    let by_hand = |page: &str| {
        let generated = ["contract", "registers", "synthesis", "traceability"];
        page.strip_prefix("docs/")
            .and_then(|p| p.strip_suffix(".md"))
            .is_some_and(|p| !generated.contains(&p))
    };
    let mut wrong = Vec::new();
    for (page, text) in documents.iter().filter(|(page, _)| by_hand(page)) {
        for (number, line) in prose(text, false) {
            let line = match line.strip_prefix("- **").and_then(|rest| rest.split_once("**")) {
                Some((_, rest)) if page == "docs/spec.md" => rest,
                _ if line.starts_with('#') => "",
                _ => &line,
            };
            let plain = ids(&targets(line).0).into_iter();
            let plain = plain.map(|(prefix, n)| format!("{prefix}-{n}"));
            let known = plain.filter(|id| spec.contains(&id.to_lowercase()));
            wrong.extend(known.map(|id| format!("{page}:{number}: {id} is no link")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A mark `made by ... from` names the recipe of the figures next to it.
#[test]
fn figures_are_of_the_present_recipe() {
    let mut stale = measured::stale(&repository()).unwrap();
    stale.retain(|mark| mark.change == Change::Fails);
    let lines: Vec<String> = stale.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

/// Crates that pages list and count are those of the workspace, and so are those that are safe.
#[test]
fn pages_know_the_crates() {
    let text = |page: &str| fs::read_to_string(repository().join(page)).unwrap();
    let manifest: toml::Table = text("Cargo.toml").parse().unwrap();
    let members = manifest["workspace"]["members"].as_array().unwrap();
    let mut folders: BTreeSet<&str> = members.iter().map(|m| m.as_str().unwrap()).collect();
    let page = text("docs/architecture.md");
    let unsafe_ones = folders
        .iter()
        .filter(|f| !text(&format!("{f}/src/lib.rs")).contains("forbid(unsafe_code)"));
    for folder in unsafe_ones {
        let (_, name) = folder.split_once('/').unwrap();
        let line = page.lines().find(|line| line.starts_with("All crates but six forbid")).unwrap();
        assert!(line.contains(&format!("`awgstar-{name}`")), "{line}: {name}");
    }
    let in_model = folders.iter().filter(|folder| folder.starts_with("model/")).count();
    let says = format!("the model, {in_model} crates");
    assert!(text("README.md").contains(&says), "README.md: expected `{says}`");
    // A workspace of one crate.
    folders.insert("model/python");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `awgstar")?.split('`').nth(2));
    assert_eq!(rows.collect::<BTreeSet<_>>(), folders, "docs/architecture.md");
}

#[test]
fn links_and_anchors_are_read() {
    let text = "# A b: `c`, d\n## X\n## X\n```\n# no [x](y)\n```\n<a id=\"frm-1\"></a>[e](f.md#g) `[h](i)` ![j](k)\n";
    let expected = ["a-b-c-d", "x", "x-1", "frm-1"].map(str::to_owned);
    assert_eq!(anchors(text), expected.into_iter().collect());
    let all: Vec<String> = prose(text, true).iter().flat_map(|(_, l)| targets(l).1).collect();
    assert_eq!(all, ["f.md#g", "k"]);
}

/// A counter that others move, too, passes a value between two reads: pages wait for a difference.
#[test]
fn waits_for_a_counter_are_by_difference() {
    let docs = repository().join("docs");
    let pages = fs::read_dir(&docs).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|e| e == "md"));
    let (mut waits, mut wrong) = (0, Vec::new());
    for page in pages {
        for line in fs::read_to_string(&page).unwrap().lines().map(str::to_lowercase) {
            let counter =
                ["base", "tail", "next"].iter().any(|c| line.contains(&format!("frames.{c}")));
            let wait = ["until", "while"].iter().any(|word| line.contains(word));
            if counter && wait {
                waits += 1;
                if !line.contains(" - ") && line.contains("==") {
                    wrong.push(format!("{}: {line}", page.display()));
                }
            }
        }
    }
    assert!(waits > 0 && wrong.is_empty(), "{wrong:#?}");
}
