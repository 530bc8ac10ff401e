// SPDX-License-Identifier: MIT OR Apache-2.0
//! Host and ring at one word of the memory: in one cycle, one before the other, with all lanes that each can write.

use crate::board::parts::{WINDOW, after, events, frame, read, run, set_up, write};
use crate::board::stimulus::{BoardFrame, BoardStimulus, HostAccess};
use awgstar::quantity::narrow;

/// Beginning of the names of these runs.
pub const PREFIX: &str = "one_word_";

/// Lanes of a word that are written in one cycle: one after the other.
#[derive(Clone, Copy, Debug)]
struct Lanes {
    first: u8,
    count: u8,
}

const fn lanes(first: u8, count: u8) -> Lanes {
    Lanes { first, count }
}

const RUNS: [Lanes; 10] = [
    lanes(0, 1),
    lanes(1, 1),
    lanes(2, 1),
    lanes(3, 1),
    lanes(0, 2),
    lanes(1, 2),
    lanes(2, 2),
    lanes(0, 3),
    lanes(1, 3),
    lanes(0, 4),
];

/// What the host writes to a word, or that it reads, and what the ring writes to it.
type Meeting = (Option<Lanes>, Lanes);

/// Cycles from a frame to the next one.
const PERIOD: u16 = 40;
/// Words of a frame with so few bytes.
const WORDS: u16 = 16;
/// Cycles until the first frame: the table of the sources is cleared.
const FIRST: u16 = 300;

/// Times of an access, in cycles.
#[derive(Clone, Copy, Debug)]
struct Times {
    /// From the end of the set-up to the first access, which is then at the memory a cycle before the first frame.
    first: u16,
    access: u16,
}

/// Times of a host port.
#[derive(Clone, Copy, Debug)]
pub struct Port {
    read: Times,
    write: Times,
}

/// AXI4-Lite.
pub const AXI4_LITE: Port =
    Port { read: Times { first: 290, access: 4 }, write: Times { first: 290, access: 3 } };
/// AXI4, bursts of one beat.
pub const AXI4: Port =
    Port { read: Times { first: 322, access: 1 }, write: Times { first: 293, access: 1 } };

/// Words of the memory that are used: those next to each other differ in several bits of their address.
fn place(k: u16) -> u32 {
    0x40 + 4 * (u32::from(k) * 37 % 64)
}

/// A frame with bytes for these lanes of a word.
fn ring_write(k: u16, lanes: Lanes) -> BoardFrame {
    let salt = narrow::<u8>(k & 0xff).wrapping_mul(29) | 0x80;
    BoardFrame { salt, ..frame(1, 0, place(k) + u32::from(lanes.first), lanes.count.into()) }
}

/// Runs for the accesses of the host to the words that frames write: one access for each frame, in the cycle of
/// the frame's write and as many cycles later as is said. Then all words are read.
fn meetings(port: Port, late: u16, pairs: &[Meeting]) -> BoardStimulus {
    let frames = (0..).zip(pairs).map(|(k, (_, ring))| ring_write(k, *ring));
    let mut link = events(frames, PERIOD - WORDS);
    link[0].gap = FIRST;
    let mut host = set_up(3000, 2, 100_000, 1, true);
    for (k, (host_writes, _)) in (0..).zip(pairs) {
        let times = if host_writes.is_some() { port.write } else { port.read };
        let gap = if k == 0 { times.first + late } else { PERIOD - times.access };
        let at = WINDOW | place(k);
        let access = host_writes.map_or(read(at), |lanes| {
            let strobe = ((1 << lanes.count) - 1) << lanes.first;
            HostAccess { strobe, ..write(at, 0x0103_0507 * u32::from(k + 1)) }
        });
        host.push(after(gap, access));
    }
    let words = narrow::<u16>(pairs.len());
    host.extend((0..words).map(|k| after(if k == 0 { 60 } else { 0 }, read(WINDOW | place(k)))));
    let cycles = FIRST + PERIOD * words + 120 + 8 * words;
    BoardStimulus { link, ..run(cycles.into(), None, host) }
}

/// All of them, for a board with this host port. A board without a ring keeps 16 frames of the host.
#[must_use]
pub fn runs(port: Port) -> Vec<(String, BoardStimulus)> {
    let mut all = Vec::new();
    let reads = RUNS.map(|ring| (None, ring));
    all.push((format!("{PREFIX}read"), meetings(port, 1, &reads)));
    for (number, ring) in RUNS.into_iter().enumerate() {
        let pairs = RUNS.map(|host| (Some(host), ring));
        all.push((format!("{PREFIX}written_{number}"), meetings(port, 1, &pairs)));
    }
    // Other lanes, some, the same, all.
    let [two, all_four] = [RUNS[4], RUNS[9]];
    let pairs = [(RUNS[6], two), (RUNS[5], two), (two, two), (all_four, all_four)];
    let writes = pairs.map(|(host, ring)| (Some(host), ring));
    for (name, late) in [("before", 0), ("after", 2)] {
        all.push((format!("{PREFIX}read_{name}"), meetings(port, late, &reads[4..5])));
        all.push((format!("{PREFIX}written_{name}"), meetings(port, late, &writes)));
    }
    all
}
