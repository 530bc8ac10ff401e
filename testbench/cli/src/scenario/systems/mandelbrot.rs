//! `system = "mandelbrot"`: the thesis' program on one machine (EVA-1 to EVA-5).

use crate::mandelbrot::{Machine, Timed, compute, png, run, usage, watch};
use crate::scenario::FileError;
use crate::scenario::file::title;
use crate::scenario::source::{Result, Source};
use crate::scenario::systems::{Artefact, Job, Report};
use crate::study::mandelbrot::LIMIT;
use awgstar::thesis::{
    gen1::Access,
    mandelbrot::{
        Picture, View,
        program::{Costs, Plan, Writes},
        usage::totals,
    },
};
use awgstar_stimulus::echo::shown;
use serde::Deserialize;
use std::{fmt::Write, sync::Mutex};
use toml::Spanned;

type Number = Spanned<i64>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "system")]
    _system: String,
    #[serde(default, deserialize_with = "title")]
    title: String,
    size: Number,
    nodes: Option<Number>,
    limit: Option<Number>,
    machine: Option<Spanned<String>>,
    read: Option<Spanned<String>>,
    writes: Option<Spanned<String>>,
    re: Option<Spanned<[f64; 2]>>,
    im: Option<Spanned<[f64; 2]>>,
    iteration_ps: Option<Number>,
    point_ns: Option<Number>,
    master_percent: Option<Number>,
}

/// A picture on a machine.
#[derive(Clone, Debug, PartialEq)]
struct Mandelbrot {
    title: String,
    size: u32,
    nodes: usize,
    limit: u32,
    machine: Machine,
    plan: Plan,
    view: View,
    costs: Costs,
}

/// The job of a file.
pub(super) fn read(name: &str, text: &str) -> Result<Box<dyn Job>> {
    let file: File = toml::from_str(text).map_err(|e| FileError::toml(name, text, &e))?;
    let source = Source { name, text };
    let number = |field, value: Option<&Number>, least, most, usual: u64| {
        value.map_or(Ok(usual), |v| source.within(field, v, least, most))
    };
    let (usual, plan) = (Costs::default(), Plan::default());
    let view = View::default();
    let machines = Machine::ALL.map(|m| (m.name(), m));
    let job = Mandelbrot {
        title: file.title.clone(),
        size: source.within("size", &file.size, 1, 10_000)?,
        nodes: file.nodes.as_ref().map_or(Ok(4), |n| source.within("nodes", n, 1, 32))?,
        limit: file
            .limit
            .as_ref()
            .map_or(Ok(LIMIT), |n| source.within("limit", n, 1, 1_000_000))?,
        machine: file
            .machine
            .as_ref()
            .map_or(Ok(Machine::Observed), |m| choice(&source, "machine", m, &machines))?,
        plan: Plan {
            read: file
                .read
                .as_ref()
                .map_or(Ok(plan.read), |a| choice(&source, "read", a, &READS))?,
            writes: file
                .writes
                .as_ref()
                .map_or(Ok(plan.writes), |w| choice(&source, "writes", w, &WRITES))?,
            ..plan
        },
        view: View {
            re: file.re.as_ref().map_or(Ok(view.re), |r| range(&source, "re", r))?,
            im: file.im.as_ref().map_or(Ok(view.im), |r| range(&source, "im", r))?,
        },
        costs: Costs {
            iteration_ps: number(
                "iteration_ps",
                file.iteration_ps.as_ref(),
                1,
                1_000_000_000,
                usual.iteration_ps,
            )?,
            point_ns: number("point_ns", file.point_ns.as_ref(), 0, 1_000_000, usual.point_ns)?,
            master_percent: number(
                "master_percent",
                file.master_percent.as_ref(),
                1,
                100,
                usual.master_percent,
            )?,
            ..usual
        },
    };
    Ok(Box::new(job))
}

const READS: [(&str, Access); 2] = [("pointer", Access::Pointer), ("dma", Access::Dma)];
const WRITES: [(&str, Writes); 2] = [("word", Writes::Word), ("row", Writes::Row)];

fn choice<T: Copy>(
    source: &Source,
    field: &str,
    name: &Spanned<String>,
    all: &[(&str, T)],
) -> Result<T> {
    let found = all.iter().find(|(known, _)| known == name.get_ref());
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        let what =
            format!("{field} is `{}`: expected one of {}", shown(name.get_ref()), names.join(", "));
        source.error(&name.span(), what)
    })
}

fn range(source: &Source, field: &str, range: &Spanned<[f64; 2]>) -> Result<[f64; 2]> {
    let found = *range.get_ref();
    if found.iter().all(|v| (-10.0..=10.0).contains(v)) && found[0] < found[1] {
        return Ok(found);
    }
    let what = format!(
        "{field} is {}: expected two numbers from -10 to 10, the lower first",
        shown(format!("{found:?}"))
    );
    Err(source.error(&range.span(), what))
}

impl Job for Mandelbrot {
    fn title(&self) -> &str {
        &self.title
    }

    fn run(&self, progress: &mut dyn FnMut(u64, u64)) -> std::result::Result<Report, String> {
        let picture = self.picture(progress)?;
        let timed = run(self.machine, &picture, self.nodes, &self.costs, self.plan)?;
        let samples = usage::samples(&timed, self.costs.master_percent);
        let cpu = format!("CPU use, {0} x {0}: {1}", self.size, self.machine.title());
        Ok(Report {
            text: self.text(&timed, picture.iterations()),
            json: serde_json::json!({
                "title": self.title,
                "machine": self.machine.name(),
                "size": self.size,
                "nodes": self.nodes,
                "limit": self.limit,
                "iterations": picture.iterations(),
                "time_ns": timed,
                "busy_ns": timed.spans.iter().map(|s| totals(s)).collect::<Vec<_>>(),
            }),
            files: vec![
                ("picture.png".into(), png(&picture)?),
                ("cpu.csv".into(), usage::csv(&samples).into_bytes()),
                ("cpu.svg".into(), usage::svg(&cpu, &samples)?.into_bytes()),
            ],
            warnings: Vec::new(),
        })
    }

    fn waves(
        &self,
        window: Option<(u64, u64)>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> std::result::Result<Vec<Artefact>, String> {
        let picture = self.picture(progress)?;
        let (_, seen) = watch(self.machine, &picture, self.nodes, &self.costs, self.plan)?;
        let window = window.unwrap_or((0, seen.end() + 1));
        if window.0 > seen.end() {
            return Err(format!("--window: the run ends after {} ns", seen.end()));
        }
        let vcd = seen.vcd(window).map_err(|e| e.to_string())?;
        let save = seen.save(window).into_bytes();
        Ok(vec![("mandelbrot.vcd".into(), vcd), ("mandelbrot.gtkw".into(), save)])
    }
}

#[expect(clippy::cast_precision_loss, reason = "a figure")]
fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

impl Mandelbrot {
    fn picture(&self, progress: &mut dyn FnMut(u64, u64)) -> std::result::Result<Picture, String> {
        // Rows are computed on several threads; the bar is told a hundredth at a time.
        let (send, receive) = std::sync::mpsc::channel();
        let send = Mutex::new(send);
        let rows = u64::from(self.size);
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let told = |_| {
                    if let Ok(send) = send.lock() {
                        // Nobody listens any more only when the run is over.
                        let _ = send.send(());
                    }
                };
                compute(self.view, self.size, self.limit, self.nodes, &told)
            });
            for row in 1..=rows {
                if receive.recv().is_err() {
                    break;
                }
                if row % rows.div_ceil(100) == 0 {
                    progress(row, rows);
                }
            }
            worker.join().map_err(|_| "a row could not be computed".to_owned())
        })
    }

    fn text(&self, timed: &Timed, iterations: u64) -> String {
        let mut text = String::new();
        if !self.title.is_empty() {
            let _ = writeln!(text, "{}", self.title);
        }
        let _ = writeln!(
            text,
            "{0} x {0}, at most {1} iterations a point, {iterations} in all; {2}, {3} nodes\n",
            self.size,
            self.limit,
            self.machine.title(),
            self.nodes
        );
        let parts = [
            ("initialise the array", timed.init),
            ("parallel executions", timed.parallel),
            ("read back and send", timed.sequential),
            ("all", timed.total),
        ];
        for (what, ns) in parts {
            let _ = writeln!(text, "{what:<22} {:>10.3} s", seconds(ns));
        }
        let _ = writeln!(text, "\n         compute     access      waits");
        for (node, spans) in timed.spans.iter().enumerate() {
            let [compute, access, waits] = totals(spans).map(seconds);
            let _ =
                writeln!(text, "node {node:<2} {compute:>8.3} s {access:>8.3} s {waits:>8.3} s");
        }
        text.truncate(text.trim_end().len());
        text
    }
}
