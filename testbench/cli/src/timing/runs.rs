// SPDX-License-Identifier: MIT OR Apache-2.0
//! The runs that are drawn: one board each, whose output returns to its input.

use awgstar::contract::board as map;
use awgstar_stimulus::board::parts::{
    WINDOW, after, block, events, frame, read, run, set_up, signal, write,
};
use awgstar_stimulus::board::stimulus::{BoardEvent, BoardFrame, HostAccess};
use awgstar_stimulus::board::{BoardStimulus, defences};
use awgstar_stimulus::ends::OWN;

/// A host writes, reads back, writes with a hole in the strobe, writes a block and one word elsewhere,
/// and sends a signal after it.
pub(super) fn host() -> BoardStimulus {
    let mut host = set_up(2000, 12, 100_000, 1, true);
    let send = signal(5, 3, 0, 0, 6, 1);
    host.extend([
        after(700, write(WINDOW | 0x40, 0x1122_3344)),
        read(WINDOW | 0x40),
        HostAccess { strobe: 0b1101, ..write(WINDOW | 0x48, 0xaabb_ccdd) },
    ]);
    host.push(after(200, write(WINDOW | 0x80, 0x0000_0001)));
    host.extend(block(0x84, 2));
    host.push(write(WINDOW | 0x200, 0x0000_0002));
    host.extend([
        after(200, write(WINDOW | 0x300, 0x0000_0003)),
        write(map::SIGNAL_DATA.offset, 0x0403_0201),
        write(map::SIGNAL_DATA.offset + 4, 0x0000_0605),
        write(map::SIGNAL_SEND.offset, send),
        after(400, write(map::NODE_ID.offset, 6)),
    ]);
    let link = vec![BoardEvent { gap: 400, frame: frame(0, 0, 0, 0) }];
    BoardStimulus { link, ..run(2200, Some(30), host) }
}

/// A data frame in flight returns damaged.
pub(super) fn broken() -> BoardStimulus {
    let broken = BoardFrame { flip: Some(8 * 20), ..frame(1, 0, 0x40, 4) };
    defences::in_flight([broken], false)
}

/// A heartbeat and a signal want to leave at once.
pub(super) fn both() -> BoardStimulus {
    defences::heartbeat_before_a_signal()
}

/// A board alone becomes the monitor and makes the two tokens that it is configured for.
pub(super) fn monitor() -> BoardStimulus {
    run(4000, Some(12), set_up(900, 30, 150, 2, true))
}

/// Data at an odd address arrives, then a signal, which the host reads and drops.
pub(super) fn arrivals() -> BoardStimulus {
    let link = [
        frame(6, 1, 0, 0),
        frame(1, 0, 0x41, 7),
        BoardFrame { node_id: OWN, ..frame(3, 4, 0, 6) },
        frame(1, 0, 0x80, 4),
    ];
    let mut host = set_up(3000, 30, 100_000, 1, false);
    host.push(after(900, read(map::MAIL_DATA.offset)));
    host.push(read(map::MAIL_DATA.offset + 16));
    host.push(write(map::MAIL_POP.offset, 0));
    let mut link = events(link, 30);
    link[0].gap = 400;
    BoardStimulus { link, ..run(1400, None, host) }
}

/// Host and ring write one word in one cycle.
pub(super) fn one_word() -> BoardStimulus {
    defences::one_word()
}
