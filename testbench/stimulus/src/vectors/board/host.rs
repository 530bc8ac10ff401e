// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host port.

use crate::board::parts::write;
use crate::board::stimulus::HostAccess;
use crate::vectors::board::Golden;
use crate::vectors::board::script::{LONG, Script, WINDOW};
use awgstar::contract::board;
use awgstar::quantity::ByteAddress;

pub(super) fn all() -> Vec<Golden> {
    vec![after_reset(), own_replica(), strobes(), channels(), refused()]
}

fn after_reset() -> Golden {
    let s = Script::bare(120)
        .is(&board::ID, 0x4157_4753)
        .is(&board::VERSION, 1)
        .is(&board::CONTROL, 0)
        .is(&board::STATUS, 0)
        .is(&board::PREFIX_LOW, 0x534d_4200)
        .is(&board::PREFIX_HIGH, 2)
        .is(&board::NODE_ID, 0)
        .is(&board::TOKENS, 1)
        .is(&board::TIMEOUT, 0xffff)
        .is(&board::COMBINE, 64)
        .is(&board::PERIOD, 0x3fff)
        .is(&board::TX_FREE, 1024)
        .is(&board::FRAMES, 0)
        .is(&board::MAIL_COUNT, 0)
        .is(&board::MEM_SIZE, 0x4000);
    s.golden(
        "after_reset",
        &["HST-1", "HST-3", "HST-5"],
        [
            "registers after a reset",
            "a register with another address or another value after reset",
            "a driver does not find the board, or believes in more memory than there is",
        ],
    )
}

fn own_replica() -> Golden {
    let s = Script::new(110, LONG).put(0x40, 0x1122_3344).put(0x44, 0x5566_7788);
    let s = s.get(0x40, 0x1122_3344).get(0x44, 0x5566_7788).wait(10);
    s.is(&board::FRAMES, 0x0001_0000).is(&board::STATUS, 8).golden(
        "own_replica",
        &["HST-2", "HST-4", "WRT-1", "WRT-3"],
        [
            "two words are written and read back before the ring knows the board",
            "what a host writes is not in its own replica until it has gone round",
            "a program reads an old value after its own write",
        ],
    )
}

fn strobes() -> Golden {
    let s = Script::new(160, LONG)
        .put(0x40, 0xffff_ffff)
        .lanes(0x40, 0x1111_11aa, 0b0001)
        .get(0x40, 0xffff_ffaa)
        .lanes(0x40, 0x11bb_cc11, 0b0110)
        .get(0x40, 0xffbb_ccaa)
        .lanes(0x40, 0xdd11_1111, 0b1000)
        .get(0x40, 0xddbb_ccaa)
        .put(0x44, 0)
        .lanes(0x44, 0x4433_2211, 0b0101)
        .get(0x44, 0x0033_0011)
        .lanes(0x44, 0x8877_6655, 0b1011)
        .get(0x44, 0x8833_6655)
        .lanes(0x44, 0x9999_9999, 0)
        .get(0x44, 0x8833_6655);
    s.golden(
        "strobes",
        &["WRT-1", "WRT-2", "HST-2"],
        [
            "bytes of a word, in one run and in two",
            "a strobe of two runs is taken for one, or lanes are moved",
            "a byte write changes its neighbours on every board",
        ],
    )
}

fn channels() -> Golden {
    let s = Script::new(150, LONG);
    let early = HostAccess { skew: 3, ..write(WINDOW | 0x40, 0x0123_4567) };
    let late = HostAccess { skew: -3, ..write(WINDOW | 0x44, 0x89ab_cdef) };
    let slow = HostAccess { late: 3, ..write(WINDOW | 0x48, 0x7654_3210) };
    let s = s.raw(early).raw(late).raw(slow);
    s.get(0x40, 0x0123_4567).get(0x44, 0x89ab_cdef).get(0x48, 0x7654_3210).golden(
        "channels",
        &["HST-1", "HST-6"],
        [
            "address before data, data before address, an answer taken late",
            "address and data must come in one cycle, or an answer does not wait",
            "the bus hangs with one interconnect and not with another",
        ],
    )
}

fn refused() -> Golden {
    let reg = |register: &board::Register, data: u32| write(register.offset, data);
    let read = |addr| HostAccess { write: false, ..write(addr, 0) };
    let send = |token: u32, len: u32, order: u32| {
        reg(&board::SIGNAL_SEND, token | len << 20 | order << 26)
    };
    let all = [
        read(ByteAddress(0x054)),
        read(board::FLUSH.offset),
        reg(&board::ID, 0),
        HostAccess { strobe: 0b0111, ..reg(&board::TOKENS, 9) },
        reg(&board::NODE_ID, 9),
        read(WINDOW | 0x4000),
        write(WINDOW | 0x4000, 0),
        write(WINDOW | 0x7fff_fffc, 0),
        send(1, 0, 0),
        send(3, 47, 0),
        send(3, 0, 3),
        reg(&board::MAIL_POP, 0),
        read(board::MAIL_DATA.offset),
    ];
    let s = all.into_iter().fold(Script::new(180, LONG), Script::refused);
    let s = s.is(&board::TOKENS, 1).is(&board::NODE_ID, 5).is(&board::STATUS, 0);
    s.golden(
        "refused",
        &["HST-3", "HST-4", "RCV-5", "SND-1"],
        [
            "every kind of access that the map does not allow",
            "an access that is not allowed does something, or is answered with OKAY",
            "a driver's mistake changes the ring instead of being told",
        ],
    )
}
