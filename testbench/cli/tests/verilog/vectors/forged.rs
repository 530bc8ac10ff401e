// SPDX-License-Identifier: MIT OR Apache-2.0
//! A design cannot print its own verdict, nor end a run before there is one. Each of these designs prints
//! the very line of a run that passes.

use super::root;
use awgstar::rtl::{Parameters, RingNode, Smb, WriteCombiner, write_combiner::Inputs};
use awgstar_lockstep::conform::play::Expected;
use awgstar_lockstep::conform::{Dut, Module, Verdict, bench, play};
use awgstar_lockstep::mutants::{self, Fate, Mutant, machines::Model};
use awgstar_lockstep::{Lockstep, Seen, conform};
use awgstar_simulator::ParseError;
use awgstar_simulator::{
    Icarus, Options, Shard, SimError, Simulator, Sources, Token, Verilator, cosim,
    four_state as icarus,
};
use awgstar_stimulus::Case;
use awgstar_stimulus::board;
use awgstar_stimulus::machine::{Machine, Track};
use awgstar_stimulus::node::directed;
use awgstar_stimulus::vector::track_of;
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// Copies our Verilog.
pub(crate) fn hdl(to: &Path) {
    fs::create_dir_all(to.join("include")).unwrap();
    for part in ["", "include"] {
        for entry in fs::read_dir(root().join("hdl").join(part)).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                fs::copy(entry.path(), to.join(part).join(entry.file_name())).unwrap();
            }
        }
    }
}

/// Puts `text` in front of the last `endmodule`.
pub(crate) fn insert(file: &Path, text: &str) {
    let mut verilog = fs::read_to_string(file).unwrap();
    let at = verilog.rfind("endmodule").unwrap();
    verilog.insert_str(at, &format!("{text}\n"));
    fs::write(file, verilog).unwrap();
}

/// Prints `line` without a token and with one of zeros, then ends the run.
fn prints(line: &str) -> String {
    let zeros = format!("$display(\"0000000000000000 {line}\");");
    format!("initial begin #9 $display(\"{line}\"); {zeros} #1 $finish; end")
}

/// What a run of class `crc_published` on a `crc32` with `text` in it gives.
fn published(simulator: &dyn Simulator, text: &str) -> Result<usize, SimError> {
    golden(simulator, "crc32", "crc_published", |sources| insert(&sources.join("crc32.v"), text))
}

/// Vectors of a class that fail on our Verilog after `change`.
fn golden(
    simulator: &dyn Simulator,
    module: &str,
    class: &str,
    change: impl Fn(&Path),
) -> Result<usize, SimError> {
    let folder = tempfile::tempdir().unwrap();
    let sources = folder.path().join("hdl");
    hdl(&sources);
    change(&sources);
    let mut options = Options::all(&root(), simulator).unwrap();
    options.sources.hdl = sources;
    options.out = folder.path().join("out");
    options.modules.retain(|m| m.name() == module);
    options.classes.retain(|c| c.name == class);
    options.waves = false;
    cosim(&options, &|_| {}).map(|summary| summary.failed())
}

/// `frame_tx` sends another TOKEN than it is given, and prints `text`.
pub(crate) fn broken_frame_tx(sources: &Path, text: &str) {
    let file = sources.join("frame_tx.v");
    let good = fs::read_to_string(&file).unwrap();
    let bad = good.replacen("{s_hdr_node_id, s_hdr_token,", "{s_hdr_node_id, ~s_hdr_token,", 1);
    assert_ne!(bad, good, "a mutant of frame_tx.v");
    fs::write(&file, bad).unwrap();
    insert(&file, text);
}

// A broken frame_tx that prints the line of a good one has no verdict. checks VEC-1
#[test]
fn a_broken_frame_tx() {
    let run = |text: &str| {
        golden(&Icarus, "frame_tx", "header_extremes", |sources| broken_frame_tx(sources, text))
    };
    let failed = run("").unwrap();
    assert!(failed > 0, "the mutant is found");
    for vectors in [failed, 24] {
        let line = format!("RESULT module=frame_tx mode=0 vectors={vectors} failed=0");
        let text = format!("initial begin $display(\"{line}\"); #1 $finish; end");
        no_verdict(run(&text), |e| matches!(e, ParseError::Forged(_)));
    }
}

#[track_caller]
fn no_verdict(found: Result<usize, SimError>, kind: impl Fn(&ParseError) -> bool) {
    match found {
        Err(SimError::Output { source, .. }) if kind(&source) => {}
        other => panic!("{other:?}"),
    }
}

/// A design that sets what the testbench counts is refused, in both simulators. checks VEC-1
#[test]
fn a_design_that_names_the_testbench_is_refused() {
    for simulator in [&Icarus as &dyn Simulator, &Verilator] {
        let found = golden(simulator, "frame_tx", "tokens", |sources| {
            broken_frame_tx(sources, "initial force tb_frame_tx.failed = 0;");
        });
        match found {
            Err(SimError::Outside { log, .. }) => assert!(log.contains("tb_frame_tx"), "{log}"),
            other => panic!("{other:?}"),
        }
    }
}

// checks VEC-1
#[test]
fn cosim_in_icarus() {
    let line = "RESULT module=crc32 mode=0 vectors=43 failed=0";
    assert_eq!(published(&Icarus, "").unwrap(), 0);
    no_verdict(published(&Icarus, &prints(line)), |e| matches!(e, ParseError::Forged(_)));
    // Beside the testbench's own.
    let beside = format!("initial $display(\"{line}\");");
    no_verdict(published(&Icarus, &beside), |e| matches!(e, ParseError::Forged(_)));
    no_verdict(published(&Icarus, "initial #9 $finish;"), |e| matches!(e, ParseError::NoResult(_)));
    // A FAIL line cannot make a pass, nor a failure look like another count.
    let fail = "FAIL module=crc32 index=0 kind=word at=0 expected=0 found=1";
    let fail = format!("initial $display(\"{fail}\");");
    let count = ParseError::Count { result: 0, lines: 1 };
    no_verdict(published(&Icarus, &fail), |e| *e == count);
}

// checks VEC-1
#[test]
fn cosim_in_verilator() {
    let line = "RESULT module=crc32 mode=0 vectors=43 failed=0";
    no_verdict(published(&Verilator, &prints(line)), |e| matches!(e, ParseError::Forged(_)));
}

fn conformance(root: &Path) -> conform::Options<'static> {
    conform::Options {
        root: root.to_owned(),
        simulator: &Icarus,
        seed: 1,
        cases: Some(0),
        only: vec!["crc_published".into()],
        shard: Shard::WHOLE,
        limit: Duration::from_secs(60),
        threads: 2,
        parameters: Parameters::DEFAULT,
        progress: &|_| (),
    }
}

// checks CNF-4
#[test]
fn conform_on_vectors() {
    let folder = tempfile::tempdir().unwrap();
    hdl(folder.path());
    let file = folder.path().join("crc32.v");
    insert(&file, &prints("RESULT module=crc32 mode=0 vectors=43 failed=0"));
    let dut = Dut::new(&[file], &[], "crc32").unwrap();
    let module = Module::named("crc32").unwrap();
    let report = conform::run(&dut, module, &conformance(&root())).unwrap();
    assert_eq!(report.verdict(), Some(Verdict::EndsEarly));
    let detail = &report.failing().next().unwrap().2.detail;
    assert!(detail.contains("the design prints a line of the testbench: RESULT"), "{detail}");
}

/// Plays a track to our `M` with `text` in `file`.
fn conform_plays<M: Machine>(file: &str, text: &str, track: Track<M::Inputs>) -> Option<Verdict> {
    let folder = tempfile::tempdir().unwrap();
    hdl(folder.path());
    insert(&folder.path().join(file), text);
    let entries = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().path());
    let files: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "v")).collect();
    let dut = Dut::new(&files, &[root().join("hdl/include")], M::shape().layout.module).unwrap();
    let options = conformance(&root());
    let cycles = track.inputs.len();
    let bench = |token: &Token| bench::text(M::shape(), &dut.top, &[], cycles, token);
    let program = play::build(M::shape().layout.module, &bench, &dut, &[], &options).unwrap();
    let played =
        Expected::<M>::new(M::shape(), track).play(&program, &folder.path().join("case"), &options);
    played.unwrap().map(|failure| failure.verdict)
}

// checks CNF-4
#[test]
fn conform_on_machines() {
    let case = directed::cases().into_iter().find(|c| c.name == "shapes").unwrap().case;
    let track = track_of::<RingNode>(&case, 0, &Parameters::DEFAULT).unwrap();
    let line = prints(&format!("END {}", track.inputs.len()));
    assert_eq!(conform_plays::<RingNode>("ring_node.v", &line, track), Some(Verdict::EndsEarly));
    let case = board::directed::cases().swap_remove(0);
    let track = track_of::<Smb>(&case, 0, &Parameters::DEFAULT).unwrap();
    let line = prints(&format!("END {}", track.inputs.len()));
    assert_eq!(conform_plays::<Smb>("smb.v", &line, track), Some(Verdict::EndsEarly));
}

/// A reset, then words that wait for a place.
fn words() -> Vec<Inputs> {
    let input = |n: u32| Inputs {
        rst: n < 4,
        put_valid: n >= 4,
        put_addr: 4 * n,
        put_len: 4,
        put_data: n,
        word_room: true,
        ..Inputs::default()
    };
    (0..24).map(input).collect()
}

/// `write_combiner` alone, with `text` in it.
fn combiner(folder: &Path, text: &str) {
    fs::create_dir_all(folder.join("include")).unwrap();
    for file in ["write_combiner.v", "include/awgstar.vh"] {
        fs::copy(root().join("hdl").join(file), folder.join(file)).unwrap();
    }
    insert(&folder.join("write_combiner.v"), text);
}

/// What the good design prints in the testbench, without tokens.
fn good_run(program: &Path) -> Vec<String> {
    let bits = |v: &Seen, bits: usize| -> String {
        let digit = |i| match (v.x >> i & 1, v.value >> i & 1) {
            (1, _) => 'x',
            (_, 1) => '1',
            _ => '0',
        };
        (0..bits).rev().map(digit).collect()
    };
    let shape = WriteCombiner::shape();
    let mut lines = Vec::new();
    for cycle in icarus::play::<WriteCombiner>(shape, program, &words().into()).unwrap() {
        let (mut outputs, mut registers) = (String::from("O"), String::from("R"));
        for (v, s) in cycle.outputs.iter().zip(&shape.outputs) {
            let _ = write!(outputs, " {}", bits(v, s.bits));
        }
        for (v, (_, n)) in cycle.registers.iter().zip(&shape.registers) {
            let _ = write!(registers, " {}", bits(v, *n));
        }
        lines.extend([outputs, registers]);
    }
    lines.push("END".into());
    lines
}

/// LCK-5: what the vote and the replay of a vector hear from Icarus.
#[test]
fn lockstep_in_icarus() {
    let folder = tempfile::tempdir().unwrap();
    combiner(folder.path(), "");
    let program = icarus::build(WriteCombiner::shape(), folder.path(), folder.path()).unwrap();
    let lines = good_run(&program);
    assert_eq!(lines.len(), 2 * words().len() + 1);
    let displays = format!("$display(\"{}\");", lines.join("\");\n$display(\""));
    let tokens: String = displays.replace("(\"", "(\"0000000000000000 ");
    combiner(folder.path(), &format!("initial begin\n{displays}{tokens}$finish; end"));
    let program = icarus::build(WriteCombiner::shape(), folder.path(), folder.path()).unwrap();
    let found = icarus::play::<WriteCombiner>(WriteCombiner::shape(), &program, &words().into());
    assert!(matches!(found, Err(SimError::Ended { .. })), "{found:?}");
}

/// LCK-3: in this process a second `$finish` would end it, with exit code 0.
#[test]
fn lockstep_in_verilator() {
    let folder = tempfile::tempdir().unwrap();
    combiner(folder.path(), "always @(posedge clk) $finish;");
    let lockstep = Lockstep::<WriteCombiner>::new(folder.path(), folder.path()).unwrap();
    let found = lockstep.run(&Case::fed(words()));
    assert!(matches!(found, Err(SimError::Ended { .. })), "{found:?}");
}

/// LCK-3: Verilator's own answer to a loop that does not settle is to abort the process.
#[test]
fn a_loop_that_does_not_settle() {
    let folder = tempfile::tempdir().unwrap();
    let text = "reg turn /* verilator public_flat_rw */;\nalways @* turn = ~turn ^ (clk & 1'b0);";
    combiner(folder.path(), text);
    let lockstep = Lockstep::<WriteCombiner>::new(folder.path(), folder.path()).unwrap();
    let found = lockstep.run(&Case::fed(words()));
    assert!(matches!(found, Err(SimError::Ended { .. })), "{found:?}");
}

/// LCK-3: the design without a bug must hold by the testbench's word, not by its own.
#[test]
fn mutants_of_the_lockstep() {
    let folder = tempfile::tempdir().unwrap();
    let run = |text: &str| {
        combiner(&folder.path().join("hdl"), text);
        let bench = root().join("testbench/verilog");
        let sources = Sources { bench, hdl: folder.path().join("hdl"), foreign: None };
        let cases = [Case::fed(words())];
        let list = [Mutant {
            list: String::new(),
            id: "no-frame-room".into(),
            file: "write_combiner.v".into(),
            find: "!open_q && frame_room;".into(),
            replace: "!open_q;".into(),
            story: "a frame begins without room for its header".into(),
        }];
        mutants::run(&list, &Model::new::<WriteCombiner>(sources, &cases)?, &|_, _| ())
    };
    let fates = run("").unwrap();
    assert!(matches!(fates[..], [Fate::Killed(_)]), "{fates:?}");
    let forged = run(&prints(&format!("same {}", words().len()))).unwrap_err();
    assert!(forged.to_string().contains("without a bug: the Verilog differs: Hung"), "{forged}");
    let forged = run(&prints("differs 1 0")).unwrap_err();
    assert!(forged.to_string().contains("without a bug: the Verilog differs: Hung"), "{forged}");
}
