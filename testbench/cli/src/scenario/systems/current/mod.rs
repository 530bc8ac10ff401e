//! `system = "current"`: the current version with its programs.

mod convert;
mod file;

use crate::current;
use crate::current::{Plan, Run};
use crate::scenario::FileError;
use crate::scenario::source::Result;
use crate::scenario::systems::{Artefact, Job, Report};
use awgstar::thesis::gen1::Fault;

/// The file's text becomes a plan.
pub(super) fn read(name: &str, text: &str) -> Result<Box<dyn Job>> {
    let file: file::File = toml::from_str(text).map_err(|e| FileError::toml(name, text, &e))?;
    let (plan, faults) = convert::convert(name, text, &file)?;
    Ok(Box::new(Current { plan, faults }))
}

/// A plan.
#[derive(Debug)]
struct Current {
    plan: Plan,
    /// The warning if a fault of the plan meets no train, for each.
    faults: Vec<FileError>,
}

/// Longest part of a run that is drawn when nobody says which, in ns.
const DRAWN: u64 = 40_000;

impl Current {
    fn done(&self, progress: &mut dyn FnMut(u64, u64)) -> std::result::Result<Run, String> {
        self.plan.run(progress).map_err(|e| e.to_string())
    }

    fn nodes(&self) -> usize {
        self.plan.settings.line.nodes()
    }
}

impl Job for Current {
    fn title(&self) -> &str {
        &self.plan.title
    }

    fn run(&self, progress: &mut dyn FnMut(u64, u64)) -> std::result::Result<Report, String> {
        let run = self.done(progress)?;
        let outcome = current::report(&self.plan, &run);
        let json = serde_json::to_value(&outcome).map_err(|e| e.to_string())?;
        let first = run.records.iter().find(|r| {
            matches!(&r.what, awgstar::thesis::gen1::record::Happened::Leaves { frames, .. } if !frames.is_empty())
        });
        let from = first.map_or(0, |record| record.at);
        let window = (from, (from + DRAWN).min(run.end.max(from + 1)));
        let picture = current::train(&self.plan.title, self.nodes(), &run.records, window);
        let files = vec![
            ("events.txt".into(), current::events(&run.records).into_bytes()),
            ("train.svg".into(), picture.into_bytes()),
        ];
        let mut left = run.system.ring().faults_left().to_vec();
        let met = |fault: &Fault| {
            let place = left.iter().position(|other| other == fault);
            place.map(|at| left.remove(at)).is_none()
        };
        let met: Vec<bool> = self.plan.settings.faults.iter().map(met).collect();
        let warnings = self.faults.iter().zip(met).filter(|(_, met)| !met);
        let warnings = warnings.map(|(warning, _)| warning.clone()).collect();
        Ok(Report { text: outcome.text(), json, files, warnings })
    }

    fn holds(&self, report: &Report) -> bool {
        report.json["waiting"].as_array().is_some_and(Vec::is_empty)
    }

    fn waves(
        &self,
        window: Option<(u64, u64)>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> std::result::Result<Vec<Artefact>, String> {
        let run = self.done(progress)?;
        let window = window.unwrap_or((0, run.end + 1));
        if window.0 > run.end {
            return Err(format!("--window: the run ends after {} ns", run.end));
        }
        let vcd = current::vcd(self.nodes(), &run.records, window).map_err(|e| e.to_string())?;
        let save = current::save(self.nodes(), &run.records, window);
        let picture = current::train(&self.plan.title, self.nodes(), &run.records, window);
        Ok(vec![
            ("wave.vcd".into(), vcd),
            ("wave.gtkw".into(), save.into_bytes()),
            ("train.svg".into(), picture.into_bytes()),
        ])
    }
}
