// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of `docs/evaluation.md` and `docs/router.md` are those of the CSV files, of the settings and,
//! for the limits of iterations, of runs.

use super::{Row, document::section, line, rows};
use awgstar::{contract::limits::CLOCK_HZ, ring::star::Router};
use awgstar_cli::study::mandelbrot::{LIMIT, USAGE_NODES};
use awgstar_scenario::run::mandelbrot::{Machine, OBSERVED_WORD, compute, run, usage};
use awgstar_thesis::{
    gen1::Host,
    gen2::{BARRIER, Store},
    mandelbrot::{
        View,
        program::{Costs, Plan},
    },
    settings::{LOCAL_BYTES, LOCAL_WORD},
};

const EVALUATION: &str = "evaluation.md";
const MACHINES: [&str; 4] = ["observed", "table2", "port", "local"];

/// Four digits that mean something, three decimals at most.
fn figure(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.1}"),
        v if v >= 10.0 => format!("{v:.2}"),
        v => format!("{v:.3}"),
    }
}

fn mandelbrot() -> Vec<Row> {
    rows("mandelbrot.csv")
}

/// Seconds of a column of the run.
fn seconds(rows: &[Row], machine: &str, size: &str, nodes: &str, column: &str) -> f64 {
    let of = |row: &&Row| {
        (row.text("machine"), row.text("size"), row.text("nodes")) == (machine, size, nodes)
    };
    let row = rows.iter().find(of).unwrap_or_else(|| panic!("{machine} {size} {nodes}"));
    row.number(column) / 1e9
}

#[test]
fn the_answer() {
    let rows = mandelbrot();
    let total = |machine, size, nodes| seconds(&rows, machine, size, nodes, "total");
    let parallel = |machine| figure(seconds(&rows, machine, "300", "32", "parallel"));
    let shown = |machine, nodes| figure(total(machine, "3000", nodes));
    let times = |nodes| total("observed", "3000", nodes) / total("port", "3000", nodes);
    let beside = (total("table2", "3000", "4") / total("port", "3000", "4") - 1.0) * 100.0;
    let text = format!(
        "- **The current version is bound by the master.**\n  \
           With the rates that the thesis observed, 3000 × 3000 takes at least {} s on one node and at least {} s on four.\n  \
           At least {} s of each the master reads results back, a word at a time.\n  \
           These are lower bounds: the thesis says that reading is slower than 1 Mb/s, and the model reads at 1 Mb/s.\n  \
           More nodes cannot help; the thesis says the same of its Figs 21 and 22.\n\
         - **The next version does not have that part.**\n  \
           The same work takes {} s on four nodes with our AXI4-Lite port and {} s on 32: at least {:.1} and {:.0} times less than `observed`.\n  \
           Against the current version at the best rates of its data sheet (`table2`) the difference on four nodes is {beside:.2} %, because computing takes the time on both.\n\
         - **On 32 nodes the current ring is slower than its hosts.**\n  \
           One token, 1 KByte a visit and 550 ns a node make 48 MB/s, and a host writes 64 MB/s.\n  \
           The first barrier waits until the array has gone round: the parallel execution of 300 × 300 takes {} s on `table2` and {} s on `port`.\n\
         - **The division into neighbouring rows limits the speed-up**: most points of the set are in the middle rows.\n",
        shown("observed", "1"),
        shown("observed", "4"),
        figure(seconds(&rows, "observed", "3000", "4", "sequential")),
        shown("port", "4"),
        shown("port", "32"),
        times("4"),
        times("32"),
        parallel("table2"),
        parallel("port"),
    );
    section(EVALUATION, "answer", &text);
}

#[test]
fn execution_times() {
    let rows = mandelbrot();
    let mut table = String::from(
        "| size | processes | `observed`, at least | `table2` | `port` | `local` |\n|---:|---:|---:|---:|---:|---:|\n",
    );
    for size in ["300", "600", "1500", "3000"] {
        for nodes in ["1", "2", "3", "4", "32"] {
            let cell = |machine| figure(seconds(&rows, machine, size, nodes, "total"));
            line(&mut table, size, [nodes.to_owned()].into_iter().chain(MACHINES.map(cell)));
        }
    }
    section(EVALUATION, "execution times", &table);
}

#[test]
fn shares_of_one_process() {
    let rows = mandelbrot();
    let share = |machine, size, nodes| {
        let parallel = |nodes| seconds(&rows, machine, size, nodes, "parallel");
        format!("{:.3}", parallel(nodes) / parallel("1"))
    };
    let mut table = String::from(
        "| processes | `002` | `observed`, 300 | `port`, 300 | `observed`, 3000 | `table2`, 3000 | `port`, 3000 | `local`, 3000 |\n\
         |---:|---|---:|---:|---:|---:|---:|---:|\n",
    );
    for (nodes, paper) in
        [("2", "almost 1/2"), ("3", "almost 1/3"), ("4", "almost 1/4"), ("32", "not tried")]
    {
        let small = ["observed", "port"].map(|machine| share(machine, "300", nodes));
        let large = MACHINES.map(|machine| share(machine, "3000", nodes));
        line(&mut table, nodes, [paper.to_owned()].into_iter().chain(small).chain(large));
    }
    section(EVALUATION, "shares of one process", &table);
}

#[test]
fn words_and_rows() {
    let rows = mandelbrot();
    let heads = MACHINES.map(|machine| format!("`{machine}`, by words | by rows | %")).join(" | ");
    let mut table = format!("| size | nodes | {heads} |\n|---:|---:|{}\n", "---:|".repeat(12));
    for (size, nodes) in
        [("300", "32"), ("600", "32"), ("1500", "32"), ("3000", "4"), ("3000", "32")]
    {
        let cells = MACHINES.iter().flat_map(|machine| {
            let [word, row] = ["total", "total_by_rows"]
                .map(|column| seconds(&rows, machine, size, nodes, column));
            let more = (word / row - 1.0) * 100.0;
            [figure(word), figure(row), format!("{more:+.2}")]
        });
        line(&mut table, size, [nodes.to_owned()].into_iter().chain(cells));
    }
    section(EVALUATION, "words and rows", &table);
}

/// What two sentences of 4.3.2 say of a limit, on four nodes of `observed`.
#[test]
fn limits_of_iterations() {
    let mut table = String::from(
        "| limit | 600 × 600: busiest second of each worker, % | one is nearly 100 % | 300 × 300: parallel execution | less than a second |\n\
         |---:|---:|---|---:|---|\n",
    );
    let costs = Costs::default();
    for limit in [1_000, 4_000, LIMIT, 18_500, 25_000] {
        let timed = |size| {
            let picture = compute(View::default(), size, limit, USAGE_NODES, &|_| {});
            run(Machine::Observed, &picture, USAGE_NODES, &costs, Plan::default()).unwrap()
        };
        let samples = usage::samples(&timed(600), costs.master_percent);
        let busiest: Vec<f64> =
            samples[1..].iter().map(|s| f64::from(*s.iter().max().unwrap()) / 10.0).collect();
        let shown: Vec<String> = busiest.iter().map(|percent| format!("{percent:.1}")).collect();
        #[expect(clippy::cast_precision_loss, reason = "seconds")]
        let parallel = timed(300).parallel.0 as f64 / 1e9;
        let holds = |holds: bool| if holds { "yes" } else { "**no**" }.to_owned();
        let cells = [
            shown.join(", "),
            holds(busiest.iter().any(|percent| *percent >= 95.0)),
            format!("{parallel:.2} s"),
            holds(parallel < 1.0),
        ];
        line(&mut table, &limit.to_string(), cells);
    }
    section(EVALUATION, "limits of iterations", &table);
}

/// Cycles of the ring barrier besides the way of its signals, as measured on 2 to 32 boards.
fn barriers() -> Vec<f64> {
    let rows = rows("barrier.csv");
    let of = |row: &&Row| {
        row.text("sweep") == "bound"
            && row.text("protocol") == "ring"
            && row.number("nodes") <= 32.0
    };
    rows.iter().filter(of).map(|row| row.number("all_mean") - row.number("bound_cycles")).collect()
}

fn range(values: &[f64]) -> (f64, f64) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    (least, values.iter().copied().fold(0.0, f64::max))
}

/// The constant of the model is one of the figures that were measured.
#[test]
fn the_barrier_of_the_model_is_the_measured_one() {
    let measured = barriers();
    assert!(measured.len() >= 5, "{measured:?}");
    let (least, most) = range(&measured);
    #[expect(clippy::cast_precision_loss, reason = "cycles")]
    let model = BARRIER.0 as f64;
    assert!((least..=most).contains(&model), "{model}: measured {measured:?}");
}

/// A word of local memory is the same in the study of pages and in the evaluation.
#[test]
fn one_local_memory() {
    use awgstar_thesis::paging;
    let pages = paging::Costs::next_version(4, 10);
    assert_eq!((pages.read, pages.write, pages.copy), (LOCAL_WORD, LOCAL_WORD, LOCAL_BYTES));
    assert_eq!((Store::LOCAL.read, Store::LOCAL.write), (pages.copy, pages.copy));
    assert_eq!(Costs::default().point_ns, pages.write);
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "figures")]
fn inputs_and_predictions() {
    let rows = mandelbrot();
    let costs = Costs::default();
    let (least, most) = range(&barriers());
    let view = View::default();
    let mega = |rate: u64| format!("{:.1} MB/s", rate as f64 / 1e6);
    let at = |machine: &str, size: &str, column: &str| seconds(&rows, machine, size, "4", column);
    let four = |column: &str, size: &str| {
        MACHINES.map(|m| format!("{} `{m}`", figure(at(m, size, column)))).join(", ")
    };
    let part = |size: &str| {
        let [rest, all] = ["sequential", "total"].map(|column| at("observed", size, column));
        format!("{} of {} s", figure(rest), figure(all))
    };
    let thesis = "input, thesis";
    let table: Vec<[String; 4]> = [
        ("topology, routing", "star, logically a ring; 52 + 2·(in + out), cyclic".into(), thesis, "Table 1; [router](router.md)"),
        ("line rate", "2.152 Gb/s".into(), thesis, "Table 2"),
        ("fibre", "5 ns/m, 10 m a node".into(), thesis, "2.2.4, 4.1"),
        ("processing of a node, current version", "500 ns".into(), thesis, "2.2.4, Table 2"),
        ("data of a transmission", "1 KByte".into(), thesis, "Table 2"),
        ("shared memory; array", "512 MB; 1000 × 3000 words".into(), thesis, "4.2.2"),
        ("sizes; most that is shown", "300, 600, 1500, 3000; 900 × 900".into(), thesis, "4.2.2, Figs 15, 16, 19 to 22"),
        ("host, `table2`", format!("writes {}, reads {}", mega(Host::best().pointer_write), mega(Host::best().pointer_read)), thesis, "Table 2, its best rates"),
        ("reading, `observed`", format!("{} kB/s", Host::default().pointer_read / 1000), "input, thesis: **a bound used as a value**", "4.3.2: \"less than 1 Mbps\""),
        ("the master's CPU", format!("{} %", costs.master_percent), thesis, "4.3.2; the drawing program and the primitives have the rest"),
        ("tokens, frames, mailbox codes", "one token; Table 4; `0x0000FF00` and others".into(), thesis, "2.2, 3.2, 5.1; [current version](current.md), [contract](contract.md)"),
        ("an iteration", format!("{:.2} ns", costs.iteration_ps as f64 / 1000.0), "input, assumed", "20 cycles of the Xeon of 3.06 GHz (Table 3): a multiplication and two additions, one after the other"),
        ("a point besides", format!("{} ns", costs.point_ns), "input, assumed", "loop, comparison, call"),
        ("limit of iterations", format!("{LIMIT}"), "input, assumed", "4.3.2 bounds it: 4,000 to 19,000, below"),
        ("part of the plane", format!("[{}, {}] × [{}, {}]", view.re[0], view.re[1], view.im[0], view.im[1]), "input, assumed", "Fig. 12, whose numbers are lost"),
        ("socket", mega(costs.socket), "input, assumed", "both programs are on one computer"),
        ("local memory, `local`", format!("{}, {:.0} ns a word", mega(LOCAL_BYTES), 4e9 / LOCAL_BYTES as f64), "input, assumed", "5.1: as fast as local memory"),
        ("a write of a word, `observed`", format!("{OBSERVED_WORD} ns besides the bus"), "input, fitted", "4.3.2: 7 s for 3,000,000 words"),
        ("host, `port`", format!("writes {}, reads {}", mega(Store::PORT.write), mega(Store::PORT.read)), "input, measured", "[3 and 4 cycles a word](performance.md)"),
        ("barrier, `port` and `local`", format!("(N−1) hops and {BARRIER} cycles, {:.2} µs", BARRIER.0 as f64 * 1e6 / CLOCK_HZ as f64), "input, measured", &format!("[the ring barrier](study.md): {least:.0} to {most:.0} cycles, after confirmed data")),
        ("initialising the array, s", four("init", "3000"), "prediction; 7 s is an input", "4.3.2: \"the first 7 s\""),
        ("300 × 300, parallel execution, s", four("parallel", "300"), "prediction; bounds the limit", "4.3.2: \"less than one second\", Fig. 19"),
        ("600 × 600, parallel execution, s", four("parallel", "600"), "prediction; bounds the limit", "4.3.2: workers \"nearly 100 %\", Fig. 20"),
        ("1500 × 1500, reading and sending, `observed`", part("1500"), "prediction, lower bound", "4.3.2: \"sequential execution takes a long time\", Fig. 21"),
        ("3000 × 3000, reading and sending, `observed`", part("3000"), "prediction, lower bound", "the same, Fig. 22"),
        ("3000 × 3000, all, s", four("total", "3000"), "prediction; `observed`: lower bound", "Fig. 17, lost"),
        ("share of one process's time", "0.3 to 0.6 for 2 to 4 processes, below".into(), "prediction", "`002` 5.3: almost 1/2, 1/3, 1/4"),
    ]
    .map(|(what, value, kind, source)| [what.into(), value, kind.into(), source.to_owned()])
    .into();
    let mut text = String::from(
        "| what | value, on four nodes | kind | source, or what the papers say |\n|---|---|---|---|\n",
    );
    for [what, value, kind, source] in table {
        line(&mut text, &what, [value, kind, source]);
    }
    section(EVALUATION, "inputs and predictions", &text);
}

/// The wavelengths of the router page: the laser's, and the formula's where that is another one.
#[test]
fn wavelengths() {
    let ports = [1, 2, 3, 31, 32];
    let mut table = String::from(
        "| input \\ output | 1 | 2 | 3 | … | 31 | 32 |\n|---|---:|---:|---:|---|---:|---:|\n",
    );
    for input in [1, 2, 3, 32] {
        if input == 32 {
            table.push_str("| … | | | | | | |\n");
        }
        let cell = |output: u8| {
            let (tuned, formula) = (
                Router.wavelength(input, output).unwrap(),
                52 + 2 * (u16::from(input) + u16::from(output)),
            );
            if tuned == formula { tuned.to_string() } else { format!("**{tuned}** ({formula})") }
        };
        let mut cells: Vec<String> = ports.into_iter().map(cell).collect();
        cells.insert(3, String::new());
        line(&mut table, &input.to_string(), cells);
    }
    section("router.md", "wavelengths", &table);
}

/// The bypass: `bypass.csv` in microseconds.
#[test]
fn a_board_dies() {
    let rows = rows("bypass.csv");
    for sweep in ["boards", "fibre", "tuning"] {
        let mut table = String::from(
            "| | dead | seen | light | one monitor | tokens | first write | all writes | area the same | refused words |\n\
             |---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        );
        for row in rows.iter().filter(|row| row.text("sweep") == sweep) {
            let micro = |column| row.number(column) / super::MHZ;
            let what = match sweep {
                "boards" => format!("N = {}", row.text("boards")),
                "fibre" => format!("{} cycles of fibre a hop", row.text("fibre_cycles")),
                _ => format!("tuning {:.0} µs", micro("tune_cycles")),
            };
            let dead = if row.text("monitor_dead") == "true" { "the monitor" } else { "another" };
            let moments =
                ["dark", "light", "monitor", "tokens", "first_write", "all_writes", "reconciled"];
            let moments = moments.map(|column| format!("{:.1}", micro(column)));
            let refused = row.text("refused").to_owned();
            line(&mut table, &what, [dead.to_owned()].into_iter().chain(moments).chain([refused]));
        }
        section("router.md", &format!("bypass {sweep}"), &table);
    }
}
