// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals between programs, and writes of some bytes of a word.

use super::run;

/// Every block arrives whole and once, whatever becomes of frames, and the same in every run.
#[test]
fn producer_and_consumers() {
    for nodes in ["2", "3", "6"] {
        for order in ["sent", "confirmed"] {
            let args = ["-n", nodes, "--order", order, "--", "@producer", "20"];
            let (code, out, err) = run(&args);
            assert!(code == 0 && out.starts_with("20 blocks, sum 51040, "), "{args:?} {out}{err}");
            assert_eq!(run(&args), (code, out, err));
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("noise.toml");
    let text =
        "system = \"board-ring\"\nnodes = 3\nfibre_m = 10\nnoise = 2e-5\nseed = 3\n[primitives]\n";
    std::fs::write(&file, text).unwrap();
    let (code, out, err) =
        run(&["-n", "3", "--ring", file.to_str().unwrap(), "--", "@producer", "20"]);
    assert!(code == 0 && out.starts_with("20 blocks, sum 51040, "), "{out}{err}");
}

#[test]
fn signals_are_seen_in_waves_and_reports() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (vcd, report) = (at("run.vcd"), at("report"));
    let args = ["-n", "2", "--vcd", &vcd, "--report", &report, "--", "@producer", "4"];
    assert_eq!(run(&args).0, 0);
    let waves = std::fs::read_to_string(&vcd).unwrap();
    for text in ["process_signal_1", "process_signal_2_of_1", "waits_for_signal_1", "signals_2"] {
        assert!(waves.contains(text), "{text}");
    }
    let text = std::fs::read_to_string(folder.path().join("report/report.txt")).unwrap();
    assert!(text.contains("| wait "), "{text}");
}

#[test]
fn a_signal_that_nobody_sends() {
    let (code, _, err) = run(&["-n", "2", "--", "@wrong", "signals", "some"]);
    assert!(code != 0 && err.contains("node 0 waits for signal 4, node 1 has ended"), "{err}");
    let (code, out, err) =
        run(&["-n", "2", "--machine", "gen1", "--", "@wrong", "signals", "none"]);
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn neighbouring_bytes() {
    for machine in ["ring", "gen1"] {
        let (code, out, err) = run(&["-n", "5", "--machine", machine, "--", "@wrong", "bytes"]);
        assert_eq!(code, 0, "{machine} {out}{err}");
    }
}
