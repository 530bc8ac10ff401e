// SPDX-License-Identifier: MIT OR Apache-2.0
//! Single machines of paging: what they want done, event by event.

use Action::{
    Ask, Confirm, CopyIn, CopyOut, Granted, Read, Released, Send, Start, Stop, Until, Write,
};
use awgstar_frame::contract::{PageTable, Signal, page_table::word};
use awgstar_frame::quantity::{ByteAddress, NodeId};
use awgstar_sync::firmware::{
    Message,
    paging::{Access, Action, Copy, Event, Master, Place, Repairs, Swap, Worker},
};

/// Six processes: two words of flags. Entries are 16 bytes, pages 64: places at 80 and 144.
const AT: PageTable = PageTable::new(64, 5, 2, 6);

fn place(node: u8) -> Place {
    Place { node: NodeId(node), master: NodeId(0), at: AT }
}

fn access(machine: &mut Access, event: Event) -> Vec<Action> {
    let mut actions = Vec::new();
    machine.step(event, &mut actions);
    actions
}

fn master(machine: &mut Master, event: Event) -> Vec<Action> {
    let mut actions = Vec::new();
    machine.step(event, &mut actions);
    actions
}

/// Process 5's flag: byte 5 of the flags, lane 1 of their second word.
fn flag(page: u32, on: u32) -> Action {
    Write { addr: ByteAddress(16 * (page - 1) + 12), data: on << 8, strobe: 0b0010 }
}

fn request(page: u32, tag: u16) -> Action {
    let new = Message::new(Signal::SwapRequest, NodeId(5));
    Send(Message { node_id: NodeId(0), tag, lock_number: page, ..new })
}

fn big_endian(value: u32) -> u32 {
    u32::from_le_bytes(value.to_be_bytes())
}

#[test]
fn a_table_has_bytes_for_everyone() {
    assert_eq!((AT.entry_bytes(), AT.physical, AT.areas()), (16, ByteAddress(80), 4));
    let found = [AT.valid(3), AT.offset(3), AT.flags(3, 1), AT.flag(3, 5)];
    assert_eq!(found.map(|addr| addr.0), [32, 36, 44, 45]);
    assert_eq!(
        (AT.locate(ByteAddress(0)), AT.locate(ByteAddress(319))),
        (Some((1, 0)), Some((5, 63)))
    );
    assert_eq!((AT.locate(ByteAddress(64)), AT.locate(ByteAddress(320))), (Some((2, 0)), None));
    assert_eq!(word(0x0102_0304), 0x0403_0201);
}

/// PAG-2, PAG-4
#[test]
fn a_process_marks_confirms_checks_and_uses() {
    let mut one = Access::new(place(5), Repairs::ALL);
    assert_eq!(access(&mut one, Event::LetGo), [Released], "it has nothing");
    assert_eq!(access(&mut one, Event::Access(0)), [], "pages begin with 1");
    assert_eq!(access(&mut one, Event::Access(6)), [], "and end with 5");
    assert_eq!(access(&mut one, Event::Access(2)), [flag(2, 1), Confirm]);
    assert_eq!(one.summary(), "marking, wants 2");
    assert_eq!(access(&mut one, Event::Access(3)), [], "one at a time");
    assert_eq!(access(&mut one, Event::Timer), [], "it has not asked");
    assert_eq!(access(&mut one, Event::Confirmed), [Read(ByteAddress(16))]);
    assert_eq!(access(&mut one, Event::Word(big_endian(1))), [Read(ByteAddress(20))]);
    assert_eq!(one.page(), None, "not yet");
    assert_eq!(access(&mut one, Event::Word(big_endian(144))), [Granted(ByteAddress(144))]);
    assert_eq!(
        (one.page(), one.wanted(), one.state()),
        (Some((2, ByteAddress(144))), None, Worker::Using)
    );
    assert_eq!(one.summary(), "using page 2");
    assert_eq!(access(&mut one, Event::Access(2)), [Granted(ByteAddress(144))], "it has it");
    // Another page: one confirmation for what was written and for the new flag.
    assert_eq!(access(&mut one, Event::Access(4)), [flag(4, 1), Confirm]);
    assert_eq!(one.page(), None);
    assert_eq!(access(&mut one, Event::Confirmed), [flag(2, 0), Read(ByteAddress(48))]);
    assert_eq!(one.summary(), "checking, wants 4");
    assert_eq!(access(&mut one, Event::Word(big_endian(1))), [Read(ByteAddress(52))]);
    assert_eq!(access(&mut one, Event::Word(big_endian(80))), [Granted(ByteAddress(80))]);
    assert_eq!(access(&mut one, Event::LetGo), [Confirm]);
    assert_eq!(one.state(), Worker::Leaving);
    assert_eq!(access(&mut one, Event::Confirmed), [flag(4, 0), Released]);
    assert_eq!(one, Access::new(place(5), Repairs::ALL));
    assert_eq!(access(&mut one, Event::Confirmed), []);
    assert_eq!(access(&mut one, Event::Word(1)), []);
}

/// PAG-3
#[test]
fn a_process_asks_until_the_page_is_there() {
    let mut one = Access::new(place(5), Repairs::ALL);
    access(&mut one, Event::Access(3));
    access(&mut one, Event::Confirmed);
    assert_eq!(access(&mut one, Event::Word(0)), [request(3, 1), Start, Until(ByteAddress(32))]);
    assert_eq!(one.summary(), "asking, wants 3");
    assert_eq!(access(&mut one, Event::Timer), [request(3, 1), Start]);
    assert_eq!(
        access(&mut one, Event::Word(big_endian(1))),
        [Stop, Read(ByteAddress(36))],
        "its flag is set"
    );
    assert_eq!(access(&mut one, Event::Timer), []);
    assert_eq!(access(&mut one, Event::Word(big_endian(80))), [Granted(ByteAddress(80))]);
    access(&mut one, Event::Access(5));
    access(&mut one, Event::Confirmed);
    assert_eq!(access(&mut one, Event::Word(0)), [request(5, 2), Start, Until(ByteAddress(64))]);
    let mut local = Access::new(place(0), Repairs::ALL);
    access(&mut local, Event::Access(3));
    access(&mut local, Event::Confirmed);
    assert_eq!(access(&mut local, Event::Word(0)), [Ask(3), Until(ByteAddress(32))], "no signal");
}

/// Fig. 42: the flag was on its way while the page was hidden.
#[test]
fn as_printed_the_flag_goes_back_to_0() {
    let mut one = Access::new(place(5), Repairs::NONE);
    assert_eq!(access(&mut one, Event::Access(2)), [Read(ByteAddress(16))]);
    assert_eq!(access(&mut one, Event::Word(big_endian(1))), [flag(2, 1), Confirm]);
    assert_eq!(access(&mut one, Event::Confirmed), [Read(ByteAddress(16))]);
    let new = Message::new(Signal::SwapRequest, NodeId(5));
    let asks = Send(Message { node_id: NodeId(5), tag: 1, lock_number: 2, ..new });
    assert_eq!(access(&mut one, Event::Word(0)), [flag(2, 0), asks, Until(ByteAddress(16))]);
    assert_eq!(access(&mut one, Event::Word(big_endian(1))), [Stop, flag(2, 1), Confirm]);
    access(&mut one, Event::Confirmed);
    access(&mut one, Event::Word(big_endian(1)));
    assert_eq!(access(&mut one, Event::Word(big_endian(80))), [Granted(ByteAddress(80))]);
    assert_eq!(access(&mut one, Event::LetGo), [Released], "the flag stays");
    assert_eq!(one.state(), Worker::Using);
    assert_eq!(access(&mut one, Event::Access(1)), [flag(2, 0), Read(ByteAddress(0))]);
}

fn valid(page: u32, on: u32) -> Action {
    Write { addr: ByteAddress(16 * (page - 1)), data: big_endian(on), strobe: 0b1111 }
}

fn offset(page: u32, at: u32) -> Action {
    Write { addr: ByteAddress(16 * (page - 1) + 4), data: big_endian(at), strobe: 0b1111 }
}

#[test]
fn the_first_pages_are_in() {
    let one = Master::new(place(0), Repairs::ALL);
    let mut actions = Vec::new();
    one.start(&mut actions);
    assert_eq!(actions, [offset(1, 80), valid(1, 1), offset(2, 144), valid(2, 1)]);
    let areas: Vec<_> = (0..=6).map(|page| one.area(page)).collect();
    assert_eq!(areas, [None, None, None, Some(0), Some(1), Some(2), None]);
}

/// PAG-5 to PAG-8
#[test]
fn the_master_swaps_in_turn() {
    let mut one = Master::new(place(0), Repairs::ALL);
    assert_eq!(master(&mut one, Event::Wanted(0)), []);
    assert_eq!(master(&mut one, Event::Wanted(6)), []);
    assert_eq!(master(&mut one, Event::Wanted(2)), [], "it is in");
    assert_eq!(one.state(), Swap::Idle);
    assert_eq!(master(&mut one, Event::Wanted(4)), [Read(ByteAddress(8))]);
    assert_eq!(master(&mut one, Event::Wanted(5)), [], "later");
    assert_eq!(master(&mut one, Event::Wanted(5)), [], "once");
    assert_eq!(one.summary(), "master choosing 1 for 4, in [1, 2], wanted [5]");
    assert_eq!(master(&mut one, Event::Word(0)), [Read(ByteAddress(12))], "all words of the flags");
    assert_eq!(master(&mut one, Event::Word(0x100)), [Read(ByteAddress(24))], "page 1 is accessed");
    assert_eq!(
        master(&mut one, Event::Word(1)),
        [Read(ByteAddress(8))],
        "page 2 too; again from the first"
    );
    assert_eq!(master(&mut one, Event::Word(0)), [Read(ByteAddress(12))]);
    assert_eq!(master(&mut one, Event::Word(0)), [valid(1, 0), Confirm]);
    assert_eq!(one.state(), Swap::Hiding);
    assert_eq!(master(&mut one, Event::Copied), []);
    assert_eq!(master(&mut one, Event::Confirmed), [Read(ByteAddress(8))]);
    assert_eq!(master(&mut one, Event::Word(0)), [Read(ByteAddress(12))]);
    // Somebody was faster: the page stays, the next one is looked at.
    assert_eq!(master(&mut one, Event::Word(0x100)), [valid(1, 1), Read(ByteAddress(24))]);
    master(&mut one, Event::Word(0));
    assert_eq!(master(&mut one, Event::Word(0)), [valid(2, 0), Confirm]);
    master(&mut one, Event::Confirmed);
    master(&mut one, Event::Word(0));
    let out = Copy { page: 2, offset: ByteAddress(144), area: 3 };
    assert_eq!(master(&mut one, Event::Word(0)), [CopyOut(out)]);
    assert_eq!(master(&mut one, Event::Confirmed), []);
    let copy_in = Copy { page: 4, offset: ByteAddress(144), area: 1 };
    assert_eq!(master(&mut one, Event::Copied), [CopyIn(copy_in)]);
    assert_eq!(master(&mut one, Event::Copied), [Confirm]);
    assert_eq!(one.state(), Swap::Showing);
    // Offset, then valid flag; then the next request, from the place behind.
    assert_eq!(
        master(&mut one, Event::Confirmed),
        [offset(4, 144), valid(4, 1), Read(ByteAddress(8))]
    );
    assert_eq!((one.frames(), one.area(4), one.area(2)), (&[1, 4][..], None, Some(3)));
    for event in [Event::Word(0), Event::Word(0), Event::Confirmed, Event::Word(0)] {
        master(&mut one, event);
    }
    // The area moves: what page 4 left is filled now.
    let out = Copy { page: 1, offset: ByteAddress(80), area: 1 };
    assert_eq!(master(&mut one, Event::Word(0)), [CopyOut(out)]);
    let copy_in = Copy { page: 5, offset: ByteAddress(80), area: 2 };
    assert_eq!(master(&mut one, Event::Copied), [CopyIn(copy_in)]);
    assert_eq!(master(&mut one, Event::Copied), [Confirm]);
    assert_eq!(master(&mut one, Event::Confirmed), [offset(5, 80), valid(5, 1)]);
    assert_eq!(one.summary(), "master idle, in [5, 4], wanted []");
    assert_eq!(master(&mut one, Event::Word(0)), []);
    // The hand is at the second place now.
    assert_eq!(master(&mut one, Event::Wanted(1)), [Read(ByteAddress(56))]);
}

/// A page that is wanted by two is dropped when its turn comes and it is in.
#[test]
fn a_request_for_a_page_that_came_in_meanwhile() {
    let mut one = Master::new(place(0), Repairs::ALL);
    master(&mut one, Event::Wanted(3));
    master(&mut one, Event::Wanted(3));
    for event in [Event::Word(0), Event::Word(0), Event::Confirmed, Event::Word(0)] {
        master(&mut one, event);
    }
    for event in [Event::Word(0), Event::Copied, Event::Copied] {
        master(&mut one, event);
    }
    assert_eq!(master(&mut one, Event::Confirmed), [offset(3, 80), valid(3, 1)]);
    assert_eq!(one.state(), Swap::Idle);
}

#[test]
fn as_printed_the_master_does_not_wait() {
    let mut one = Master::new(place(0), Repairs::NONE);
    master(&mut one, Event::Wanted(3));
    master(&mut one, Event::Word(0));
    let out = Copy { page: 1, offset: ByteAddress(80), area: 3 };
    assert_eq!(master(&mut one, Event::Word(0)), [valid(1, 0), CopyOut(out)]);
    let copy_in = Copy { page: 3, offset: ByteAddress(80), area: 0 };
    assert_eq!(master(&mut one, Event::Copied), [CopyIn(copy_in)]);
    assert_eq!(master(&mut one, Event::Copied), [offset(3, 80), valid(3, 1)]);
}
