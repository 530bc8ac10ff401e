// SPDX-License-Identifier: MIT OR Apache-2.0
//! `system = "rings"`: rings of boards with gateways between them, for programs that are processes of this computer.

use super::boards::{self, choice};
use super::file::File;
use super::limits::CYCLES_MAX;
use super::source::{Result, Source};
use super::system::System;
use crate::run::rings::RingsPlan;
use awgstar::host::Choice;
use awgstar::quantity::Cycle;
use awgstar_rings::RingNumber;
use awgstar_rings::machine::{Mesh, MeshError, Pace};
use std::collections::BTreeMap;
use toml::Spanned;

/// The most processes of a run.
const PROCESSES_MAX: usize = 256;

/// Address bits of the memory of a ring, in words, if the file does not say its bytes: 16 MiB.
const MEM_ADDR_W: u64 = 22;

/// The plan of a file.
pub(super) fn convert(source: &Source, file: &File) -> Result<RingsPlan> {
    let rings = source.need("rings", file.rings.as_ref(), &(0..0))?;
    let count: usize = source.within("rings", rings)?;
    let choice = match &file.primitives {
        Some(keys) => {
            let keys = keys.get_ref();
            if let Some(barrier) = &keys.barrier {
                let what = "primitives.barrier: rings have the barrier of their gateways";
                return Err(source.error(&barrier.span(), what));
            }
            choice(source, keys)?
        }
        None => Choice::new(),
    };
    // All rings are as this one is.
    let one = Source { system: Some(System::BoardRing), ..*source };
    let between = file.between.as_ref().map(Spanned::get_ref);
    let latency = between.and_then(|keys| keys.latency.as_ref()).cloned();
    let word = between.and_then(|keys| keys.word.as_ref()).cloned();
    let mut setup = boards::ring(&one, file)?;
    if file.memory_bytes.is_none() {
        let with = setup.scenario.parameters.with("smb", "MEM_ADDR_W", MEM_ADDR_W);
        setup.scenario.parameters = with.unwrap_or(setup.scenario.parameters);
    }
    let mesh = Mesh {
        rings: count,
        setup,
        choice,
        link: Pace {
            latency: Cycle(source.number("between.latency", &latency, 40)?),
            word: Cycle(source.number("between.word", &word, 1)?),
        },
        block: source.number("far_words", &file.far_words, 64)?,
        timeout: Cycle(source.number("request_timeout", &file.request_timeout, 10_000_000)?),
        restarts: restarts(source, file, count)?,
    };
    let all = count * (mesh.boards() - 1);
    if all > PROCESSES_MAX {
        let what = format!(
            "rings: {count} rings with {} processes each: expected {PROCESSES_MAX} processes or fewer",
            mesh.boards() - 1
        );
        return Err(source.error(&rings.span(), what));
    }
    mesh.layout().map_err(|error| {
        let said = match error {
            MeshError::Memory { .. } => file.memory_bytes.as_ref().or(file.far_words.as_ref()),
            _ => None,
        };
        source.error(&said.unwrap_or(rings).span(), error.to_string())
    })?;
    Ok(RingsPlan { title: file.title(), mesh, limit: Cycle(CYCLES_MAX.cast_unsigned()) })
}

fn restarts(
    source: &Source,
    file: &File,
    rings: usize,
) -> Result<BTreeMap<RingNumber, Vec<Cycle>>> {
    let mut all: BTreeMap<RingNumber, Vec<Cycle>> = BTreeMap::new();
    for spanned in file.restart.iter().flat_map(Spanned::get_ref) {
        let (keys, place) = (spanned.get_ref(), spanned.span());
        let ring = source.need("restart.ring", keys.ring.as_ref(), &place)?;
        let last = i64::try_from(rings).unwrap_or(i64::MAX) - 1;
        let ring = source.between("restart.ring", ring, 0, last)?;
        let at = source.need("restart.at", keys.at.as_ref(), &place)?;
        all.entry(RingNumber(ring)).or_default().push(Cycle(source.within("restart.at", at)?));
    }
    Ok(all)
}
