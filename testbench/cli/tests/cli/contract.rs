// SPDX-License-Identifier: MIT OR Apache-2.0
//! The generated files are those of the contract, and the contract is that of the thesis. Checks
//! CTR-1, LNK-1.

use assert_cmd::Command;
use awgstar::contract::{Token, limits};
use awgstar_cli::generated;
use std::{fs, path::Path};

/// CTR-1: the committed files are what the contract prints now.
#[test]
fn no_generated_file_drifts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    assert_eq!(generated::drift(&root), [], "run `cargo run -- contract generate`");
}

/// CTR-1: a change by hand is found, with its line, and the command fails.
#[test]
fn drift_is_found() {
    let folder = tempfile::tempdir().expect("temporary folder");
    for (name, text) in generated::files() {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("has a folder")).expect("folder");
        fs::write(path, text).expect("file");
    }
    assert_eq!(generated::drift(folder.path()), []);
    let header = folder.path().join("hdl/include/awgstar.vh");
    let text = fs::read_to_string(&header).expect("header");
    fs::write(&header, text.replace("11'd46", "11'd47")).expect("header");
    let (name, line) = generated::drift(folder.path())[0];
    assert_eq!(name, "hdl/include/awgstar.vh");
    assert!(text.lines().nth(line - 1).is_some_and(|l| l.contains("DATA_MIN")));
    Command::cargo_bin("awgstar")
        .expect("binary")
        .args(["contract", "check", "--root"])
        .arg(folder.path())
        .assert()
        .code(1);
}

/// LNK-1 and the thesis' numbers, written out.
#[test]
fn numbers_of_the_thesis() {
    assert_eq!((limits::FRAME_MIN, limits::FRAME_MAX), (64, 1042));
    assert_eq!((limits::CLOCK_HZ, limits::LINE_RATE_BPS), (67_250_000, 2_152_000_000));
    let codes = Token::ALL.map(Token::code);
    assert_eq!(codes, [0b000, 0b001, 0b011, 0b100, 0b101, 0b110]);
    for reserved in Token::RESERVED {
        assert_eq!(Token::from_code(reserved), None);
    }
}
