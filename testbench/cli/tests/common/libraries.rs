// SPDX-License-Identifier: MIT OR Apache-2.0
//! The libraries that programs are linked with, and the examples of boards on a serial line and of one-sided
//! programs, built beside the command line.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The folder of the built libraries; the examples are in `examples`.
pub(crate) fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        // With the tests of all crates: for one crate, cargo would choose other features of the dependencies
        // and compile the model again.
        let built = Path::new(env!("CARGO_BIN_EXE_awgstar")).parent().unwrap();
        let cargo = Command::new(env!("CARGO"))
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
            .args(["build", "--workspace", "--lib", "--tests", "--example", "serial_boards"])
            .args(["--example", "world"])
            .args(["--quiet", "--locked", "--target-dir"])
            .arg(built.parent().unwrap())
            .status()
            .unwrap();
        assert!(cargo.success());
        built.into()
    })
}
