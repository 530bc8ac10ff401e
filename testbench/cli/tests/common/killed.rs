// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar run` that is killed with SIGKILL: nothing of it is left.

use std::{
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Processes that have this variable in their environment, as `NAME=VALUE`.
pub(crate) fn marked(mark: &str) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("Linux' /proc").flatten();
    let marked = |path: &std::path::Path| {
        let environment = std::fs::read(path.join("environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|part| part == mark.as_bytes())
    };
    let marked = entries.filter(|entry| marked(&entry.path()));
    marked.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// The processes that a process has started.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let found = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
    found.unwrap_or_default().split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// Kills the command at some moment: within 20 s no process is left that it or a child of it has started.
pub(crate) fn leaves_nothing(command: &mut Command, number: u64, moment: Duration) {
    let mark = format!("AWGSTAR_TEST_KILLED={}-{number}", std::process::id());
    let (name, value) = mark.split_once('=').unwrap();
    let command = command.env(name, value).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    thread::sleep(moment);
    let started = children(child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    let runs = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ")
    };
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let mut left = marked(&mark);
        left.extend(started.iter().filter(|pid| runs(pid)));
        if left.is_empty() {
            return;
        }
        if Instant::now() > end {
            let pids = left.iter().map(ToString::to_string);
            let _ = Command::new("kill").arg("-KILL").args(pids).status();
            panic!("{command:?}, killed after {moment:?}: {left:?} are left");
        }
        thread::sleep(Duration::from_millis(5));
    }
}
