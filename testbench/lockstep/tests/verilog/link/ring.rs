// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of nodes, each with a clock of its own, in Verilator: `testbench/verilog/links.v`.

use super::{LIMIT, repository};
use awgstar_simulator::build::build;
use awgstar_simulator::process::Task;
use awgstar_simulator::recipe::Recipe;
use awgstar_simulator::{Sources, Token, Verilator};
use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

const BENCH: [&str; 5] = ["links.cpp", "links.v", "line.v", "numbered_source.v", "numbered_sink.v"];
const FLAGS: [&str; 12] = [
    "--cc",
    "--exe",
    "--build",
    "-O3",
    "-CFLAGS",
    "-O2",
    "-j",
    "2",
    "--x-assign",
    "fast",
    "--x-initial",
    "fast",
];
const PPM: u32 = 100;

/// Nodes of a ring: half the Verilog takes half the time to compile.
fn nodes() -> u64 {
    if crate::whole() { 4 } else { 2 }
}

/// Counts of a run by their name.
type Counts = BTreeMap<String, u64>;

fn run(nodes: u64, longest: bool, frames: u64, tokens: u64, mode: &str, limit: Duration) -> Counts {
    run_with(2, nodes, longest, [frames, tokens], mode, limit)
}

/// `numbers` are frames and tokens.
fn run_with(
    own_idle: u8,
    nodes: u64,
    longest: bool,
    numbers: [u64; 2],
    mode: &str,
    limit: Duration,
) -> Counts {
    let [frames, tokens] = numbers;
    let sources = Sources::of(&repository());
    let mut recipe = Recipe {
        module: "links",
        top: "links".into(),
        flags: FLAGS.iter().map(|&f| f.to_owned()).collect(),
        files: BENCH.iter().map(|f| sources.bench.join(f)).collect(),
        includes: vec![sources.hdl.join("include"), sources.bench.clone()],
        ..Recipe::default()
    };
    recipe.flags.extend([
        "-Wno-fatal".into(),
        format!("-GNODES={nodes}"),
        format!("-GOWN_IDLE={own_idle}"),
        format!("-GLONGEST={}", u8::from(longest)),
    ]);
    recipe.files.extend(sources.design().unwrap());
    let program = build(&Verilator, &recipe, &repository().join("target/cosim"))
        .unwrap_or_else(|error| panic!("{error}"))
        .file;
    let token = Token::random();
    let args = [
        nodes.to_string(),
        frames.to_string(),
        "1".into(),
        PPM.to_string(),
        tokens.to_string(),
        mode.into(),
        token.to_string(),
    ];
    let task = Task::new("verilator", limit).doing("running the ring");
    let run = task.run(Command::new(program).args(args)).unwrap_or_else(|error| panic!("{error}"));
    let pairs = token.lines(&run.text).filter_map(|line| line.split_once(' '));
    let counts: Counts =
        pairs.filter_map(|(name, value)| Some((name.to_owned(), value.parse().ok()?))).collect();
    println!("{nodes} nodes, {mode}: {counts:?}");
    counts
}

/// Every frame came to every other node once, as it was sent, and returned.
fn nothing_is_lost(nodes: u64, frames: u64, counts: &Counts) {
    let sent = counts["sent"];
    assert!(sent >= frames, "{counts:?}");
    assert_eq!(counts["returned"], sent, "{counts:?}");
    assert_eq!(counts["good"], sent * (nodes - 1), "{counts:?}");
    for name in ["missing", "again", "wrong", "overflow", "underrun", "bad_words", "broken"] {
        assert_eq!(counts[name], 0, "{name}: {counts:?}");
    }
}

// checks LNK-5, LNK-6, COD-9
#[test]
fn nodes_with_clocks_of_their_own_lose_nothing() {
    let counts = run(nodes(), false, 10_000, nodes(), "load", LIMIT);
    nothing_is_lost(nodes(), 10_000, &counts);
    // The clocks do differ: 200 ppm of what ran are dozens of words that were inserted or deleted.
    assert!(counts["cycles"] > 200_000, "{counts:?}");
}

/// One hop without load: 4 cycles of the node, and the link.
// checks LNK-8, NODE-2
#[test]
fn a_hop_is_shorter_than_247_ns() {
    let counts = run(nodes(), false, 300, 1, "light", LIMIT);
    nothing_is_lost(nodes(), 300, &counts);
    let (node, link) = (counts["node_most_ps"], counts["link_most_ps"]);
    assert!((59_400..59_600).contains(&node), "{counts:?}");
    assert!(counts["link_least_ps"] > 100_000 && node + link < 247_000, "{counts:?}");
}

/// A bit error costs the frame it is in, or the two it is between, and no other.
// checks LNK-7, COD-7, COD-8
#[test]
fn a_bit_error_costs_its_frames() {
    let counts = run(nodes(), false, 5_000, nodes(), "errors", LIMIT);
    let (flips, lost) = (counts["flips"], counts["sent"] - counts["returned"]);
    assert!(flips > 20 && counts["bad_words"] >= flips && lost > 0, "{counts:?}");
    assert!(lost <= 2 * flips && counts["downs"] == 0, "{counts:?}");
    assert!(counts["missing"] <= 2 * (nodes() - 1) * flips, "{counts:?}");
    for name in ["again", "wrong", "overflow", "underrun"] {
        assert_eq!(counts[name], 0, "{name}: {counts:?}");
    }
}

/// A dark line is a cut link: what is on it is lost, and the ring runs again when the light is back.
// checks COD-9
#[test]
fn a_dark_line_is_a_cut_link() {
    let counts = run(nodes(), false, 5_000, nodes(), "dark", LIMIT);
    let (cuts, lost) = (counts["cuts"], counts["sent"] - counts["returned"]);
    assert!(cuts >= 3 && counts["downs"] > cuts && counts["sent"] >= 5_000, "{counts:?}");
    // Each cut takes the frames of all tokens at most.
    assert!(lost <= nodes() * cuts, "{counts:?}");
    for name in ["again", "wrong", "overflow", "underrun"] {
        assert_eq!(counts[name], 0, "{name}: {counts:?}");
    }
}

/// The long table of docs/links.md. `AWGSTAR_FRAMES` is the number of frames of each ring, 10,000,000 without it;
/// `AWGSTAR_NODES` the one ring to run.
// checks LNK-5, LNK-6
#[test]
#[ignore = "hours: see docs/links.md"]
fn ten_million_frames() {
    let frames = std::env::var("AWGSTAR_FRAMES").map_or(10_000_000, |n| n.parse().unwrap());
    let one = std::env::var("AWGSTAR_NODES").map(|n| vec![n.parse().unwrap()]);
    for nodes in one.unwrap_or(vec![2, 4, 8]) {
        let limit = Duration::from_secs(6 * 3600);
        nothing_is_lost(nodes, frames, &run(nodes, false, frames, nodes, "load", limit));
    }
}

/// Frames of 1,024 bytes only, and with one node that only passes frames on: the most that is asked of an
/// elastic buffer.
// checks LNK-5, LNK-6
#[test]
#[ignore = "minutes: see docs/links.md"]
fn longest_frames() {
    for nodes in [2, 4, 8] {
        for mode in ["load", "slow", "fast", "light"] {
            nothing_is_lost(nodes, 10_000, &run(nodes, true, 10_000, nodes, mode, LIMIT));
        }
    }
    // With one idle word before own frames the elastic buffer of the slow node has to cut frames.
    let counts = run_with(1, 2, true, [10_000, 2], "light", LIMIT);
    assert!(counts["overflow"] > 0 && counts["missing"] > 0, "{counts:?}");
}
