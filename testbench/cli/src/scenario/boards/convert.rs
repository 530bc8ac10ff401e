//! From the keys of a file to a plan: every value checked, every error with its place.

use crate::boards::{Act, Hit, Plan, Reset, Settings, Wanted};
use crate::scenario::Marks;
use crate::scenario::boards::act::act;
use crate::scenario::boards::file::{Fault, File, SetUp};
use crate::scenario::boards::program::programs;
use crate::scenario::boards::router::router;
use crate::scenario::convert::{CYCLES_MAX, fault_kind};
use crate::scenario::marks::missed;
use crate::scenario::signal::Receivers;
use crate::scenario::source::{Result, Source, fibre, fibre_cycles};
use crate::scenario::timeline::Timeline;
use awgstar::{
    contract::board::MAC_PREFIX,
    ring::{
        self, BoardScenario, FIBRE_MAX,
        boards::{Cut, Dead, Noise, Slow},
    },
};
use awgstar_stimulus::echo::shown;
use toml::Spanned;

/// Cycles that a frame may wait in a node whose ring is full.
const WAIT: i64 = 512;
/// Largest value of `TIMEOUT` and `PERIOD`.
const TIME_MAX: i64 = (1 << 24) - 1;
/// Bits of which one is inverted: 2^32 over the rate.
const NOISE_ONE: f64 = 4_294_967_296.0;
/// At most one bit of every word.
const NOISE_MAX: f64 = 1.0 / 32.0;

/// The plan of a file.
pub(in crate::scenario) fn convert(name: &str, text: &str, file: &File) -> Result<Plan> {
    let source = Source { name, text };
    let count: usize = source.within("boards", &file.boards, 1, 256)?;
    let last = i64::try_from(count).unwrap_or(256) - 1;
    let fibre_m = fibre(&source, file.fibre_m.as_ref(), count)?;
    let fibre: Vec<u32> = fibre_m.iter().map(|&m| fibre_cycles(m)).collect();
    let cycles = source.within("cycles", &file.cycles, 1, CYCLES_MAX)?;
    let mut time = Timeline { source: &source, end: cycles, marks: Marks::default() };
    let boards = boards(&mut time, file, &fibre, last)?;
    let router = router(&mut time, file, &fibre)?;
    let receivers = Receivers {
        node_ids: boards.iter().map(|board| board.node_id).collect(),
        groups: boards.iter().fold(0, |all, board| all | board.groups),
    };
    let mut plan = Plan {
        title: file.title.clone(),
        scenario: BoardScenario { fibre, ..BoardScenario::new(count) },
        cycles,
        fibre_m,
        boards,
        acts: vec![Vec::new(); count],
        hits: Vec::new(),
        resets: Vec::new(),
        calm: file.calm.as_ref().map(|calm| time.at("calm", Some(calm))).transpose()?,
        router,
        may_differ: file.may_differ.as_ref().is_some_and(|may| *may.get_ref()),
        programs: programs(&mut time, file, count)?,
        marks: Marks::default(),
    };
    if let (Some(may), Some(_)) = (&file.may_differ, &plan.programs) {
        let what = "may_differ: with [[host]] only, programs say what they expect";
        return Err(source.error(&may.span(), what));
    }
    for host in &file.host {
        let board: usize = source.within("host.board", &host.board, 0, last)?;
        let at = time.at("host.at", host.at.as_ref())?;
        let one = |a| act(&mut time, a, at, &receivers);
        let acts = host.acts.iter().map(one).collect::<Result<Vec<Act>>>()?;
        let what = format!("host of board {board}");
        let mark = || source.error(&host.board.span(), what);
        time.marks.hosts.entry(board).or_insert_with(mark);
        let times = host.times.as_ref();
        let times: usize = times.map_or(Ok(1), |t| source.within("host.times", t, 1, 10_000))?;
        plan.acts[board].extend(std::iter::repeat_n(acts, times).flatten());
    }
    faults(&mut time, file, &mut plan, last)?;
    plan.marks = time.marks;
    plan.scenario.check().map_err(|e| source.error(&(0..0), e.to_string()))?;
    Ok(plan)
}

/// How each board is set up: as all are, or as the file says of it.
fn boards(time: &mut Timeline, file: &File, fibre: &[u32], last: i64) -> Result<Vec<Settings>> {
    let source = time.source;
    let hops: i64 = fibre.iter().map(|f| i64::from(*f) + 4).sum();
    // More than the longest rotation: what docs/programming.md says to take.
    let longest = (hops + WAIT * (last + 1)).min(TIME_MAX);
    let number = |field: &str, value: Option<&Spanned<i64>>, least, most, usual| {
        value.map_or(Ok(usual), |v| source.within::<i64>(field, v, least, most))
    };
    let tokens = number("tokens", file.tokens.as_ref(), 1, 255, (last + 1).min(16))?;
    let timeout = number("timeout", file.timeout.as_ref(), 1, TIME_MAX, longest)?;
    let period = number("period", file.period.as_ref(), 1, TIME_MAX, longest)?;
    let combine = number("combine", file.combine.as_ref(), 0, 65_535, 64)?;
    let groups = source.groups(&file.groups, fibre.len())?;
    let settings = |board: usize, said: Option<&SetUp>| -> Result<Settings> {
        let own = |field: &str, value: fn(&SetUp) -> Option<&Spanned<i64>>, least, most, usual| {
            number(field, said.and_then(value), least, most, usual)
        };
        let id = i64::try_from(board).unwrap_or(0);
        let prefix = i64::try_from(MAC_PREFIX).unwrap_or(0);
        Ok(Settings {
            prefix: own("board.prefix", |b| b.prefix.as_ref(), 0, (1 << 40) - 1, prefix)?
                .unsigned_abs(),
            node_id: low(own("board.node_id", |b| b.node_id.as_ref(), 0, 255, id)?),
            groups: groups[board],
            tokens: low(own("board.tokens", |b| b.tokens.as_ref(), 1, 255, tokens)?),
            timeout: low(own("board.timeout", |b| b.timeout.as_ref(), 1, TIME_MAX, timeout)?),
            period: low(own("board.period", |b| b.period.as_ref(), 1, TIME_MAX, period)?),
            combine: low(own("board.combine", |b| b.combine.as_ref(), 0, 65_535, combine)?),
            at: 0,
        })
    };
    let mut all: Vec<Settings> =
        (0..fibre.len()).map(|i| settings(i, None)).collect::<Result<_>>()?;
    for board in &file.board {
        let i: usize = source.within("board.board", &board.board, 0, last)?;
        let at = time.at("board.at", board.at.as_ref())?;
        all[i] = Settings { at, ..settings(i, Some(board))? };
    }
    Ok(all)
}

/// A value whose range was checked.
fn low<T: TryFrom<i64> + Default>(value: i64) -> T {
    T::try_from(value).unwrap_or_default()
}

fn faults(time: &mut Timeline, file: &File, plan: &mut Plan, last: i64) -> Result<()> {
    let source = time.source;
    if let Some(rate) = &file.noise {
        let found = *rate.get_ref();
        if !(0.0..=NOISE_MAX).contains(&found) {
            let what = format!("noise is {}: expected 0 to {NOISE_MAX} of all bits", shown(found));
            return Err(source.error(&rate.span(), what));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "2^27 at most")]
        let rate = (found * NOISE_ONE).round() as u32;
        plan.scenario.noise = Noise { rate, seed: file.seed };
    }
    for fault in &file.fault {
        one_fault(time, fault, plan, last)?;
    }
    for cut in &file.cut {
        let from = time.at("cut.from", Some(&cut.from))?;
        let until = time.until("cut.until", cut.until.as_ref(), from)?;
        plan.scenario.cuts.push(Cut {
            link: source.within("cut.link", &cut.link, 0, last)?,
            from,
            until: until.unwrap_or(u64::MAX),
        });
    }
    for dead in &file.dead {
        let board = source.within("dead.board", &dead.board, 0, last)?;
        let cycle = time.at("dead.at", Some(&dead.at))?;
        plan.scenario.dead.push(Dead { board, cycle });
    }
    for slow in &file.slow {
        let from = time.at("slow.from", slow.from.as_ref())?;
        let until = time.until("slow.until", slow.until.as_ref(), from)?;
        plan.scenario.slow.push(Slow {
            board: source.within("slow.board", &slow.board, 0, last)?,
            cycles: source.within("slow.cycles", &slow.cycles, 1, FIBRE_MAX.into())?,
            from,
            until: until.unwrap_or(u64::MAX),
        });
    }
    for reset in &file.reset {
        plan.resets.push(Reset {
            board: source.within("reset.board", &reset.board, 0, last)?,
            at: time.at("reset.at", Some(&reset.at))?,
            cycles: reset
                .cycles
                .as_ref()
                .map_or(Ok(4), |c| source.within("reset.cycles", c, 1, CYCLES_MAX))?,
        });
    }
    Ok(())
}

/// A fault of a frame by its number, or of the first ones of a kind.
fn one_fault(time: &mut Timeline, fault: &Fault, plan: &mut Plan, last: i64) -> Result<()> {
    let source = time.source;
    let link: usize = source.within("fault.link", &fault.link, 0, last)?;
    let place = fault.link.span();
    let (bit, words) = (fault.bit.as_ref(), fault.words.as_ref());
    let kind = fault_kind(source, &place, bit, words, [fault.lose, fault.twice])?;
    match (fault.frame, &fault.from) {
        (Some(frame), None) => {
            let looked_for = fault.kind.as_ref().map(Spanned::span);
            let others = [fault.source.as_ref(), fault.times.as_ref()];
            let looked_for = looked_for.or(others.into_iter().flatten().map(Spanned::span).next());
            if let Some(span) = looked_for {
                let what = "fault: kind, source and times go with from, not with frame";
                return Err(source.error(&span, what));
            }
            let what = missed(link, &format!("frame {frame}"));
            time.marks.faults.push(source.error(&place, what));
            plan.scenario.faults.push(ring::Fault { link, frame, kind });
        }
        (None, Some(from)) => {
            let span = from.span();
            let from = time.at("fault.from", Some(from))?;
            // The fault has a warning already.
            time.marks.due.pop();
            if let Some(calm) = plan.calm.filter(|calm| *calm <= from) {
                let what = format!("fault.from is {from}: expected less than calm, {calm}");
                return Err(source.error(&span, what));
            }
            let what = missed(link, &format!("frames from cycle {from} on"));
            time.marks.hits.push(source.error(&place, what));
            let wanted = fault.kind.as_ref().map(|name| {
                let found = Wanted::NAMES.iter().find(|(n, _)| n == name.get_ref());
                found.map(|(_, wanted)| *wanted).ok_or_else(|| {
                    let names: Vec<&str> = Wanted::NAMES.iter().map(|(n, _)| *n).collect();
                    let names = names.join(", ");
                    let what = format!(
                        "fault.kind is `{}`: expected one of {names}",
                        shown(name.get_ref())
                    );
                    source.error(&name.span(), what)
                })
            });
            let from_node = fault.source.as_ref();
            plan.hits.push(Hit {
                link,
                from,
                kind: wanted.transpose()?,
                source: from_node.map(|s| source.within("fault.source", s, 0, 255)).transpose()?,
                times: fault
                    .times
                    .as_ref()
                    .map_or(Ok(1), |t| source.within("fault.times", t, 1, 1_000_000))?,
                fault: kind,
            });
        }
        _ => {
            let what = "fault: expected exactly one of frame and from";
            return Err(source.error(&place, what));
        }
    }
    Ok(())
}
