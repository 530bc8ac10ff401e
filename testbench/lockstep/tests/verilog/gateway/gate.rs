// SPDX-License-Identifier: MIT OR Apache-2.0
//! `window_gate`: frames of several boards, good and broken ones, and a store that has room now and then.

use super::agrees;
use crate::link::Tool;
use awgstar::random::SplitMix64;
use awgstar::rtl::Link;
use awgstar::rtl::window_gate::{self, WindowGate};
use awgstar::rtl::windows::{Vectors, WINDOWS, Window};
use awgstar_stimulus::Case;
use std::collections::BTreeMap;

const OWN: u64 = 0x0200_0000_0003;
/// Boards of the ring: the own one, others, and one whose MAC differs in the first byte only.
const MACS: [u64; 5] =
    [OWN, 0x0200_0000_0001, 0x0200_0000_0002, 0x0600_0000_0003, 0x0200_0000_0102];
/// Words that the default sizes ask for: 2^9 beats, 2^4 headers, a frame of 1,024 bytes at an odd address, 3 words in
/// registers.
const ROOM: u16 = 512 + 16 + 257 + 3;
/// The code of a data frame (FRM-4).
const DATA: u8 = 1;

/// A frame as it is on the link.
struct Frame {
    mac: u64,
    token: u8,
    number: u8,
    addr: u32,
    /// Words, and a hole before one of them.
    words: usize,
    hole: Option<usize>,
}

impl Frame {
    fn random(random: &mut SplitMix64, windows: &[Window]) -> Frame {
        let near = windows[random.number::<usize>(windows.len() as u64)];
        let edge = [near.first << 6, (near.last << 6).wrapping_add(63)][random.number::<usize>(2)];
        let off = random.number::<u32>(2200).wrapping_sub(1100);
        let addr = match random.below(8) {
            0 => random.next_u32(),
            1 => edge.wrapping_add([0, 1, 64, 1023, 1024][random.number::<usize>(5)]),
            2 => edge.wrapping_sub([0, 1, 64, 1023, 1024][random.number::<usize>(5)]),
            _ => edge.wrapping_add(off),
        };
        Frame {
            mac: MACS[random.number::<usize>(5)],
            token: if random.below(8) == 0 { random.number(8) } else { DATA },
            number: random.number(4),
            addr,
            words: match random.below(12) {
                0 => 1 + random.number::<usize>(6),
                1 => 5,
                2 => 261,
                _ => 16 + random.number::<usize>(8),
            },
            hole: (random.below(20) == 0).then(|| random.number(8)),
        }
    }

    /// The lowest byte of the MAC.
    fn source(&self) -> u8 {
        self.mac.to_le_bytes()[0]
    }

    /// The header's bytes are at the places that FRM-2 gives them.
    fn word(&self, at: usize, random: &mut SplitMix64) -> u32 {
        let mac = self.mac.to_be_bytes();
        let addr = self.addr.to_be_bytes();
        let [any, more] = [(); 2].map(|()| random.number::<u8>(256));
        match at {
            0 => u32::from_le_bytes([mac[2], mac[3], mac[4], mac[5]]),
            1 => {
                let token = self.token << 5 | any & 31;
                u32::from_le_bytes([mac[6], mac[7], token, more])
            }
            2 => u32::from_le_bytes([any, self.number, addr[0], addr[1]]),
            3 => u32::from_le_bytes([addr[2], addr[3], any, more]),
            _ => random.next_u32(),
        }
    }
}

/// What a case reaches, by name.
type Reached = BTreeMap<&'static str, u64>;

/// Windows at random, some next to each other, at the ends of the address space, or empty.
fn windows(random: &mut SplitMix64) -> Vec<Window> {
    let window = |_| {
        let first = match random.below(6) {
            0 => 0,
            1 => (1 << 26) - 1 - random.number::<u32>(20),
            _ => random.number(1 << 12),
        };
        let size = if random.below(8) == 0 { u32::MAX } else { random.number(20) };
        let last = first.wrapping_add(size) & ((1 << 26) - 1);
        Window { first, last, offset: random.next_u32() }
    };
    (0..WINDOWS).map(window).collect()
}

/// Where the store is: often at the edge of what a frame needs.
fn free(random: &mut SplitMix64, mood: u64) -> u16 {
    match (mood, random.below(8)) {
        (_, 0) => random.number(1025),
        (0, _) => 1024,
        (1, _) => ROOM - 1 + random.number::<u16>(2),
        (2, 1..4) => ROOM,
        (2, _) => ROOM - 1,
        _ => random.number(u64::from(ROOM)),
    }
}

/// What the rules say of a frame.
#[derive(Clone, Copy)]
struct Fifth {
    source: u8,
    number: u8,
    own: bool,
    data: bool,
}

/// The rules of a gateway as they are written (GWY-1 to GWY-4), on whole frames.
#[derive(Default)]
struct Rules {
    /// Source and number of the frame for which the next room is kept, and how long.
    kept: Option<(u8, u8, u16)>,
}

impl Rules {
    /// A cycle begins; there was room in the one before.
    fn cycle(&mut self, room: bool) {
        self.kept = match self.kept {
            Some((_, _, 0)) if room => None,
            Some((source, number, left)) if room => Some((source, number, left - 1)),
            other => other,
        };
    }

    /// The fifth word of a frame that may reach a window: whether it is cut. `kept` is what was kept before the cycle.
    fn cuts(&mut self, frame: Fifth, room: bool, kept: Option<(u8, u8, u16)>, wait: u16) -> bool {
        let source = frame.source;
        let mine = kept.is_some_and(|(of, ..)| of == source);
        let pass = room && (kept.is_none() || mine);
        match (pass, kept) {
            (true, Some((of, number, _))) if of == source && number == frame.number => {
                self.kept = None;
            }
            (false, None) => self.kept = Some((source, frame.number, wait)),
            (false, Some((of, number, _))) if of == source => {
                // Its time begins anew; a place that has just ended stays so.
                self.kept = self.kept.map(|_| (of, number, wait));
            }
            _ => {}
        }
        !pass
    }
}

/// True if any of the 1,024 bytes from the frame's address on is in a window.
fn reaches(frame: &Frame, windows: &[Window]) -> bool {
    let (from, to) = (u64::from(frame.addr), u64::from(frame.addr) + 1023);
    windows.iter().any(|window| {
        let (first, last) = (u64::from(window.first) * 64, u64::from(window.last) * 64 + 63);
        from <= last && to >= first
    })
}

/// Random inputs, the words that must come out after each cycle, and what was reached.
fn case(seed: u64, cycles: usize) -> (Case<WindowGate>, Vec<Option<Link>>, Reached) {
    let mut random = SplitMix64::new(seed);
    let (mut inputs, mut due) = (Vec::new(), Vec::new());
    let mut reached = Reached::new();
    let mut rules = Rules::default();
    let mut used = windows(&mut random);
    let mut valid = 15;
    let (mut wait, mut mood) = (5, 0);
    let (mut frame, mut at, mut idle, mut dead) = (None::<Frame>, 0, 3u64, false);
    let mut room = false;
    // The word of the cycle before, and, if it is the fifth, its frame and whether that needs room.
    let mut last: Option<(Link, Option<(Fifth, bool)>)> = None;
    for cycle in 0..cycles {
        let between = frame.is_none();
        if between && random.below(30) == 0 {
            used = windows(&mut random);
            valid = random.number(16);
            wait = [0, 1, 40, 2000][random.number::<usize>(4)];
        }
        if random.below(150) == 0 {
            mood = random.below(4);
        }
        let vectors = Vectors::of(&used);
        let rst = cycle < 4 || between && random.below(2500) == 0;
        let mut i = window_gate::Inputs {
            rst,
            cfg_mac: OWN,
            cfg_valid: valid,
            cfg_first: vectors.first,
            cfg_last: vectors.last,
            cfg_wait: wait,
            free: free(&mut random, mood),
            s_axis: Link {
                tdata: random.next_u32(),
                tkeep: random.number(16),
                tvalid: false,
                tlast: random.below(2) == 0,
                tuser: random.below(2) == 0,
            },
        };
        if between && idle == 0 {
            frame = Some(Frame::random(&mut random, &used));
            at = 0;
        }
        idle = idle.saturating_sub(1);
        let before = rules.kept;
        rules.cycle(room);
        let mut out = None;
        if let Some((word, fifth)) = last.take() {
            out = (!dead).then_some(word);
            if let Some((it, asks)) = fifth {
                let cut = asks && rules.cuts(it, room, before, wait);
                if cut {
                    out =
                        Some(Link { tdata: 0, tkeep: 15, tvalid: true, tlast: true, tuser: true });
                    dead = true;
                }
                let first = before.is_some_and(|(of, ..)| of == it.source);
                let name = match (asks, cut) {
                    (false, _) if it.own => "own",
                    (false, _) if !it.data => "no data",
                    (false, _) => "beside the windows",
                    (true, false) if first => "passed in its place",
                    (true, false) => "passed",
                    (true, true) if room => "cut for another",
                    (true, true) if first => "cut again",
                    (true, true) => "cut",
                };
                *reached.entry(name).or_default() += 1;
                if cut && word.tlast {
                    *reached.entry("cut in its last word").or_default() += 1;
                }
            } else if before.is_some() && rules.kept.is_none() && out.is_some() {
                *reached.entry("a place ended").or_default() += 1;
            }
            dead &= !word.tlast;
        }
        if let Some(it) = &mut frame {
            if it.hole == Some(at) {
                it.hole = None;
            } else {
                i.s_axis.tvalid = true;
                i.s_axis.tdata = it.word(at, &mut random);
                i.s_axis.tkeep = if random.below(200) == 0 { 7 } else { 15 };
                i.s_axis.tlast = at + 1 == it.words;
                let live: Vec<Window> =
                    (0..WINDOWS).filter(|n| valid >> n & 1 != 0).map(|n| used[n]).collect();
                let fifth = Fifth {
                    source: it.source(),
                    number: it.number,
                    own: it.mac == OWN,
                    data: it.token == DATA,
                };
                let asks = fifth.data && !fifth.own && reaches(it, &live);
                last = Some((i.s_axis, (at == 4).then_some((fifth, asks))));
                at += 1;
                if i.s_axis.tlast {
                    if at < 5 {
                        *reached.entry("shorter than a header").or_default() += 1;
                    }
                    frame = None;
                    idle = if random.below(20) == 0 { 0 } else { 1 + random.number::<u64>(4) };
                }
            }
        }
        room = i.free >= ROOM && !rst;
        if rst {
            rules = Rules::default();
            (out, last, dead) = (None, None, false);
        }
        inputs.push(i);
        due.push(out);
    }
    (Case::fed(inputs), due, reached)
}

/// The inputs alone.
pub(super) fn inputs(seed: u64, cycles: usize) -> Case<WindowGate> {
    case(seed, cycles).0
}

fn holds(tool: Tool, seed: u64, cycles: usize) {
    let (case, due, reached) = case(seed, cycles);
    println!("{tool:?}, seed {seed}: {reached:?}");
    let mut model = WindowGate::default();
    for (cycle, (i, due)) in case.inputs().iter().zip(&due).enumerate() {
        model.clock(i);
        let word = model.outputs(&window_gate::Inputs::default()).m_axis;
        assert_eq!(word.tvalid.then_some(word), *due, "cycle {cycle}");
    }
    let all = [
        "own",
        "no data",
        "beside the windows",
        "passed in its place",
        "passed",
        "cut for another",
        "cut again",
        "cut",
        "cut in its last word",
        "a place ended",
        "shorter than a header",
    ];
    for name in all {
        assert!(reached.get(name).is_some_and(|&n| n > 3), "{name}: {reached:?}");
    }
    agrees(tool, case);
}

// checks GWY-1, GWY-2, GWY-3, GWY-4
#[test]
fn gate_is_its_model() {
    holds(Tool::Icarus, 1, 30_000);
    holds(Tool::Verilator, 2, 200_000);
}
