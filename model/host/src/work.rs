// SPDX-License-Identifier: MIT OR Apache-2.0
//! Test programs for all nodes of a ring, with the memory contents expected afterwards.
//!
//! The expected contents are computed from the definition of the program, without the ring.

use super::{DrivenRing, Handle, Program, Protocols, Stopped};
use awgstar_board::ring::{BoardRing, boards::bytes};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar_request::Process;
use thiserror::Error;

/// A piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Every node adds 1 to a word, under a lock.
    Counter {
        /// Additions of each node.
        rounds: u32,
        /// Cycles between reading and writing.
        inside: Cycle,
        /// Cycles between an addition and the next.
        outside: Cycle,
    },
    /// Every node puts elements at the head of a linked list, under a lock.
    List {
        /// Elements of each node.
        rounds: u32,
    },
    /// A line of cells, some to each node; in each step a cell becomes the sum of itself and its
    /// two neighbours, modulo 2^32. Nodes meet at the barrier after each step.
    Stencil {
        /// Cells of each node.
        cells: u32,
        steps: u32,
    },
    /// Every node adds its number and one to words of the virtual shared memory, under a lock.
    Pages {
        /// Words of the virtual memory.
        words: u32,
        /// Every `stride`-th of these.
        stride: u32,
    },
}

/// A replica is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("node {node}, {what}: expected {expected}, found {found}")]
pub struct Wrong {
    /// Node.
    pub node: NodeId,
    /// Name of the value.
    pub what: String,
    /// Expected value.
    pub expected: u32,
    /// Value found.
    pub found: u32,
}

/// The lock that guards a counter or a list.
const LOCK: u32 = 7;
/// Byte address of the counter, or of the head of the list.
const HEAD: ByteAddress = ByteAddress(0);
/// Byte address of the first free byte for list elements.
const FREE: ByteAddress = ByteAddress(4);
/// First element, or first cell.
const FIRST: ByteAddress = ByteAddress(64);
/// Address that no element has: end of the list.
const NIL: ByteAddress = ByteAddress(0);
/// Value read where there is no memory.
const NOWHERE: u32 = 0xDEAD_BEEF;

impl Work {
    /// The programs of `nodes` nodes.
    #[must_use]
    pub fn programs(self, nodes: usize) -> Vec<Program<'static>> {
        (0..nodes).map(|_| self.program(nodes)).collect()
    }

    fn program(self, nodes: usize) -> Program<'static> {
        match self {
            Work::Counter { rounds, inside, outside } => {
                Box::new(move |node| count(node, rounds, inside, outside))
            }
            Work::List { rounds } => Box::new(move |node| link(node, rounds)),
            Work::Stencil { cells, steps } => {
                Box::new(move |node| exchange(node, nodes, cells, steps))
            }
            Work::Pages { words, stride } => Box::new(move |node| add(node, words, stride)),
        }
    }

    /// Looks at the memory of every live board.
    ///
    /// # Errors
    /// The first value that is wrong.
    pub fn check<P: Protocols, Q: Process + ?Sized>(
        self,
        system: &DrivenRing<P, Q>,
    ) -> Result<(), Wrong> {
        let ring = system.ring();
        let nodes = ring.boards();
        ring.live().map(NodeId::at).try_for_each(|node| {
            let memory = |addr| word(ring, node, addr);
            match self {
                Work::Counter { rounds, .. } => {
                    let all = rounds * narrow::<u32>(nodes);
                    same(node, "counter".into(), all, memory(HEAD))
                }
                Work::List { rounds } => walk(node, nodes, rounds, &memory),
                Work::Stencil { cells, steps } => {
                    let line = alone(nodes, cells, steps);
                    let now = side(steps, line.len());
                    (0..).zip(&line).try_for_each(|(i, &cell)| {
                        same(node, format!("cell {i}"), cell, memory(now + 4 * i))
                    })
                }
                Work::Pages { words, stride } => {
                    let all = (1..).take(nodes).sum();
                    (0..words).try_for_each(|i| {
                        let sum = if i.is_multiple_of(stride) { all } else { 0 };
                        let found =
                            system.virtual_word(node, ByteAddress(4 * i)).unwrap_or(NOWHERE);
                        same(node, format!("virtual word {i}"), sum, found)
                    })
                }
            }
        })
    }
}

fn word(ring: &BoardRing, node: NodeId, addr: ByteAddress) -> u32 {
    if addr.word() >= ring.board(node.index()).u_memory.mem.len() {
        return NOWHERE;
    }
    let bytes = bytes(ring.board(node.index()), addr.aligned(), 4);
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
}

fn same(node: NodeId, what: String, expected: u32, found: u32) -> Result<(), Wrong> {
    if expected == found { Ok(()) } else { Err(Wrong { node, what, expected, found }) }
}

fn number(node: &Handle) -> u32 {
    u32::from(node.node())
}

fn count(node: &mut Handle, rounds: u32, inside: Cycle, outside: Cycle) -> Result<(), Stopped> {
    for _ in 0..rounds {
        node.lock(LOCK)?;
        let value = node.read(HEAD)?;
        if inside > Cycle(0) {
            node.wait(inside)?;
        }
        node.write(HEAD, value + 1)?;
        node.unlock(LOCK)?;
        if outside > Cycle(0) {
            node.wait(outside)?;
        }
    }
    Ok(())
}

/// An element is two words: the address of the next, and node and number.
fn link(node: &mut Handle, rounds: u32) -> Result<(), Stopped> {
    for round in 0..rounds {
        node.lock(LOCK)?;
        // The first free place is 0 until somebody has put an element.
        let free = ByteAddress(node.read(FREE)?).max(FIRST);
        let head = node.read(HEAD)?;
        node.write(free, head)?;
        node.write(free + 4, number(node) << 16 | round)?;
        node.write(HEAD, free.0)?;
        node.write(FREE, (free + 8).0)?;
        node.unlock(LOCK)?;
    }
    Ok(())
}

/// The list has every element once, and those of a node the last first.
fn walk(
    node: NodeId,
    nodes: usize,
    rounds: u32,
    memory: &impl Fn(ByteAddress) -> u32,
) -> Result<(), Wrong> {
    let mut left = vec![rounds; nodes];
    let mut at = ByteAddress(memory(HEAD));
    while at != NIL {
        let value = memory(at + 4);
        let (from, round) = ((value >> 16) as usize, value & 0xFFFF);
        let what = || format!("element at {at:#x}");
        let Some(left) = left.get_mut(from).filter(|left| **left > 0) else {
            return same(node, what(), 0, value);
        };
        *left -= 1;
        same(node, what(), *left, round)?;
        at = ByteAddress(memory(at));
    }
    (0..).zip(left).try_for_each(|(from, left): (usize, u32)| {
        same(node, format!("elements missing of node {from}"), 0, left)
    })
}

/// Byte address of the line after `step` steps: there are two, one to read and one to write.
fn side(step: u32, cells: usize) -> ByteAddress {
    FIRST + step % 2 * 4 * narrow::<u32>(cells)
}

fn start(i: u32) -> u32 {
    i.wrapping_mul(i).wrapping_add(1)
}

fn exchange(node: &mut Handle, nodes: usize, cells: u32, steps: u32) -> Result<(), Stopped> {
    let all = nodes * cells as usize;
    let mine = number(node) * cells;
    let last = narrow(all);
    for i in mine..mine + cells {
        node.write(side(0, all) + 4 * i, start(i))?;
    }
    node.barrier()?;
    for step in 0..steps {
        let (old, new) = (side(step, all), side(step + 1, all));
        // The own cells and one of each neighbour, with zeros beyond the ends.
        let mut line = Vec::new();
        for i in mine..mine + cells + 2 {
            let inside = (1..=last).contains(&i);
            line.push(if inside { node.read(old + 4 * (i - 1))? } else { 0 });
        }
        for (i, three) in (mine..).zip(line.windows(3)) {
            node.write(new + 4 * i, three.iter().fold(0, |sum: u32, &x| sum.wrapping_add(x)))?;
        }
        node.barrier()?;
    }
    Ok(())
}

/// Each node begins elsewhere, so pages are wanted by turns.
fn add(node: &mut Handle, words: u32, stride: u32) -> Result<(), Stopped> {
    let me = number(node);
    let places = words.div_ceil(stride);
    for i in 0..places {
        let addr = ByteAddress(4 * stride * ((i + 3 * me) % places));
        node.lock(LOCK)?;
        let value = node.pages().read(addr)?;
        node.pages().write(addr, value + me + 1)?;
        node.unlock(LOCK)?;
    }
    node.barrier()
}

/// Computes the line without a ring.
fn alone(nodes: usize, cells: u32, steps: u32) -> Vec<u32> {
    let all = narrow::<u32>(nodes) * cells;
    let mut line: Vec<u32> = (0..all).map(start).collect();
    for _ in 0..steps {
        let before = line.clone();
        for (i, cell) in line.iter_mut().enumerate() {
            let left = if i == 0 { 0 } else { before[i - 1] };
            let right = before.get(i + 1).copied().unwrap_or(0);
            *cell = left.wrapping_add(before[i]).wrapping_add(right);
        }
    }
    line
}
