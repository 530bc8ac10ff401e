// SPDX-License-Identifier: MIT OR Apache-2.0
//! The drawing of a frame, word for word. Checks FRM-2, FRM-12, SIG-1, SIG-2.

use awgstar_frame::{
    codec::{Frame, Mac, explain},
    contract::{Signal, Token},
};

fn bytes(frame: &Frame) -> Vec<u8> {
    let mut out = vec![0; frame.encoded_len()];
    frame.encode(&mut out).expect("encodes");
    out
}

const MAC: Mac = Mac([0x02, 0x53, 0x4d, 0x42, 0x00, 0x03]);

const SHORT: &str = "\
64 bytes, good: data token, 4 valid bytes

field       RTL: word and tdata bits    bits                             value
mac         word 0 [0..] to 1 [..15]    0x02534d420003                   02:53:4d:42:00:03
token       word 1 [23:21]              001                              data token
c_st        word 1 [20:16]              00001                            1: short
node_id     word 1 [31:24]              00000011                         3
multi_g     word 2 [7:4]                1010                             10
act_seq     word 2 [3:0]                0101                             5
packet_cnt  word 2 [15:8]               00101010                         42
addr        word 2 [16..] to 3 [..15]   00000000000000000000000100000000 0x00000100
data        byte 14 to 59               46 bytes: 4 valid, then pad, count in the last byte
     0  00 11 aa bb 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~
    16  00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~
    32  00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 00~ 04~
        (~ is pad or count)
fcs         word 15 [0..] to 15 [..31]  crc 0xFCS, good
";

#[test]
fn a_short_data_token() {
    let data = [0x00, 0x11, 0xaa, 0xbb];
    let frame = Frame {
        node_id: 3,
        multi_g: 10,
        act_seq: 5,
        packet_cnt: 42,
        addr: 0x100,
        ..Frame::new(Token::Data, MAC, &data)
    };
    let line = bytes(&frame);
    let fcs = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(&line[..60]);
    assert_eq!(explain(&line), SHORT.replace("FCS", &format!("{fcs:08x}")));
}

const REQUEST: &str = "\
64 bytes, BAD: frame check sequence wrong

field       RTL: word and tdata bits    bits                             value
mac         word 0 [0..] to 1 [..15]    0x02534d420003                   02:53:4d:42:00:03
token       word 1 [23:21]              011                              point-to-point communication
c_st        word 1 [20:16]              01001                            9: lock request, master-worker
node_id     word 1 [31:24]              00000001                         1: receiver (master)
multi_g     word 2 [7:4]                0000                             0
act_seq     word 2 [3:0]                0000                             0
packet_cnt  word 2 [15:8]               00000000                         0
addr        word 2 [16..] to 3 [..15]   00000000000000000000000000000000 0x00000000
data        byte 14 to 59               46 bytes: not decoded
  send_node = 3
  tag = 258
  lock_number = 7
     0  03 00 01 02 00 00 00 07 00 00 00 00 00 00 00 00
    16  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    32  00 00 00 00 00 00 00 00 00 00 00 00 00 00
fcs         word 15 [0..] to 15 [..31]  crc 0x00000000, WRONG

error: fcs at byte 60: expected 0xFCS, found 0x00000000
";

#[test]
fn a_lock_request_with_a_wrong_fcs() {
    let data = [3, 0, 1, 2, 0, 0, 0, 7];
    let signal = Signal::LockMwRequest;
    let mut line =
        bytes(&Frame { c_st: signal.c_st(), node_id: 1, ..Frame::new(signal.token(), MAC, &data) });
    line[60..].fill(0);
    let fcs = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(&line[..60]);
    assert_eq!(explain(&line), REQUEST.replace("FCS", &format!("{fcs:08x}")));
}

/// The first line says what kind of frame it is, whatever kind.
#[test]
fn first_lines() {
    let first = |bytes: &[u8]| explain(bytes).lines().next().unwrap_or_default().to_owned();
    let frame = |token, c_st| bytes(&Frame { c_st, ..Frame::new(token, MAC, &[]) });
    assert_eq!(first(&frame(Token::Free, 0)), "64 bytes, good: free token, 0 valid bytes");
    assert_eq!(
        first(&frame(Token::Broadcast, 0b10000)),
        "64 bytes, good: barrier release, master-worker"
    );
    assert_eq!(
        first(&frame(Token::Multicast, 3)),
        "64 bytes, good: multicast communication, C.ST not assigned"
    );
    assert_eq!(
        first(&frame(Token::Control, 3)),
        "64 bytes, good: control token (link control), 46 valid bytes"
    );
    assert_eq!(first(&[]), "0 bytes, BAD: fewer than 64 bytes");
    assert_eq!(first(&[0; 1043]), "1043 bytes, BAD: more than 1,042 bytes");
}

/// What is there of a frame that was cut is shown, and nothing else.
#[test]
fn cut_frames() {
    let line = bytes(&Frame::new(Token::Data, MAC, &[1; 100]));
    let fields = |len: usize| {
        let text = explain(&line[..len]);
        let names = text.lines().skip(3).take_while(|l| !l.is_empty());
        names.filter_map(|l| l.split_whitespace().next().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(fields(5), Vec::<String>::new());
    assert_eq!(fields(6), ["mac"]);
    assert_eq!(fields(8), ["mac", "token", "c_st", "node_id"]);
    assert_eq!(fields(13).len(), 7);
    assert_eq!(fields(14).last().map(String::as_str), Some("addr"));
    assert!(!explain(&line[..18]).contains("\ndata "), "nothing between header and FCS");
    assert!(explain(&line[..19]).contains("1 bytes: not decoded"));
    assert!(!explain(&line[..63]).contains("\nfcs "));
    assert!(explain(&line[..64]).contains("\nfcs "));
}

/// All defects are named, not only the first.
#[test]
fn every_defect_is_named() {
    let mut line = bytes(&Frame::new(Token::Data, MAC, &[1]));
    line[59] = 0;
    let text = explain(&line);
    assert!(text.contains("error: fcs at byte 60"), "{text}");
    assert!(text.contains("error: short_count at byte 59"), "{text}");
    line[6] = 0b010_00000;
    assert!(explain(&line).contains("error: token at byte 6"));
    assert!(explain(&line).contains("not assigned"));
    line[6] = 0b001_11111;
    let text = explain(&line);
    assert!(text.contains("error: c_st at byte 6") && !text.contains("1: short"), "{text}");
}

/// Bytes of a free token are marked as meaning nothing; a full data token is all valid.
#[test]
fn what_the_data_rows_say() {
    let free = explain(&bytes(&Frame::new(Token::Free, MAC, &[])));
    assert!(free.contains("46 bytes: a free token has no valid bytes"), "{free}");
    assert!(free.contains("     0  00~ 00~"), "{free}");
    let full = explain(&bytes(&Frame::new(Token::Data, MAC, &[9; 46])));
    assert!(
        full.contains("00000                            0: every Data byte is valid"),
        "{full}"
    );
    assert!(full.contains("46 bytes: 46 valid\n") && !full.contains('~'), "{full}");
    let long = explain(&bytes(&Frame::new(Token::Data, MAC, &[9; 47])));
    assert!(long.contains("fcs         word 15 [8..] to 16 [..7]"), "{long}");
}
