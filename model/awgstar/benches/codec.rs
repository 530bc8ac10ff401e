// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time of the codec against a plain copy, the CRC alone and deku's own path, in one run:
//! `cargo bench -p awgstar --bench codec`.

use awgstar::{
    codec::{Frame, Mac, fcs},
    contract::{HeaderWire, Token},
};
use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use deku::{DekuContainerRead, DekuContainerWrite};
use std::hint::black_box;

/// deku's header with a payload and FCS cut by hand: what the codec would be without its hot path.
fn deku_decode(bytes: &[u8]) -> Option<(HeaderWire, &[u8])> {
    let (body, sent) = bytes.split_last_chunk::<4>()?;
    let (_, header) = HeaderWire::from_bytes((body, 0)).ok()?;
    (fcs::compute(body) == u32::from_le_bytes(*sent)).then(|| (header, &body[14..]))
}

fn deku_encode(header: &HeaderWire, data: &[u8], out: &mut [u8]) -> Option<usize> {
    let end = 14 + data.len();
    out[..14].copy_from_slice(&header.to_bytes().ok()?);
    out[14..end].copy_from_slice(data);
    let fcs = fcs::compute(&out[..end]).to_le_bytes();
    out[end..end + 4].copy_from_slice(&fcs);
    Some(end + 4)
}

fn sizes(criterion: &mut Criterion) {
    for len in [64, 1042] {
        let mut group = criterion.benchmark_group(format!("{len}_bytes"));
        group.throughput(Throughput::Bytes(len as u64));
        frame(&mut group, len);
        group.finish();
    }
}

#[allow(clippy::semicolon_if_nothing_returned, reason = "`iter` takes closures with a result")]
fn frame(group: &mut BenchmarkGroup<WallTime>, len: usize) {
    let data: Vec<u8> = (0..=255).cycle().take(len - 18).collect();
    let mac = Mac([2, 0x53, 0x4d, 0x42, 0, 1]);
    let frame =
        Frame { node_id: 1, packet_cnt: 7, addr: 0x100, ..Frame::new(Token::Data, mac, &data) };
    let mut line = vec![0; len];
    assert_eq!(frame.encode(&mut line), Ok(len));
    let header = HeaderWire {
        mac: mac.to_u64(),
        token: 1,
        node_id: 1,
        packet_cnt: 7,
        addr: 0x100,
        ..HeaderWire::default()
    };
    let mut out = vec![0; len];
    assert_eq!(deku_encode(&header, &data, &mut out), Some(len));
    assert_eq!(out, line, "both encoders do the same work");

    group.bench_function("copy", |b| {
        b.iter(|| black_box(&mut out).copy_from_slice(black_box(&line)))
    });
    group.bench_function("crc_alone", |b| b.iter(|| fcs::compute(black_box(&line[..len - 4]))));
    group.bench_function("decode_without_fcs", |b| {
        b.iter(|| black_box(Frame::decode_checked(black_box(&line))));
    });
    group.bench_function("decode", |b| b.iter(|| black_box(Frame::decode(black_box(&line)))));
    group.bench_function("encode", |b| b.iter(|| black_box(&frame).encode(black_box(&mut out))));
    group.bench_function("encode_without_fcs", |b| {
        b.iter(|| black_box(&frame).encode_unchecked(black_box(&mut out)));
    });
    group.bench_function("deku_decode", |b| b.iter(|| black_box(deku_decode(black_box(&line)))));
    group.bench_function("deku_encode", |b| {
        b.iter(|| deku_encode(black_box(&header), black_box(&data), black_box(&mut out)));
    });
}

criterion_group!(benches, sizes);
criterion_main!(benches);
