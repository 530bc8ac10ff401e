// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ring_gateway` with the stimulus of a board on each side: a host, frames of other boards, own ones that return.

use crate::board::player::Player;
use crate::board::stimulus::{BoardEvent, BoardFrame, BoardStimulus};
use crate::board::{engine, parts, sized, strategy};
use crate::case::Case;
use crate::gateway::rings::{Setting, run};
use crate::machine::Player as _;
use crate::node::directed::Named;
use awgstar::contract::limits::DATA_MAX;
use awgstar::quantity::{Cycle, narrow};
use awgstar::random::SplitMix64;
use awgstar::rtl::state::State as _;
use awgstar::rtl::windows::{Vectors, Window};
use awgstar::rtl::{AxilAnswer, Link, Parameters, RingGateway, ring_gateway, smb};
use proptest::prelude::*;

/// Steps of a reset: more than 3 cycles of each clock.
const RESET: usize = 40;

/// What plays one ring, and what it drives in this cycle.
struct Side {
    player: Player,
    cycle: Cycle,
    pins: smb::Inputs,
}

impl Side {
    fn new(stimulus: &BoardStimulus) -> Self {
        let mut player = Player::new(&BoardStimulus { resets: Vec::new(), ..stimulus.clone() });
        let pins = player.drive(Cycle(0));
        Side { player, cycle: Cycle(0), pins }
    }

    /// The edge of its clock.
    fn clock(&mut self, rst: bool, s_axi: AxilAnswer, m_axis: Link, irq: bool) {
        self.pins.rst = rst;
        self.player.clock(self.cycle, &self.pins, &smb::Outputs { s_axi, m_axis, irq });
        self.cycle += Cycle(1);
        self.pins = self.player.drive(self.cycle);
    }
}

/// What a gateway gets: of each ring the stimulus of a board, and windows.
#[derive(Clone, Debug, Default)]
pub struct Sides {
    /// Of ring a and ring b. A reset of ring a is one of both.
    pub boards: [BoardStimulus; 2],
    /// Windows of ring a and ring b.
    pub windows: [Vectors; 2],
    /// Cycles with room that the gates keep for a frame.
    pub wait: u16,
    /// Parameters of the gateway.
    pub parameters: Parameters,
}

impl Sides {
    /// Cycles of the side that ends first.
    #[must_use]
    pub fn cycles(&self) -> Cycle {
        self.boards.each_ref().map(|board| board.cycles).into_iter().min().unwrap_or_default()
    }

    /// The steps of a run; `rises` says which of the two clocks rise in each.
    pub fn case(&self, mut rises: impl FnMut(usize) -> [bool; 2]) -> Case<RingGateway> {
        let mut rings = self.boards.each_ref().map(Side::new);
        let mut model = RingGateway::new(&self.parameters);
        let [a, b] = self.windows;
        let mut i = ring_gateway::Inputs {
            a_cfg_valid: a.valid,
            a_cfg_first: a.first,
            a_cfg_last: a.last,
            a_cfg_offset: a.offset,
            a_cfg_wait: self.wait,
            b_cfg_valid: b.valid,
            b_cfg_first: b.first,
            b_cfg_last: b.last,
            b_cfg_offset: b.offset,
            b_cfg_wait: self.wait,
            ..ring_gateway::Inputs::default()
        };
        let mut all = Vec::new();
        let mut left = RESET;
        while rings.iter().zip(&self.boards).all(|(ring, board)| ring.cycle < board.cycles) {
            let rises = if all.is_empty() { [true; 2] } else { rises(all.len()) };
            let mut resets = self.boards[0].resets.iter();
            if rises[0] && resets.any(|&(at, _)| at == rings[0].cycle) {
                left = RESET;
            }
            let rst = left > 0;
            left = left.saturating_sub(1);
            (i.a_clk, i.b_clk, i.a_rst, i.b_rst) = (rises[0], rises[1], rst, rst);
            (i.a_axi, i.a_in) = (rings[0].pins.s_axi, rings[0].pins.s_axis);
            (i.b_axi, i.b_in) = (rings[1].pins.s_axi, rings[1].pins.s_axis);
            let o = model.outputs(&i);
            if rises[0] {
                rings[0].clock(rst, o.a_axi, o.a_out, o.a_irq);
            }
            if rises[1] {
                rings[1].clock(rst, o.b_axi, o.b_out, o.b_irq);
            }
            model.clock(&i);
            all.push(i);
        }
        Case::fed(all).on(self.parameters)
    }

    /// The same with a ratio of the clocks that changes every 500 steps.
    fn drawn(&self, mut random: SplitMix64) -> Case<RingGateway> {
        let mut paces = [8, 8];
        self.case(|step| {
            if step.is_multiple_of(500) {
                paces = [(); 2].map(|()| [4, 7, 8][random.number::<usize>(3)]);
            }
            let rises = paces.map(|pace| random.below(8) < pace);
            if rises == [false; 2] { [true; 2] } else { rises }
        })
    }
}

/// Places of the memory, at least one.
const fn places(parameters: &Parameters) -> u32 {
    let places = 1u32 << parameters.mem_addr_w() >> 4;
    if places == 0 { 1 } else { places }
}

/// All of the memory to the same place of the other ring.
fn everything(parameters: &Parameters) -> Vectors {
    Vectors::of(&[Window { first: 0, last: places(parameters) - 1, offset: 0 }])
}

/// Windows where the frames of a board's stimulus are, and elsewhere; some of them lead beyond the memory.
fn windows(random: &mut SplitMix64, parameters: &Parameters) -> Vectors {
    let places = u64::from(places(parameters));
    let all: Vec<Window> = (0..parameters.windows())
        .map(|n| {
            let first = match (n, random.below(4)) {
                (0, _) | (_, 0) => 0,
                (_, 1) => random.number::<u32>(4),
                (_, 2) => random.number(places),
                _ => random.number(1 << 26),
            };
            let length = 1 + random.below(8);
            let last = first + random.number::<u32>(length);
            let offset = match random.below(4) {
                0 => 0,
                1 => random.number::<u32>(places).wrapping_sub(first) & ((1 << 26) - 1),
                2 => random.number(4),
                _ => narrow::<u32>(places) + random.number::<u32>(4),
            };
            Window { first, last, offset }
        })
        .collect();
    let mut vectors = Vectors::of(&all);
    vectors.valid &= random.number::<u8>(16) | 1;
    vectors
}

/// Frames that fill the store while the other board sends nothing: first its places for frames, then words.
fn flood(parameters: &Parameters) -> Vec<BoardEvent> {
    let longest = narrow::<u16>(DATA_MAX.min(4 << parameters.mem_addr_w()));
    let apart =
        (0..(2u32 << parameters.tx_frame_w()) + 2).map(|i| parts::frame(1, 0, 8 * (i % 2), 4));
    let words = (0..4 * 1200 / longest + 6).map(|_| parts::frame(1, 0, 0, longest));
    let sync = [parts::frame(6, 1, 0, 0)];
    let mut link = parts::events(sync.into_iter().chain(apart).chain(words), 1);
    // Before, the sorter clears its table.
    link[0].gap = 300;
    link
}

/// Cycles in which the frames of [`flood`] come.
fn flooded(link: &[BoardEvent]) -> u64 {
    let words =
        |event: &BoardEvent| u64::from(event.gap) + 6 + u64::from(event.frame.len.max(46)) / 4;
    link.iter().map(words).sum::<u64>() + 200
}

/// One side gives words while the other board has nothing that leaves.
fn full(from: usize, parameters: &Parameters) -> Named<Case<RingGateway>> {
    let link = flood(parameters);
    let cycles = flooded(&link);
    let busy = BoardStimulus {
        link,
        ..parts::run(cycles, None, parts::set_up(900, 30, 100_000, 2, false))
    };
    // Longer than any ratio of the clocks makes of the other side.
    let quiet = parts::run(3 * cycles, None, parts::set_up(900, 40, 100_000, 2, false));
    let boards = if from == 0 { [busy, quiet] } else { [quiet, busy] };
    let windows = [everything(parameters); 2];
    let sides = Sides { boards, windows, wait: 40, parameters: *parameters };
    let case = sides.drawn(SplitMix64::new(1 + from as u64));
    let name = ["store_of_a_full", "store_of_b_full"][from].to_owned();
    Named { name, requirements: vec!["GWY-1", "GWY-5", "GWY-6"], case }
}

/// Runs of a board that concern what goes through a gateway.
const OF_A_BOARD: [&str; 4] =
    ["memory_ends", "host_at_line_rate", "full_frames_received", "short_frames_received"];

/// Cases made by hand: the store of each side full, and what the sizes of the boards decide; with the sizes of the
/// contract a run of two rings of boards, too.
#[must_use]
pub fn directed(parameters: &Parameters) -> Vec<Named<Case<RingGateway>>> {
    let mut all = vec![full(0, parameters), full(1, parameters)];
    if *parameters == Parameters::DEFAULT {
        let case = run(&Setting { writes: 60, ..Setting::usual(1) }).case;
        let requirements = vec!["GWY-1", "GWY-5", "GWY-6", "GWY-7", "CDC-2"];
        all.push(Named { name: "two_rings".into(), requirements, case });
    }
    let runs: Vec<_> =
        sized::runs(parameters).filter(|run| OF_A_BOARD.contains(&&*run.name)).collect();
    for (seed, near) in (10u64..).zip(&runs) {
        let far = runs.iter().find(|run| run.name == "host_at_line_rate").unwrap_or(near);
        let far = BoardStimulus { cycles: near.case.cycles, ..far.case.clone() };
        let boards = [near.case.clone(), far];
        let windows = [everything(parameters); 2];
        let sides = Sides { boards, windows, wait: 2_000, parameters: *parameters };
        all.push(Named {
            name: near.name.clone(),
            requirements: vec!["GWY-4", "GWY-5", "GWY-6", "GWY-7"],
            case: sides.drawn(SplitMix64::new(seed)),
        });
    }
    all
}

/// Random cases of a gateway with these parameters, with so many cycles of either clock at most, and those in which an
/// engine clears its memories or a store becomes full. They are not shrunk.
pub fn random(parameters: Parameters, cycles: u64) -> impl Strategy<Value = Case<RingGateway>> {
    let one = move || {
        let one = strategy::one(cycles).prop_map(move |mut s| {
            sized::Fit::of(&parameters).stimulus(&mut s);
            s
        });
        match parameters.engine_node_w() {
            0 => one.boxed(),
            _ => prop_oneof![2 => engine::one_of(parameters, cycles), 1 => one].boxed(),
        }
    };
    let case = move |(seed, mut a, mut b): (u64, BoardStimulus, BoardStimulus)| {
        let mut random = SplitMix64::new(seed);
        let windows = [(); 2].map(|()| windows(&mut random, &parameters));
        for side in [&mut a, &mut b] {
            let sync = parts::events([1, 2, 9].map(sync_of), 1);
            side.link.splice(..0, sync);
            side.link[0].gap = 300;
        }
        if random.below(2) == 0 {
            let (busy, quiet) =
                if random.below(2) == 0 { (&mut a, &mut b) } else { (&mut b, &mut a) };
            busy.link = flood(&parameters);
            busy.resets.clear();
            (quiet.loopback, quiet.returns) = (None, None);
            quiet.resets.clear();
            busy.cycles = Cycle(flooded(&busy.link));
            quiet.cycles = Cycle(3 * busy.cycles.0);
        }
        let wait = [0, 40, 2_000][random.number::<usize>(3)];
        Sides { boards: [a, b], windows, wait, parameters }.drawn(random)
    };
    (any::<u64>(), one(), one()).prop_map(case).no_shrink()
}

/// The frame with which a source begins its numbers.
fn sync_of(source: u8) -> BoardFrame {
    BoardFrame { source, ..parts::frame(6, 1, 0, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board that waits for its own `sync` took frames of others for its own, so that no store became full.
    #[test]
    fn stores_become_full() {
        for (name, value) in
            [("RX_ADDR_W", 9), ("TX_FRAME_W", 1), ("BUFFER_ADDR_W", 9), ("MEM_ADDR_W", 2)]
        {
            let sizes = Parameters::DEFAULT.with("ring_gateway", name, value).unwrap();
            for from in [0, 1] {
                let mut model = RingGateway::new(&sizes);
                let mut cuts = [0, 0];
                for i in full(from, &sizes).case.inputs() {
                    let o = model.outputs(i);
                    assert!(!o.a_ev_lost && !o.b_ev_lost, "{name}: a word is lost");
                    cuts[0] += u32::from(o.a_ev_cut);
                    cuts[1] += u32::from(o.b_ev_cut);
                    model.clock(i);
                }
                assert!(cuts[from] > 2 && cuts[1 - from] == 0, "{name}, {from}: {cuts:?}");
            }
        }
    }
}
