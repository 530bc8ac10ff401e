// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs a program with bounds on its time and on its output. The program gets a process group; when it
//! ends, for whatever reason, the whole group does.

use crate::SimError;
use crate::reaper::{self, Reaper};
use crate::running::running;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::{
    collections::VecDeque,
    io::{self, IsTerminal, Read, Write},
    os::{
        fd::OwnedFd,
        unix::process::{CommandExt, ExitStatusExt as _},
    },
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

/// Bytes that are kept of each output of a program.
const KEEP: usize = 512 << 10;
/// Bytes of both outputs after which a program is killed.
const MOST: usize = 64 << 20;
/// Time after which a line says that a program still runs, and time between two such lines.
const FIRST: Duration = Duration::from_secs(5);
const BEAT: Duration = Duration::from_secs(10);
/// A program that waits is ended after this many times its limit.
const SLACK: u32 = 8;

/// Output of a program (standard output, then standard error) and its success.
#[derive(Debug)]
pub struct Finished {
    /// Both outputs. Where one was too long, a line says how much of its middle is left out.
    pub text: String,
    /// Exit code 0.
    pub success: bool,
    /// Processor time of the program and of its children, user and system, in whole clock ticks of the
    /// system (10 ms); `None` without Linux' `/proc`.
    pub processor_time: Option<Duration>,
}

/// Bounds of a run.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    package: &'static str,
    doing: &'a str,
    limit: Duration,
    keep: usize,
    most: usize,
}

/// The signal that ended a program, or one that it has run: shells add 128 to its number. The exit code of Icarus is
/// the number of errors that it has named. A program of Verilator ends
/// itself by SIGABRT at `$stop` and at an error of the design, and says so.
fn ended_by(status: ExitStatus, text: &str) -> Option<i32> {
    const ABORT: i32 = 6;
    let of_a_child = status.code().filter(|code| (129..=192).contains(code));
    let of_a_child = of_a_child.filter(|_| !text.contains("error")).map(|code| code - 128);
    let itself = |signal: &i32| *signal == ABORT && text.contains("Aborting...");
    status.signal().or(of_a_child).filter(|signal| !itself(signal))
}

/// Runs `command`; `package` is named when the program is missing.
///
/// # Errors
/// As [`Task::run`].
pub fn run(
    command: &mut Command,
    package: &'static str,
    limit: Duration,
) -> Result<Finished, SimError> {
    Task::new(package, limit).run(command)
}

impl<'a> Task<'a> {
    /// A program of this Debian package, which may run so long and print 64 MiB.
    #[must_use]
    pub const fn new(package: &'static str, limit: Duration) -> Self {
        Task { package, doing: "running", limit, keep: KEEP, most: MOST }
    }

    /// Description of the activity, for messages while waiting: `building smb`.
    #[must_use]
    pub const fn doing(self, doing: &'a str) -> Self {
        Task { doing, ..self }
    }

    /// Keeps everything it prints, up to that many bytes.
    #[must_use]
    pub const fn keep_all(self, bytes: usize) -> Self {
        Task { keep: bytes, most: bytes, ..self }
    }

    /// Runs `command` to its end.
    ///
    /// # Errors
    /// If the program is missing or cannot be run, when it does not end in time, or when it prints
    /// without end. The last two kill it.
    pub fn run(&self, command: &mut Command) -> Result<Finished, SimError> {
        let path = command.get_program().to_owned();
        let program =
            Path::new(&path).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let failed = |e: io::Error| match e.kind() {
            io::ErrorKind::NotFound => {
                SimError::Missing { program: program.clone(), package: self.package }
            }
            _ => SimError::io(&path)(e),
        };
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = Group::spawn(command).map_err(failed)?;
        let printed = Arc::new(AtomicUsize::new(0));
        let (open, closed) = mpsc::channel();
        let out = self.drain(group.child.stdout.take(), &printed, open.clone());
        let err = self.drain(group.child.stderr.take(), &printed, open);
        let start = Instant::now();
        let mut beat = FIRST;
        let mut pause = Duration::from_micros(200);
        while !group.ended().map_err(SimError::io(&program))? {
            if self.over(start.elapsed(), &group) {
                return Err(SimError::Timeout { program, limit: self.limit });
            }
            if printed.load(Ordering::Relaxed) > self.most {
                return Err(SimError::Flood { program, bytes: self.most });
            }
            if start.elapsed() > beat {
                self.tell(&program, beat);
                beat += BEAT;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
        let processor_time = group.leader_time();
        let status = group.end().map_err(SimError::io(&program))?;
        // No process writes any more, unless one has left the group.
        let _ = closed.recv_timeout(Duration::from_secs(5));
        if printed.load(Ordering::Relaxed) > self.most {
            return Err(SimError::Flood { program, bytes: self.most });
        }
        let text =
            [out, err].map(|kept| kept.lock().unwrap_or_else(PoisonError::into_inner).text());
        let text = text.concat();
        if let Some(signal) = ended_by(status, &text) {
            return Err(SimError::Killed { program, signal });
        }
        Ok(Finished { text, success: status.success(), processor_time })
    }

    /// Returns true if the program has used up its time. On a busy machine it gets little of the
    /// processor. So its CPU time counts where the system reports it, and `SLACK` times the limit
    /// for a program that only waits.
    fn over(&self, elapsed: Duration, group: &Group) -> bool {
        let worked = || group.processor_time().is_none_or(|time| time > self.limit);
        elapsed > self.limit && (elapsed > self.limit * SLACK || worked())
    }

    /// A line for who waits. A run in a terminal shows its progress in another way.
    fn tell(&self, program: &str, time: Duration) {
        let terminal = io::stderr().is_terminal();
        if !terminal || self.doing.starts_with("building") {
            let clear = if terminal { "\r\x1b[K" } else { "" };
            let _ =
                writeln!(io::stderr(), "{clear}{program}: {}, {} s", self.doing, time.as_secs());
        }
    }

    /// Reads until the end, or until there is too much. Holds `open` as long as it reads.
    fn drain(
        &self,
        mut pipe: Option<impl Read + Send + 'static>,
        printed: &Arc<AtomicUsize>,
        open: mpsc::Sender<()>,
    ) -> Arc<Mutex<Kept>> {
        let kept = Arc::new(Mutex::new(Kept { half: self.keep / 2, ..Kept::default() }));
        let (shared, printed, most) = (kept.clone(), printed.clone(), self.most);
        thread::spawn(move || {
            let mut bytes = vec![0; 64 << 10];
            while let Some(pipe) = pipe.as_mut()
                && printed.load(Ordering::Relaxed) <= most
                && let Ok(count @ 1..) = pipe.read(&mut bytes)
            {
                printed.fetch_add(count, Ordering::Relaxed);
                shared.lock().unwrap_or_else(PoisonError::into_inner).add(&bytes[..count]);
            }
            drop(open);
        });
        kept
    }
}

/// A child that leads a process group. The group ends with this value, and when a signal ends this
/// process; one that is [watched](Group::spawn_watched), also when that signal is SIGKILL.
#[derive(Debug)]
pub struct Group {
    pub child: Child,
    leader: Pid,
    reaped: bool,
    reaper: Weak<OwnedFd>,
}

impl Group {
    /// Starts a child in a new process group.
    ///
    /// # Errors
    /// If the program is missing or cannot be started.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        Group::start(command, Weak::new())
    }

    /// Like [`Group::spawn`]; the reaper ends the group if this process cannot.
    ///
    /// # Errors
    /// As of [`Group::spawn`].
    pub fn spawn_watched(command: &mut Command, reaper: &Reaper) -> io::Result<Self> {
        let reaper = reaper.watch(command);
        Group::start(command, reaper)
    }

    fn start(command: &mut Command, reaper: Weak<OwnedFd>) -> io::Result<Self> {
        let mut all = running();
        let child = command.process_group(0).spawn()?;
        let leader = Pid::from_child(&child);
        all.add_group(leader);
        Ok(Group { child, leader, reaped: false, reaper })
    }

    /// Returns true if the child has ended. Its process id stays reserved until [`Group::end`].
    ///
    /// # Errors
    /// If the system reports an error.
    pub fn ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.leader), options)?.is_some())
    }

    /// Processor time of the group's processes and of their children that have ended; `None` without
    /// Linux' `/proc`.
    fn processor_time(&self) -> Option<Duration> {
        let group = self.leader.as_raw_nonzero().to_string();
        let entries = std::fs::read_dir("/proc").ok()?.flatten();
        let all = entries.filter_map(|entry| times(&entry.path()));
        Some(duration(all.filter(|(of, _)| *of == group).map(|(_, ticks)| ticks).sum()))
    }

    /// The same of the child alone and of its children that have ended.
    fn leader_time(&self) -> Option<Duration> {
        let leader = self.leader.as_raw_nonzero().to_string();
        times(&Path::new("/proc").join(leader)).map(|(_, ticks)| duration(ticks))
    }

    /// Kills what is left of the group and gives how the child ended.
    ///
    /// # Errors
    /// If the system reports an error.
    pub fn end(&mut self) -> io::Result<ExitStatus> {
        running().end_group(self.leader);
        reaper::ended(&self.reaper, self.leader);
        self.reaped = true;
        self.child.wait()
    }
}

/// Group of the process with this folder in `/proc`, and clock ticks of processor time, user and system, of it and of
/// its children that have ended; `None` if it is no process.
fn times(process: &Path) -> Option<(String, u64)> {
    let text = std::fs::read_to_string(process.join("stat")).ok()?;
    // The name in parentheses may hold anything; state, parent and group follow it.
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let times = fields.iter().skip(11).take(4);
    let ticks = times.filter_map(|time| time.parse::<u64>().ok()).sum();
    Some(((*fields.get(2)?).to_owned(), ticks))
}

fn duration(ticks: u64) -> Duration {
    Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second())
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.reaped {
            let _ = self.end();
        }
    }
}

/// The first and the last bytes of an output.
#[derive(Default)]
struct Kept {
    half: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped: usize,
}

impl Kept {
    fn add(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(self.half - self.head.len()));
        self.head.extend(first);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(self.half);
        self.tail.drain(..over);
        self.dropped += over;
    }

    fn text(&mut self) -> String {
        let gap = match self.dropped {
            0 => String::new(),
            n => format!("\n({n} bytes of the output are left out here)\n"),
        };
        let tail = self.tail.make_contiguous();
        if self.dropped == 0 {
            self.head.extend_from_slice(tail);
            return String::from_utf8_lossy(&self.head).into_owned();
        }
        String::from_utf8_lossy(&self.head).into_owned() + &gap + &String::from_utf8_lossy(tail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_missing_program_says_what_to_install() {
        let e = run(&mut Command::new("no-such-simulator"), "iverilog", Duration::from_secs(1))
            .unwrap_err();
        assert!(e.to_string().contains("apt-get install iverilog"), "{e}");
    }

    // The grandchild holds the pipe, so only the end of its group ends the run in time.
    #[test]
    fn a_program_that_hangs_is_ended_with_its_children() {
        let start = Instant::now();
        let e = run(&mut sh("sleep 30 & sleep 30"), "coreutils", Duration::from_millis(50));
        assert!(matches!(e, Err(SimError::Timeout { .. })));
        let done = run(&mut sh("sleep 30 & echo $!"), "coreutils", Duration::from_secs(5)).unwrap();
        let child = Path::new("/proc").join(done.text.trim()).join("stat");
        let shown = || std::fs::read_to_string(&child).unwrap_or_default();
        while !shown().is_empty() && !shown().contains(") Z ") {
            assert!(start.elapsed() < Duration::from_secs(20), "{}", shown());
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_program_that_works_is_ended_by_its_processor_time() {
        let limit = Duration::from_millis(300);
        let mut group = Group::spawn(&mut sh("while :; do :; done")).unwrap();
        let start = Instant::now();
        while group.processor_time().is_some_and(|time| time <= limit) {
            assert!(start.elapsed() < Duration::from_secs(60));
            thread::sleep(Duration::from_millis(5));
        }
        let task = Task::new("dash", limit);
        assert!(!task.over(limit / 2, &group), "within the limit");
        assert!(task.over(limit * 2, &group), "it worked longer");
        let mut waits = Group::spawn(&mut sh("sleep 60")).unwrap();
        assert!(!task.over(limit * 2, &waits), "it has not worked");
        assert!(task.over(limit * 9, &waits), "it waits without end");
        for group in [&mut group, &mut waits] {
            let _ = group.end();
        }
    }

    #[test]
    fn the_processor_time_of_a_program_and_of_its_children_is_known() {
        let work = "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done";
        let time = |script: &str| {
            let done = run(&mut sh(script), "dash", Duration::from_secs(60)).unwrap();
            done.processor_time.expect("/proc")
        };
        assert!(time(work) >= Duration::from_millis(20));
        assert!(time(&format!("sh -c '{work}'; true")) >= Duration::from_millis(20));
        assert!(time("sleep 0.2") < Duration::from_millis(100));
    }

    #[test]
    fn a_program_that_a_signal_ends_has_no_result() {
        for script in ["kill -KILL $$", "sh -c 'kill -KILL $$'; exit $?"] {
            let e = run(&mut sh(script), "dash", Duration::from_secs(60)).unwrap_err();
            assert!(matches!(e, SimError::Killed { signal: 9, .. }), "{script}: {e}");
        }
        let errors = run(&mut sh("echo 137 errors; exit 137"), "dash", Duration::from_secs(60));
        assert!(!errors.unwrap().success);
        let stops =
            run(&mut sh("echo Aborting...; kill -ABRT $$"), "dash", Duration::from_secs(60));
        assert!(!stops.unwrap().success);
        let e = run(&mut sh("kill -ABRT $$"), "dash", Duration::from_secs(60)).unwrap_err();
        assert!(matches!(e, SimError::Killed { signal: 6, .. }), "{e}");
    }

    #[test]
    fn of_a_long_output_the_ends_are_kept() {
        let script = "echo first; head -c 2000000 /dev/zero; echo last; echo error >&2";
        let done = run(&mut sh(script), "coreutils", Duration::from_secs(10)).unwrap();
        assert!(done.text.starts_with("first\n") && done.text.ends_with("last\nerror\n"));
        let left_out = 2_000_011 - KEEP;
        assert!(done.text.contains(&format!("\n({left_out} bytes of the output are left out")));
        assert!(done.text.len() < KEEP + 200, "{}", done.text.len());
    }

    #[test]
    fn output_without_end_ends_the_program() {
        let start = Instant::now();
        let e = run(&mut sh("yes"), "coreutils", Duration::from_secs(60)).unwrap_err();
        assert!(matches!(e, SimError::Flood { .. }), "{e}");
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}
