// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long each test took. Stable `cargo test` prints when a test ends, not how long it ran; the harness starts
//! tests in the order of their names, each when one before it has ended, which gives the rest.

use std::{
    fmt::Write as _,
    fs,
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    time::{Duration, Instant},
};

/// Times cannot be taken, or read again.
#[derive(Debug, thiserror::Error)]
pub enum TimesError {
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The command cannot be started or read.
    #[error("{command}: {source}")]
    Start {
        /// The command.
        command: String,
        /// Why.
        source: io::Error,
    },
    /// No program has run a test.
    #[error("no test was timed")]
    Nothing,
    /// A line that [`run`] has not written.
    #[error(
        "{path}, line {line}: expected milliseconds, a program and a test, with tabs between them; found {found:?}"
    )]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What it holds.
        found: String,
    },
}

/// One test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Time {
    /// From its start to its end.
    pub took: Duration,
    /// Its program, as cargo names it.
    pub program: String,
    /// Its name.
    pub test: String,
}

/// Collects times from what `cargo test` prints.
#[derive(Debug)]
pub struct Clock {
    threads: usize,
    program: String,
    began: Duration,
    /// Name and end of each test of the present program.
    ended: Vec<(String, Duration)>,
    times: Vec<Time>,
}

impl Clock {
    /// For programs that run `threads` tests at once.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self {
            threads: threads.max(1),
            program: String::new(),
            began: Duration::ZERO,
            ended: Vec::new(),
            times: Vec::new(),
        }
    }

    /// A line that was printed at a moment, counted from any fixed one.
    pub fn line(&mut self, line: &str, now: Duration) {
        let line = line.trim();
        if let Some(program) =
            line.strip_prefix("Running ").or_else(|| line.strip_prefix("Doc-tests "))
        {
            self.end_of_program();
            program.split(" (").next().unwrap_or(program).clone_into(&mut self.program);
        } else if line.starts_with("running ") && line.contains(" test") {
            self.end_of_program();
            self.began = now;
        } else if let Some((name, result)) =
            line.strip_prefix("test ").and_then(|test| test.rsplit_once(" ... "))
            && (result == "ok" || result == "FAILED")
        {
            self.ended.push((name.to_owned(), now));
        }
    }

    fn end_of_program(&mut self) {
        let mut moments: Vec<_> = self.ended.iter().map(|&(_, end)| end).collect();
        moments.sort_unstable();
        self.ended.sort();
        for (place, (test, end)) in self.ended.drain(..).enumerate() {
            let start =
                place.checked_sub(self.threads).map_or(self.began, |before| moments[before]);
            self.times.push(Time {
                took: end.saturating_sub(start),
                program: self.program.clone(),
                test,
            });
        }
    }

    /// The times of all programs.
    #[must_use]
    pub fn finish(mut self) -> Vec<Time> {
        self.end_of_program();
        self.times
    }
}

/// Runs a command that runs `cargo test`, copies what it prints to `out`, and writes the times to a file.
///
/// # Errors
///
/// The command does not start, or the file cannot be written.
pub fn run(
    file: &Path,
    command: &[String],
    out: &mut impl Write,
) -> Result<ExitStatus, TimesError> {
    let failed = |source| TimesError::Start { command: command.join(" "), source };
    let (program, arguments) =
        command.split_first().ok_or_else(|| failed(io::Error::other("no command")))?;
    let (reader, writer) = io::pipe().map_err(failed)?;
    let mut process = Command::new(program);
    process.args(arguments).stdout(writer.try_clone().map_err(failed)?).stderr(writer);
    let mut child = process.spawn().map_err(failed)?;
    // It holds the pipe's other end: without this the reader would never see an end.
    drop(process);
    let mut clock = Clock::new(threads());
    let begin = Instant::now();
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).map_err(failed)? > 0 {
        // Who reads the output may have gone; the tests go on.
        let _ = out.write_all(&line);
        clock.line(&String::from_utf8_lossy(&line), begin.elapsed());
        line.clear();
    }
    let status = child.wait().map_err(failed)?;
    let mut text = String::new();
    for Time { took, program, test } in clock.finish() {
        let _ = writeln!(text, "{}\t{program}\t{test}", took.as_millis());
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    let failed = |source| TimesError::File { path: file.into(), source };
    fs::create_dir_all(folder).and_then(|()| fs::write(file, text)).map_err(failed)?;
    Ok(status)
}

fn threads() -> usize {
    let asked = std::env::var("RUST_TEST_THREADS").ok().and_then(|threads| threads.parse().ok());
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// The longest tests of some files, in the order of their times.
///
/// # Errors
///
/// A file cannot be read, or was not written by [`run`], or no file has a test.
pub fn longest(files: &[PathBuf], count: usize) -> Result<String, TimesError> {
    let mut times = Vec::new();
    for path in files {
        let table = fs::read_to_string(path)
            .map_err(|source| TimesError::File { path: path.clone(), source })?;
        for (place, line) in table.lines().enumerate() {
            let mut parts = line.splitn(3, '\t');
            let mut part = || parts.next();
            let time = part().and_then(|took| took.parse().ok()).zip(part().zip(part()));
            let Some((took, (program, test))) = time else {
                return Err(TimesError::Line {
                    path: path.clone(),
                    line: place + 1,
                    found: line.into(),
                });
            };
            times.push(Time {
                took: Duration::from_millis(took),
                program: program.into(),
                test: test.into(),
            });
        }
    }
    if times.is_empty() {
        return Err(TimesError::Nothing);
    }
    times.sort_by(|a, b| (b.took, &a.test).cmp(&(a.took, &b.test)));
    let mut table = String::new();
    for Time { took, program, test } in times.iter().take(count) {
        let _ = writeln!(table, "{:7.1} s  {test} ({program})", took.as_secs_f64());
    }
    Ok(table)
}
