// SPDX-License-Identifier: MIT OR Apache-2.0
//! Designs whose names a script would run, and designs that print without end.

use super::{awgstar, bitwise, root};
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};
use tempfile::TempDir;

/// A folder with a space and other letters, in which `checkout` is this repository.
pub(crate) fn odd_folder(parent: &TempDir) -> PathBuf {
    let odd = parent.path().join("with space, é; $(touch marker)");
    fs::create_dir(&odd).unwrap();
    symlink(root(), odd.join("checkout")).unwrap();
    odd
}

fn conform(folder: &Path, more: &[&str]) -> (Option<i32>, String) {
    let root = root().display().to_string();
    let common = ["conform", "--top", "my_serial_crc", "--module", "crc32", "--sim", "icarus"];
    let mut command = assert_cmd::Command::cargo_bin("awgstar").unwrap();
    command.current_dir(folder).args(common).args(["--root", &root]).args(more);
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].map(|b| String::from_utf8(b).unwrap());
    (output.status.code(), text.concat())
}

// Each file name is a whole script for Yosys or a shell.
#[test]
fn a_name_is_no_command() {
    let (folder, files) = bitwise("EDB88320", "");
    let names = |name: &str| {
        fs::copy(&files[0], folder.path().join(name)).unwrap();
        conform(folder.path(), &["--dut", name, "--only", "crc_bits"])
    };
    let (code, text) = names("x.sv\nexec\t--\ttouch\tmarker\nread_verilog\tx.sv");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains(r"x.sv\nexec\t--\ttouch\tmarker\nread_verilog\tx.sv"), "{text}");
    assert!(text.contains("control character"), "{text}");

    let (code, text) = names("x; exec -- touch marker; $(touch marker) `touch marker` \"'é.sv");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("ports: 4 as they should be, 0 not"), "{text}");
    assert!(!folder.path().join("marker").exists());

    let (code, text) =
        conform(folder.path(), &["--dut", "serial.sv", "--include", "no\n\u{1b}[2J"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains(r"no\n\u{1b}[2J") && !text.contains('\u{1b}'), "{text}");
}

// Output that never ends takes neither time nor memory without end, and is no pass.
#[test]
fn output_without_end_is_a_verdict() {
    let line = format!("forever $display(\"{}\"{});", "%s".repeat(16), ", letters".repeat(16));
    let line =
        format!("reg [2047:0] letters; initial begin letters = {{256{{8'h61}}}}; {line} end");
    let (_folder, files) = bitwise("EDB88320", &line);
    let start = Instant::now();
    let found = Command::new("sh")
        .args(["-c", "ulimit -v 2000000; exec \"$0\" \"$@\""])
        .arg(assert_cmd::cargo::cargo_bin("awgstar"))
        .args(["conform", "--top", "my_serial_crc", "--module", "crc32", "--sim", "icarus"])
        .args(["--only", "crc_published", "--root"])
        .arg(root())
        .arg("--dut")
        .args(&files)
        .output()
        .unwrap();
    let text = String::from_utf8(found.stdout).unwrap();
    assert_eq!(found.status.code(), Some(1), "{text}");
    assert!(text.contains("vvp prints without end: more than 67108864 bytes"), "{text}");
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    assert!(text.len() < 100_000);
}

#[test]
fn the_name_of_the_top_is_checked_and_shown() {
    let args = ["conform", "--dut", "hdl/crc32.v", "--top", "a\nb", "--module", "crc32"];
    let (code, _, text) = awgstar(&[&args[..], &["--sim", "icarus"]].concat());
    assert_eq!(code, 2, "{text}");
    assert!(text.contains(r"`a\nb` is no name of a module"), "{text}");
}
