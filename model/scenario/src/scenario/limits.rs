// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranges of the numbers of a file: one table, which the readers check and the [schema](super::schema) states.
//!
//! A number whose range depends on the file has the widest one here, and its reader a part of it.

use super::system::System::{
    self, BoardRing, Cluster, Clusters, Generation1, Mandelbrot, NodeRing, Paging, Rings,
};
use awgstar::contract::limits::{CLOCK_HZ, DATA_MAX, FRAME_MAX};
use awgstar::ring::{FIBRE_MAX, star};
use awgstar_rings::machine::LOCKS_MAX;
use awgstar_thesis::gen1::{
    settings::TIME_MAX,
    system::{LOCK_MAX, MEMORY_BYTES},
};

/// Longest run, in cycles: a minute of ring time.
pub const CYCLES_MAX: i64 = CLOCK_HZ.cast_signed() * 60;

const fn wide(value: u32) -> i64 {
    value as i64
}

#[expect(clippy::cast_possible_wrap, reason = "small constants")]
const fn narrowed(value: usize) -> i64 {
    value as i64
}

/// The range of an integer: its field as errors name it, the systems that have it, the least and the largest value.
pub(super) type Limit = (&'static str, &'static [System], i64, i64);

const ALL: &[System] =
    &[NodeRing, BoardRing, Generation1, Mandelbrot, Paging, Cluster, Rings, Clusters];
/// Rings whose times are cycles of a run with a given length.
const CYCLES: &[System] = &[NodeRing, BoardRing];
const GEN1: &[System] = &[Generation1];
const MAX: i64 = i64::MAX;
const BYTE: i64 = 255;
const WORD: i64 = 0xFFFF_FFFF;
/// Largest value of `TIMEOUT` and `PERIOD`.
pub(super) const TIMER_MAX: u32 = (1 << 24) - 1;
/// Longest time of generation 1, in ns.
const LONGEST: i64 = TIME_MAX.0.cast_signed();
/// Bytes of the shared memory of generation 1.
pub(super) const MEMORY_SIZE: i64 = MEMORY_BYTES.cast_signed();
/// Bits of the longest frame of generation 2.
pub(super) const BITS: i64 = 8 * narrowed(FRAME_MAX);
/// Bits of a train of generation 1, which has as many as its frames.
pub(super) const TRAIN_BITS: i64 = 100_000_001;
/// Acts that are repeated.
const TIMES: i64 = 1_000_000;
/// Bytes per second.
const RATE: i64 = 1_000_000_000_000;
const LINK: i64 = 255;
const WAVELENGTHS: [i64; 2] = [star::WAVELENGTH_0 as i64, star::LAST as i64];

pub(super) const INTEGERS: &[Limit] = &[
    ("nodes", &[NodeRing, BoardRing, Cluster], 1, 256),
    ("nodes", &[Generation1, Mandelbrot], 1, 32),
    ("nodes", &[Paging], 2, 16),
    ("nodes", &[Rings, Clusters], 2, 256),
    ("clusters", ALL, 1, 128),
    ("rings", ALL, 2, 128),
    ("far_words", ALL, 1, 4_095),
    ("request_timeout", ALL, 1, CYCLES_MAX),
    ("between.latency", ALL, 1, CYCLES_MAX),
    ("between.word", ALL, 0, 1_000_000),
    ("restart.ring", ALL, 0, 127),
    ("fault.ring", ALL, 0, 127),
    ("cut.ring", ALL, 0, 127),
    ("dead.ring", ALL, 0, 127),
    ("slow.ring", ALL, 0, 127),
    ("window.ring", ALL, 0, 127),
    ("window.first", ALL, 0, WORD),
    ("window.whole", ALL, 0, WORD),
    ("window.bytes", ALL, 4, 1 << 31),
    ("cache.lines", ALL, 1, 65_535),
    ("cache.words", ALL, 1, 4_095),
    ("restart.at", ALL, 0, CYCLES_MAX - 1),
    ("cycles", ALL, 1, CYCLES_MAX),
    ("seed", ALL, 0, MAX),
    ("tokens", &[NodeRing], 0, BYTE),
    ("tokens", &[BoardRing, Rings], 1, BYTE),
    ("timeout", ALL, 1, wide(TIMER_MAX)),
    ("period", ALL, 1, wide(TIMER_MAX)),
    ("combine", ALL, 0, 65_535),
    ("calm", ALL, 0, CYCLES_MAX - 1),
    ("memory_bytes", &[BoardRing, Rings], 16, 1 << 31),
    ("memory_bytes", &[Cluster, Clusters], 4096, 1 << 31),
    ("per_computer", ALL, 1, 256),
    ("processing_ns", ALL, 1, LONGEST),
    ("visit_bytes", ALL, 4, 65_536),
    ("new_token_ns", ALL, 0, MAX),
    ("limit_ns", ALL, 1, MAX),
    ("page_bytes", ALL, 4, 8192),
    ("pages", ALL, 1, 64),
    ("room", ALL, 1, 64),
    ("size", ALL, 1, 10_000),
    ("limit", ALL, 1, 1_000_000),
    ("iteration_ps", ALL, 1, 1_000_000_000),
    ("point_ns", ALL, 0, 1_000_000),
    ("master_percent", ALL, 1, 100),
    ("show", ALL, 0, MEMORY_SIZE - 4),
    ("program.at", CYCLES, 0, CYCLES_MAX - 1),
    ("program.at", GEN1, 0, MAX - 1),
    ("program.times", ALL, 1, TIMES),
    ("program.slow", ALL, 0, 1_000_000),
    ("do.at", CYCLES, 0, CYCLES_MAX - 1),
    ("do.at", GEN1, 0, MAX - 1),
    ("do.write", ALL, 0, WORD),
    ("do.read", ALL, 0, WORD),
    ("do.add", ALL, 0, WORD),
    ("do.addr", ALL, 0, WORD),
    ("do.each", ALL, 0, 1 << 32),
    ("do.bytes", &[NodeRing], 1, narrowed(DATA_MAX)),
    ("do.bytes", &[BoardRing], 1, 1 << 31),
    ("do.bytes", GEN1, 1, MEMORY_SIZE),
    ("do.value", ALL, 0, WORD),
    ("do.expect", ALL, 0, WORD),
    ("do.by", ALL, 0, WORD),
    ("do.compute", &[BoardRing], 1, MAX),
    ("do.compute", GEN1, 0, LONGEST),
    ("do.compute", &[Paging], 1, 1_000_000),
    ("do.receive", ALL, 1, 65_535),
    ("do.limit", ALL, 1, MAX),
    ("do.lock", &[BoardRing], 0, WORD),
    ("do.lock", GEN1, 1, wide(LOCK_MAX)),
    ("do.unlock", &[BoardRing], 0, WORD),
    ("do.unlock", GEN1, 1, wide(LOCK_MAX)),
    ("do.access", ALL, 1, 64),
    ("do.repeat", ALL, 1, TIMES),
    ("do.to", ALL, 0, BYTE),
    ("do.group", ALL, 0, 15),
    ("do.c_st", ALL, 0, 31),
    ("do.send_node", ALL, 0, BYTE),
    ("do.tag", ALL, 0, 65_535),
    ("do.epoch", ALL, 0, 65_535),
    ("do.lock_number", ALL, 0, WORD),
    ("do.page_number", ALL, 0, WORD),
    ("fault.link", ALL, 0, LINK),
    ("fault.frame", ALL, 0, MAX),
    ("fault.from", CYCLES, 0, CYCLES_MAX - 1),
    ("fault.from", GEN1, 0, MAX - 1),
    ("fault.source", ALL, 0, BYTE),
    ("fault.times", ALL, 1, 1_000_000),
    ("fault.bit", CYCLES, 0, BITS - 1),
    ("fault.bit", GEN1, 0, TRAIN_BITS - 1),
    // A frame with all its words is not cut short.
    ("fault.words", ALL, 1, narrowed(FRAME_MAX.div_ceil(4)) - 1),
    ("primitives.retry_timeout", ALL, 1, MAX),
    ("primitives.locks", GEN1, 0, wide(LOCK_MAX)),
    ("primitives.locks", &[Rings, Clusters], 0, LOCKS_MAX as i64),
    ("pci.pointer_write", ALL, 1, RATE),
    ("pci.pointer_read", ALL, 1, RATE),
    ("pci.dma_write", ALL, 1, RATE),
    ("pci.dma_read", ALL, 1, RATE),
    ("pci.dma_setup_ns", ALL, 0, LONGEST),
    ("pci.interrupt_ns", ALL, 0, LONGEST),
    ("pci.poll_ns", ALL, 1, LONGEST),
    ("costs.send_ns", ALL, 0, LONGEST),
    ("costs.latency_ns", ALL, 0, LONGEST),
    ("costs.own_latency_ns", ALL, 0, LONGEST),
    ("costs.receive_ns", ALL, 0, LONGEST),
    ("costs.bytes_per_us", ALL, 1, 1_000_000),
    ("costs.wake_ns", ALL, 0, LONGEST),
    ("costs.serve_ns", ALL, 0, LONGEST),
    ("costs.access_ns", ALL, 1, LONGEST),
    ("costs.atomic_ns", ALL, 0, LONGEST),
    ("costs.fault_ns", ALL, 0, LONGEST),
    ("costs.page_ns", ALL, 0, LONGEST),
    ("steps.nicam_read_ns", ALL, 0, LONGEST),
    ("steps.nicam_write_ns", ALL, 0, LONGEST),
    ("steps.tcp_ns", ALL, 1, LONGEST),
    ("steps.local_ns", ALL, 1, LONGEST),
    ("steps.handling_ns", ALL, 0, LONGEST),
    ("steps.nicam_bytes_per_ms", ALL, 1, RATE / 1_000),
    ("steps.tcp_bytes_per_ms", ALL, 1, RATE / 1_000),
    ("router.wavelengths", ALL, WAVELENGTHS[0], WAVELENGTHS[1]),
    ("board.node_id", ALL, 0, BYTE),
    ("board.prefix", ALL, 0, (1 << 40) - 1),
    ("board.tokens", ALL, 1, BYTE),
    ("board.timeout", ALL, 1, wide(TIMER_MAX)),
    ("board.period", ALL, 1, wide(TIMER_MAX)),
    ("board.combine", ALL, 0, 65_535),
    ("board.at", ALL, 0, CYCLES_MAX - 1),
    ("cut.link", ALL, 0, LINK),
    ("cut.from", ALL, 0, CYCLES_MAX - 1),
    ("cut.until", ALL, 1, CYCLES_MAX),
    ("dead.at", ALL, 0, CYCLES_MAX - 1),
    ("slow.cycles", ALL, 1, wide(FIBRE_MAX)),
    ("slow.from", ALL, 0, CYCLES_MAX - 1),
    ("slow.until", ALL, 1, CYCLES_MAX),
    ("reset.at", ALL, 0, CYCLES_MAX - 1),
    ("reset.cycles", ALL, 1, CYCLES_MAX),
    ("lost.at", ALL, 0, CYCLES_MAX - 1),
    ("lost.until", ALL, 1, CYCLES_MAX),
    ("saturate.bytes", ALL, 1, narrowed(DATA_MAX)),
    ("random.from", ALL, 0, CYCLES_MAX - 1),
    ("random.until", ALL, 1, CYCLES_MAX),
    ("random.every", ALL, 1, 1_000_000_000),
    ("random.bytes_max", ALL, 1, narrowed(DATA_MAX)),
];

/// Ranges of numbers that need not be whole.
pub(super) const REALS: &[(&str, f64, f64)] = &[
    ("fibre_m", 0.0, 1e6),
    // At most one bit of every word.
    ("noise", 0.0, 1.0 / 32.0),
    ("re", -10.0, 10.0),
    ("im", -10.0, 10.0),
    // A second.
    ("router.detect_us", 0.0, 1e6),
    ("router.command_us", 0.0, 1e6),
    ("router.tune_us", 0.0, 1e6),
    ("random.signals", 0.0, 1.0),
];

/// The range of an integer in a system.
pub(super) fn integer(field: &str, system: System) -> Option<(i64, i64)> {
    let here = |limit: &&Limit| limit.0 == field && limit.1.contains(&system);
    INTEGERS.iter().find(here).map(|limit| (limit.2, limit.3))
}

/// The range of a number that need not be whole.
pub(super) fn real(field: &str) -> Option<(f64, f64)> {
    REALS.iter().find(|limit| limit.0 == field).map(|limit| (limit.1, limit.2))
}
