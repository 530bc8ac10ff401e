// SPDX-License-Identifier: MIT OR Apache-2.0
//! A clock of the line that stops: the link is down soon after, brings nothing, and comes up again when the clock
//! runs.

use super::step::compared;
use super::{Tool, repository};
use awgstar::rtl::{Link, Parameters, RingLink, ring_link};
use awgstar_stimulus::Case;

/// Cycles after the last edge of the line's clock until `up` is low, by the page of `ring_link`.
const SEEN: usize = 38;
/// Cycles of the clock until `up` is high again: 5 beats of 4, the reset, 4 commas, both synchronizers.
const AGAIN: usize = 60;
/// Words of a frame, and cycles from its begin to the begin of the next.
const FRAME: usize = 20;
const EVERY: usize = 24;

/// A link whose line comes back to it, with a step in each half of a cycle: the clock of the line rises in the other.
struct Loop {
    model: RingLink,
    inputs: Vec<ring_link::Inputs>,
    cycle: usize,
    code: u64,
}

impl Loop {
    /// The word that is sent in this cycle.
    fn word(&self) -> Link {
        let at = self.cycle % EVERY;
        if self.cycle < 40 || at >= FRAME {
            return Link::default();
        }
        let tdata = u32::try_from(self.cycle).unwrap();
        Link { tdata, tkeep: 15, tvalid: true, tlast: at == FRAME - 1, tuser: false }
    }

    /// A cycle: whether the link is up, and the word that it brings.
    fn cycle(&mut self, running: bool) -> (bool, Link) {
        let base = ring_link::Inputs {
            rst: self.cycle < 16,
            s_axis: self.word(),
            rx_code: self.code,
            ..ring_link::Inputs::default()
        };
        let near = ring_link::Inputs { clk: true, rx_clk: self.inputs.is_empty(), ..base };
        let o = self.model.outputs(&near);
        let far = ring_link::Inputs { rx_clk: running, ..base };
        for i in [near, far] {
            self.model.clock(&i);
            self.inputs.push(i);
        }
        self.code = o.tx_code;
        self.cycle += 1;
        (o.up, o.m_axis)
    }

    /// So many cycles.
    fn cycles(&mut self, count: usize, running: bool) -> Vec<(bool, Link)> {
        (0..count).map(|_| self.cycle(running)).collect()
    }
}

fn whole_frames(seen: &[(bool, Link)]) -> usize {
    let mut words: Vec<u32> = Vec::new();
    let mut whole = 0;
    for (_, word) in seen {
        if !word.tvalid {
            words.clear();
            continue;
        }
        words.push(word.tdata);
        if word.tlast {
            let next = |w: &[u32]| w[1] == w[0] + 1;
            let good = words.len() == FRAME && words.windows(2).all(next) && !word.tuser;
            whole += usize::from(good);
            words.clear();
        }
    }
    whole
}

fn case() -> Case<RingLink> {
    let mut all = Loop { model: RingLink::default(), inputs: Vec::new(), cycle: 0, code: 0 };
    let begin = all.cycles(400, true);
    assert!(begin[200..].iter().all(|(up, _)| *up) && whole_frames(&begin) > 10);
    // At every place in a frame, once for so short that it is not seen, and up to long.
    for (at, long) in (0..EVERY).zip([2, 8, 24, 40, 60, 90, 300].into_iter().cycle()) {
        all.cycles(at, true);
        let dark = all.cycles(long, false);
        if long > SEEN {
            assert!(dark[SEEN..].iter().all(|(up, word)| !up && !word.tvalid), "{at}, {long}");
        }
        let light = all.cycles(AGAIN + 120, true);
        assert!(light[AGAIN..].iter().all(|(up, _)| *up), "{at}, {long}");
        assert!(whole_frames(&light[AGAIN + EVERY..]) >= 2, "{at}, {long}");
    }
    Case::fed(all.inputs)
}

// checks CDC-7, COD-9
#[test]
fn a_line_without_a_clock_is_seen() {
    let root = repository();
    let (hdl, out) = (root.join("hdl"), root.join("target/cosim"));
    for tool in [Tool::Icarus, Tool::Verilator] {
        let found = compared::<RingLink>(tool, &Parameters::DEFAULT, (&hdl, &out), &[case()]);
        let found = found.unwrap();
        assert!(found.is_empty(), "{tool:?}: {found:#?}");
    }
}
