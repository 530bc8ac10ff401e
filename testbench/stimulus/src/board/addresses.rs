// SPDX-License-Identifier: MIT OR Apache-2.0
//! Addresses that differ in one bit, for each bit: a bit that is lost on one of the ways to the memory
//! or to a register shows.

use crate::board::parts::{WINDOW, after, block, events, frame, read, run, set_up, write};
use crate::board::stimulus::{BoardFrame, BoardStimulus, HostAccess};
use awgstar::contract::board as map;
use awgstar::quantity::ByteAddress;

/// Bits of a byte address in the window.
const BITS: usize = map::MEM_ADDR_W + 2;

/// A word address, and those that differ from it in one bit.
fn words() -> impl Iterator<Item = u32> {
    const BASE: u32 = 0x1554;
    std::iter::once(BASE).chain((2..BITS).map(|bit| BASE ^ 1 << bit))
}

fn quiet() -> Vec<HostAccess> {
    set_up(3000, 3, 100_000, 1, true)
}

/// The host writes all of them, each lane by itself too, and reads them.
fn of_the_host() -> BoardStimulus {
    let mut host = quiet();
    host.extend((0..).zip(words()).map(|(i, at)| write(WINDOW | at, 0x0102_0304 * (i + 1))));
    for lane in 0..4u32 {
        let word = words().nth(lane as usize).unwrap_or(0);
        host.push(HostAccess { strobe: 1 << lane, ..write(WINDOW | word, 0xa5a5_a5a5) });
    }
    host.extend(words().map(|at| read(WINDOW | at)));
    // Beyond the window's words nothing is written.
    for bit in BITS..31 {
        host.extend([write(WINDOW | 0x1554 | 1 << bit, 9), read(WINDOW | 0x1554 | 1 << bit)]);
    }
    host.push(read(WINDOW | 0x1554));
    run(3000, Some(20), host)
}

/// Words written with each pattern of strobes, and read.
fn of_the_strobes() -> BoardStimulus {
    let all = || (0..16u8).map(|strobe| (strobe, WINDOW | (8 * u32::from(strobe))));
    let mut host = quiet();
    host.extend(
        all().map(|(strobe, at)| after(40, HostAccess { strobe, ..write(at, 0x8142_2418) })),
    );
    host.extend(all().map(|(_, at)| read(at)));
    run(2000, Some(20), host)
}

/// Frames of the ring write all of them, from each lane, and the host reads them.
fn of_the_ring() -> BoardStimulus {
    let data = |(i, at): (u8, u32)| BoardFrame {
        salt: i.wrapping_mul(0x11),
        ..frame(1, 0, at + u32::from(i % 4), 3 + u16::from(i % 3))
    };
    let own = events((0..).zip(words()).map(data), 12);
    let beyond = (BITS..32).map(|bit| frame(1, 0, 0x1554 | 1 << bit, 4));
    let mut host = quiet();
    let get = words().flat_map(|at| [at & !4, at | 4]).map(|at| read(WINDOW | at));
    host.extend(get.enumerate().map(|(i, access)| after(if i == 0 { 1100 } else { 0 }, access)));
    let link = own.into_iter().chain(events(beyond, 12)).collect();
    BoardStimulus { link, ..run(2600, None, host) }
}

/// Each register and what differs from its address in one bit, read and written.
fn of_the_registers() -> BoardStimulus {
    let mut host = quiet();
    for register in [map::TIMEOUT.offset, map::MAIL_DATA.offset, map::SIGNAL_DATA.offset] {
        for bit in 0..31 {
            let addr = ByteAddress(register.0 ^ 1 << bit);
            host.extend([read(addr), write(addr, 0x1234), read(register)]);
        }
    }
    run(2600, Some(20), host)
}

/// Boards whose low byte of MAC differs in one bit, by turns: each has numbers of its frames.
fn of_the_sources() -> BoardStimulus {
    let twins = std::iter::once(1).chain((0..8).map(|bit| 1 ^ 1 << bit));
    let from = |source: u8| {
        let at = 4 * u32::from(source);
        [frame(1, 0, at, 4), frame(5, source & 31, 0, 4)].map(|f| BoardFrame { source, ..f })
    };
    let round = || twins.clone().flat_map(from);
    let link = events(round().chain(round()), 12);
    BoardStimulus { link, ..run(2400, None, quiet()) }
}

/// The host fills a block word by word while frames of the ring sweep over its twin in the other half
/// of the memory: where one overtakes the other, both write in one cycle.
fn two_halves() -> BoardStimulus {
    let ring = |i: u8| BoardFrame { salt: i.wrapping_mul(0x21), ..frame(1, 0, 0x2041, 1000) };
    let mut host = set_up(3000, 30, 100_000, 1, false);
    host.extend((0..4).flat_map(|_| block(0x40, 255)));
    BoardStimulus { link: events((0..12).map(ring), 14), ..run(4000, None, host) }
}

/// The ready of the channel on which no answer is due goes up and down.
fn restless() -> BoardStimulus {
    let both = |i: u32| {
        let late = (i % 4).to_le_bytes()[0];
        let [put, get] = [write(WINDOW | (4 * i), i), read(WINDOW | (4 * i))];
        [put, get].map(|access| HostAccess { late, ..access })
    };
    let host = quiet().into_iter().chain((0..60).flat_map(both)).collect();
    BoardStimulus { restless: true, noise: 0x2468_ace1, ..run(1500, Some(20), host) }
}

/// All of them, with names and requirements.
#[must_use]
pub fn runs() -> Vec<(&'static str, &'static [&'static str], BoardStimulus)> {
    vec![
        ("one_bit_apart_host", &["HST-4", "WRT-1"], of_the_host()),
        ("each_strobe", &["WRT-2"], of_the_strobes()),
        ("one_bit_apart_ring", &["RCV-4"], of_the_ring()),
        ("one_bit_apart_registers", &["HST-2", "HST-3"], of_the_registers()),
        ("one_bit_apart_sources", &["RCV-1"], of_the_sources()),
        ("two_halves_of_the_memory", &["HST-4", "RCV-6"], two_halves()),
        ("restless_ready", &["HST-1"], restless()),
    ]
}
