// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks that the testbenches of `frame_tx` and `frame_rx` make in every run besides the words of
//! the vectors: timing and reset. No vector cites them, so they have separate cases (CNF-5).

use crate::conform::case::{Case, Failure, Outcome, Verdict};
use awgstar_simulator::{Module, RunOutput, output};
use awgstar_stimulus::vectors::{Class, Vectors};

/// A check, the kinds of failures that belong to it, and its requirements.
struct Check {
    name: &'static str,
    kinds: &'static [&'static str],
    ids: &'static [&'static str],
}

const TX_RESET: Check = Check { name: "reset", kinds: &["reset", "x"], ids: &["TX-9"] };
const RX_RESET: Check = Check { name: "reset", kinds: &["reset", "x"], ids: &["RX-8"] };
/// In mode 0 headers and payload always wait.
const TX_BACK_TO_BACK: Check =
    Check { name: "timing", kinds: &["latency", "idle"], ids: &["TX-1", "TX-2", "LNK-3"] };
const TX_TIMING: Check =
    Check { name: "timing", kinds: &["latency", "idle"], ids: &["TX-1", "LNK-3"] };
const RX_TIMING: Check = Check { name: "timing", kinds: &["verdict", "timeout"], ids: &["RX-3"] };

/// The checks of a run. Timing needs two frames at least.
fn checks(class: &Class, module: Module, mode: u32) -> Vec<Check> {
    let Vectors::Frame(vectors) = &class.vectors else { return Vec::new() };
    let frames = |applies: &dyn Fn(&awgstar_stimulus::vectors::FrameVector) -> bool| {
        vectors.iter().filter(|v| applies(v) && !v.wire.is_empty()).count() > 1
    };
    match module {
        Module::Crc32 => Vec::new(),
        Module::FrameTx => {
            let timing = if mode == 0 { TX_BACK_TO_BACK } else { TX_TIMING };
            frames(&|v| v.tx).then_some(timing).into_iter().chain([TX_RESET]).collect()
        }
        Module::FrameRx => {
            frames(&|v| v.rx).then_some(RX_TIMING).into_iter().chain([RX_RESET]).collect()
        }
    }
}

/// The requirements of a run's checks.
pub fn ids(class: &Class, module: Module, mode: u32) -> impl Iterator<Item = String> {
    checks(class, module, mode).into_iter().flat_map(|c| c.ids).map(|id| (*id).to_owned())
}

/// The cases of a run, which did not come to its end if it was `stopped`.
#[must_use]
pub fn cases(class: &Class, module: Module, output: &RunOutput, stopped: bool) -> Vec<Case> {
    let early = || Outcome::NotRun("the run ended early".into());
    let holds = || if stopped { early() } else { Outcome::Pass };
    let case = |check: Check| {
        let of_it = |f: &&output::Failure| check.kinds.contains(&f.kind.as_str());
        let outcome = output.failures.iter().find(of_it).map_or_else(holds, |f| {
            let verdict = if f.kind == "x" { Verdict::DrivesX } else { Verdict::Late };
            let (kind, expected, found) = (&f.kind, &f.expected, &f.found);
            let id = class.id(f.index);
            let text = format!("{kind} in {id}: expected {expected}, found {found}");
            Outcome::Fail(Box::new(Failure::without_difference(verdict, text)))
        });
        let requirements = check.ids.iter().map(|id| (*id).to_owned()).collect();
        Case { name: format!("{}/{}", class.name, check.name), requirements, outcome }
    };
    checks(class, module, output.mode).into_iter().map(case).collect()
}
