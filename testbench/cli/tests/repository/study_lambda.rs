// SPDX-License-Identifier: MIT OR Apache-2.0
//! The studies of the router and of the evaluation: their rows are those of the documents, bit for bit.
//! Checks AWG-5, AWG-7, EVA-3, EVA-4, EVA-5.

use awgstar_cli::study::star::star;
use awgstar_cli::study::{bypass, mandelbrot};
use awgstar_cli::work::Work;
use awgstar_scenario::run::mandelbrot::{Machine, compute, owners, palette, png, run, usage};
use awgstar_thesis::mandelbrot::{
    Picture, View,
    program::{Costs, Plan},
};
use rayon::prelude::*;
use std::{
    fs,
    io::Cursor,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
};

fn committed(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/study").join(name);
    fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn text(name: &str) -> String {
    String::from_utf8(committed(name)).unwrap()
}

#[track_caller]
fn rows_are_there(name: &str, csv: &str) {
    let committed = text(name);
    assert_eq!(csv.lines().next(), committed.lines().next());
    assert!(csv.lines().count() > 1);
    for row in csv.lines() {
        assert!(committed.lines().any(|line| line == row), "not in {name}: {row}");
    }
}

#[test]
fn the_bypass() {
    let points = bypass::points(&[2, 4]);
    let small: Vec<_> = points.into_iter().filter(|p| p.0 == "boards").collect();
    assert_eq!(small.len(), 4);
    let rows: Vec<_> = small.into_iter().map(|(s, p)| bypass::row(s, p).unwrap()).collect();
    rows_are_there("bypass.csv", &bypass::all(&rows).csv());
    for row in &rows {
        let f = &row.figures;
        assert!(f.dark < f.light && f.light < f.first_write, "{row:?}");
        assert!(f.first_write <= f.all_writes && f.all_writes < f.reconciled, "{row:?}");
    }
}

/// The picture of the star, and what must be in it: ports 1 to 6 in a ring, then 2 to 4 past 3.
#[test]
fn the_star() {
    let svg = star(6, 3);
    assert_eq!(svg, text("bypass-star.svg"));
    // 1 → 2 is 58, 6 → 1 is 66, 2 → 3 is 62 and then, to 4, 64.
    for (wavelength, times) in [(58, 2), (66, 3), (62, 1), (64, 1)] {
        assert_eq!(svg.matches(&format!("λ {wavelength}<")).count(), times, "{wavelength}");
    }
    assert_eq!(svg.matches(">dark<").count(), 1);
}

#[test]
fn the_evaluation() {
    let picture = compute(View::default(), 300, mandelbrot::LIMIT, 4, &|_| {});
    let nodes = [1, 2, 4, 32];
    let work = Work::new(None);
    let rows =
        mandelbrot::rows(std::slice::from_ref(&picture), &nodes, &Costs::default(), &work, &|| {})
            .unwrap()
            .unwrap();
    assert_eq!(rows.len(), Machine::ALL.len() * nodes.len());
    rows_are_there("mandelbrot.csv", &mandelbrot::all(&rows).csv());
    let costs = Costs::default();
    for row in rows.iter().filter(|r| r.nodes == 4) {
        let samples = usage::samples(&row.timed, costs.master_percent);
        let name = format!("cpu-{}-300.csv", row.machine.name());
        assert_eq!(usage::sheet("", &samples).csv(), text(&name), "{name}");
    }
    // Bytes of an encoder may change with its version; the points may not.
    let mut reader =
        png::Decoder::new(Cursor::new(committed("mandelbrot-300.png"))).read_info().unwrap();
    let mut points = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut points).unwrap();
    assert_eq!(points, picture.shades());
    assert_eq!(reader.info().palette.as_deref(), Some(palette().as_flattened()));
}

/// CIE lightness, 0 to 100, of a colour in sRGB.
fn lightness(colour: [u8; 3]) -> f64 {
    let linear = colour.map(|channel| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    });
    let y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    if y > 0.008_856 { 116.0 * y.cbrt() - 16.0 } else { 903.3 * y }
}

/// The set is black; every longer stay is lighter, in small steps, and in colour.
#[test]
fn colours_are_in_order() {
    let all = palette();
    assert_eq!(all[0], [0, 0, 0]);
    let steps: Vec<f64> = all[1..].windows(2).map(|p| lightness(p[1]) - lightness(p[0])).collect();
    assert!(steps.iter().all(|step| (0.0..2.5).contains(step)), "{steps:?}");
    // Of 1 to 200 steps, the counts of nearly all points outside of the set.
    assert!(steps[..85].iter().all(|step| *step > 0.0), "{steps:?}");
    assert!(lightness(all[1]) > 10.0 && lightness(all[120]) > 85.0);
    let grey = |colour: &[u8; 3]| colour.iter().max().unwrap() - colour.iter().min().unwrap() < 30;
    assert!(!all[1..140].iter().any(grey));
}

/// Seconds for which node 1 of four, with the second quarter of the rows, computes and writes on
/// `observed`: 6.54 ns an iteration, 100 ns a point, 7 s / 3,000,000 a word.
fn worker_seconds(size: u32, limit: u32) -> f64 {
    let rows = size / 4..size / 2;
    let row =
        |y: u32| Picture::row(View::default(), size, limit, y).into_iter().map(u64::from).sum();
    let count: u64 = rows.clone().into_par_iter().map(|y| -> u64 { row(y) }).sum();
    let points = f64::from(rows.end - rows.start) * f64::from(size);
    #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
    let count = count as f64;
    count * 6.54e-9 + points * (100e-9 + 7.0 / 3e6)
}

/// Two sentences of 4.3.2: on four nodes "worker processes account for nearly 100 % of CPU usage"
/// (600 × 600: a worker fills a sample of a second), and 300 × 300 "takes less than one second".
#[test]
fn both_sentences_of_the_thesis_hold_for_the_limit() {
    let full = |limit| worker_seconds(600, limit) >= 0.95;
    let short = |limit| worker_seconds(300, limit) < 1.0;
    for limit in [4_000, mandelbrot::LIMIT, 18_500] {
        assert!(full(limit) && short(limit), "{limit}");
    }
    // Each end comes from one of them; the limit used first contradicted the one on 600 × 600.
    assert!(!full(1_000) && !full(3_500) && short(3_500));
    assert!(!short(20_000) && full(20_000));
    // A sample is full wherever the seconds begin, and none at 300 × 300 is.
    assert!(worker_seconds(600, mandelbrot::LIMIT) >= 2.0);
    assert!(worker_seconds(300, mandelbrot::LIMIT) < 0.6);
    // The model says the same, in tenths of a percent of the busiest second of a worker.
    let busiest = |size, limit| {
        let picture = compute(View::default(), size, limit, 4, &|_| {});
        let costs = Costs::default();
        let timed = run(Machine::Observed, &picture, 4, &costs, Plan::default()).unwrap();
        let samples = usage::samples(&timed, costs.master_percent);
        samples[1..].iter().flatten().copied().max().unwrap()
    };
    assert_eq!(busiest(600, mandelbrot::LIMIT), 1_000);
    assert!((400..430).contains(&busiest(600, 1_000)));
    assert!((500..600).contains(&busiest(300, mandelbrot::LIMIT)));
}

/// What is written is read back, on every number of threads.
#[test]
fn pictures() {
    let view = View { re: [-0.5, 2.5], im: [-1.0, 1.0] };
    let rows = [const { AtomicU64::new(0) }; 3];
    let picture = compute(view, 90, 60, 3, &|node| {
        rows[node].fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!(picture, Picture::new(view, 90, 60));
    assert_eq!(rows.map(AtomicU64::into_inner), [30, 30, 30]);
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(alone.install(|| compute(view, 90, 60, 3, &|_| {})), picture);
    let bytes = png(&picture).unwrap();
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
    let mut points = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut points).unwrap();
    assert_eq!((info.width, info.height, info.color_type), (90, 90, png::ColorType::Indexed));
    assert_eq!(reader.info().palette.as_deref(), Some(palette().as_flattened()));
    assert_eq!(points, picture.shades());
    assert_eq!(owners(2500, 2)[999..1001], [1, 0]);
}

/// The whole 12 MB at 64 MB/s, then at the rate that takes 7 s; and the next version does not wait for it.
#[test]
fn initialising_the_array() {
    let picture = Picture::new(View::default(), 8, 20);
    let plan = Plan::default();
    let init = |machine| run(machine, &picture, 2, &Costs::default(), plan).unwrap().init;
    let near = |found: u64, expected: u64| found.abs_diff(expected) * 100 <= expected;
    assert!(near(init(Machine::Observed).0, 7_000_000_000));
    assert!(near(init(Machine::Table2).0, 187_500_000));
    // Three cycles a word; 1 GB/s, but 258 MB/s on the line.
    assert!(near(init(Machine::Port).0, 133_829_000));
    assert!(near(init(Machine::Local).0, 45_654_000), "{}", init(Machine::Local));
}
