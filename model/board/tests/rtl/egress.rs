// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ring_egress`, by the rows of its table. Checks NODE-8.

use awgstar_board::rtl::RingEgress;
use awgstar_board::rtl::ring_egress::{INSERT, Inputs, PASS, READY};
use awgstar_frame::contract::node::{BUFFER_ABORT, BUFFER_IDLE};

const WORD: u64 = 0x1234_5678;
const LAST_OF_THREE: u64 = 1 << 34 | 3 << 32 | 0x00aa_bbcc;

fn edge(e: &mut RingEgress, i: Inputs) -> (bool, bool, u8, bool) {
    let o = e.outputs(&i);
    e.clock(&i);
    (o.rd_ready, o.boundary, e.state_q, e.m_valid_q)
}

/// READY and PASS: words go out as they are, the idle slot ends the frame.
#[test]
fn a_frame_from_the_buffer() {
    let mut e = RingEgress::default();
    let none = Inputs::default();
    let word = |rd_word| Inputs { rd_word, some: true, ..none };
    assert_eq!(edge(&mut e, none), (true, true, READY, false));
    assert_eq!(edge(&mut e, word(BUFFER_IDLE)), (true, true, READY, false));
    assert_eq!(edge(&mut e, word(WORD)), (true, true, PASS, true));
    assert_eq!((e.m_data_q, e.keep(), e.m_last_q, e.m_user_q), (0x1234_5678, 15, false, false));
    assert_eq!(edge(&mut e, word(LAST_OF_THREE)), (true, false, PASS, true));
    assert_eq!((e.m_data_q, e.keep(), e.m_last_q), (0x00aa_bbcc, 7, true));
    assert_eq!(edge(&mut e, none), (true, false, PASS, false), "nothing yet");
    assert_eq!(edge(&mut e, word(BUFFER_IDLE)), (true, true, READY, false));
    edge(&mut e, word(WORD));
    edge(&mut e, word(BUFFER_ABORT));
    assert_eq!((e.m_data_q, e.keep(), e.m_last_q, e.m_user_q), (0, 15, true, true));
}

/// INSERT lasts from t + 1 to t + 2 + L; the last two cycles of it are boundaries.
#[test]
fn a_frame_of_our_own() {
    for start in [READY, PASS] {
        let mut e = RingEgress::default();
        let mut grant = Inputs { grant: true, grant_cycles: 18, ..Inputs::default() };
        if start == PASS {
            edge(&mut e, Inputs { rd_word: WORD, some: true, ..Inputs::default() });
            (grant.rd_word, grant.some) = (BUFFER_IDLE, true);
        } else {
            // A word that waits stays.
            (grant.rd_word, grant.some) = (WORD, true);
        }
        let pop = start == PASS;
        assert_eq!(edge(&mut e, grant), (pop, true, INSERT, false));
        for cycle in 1..=18 {
            let tx_tvalid = (2..=17).contains(&cycle);
            let i = Inputs {
                tx_tvalid,
                tx_tdata: cycle,
                rd_word: WORD,
                some: true,
                ..Inputs::default()
            };
            let next = if cycle == 18 { READY } else { INSERT };
            assert_eq!(edge(&mut e, i), (false, cycle >= 17, next, tx_tvalid), "cycle {cycle}");
        }
    }
}

/// A grant in either boundary cycle of INSERT starts the next frame.
#[test]
fn back_to_back() {
    for at in [17, 18] {
        let mut e = RingEgress::default();
        edge(&mut e, Inputs { grant: true, grant_cycles: 18, ..Inputs::default() });
        for cycle in 1..=at {
            let tx_tvalid = (2..=17).contains(&cycle);
            let grant = cycle == at;
            edge(&mut e, Inputs { tx_tvalid, grant, grant_cycles: 22, ..Inputs::default() });
        }
        assert_eq!((e.state_q, e.left_q, e.m_valid_q), (INSERT, 22, at == 17));
    }
}
