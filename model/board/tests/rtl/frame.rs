// SPDX-License-Identifier: MIT OR Apache-2.0
//! `frame_rx` and `frame_tx` of the model against the codec. Checks RX-1 to RX-8, TX-1 to TX-9,
//! CRC-1, CRC-2, FCS-1, FCS-2.

use super::seeded::seeded;
use awgstar_board::rtl::{FrameRx, FrameTx, crc32, frame_rx, frame_tx};
use awgstar_frame::codec::{Frame, Mac, fcs};
use awgstar_frame::contract::limits::{CRC32_INIT, CRC32_RESIDUE};
use awgstar_frame::contract::{Check, Hdr, HeaderWire, Token, TxStatus};
use proptest::prelude::*;

/// A frame's bytes as words: (tdata, tkeep, tlast).
fn words(bytes: &[u8]) -> Vec<(u32, u8, bool)> {
    let n = bytes.len().div_ceil(4);
    let one = |(k, chunk): (usize, &[u8])| {
        let mut word = [0xee; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        (u32::from_le_bytes(word), 15 >> (4 - chunk.len()), k + 1 == n)
    };
    bytes.chunks(4).enumerate().map(one).collect()
}

struct Received {
    verdict: frame_rx::Outputs,
    data: Vec<u8>,
    dropped: bool,
    /// Cycles from the last word to the verdict.
    latency: u64,
}

/// Runs frames through the receiver, with `gap` idle cycles before each and holes inside.
fn receive(rx: &mut FrameRx, bytes: &[u8], gap: usize, holes: &[usize], user: bool) -> Received {
    for _ in 0..gap {
        rx.clock(&frame_rx::Inputs::default());
    }
    let mut data = Vec::new();
    let mut last_at = None;
    let mut dropped = false;
    let mut feed = Vec::new();
    for (k, word) in words(bytes).into_iter().enumerate() {
        if holes.contains(&k) && k > 0 {
            feed.push(None);
        }
        feed.push(Some(word));
    }
    for cycle in 0.. {
        let o = rx.outputs();
        if last_at.is_some() || cycle > 3 {
            if o.m_axis.tvalid {
                let n = o.m_axis.tkeep.count_ones() as usize;
                data.extend_from_slice(&o.m_axis.tdata.to_le_bytes()[..n]);
                dropped = o.m_axis.tlast && o.m_axis.tuser;
            }
            if o.m_hdr_valid {
                let latency = cycle - last_at.unwrap_or(cycle);
                return Received { verdict: o, data, dropped, latency };
            }
        }
        let mut i = frame_rx::Inputs::default();
        if let Some(Some((tdata, tkeep, last))) = feed.get(usize::try_from(cycle).expect("small")) {
            (i.s_axis.tdata, i.s_axis.tkeep, i.s_axis.tvalid) = (*tdata, *tkeep, true);
            (i.s_axis.tlast, i.s_axis.tuser) = (*last, *last && user);
            if *last {
                last_at = Some(cycle);
            }
        }
        rx.clock(&i);
        assert!(cycle < 3_000, "no verdict");
    }
    unreachable!()
}

prop_compose! {
    fn frame()(mac: u64, kind in 0usize..6, c_st in 0u8..32, node_id: u8, multi_g in 0u8..16,
               act_seq in 0u8..16, packet_cnt: u8, addr: u32,
               data in prop_oneof![prop::collection::vec(any::<u8>(), 0..=50),
                                   prop::collection::vec(any::<u8>(), 0..=1024)])
            -> (Frame<'static>, Vec<u8>) {
        let token = Token::ALL[kind];
        let mut data = data;
        let mut frame = Frame { mac: Mac::from_u64(mac >> 16), node_id, ..Frame::new(token, Mac::default(), &[]) };
        match token {
            Token::Free => { data.clear(); return (frame, data); }
            Token::Data => { if data.is_empty() { data.push(5); } }
            _ => frame.c_st = c_st,
        }
        frame = Frame { multi_g, act_seq, packet_cnt, addr, ..frame };
        (frame, data)
    }
}

fn encoded(frame: &Frame<'_>, data: &[u8]) -> Vec<u8> {
    let frame = Frame { data, ..*frame };
    let mut bytes = vec![0; frame.encoded_len()];
    frame.encode(&mut bytes).expect("a good frame");
    bytes
}

proptest! {
    #![proptest_config(seeded(256))]

    /// RX-1 to RX-7: frames back to back, with holes or without, good or with an error: the
    /// verdict and the fields are those of the codec.
    #[test]
    fn frame_rx_is_the_codec(
        frames in prop::collection::vec((frame(), prop::option::of(any::<prop::sample::Index>()), 1usize..4,
                                         prop::collection::vec(1usize..20, 0..3), any::<bool>()), 1..6),
    ) {
        let mut rx = FrameRx::default();
        rx.clock(&frame_rx::Inputs { rst: true, ..Default::default() });
        for ((frame, data), flip, gap, holes, user) in frames {
            let mut bytes = encoded(&frame, &data);
            if let Some(flip) = flip {
                let bit = flip.index(8 * bytes.len());
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
            let r = receive(&mut rx, &bytes, gap, &holes, user);
            let v = r.verdict;
            prop_assert_eq!(r.latency, 2, "RX-3");
            let decoded = Frame::decode(&bytes);
            let expected = if user { Check::Abort } else { decoded.err().map_or(Check::Ok, |e| e.check) };
            prop_assert_eq!(Check::from_code(v.m_hdr_check), Some(expected));
            prop_assert_eq!(v.m_hdr_good, expected == Check::Ok);
            if let (Ok(f), false) = (decoded, user) {
                prop_assert_eq!(Mac::from_u64(v.m_hdr.mac()), f.mac);
                prop_assert_eq!(Token::from_code(v.m_hdr.token()), Some(f.token));
                let small = (v.m_hdr.c_st(), v.m_hdr.node_id(), v.m_hdr.multi_g(), v.m_hdr.act_seq());
                prop_assert_eq!(small, (f.c_st, f.node_id, f.multi_g, f.act_seq));
                prop_assert_eq!((v.m_hdr.packet_cnt(), v.m_hdr.addr()), (f.packet_cnt, f.addr));
                prop_assert_eq!(usize::from(v.m_hdr.len()), f.data.len());
                prop_assert_eq!(&r.data[..], &bytes[14..bytes.len() - 4], "RX-2");
                prop_assert!(!r.dropped);
            } else {
                prop_assert!(r.dropped, "RX-6");
            }
        }
    }

    /// RX-3, RX-4: any bytes of any length: the codec's verdict.
    #[test]
    fn frame_rx_on_any_bytes(bytes in prop_oneof![prop::collection::vec(any::<u8>(), 1..100),
                                                  prop::collection::vec(any::<u8>(), 1000..1100)]) {
        let mut rx = FrameRx::default();
        let mut bytes = bytes;
        let good_fcs = bytes.len() % 2 == 0 && bytes.len() > 4;
        if good_fcs {
            let at = bytes.len() - 4;
            let sum = fcs::compute(&bytes[..at]).to_le_bytes();
            bytes[at..].copy_from_slice(&sum);
        }
        let r = receive(&mut rx, &bytes, 1, &[], false);
        let expected = Frame::decode(&bytes).err().map_or(Check::Ok, |e| e.check);
        prop_assert_eq!(Check::from_code(r.verdict.m_hdr_check), Some(expected));
        prop_assert!(r.data.len() <= 1024, "RX-6");
    }

    /// TX-1 to TX-6: what goes out is what the codec encodes, at line rate and with its verdict.
    #[test]
    fn frame_tx_is_the_codec(frames in prop::collection::vec(frame(), 1..6)) {
        let mut tx = FrameTx::default();
        tx.clock(&frame_tx::Inputs { rst: true, ..Default::default() });
        let mut beats: Vec<(u32, u8, bool)> = Vec::new();
        let (mut next, mut at) = (0, 0);
        let (mut out, mut done, mut said) = (Vec::new(), Vec::new(), Vec::new());
        let (mut taken_at, mut ended_at) = (None, None);
        for cycle in 0..20_000u64 {
            let o = tx.outputs();
            if o.m_axis.tvalid {
                if out.is_empty() {
                    prop_assert_eq!(taken_at.map(|t| cycle - t), Some(2), "TX-1");
                    prop_assert!(ended_at.is_none_or(|e| cycle - e == 2), "TX-2: one idle word");
                }
                let n = o.m_axis.tkeep.count_ones() as usize;
                out.extend_from_slice(&o.m_axis.tdata.to_le_bytes()[..n]);
                prop_assert!(!o.m_axis.tuser);
                if o.m_axis.tlast {
                    done.push(std::mem::take(&mut out));
                    ended_at = Some(cycle);
                }
            } else {
                prop_assert!(out.is_empty(), "LNK-3");
            }
            if o.status_valid {
                said.push(o.status_error);
            }
            let mut i = frame_tx::Inputs::default();
            if let Some(&(tdata, keep, last)) = beats.get(at) {
                (i.s_axis.tdata, i.s_axis.tkeep) = (tdata, keep);
                (i.s_axis.tvalid, i.s_axis.tlast) = (true, last);
                at += usize::from(o.s_axis_tready);
            }
            if let Some((f, data)) = frames.get(next) {
                i.s_hdr_valid = true;
                let header = HeaderWire {
                    mac: f.mac.to_u64(),
                    token: f.token.code(),
                    c_st: f.c_st,
                    node_id: f.node_id,
                    multi_g: f.multi_g,
                    act_seq: f.act_seq,
                    packet_cnt: f.packet_cnt,
                    addr: f.addr,
                };
                i.s_hdr = Hdr::new(&header, u16::try_from(data.len()).expect("fits"));
                if o.s_hdr_ready {
                    next += 1;
                    (beats, at) = (words(data), 0);
                    taken_at = Some(cycle);
                }
            }
            tx.clock(&i);
        }
        let expected: Vec<_> = frames.iter().map(|(f, d)| encoded(f, d)).collect();
        prop_assert_eq!(done, expected);
        prop_assert_eq!(said, vec![TxStatus::Ok.code(); frames.len()]);
    }

    /// CRC-1, CRC-2, FCS-2: the table's steps are the CRC of the codec.
    #[test]
    fn crc32_is_the_codecs(bytes in prop::collection::vec(any::<u8>(), 1..200), keep in 0u8..16, crc: u32, word: u32) {
        let run = |bytes: &[u8]| words(bytes).iter().fold(CRC32_INIT, |crc, &(w, keep, _)| crc32::step(crc, w, keep));
        prop_assert_eq!(!run(&bytes), fcs::compute(&bytes));
        let mut framed = bytes.clone();
        framed.extend(fcs::compute(&bytes).to_le_bytes());
        prop_assert_eq!(run(&framed), CRC32_RESIDUE);
        if ![1, 3, 7, 15].contains(&keep) {
            prop_assert_eq!(crc32::step(crc, word, keep), crc);
        }
        let port = crc32::Inputs { crc_in: crc, tdata: word, tkeep: keep };
        prop_assert_eq!(awgstar_board::rtl::Crc32::default().outputs(&port).crc_out, crc32::step(crc, word, keep));
    }
}

/// TX-7, TX-8: cut and refused frames.
#[test]
fn frame_tx_cuts_and_refuses() {
    // (TOKEN, length port, beats offered, verdict, words on the link)
    let beat = |last| (0x0101_0101u32, 15u8, last);
    let cases = [
        (5u8, 16u16, vec![beat(false), beat(false)], TxStatus::Underrun, 6),
        (5, 16, vec![beat(false), beat(true)], TxStatus::Last, 5),
        (2, 0, vec![], TxStatus::Token, 0),
        (7, 8, vec![beat(false), beat(true)], TxStatus::Token, 0),
        (1, 0, vec![], TxStatus::Length, 0),
        (5, 1025, vec![beat(true)], TxStatus::Length, 0),
    ];
    for (token, len, beats, verdict, link) in cases {
        let mut tx = FrameTx::default();
        let (mut taken, mut at, mut words, mut said) = (false, 0, Vec::new(), None);
        for _ in 0..60 {
            let o = tx.outputs();
            if o.m_axis.tvalid {
                words.push((o.m_axis.tdata, o.m_axis.tlast, o.m_axis.tuser));
            }
            if o.status_valid {
                assert_eq!(said.replace(o.status_error), None, "one status");
            }
            let s_hdr = Hdr::new(&HeaderWire { token, ..HeaderWire::default() }, len);
            let mut i = frame_tx::Inputs { s_hdr_valid: !taken, s_hdr, ..Default::default() };
            taken |= o.s_hdr_ready;
            if let Some(&(data, keep, last)) = beats.get(at) {
                (i.s_axis.tdata, i.s_axis.tkeep) = (data, keep);
                (i.s_axis.tvalid, i.s_axis.tlast) = (true, last);
                at += usize::from(o.s_axis_tready);
            }
            tx.clock(&i);
        }
        assert_eq!(said, Some(verdict.code()));
        assert_eq!(words.len(), link, "{verdict:?}");
        assert!(words.last().is_none_or(|&w| w == (0, true, true)));
    }
}

/// RX-4: a free token, and a short data token, of any length but 64 bytes is refused for its length.
#[test]
fn frame_rx_checks_the_length_of_the_kind() {
    for (token, c_st, expected) in [
        (Token::Free, 0, Check::Length),
        (Token::Data, 1, Check::Length),
        (Token::Data, 0, Check::Ok),
    ] {
        let mut bytes = vec![0; 64];
        (bytes[5], bytes[6]) = (1, token.code() << 5 | c_st);
        bytes.extend(fcs::compute(&bytes).to_le_bytes());
        let got = receive(&mut FrameRx::default(), &bytes, 4, &[], false);
        assert_eq!(got.verdict.m_hdr_check, expected.code(), "{token:?} {c_st}");
    }
}
