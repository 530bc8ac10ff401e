// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of a board for its FIFOs and tables at their limits: see [`crate::reached`].

use crate::board::parts::{WINDOW, after, block, frame, run, set_up, signal, write};
use crate::board::stimulus::{BoardEvent, BoardFrame, BoardStimulus};
use crate::ends::OWN;
use awgstar::contract::board as map;
use awgstar::quantity::{Cycle, narrow};

/// Frames that pass through the node until the pointers of its insertion buffer are at their ends and it is empty.
fn insertion_at_the_end() -> BoardStimulus {
    let event = |gap, len| BoardEvent { gap, frame: frame(5, 0, 0, len) };
    let link = vec![event(300, 1024), event(40, 974), event(40, 46)];
    BoardStimulus { link, ..run(1000, None, set_up(3000, 30, 100_000, 1, true)) }
}

/// The monitor issues two tokens when long frames come without a gap and two data frames wait: both go out one
/// after the other, and as the second one ends, the insertion buffer has one place left.
fn insertion_before_the_last() -> BoardStimulus {
    let mut host = set_up(5000, 3000, 200, 2, true);
    host.extend(block(0, 256).chain(block(4096, 248)).chain([write(map::FLUSH.offset, 0)]));
    let mut link: Vec<_> = [1024, 1024, 1024, 972, 1024]
        .map(|len| BoardEvent { gap: 1, frame: frame(5, 0, 0, len) })
        .into();
    link[0].gap = 2759;
    BoardStimulus { link, ..run(3900, Some(20), host) }
}

/// Signals come at intervals and are dropped at others, so that one is dropped as the next one comes; then 16
/// wait, of which the first has the last place of the memory, and a reset comes.
fn mailbox(first: u16, gap: u16) -> BoardStimulus {
    let message = |gap, i: u8| BoardEvent {
        gap,
        frame: BoardFrame { node_id: OWN, ..frame(3, i % 32, 0, 8) },
    };
    let mut link: Vec<_> = (0..31).map(|i| message(24, i)).collect();
    link[0].gap = 300;
    link.push(message(400, 31));
    link.extend((32..52).map(|i| message(8, i)));
    link.push(message(300, 52));
    let pop = |gap| after(gap, write(map::MAIL_POP.offset, 0));
    let mut host = set_up(3000, 30, 100_000, 1, true);
    host.push(pop(first));
    host.extend((0..30).map(|_| pop(gap)));
    host.push(pop(900));
    let resets = vec![(Cycle(3050), 1)];
    BoardStimulus { link, resets, ..run(3100, None, host) }
}

/// More signals than the queue holds, one after the other.
fn signals(gap: u16, timeout: u32, loopback: u16) -> BoardStimulus {
    let mut host = set_up(3000, 30, 100_000, 1, true);
    host.push(after(200, write(map::TIMEOUT.offset, timeout)));
    let send = |i: u32| write(map::SIGNAL_SEND.offset, signal(5, i % 32, 0, 0, 0, 0));
    host.extend((0..60).map(|i| after(gap, send(i))));
    run(2500, Some(loopback), host)
}

/// More frames of so many words than there is room for, one after the other.
fn frames(
    (count, words): (u32, u32),
    (gap, combine): (u16, u32),
    (timeout, loopback): (u32, u16),
    cycles: u64,
) -> BoardStimulus {
    let mut host = set_up(5000, combine, 100_000, 2, true);
    host.push(after(600, write(map::TIMEOUT.offset, timeout)));
    for i in 0..count {
        let mut all: Vec<_> = block(((i % 8) * 2 * 4 * words) & 0x3fff, words).collect();
        all[0].gap = gap;
        host.extend(all);
    }
    let tokens = [700].map(|gap| BoardEvent { gap, frame: frame(0, 0, 0, 0) });
    BoardStimulus { link: tokens.to_vec(), ..run(cycles, Some(loopback), host) }
}

/// The host writes until all words are taken, the last of them in an open frame. One token comes.
fn words(token: u16, cycles: u64, resets: Vec<(Cycle, u8)>) -> BoardStimulus {
    let host = set_up(20_000, 1500, 100_000, 1, true).into_iter().chain(block(0, 1030));
    let link = vec![BoardEvent { gap: token, frame: frame(0, 0, 0, 0) }];
    BoardStimulus { link, resets, ..run(cycles, Some(150), host.collect()) }
}

/// Free tokens on the link, each so many cycles after the one before.
fn tokens(gaps: &[u16]) -> Vec<BoardEvent> {
    gaps.iter().map(|&gap| BoardEvent { gap, frame: frame(0, 0, 0, 0) }).collect()
}

/// Frames of these lengths for the board's memory, so many cycles after one another.
fn received(lens: &[u16], gap: u16, cycles: u64) -> BoardStimulus {
    let event =
        |(i, &len)| BoardEvent { gap: if i == 0 { 320 } else { gap }, frame: frame(1, 0, 0, len) };
    let link = lens.iter().enumerate().map(event).collect();
    BoardStimulus { link, ..run(cycles, None, set_up(3000, 30, 100_000, 1, true)) }
}

/// So many frames of one word each wait for the only token; another word is written when the first returns.
fn as_one_returns(waiting: u32, token: u16, gap: u16) -> BoardStimulus {
    let mut host = set_up(5000, 2, 100_000, 1, true);
    host.extend((0..waiting).map(|i| after(6, write(WINDOW | (64 * i), i))));
    host.push(after(gap, write(WINDOW | 2048, 2)));
    BoardStimulus { link: tokens(&[token]), ..run(900, Some(40), host) }
}

/// All words are taken, 156 of them in an open frame. The first frame is lost in the time that the ring takes to
/// return it, and the second one goes out with another token: then the window goes back.
fn words_rewound(token: u16, combine: u32) -> BoardStimulus {
    let mut host = set_up(20_000, combine, 100_000, 1, true);
    host.extend(block(0, 100).chain(block(4096, 924)));
    // The ring must have been seen to be closed.
    host.insert(620, write(map::TIMEOUT.offset, 500));
    BoardStimulus { link: tokens(&[1780, token]), ..run(3600, Some(1550), host) }
}

/// The same with all frames: the first one returns as the window goes back.
fn frames_rewound() -> BoardStimulus {
    let mut host = set_up(5000, 12, 100_000, 1, true);
    for i in 0..17 {
        host.extend(block(256 * i, if i == 1 { 60 } else { 8 }));
        if i == 10 {
            host.push(write(map::TIMEOUT.offset, 100));
        }
    }
    BoardStimulus { link: tokens(&[1600, 144]), ..run(1900, Some(200), host) }
}

/// Frames of one word each, so many cycles after one another, with a token that returns at once.
fn numbers(count: u32, gap: u16, (tokens, cycles): (u32, u64)) -> BoardStimulus {
    let mut host = set_up(5000, 2, 400, tokens, true);
    host.extend((0..count).map(|i| after(gap, write(WINDOW | (64 * (i % 200)), i))));
    run(cycles, Some(5), host)
}

/// As many words as the pointers count, in frames that have each returned before the next one; then some.
fn all_words() -> BoardStimulus {
    let mut host = set_up(5000, 30, 400, 1, true);
    for i in 0..9 {
        let words = [256, 255, 9][usize::from(i > 6) + usize::from(i > 7)];
        let mut all: Vec<_> = block(1024 * (i % 8), words).collect();
        all[0].gap = 400;
        host.extend(all);
    }
    run(13_000, Some(5), host)
}

/// The window goes back, frames are closed, acknowledged and written at the limits of the two stores.
fn window() -> Vec<(String, BoardStimulus)> {
    let mut flushed = set_up(5000, 3000, 400, 1, true);
    flushed.extend(block(0, 512).chain([write(map::FLUSH.offset, 0)]));
    let mut all = vec![
        ("words_rewound".to_owned(), words_rewound(1340, 6000)),
        ("words_rewound_acknowledged".to_owned(), words_rewound(1387, 6000)),
        ("words_rewound_closed".to_owned(), words_rewound(1340, 290)),
        ("frames_rewound".to_owned(), frames_rewound()),
        ("number_255_full".to_owned(), numbers(300, 3, (2, 16_000))),
        ("number_255_empty".to_owned(), numbers(260, 50, (1, 18_000))),
        ("last_word_empty".to_owned(), all_words()),
        ("flush_after_the_last_byte".to_owned(), run(2000, Some(5), flushed)),
    ];
    all.push(("frame_returns_as_one_begins".to_owned(), as_one_returns(1, 300, 329)));
    all.push(("frame_returns_before_the_last".to_owned(), as_one_returns(15, 500, 395)));
    let host = set_up(20_000, 30, 100_000, 1, true).into_iter().chain(block(0, 4096));
    let full = BoardStimulus { link: tokens(&[3300]), ..run(15_000, Some(900), host.collect()) };
    all.push(("last_word_full".to_owned(), full));
    let host = set_up(5000, 2, 100_000, 1, true)
        .into_iter()
        .chain((0..17).map(|i| after(6, write(WINDOW | (64 * i), i))));
    let resets = vec![(Cycle(700), 1)];
    all.push((
        "reset_full_frames".to_owned(),
        BoardStimulus { resets, ..run(720, None, host.collect()) },
    ));
    all
}

/// The receive buffer, the mailbox and the signals.
fn queues() -> Vec<(String, BoardStimulus)> {
    let message = |i: u8| BoardEvent {
        gap: if i == 0 { 300 } else { 8 },
        frame: BoardFrame { node_id: OWN, ..frame(3, i, 0, 8) },
    };
    let mut drop = set_up(3000, 30, 100_000, 1, true);
    drop.push(after(666, write(map::MAIL_POP.offset, 0)));
    let link = (0..16).map(message).collect();
    let mail = BoardStimulus { link, ..run(1000, None, drop) };
    let sends = |count: u32, gap, period| {
        let mut host = set_up(3000, 30, period, 1, true);
        let send = |i| write(map::SIGNAL_SEND.offset, signal(5, i, 0, 0, 0, 0));
        host.extend((0..count).map(|i| after(gap, send(i))));
        host
    };
    let resets = vec![(Cycle(300), 1)];
    [
        ("last_word_received", received(&[1024, 1024, 1024, 1020, 46, 46], 320, 3600)),
        ("frames_received", received(&[40; 6], 10, 1400)),
        ("frames_received_of_all_words", received(&[1024, 1024, 1024, 1024, 1014, 1024], 1, 2600)),
        ("mailbox_before_the_last", mail),
        ("signals_in_turn", run(3500, Some(5), sends(20, 60, 300))),
        ("reset_full_signals", BoardStimulus { resets, ..run(320, None, sends(6, 0, 100_000)) }),
    ]
    .map(|(name, run)| (name.to_owned(), run))
    .into()
}

/// Cycle in which the last word of the first full frame is taken, one word each three cycles.
const FRAME_FULL: u64 = 802;
/// Cycle in which the last word is taken that there is room for.
const WORDS_FULL: u64 = FRAME_FULL + 3 * 768;
/// Cycles from a token on the link to the return of a frame of 1,024 bytes.
const RETURN: u64 = 425;

/// Names, requirements and runs, for a board with either port.
pub(super) fn runs() -> Vec<(String, &'static [&'static str], BoardStimulus)> {
    let mut all: Vec<(String, &'static [&'static str], _)> =
        vec![("insertion_at_the_end".to_owned(), &["NODE-8"], insertion_at_the_end())];
    all.push(("insertion_before_the_last".to_owned(), &["NODE-8"], insertion_before_the_last()));
    // The two ports take an access at different times: some runs are for one of them.
    for first in [315, 330] {
        all.push((format!("mailbox_at_limits_{first}"), &["RCV-5", "NODE-21"], mailbox(first, 40)));
    }
    for gap in [20, 23, 28, 31] {
        all.push((format!("signals_at_limits_{gap}"), &["SND-1", "SND-4"], signals(gap, 3000, 5)));
    }
    all.push(("signals_lost_while_full".to_owned(), &["SND-1"], signals(3, 100, 150)));
    for (name, cycle) in [("last_word", WORDS_FULL), ("full", WORDS_FULL + 1)] {
        let token = narrow::<u16>(cycle - RETURN);
        let run = words(token, cycle + 500, vec![]);
        all.push((format!("frame_returns_{name}"), &["WRT-3", "ACK-4"], run));
    }
    for (name, at) in [("words", WORDS_FULL + 20), ("frame", FRAME_FULL + 1)] {
        let run = words(5000, at + 60, vec![(Cycle(at), 1)]);
        all.push((format!("reset_full_{name}"), &["NODE-21"], run));
    }
    all.push((
        "frames_lost_while_full".to_owned(),
        &["ACK-3"],
        frames((60, 1), (2, 3), (40, 40), 2000),
    ));
    all.extend(window().into_iter().map(|(name, run)| (name, &["ACK-3", "ACK-4"][..], run)));
    all.extend(queues().into_iter().map(|(name, run)| (name, &["RCV-5", "SND-1"][..], run)));
    all
}
