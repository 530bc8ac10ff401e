//! From the keys of a file to a plan: every value checked, every error with its place.

use crate::place::Marks;
use crate::place::missed;
use crate::run::boards::{Act, BoardsPlan, FrameFilter, Hit, Reset, Settings};
use crate::scenario::boards::act::act;
use crate::scenario::boards::file::{Fault, File, SetUp};
use crate::scenario::boards::program::programs;
use crate::scenario::boards::router::router;
use crate::scenario::convert::{CYCLES_MAX, fault_kind};
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
const WAIT: u32 = 512;
/// Largest value of `TIMEOUT` and `PERIOD`.
const TIME_MAX: u32 = (1 << 24) - 1;
/// Bits of which one is inverted: 2^32 over the rate.
const NOISE_ONE: f64 = 4_294_967_296.0;
/// At most one bit of every word.
const NOISE_MAX: f64 = 1.0 / 32.0;

/// The plan of a file.
pub(in crate::scenario) fn convert(name: &str, text: &str, file: &File) -> Result<BoardsPlan> {
    let source = Source { name, text };
    let boards_count: u16 = source.within("boards", &file.boards, 1, 256)?;
    let (count, last) = (usize::from(boards_count), i64::from(boards_count) - 1);
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
    let mut plan = BoardsPlan {
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
        programs: programs(&mut time, file, count, last)?,
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

/// A number of a file, `usual` without the key.
fn number<T: TryFrom<i64>>(
    source: &Source,
    field: &str,
    value: Option<&Spanned<i64>>,
    (least, most): (i64, i64),
    usual: T,
) -> Result<T> {
    value.map_or(Ok(usual), |v| source.within(field, v, least, most))
}

/// How each board is set up: as all are, or as the file says of it.
fn boards(time: &mut Timeline, file: &File, fibre: &[u32], last: i64) -> Result<Vec<Settings>> {
    let source = time.source;
    // More than the longest rotation: what docs/programming.md says to take.
    let longest = fibre.iter().map(|f| f + 4 + WAIT).sum::<u32>().min(TIME_MAX);
    let (byte, time_range, half) = ((1, 255), (1, TIME_MAX.into()), (0, 65_535));
    // One for each board, 16 at most.
    let usual_tokens = (1..=16).zip(fibre).fold(1, |_, (count, _)| count);
    let tokens = file.tokens.as_ref();
    let common = Settings {
        prefix: MAC_PREFIX,
        node_id: 0,
        groups: 0,
        tokens: number(source, "tokens", tokens, byte, usual_tokens)?,
        timeout: number(source, "timeout", file.timeout.as_ref(), time_range, longest)?,
        period: number(source, "period", file.period.as_ref(), time_range, longest)?,
        combine: number(source, "combine", file.combine.as_ref(), half, 64)?,
        at: 0,
    };
    let groups = source.groups(&file.groups, fibre.len(), last)?;
    let settings = |(node_id, groups)| Settings { node_id, groups, ..common };
    let plain: Vec<Settings> = (0..=u8::MAX).zip(groups).map(settings).collect();
    let mut all = plain.clone();
    for board in &file.board {
        let SetUp { prefix, node_id, tokens, timeout, period, combine, .. } = board;
        let i: usize = source.within("board.board", &board.board, 0, last)?;
        let usual = plain[i];
        all[i] = Settings {
            prefix: number(
                source,
                "board.prefix",
                prefix.as_ref(),
                (0, (1 << 40) - 1),
                usual.prefix,
            )?,
            node_id: number(source, "board.node_id", node_id.as_ref(), (0, 255), usual.node_id)?,
            tokens: number(source, "board.tokens", tokens.as_ref(), byte, usual.tokens)?,
            timeout: number(source, "board.timeout", timeout.as_ref(), time_range, usual.timeout)?,
            period: number(source, "board.period", period.as_ref(), time_range, usual.period)?,
            combine: number(source, "board.combine", combine.as_ref(), half, usual.combine)?,
            at: time.at("board.at", board.at.as_ref())?,
            ..usual
        };
    }
    Ok(all)
}

fn faults(time: &mut Timeline, file: &File, plan: &mut BoardsPlan, last: i64) -> Result<()> {
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
fn one_fault(time: &mut Timeline, fault: &Fault, plan: &mut BoardsPlan, last: i64) -> Result<()> {
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
                let found = FrameFilter::NAMES.iter().find(|(n, _)| n == name.get_ref());
                found.map(|(_, wanted)| *wanted).ok_or_else(|| {
                    let names: Vec<&str> = FrameFilter::NAMES.iter().map(|(n, _)| *n).collect();
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
