// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds that are out of date, odd paths, and runs that are killed.

use super::root;
use awgstar_simulator::{Icarus, Module, Options, SimError, Simulator, Verilator, cosim};
use std::{
    fs,
    io::Read,
    os::unix::{
        fs::{PermissionsExt, symlink},
        process::ExitStatusExt,
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// A checkout in a folder that `make`, Yosys and Icarus do not take, with `crc32` alone, which includes
/// a file that is not of the project.
fn checkout() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join("with space, é $(x)");
    fs::create_dir_all(odd.join("hdl/include")).unwrap();
    for part in ["testbench", "vectors"] {
        symlink(root().join(part).canonicalize().unwrap(), odd.join(part)).unwrap();
    }
    let text = fs::read_to_string(root().join("hdl/crc32.v")).unwrap();
    assert_eq!(text.matches("assign crc_out = ").count(), 1);
    let text = text.replace("assign crc_out = ", "assign crc_out = `MY ^ ");
    fs::write(odd.join("hdl/crc32.v"), format!("`include \"my.svh\"\n{text}")).unwrap();
    fs::write(odd.join("hdl/include/my.svh"), "`define MY 32'd0\n").unwrap();
    (folder, odd)
}

fn failed(root: &Path, simulator: &dyn Simulator) -> Result<usize, SimError> {
    let mut options = Options::all(root, simulator)?;
    options.modules = vec![Module::Crc32];
    options.modes = vec![0];
    options.waves = false;
    options.classes.retain(|c| c.name == "crc_published" || c.name == "crc_bits");
    assert_eq!(options.classes.len(), 2);
    Ok(cosim(&options, &|_| {})?.failed())
}

// The copy of a module includes a file; then that file changes.
#[test]
fn an_included_file_counts_in_icarus() {
    let (_folder, checkout) = checkout();
    assert_eq!(failed(&checkout, &Icarus).unwrap_or_else(|e| panic!("{e}")), 0);
    fs::write(checkout.join("hdl/include/my.svh"), "`define MY 32'd1\n").unwrap();
    assert!(failed(&checkout, &Icarus).unwrap() > 0, "an old program is used");
}

// Text that does not compile shows that it was read, without a second run of the C++ compiler.
#[test]
fn an_included_file_counts_in_verilator() {
    let (_folder, checkout) = checkout();
    assert_eq!(failed(&checkout, &Verilator).unwrap_or_else(|e| panic!("{e}")), 0);
    fs::write(checkout.join("hdl/include/my.svh"), "`define MY no_such_signal\n").unwrap();
    match failed(&checkout, &Verilator) {
        Err(SimError::Build { log, .. }) => {
            let file = checkout.join("hdl/crc32.v").display().to_string();
            assert!(log.contains("no_such_signal") && log.contains(&file), "{log}");
        }
        other => panic!("{other:?}"),
    }
}

/// Processes whose command line has `text` in it, those that have ended left out.
fn processes(text: &str) -> Vec<String> {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let lines = all.filter_map(|p| fs::read(p.path().join("cmdline")).ok());
    let lines = lines.map(|l| String::from_utf8_lossy(&l).replace('\0', " "));
    lines.filter(|l| l.contains(text)).collect()
}

// A Verilator that takes its time, with a child of a child. The run says so on standard error, and
// ends with everything it started when it is asked to.
#[test]
fn a_killed_run_leaves_nothing() {
    let sleep = format!("sleep 7919.{}", std::process::id());
    let (folder, checkout) = checkout();
    let (bin, scratch) = (folder.path().join("bin"), folder.path().join("tmp"));
    fs::create_dir_all(&bin).unwrap();
    fs::create_dir_all(&scratch).unwrap();
    let script = format!(
        "#!/bin/sh\ncase \" $* \" in\n*' --version '*) echo 'Verilator 0';;\n*' -E '*) echo text;;\n*) {sleep} & {sleep};;\nesac\n"
    );
    fs::write(bin.join("verilator"), script).unwrap();
    fs::set_permissions(bin.join("verilator"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut run = Command::new(assert_cmd::cargo::cargo_bin("awgstar"))
        .args(["cosim", "--sim", "verilator", "--module", "crc32"])
        .current_dir(&checkout)
        .env("PATH", path)
        .env("TMPDIR", &scratch)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = vec![0; "verilator: building crc32, 5 s\n".len()];
    run.stderr.as_mut().unwrap().read_exact(&mut said).unwrap();
    let (sleeping, folders) = (processes(&sleep).len(), fs::read_dir(&scratch).unwrap().count());

    let kill = Command::new("kill").arg(run.id().to_string()).status().unwrap();
    assert!(kill.success());
    let start = Instant::now();
    assert_eq!(run.wait().unwrap().signal(), Some(15));
    assert_eq!(String::from_utf8_lossy(&said), "verilator: building crc32, 5 s\n");
    // A folder for the key of the build, one for the build, one for the design alone.
    assert_eq!((sleeping, folders), (2, 3));
    while !processes(&sleep).is_empty() && start.elapsed() < Duration::from_secs(5) {
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(processes(&sleep), [""; 0]);
    assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0);
    let left = fs::read_dir(checkout.join("target/cosim/builds")).unwrap().flatten();
    let left: Vec<_> = left.map(|e| e.path()).collect();
    assert!(left.iter().all(|path| path.extension().is_some_and(|e| e == "lock")), "{left:?}");
}
