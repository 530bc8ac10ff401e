// SPDX-License-Identifier: MIT OR Apache-2.0
//! Defects of the stream itself: aborts, tkeep, gaps in bad frames.

use crate::vectors::classes::build::{Frames, data_frame};
use crate::vectors::vector::Class;
use crate::vectors::word::{ABORT, Word, words};
use awgstar::contract::Check;

pub(super) fn classes() -> Vec<Class> {
    vec![aborted(), keep(), bad_gaps()]
}

fn aborted() -> Class {
    let mut f = Frames::default();
    for len in
        (1..=4).chain([5, 8, 12, 16, 60, 63, 64, 65, 66, 67, 68, 130, 1041, 1042, 1043, 1100])
    {
        let whole = data_frame(len.max(64), len)[..len].to_vec();
        let mut link = words(&whole);
        if let Some(last) = link.last_mut() {
            last.user = true;
        }
        f.received(format!("{len} bytes, tuser on the last word"), link.clone(), Check::Abort);
        link[0].user = true;
        f.received(format!("{len} bytes, tuser on first and last word"), link, Check::Abort);
        f.good_after(46 + len % 4);
    }
    // As a transmitter cuts a frame (TX-7).
    for at in [3, 4, 5, 14, 15, 16, 17, 100, 260] {
        let mut link = words(&data_frame(1042, at));
        link.truncate(at);
        link.push(ABORT);
        f.received(format!("cut by its sender after {at} words"), link, Check::Abort);
        f.good_after(1 + at % 64);
    }
    // tuser between the first and the last word says nothing (LNK-4).
    for at in [1, 7, 14] {
        let mut link = words(&data_frame(64, at));
        link[at].user = true;
        f.received(format!("tuser on word {at} of 16, not the last"), link, Check::Ok);
        f.cites(&["LNK-4"]);
    }
    f.class(
        "aborted",
        &["LNK-4", "RX-4", "RX-6", "RX-7", "TX-7"],
        "tuser looked at on the wrong word, or M and abort mixed up",
        "a frame that its sender gave up is committed, or every frame that passed the monitor is lost",
    )
}

fn keep() -> Class {
    let mut f = Frames::default();
    for len in [64, 66, 130] {
        let n = words(&data_frame(len, 0)).len();
        for (at, keep) in (0..n - 1).flat_map(|at| (0..15).map(move |keep| (at, keep))) {
            // Every value in the first frame's words 0, 3 and 14, a few elsewhere.
            let thorough = len == 64 && [0, 3, 14].contains(&at);
            if !thorough && keep as usize % 5 != at % 5 {
                continue;
            }
            if len == 130 && at % 4 != 3 {
                continue;
            }
            let mut link = words(&data_frame(len, at));
            link[at].keep = keep;
            f.received(format!("{len} bytes, tkeep {keep:04b} on word {at}"), link, Check::Keep);
        }
        for keep in 0..16 {
            if matches!(keep, 1 | 3 | 7 | 15) {
                continue;
            }
            let mut link = words(&data_frame(len, usize::from(keep)));
            if let Some(last) = link.last_mut() {
                last.keep = keep;
            }
            f.received(
                format!("{len} bytes, tkeep {keep:04b} on the last word"),
                link,
                Check::Keep,
            );
        }
        f.good_after(len - 18);
    }
    // The bytes that tkeep marks make a good frame, but there is a hole between them.
    for at in [0, 3, 8, 15] {
        let frame = data_frame(66, at);
        let mut link: Vec<Word> = words(&frame[..4 * at + 2]);
        for word in &mut link {
            word.last = false;
        }
        link.extend(words(&frame[4 * at + 2..]));
        f.received(format!("good bytes with a hole in word {at}"), link, Check::Keep);
        // The other way round: nothing at all in an extra last word.
        let mut link = words(&data_frame(64, at));
        link[15].last = false;
        link.push(Word { keep: 0, user: false, ..ABORT });
        f.received("good frame and a last word of no bytes", link, Check::Keep);
        f.good_after(46 + at % 4);
    }
    f.class(
        "tkeep_illegal",
        &["LNK-2", "CRC-2", "RX-4", "RX-7"],
        "tkeep not checked, or checked on the last word only",
        "a faulty width converter upstream moves data by some bytes and the FCS still fits",
    )
}

fn bad_gaps() -> Class {
    let mut f = Frames::default();
    for len in [64usize, 65, 66, 67] {
        for at in 1..len.div_ceil(4) {
            let mut frame = data_frame(len, at);
            frame[at * 3] ^= 1;
            let mut link = words(&frame);
            link[at].gap = true;
            f.received(format!("{len} bytes, damaged, gap before word {at}"), link, Check::Fcs);
        }
        f.good_after(len - 18);
    }
    for (len, check) in
        [(3, Check::Runt), (60, Check::Runt), (1044, Check::Long), (1100, Check::Long)]
    {
        let whole = data_frame(len.max(64), len);
        let mut link = words(&whole[..len]);
        for word in link.iter_mut().skip(1) {
            word.gap = true;
        }
        f.received(format!("{len} bytes, gap before every word"), link, check);
        f.good_after(46);
    }
    f.class(
        "gaps_in_bad_frames",
        &["RX-1", "RX-4", "RX-7"],
        "a verdict given in a gap, or lost in one",
        "one bad frame is counted twice and hides the next good one",
    )
}
