// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of a board in which the ring and the host each go through all that they do, in rounds of lengths that
//! drift against each other: so nearly each event comes just before, with and just after each other.

use super::parts::{WINDOW, after, frame, read, run, set_up, signal, write};
use super::stimulus::{BoardEvent, BoardFrame, BoardStimulus, HostAccess};
use crate::ends::OWN;
use awgstar::contract::board as map;
use awgstar::quantity::narrow;

const BYTES: u32 = 4 << map::MEM_ADDR_W;

/// A frame for each verdict, one that is broken, a token, an orphan.
fn of_the_ring() -> Vec<BoardFrame> {
    let message = || BoardFrame { node_id: OWN, ..frame(3, 4, 0, 8) };
    vec![
        frame(1, 0, 0x103, 9),
        BoardFrame { skip: -1, ..frame(1, 0, 0x100, 8) },
        message(),
        BoardFrame { skip: 1, ..frame(1, 0, 0x100, 8) },
        BoardFrame { skip: -1, ..message() },
        frame(1, 0, BYTES - 4, 8),
        BoardFrame { source: 9, node_id: 9, ..frame(6, 2, 0, 0) },
        frame(5, 9, 0x8000_0064, 4),
        frame(5, 9, 0, 60),
        BoardFrame { flip: Some(77), ..frame(1, 0, 0, 8) },
        BoardFrame { node_id: OWN, ..frame(1, 0, 0x200, 4) },
        frame(0, 0, 0, 0),
        BoardFrame { monitor: true, ..frame(5, 7, 0, 8) },
        frame(6, 1, 0, 0),
    ]
}

/// An access of each kind: words that join and that do not, a signal of each order, what is refused.
fn of_the_host(i: u32) -> Vec<HostAccess> {
    let at = WINDOW | (0x400 + 64 * (i % 16));
    let send = |order| write(map::SIGNAL_SEND.offset, signal(5, i % 32, 0, 0, 5, order));
    vec![
        write(at, i),
        write(at | 4, i),
        write(map::FLUSH.offset, 0),
        read(at),
        write(map::SIGNAL_DATA.offset, i),
        send(i % 3),
        read(map::MAIL_DATA.offset),
        HostAccess { strobe: 0b0101, ..write(at | 32, i) },
        write(map::MAIL_POP.offset, 0),
        read(map::STATUS.offset),
        write(map::STATUS.offset, 0),
        read(WINDOW | BYTES),
    ]
}

fn phases(cycles: u64, gap: u16, pause: u16, [timeout, period]: [u32; 2]) -> BoardStimulus {
    let kinds = of_the_ring();
    let length = u64::from(gap) + 22;
    let link = (0..cycles / length)
        .zip(kinds.iter().cycle())
        .map(|(i, frame)| BoardEvent { gap: gap + narrow::<u16>(i % 5), frame: frame.clone() });
    let rounds = narrow::<u32>(cycles / 70);
    let accesses = (0..rounds).flat_map(of_the_host).zip(0_u64..);
    let host = accesses.map(|(access, i)| after(pause + narrow::<u16>(i % 7), access));
    let host = set_up(timeout, 5, period, 1, true).into_iter().chain(host).collect();
    BoardStimulus { link: link.collect(), ..run(cycles, Some(11), host) }
}

/// Gives way to another monitor each time that one is heard, and takes over when it is silent.
fn two_monitors() -> BoardStimulus {
    let mut run = phases(16_000, 17, 2, [75, 40]);
    for event in &mut run.link {
        if event.frame.source == 9 {
            (event.frame.source, event.frame.node_id) = (1, 1);
        }
    }
    run
}

/// Names, the requirements each is about, runs.
pub(super) fn runs() -> Vec<(&'static str, &'static [&'static str], BoardStimulus)> {
    vec![
        (
            "verdicts_beside_the_host",
            &["RCV-1", "RCV-5", "HST-1"],
            phases(16_000, 3, 0, [300, 400]),
        ),
        ("returns_beside_the_host", &["ACK-1", "ACK-3", "SND-1"], phases(16_000, 70, 9, [90, 131])),
        ("both_beside_the_host", &["ACK-1", "RCV-1", "MON-5"], phases(16_000, 29, 3, [60, 67])),
        ("heartbeats_beside_the_host", &["MON-1", "RCV-3"], phases(16_000, 1, 1, [200, 50])),
        ("timers_beside_the_host", &["ACK-3", "ACK-4"], phases(16_000, 41, 0, [110, 97])),
        ("two_monitors_beside_the_host", &["MON-3", "MON-5"], two_monitors()),
    ]
}
