// SPDX-License-Identifier: MIT OR Apache-2.0
//! One ring against rings with gateways (paper 004): barrier, lock and far accesses by the number of processes.
//!
//! All boards and hosts are simulated. *By boards*: barriers and locks are those of the engines of the boards, on each
//! ring and on a ring of gateways above. *By firmware*: gateways poll words of their rings and have links to each other.

use super::results::{File, Results, Subject, lines};
use super::{Stats, StudyError, Tick, below};
use crate::work::{Work, WorkError};
use awgstar::contract::Order;
use awgstar::host::{Choice, Setup};
use awgstar::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar::request::{Answer, Request};
use awgstar_draw::plot::Axes;
use awgstar_draw::table::{Cells, Sheet, Table};
use awgstar_rings::RingNumber;
use awgstar_rings::machine::{Levels, Mesh, Pace, Rings, single};
use awgstar_rings::repairs::Repairs;
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

/// Cycles of a fibre of 10 m, and of a hop with it.
const FIBRE: u32 = 4;
pub(super) const HOP: u64 = 8;
/// Between the halves of a gateway.
pub(super) const CROSSING: u64 = 12;
/// From the last arrival at a board to the interrupt of the next board, beside the way: `awgstar study engine`.
const BOARD: u64 = 37;
/// What the hosts of a barrier take for the accesses to the port, as on one ring.
const HOST: u64 = 14;
/// From a host's signal until the host of the next board has read it, beside the way: the least that was measured.
const SIGNAL: u64 = 82;
/// Between gateways, for firmware.
const LINK: Pace = Pace { latency: Cycle(40), word: Cycle(1) };
const EPISODES: usize = 6;
const TURNS: usize = 4;
/// The most processes of a ring whose gateway polls, and of all: each more makes all slower.
const POLLED: usize = 64;
const POLLED_ALL: usize = 256;
/// Nothing takes so long.
const LIMIT: Cycle = Cycle(20_000_000);

/// So many processes on so many rings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub processes: usize,
    pub rings: usize,
}

/// What was measured, in cycles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub processes: usize,
    pub rings: usize,
    /// From the last arrival to the last that goes on, by boards.
    pub barrier: Stats,
    /// The same by the formula.
    pub formula: f64,
    /// What hosts add to the formula: least and most.
    pub hosts: (i64, i64),
    /// From an unlock to the next holder, in a ring and in another one, by boards.
    pub within: Stats,
    pub across: Stats,
    /// By firmware: barrier, a far read of a word, a far write of one.
    pub polled: Stats,
    pub read: Stats,
    pub write: Stats,
}

/// The points of these numbers of processes: one ring if it has a place for all, and 2 to 256 rings, each with 2 to 255
/// processes.
#[must_use]
pub fn points(processes: &[usize]) -> Vec<Point> {
    let of = |&processes: &usize| {
        let rings = (0..=8).map(|bits| 1_usize << bits);
        let fits = move |&rings: &usize| {
            let each = processes / rings;
            processes.is_multiple_of(rings)
                && each >= 2
                && each <= if rings == 1 { 256 } else { 255 }
        };
        rings.filter(fits).map(move |rings| Point { processes, rings })
    };
    processes.iter().flat_map(of).collect()
}

/// Measures these points; `None` of a part.
///
/// # Errors
/// The first point without a figure; parts that do not fit.
pub fn rows(
    processes: &[usize],
    work: &Work,
    done: &Tick<'_>,
) -> Result<Option<Vec<Row>>, WorkError<StudyError>> {
    let what = |one: &Point| format!("{} processes on {} rings", one.processes, one.rings);
    work.map(&points(processes), what, |one| row(*one).inspect(|_| done()))
}

/// A call of a process.
#[derive(Clone, Debug)]
struct Call {
    ring: usize,
    node: usize,
    request: Request,
    asked: Cycle,
    answered: Cycle,
}

/// What a process does next.
#[derive(Clone, Debug)]
enum Do {
    /// It waits until this cycle.
    Until(Cycle),
    Ask(Request),
}

type Log = Arc<Mutex<Vec<Call>>>;

/// A process that does this, and keeps its calls.
fn process(
    (ring, node): (usize, NodeId),
    steps: Vec<Do>,
    log: &Log,
) -> impl FnMut(&Answer) -> Request + Send + use<> {
    let (mut steps, log) = (VecDeque::from(steps), Arc::clone(log));
    let mut open: Option<(Request, Cycle)> = None;
    move |answer: &Answer| {
        let answered = answer.now.cycle();
        if let Some((request, asked)) = open.take() {
            let call = Call { ring, node: node.index(), request, asked, answered };
            log.lock().unwrap_or_else(PoisonError::into_inner).push(call);
        }
        let next = match steps.pop_front() {
            None => Request::End,
            Some(Do::Ask(request)) => request,
            // The first answer has no time.
            Some(Do::Until(cycle)) if answered == Cycle(0) => {
                steps.push_front(Do::Until(cycle));
                Request::wait(Cycle(1))
            }
            Some(Do::Until(cycle)) => Request::wait(cycle.saturating_sub(answered)),
        };
        open = Some((next.clone(), answered));
        next
    }
}

/// The calls of a run, in the order of their ends.
fn calls(
    point: Point,
    build: impl FnOnce(&Log) -> Result<Rings, String>,
) -> Result<Vec<Call>, StudyError> {
    let log = Log::default();
    let ran = build(&log).and_then(|mut rings| {
        rings.run(NonZeroUsize::MIN, LIMIT).map_err(|error| error.to_string())
    });
    ran.map_err(|wrong| point.wrong(wrong))?;
    let mut all = std::mem::take(&mut *log.lock().unwrap_or_else(PoisonError::into_inner));
    all.sort_by_key(|call| (call.answered, call.ring, call.node));
    Ok(all)
}

impl Point {
    fn each(self) -> usize {
        self.processes / self.rings
    }

    /// Boards of a ring: a gateway, too, if there are several.
    fn boards(self) -> usize {
        self.each() + usize::from(self.rings > 1)
    }

    /// The node of a process of a ring.
    fn node(self, process: usize) -> usize {
        process + usize::from(self.rings > 1)
    }

    /// Cycles after which all boards are up; a barrier that begins before is an error.
    fn up(self) -> u64 {
        24_000 + 300 * self.boards().max(self.rings) as u64
    }

    /// Rings whose gateways serve the lock, or the barrier, by those of the boards.
    fn by_boards(
        self,
        lock: bool,
        log: &Log,
        steps: impl Fn(usize, usize) -> Vec<Do>,
    ) -> Result<Rings, String> {
        let choice = Choice { order: Order::Sent, ..Choice::new() };
        let choice = choice.with_lock(None).ok_or("no engine")?;
        let own = |ring: usize, node: NodeId| process((ring, node), steps(ring, node.index()), log);
        if self.rings == 1 {
            let ring = single(self.processes, FIBRE, choice, |node| own(0, node));
            return ring.map_err(|error| error.to_string());
        }
        let levels = Levels {
            below: Setup::new(self.boards(), FIBRE),
            above: Setup::new(self.rings, FIBRE),
            crossing: Cycle(CROSSING),
            choice,
        };
        let built = if lock { levels.with_lock(own) } else { levels.with_barrier(own) };
        built.map_err(|error| error.to_string())
    }

    /// From the last arrival, of a node of a ring, to the last that goes on: when the signal of the gateway has come that
    /// tells of all rings, or when the barrier of the ring has ended, whichever is later.
    fn formula(self, last: usize) -> u64 {
        let boards = self.boards() as u64;
        let barrier = |hops: u64| hops * HOP + BOARD + HOST;
        if self.rings == 1 {
            return barrier(boards - 1);
        }
        let above = barrier(self.rings as u64 - 1) + 2 * CROSSING;
        let released = barrier(boards - last as u64) + above + (boards - 1) * HOP + SIGNAL;
        released.max(barrier(boards - 1))
    }

    /// When all but one arrive in each episode, who is the last, and when it arrives. So many
    /// cycles after all but one have called all of them have arrived.
    fn episodes(self, all: u64) -> Vec<(Cycle, (usize, usize), Cycle)> {
        let mut random =
            XorShiftRng::seed_from_u64(self.processes as u64 * 1_000 + self.rings as u64);
        let quiet = 4 * self.formula(1) + all + 1_000;
        let one = |episode: usize| {
            let begin = self.up() + 2 * quiet * (1 + episode as u64);
            let ring = narrow::<usize>(below(&mut random, self.rings as u64));
            let node = self.node(narrow(below(&mut random, self.each() as u64)));
            let late = Cycle(begin + quiet + below(&mut random, quiet / 4));
            (Cycle(begin), (ring, node), late)
        };
        (0..EPISODES).map(one).collect()
    }

    /// Barriers of which all but one come early; gives each time with that of the formula.
    fn barrier(
        self,
        all: u64,
        build: impl FnOnce(&Log, &dyn Fn(usize, usize) -> Vec<Do>) -> Result<Rings, String>,
    ) -> Result<Vec<(Cycle, u64)>, StudyError> {
        let episodes = self.episodes(all);
        let steps = |ring: usize, node: usize| -> Vec<Do> {
            let one = |&(begin, last, late): &(Cycle, (usize, usize), Cycle)| {
                let at = if last == (ring, node) { late } else { begin };
                [Do::Until(at), Do::Ask(Request::Barrier(0))]
            };
            episodes.iter().flat_map(one).collect()
        };
        let all = calls(self, |log| build(log, &steps))?;
        let mut by_process: BTreeMap<(usize, usize), Vec<Call>> = BTreeMap::new();
        for call in all.into_iter().filter(|call| call.request == Request::Barrier(0)) {
            by_process.entry((call.ring, call.node)).or_default().push(call);
        }
        let mut found = Vec::new();
        for (episode, (_, last, due)) in episodes.iter().enumerate() {
            let calls = || by_process.values().filter_map(|calls| calls.get(episode));
            let first = calls().map(|call| call.answered).min();
            let end = calls().map(|call| call.answered).max();
            let late = calls().max_by_key(|call| call.asked);
            let (Some(first), Some(end), Some(late)) = (first, end, late) else {
                return Err(self.wrong(format!("episode {episode}: no call")));
            };
            let arrived = late.asked;
            let all = calls().count() == self.processes;
            if !all || (late.ring, late.node) != *last || arrived < *due || first < arrived {
                let what = format!("episode {episode}: {late:?} is not {last:?}, due at {due}");
                return Err(self.wrong(what));
            }
            found.push((end - arrived, self.formula(last.1)));
        }
        Ok(found)
    }

    fn wrong(self, wrong: String) -> StudyError {
        StudyError::Wrong { point: format!("{self:?}"), wrong }
    }

    /// Four processes of each of four rings, or all there are, want the lock all the time: hand-overs within a ring, and
    /// from one to another.
    fn lock(self) -> Result<(Vec<Cycle>, Vec<Cycle>), StudyError> {
        let callers = 4.min(self.each());
        let steps = |ring: usize, node: usize| -> Vec<Do> {
            let stride = self.each() / callers;
            let at = node - self.node(0);
            if ring >= 4 || !at.is_multiple_of(stride) || at / stride >= callers {
                return Vec::new();
            }
            let turn = [
                Do::Ask(Request::Lock(0)),
                Do::Ask(Request::wait(Cycle(200))),
                Do::Ask(Request::Unlock(0)),
            ];
            let begin = [Do::Until(Cycle(self.up()))];
            begin.into_iter().chain((0..TURNS).flat_map(|_| turn.clone())).collect()
        };
        let build = |log: &Log| self.by_boards(true, log, steps);
        let all = calls(self, build)?;
        let locks: Vec<&Call> =
            all.iter().filter(|call| call.request == Request::Lock(0)).collect();
        let (mut within, mut across) = (Vec::new(), Vec::new());
        for two in locks.windows(2) {
            let (one, next) = (two[0], two[1]);
            let unlock = |call: &&Call| {
                (call.ring, call.node) == (one.ring, one.node)
                    && call.request == Request::Unlock(0)
                    && call.asked > one.answered
            };
            let given = all.iter().filter(unlock).map(|call| call.asked).min();
            let Some(time) = given.and_then(|given| next.answered.0.checked_sub(given.0)) else {
                return Err(self.wrong(format!("two have the lock: {one:?}, {next:?}")));
            };
            if one.ring == next.ring { &mut within } else { &mut across }.push(Cycle(time));
        }
        Ok((within, across))
    }

    fn by_firmware(
        self,
        log: &Log,
        steps: impl Fn(usize, usize) -> Vec<Do>,
    ) -> Result<Rings, String> {
        let mut setup = Setup::new(self.boards(), FIBRE);
        let with = setup.scenario.parameters.with("smb", "MEM_ADDR_W", 16);
        setup.scenario.parameters = with.map_err(|error| error.to_string())?;
        let mesh = Mesh {
            rings: self.rings,
            setup,
            choice: Choice { order: Order::Sent, ..Choice::new() },
            link: LINK,
            block: 1,
            timeout: Cycle(1_000_000),
            restarts: BTreeMap::new(),
            windows: Vec::new(),
            locks: 0,
            cache: None,
            standby: false,
            repairs: Repairs::ALL,
        };
        let own = |ring: RingNumber, node: NodeId| {
            let ring = usize::from(ring.0);
            Some(process((ring, node), steps(ring, node.index()), log))
        };
        mesh.build(own).map_err(|error| error.to_string())
    }

    /// Far reads and writes of a word by one process after the other.
    fn far(self) -> Result<(Vec<Cycle>, Vec<Cycle>), StudyError> {
        let pause = 4 * HOP * self.boards() as u64 + 200;
        let steps = |ring: usize, node: usize| -> Vec<Do> {
            if (ring, node) != (0, self.node(0)) {
                return Vec::new();
            }
            let (ring, address) = (narrow(self.rings - 1), ByteAddress(256));
            let one = |value: u32| {
                [
                    Do::Ask(Request::wait(Cycle(pause + 13 * u64::from(value)))),
                    Do::Ask(Request::FarWrite { ring, address, data: [value].into() }),
                    Do::Ask(Request::wait(Cycle(pause + 7 * u64::from(value)))),
                    Do::Ask(Request::FarRead { ring, address, words: 1 }),
                ]
            };
            let begin = [Do::Until(Cycle(self.up()))];
            begin.into_iter().chain((1..9).flat_map(one)).collect()
        };
        let all = calls(self, |log| self.by_firmware(log, steps))?;
        let times = |is: fn(&Request) -> bool| {
            let calls = all.iter().filter(|call| is(&call.request));
            calls.map(|call| call.answered - call.asked).collect()
        };
        let reads = times(|request| matches!(request, Request::FarRead { .. }));
        Ok((reads, times(|request| matches!(request, Request::FarWrite { .. }))))
    }
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_wrap, reason = "figures")]
fn row(point: Point) -> Result<Row, StudyError> {
    let boards =
        point.barrier(20 * point.each() as u64, |log, steps| point.by_boards(false, log, steps))?;
    let added = boards.iter().map(|(time, formula)| time.0 as i64 - *formula as i64);
    let hosts = (added.clone().min().unwrap_or(0), added.max().unwrap_or(0));
    let formula = boards.iter().map(|one| one.1 as f64).sum::<f64>() / boards.len() as f64;
    let (within, across) = point.lock()?;
    let polls = point.each() <= POLLED && point.processes <= POLLED_ALL;
    let (polled, (read, write)) = if point.rings == 1 || !polls {
        (Vec::new(), (Vec::new(), Vec::new()))
    } else {
        // Words that are written at once take turns with the token, a rotation each.
        let words = point.each() as u64 * (point.boards() as u64 * HOP + 200);
        let polled = point.barrier(words * 5 / 4, |log, steps| point.by_firmware(log, steps));
        (polled?, point.far()?)
    };
    Ok(Row {
        processes: point.processes,
        rings: point.rings,
        barrier: Stats::of(boards.into_iter().map(|one| one.0).collect()),
        formula,
        hosts,
        within: Stats::of(within),
        across: Stats::of(across),
        polled: Stats::of(polled.into_iter().map(|one| one.0).collect()),
        read: Stats::of(read),
        write: Stats::of(write),
    })
}

fn drawn(rows: &Sheet) -> Result<Vec<File>, String> {
    let by = |column: &'static str| {
        lines(rows, move |row: Cells<'_>| {
            let (name, rings) = (row.text("processes")?, row.number("rings")?);
            let y = row.number(column).filter(|y| *y > 0.0)?;
            Some((name, rings, y))
        })
    };
    let file = |name: &str, title, column| {
        let axes = Axes { title, x: "rings", y: "cycles" };
        File::plot(&format!("rings-{name}"), axes, &by(column))
    };
    Ok(vec![
        file(
            "barrier",
            "Barrier by boards, by the number of rings, for each number of processes",
            "barrier",
        )?,
        file(
            "polled",
            "Barrier by firmware that polls, by the number of rings, for each number of processes",
            "polled barrier",
        )?,
        file(
            "lock",
            "Lock from one ring to another, by the number of rings, for each number of processes",
            "lock across",
        )?,
    ])
}

/// The study.
pub const SUBJECT: Subject = Subject {
    title: "One ring against rings with gateways",
    units: "Times are simulated, in cycles of 67.25 MHz; fibres are 10 m.",
    columns: || columns().sheet("rings.csv", &[]),
    plots: drawn,
};

/// The results of the study.
///
/// # Errors
/// The message of the plotting library.
pub fn results(rows: &[Row]) -> Result<Results, String> {
    SUBJECT.results(columns().sheet("rings.csv", rows), |_| vec![columns().sheet("", rows)])
}

fn columns() -> Table<'static, Row> {
    // What is not measured is no number.
    let mean = |stats: &Stats| {
        if stats.count == 0 { "-".to_owned() } else { format!("{:.1}", stats.mean) }
    };
    Table::new()
        .number("processes", |r: &Row| r.processes)
        .number("rings", |r| r.rings)
        .number("barrier", move |r| mean(&r.barrier))
        .number("formula", |r| format!("{:.1}", r.formula))
        .number("hosts add", |r| r.hosts.0)
        .number("at most", |r| r.hosts.1)
        .text("lock within", move |r| mean(&r.within))
        .text("lock across", move |r| mean(&r.across))
        .text("polled barrier", move |r| mean(&r.polled))
        .text("far read", move |r| mean(&r.read))
        .text("far write", move |r| mean(&r.write))
}

/// Barriers of many processes by the formula, in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Growth {
    processes: u64,
    one: u64,
    /// The best number of rings, and the barrier on them.
    rings: u64,
    two: u64,
    /// The best of rings of rings of rings.
    three: u64,
    /// The levels that rings of at most 16 boards have, and the barrier on them.
    levels: u32,
    small: u64,
}

/// The barrier of levels of rings, the lowest first: members of each, and the gateway to the next one. The last arrival
/// is the farthest from its gateway.
pub(super) fn of_levels(members: &[u64]) -> u64 {
    let Some((top, below)) = members.split_last() else { return 0 };
    let up = |one: u64| one * HOP + BOARD + HOST + CROSSING;
    let down = |one: u64| CROSSING + one * HOP + SIGNAL;
    let levels: u64 = below.iter().map(|&one| up(one) + down(one)).sum();
    levels + top.saturating_sub(1) * HOP + BOARD + HOST
}

impl Growth {
    fn of(processes: u64) -> Growth {
        let each = |rings: u64| processes.div_ceil(rings);
        let fits = |rings: &u64| each(*rings) <= 255;
        let two = |rings: u64| of_levels(&[each(rings), rings]);
        let rings = (2..=256).filter(fits).min_by_key(|&rings| two(rings)).unwrap_or(256);
        let three = (2..=255_u64).flat_map(|top| (2..=255_u64).map(move |middle| (top, middle)));
        let three = three.map(|(top, middle)| of_levels(&[each(top * middle), middle, top])).min();
        // All but the highest ring of 16 boards have a gateway.
        let mut small = vec![16];
        while small.iter().product::<u64>() < processes {
            small.insert(0, 15);
        }
        Growth {
            processes,
            one: of_levels(&[processes]),
            rings,
            two: two(rings),
            three: three.unwrap_or(0),
            levels: narrow(small.len()),
            small: of_levels(&small),
        }
    }
}

/// Barriers of up to 64,516 processes by the formula: one ring, as if it had no end; the best number of rings; the best
/// of three levels; and rings of 16 boards, as many as boards with clocks of their own can be (LNK-5).
#[must_use]
pub fn growth() -> Sheet {
    let rows = [16, 64, 256, 1_024, 4_096, 64_516].map(Growth::of);
    Table::new()
        .number("processes", |r: &Growth| r.processes)
        .number("one ring", |r| r.one)
        .number("best number of rings", |r| r.rings)
        .number("on them", |r| r.two)
        .number("three levels", |r| r.three)
        .number("levels of 16 boards", |r| r.levels)
        .number("on these", |r| r.small)
        .sheet("", &rows)
}

#[cfg(test)]
mod tests {
    use super::{Growth, Point, of_levels};

    /// The formula of the table is that of the rows.
    #[test]
    fn levels_are_rings_below_a_ring() {
        for (processes, rings) in [(16, 2), (64, 8), (1_024, 32)] {
            let point = Point { processes, rings };
            let levels = of_levels(&[(processes / rings) as u64, rings as u64]);
            assert_eq!(levels, point.formula(1), "{point:?}");
        }
        assert_eq!(of_levels(&[64]), Point { processes: 64, rings: 1 }.formula(0));
    }

    #[test]
    fn sixteen_boards_need_levels() {
        let levels = [16, 17, 240, 241, 3_600, 3_601].map(|processes| Growth::of(processes).levels);
        assert_eq!(levels, [1, 2, 2, 3, 3, 4]);
    }
}
