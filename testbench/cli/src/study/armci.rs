// SPDX-License-Identifier: MIT OR Apache-2.0
//! The measurements of paper 001, section 4: a synchronization after puts to all others, and a lock that all want, on
//! the paper's machine and on the ring.

use crate::study::results::{File, Results, Subject};
use crate::study::sweep::{engines, retry_timeout};
use crate::study::{MHZ, Ring, StudyError, Tick};
use crate::work::{Work, WorkError};
use awgstar::host::{Choice, DrivenRing};
use awgstar::quantity::{ByteAddress, Cycle, Nanoseconds, NodeId, narrow};
use awgstar::request::{Answer, Moment, Plain, Process, Request, Segment};
use awgstar_cluster::{Barriers, Cluster, Locks, Settings};
use awgstar_draw::plot::{Axes, Line};
use awgstar_draw::table::{Cells, Sheet, Table};
use serde::{Deserialize, Serialize};
use std::{cell::RefCell, mem, rc::Rc};

/// Synchronizations, as in the paper.
const SYNCS: u64 = 100;
/// Turns of each process at the lock, as in the paper; on the ring, where they take longer to simulate, a tenth.
const TURNS: usize = 10_000;
/// Bytes that each process writes to each other one before a synchronization.
const BLOCK: usize = 64;
/// Bytes of the memory of all.
const MEMORY: u32 = 4 << MEM_ADDR_W;
const MEM_ADDR_W: u32 = 18;
/// All meet after so much time: the puts are in place, and the servers sleep.
const MEETING: (Nanoseconds, Cycle) = (Nanoseconds(10_000_000), Cycle(60_000));
/// Processor time of a call on the ring: that of a change of local memory on the paper's machine.
const CALL: Nanoseconds = Nanoseconds(500);
const LIMIT: Cycle = Cycle(4_000_000_000);

/// How processes synchronize, and on what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Before the paper: a fence that asks each server, then a barrier; the hybrid lock.
    Old,
    /// The paper's: the combined barrier, the queue lock.
    New,
    /// [`Way::Old`] with servers that do not sleep.
    OldAwake,
    /// [`Way::New`] with servers that do not sleep.
    NewAwake,
    /// Ring barrier and ring queue lock, by firmware.
    Ring,
    /// The same by the engine of the board.
    Engine,
}

impl Way {
    const ALL: [Way; 6] =
        [Way::Old, Way::New, Way::OldAwake, Way::NewAwake, Way::Ring, Way::Engine];

    const fn name(self) -> &'static str {
        match self {
            Way::Old => "old",
            Way::New => "new",
            Way::OldAwake => "old with servers awake",
            Way::NewAwake => "new with servers awake",
            Way::Ring => "ring",
            Way::Engine => "ring with engine",
        }
    }

    const fn is_ring(self) -> bool {
        matches!(self, Way::Ring | Way::Engine)
    }
}

/// Mean times in us, over all processes and repetitions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// How processes synchronize, and on what.
    pub way: String,
    pub processes: usize,
    /// A synchronization; 0 with one process, which has no others.
    pub sync_us: f64,
    /// To get the lock. With one process: the mean of a lock that is its own and one that is not.
    pub acquire_us: f64,
    /// To give the lock back.
    pub release_us: f64,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    Sync,
    Acquire,
    Release,
    /// To get the lock and to give it back.
    Lock,
}

impl Measure {
    fn of(self, row: &Row) -> Option<f64> {
        match self {
            Measure::Sync => (row.processes > 1).then_some(row.sync_us),
            Measure::Acquire => Some(row.acquire_us),
            Measure::Release => Some(row.release_us),
            Measure::Lock => Some(row.acquire_us + row.release_us),
        }
    }
}

/// Number of rows: every way for each number of processes.
#[must_use]
pub fn steps(processes: &[usize]) -> usize {
    Way::ALL.len() * processes.len()
}

/// Measures; `None` of a part.
///
/// # Errors
/// The first run without a figure; parts that do not fit.
pub fn rows(
    processes: &[usize],
    work: &Work,
    done: &Tick<'_>,
) -> Result<Option<Vec<Row>>, WorkError<StudyError>> {
    let point = |&n: &usize| Way::ALL.map(|way| (way, n));
    let points: Vec<(Way, usize)> = processes.iter().flat_map(point).collect();
    let what = |(way, n): &(Way, usize)| format!("{} of {n}", way.name());
    work.map(&points, what, |&(way, n)| row(way, n).inspect(|_| done()))
}

fn row(way: Way, processes: usize) -> Result<Row, StudyError> {
    let run = |what: &str, n, script: &dyn Fn(usize) -> Box<dyn Script>| {
        let wrong = |wrong| StudyError::Wrong {
            point: format!("{what}, {}, {processes} processes", way.name()),
            wrong,
        };
        run(way, n, script).map_err(wrong)
    };
    let sync = |me| Box::new(Sync { me, processes, round: 0, left: Vec::new() }) as Box<dyn Script>;
    let sync_us = match processes {
        1 => 0.0,
        n => mean(&run("synchronization", n, &sync)?, Measure::Sync),
    };
    let turns = if way.is_ring() { TURNS / 10 } else { TURNS };
    let lock = |lock, contend: usize| {
        move |me| {
            let left = if me < contend { 2 * turns } else { 0 };
            Box::new(Contend { lock, left }) as Box<dyn Script>
        }
    };
    let runs = match processes {
        1 => vec![run("own lock", 2, &lock(0, 1))?, run("lock of another", 2, &lock(1, 1))?],
        n => vec![run("lock", n, &lock(0, n))?],
    };
    let times = runs.concat();
    Ok(Row {
        way: way.name().to_owned(),
        processes,
        sync_us,
        acquire_us: mean(&times, Measure::Acquire),
        release_us: mean(&times, Measure::Release),
    })
}

/// The mean of these times of what was measured.
#[expect(clippy::cast_precision_loss, reason = "a figure")]
fn mean(times: &[(Measure, f64)], of: Measure) -> f64 {
    let all: Vec<f64> = times.iter().filter(|one| one.0 == of).map(|one| one.1).collect();
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

/// What a process asks for next; none at its end.
trait Script {
    fn next(&mut self, now: Moment) -> Option<Request>;
}

/// Puts to all others, then all meet, then the synchronization.
struct Sync {
    me: usize,
    processes: usize,
    round: u64,
    /// In reverse; none is to meet the others.
    left: Vec<Option<Request>>,
}

/// The address of the block of one process in the memory of another.
fn block(processes: usize, target: usize, writer: usize) -> ByteAddress {
    let segment = MEMORY as usize / processes / 4096 * 4096;
    ByteAddress::at(target * segment + writer * BLOCK)
}

impl Script for Sync {
    fn next(&mut self, now: Moment) -> Option<Request> {
        if self.left.is_empty() {
            if self.round == SYNCS {
                return None;
            }
            self.round += 1;
            self.left = vec![Some(Request::Barrier(0)), None];
            let others = (1..self.processes).map(|step| (self.me + step) % self.processes);
            let bytes = [narrow::<u8>(self.me); BLOCK];
            let puts = others
                .map(|to| Some(Request::write_bytes(block(self.processes, to, self.me), &bytes)));
            self.left.extend(puts);
        }
        Some(self.left.pop()?.unwrap_or_else(|| meet(self.round, now)))
    }
}

/// To wait until a moment that is the same for all.
fn meet(round: u64, now: Moment) -> Request {
    let (time, cycles) = MEETING;
    match now {
        Moment::Time(now) => Request::compute(Nanoseconds(round * time.0).saturating_sub(now)),
        Moment::Cycle(now) => Request::wait(Cycle((round + 9) * cycles.0).saturating_sub(now)),
    }
}

/// The lock again and again.
struct Contend {
    lock: u32,
    left: usize,
}

impl Script for Contend {
    fn next(&mut self, _: Moment) -> Option<Request> {
        self.left = self.left.checked_sub(1)?;
        let lock = self.lock;
        Some(if self.left % 2 == 1 { Request::Lock(lock) } else { Request::Unlock(lock) })
    }
}

/// What happened: a process, a request, and when it was called, asked and answered.
type Event = (usize, Request, [Moment; 3]);

type Log = Rc<RefCell<Vec<Event>>>;

/// What is measured is called: on the ring that takes [`CALL`] first.
fn process(me: usize, mut script: Box<dyn Script>, log: Log) -> Box<dyn Process> {
    let mut called: Option<(Request, Moment)> = None;
    let mut asked: Option<(Request, [Moment; 2])> = None;
    Box::new(move |answer: &Answer| {
        let now = answer.now;
        if let Some((request, at)) = called.take() {
            asked = Some((request.clone(), [at, now]));
            return request;
        }
        if let Some((request, [called, asked])) = asked.take() {
            log.borrow_mut().push((me, request, [called, asked, now]));
        }
        let Some(request) = script.next(now) else { return Request::End };
        if !matches!(request, Request::Barrier(_) | Request::Lock(_) | Request::Unlock(_)) {
            return request;
        }
        if matches!(now, Moment::Cycle(_)) {
            called = Some((request, now));
            return Request::compute(CALL);
        }
        asked = Some((request.clone(), [now; 2]));
        request
    })
}

/// In us.
#[expect(clippy::cast_precision_loss, reason = "a figure")]
fn us(from: Moment, to: Moment) -> f64 {
    match (from, to) {
        (Moment::Cycle(from), Moment::Cycle(to)) => (to - from).0 as f64 / MHZ,
        _ => to.time().saturating_sub(from.time()).0 as f64 / 1000.0,
    }
}

/// Runs a script of each process, and gives the times; or what was wrong.
fn run(
    way: Way,
    processes: usize,
    script: &dyn Fn(usize) -> Box<dyn Script>,
) -> Result<Vec<(Measure, f64)>, String> {
    let log = Log::default();
    let all = (0..processes).map(|me| process(me, script(me), Rc::clone(&log))).collect();
    let memory = if way.is_ring() { on_ring(way, all)? } else { on_cluster(way, all)? };
    let log = mem::take(&mut *log.borrow_mut());
    let syncs = log.iter().any(|(_, request, _)| matches!(request, Request::Barrier(_)));
    for (target, writer) in (0..processes).flat_map(|t| (0..processes).map(move |w| (t, w))) {
        let at = block(processes, target, writer);
        let expected = if syncs && target != writer { narrow::<u8>(writer) } else { 0 };
        if let Some(byte) = (0..narrow(BLOCK)).find(|&byte| memory(at + byte, target) != expected) {
            return Err(format!("byte {byte} of process {writer} is not at process {target}"));
        }
    }
    in_order(processes, &log)?;
    let time = |(_, request, [from, _, to]): &Event| {
        let measure = match request {
            Request::Barrier(_) => Measure::Sync,
            Request::Lock(_) => Measure::Acquire,
            _ => Measure::Release,
        };
        (measure, us(*from, *to))
    };
    Ok(log.iter().map(time).collect())
}

/// No process has the lock while another one holds it, and all meet in one moment.
fn in_order(processes: usize, log: &[Event]) -> Result<(), String> {
    let time = |moment: Moment| match moment {
        Moment::Cycle(cycle) => cycle.0,
        Moment::Time(time) => time.0,
    };
    let mut got = vec![0; processes];
    let mut held: Vec<(u64, u64, usize)> = Vec::new();
    let mut met = vec![Vec::new(); processes];
    for (me, request, [_, asked, answered]) in log {
        match request {
            Request::Lock(_) => got[*me] = time(*answered),
            Request::Unlock(_) => held.push((got[*me], time(*asked), *me)),
            _ => met[*me].push(time(*asked)),
        }
    }
    held.sort_unstable();
    if let Some(both) = held.windows(2).find(|pair| pair[1].0 < pair[0].1) {
        return Err(format!("two have the lock: from, to, process: {both:?}"));
    }
    match met.iter().position(|one| *one != met[0]) {
        Some(late) => Err(format!("process {late} does not meet the others in time")),
        None => Ok(()),
    }
}

type Replica = Box<dyn Fn(ByteAddress, usize) -> u8>;

fn on_cluster(way: Way, all: Vec<Box<dyn Process>>) -> Result<Replica, String> {
    let (locks, barrier) = match way {
        Way::Old | Way::OldAwake => (Locks::Hybrid, Barriers::AllFence),
        _ => (Locks::Queue, Barriers::Combined),
    };
    let mut settings = Settings { memory: MEMORY, locks, barrier, ..Settings::new(all.len()) };
    if matches!(way, Way::OldAwake | Way::NewAwake) {
        settings.costs.wake = Nanoseconds(0);
    }
    let homes = settings.homes();
    let memory = |rank: usize| Box::new(Plain::of(homes, rank)) as Box<dyn Segment>;
    let memories = (0..all.len()).map(memory).collect();
    let mut cluster = Cluster::new(&settings, all, memories).map_err(|e| e.to_string())?;
    cluster.run_while(&mut |_| true).map_err(|e| e.to_string())?;
    match cluster.unfinished().first() {
        Some((process, waits)) => Err(format!("process {process} waits without end: {waits:?}")),
        None => Ok(Box::new(move |at, rank| cluster.memory(rank).load(at, 1)[0])),
    }
}

fn on_ring(way: Way, all: Vec<Box<dyn Process>>) -> Result<Replica, String> {
    let ring = Ring { engine: way == Way::Engine, ..Ring::new(all.len()) };
    let choice = Choice {
        order: ring.order,
        retry_timeout: retry_timeout(&ring),
        engines: engines(&ring),
        ..Choice::new()
    };
    let mut setup = ring.setup();
    setup.records = false;
    let parameters = setup.scenario.parameters.with("smb", "MEM_ADDR_W", MEM_ADDR_W.into());
    setup.scenario.parameters = parameters.map_err(|e| e.to_string())?;
    let mut system = DrivenRing::new(choice, &setup).map_err(|e| e.to_string())?;
    for (at, process) in all.into_iter().enumerate() {
        system.start(NodeId::at(at), process).map_err(|e| e.to_string())?;
    }
    system.run(LIMIT).and_then(|()| system.settle(LIMIT)).map_err(|e| e.to_string())?;
    Ok(Box::new(move |at, node| {
        let word = system.ring().board(node).u_memory.mem[at.word()];
        word.to_le_bytes()[at.0 as usize % 4]
    }))
}

fn all(rows: &[Row]) -> Sheet {
    let three = |value: f64| format!("{value:.3}");
    Table::new()
        .text("way", |r: &Row| r.way.clone())
        .number("processes", |r| r.processes)
        .number("sync_us", move |r| three(r.sync_us))
        .number("acquire_us", move |r| three(r.acquire_us))
        .number("release_us", move |r| three(r.release_us))
        .sheet("armci.csv", rows)
}

/// The rows of a sheet.
fn of(sheet: &Sheet) -> Vec<Row> {
    let row = |cells: Cells<'_>| {
        Some(Row {
            way: cells.text("way")?.to_owned(),
            processes: cells.text("processes")?.parse().ok()?,
            sync_us: cells.number("sync_us")?,
            acquire_us: cells.number("acquire_us")?,
            release_us: cells.number("release_us")?,
        })
    };
    sheet.cells().filter_map(row).collect()
}

/// Times of one number of processes, by way.
struct Column<'a> {
    processes: usize,
    rows: Vec<&'a Row>,
}

impl Column<'_> {
    fn of(rows: &[Row]) -> Vec<Column<'_>> {
        let mut all: Vec<Column<'_>> = Vec::new();
        for row in rows {
            match all.iter_mut().find(|one| one.processes == row.processes) {
                Some(one) => one.rows.push(row),
                None => all.push(Column { processes: row.processes, rows: vec![row] }),
            }
        }
        all
    }

    fn get(&self, way: Way, value: Measure) -> Option<f64> {
        self.rows.iter().find(|row| row.way == way.name()).and_then(|row| value.of(row))
    }

    fn shown(&self, way: Way, value: Measure) -> String {
        self.get(way, value).map_or("–".to_owned(), |value| format!("{value:.1}"))
    }

    /// How many times faster the new way is.
    fn factor(&self, value: Measure) -> Option<f64> {
        Some(self.get(Way::Old, value)? / self.get(Way::New, value)?)
    }
}

/// The tables that are printed, and that a page of the documents has.
#[must_use]
pub fn tables(sheet: &Sheet) -> Vec<Sheet> {
    let rows = of(sheet);
    let columns = Column::of(&rows);
    let times = |factor: Option<f64>| factor.map_or("–".to_owned(), |f| format!("{f:.2}"));
    let synced: Vec<&Column<'_>> =
        columns.iter().filter(|one| one.get(Way::Old, Measure::Sync).is_some()).collect();
    let mut syncs = Table::new().number("processes", |one: &&Column<'_>| one.processes);
    for way in Way::ALL {
        syncs = syncs.number(way.name(), move |one| one.shown(way, Measure::Sync));
        if way == Way::New {
            syncs = syncs.number("times faster", move |one| times(one.factor(Measure::Sync)));
        }
    }
    let mut locks = Table::new().number("processes", |one: &Column<'_>| one.processes);
    for way in Way::ALL {
        let both = move |one: &Column<'_>| {
            format!("{} + {}", one.shown(way, Measure::Acquire), one.shown(way, Measure::Release))
        };
        locks = locks.number(way.name(), both);
        if way == Way::New {
            locks = locks.number("times faster", move |one| times(one.factor(Measure::Lock)));
        }
    }
    vec![
        syncs.sheet("Synchronization after puts to all others, µs", &synced),
        locks.sheet("Lock that all want: to get it + to give it back, µs", &columns),
        statements(&columns),
    ]
}

/// What the paper says, and what was found.
struct Statement {
    says: &'static str,
    /// What it says, as a number.
    number: Option<f64>,
    found: String,
    /// What was found, as a number.
    value: Option<f64>,
    ring: String,
}

impl Statement {
    /// Of a number that is printed in the paper.
    fn number(says: &'static str, number: f64, value: Option<f64>, ring: String) -> Self {
        let found = value.map_or("–".to_owned(), |value| format!("{value:.2}"));
        Statement { says, number: Some(number), found, value, ring }
    }

    /// Of what must be so for each number of processes.
    fn always(
        says: &'static str,
        columns: &[&Column<'_>],
        holds: impl Fn(&Column<'_>) -> Option<bool>,
        ring: String,
    ) -> Self {
        let not: Vec<String> = columns
            .iter()
            .filter(|one| holds(one) == Some(false))
            .map(|one| one.processes.to_string())
            .collect();
        let found = if columns.iter().all(|one| holds(one).is_none()) {
            "–".to_owned()
        } else if not.is_empty() {
            "yes".to_owned()
        } else {
            format!("not with {}", not.join(", "))
        };
        Statement { says, number: None, found, value: None, ring }
    }
}

fn statements(columns: &[Column<'_>]) -> Sheet {
    let with = |n: usize| columns.iter().find(|one| one.processes == n);
    let more: Vec<&Column<'_>> = columns.iter().filter(|one| one.processes > 1).collect();
    let one: Vec<&Column<'_>> = columns.iter().filter(|one| one.processes == 1).collect();
    let on_ring = |n: usize, value: Measure| {
        with(n).map_or("–".to_owned(), |one| format!("{} µs", one.shown(Way::Ring, value)))
    };
    let ring_factor = |n: usize, value: Measure| {
        let factor =
            with(n).and_then(|one| Some(one.get(Way::New, value)? / one.get(Way::Ring, value)?));
        factor.map_or("–".to_owned(), |f| format!("{f:.0} times faster than new"))
    };
    let at = |n: usize, way, value: Measure| with(n).and_then(|one| one.get(way, value));
    let factor = |n: usize, value: Measure| with(n).and_then(|one| one.factor(value));
    // To hand the lock over: all wait but the holder, so a turn takes as many of these as there are processes.
    let over = |way| at(16, way, Measure::Lock).map(|us| us / 16.0);
    let slower = |one: &Column<'_>, value: Measure| one.factor(value).map(|f| f < 1.0);
    let faster = |one: &Column<'_>, value: Measure| one.factor(value).map(|f| f > 1.0);
    let messages = over(Way::Old).zip(over(Way::New)).map_or("–".to_owned(), |(old, new)| {
        format!(
            "{old:.1} µs from holder to holder, then {new:.1}: a message of {:.1} less",
            old - new
        )
    });
    let all = [
        Statement::number(
            "GA_Sync of 16 processes, old, µs (fitted)",
            1724.3,
            at(16, Way::Old, Measure::Sync),
            on_ring(16, Measure::Sync),
        ),
        Statement::number(
            "GA_Sync of 16 processes, new, µs (fitted)",
            190.3,
            at(16, Way::New, Measure::Sync),
            on_ring(16, Measure::Sync),
        ),
        Statement::number(
            "up to 9 times faster, with 16",
            9.0,
            factor(16, Measure::Sync),
            ring_factor(16, Measure::Sync),
        ),
        Statement::number(
            "lock up to 1.25 times faster, with 8",
            1.25,
            factor(8, Measure::Lock),
            ring_factor(8, Measure::Lock),
        ),
        Statement::always(
            "less so with 16 than with 8",
            &more.iter().copied().filter(|one| one.processes == 16).collect::<Vec<_>>(),
            |one| Some(one.factor(Measure::Lock)? < factor(8, Measure::Lock)?),
            ring_factor(16, Measure::Lock),
        ),
        Statement::always(
            "lock faster with two or more",
            &more,
            |one| faster(one, Measure::Lock),
            on_ring(2, Measure::Lock),
        ),
        Statement::always(
            "lock slower with one",
            &one,
            |one| slower(one, Measure::Lock),
            on_ring(1, Measure::Lock),
        ),
        Statement::always(
            "always faster to get, with two or more",
            &more,
            |one| faster(one, Measure::Acquire),
            on_ring(16, Measure::Acquire),
        ),
        Statement::always(
            "slower to give back",
            &more,
            |one| slower(one, Measure::Release),
            on_ring(16, Measure::Release),
        ),
        Statement {
            says: "one message from holder to holder, not two",
            number: None,
            found: messages,
            value: None,
            ring: at(16, Way::Ring, Measure::Lock)
                .map_or("–".to_owned(), |us| format!("{:.1} µs", us / 16.0)),
        },
    ];
    let off = |one: &Statement| {
        let off = one.number.zip(one.value).map(|(number, value)| 100.0 * (value / number - 1.0));
        off.map_or("–".to_owned(), |off| format!("{off:+.1} %"))
    };
    Table::new()
        .text("the paper says", |one: &Statement| one.says)
        .number("the paper's number", |one| one.number.map_or("–".to_owned(), |n| n.to_string()))
        .text("found on its machine", |one| one.found.clone())
        .number("off", off)
        .text("on the ring", |one| one.ring.clone())
        .sheet("What the paper says", &all)
}

fn drawn(rows: &Sheet) -> Result<Vec<File>, String> {
    let ways = |value: Measure| -> Vec<Line> {
        let rows = of(rows);
        let point = |row: Row| value.of(&row).map(|us| (row.way.clone(), (processes(&row), us)));
        Line::by_name(rows.into_iter().filter_map(point))
    };
    let factors = |value: Measure| -> Vec<Line> {
        let rows = of(rows);
        let columns = Column::of(&rows);
        let point = |one: &Column<'_>| {
            Some(("old by new".to_owned(), (processes(one.rows[0]), one.factor(value)?)))
        };
        Line::by_name(columns.iter().filter_map(point))
    };
    let file = |name, title, y, lines: Vec<Line>| {
        File::plot(&format!("armci-{name}"), Axes { title, x: "processes", y }, &lines)
    };
    let printed = |mut lines: Vec<Line>, points: &[(f64, f64)]| {
        lines.push(Line { name: "printed".into(), points: points.into(), bound: true });
        lines
    };
    Ok(vec![
        file(
            "sync",
            "Figure 7 (a): GA_Sync; 1,724.3 and 190.3 are printed for 16",
            "µs",
            ways(Measure::Sync),
        )?,
        file(
            "sync-factor",
            "Figure 7 (b): GA_Sync, old by new; 9 is printed",
            "times faster",
            factors(Measure::Sync),
        )?,
        file("lock", "Figure 8 (a): to get a lock and to give it back", "µs", ways(Measure::Lock))?,
        file(
            "lock-factor",
            "Figure 8 (b): lock, old by new; 1.25 is printed",
            "times faster",
            printed(factors(Measure::Lock), &[(1.0, 1.25), (16.0, 1.25)]),
        )?,
        file("acquire", "Figure 9: to get a lock", "µs", ways(Measure::Acquire))?,
        file("release", "Figure 10: to give a lock back", "µs", ways(Measure::Release))?,
    ])
}

#[expect(clippy::cast_precision_loss, reason = "a figure")]
fn processes(row: &Row) -> f64 {
    row.processes as f64
}

/// The study.
pub const SUBJECT: Subject = Subject {
    title: "ARMCI: synchronization and lock of paper 001, on its machine and on the ring",
    units: "Times are simulated, in microseconds: means over all processes and repetitions. Two times of the paper's machine are fitted to the two that the paper prints; all others are predictions.",
    columns: || all(&[]),
    plots: drawn,
};

/// The results of the study.
///
/// # Errors
/// The message of the plotting library.
pub fn results(rows: &[Row]) -> Result<Results, String> {
    SUBJECT.results(all(rows), tables)
}
