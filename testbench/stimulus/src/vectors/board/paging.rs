// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page table's frames and the swap request (thesis 5.4, PAG).
//!
//! The entry of page 1 is at 0x40: valid flag, offset, access flags. This board belongs to process
//! 1, so byte 0x49 is its flag; source 1 is the master here. A number is big-endian: its last byte
//! is enough for 0 and 1.

use crate::board::stimulus::BoardFrame;
use crate::vectors::board::Golden;
use crate::vectors::board::script::{LONG, Script, data, echo, signal};
use awgstar::contract::{Signal, board};

pub(super) fn all() -> Vec<Golden> {
    vec![access_flag(), overlap(), shown(), swap_request()]
}

/// The last byte of the valid flag, as the master sends it.
fn valid(on: u8) -> BoardFrame {
    data(0x43, 1, on)
}

/// The entry is cleared first: a memory holds anything after power-up. Its frame has returned by
/// 400.
fn cleared(cycles: u64) -> Script {
    let s = Script::new(cycles, LONG).synced().neighbour();
    let s = s.put(0x40, 0).put(0x44, 0).put(0x48, 0).set(&board::FLUSH, 1);
    s.token(330).at(370, echo(12)).wait(90)
}

fn access_flag() -> Golden {
    let s = cleared(760).at(410, valid(1)).at(435, data(0x48, 1, 1));
    let s = s.wait(350).get(0x40, 0x0100_0000).get(0x48, 0x0000_0001);
    // The own flag: a byte that no other process writes. Numbers: one returned and sent, two
    // closed.
    let s =
        s.lanes(0x48, 0x0000_0100, 0b0010).set(&board::FLUSH, 1).is(&board::FRAMES, 0x0002_0101);
    let s = s.get(0x48, 0x0000_0101).token(570).at(610, echo(1)).wait(160);
    s.is(&board::FRAMES, 0x0002_0202).get(0x48, 0x0000_0101).get(0x40, 0x0100_0000).golden(
        "page_access_flag",
        &["PAG-1", "PAG-2", "WRT-2", "ACK-1"],
        [
            "two processes set their access flags of one page; the host learns when its own is on every board",
            "a byte write takes its neighbours along, or a flag counts as told when it was sent",
            "a page is swapped out under the process that accesses it",
        ],
    )
}

fn overlap() -> Golden {
    let s = cleared(720).at(410, valid(1)).wait(340);
    let s = s.get(0x40, 0x0100_0000).lanes(0x48, 0x0000_0100, 0b0010).set(&board::FLUSH, 1);
    // The flag leaves with the token; before it returns the master hides the page.
    let s = s.token(540).at(570, valid(0)).at(600, echo(1)).wait(160);
    s.is(&board::FRAMES, 0x0002_0202).get(0x40, 0).get(0x48, 0x0000_0100).golden(
        "page_overlap",
        &["PAG-2", "RCV-4", "RCV-6"],
        [
            "Fig. 42: the valid flag goes to 0 while the access flag is on its way round",
            "a return is told before data that came before it is in the memory",
            "the process finds the page valid and writes to one that is being copied out",
        ],
    )
}

fn shown() -> Golden {
    let s = Script::new(560, LONG).neighbour().put(0x40, 0).put(0x44, 0);
    // The page, its offset 0x0100, its valid flag: in this order.
    let s = s.at(310, data(0x100, 8, 0x10)).at(335, data(0x46, 1, 1)).at(360, valid(1));
    // A frame of the page that is lost: what follows is not taken.
    let s = s.at(385, BoardFrame { skip: 1, ..valid(0) }).wait(420);
    let s = s.get(0x40, 0x0100_0000).get(0x44, 0x0001_0000);
    s.get(0x100, 0x1312_1110).get(0x104, 0x1716_1514).golden(
        "page_shown",
        &["PAG-8", "RCV-2"],
        [
            "page, offset and valid flag in the order of their writer, and nothing after a gap",
            "frames take effect in another order, or after one that is missing",
            "a process is told that a page is there and reads what was there before",
        ],
    )
}

fn swap_request() -> Golden {
    let code = Signal::SwapRequest.c_st();
    let request = |salt| BoardFrame { len: 8, ..signal(code, salt) };
    let s = Script::new(520, LONG).neighbour();
    // Node_ID of the sender, as published: it is not for this board. Then this board's.
    let s = s.at(310, BoardFrame { node_id: 1, ..request(0x80) }).at(335, request(0)).wait(380);
    // The sender's second signal: Packet_Cnt 1.
    let s = s.is(&board::MAIL_COUNT, 1).word(&board::MAIL_DATA, 0, 0x7805_0001);
    // MAC of the sender; tag in bytes 2 and 3, page in 4 to 7.
    let s = s.word(&board::MAIL_DATA, 2, 0x0001_002e).word(&board::MAIL_DATA, 4, 0x0302_0100);
    s.word(&board::MAIL_DATA, 5, 0x0706_0504).golden(
        "swap_request",
        &["PAG-3", "SIG-1", "SIG-2", "NODE-16"],
        [
            "swap_request with Node_ID of the master reaches it, with Node_ID of its sender it does not",
            "a board takes point-to-point signals that are for others",
            "a page is swapped twice, or nobody answers the request",
        ],
    )
}
