// SPDX-License-Identifier: MIT OR Apache-2.0
//! Generation 1 as a [`Run`]: report, picture, events and waves, in ns.

use crate::page::{Scene, Unit};
use crate::place::FileError;
use crate::run::gen1::{Gen1Plan, Gen1Run, Outcome, events, report, train, waves};
use crate::run::{
    Common, Files, Kind, Progress, Report, Request, Run, RunError, WaveRequest, Window, within,
    write_waves,
};
use awgstar::quantity::{Cycle, Nanoseconds};
use awgstar_thesis::gen1::{Fault, record::Happened};

/// Longest part of a run that is drawn when the request does not say which, in ns.
const DRAWN: u64 = 40_000;

impl Gen1Plan {
    fn simulate(&self, progress: &mut Progress<'_>) -> Result<Gen1Run, RunError> {
        self.run(progress).map_err(|e| RunError::Invalid(e.to_string()))
    }

    /// The train in a window; by default from the first frame on.
    fn picture(&self, run: &Gen1Run, window: Option<Window>) -> Result<String, RunError> {
        let window = if let Some(window) = window {
            within(window.ns(), run.end + 1, "ns")?
        } else {
            let frames = |what: &Happened| matches!(what, Happened::Leaves { frames, .. } if !frames.is_empty());
            let first = run.records.iter().find(|record| frames(&record.what));
            let from = first.map_or(0, |record| record.at.0);
            (from, (from + DRAWN).min(run.end.max(from + 1)))
        };
        Ok(train(&self.title, Run::nodes(self), &run.records, window))
    }

    /// The page of a run; by default of all of it.
    fn page(
        &self,
        run: &Gen1Run,
        window: Option<Window>,
        outcome: &Outcome,
    ) -> Result<Scene, RunError> {
        let end = run.end + 1;
        let window = window.map_or(Ok((0, end)), |w| within(w.ns(), end, "ns"))?;
        let nodes = Run::nodes(self);
        let mut page = Scene::new(Run::kind(self).name(), &self.title, Unit::Ns, nodes, window);
        page.add_gen1(&run.records);
        let mut since = vec![None; nodes];
        for record in &run.records {
            match &record.what {
                Happened::Asked(request) => since[record.node] = Some((record.at.0, *request)),
                Happened::Answered(_) => {
                    if let Some((from, request)) = since[record.node].take() {
                        let style = ("waits for an answer", "#f0c674");
                        let span = (from, record.at.0);
                        page.add_span(record.node, span, style, request.text());
                    }
                }
                Happened::Struck { bit } => {
                    page.add_note(record.node, record.at.0, &format!("fault: bit {bit} inverted"));
                }
                Happened::BadCrc => page.add_note(record.node, record.at.0, "wrong CRC"),
                Happened::TokenLost => page.add_note(record.node, record.at.0, "token lost"),
                Happened::TokenMade => page.add_note(record.node, record.at.0, "token made"),
                _ => {}
            }
        }
        page.add_report(&outcome.text(), Some(outcome.waiting.is_empty()));
        Ok(page)
    }

    /// Warnings of faults that no train met.
    fn warnings(&self, run: &Gen1Run) -> Vec<FileError> {
        let mut left = run.system.ring().faults_left().to_vec();
        let mut met = |fault: &Fault| {
            let place = left.iter().position(|other| other == fault);
            place.map(|at| left.remove(at)).is_none()
        };
        let faults = self.settings.faults.iter().zip(&self.fault_warnings);
        faults.filter(|(fault, _)| !met(fault)).map(|(_, warning)| warning.clone()).collect()
    }
}

impl Run for Gen1Plan {
    fn kind(&self) -> Kind {
        Kind::Generation1
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn nodes(&self) -> usize {
        self.settings.line.nodes()
    }

    fn run(&self, request: &Request<'_>, progress: &mut Progress<'_>) -> Result<Report, RunError> {
        let run = self.simulate(progress)?;
        let outcome = report(self, &run);
        let picture = request.picture.then(|| self.picture(&run, request.window)).transpose()?;
        let warnings = self.warnings(&run);
        let page = request.page.then(|| self.page(&run, request.window, &outcome)).transpose()?;
        let cycles = Nanoseconds(run.end).to_cycles().0;
        let common = Common {
            kind: Run::kind(self).name(),
            title: &self.title,
            nodes: Run::nodes(self),
            cycles: Cycle(cycles),
            #[expect(clippy::cast_precision_loss, reason = "a figure")]
            microseconds: run.end as f64 / 1000.0,
            holds: outcome.waiting.is_empty(),
            warnings: &warnings,
        };
        Ok(Report {
            text: outcome.text(),
            json: common.with(&outcome)?,
            holds: common.holds,
            picture: picture.map(|svg| ("train.svg".into(), svg.into_bytes())),
            page,
            files: vec![("events.txt".into(), events(&run.records).into_bytes())],
            warnings,
        })
    }

    fn waves(
        &self,
        request: &WaveRequest,
        files: &mut dyn Files,
        progress: &mut Progress<'_>,
    ) -> Result<(), RunError> {
        let nodes = request.shown(Run::nodes(self))?;
        let run = self.simulate(progress)?;
        let all = (0, run.end + 1);
        let window = request.window.map_or(Ok(all), |w| within(w.ns(), all.1, "ns"))?;
        Ok(write_waves(files, request.stem(Run::kind(self).waves()), |file, dump| {
            waves(file, dump, &nodes, &run.records, window)
        })?)
    }
}
