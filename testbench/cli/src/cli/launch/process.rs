// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process of this computer: its start, its input and output, its end.

use crate::cli::CliError;
use awgstar_program::{Life, VARIABLE};
use awgstar_simulator::{
    process::Group,
    reaper::{self, Reaper},
};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::process::ExitStatusExt,
    },
    process::{Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// A process and the threads that carry its input and output.
pub(super) struct Running {
    group: Arc<Mutex<Group>>,
    carriers: Vec<JoinHandle<()>>,
    status: Arc<Mutex<Option<ExitStatus>>>,
}

/// No code of a run's own can fail while it is locked.
pub(super) fn locked<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a process ended, for a message and as an exit code; `None` for success.
pub(super) fn failure(status: ExitStatus) -> Option<(String, u8)> {
    match (status.code(), status.signal()) {
        (Some(0), _) => None,
        (Some(code), _) => Some((format!("exit code {code}"), code.to_le_bytes()[0].max(1))),
        (_, Some(signal)) => {
            let name = match signal {
                4 => " (illegal instruction)",
                6 => " (abort)",
                8 => " (arithmetic error)",
                9 => " (kill)",
                11 => " (segmentation fault)",
                15 => " (terminate)",
                _ => "",
            };
            Some((format!("signal {signal}{name}"), (128 + signal).to_le_bytes()[0]))
        }
        _ => Some(("no exit code".into(), 1)),
    }
}

/// Copies lines, each with the node before it. The threads that do so cannot use `Stdout`, which the command
/// itself has locked.
fn carry(node: usize, from: impl Read + Send + 'static, mut to: File) -> JoinHandle<()> {
    thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut line = Vec::new();
        while from.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
            let mut text = format!("[{node}] ").into_bytes();
            text.append(&mut line);
            if text.last() != Some(&b'\n') {
                text.push(b'\n');
            }
            // Nothing is left to do when the output is closed.
            let _ = to.write_all(&text);
        }
    })
}

impl Running {
    /// Starts the program of a node, which the reaper gets to know; `fd` is the descriptor of the slots, `input` a file
    /// for its standard input, `environment` variables for it alone. With `fixed` it has the same addresses in each run.
    pub(super) fn start(
        reaper: &Reaper,
        words: &[String],
        (node, fd): (usize, i32),
        prefix: bool,
        input: Option<String>,
        environment: &[(&str, String)],
        fixed: bool,
    ) -> Result<Running, CliError> {
        let Some((program, arguments)) = words.split_first() else {
            return Err(CliError::Usage("expected a program".into()));
        };
        let mut command = Command::new(program);
        command.args(arguments).env(VARIABLE, format!("{fd}:{node}"));
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        // Without files node 0 gets the input, as with other launchers.
        command.stdin(match input {
            Some(path) => {
                let file = File::open(&path);
                file.map_err(|source| CliError::Io { what: format!("--stdin {path}"), source })?
                    .into()
            }
            None if node == 0 => Stdio::piped(),
            None => Stdio::null(),
        });
        if prefix {
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        if fixed {
            reaper::fix_addresses(&mut command);
        }
        let mut group = Group::spawn_watched(&mut command, reaper)
            .map_err(|source| CliError::Io { what: format!("program `{program}`"), source })?;
        let mut carriers = Vec::new();
        if let Some(mut to) = group.child.stdin.take() {
            // It may wait for input without end, so it is not waited for.
            thread::spawn(move || {
                let _ = io::copy(&mut io::stdin().lock(), &mut to);
            });
        }
        let copy = |fd: BorrowedFd<'_>| fd.try_clone_to_owned().map(File::from);
        if let Some(from) = group.child.stdout.take() {
            carriers.push(carry(node, from, copy(io::stdout().as_fd())?));
        }
        if let Some(from) = group.child.stderr.take() {
            carriers.push(carry(node, from, copy(io::stderr().as_fd())?));
        }
        let group = Arc::new(Mutex::new(group));
        Ok(Running { group, carriers, status: Arc::default() })
    }

    /// Says whether the process runs, and leaves its end to others.
    pub(super) fn alive(&self) -> Box<dyn Fn() -> bool + Send> {
        let (group, status) = (self.group.clone(), self.status.clone());
        Box::new(move || locked(&status).is_none() && matches!(locked(&group).ended(), Ok(false)))
    }

    /// Says whether the process lives.
    pub(super) fn life(&self) -> Box<dyn FnMut() -> Life + Send> {
        let (group, status) = (self.group.clone(), self.status.clone());
        Box::new(move || {
            let mut group = locked(&group);
            match group.ended() {
                Ok(false) => Life::Runs,
                Ok(true) => match group.end() {
                    Ok(how) => {
                        *locked(&status) = Some(how);
                        failure(how).map_or(Life::Succeeded, |(how, _)| Life::Failed(how))
                    }
                    Err(error) => Life::Failed(error.to_string()),
                },
                Err(error) => Life::Failed(error.to_string()),
            }
        })
    }

    /// Waits until it ends, and kills it at `end`.
    pub(super) fn finish(self, end: Option<Instant>) -> Option<ExitStatus> {
        if locked(&self.status).is_none() {
            let mut group = locked(&self.group);
            while end.is_none_or(|end| Instant::now() < end) && matches!(group.ended(), Ok(false)) {
                thread::sleep(Duration::from_millis(2));
            }
            *locked(&self.status) = group.end().ok();
        }
        for carrier in self.carriers {
            let _ = carrier.join();
        }
        *locked(&self.status)
    }
}
