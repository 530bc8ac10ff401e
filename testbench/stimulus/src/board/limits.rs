// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of a board for its FIFOs and tables at their limits: see [`crate::reached`].

use crate::board::directed::{after, block, frame, run};
use crate::board::stimulus::{BoardEvent, BoardFrame, BoardStimulus};
use crate::board::strategy::{OWN, set_up, signal, write};
use awgstar::contract::board as map;
use awgstar::quantity::{Cycle, narrow};

/// Frames that pass through the node until the pointers of its insertion buffer are at their ends and it is empty.
fn insertion_at_the_end() -> BoardStimulus {
    let event = |gap, len| BoardEvent { gap, frame: frame(5, 0, 0, len) };
    let link = vec![event(300, 1024), event(40, 974), event(40, 46)];
    BoardStimulus { link, ..run(1000, None, set_up(3000, 30, 100_000, 1, true)) }
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
    all
}
