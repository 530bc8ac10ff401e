// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of a board that begin just before numbers, counters and timers wrap: random ones (proptest), and one that these rarely come to.

use crate::board::parts::{WINDOW, after, run, set_up, signal, write};
use crate::board::stimulus::{BoardEvent, BoardFrame, BoardStimulus, HostAccess};
use crate::board::strategy::{Times, stimulus};
use crate::case::Case;
use crate::ends;
use crate::ends::OWN;
use crate::ends::Warm;
use crate::node::directed::Named;
use awgstar::contract::{Token, board as map};
use awgstar::quantity::Cycle;
use awgstar::rtl::Smb;
use proptest::{collection::vec, prelude::*, sample::select};

/// A time that ends soon, or so late that only a leap comes to its end.
fn time(soon: std::ops::Range<u32>) -> impl Strategy<Value = u32> {
    let power = (4u32..24, 0u32..2).prop_map(|(bits, less)| (1u32 << bits) - less);
    prop_oneof![2 => soon, 2 => power, 2 => 0x80_0000u32..0x100_0000]
}

fn far_times() -> BoxedStrategy<Times> {
    let combine = time(1..60).prop_map(|cycles| cycles & 0xffff);
    let tokens = || prop_oneof![2 => 1u32..4, 1 => 0u32..256];
    let top = || prop_oneof![1 => Just(0x80_0000u32), 3 => 0x80_0000u32..0x100_0000];
    let longest = prop_oneof![1 => Just(0x8000u32), 3 => 0x8000u32..0x1_0000];
    prop_oneof![
        (time(100..700), combine, time(60..500), tokens()),
        (top(), longest, top(), tokens()),
    ]
    .boxed()
}

prop_compose! {
    fn warm_stimulus(cycles: u64)(
        mut stimulus in stimulus(cycles, far_times()),
        ends in ends::near("smb"),
        leaps in vec((40..cycles.max(41), 0u8..6), 0..10),
        silent in prop::bool::weighted(0.15),
        busy in prop::option::weighted(0.7, (1u8..6, 1u8..8)),
        // A monitor of a lower or of a higher MAC, early.
        beat in prop::option::weighted(0.4, (10u16..80, select(vec![1u8, 1, 9]))),
        token in prop::option::weighted(0.5, 20u16..200),
    ) -> BoardStimulus {
        if ends.iter().any(|(name, _)| *name == ends::ACT_SEQ) {
            let block = (0..6).map(|i| write(WINDOW | (ends::BLOCK + 4 * i), i));
            stimulus.host.splice(..0, block);
        }
        let control = |gap, source, token, c_st| BoardEvent {
            gap,
            frame: BoardFrame { source, node_id: source, token, c_st, ..BoardFrame::default() },
        };
        let beat = beat.map(|(gap, source)| {
            control(gap, source, Token::Control.code(), map::MONITOR.c_st)
        });
        let token = token.map(|gap| control(gap, 2, Token::Free.code(), 0));
        // Some data and signals each way at once, and messages that are dropped.
        let (sent, taken) = busy.unwrap_or_default();
        let sends = (0..u32::from(sent))
            .map(|i| write(map::SIGNAL_SEND.offset, signal(5, i, 0, 0, 4 * i, 0)));
        let status = HostAccess { write: false, gap: 12, ..write(map::STATUS.offset, 0) };
        let drop = HostAccess { gap: 12, ..write(map::MAIL_POP.offset, 0) };
        let drops = (0..taken).flat_map(|_| [status, drop]);
        let words = (0..u32::from(sent)).map(|i| write(WINDOW | (64 * i), i));
        stimulus.host.splice(..0, words.chain(sends).chain(drops));
        let arrive = |source, token, c_st| {
            let frame = BoardFrame { source, token, c_st, len: 4, ..BoardFrame::default() };
            BoardEvent { gap: 6, frame }
        };
        let arrivals = (0..taken).flat_map(|i| [arrive(1, 1, 0), arrive(2, 5, i)]);
        stimulus.link.splice(..0, arrivals);
        if silent {
            stimulus.loopback = None;
        }
        stimulus.link.splice(..0, beat.into_iter().chain(token));
        let leaps = leaps.into_iter().map(|(at, before)| (Cycle(at), before)).collect();
        stimulus.warm = Warm { ends, leaps };
        stimulus.resets.clear();
        stimulus
    }
}

/// One board that begins near far ends, `cycles` at most.
pub fn warm_board(cycles: u64) -> impl Strategy<Value = Case<Smb>> {
    ((cycles / 4).max(1)..=cycles).prop_flat_map(warm_stimulus).prop_map(Case::alone)
}

/// Directed runs that begin near far ends. They move registers, so they are not for designs of others.
#[must_use]
pub fn named() -> Vec<Named<Case<Smb>>> {
    // Frames 255 and 0 are sent, and 0 alone returns: 255 is lost, though 0 is less.
    let token =
        BoardFrame { source: 2, node_id: 2, token: Token::Free.code(), ..BoardFrame::default() };
    let data = BoardFrame {
        source: OWN,
        node_id: OWN,
        token: Token::Data.code(),
        len: 4,
        ..BoardFrame::default()
    };
    let writes = [write(WINDOW, 1), after(30, write(WINDOW | 0x400, 2))];
    let stimulus = BoardStimulus {
        link: vec![
            BoardEvent { gap: 300, frame: token.clone() },
            BoardEvent { gap: 200, frame: token },
            BoardEvent { gap: 200, frame: data },
        ],
        warm: Warm { ends: vec![("synced", 0), ("frames", 255)], leaps: Vec::new() },
        ..run(1200, None, set_up(3000, 3, 100_000, 1, true).into_iter().chain(writes).collect())
    };
    vec![Named {
        name: "the_last_number_lost".to_owned(),
        requirements: vec!["ACK-3"],
        case: Case::alone(stimulus),
    }]
}
