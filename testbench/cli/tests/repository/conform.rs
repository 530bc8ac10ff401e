// SPDX-License-Identifier: MIT OR Apache-2.0
//! The conformance suite passes our RTL and finds what is wrong with others (CNF-1 to CNF-6). A
//! missing simulator fails, never skips.

use crate::html::is_alone;
use crate::tables::tables;
use awgstar::rtl::Parameters;
use awgstar_lockstep::conform;
use awgstar_lockstep::conform::requirements::Standing;
use awgstar_lockstep::conform::{Dut, Module, Report, Verdict, html, junit, text};
use awgstar_simulator::{Icarus, Shard, Simulator, Verilator};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A copy of our RTL in which `edits` of (file, from, to) are made, each in exactly one place.
fn edited(edits: &[(&str, &str, &str)]) -> (TempDir, Vec<PathBuf>) {
    let folder = TempDir::new().unwrap();
    let mut files = Vec::new();
    for entry in fs::read_dir(root().join("hdl")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "v") {
            let copy = folder.path().join(path.file_name().unwrap());
            fs::copy(&path, &copy).unwrap();
            files.push(copy);
        }
    }
    for (file, from, to) in edits {
        let path = folder.path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{file}: {from}");
        fs::write(&path, text.replace(from, to)).unwrap();
    }
    files.sort();
    (folder, files)
}

fn run_on(
    simulator: &dyn Simulator,
    files: &[PathBuf],
    top: &str,
    module: &str,
    only: &[&str],
) -> Report {
    run_in(&root(), simulator, files, top, module, only, Parameters::DEFAULT)
}

fn run_in(
    root: &Path,
    simulator: &dyn Simulator,
    files: &[PathBuf],
    top: &str,
    module: &str,
    only: &[&str],
    parameters: Parameters,
) -> Report {
    let dut = Dut::new(files, &[root.join("hdl/include")], top).unwrap();
    let options = conform::Options {
        root: root.into(),
        simulator,
        seed: 3,
        cases: Some(4),
        only: only.iter().map(|s| (*s).to_owned()).collect(),
        parameters,
        shard: Shard::WHOLE,
        limit: Duration::from_secs(if only == ["crc_published"] { 3 } else { 120 }),
        threads: 2,
        progress: &|_| (),
    };
    conform::run(&dut, Module::named(module).unwrap(), &options).unwrap()
}

fn run(files: &[PathBuf], top: &str, module: &str, only: &[&str]) -> Report {
    run_on(&Icarus, files, top, module, only)
}

fn passes(report: &Report, ids: &[&str]) {
    assert_eq!(report.verdict(), None, "{}", text::text(report));
    assert!(report.ports.findings.is_empty() && report.ports.unread.is_none());
    for id in ids {
        let found = report.requirements.iter().find(|r| r.id == *id);
        assert_eq!(found.map(|r| r.standing), Some(Standing::Pass), "{id}\n{}", text::text(report));
    }
    assert!(text::text(report).contains("PASS: "));
}

fn standing(report: &Report, id: &str) -> Option<Standing> {
    report.requirements.iter().find(|r| r.id == id).map(|r| r.standing)
}

const NODE: &[&str] = &["directed/shapes", "directed/every_token", "random/", "vectors/"];

// checks CNF-2, CNF-5
#[test]
fn our_modules_pass() {
    let (_folder, files) = edited(&[]);
    passes(&run(&files, "crc32", "crc32", &[]), &["CRC-1", "CRC-2", "FCS-1", "FCS-2"]);
    let tx = run(&files, "frame_tx", "frame_tx", &["tokens", "underrun_first_beat"]);
    passes(&tx, &["TX-1", "TX-2", "TX-3", "TX-7", "TX-9", "FRM-1", "LNK-3"]);
    assert_eq!(standing(&tx, "TX-8"), Some(Standing::NotCovered), "no class of it was run");
    assert_eq!(standing(&tx, "RX-5"), None, "the other module's");
    let rx = run(&files, "frame_rx", "frame_rx", &["tokens", "recovery"]);
    passes(&rx, &["RX-3", "RX-5", "RX-7", "RX-8"]);
}

// checks CNF-2, CNF-5
#[test]
fn our_ring_node_passes() {
    let (_folder, files) = edited(&[]);
    let report = run(&files, "ring_node", "ring_node", NODE);
    passes(&report, &["NODE-1", "NODE-3", "NODE-6", "NODE-17", "NODE-18", "NODE-22"]);
    assert!(report.subset.is_some());
}

/// Another implementation of `crc32`, bit by bit, in `SystemVerilog`.
fn bitwise(polynomial: &str, extra: &str) -> (TempDir, Vec<PathBuf>) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("serial.sv");
    let text = format!(
        "`timescale 1ns/1ps
        module my_serial_crc (input logic [31:0] crc_in, tdata, input logic [3:0] tkeep,
                              output logic [31:0] crc_out, output logic unused_note);
            {extra}
            logic [31:0] r;
            integer i;
            assign unused_note = 1'b0;
            always @* begin
                r = crc_in;
                if (tkeep == 1 || tkeep == 3 || tkeep == 7 || tkeep == 15)
                    for (i = 0; i < 32; i = i + 1)
                        if (tkeep[i / 8])
                            r = (r >> 1) ^ ((r[0] ^ tdata[i]) ? 32'h{polynomial} : 32'h0);
                crc_out = r;
            end
        endmodule\n"
    );
    fs::write(&file, text).unwrap();
    (folder, vec![file])
}

// Under another name, with an output more, in both simulators; in a folder that `make` does not
// take, of a checkout whose path has a space. checks CNF-1, CNF-2
#[test]
fn a_foreign_module_passes() {
    let (folder, files) = bitwise("EDB88320", "");
    let odd = hostile::odd_folder(&folder);
    fs::rename(&files[0], odd.join("a file.sv")).unwrap();
    let files = [odd.join("a file.sv")];
    for simulator in [&Icarus as &dyn Simulator, &Verilator] {
        let report = run_in(
            &odd.join("checkout"),
            simulator,
            &files,
            "my_serial_crc",
            "crc32",
            &[],
            Parameters::DEFAULT,
        );
        passes(&report, &["CRC-1", "CRC-2"]);
        let remark = ["port unused_note: output of 1 bit, not compared".to_owned()];
        assert_eq!(report.ports.remarks, remark);
    }
}

// The polynomial of Castagnoli. checks CNF-5, CNF-6
#[test]
fn a_wrong_polynomial_is_a_wrong_value() {
    let (_folder, files) = bitwise("82F63B78", "");
    let report = run(&files, "my_serial_crc", "crc32", &[]);
    assert_eq!(report.verdict(), Some(Verdict::WrongValue));
    assert_eq!(standing(&report, "FCS-1"), Some(Standing::Fail));
    // What a tkeep that takes no byte does is still right.
    let kept = |g: &&conform::case::Group| g.name.starts_with("crc_tkeep_illegal");
    let kept = report.groups.iter().find(kept).unwrap();
    assert!(kept.cases.iter().all(|c| c.failure().is_none()) && kept.cases.len() == 60);
    let (_, case, failure) = report.failing().next().unwrap();
    let first = failure.first.as_ref().unwrap();
    assert_eq!((case.name.as_str(), first.port.as_str()), ("crc_bits/0001", "crc_out"));
    assert_ne!(first.expected, first.found);
    let rows = &failure.window.as_ref().unwrap().rows;
    assert!(rows.iter().any(|(name, _)| name == "tdata"), "{rows:?}");
}

// checks CNF-1
#[test]
fn wrong_ports_are_named_and_nothing_is_run() {
    let (_folder, files) =
        edited(&[("crc32.v", "input  wire [3:0]  tkeep", "input  wire [7:0]  tkeep")]);
    let wide = run(&files, "crc32", "crc32", &[]);
    assert_eq!(wide.verdict(), Some(Verdict::Ports));
    let told = text::text(&wide);
    assert!(told.contains("port tkeep: expected input of 4 bits, found input of 8 bits"), "{told}");
    assert!(wide.groups.is_empty());

    let (_folder, files) = edited(&[
        ("frame_rx.v", "output wire [10:0] m_hdr_len\n", ""),
        ("frame_rx.v", "output wire [31:0] m_hdr_addr,", "output wire [31:0] m_hdr_addr"),
        ("frame_rx.v", "assign m_hdr_len", "wire [10:0] m_hdr_len; assign m_hdr_len"),
    ]);
    let missing = run(&files, "frame_rx", "frame_rx", &[]);
    assert_eq!(missing.verdict(), Some(Verdict::Ports), "{}", text::text(&missing));
    let told = text::text(&missing);
    assert!(told.contains("port m_hdr_len: expected output of 11 bits, found none"), "{told}");
}

// The hand of tokens is not reset. checks CNF-3
#[test]
fn what_is_not_reset_drives_x() {
    let (_folder, files) = edited(&[("tx_arbiter.v", "            held_q        <= 8'd0;\n", "")]);
    let report = run(&files, "ring_node", "ring_node", &["directed/shapes"]);
    assert_eq!(report.verdict(), Some(Verdict::DrivesX), "{}", text::text(&report));
    let failure = report.failing().next().unwrap().2;
    let first = failure.first.as_ref().unwrap();
    assert_eq!((first.at.as_str(), first.port.as_str()), ("cycle 1", "held"));
    assert_eq!((first.expected.as_str(), first.found.as_str()), ("00", "xx"));
}

// `m_ret_valid` comes a cycle late. checks CNF-6
#[test]
fn what_comes_a_cycle_late_is_told_so() {
    let (_folder, files) = edited(&[(
        "rx_filter.v",
        "assign m_ret_valid      = ret_valid_q;",
        "reg late_q; always @(posedge clk) late_q <= rst ? 1'b0 : ret_valid_q;
         assign m_ret_valid = late_q;",
    )]);
    let report = run(&files, "ring_node", "ring_node", &["directed/every_token"]);
    assert_eq!(report.verdict(), Some(Verdict::Late), "{}", text::text(&report));
    let failure = report.failing().next().unwrap().2;
    assert_eq!(failure.first.as_ref().unwrap().port, "m_ret_valid");
    assert_eq!(standing(&report, "NODE-18"), Some(Standing::Fail));
    let window = failure.window.as_ref().unwrap();
    let found = &window.rows.last().unwrap().1;
    assert_eq!((found[window.mark].as_str(), found[window.mark + 1].as_str()), ("0", "1"));
}

const LOOP: &str = "reg osc; initial osc = 1'b0; always @(osc) osc <= ~osc;";

// A loop without delay, and a design that ends the simulation. checks CNF-4
#[test]
fn no_answer_is_no_pass() {
    let (_folder, files) = bitwise("EDB88320", LOOP);
    let report = run(&files, "my_serial_crc", "crc32", &["crc_published"]);
    assert_eq!(report.verdict(), Some(Verdict::NotJudged), "{}", text::text(&report));
    assert_eq!(standing(&report, "CRC-1"), Some(Standing::NotCovered));
    assert!(text::text(&report).contains("NOT JUDGED: my_serial_crc"), "{}", text::text(&report));
    let xml = junit::text(&report).unwrap();
    assert!(xml.contains("errors=\"1\"") && xml.contains("vvp did not end within"), "{xml}");

    let (_folder, files) = bitwise("EDB88320", "initial #50 $finish;");
    let report = run(&files, "my_serial_crc", "crc32", &["crc_bits"]);
    assert_eq!(report.verdict(), Some(Verdict::EndsEarly), "{}", text::text(&report));
}

// checks CNF-4
#[test]
fn the_compilers_message_is_told() {
    let (_folder, files) = bitwise("EDB88320", "wire = no_such_name;");
    let report = run(&files, "my_serial_crc", "crc32", &[]);
    assert_eq!(report.verdict(), Some(Verdict::DoesNotCompile), "{}", text::text(&report));
    assert!(text::text(&report).contains("syntax error"));
    assert!(junit::text(&report).unwrap().contains("syntax error"));
}

// checks CNF-6
#[test]
fn reports_are_well_formed_and_say_the_same() {
    let (_folder, files) = bitwise("82F63B78", "");
    let report = run(&files, "my_serial_crc", "crc32", &["crc_bits", "crc_tkeep_illegal"]);
    let failing = report.failing().count();
    assert!(failing > 0);
    let xml = junit::text(&report).unwrap();
    let back = quick_junit::Report::deserialize_from_str(&xml).unwrap();
    assert_eq!(
        (back.failures, back.tests),
        (failing, back.test_suites.iter().map(|s| s.tests).sum())
    );
    assert_eq!(back.test_suites.len(), 1 + report.groups.len());
    let page = html::page(&report);
    assert!(page.contains("FAIL: my_serial_crc is no crc32: wrong value"), "{page}");
    assert!(page.contains("is the CRC register after those bytes"), "the requirement's text");
    assert!(page.contains("<th>crc_out expected</th>"));
    is_alone(&page, &[]);
    // The rows of its tables are those of the report.
    let tables = tables(&page);
    let [requirements, classes, files] = &tables[..] else { panic!("{} tables", tables.len()) };
    assert_eq!(requirements.1.len(), report.requirements.len());
    let hashes: Vec<_> = files.1.iter().map(|cells| (&cells[0], &cells[1])).collect();
    assert_eq!(hashes, report.inputs.iter().collect::<Vec<_>>());
    for (cells, r) in requirements.1.iter().zip(&report.requirements) {
        let counts = [r.run, r.failed, r.checks - r.run].map(|n| n.to_string());
        assert_eq!([&cells[0], &cells[5]], [&r.id, &r.text]);
        assert_eq!(cells[2..5], counts);
    }
    let shown: Vec<(&str, &str)> =
        classes.1.iter().map(|cells| (cells[0].as_str(), cells[1].as_str())).collect();
    let cases = report.groups.iter().map(|group| group.cases.len().to_string());
    let cases: Vec<String> = cases.collect();
    let expected: Vec<(&str, &str)> =
        report.groups.iter().zip(&cases).map(|(g, n)| (g.name.as_str(), n.as_str())).collect();
    assert_eq!(shown, expected);
}

/// Names in the design and messages of tools are texts in the page. checks CNF-6
#[test]
fn texts_of_a_design_are_texts() {
    const EVIL: &str = "</script><script>alert(1)</script><img src=x>\u{1b}\u{0}<!--&\"'";
    let (_folder, files) = bitwise("82F63B78", "");
    let mut report = run(&files, "my_serial_crc", "crc32", &["crc_bits"]);
    let failing = report.failing().count();
    (report.top, report.simulator) = (EVIL.into(), EVIL.into());
    report.ports.remarks.push(EVIL.into());
    for case in report.groups.iter_mut().flat_map(|group| &mut group.cases) {
        case.name = EVIL.into();
        if let conform::case::Outcome::Fail(failure) = &mut case.outcome {
            failure.detail = EVIL.into();
            failure.window.as_mut().unwrap().rows[0] = (EVIL.into(), vec![EVIL.into()]);
        }
    }
    let page = html::page(&report);
    let shown = failing.min(50);
    assert!(shown > 0);
    // The title, heading and verdict twice the name or the tool, a line with the tool, a remark; four in a failure.
    let texts = page.matches("&lt;/script&gt;&lt;script&gt;alert(1)").count();
    assert_eq!(texts, 2 + 2 + 1 + 1 + 4 * shown);
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (1, 1));
    for bad in ["<img", "<!--", "\u{1b}", "\u{0}"] {
        assert!(!page.contains(bad), "{bad:?}");
    }
}

fn awgstar(args: &[&str]) -> (i32, String, String) {
    let mut command = assert_cmd::Command::cargo_bin("awgstar").unwrap();
    let output = command.current_dir(root()).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

// checks CNF-6
#[test]
fn exit_codes_and_files() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (junit, html) = (file("a.xml"), file("a.html"));
    let common = ["conform", "--top", "crc32", "--module", "crc32", "--sim", "icarus"];
    let with = |more: &[&str]| awgstar(&[&common[..], more].concat());
    let (code, out, err) =
        with(&["--dut", "hdl/crc32.v", "--junit", &junit, "--html", &html, "--json"]);
    assert_eq!(code, 0, "{out}{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["verdict"], "pass");
    let xml = fs::read_to_string(junit).unwrap();
    assert_eq!(quick_junit::Report::deserialize_from_str(&xml).unwrap().failures, 0);
    assert!(fs::read_to_string(html).unwrap().contains("PASS: crc32 is a crc32"));

    let (code, out, err) = with(&["--dut", "hdl/frame_rx.v", "--include", "hdl/include"]);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert!(err.contains("no module crc32 here"), "{err}");
    let (code, _, err) = with(&["--dut", "hdl/crc32.v", "--only", "no_such_class"]);
    assert_eq!(code, 2);
    assert!(err.contains("no_such_class"), "{err}");
    let (_folder, files) = bitwise("82F63B78", "");
    let dut = files[0].display().to_string();
    let args = ["--top", "my_serial_crc", "--module", "crc32", "--sim", "icarus"];
    let (code, out, _) = awgstar(&[&["conform", "--dut", &dut], &args[..]].concat());
    assert_eq!(code, 1);
    assert!(out.contains("FAIL: my_serial_crc is no crc32"), "{out}");
}

// Yosys does not know `string`: the vectors run all the same, and that is told. checks CNF-1
#[test]
fn ports_that_nobody_could_look_at_are_told() {
    let (_folder, files) = bitwise("EDB88320", "string note;");
    let report = run(&files, "my_serial_crc", "crc32", &["crc_bits"]);
    assert_eq!(report.verdict(), None);
    assert!(report.ports.unread.is_some() && report.ports.right.is_empty());
    assert!(report.headline().contains("its ports were not checked"), "{}", report.headline());
}

// Without simulators in the path it says what to install. checks CNF-4
#[test]
fn a_missing_simulator_fails() {
    let mut command = assert_cmd::Command::cargo_bin("awgstar").unwrap();
    let args = ["conform", "--dut", "hdl/crc32.v", "--top", "crc32", "--module", "crc32"];
    command.current_dir(root()).env("PATH", "/nowhere").args(args).args(["--sim", "icarus"]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("apt-get install iverilog"), "{text}");
}

/// Names and output that a design should not have.
mod hostile;
/// Runs that say nothing about a design.
mod judged;

/// CNF-2: a design of other sizes is compared with a model of those sizes, whether its parameters can
/// be set or were fixed when it was built.
#[test]
fn other_sizes() {
    let only = ["sized/headers", "sized/beats_not_read", "sized/token_runs"];
    let settings = ["RX_ADDR_W=5", "RX_HEADER_ADDR_W=1", "TOKEN_RUN=3"];
    let parameters = Parameters::DEFAULT.parse("ring_node", settings).unwrap();
    let run = |files: &[PathBuf]| {
        run_in(&root(), &Icarus, files, "ring_node", "ring_node", &only, parameters)
    };
    let (_folder, ours) = edited(&[]);
    let report = run(&ours);
    assert_eq!(report.verdict(), None, "{}", text::text(&report));
    assert!(report.ran() >= 7 && report.ports.remarks.is_empty(), "{}", text::text(&report));
    assert!(report.headline().contains("ring_node with RX_ADDR_W=5, RX_HEADER_ADDR_W=1"));

    // Built with these sizes: no parameter is left to set.
    let fixed = |rx: &str| {
        edited(&[
            (
                "ring_node.v",
                "    parameter RX_ADDR_W        = `AWG_RX_ADDR_W,        // receive buffer: 2^n beats\n    \
                 parameter RX_HEADER_ADDR_W = `AWG_RX_HEADER_ADDR_W, // receive buffer: 2^n headers\n    \
                 parameter TOKEN_RUN        = `AWG_TOKEN_RUN,        // data frames before a free token\n",
                "    parameter DEBUG            = 0,\n",
            ),
            ("ring_node.v", ".ADDR_W        (RX_ADDR_W)", rx),
            ("ring_node.v", ".HEADER_ADDR_W (RX_HEADER_ADDR_W)", ".HEADER_ADDR_W (1)"),
            ("ring_node.v", ".TOKEN_RUN (TOKEN_RUN)", ".TOKEN_RUN (4'd3)"),
        ])
    };
    let (_folder, built) = fixed(".ADDR_W        (5)");
    let report = run(&built);
    assert_eq!(report.verdict(), None, "{}", text::text(&report));
    let remark = "no parameter RX_ADDR_W: taken as built with RX_ADDR_W=5";
    assert!(report.ports.remarks.iter().any(|r| r == remark), "{}", text::text(&report));

    // Built with another one.
    let (_folder, larger) = fixed(".ADDR_W        (6)");
    assert_eq!(run(&larger).verdict(), Some(Verdict::WrongValue));
}
