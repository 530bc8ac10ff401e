// SPDX-License-Identifier: MIT OR Apache-2.0
//! `rx_filter` and `rx_buffer`. Checks NODE-16 to NODE-18.

use super::seeded::seeded;
use awgstar_board::rtl::Stream;
use awgstar_board::rtl::rx_filter::Inputs;
use awgstar_board::rtl::{RxBuffer, RxFilter, rx_buffer};
use awgstar_frame::contract::{Check, FrameKind, Hdr, HeaderWire};
use proptest::prelude::*;
use std::collections::VecDeque;

/// NODE-16, NODE-18, NODE-20: every TOKEN, kind and verdict.
#[test]
fn filter() {
    for token in 0..8u8 {
        for kind in [FrameKind::None, FrameKind::Other, FrameKind::Own] {
            for check in [Check::Ok, Check::Fcs, Check::Abort] {
                for (node_id, multi_g) in [(4, 3), (5, 9)] {
                    let (c_st, packet_cnt) = (17, 200);
                    let header = HeaderWire {
                        token,
                        c_st,
                        node_id,
                        multi_g,
                        packet_cnt,
                        ..HeaderWire::default()
                    };
                    let i = Inputs {
                        kind: kind.code(),
                        hdr_valid: true,
                        hdr_good: check == Check::Ok,
                        hdr_check: check.code(),
                        hdr: Hdr::new(&header, 0),
                        cfg_node_id: 4,
                        cfg_groups: 1 << 3,
                        rst: false,
                    };
                    let mut filter = RxFilter::default();
                    let o = filter.outputs(&i);
                    let ours = match token {
                        1 | 5 | 6 => true,
                        3 => node_id == 4,
                        4 => multi_g == 3,
                        _ => false,
                    };
                    let (good, fcs) = (check == Check::Ok, check == Check::Fcs);
                    let (own, other) = (kind == FrameKind::Own, kind == FrameKind::Other);
                    assert_eq!(o.deliver, ours && good && other, "TOKEN {token}");
                    assert_eq!(
                        (o.ev_returned_good, o.ev_returned_bad),
                        (own && good, own && !good)
                    );
                    assert_eq!(
                        (o.ev_bad_fcs, o.ev_bad_other),
                        (other && fcs, other && !good && !fcs)
                    );
                    filter.clock(&i);
                    let o = filter.outputs(&Inputs::default());
                    assert_eq!(o.m_ret_valid, own);
                    if own {
                        assert_eq!((o.m_ret_good, o.m_ret_token), (good, token));
                        assert_eq!((o.m_ret_c_st, o.m_ret_packet_cnt), (17, 200));
                    }
                    filter.clock(&Inputs::default());
                    assert!(!filter.outputs(&Inputs::default()).m_ret_valid);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(seeded(64))]

    /// NODE-17: whole frames or nothing, in order, whatever the reader does; a frame is lost only
    /// when there is no room.
    #[test]
    fn buffer_keeps_whole_frames(
        frames in prop::collection::vec((12usize..257, any::<bool>()), 1..60), pace in 1u64..6, pause in 0u64..3000,
    ) {
        let mut buffer = RxBuffer::default();
        let (mut beats, mut headers) = (VecDeque::new(), VecDeque::new());
        let (mut delivered, mut lost) = (0, 0);
        let mut cycle = 0u64;
        for (k, &(len, deliver)) in frames.iter().enumerate() {
            let mut mine = Vec::new();
            for beat in 0..len + 2 {
                let is_beat = beat < len;
                let verdict = beat + 1 == len;
                let ready = cycle > pause && cycle.is_multiple_of(pace);
                let header = HeaderWire {
                    mac: 0xffff_ffff_ff00 + k as u64,
                    token: 5,
                    c_st: 30,
                    node_id: 0xab,
                    multi_g: 12,
                    act_seq: 3,
                    packet_cnt: k.to_le_bytes()[0],
                    addr: 0xfeed_0000,
                };
                let i = rx_buffer::Inputs {
                    s_axis: Stream { tvalid: is_beat, tdata: u32::try_from(k * 1000 + beat).expect("small"), tkeep: if verdict { 3 } else { 15 }, tlast: verdict },
                    verdict,
                    deliver: deliver && verdict,
                    hdr: Hdr::new(&header, u16::try_from(len).expect("small")),
                    m_hdr_ready: ready,
                    m_axis_tready: ready,
                    ..Default::default()
                };
                let o = buffer.outputs(&i);
                prop_assert_eq!(o.m_axis.tvalid, !beats.is_empty());
                prop_assert_eq!(o.m_hdr_valid, !headers.is_empty());
                if o.m_axis.tvalid {
                    let got = (o.m_axis.tdata, o.m_axis.tkeep, o.m_axis.tlast);
                    prop_assert_eq!(Some(&got), beats.front());
                }
                if o.m_hdr_valid {
                    prop_assert_eq!(Some(&(o.m_hdr.header(), o.m_hdr.len())), headers.front());
                }
                if ready {
                    beats.pop_front();
                    headers.pop_front();
                }
                if is_beat {
                    mine.push((i.s_axis.tdata, i.s_axis.tkeep, i.s_axis.tlast));
                }
                prop_assert_eq!(o.ev_delivered || o.ev_overflow, i.deliver);
                if o.ev_delivered {
                    beats.extend(mine.drain(..));
                    headers.push_back((header, u16::try_from(len).expect("small")));
                    delivered += 1;
                }
                lost += u32::from(o.ev_overflow);
                prop_assert!(beats.len() <= 512 && headers.len() <= 32);
                buffer.clock(&i);
                cycle += 1;
            }
        }
        let asked = frames.iter().filter(|f| f.1).count();
        prop_assert_eq!(delivered + lost, u32::try_from(asked).expect("small"));
        if pace == 1 && pause == 0 {
            prop_assert_eq!(lost, 0);
        }
    }
}
