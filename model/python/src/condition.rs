// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions that a run waits for. They are checked in every cycle, without Python.

use crate::argument;
use crate::error::Error;
use crate::shared::Seen;
use awgstar::Tap;
use awgstar::codec::Mac;
use awgstar::contract::Token;
use awgstar_scenario::run::boards::FrameFilter;
use pyo3::prelude::*;

/// What a condition says.
#[derive(Clone, Debug)]
enum What {
    At(u64),
    After(u64),
    Word { board: usize, addr: u64, value: u32, mask: u32 },
    Interrupt(usize),
    Held { lock: u32, board: Option<usize> },
    Passed { barrier: u8, times: u64, board: Option<usize> },
    Frame { node: usize, kind: Option<FrameFilter>, source: Option<u8>, times: u64 },
    Up,
    Delivered { node: usize, frames: u64 },
    Any(Vec<What>),
    All(Vec<What>),
}

/// A condition for `run_until`. Conditions are joined with `|` (any) and `&` (all).
#[pyclass(frozen, module = "awgstar._native", from_py_object)]
#[derive(Clone, Debug)]
pub(crate) struct Condition(What);

#[pymethods]
impl Condition {
    fn __or__(&self, other: &Condition) -> Condition {
        Condition(What::Any(vec![self.0.clone(), other.0.clone()]))
    }

    fn __and__(&self, other: &Condition) -> Condition {
        Condition(What::All(vec![self.0.clone(), other.0.clone()]))
    }

    fn __repr__(&self) -> String {
        format!("<condition {:?}>", self.0)
    }
}

/// The ring is at this cycle, or after it.
#[pyfunction]
pub(crate) fn at(#[pyo3(from_py_with = argument::cycle)] cycle: u64) -> Condition {
    Condition(What::At(cycle))
}

/// So many cycles have passed since the call of `run_until`.
#[pyfunction]
pub(crate) fn after(#[pyo3(from_py_with = argument::cycles)] cycles: u64) -> Condition {
    Condition(What::After(cycles))
}

/// The word at byte `addr` of the replica of a board, under `mask`, is `value`. Rings of boards.
#[pyfunction]
#[pyo3(signature = (board, addr, value, mask=4_294_967_295))]
pub(crate) fn word(
    #[pyo3(from_py_with = argument::board)] board: usize,
    #[pyo3(from_py_with = argument::addr)] addr: u64,
    #[pyo3(from_py_with = argument::value)] value: u32,
    #[pyo3(from_py_with = argument::mask)] mask: u32,
) -> PyResult<Condition> {
    if !addr.is_multiple_of(4) {
        return Err(Error::argument("addr", "a multiple of 4", addr).into());
    }
    if value & !mask != 0 {
        let expected = format!("no bits beyond mask {mask:#x}");
        return Err(Error::argument("value", expected, format!("{value:#x}")).into());
    }
    Ok(Condition(What::Word { board, addr, value, mask }))
}

/// A board interrupts its host: `irq` is high. Rings of boards.
#[pyfunction]
pub(crate) fn interrupt(#[pyo3(from_py_with = argument::board)] board: usize) -> Condition {
    Condition(What::Interrupt(board))
}

/// A program holds a lock: that of `board`, or any. Rings of boards with firmware.
#[pyfunction]
#[pyo3(signature = (lock, board=None))]
pub(crate) fn lock_held(
    #[pyo3(from_py_with = argument::lock)] lock: u32,
    #[pyo3(from_py_with = argument::board)] board: Option<usize>,
) -> Condition {
    Condition(What::Held { lock, board })
}

/// Programs have passed a barrier so many times since the start: that of `board`, or those of all boards. Rings of
/// boards with firmware.
#[pyfunction]
#[pyo3(signature = (barrier=0, times=1, board=None))]
pub(crate) fn barrier_passed(
    #[pyo3(from_py_with = argument::barrier)] barrier: u8,
    #[pyo3(from_py_with = argument::times)] times: u64,
    #[pyo3(from_py_with = argument::board)] board: Option<usize>,
) -> Condition {
    Condition(What::Passed { barrier, times, board })
}

/// The header of a frame has been on the output of a node so many times since the call of `run_until`.
///
/// `kind` is `free`, `data`, `signal`, `monitor`, `sync` or None for any; `source` is the low byte of MAC.
#[pyfunction]
#[pyo3(signature = (node, kind=None, source=None, times=1))]
pub(crate) fn frame_at(
    #[pyo3(from_py_with = argument::node)] node: usize,
    #[pyo3(from_py_with = argument::kind)] kind: Option<String>,
    #[pyo3(from_py_with = argument::source)] source: Option<u8>,
    #[pyo3(from_py_with = argument::times)] times: u64,
) -> PyResult<Condition> {
    let named = |name: String| {
        let found = FrameFilter::NAMES.iter().find(|(known, _)| *known == name.as_str());
        let expected = || FrameFilter::NAMES.map(|(name, _)| name).join(", ");
        found.map(|(_, kind)| *kind).ok_or_else(|| Error::argument("kind", expected(), name))
    };
    let kind = kind.map(named).transpose()?;
    Ok(Condition(What::Frame { node, kind, source, times }))
}

/// Every live board is known to all others. Rings of boards.
#[pyfunction]
pub(crate) fn up() -> Condition {
    Condition(What::Up)
}

/// A node has given so many frames to its host since the start. Rings of nodes.
#[pyfunction]
#[pyo3(signature = (node, frames=1))]
pub(crate) fn delivered(
    #[pyo3(from_py_with = argument::node)] node: usize,
    #[pyo3(from_py_with = argument::frames)] frames: u64,
) -> Condition {
    Condition(What::Delivered { node, frames })
}

/// The state of a ring that conditions ask about.
pub(crate) trait World {
    /// The next cycle.
    fn cycle(&self) -> u64;
    /// A word of a replica.
    fn word(&self, board: usize, at: usize) -> u32;
    /// The interrupt of a board.
    fn interrupts(&self, board: usize) -> bool;
    /// Calls `ask` with what processes have done.
    fn seen(&self, ask: &mut dyn FnMut(&Seen) -> bool) -> bool;
    /// All live boards are known to all others.
    fn up(&self) -> bool;
    /// Programs have ended, and what they sent is everywhere.
    fn over(&self) -> bool;
    /// Frames that a node delivered.
    fn delivered(&self, node: usize) -> u64;
}

/// What a ring has, to check a condition before a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ring {
    /// Nodes or boards.
    pub(crate) nodes: usize,
    /// Words of a replica; 0 on a ring of nodes.
    pub(crate) words: usize,
    /// Its hosts have firmware.
    pub(crate) firmware: bool,
    /// The next cycle.
    pub(crate) cycle: u64,
}

/// A condition in a run.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    /// A cycle.
    At(u64),
    /// Programs have ended.
    Over,
    Word {
        board: usize,
        at: usize,
        value: u32,
        mask: u32,
    },
    Interrupt(usize),
    Held {
        lock: u32,
        board: Option<usize>,
    },
    Passed {
        barrier: u8,
        times: u64,
        board: Option<usize>,
        boards: usize,
    },
    Frame(usize),
    Up,
    Delivered {
        node: usize,
        frames: u64,
    },
    Any(Vec<Test>),
    All(Vec<Test>),
}

/// Looks for frames of a kind on the output of a node.
#[derive(Clone, Debug)]
pub(crate) struct FrameWatch {
    node: usize,
    kind: Option<FrameFilter>,
    source: Option<u8>,
    left: u64,
    tap: Tap,
    /// The frame that is there began before the run.
    partial: bool,
}

impl FrameWatch {
    /// What is on the output of a node in a cycle.
    #[inline]
    pub(crate) fn look(&mut self, node: usize, valid: bool, data: u32, last: bool) {
        if node != self.node {
            return;
        }
        if !valid {
            self.tap.idle();
            self.partial = false;
            return;
        }
        if self.partial {
            self.partial = !last;
            return;
        }
        self.tap.word(data, last);
        // TOKEN and C.ST, and the last byte of MAC, are in the second word.
        if self.tap.words() == 2 && self.left > 0 {
            let header = self.tap.header();
            let token = Token::from_code(header.token);
            let kind = self.kind.is_none_or(|kind| kind.is(token, header.c_st));
            let source = self.source.is_none_or(|from| Mac::from_u64(header.mac).0[5] == from);
            self.left -= u64::from(kind && source);
        }
    }
}

impl Condition {
    /// The condition in a run of `ring`; what it watches is added to `watches`.
    pub(crate) fn test(&self, ring: &Ring, watches: &mut Vec<FrameWatch>) -> Result<Test, Error> {
        test(&self.0, ring, watches)
    }
}

fn test(what: &What, ring: &Ring, watches: &mut Vec<FrameWatch>) -> Result<Test, Error> {
    let node = |field, node: usize| {
        let wrong = || Error::argument(field, format!("one below {}", ring.nodes), node);
        if node < ring.nodes { Ok(node) } else { Err(wrong()) }
    };
    let maybe = |board: Option<usize>| board.map(|board| node("board", board)).transpose();
    let has = |has: bool, expected: &str, found: &str| {
        if has { Ok(()) } else { Err(Error::argument("condition", expected, found)) }
    };
    let boards = ring.words > 0;
    Ok(match *what {
        What::At(cycle) => Test::At(cycle),
        What::After(cycles) => Test::At(ring.cycle.saturating_add(cycles)),
        What::Word { board, addr, value, mask } => {
            has(boards, "a ring of boards", "word")?;
            let at = usize::try_from(addr / 4).unwrap_or(usize::MAX);
            if at >= ring.words {
                let expected = format!("one below {:#x}", 4 * ring.words);
                return Err(Error::argument("addr", expected, format!("{addr:#x}")));
            }
            Test::Word { board: node("board", board)?, at, value, mask }
        }
        What::Interrupt(board) => {
            has(boards, "a ring of boards", "interrupt")?;
            Test::Interrupt(node("board", board)?)
        }
        What::Held { lock, board } => {
            has(ring.firmware, "a ring of boards with firmware", "lock_held")?;
            Test::Held { lock, board: maybe(board)? }
        }
        What::Passed { barrier, times, board } => {
            has(ring.firmware, "a ring of boards with firmware", "barrier_passed")?;
            Test::Passed { barrier, times, board: maybe(board)?, boards: ring.nodes }
        }
        What::Frame { node: at, kind, source, times } => {
            let (node, left) = (node("node", at)?, times);
            let (tap, partial) = (Tap::default(), true);
            watches.push(FrameWatch { node, kind, source, left, tap, partial });
            Test::Frame(watches.len() - 1)
        }
        What::Up => {
            has(boards, "a ring of boards", "up")?;
            Test::Up
        }
        What::Delivered { node: at, frames } => {
            has(!boards, "a ring of nodes", "delivered")?;
            Test::Delivered { node: node("node", at)?, frames }
        }
        What::Any(ref all) => {
            Test::Any(all.iter().map(|one| test(one, ring, watches)).collect::<Result<_, _>>()?)
        }
        What::All(ref all) => {
            Test::All(all.iter().map(|one| test(one, ring, watches)).collect::<Result<_, _>>()?)
        }
    })
}

impl Test {
    /// The condition is met.
    #[inline]
    pub(crate) fn met(&self, world: &impl World, watches: &[FrameWatch]) -> bool {
        match self {
            Test::At(cycle) => world.cycle() >= *cycle,
            _ => self.met_otherwise(world, watches),
        }
    }

    fn met_otherwise(&self, world: &impl World, watches: &[FrameWatch]) -> bool {
        match *self {
            Test::At(cycle) => world.cycle() >= cycle,
            Test::Over => world.over(),
            Test::Word { board, at, value, mask } => world.word(board, at) & mask == value,
            Test::Interrupt(board) => world.interrupts(board),
            Test::Held { lock, board } => world.seen(&mut |seen| match board {
                Some(board) => seen.held.contains(&(lock, board)),
                None => seen.held.range((lock, 0)..=(lock, usize::MAX)).next().is_some(),
            }),
            Test::Passed { barrier, times, board, boards } => world.seen(&mut |seen| {
                let has = |board| seen.passed.get(&(board, barrier)).is_some_and(|n| *n >= times);
                board.map_or_else(|| (0..boards).all(has), has)
            }),
            Test::Frame(at) => watches.get(at).is_some_and(|watch| watch.left == 0),
            Test::Up => world.up(),
            Test::Delivered { node, frames } => world.delivered(node) >= frames,
            Test::Any(ref all) => all.iter().any(|one| one.met(world, watches)),
            Test::All(ref all) => all.iter().all(|one| one.met(world, watches)),
        }
    }
}
