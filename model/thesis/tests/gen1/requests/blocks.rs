// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks of processes on boards of either kind (DRV-10).

use super::{Gives, List};
use awgstar_board::ring::boards::{Board, bytes};
use awgstar_board::rtl::{Smb, SmbAxi4};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_host::{Choice, DrivenRing, Setup};
use awgstar_request::{Data, Got, Len, Place, Process, Refused, Request};

/// Address and bytes of each block: short ones, ones that begin and end in a word, ones of several
/// parts.
const BLOCKS: [(u32, u32); 10] = [
    (5, 1),
    (0x13, 2),
    // In the same word.
    (0x15, 2),
    (0x21, 6),
    (0x100, 64),
    (0x201, 1022),
    (0x7fe, 4096),
    (0x2001, 4100),
    (0x5000, 10_000),
    (0x9003, 9),
];

fn place(addr: u32) -> Place {
    Place { addr: ByteAddress(addr), ..Place::default() }
}

/// The bytes of the block at an address.
fn block(addr: u32, bytes: u32) -> Vec<u8> {
    (addr..addr + bytes).map(|at| (at.wrapping_mul(7) ^ at >> 8).to_le_bytes()[0] | 1).collect()
}

/// The process of board 0 of two makes these requests. With `reset`, the board is reset so many cycles after the ring is
/// up. The result: the answers, the memory of both boards, and the cycles that the process took.
fn run<M: Board>(requests: Vec<Request>, reset: Option<u64>) -> (Vec<Gives>, [Vec<u8>; 2], u64) {
    let setup = setup();
    let boards = setup.configuration();
    let choice = Choice::new();
    let mut system =
        DrivenRing::<_, dyn Process, M>::for_processes(choice, &setup, boards).expect("good");
    let (list, gots) = List::of(requests);
    system.start(NodeId(0), list).expect("there");
    system.run_until_up(Cycle(100_000)).expect("up");
    let start = system.ring().cycle();
    if let Some(after) = reset {
        while system.ring().cycle() < start + Cycle(after) {
            system.step();
        }
        assert!(!system.ring().is_idle(0), "{after}: no access is under way");
        system.reset(NodeId(0), Cycle(10)).expect("there");
    }
    system.run(Cycle(1_000_000)).expect("ends");
    let took = (system.ring().cycle() - start).0;
    system.settle(Cycle(1_000_000)).expect("settles");
    // The last data is being written when it has returned.
    for _ in 0..1_000 {
        system.step();
    }
    let memory = [0, 1].map(|board| bytes(system.ring().board(board), ByteAddress(0), 0x1_0000));
    let gots = gots.borrow().clone();
    (gots, memory, took)
}

/// Two boards with 64 KiB of memory.
fn setup() -> Setup {
    let mut setup = Setup::new(2, 4);
    let parameters = setup.scenario.parameters.with("smb", "MEM_ADDR_W", 14);
    setup.scenario.parameters = parameters.expect("in its range");
    setup
}

fn writes_and_reads() -> Vec<Request> {
    let write = |(addr, bytes)| Request::Write(place(addr), Data::Bytes(block(addr, bytes).into()));
    let long = Request::Write(place(0x2000 + 8 * 514), Data::Long([9; 8]));
    let read = |(addr, bytes): (u32, u32)| Request::Read(place(addr), Len::Bytes(bytes.into()));
    BLOCKS.map(write).into_iter().chain([long]).chain(BLOCKS.map(read)).collect()
}

/// The answers to [`writes_and_reads`].
fn expected() -> Vec<Gives> {
    let nothing = vec![Ok(Got::Nothing); BLOCKS.len() + 1];
    let read = BLOCKS.map(|(addr, bytes)| Ok(Got::Bytes(block(addr, bytes))));
    nothing.into_iter().chain(read).collect()
}

#[test]
fn of_any_length_at_any_address() {
    let (lite, memory, slow) = run::<Smb>(writes_and_reads(), None);
    let (burst, same, fast) = run::<SmbAxi4>(writes_and_reads(), None);
    assert_eq!(lite, expected());
    assert_eq!(burst, expected());
    assert_eq!(memory[0], memory[1]);
    assert_eq!(same, memory);
    // A word takes a cycle in each direction; word by word it takes three and four.
    assert!(3 * fast < slow, "{fast} cycles, and word by word {slow}");
}

/// DRV-5: a board that is reset in the middle of a block gets the part again that was under way.
#[test]
fn a_board_that_is_reset_gets_the_part_again() {
    let whole = Request::Write(place(0), Data::Bytes(block(0, 8_192).into()));
    let read = Request::Read(place(4_096), Len::Bytes(4_096));
    for after in [2_000, 2_001, 2_050, 2_100] {
        let (got, ..) = run::<SmbAxi4>(vec![whole.clone(), read.clone()], Some(after));
        assert_eq!(got, [Ok(Got::Nothing), Ok(Got::Bytes(block(4_096, 4_096)))], "{after}");
    }
}

/// A block that ends beyond the memory is refused, and so is one at the last address.
#[test]
fn beyond_the_memory() {
    let memory = 4 << setup().scenario.parameters.mem_addr_w();
    for (addr, bytes) in [(memory - 8, 16), (memory, 4_096), (u32::MAX - 1, 2), (u32::MAX - 5, 64)]
    {
        let write = Request::Write(place(addr), Data::Bytes(vec![1; bytes].into()));
        let read = Request::Read(place(addr), Len::Bytes(bytes as u64));
        for (got, ..) in
            [run::<Smb>, run::<SmbAxi4>].map(|run| run(vec![write.clone(), read.clone()], None))
        {
            assert_eq!(got, [Err(Refused::Bus), Err(Refused::Bus)], "{addr:#x} {bytes}");
        }
    }
}
