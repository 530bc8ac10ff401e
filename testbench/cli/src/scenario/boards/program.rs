//! Programs with locks and barriers, and the firmware under them.

use crate::run::boards::programs::{Part, Programs, Step};
use crate::scenario::boards::file::{File, Primitives, Program, Step as Key, Which};
use crate::scenario::source::{Result, Source, Verb};
use crate::scenario::timeline::Timeline;
use awgstar::{
    contract::{Order, board::MEM_ADDR_W},
    host::{BarrierKind, Choice, LockKind},
};
use awgstar_stimulus::echo::shown;
use std::{collections::BTreeSet, ops::Range};
use toml::Spanned;

/// Bytes of the shared memory.
const SIZE: i64 = 4 << MEM_ADDR_W;
/// Steps of a program, repeated ones counted as often as they are done.
const STEPS_MAX: usize = 1_000_000;
/// What a step does, with the keys that may go with it.
const STEPS: [Verb; 8] = [
    ("lock", &[]),
    ("unlock", &[]),
    ("barrier", &[]),
    ("work", &[]),
    ("write", &["value", "each"]),
    ("read", &["expect", "each"]),
    ("add", &["value", "each"]),
    ("repeat", &["do"]),
];

/// The programs of a file; `None` if it has none.
pub(super) fn programs(
    time: &mut Timeline,
    file: &File,
    boards: usize,
    last: i64,
) -> Result<Option<Programs>> {
    let source = time.source;
    if file.program.is_empty() {
        return match &file.primitives {
            Some(p) => Err(source.error(&p.span(), "primitives go with [[program]]")),
            None => Ok(None),
        };
    }
    if let Some(host) = file.host.first() {
        let what = "host: a file with [[program]] has none: firmware owns the host ports";
        return Err(source.error(&host.board.span(), what));
    }
    if let Some(router) = &file.router {
        let what = "router: a file with [[program]] has none: firmware is not told of a lost board";
        return Err(source.error(&router.span(), what));
    }
    for board in &file.board {
        if let Some(own) = board.node_id.as_ref().or(board.prefix.as_ref()) {
            let what =
                "board: firmware finds nodes by their numbers: expected no node_id or prefix";
            return Err(source.error(&own.span(), what));
        }
    }
    let choice = choice(source, file.primitives.as_ref().map(Spanned::get_ref))?;
    let (mut parts, mut slow) = (vec![Vec::new(); boards], vec![0; boards]);
    for program in &file.program {
        let at = time.at("program.at", program.at.as_ref())?;
        for board in which(source, program, last)? {
            let part = Part { at, steps: steps(source, program, board)? };
            parts[usize::from(board)].push(part);
            if let Some(cycles) = &program.slow {
                slow[usize::from(board)] = source.within("program.slow", cycles, 0, 1_000_000)?;
            }
        }
    }
    Ok(Some(Programs { choice, slow, parts }))
}

/// The firmware.
fn choice(source: &Source, said: Option<&Primitives>) -> Result<Choice> {
    let mut choice = Choice::new();
    let Some(said) = said else { return Ok(choice) };
    if let Some(lock) = &said.lock {
        choice.lock = named(source, "primitives.lock", lock, &LockKind::ALL, LockKind::name)?;
    }
    if let Some(barrier) = &said.barrier {
        let all = &BarrierKind::ALL;
        choice.barrier = named(source, "primitives.barrier", barrier, all, BarrierKind::name)?;
    }
    if let Some(order) = &said.order {
        choice.order = named(source, "primitives.order", order, Order::ALL, Order::name)?;
    }
    if let Some(patience) = &said.patience {
        choice.patience = source.within("primitives.patience", patience, 1, i64::MAX)?;
    }
    if let Some(variant) = &said.variant {
        let all = [false, true];
        let name = |printed| if printed { "printed" } else { "repaired" };
        choice.printed = named(source, "primitives.variant", variant, &all, name)?;
        let own = choice.lock == LockKind::Queue && choice.barrier == BarrierKind::Ring;
        if choice.printed && own {
            let what = "primitives.variant is `printed`: expected a lock or barrier of the thesis";
            return Err(source.error(&variant.span(), what));
        }
    }
    Ok(choice)
}

fn named<T: Copy>(
    source: &Source,
    field: &str,
    said: &Spanned<String>,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T> {
    all.iter().copied().find(|one| name(*one) == said.get_ref()).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|one| name(*one)).collect();
        let what = format!("{field} is `{}`: expected {}", shown(said.get_ref()), names.join(", "));
        source.error(&said.span(), what)
    })
}

/// The boards that run a program.
fn which(source: &Source, program: &Program, last: i64) -> Result<Vec<u16>> {
    let span = program.board.span();
    let place = |number: i64| Spanned::new(span.clone(), number);
    match program.board.get_ref() {
        Which::Named(name) if name == "all" => {
            (0..=last).map(|board| source.within("program.board", &place(board), 0, last)).collect()
        }
        Which::Named(name) => {
            let what = format!("program.board is `{}`: expected \"all\" or numbers", shown(name));
            Err(source.error(&span, what))
        }
        Which::One(board) => Ok(vec![source.within("program.board", &place(*board), 0, last)?]),
        Which::Many(boards) => {
            let one = |board: &i64| source.within("program.board", &place(*board), 0, last);
            let all: Vec<u16> = boards.iter().map(one).collect::<Result<_>>()?;
            let different = all.iter().collect::<BTreeSet<_>>().len() == all.len();
            if all.is_empty() || !different {
                let what = "program.board: expected one number or more, each once";
                return Err(source.error(&span, what));
            }
            Ok(all)
        }
    }
}

/// Locks that a program has.
#[derive(Default)]
struct Held(BTreeSet<u32>);

impl Held {
    fn take(&mut self, step: &Step) {
        match step {
            Step::Lock(lock) => drop(self.0.insert(*lock)),
            Step::Unlock(lock) => drop(self.0.remove(lock)),
            _ => {}
        }
    }
}

/// What `board` does of a program.
fn steps(source: &Source, program: &Program, board: u16) -> Result<Vec<Step>> {
    let mut all = Vec::new();
    let mut held = Held::default();
    let times = program.times.as_ref();
    let times: usize = times.map_or(Ok(1), |t| source.within("program.times", t, 1, 1_000_000))?;
    for _ in 0..times {
        some(source, &program.steps, board, &mut held, &mut all)?;
    }
    if let Some(lock) = held.0.first() {
        let what = format!("program: board {board} ends with lock {lock}: expected an unlock");
        return Err(source.error(&program.board.span(), what));
    }
    Ok(all)
}

fn some(
    source: &Source,
    keys: &[Spanned<Key>],
    board: u16,
    held: &mut Held,
    all: &mut Vec<Step>,
) -> Result<()> {
    for spanned in keys {
        let (key, place) = (spanned.get_ref(), spanned.span());
        if let ("repeat", Some(times)) = (source.verb(&key.keys(), &STEPS, &place)?, &key.repeat) {
            let times: usize = source.within("do.repeat", times, 1, 1_000_000)?;
            let inner = key.steps.as_deref().unwrap_or_default();
            if inner.is_empty() {
                return Err(source.error(&place, "do.repeat: expected do = [...]"));
            }
            for _ in 0..times {
                some(source, inner, board, held, all)?;
            }
            continue;
        }
        let step = step(source, key, &place, board)?;
        match step {
            Step::Lock(lock) if held.0.contains(&lock) => {
                return Err(source.error(&place, format!("do.lock: lock {lock} is held already")));
            }
            Step::Unlock(lock) if !held.0.contains(&lock) => {
                return Err(source.error(&place, format!("do.unlock: lock {lock} is not held")));
            }
            _ => held.take(&step),
        }
        all.push(step);
        if all.len() > STEPS_MAX {
            let what = format!("program has more than {STEPS_MAX} steps");
            return Err(source.error(&place, what));
        }
    }
    Ok(())
}

fn step(source: &Source, key: &Key, place: &Range<usize>, board: u16) -> Result<Step> {
    let lock = |name: &str, value| source.within(name, value, 0, u32::MAX.into());
    let word = |name: &str, value: Option<&Spanned<i64>>, usual| {
        value.map_or(Ok(usual), |v| source.within(name, v, 0, u32::MAX.into()))
    };
    let addr = |name, value| addr(source, name, value, key.each.as_ref(), board);
    if let Some(value) = &key.lock {
        return Ok(Step::Lock(lock("do.lock", value)?));
    }
    if let Some(value) = &key.unlock {
        return Ok(Step::Unlock(lock("do.unlock", value)?));
    }
    if let Some(value) = &key.work {
        return Ok(Step::Work(source.within("do.work", value, 1, i64::MAX)?));
    }
    if let Some(value) = &key.write {
        let Some(data) = &key.value else {
            return Err(source.error(place, "do.write: expected a value"));
        };
        return Ok(Step::Write(addr("do.write", value)?, word("do.value", Some(data), 0)?));
    }
    if let Some(value) = &key.read {
        let expect = key.expect.as_ref();
        let expect = expect.map(|e| source.within("do.expect", e, 0, u32::MAX.into()));
        return Ok(Step::Read(addr("do.read", value)?, expect.transpose()?));
    }
    if let Some(value) = &key.add {
        return Ok(Step::Add(addr("do.add", value)?, word("do.value", key.value.as_ref(), 1)?));
    }
    if key.barrier.is_some() {
        source.yes("do.barrier", key.barrier.as_ref())?;
        return Ok(Step::Barrier);
    }
    Err(source.none(&STEPS, place))
}

/// The address of a word, `each` bytes further on each board.
fn addr(
    source: &Source,
    field: &str,
    said: &Spanned<i64>,
    each: Option<&Spanned<i64>>,
    board: u16,
) -> Result<u32> {
    let _: u32 = source.within(field, said, 0, SIZE - 4)?;
    let each: i64 = each.map_or(Ok(0), |each| source.within("do.each", each, 0, SIZE))?;
    let addr = said.get_ref() + each * i64::from(board);
    let fits = (0..=SIZE - 4).contains(&addr) && addr % 4 == 0;
    fits.then(|| u32::try_from(addr).ok()).flatten().ok_or_else(|| {
        let of = if each == 0 { String::new() } else { format!(" on board {board}") };
        let most = SIZE - 4;
        let what = format!("{field} is {addr}{of}: expected a multiple of 4 from 0 to {most}");
        source.error(&said.span(), what)
    })
}
