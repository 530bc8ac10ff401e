// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the keys of a file to a plan: every value checked, every error with its place.

use super::{act::act, program, router::router};
use crate::place::Marks;
use crate::run::boards::{BoardsPlan, FrameFilter, Hit, Reset, Settings};
use crate::scenario::act::{Host, programs};
use crate::scenario::fault::{KINDS, Supported, When, fault};
use crate::scenario::file::File;
use crate::scenario::limits::TIMER_MAX;
use crate::scenario::signal::Receivers;
use crate::scenario::source::{Result, Source, fibre_cycles};
use crate::scenario::timeline::Timeline;
use awgstar::quantity::Cycle;
use awgstar::{
    contract::board::MAC_PREFIX,
    ring::{
        self, BoardScenario,
        boards::{Cut, Dead, Noise, Slow},
    },
    rtl::Parameters,
};
use toml::Spanned;

const FAULTS: Supported = Supported { system: "board-ring", when: "frame from", what: KINDS };
/// Cycles that a frame may wait in a node whose ring is full.
const WAIT: u32 = 512;
/// Bits of which one is inverted: 2^32 over the rate.
const NOISE_ONE: f64 = 4_294_967_296.0;

/// The plan of a file.
pub(in crate::scenario) fn convert(source: &Source, file: &File) -> Result<BoardsPlan> {
    let top = 0..0;
    let count: usize = source.within("nodes", source.need("nodes", file.nodes.as_ref(), &top)?)?;
    let fibre_m = source.fibre(file.fibre_m.as_ref(), count)?;
    let fibre: Vec<u32> = fibre_m.iter().map(|&m| fibre_cycles(m)).collect();
    let cycles = source.need("cycles", file.cycles.as_ref(), &top)?;
    let cycles = source.within("cycles", cycles)?;
    let mut time = Timeline::new(source, cycles, "cycles");
    let boards = boards(&mut time, file, &fibre)?;
    let receivers = Receivers {
        node_ids: boards.iter().map(|board| board.node_id).collect(),
        groups: boards.iter().fold(0, |all, board| all | board.groups),
    };
    let parameters = parameters(source, file)?;
    let memory = 4_usize << parameters.mem_addr_w();
    let firmware = file.primitives.as_ref();
    let firmware = firmware.map(|keys| program::programs(&mut time, file, keys, count, memory));
    let mut plan = BoardsPlan {
        title: file.title(),
        router: router(&mut time, file, &fibre)?,
        scenario: BoardScenario { fibre, parameters, ..BoardScenario::new(count) },
        cycles: Cycle(cycles),
        fibre_m,
        boards,
        acts: vec![Vec::new(); count],
        hits: Vec::new(),
        resets: Vec::new(),
        calm: file.calm.as_ref().map(|calm| time.at("calm", Some(calm)).map(Cycle)).transpose()?,
        may_differ: file.may_differ.as_ref().is_some_and(|may| *may.get_ref()),
        programs: firmware.transpose()?,
        marks: Marks::default(),
    };
    if plan.programs.is_none() {
        programs(&mut time, Host::BoardRing, file, count, |time, program, board, acts| {
            let keys = program.get_ref();
            let place = keys.nodes.as_ref().map_or_else(|| program.span(), Spanned::span);
            let mark = || time.source.error(&place, format!("host of board {board}"));
            time.marks.hosts.entry(board).or_insert_with(mark);
            for planned in acts {
                plan.acts[board].push(act(time, planned, board, &receivers, memory)?);
            }
            Ok(())
        })?;
    }
    plan.scenario.noise = noise(source, file)?;
    faults(&mut time, file, &mut plan)?;
    disturbances(&mut time, file, &mut plan)?;
    plan.marks = time.marks;
    plan.scenario.check().map_err(|e| source.error(&top, e.to_string()))?;
    Ok(plan)
}

/// Sizes of memory and buffers: those of the contract, but for the shared memory.
fn parameters(source: &Source, file: &File) -> Result<Parameters> {
    let Some(bytes) = &file.memory_bytes else { return Ok(Parameters::DEFAULT) };
    let found: u64 = source.within("memory_bytes", bytes)?;
    if !found.is_power_of_two() {
        let what = format!("memory_bytes is {found}: expected a power of two");
        return Err(source.error(&bytes.span(), what));
    }
    let width = u64::from(found.trailing_zeros()) - 2;
    let set = Parameters::DEFAULT.with("smb", "MEM_ADDR_W", width);
    set.map_err(|e| source.error(&bytes.span(), e.to_string()))
}

/// How all boards are set up.
fn common(source: &Source, file: &File, fibre: &[u32]) -> Result<Settings> {
    // More than the longest rotation: what docs/programming.md says to take.
    let longest = fibre.iter().map(|f| f + 4 + WAIT).sum::<u32>().min(TIMER_MAX);
    // One for each board, 16 at most.
    let usual_tokens = (1..=16).zip(fibre).fold(1, |_, (count, _)| count);
    Ok(Settings {
        prefix: MAC_PREFIX,
        node_id: 0,
        groups: 0,
        tokens: source.number("tokens", &file.tokens, usual_tokens)?,
        timeout: source.number("timeout", &file.timeout, longest)?,
        period: source.number("period", &file.period, longest)?,
        combine: source.number("combine", &file.combine, 64)?,
        at: Cycle(0),
    })
}

/// How each board is set up: as all are, or as the file says of it.
fn boards(time: &mut Timeline, file: &File, fibre: &[u32]) -> Result<Vec<Settings>> {
    let source = time.source;
    let common = common(source, file, fibre)?;
    let groups = source.groups(file.groups.as_ref(), fibre.len())?;
    let settings = |(node_id, groups)| Settings { node_id, groups, ..common };
    let plain: Vec<Settings> = (0..=u8::MAX).zip(groups).map(settings).collect();
    let mut all = plain.clone();
    for spanned in file.board.iter().flat_map(Spanned::get_ref) {
        let (keys, place) = (spanned.get_ref(), spanned.span());
        let nodes = source.need("board.nodes", keys.nodes.as_ref(), &place)?;
        let at = time.at("board.at", keys.at.as_ref())?;
        for i in source.nodes("board.nodes", nodes, all.len())? {
            let usual = plain[i];
            all[i] = Settings {
                prefix: source.number("board.prefix", &keys.prefix, usual.prefix)?,
                node_id: source.number("board.node_id", &keys.node_id, usual.node_id)?,
                tokens: source.number("board.tokens", &keys.tokens, usual.tokens)?,
                timeout: source.number("board.timeout", &keys.timeout, usual.timeout)?,
                period: source.number("board.period", &keys.period, usual.period)?,
                combine: source.number("board.combine", &keys.combine, usual.combine)?,
                at: Cycle(at),
                ..usual
            };
        }
    }
    Ok(all)
}

/// Bit errors at a rate.
pub(in crate::scenario) fn noise(source: &Source, file: &File) -> Result<Noise> {
    let rate = file.noise.as_ref();
    let found = rate.map_or(Ok(0.0), |r| source.real("noise", r, " of all bits"))?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "2^27 at most")]
    let rate = (found * NOISE_ONE).round() as u32;
    // At other places in each ring.
    let ring = source.ring.map_or(0, |(ring, _)| ring as u64);
    let seed: u64 = source.number("seed", &file.seed, 0)?;
    Ok(Noise { rate, seed: seed.wrapping_add(ring) })
}

/// Boards and links that fail, are slow or are reset.
fn disturbances(time: &mut Timeline, file: &File, plan: &mut BoardsPlan) -> Result<()> {
    let (source, count) = (time.source, plan.boards.len());
    for spanned in file.cut.iter().flat_map(Spanned::get_ref) {
        let (cut, place) = (spanned.get_ref(), spanned.span());
        if !source.here("cut.ring", cut.ring.as_ref())? {
            continue;
        }
        let from =
            time.at("cut.from", Some(source.need("cut.from", cut.from.as_ref(), &place)?))?;
        let until = time.until("cut.until", cut.until.as_ref(), from)?.unwrap_or(u64::MAX);
        let last = i64::try_from(count).unwrap_or(i64::MAX) - 1;
        let link = source.need("cut.link", cut.link.as_ref(), &place)?;
        let link = source.between("cut.link", link, 0, last)?;
        plan.scenario.cuts.push(Cut { link, from: Cycle(from), until: Cycle(until) });
    }
    for spanned in file.dead.iter().flat_map(Spanned::get_ref) {
        let (dead, place) = (spanned.get_ref(), spanned.span());
        if !source.here("dead.ring", dead.ring.as_ref())? {
            continue;
        }
        let cycle = time.at("dead.at", Some(source.need("dead.at", dead.at.as_ref(), &place)?))?;
        let nodes = source.need("dead.nodes", dead.nodes.as_ref(), &place)?;
        let boards = source.nodes("dead.nodes", nodes, count)?.into_iter();
        plan.scenario.dead.extend(boards.map(|board| Dead { board, cycle: Cycle(cycle) }));
    }
    for spanned in file.slow.iter().flat_map(Spanned::get_ref) {
        let (slow, place) = (spanned.get_ref(), spanned.span());
        if !source.here("slow.ring", slow.ring.as_ref())? {
            continue;
        }
        let from = time.at("slow.from", slow.from.as_ref())?;
        let until = time.until("slow.until", slow.until.as_ref(), from)?.unwrap_or(u64::MAX);
        let cycles = source.need("slow.cycles", slow.cycles.as_ref(), &place)?;
        let cycles = source.within("slow.cycles", cycles)?;
        let nodes = source.need("slow.nodes", slow.nodes.as_ref(), &place)?;
        let boards = source.nodes("slow.nodes", nodes, count)?.into_iter();
        plan.scenario.slow.extend(boards.map(|board| Slow {
            board,
            cycles,
            from: Cycle(from),
            until: Cycle(until),
        }));
    }
    for spanned in file.reset.iter().flat_map(Spanned::get_ref) {
        let (reset, place) = (spanned.get_ref(), spanned.span());
        let at = time.at("reset.at", Some(source.need("reset.at", reset.at.as_ref(), &place)?))?;
        let cycles = source.number("reset.cycles", &reset.cycles, 4)?;
        let nodes = source.need("reset.nodes", reset.nodes.as_ref(), &place)?;
        let boards = source.nodes("reset.nodes", nodes, count)?.into_iter();
        plan.resets.extend(boards.map(|board| Reset {
            board,
            at: Cycle(at),
            cycles: Cycle(cycles),
        }));
    }
    Ok(())
}

/// Faults of a frame by its number, or of the first ones of a kind.
fn faults(time: &mut Timeline, file: &File, plan: &mut BoardsPlan) -> Result<()> {
    let source = time.source;
    for spanned in file.fault.iter().flat_map(Spanned::get_ref) {
        if !source.here("fault.ring", spanned.get_ref().ring.as_ref())? {
            continue;
        }
        let one = fault(time, spanned, plan.boards.len(), &FAULTS)?;
        let (link, keys) = (one.link, one.keys);
        match one.when {
            When::Frame(frame) => {
                plan.scenario.faults.push(ring::Fault { link, frame, kind: one.kind });
                time.marks.faults.push(one.missed);
            }
            When::From(from) => {
                if let Some(calm) = plan.calm.filter(|calm| *calm <= Cycle(from)) {
                    let what = format!("fault.from is {from}: expected less than calm, {calm}");
                    let span = keys.from.as_ref().map_or(0..0, Spanned::span);
                    return Err(source.error(&span, what));
                }
                let kind = |name| source.choice("fault.kind", name, FrameFilter::NAMES);
                plan.hits.push(Hit {
                    link,
                    from: Cycle(from),
                    kind: keys.kind.as_ref().map(kind).transpose()?,
                    source: source.maybe("fault.source", &keys.source)?,
                    times: source.number("fault.times", &keys.times, 1)?,
                    fault: one.kind,
                });
                time.marks.hits.push(one.missed);
            }
        }
    }
    Ok(())
}
