// SPDX-License-Identifier: MIT OR Apache-2.0
//! The thesis' program on one machine as a [`Run`]: times, CPU use, picture of the set, waves in ns (EVA-1 to
//! EVA-5).

use crate::page::{Scene, Unit};
use crate::run::mandelbrot::{Machine, Timed, compute, png, run, usage, watch};
use crate::run::{
    Common, Files, Kind, Progress, Report, Request, Run, RunError, WaveRequest, within, write_waves,
};
use awgstar::quantity::Nanoseconds;
use awgstar_thesis::gen1::Activity;
use awgstar_thesis::mandelbrot::{
    Picture, View,
    program::{Costs, Plan},
    usage::totals,
};
use std::{fmt::Write, sync::Mutex};

/// A picture on a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Mandelbrot {
    /// One line that says what it shows.
    pub title: String,
    /// Points of a row, and rows.
    pub size: u32,
    /// Nodes that share the work.
    pub nodes: usize,
    /// Iterations after which a point is in the set.
    pub limit: u32,
    /// System that the program runs on.
    pub machine: Machine,
    /// Settings for reading and writing results.
    pub plan: Plan,
    /// The part of the plane.
    pub view: View,
    /// Times of an iteration, a point and a word.
    pub costs: Costs,
}

impl Run for Mandelbrot {
    fn kind(&self) -> Kind {
        Kind::Mandelbrot
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn nodes(&self) -> usize {
        self.nodes
    }

    fn run(&self, request: &Request<'_>, progress: &mut Progress<'_>) -> Result<Report, RunError> {
        let picture = self.picture(progress)?;
        let timed = run(self.machine, &picture, self.nodes, &self.costs, self.plan)
            .map_err(RunError::Invalid)?;
        let samples = usage::samples(&timed, self.costs.master_percent);
        let title = format!("CPU use, {0} x {0}: {1}", self.size, self.machine.title());
        let all = (0, timed.total.0 + 1);
        let window = request.window.map_or(Ok(all), |w| within(w.ns(), all.1, "ns"))?;
        let chart = || usage::svg_of(&title, &samples, usage::seconds(window));
        let chart = request.picture.then(chart).transpose().map_err(RunError::Invalid)?;
        let common = Common {
            kind: Run::kind(self).name(),
            title: &self.title,
            nodes: self.nodes,
            cycles: timed.total.to_cycles(),
            #[expect(clippy::cast_precision_loss, reason = "a figure")]
            microseconds: timed.total.0 as f64 / 1000.0,
            // The program has come to its end, or there is an error.
            holds: true,
            warnings: &[],
        };
        let json = common.with(&serde_json::json!({
            "machine": self.machine.name(),
            "size": self.size,
            "limit": self.limit,
            "iterations": picture.iterations(),
            "time_ns": timed,
            "busy_ns": timed.spans.iter().map(|s| totals(s)).collect::<Vec<_>>(),
        }))?;
        let text = self.text(&timed, picture.iterations());
        let page = request.page.then(|| {
            let kind = Run::kind(self).name();
            let mut page = Scene::new(kind, &self.title, Unit::Ns, self.nodes, window);
            for (node, spans) in timed.spans.iter().enumerate() {
                for span in spans {
                    let style = match span.activity {
                        Activity::Compute => ("computes", "#9bbf85"),
                        Activity::Access => ("accesses over PCI", "#7da7d9"),
                        Activity::Dma => ("waits for DMA", "#b8cbe4"),
                        Activity::Sync => ("waits for its writes", "#c9bfe0"),
                        Activity::Lock => ("waits for a lock", "#e0a458"),
                        Activity::Barrier => ("waits at the barrier", "#c96567"),
                    };
                    page.add_span(node, (span.from.0, span.to.0), style, String::new());
                }
            }
            page.add_report(&text, None);
            page
        });
        Ok(Report {
            text,
            json,
            holds: common.holds,
            picture: chart.map(|svg| ("cpu.svg".into(), svg.into_bytes())),
            page,
            files: vec![
                ("picture.png".into(), png(&picture).map_err(RunError::Invalid)?),
                ("cpu.csv".into(), usage::sheet("", &samples).csv().into_bytes()),
            ],
            warnings: Vec::new(),
        })
    }

    fn waves(
        &self,
        request: &WaveRequest,
        files: &mut dyn Files,
        progress: &mut Progress<'_>,
    ) -> Result<(), RunError> {
        let nodes = request.shown(self.nodes)?;
        let picture = self.picture(progress)?;
        let (_, seen) = watch(self.machine, &picture, self.nodes, &self.costs, self.plan)
            .map_err(RunError::Invalid)?;
        let all = (0, seen.end().0 + 1);
        let window = request.window.map_or(Ok(all), |w| within(w.ns(), all.1, "ns"))?;
        Ok(write_waves(files, request.stem(Run::kind(self).waves()), |file, dump| {
            seen.waves(file, dump, &nodes, window)
        })?)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a figure")]
fn seconds(ns: Nanoseconds) -> f64 {
    ns.0 as f64 / 1e9
}

impl Mandelbrot {
    fn picture(&self, progress: &mut Progress<'_>) -> Result<Picture, RunError> {
        // Rows are computed on several threads; the progress bar moves in steps of a hundredth.
        let (send, receive) = std::sync::mpsc::channel();
        let send = Mutex::new(send);
        let rows = u64::from(self.size);
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let count = |_| {
                    if let Ok(send) = send.lock() {
                        // The receiver is gone only when the run is over.
                        let _ = send.send(());
                    }
                };
                compute(self.view, self.size, self.limit, self.nodes, &count)
            });
            for row in 1..=rows {
                if receive.recv().is_err() {
                    break;
                }
                if row % rows.div_ceil(100) == 0 {
                    progress(row, rows);
                }
            }
            let failed = |_| RunError::Invalid("a row could not be computed".into());
            worker.join().map_err(failed)
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
