//! The tables `[router]` and `[[lost]]` (AWG-3).

use crate::run::boards::{Lost as Gone, Router};
use crate::scenario::boards::file::{File, Lost};
use crate::scenario::source::{Result, Source};
use crate::scenario::timeline::Timeline;
use awgstar::quantity::narrow;
use awgstar::{
    contract::limits::CLOCK_HZ,
    ring::star::{self, Times, Transmitter, recovery::Loss, ring_order},
};
use awgstar_stimulus::echo::shown;
use toml::Spanned;

/// Longest time of the controller: a second.
const TIME_MAX: f64 = 1e6;

/// The router of a file, if it has one. `fibre` are the cycles of each board's fibres, both ways.
pub(super) fn router(time: &mut Timeline, file: &File, fibre: &[u32]) -> Result<Option<Router>> {
    let source = time.source;
    let Some(spanned) = &file.router else {
        let Some(lost) = file.lost.first() else { return Ok(None) };
        let what = "lost: expected a table [router], found none";
        return Err(source.error(&lost.board.span(), what));
    };
    let router = spanned.get_ref();
    if fibre.len() > star::PORTS.into() {
        let what = format!("boards is {}: expected at most 32 on one router", fibre.len());
        return Err(source.error(&file.boards.span(), what));
    }
    let usual = Times::default();
    let cycles = |field, value: Option<&Spanned<f64>>, usual| match value {
        None => Ok(usual),
        Some(value) => microseconds(source, field, value),
    };
    let times = Times {
        detect: cycles("router.detect_us", router.detect_us.as_ref(), usual.detect)?,
        command: cycles("router.command_us", router.command_us.as_ref(), usual.command)?,
        tune: cycles("router.tune_us", router.tune_us.as_ref(), usual.tune)?,
    };
    let most = narrow::<i64>(fibre.len()) - 1;
    let losses = file.lost.iter().map(|l| gone(time, l, most)).collect::<Result<_>>()?;
    let order = match &router.wavelengths {
        None => (0..fibre.len()).collect(),
        Some(list) => order(source, list, fibre.len())?,
    };
    let fibre = fibre.iter().map(|&cycles| [cycles.div_ceil(2), cycles / 2]).collect();
    Ok(Some(Router { times, order, fibre, losses }))
}

/// The ring that the wavelengths make.
fn order(source: &Source, list: &Spanned<Vec<Spanned<i64>>>, boards: usize) -> Result<Vec<usize>> {
    let found = list.get_ref().len();
    if found != boards {
        let what = format!("router.wavelengths has {found} values: expected {boards}");
        return Err(source.error(&list.span(), what));
    }
    let transmitter = |(port, wavelength): (u8, &Spanned<i64>)| {
        let (low, high) = (star::WAVELENGTH_0.into(), star::LAST.into());
        let wavelength = source.within("router.wavelengths", wavelength, low, high)?;
        Ok(Transmitter { port, wavelength })
    };
    let all: Vec<Transmitter> =
        (1..).zip(list.get_ref()).map(transmitter).collect::<Result<_>>()?;
    let ports = ring_order(&all)
        .map_err(|e| source.error(&list.span(), format!("router.wavelengths: {e}")))?;
    Ok(ports.into_iter().map(|port| usize::from(port) - 1).collect())
}

/// Cycles of so many microseconds.
fn microseconds(source: &Source, field: &str, value: &Spanned<f64>) -> Result<u32> {
    let found = *value.get_ref();
    if !(0.0..=TIME_MAX).contains(&found) {
        let what = format!("{field} is {}: expected 0 to {TIME_MAX} microseconds", shown(found));
        return Err(source.error(&value.span(), what));
    }
    #[expect(clippy::cast_precision_loss, reason = "a small constant")]
    let cycles = found * (CLOCK_HZ as f64 / 1e6);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked range")]
    Ok((cycles - 1e-9).ceil().max(1.0) as u32)
}

fn gone(time: &mut Timeline, lost: &Lost, most: i64) -> Result<Gone> {
    let source = time.source;
    let how = match lost.what.get_ref().as_str() {
        "power" => Loss::Power,
        "uplink" => Loss::Uplink,
        "downlink" => Loss::Downlink,
        found => {
            let found = shown(found);
            let what = format!("lost.what is `{found}`: expected one of power, uplink, downlink");
            return Err(source.error(&lost.what.span(), what));
        }
    };
    let at = time.at("lost.at", Some(&lost.at))?;
    Ok(Gone {
        board: source.within("lost.board", &lost.board, 0, most)?,
        loss: how,
        at,
        until: time.until("lost.until", lost.until.as_ref(), at)?,
    })
}
