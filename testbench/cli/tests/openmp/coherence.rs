// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs on a cluster and on the ring, where a protocol keeps their pages coherent: they print what they print under libgomp, byte
//! by byte, and races and wrong use end the run.

use super::document::section;
use super::{PROGRAMS, built, cases, each, native, output, root};
use assert_cmd::cargo::CommandCargoExt;
use awgstar::quantity::Nanoseconds;
use awgstar_cli::study::{fdsm, sharing};
use awgstar_draw::table::Table;
use std::{collections::BTreeMap, path::PathBuf, process::Command, sync::Mutex};

const PROTOCOLS: [&str; 4] =
    ["--coherence scash", "--coherence scash --homes blocks", "--coherence fdsm", FDSM_HOMES];
/// Blocks that are inspected have homes, as in paper 003.
const FDSM_HOMES: &str = "--coherence fdsm --homes round-robin";

/// On the cluster, if `options` name no other machine.
fn cluster(options: &str, threads: usize, program: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("awgstar").unwrap();
    command.args(["run", "--openmp", "-n", &threads.to_string()]);
    let machine = if options.contains("--machine") { "" } else { "--machine cluster" };
    command.args(machine.split_whitespace());
    command.args(options.split_whitespace()).arg("--").arg(built().join(program[0]));
    command.args(&program[1..]);
    output(&mut command, "1 2 3 4 5 6 7 8\n")
}

/// Compares a program on the cluster with libgomp.
fn same(options: &str, threads: usize, program: &[&str]) -> Result<(), String> {
    let (code, out, _) = native(threads, program);
    let (found, printed, err) = cluster(options, threads, program);
    if (code, &out) == (found, &printed) && err.is_empty() && !out.is_empty() {
        return Ok(());
    }
    Err(format!("{program:?} {options}: {code}, {out:?}; found {found}, {printed:?}, {err}"))
}

fn all(options: &[&str], threads: usize, programs: &[Vec<String>]) {
    let runs: Vec<_> =
        options.iter().flat_map(|option| programs.iter().map(move |one| (*option, one))).collect();
    let errors = each(&runs, |(options, program)| {
        let words: Vec<&str> = program.iter().map(String::as_str).collect();
        same(options, threads, &words)
    });
    assert!(errors.is_empty(), "{errors:#?}");
}

fn constructs() -> Vec<Vec<String>> {
    cases("constructs").into_iter().map(|case| vec!["constructs".into(), case]).collect()
}

#[test]
fn every_construct_gives_what_libgomp_gives_with_both_protocols() {
    let constructs = constructs();
    assert!(constructs.len() >= 79, "{}", constructs.len());
    all(&["--coherence scash", "--coherence fdsm"], 4, &constructs);
}

#[test]
#[ignore = "a minute: cargo test -p awgstar-cli --test openmp -- --ignored"]
fn every_construct_gives_what_libgomp_gives_with_replicas_and_other_homes() {
    let homes = "--coherence scash --homes blocks";
    let round_robin = "--coherence scash --homes round-robin";
    let ring = "--machine ring --port axi4 --coherence fdsm --homes round-robin";
    all(&["--coherence replica", homes, round_robin, FDSM_HOMES, ring], 4, &constructs());
}

/// Small programs that are hard on pages: `programs/coherence.c`.
#[test]
fn hard_cases_give_what_libgomp_gives() {
    let hard = hard();
    assert!(hard.len() >= 48, "{}", hard.len());
    all(&["--coherence scash", "--coherence fdsm"], 3, &hard);
}

fn hard() -> Vec<Vec<String>> {
    cases("coherence").into_iter().map(|case| vec!["coherence".into(), case]).collect()
}

/// On the ring, whose memory is replicated, a protocol sends each byte once and none that is not read.
#[test]
fn some_hard_cases_give_what_libgomp_gives_on_the_ring() {
    let some: Vec<_> = hard().into_iter().step_by(4).collect();
    all(&["--machine ring --coherence fdsm"], 3, &some);
}

#[test]
#[ignore = "minutes: cargo test -p awgstar-cli --test openmp -- --ignored"]
fn programs_give_what_libgomp_gives_on_the_ring() {
    let ring = ["--machine ring --coherence fdsm", "--machine ring --port axi4 --coherence scash"];
    all(&ring, 3, &hard());
    all(&ring, 4, &constructs());
    let programs: Vec<Vec<String>> = PROGRAMS.iter().map(|name| vec![(*name).into()]).collect();
    all(&ring, 3, &programs);
    let (code, out, err) =
        cluster("--machine ring --port axi4 --coherence fdsm", 4, &["nas_cg", "S"]);
    assert!((code, err.as_str()) == (0, "") && out.contains("8.5971775078648"), "{out}{err}");
}

/// OpenMP demands a flush for this: what a thread changes is published at a barrier, which this one never reaches.
#[test]
fn a_loop_that_waits_for_a_change_without_a_flush_ends_with_a_message() {
    let program = compiled(
        "spin",
        "#include <omp.h>\nstatic volatile int flag;\nint main(void) {\n#pragma omp parallel\n if (omp_get_thread_num() == 0) flag = 1; else while (!flag) ;\n return 0; }\n",
    );
    let program = program.to_str().unwrap();
    for options in ["--coherence scash", "--coherence fdsm"] {
        let (code, out, err) = cluster(options, 2, &[program]);
        assert!(code != 0 && out.is_empty(), "{options}: {code} {out}");
        assert!(err.contains("waits in a loop at main._omp_fn.0"), "{options}: {err}");
    }
}

/// Official results of CG of the NAS Parallel Benchmarks, class S.
#[test]
fn cg_gives_its_official_result() {
    for options in ["--coherence scash", "--coherence fdsm"] {
        let (code, out, err) = cluster(options, 4, &["nas_cg", "S"]);
        assert_eq!((code, err.as_str()), (0, ""), "{options}");
        assert!(out.contains("8.5971775078648"), "{options}: {out}");
    }
}

/// CG of these classes on so many nodes gives the official zeta each way; the simulated times become a table.
fn cg(classes: &[&str], nodes: &[usize], ways: &[(&str, &str)], name: &str) {
    let mut runs = Vec::new();
    for class in classes {
        for &nodes in nodes {
            runs.extend(ways.iter().map(|way| (*class, nodes, way.1)));
        }
    }
    let times = Mutex::new(BTreeMap::new());
    let errors = each(&runs, |run: &(&str, usize, &str)| {
        let (class, nodes, options) = *run;
        let (code, out, err) = cluster(options, nodes, &["nas_cg", class]);
        let right = out.lines().any(|line| line.starts_with("right: official zeta"));
        let line = out.lines().find_map(|line| line.strip_suffix(" s"));
        let time = line.and_then(|line| line.split_whitespace().last()?.parse::<f64>().ok());
        let (0, true, "", Some(time)) = (code, right, err.as_str(), time) else {
            return Err(format!("{run:?}: {code} {out}{err}"));
        };
        times.lock().unwrap().insert(*run, time);
        Ok(())
    });
    assert!(errors.is_empty(), "{errors:#?}");
    let times = times.into_inner().unwrap();
    let mut table =
        Table::new().text("class", |row: &(&str, usize)| row.0).number("nodes", |row| row.1);
    for &(head, options) in ways {
        let times = &times;
        table = table
            .number(head, move |&(class, nodes)| format!("{:.4}", times[&(class, nodes, options)]));
    }
    let mut rows: Vec<(&str, usize)> = runs.iter().map(|run| (run.0, run.1)).collect();
    rows.dedup();
    section("coherence.md", name, &table.markdown(&rows));
}

const CLUSTER: [(&str, &str); 5] = [
    ("replica", "--coherence replica"),
    ("SCASH", "--coherence scash"),
    ("SCASH, homes in blocks", "--coherence scash --homes blocks"),
    ("FDSM", "--coherence fdsm"),
    ("FDSM, homes", FDSM_HOMES),
];

#[test]
#[ignore = "ten minutes: cargo test -p awgstar-cli --test openmp -- --ignored"]
fn cg_gives_its_official_results_on_the_cluster() {
    cg(&["S", "W", "A"], &[1, 2, 4, 8], &CLUSTER, "cg cluster");
}

#[test]
#[ignore = "half an hour or more: sh testbench/long.sh cg"]
fn cg_of_class_b_gives_its_official_result() {
    let [replica, scash, _, fdsm, _] = CLUSTER;
    cg(&["B"], &[8], &[replica, scash, fdsm], "cg b");
}

#[test]
#[ignore = "half an hour or more: sh testbench/long.sh cg"]
fn cg_on_the_ring_gives_its_official_results() {
    let ways = [
        ("replica", "--machine ring --port axi4"),
        ("FDSM", "--machine ring --port axi4 --coherence fdsm"),
    ];
    cg(&["S", "W"], &[1, 2, 4, 8], &ways, "cg ring");
}

#[test]
fn programs_give_what_libgomp_gives() {
    let programs: Vec<Vec<String>> = PROGRAMS.iter().map(|name| vec![(*name).into()]).collect();
    all(&["--coherence replica"], 3, &programs);
    all(&PROTOCOLS, 3, &programs);
}

/// A program that is compiled here.
fn compiled(name: &str, source: &str) -> PathBuf {
    let folder = built().join("compiled");
    std::fs::create_dir_all(&folder).unwrap();
    let (file, to) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&file, source).unwrap();
    let done = Command::new("gcc").args(["-O1", "-fopenmp"]).arg(&file).arg("-o").arg(&to).status();
    assert!(done.unwrap().success());
    to
}

/// A node that dies while FDSM inspects its first blocks, or a page is on its way, ends the run and is named.
#[test]
fn a_node_that_dies_ends_the_run() {
    let ring = PROTOCOLS.map(|options| format!("--machine ring {options}"));
    for options in PROTOCOLS.iter().copied().chain(ring.iter().map(String::as_str)) {
        for (mode, what) in [("killed", "node 2: signal 9"), ("first_killed", "node 0: signal 9")] {
            let (code, out, err) = cluster(options, 4, &["pitfalls", mode]);
            assert!(code == 137 && err.contains(what), "{options} {mode}: {code} {out}{err}");
        }
    }
}

/// Two threads write a byte between two barriers: neither protocol gives one of the values in silence.
#[test]
fn a_race_on_a_page_ends_the_run() {
    let program = compiled(
        "race",
        "int x[2048];\nint main(void) {\n#pragma omp parallel for\n for (int i = 0; i < 8; i++) x[i % 2] = i + 1;\n return 0; }\n",
    );
    let program = program.to_str().unwrap();
    for options in PROTOCOLS {
        let (code, _, err) = cluster(options, 4, &[program]);
        assert_ne!(code, 0, "{options}");
        assert!(err.contains("race on `x`") && err.contains("wrote 0x01"), "{options}: {err}");
    }
}

/// A block that does in its fourth execution what it did not do before.
#[test]
fn a_change_of_pattern_is_found_and_gives_no_other_result() {
    let source = "#include <stdio.h>\nstatic int a[65536];\nint main(void) {\n int sum = 0;\n for (int step = 1; step < 6; step++) {\n#pragma omp parallel for\n  for (int i = 0; i < 32768; i++) a[step == 4 ? 65535 - i : i] += step * i;\n }\n for (int i = 0; i < 65536; i++) sum = sum * 3 + a[i];\n printf(\"%d\\n\", sum); return 0; }\n";
    let program = compiled("pattern", source);
    let program = program.to_str().unwrap();
    for options in ["--coherence fdsm", "--coherence scash"] {
        assert_eq!(same(options, 4, &[program]), Ok(()));
    }
    let (code, _, err) = cluster("--coherence fdsm --check pattern", 4, &[program]);
    assert_ne!(code, 0);
    assert!(err.contains("which its pattern does not have") && err.contains("a)"), "{err}");
}

/// Of a product of `nas_cg` in its inner loop, over all nodes: messages, their bytes, and faults.
fn product(options: &str, class: &str) -> [f64; 3] {
    let blocks = |iterations: &str| -> BTreeMap<String, [u64; 4]> {
        let program = ["nas_cg", class, iterations, "-t"];
        let (code, _, err) = cluster(&format!("{options} --json"), 4, &program);
        assert_eq!(code, 0, "{err}");
        let json: serde_json::Value = serde_json::from_str(&err).unwrap();
        let block = |one: &serde_json::Value| {
            let count = |name: &str| one[name].as_u64().unwrap();
            let faults = count("read_faults") + count("write_faults");
            let counts = [count("runs"), count("messages"), count("bytes"), faults];
            (one["name"].as_str().unwrap().to_owned(), counts)
        };
        json["pages"]["blocks"].as_array().unwrap().iter().map(block).collect()
    };
    let (four, five) = (blocks("4"), blocks("5"));
    let more = |(name, counts): (&String, &[u64; 4])| {
        let before = four[name];
        let [runs, counts @ ..] = [0, 1, 2, 3].map(|at| counts[at] - before[at]);
        // Four threads, 25 products.
        (runs == 100).then_some(counts)
    };
    let loops: Vec<[u64; 3]> = five.iter().filter_map(more).collect();
    assert_eq!(loops.len(), 4, "blocks of the inner loop");
    [0, 1, 2].map(|at| {
        let sum: u64 = loops.iter().map(|counts| counts[at]).sum();
        f64::from(u32::try_from(sum).unwrap()) / 25.0
    })
}

/// What the study of FDSM runs is what `nas_cg` does. The program's vectors do not begin with pages, and FDSM takes the
/// product with `z` after the loop for another execution of that with `p`: it sends both.
#[test]
#[ignore = "20 seconds: cargo test -p awgstar-cli --test openmp -- --ignored"]
fn the_study_of_fdsm_runs_the_pattern_of_cg() {
    let rows = 7000;
    for (way, options, other) in [
        (fdsm::WAYS[0], "--coherence fdsm", 3.0 * 8.0 * 7000.0),
        (fdsm::WAYS[1], "--coherence scash --homes blocks", 0.0),
    ] {
        let study = fdsm::row(way, 4, rows, Nanoseconds(0)).unwrap();
        let expected = [study.messages, study.bytes, study.faults];
        let expected = expected.map(|count| f64::from(u32::try_from(count).unwrap()));
        let found = product(options, "W");
        for (at, (found, expected)) in found.into_iter().zip(expected).enumerate() {
            let expected = if at == 1 { expected + other } else { expected };
            assert!(
                (found - expected).abs() <= 0.1 * expected,
                "{options}, {at}: {found}, {expected}"
            );
        }
    }
}

/// A part of the study of sharing gives rows of its file, to the last digit: three ways on the ring and one on the
/// cluster, without computing and with it, and pieces that move.
#[test]
fn rows_of_sharing_are_those_in_the_documents() {
    let file = root().join("docs/study/sharing.csv");
    let file = std::fs::read_to_string(file).unwrap();
    let mut part = Command::cargo_bin("awgstar").unwrap();
    let (code, out, err) = output(part.args(["study", "sharing", "--shard", "78/97"]), "");
    assert_eq!(code, 0, "{err}");
    let mut rows = Vec::new();
    for line in out.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Some(result) = line.get("result") {
            rows.push(serde_json::from_value::<sharing::Row>(result.clone()).unwrap());
        }
    }
    assert!(rows.len() == 4, "{rows:?}");
    for line in sharing::results(&rows).unwrap().rows[0].csv().lines() {
        assert!(file.lines().any(|other| other == line), "not in sharing.csv: {line}");
    }
}

/// What was reached: messages of each kind, and a block that had a pattern.
#[test]
fn the_report_says_what_the_protocol_did() {
    for (options, machine) in [
        ("--coherence fdsm --json", "cluster, lock queue, barrier combined, FDSM"),
        (
            "--machine ring --coherence fdsm --json",
            "ring, lock queue, barrier ring, order confirmed, FDSM",
        ),
    ] {
        says_what_the_protocol_did(options, machine);
    }
}

fn says_what_the_protocol_did(options: &str, machine: &str) {
    let (code, _, err) = cluster(options, 4, &["cg"]);
    assert_eq!(code, 0, "{err}");
    let json: serde_json::Value = serde_json::from_str(&err).unwrap();
    assert_eq!(json["machine"], machine);
    let nodes = json["pages"]["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 4);
    for node in nodes {
        for count in ["runs", "read_faults", "write_faults", "diffs", "messages", "barriers_ns"] {
            assert!(node[count].as_u64().unwrap() > 0, "{count}: {node}");
        }
    }
    let blocks = json["pages"]["blocks"].as_array().unwrap();
    assert!(blocks.iter().any(|block| block["name"].as_str().unwrap().starts_with("dot+")));
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let program = root().join("README.md");
    let program = program.to_str().unwrap();
    for (options, expected) in [
        (
            "--machine gen1 --coherence fdsm",
            "expected `replica`, --machine ring or --machine cluster",
        ),
        ("--machine ring --coherence fdsm --audit", "expected --coherence replica"),
        ("--machine cluster --homes blocks", "expected --coherence scash or --coherence fdsm"),
        ("--machine cluster --coherence fdsm --homes blocks", "expected --homes round-robin"),
        ("--machine cluster --coherence scash --audit", "expected --coherence replica"),
        ("--machine cluster --coherence scash --check pattern", "expected --coherence fdsm"),
    ] {
        let mut command = Command::cargo_bin("awgstar").unwrap();
        command.args(["run", "--openmp", "-n", "2"]).args(options.split_whitespace());
        let (code, _, err) = output(command.args(["--", program]), "");
        assert_eq!(code, 2, "{options}: {err}");
        assert!(err.contains(expected), "{options}: {err}");
    }
}
