// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs and scratch folders of this process, which end with it: also when a signal ends it.

use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
    low_level::emulate_default_handler,
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, Once, PoisonError},
    thread,
    time::Duration,
};

/// Processes and folders to remove when this process ends.
#[derive(Debug, Default)]
pub(crate) struct Running {
    groups: Vec<Pid>,
    folders: Vec<PathBuf>,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { groups: Vec::new(), folders: Vec::new() });

/// Locks the list. While it is locked, no signal ends this process; after a signal no caller gets
/// the lock again.
pub(crate) fn running() -> MutexGuard<'static, Running> {
    static WATCH: Once = Once::new();
    WATCH.call_once(watch);
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Running {
    pub(crate) fn add_group(&mut self, leader: Pid) {
        self.groups.push(leader);
    }

    /// Kills every process of the group. Call it before the leader is waited for: until then its
    /// number cannot belong to another process.
    pub(crate) fn end_group(&mut self, leader: Pid) {
        let _ = kill_process_group(leader, Signal::KILL);
        self.groups.retain(|g| *g != leader);
    }

    pub(crate) fn add_folder(&mut self, folder: &Path) {
        self.folders.push(folder.into());
    }

    pub(crate) fn end_folder(&mut self, folder: &Path) {
        self.folders.retain(|f| f != folder);
        let _ = fs::remove_dir_all(folder);
    }

    fn end_all(&mut self) {
        for group in &self.groups {
            let _ = kill_process_group(*group, Signal::KILL);
        }
        // A thread of ours may still write into a folder that is being removed.
        for folder in &self.folders {
            for _ in 0..20 {
                let _ = fs::remove_dir_all(folder);
                if !folder.exists() {
                    break;
                }
                thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

/// Waits for a signal that ends this process. One that is ignored (`nohup`) stays ignored.
fn watch() {
    let ignored = ignored();
    let wanted = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|s| ignored >> (s - 1) & 1 == 0);
    let Ok(mut signals) = Signals::new(wanted) else { return };
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let mut all = running();
            all.end_all();
            let _ = emulate_default_handler(signal);
        }
    });
}

/// Signals that this process ignores, signal 1 in bit 0. None where the system does not say.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    mask.and_then(|m| u64::from_str_radix(m.trim(), 16).ok()).unwrap_or(0)
}
