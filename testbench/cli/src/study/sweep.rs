// SPDX-License-Identifier: MIT OR Apache-2.0
//! Points that are measured, and rows with their results.

use crate::study::Tick;
use crate::study::{Ring, StudyError, barrier, bounds, lock};
use crate::work::{Work, WorkError};
use awgstar::contract::Order;
use awgstar::firmware::barrier::Nodes;
use awgstar::host::{BarrierKind, Choice, LockKind};
use awgstar::quantity::{Cycle, NodeId};
use serde::Serialize;

/// A row of the table: what was varied, the protocol, the point, its figures and its bound.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row<P, F> {
    /// The parameter that this part of the table varies.
    pub sweep: &'static str,
    pub protocol: &'static str,
    /// Settings of the measurement.
    pub point: P,
    /// Results of the measurement.
    pub figures: F,
    /// Bound of the way alone, in cycles: see [`bounds`].
    pub bound: f64,
}

/// A row of the study of locks.
pub type LockRow = Row<lock::Point, lock::Figures>;
/// A row of the study of barriers.
pub type BarrierRow = Row<barrier::Point, barrier::Figures>;

/// What is measured: the parameter that is varied, the protocol, the point.
type LockItem = (&'static str, LockKind, lock::Point);
type BarrierItem = (&'static str, BarrierKind, barrier::Point);

/// Nodes of the ring on which all but their number is varied.
pub const MIDDLE: usize = 16;
/// Bits inverted of 2^32: about 1 in 10^8, 10^7, 10^6 and 10^5.
const NOISE: [u32; 5] = [0, 43, 429, 4_295, 42_950];
/// Cycles of 10 m, 100 m and 1 km of fibre.
const FIBRE: [u32; 3] = [4, 34, 337];
const TOKENS: [u8; 5] = [1, 2, 4, 8, 16];
const ORDERS: [Order; 3] = [Order::None, Order::Sent, Order::Confirmed];

/// The points of the study of locks.
#[must_use]
pub fn lock_points(nodes: &[usize]) -> Vec<(&'static str, lock::Point)> {
    let point = |nodes: usize, callers: usize| {
        let acquisitions = if callers <= 1 { 32 } else { (3 * callers).max(96) };
        // Long enough for the requests of all others to arrive: what follows is a hand-over.
        let inside = if callers <= 1 { 0 } else { 500 };
        lock::Point {
            ring: Ring::new(nodes),
            callers,
            inside: Cycle(inside),
            writes: true,
            acquisitions,
        }
    };
    let mut all = Vec::new();
    for &n in nodes {
        for callers in [1, n] {
            all.push(("nodes", point(n, callers)));
            let idle = point(n, callers);
            let ring = Ring { order: Order::None, ..idle.ring };
            all.push(("bound", lock::Point { ring, writes: false, ..idle }));
        }
    }
    let full = point(MIDDLE, MIDDLE);
    let ring = full.ring;
    all.extend([1, 2, 4, 8, 16].map(|callers| ("callers", point(MIDDLE, callers))));
    all.extend(
        [0, 200, 1_000, 10_000]
            .map(|inside| ("inside", lock::Point { inside: Cycle(inside), ..full })),
    );
    let with = |ring| lock::Point { ring, ..full };
    all.extend(NOISE.map(|noise| ("loss", with(Ring { noise, ..ring }))));
    all.extend(FIBRE.map(|fibre| ("fibre", with(Ring { fibre, ..ring }))));
    all.extend(ORDERS.map(|order| ("order", with(Ring { order, ..ring }))));
    all.extend(TOKENS.map(|tokens| ("tokens", with(Ring { tokens, ..ring }))));
    all
}

/// The points of the study of barriers.
#[must_use]
pub fn barrier_points(nodes: &[usize]) -> Vec<(&'static str, barrier::Point)> {
    let point = |nodes: usize| barrier::Point {
        ring: Ring::new(nodes),
        spread: 2,
        idle: false,
        writes: true,
        // Of a large ring fewer: each is long, and all nodes are in it.
        episodes: (1_024 / nodes).clamp(8, 32),
    };
    let mut all = Vec::new();
    for &n in nodes {
        let p = point(n);
        all.push(("nodes", p));
        let ring = Ring { order: Order::None, ..p.ring };
        all.push(("bound", barrier::Point { ring, spread: 0, idle: true, writes: false, ..p }));
    }
    let p = point(MIDDLE);
    let ring = p.ring;
    all.extend([0, 1, 4, 16].map(|spread| ("spread", barrier::Point { spread, ..p })));
    let with = |ring| barrier::Point { ring, ..p };
    all.extend(NOISE.map(|noise| ("loss", with(Ring { noise, ..ring }))));
    all.extend(FIBRE.map(|fibre| ("fibre", with(Ring { fibre, ..ring }))));
    all.extend(ORDERS.map(|order| ("order", with(Ring { order, ..ring }))));
    all.extend(TOKENS.map(|tokens| ("tokens", with(Ring { tokens, ..ring }))));
    all
}

/// Cycles until firmware asks again: what a node may have to wait for though nothing is lost. A
/// master acknowledges all others one signal after the other, a rotation each; with one token the
/// data of all nodes is confirmed one after the other; and a host reads a signal of each.
#[must_use]
pub fn retry_timeout(ring: &Ring) -> Cycle {
    let nodes = ring.nodes as u64;
    (nodes + 8) * ring.rotation() + Cycle(100 * nodes + 4_000)
}

/// Nodes whose board's engine serves locks and barriers.
pub(super) fn engines(ring: &Ring) -> Nodes {
    if ring.engine { NodeId::all(ring.nodes).collect() } else { Nodes::NONE }
}

/// Measures a lock.
///
/// # Errors
/// If there is no figure.
pub fn lock_row(
    sweep: &'static str,
    kind: LockKind,
    point: lock::Point,
) -> Result<LockRow, StudyError> {
    Ok(row_of_lock((sweep, kind, point), lock_figures(kind, &point)?))
}

fn row_of_lock((sweep, kind, point): LockItem, figures: lock::Figures) -> LockRow {
    let bound = if point.callers <= 1 {
        bounds::free_lock(&point.ring)
    } else {
        bounds::hand_over(&point.ring)
    };
    Row { sweep, protocol: kind.name(), point, figures, bound }
}

fn lock_figures(kind: LockKind, point: &lock::Point) -> Result<lock::Figures, StudyError> {
    let (order, retry_timeout) = (point.ring.order, retry_timeout(&point.ring));
    let engines = engines(&point.ring);
    let choice = Choice { lock: kind, order, retry_timeout, engines, ..Choice::new() };
    lock::measure(choice, point).map_err(|e| e.of(kind.name()))
}

/// Measures a barrier.
///
/// # Errors
/// If there is no figure.
pub fn barrier_row(
    sweep: &'static str,
    kind: BarrierKind,
    point: barrier::Point,
) -> Result<BarrierRow, StudyError> {
    Ok(row_of_barrier((sweep, kind, point), barrier_figures(kind, &point)?))
}

fn row_of_barrier((sweep, kind, point): BarrierItem, figures: barrier::Figures) -> BarrierRow {
    Row { sweep, protocol: kind.name(), point, figures, bound: bounds::barrier(&point.ring) }
}

fn barrier_figures(
    kind: BarrierKind,
    point: &barrier::Point,
) -> Result<barrier::Figures, StudyError> {
    let once = retry_timeout(&point.ring);
    // Who waits for a late one does not ask meanwhile. The traffic before it drains within `once`.
    let late = if point.idle { once } else { point.spread * point.ring.rotation() };
    let (order, retry_timeout) = (point.ring.order, once + late);
    let engines = engines(&point.ring);
    let choice = Choice { barrier: kind, order, retry_timeout, engines, ..Choice::new() };
    barrier::measure(choice, point).map_err(|e| e.of(kind.name()))
}

/// All rows of the study of locks, in the order of points and protocols; `None` of a part.
///
/// # Errors
/// The first point without a figure; parts that do not fit.
pub fn locks(
    nodes: &[usize],
    work: &Work,
    done: &Tick<'_>,
) -> Result<Option<Vec<LockRow>>, WorkError<StudyError>> {
    let points = lock_points(nodes);
    let all: Vec<_> = points
        .into_iter()
        .flat_map(|(sweep, point)| LockKind::ALL.map(|kind| (sweep, kind, point)))
        .collect();
    let what = |(sweep, kind, point): &LockItem| format!("{sweep}: {}: {point:?}", kind.name());
    let run = |(_, kind, point): &LockItem| lock_figures(*kind, point).inspect(|_| done());
    let figures = work.map(&all, what, run)?;
    let rows = |figures| all.into_iter().zip(figures).map(|(item, f)| row_of_lock(item, f));
    Ok(figures.map(|figures: Vec<_>| rows(figures).collect()))
}

/// All rows of the study of barriers; `None` of a part.
///
/// # Errors
/// The first point without a figure; parts that do not fit.
pub fn barriers(
    nodes: &[usize],
    work: &Work,
    done: &Tick<'_>,
) -> Result<Option<Vec<BarrierRow>>, WorkError<StudyError>> {
    let points = barrier_points(nodes);
    let all: Vec<_> = points
        .into_iter()
        .flat_map(|(sweep, point)| BarrierKind::ALL.map(|kind| (sweep, kind, point)))
        .collect();
    let what = |(sweep, kind, point): &BarrierItem| format!("{sweep}: {}: {point:?}", kind.name());
    let run = |(_, kind, point): &BarrierItem| barrier_figures(*kind, point).inspect(|_| done());
    let figures = work.map(&all, what, run)?;
    let rows = |figures| all.into_iter().zip(figures).map(|(item, f)| row_of_barrier(item, f));
    Ok(figures.map(|figures: Vec<_>| rows(figures).collect()))
}
