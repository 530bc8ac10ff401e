// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes that a test starts: every wait has an end, and none is left when a check fails.

use std::{
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Longest wait for something that takes no time on a quiet computer.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// A process of a test, which ends with this value.
pub(crate) struct Started(pub(crate) Child);

impl Started {
    /// Starts a command with the signals as a terminal leaves them: one that the test's own caller ignores (`nohup`,
    /// a script's background) would be ignored by the process, too.
    pub(crate) fn with_signals(command: &Command) -> Started {
        let mut all = Command::new("env");
        all.arg("--default-signal=HUP,INT,TERM").arg(command.get_program());
        all.args(command.get_args());
        Started::new(&mut all)
    }

    /// Starts a command, with its outputs in pipes and no input.
    pub(crate) fn new(command: &mut Command) -> Started {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Started(command.spawn().expect("the command starts"))
    }

    /// How the process ended. It must not print more than a pipe takes.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let end = Instant::now() + LONG;
        loop {
            if let Some(status) = self.0.try_wait().expect("a child of ours") {
                return status;
            }
            assert!(Instant::now() < end, "process {} does not end", self.0.id());
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
