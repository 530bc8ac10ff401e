// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar sim --watch`.

use crate::started::{LONG, Started};
use std::{
    fs,
    io::{BufRead, BufReader, Read},
    os::unix::process::ExitStatusExt,
    process::Command,
    sync::mpsc::{Receiver, channel},
    thread,
};

/// Lines of a stream, as they come.
fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (send, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// Waits for a line that contains this.
fn until(lines: &Receiver<String>, what: &str) -> String {
    let mut seen = Vec::new();
    loop {
        match lines.recv_timeout(LONG) {
            Ok(line) if line.contains(what) => return line,
            Ok(line) => seen.push(line),
            Err(error) => panic!("{error}: no `{what}` in {seen:#?}"),
        }
    }
}

fn scenario(hex: &str) -> String {
    format!(
        "system = \"node-ring\"\nnodes = 3\ncycles = 900\n[[program]]\nnodes = 1\ndo = [{{ write = 0x100, hex = \"{hex}\" }}]\n"
    )
}

/// A change gives the new result, a broken file its error, a repaired one a result again; SIGINT ends it.
#[test]
fn a_change_of_the_file_runs_it_again() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("ring.toml");
    fs::write(&file, scenario("00")).expect("file");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("awgstar"));
    command.args(["sim", "--watch"]).arg(&file);
    let mut child = Started::with_signals(&command);
    let out = lines(child.0.stdout.take().expect("output"));
    let errors = lines(child.0.stderr.take().expect("errors"));
    until(&out, "write 1 B at 0x100");
    until(&errors, "watching");
    fs::write(&file, scenario("0011")).expect("file");
    until(&out, "write 2 B at 0x100");
    until(&errors, "watching");
    fs::write(&file, scenario("0011").replace("nodes = 1", "nodes = 9")).expect("file");
    let error = until(&errors, "error: ");
    assert!(error.contains("ring.toml:5:9: program.nodes is 9: expected 0 to 2"), "{error}");
    until(&errors, "watching");
    fs::remove_file(&file).expect("file");
    until(&errors, "error: ");
    until(&errors, "watching");
    fs::write(&file, scenario("001122")).expect("file");
    until(&out, "write 3 B at 0x100");
    until(&errors, "watching");
    let pid = child.0.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    let status = child.wait();
    // A shell shows this as 130.
    assert_eq!(status.signal(), Some(2), "{status}");
}
