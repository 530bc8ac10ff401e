// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs of master and workers (thesis, Figs 13, 14 and 16; EVA-4).
//!
//! The master writes the array in the shared memory to initialise it while the workers wait at a
//! barrier. Then, for each batch of rows: all nodes compute their rows and write each result to its
//! place, word by word as they are computed (or a row at a time, [`Writes`]); all wait at a
//! barrier; the master reads the results back and sends them to the socket of the program that
//! draws, while the workers wait at the next barrier.

use super::{
    picture::Picture,
    split::{ARRAY_ROWS, ARRAY_WIDTH, batches, rows},
};
use crate::{
    gen1::{Script, system::FREE},
    settings::LOCAL_WORD,
};
use awgstar_frame::quantity::Nanoseconds;
use awgstar_request::{Data, Len, Path, Place, Request};
use std::sync::Arc;

/// Bytes of a result (an element of the array): a word.
pub const WORD: u64 = 4;

/// Times of the program's own steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// An iteration of z² − c, in ps.
    pub iteration_ps: u64,
    /// Time per point besides the iterations, in ns.
    pub point_ns: Nanoseconds,
    /// Time per word written besides the bus, in ns.
    pub word_ns: Nanoseconds,
    /// Share of the master's CPU for this program, in percent; the drawing program and the
    /// primitives take the rest.
    pub master_percent: u64,
    /// Bytes per second into the socket.
    pub socket: u64,
}

impl Default for Costs {
    /// A Xeon of 3.06 GHz: z² − c is a chain of a multiplication and two additions, 20 cycles of its
    /// x87 unit, 6,540 ps; loop and store of a point [`LOCAL_WORD`]; the master's CPU at 90 % (thesis 4.3.2);
    /// 100 MB/s through a socket on one machine. All but the 90 % are decisions.
    fn default() -> Self {
        Costs {
            iteration_ps: 6_540,
            point_ns: LOCAL_WORD,
            word_ns: Nanoseconds(0),
            master_percent: 90,
            socket: 100_000_000,
        }
    }
}

impl Costs {
    /// CPU time from the beginning of a row with these counts to each of its results.
    fn ready(&self, counts: &[u32], master: bool) -> Arc<[Nanoseconds]> {
        let mut iterations = 0;
        let points = counts.iter().zip(1..).map(|(&count, points)| {
            iterations += u64::from(count);
            let ns = Nanoseconds((iterations * self.iteration_ps).div_ceil(1_000))
                + points * (self.point_ns + self.word_ns);
            if master { self.on_master(ns) } else { ns }
        });
        points.collect()
    }

    fn on_master(&self, ns: Nanoseconds) -> Nanoseconds {
        Nanoseconds((ns.0 * 100).div_ceil(self.master_percent.max(1)))
    }
}

/// When the results of a row are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// Each word as soon as it is computed: "write directly when there is a write to shared variables"
    /// (thesis 2.4).
    Word,
    /// The whole row when it is computed: a program with a row in local memory.
    Row,
}

/// Settings for writing results and reading them back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// When results are written.
    pub writes: Writes,
    /// Word by word or by DMA, for reading the results.
    pub read: Path,
    /// The whole array is initialised, 1000 × 3000 words, whatever the picture; else only what the picture
    /// needs of it.
    pub whole_array: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { writes: Writes::Word, read: Path::Words, whole_array: true }
    }
}

/// Purpose of an operation of the program. Rows are those of the picture; while the array is
/// initialised, those of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A row of the array is initialised.
    Initialise(u32),
    /// A row is computed.
    Compute(u32),
    /// The results of a row are written.
    Write(u32),
    /// A row is computed, and each result is written at once.
    ComputeWrite(u32),
    /// The barriers in their order, from 1: each odd one begins a parallel execution, the next one ends
    /// it.
    Barrier(u32),
    /// The master reads the results of a row back.
    Read(u32),
    /// The master sends the results of a row to the drawing program.
    Send(u32),
}

/// The operations of each of `nodes` nodes; node 0 is the master.
#[must_use]
pub fn programs(picture: &Picture, nodes: usize, costs: &Costs, plan: Plan) -> Vec<Script> {
    let script = |node| steps(picture, node, nodes, costs, plan).into_iter().map(|(_, op)| op);
    (0..nodes).map(|node| Script::new(script(node))).collect()
}

/// The operations of `node`, and what each is for.
#[must_use]
pub fn steps(
    picture: &Picture,
    node: usize,
    nodes: usize,
    costs: &Costs,
    plan: Plan,
) -> Vec<(Purpose, Request)> {
    let master = node == 0;
    let size = picture.size();
    let place = |row: u32| FREE + row % ARRAY_ROWS * ARRAY_WIDTH * 4;
    let write = |row: u32, points: u32| {
        Request::Write(Place::shared(place(row)), Data::Blank(u64::from(points) * WORD))
    };
    let mut ops = Vec::new();
    if master {
        let (rows, points) =
            if plan.whole_array { (ARRAY_ROWS, ARRAY_WIDTH) } else { (size.min(ARRAY_ROWS), size) };
        for row in 0..rows {
            let ns = u64::from(points) * costs.word_ns;
            if ns > Nanoseconds(0) {
                ops.push((Purpose::Initialise(row), Request::compute(ns)));
            }
            ops.push((Purpose::Initialise(row), write(row, points)));
        }
    }
    for (barrier, batch) in (1..).step_by(2).zip(batches(size)) {
        ops.push((Purpose::Barrier(barrier), Request::Barrier(0)));
        for row in rows(&batch.rows, node, nodes) {
            let ready = costs.ready(picture.row_counts(row), master);
            if plan.writes == Writes::Word {
                let op = Request::ComputeWrite { addr: place(row), ready };
                ops.push((Purpose::ComputeWrite(row), op));
            } else {
                let ns = ready.last().copied().unwrap_or(Nanoseconds(0));
                ops.push((Purpose::Compute(row), Request::compute(ns)));
                ops.push((Purpose::Write(row), write(row, size)));
            }
        }
        ops.push((Purpose::Barrier(barrier + 1), Request::Barrier(0)));
        if master {
            for row in batch.rows {
                let len = u64::from(size) * WORD;
                let from = Place { path: plan.read, ..Place::default() };
                ops.push((Purpose::Read(row), Request::Read(from, Len::Blank(len))));
                let socket = (len * 1_000_000_000).div_ceil(costs.socket);
                ops.push((
                    Purpose::Send(row),
                    Request::compute(costs.on_master(Nanoseconds(socket))),
                ));
            }
        }
    }
    ops
}
