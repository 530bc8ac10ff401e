// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals of the host: their order, their returns.

use crate::board::parts::write;
use crate::board::stimulus::BoardFrame;
use crate::vectors::board::Golden;
use crate::vectors::board::script::{BROADCAST, LONG, P2P, Script, echo, own};
use awgstar::contract::{BoardCounter, Counter, Interrupt, Order, board};

const NONE: u32 = Order::None.code() as u32;
const SENT: u32 = Order::Sent.code() as u32;
const CONFIRMED: u32 = Order::Confirmed.code() as u32;

pub(super) fn all() -> Vec<Golden> {
    vec![
        order_none(),
        order_sent(),
        order_confirmed(),
        lost(),
        comes_back_bad(),
        four_wait(),
        stalled(),
    ]
}

/// The signal with this number, as it returns.
fn back(c_st: u8) -> BoardFrame {
    BoardFrame { c_st, node_id: 0, len: 4, ..own(BROADCAST) }
}

fn order_none() -> Golden {
    let s = Script::new(240, LONG).put(0x40, 1).send(BROADCAST, 9, NONE, 7).synced().wait(90);
    // `sync` and the signal.
    let s = s.counts(Counter::SignalSent, 2).counts(Counter::DataSent, 0).is(&board::STATUS, 0x19);
    let s = s.at(180, back(9)).wait(75).is(&board::STATUS, 0x09);
    s.is(&board::IRQ_STATUS, 1 << Interrupt::SignalDone.code()).golden(
        "order_none",
        &["SND-1", "SND-2", "SND-4", "IRQ-1"],
        [
            "a signal without order leaves before data that waits for a token",
            "every signal waits for data",
            "a lock request waits for a large copy, although it has nothing to do with it",
        ],
    )
}

fn order_sent() -> Golden {
    let s = Script::new(500, LONG).put(0x40, 1).send(BROADCAST, 9, SENT, 7).synced().wait(60);
    let s = s.counts(Counter::SignalSent, 1).token(150).wait(80).counts(Counter::SignalSent, 2);
    // It returns before the data: a receiver may have missed the data.
    let s = s.at(250, back(9)).at(280, echo(4)).wait(130).is(&board::STATUS, 0x11);
    let s = s.at(370, BoardFrame { skip: -1, ..back(9) }).wait(90).is(&board::STATUS, 1);
    s.counts(BoardCounter::SignalResend, 1).golden(
        "order_sent",
        &["SND-2", "SND-3"],
        [
            "a `sent` signal leaves after the data; if it returns before the data, it is sent again",
            "the signal leaves first, or counts although its data has not come back",
            "a receiver is told of a block that it does not have",
        ],
    )
}

fn order_confirmed() -> Golden {
    let s =
        Script::new(370, LONG).put(0x40, 1).send(BROADCAST, 9, CONFIRMED, 7).synced().token(130);
    let s = s.wait(150).counts(Counter::DataSent, 1).counts(Counter::SignalSent, 1);
    let s = s.at(230, echo(4)).wait(80).counts(Counter::SignalSent, 2).is(&board::STATUS, 0x11);
    s.at(330, back(9)).wait(80).is(&board::STATUS, 1).golden(
        "order_confirmed",
        &["SND-2"],
        [
            "a `confirmed` signal leaves when the data has come back good",
            "the signal leaves when the data has been sent only",
            "a barrier opens while one board still lacks the last write",
        ],
    )
}

fn lost() -> Golden {
    let s = Script::new(390, 150).send(P2P, 9, NONE, 7).synced().wait(250);
    let s = s.counts(BoardCounter::SignalResend, 1).is(&board::STATUS, 0x11);
    let s = s.at(330, BoardFrame { token: P2P, ..back(9) }).wait(80);
    s.is(&board::STATUS, 1).counts(Counter::SignalSent, 3).golden(
        "signal_lost",
        &["SND-1"],
        [
            "a signal does not come back within TIMEOUT and is sent again",
            "a signal is sent once, whatever becomes of it",
            "a lock is never granted because one frame was lost",
        ],
    )
}

fn comes_back_bad() -> Golden {
    let bad = BoardFrame { flip: Some(150), ..back(9) };
    let s =
        Script::new(330, LONG).send(BROADCAST, 9, NONE, 7).synced().at(150, bad).at(230, back(9));
    let s = s.wait(230).counts(BoardCounter::SignalResend, 1).counts(Counter::ReturnedBad, 1);
    s.is(&board::STATUS, 1).golden(
        "signal_comes_back_bad",
        &["SND-1"],
        [
            "a signal comes back with a wrong FCS and is sent again",
            "a bad return counts",
            "a board downstream of the bit error never hears of the barrier",
        ],
    )
}

fn four_wait() -> Golden {
    let s = (0..4).fold(Script::new(170, LONG), |s, n| s.send(P2P, n, NONE, n));
    let s = s.is(&board::STATUS, 0x30).refused(write(board::SIGNAL_DATA.offset, 9));
    s.refused(write(board::SIGNAL_SEND.offset, u32::from(P2P))).is(&board::STATUS, 0x30).golden(
        "four_signals_wait",
        &["SND-1", "HST-3"],
        [
            "the fifth signal that waits is refused",
            "a fifth signal takes the place of the first",
            "signals are lost under load, and nobody is told",
        ],
    )
}

fn stalled() -> Golden {
    let bit = 1 << Interrupt::Stalled.code();
    let s = Script::new(1000, 60).set(&board::IRQ_ENABLE, bit).send(BROADCAST, 9, NONE, 7).synced();
    let s = s.wait(300).is(&board::STATUS, 0x11).is(&board::IRQ_STATUS, 0).wait(450);
    let s = s.is(&board::STATUS, 0x15).is(&board::IRQ_STATUS, bit).at(930, back(9)).wait(160);
    s.is(&board::STATUS, 1).golden(
        "stalled",
        &["ACK-6", "SND-1", "IRQ-1"],
        [
            "8 timeouts in a row are told; the board goes on, and a return ends it",
            "a board gives up, or never says that nothing comes back",
            "a cut fibre is found by users, not by the driver",
        ],
    )
}
