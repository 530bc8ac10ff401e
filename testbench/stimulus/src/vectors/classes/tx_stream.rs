// SPDX-License-Identifier: MIT OR Apache-2.0
//! Payload streams at the transmitter that do not keep to the length, or come late (TX-7).

use crate::vectors::classes::build::{Frames, data_header, header};
use crate::vectors::pattern::nonzero;
use crate::vectors::vector::Class;
use crate::vectors::word::{Word, words};
use awgstar::contract::{Token, TxStatus};

pub(super) fn classes() -> Vec<Class> {
    vec![underrun(), first_beat(), refused_then_cut(), last_early(), last_late(), keep()]
}

const LENGTHS: [usize; 8] = [5, 45, 46, 47, 48, 49, 61, 130];

fn payload(len: usize, i: usize) -> Vec<Word> {
    words(&nonzero(i as u64, len))
}

fn underrun() -> Class {
    let mut f = Frames::default();
    for len in LENGTHS.into_iter().chain([1022]) {
        let count = len.div_ceil(4);
        let late = count.saturating_sub(3).max(1)..count;
        for k in
            (1..count.min(13)).filter(|k| len < 64 || k % 4 == 1).chain(late.filter(|k| *k >= 13))
        {
            let i = f.count();
            let token = if i % 5 == 4 { Token::Multicast } else { Token::Data };
            let mut beats = payload(len, i);
            beats[k].gap = true;
            f.sent(
                format!("{len} bytes, beat {k} late"),
                &header(token.code(), i),
                len,
                beats,
                TxStatus::Underrun,
            );
            if k % 3 == 0 || k + 1 == count {
                f.sent_after(1 + (i * 7) % 80);
            }
        }
        let mut beats = payload(len, len);
        for beat in beats.iter_mut().skip(1) {
            beat.gap = true;
        }
        f.sent(
            format!("{len} bytes, every beat but the first late"),
            &data_header(f.count()),
            len,
            beats,
            TxStatus::Underrun,
        );
        f.sent_after(46);
    }
    f.class(
        "underrun",
        &["TX-5", "TX-6", "TX-7"],
        "a late payload beat leaves a hole, repeats a word, or the rest goes into the next frame",
        "a busy memory bus writes wrong data into every node with an FCS that fits",
    )
}

fn first_beat() -> Class {
    let mut f = Frames::default();
    for len in [1, 4, 5, 46, 47, 130, 1024] {
        for token in [Token::Data, Token::Control] {
            let i = f.count();
            let mut beats = payload(len, i);
            beats[0].gap = true;
            f.sent(
                format!("{}, {len} bytes, beat 0 late", token.doc()),
                &header(token.code(), i),
                len,
                beats,
                TxStatus::Underrun,
            );
            f.sent_after(46 + i % 4);
        }
    }
    f.class(
        "underrun_first_beat",
        &["TX-5", "TX-6", "TX-7"],
        "a frame begun without payload waits on the link for it",
        "the header of one frame is followed by an unbounded gap that no receiver expects",
    )
}

/// Both ways into the drain, one right after the other.
fn refused_then_cut() -> Class {
    let mut f = Frames::default();
    for (len, late, wrong) in [(61, 2, 5), (130, 1, 30), (46, 0, 3), (1024, 9, 100)] {
        for cut in [TxStatus::Underrun, TxStatus::Last] {
            let i = f.count();
            f.sent(
                format!("length 1025, {} beats to drain", 1 + i % 5),
                &data_header(i),
                1025,
                payload(4 * (1 + i % 5), i),
                TxStatus::Length,
            );
            let mut beats = payload(len, i);
            match cut {
                TxStatus::Underrun => beats[late].gap = true,
                _ => beats[wrong].keep = 0b0111,
            }
            let comment = format!("{len} bytes cut after a refused header: {}", cut.name());
            f.sent(comment, &header(Token::Broadcast.code(), i), len, beats, cut);
            f.sent_after(46 + i % 4);
        }
    }
    f.class(
        "refused_then_cut",
        &["TX-6", "TX-7", "TX-8"],
        "a drain that does not forget why it drains",
        "a frame is reported twice and the counters of errors drift from the frames sent",
    )
}

fn last_early() -> Class {
    let mut f = Frames::default();
    for len in LENGTHS {
        let count = len.div_ceil(4);
        for k in 0..count - 1 {
            if k > 3 && k + 4 < count {
                continue;
            }
            let i = f.count();
            let mut beats = payload(len, i);
            beats.truncate(k + 1);
            beats[k].last = true;
            f.sent(
                format!("{len} bytes, tlast on beat {k} of {count}"),
                &data_header(i),
                len,
                beats,
                TxStatus::Last,
            );
            f.sent_after(1 + (i * 5) % 70);
        }
    }
    f.class(
        "tlast_early",
        &["TX-6", "TX-7"],
        "frame filled up from the next payload, or one payload too many dropped",
        "from one short DMA transfer on, every frame carries another frame's data",
    )
}

fn last_late() -> Class {
    let mut f = Frames::default();
    for len in LENGTHS.into_iter().chain([1, 4, 44, 1024]) {
        for extra in [1, 2, 7] {
            let i = f.count();
            let mut beats = payload(len, i);
            for beat in &mut beats {
                beat.last = false;
            }
            let mut more = payload(4 * extra - i % 4, i + 1);
            if extra == 7 {
                more[3].gap = true;
            }
            beats.append(&mut more);
            f.sent(
                format!("{len} bytes, {extra} beats too many"),
                &data_header(i),
                len,
                beats,
                TxStatus::Last,
            );
            f.sent_after(1 + (i * 5) % 70);
        }
    }
    f.class(
        "tlast_late",
        &["TX-6", "TX-7"],
        "beats beyond the length go out, or stay for the next frame",
        "from one long DMA transfer on, every frame carries another frame's data",
    )
}

fn keep() -> Class {
    let mut f = Frames::default();
    for len in [1usize, 2, 3, 4, 6, 45, 46, 47, 48, 49] {
        let count = len.div_ceil(4);
        let right = payload(len, 0)[count - 1].keep;
        for keep in (0..16).filter(|keep| *keep != right) {
            let i = f.count();
            if len > 6 && keep % 3 != 0 && !matches!(keep, 1 | 3 | 7 | 15) {
                continue;
            }
            let mut beats = payload(len, i);
            beats[count - 1].keep = keep;
            f.sent(
                format!("{len} bytes, tkeep {keep:04b} on the last beat"),
                &data_header(i),
                len,
                beats,
                TxStatus::Last,
            );
            if keep % 4 == 3 {
                f.sent_after(1 + (i * 3) % 60);
            }
        }
    }
    for (k, keep) in (0..12).flat_map(|k| [0u8, 7, 14, 9].map(|keep| (k, keep))) {
        let i = f.count();
        let mut beats = payload(50, i);
        beats[k].keep = keep;
        f.sent(
            format!("50 bytes, tkeep {keep:04b} on beat {k}"),
            &data_header(i),
            50,
            beats,
            TxStatus::Last,
        );
        if keep == 7 {
            f.sent_after(46);
        }
    }
    f.class(
        "payload_tkeep",
        &["TX-6", "TX-7"],
        "tkeep of the payload not compared with the length",
        "bytes that the bus master never gave are sent as data",
    )
}
