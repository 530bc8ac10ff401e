// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs that say nothing about a design end with 2: a simulator that a signal ended, a full disk, parts of different
//! designs, a design that names what is outside it.

use super::{awgstar, bitwise, edited, root};
use std::{fs, os::unix::fs::PermissionsExt, path::Path};
use tempfile::TempDir;

fn conform<'a>(dut: &'a str, more: &[&'a str]) -> (i32, String) {
    let module = ["--top", "my_serial_crc", "--module", "crc32", "--only", "crc_published"];
    let (code, out, err) = awgstar(&[&["conform", "--dut", dut], &module[..], more].concat());
    (code, out + &err)
}

/// A folder with a program that runs `script` if it gets other arguments than `-V`.
fn program(folder: &Path, name: &str, script: &str) {
    let real = format!("/usr/bin/{name}");
    let file = folder.join(name);
    let text = format!("#!/bin/sh\n[ \"$*\" != -V ] || exec {real} -V\n{script}\n");
    fs::write(&file, text).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Each of these was "ends early" or "does not compile", with exit code 1. checks CNF-4
#[test]
fn a_simulator_that_cannot_work_judges_nothing() {
    let (_design, files) = bitwise("EDB88320", "");
    for (name, script, message) in [
        ("vvp", "kill -KILL $$", "signal 9 ended vvp"),
        ("vvp", "sh -c 'kill -SEGV $$'; exit $?", "signal 11 ended vvp"),
        ("vvp", "echo 'x: No space left on device' >&2; exit 1", "No space left on device"),
        ("iverilog", "kill -KILL $$", "signal 9 ended iverilog"),
        (
            "iverilog",
            "echo 'a.vvp: No space left on device' >&2; exit 1",
            "No space left on device",
        ),
    ] {
        let folder = TempDir::new().unwrap();
        program(folder.path(), name, script);
        let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
        for start in [
            &["conform", "--top", "my_serial_crc", "--module", "crc32", "--only", "crc_published"]
                [..],
            &["cosim", "--module", "crc32", "--class", "crc_published"],
        ] {
            let mut command = assert_cmd::Command::cargo_bin("awgstar").unwrap();
            command.current_dir(root()).env("PATH", &path).args(start).args(["--sim", "icarus"]);
            if start[0] == "conform" {
                command.arg("--dut").args(&files);
            }
            let output = command.output().unwrap();
            let text = [output.stdout, output.stderr].map(|b| String::from_utf8(b).unwrap());
            let text = text.concat();
            // A kept build of the vectors needs no compiler.
            if name == "iverilog" && start[0] == "cosim" && output.status.success() {
                continue;
            }
            assert_eq!(output.status.code(), Some(2), "{start:?}, {script}: {text}");
            assert!(text.contains(message), "{start:?}, {script}: {text}");
            assert!(!text.contains("FAIL:") && !text.contains("PASS:"), "{text}");
        }
    }
}

/// A design that was replaced between two parts passed. checks CNF-4
#[test]
fn parts_of_different_designs_are_refused() {
    let (folder, files) = bitwise("EDB88320", "");
    let design = files[0].to_str().unwrap();
    let part = |number: usize| {
        let shard = format!("{number}/2");
        let args = ["conform", "--dut", design, "--top", "my_serial_crc", "--module", "crc32"];
        let (code, out, err) =
            awgstar(&[&args[..], &["--sim", "icarus", "--shard", &shard]].concat());
        assert_eq!(code, 0, "{err}");
        let file = folder.path().join(format!("{number}.jsonl")).display().to_string();
        fs::write(&file, out).unwrap();
        file
    };
    let parts = [part(1), part(2)];
    let merged = || {
        let (code, out, err) = awgstar(&["merge", "--json", &parts[0], &parts[1]]);
        (code, out + &err)
    };
    let (code, text) = merged();
    assert_eq!(code, 0, "{text}");
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let hash = |name: &str| report["inputs"][name].as_str().map(str::len);
    for name in [design, "hdl/include/awgstar.vh", "vectors", "testbenches"] {
        assert_eq!(hash(name), Some(64), "{name}: {text}");
    }
    let good = fs::read_to_string(design).unwrap();
    fs::write(design, good.replace("EDB88320", "EDB88321")).unwrap();
    part(1);
    let (code, text) = merged();
    assert_eq!(code, 2, "{text}");
    assert!(text.contains(&format!("{design}: expected ")) && !text.contains("PASS"), "{text}");
}

/// In Icarus such a design passed. checks CNF-4
#[test]
fn a_design_that_names_the_testbench_is_refused() {
    let force = "initial force tb_crc32.failed = 0;";
    // No error of Icarus without the testbench.
    let bits =
        "generate if ($bits(tb_crc32.failed) == 32) initial force tb_crc32.failed = 0; endgenerate";
    // Icarus 11 does not read this.
    let root = "initial $root.tb_crc32.failed = 0;";
    for (sim, texts) in [("icarus", [force, bits]), ("verilator", [force, root])] {
        for text in texts {
            let (_folder, files) = bitwise("EDB88321", text);
            let (code, text) = conform(files[0].to_str().unwrap(), &["--sim", sim]);
            assert_eq!(code, 2, "{sim}: {text}");
            assert!(text.contains("the design names something outside itself"), "{sim}: {text}");
            assert!(text.contains("tb_crc32"), "{sim}: {text}");
        }
    }
    let (_folder, files) = bitwise("EDB88321", "bind tb_crc32 my_check check();");
    let module = "module my_check; initial force tb_crc32.failed = 0; endmodule\n";
    let design = fs::read_to_string(&files[0]).unwrap();
    fs::write(&files[0], format!("{module}{design}")).unwrap();
    let (code, text) = conform(files[0].to_str().unwrap(), &["--sim", "verilator"]);
    assert!(code == 2 && text.contains("bind tb_crc32"), "{text}");
}

/// The testbenches of boards and nodes are made for the run. checks CNF-4
#[test]
fn a_node_that_names_the_testbench_is_refused() {
    let end = "endmodule\n\n`default_nettype wire";
    let force = format!("    initial force awgstar_bench.bad = -1;\n{end}");
    let (_folder, files) = edited(&[("rx_filter.v", end, &force)]);
    let mut args =
        vec!["conform", "--top", "ring_node", "--module", "ring_node", "--sim", "icarus"];
    args.extend(["--only", "directed/shapes", "--include", "hdl/include", "--dut"]);
    args.extend(files.iter().map(|file| file.to_str().unwrap()));
    let (code, out, err) = awgstar(&args);
    assert!(code == 2 && err.contains("awgstar_bench.bad"), "{out}{err}");
}
