// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names and places of the contract, written out a second time. Checks CTR-1, FRM-1, FRM-4.

use awgstar_frame::contract::{
    Check, DATA_HDR_BITS, Field, HDR_BITS, HDR_FIELDS, Hdr, HeaderWire, SIGNAL_HDR_BITS, Signal,
    Token, TxStatus, fsm::FSMS, layout::layout_of,
};

#[test]
fn token_names_and_meanings() {
    let names = Token::ALL.map(Token::name);
    assert_eq!(names, ["free", "data", "p2p", "multicast", "broadcast", "control"]);
    let docs = Token::ALL.map(Token::doc);
    assert_eq!(docs[0], "free token");
    assert!(
        docs[1..5]
            .iter()
            .zip(["data", "point", "multicast", "broadcast"])
            .all(|(d, n)| d.contains(n))
    );
    assert!(docs[5].contains("link control"));
    let signals = Token::ALL.map(Token::is_signal);
    assert_eq!(signals, [false, false, true, true, true, false]);
}

#[test]
fn only_header_fields_have_a_place() {
    assert_eq!(layout_of(Field::Mac).map(|l| (l.byte(), l.max())), Some((0, 0xffff_ffff_ffff)));
    assert_eq!(layout_of(Field::CSt).map(|l| (l.byte(), l.shift(), l.max())), Some((6, 72, 31)));
    assert_eq!(layout_of(Field::Addr).map(|l| (l.byte(), l.shift())), Some((10, 16)));
    for field in [Field::Data, Field::ShortCount, Field::Fcs, Field::Frame] {
        assert_eq!(layout_of(field), None);
    }
}

#[test]
fn the_bundle_has_mac_on_top_and_len_at_the_bottom() {
    let places = HDR_FIELDS.map(|f| (f.name, f.low, f.bits));
    let expected = [
        ("mac", 75, 48),
        ("token", 72, 3),
        ("c_st", 67, 5),
        ("node_id", 59, 8),
        ("multi_g", 55, 4),
        ("act_seq", 51, 4),
        ("packet_cnt", 43, 8),
        ("addr", 11, 32),
        ("len", 0, 11),
    ];
    assert_eq!(places, expected);
    assert_eq!((HDR_BITS, SIGNAL_HDR_BITS, DATA_HDR_BITS), (123, 75, 55));

    let header = HeaderWire {
        mac: 0x0253_4d42_0105,
        token: 5,
        c_st: 18,
        node_id: 0xab,
        multi_g: 12,
        act_seq: 3,
        packet_cnt: 200,
        addr: 0xfeed_0123,
    };
    let hdr = Hdr::new(&header, 1024);
    assert_eq!((hdr.header(), hdr.len()), (header, 1024));
    assert_eq!((hdr.mac(), hdr.token(), hdr.c_st()), (header.mac, 5, 18));
    assert_eq!((hdr.node_id(), hdr.multi_g(), hdr.act_seq()), (0xab, 12, 3));
    assert_eq!((hdr.packet_cnt(), hdr.addr()), (200, 0xfeed_0123));
    assert_eq!(
        hdr.0,
        0x0253_4d42_0105 << 75
            | 5 << 72
            | 18 << 67
            | 0xab << 59
            | 0xc3 << 51
            | 200 << 43
            | 0xfeed_0123 << 11
            | 1024
    );
    let data = hdr.low(DATA_HDR_BITS);
    assert_eq!((data.act_seq(), data.multi_g(), data.len()), (3, 0, 1024));
    assert_eq!(awgstar_frame::header_ports!(x_hdr)[8], "x_hdr_len");
}

#[test]
fn codes_are_unique_and_come_back() {
    for check in Check::ALL {
        assert_eq!(Check::from_code(check.code()), Some(*check));
    }
    assert_eq!((Check::ALL.len(), Check::from_code(10)), (10, None));
    for status in TxStatus::ALL {
        assert_eq!(TxStatus::from_code(status.code()), Some(*status));
    }
    assert_eq!((TxStatus::ALL.len(), TxStatus::from_code(5)), (5, None));
    for fsm in FSMS {
        let mut codes: Vec<u8> = fsm.states.iter().map(|(_, code)| *code).collect();
        codes.dedup();
        assert_eq!(codes.len(), fsm.states.len(), "{}", fsm.module);
        assert!(codes.iter().all(|code| usize::from(*code) < 1 << fsm.bits));
    }
}

/// Every name of a signal, a verdict or a field is one word of Verilog, and stands once.
#[test]
fn names_are_unique() {
    let names = Signal::ALL.iter().map(|s| s.name()).chain(Check::ALL.iter().map(|c| c.name()));
    let mut names: Vec<&str> = names.collect();
    let count = names.len();
    assert!(
        names.iter().all(|n| {
            n.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        })
    );
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
