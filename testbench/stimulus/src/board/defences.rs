// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of a board, each for one defence: injected bugs in these defences survived all other runs.

use crate::board::parts::{WINDOW, after, block, events, frame, read, run, set_up, signal, write};
use crate::board::stimulus::{BoardEvent, BoardFrame, BoardStimulus};
use crate::ends::OWN;
use awgstar::contract::{Interrupt, board as map};
use awgstar::quantity::Cycle;

/// Cycles from the board back to it: what is in flight can be met by a frame of the environment.
const ROUND: u16 = 400;

/// One word waits for sync, which returns around cycle 480, and then for the token, which is put on
/// the link in cycle 100 and arrives again in 520. So data, and a `sent` signal after it, are in
/// flight from 570 to 920, and `frames` arrive from 650 on, as if they were the board's own.
pub fn in_flight(frames: impl IntoIterator<Item = BoardFrame>, with_signal: bool) -> BoardStimulus {
    let mut host = set_up(3000, 3, 100_000, 1, true);
    host.push(write(WINDOW | 0x40, 0x0102_0304));
    if with_signal {
        host.push(write(map::SIGNAL_SEND.offset, signal(5, 3, 0, 0, 4, 1)));
    }
    let own = frames.into_iter().map(|f| BoardFrame { source: OWN, node_id: 0, ..f });
    let mut link = vec![BoardEvent { gap: 100, frame: frame(0, 0, 0, 0) }];
    link.extend(events(own, 30));
    link[1].gap = 520;
    BoardStimulus { link, ..run(1900, Some(ROUND), host) }
}

/// A heartbeat is on offer, after a data frame that is being sent, when a signal joins it.
pub fn heartbeat_before_a_signal() -> BoardStimulus {
    let mut host = set_up(3000, 30, 60, 2, true);
    // The board of Node_ID 5 is monitor after 10 periods.
    host.push(after(800, write(map::FLUSH.offset, 0)));
    for gap in [10, 20, 30, 40, 50, 60] {
        host.extend(block(0, 64));
        host.push(write(map::FLUSH.offset, 0));
        host.push(after(gap, write(map::SIGNAL_SEND.offset, signal(5, 1, 0, 0, 4, 0))));
    }
    // Of the interrupts so far, one is cleared; no host takes a board out of the ring.
    host.push(write(map::IRQ_STATUS.offset, 1 << Interrupt::SignalDone.code()));
    host.push(write(map::CONTROL.offset, 0));
    run(5000, Some(5), host)
}

/// An entry of the sorter's table has a half for data and one for signals: data leaves the latter
/// alone, sync does not. And data that ends after address 2^32 is not at the beginning.
fn two_halves_of_an_entry() -> BoardStimulus {
    let again = || BoardFrame { skip: -1, ..frame(5, 9, 0, 4) };
    let link = [
        frame(6, 1, 0, 0),
        frame(5, 9, 0, 4),
        frame(1, 0, 0, 8),
        again(),
        frame(6, 1, 0, 0),
        again(),
        frame(1, 0, 0xffff_fff0, 64),
        frame(1, 0, 0, 8),
    ];
    BoardStimulus { link: events(link, 60), ..run(1200, None, set_up(3000, 30, 100_000, 1, true)) }
}

/// Returned are a signal with another C.ST, one with another number, and the right one broken.
fn almost_the_signal() -> BoardStimulus {
    let twins = [
        frame(5, 4, 0, 4),
        BoardFrame { skip: 1, ..frame(5, 3, 0, 4) },
        BoardFrame { flip: Some(8 * 20), ..frame(5, 3, 0, 4) },
    ];
    in_flight(twins, true)
}

/// Before its sync returns, the board receives one with another number.
fn another_sync() -> BoardStimulus {
    let sync = BoardFrame { source: OWN, node_id: OWN, skip: 1, ..frame(6, 1, 0, 0) };
    let link = vec![BoardEvent { gap: 150, frame: sync }];
    BoardStimulus { link, ..run(700, Some(ROUND), set_up(3000, 3, 100_000, 1, true)) }
}

/// A timer of 0: a signal is retransmitted before any copy has returned, from the eighth time on
/// the board is stalled, by signals alone; then the timer is set to a valid value.
fn timer_of_a_signal() -> BoardStimulus {
    let mut host = set_up(3000, 3, 100_000, 1, true);
    host.push(after(600, write(map::TIMEOUT.offset, 0)));
    host.push(write(map::SIGNAL_SEND.offset, signal(5, 3, 0, 0, 9, 0)));
    host.push(after(600, write(map::TIMEOUT.offset, 100)));
    host.push(after(500, write(map::TIMEOUT.offset, 3000)));
    run(2600, Some(300), host)
}

/// A signal is lost whole under another frame, which the board strips, and 80 data frames go on
/// without it: 64 ahead of it they must wait.
fn data_far_ahead() -> BoardStimulus {
    let mut host = set_up(30_000, 3, 100_000, 2, true);
    host.push(after(480, write(map::SIGNAL_SEND.offset, signal(5, 1, 0, 0, 0, 0))));
    host.extend((0..80).map(|i| after(if i == 0 { 200 } else { 3 }, write(WINDOW | (8 * i), i))));
    let token = |gap| BoardEvent { gap, frame: frame(0, 0, 0, 0) };
    // The signal leaves by 540 and returns from 580 to 620: under this frame, from 560 to 640.
    let cover = BoardFrame { source: OWN, node_id: 0, ..frame(3, 4, 0, 300) };
    let link = vec![token(100), BoardEvent { gap: 444, frame: cover }, token(60)];
    BoardStimulus { link, ..run(8000, Some(60), host) }
}

/// Longer than any loop here, and stripped by the board, whose own it seems to be: nothing is left.
fn wipe() -> BoardFrame {
    BoardFrame { source: OWN, node_id: 0, ..frame(3, 4, 0, 900) }
}

/// The monitor counts 0, 0, 1, 0 of 2 tokens and makes one; then 1 and 2: not short four times in a row.
fn censuses() -> BoardStimulus {
    const PERIOD: u16 = 301;
    // Board 5 is active from the tenth tick on; sync was back in cycle 210. A census takes 170 cycles.
    let behind = |n: u16, cycles: u16| 210 + (10 + n) * PERIOD + cycles;
    // A wipe must be over when the next heartbeat returns.
    let acts = [
        (behind(1, 230), frame(0, 0, 0, 0), 16),
        (behind(2, 175), wipe(), 230),
        (behind(4, 230), frame(0, 0, 0, 0), 16),
    ];
    let (mut link, mut now) = (Vec::new(), 0);
    for (at, frame, words) in acts {
        link.push(BoardEvent { gap: at - now, frame });
        now = at + words;
    }
    BoardStimulus { link, ..run(5400, Some(150), set_up(3000, 30, 300, 2, true)) }
}

/// Two tokens instead of one are counted once or twice, then there is none.
fn too_many_and_then_none() -> BoardStimulus {
    let mut link = events([frame(0, 0, 0, 0), frame(0, 0, 0, 0)], 60);
    link.push(BoardEvent { gap: 880, frame: wipe() });
    BoardStimulus { link, ..run(2600, Some(150), set_up(400, 30, 60, 1, true)) }
}

/// Two tokens instead of one, and heartbeats one after the other: the fourth census that counts two is
/// over when the next has begun, and drops a token in it.
fn a_token_dropped_in_a_census() -> BoardStimulus {
    let link = events([frame(0, 0, 0, 0), frame(0, 0, 0, 0)], 60);
    BoardStimulus { link, ..run(3500, Some(150), set_up(3000, 30, 60, 1, true)) }
}

/// A reset while a frame is being written: 600 bytes, after the 256 cycles in which the table is cleared.
fn reset_while_writing() -> BoardStimulus {
    let link = events((0..6).map(|_| frame(1, 0, 2, 600)), 30);
    let host = (0..20).map(|i| after(60, read(WINDOW | (4 * i)))).collect();
    BoardStimulus { link, resets: vec![(Cycle(340), 1), (Cycle(700), 1)], ..run(1400, None, host) }
}

/// Short frames whose count is none, more than the padding leaves room for, or that of a long one; the
/// last one is right. Nothing of the others may come into the memory.
fn false_counts() -> BoardStimulus {
    let data = |len, count| BoardFrame { count: Some(count), ..frame(1, 0, 0x40, len) };
    let wrong = [(20, 0), (20, 46), (46, 46), (46, 47), (46, 0), (20, 255)];
    let link = wrong.into_iter().map(|(len, count)| data(len, count)).chain([frame(1, 0, 0x48, 4)]);
    let mut host = set_up(3000, 30, 100_000, 1, false);
    host.extend((0..16).map(|i| after(120, read(WINDOW | (0x40 + 4 * i)))));
    BoardStimulus { link: events(link, 60), ..run(2500, None, host) }
}

/// The host fills a block word by word while frames of the ring sweep over it: where one overtakes the
/// host, both write one word in one cycle.
pub fn one_word() -> BoardStimulus {
    let ring = |i: u8| BoardFrame { salt: i.wrapping_mul(0x21), ..frame(1, 0, 0x41, 1000) };
    let link = events((0..12).map(ring), 14);
    let mut host = set_up(3000, 30, 100_000, 1, false);
    host.extend((0..4).flat_map(|_| block(0x40, 255)));
    BoardStimulus { link, ..run(4000, None, host) }
}

/// All of them.
pub fn runs() -> Vec<BoardStimulus> {
    // Number 0, as it was sent, but for a bit of its Data.
    let broken = || BoardFrame { flip: Some(8 * 20), ..frame(1, 0, 0x40, 4) };
    vec![
        in_flight([broken()], false),
        BoardStimulus { resets: vec![(Cycle(760), 1)], ..in_flight([broken()], false) },
        in_flight([frame(5, 3, 0, 4)], true),
        heartbeat_before_a_signal(),
        two_halves_of_an_entry(),
        almost_the_signal(),
        another_sync(),
        timer_of_a_signal(),
        data_far_ahead(),
        censuses(),
        too_many_and_then_none(),
        a_token_dropped_in_a_census(),
        reset_while_writing(),
        false_counts(),
        one_word(),
    ]
}
