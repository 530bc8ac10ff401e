// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs the model and keeps what a figure shows.

use crate::timing::figures::{Figure, Window};
use awgstar::contract::HDR_FIELDS;
use awgstar::rtl::{Smb, smb::Inputs, state::State};
use awgstar_stimulus::Case;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::shape::value;
use std::collections::BTreeMap;

/// Values of a figure's rows in the cycles of its windows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// First cycle of each window, and the values of all rows in each of its cycles.
    pub windows: Vec<(u64, Vec<Vec<u128>>)>,
    /// Width of each row in bits.
    pub bits: Vec<usize>,
}

/// A signal over all cycles.
#[derive(Clone, Debug, Default)]
struct Signal {
    bits: usize,
    values: Vec<u128>,
}

type Signals = BTreeMap<String, Signal>;

/// All that the figure looks at.
fn wanted(figure: &Figure) -> Signals {
    let rows = figure.rows.iter().flat_map(|r| [Some(r.signal), r.when].into_iter().flatten());
    let triggers = figure
        .windows
        .iter()
        .flat_map(|w| w.all.iter().copied().chain(w.same.into_iter().flat_map(|(a, b)| [a, b])));
    rows.chain(triggers).map(|name| (name.to_owned(), Signal::default())).collect()
}

/// A wanted port, or a field of one.
struct Place {
    name: String,
    instance: &'static str,
    /// 0: an input, 1: an output.
    side: usize,
    /// First word of the port's image.
    at: usize,
    /// Width of the port in bits.
    port: usize,
    /// Lowest bit and width of what is wanted of it.
    low: usize,
    bits: usize,
}

impl Place {
    fn value(&self, image: &[u32]) -> u128 {
        value(image, self.at, self.port) >> self.low & (u128::MAX >> (128 - self.bits))
    }
}

/// Positions of the wanted ports.
fn places(signals: &Signals) -> Vec<Place> {
    let mut all = Vec::new();
    let (mut last, mut side) = ("", 0);
    Smb::default().look(&Inputs::default(), &mut |instance, ports, _| {
        side = usize::from(instance == last);
        last = instance;
        let mut at = 0;
        for port in ports {
            let fields = HDR_FIELDS.iter().filter(|_| port.name.ends_with("hdr"));
            let fields = fields.map(|f| (format!("[{}]", f.name), f.low, f.bits));
            for (field, low, bits) in fields.chain([(String::new(), 0, port.bits)]) {
                let name = format!("{instance}.{}{field}", port.name);
                if signals.contains_key(&name) {
                    all.push(Place { name, instance, side, at, port: port.bits, low, bits });
                }
            }
            at += port.words();
        }
    });
    all
}

/// Runs the figure's stimulus.
///
/// # Panics
/// If a signal is not there or a window does not come.
#[must_use]
pub fn record(figure: &Figure) -> Recording {
    let mut signals = wanted(figure);
    let ports = places(&signals);
    let registers: Vec<_> =
        Smb::shape().register_words().filter(|(name, ..)| signals.contains_key(*name)).collect();
    for (name, bits) in ports
        .iter()
        .map(|p| (p.name.as_str(), p.bits))
        .chain(registers.iter().map(|&(name, bits, _)| (name, bits)))
    {
        signals.entry(name.to_owned()).or_default().bits = bits;
    }
    let case = Case::alone((figure.run)());
    let mut bench = case.bench().expect("one board");
    let mut image_of_registers = vec![0; Smb::WORDS];
    let mut keep = |name: &str, value| {
        if let Some(signal) = signals.get_mut(name) {
            signal.values.push(value);
        }
    };
    while !bench.done() {
        bench.step(&mut |_, board: &Smb, inputs, _| {
            let (mut last, mut side) = ("", 0);
            board.look(inputs, &mut |instance, _, image| {
                side = usize::from(instance == last);
                last = instance;
                for place in ports.iter().filter(|p| p.instance == instance && p.side == side) {
                    keep(&place.name, place.value(image));
                }
            });
            board.pack(&mut image_of_registers);
            for &(name, bits, at) in &registers {
                keep(name, value(&image_of_registers, at, bits));
            }
        });
    }
    let windows = figure.windows.iter().map(|w| cut(figure, w, &signals)).collect();
    let bits = figure.rows.iter().map(|r| signals[r.signal].bits).collect();
    Recording { windows, bits }
}

/// The cycles of a window: around the n-th cycle in which all of its signals become true together.
fn cut(figure: &Figure, window: &Window, signals: &Signals) -> (u64, Vec<Vec<u128>>) {
    let of = |name: &str| {
        let values = &signals[name].values;
        assert!(!values.is_empty(), "{}: no signal `{name}`", figure.file);
        values
    };
    let triggers: Vec<&Vec<u128>> = window.all.iter().map(|name| of(name)).collect();
    let length = triggers[0].len();
    let same = window.same.map(|(a, b)| (of(a), of(b)));
    let holds = |cycle: usize| {
        triggers.iter().all(|t| t[cycle] != 0) && same.is_none_or(|(a, b)| a[cycle] == b[cycle])
    };
    let mut rises = (1..length).filter(|&c| holds(c) && !holds(c - 1));
    let at = rises.nth(window.nth).unwrap_or_else(|| {
        panic!("{}: {:?} number {} does not happen", figure.file, window.all, window.nth)
    });
    let (from, to) = (at.saturating_sub(window.before), (at + window.after).min(length));
    let rows: Vec<_> = figure.rows.iter().map(|r| of(r.signal)).collect();
    let cycles = (from..to).map(|c| rows.iter().map(|row| row[c]).collect()).collect();
    (from as u64, cycles)
}
