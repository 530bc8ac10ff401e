// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs with locks and barriers, and the firmware under them.

use crate::run::boards::Programs;
use crate::run::script::{Script, Step};
use crate::scenario::act::{Host, Planned, address, order, payload, programs as every};
use crate::scenario::file::{Act, File, Primitives};
use crate::scenario::source::{Result, Source};
use crate::scenario::timeline::Timeline;
use awgstar::host::{BarrierKind, Choice, LockKind};
use awgstar::quantity::{ByteAddress, Cycle, narrow};
use awgstar::request::{Moment, Place, Request};
use std::collections::BTreeSet;
use toml::Spanned;

/// Names of the thesis' protocols without and with their repairs; whether a variant is the former.
pub(in crate::scenario) const VARIANTS: [(&str, bool); 2] =
    [("as-published", true), ("repaired", false)];

/// The programs of a file with `[primitives]`.
pub(super) fn programs(
    time: &mut Timeline,
    file: &File,
    primitives: &Spanned<Primitives>,
    boards: usize,
    memory: usize,
) -> Result<Programs> {
    let source = time.source;
    if file.program.is_none() {
        return Err(source.error(&primitives.span(), "primitives: expected a [[program]]"));
    }
    firmware(source, file)?;
    let choice = choice(source, primitives.get_ref())?;
    let (mut scripts, mut slow) = (vec![None; boards], vec![Cycle(0); boards]);
    every(time, Host::Firmware, file, boards, |time, program, board, acts| {
        let source = time.source;
        let script: &mut Script = scripts[board].get_or_insert_default();
        let mut held = BTreeSet::new();
        for planned in acts {
            let at = Moment::Cycle(Cycle(planned.at));
            let steps = steps(source, planned, board, &mut held, memory)?;
            script.extend(steps.into_iter().map(|step| (at, step)));
        }
        let keys = program.get_ref();
        if let Some(lock) = held.first() {
            let what = format!("program: node {board} ends with lock {lock}: expected an unlock");
            return Err(source.error(&program.span(), what));
        }
        slow[board] = Cycle(source.number("program.slow", &keys.slow, slow[board].0)?);
        Ok(())
    })?;
    Ok(Programs { choice, slow, scripts })
}

/// Refuses what a file with firmware cannot have.
pub(in crate::scenario) fn firmware(source: &Source, file: &File) -> Result<()> {
    let refused = |place, what: &str| Err(source.error(&place, what));
    if let Some(router) = &file.router {
        let what =
            "router: a file with [primitives] has none: firmware does not learn of a lost board";
        return refused(router.span(), what);
    }
    if let Some(may) = &file.may_differ {
        let what = "may_differ: not with [primitives]: programs say what they expect";
        return refused(may.span(), what);
    }
    for board in file.board.iter().flat_map(Spanned::get_ref).map(Spanned::get_ref) {
        if let Some(own) = board.node_id.as_ref().or(board.prefix.as_ref()) {
            let what =
                "board: firmware finds nodes by their numbers: expected no node_id or prefix";
            return refused(own.span(), what);
        }
    }
    Ok(())
}

/// The firmware.
pub(in crate::scenario) fn choice(source: &Source, keys: &Primitives) -> Result<Choice> {
    let known = "lock barrier order variant retry_timeout";
    source.only(keys, known, "primitives: system \"board-ring\"")?;
    let (mut choice, mut engine) = (Choice::new(), None);
    if let Some(lock) = &keys.lock {
        match source.choice("primitives.lock", lock, Choice::LOCKS)? {
            Some(kind) => choice.lock = kind,
            None => engine = Some(lock),
        }
    }
    if let Some(barrier) = &keys.barrier {
        let all = BarrierKind::ALL.iter().map(|kind| (kind.name(), *kind));
        choice.barrier = source.choice("primitives.barrier", barrier, all)?;
    }
    if let Some(said) = &keys.order {
        choice.order = order(source, "primitives.order", said)?;
    }
    let field = "primitives.retry_timeout";
    let usual = choice.retry_timeout.0;
    choice.retry_timeout = Cycle(source.number(field, &keys.retry_timeout, usual)?);
    if let Some(variant) = &keys.variant {
        choice.as_published = source.choice("primitives.variant", variant, VARIANTS)?;
        let own = choice.lock == LockKind::Queue && choice.barrier == BarrierKind::Ring;
        if choice.as_published && own {
            let what =
                "primitives.variant is `as-published`: expected a lock or barrier of the thesis";
            return Err(source.error(&variant.span(), what));
        }
    }
    let Some(lock) = engine else { return Ok(choice) };
    choice.with_lock(None).ok_or_else(|| {
        let what = format!(
            "primitives.lock is `engine`, primitives.barrier `{}`: expected `ring`, the engine's",
            choice.barrier.name()
        );
        source.error(&lock.span(), what)
    })
}

/// What an act of `board` does; `held` are the locks that it has.
fn steps(
    source: &Source,
    planned: &Planned,
    board: usize,
    held: &mut BTreeSet<u32>,
    memory: usize,
) -> Result<Vec<Step>> {
    let (act, place) = (planned.act, &planned.place);
    let wrong = |what: String| Err(source.error(place, what));
    let number = |field, value| source.within(field, value);
    let word = |field, addr: &Spanned<i64>, len| {
        let found = address(source, (field, addr), act, board, len, narrow(memory))?;
        if found.is_aligned() {
            return Ok(found);
        }
        let what = format!("{field} is {found} on node {board}: expected a multiple of 4");
        Err(source.error(&addr.span(), what))
    };
    Ok(vec![match act {
        Act { lock: Some(lock), .. } => {
            let lock = number("do.lock", lock)?;
            if !held.insert(lock) {
                return wrong(format!("do.lock: lock {lock} is held already"));
            }
            Request::Lock(lock).into()
        }
        Act { unlock: Some(lock), .. } => {
            let lock = number("do.unlock", lock)?;
            if !held.remove(&lock) {
                return wrong(format!("do.unlock: lock {lock} is not held"));
            }
            Request::Unlock(lock).into()
        }
        Act { compute: Some(cycles), .. } => {
            Request::wait(Cycle(source.within("do.compute", cycles)?)).into()
        }
        Act { write: Some(addr), .. } => {
            let seed = addr.get_ref().unsigned_abs();
            let bytes = payload(source, act, place, seed, memory, u32::to_le_bytes)?;
            let (words, rest) = bytes.as_chunks::<4>();
            if !rest.is_empty() {
                return wrong(format!("do.write: {} bytes: expected whole words", bytes.len()));
            }
            let first = word("do.write", addr, bytes.len())?;
            let all = (first.0..).step_by(4).map(ByteAddress).zip(words);
            return Ok(all
                .map(|(at, word)| Request::write(at, u32::from_le_bytes(*word)).into())
                .collect());
        }
        Act { read: Some(addr), .. } => {
            let expect = source.maybe("do.expect", &act.expect)?;
            Step::read(word("do.read", addr, 4)?, expect)
        }
        Act { add: Some(addr), .. } => {
            let by = source.number("do.by", &act.by, 1)?;
            Step::add(Place::shared(word("do.add", addr, 4)?), by)
        }
        _ => {
            source.yes("do.barrier", act.barrier.as_ref())?;
            Request::Barrier(0).into()
        }
    }])
}
