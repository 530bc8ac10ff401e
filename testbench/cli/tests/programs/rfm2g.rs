// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs with the interface `RFM2g`.

use super::{built, program, result, root, run};
use std::{fs, process::Command};

/// Programs in `model/rfm2g/examples`.
pub(super) const EXAMPLES: [&str; 6] =
    ["block", "mapped", "callback", "polling", "control", "link"];

#[test]
fn blocks_events_and_polling() {
    for nodes in ["2", "3", "8"] {
        let (code, out, err) = run(&["-n", nodes, "--", "@block", "3", nodes]);
        assert!(code == 0 && out.starts_with("3 rounds with "), "{nodes}: {out}{err}");
        let (code, out, err) = run(&["-n", nodes, "--", "@polling", nodes, "3"]);
        assert_eq!((code, out), (0, format!("3 rounds over {nodes} nodes\n")), "{err}");
        let (code, out, err) = run(&["-n", nodes, "--", "@callback", "4"]);
        assert_eq!(code, 0, "{out}{err}");
        assert_eq!(
            out.lines().count().to_string(),
            (nodes.parse::<i32>().unwrap() - 1).to_string()
        );
    }
}

#[test]
fn windows() {
    for nodes in ["2", "4"] {
        let (code, out, err) = run(&["-n", nodes, "--", "@mapped", "5"]);
        assert_eq!((code, out.as_str()), (0, "5 rounds through a window\n"), "{err}");
    }
    let (code, _, err) = run(&["-n", "1", "--", "@board", "beyond"]);
    assert!(code != 0 && err.contains("ends beyond a mapped window of 8 bytes"), "{err}");
    let (code, _, err) = run(&["-n", "1", "--", "@board", "buffer"]);
    assert!(code != 0 && err.contains("cannot be the buffer of a function"), "{err}");
    let (code, _, err) = run(&["-n", "1", "--", "@board", "crash"]);
    assert!(code != 0 && err.contains("signal 11 (segmentation fault)"), "{err}");
}

/// Runs a mode of `windows.c`, whose windows need so much memory.
fn windows_in(mode: &str) -> (i32, String, String) {
    run(&["-n", "1", "--memory", "16K", "--", "@windows", mode])
}

/// Gather loads found 0 in all elements but one; a copy within a window moved 0, and left a second window open.
#[test]
fn instructions_with_several_operands_in_windows() {
    let (code, out, err) = windows_in("two operands");
    let expected = "within a window 5\nto another window 5\na store after it 77\n\
                    a load after it 88\nequal 1\nthrough the stack 5\n";
    assert_eq!((code, out.as_str()), (0, expected), "{err}");
    if std::arch::is_x86_feature_detected!("avx2") {
        let (code, out, err) = windows_in("gather");
        assert!(code != 0 && err.contains("librfm2g: Vpgatherdd at "), "{out}{err}");
        assert!(err.contains("with a vector of addresses"), "{err}");
        // It would write what it has read before to the bytes that it leaves.
        let (code, out, err) = windows_in("masked store");
        assert!(code != 0 && err.contains("librfm2g: Vpmaskmovd at "), "{out}{err}");
        assert!(err.contains("expected no masked stores"), "{err}");
    }
}

/// The C library copies and fills with them; they ended the program.
#[test]
fn string_instructions_in_windows() {
    let (code, out, err) = windows_in("strings");
    let expected = "\
        rep movsb to a window: 0 bytes wrong\n\
        rep movsq to a window: 0 bytes wrong\n\
        rep movsb downwards: 0 bytes wrong\n\
        rep movsq downwards: 0 bytes wrong\n\
        rep stosb: 0 bytes wrong\n\
        rep stosq: 0 bytes wrong\n\
        rep movsb from a window: 0\n\
        rep movsq from a window: 0\n\
        rep movsb within a window: 0 bytes wrong\n\
        rep movsq to another window: 0 bytes wrong\n\
        rep movsb over itself: 0 bytes wrong\n\
        rep movsb over itself through another window: 0 bytes wrong\n\
        repne scasb: 4102\n\
        repe cmpsb: 4098, 4 left\n";
    assert_eq!((code, out.as_str()), (0, expected), "{err}");
    // Optimised, with functions that check lengths.
    let folder = tempfile::tempdir().unwrap();
    let checked = folder.path().join("checked");
    let compiled = Command::new("cc")
        .args(["-std=gnu99", "-O2", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2", "-I"])
        .arg(root().join("model/rfm2g/include"))
        .arg(root().join("testbench/cli/tests/programs/windows.c"))
        .arg(built().join("librfm2g.a"))
        .args(["-lm", "-lpthread", "-ldl", "-o"])
        .arg(&checked)
        .status();
    assert!(compiled.unwrap().success());
    for program in ["@windows", checked.to_str().unwrap()] {
        let (code, out, err) = run(&["-n", "1", "--memory", "16K", "--", program, "functions"]);
        assert_eq!((code, out.as_str()), (0, "functions: 0 wrong\n"), "{program}: {err}");
    }
}

/// 64 words cost the same as words and as bytes of a string instruction, up to 1 %.
#[test]
fn a_string_instruction_costs_an_access_for_each_word() {
    let (code, out, err) = windows_in("cost");
    let times: Vec<i64> = out
        .split_whitespace()
        .filter_map(|time| time.trim_end_matches([',', ';']).parse().ok())
        .collect();
    let [stores, to, loads, from] = times[..] else { panic!("{code} {out}{err}") };
    assert!(stores > 0 && 100 * (stores - to).abs() < stores, "{out}");
    assert!(loads > 0 && 100 * (loads - from).abs() < loads, "{out}");
}

/// A read beyond a window found 0, and a write beyond its last page was lost.
#[test]
fn beyond_the_end_of_a_window() {
    let (code, out, err) = windows_in("read beyond");
    assert!(code != 0 && out == "AJ IJKL\n", "{out}{err}");
    assert!(err.contains("a read of 1 bytes at byte 10 ends beyond a mapped window of 10 bytes"));
    for mode in ["store beyond", "string beyond"] {
        let (code, _, err) = windows_in(mode);
        let expected = "a write of 1 bytes at byte 4096 ends beyond a mapped window of 4096 bytes";
        assert!(code != 0 && err.contains(expected), "{mode}: {err}");
    }
}

/// A closed loop at 1 kHz: the same times in every run, and a wave of them.
#[test]
fn a_control_loop_has_the_same_jitter_in_every_run() {
    let args = ["-n", "4", "--", "@control", "30"];
    let (code, out, err) = run(&args);
    assert!(code == 0 && out.contains(" after 30 periods; loop "), "{out}{err}");
    assert_eq!(run(&args), (code, out, err));
}

#[test]
fn a_cut_ring_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cut.toml");
    let ring = "system = \"board-ring\"\nnodes = 3\nfibre_m = 10\n[primitives]\n";
    fs::write(&file, format!("{ring}[[cut]]\nlink = 1\nfrom = 200_000\n")).unwrap();
    let (code, out, _) = run(&["-n", "3", "--ring", file.to_str().unwrap(), "--", "@link", "20"]);
    assert_eq!(code, 0);
    let lines: Vec<&str> = out.lines().collect();
    let seen =
        |line: &&str| line.contains("ring: the ring is cut") && line.contains("event: success");
    assert!(lines.len() == 3 && lines.iter().all(seen), "{out}");
    let (code, out, err) = run(&["-n", "3", "--", "@link", "3"]);
    assert!(code == 0 && out.matches("the ring was closed for 3 ms").count() == 3, "{out}{err}");
}

#[test]
fn every_function_with_good_and_bad_arguments() {
    let (code, out, err) = run(&["-n", "2", "--", "@board", "all"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    let (code, _, err) = run(&["-n", "2", "--", "@board", "for ever"]);
    assert!(code != 0 && err.contains("node 0 waits for a signal, node 1 has ended"), "{err}");
    assert!(Command::new(program("board")).arg("no board").status().unwrap().success());
    let (code, out, err) = run(&["-n", "1", "--machine", "gen1", "--", "@board", "no board"]);
    // It has joined; what it cannot do, the run does not hold against it.
    assert_eq!(code, 0, "{out}{err}");
}

/// Header and library are the same: every text, every function; C99 and C++ take the header.
#[test]
fn the_header_is_that_of_the_library() {
    let include = root().join("model/rfm2g/include");
    let read = |name: &str| fs::read_to_string(include.join(name)).unwrap();
    let (_, texts, _) = result(&Command::new(program("board")).arg("texts").output().unwrap());
    let errno = read("rfm2g_errno.h");
    let of_header = errno.lines().filter(|line| line.starts_with("    RFM2G_"));
    let of_header = of_header.filter_map(|line| line.split_once("/* ")?.1.split_once(": "));
    let of_header: Vec<String> = of_header
        .enumerate()
        .map(|(at, (number, text))| {
            assert_eq!(number, at.to_string());
            text.trim_end_matches(" */").to_owned()
        })
        .collect();
    assert_eq!(texts.lines().collect::<Vec<_>>(), of_header);
    assert_eq!(of_header.len(), 43);
    let symbols = Command::new("nm")
        .args(["--defined-only", "--dynamic"])
        .arg(built().join("librfm2g.so"))
        .output()
        .unwrap();
    let symbols = String::from_utf8(symbols.stdout).unwrap();
    let mut ours: Vec<&str> =
        symbols.lines().filter_map(|line| line.split(' ').next_back()).collect();
    ours.retain(|name| name.starts_with("RFM2g"));
    let api = read("rfm2g_api.h");
    let declared =
        api.lines().filter_map(|line| line.split_once(" RFM2g").or(line.split_once("*RFM2g")));
    let mut declared: Vec<String> =
        declared.map(|(_, rest)| format!("RFM2g{}", rest.split('(').next().unwrap())).collect();
    ours.sort_unstable();
    declared.sort_unstable();
    assert_eq!(ours, declared);
    let folder = tempfile::tempdir().unwrap();
    for (compiler, name, standard) in [("cc", "a.c", "-std=c99"), ("c++", "a.cpp", "-std=c++11")] {
        let file = folder.path().join(name);
        fs::write(&file, "#include <rfm2g_api.h>\nint main(void) { return RFM2G_SUCCESS; }\n")
            .unwrap();
        let checked = Command::new(compiler)
            .args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic", standard, "-I"])
            .args([&include, &file])
            .status();
        assert!(checked.unwrap().success(), "{compiler}");
    }
}

/// Free windows: what differs from the replica goes out with the next call, and no more.
#[test]
fn free_windows() {
    for (mapped, bytes) in [("flush", ["151", "21"]), ("trap", ["154", "21"])] {
        let args = ["-n", "2", "--report", "--mapped", mapped, "--"];
        let (code, out, err) = run(&[&args[..], &["@flush"]].concat());
        assert_eq!((code, out.as_str()), (0, ""), "{mapped}: {err}");
        assert_eq!(err.contains(", mapped windows flushed; "), mapped == "flush", "{err}");
        let written = |node: usize| {
            let row = err.lines().find(|line| line.starts_with(&format!("| {node} | "))).unwrap();
            row.split('|').nth(4).unwrap().trim().to_owned()
        };
        assert_eq!([written(0), written(1)], bytes, "{mapped}: {err}");
        let (code, _, err) = run(&[&args[..], &["@flush", "beyond"]].concat());
        assert!(code != 0 && err.contains("ends beyond a mapped window of 16 bytes"), "{err}");
    }
    let (code, _, err) = run(&["-n", "1", "--mapped", "free", "--", "@flush"]);
    assert!(code == 2 && err.contains("possible values: trap, flush"), "{err}");
    // A store that is not to a window stays a crash.
    let (code, _, err) = run(&["-n", "1", "--mapped", "flush", "--", "@board", "crash"]);
    assert!(code != 0 && err.contains("signal 11 (segmentation fault)"), "{err}");
    // While the ring is cut a board refuses what it has no room for: stores that have happened would be lost.
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.toml");
    let ring = "system = \"board-ring\"\nnodes = 2\ncycles = 60000000\nperiod = 1500\n\
        timeout = 1500\n[primitives]\n[[cut]]\nlink = 0\nfrom = 40000\nuntil = 4000000\n";
    std::fs::write(&cut, ring).unwrap();
    let args = ["-n", "2", "--mapped", "flush", "--ring", cut.to_str().unwrap(), "--"];
    let (code, _, err) = run(&[&args[..], &["@flush", "refused"]].concat());
    assert!(code != 0 && err.contains("a write of a mapped window failed"), "{err}");
    let (code, out, err) = run(&["-n", "2", "--mapped", "flush", "--", "@board", "all"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
}
