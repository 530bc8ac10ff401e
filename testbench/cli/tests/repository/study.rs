// SPDX-License-Identifier: MIT OR Apache-2.0
//! The study: its rows follow from their seed, and the ring's own lock and barrier lie on the bound.

use crate::document::section;
use crate::html::is_alone;
use crate::tables::tables;
use awgstar::host::{BarrierKind, LockKind};
use awgstar::quantity::{Cycle, Nanoseconds};
use awgstar_cli::study::report::{self, barrier_rows, barriers, lock_rows, locks};
use awgstar_cli::study::sweep::{barrier_points, barrier_row, lock_points, lock_row};
use awgstar_cli::study::{
    armci, barrier, bounds, bypass, clusters, clusters_lu, clusters_tables, engine, fdsm,
    fdsm_tables, lock, mandelbrot, openmp, paging, rings, sharing,
};
use awgstar_cli::work::Work;
use awgstar_cluster::Costs;
use awgstar_draw::plot::{Axes, Line, plot};
use awgstar_scenario::run::mandelbrot::{self as pictures, usage};
use awgstar_scenario::scenario::{Machine, read_machine};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

fn committed(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/study").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Rows of small rings are, to the last digit, those in `docs/study`.
#[test]
fn rows_are_those_in_the_documents() {
    let (all_locks, all_barriers) = (committed("lock.csv"), committed("barrier.csv"));
    for (sweep, point) in lock_points(&[2, 4]).into_iter().filter(|(_, p)| p.ring.nodes <= 4) {
        for kind in LockKind::ALL {
            let csv = lock_rows(&[lock_row(sweep, kind, point).unwrap()]).csv();
            let row = csv.lines().nth(1).unwrap();
            assert!(all_locks.lines().any(|line| line == row), "not in lock.csv: {row}");
        }
    }
    for (sweep, point) in barrier_points(&[2, 4]).into_iter().filter(|(_, p)| p.ring.nodes <= 4) {
        for kind in BarrierKind::ALL {
            let csv = barrier_rows(&[barrier_row(sweep, kind, point).unwrap()]).csv();
            let row = csv.lines().nth(1).unwrap();
            assert!(all_barriers.lines().any(|line| line == row), "not in barrier.csv: {row}");
        }
    }
}

/// With the engine, beside the way: the same on rings of all sizes, and less than firmware needs.
#[test]
fn rows_of_the_engine_are_those_in_the_documents() {
    let committed = committed("engine.csv");
    let rows = engine::rows(&[2, 4, 16], &Work::new(None), &|| ()).unwrap().unwrap();
    for row in &rows {
        let csv = engine::results(std::slice::from_ref(row)).unwrap().rows[0].csv();
        for line in csv.lines() {
            assert!(committed.lines().any(|other| other == line), "not in engine.csv: {line}");
        }
        assert!(row.lock_pins.mean < 42.0 && row.barrier_pins.mean < 40.0, "{row:?}");
        assert!(row.lock_engine < row.lock_firmware - 20.0, "{row:?}");
        assert!(row.barrier_engine < row.barrier_firmware - 20.0, "{row:?}");
        let least = Cycle(engine::FRAME + 10);
        assert!(row.lock_pins.min > least && row.barrier_pins.min > least, "{row:?}");
    }
}

fn rows_of_armci(nodes: &[usize]) -> String {
    let rows = armci::rows(nodes, &Work::new(None), &|| ()).unwrap().unwrap();
    armci::results(&rows).unwrap().rows[0].csv()
}

#[test]
#[ignore = "four minutes"]
fn every_row_of_armci_is_that_in_the_documents() {
    assert!(rows_of_armci(&[1, 2, 3, 4, 6, 8, 12, 16]) == committed("armci.csv"));
}

/// The rows of paper 001, and its tables on the page, which are made of the committed rows. Two times of the machine are
/// fitted to the two that the paper prints.
#[test]
fn rows_of_armci_are_those_in_the_documents() {
    let committed = committed("armci.csv");
    for line in rows_of_armci(&[2]).lines() {
        assert!(committed.lines().any(|other| other == line), "not in armci.csv: {line}");
    }
    let sheet = (armci::SUBJECT.columns)().read(&committed).unwrap();
    let number = |way: &str| {
        let mut rows = sheet.cells().filter(|row| row.number("processes") == Some(16.0));
        rows.find(|row| row.text("way") == Some(way)).unwrap().number("sync_us").unwrap()
    };
    assert!((number("old") / 1724.3 - 1.0).abs() < 0.002, "{}", number("old"));
    assert!((number("new") / 190.3 - 1.0).abs() < 0.001, "{}", number("new"));
    let tables = armci::tables(&sheet);
    for (name, table) in ["armci sync", "armci lock", "armci statements"].iter().zip(&tables) {
        let text = table.markdown();
        section("cluster.md", name, &text[text.find('|').unwrap()..]);
    }
}

fn csv_of_fdsm(rows: &[fdsm::Row]) -> String {
    fdsm_tables::results(rows).unwrap().rows[0].csv()
}

#[test]
#[ignore = "six minutes"]
fn every_row_of_fdsm_is_that_in_the_documents() {
    let rows = fdsm::rows(&[2, 4, 8], &Work::new(None), &|| ()).unwrap().unwrap();
    assert!(csv_of_fdsm(&rows) == committed("fdsm.csv"));
}

/// The rows of paper 003, and its tables on the page, which are made of the committed rows. Two costs of the machine are
/// fitted to the two values that the paper prints for 8 nodes.
#[test]
fn rows_of_fdsm_are_those_in_the_documents() {
    let committed = committed("fdsm.csv");
    let sample = [("FDSM IA-32", 8), ("SCASH IA-32", 8), ("FDSM IA-64", 2), ("ring: p; blocks", 2)];
    let rows = sample.map(|(name, nodes)| {
        let way = *fdsm::WAYS.iter().find(|way| way.0 == name).unwrap();
        fdsm::row(way, nodes, fdsm::ROWS, Nanoseconds(0)).unwrap()
    });
    for line in csv_of_fdsm(&rows).lines() {
        assert!(committed.lines().any(|other| other == line), "not in fdsm.csv: {line}");
    }
    assert!((rows[0].mops() / 389.9 - 1.0).abs() < 0.003, "{}", rows[0].mops());
    assert!((rows[1].mops() / 281.7 - 1.0).abs() < 0.003, "{}", rows[1].mops());
    let sheet = (fdsm_tables::SUBJECT.columns)().read(&committed).unwrap();
    let tables = fdsm_tables::tables(&sheet);
    for (name, table) in ["table 3", "product", "ring", "claims"].iter().zip(&tables) {
        let text = table.markdown();
        section("fdsm-study.md", name, &text[text.find('|').unwrap()..]);
    }
}

/// Barriers on one ring take what the formula says, to the cycle; on rings hosts add less than 50 cycles.
#[test]
fn rows_of_rings_are_those_in_the_documents() {
    let rows = rings::rows(&[16], &Work::new(None), &|| ()).unwrap().unwrap();
    let csv = rings::results(&rows).unwrap().rows[0].csv();
    let committed = committed("rings.csv");
    for line in csv.lines() {
        assert!(committed.lines().any(|other| other == line), "not in rings.csv: {line}");
    }
    for row in &rows {
        let most = if row.rings == 1 { 0 } else { 49 };
        assert!(row.hosts.0 >= 0 && row.hosts.1 <= most, "{row:?}");
        assert_eq!(row.barrier.count, 6, "{row:?}");
        // All processes of the two rings, or four, had the lock four times.
        let callers = if row.rings == 1 { 4 } else { 2 * 4 };
        assert!(row.within.count + row.across.count + 1 >= 4 * callers, "{row:?}");
        assert!(row.rings == 1 || row.read.count == 8 && row.write.count == 8, "{row:?}");
    }
}

/// The table of the page is that of the committed rows.
#[test]
fn the_table_of_rings_is_that_of_the_committed_rows() {
    let sheet = (rings::SUBJECT.columns)().read(&committed("rings.csv")).unwrap();
    let text = sheet.markdown();
    section("rings-study.md", "rows", &text[text.find('|').unwrap()..]);
    let text = rings::growth().markdown();
    section("rings-study.md", "growth", &text[text.find('|').unwrap()..]);
}

/// Measures some of the rows of paper 004, which are those in the documents.
fn rows_of_clusters(is: fn(clusters::Point) -> bool) -> Vec<clusters::Row> {
    let committed = committed("clusters.csv");
    let points = clusters::points().into_iter().filter(|point| is(*point));
    let rows: Vec<_> = points.map(|point| point.row(clusters_lu::ROWS).unwrap()).collect();
    for line in clusters_tables::results(&rows).unwrap().rows[0].csv().lines() {
        assert!(committed.lines().any(|other| other == line), "not in clusters.csv: {line}");
    }
    rows
}

#[test]
#[ignore = "ten seconds"]
fn large_rows_of_clusters_are_those_in_the_documents() {
    assert!(!rows_of_clusters(clusters::Point::is_large).is_empty());
}

/// What is fitted is what the paper prints; what is predicted is near it, but for two ways to meet that are not its.
#[test]
fn rows_of_clusters_are_those_in_the_documents() {
    let rows = rows_of_clusters(|point| !point.is_large());
    for row in &rows {
        let Some(paper) = row.paper else { continue };
        let off = (row.found / paper - 1.0).abs();
        let most = match row.kind {
            clusters::Kind::Input | clusters::Kind::Fit => 0.000_01,
            _ if row.what.starts_with("barrier: ") => 0.3,
            _ => 0.021,
        };
        assert!(off < most, "{row:?}");
    }
    let printed = |kind| rows.iter().filter(|row| row.paper.is_some() && row.kind == kind).count();
    // On a small ring hosts and the barrier by firmware take less than 2 us a step beyond the formula.
    let small =
        |way| rows.iter().filter(move |row| row.what == clusters::SMALL_LU && row.way == way);
    assert_eq!(small(clusters::SIMULATED).count(), 4);
    for (formula, simulated) in small(clusters::RING).zip(small(clusters::SIMULATED)) {
        let more = (simulated.found - formula.found) / 48.0;
        assert!((0.0..2.0).contains(&more), "{simulated:?}: {more} us more");
    }
    let kinds = [clusters::Kind::Input, clusters::Kind::Fit, clusters::Kind::Prediction];
    assert_eq!(kinds.map(printed), [3, 4, 10]);
}

/// The tables of the page are made of the committed rows.
#[test]
fn tables_of_clusters_are_those_of_the_committed_rows() {
    let sheet = (clusters_tables::SUBJECT.columns)().read(&committed("clusters.csv")).unwrap();
    let tables = clusters_tables::tables(&sheet);
    for (name, table) in ["table 2", "table 4", "ways", "rings", "check"].iter().zip(&tables) {
        let text = table.markdown();
        section("clusters-study.md", name, &text[text.find('|').unwrap()..]);
    }
}

/// The tables of the page are made of the committed rows; a test of `OpenMP` programs measures a sample of them.
#[test]
fn tables_of_sharing_are_those_of_the_committed_rows() {
    let sheet = (sharing::SUBJECT.columns)().read(&committed("sharing.csv")).unwrap();
    let tables = sharing::tables(&sheet);
    for (name, table) in ["gains", "half", "beside", "varied"].iter().zip(&tables) {
        let text = table.markdown();
        section("sharing-study.md", name, &text[text.find('|').unwrap()..]);
    }
}

/// Where all nodes compute for the same time, that time is added to the rest: so a line of another rate is as much
/// computing beside the same cycles.
#[test]
fn computing_and_the_line_of_the_ring_take_turns() {
    for name in ["ring: p; blocks", "ring: FDSM; blocks", "ring: all; records; words"] {
        let way = *fdsm::WAYS.iter().find(|way| way.0 == name).unwrap();
        let run = |inside| fdsm::row(way, 4, 1400, Nanoseconds(inside)).unwrap();
        let (without, with) = (run(0), run(3_000_000));
        assert_eq!(without.bytes, with.bytes, "{name}");
        let beside = with.beside_ms / without.beside_ms;
        assert!(
            (beside - 1.0).abs() < 0.02,
            "{name}: {} and {}",
            without.beside_ms,
            with.beside_ms
        );
    }
}

/// The file of the machine of paper 003 has the costs of the study.
#[test]
fn the_file_of_the_cluster_of_paper_003_has_the_costs_of_the_study() {
    let file =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/machines/score-myrinet.toml");
    let text = fs::read_to_string(&file).unwrap();
    let Ok(Machine::Cluster(plan)) = read_machine("score-myrinet.toml", &text) else {
        panic!("no cluster")
    };
    assert_eq!(plan.settings.costs, Costs::SCORE_MYRINET);
    assert_eq!(plan.settings.processes, 8);
}

/// Compares a picture of the study with the committed one; `UPDATE=1` writes it.
fn is_committed(name: &str, picture: &str) {
    if std::env::var_os("UPDATE").is_some() {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/study");
        fs::write(folder.join(name), picture).unwrap();
    }
    assert!(picture == committed(name), "{name} is not drawn from the committed rows");
}

/// The plots in the documents are those of the rows beside them.
#[test]
fn plots_are_those_of_the_committed_rows() {
    let subjects = [
        ("armci.csv", armci::SUBJECT),
        ("fdsm.csv", fdsm_tables::SUBJECT),
        ("sharing.csv", sharing::SUBJECT),
        ("rings.csv", rings::SUBJECT),
        ("clusters.csv", clusters_tables::SUBJECT),
        ("lock.csv", report::LOCKS),
        ("barrier.csv", report::BARRIERS),
        ("bypass.csv", bypass::SUBJECT),
        ("paging.csv", paging::SUBJECT),
        ("mandelbrot.csv", mandelbrot::SUBJECT),
    ];
    let mut all = subjects.map(|(name, subject)| subject.read(&committed(name)).unwrap()).to_vec();
    all.push(openmp::read(|name| Ok(committed(name))).unwrap());
    let mut titles = BTreeSet::new();
    for rows in all.iter().flat_map(|results| &results.rows) {
        assert!(rows.csv() == committed(rows.title()), "{}", rows.title());
    }
    for plot in all.iter().flat_map(|results| &results.plots) {
        is_committed(&plot.name, &plot.text);
        let text = plot.text.split("<text").nth(1).and_then(|text| text.split(['>', '<']).nth(1));
        let title = text.unwrap().trim().to_owned();
        assert!(titles.insert(title.clone()), "two plots have the title `{title}`");
    }
    assert!(titles.len() >= 35, "{titles:?}");
}

/// So are the pictures of CPU use.
#[test]
fn pictures_of_cpus_are_those_of_the_committed_rows() {
    for machine in [pictures::Machine::Observed, pictures::Machine::Port] {
        for size in mandelbrot::SIZES {
            let name = format!("cpu-{}-{size}", machine.name());
            let csv = committed(&format!("{name}.csv"));
            let tenths = |cell: &str| cell.replace('.', "").parse::<u32>().unwrap();
            let mut nodes: Vec<Vec<u32>> = Vec::new();
            for line in csv.lines().skip(1) {
                for (node, cell) in line.split(',').skip(1).enumerate() {
                    nodes.resize_with(nodes.len().max(node + 1), Vec::new);
                    nodes[node].push(tenths(cell));
                }
            }
            let title = format!("CPU use, {size} x {size}: {}", machine.title());
            is_committed(&format!("{name}.svg"), &usage::svg(&title, &nodes).unwrap());
        }
    }
}

fn idle<P: Copy>(points: Vec<(&'static str, P)>) -> impl Iterator<Item = P> {
    points.into_iter().filter(|(sweep, _)| *sweep == "bound").map(|(_, point)| point)
}

/// What is not the way: two frames, or one, and the accesses of two hosts. It must not grow with the ring.
fn constant(name: &str, beside: &[f64], most: f64) {
    let least = beside.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = beside.iter().copied().fold(0.0, f64::max);
    assert!(least > 0.0 && greatest <= most, "{name}: {beside:?}");
    assert!(greatest - least <= 16.0, "{name}: {beside:?}");
}

#[test]
fn the_queue_lock_lies_on_the_bound() {
    // On two nodes a frame is longer than the ring and waits for itself.
    let nodes = [4, 8, 16, 32];
    let (mut free, mut over) = (Vec::new(), Vec::new());
    for point in idle(lock_points(&nodes)) {
        let lock::Figures { acquire, hand_over, hops, .. } =
            lock_row("bound", LockKind::Queue, point).unwrap().figures;
        if point.callers == 1 {
            // The last holder has the right: its own are not among the slow ones.
            #[expect(clippy::cast_precision_loss, reason = "cycles")]
            free.push(acquire.max.0 as f64 - bounds::free_lock(&point.ring));
        } else {
            over.push(hand_over.mean - hops * bounds::hop(&point.ring));
        }
    }
    assert_eq!((free.len(), over.len()), (nodes.len(), nodes.len()));
    constant("free", &free, 250.0);
    constant("hand-over", &over, 120.0);
}

#[test]
fn the_ring_barrier_lies_on_the_bound() {
    let mut all = Vec::new();
    for point in idle(barrier_points(&[2, 4, 8, 16, 32, 64])) {
        let barrier::Figures { all: last, .. } =
            barrier_row("bound", BarrierKind::Ring, point).unwrap().figures;
        all.push(last.mean - bounds::barrier(&point.ring));
    }
    constant("barrier", &all, 120.0);
}

/// The last process arrives after the traffic of all others has drained, acknowledgements included. What
/// is left is an arrival, its acknowledgement and the release, at most a rotation each.
#[test]
fn the_last_arrival_meets_a_quiet_ring() {
    for point in idle(barrier_points(&[32, 64])) {
        let rotation = point.ring.rotation();
        for kind in [BarrierKind::MasterWorker, BarrierKind::Distributed] {
            let point = barrier::Point { episodes: 4, ..point };
            let figures = barrier_row("bound", kind, point).unwrap().figures;
            let name = format!("{} on {} nodes", kind.name(), point.ring.nodes);
            assert!(figures.quiet >= rotation, "{name}: {figures:?}");
            assert!(
                figures.all.mean <= 3.0 * bounds::rotation(&point.ring) + 300.0,
                "{name}: {figures:?}"
            );
        }
    }
}

#[test]
fn files_are_written_whole() {
    let rows: Vec<_> = lock_points(&[2])
        .into_iter()
        .filter(|(_, p)| p.ring.nodes == 2)
        .map(|(sweep, point)| lock_row(sweep, LockKind::Queue, point).unwrap())
        .collect();
    let results = locks(&rows).unwrap();
    // The page has every row, with the figures of the study.
    let page = results.page("awgstar study lock --nodes 2");
    is_alone(&page, &[]);
    let tables = tables(&page);
    let (heads, cells) = tables.last().unwrap();
    assert_eq!(cells.len(), rows.len());
    for (row, cells) in rows.iter().zip(cells) {
        let cell = |name| &cells[heads.iter().position(|head| head == name).unwrap()];
        assert_eq!((cell("sweep").as_str(), cell("protocol").as_str()), (row.sweep, row.protocol));
        assert_eq!(*cell("acquire_max"), row.figures.acquire.max.to_string());
        assert_eq!(*cell("frames"), format!("{:.2}", row.figures.frames));
        assert_eq!(*cell("inside, cycles"), row.point.inside.to_string());
    }
    let printed: usize = tables[..tables.len() - 1].iter().map(|(_, rows)| rows.len()).sum();
    assert_eq!(printed, rows.len(), "each row is in one of the printed tables");
    assert_eq!(page.matches("<svg").count(), 5);
    let files = results.files();
    assert_eq!(files.len(), 6);
    assert!(files.iter().all(|f| f.text.contains("</svg>") || f.text.starts_with("sweep,")));
    let rows: Vec<_> = barrier_points(&[2])
        .into_iter()
        .filter(|(_, p)| p.ring.nodes == 2)
        .map(|(sweep, point)| barrier_row(sweep, BarrierKind::Ring, point).unwrap())
        .collect();
    assert_eq!(barriers(&rows).unwrap().files().len(), 5);
}

/// The picture in the documents is the demo's.
#[test]
fn the_picture_is_that_of_the_demo() {
    let picture = awgstar_cli::primitives::primitives().unwrap().picture();
    assert!(
        picture == committed("../primitives.svg"),
        "docs/primitives.svg is not what the demo draws"
    );
}

/// Attribute of an element whose text is `element`.
fn attribute<'a>(element: &'a str, name: &str) -> &'a str {
    let from = element.find(&format!(" {name}=\"")).map_or(0, |at| at + name.len() + 3);
    element[from..].split('"').next().unwrap_or_default()
}

/// (place along the axis, label) of every axis: texts at the ends of the ticks share a line.
fn axes(svg: &str) -> BTreeMap<String, Vec<(String, String)>> {
    let mut all: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for element in svg.split("<text").skip(1) {
        let label = element.split(['>', '<']).nth(1).unwrap_or_default().trim().to_owned();
        let number = label.parse::<f64>().is_ok();
        let (x, y) = (attribute(element, "x"), attribute(element, "y"));
        match attribute(element, "text-anchor") {
            "end" if number => all.entry(format!("x {x}")).or_default().push((y.into(), label)),
            "middle" if number => all.entry(format!("y {y}")).or_default().push((x.into(), label)),
            _ => {}
        }
    }
    all
}

/// Labels of each axis; two at different places must differ.
fn labels(name: &str, svg: &str) -> Vec<Vec<String>> {
    let axes = axes(svg);
    for (axis, labels) in &axes {
        for (place, label) in labels {
            // Strips one above the other are several axes with one place on the page.
            let same = |(p, l): &&(String, String)| p != place && l == label;
            let strips = name.starts_with("cpu-") && axis.starts_with('x');
            let again = labels.iter().find(same).filter(|_| !strips);
            assert_eq!(again, None, "{name}: {label} at {place} and elsewhere on {axis}");
        }
    }
    axes.into_values().map(|all| all.into_iter().map(|(_, label)| label).collect()).collect()
}

#[test]
fn no_axis_has_a_label_twice() {
    let line =
        |points: &[(f64, f64)]| Line { name: "l".into(), points: points.into(), bound: false };
    let draw =
        |points: &[(f64, f64)]| plot(Axes { title: "t", x: "x", y: "y" }, &[line(points)]).unwrap();
    let rates = draw(&[(1e-7, 20.0), (1e-5, 80.0)]);
    let found = labels("rates", &rates);
    for rate in ["1e-7", "1e-6", "1e-5"] {
        assert!(found.iter().flatten().any(|label| label == rate), "{rate}: {found:?}");
    }
    for points in [
        [(10.0, 0.000_2), (90.0, 0.003)],
        [(0.001, 1e5), (0.004, 1e8)],
        [(2.0, 0.5), (2560.0, 64.0)],
    ] {
        assert!(labels("range", &draw(&points)).iter().flatten().count() >= 4, "{points:?}");
    }
    for seconds in [1, 2, 3, 60] {
        let found = labels("cpu-", &usage::svg("t", &vec![vec![500; seconds]; 2]).unwrap());
        assert!(found.iter().flatten().any(|label| label == "50"), "{found:?}");
    }
}

#[test]
fn no_axis_of_the_documents_has_a_label_twice() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/study");
    let mut axes = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        // The star is a drawing, not a plot.
        if path.extension().is_some_and(|e| e == "svg") && name != "bypass-star.svg" {
            axes += labels(&name, &fs::read_to_string(&path).unwrap()).len();
        }
    }
    assert!(axes >= 40, "{axes} axes with numbers");
}
