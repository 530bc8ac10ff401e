// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors on the Verilog, in both simulators. A missing simulator fails, never skips.

mod assertions;
mod forged;
mod judged;
mod script;

use crate::gtkw;
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_simulator::{Class, Icarus, Options, Simulator, Verilator, cosim};
use awgstar_stimulus::vector;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn all_pass(simulator: &dyn Simulator, modes: &[u32]) {
    pass(simulator, modes, &|_| true);
}

fn pass(simulator: &dyn Simulator, modes: &[u32], keep: &dyn Fn(&Class) -> bool) {
    let mut options = Options::all(&root(), simulator).unwrap();
    options.modes = modes.to_vec();
    options.classes.retain(keep);
    let summary = cosim(&options, &|_| {}).unwrap();
    let text: Vec<String> = summary
        .reports
        .iter()
        .take(5)
        .map(|r| r.render(&|bytes| format!("{bytes:02x?}")))
        .collect();
    assert_eq!(summary.failed(), 0, "{}", text.join("\n"));
    for module in &options.modules {
        assert!(summary.runs.iter().any(|r| r.module == *module), "{module}");
    }
}

// checks CRC-1, CRC-2, FCS-1, TX-1 to TX-9 and RX-1 to RX-8:
// TX-1 TX-2 TX-3 TX-4 TX-5 TX-6 TX-7 TX-8 TX-9 RX-1 RX-2 RX-3 RX-4 RX-5 RX-6 RX-7 RX-8
// LNK-2 LNK-3 LNK-4
// The long ones run in Icarus by the script below only, and by the tests of `verilog`.
#[test]
fn icarus_passes_short_vectors() {
    let short = |class: &Class| {
        let size = |name| fs::metadata(class.dir.join(name)).map_or(0, |m| m.len());
        size("wire.hex") + size("tx_payload.hex") < 40_000
    };
    pass(&Icarus, &[0], &short);
}

// checks the same with random initial values: TX-9, RX-7, RX-8
#[test]
fn verilator_passes_every_vector() {
    let all = Selection::from_env() == Selection::All;
    all_pass(&Verilator, if all { &[0, 1, 2] } else { &[0, 1] });
}

fn name_of(folder: &Path) -> String {
    folder.file_name().unwrap().to_string_lossy().into_owned()
}

/// All classes of the CRC, and a sample of those of frames, of the board and of the node.
// checks VEC-4
#[test]
fn the_script_without_rust_passes() {
    let classes = fs::read_to_string(root().join("vectors/classes.txt")).unwrap();
    let of = |kind| classes.lines().filter_map(move |l| l.strip_prefix(kind)).collect::<Vec<_>>();
    let (frames, crc) = (of("frame "), of("crc32 "));
    let boards = awgstar_stimulus::vectors::board::all().unwrap().map(|b| b.name.as_str());
    let bursts = awgstar_stimulus::vectors::burst::all().unwrap().iter().map(|b| b.name.as_str());
    let nodes = vector::list(&root().join("vectors/node"));
    let nodes: Vec<String> = nodes.iter().map(|folder| name_of(folder)).collect();
    let boards: Vec<&str> = boards.chain(bursts).chain(nodes.iter().map(String::as_str)).collect();
    let selection = Selection::from_env().sized(6);
    let chosen = selection.names(&frames);
    let boards: Vec<&str> = selection.clone().sized(8).names(&boards).into_iter().collect();
    assert!(!chosen.is_empty() && !boards.is_empty() && !crc.is_empty());
    let mut script = std::process::Command::new("sh");
    script.arg(root().join("vectors/run-icarus.sh"));
    if selection != Selection::All {
        script.arg(root().join("hdl")).args(&chosen).args(&crc).args(&boards);
    }
    let found = script.output().unwrap();
    let text = String::from_utf8_lossy(&found.stdout);
    let errors = String::from_utf8_lossy(&found.stderr);
    assert!(found.status.success(), "{text}{errors}");
    // Name, module, mode, vectors or cycles, failed.
    let rows = text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>());
    let held: BTreeSet<_> =
        rows.filter(|l| l.get(4) == Some(&"0") && l[3] != "0").map(|l| l[0]).collect();
    let asked: BTreeSet<_> = chosen.into_iter().chain(crc).chain(boards).collect();
    assert_eq!(held, asked, "{text}");
}

// A bug that flips a bit of byte 7 (Node_ID) is told with the vector's id, its requirements, the
// first byte that differs and a wave. checks VEC-1
#[test]
fn a_planted_bug_is_told() {
    let root = root();
    let scratch = root.join("target/cosim/injected");
    let _ = fs::remove_dir_all(&scratch);
    fs::create_dir_all(scratch.join("hdl/include")).unwrap();
    for file in ["crc32.v", "frame_tx.v", "frame_rx.v", "include/awgstar.vh"] {
        fs::copy(root.join("hdl").join(file), scratch.join("hdl").join(file)).unwrap();
    }
    let path = scratch.join("hdl/frame_tx.v");
    let text = fs::read_to_string(&path).unwrap();
    let good = "{s_hdr_node_id, ";
    assert_eq!(text.matches(good).count(), 1);
    fs::write(&path, text.replace(good, "{s_hdr_node_id ^ 8'd4, ")).unwrap();

    let mut options = Options::all(&root, &Icarus).unwrap();
    options.sources.hdl = scratch.join("hdl");
    options.out.clone_from(&scratch);
    options.modes = vec![0];
    options.modules.retain(|m| m.name() == "frame_tx");
    let sizes = |name: &Path| fs::metadata(name).map_or(0, |m| m.len());
    options.classes.retain(|c| {
        let fields = fs::read_to_string(c.dir.join("fields.hex")).unwrap_or_default();
        c.kind == awgstar_simulator::Kind::Frame
            && sizes(&c.dir.join("wire.hex")) > 0
            && fields.lines().any(is_for_tx)
    });
    options.classes.truncate(1);
    let summary = cosim(&options, &|_| {}).unwrap();
    assert!(summary.failed() > 0);
    let report = &summary.reports[0];
    let text = report.render(&|bytes| format!("{} bytes", bytes.len()));
    assert!(text.contains(&report.id), "{text}");
    assert!(!report.note.requirements.is_empty(), "{text}");
    assert!(text.contains(&report.note.requirements[0]), "{text}");
    assert!(text.contains("frame byte 7 is"), "{text}");
    assert!(text.contains("bits 00000100"), "{text}");
    let vcd = report.wave.as_ref().unwrap();
    assert!(fs::read_to_string(vcd).unwrap().contains("$enddefinitions"));
    let save = fs::read_to_string(vcd.with_extension("gtkw")).unwrap();
    assert!(save.contains("tb_frame_tx.dut.state_q[1:0]"), "{save}");
    gtkw::check(vcd.parent().unwrap(), vcd.file_stem().unwrap().to_str().unwrap());
}

/// Flag bit 0 of a line of `fields.hex`, and words on the link.
fn is_for_tx(line: &str) -> bool {
    let digits: String = line.chars().filter(char::is_ascii_hexdigit).collect();
    let flags = u8::from_str_radix(&digits[..2], 16).unwrap_or(0);
    flags & 1 == 1 && &digits[42..46] != "0000"
}

/// Builds that are out of date, odd paths, and runs that are killed.
mod tools;
