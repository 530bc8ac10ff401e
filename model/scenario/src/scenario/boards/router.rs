// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables `[router]` and `[[lost]]` (AWG-3).

use crate::run::boards::{Lost, Router};
use crate::scenario::file::File;
use crate::scenario::source::{Result, Source};
use crate::scenario::timeline::Timeline;
use awgstar::quantity::Cycle;
use awgstar::{
    contract::limits::CLOCK_HZ,
    ring::star::{self, Times, Transmitter, recovery::Loss, ring_order},
};
use std::ops::Range;
use toml::Spanned;

/// How a board is lost.
pub(in crate::scenario) const LOSSES: [(&str, Loss); 3] =
    [("power", Loss::Power), ("uplink", Loss::Uplink), ("downlink", Loss::Downlink)];

/// The router of a file, if it has one. `fibre` are the cycles of each board's fibres, both ways.
pub(super) fn router(time: &mut Timeline, file: &File, fibre: &[u32]) -> Result<Option<Router>> {
    let source = time.source;
    let Some(spanned) = &file.router else {
        let Some(lost) = file.lost.iter().flat_map(Spanned::get_ref).next() else {
            return Ok(None);
        };
        return Err(source.error(&lost.span(), "lost: expected a table [router], found none"));
    };
    let router = spanned.get_ref();
    if fibre.len() > star::PORTS.into() {
        let what = format!("nodes is {}: expected at most 32 on one router", fibre.len());
        return Err(source.error(&file.nodes.as_ref().map_or(0..0, Spanned::span), what));
    }
    let usual = Times::default();
    let times = Times {
        detect: cycles(source, "router.detect_us", router.detect_us.as_ref(), usual.detect)?,
        command: cycles(source, "router.command_us", router.command_us.as_ref(), usual.command)?,
        tune: cycles(source, "router.tune_us", router.tune_us.as_ref(), usual.tune)?,
    };
    let order = match &router.wavelengths {
        None => (0..fibre.len()).collect(),
        Some(list) => order(source, list.get_ref(), &list.span(), fibre.len())?,
    };
    let mut losses = Vec::new();
    for spanned in file.lost.iter().flat_map(Spanned::get_ref) {
        let (keys, place) = (spanned.get_ref(), spanned.span());
        let what = source.need("lost.what", keys.what.as_ref(), &place)?;
        let loss = source.choice("lost.what", what, LOSSES)?;
        let at = time.at("lost.at", Some(source.need("lost.at", keys.at.as_ref(), &place)?))?;
        let until = time.until("lost.until", keys.until.as_ref(), at)?.map(Cycle);
        let nodes = source.need("lost.nodes", keys.nodes.as_ref(), &place)?;
        let boards = source.nodes("lost.nodes", nodes, fibre.len())?;
        losses.extend(boards.into_iter().map(|board| Lost { board, loss, at: Cycle(at), until }));
    }
    let fibre = fibre.iter().map(|&cycles| [cycles.div_ceil(2), cycles / 2]).collect();
    Ok(Some(Router { times, order, fibre, losses }))
}

/// The ring that the wavelengths make.
fn order(
    source: &Source,
    list: &[Spanned<i64>],
    place: &Range<usize>,
    boards: usize,
) -> Result<Vec<usize>> {
    let found = list.len();
    if found != boards {
        let what = format!("router.wavelengths has {found} values: expected {boards}");
        return Err(source.error(place, what));
    }
    let transmitter = |(port, wavelength): (u8, &Spanned<i64>)| {
        let wavelength = source.within("router.wavelengths", wavelength)?;
        Ok(Transmitter { port, wavelength })
    };
    let all: Vec<Transmitter> = (1..).zip(list).map(transmitter).collect::<Result<_>>()?;
    let ports =
        ring_order(&all).map_err(|e| source.error(place, format!("router.wavelengths: {e}")))?;
    Ok(ports.into_iter().map(|port| usize::from(port) - 1).collect())
}

/// Cycles of a time in microseconds.
fn cycles(source: &Source, field: &str, value: Option<&Spanned<f64>>, usual: u32) -> Result<u32> {
    let Some(value) = value else { return Ok(usual) };
    let found = source.real(field, value, " microseconds")?;
    #[expect(clippy::cast_precision_loss, reason = "a small constant")]
    let cycles = found * (CLOCK_HZ as f64 / 1e6);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked range")]
    Ok((cycles - 1e-9).ceil().max(1.0) as u32)
}
