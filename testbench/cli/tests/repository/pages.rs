// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pages of the blocks say what the Verilog has: every port with direction and width, every state,
//! every mutant. Links of all pages lead somewhere, requirement ids
//! in their prose are links, and the index has every page.

use crate::blocks::pages::{documents, is_markdown, repository};
use awgstar::contract::fsm::FSMS;
use awgstar_cli::measured::{self, Change};
use awgstar_cli::{ports, traceability::ids};
use awgstar_lockstep::mutants;
use awgstar_stimulus::board::directed;
use awgstar_stimulus::vectors::board::FOLDERS;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// Name and text of every page, `docs/blocks/*.md`.
pub(crate) fn pages() -> Vec<(String, String)> {
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
pub(crate) fn section<'a>(text: &'a str, title: &str) -> Vec<&'a str> {
    let head = format!("## {title}");
    let lines = text.lines().skip_while(|l| *l != head).skip(1);
    lines.take_while(|l| !l.starts_with("## ")).collect()
}

/// Names in backticks.
fn names(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_module_has_a_page_with_its_ports() {
    let checked = ports::pages(&repository()).unwrap_or_else(|error| panic!("{error}"));
    let wrong: Vec<_> =
        checked.iter().filter(|page| page.old != page.new).map(|p| &p.path).collect();
    assert!(wrong.is_empty(), "run `cargo xtask contract generate`: {wrong:?}");
    let modules: Vec<_> = checked.iter().map(|page| page.path.file_stem().unwrap()).collect();
    let pages = pages();
    assert_eq!(modules, pages.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>());
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
            let told = names(cell);
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

/// The first page is a first screen: it leads to the index.
#[test]
fn the_readme_has_few_links() {
    let documents = documents();
    let page = prose(&documents["README.md"], true);
    let links = page.iter().flat_map(|(_, line)| targets(line).1).count();
    assert!((1..=8).contains(&links) && page.len() <= 50, "{links} links, {} lines", page.len());
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
        let line =
            page.lines().find(|line| line.starts_with("All crates but eleven forbid")).unwrap();
        assert!(line.contains(&format!("`awgstar-{name}`")), "{line}: {name}");
    }
    let in_model = folders.iter().filter(|folder| folder.starts_with("model/")).count();
    let says = format!("the model, {in_model} crates");
    assert!(text("docs/commands.md").contains(&says), "docs/commands.md: expected `{says}`");
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

/// Each row of the table has a mark with the files of its module, and the tops have rows.
#[test]
fn every_row_of_the_synthesis_has_its_hashes() {
    let page = fs::read_to_string(repository().join("docs/synthesis.md")).unwrap();
    let rows = page.split_once("| module | LUT4 |").unwrap().1;
    let rows = rows.lines().skip(2).take_while(|line| line.starts_with('|'));
    let modules: BTreeSet<_> = rows.map(|row| row.split('`').nth(1).unwrap()).collect();
    let marks: Vec<_> = page.lines().filter_map(measured::Mark::read).collect();
    let command = |mark: &measured::Mark| {
        let module = mark.command.strip_prefix("testbench/synth/run.sh ").unwrap().to_owned();
        let files: BTreeSet<_> = mark.files.iter().map(|file| file.path.as_str()).collect();
        for file in
            [&*format!("hdl/{module}.v"), "hdl/include/awgstar.vh", "testbench/synth/run.sh"]
        {
            assert!(files.contains(file), "{module}: {file}");
        }
        module
    };
    let marked: BTreeSet<_> = marks.iter().map(command).collect();
    assert_eq!(marked.iter().map(String::as_str).collect::<BTreeSet<_>>(), modules);
    for top in ["ring_node", "smb", "smb_axi4"] {
        assert!(modules.contains(top), "{top}");
    }
}
