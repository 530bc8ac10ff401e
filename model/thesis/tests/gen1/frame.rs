// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frame's bytes (CUR-2).

use super::seeded::seeded;
use awgstar_frame::quantity::NodeId;
use awgstar_thesis::gen1::frame::{DATA_MAX, Data, Frame, Kind, OVERHEAD};
use crc::{CRC_32_ISO_HDLC, Crc};
use proptest::prelude::*;

/// Written by hand but for the CRC, which another crate computes.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let crc = Crc::<u32>::new(&CRC_32_ISO_HDLC).checksum(&bytes);
    bytes.extend(crc.to_le_bytes());
    bytes
}

#[test]
fn every_field_has_its_place() {
    let data = Data::Bytes([0xaa, 0xbb, 0xcc].as_slice().into());
    let frame =
        Frame { kind: Kind::Data, source: NodeId(5), number: 0x0102, addr: 0x1122_3344, data };
    let bytes = [1, 5, 1, 2, 0x11, 0x22, 0x33, 0x44, 0, 3, 0xaa, 0xbb, 0xcc];
    assert_eq!(frame.encode().unwrap(), sealed(bytes.into()));
    let signal = Frame { number: 7, ..Frame::signal(NodeId(2), NodeId(9)) };
    assert_eq!(signal.encode().unwrap(), sealed(vec![2, 2, 0, 7, 0, 0, 0, 9, 0, 0]));
    let token = Frame::token(NodeId(0), 258);
    assert_eq!(token.encode().unwrap(), sealed(vec![3, 0, 1, 2, 0, 0, 0, 0, 0, 0]));
    let blank = Frame { data: Data::Blank(2), ..frame };
    assert_eq!(blank.encode().unwrap()[8..12], [0, 2, 0, 0]);
}

#[test]
fn what_is_no_frame_is_told_apart() {
    let error = |bytes: Vec<u8>| Frame::decode(&bytes).unwrap_err().to_string();
    let short = "frame at byte 13: expected 14 to 1038 bytes, found 13";
    assert_eq!(error(vec![0; 13]), short);
    assert_eq!(error(vec![]), "frame at byte 0: expected 14 to 1038 bytes, found 0");
    let long = error(sealed(vec![0; OVERHEAD - 4 + DATA_MAX + 1]));
    assert_eq!(long, "frame at byte 1039: expected 14 to 1038 bytes, found 1039");
    let mut hit = Frame::signal(NodeId(1), NodeId(2)).encode().unwrap();
    hit[7] ^= 1;
    assert!(error(hit).starts_with("CRC at byte 10: expected the CRC-32 of the bytes before it"));
    let kind = error(sealed(vec![4, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(kind, "kind at byte 0: expected 1, 2 or 3, found 4");
    let length = error(sealed(vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 9]));
    assert_eq!(length, "length at byte 8: expected the bytes between header and CRC, found 2");
    let none = error(sealed(vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(none, "length at byte 8: expected 1 to 1024 on data, found 0");
    let some = error(sealed(vec![2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 9]));
    assert_eq!(some, "length at byte 8: expected 0 on a signal or token, found 1");
    let far = error(sealed(vec![2, 0, 0, 0, 0, 0, 1, 0, 0, 0]));
    assert_eq!(far, "address at byte 4: expected a node, 0 to 255, found 256");
    let token = error(sealed(vec![3, 0, 0, 0, 0, 0, 0, 1, 0, 0]));
    assert_eq!(token, "address at byte 4: expected 0 on a token, found 1");
    let frame = Frame { kind: Kind::Data, ..Frame::signal(NodeId(1), NodeId(2)) };
    assert_eq!(frame.encode().unwrap_err().to_string(), none);
}

proptest! {
    #![proptest_config(seeded(256))]

    #[test]
    fn bytes_give_the_frame_back(
        source: u8,
        number: u16,
        addr: u32,
        data in proptest::collection::vec(any::<u8>(), 1..=DATA_MAX),
    ) {
        let data = Data::Bytes(data.into());
        let frame = Frame { kind: Kind::Data, source: NodeId(source), number, addr, data };
        prop_assert_eq!(Frame::decode(&frame.encode().unwrap()), Ok(frame));
    }

    #[test]
    fn one_bit_more_or_less_is_seen(
        data in proptest::collection::vec(any::<u8>(), 1..64),
        at: proptest::sample::Index,
    ) {
        let data = Data::Bytes(data.into());
        let frame = Frame { kind: Kind::Data, source: NodeId(1), number: 2, addr: 3, data };
        let mut bytes = frame.encode().unwrap();
        let bit = at.index(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        prop_assert_eq!(Frame::decode(&bytes).unwrap_err().field, "CRC");
    }

    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..1100)) {
        let _ = Frame::decode(&bytes);
    }
}
