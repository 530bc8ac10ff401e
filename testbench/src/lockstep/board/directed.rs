//! Runs of a board that random ones rarely come to.

use super::{
    case::BoardCase,
    stimulus::{BoardEvent, BoardFrame, BoardStimulus, HostAccess},
    strategy::{OWN, set_up, signal, write},
};
use crate::lockstep::directed::Named;
use awgstar::contract::board as map;

const WINDOW: u32 = 1 << map::WINDOW_BIT;
const BYTES: u32 = 4 << map::MEM_ADDR_W;

const fn read(addr: u32) -> HostAccess {
    HostAccess { write: false, ..write(addr, 0) }
}

const fn after(gap: u16, access: HostAccess) -> HostAccess {
    HostAccess { gap, ..access }
}

fn block(at: u32, words: u32) -> impl Iterator<Item = HostAccess> {
    (0..words).map(move |i| write(WINDOW | (at + 4 * i), i.wrapping_mul(0x0101_0101) ^ at))
}

fn run(cycles: u64, loopback: Option<u16>, host: Vec<HostAccess>) -> BoardStimulus {
    BoardStimulus { cycles, loopback, host, ..BoardStimulus::default() }
}

fn frame(token: u8, c_st: u8, addr: u32, len: u16) -> BoardFrame {
    BoardFrame { source: 1, token, c_st, node_id: 1, addr, len, ..BoardFrame::default() }
}

fn events(frames: impl IntoIterator<Item = BoardFrame>, gap: u16) -> Vec<BoardEvent> {
    frames.into_iter().map(|frame| BoardEvent { gap, frame }).collect()
}

/// Full frames, Act_Seq beyond 15, the store filled to the brim, a ring that gives nothing back.
fn of_the_host() -> Vec<BoardStimulus> {
    let mut all = Vec::new();
    // 17 full frames in a row and what is behind them: Act_Seq wraps.
    let host =
        set_up(5000, 30, 400, 2, true).into_iter().chain(block(0, 256 * 4)).chain(block(4096, 256));
    all.push(run(9000, Some(5), host.collect()));
    let long = set_up(5000, 30, 400, 3, true).into_iter().chain(block(0, 256 * 16 - 1));
    all.push(run(17000, Some(5), long.collect()));
    // Nothing comes back: the store fills, the sender stalls, writes end in SLVERR.
    let cut = set_up(60, 4, 400, 2, true)
        .into_iter()
        .chain([write(map::STATUS.offset, 0)])
        .chain(block(0, 1030))
        .chain(
            (0..8).map(|i| after(100, HostAccess { strobe: 0b0101, ..write(WINDOW | (8 * i), 7) })),
        )
        .chain([read(map::STATUS.offset), read(map::FRAMES.offset), read(map::TX_FREE.offset)]);
    all.push(run(7000, None, cut.collect()));
    // 17 small frames while nothing is sent yet: no room for another header.
    let small = set_up(300, 2, 400, 2, true).into_iter().chain(
        (0..24)
            .map(|i| after(4, HostAccess { strobe: 1 << (i % 4), ..write(WINDOW | (64 * i), i) })),
    );
    all.push(run(4000, Some(9), small.collect()));
    // More signals than there is room for, of each order, with data before them.
    for order in 0..3 {
        let send = |i: u32| {
            [
                write(WINDOW | (16 * i), i),
                write(map::SIGNAL_DATA.offset + 4 * (i % 12), i),
                write(map::SIGNAL_SEND.offset, signal(5, i, 0, 0, (7 * i) % 47, order)),
            ]
        };
        let host = set_up(900, 200, 3000, 1, true).into_iter().chain((0..12).flat_map(send));
        all.push(run(5000, Some(20), host.chain([read(map::STATUS.offset)]).collect()));
    }
    all
}

/// Sequence numbers, ranges, the mailbox and its overflow, the monitor's rules.
fn of_the_link() -> Vec<BoardStimulus> {
    let mut all = Vec::new();
    let quiet = || set_up(3000, 30, 100_000, 1, true);
    // In order, again, with a gap, from unaligned addresses, at and beyond the end.
    let mut frames = vec![frame(6, 1, 0, 0)];
    for (i, skip) in [0i8, -1, 0, 1, 0, -2, 0, 127, -128, 0].into_iter().enumerate() {
        let at = u32::try_from(i).unwrap_or(0);
        frames.push(BoardFrame {
            skip,
            ..frame(1, 0, 40 * at + at % 4, 30 + 9 * u16::try_from(at).unwrap_or(0))
        });
    }
    for len in [1, 2, 3, 4, 5, 47, 1024] {
        frames.push(frame(1, 0, BYTES - u32::from(len), len));
        frames.push(frame(1, 0, BYTES - u32::from(len) + 1, len));
        frames.push(frame(1, 0, 0x1003, len));
    }
    let link = events(frames, 20);
    all.push(BoardStimulus { link, ..run(9000, None, quiet()) });
    // 18 signals: the mailbox runs over. Then it is read, and takes more.
    let signals = (0..22).map(|i| BoardFrame {
        node_id: OWN,
        addr: 0,
        ..frame(3, i, 0, u16::from(i) * 2 + 1)
    });
    let drain = (0..18).flat_map(|i| {
        [
            after(if i == 0 { 1200 } else { 0 }, read(map::MAIL_COUNT.offset)),
            read(map::MAIL_DATA.offset),
            write(map::MAIL_POP.offset, 0),
        ]
    });
    let host = quiet().into_iter().chain(drain).collect();
    all.push(BoardStimulus { link: events(signals, 8), ..run(3000, None, host) });
    // Signals that come again, early, late, too long, numbered beyond 8 bits.
    let mut frames = vec![frame(6, 1, 0, 0), frame(1, 0, 0, 8)];
    for (mark, skip, len) in [
        (0, 0, 48),
        (1, 0, 49),
        (1, -1, 4),
        (2, 0, 4),
        (2, -1, 4),
        (129, 0, 8),
        (130, 0, 8),
        (1, 0, 47),
    ] {
        frames.push(BoardFrame { skip, ..frame(5, 9, (1 << 31) | mark, len) });
    }
    frames.push(BoardFrame { skip: -1, ..frame(5, 9, (1 << 31) | (1 << 8) | 1, 4) });
    frames.push(BoardFrame { multi_g: 1, ..frame(4, 9, 0, 4) });
    frames.push(BoardFrame { multi_g: 3, ..frame(4, 9, 0, 4) });
    all.push(BoardStimulus { link: events(frames, 10), ..run(2500, None, quiet()) });
    // Another monitor: of a lower and of a higher MAC, before and after this one became active.
    for source in [1, 9] {
        let beats = (0..12).map(|_| BoardFrame { source, node_id: source, ..frame(6, 2, 0, 0) });
        let host = set_up(900, 30, 150, 2, true);
        all.push(BoardStimulus { link: events(beats, 330), ..run(6000, Some(12), host) });
    }
    // Somebody has our Node_ID; an own frame that nobody waits for; orphans.
    let mut frames = vec![BoardFrame { node_id: OWN, ..frame(1, 0, 0, 4) }];
    frames.push(BoardFrame { source: OWN, foreign: true, node_id: OWN, ..frame(6, 2, 0, 0) });
    frames.push(BoardFrame { source: OWN, ..frame(5, 3, 0, 4) });
    frames
        .extend([1, 3, 4, 5, 6].map(|token| BoardFrame { monitor: true, ..frame(token, 7, 0, 8) }));
    all.push(BoardStimulus {
        link: events(frames, 1200),
        ..run(12000, Some(12), set_up(900, 30, 200, 1, true))
    });
    // Tokens from elsewhere: one is too many; then none.
    let tokens = (0..4).map(|_| frame(0, 0, 0, 0));
    all.push(BoardStimulus {
        link: events(tokens, 400),
        ..run(9000, Some(40), set_up(900, 30, 120, 2, true))
    });
    all
}

/// Names and the requirements each is about, in the order of the runs.
const ABOUT: &[(&str, &[&str])] = &[
    ("full_frames", &["WRT-3", "WRT-4", "ACK-1", "ACK-2"]),
    ("act_seq_wraps", &["WRT-3", "WRT-4", "ACK-2"]),
    ("nothing_comes_back", &["HST-6", "ACK-3", "ACK-5", "ACK-6"]),
    ("no_room_for_a_frame", &["WRT-1", "WRT-2", "HST-6", "MON-2"]),
    ("signals_none", &["SND-1", "SND-2", "SND-4"]),
    ("signals_sent", &["SND-1", "SND-2", "SND-3"]),
    ("signals_confirmed", &["SND-1", "SND-2"]),
    ("numbers_of_data", &["RCV-1", "RCV-2", "RCV-4"]),
    ("mailbox_overflow", &["RCV-5", "HST-3", "IRQ-1"]),
    ("signals_again_early_long", &["RCV-3", "RCV-6", "SND-4"]),
    ("monitor_of_lower_mac", &["MON-1", "MON-3", "MON-4"]),
    ("monitor_of_higher_mac", &["MON-1", "MON-3", "MON-4", "HST-5"]),
    ("same_id_strays_orphans", &["MON-6", "NODE-22", "HST-7"]),
    ("tokens_from_elsewhere", &["MON-5", "NODE-23", "NODE-24"]),
];

/// All of them, with names.
#[must_use]
pub fn named() -> Vec<Named<BoardCase>> {
    let about = ABOUT.iter().chain(std::iter::repeat(&("more", &[] as &[&str])));
    about
        .zip(cases())
        .map(|(&(name, ids), case)| Named {
            name: name.to_owned(),
            requirements: ids.to_vec(),
            case,
        })
        .collect()
}

/// All of them.
#[must_use]
pub fn cases() -> Vec<BoardCase> {
    of_the_host().into_iter().chain(of_the_link()).map(BoardCase::Board).collect()
}
