// SPDX-License-Identifier: MIT OR Apache-2.0
//! Modules with more than one clock: the end of a link, the board with one, and the crossing of its host.
//!
//! Their cases are steps, not cycles: among the inputs of a step are the clocks, each true if it rises. All
//! clocks rise in step 0, a reset.

mod board;
mod clocks;
pub mod line;
pub mod reached;

use crate::case::Case;
use crate::machine::machine;
use crate::node::directed::Named;
use awgstar::random::SplitMix64;
use awgstar::rtl::{
    AxilCrossing, Parameters, RingLink, SmbLink, axil_crossing, link_tx, ring_link, smb_link,
};
use clocks::{OVERFLOW, RESET, stopped, ticks};
use line::{Line, PERIOD, Source, is_hostile};
use proptest::prelude::*;

machine!(RingLink, ring_link, Parameters::DEFAULT, {
    fn reached(inputs: &[Self::Inputs], parameters: &Parameters) -> Vec<(&'static str, u64)> {
        reached::ring_link(inputs, parameters)
    }
});
machine!(SmbLink, smb_link, Parameters::DEFAULT, {
    fn reached(inputs: &[Self::Inputs], parameters: &Parameters) -> Vec<(&'static str, u64)> {
        reached::smb_link(inputs, parameters)
    }
});
machine!(AxilCrossing, axil_crossing, Parameters::DEFAULT);

/// A line with every fault to an end of a link, which sends own frames. The faults depend on the number
/// of the step, which begins with `from`.
#[must_use]
pub fn ring_link(seed: u64, from: usize, count: usize) -> Case<RingLink> {
    paced(seed, from, count, |random| random.below(4))
}

/// [`ring_link`], with clocks of this ratio from every thousandth step on.
fn paced(
    seed: u64,
    from: usize,
    count: usize,
    next: impl Fn(&mut SplitMix64) -> u64,
) -> Case<RingLink> {
    let mut random = SplitMix64::new(seed);
    let (mut near, mut far) = (Source::default(), Source::default());
    let mut line = Line::new(&mut random, 600);
    let mut ratio = 0;
    let step = |at: usize| {
        let number = from + at;
        if number.is_multiple_of(1000) {
            ratio = next(&mut random);
        }
        let (clk, rx_clk) = ticks(&mut random, ratio, number);
        let (clk, rx_clk) = if at == 0 { (true, true) } else { (clk, rx_clk && !stopped(number)) };
        let hostile = is_hostile(number);
        let mine = if clk { near.word(&mut random, hostile) } else { link_tx::Inputs::default() };
        let sent = rx_clk.then(|| far.word(&mut random, hostile));
        let (rx_los, rx_code) = line.step(&mut random, number, sent);
        ring_link::Inputs {
            clk,
            rst: at < RESET || at > 3000 && number % 11_000 < RESET,
            s_axis: mine.s_axis,
            rx_clk,
            rx_los,
            rx_code,
        }
    };
    Case::fed((0..count).map(step).collect::<Vec<_>>())
}

/// A case made by hand for an end of a link: every fault.
#[must_use]
pub fn directed() -> Vec<Named<Case<RingLink>>> {
    let requirements = vec![
        "COD-1", "COD-2", "COD-3", "COD-4", "COD-5", "COD-6", "COD-7", "COD-8", "COD-9", "CDC-1",
        "CDC-2", "LNK-7",
    ];
    vec![Named {
        name: "every_fault".into(),
        requirements,
        case: ring_link(1, 0, PERIOD + PERIOD / 2),
    }]
}

/// A case for an elastic buffer of any size: a line that is much faster than the node fills it.
#[must_use]
pub fn sized() -> Vec<Named<Case<RingLink>>> {
    let case = paced(1, 0, 10_000, |_| OVERFLOW);
    vec![Named { name: "full".into(), requirements: vec!["CDC-2", "LNK-7"], case }]
}

/// Random cases of an end of a link with about so many cycles of each clock. They are not shrunk.
pub fn link(cycles: u64) -> impl Strategy<Value = Case<RingLink>> {
    let count = awgstar::quantity::narrow::<usize>(2 * cycles);
    (any::<u64>(), 0..PERIOD).prop_map(move |(seed, from)| ring_link(seed, from, count)).no_shrink()
}

pub use board::{directed_boards, sized_boards, smb_link};

/// Random cases of a board with an end of a link and these parameters, with so many cycles of the board's clock at
/// most, and those in which an engine clears its memories. They are not shrunk.
pub fn board(parameters: Parameters, cycles: u64) -> impl Strategy<Value = Case<SmbLink>> {
    board::random(parameters, cycles)
}
