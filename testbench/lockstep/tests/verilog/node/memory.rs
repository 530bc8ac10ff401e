// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two files of `shared_memory` do the same, under all that the ring and the host can do at most.

use super::repository;
use std::{fs, path::Path, process::Command};

const OTHER: &str = "hdl/one_write/shared_memory.v";

/// Plays `tb_one_write` to our file and to the text of the other: cycles that differ, and cycles in
/// which ring and host write one word.
fn differ(other: &str) -> (u32, u32) {
    let folder = tempfile::tempdir().unwrap();
    let renamed = folder.path().join("other_memory.v");
    assert_eq!(other.matches("module shared_memory ").count(), 1);
    fs::write(&renamed, other.replace("module shared_memory ", "module other_memory ")).unwrap();
    let program = folder.path().join("tb.vvp");
    let run = |command: &mut Command| {
        let output = command.output().expect("Icarus Verilog is installed");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        text
    };
    let root = repository();
    run(Command::new("iverilog")
        .args(["-g2012", "-s", "tb_one_write", "-I"])
        .arg(root.join("hdl/include"))
        .arg("-o")
        .arg(&program)
        .arg(root.join("testbench/verilog/tb_one_write.v"))
        .arg(root.join("hdl/shared_memory.v"))
        .arg(&renamed));
    let text = run(Command::new("vvp").arg("-n").arg(&program));
    let numbers: Vec<u32> = text.split_whitespace().filter_map(|w| w.parse().ok()).collect();
    assert!(text.starts_with("SAME but for ") && numbers.len() == 3, "{text}");
    assert_eq!(numbers[1], 30_000, "{text}");
    (numbers[0], numbers[2])
}

fn other() -> String {
    fs::read_to_string(repository().join(Path::new(OTHER))).unwrap()
}

#[test]
fn one_write_port_does_the_same() {
    let (differ, both) = differ(&other());
    assert_eq!(differ, 0);
    assert!(both > 500, "{both}");
}

/// Each part of it is needed, and the testbench sees what it is for.
#[test]
fn one_write_port_has_no_part_too_many() {
    let text = other();
    for (find, replace) in [
        // The host waits for ever when the ring always goes first.
        ("if (host_lanes_q != 8'd0) ring = 1'b0;", ""),
        // The ring's row is lost when the host always goes first.
        ("&& ring_lanes_q != 8'd0) ring = 1'b1;", "&& ring_lanes_q != 8'd0) ring = ring;"),
        ("if (a_row == ring_row_q) ring_lanes_d = ring_lanes_d & ~a_lanes;", ""),
        ("if (b_row == host_row_d) host_lanes_d = host_lanes_d & ~b_lanes;", ""),
        ("(a_row == host_row_q ? host_lanes_d : 8'd0)", "8'd0"),
        ("if (host_lanes_q[k] && host_row_q == a_row) fresh_q[k] <= 1'b1;", ""),
        ("if (ring_lanes_q[k] && ring_row_q == a_row) begin", "if (1'b0) begin"),
    ] {
        assert_eq!(text.matches(find).count(), 1, "{find}");
        assert!(differ(&text.replace(find, replace)).0 > 0, "{find}");
    }
}
