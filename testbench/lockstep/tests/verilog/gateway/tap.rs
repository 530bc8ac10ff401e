// SPDX-License-Identifier: MIT OR Apache-2.0
//! `window_tap`: writes of words at the edges of windows and elsewhere.

use super::agrees;
use crate::link::Tool;
use awgstar::random::SplitMix64;
use awgstar::rtl::window_tap::{self, WindowTap};
use awgstar::rtl::windows::{Vectors, WINDOWS, Window};
use awgstar_stimulus::Case;

/// Bytes of the memory of either ring.
const MEMORY: u64 = 4 << 12;

/// Words that must leave, and what they say of the case.
#[derive(Debug, Default)]
struct Reached {
    left: u64,
    at_an_edge: u64,
    beside: u64,
    beyond: u64,
    in_two: u64,
    without_lanes: u64,
}

/// The address that a write of this byte has on the other ring, or none: the first window with it counts.
fn target(byte: u64, windows: &[(bool, Window)]) -> Option<u64> {
    let holds =
        |w: &Window| (u64::from(w.first) * 64..(u64::from(w.last) + 1) * 64).contains(&byte);
    let (_, window) = windows.iter().find(|(valid, w)| *valid && holds(w))?;
    // Addresses have 32 bits.
    Some((byte + u64::from(window.offset) * 64) % (1 << 32))
}

/// Inputs; of each the word that must be there in the next cycle (address in bytes, strobes, data), and whether one was
/// beyond the memory.
type Due = (Option<(u64, u8, u32)>, bool);

fn case(seed: u64, cycles: usize) -> (Case<WindowTap>, Vec<Due>, Reached) {
    let mut random = SplitMix64::new(seed);
    let mut reached = Reached::default();
    let (mut inputs, mut due) = (Vec::new(), Vec::new());
    let mut used = Vec::new();
    for cycle in 0..cycles {
        if cycle % 40 == 0 {
            used = (0..WINDOWS)
                .map(|_| {
                    let first = random.number::<u32>(256);
                    let last = (first + random.number::<u32>(12)).min(300);
                    // The other ring has 256 places; a window may end beyond, or wrap.
                    let offset = match random.below(4) {
                        0 => 0,
                        1 => random.number::<u32>(256).wrapping_sub(first) & ((1 << 26) - 1),
                        2 => random.number(256),
                        _ => random.number(1 << 26),
                    };
                    (random.below(5) != 0, Window { first, last, offset })
                })
                .collect();
        }
        let windows: Vec<Window> = used.iter().map(|&(_, window)| window).collect();
        let vectors = Vectors::of(&windows);
        let near = windows[random.number::<usize>(WINDOWS as u64)];
        let mem_addr = match random.below(4) {
            0 => random.number(1 << 12),
            1 => near.first * 16 + 15 - random.number::<u32>(32).min(near.first * 16 + 15),
            2 => near.last * 16 + random.number::<u32>(32),
            _ => near.first * 16 + random.number::<u32>(64),
        } & 0xFFF;
        let i = window_tap::Inputs {
            rst: cycle < 3 || random.below(900) == 0,
            cfg_valid: used.iter().enumerate().map(|(n, &(valid, _))| u8::from(valid) << n).sum(),
            cfg_first: vectors.first,
            cfg_last: vectors.last,
            cfg_offset: vectors.offset,
            mem_addr,
            mem_we: if random.below(4) == 0 { 0 } else { random.number(16) },
            mem_wdata: random.next_u32(),
        };
        let byte = u64::from(mem_addr) * 4;
        let far = target(byte, &used).filter(|_| i.mem_we != 0 && !i.rst);
        let inside = far.filter(|&far| far < MEMORY);
        let edge = |w: &Window| {
            byte / 64 == u64::from(w.first) && byte % 64 == 0
                || byte / 64 == u64::from(w.last) && byte % 64 == 60
        };
        reached.left += u64::from(inside.is_some());
        reached.at_an_edge += u64::from(inside.is_some() && windows.iter().any(edge));
        reached.beside += u64::from(i.mem_we != 0 && target(byte, &used).is_none());
        reached.beyond += u64::from(far.is_some() && inside.is_none());
        reached.without_lanes += u64::from(i.mem_we == 0 && target(byte, &used).is_some());
        let holding = (0..WINDOWS).filter(|&n| target(byte, &used[n..=n]).is_some()).count();
        reached.in_two += u64::from(inside.is_some() && holding > 1);
        inputs.push(i);
        due.push((
            inside.map(|far| (far, i.mem_we, i.mem_wdata)),
            far.is_some() && inside.is_none(),
        ));
    }
    (Case::fed(inputs), due, reached)
}

/// The inputs alone.
pub(super) fn inputs(seed: u64, cycles: usize) -> Case<WindowTap> {
    case(seed, cycles).0
}

#[expect(clippy::cast_possible_truncation, reason = "parts of a word")]
fn holds(tool: Tool, seed: u64, cycles: usize) {
    let (case, due, reached) = case(seed, cycles);
    println!("{tool:?}, seed {seed}: {reached:?}");
    let mut model = WindowTap::default();
    for (cycle, (i, due)) in case.inputs().iter().zip(&due).enumerate() {
        model.clock(i);
        let o = model.outputs(i);
        let word = o.m_valid.then_some((
            (o.m_word >> 36) * 4,
            (o.m_word >> 32) as u8 & 15,
            o.m_word as u32,
        ));
        assert_eq!((word, o.ev_range), *due, "cycle {cycle}");
    }
    let Reached { left, at_an_edge, beside, beyond, in_two, without_lanes } = reached;
    for count in [left, at_an_edge, beside, beyond, in_two, without_lanes] {
        assert!(count > 50, "{reached:?}");
    }
    agrees(tool, case);
}

// checks GWY-5
#[test]
fn tap_is_its_model() {
    holds(Tool::Icarus, 1, 10_000);
    holds(Tool::Verilator, 2, 100_000);
}
