// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data: frames, returns, sending again.

use crate::board::stimulus::BoardFrame;
use crate::vectors::board::Golden;
use crate::vectors::board::script::{LONG, Script, echo};
use awgstar::contract::{BoardCounter, Counter, Interrupt, board};

pub(super) fn all() -> Vec<Golden> {
    vec![
        combining(),
        flush(),
        a_frame_and_back(),
        sync_first(),
        comes_back_bad(),
        comes_back_out_of_order(),
        does_not_come_back(),
        comes_back_twice(),
    ]
}

fn combining() -> Golden {
    let s = Script::new(170, LONG).put(0x40, 1).put(0x44, 2).wait(10).is(&board::FRAMES, 0x01_0000);
    let s = s.put(0x50, 3).put(0x58, 4).wait(10).is(&board::FRAMES, 0x03_0000);
    let s = s.put(0x5c, 5).wait(10).is(&board::FRAMES, 0x04_0000).is(&board::TX_FREE, 1019);
    s.golden(
        "combining",
        &["WRT-3", "ACK-2"],
        [
            "words that follow each other are one frame, others are not; COMBINE ends one",
            "words that do not follow each other go into one frame, or each into its own",
            "data lands at wrong addresses, or a ring carries a tenth of what it could",
        ],
    )
}

fn flush() -> Golden {
    let s = Script::new(120, LONG).set(&board::COMBINE, 1000).put(0x40, 1).wait(10);
    let s = s.is(&board::FRAMES, 0).set(&board::FLUSH, 0).wait(3).is(&board::FRAMES, 0x01_0000);
    s.golden(
        "flush",
        &["WRT-3"],
        [
            "FLUSH closes the frame under way",
            "FLUSH does nothing, or waits for COMBINE too",
            "a program that waits for its data to be everywhere waits for ever",
        ],
    )
}

/// A board that has written 8 bytes, is known, and is given a token in cycle 130.
fn one_frame(cycles: u64, timeout: u32) -> Script {
    Script::new(cycles, timeout).put(0x40, 1).put(0x44, 2).synced().token(130)
}

fn a_frame_and_back() -> Golden {
    let s = one_frame(290, LONG).wait(130).is(&board::STATUS, 9).is(&board::FRAMES, 0x01_0100);
    let s = s.at(210, echo(8)).wait(70).is(&board::STATUS, 1).is(&board::FRAMES, 0x01_0101);
    let s = s.counts(Counter::DataSent, 1).counts(Counter::ReturnedGood, 2);
    let s = s.counts(Counter::FreeSent, 1).is(&board::TX_FREE, 1024);
    s.golden(
        "a_frame_and_back",
        &["ACK-1", "ACK-2", "WRT-3"],
        [
            "data takes a free token, comes back good, and the token goes on",
            "data does not leave, or its return is not known, or the token is kept",
            "nothing of what is written arrives, or the ring stops after the first write",
        ],
    )
}

fn sync_first() -> Golden {
    let s = Script::new(370, LONG).put(0x40, 1).token(70).wait(120);
    let s = s.counts(Counter::DataSent, 0).is(&board::STATUS, 8);
    let s = s.at(200, BoardFrame { token: 6, c_st: 1, ..echo(0) }).token(230).wait(120);
    s.counts(Counter::DataSent, 1).is(&board::STATUS, 9).golden(
        "sync_first",
        &["MON-2"],
        [
            "no data leaves before the board's sync has come back, token or not",
            "data leaves before all boards know that its numbers begin at 0",
            "after one board restarts, the others drop what it writes, or take old data for new",
        ],
    )
}

fn comes_back_bad() -> Golden {
    let bad = BoardFrame { flip: Some(200), ..echo(8) };
    let s = one_frame(370, LONG).at(210, bad).at(290, echo(8)).wait(290);
    let s = s.counts(BoardCounter::Rewound, 1).counts(Counter::ReturnedBad, 1);
    let s = s.counts(Counter::DataSent, 2).counts(BoardCounter::Timeout, 0);
    s.is(&board::FRAMES, 0x01_0101).golden(
        "comes_back_bad",
        &["ACK-3", "ACK-5"],
        [
            "a frame comes back with a wrong FCS and is sent again",
            "a bad return counts as an acknowledgement, or nothing is sent again",
            "after a bit error some replicas lack the write for ever, and nobody knows",
        ],
    )
}

fn comes_back_out_of_order() -> Golden {
    let s = Script::new(490, LONG).put(0x40, 1).wait(10).put(0x80, 2).synced();
    let s = s.token(130).token(170).at(230, BoardFrame { skip: 1, ..echo(4) }).token(290);
    let s = s.at(350, echo(4)).at(380, echo(4)).wait(360);
    let s = s.counts(BoardCounter::Rewound, 1).counts(Counter::DataSent, 4);
    s.is(&board::FRAMES, 0x02_0202).is(&board::STATUS, 1).golden(
        "comes_back_out_of_order",
        &["ACK-3", "ACK-4"],
        [
            "the second of two frames comes back first: both are sent again",
            "a return counts for the oldest frame, whatever its number",
            "a lost frame is taken for acknowledged when the next one comes back",
        ],
    )
}

fn does_not_come_back() -> Golden {
    let s = one_frame(520, 150).wait(290).counts(BoardCounter::Timeout, 1);
    let s = s.counts(BoardCounter::Rewound, 1).is(&board::FRAMES, 0x01_0000);
    let s = s.token(370).at(430, echo(8)).wait(130).is(&board::FRAMES, 0x01_0101);
    s.counts(Counter::DataSent, 2).golden(
        "does_not_come_back",
        &["ACK-3", "ACK-5"],
        [
            "a frame does not come back within TIMEOUT and is sent again",
            "no timeout, or one that gives up",
            "a frame lost on the fibre is lost for ever, and the host waits for it",
        ],
    )
}

fn comes_back_twice() -> Golden {
    let again = BoardFrame { skip: -1, ..echo(8) };
    let s = one_frame(350, LONG).at(210, echo(8)).at(250, again).wait(250);
    let s = s.is(&board::FRAMES, 0x01_0101).counts(BoardCounter::Stray, 1);
    let s = s.is(&board::IRQ_STATUS, 1 << Interrupt::Stray.code());
    s.counts(BoardCounter::Rewound, 0).golden(
        "comes_back_twice",
        &["ACK-4", "MON-6", "IRQ-1"],
        [
            "a late copy of a frame that was acknowledged already",
            "a late copy acknowledges the next frame, or begins another round of sending again",
            "after one timeout that was too short the board sends everything twice for ever",
        ],
    )
}
