// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar run`: processes of the operating system, one on each node of a modelled ring.

use super::{CliError, CliResult, Outcome, say};
use awgstar::contract::{
    Order,
    board::MEM_ADDR_W,
    limits::{CLOCK_HZ, FIBRE_NS_PER_M},
};
use awgstar::host::{Ask, BarrierKind, Choice, DrivenRing, LockKind, Setup, Waiting};
use awgstar::quantity::{Cycle, NodeId};
use awgstar_draw::table::Table;
use awgstar_program::{Fault, Life, Remote, Usage, VARIABLE, Watch};
use awgstar_simulator::process::Group;
use std::{
    cell::RefCell,
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    os::{
        fd::{AsFd, AsRawFd, BorrowedFd},
        unix::process::ExitStatusExt,
    },
    process::{Command, ExitStatus, Stdio},
    rc::Rc,
    sync::Arc,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

#[derive(clap::Args)]
#[command(
    after_help = "A process joins the ring with awg_init() of libawgstar (docs/programs.md).\nExit code: that of the process that ended the run, or else of the first node that failed; 128 + N for signal N; 1 if the run failed otherwise; 2 for wrong usage.\n\nExamples:\n  awgstar run -n 4 -- ./pi 100000\n  awgstar run -n 1 -- ./producer : -n 3 -- ./consumer\n  awgstar run -n 8 --lock distributed --barrier master-worker --report -- ./counter"
)]
pub(crate) struct Args {
    /// Nodes, 2 to 256, each with a process
    #[arg(short = 'n', long, value_name = "N")]
    nodes: usize,
    /// Protocol of the locks: queue, distributed or master-worker
    #[arg(long, default_value = "queue")]
    lock: String,
    /// Protocol of the barrier: ring, distributed or master-worker
    #[arg(long, default_value = "ring")]
    barrier: String,
    /// How an unlock or an arrival is ordered after the data written before: none, sent or confirmed
    #[arg(long, default_value = "confirmed")]
    order: String,
    /// Length of each fibre in m, 0 to 10000
    #[arg(long, default_value_t = 10, value_name = "M", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    fibre_m: u32,
    /// Begin every line that a process prints with its node
    #[arg(long)]
    prefix: bool,
    /// Print at the end, to standard error, what each process did
    #[arg(long)]
    report: bool,
    /// Program and arguments; after `:` -n N and another program
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<String>,
}

/// Cycles after which processes that all wait for locks and barriers wait for ever: ten times the time after
/// which firmware sends a request again.
const STUCK: u64 = 2_000_000;
/// Cycles between two looks at that.
const LOOK: u64 = 1 << 16;
/// Time for processes to end after the run is over.
const GRACE: Duration = Duration::from_secs(2);

/// The program of each node, with its arguments.
fn programs(args: &Args) -> Result<Vec<Vec<String>>, CliError> {
    let mut all = Vec::new();
    let mut count = args.nodes;
    for (number, part) in args.program.split(|word| word == ":").enumerate() {
        let mut words = part;
        if number > 0 {
            count = match words {
                [flag, n, ..] if flag == "-n" => n.parse().map_err(|_| {
                    CliError::Usage(format!("-n is `{n}`: expected a number of nodes"))
                })?,
                _ => return Err(CliError::Usage("after `:`: expected -n N PROGRAM".into())),
            };
            words = &words[2..];
            if words.first().is_some_and(|word| word == "--") {
                words = &words[1..];
            }
        }
        if words.is_empty() {
            return Err(CliError::Usage("expected a program".into()));
        }
        if count == 0 {
            return Err(CliError::Usage("-n is 0: expected 1 node or more".into()));
        }
        all.extend(std::iter::repeat_n(words.to_vec(), count.min(257)));
    }
    if !(2..=256).contains(&all.len()) {
        let what = if all.len() > 256 { "more than 256".into() } else { all.len().to_string() };
        return Err(CliError::Usage(format!("nodes: expected 2 to 256, found {what}")));
    }
    Ok(all)
}

fn named<T: Copy>(
    option: &str,
    said: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, CliError> {
    all.iter().copied().find(|&one| name(one) == said).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&one| name(one)).collect();
        CliError::Usage(format!("{option} is `{said}`: expected {}", names.join(", ")))
    })
}

/// A process and the threads that carry its input and output.
struct Running {
    group: Rc<RefCell<Group>>,
    carriers: Vec<JoinHandle<()>>,
    status: Rc<RefCell<Option<ExitStatus>>>,
}

/// How a process ended, for a message and as an exit code; `None` for success.
fn failure(status: ExitStatus) -> Option<(String, u8)> {
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

fn start(words: &[String], node: usize, fd: i32, prefix: bool) -> Result<Running, CliError> {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).env(VARIABLE, format!("{fd}:{node}"));
    // Node 0 gets the input, as with other launchers.
    command.stdin(if node == 0 { Stdio::piped() } else { Stdio::null() });
    if prefix {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
    }
    let mut group = Group::spawn(&mut command)
        .map_err(|source| CliError::Io { what: format!("program `{}`", words[0]), source })?;
    let mut carriers = Vec::new();
    if let Some(mut to) = group.child.stdin.take() {
        // It waits for input for ever, so nobody waits for it.
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
    let group = Rc::new(RefCell::new(group));
    Ok(Running { group, carriers, status: Rc::default() })
}

impl Running {
    /// Says whether the process lives.
    fn life(&self) -> Box<dyn FnMut() -> Life> {
        let (group, status) = (self.group.clone(), self.status.clone());
        Box::new(move || {
            let mut group = group.borrow_mut();
            match group.ended() {
                Ok(false) => Life::Runs,
                Ok(true) => match group.end() {
                    Ok(how) => {
                        *status.borrow_mut() = Some(how);
                        failure(how).map_or(Life::Succeeded, |(how, _)| Life::Failed(how))
                    }
                    Err(error) => Life::Failed(error.to_string()),
                },
                Err(error) => Life::Failed(error.to_string()),
            }
        })
    }

    /// Waits until it ends, and kills it at `end`.
    fn finish(self, end: Instant) -> Option<ExitStatus> {
        if self.status.borrow().is_none() {
            let mut group = self.group.borrow_mut();
            while Instant::now() < end && matches!(group.ended(), Ok(false)) {
                thread::sleep(Duration::from_millis(2));
            }
            *self.status.borrow_mut() = group.end().ok();
        }
        for carrier in self.carriers {
            let _ = carrier.join();
        }
        *self.status.borrow()
    }
}

/// Everybody waits, and nothing can end it.
fn stuck(waiting: &[Waiting], cycle: u64) -> bool {
    let waits = |w: &Waiting| {
        matches!(w.ask, Some(Ask::Lock(_) | Ask::Unlock(_) | Ask::Barrier))
            && cycle.saturating_sub(w.since.0) > STUCK
    };
    !waiting.is_empty() && waiting.iter().all(waits)
}

fn sentence(waiting: &Waiting) -> String {
    match waiting.ask {
        Some(Ask::Lock(lock)) => format!("node {} waits for lock {lock}", waiting.node),
        Some(Ask::Unlock(lock)) => format!("node {} releases lock {lock}", waiting.node),
        Some(Ask::Barrier) => format!("node {} waits at the barrier", waiting.node),
        _ => format!("node {} waits", waiting.node),
    }
}

/// Runs the ring until every process has ended; why it ended otherwise.
fn drive(ring: &mut DrivenRing<Choice>, watches: &[Watch]) -> Result<(), String> {
    let fault = || {
        watches.iter().zip(0..).find_map(|(watch, node): (_, usize)| {
            watch.usage().fault.map(|fault: Fault| format!("node {node}: {fault}"))
        })
    };
    ring.run_until_up(Cycle(LOOK << 8)).map_err(|e| e.to_string())?;
    let mut steps = 0;
    while !ring.ended() {
        if ring.advance() || steps % LOOK == 0 {
            if let Some(fault) = fault() {
                return Err(fault);
            }
            let waiting = ring.waiting();
            if steps % LOOK == 0 && stuck(&waiting, ring.ring().cycle().0) {
                let all: Vec<String> = waiting.iter().map(sentence).collect();
                return Err(format!("no call can end: {}", all.join(", ")));
            }
        }
        steps += 1;
    }
    fault().map_or(Ok(()), Err)
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let programs = programs(args)?;
    let mut choice = Choice::new();
    choice.lock = named("--lock", &args.lock, &LockKind::ALL, LockKind::name)?;
    choice.barrier = named("--barrier", &args.barrier, &BarrierKind::ALL, BarrierKind::name)?;
    choice.order = named("--order", &args.order, Order::ALL, Order::name)?;
    out.flush()?;
    let delay = u64::from(args.fibre_m) * FIBRE_NS_PER_M * CLOCK_HZ / 1_000_000_000;
    let fibre = u32::try_from(delay).map_err(|e| CliError::Usage(e.to_string()))?;
    let nodes = programs.len();
    let usage = |e: &dyn std::fmt::Display| CliError::Usage(e.to_string());
    let mut ring = DrivenRing::new(choice, &Setup::new(nodes, fibre)).map_err(|e| usage(&e))?;
    let (fd, segment) = Remote::segment(nodes, 4 << MEM_ADDR_W).map_err(|e| usage(&e))?;
    let segment = Arc::new(segment);
    let mut running: Vec<Running> = Vec::new();
    let mut watches = Vec::new();
    for (node, words) in NodeId::all(nodes).zip(&programs) {
        let slot = segment.clone();
        let process = start(words, node.index(), fd.as_raw_fd(), args.prefix);
        let process = match process {
            Ok(process) => process,
            Err(error) => {
                Remote::end(&segment);
                return Err(error);
            }
        };
        let life = process.life();
        running.push(process);
        let (remote, watch) = Remote::new(slot, node, life);
        watches.push(watch);
        ring.start(node, Box::new(remote)).map_err(|e| usage(&e))?;
    }
    let done = drive(&mut ring, &watches);
    Remote::end(&segment);
    let end = Instant::now() + GRACE;
    let statuses: Vec<_> = running.into_iter().map(|process| process.finish(end)).collect();
    if args.report {
        report(&watches, args.lock.as_str(), args.barrier.as_str())?;
    }
    let code = |status: &Option<ExitStatus>| status.and_then(failure).map(|(_, code)| code);
    let first = statuses.iter().find_map(code);
    if let Err(why) = done {
        say(format_args!("error: {why}"));
        // Others fail because one did.
        let faulty = watches.iter().position(|watch| watch.usage().fault.is_some());
        let own = faulty.and_then(|node| statuses.get(node)).and_then(code);
        return Ok(Outcome::Program(own.or(first).unwrap_or(1)));
    }
    Ok(first.map_or(Outcome::Holds, Outcome::Program))
}

/// Microseconds, with three digits after the point.
fn micros(cycles: Cycle) -> String {
    let ns = u128::from(cycles.0) * 1_000_000_000 / u128::from(CLOCK_HZ);
    format!("{}.{:03}", ns / 1000, ns % 1000)
}

fn report(watches: &[Watch], lock: &str, barrier: &str) -> Result<(), CliError> {
    let rows: Vec<(usize, Usage)> = watches.iter().map(Watch::usage).enumerate().collect();
    let of = |name: &'static str| {
        move |(_, usage): &(usize, Usage)| {
            micros(usage.calls.get(name).map_or(Cycle(0), |(_, time)| *time))
        }
    };
    let table = Table::new()
        .number("node", |row: &(usize, Usage)| row.0)
        .number("calls", |row| row.1.calls.values().map(|(count, _)| count).sum::<u64>())
        .number("read bytes", |row| row.1.read)
        .number("written bytes", |row| row.1.written)
        .number("read us", of("read"))
        .number("write us", of("write"))
        .number("lock us", of("lock"))
        .number("barrier us", of("barrier"))
        .number("compute us", of("compute"))
        .number("end us", |row| micros(row.1.end));
    let mut text = format!("lock {lock}, barrier {barrier}; times on the ring\n");
    text.push_str(&table.markdown(&rows));
    io::stderr().lock().write_all(text.as_bytes())?;
    Ok(())
}
