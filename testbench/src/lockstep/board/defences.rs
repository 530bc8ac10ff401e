//! Runs of a board that ask for one defence each: planted bugs in them survived all others.

use super::{
    directed::{WINDOW, after, block, events, frame, run},
    stimulus::{BoardEvent, BoardFrame, BoardStimulus},
    strategy::{OWN, set_up, signal, write},
};
use awgstar::contract::board as map;

/// Cycles from the board back to it: what is in flight can be met by a frame of the environment.
const ROUND: u16 = 400;

/// One word waits for sync, which comes back in cycle 480 or so, and then for the token, which is put
/// on the link in cycle 100 and comes round in 520. So data, and a `sent` signal behind it, are in
/// flight from 570 to 920, and `frames` come from 650 on, as if they were the board's own.
fn in_flight(frames: impl IntoIterator<Item = BoardFrame>, with_signal: bool) -> BoardStimulus {
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

/// A heartbeat is on offer, behind a data frame that is being sent, when a signal joins it.
fn heartbeat_before_a_signal() -> BoardStimulus {
    let mut host = set_up(3000, 30, 60, 2, true);
    // The board of Node_ID 5 is monitor after 10 periods.
    host.push(after(800, write(map::FLUSH.offset, 0)));
    for gap in [10, 20, 30, 40, 50, 60] {
        host.extend(block(0, 64));
        host.push(write(map::FLUSH.offset, 0));
        host.push(after(gap, write(map::SIGNAL_SEND.offset, signal(5, 1, 0, 0, 4, 0))));
    }
    run(5000, Some(5), host)
}

/// An entry of the sorter's table has a half for data and one for signals: data leaves the latter
/// alone, sync does not. And data that ends behind address 2^32 is not at the beginning.
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

/// All of them.
pub(super) fn runs() -> Vec<BoardStimulus> {
    // Number 0, as it was sent, but for a bit of its Data.
    let broken = || BoardFrame { flip: Some(8 * 20), ..frame(1, 0, 0x40, 4) };
    vec![
        in_flight([broken()], false),
        BoardStimulus { resets: vec![(760, 1)], ..in_flight([broken()], false) },
        in_flight([frame(5, 3, 0, 4)], true),
        heartbeat_before_a_signal(),
        two_halves_of_an_entry(),
    ]
}
