// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process that outlives this one, to end what it has started: also when SIGKILL ends it.
//!
//! The *reaper* is a shell that reads a pipe whose other end only this process keeps. It gets the number of each process group
//! that begins or ends. When the pipe ends, this process has ended in whatever way, and the reaper kills the groups
//! that are left.
//!
//! A child tells the reaper of its group itself, before it becomes its program: at no moment is there a program that
//! the reaper does not know. The kernel's signal at the death of a parent would reach no grandchild, and depends on
//! the thread that started the child.

use rustix::process::{Pid, getpid};
use std::{
    io::{self, Read},
    os::{fd::OwnedFd, unix::process::CommandExt},
    process::{Child, Command, Stdio},
    sync::{Arc, Weak},
};

/// Says that it runs, reads `+ GROUP` and `- GROUP`, and kills the groups of which the second has not come.
const SCRIPT: &str = r#"groups=" "
echo
while read -r sign group; do
    case $sign in
        +) groups="$groups$group " ;;
        -) groups="${groups%% $group *} ${groups#* $group }" ;;
    esac
done
for group in $groups; do kill -s KILL -- "-$group"; done 2>/dev/null"#;

/// Kills process groups when this process ends.
#[derive(Debug)]
pub struct Reaper {
    /// Closed before the shell is waited for.
    pipe: Option<Arc<OwnedFd>>,
    shell: Child,
}

/// The line that tells of a group, in a buffer: a child may not allocate before it becomes its program.
fn line(sign: u8, group: Pid) -> ([u8; 16], usize) {
    let (mut text, mut at) = ([0; 16], 15);
    text[at] = b'\n';
    let mut left = group.as_raw_nonzero().get().unsigned_abs();
    while left > 0 {
        at -= 1;
        text[at] = b"0123456789"[(left % 10) as usize];
        left /= 10;
    }
    at -= 2;
    (text[at], text[at + 1]) = (sign, b' ');
    (text, at)
}

impl Reaper {
    /// Starts a reaper with nothing to do.
    ///
    /// # Errors
    /// If the system has no shell `sh`, or no process left, and if the shell is killed before it runs: nothing would
    /// end what is left then.
    pub fn start() -> io::Result<Self> {
        Reaper::run(SCRIPT)
    }

    fn run(script: &str) -> io::Result<Self> {
        // In a separate group: a signal from the terminal must not end it before its parent.
        let mut shell = Command::new("/bin/sh")
            .args(["-c", script])
            .env_clear()
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let says = shell.stdout.take().is_some_and(|mut out| out.read_exact(&mut [0]).is_ok());
        if !says {
            let how = shell.wait()?;
            return Err(io::Error::other(format!("the shell that ends what is left: {how}")));
        }
        let pipe = shell.stdin.take().map(|pipe| Arc::new(OwnedFd::from(pipe)));
        Ok(Reaper { pipe, shell })
    }

    /// The command's child will tell of its process group, which it leads. Later [`ended`] is to be called with what
    /// this returns.
    pub(crate) fn watch(&self, command: &mut Command) -> Weak<OwnedFd> {
        let Some(pipe) = &self.pipe else { return Weak::new() };
        let told = Arc::downgrade(pipe);
        let pipe = Arc::clone(pipe);
        let tell = move || {
            let (text, at) = line(b'+', getpid());
            // So short a line goes into the pipe whole.
            rustix::io::write(&*pipe, &text[at..])?;
            Ok(())
        };
        // SAFETY: the closure makes system calls only, and neither allocates nor locks.
        #[expect(unsafe_code, reason = "a child tells of itself between its fork and its program")]
        unsafe {
            command.pre_exec(tell);
        }
        told
    }
}

/// The command's child has the same addresses in each run, if the system allows that.
pub fn fix_addresses(command: &mut Command) {
    // SAFETY: the closure makes a system call only, which changes what the program of the child gets.
    #[expect(unsafe_code, reason = "a setting of a child between its fork and its program")]
    unsafe {
        command.pre_exec(|| {
            libc::personality(libc::ADDR_NO_RANDOMIZE.cast_unsigned().into());
            Ok(())
        });
    }
}

/// Tells the reaper that a group has ended, before its number can belong to another one.
pub(crate) fn ended(pipe: &Weak<OwnedFd>, group: Pid) {
    if let Some(pipe) = pipe.upgrade() {
        let (text, at) = line(b'-', group);
        // If the reaper was killed, there is no reader.
        let _ = rustix::io::write(&*pipe, &text[at..]);
    }
}

impl Drop for Reaper {
    fn drop(&mut self) {
        self.pipe = None;
        let _ = self.shell.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Group;
    use std::{
        io::{BufRead, BufReader},
        path::Path,
        thread,
        time::{Duration, Instant},
    };

    fn text(sign: u8, group: i32) -> String {
        let (text, at) = line(sign, Pid::from_raw(group).unwrap());
        String::from_utf8(text[at..].to_vec()).unwrap()
    }

    #[test]
    fn lines_of_the_pipe() {
        assert_eq!(text(b'+', 1), "+ 1\n");
        assert_eq!(text(b'-', 4_194_304), "- 4194304\n");
        assert_eq!(text(b'+', i32::MAX), "+ 2147483647\n");
    }

    #[test]
    fn a_shell_that_ends_at_its_birth_is_an_error() {
        let error = Reaper::run("kill -s KILL $$; echo").unwrap_err().to_string();
        assert!(error.contains("the shell that ends what is left: signal: 9"), "{error}");
    }

    fn runs(pid: &str) -> bool {
        let stat = std::fs::read_to_string(Path::new("/proc").join(pid).join("stat"));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    }

    /// Starts a shell with a child that sleeps: the group and the number of the child.
    fn sleeper(reaper: &Reaper) -> (Group, String) {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 60 & echo $!; wait"]).stdout(Stdio::piped());
        let mut group = Group::spawn_watched(&mut command, reaper).unwrap();
        let mut line = String::new();
        BufReader::new(group.child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        (group, line.trim().to_owned())
    }

    /// Of several groups, those that have not ended die with the pipe, with the children of their processes.
    #[test]
    fn what_is_left_is_killed_when_the_pipe_ends() {
        let mut reaper = Reaper::start().unwrap();
        let all: Vec<_> = (0..4).map(|_| sleeper(&reaper)).collect();
        let mut left = Vec::new();
        for (at, (mut group, grandchild)) in all.into_iter().enumerate() {
            assert!(runs(&grandchild));
            if at % 2 == 0 {
                group.end().unwrap();
            } else {
                left.push((group, grandchild));
            }
        }
        reaper.pipe = None;
        assert!(reaper.shell.wait().unwrap().success());
        let end = Instant::now() + Duration::from_secs(20);
        for (mut group, grandchild) in left {
            assert!(!group.child.wait().unwrap().success());
            while runs(&grandchild) {
                assert!(Instant::now() < end, "{grandchild} is left");
                thread::sleep(Duration::from_millis(5));
            }
        }
    }
}
