// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vectors of the receive side.

use crate::board::stimulus::BoardFrame;
use crate::vectors::board::Golden;
use crate::vectors::board::script::{BROADCAST, LONG, MULTICAST, Script, data, from, signal};
use awgstar::contract::{BoardCounter, Counter, Interrupt, board};

pub(super) fn all() -> Vec<Golden> {
    vec![
        in_order(),
        again(),
        gap(),
        unknown_source(),
        commit_after_fcs(),
        short_count(),
        unaligned(),
        beyond_the_memory(),
        mailbox(),
        for_others(),
        signal_again(),
        signal_early(),
        overflow(),
        too_long(),
    ]
}

fn in_order() -> Golden {
    let s = Script::new(430, LONG).neighbour().at(310, data(0x100, 8, 0x10));
    let s = s.at(335, data(0x108, 4, 0x30)).wait(340);
    let s = s.get(0x100, 0x1312_1110).get(0x104, 0x1716_1514).get(0x108, 0x3332_3130);
    s.counts(BoardCounter::Data, 2).golden(
        "data_in_order",
        &["RCV-1", "RCV-2", "RCV-4"],
        [
            "two data frames of a board that has said that it begins",
            "data of others does not get into the memory, or with its bytes turned round",
            "what one computer writes another does not see",
        ],
    )
}

fn again() -> Golden {
    let s = Script::new(450, LONG).neighbour().at(310, data(0x100, 4, 0x10));
    let s = s.at(335, BoardFrame { skip: -1, ..data(0x100, 4, 0x20) }).wait(350);
    let s = s.get(0x100, 0x1312_1110).counts(BoardCounter::DataAgain, 1);
    s.counts(BoardCounter::Data, 1).golden(
        "data_again",
        &["RCV-2"],
        [
            "a data frame whose number was seen before is dropped",
            "data that is sent again is written again",
            "an old value comes back over a newer one when a frame of another board was lost",
        ],
    )
}

fn gap() -> Golden {
    let s = Script::new(470, LONG).put(0x100, 0xeeee_eeee).neighbour();
    let s = s.at(310, BoardFrame { skip: 1, ..data(0x100, 4, 0x20) }).wait(320);
    let s = s.get(0x100, 0xeeee_eeee).counts(BoardCounter::DataGap, 1);
    let s = s.at(390, data(0x100, 4, 0x10)).wait(60).get(0x100, 0x1312_1110);
    s.counts(BoardCounter::Data, 1).golden(
        "data_gap",
        &["RCV-2"],
        [
            "a data frame after a missing one is dropped, the missing one is taken",
            "a receiver takes what comes, whatever is missing",
            "writes of one board take effect in another order, on some boards only",
        ],
    )
}

fn unknown_source() -> Golden {
    let numbered = |skip, salt| BoardFrame { skip, ..data(0x100, 4, salt) };
    let s = Script::new(480, LONG).at(280, numbered(5, 0x10)).at(305, numbered(7, 0x20));
    let s = s.at(330, numbered(6, 0x30)).wait(330).get(0x100, 0x3332_3130);
    let s = s.counts(BoardCounter::Data, 2).counts(BoardCounter::DataGap, 1);
    s.golden(
        "data_of_an_unknown_source",
        &["RCV-1", "RCV-2"],
        [
            "of a source that never said that it begins, any number is the first",
            "a board that joins later waits for number 0 for ever",
            "a board that was restarted sees nothing until all others are restarted too",
        ],
    )
}

fn commit_after_fcs() -> Golden {
    let bad = BoardFrame { flip: Some(130), ..data(0x100, 4, 0x10) };
    let s = Script::new(470, LONG).put(0x100, 0x5555_5555).neighbour().at(310, bad).wait(320);
    let s = s.get(0x100, 0x5555_5555).counts(Counter::BadFcs, 1).counts(BoardCounter::Data, 0);
    let s = s.at(390, data(0x100, 4, 0x10)).wait(60).get(0x100, 0x1312_1110);
    s.counts(BoardCounter::Data, 1).golden(
        "commit_after_fcs",
        &["RCV-2", "RCV-4", "NODE-17"],
        [
            "data with a bit error does not get into the memory; sent again, it does",
            "words are written before the FCS is known",
            "a bit error on the fibre changes the memory of every board downstream",
        ],
    )
}

fn short_count() -> Golden {
    let s = Script::new(420, LONG).put(0x100, 0xffff_ffff).put(0x104, 0xffff_ffff).neighbour();
    let s = s.at(310, data(0x101, 2, 0x10)).wait(310).get(0x100, 0xff11_10ff);
    s.get(0x104, 0xffff_ffff).golden(
        "short_count",
        &["RCV-4", "WRT-2", "FRM-6"],
        [
            "of a short frame only the bytes that its count says are written",
            "pad and count get into the memory",
            "a write of two bytes overwrites the 44 after them on every other board",
        ],
    )
}

fn unaligned() -> Golden {
    let s = Script::new(420, LONG).put(0x100, 0xffff_ffff).put(0x104, 0xffff_ffff).neighbour();
    let s = s.at(310, data(0x103, 3, 0x10)).wait(310).get(0x100, 0x10ff_ffff);
    s.get(0x104, 0xffff_1211).golden(
        "data_unaligned",
        &["RCV-4"],
        [
            "data that begins in the last byte of a word",
            "data is moved to a word boundary, or its neighbours are written too",
            "structures with odd offsets arrive shifted by up to three bytes",
        ],
    )
}

fn beyond_the_memory() -> Golden {
    let s = Script::new(460, LONG).put(0x3ffc, 0x0102_0304).neighbour();
    let s = s.at(310, data(0x3ffe, 4, 0x10)).at(335, data(0x100, 4, 0x20)).wait(340);
    let s = s.get(0x3ffc, 0x0102_0304).get(0x100, 0x2322_2120);
    let s = s.counts(BoardCounter::DataRange, 1).counts(BoardCounter::Data, 1);
    s.is(&board::IRQ_STATUS, 1 << Interrupt::DataRange.code()).golden(
        "data_beyond_the_memory",
        &["RCV-4", "IRQ-1"],
        [
            "data that ends beyond the memory is dropped whole; the next frame is taken",
            "addresses wrap, or a dropped frame holds up its source",
            "a board with more memory writes into the first page of those with less",
        ],
    )
}

fn mailbox() -> Golden {
    let mail = 1 << Interrupt::Mail.code();
    let s =
        Script::new(470, LONG).set(&board::IRQ_ENABLE, mail).neighbour().at(310, signal(9, 0xa0));
    let s = s.wait(340).is(&board::IRQ_STATUS, mail).is(&board::MAIL_COUNT, 1);
    // TOKEN 011, C.ST 9, Node_ID 5; MAC; its end and the length; Addr; Data.
    let s = s.word(&board::MAIL_DATA, 0, 0x6905_0000).word(&board::MAIL_DATA, 1, 0x0253_4d42);
    let s = s.word(&board::MAIL_DATA, 2, 0x0001_002e).word(&board::MAIL_DATA, 3, 0);
    let s = s.word(&board::MAIL_DATA, 4, 0xa3a2_a1a0).word(&board::MAIL_DATA, 5, 0);
    let s = s.set(&board::MAIL_POP, 0).is(&board::MAIL_COUNT, 0).set(&board::IRQ_STATUS, mail);
    s.is(&board::IRQ_STATUS, 0).golden(
        "mailbox",
        &["RCV-5", "IRQ-1", "HST-3"],
        [
            "a signal raises irq and stands in the mailbox, word by word",
            "a message whose words are in another order, or an interrupt before it is complete",
            "firmware of two makers reads another sender, or a message of zeros",
        ],
    )
}

fn for_others() -> Golden {
    let group = |multi_g, salt| BoardFrame { multi_g, len: 4, salt, ..from(1, MULTICAST) };
    let s = Script::new(500, LONG).neighbour().at(310, BoardFrame { node_id: 7, ..signal(9, 1) });
    let s = s.at(335, group(1, 2)).at(360, group(3, 3));
    let s = s.at(385, BoardFrame { len: 4, salt: 4, ..from(1, BROADCAST) }).wait(420);
    let s = s.is(&board::MAIL_COUNT, 2).word(&board::MAIL_DATA, 4, 0x0504_0302);
    let s = s.set(&board::MAIL_POP, 0).wait(2).word(&board::MAIL_DATA, 4, 0x0706_0504);
    s.golden(
        "signals_for_others",
        &["NODE-16", "RCV-5"],
        [
            "of signals to another board, to two groups and to all, two are for this one",
            "a signal to somebody else is taken, or one to a group is not",
            "two boards believe that they hold one lock",
        ],
    )
}

fn signal_again() -> Golden {
    let old = |skip| BoardFrame { skip, ..signal(9, 0x20) };
    let s = Script::new(500, LONG).neighbour().at(310, signal(9, 0x10)).at(335, signal(9, 0x18));
    let s = s.at(360, old(-1)).at(385, old(-2)).wait(390);
    let s = s.is(&board::MAIL_COUNT, 2).counts(BoardCounter::SignalAgain, 2);
    s.word(&board::MAIL_DATA, 4, 0x1312_1110).golden(
        "signal_again",
        &["RCV-3", "SND-4"],
        [
            "a signal with the last number, and one with an older number, are dropped",
            "a signal that is sent again is taken again",
            "a barrier counts one board twice and opens too early",
        ],
    )
}

fn signal_early() -> Golden {
    let behind = |skip| BoardFrame { addr: 1 << 31 | 1, skip, ..signal(9, 0x40) };
    let s = Script::new(500, LONG).neighbour().at(310, behind(0)).wait(330);
    let s = s.is(&board::MAIL_COUNT, 0).counts(BoardCounter::SignalEarly, 1);
    let s = s.at(380, data(0x100, 4, 0x10)).at(405, behind(-1)).wait(100);
    s.is(&board::MAIL_COUNT, 1).get(0x100, 0x1312_1110).golden(
        "signal_early",
        &["RCV-3", "RCV-6", "SND-3"],
        [
            "a `sent` signal whose data is missing is dropped; after the data it is taken",
            "a signal is taken although the data before it is not here",
            "a program is told that a block is there, and reads the old one",
        ],
    )
}

fn overflow() -> Golden {
    let full = 1 << Interrupt::Mail.code() | 1 << Interrupt::MailFull.code();
    let s = (0..17u8).fold(Script::new(770, LONG).neighbour(), |s, n| s.at(310, signal(n, n)));
    let s = s.wait(590).is(&board::MAIL_COUNT, 16).counts(BoardCounter::MailFull, 1);
    let s = s.is(&board::IRQ_STATUS, full).word(&board::MAIL_DATA, 4, 0x0302_0100);
    let s = s.set(&board::MAIL_POP, 0).at(680, signal(20, 0x50)).wait(100);
    let s = s.is(&board::MAIL_COUNT, 16).word(&board::MAIL_DATA, 4, 0x0403_0201);
    s.counts(BoardCounter::MailFull, 1).golden(
        "mailbox_overflow",
        &["RCV-5", "IRQ-1"],
        [
            "of 17 signals the last finds no room and is told; with room there is one more",
            "the seventeenth message overwrites the first",
            "a host that was busy for a while reads half of one message and half of another",
        ],
    )
}

fn too_long() -> Golden {
    let long = BoardFrame { len: 49, ..signal(9, 0x10) };
    let s = Script::new(430, LONG).neighbour().at(310, long).at(340, signal(9, 0x60)).wait(350);
    let s = s.counts(BoardCounter::SignalLong, 1).is(&board::MAIL_COUNT, 1);
    s.word(&board::MAIL_DATA, 4, 0x6362_6160).golden(
        "signal_too_long",
        &["RCV-5"],
        [
            "a signal of 49 bytes is dropped; the next one is taken",
            "a long signal writes beyond its message",
            "one board with other firmware destroys the messages of all",
        ],
    )
}
