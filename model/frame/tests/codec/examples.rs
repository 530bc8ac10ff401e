// SPDX-License-Identifier: MIT OR Apache-2.0
//! The codec on chosen frames, with the expected bytes written out. Checks FRM-1 to FRM-12, SIG-1 to
//! SIG-3.

use crate::common::{encode, refresh_fcs};
use awgstar_frame::{
    codec::{EncodeError, Expected, Frame, Mac},
    contract::{Field, LAYOUT, Signal, Token, layout},
};
use bitvec::prelude::*;

/// FRM-1, FRM-2: each of the 112 header bits, alone, is the bit that the specification's table says.
/// The places are written out here, not taken from the contract.
#[test]
fn walking_one_over_the_header() {
    let places: [(&str, usize, usize); 8] = [
        ("mac", 0, 48),
        ("token", 48, 3),
        ("c_st", 51, 5),
        ("node_id", 56, 8),
        ("multi_g", 64, 4),
        ("act_seq", 68, 4),
        ("packet_cnt", 72, 8),
        ("addr", 80, 32),
    ];
    for ((name, bit, bits), layout) in places.into_iter().zip(LAYOUT) {
        assert_eq!((name, bit, bits), (layout.field.name(), layout.bit, layout.bits));
    }
    for bit in 0..112 {
        let mut wire = bitvec![u8, Msb0; 0; 128];
        wire.set(bit, true);
        let bytes: [u8; 16] = wire.into_vec().try_into().expect("16 bytes");
        let header = layout::unpack(u128::from_be_bytes(bytes));
        let values = [
            header.mac,
            header.token.into(),
            header.c_st.into(),
            header.node_id.into(),
            header.multi_g.into(),
            header.act_seq.into(),
            header.packet_cnt.into(),
            header.addr.into(),
        ];
        for ((name, first, bits), value) in places.into_iter().zip(values) {
            let expected = if (first..first + bits).contains(&bit) {
                1 << (first + bits - 1 - bit)
            } else {
                0
            };
            assert_eq!(value, expected, "bit {bit} of the header, field {name}");
        }
    }
}

/// Frames the encoder refuses, with its answer. `data` is 1,025 bytes.
fn refused(data: &[u8]) -> Vec<(Frame<'_>, EncodeError)> {
    let mac = Mac([2, 0x53, 0x4d, 0x42, 0, 1]);
    let frame = |token, len: usize| Frame::new(token, mac, &data[..len]);
    let not_allowed =
        |field, token, expected, found| EncodeError::NotAllowed { field, token, expected, found };
    let length = |token, expected, found| EncodeError::DataLength { token, expected, found };
    let zero = Expected::Exactly(0);
    vec![
        (
            Frame { c_st: 32, ..frame(Token::P2p, 0) },
            EncodeError::TooLarge { field: Field::CSt, max: 31, found: 32 },
        ),
        (
            Frame { multi_g: 16, ..frame(Token::P2p, 0) },
            EncodeError::TooLarge { field: Field::MultiG, max: 15, found: 16 },
        ),
        (
            Frame { c_st: 31, multi_g: 15, act_seq: 255, ..frame(Token::P2p, 0) },
            EncodeError::TooLarge { field: Field::ActSeq, max: 15, found: 255 },
        ),
        (
            Frame { act_seq: 16, ..frame(Token::Data, 1) },
            EncodeError::TooLarge { field: Field::ActSeq, max: 15, found: 16 },
        ),
        (frame(Token::Data, 0), length(Token::Data, Expected::Range(1, 1024), 0)),
        (frame(Token::Data, 1025), length(Token::Data, Expected::Range(1, 1024), 1025)),
        (frame(Token::Control, 1025), length(Token::Control, Expected::Range(0, 1024), 1025)),
        (frame(Token::Free, 1), length(Token::Free, zero, 1)),
        (
            Frame { c_st: 1, ..frame(Token::Data, 46) },
            not_allowed(Field::CSt, Token::Data, zero, 1),
        ),
        (
            Frame { c_st: 2, ..frame(Token::Data, 45) },
            not_allowed(Field::CSt, Token::Data, Expected::Range(0, 1), 2),
        ),
        (Frame { c_st: 3, ..frame(Token::Free, 0) }, not_allowed(Field::CSt, Token::Free, zero, 3)),
        (
            Frame { multi_g: 4, ..frame(Token::Free, 0) },
            not_allowed(Field::MultiG, Token::Free, zero, 4),
        ),
        (
            Frame { act_seq: 5, ..frame(Token::Free, 0) },
            not_allowed(Field::ActSeq, Token::Free, zero, 5),
        ),
        (
            Frame { packet_cnt: 6, ..frame(Token::Free, 0) },
            not_allowed(Field::PacketCnt, Token::Free, zero, 6),
        ),
        (
            Frame { addr: 7, ..frame(Token::Free, 0) },
            not_allowed(Field::Addr, Token::Free, zero, 7),
        ),
    ]
}

/// FRM-12: the encoder refuses what does not fit or is not allowed, and leaves the buffer alone.
#[test]
fn encoder_refuses() {
    let data = [7; 1025];
    let cases = refused(&data);
    for (frame, error) in cases {
        let mut out = [0xee; 1100];
        assert_eq!(frame.encode(&mut out), Err(error), "{frame:?}");
        assert!(out.iter().all(|&b| b == 0xee));
        assert!(!error.to_string().is_empty());
    }
    let mut out = [0xee; 63];
    let error = EncodeError::Buffer { needed: 64, found: 63 };
    assert_eq!(Frame::new(Token::Data, Mac::default(), &data[..3]).encode(&mut out), Err(error));
    assert!(out.iter().all(|&b| b == 0xee));
}

/// FRM-6, FRM-9: the lengths at which the form of a data token changes, byte for byte.
#[test]
fn short_and_full_form() {
    let data: Vec<u8> = (1..=46).collect();
    let mac = Mac([2, 0x53, 0x4d, 0x42, 0, 1]);
    let short = encode(&Frame::new(Token::Data, mac, &data[..45]));
    assert_eq!((short.len(), short[6], short[59]), (64, 0b001_00001, 45));
    let full = encode(&Frame::new(Token::Data, mac, &data));
    assert_eq!((full.len(), full[6], full[59]), (64, 0b001_00000, 46));
    let one = encode(&Frame::new(Token::Data, mac, &data[..1]));
    assert_eq!((one[14], one[59]), (1, 1));
    assert!(one[15..59].iter().all(|&b| b == 0));
}

/// FRM-5, FRM-10: pad and a free token's zeros are not looked at.
#[test]
fn pad_is_not_looked_at() {
    let mac = Mac([2, 0x53, 0x4d, 0x42, 0, 1]);
    let mut short = encode(&Frame::new(Token::Data, mac, &[1, 2]));
    short[16..59].fill(0xff);
    refresh_fcs(&mut short);
    assert_eq!(Frame::decode(&short).map(|f| f.data.to_vec()), Ok(vec![1, 2]));
    let mut free = encode(&Frame::new(Token::Free, mac, &[]));
    free[8..60].fill(0xff);
    refresh_fcs(&mut free);
    assert_eq!(Frame::decode(&free).map(|f| f.data.len()), Ok(0));
}

/// SIG-1, SIG-3: the pair decides, not C.ST alone. The codes are the thesis', written out.
#[test]
fn signals_are_pairs() {
    let codes = [
        (0b011, 0b01001),
        (0b101, 0b01010),
        (0b101, 0b01011),
        (0b101, 0b01100),
        (0b101, 0b01101),
        (0b101, 0b01110),
        // Decisions: the right passed on and acknowledged, and the lock of the ring queue.
        (0b011, 0b01101),
        (0b011, 0b01110),
        (0b101, 0b00100),
        (0b101, 0b00101),
        (0b011, 0b01111),
        (0b011, 0b10000),
        (0b101, 0b10000),
        (0b101, 0b10010),
        (0b011, 0b10011),
        (0b101, 0b10100),
        // Decision: the barrier of the ring.
        (0b101, 0b00110),
        (0b011, 0b11000),
    ];
    let ours: Vec<(u8, u8)> = Signal::ALL.iter().map(|s| (s.token().code(), s.c_st())).collect();
    assert_eq!(ours, codes);
    let mut assigned = 0;
    for token in Token::ALL {
        for c_st in 0..32 {
            if let Some(signal) = Signal::from_codes(token, c_st) {
                assert_eq!((signal.token(), signal.c_st()), (token, c_st));
                assigned += 1;
            }
        }
    }
    assert_eq!(assigned, Signal::ALL.len());
    let frame = Frame { c_st: 1, ..Frame::new(Token::Multicast, Mac::default(), &[]) };
    assert_eq!(Frame::decode(&encode(&frame)).map(|f| f.signal()), Ok(None));
}

/// SIG-2: no two values of a signal overlap, and all lie in the shortest Data field.
#[test]
fn signal_values_do_not_overlap() {
    for signal in Signal::ALL {
        let mut taken = [false; 46];
        for field in signal.fields() {
            for byte in &mut taken[field.offset..field.offset + field.bytes] {
                assert!(!*byte, "{}: {}", signal.name(), field.name);
                *byte = true;
            }
        }
    }
}

/// FRM-12: what a person reads when a frame is bad.
#[test]
fn errors_name_field_offset_expected_and_found() {
    let mac = Mac([2, 0x53, 0x4d, 0x42, 0, 1]);
    let good = encode(&Frame::new(Token::Data, mac, &[1]));
    let message = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        change(&mut bytes);
        Frame::decode(&bytes).expect_err("bad frame").to_string()
    };
    let patched = |at: usize, value: u8| {
        message(&|b| {
            b[at] = value;
            refresh_fcs(b);
        })
    };
    assert_eq!(
        message(&|b| b.truncate(63)),
        "frame at byte 63: expected a length of 64 to 1042 bytes, found 63"
    );
    assert_eq!(
        message(&|b| b.resize(1043, 0)),
        "frame at byte 1042: expected a length of 64 to 1042 bytes, found 1043"
    );
    assert_eq!(
        patched(6, 0b010_00000),
        "token at byte 6: expected an assigned code, found 010 (reserved)"
    );
    assert_eq!(
        patched(6, 0b001_00010),
        "c_st at byte 6: expected 0 (full) or 1 (short) on a data token, found 2 (reserved)"
    );
    assert_eq!(patched(59, 46), "short_count at byte 59: expected 1 to 45 valid bytes, found 46");
    let longer = message(&|b| {
        b.insert(20, 0);
        refresh_fcs(b);
    });
    assert_eq!(longer, "frame at byte 64: expected a length of 64 bytes, found 65");
    let fcs = message(&|b| b[63] ^= 0x80);
    assert!(fcs.starts_with("fcs at byte 60: expected 0x"), "{fcs}");
}
