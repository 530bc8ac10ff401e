// SPDX-License-Identifier: MIT OR Apache-2.0
//! Several defects in one frame, and good frames among bad ones.

use crate::vectors::classes::build::{Frames, data_frame, header};
use crate::vectors::pattern::nonzero;
use crate::vectors::reference::seal;
use crate::vectors::vector::Class;
use crate::vectors::word::{Word, words};
use awgstar::contract::Check;

pub(super) fn classes() -> Vec<Class> {
    vec![precedence(), recovery()]
}

/// Set of defects of a frame.
#[derive(Clone, Copy)]
struct Defects(u16);

impl Defects {
    fn has(self, check: Check) -> bool {
        self.0 >> check.code() & 1 == 1
    }

    /// A frame with just these defects; `None` where they exclude each other.
    fn build(self, i: usize) -> Option<Vec<Word>> {
        let kind = self.has(Check::Length) || self.has(Check::ShortCount);
        if self.has(Check::Runt) && (self.has(Check::Long) || kind)
            || self.has(Check::Token) && (kind || self.has(Check::CSt))
            || self.has(Check::CSt) && kind
        {
            return None;
        }
        let data = match () {
            () if self.has(Check::Runt) => 40 + i % 6,
            () if self.has(Check::Long) => 1025 + i % 6,
            () if self.has(Check::Length) => 47 + i % 6,
            () => 46,
        };
        let mut h = header(if self.has(Check::Token) { 0b010 } else { 0b001 }, i);
        h.c_st = match () {
            () if self.has(Check::CSt) => 2,
            () if kind => 1,
            () => 0,
        };
        let mut content = nonzero(i as u64, data);
        if let Some(count) = content.get_mut(45).filter(|_| kind) {
            *count = if self.has(Check::ShortCount) { 0 } else { 9 };
        }
        let mut frame = seal(&h, &content);
        if self.has(Check::Fcs) {
            frame[20] ^= 4;
        }
        let mut link = words(&frame);
        if self.has(Check::Keep) {
            // In the last word but one of an over-long frame: past what the receiver needs.
            let at = link.len() - 2;
            link[at].keep = 0b0111;
        }
        if let Some(last) = link.last_mut().filter(|_| self.has(Check::Abort)) {
            last.user = true;
        }
        Some(link)
    }
}

fn precedence() -> Class {
    let mut f = Frames::default();
    for mask in (2..1 << Check::ALL.len()).step_by(2) {
        let defects = Defects(mask);
        let Some(link) = defects.build(f.count()) else {
            continue;
        };
        let named: Vec<Check> = Check::ALL.iter().copied().filter(|c| defects.has(*c)).collect();
        // Over-long frames are large: two defects are enough there.
        if named.contains(&Check::Long) && named.len() > 2 {
            continue;
        }
        let comment: Vec<&str> = named.iter().map(|c| c.name()).collect();
        f.received(format!("defects: {}", comment.join(", ")), link, named[0]);
        if mask % 16 == 2 {
            f.good_after(46);
        }
    }
    f.class(
        "precedence",
        &["FRM-13", "RX-4"],
        "with several defects another than the first is reported",
        "error counters of two nodes disagree and send the technician to the wrong link",
    )
}

fn recovery() -> Class {
    let mut f = Frames::default();
    for (n, &bad) in Check::ALL.iter().skip(1).enumerate() {
        for residue in 0..4 {
            let i = f.count();
            let defects = Defects(1 << bad.code());
            if let Some(link) = defects.build(6 * n + residue) {
                f.received(format!("defect: {}", bad.name()), link, bad);
            }
            f.received(
                format!("good frame of {} bytes after it", 64 + residue),
                words(&data_frame(64 + residue, i)),
                Check::Ok,
            );
            f.good_after(1 + (i * 3) % 45);
        }
    }
    // Single words and single bytes between good frames.
    for len in [1, 2, 3, 4, 5, 8, 13, 14, 15, 16] {
        for round in 0..2 {
            let frame = data_frame(64, len + round);
            f.bytes(format!("{len} bytes only"), &frame[..len], Check::Runt);
        }
        f.good_after(46 + len % 5);
    }
    f.class(
        "recovery",
        &["RX-3", "RX-4", "RX-5", "RX-6", "RX-7"],
        "something of a bad frame (CRC, counters, flags) lives on into the next",
        "one damaged frame takes a good one with it, so errors on the fibre count twice",
    )
}
