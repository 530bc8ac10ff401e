// SPDX-License-Identifier: MIT OR Apache-2.0
//! The codec against properties of the specification. Checks FRM-1 to FRM-13.

use crate::common::{OTHER_CRC, encode, refresh_fcs};
use crate::seeded;
use awgstar_frame::{
    codec::{Frame, Mac, defects},
    contract::{Check, Field, HeaderWire, Token, layout},
};
use bitvec::prelude::*;
use deku::{DekuContainerRead, DekuContainerWrite};
use proptest::prelude::*;

prop_compose! {
    fn header()(mac: u64, token in 0u8..8, c_st in 0u8..32, node_id: u8, multi_g in 0u8..16,
                act_seq in 0u8..16, packet_cnt: u8, addr: u32) -> HeaderWire {
        HeaderWire { mac: mac >> 16, token, c_st, node_id, multi_g, act_seq, packet_cnt, addr }
    }
}

/// Any frame the encoder accepts, as (header, data).
fn accepted() -> impl Strategy<Value = (HeaderWire, Vec<u8>)> {
    let data = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..=50),
        proptest::collection::vec(any::<u8>(), 0..=1024),
    ];
    (header(), data).prop_map(|(mut header, mut data)| {
        match Token::from_code(header.token) {
            None => header.token = Token::Broadcast.code(),
            Some(Token::Free) => {
                data.clear();
                header = HeaderWire {
                    mac: header.mac,
                    node_id: header.node_id,
                    ..HeaderWire::default()
                };
            }
            Some(Token::Data) => {
                if data.is_empty() {
                    data.push(1);
                }
                header.c_st = u8::from(data.len() < 46);
            }
            Some(_) => {}
        }
        (header, data)
    })
}

fn frame_of<'a>(header: &HeaderWire, data: &'a [u8]) -> Frame<'a> {
    Frame {
        mac: Mac::from_u64(header.mac),
        token: Token::from_code(header.token).expect("assigned"),
        c_st: header.c_st,
        node_id: header.node_id,
        multi_g: header.multi_g,
        act_seq: header.act_seq,
        packet_cnt: header.packet_cnt,
        addr: header.addr,
        data,
    }
}

proptest! {
    #![proptest_config(seeded::seeded(256))]

    /// FRM-1, FRM-2: the fast codec is the deku declaration.
    #[test]
    fn pack_and_unpack_equal_deku(header in header(), tail: [u8; 2]) {
        let wire = header.to_bytes().expect("header encodes");
        prop_assert_eq!(wire.len(), 14);
        prop_assert_eq!(&layout::pack(&header).to_be_bytes()[..14], &wire[..]);
        let mut word = [0; 16];
        word[..14].copy_from_slice(&wire);
        word[14..].copy_from_slice(&tail);
        prop_assert_eq!(layout::unpack(u128::from_be_bytes(word)), header);
        let ((rest, bit), again) = HeaderWire::from_bytes((&wire, 0)).expect("header decodes");
        prop_assert_eq!((rest.len(), bit), (0, 0));
        prop_assert_eq!(again, header);
    }

    /// FRM-3, FRM-5, FRM-6, FRM-9 to FRM-12: every accepted frame returns as it was, and the
    /// bytes are those that the deku declaration and another CRC give.
    #[test]
    fn round_trip((header, data) in accepted()) {
        let frame = frame_of(&header, &data);
        let bytes = encode(&frame);

        let mut oracle = header.to_bytes().expect("header encodes");
        oracle.extend(&data);
        oracle.resize(oracle.len().max(60), 0);
        if header.token == 1 && data.len() < 46 {
            oracle[59] = data.len().try_into().expect("short");
        }
        oracle.extend(OTHER_CRC.checksum(&oracle).to_le_bytes());
        prop_assert_eq!(&bytes, &oracle);

        let decoded = Frame::decode(&bytes).expect("good frame");
        let padded = frame.token != Token::Data && frame.token != Token::Free && data.len() < 46;
        if padded {
            prop_assert_eq!(&decoded.data[..data.len()], &data[..]);
            prop_assert!(decoded.data[data.len()..].iter().all(|&b| b == 0));
            prop_assert_eq!(Frame { data: &data, ..decoded }, frame);
        } else {
            prop_assert_eq!(decoded, frame);
        }
        prop_assert_eq!(encode(&decoded), bytes);
    }

    /// FRM-12: any bytes get an answer, the same from every path; none panics.
    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..1100)) {
        let error = Frame::decode(&bytes).err();
        prop_assert_eq!(defects(&bytes).first().copied(), error);
        let _ = Frame::decode_checked(&bytes);
        prop_assert!(!awgstar_frame::codec::explain(&bytes).is_empty());
    }

    /// FRM-4, FRM-7, FRM-8, FRM-12, FRM-13: behind a good FCS the verdict is that of the rules,
    /// written here a second time, and what is accepted can be retransmitted.
    #[test]
    fn verdict_behind_a_good_fcs(
        mut bytes in prop_oneof![
            proptest::collection::vec(any::<u8>(), 64..=64),
            proptest::collection::vec(any::<u8>(), 60..=70),
            proptest::collection::vec(any::<u8>(), 1030..1050),
        ],
        token in prop_oneof![Just(None), (0u8..8, 0u8..4).prop_map(Some)],
        count in prop_oneof![Just(None), (0u8..50).prop_map(Some)],
    ) {
        if let Some((token, c_st)) = token { bytes[6] = token << 5 | c_st; }
        if let Some(count) = count { bytes[59] = count; }
        refresh_fcs(&mut bytes);
        let (token, c_st) = (bytes[6] >> 5, bytes[6] & 31);
        let short = token == 1 && c_st == 1;
        let expected = if bytes.len() < 64 { Check::Runt }
            else if bytes.len() > 1042 { Check::Long }
            else if token == 2 || token == 7 { Check::Token }
            else if token == 1 && c_st > 1 { Check::CSt }
            else if (short || token == 0) && bytes.len() != 64 { Check::Length }
            else if short && (bytes[59] == 0 || bytes[59] > 45) { Check::ShortCount }
            else { Check::Ok };
        match Frame::decode(&bytes) {
            Ok(frame) => {
                prop_assert_eq!(expected, Check::Ok);
                let valid = if short { bytes[59].into() } else if token == 0 { 0 } else { bytes.len() - 18 };
                prop_assert_eq!(frame.data, &bytes[14..14 + valid]);
                prop_assert_eq!(Frame::decode_checked(&bytes), Ok(frame));
                prop_assert!(defects(&bytes).is_empty());
            }
            Err(error) => {
                prop_assert_eq!(error.check, expected);
                prop_assert_eq!(defects(&bytes)[0], error);
            }
        }
    }

    /// FCS-1, FRM-12: no single bit error of any frame goes unseen, and the error says where the
    /// FCS stands.
    #[test]
    fn single_bit_errors_are_seen((header, data) in accepted(), flip: prop::sample::Index) {
        let mut bytes = encode(&frame_of(&header, &data));
        let bit = flip.index(bytes.len() * 8);
        let toggled = !bytes.view_bits::<Msb0>()[bit];
        bytes.view_bits_mut::<Msb0>().set(bit, toggled);
        let error = Frame::decode(&bytes).expect_err("bit error");
        prop_assert_eq!((error.check, error.field, error.offset), (Check::Fcs, Field::Fcs, bytes.len() - 4));
    }
}
