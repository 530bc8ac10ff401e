// SPDX-License-Identifier: MIT OR Apache-2.0
//! The monitor: takeover, stepping back, tokens, orphans, doubles.

use crate::board::stimulus::BoardFrame;
use crate::ends::OWN;
use crate::vectors::board::Golden;
use crate::vectors::board::script::{BROADCAST, LONG, Script, data, from, heartbeat};
use awgstar::contract::{BoardCounter, Counter, Interrupt, board};

pub(super) fn all() -> Vec<Golden> {
    vec![takes_over(), steps_back(), makes_tokens(), drops_tokens(), orphan(), same_id()]
}

/// Node_ID 5: 9 periods of 41 cycles without a heartbeat make 369.
fn standby(cycles: u64) -> Script {
    Script::with_period(cycles, LONG, 40)
}

fn takes_over() -> Golden {
    let s = standby(1150).synced().at(300, heartbeat(1)).at(600, heartbeat(1)).wait(850);
    let s = s.is(&board::STATUS, 1).wait(200).is(&board::STATUS, 3);
    s.is(&board::IRQ_STATUS, 1 << Interrupt::Role.code()).golden(
        "monitor_takes_over",
        &["MON-1", "MON-3", "IRQ-1"],
        [
            "heartbeats keep the board standby; 9 periods after the last one it is the monitor",
            "no standby takes over, or one does while the monitor is alive",
            "the ring stops with the first computer that is switched off",
        ],
    )
}

fn steps_back() -> Golden {
    let role = 1 << Interrupt::Role.code();
    let s = standby(760).synced().wait(520).is(&board::STATUS, 3).set(&board::IRQ_STATUS, 0x1ff);
    let s = s.at(600, heartbeat(9)).wait(80).is(&board::STATUS, 3).is(&board::IRQ_STATUS, 0);
    let s = s.at(680, heartbeat(1)).wait(70).is(&board::STATUS, 1);
    s.is(&board::IRQ_STATUS, role).golden(
        "monitor_steps_back",
        &["MON-4", "MON-1", "IRQ-1"],
        [
            "of two monitors the one with the higher MAC steps back",
            "both stay, or both step back",
            "two monitors make two sets of tokens, or a ring is without one for a while again and again",
        ],
    )
}

fn makes_tokens() -> Golden {
    let s = Script::with_period(1120, LONG, 60).looped(12).wait(900);
    let s = s.is(&board::STATUS, 3).counts(BoardCounter::TokenAdded, 1);
    let s = s.put(0x40, 5).wait(120).is(&board::FRAMES, 0x01_0101);
    s.counts(Counter::DataSent, 1).golden(
        "monitor_makes_tokens",
        &["MON-5", "MON-3", "NODE-13"],
        [
            "a monitor that counts no token four times makes one, and data flows",
            "tokens that are lost stay lost",
            "one bit error in a token stops all writes for ever",
        ],
    )
}

fn drops_tokens() -> Golden {
    // Long enough for two tokens and a heartbeat: else some wait at the monitor, and no census counts.
    let s = Script::with_period(2900, LONG, 40).looped(150).wait(600).set(&board::PERIOD, 200);
    let s = s.wait(1000).counts(BoardCounter::TokenAdded, 1).token(1720).wait(1130);
    let s = s.counts(BoardCounter::TokenRemoved, 1).counts(BoardCounter::TokenAdded, 1);
    s.golden(
        "monitor_drops_tokens",
        &["MON-5", "NODE-23", "NODE-24"],
        [
            "a token too many, counted four times, is dropped",
            "doubled tokens stay",
            "a ring collects tokens until every node passes nothing else",
        ],
    )
}

fn orphan() -> Golden {
    let lost = BoardFrame { monitor: true, len: 4, ..from(1, BROADCAST) };
    let s = standby(660).synced().wait(520).is(&board::STATUS, 3);
    let s = s.at(600, lost).wait(80).counts(BoardCounter::Orphan, 1);
    s.golden(
        "monitor_absorbs_orphans",
        &["NODE-22", "MON-6"],
        [
            "a frame that passes the monitor for the second time goes no further",
            "a frame whose source is gone goes round for ever",
            "every board that dies leaves a frame that takes its share of the ring away",
        ],
    )
}

fn same_id() -> Golden {
    let double = BoardFrame { node_id: OWN, ..data(0x100, 4, 0x10) };
    let s = Script::new(430, LONG).neighbour().at(310, double).wait(320);
    s.is(&board::IRQ_STATUS, 1 << Interrupt::SameId.code()).golden(
        "same_node_id",
        &["MON-6", "HST-5", "IRQ-1"],
        [
            "data of another board with this board's Node_ID is reported",
            "two boards with one Node_ID are not told",
            "writes vanish and no log says why",
        ],
    )
}
