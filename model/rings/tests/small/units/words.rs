// SPDX-License-Identifier: MIT OR Apache-2.0
//! The words of channels and their addresses.

use super::{FAR, ME, OWN};
use awgstar_frame::quantity::{ByteAddress, NodeId};
use awgstar_rings::{
    Cache, Codes, Head, Layout, LayoutError, Operation, Requester, RingNumber, Slot, Status, Word,
};
use std::collections::BTreeSet;

#[test]
fn words_of_a_channel() {
    let head = Head { number: 0xffff, operation: Operation::Put, length: 0xfff };
    assert_eq!(head.word(), Ok(0xffff_2fff));
    assert_eq!(Head::of(0xffff_2fff), Ok(head));
    assert_eq!(Head::of(0x0001_1002).map(|head| head.length), Ok(2));
    assert_eq!(Head { length: 0, ..head }.word(), Err(Codes::Length(0)));
    assert_eq!(Head { length: 0x1000, ..head }.word(), Err(Codes::Length(0x1000)));
    assert_eq!(Head::of(0x0001_0001), Err(Codes::Operation(0)));
    assert_eq!(Head::of(0x0001_3001), Err(Codes::Operation(3)));
    assert_eq!(Head::of(0x0001_1000), Err(Codes::Length(0)));
    for (status, code) in [Status::Good, Status::NoRing, Status::NoAddress, Status::NoRequest]
        .into_iter()
        .zip([0x0007_0000, 0x0007_0100, 0x0007_0200, 0x0007_0300])
    {
        assert_eq!(status.word(7), code);
        assert_eq!(Status::of(code), Ok(status));
    }
    assert_eq!(Status::of(0x0007_0400), Err(Codes::Status(4)));
}

/// Every word of a small layout has an address that no other one has; the last one is where the sizes say.
#[test]
fn layout() {
    let cache = Some(Cache { lines: 3, words: 2 });
    let (base, clients, gateways) = (ByteAddress(64), 3, 2);
    let layout = Layout { base, clients, gateways, rings: 2, block: 2, locks: 2, cache };
    let mut all = BTreeSet::new();
    let mut add = |word| assert!(all.insert(layout.address(word).unwrap()), "{word:?}");
    for client in NodeId::all(3) {
        for word in [Word::Request, Word::Target, Word::Address, Word::Arrival] {
            add(word(client));
        }
        (0..2).for_each(|at| add(Word::Data(client, at)));
        for slot in [Slot(0), Slot(1)] {
            add(Word::Taken(slot, client));
            add(Word::Reply(slot, client));
            (0..2).for_each(|at| add(Word::Value(slot, client, at)));
            for ring in [OWN, FAR] {
                let from = Requester { ring, client };
                for word in [Word::Intent, Word::IntentAddress, Word::IntentAt, Word::Done] {
                    add(word(slot, from));
                }
                (0..2).for_each(|at| add(Word::IntentData(slot, from, at)));
                (0..2).for_each(|at| add(Word::Result(slot, from, at)));
            }
        }
    }
    add(Word::Release(Slot(0)));
    add(Word::Release(Slot(1)));
    for lock in [0, 1] {
        NodeId::all(3).for_each(|client| add(Word::Want(client, lock)));
        for slot in [Slot(0), Slot(1)] {
            add(Word::Grant(slot, lock));
            add(Word::Turn(slot, lock));
            add(Word::Owner(slot, lock));
        }
    }
    add(Word::Begun(Slot(0)));
    add(Word::Begun(Slot(1)));
    for place in 0..3 {
        add(Word::Line(place));
        add(Word::LineRing(place));
        add(Word::LineAddress(place));
        (0..2).for_each(|at| add(Word::Cached(place, at)));
    }
    let words = 3 * 6 + 2 * 3 * 4 + 2 + 2 * 6 * 8 + 2 * (3 + 2 * 3) + 2 + 3 * 5;
    assert_eq!(layout.bytes(), 4 * 175);
    assert_eq!(all.len(), words);
    assert_eq!(all.first(), Some(&ByteAddress(64)));
    assert_eq!(all.last(), Some(&ByteAddress(64 + 4 * 174)));
    let memory = Word::Memory(ByteAddress(8));
    assert_eq!(layout.address(memory), Ok(ByteAddress(8)));
    let error = |word| layout.address(word).unwrap_err();
    let third = NodeId(3);
    assert_eq!(error(Word::Request(third)), LayoutError::Client { found: third, clients: 3 });
    assert_eq!(error(Word::Release(Slot(2))), LayoutError::Gateway { found: 2, gateways: 2 });
    assert_eq!(error(Word::Want(ME, 2)), LayoutError::Lock { found: 2, locks: 2 });
    assert_eq!(error(Word::Data(ME, 2)), LayoutError::Block { found: 2, block: 2 });
    assert_eq!(error(Word::Line(3)), LayoutError::Place { found: 3, lines: 3 });
    assert_eq!(error(Word::Cached(0, 2)), LayoutError::Line { found: 2, words: 2 });
    let from = Requester { ring: RingNumber(2), client: ME };
    assert_eq!(error(Word::Done(Slot(0), from)), LayoutError::Ring { found: 2, rings: 2 });
    let full = Layout { base: ByteAddress(u32::MAX - 3), ..layout };
    assert_eq!(full.address(Word::Target(ME)), Err(LayoutError::Full));
    let huge = Layout { clients: u16::MAX, rings: u16::MAX, block: u16::MAX, ..layout };
    let from = Requester { ring: RingNumber(u16::MAX - 1), client: NodeId(255) };
    assert_eq!(huge.address(Word::Done(Slot(1), from)), Err(LayoutError::Full));
}
