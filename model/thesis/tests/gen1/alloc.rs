// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stack of shared variables (ALC-1 to ALC-4), alone and on both versions of the system.

use super::seeded::seeded;
use awgstar_frame::quantity::{ByteAddress, Cycle, Nanoseconds};
use awgstar_host::{self as next, Choice, Program, Setup};
use awgstar_request::{Answer, Len, Place, Process, Request};
use awgstar_thesis::{
    alloc::{AllocError, Stack},
    gen1::{Gen1, Settings, system::FREE},
};
use proptest::prelude::*;

#[test]
fn what_cannot_be_is_an_error() {
    let area = Stack::new(ByteAddress(0xffff_fff0), 17).unwrap_err().to_string();
    assert_eq!(area, "area of 17 bytes at 0xfffffff0: expected an end of at most 2^32");
    let mut stack = Stack::new(ByteAddress(0xffff_fff0), 16).unwrap();
    let error =
        |stack: &mut Stack, size, align| stack.allocate(size, align).unwrap_err().to_string();
    assert_eq!(error(&mut stack, 0, 4), "size is 0: expected 1 or more");
    assert_eq!(error(&mut stack, 4, 0), "alignment is 0: expected a power of two");
    assert_eq!(error(&mut stack, 4, 12), "alignment is 12: expected a power of two");
    assert_eq!(error(&mut stack, 17, 1), "17 bytes, aligned to 1: 16 are left");
    assert_eq!(error(&mut stack, u32::MAX, 1), "4294967295 bytes, aligned to 1: 16 are left");
    assert_eq!(
        stack.free(ByteAddress(0xffff_fff0)),
        Err(AllocError::Unknown { addr: ByteAddress(0xffff_fff0) })
    );
    assert_eq!(stack.allocate(16, 16), Ok(ByteAddress(0xffff_fff0)), "to the last byte");
    assert_eq!(stack.tail(), 1 << 32);
    assert_eq!(error(&mut stack, 1, 32), "1 bytes, aligned to 32: 0 are left");
    stack.free(ByteAddress(0xffff_fff0)).unwrap();
    let twice = stack.free(ByteAddress(0xffff_fff0)).unwrap_err().to_string();
    let text = "free of 0xfffffff0: expected the address of a variable that is not freed yet";
    assert_eq!(twice, text);
    let [a, b] = [1, 2].map(|size| stack.allocate(size, 1).unwrap());
    let order = stack.free(a).unwrap_err().to_string();
    assert_eq!(order, "free of 0xfffffff0: expected 0xfffffff1, which was allocated last");
    assert_eq!((b, stack.len(), stack.is_empty()), (ByteAddress(0xffff_fff1), 2, false));
}

/// What is called, with sizes and choices that are often wrong.
#[derive(Clone, Debug)]
enum Call {
    Allocate(u32, u32),
    /// The variable so many before the last one; an address that is none when there are not as many.
    Free(usize),
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        3 => (0..40_u32, 0..6_u32).prop_map(|(size, bits)| Call::Allocate(size, 1 << bits)),
        2 => prop_oneof![4 => Just(0_usize), 1 => 1..4_usize].prop_map(Call::Free),
    ]
}

proptest! {
    #![proptest_config(seeded(256))]

    /// Against a map of bytes, in which the owner of each stands: a variable begins at the first
    /// aligned byte behind the last one that is taken.
    #[test]
    fn as_a_map_of_bytes(
        base in 0..100_u32,
        size in 0..300_u32,
        calls in proptest::collection::vec(call(), 0..60),
    ) {
        let mut stack = Stack::new(ByteAddress(base), size).unwrap();
        let mut owner = vec![0_usize; size as usize];
        let mut alive: Vec<(usize, ByteAddress)> = Vec::new();
        for (name, call) in (1..).zip(calls) {
            let taken = owner.iter().rposition(|owner| *owner != 0).map_or(0, |last| last + 1);
            prop_assert_eq!(stack.tail(), u64::from(base) + taken as u64);
            match call {
                Call::Allocate(0, _) => {
                    prop_assert_eq!(stack.allocate(0, 1), Err(AllocError::Zero));
                }
                Call::Allocate(bytes, align) => {
                    let mut first = taken;
                    while !(base as usize + first).is_multiple_of(align as usize) {
                        first += 1;
                    }
                    let end = first + bytes as usize;
                    let found = stack.allocate(bytes, align);
                    if end > owner.len() {
                        let left = size - u32::try_from(taken).unwrap();
                        let none = AllocError::Exhausted { size: bytes, align, left };
                        prop_assert_eq!(found, Err(none));
                    } else {
                        let addr = ByteAddress(base) + u32::try_from(first).unwrap();
                        prop_assert_eq!(found, Ok(addr));
                        owner[first..end].fill(name);
                        alive.push((name, addr));
                    }
                }
                Call::Free(back) => {
                    let of = alive.len().checked_sub(back + 1).map(|at| alive[at]);
                    let Some((name, addr)) = of else {
                        let addr = ByteAddress(u32::MAX);
                        prop_assert_eq!(stack.free(addr), Err(AllocError::Unknown { addr }));
                        continue;
                    };
                    if back > 0 {
                        let last = alive[alive.len() - 1].1;
                        prop_assert_eq!(stack.free(addr), Err(AllocError::Order { addr, last }));
                        continue;
                    }
                    prop_assert_eq!(stack.free(addr), Ok(()));
                    owner.iter_mut().filter(|owner| **owner == name).for_each(|owner| *owner = 0);
                    alive.pop();
                }
            }
        }
    }
}

/// Nodes, and where the master says where the variable is.
const NODES: u32 = 4;

/// Node i of 4 writes this in call `call` of the function that has the variable.
fn value(call: u32, node: u32) -> u32 {
    1000 * call + node * node
}

/// Two calls of a function with an array that all fill; the master adds up. By hand:
/// 4 * 1000 + 0 + 1 + 4 + 9, and the same with 2000.
const SUMS: [u32; 2] = [4014, 8014];

/// On the current version: over PCI.
#[test]
fn variables_on_the_current_version() {
    let place = FREE;
    let master = || {
        let mut stack = Stack::new(FREE + 64, 64).unwrap();
        let result = stack.allocate(8, 8).unwrap();
        let (mut step, mut call, mut array) = (0, 0, ByteAddress(0));
        move |answer: &Answer| {
            step += 1;
            match step {
                1 => {
                    call += 1;
                    array = stack.allocate(4 * NODES, 16).unwrap();
                    Request::write_bytes(place, &array.0.to_be_bytes())
                }
                2 | 4 => Request::Barrier(0),
                3 => Request::write_bytes(array, &value(call, 0).to_be_bytes()),
                5 => Request::Read(Place::shared(array), Len::Bytes(16)),
                6 => {
                    let words =
                        answer.bytes().chunks(4).map(|w| u32::from_be_bytes(w.try_into().unwrap()));
                    let sum: u32 = words.sum();
                    stack.free(array).unwrap();
                    Request::write_bytes(result + 4 * (call - 1), &sum.to_be_bytes())
                }
                7 if call < 2 => {
                    step = 0;
                    Request::compute(Nanoseconds(10))
                }
                _ => Request::End,
            }
        }
    };
    let worker = |node: u32| {
        let (mut step, mut call) = (0, 0);
        move |answer: &Answer| {
            step += 1;
            match step {
                1 => {
                    call += 1;
                    Request::Barrier(0)
                }
                2 => Request::read(place),
                3 => Request::write_bytes(
                    ByteAddress(answer.word() + 4 * node),
                    &value(call, node).to_be_bytes(),
                ),
                4 => Request::Barrier(0),
                _ if call < 2 => {
                    step = 0;
                    Request::compute(Nanoseconds(10))
                }
                _ => Request::End,
            }
        }
    };
    let mut all: Vec<Box<dyn Process>> = vec![Box::new(master())];
    all.extend((1..NODES).map(|node| Box::new(worker(node)) as Box<dyn Process>));
    let mut system = Gen1::new(&Settings::new(4), all).unwrap();
    system.run(&mut |_| {}).unwrap();
    assert!(system.unfinished().is_empty());
    for node in 0..4 {
        let found = [0, 4].map(|at| system.ring().memory(node).word(FREE + 64 + at));
        assert_eq!(found, SUMS, "node {node}");
    }
}

/// On the next version: in local memory, on the cycle-accurate ring of boards.
#[test]
fn variables_on_the_next_version() {
    let (place, area) = (ByteAddress(0), ByteAddress(64));
    let program = move |node: &mut next::Handle| {
        let mine = u32::from(node.node());
        let mut stack = Stack::new(area, 64).unwrap();
        // Only the master's stack is used.
        let result = if mine == 0 { stack.allocate(8, 8).unwrap() } else { ByteAddress(0) };
        for call in 1..=2 {
            let mut array = ByteAddress(0);
            if mine == 0 {
                array = stack.allocate(4 * NODES, 16).unwrap();
                node.write(place, array.0)?;
            }
            node.barrier()?;
            let there = node.read(place)?;
            node.write(ByteAddress(there + 4 * mine), value(call, mine))?;
            node.barrier()?;
            if mine == 0 {
                let mut sum = 0;
                for other in 0..NODES {
                    sum += node.read(array + 4 * other)?;
                }
                stack.free(array).unwrap();
                node.write(result + 4 * (call - 1), sum)?;
            }
        }
        node.barrier()?;
        for (at, expected) in [0, 4].into_iter().zip(SUMS) {
            let found = node.read(area + at)?;
            if found != expected {
                return Err(next::Stopped::Check { expected, found });
            }
        }
        Ok(())
    };
    let setup = Setup::new(4, 4);
    let mut system = next::DrivenRing::new(Choice::new(), &setup).expect("good");
    let programs: Vec<Program> = (0..4).map(|_| Box::new(program) as Program).collect();
    let ends = system.run_programs(Cycle(10_000_000), programs).unwrap();
    assert!(ends.iter().all(Result::is_ok), "{ends:?}");
}
