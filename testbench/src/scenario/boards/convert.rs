//! From the keys of a file to a plan: every value checked, every error with its place.

use super::{
    act::act,
    file::{Fault, File, SetUp},
    program::programs,
    router::router,
};
use crate::{
    boards::{Act, Hit, Plan, Reset, Settings, Wanted},
    scenario::{
        convert::{CYCLES_MAX, fault_kind},
        source::{Result, Source, fibre, fibre_cycles},
    },
};
use awgstar::{
    contract::board::MAC_PREFIX,
    ring::{
        self, BoardScenario, FIBRE_MAX,
        boards::{Cut, Dead, Noise, Slow},
    },
};
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
    let boards = boards(&source, file, &fibre, last)?;
    let router = router(&source, file, &fibre)?;
    let mut plan = Plan {
        title: file.title.clone(),
        scenario: BoardScenario { fibre, ..BoardScenario::new(count) },
        cycles,
        fibre_m,
        boards,
        acts: vec![Vec::new(); count],
        hits: Vec::new(),
        resets: Vec::new(),
        calm: file.calm,
        router,
        may_differ: file.may_differ.as_ref().is_some_and(|may| *may.get_ref()),
        programs: programs(&source, file, count)?,
    };
    if let (Some(may), Some(_)) = (&file.may_differ, &plan.programs) {
        let what = "may_differ: with [[host]] only, programs say what they expect";
        return Err(source.error(&may.span(), what));
    }
    for host in &file.host {
        let board: usize = source.within("host.board", &host.board, 0, last)?;
        let acts =
            host.acts.iter().map(|a| act(&source, a, host.at)).collect::<Result<Vec<Act>>>()?;
        let times = host.times.as_ref();
        let times: usize = times.map_or(Ok(1), |t| source.within("host.times", t, 1, 10_000))?;
        plan.acts[board].extend(std::iter::repeat_n(acts, times).flatten());
    }
    faults(&source, file, &mut plan, last)?;
    plan.scenario.check().map_err(|e| source.error(&(0..0), e.to_string()))?;
    Ok(plan)
}

/// How each board is set up: as all are, or as the file says of it.
fn boards(source: &Source, file: &File, fibre: &[u32], last: i64) -> Result<Vec<Settings>> {
    let hops: i64 = fibre.iter().map(|f| i64::from(*f) + 4).sum();
    // More than the longest rotation: what docs/programming.md says to take.
    let time = (hops + WAIT * (last + 1)).min(TIME_MAX);
    let number = |field: &str, value: Option<&Spanned<i64>>, least, most, usual| {
        value.map_or(Ok(usual), |v| source.within::<i64>(field, v, least, most))
    };
    let tokens = number("tokens", file.tokens.as_ref(), 1, 255, (last + 1).min(16))?;
    let timeout = number("timeout", file.timeout.as_ref(), 1, TIME_MAX, time)?;
    let period = number("period", file.period.as_ref(), 1, TIME_MAX, time)?;
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
            at: said.map_or(0, |b| b.at),
        })
    };
    let mut all: Vec<Settings> =
        (0..fibre.len()).map(|i| settings(i, None)).collect::<Result<_>>()?;
    for board in &file.board {
        let i: usize = source.within("board.board", &board.board, 0, last)?;
        all[i] = settings(i, Some(board))?;
    }
    Ok(all)
}

/// A value whose range was checked.
fn low<T: TryFrom<i64> + Default>(value: i64) -> T {
    T::try_from(value).unwrap_or_default()
}

fn faults(source: &Source, file: &File, plan: &mut Plan, last: i64) -> Result<()> {
    if let Some(rate) = &file.noise {
        let found = *rate.get_ref();
        if !(0.0..=NOISE_MAX).contains(&found) {
            let what = format!("noise is {found}: expected 0 to {NOISE_MAX} of all bits");
            return Err(source.error(&rate.span(), what));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "2^27 at most")]
        let rate = (found * NOISE_ONE).round() as u32;
        plan.scenario.noise = Noise { rate, seed: file.seed };
    }
    for fault in &file.fault {
        one_fault(source, fault, plan, last)?;
    }
    let end = |field, value: Option<&Spanned<i64>>, from: u64| match value {
        None => Ok(u64::MAX),
        Some(value) => source.within(field, value, low(i64::try_from(from).unwrap_or(0)), i64::MAX),
    };
    for cut in &file.cut {
        plan.scenario.cuts.push(Cut {
            link: source.within("cut.link", &cut.link, 0, last)?,
            from: cut.from,
            until: end("cut.until", cut.until.as_ref(), cut.from)?,
        });
    }
    for dead in &file.dead {
        let board = source.within("dead.board", &dead.board, 0, last)?;
        plan.scenario.dead.push(Dead { board, cycle: dead.at });
    }
    for slow in &file.slow {
        plan.scenario.slow.push(Slow {
            board: source.within("slow.board", &slow.board, 0, last)?,
            cycles: source.within("slow.cycles", &slow.cycles, 1, FIBRE_MAX.into())?,
            from: slow.from,
            until: end("slow.until", slow.until.as_ref(), slow.from)?,
        });
    }
    for reset in &file.reset {
        plan.resets.push(Reset {
            board: source.within("reset.board", &reset.board, 0, last)?,
            at: reset.at,
            cycles: reset
                .cycles
                .as_ref()
                .map_or(Ok(4), |c| source.within("reset.cycles", c, 1, CYCLES_MAX))?,
        });
    }
    Ok(())
}

/// A fault of a frame by its number, or of the first ones of a kind.
fn one_fault(source: &Source, fault: &Fault, plan: &mut Plan, last: i64) -> Result<()> {
    let link: usize = source.within("fault.link", &fault.link, 0, last)?;
    let place = fault.link.span();
    let (bit, words) = (fault.bit.as_ref(), fault.words.as_ref());
    let kind = fault_kind(source, &place, bit, words, [fault.lose, fault.twice])?;
    match (fault.frame, fault.from) {
        (Some(frame), None) => {
            let looked_for = fault.kind.as_ref().map(Spanned::span);
            let others = [fault.source.as_ref(), fault.times.as_ref()];
            let looked_for = looked_for.or(others.into_iter().flatten().map(Spanned::span).next());
            if let Some(span) = looked_for {
                let what = "fault: kind, source and times go with from, not with frame";
                return Err(source.error(&span, what));
            }
            plan.scenario.faults.push(ring::Fault { link, frame, kind });
        }
        (None, Some(from)) => {
            let wanted = fault.kind.as_ref().map(|name| {
                let found = Wanted::NAMES.iter().find(|(n, _)| n == name.get_ref());
                found.map(|(_, wanted)| *wanted).ok_or_else(|| {
                    let names: Vec<&str> = Wanted::NAMES.iter().map(|(n, _)| *n).collect();
                    let names = names.join(", ");
                    let what =
                        format!("fault.kind is `{}`: expected one of {names}", name.get_ref());
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
