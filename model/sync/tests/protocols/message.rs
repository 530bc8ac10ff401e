// SPDX-License-Identifier: MIT OR Apache-2.0
//! A message is the same again when it is read from the Data that it was written to (SIG-2).

use awgstar_frame::contract::{Signal, Token};
use awgstar_frame::quantity::NodeId;
use awgstar_sync::firmware::{Message, MessageError, message::MESSAGE_BYTES};

/// Every value that the layout of `signal` has, each byte different.
fn full(signal: Signal) -> Message {
    let has = |name| signal.fields().iter().any(|field| field.name == name);
    let mut message = Message { node_id: NodeId(0x0b), ..Message::new(signal, NodeId(0x0a)) };
    message.send_node = if has("send_node") { NodeId(0x0c) } else { NodeId(0) };
    message.tag = if has("tag") { 0x0102 } else { 0 };
    message.epoch = if has("epoch") { 0x0304 } else { 0 };
    let number = has("lock_number") || has("page_number");
    message.lock_number = if number { 0x0506_0708 } else { 0 };
    if has("barrier_number") {
        message.lock_number = 0x0d;
    }
    message
}

fn codes(signal: Signal) -> (Token, u8) {
    (signal.token(), signal.c_st())
}

#[test]
fn every_signal_is_read_as_it_was_written() {
    for &signal in Signal::ALL {
        let message = full(signal);
        let data = message.data();
        assert_eq!(
            Message::read(codes(signal), NodeId(0x0a), NodeId(0x0b), &data),
            Ok(message),
            "{signal:?}"
        );
        // A frame has 46 bytes of Data and more; what no value covers is zero.
        let mut long = [0; 46];
        long[..MESSAGE_BYTES].copy_from_slice(&data);
        assert_eq!(
            Message::read(codes(signal), NodeId(0x0a), NodeId(0x0b), &long),
            Ok(message),
            "{signal:?}"
        );
    }
}

#[test]
fn values_are_big_endian_at_their_places() {
    let pass = full(Signal::LockDistPass).data();
    assert_eq!(pass, [0x0c, 0, 1, 2, 5, 6, 7, 8, 3, 4]);
    let request = full(Signal::LockQueueRequest).data();
    assert_eq!(request, [0, 0, 1, 2, 5, 6, 7, 8, 0, 0]);
    let arrival = full(Signal::BarrierRingArrival).data();
    assert_eq!(arrival, [0, 0x0d, 1, 2, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn codes_without_a_signal_are_named() {
    let found = Message::read((Token::P2p, 0b11111), NodeId(1), NodeId(2), &[0; 46]);
    assert_eq!(found, Err(MessageError::Codes { token: Token::P2p, c_st: 0b11111 }));
    let text = found.unwrap_err().to_string();
    assert_eq!(text, "TOKEN P2p with C.ST 0b11111: no signal has these codes");
}

#[test]
fn data_that_ends_within_a_value_is_short() {
    for &signal in Signal::ALL {
        let data = full(signal).data();
        for field in signal.fields() {
            let end = field.offset + field.bytes;
            let found = Message::read(codes(signal), NodeId(1), NodeId(2), &data[..end - 1]);
            let short = MessageError::Short { field: field.name, expected: end, found: end - 1 };
            assert_eq!(found, Err(short), "{signal:?}");
        }
    }
    let text = MessageError::Short { field: "tag", expected: 4, found: 3 }.to_string();
    assert_eq!(text, "tag: Data has 3 bytes, the value ends at byte 4");
}

#[test]
fn a_byte_that_no_value_covers_must_be_zero() {
    for &signal in Signal::ALL {
        let message = full(signal);
        for offset in 0..46 {
            let mut data = [0; 46];
            data[..MESSAGE_BYTES].copy_from_slice(&message.data());
            let covered =
                signal.fields().iter().any(|f| (f.offset..f.offset + f.bytes).contains(&offset));
            data[offset] ^= 0x80;
            let found = Message::read(codes(signal), NodeId(0x0a), NodeId(0x0b), &data);
            if covered {
                assert!(found.is_ok_and(|read| read != message), "{signal:?} {offset}");
            } else {
                let name = signal.name();
                let reserved = MessageError::Reserved { signal: name, offset, found: 0x80 };
                assert_eq!(found, Err(reserved));
            }
        }
    }
    let text = MessageError::Reserved { signal: "lock_mw_ack", offset: 0, found: 1 }.to_string();
    assert_eq!(text, "Data byte 0: 0x01 where lock_mw_ack has no value: expected 0");
}

#[test]
fn a_message_reaches_whom_it_is_for() {
    let to_all = Message { node_id: NodeId(2), ..Message::new(Signal::LockQueuePass, NodeId(1)) };
    let to_one = Message { node_id: NodeId(2), ..Message::new(Signal::LockDistPass, NodeId(1)) };
    assert!(to_all.reaches(NodeId(2)) && to_all.reaches(NodeId(3)) && !to_all.reaches(NodeId(1)));
    assert!(to_one.reaches(NodeId(2)) && !to_one.reaches(NodeId(3)) && !to_one.reaches(NodeId(1)));
    let to_itself = Message { node_id: NodeId(1), ..to_one };
    assert!(!to_itself.reaches(NodeId(1)), "a board does not get its own signals");
}
