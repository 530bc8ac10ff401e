// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs on clusters with gateways: the machine of paper 004, as a file describes it.

use super::{document::section, root, run};
use awgstar_cli::study::clusters_lu::{Lu, ROWS, Way};
use awgstar_rings::clusters::Settings;
use std::fmt::Write as _;
use std::path::Path;

/// Runs processes on the clusters of a file.
fn with(folder: &Path, text: &str, args: &[&str]) -> (i32, String, String) {
    let file = folder.join("clusters.toml");
    std::fs::write(&file, text).unwrap();
    run(&[&["--ring", file.to_str().unwrap()], args].concat())
}

fn clusters(clusters: usize, nodes: usize) -> String {
    format!("system = \"clusters\"\nclusters = {clusters}\nnodes = {nodes}\n")
}

/// Seconds of the program `lu`, which compares each bit of what it finds.
fn lu(folder: &Path, (count, each): (usize, usize), words: &[&str]) -> f64 {
    let processes = (count * each).to_string();
    let args = [&["-n", &processes, "--", "@lu"], words].concat();
    let (code, out, err) = with(folder, &clusters(count, each + 1), &args);
    assert!(code == 0 && err.is_empty(), "{count} x {each}: {code} {out}{err}");
    let said = format!("on {count} rings of {each} nodes: ");
    let time = out.trim_end().strip_suffix(" s").and_then(|line| line.split_once(&said));
    time.and_then(|(_, time)| time.parse().ok()).unwrap_or_else(|| panic!("{out}"))
}

/// The paper's times, and the study's with a barrier before each step: it is not this program, but reads and computes in
/// the same steps. The program has a barrier more, and numbers that are rounded otherwise.
fn rows(folder: &Path, all: &[(usize, usize, f64)]) -> String {
    let mut table = String::new();
    for &(count, each, paper) in all {
        let of = |way| lu(folder, (count, each), &["1200", way, "57151", "13324"]);
        let pull = of("pull");
        let push = if count > 1 { format!("{:.3}", of("push")) } else { "–".into() };
        let study = Lu::new(ROWS, count, each);
        let study = study.on_clusters(Settings::new(count, each), Way::Barrier).unwrap();
        #[expect(clippy::cast_precision_loss, reason = "a figure")]
        let study = study.0 as f64 / 1e9;
        assert!((pull / study - 1.0).abs() < 0.0015, "{count} x {each}: {pull}, study {study}");
        writeln!(table, "| {count} | {each} | {paper:.3} | {study:.3} | {pull:.3} | {push} |")
            .unwrap();
    }
    table
}

const HEAD: &str = "| clusters | processes of each | paper, s | study, a barrier before each step | program, pull | push |\n|---:|---:|---:|---:|---:|---:|\n";

const PAPER: [(usize, usize, f64); 5] =
    [(1, 2, 21.675), (1, 3, 14.721), (2, 1, 23.801), (2, 2, 14.275), (2, 3, 11.707)];

#[test]
fn lu_has_the_times_of_the_study() {
    let folder = tempfile::tempdir().unwrap();
    let page = std::fs::read_to_string(root().join("docs/clusters-study.md")).unwrap();
    let table = rows(folder.path(), &PAPER[4..]);
    assert!(page.contains(HEAD) && page.contains(&table), "{table}");
}

#[test]
#[ignore = "half a minute: all rows"]
fn lu_has_all_times_of_the_study() {
    let folder = tempfile::tempdir().unwrap();
    section("clusters-study.md", "program", &(HEAD.to_owned() + &rows(folder.path(), &PAPER)));
}

/// The committed file has the usual machine; each of its numbers counts.
#[test]
fn the_file_is_the_paper_s_machine() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(root().join("docs/machines/compas.toml")).unwrap();
    let args = ["-n", "6", "--", "@lu", "30", "pull"];
    let usual = with(folder.path(), &clusters(2, 4), &args);
    assert_eq!(with(folder.path(), &text, &args), usual);
    for (from, to) in [
        ("nicam_read_ns = 200_000", "nicam_read_ns = 1"),
        ("nicam_write_ns = 188_000", "nicam_write_ns = 189_000"),
        ("\ntcp_ns = 220_000", "\ntcp_ns = 221_000"),
        ("local_ns = 8_000", "local_ns = 9_000"),
        ("handling_ns = 42_000", "handling_ns = 0"),
        ("nicam_bytes_per_ms = 32_042", "nicam_bytes_per_ms = 5_000"),
        ("\ntcp_bytes_per_ms = 10_162", "\ntcp_bytes_per_ms = 1_000"),
        ("\n[steps]", "\n[primitives]\nbarrier = \"peers\"\n[steps]"),
    ] {
        assert!(text.contains(from), "{from}");
        let (code, out, err) = with(folder.path(), &text.replacen(from, to, 1), &args);
        assert!(code == 0 && out.contains("30 rows on 2 rings of 3 nodes"), "{to}: {out}{err}");
        assert_ne!(out, usual.1, "{to}");
    }
    for (from, to, expected) in [
        ("local_ns = 8_000", "local_ns = 0", "steps.local_ns is 0: expected 1 to "),
        ("local_ns", "locl_ns", "unknown key `locl_ns`"),
        ("nodes = 4", "nodes = 1", "nodes is 1: expected 2 to 256"),
        ("nodes = 4", "nodes = 3", "--ring has 4 processes on all clusters: expected 6"),
        ("nodes = 4", "nodes = 200", "expected 256 processes or fewer"),
        ("nodes = 4", "nodes = 4\nmemory_bytes = 4096", "memory: 4096; expected 16384 to "),
        ("nodes = 4", "nodes = 4\nfibre_m = 3", "system \"clusters\" has no key `fibre_m`"),
        (
            "\n[steps]",
            "\n[primitives]\nbarrier = \"ring\"\n[steps]",
            "primitives.barrier is `ring`",
        ),
        ("\n[steps]", "\n[primitives]\nlock = \"queue\"\n[steps]", "has no key `lock`"),
        (
            "\n[steps]",
            "\n[primitives]\nlocks = 129\n[steps]",
            "primitives.locks is 129: expected 0 to 128",
        ),
    ] {
        let (code, _, err) = with(folder.path(), &text.replacen(from, to, 1), &args);
        assert!(code == 2 && err.contains(expected), "{to}: {code} {err}");
    }
}

/// What the machine does not have is refused by name; a program that reads what it loads itself has its own memory only.
#[test]
fn what_clusters_do_not_have() {
    let folder = tempfile::tempdir().unwrap();
    let text = clusters(2, 4);
    for (option, expected) in [
        (&["--lock", "queue"][..], "clusters have the locks of their gateways"),
        (&["--order", "sent"], "--order: on a cluster"),
        (&["--barrier", "ring"], "this machine has master, peers"),
        (&["--openmp"], "share no memory"),
        (&["--coherence", "fdsm"], "share no memory"),
        (&["--pcapng", "x.pcapng"], "only the ring has such frames"),
        (&["--threads", "2"], "only rings run side by side"),
        (&["--port", "axi4"], "only a ring has boards with AXI4"),
        (&["--machine", "rings"], "--machine is `rings`, but --ring describes `clusters`"),
    ] {
        let args = [option, &["-n", "6", "--", "@lu", "20"]].concat();
        let (code, _, err) = with(folder.path(), &text, &args);
        assert!(code == 2 && err.contains(expected), "{option:?}: {code} {err}");
    }
    let (code, _, err) = run(&["-n", "6", "--machine", "clusters", "--", "@lu"]);
    assert!(code == 2 && err.contains("expected --ring FILE.toml"), "{code} {err}");
    // Locks and signals of `far` and `counter`.
    let (code, _, err) = with(folder.path(), &text, &["-n", "6", "--", "@far"]);
    assert!(code != 0 && err.contains("the machine has no signals between programs"), "{err}");
    let (code, _, err) = with(folder.path(), &text, &["-n", "6", "--", "@counter"]);
    let expected = "made the call `lock`, which this machine does not offer";
    assert!(code != 0 && err.contains(expected), "{err}");
    // One-sided programs see the nodes of their own cluster, and their memory.
    let (code, out, err) = with(folder.path(), &text, &["-n", "6", "--", "@ga_sync", "2"]);
    assert!(
        code == 0 && out.matches("3 processes, 2 synchronizations, 0 wrong values").count() == 2,
        "{out}{err}"
    );
}

/// Programs that go wrong are named as on other machines: processes of the first cluster have the first numbers.
#[test]
fn runs_that_do_not_end() {
    let folder = tempfile::tempdir().unwrap();
    let waits = "no call can end: node 0 waits at the barrier, node 1 waits at the barrier, node 2 has ended";
    for (mode, expected) in [
        ("crash", "node 2: signal 11 (segmentation fault), after its call `init`"),
        ("leave", "node 2: ended without awg_finalize, after its call `init`"),
        ("skip", waits),
    ] {
        let args = ["-n", "3", "--", "@wrong", mode];
        let (code, _, err) = with(folder.path(), &clusters(1, 4), &args);
        assert!(code != 0 && err.contains(expected), "{mode}: {code} {err}");
    }
    let limit = format!("{}limit_ns = 1000000\n", clusters(2, 4));
    let (code, _, err) = with(folder.path(), &limit, &["-n", "6", "--", "@lu", "20"]);
    assert!(code != 0 && err.contains("limit_ns is reached"), "{code} {err}");
}

/// Waves have what each process asks for and each gateway does, and report, JSON and page the messages.
#[test]
fn gateways_are_in_waves_reports_and_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (vcd, html) = (at("run.vcd"), at("run.html"));
    let args = ["-n", "4", "--vcd", &vcd, "--html", &html, "--report", "--", "@lu", "12", "pull"];
    let (code, out, err) = with(folder.path(), &clusters(2, 3), &args);
    assert!(code == 0 && out.contains("12 rows on 2 rings of 2 nodes"), "{code} {out}{err}");
    // Each of the 11 rows is read from afar by the two processes of the other cluster, and each read is a request and an
    // answer; the barriers of 11 steps, two around them and those of init and finalize are an arrival and a release each.
    let line = err.lines().find(|line| line.starts_with("gateways: ")).unwrap();
    let messages: usize = line.split(' ').nth(1).unwrap().parse().unwrap();
    assert!(
        messages >= 2 * 2 * 11 + 2 * 13 - 11 && err.contains("each node has its own memory"),
        "{err}"
    );
    let waves = std::fs::read_to_string(&vcd).unwrap();
    for text in ["gateway_message", "serves", "all_have_arrived", "answer_to_#"] {
        assert!(waves.contains(text), "{text}");
    }
    assert_eq!(waves.matches(" gateway $end").count(), 2);
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.contains("answer to #") && page.contains("far read µs"), "{}", page.len());
}
