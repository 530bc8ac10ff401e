// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of a run (`--html`): its data against the waves of the same run, and texts of users in it. The page in
//! a browser is tested by `testbench/browser/test.sh`.

use super::root;
use crate::html::{data, is_alone};
use assert_cmd::Command;
use serde_json::Value;
use std::{collections::HashMap, fs, path::Path};

/// Runs `sim` with these words; returns the page.
fn page(folder: &Path, words: &[&str]) -> String {
    let file = folder.join("page.html");
    let mut sim = Command::cargo_bin("awgstar").unwrap();
    sim.current_dir(root()).arg("sim").args(words).arg("--html").arg(&file).assert().success();
    fs::read_to_string(file).unwrap()
}

/// A list of numbers.
fn list(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect()
}

/// A list of differences as numbers.
fn sums(value: &Value) -> Vec<u64> {
    let sum = |at: &mut u64, step| {
        *at += step;
        Some(*at)
    };
    list(value).into_iter().scan(0, sum).collect()
}

/// Values of signals of a VCD in each cycle, by path; `None` is unknown. The period of a cycle is 14,868 ps.
fn cycles(vcd: &str, cycles: usize) -> HashMap<String, Vec<Option<u64>>> {
    let mut parser = vcd::Parser::new(vcd.as_bytes());
    let header = parser.parse_header().unwrap();
    let (mut names, mut open) = (HashMap::new(), vec![(String::new(), &header.items[..])]);
    while let Some((path, items)) = open.pop() {
        for item in items {
            match item {
                vcd::ScopeItem::Scope(s) => {
                    open.push((format!("{path}{}.", s.identifier), &s.items));
                }
                vcd::ScopeItem::Var(v) => {
                    names.insert(v.code, format!("{path}{}", v.reference));
                }
                _ => {}
            }
        }
    }
    let mut changes: HashMap<String, Vec<(usize, Option<u64>)>> =
        names.values().map(|name| (name.clone(), Vec::new())).collect();
    let mut now = 0;
    let mut set = |id, now: usize, value| {
        if let Some(list) = changes.get_mut(&names[&id]).filter(|_| now < cycles) {
            list.push((now, value));
        }
    };
    for command in parser {
        match command.unwrap() {
            vcd::Command::Timestamp(at) => now = usize::try_from(at / 14_868).unwrap(),
            vcd::Command::ChangeScalar(id, bit) => {
                let known = matches!(bit, vcd::Value::V0 | vcd::Value::V1);
                set(id, now, known.then_some(u64::from(bit == vcd::Value::V1)));
            }
            vcd::Command::ChangeVector(id, bits) => {
                let bit = |v: &vcd::Value| u64::from(*v == vcd::Value::V1);
                set(id, now, Some(bits.iter().fold(0, |value, b| value << 1 | bit(&b))));
            }
            _ => {}
        }
    }
    let filled = |(name, changes): (String, Vec<(usize, Option<u64>)>)| {
        let mut values = vec![None; cycles];
        for (i, (from, value)) in changes.iter().enumerate() {
            let to = changes.get(i + 1).map_or(cycles, |next| next.0);
            values[*from..to].fill(*value);
        }
        (name, values)
    };
    changes.into_iter().map(filled).collect()
}

/// A frame on a link: link, first cycle, length in cycles, bytes.
type Seen = (u64, u64, u64, Vec<u8>);

/// The whole frames on the links of a VCD.
fn frames(waves: &HashMap<String, Vec<Option<u64>>>, kind: &str, nodes: u64) -> Vec<Seen> {
    let mut all = Vec::new();
    for node in 0..nodes {
        let of = |name: &str| &waves[&format!("ring.{kind}{node}.m_axis_{name}")];
        let (valid, words, keep, last) = (of("tvalid"), of("tdata"), of("tkeep"), of("tlast"));
        let mut open: Option<(u64, Vec<u8>)> = None;
        for cycle in 0..valid.len() {
            if valid[cycle] != Some(1) {
                open = None;
                continue;
            }
            let (first, bytes) = open.get_or_insert((cycle as u64, Vec::new()));
            let lanes = keep[cycle].unwrap().count_ones() as usize;
            bytes.extend(&words[cycle].unwrap().to_le_bytes()[..lanes]);
            if last[cycle] == Some(1) {
                all.push((node, *first, cycle as u64 + 1 - *first, bytes.clone()));
                open = None;
            }
        }
    }
    all.sort_by_key(|frame| (frame.1, frame.0));
    all
}

/// The header of a frame by the table of the thesis: MAC, TOKEN, C.ST, `Node_ID`, `Multi_G`, `Act_Seq`,
/// `Packet_Cnt`, Addr.
fn header(bytes: &[u8]) -> Vec<u64> {
    let number = |bytes: &[u8]| bytes.iter().fold(0_u64, |value, b| value << 8 | u64::from(*b));
    let byte = |at: usize| u64::from(bytes[at]);
    let halves = |at| [byte(at) >> 4, byte(at) & 15];
    let mut all = vec![number(&bytes[..6]), byte(6) >> 5, byte(6) & 31, byte(7)];
    all.extend(halves(8));
    all.extend([byte(9), number(&bytes[10..14])]);
    all
}

/// Frames and registers of the page are those of the waves; returns the page's data.
fn same_as_waves(scenario: &str, kind: &str, nodes: u64, to: usize) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let vcd = folder.path().join("w.vcd");
    let window = format!("0:{to}");
    let words = [scenario, "--window", &window, "--vcd", vcd.to_str().unwrap()];
    let data = data(&page(folder.path(), &words));
    let waves = cycles(&fs::read_to_string(&vcd).unwrap(), to);
    let seen = frames(&waves, kind, nodes);
    let f = &data["frames"];
    let (link, first, length) = (list(&f["link"]), sums(&f["first"]), list(&f["length"]));
    let content = list(&f["content"]);
    // The waves end within some frames of the page.
    let whole = |i: &usize| length[*i] > 0 && first[*i] + length[*i] <= to as u64;
    let shown: Vec<usize> = (0..link.len()).filter(whole).collect();
    assert!(seen.len() > 40 && shown.len() == seen.len(), "{} and {}", shown.len(), seen.len());
    for (&i, (node, begin, cycles, bytes)) in shown.iter().zip(&seen) {
        assert_eq!((link[i], first[i], length[i]), (*node, *begin, *cycles));
        let row = &f["contents"][usize::try_from(content[i]).unwrap()];
        assert_eq!(list(&row[0]), header(bytes), "frame at cycle {begin} on link {node}");
        assert_eq!(row[1], bytes.len(), "bytes");
        let hex = hex::encode(&bytes[14..]);
        let text = row[3].as_str().unwrap();
        assert!(
            hex.starts_with(text) && text.len() == row[2].as_u64().unwrap().min(32) as usize * 2
        );
    }
    let names = data["registers"]["names"].as_array().unwrap();
    for node in 0..nodes {
        let changes = list(&data["registers"]["changes"][usize::try_from(node).unwrap()]);
        let (mut now, mut left, mut values) = (0, &changes[..], vec![None; names.len()]);
        for cycle in 0..to as u64 {
            while let [step, register, value, rest @ ..] = left {
                if now + step > cycle {
                    break;
                }
                (now, left) = (now + step, rest);
                values[usize::try_from(*register).unwrap()] = Some(*value);
            }
            for (name, value) in names.iter().zip(&values) {
                let name = format!("ring.{kind}{node}.{}", name.as_str().unwrap());
                let at = usize::try_from(cycle).unwrap();
                assert_eq!(*value, waves[&name][at], "{name} in cycle {cycle}");
            }
        }
        assert!(changes.len() > 100, "node {node}");
    }
    data
}

#[test]
fn a_page_of_nodes_has_what_is_in_the_waves() {
    let data = same_as_waves("docs/scenarios/first.toml", "node", 4, 640);
    assert_eq!(data["holds"], Value::Null, "the file asks for no check");
    // The bit error between node 2 and node 3, and the write of 44 bytes that it hits: red from there on.
    let f = &data["frames"];
    let (link, how, first) = (list(&f["link"]), list(&f["how"]), sums(&f["first"]));
    let bad: Vec<u64> =
        (0..link.len()).filter(|i| how[*i] >> 9 & 1 == 1).map(|i| link[i]).collect();
    assert_eq!(bad, [2, 3], "the links after nodes 2 and 3");
    assert!(first.is_sorted());
    assert_eq!(data["notes"]["texts"][0], "write 4 B at 0x100");
    let actions: Vec<u64> = how.iter().map(|how| how >> 4 & 7).collect();
    for fate in 0..3 {
        assert!(actions.contains(&fate), "fate {fate}");
    }
}

#[test]
fn a_page_of_boards_has_what_is_in_the_waves() {
    let data = same_as_waves("docs/scenarios/lock.toml", "board", 4, 8_000);
    assert_eq!(data["holds"], true);
    let kinds: Vec<_> = data["spans"]["kinds"].as_array().unwrap().iter().collect();
    assert!(kinds.iter().any(|kind| kind["name"] == "has the lock"), "{kinds:?}");
    assert!(data["lines"]["rows"].as_array().unwrap().len() > 5);
}

#[test]
fn every_kind_of_run_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    for (name, kind, unit) in [
        ("frames", "boards", "cycle"),
        ("generation1", "generation1", "ns"),
        ("paging", "paging", "cycle"),
        ("mandelbrot", "mandelbrot", "ns"),
        ("bypass", "boards", "cycle"),
    ] {
        let file = format!("docs/scenarios/{name}.toml");
        let data = data(&page(folder.path(), &[&file]));
        assert_eq!((&data["kind"], &data["unit"]), (&kind.into(), &unit.into()), "{name}");
        let nodes = data["nodes"].as_array().unwrap().len() as u64;
        let spans = &data["spans"];
        let (node, from, length) =
            (list(&spans["node"]), sums(&spans["from"]), list(&spans["length"]));
        assert!(!node.is_empty(), "{name}: no time lines");
        let end = data["window"][1].as_u64().unwrap();
        for i in 0..node.len() {
            assert!(node[i] < nodes && from[i] < end && length[i] > 0, "{name}: span {i}");
        }
        assert!(!data["report"].as_str().unwrap().is_empty());
        assert_eq!(data["left_out"], serde_json::json!([]), "{name}");
        let make = data["waves"]["make"].as_str().unwrap();
        assert_eq!(make, format!("awgstar sim {file} --vcd page.vcd --window"));
    }
}

#[test]
fn texts_of_users_are_texts() {
    let folder = tempfile::tempdir().unwrap();
    let evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!--&\"'`";
    let file = folder.path().join("$(touch x) <b>'.toml");
    let text = format!(
        "title = '''{evil}'''\nsystem = \"board-ring\"\nnodes = 2\ncycles = 20000\n\
         [[program]]\nnodes = 1\ndo = [{{ write = 0x100, text = '''{evil}''' }}]\n"
    );
    fs::write(&file, text).unwrap();
    let page = page(folder.path(), &[file.to_str().unwrap()]);
    assert_eq!(data(&page)["title"], evil, "it is there");
    let lower = page.to_lowercase();
    assert_eq!(lower.matches("<script").count(), 2, "the data and the script");
    assert_eq!(lower.matches("</script").count(), 2);
    for bad in ["<img", "<!--", "<b>'"] {
        assert!(!lower.contains(bad), "{bad}");
    }
    let title = page.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;
    assert!(title.starts_with("&lt;/script&gt;&lt;script&gt;alert(1)"), "{title}");
    let own = data(&page)["title"].to_string().replace('<', "\\u003c");
    is_alone(&page, &[own.trim_matches('"'), title]);
    // A word of a shell cannot leave its quotes.
    let make = data(&page)["waves"]["make"].as_str().unwrap().to_owned();
    assert!(make.contains("/$(touch x) <b>'\\''.toml' --vcd page.vcd"), "{make}");
}

#[test]
fn a_page_of_a_window_has_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["docs/scenarios/frames.toml", "--window", "12000:13000"];
    let data = data(&page(folder.path(), &words));
    assert_eq!(data["window"], serde_json::json!([12000, 13000]));
    let first = sums(&data["frames"]["first"]);
    assert!(first.len() > 50 && first[first.len() - 1] < 13_000 && first[0] > 11_900);
    assert_eq!(data["registers"]["from"], 12_000);
    let refused = Command::cargo_bin("awgstar")
        .unwrap()
        .current_dir(root())
        .args(["sim", "docs/scenarios/frames.toml", "--window", "90000:90001", "--html"])
        .arg(folder.path().join("late.html"))
        .assert()
        .code(2);
    let error = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(error.contains("--window: the run ends after 60000 cycles"), "{error}");
}

/// The files of `docs/gallery`, with the windows of `docs/html.md`. `UPDATE=1` writes them.
#[test]
fn the_gallery_is_what_the_commands_write() {
    let text = fs::read_to_string(root().join("docs/html.md")).unwrap();
    let commands: Vec<Vec<&str>> = text
        .lines()
        .filter_map(|line| line.strip_prefix("cargo run -- sim "))
        .filter(|line| line.contains("docs/gallery/"))
        .map(|line| line.split(' ').collect())
        .collect();
    let folder = tempfile::tempdir().unwrap();
    for words in &commands {
        let at = words.iter().position(|word| *word == "--html").unwrap();
        let committed = root().join(words[at + 1]);
        let fresh = folder.path().join(committed.file_name().unwrap());
        let mut sim = Command::cargo_bin("awgstar").unwrap();
        sim.current_dir(root()).arg("sim").args(&words[..=at]).arg(&fresh).args(&words[at + 2..]);
        sim.assert().success();
        let fresh = fs::read(&fresh).unwrap();
        assert!(fresh.len() < 300_000, "{words:?}: {} bytes", fresh.len());
        if std::env::var_os("UPDATE").is_some() {
            fs::create_dir_all(committed.parent().unwrap()).unwrap();
            fs::write(&committed, &fresh).unwrap();
        }
        let same = fs::read(&committed).is_ok_and(|committed| committed == fresh);
        assert!(same, "{}: write it again with UPDATE=1", committed.display());
    }
    let files = fs::read_dir(root().join("docs/gallery")).unwrap().count();
    assert_eq!((commands.len(), files), (6, 6));
}
