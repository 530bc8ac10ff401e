// SPDX-License-Identifier: MIT OR Apache-2.0
//! `smb_link` with a host and a line whose clocks are not that of the board.

use crate::board::player::Player;
use crate::board::stimulus::BoardStimulus;
use crate::board::{directed, engine, join, sized, strategy};
use crate::case::{Case, Source};
use crate::link::clocks::{RESET, ticks};
use crate::link::line::{Line, PERIOD};
use crate::machine::Player as _;
use crate::node::directed::Named;
use awgstar::quantity::{Cycle, narrow};
use awgstar::random::SplitMix64;
use awgstar::ring::Word;
use awgstar::rtl::state::State as _;
use awgstar::rtl::{AxilAnswer, Parameters, SmbLink, link_tx, smb, smb_link};
use proptest::prelude::*;
use std::collections::VecDeque;

/// Frames that the board has sent and that return to it, whole: in a link no word is missing.
#[derive(Debug, Default)]
struct Returning {
    words: VecDeque<Word>,
    whole: usize,
    ended: bool,
}

impl Returning {
    fn push(&mut self, o: &smb::Outputs) {
        if let Some(word) = o.m_axis.word() {
            self.whole += usize::from(word.last);
            self.words.push_back(word);
        }
    }

    /// The next word of a whole frame, or the idle word between two.
    fn pop(&mut self) -> smb::Outputs {
        let idle = std::mem::take(&mut self.ended) || self.whole == 0;
        let word = if idle { None } else { self.words.pop_front() };
        if let Some(word) = word {
            self.ended = word.last;
            self.whole -= usize::from(word.last);
        }
        let mut outputs = smb::Outputs::default();
        outputs.m_axis.set(word);
        outputs
    }
}

/// The stimulus of a board on a board with an end of a link: its host and its line have clocks of their own,
/// and the line has faults. The answers that the host waits for are those of a board with these parameters.
#[must_use]
pub fn smb_link(seed: u64, s: &BoardStimulus, parameters: &Parameters) -> Case<SmbLink> {
    let mut random = SplitMix64::new(seed);
    let from = narrow::<usize>(random.below(PERIOD as u64));
    let mut line = Line::new(&mut random, 4000);
    let resets = s.resets.clone();
    let mut host = Player::new(&BoardStimulus {
        link: Vec::new(),
        loopback: None,
        resets: Vec::new(),
        ..s.clone()
    });
    let mut far = Player::new(&BoardStimulus { host: Vec::new(), resets: Vec::new(), ..s.clone() });
    let mut returning = Returning::default();
    let (mut hosts, mut cycles, mut lines) = (Cycle(0), Cycle(0), Cycle(0));
    let mut access = host.drive(hosts);
    let (mut pace, mut ratio) = (4, 3);
    let mut model = SmbLink::new(parameters);
    let mut all = Vec::new();
    let mut left = RESET;
    while cycles < s.cycles {
        let number = from + all.len();
        if number.is_multiple_of(500) {
            // The host is slower, faster, or about as fast; the line is mostly as fast as the board.
            pace = [2, 4, 7][narrow::<usize>(random.below(3))];
            ratio = random.below(12);
        }
        let (mut clk, mut rx_clk) = ticks(&mut random, ratio, number);
        let mut host_clk = random.below(8) < pace;
        if all.is_empty() {
            (clk, rx_clk, host_clk) = (true, true, true);
        }
        // A reset lasts long enough for all clocks.
        if clk && resets.iter().any(|&(at, _)| at == cycles) {
            left = RESET;
        }
        let rst = left > 0;
        left = left.saturating_sub(1);
        let sent = rx_clk.then(|| far.drive(lines));
        let word = sent.map(|sent| link_tx::Inputs { rst: false, s_axis: sent.s_axis });
        let (rx_los, rx_code) = line.step(&mut random, number, word);
        let i = smb_link::Inputs {
            host_clk,
            host_clear: false,
            s_axi: access.s_axi,
            clk,
            rst,
            rx_clk,
            rx_los,
            rx_code,
        };
        let o = model.outputs(&i);
        if host_clk {
            access.rst = model.u_host_rst.outputs().q;
            let answers = smb::Outputs {
                s_axi: AxilAnswer {
                    awready: o.s_axi.awready,
                    wready: o.s_axi.wready,
                    bvalid: o.s_axi.bvalid,
                    arready: o.s_axi.arready,
                    rvalid: o.s_axi.rvalid,
                    ..AxilAnswer::default()
                },
                ..smb::Outputs::default()
            };
            host.clock(hosts, &access, &answers);
            hosts += Cycle(1);
            access = host.drive(hosts);
        }
        if clk {
            returning.push(&model.board_out(&i));
            cycles += Cycle(1);
        }
        if let Some(sent) = sent {
            far.clock(lines, &sent, &returning.pop());
            lines += Cycle(1);
        }
        model.clock(&i);
        all.push(i);
    }
    Case::fed(all).on(*parameters)
}

/// The directed cases of a board, on a board with an end of a link.
#[must_use]
pub fn directed_boards(parameters: &Parameters) -> Vec<Named<Case<SmbLink>>> {
    let all = directed::named().into_iter().zip(1u64..);
    let named = all.filter_map(|(Named { name, case, .. }, seed)| match case.source {
        Source::Alone(s) => {
            let requirements = vec!["CDC-1", "CDC-2", "CDC-3", "LNK-5", "HST-1", "IRQ-1"];
            Some(Named { name, requirements, case: smb_link(seed, &s, parameters) })
        }
        _ => None,
    });
    named.collect()
}

/// The cases of a board that follow from its parameters, on a board with an end of a link.
#[must_use]
pub fn sized_boards(parameters: &Parameters) -> Vec<Named<Case<SmbLink>>> {
    let all = sized::runs(parameters).zip(1u64..);
    all.map(|(run, seed)| run.map(|s| smb_link(seed, &s, parameters))).collect()
}

/// Random cases of a board.
pub(super) fn random(parameters: Parameters, cycles: u64) -> impl Strategy<Value = Case<SmbLink>> {
    let one = strategy::one(cycles).prop_map(move |mut s| {
        sized::Fit::of(&parameters).stimulus(&mut s);
        s
    });
    let one = match parameters.engine_node_w() {
        0 => one.boxed(),
        _ => prop_oneof![engine::one_of(parameters, cycles), one].boxed(),
    };
    let one = if parameters.join() == 0 {
        one
    } else {
        let join = join::one_of(parameters, cycles).prop_map(move |mut s| {
            sized::Fit::of(&parameters).stimulus(&mut s);
            s
        });
        prop_oneof![join, one].boxed()
    };
    let case = (any::<u64>(), one).prop_map(move |(seed, s)| smb_link(seed, &s, &parameters));
    case.no_shrink()
}
