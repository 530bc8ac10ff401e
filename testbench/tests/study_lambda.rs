//! The studies of the router and of the evaluation: their rows are those of the documents, bit for bit.
//! Checks AWG-5, AWG-7, EVA-3, EVA-4, EVA-5.

use awgstar::lambda::{
    current::Access,
    mandelbrot::{Picture, View, program::Costs},
};
use awgstar_testbench::{
    mandelbrot::{Machine, compute, owners, png, run, usage},
    study::{bypass, mandelbrot, star::star},
};
use std::{
    fs,
    io::Cursor,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
};

fn committed(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/study").join(name);
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
    rows_are_there("bypass.csv", &bypass::csv(&rows));
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
    let rows = mandelbrot::rows(&[picture.work()], &nodes, &Costs::default(), &|| {}).unwrap();
    assert_eq!(rows.len(), Machine::ALL.len() * nodes.len());
    rows_are_there("mandelbrot.csv", &mandelbrot::csv(&rows));
    let costs = Costs::default();
    for row in rows.iter().filter(|r| r.nodes == 4) {
        let samples = usage::samples(&row.timed, costs.master_percent);
        let name = format!("cpu-{}-300.csv", row.machine.name());
        assert_eq!(usage::csv(&samples), text(&name), "{name}");
    }
    // Bytes of an encoder may change with its version; the points may not.
    let mut reader =
        png::Decoder::new(Cursor::new(committed("mandelbrot-300.png"))).read_info().unwrap();
    let mut points = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut points).unwrap();
    assert_eq!(points, picture.shades());
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
    assert_eq!((info.width, info.height, info.color_type), (90, 90, png::ColorType::Grayscale));
    assert_eq!(points, picture.shades());
    assert_eq!(owners(2500, 2)[999..1001], [1, 0]);
}

/// The whole 12 MB at 64 MB/s, then at the rate that takes 7 s; and the next version does not wait for it.
#[test]
fn initialising_the_array() {
    let work = Picture::new(View::default(), 8, 20).work();
    let init = |machine| run(machine, &work, 2, &Costs::default(), Access::Pointer).unwrap().init;
    let near = |found: u64, expected: u64| found.abs_diff(expected) * 100 <= expected;
    assert!(near(init(Machine::Observed), 7_000_000_000));
    assert!(near(init(Machine::Table2), 187_500_000));
    // Three cycles a word; 1 GB/s, but 258 MB/s on the line.
    assert!(near(init(Machine::Port), 133_829_000));
    assert!(near(init(Machine::Local), 45_654_000), "{}", init(Machine::Local));
}
