// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions that the codec and the model of the ring execute, counted by valgrind: the gate in CI.
//! `cargo bench -p awgstar-board --bench instructions`, with `--profile dev` for the build of the tests, fails
//! when a count passes its hard limit, which is a
//! quarter above what was measured (docs/performance.md): room for another memcpy, not for another loop.

use awgstar_board::ring::{Ring, Scenario};
use awgstar_frame::quantity::Cycle;
use awgstar_frame::{
    codec::{Frame, Mac, fcs},
    contract::Token,
};
use gungraun::{
    Callgrind, EventKind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main,
};
use std::hint::black_box;

fn line(len: usize) -> Vec<u8> {
    let data: Vec<u8> = (0..=255).cycle().take(len - 18).collect();
    let mut out = vec![0; len];
    let end = Frame::new(Token::Data, Mac([2; 6]), &data).encode(&mut out);
    assert_eq!(end, Ok(len));
    out
}

fn data_and_buffer(len: usize) -> (Vec<u8>, Vec<u8>) {
    (vec![0x5a; len - 18], vec![0; len])
}

/// A gate: the benchmark fails above this many instructions, of a release build or of the tests' build, which
/// checks for overflow.
fn at_most(release: u64, tests: u64) -> LibraryBenchmarkConfig {
    let instructions = if cfg!(debug_assertions) { tests } else { release };
    LibraryBenchmarkConfig::default()
        .tool(Callgrind::with_args(["--cache-sim=no"]).hard_limits([(EventKind::Ir, instructions)]))
        .clone()
}

#[library_benchmark]
#[bench::short(args = (64), setup = line, config = at_most(360, 410))]
#[bench::long(args = (1042), setup = line, config = at_most(900, 1720))]
fn decode(line: Vec<u8>) -> Vec<u8> {
    assert!(black_box(Frame::decode(black_box(&line))).is_ok());
    line
}

#[library_benchmark]
#[bench::short(args = (64), setup = line, config = at_most(170, 160))]
fn decode_without_fcs(line: Vec<u8>) -> Vec<u8> {
    assert!(black_box(Frame::decode_checked(black_box(&line))).is_ok());
    line
}

#[library_benchmark]
#[bench::short(args = (64), setup = data_and_buffer, config = at_most(840, 915))]
#[bench::long(args = (1042), setup = data_and_buffer, config = at_most(1510, 2365))]
fn encode((data, mut out): (Vec<u8>, Vec<u8>)) -> (Vec<u8>, Vec<u8>) {
    let frame = Frame::new(Token::Data, Mac([2; 6]), &data);
    assert!(black_box(&frame).encode(black_box(&mut out)).is_ok());
    (data, out)
}

#[library_benchmark]
#[bench::short(args = (64), setup = line, config = at_most(230, 270))]
#[bench::long(args = (1042), setup = line, config = at_most(760, 1580))]
fn crc_alone(line: Vec<u8>) -> Vec<u8> {
    black_box(fcs::compute(black_box(&line[..line.len() - 4])));
    line
}

library_benchmark_group!(
    name = codec;
    benchmarks = decode, decode_without_fcs, encode, crc_alone
);

/// A run of 16 nodes, warm.
fn warm(len: u16) -> Ring {
    let scenario = if len == 0 {
        Scenario::new(16, 0, Cycle(200_000))
    } else {
        Scenario::saturated(16, 2, len, Cycle(200_000))
    };
    let ring = Ring::new(&scenario);
    assert!(ring.is_ok());
    let mut ring = ring.unwrap_or_else(|_| unreachable!("a good scenario"));
    ring.record(false);
    ring.run_until(Cycle(5_000));
    ring
}

// 10,000 cycles of 16 nodes: 160,000 node-cycles.
#[library_benchmark]
#[bench::saturated(args = (1024), setup = warm, config = at_most(94_500_000, 113_700_000))]
#[bench::short_frames(args = (4), setup = warm, config = at_most(92_600_000, 109_500_000))]
#[bench::idle(args = (0), setup = warm, config = at_most(12_700, 14_000))]
fn ten_thousand_cycles(mut ring: Ring) -> Ring {
    ring.run_until(black_box(Cycle(15_000)));
    ring
}

library_benchmark_group!(name = model; benchmarks = ten_thousand_cycles);
main!(library_benchmark_groups = codec, model);
