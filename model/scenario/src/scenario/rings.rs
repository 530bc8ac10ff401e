// SPDX-License-Identifier: MIT OR Apache-2.0
//! `system = "rings"`: rings of boards with gateways between them, for programs that are processes of this computer.

use super::boards::{firmware_of, for_processes};
use super::file::{File, Which};
use super::source::{Result, Source};
use super::system::System;
use crate::run::boards::BoardsPlan;
use crate::run::rings::RingsPlan;
use awgstar::host::Setup;
use awgstar::quantity::{ByteAddress, Cycle, narrow};
use awgstar_rings::machine::{Mesh, MeshError, Pace};
use awgstar_rings::repairs::Repairs;
use awgstar_rings::{Cache, RingNumber, Window};
use std::collections::BTreeMap;
use toml::Spanned;

/// Bytes of the memory of a ring, if the file does not say them.
const MEMORY: i64 = 16 << 20;

/// The plan of a file.
pub(super) fn convert(source: &Source, file: &mut File) -> Result<RingsPlan> {
    let rings = source.need("rings", file.rings.as_ref(), &(0..0))?.clone();
    let count: usize = source.within("rings", &rings)?;
    let last = *rings.get_ref() - 1;
    let nodes = source.need("nodes", file.nodes.as_ref(), &(0..0))?;
    let boards: usize = source.within("nodes", nodes)?;
    let barrier = file.primitives.as_ref().and_then(|keys| keys.get_ref().barrier.as_ref());
    if let Some(barrier) = barrier {
        let what = "primitives.barrier: rings have the barrier of their gateways";
        return Err(source.error(&barrier.span(), what));
    }
    let locks = file.primitives.as_mut().and_then(|keys| keys.get_mut().locks.take());
    file.memory_bytes.get_or_insert_with(|| Spanned::new(rings.span(), MEMORY));
    let of = |ring| Source { system: Some(System::BoardRing), ring: Some((ring, last)), ..*source };
    let choice = firmware_of(&of(0), file)?;
    let plans: Vec<BoardsPlan> =
        (0..count).map(|number| for_processes(&of(number), file, choice)).collect::<Result<_>>()?;
    let between = file.between.as_ref().map(Spanned::get_ref);
    let latency = between.and_then(|keys| keys.latency.as_ref()).cloned();
    let word = between.and_then(|keys| keys.word.as_ref()).cloned();
    let setup = plans.first().and_then(BoardsPlan::setup);
    let standby = file.standby.as_ref().is_some_and(|one| *one.get_ref());
    let usual_locks = if standby { 0 } else { 16 };
    let mesh = Mesh {
        rings: count,
        setup: setup.unwrap_or_else(|| Setup::new(boards, 0)),
        choice,
        link: Pace {
            latency: Cycle(source.number("between.latency", &latency, 40)?),
            word: Cycle(source.number("between.word", &word, 1)?),
        },
        block: source.number("far_words", &file.far_words, 64)?,
        timeout: Cycle(source.number("request_timeout", &file.request_timeout, 1_000_000)?),
        restarts: restarts(source, file, last)?,
        windows: windows(source, file, (count, last))?,
        locks: source.number("primitives.locks", &locks, usual_locks)?,
        cache: cache(source, file)?,
        standby,
        repairs: Repairs::ALL,
    };
    source.few("rings", &rings, boards.saturating_sub(mesh.gateways().into()))?;
    let loses = |ring: RingNumber| {
        let plan = plans.get(usize::from(ring.0));
        plan.map_or(Ok(()), |plan| mesh.can_take_over(ring, &plan.scenario, !plan.hits.is_empty()))
    };
    let whole = mesh.layout().and_then(|_| (0..narrow(count)).map(RingNumber).try_for_each(loses));
    whole.map_err(|error| {
        let mut place = rings.span();
        if let Some(memory) = file.memory_bytes.as_ref()
            && matches!(error, MeshError::Memory { .. })
        {
            place = memory.span();
        }
        if let Some(standby) = file.standby.as_ref()
            && error.is_of_standby()
        {
            place = standby.span();
        }
        let window = match error {
            MeshError::Window(at) => file.window.as_ref().and_then(|all| all.get_ref().get(at)),
            _ => None,
        };
        let place = window.map_or(place, Spanned::span);
        source.error(&place, error.to_string())
    })?;
    Ok(RingsPlan { title: file.title(), mesh, plans })
}

fn windows(source: &Source, file: &File, (rings, last): (usize, i64)) -> Result<Vec<Window>> {
    let mut all = Vec::new();
    for spanned in file.window.iter().flat_map(Spanned::get_ref) {
        let (keys, place) = (spanned.get_ref(), spanned.span());
        let ring = source.need("window.ring", keys.ring.as_ref(), &place)?;
        let ring = RingNumber(source.between("window.ring", ring, 0, last)?);
        let first = source.need("window.first", keys.first.as_ref(), &place)?;
        let bytes = source.need("window.bytes", keys.bytes.as_ref(), &place)?;
        let to = source.need("window.to", keys.to.as_ref(), &place)?;
        let named = matches!(to.get_ref(), Which::Named(_));
        let to = source.nodes("window.to", to, rings)?.into_iter();
        let to = to.map(|one| RingNumber(narrow(one))).filter(|one| !named || *one != ring);
        all.push(Window {
            ring,
            first: ByteAddress(source.within("window.first", first)?),
            bytes: source.within("window.bytes", bytes)?,
            to: to.collect(),
            whole: source.maybe("window.whole", &keys.whole)?.map(ByteAddress),
        });
    }
    Ok(all)
}

fn cache(source: &Source, file: &File) -> Result<Option<Cache>> {
    let Some(spanned) = &file.cache else { return Ok(None) };
    let (keys, place) = (spanned.get_ref(), spanned.span());
    let lines = source.need("cache.lines", keys.lines.as_ref(), &place)?;
    let words = source.need("cache.words", keys.words.as_ref(), &place)?;
    Ok(Some(Cache {
        lines: source.within("cache.lines", lines)?,
        words: source.within("cache.words", words)?,
    }))
}

fn restarts(source: &Source, file: &File, last: i64) -> Result<BTreeMap<RingNumber, Vec<Cycle>>> {
    let mut all: BTreeMap<RingNumber, Vec<Cycle>> = BTreeMap::new();
    for spanned in file.restart.iter().flat_map(Spanned::get_ref) {
        let (keys, place) = (spanned.get_ref(), spanned.span());
        let ring = source.need("restart.ring", keys.ring.as_ref(), &place)?;
        let ring = source.between("restart.ring", ring, 0, last)?;
        let at = source.need("restart.at", keys.at.as_ref(), &place)?;
        all.entry(RingNumber(ring)).or_default().push(Cycle(source.within("restart.at", at)?));
    }
    Ok(all)
}
