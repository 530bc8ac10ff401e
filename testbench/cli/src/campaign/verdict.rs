// SPDX-License-Identifier: MIT OR Apache-2.0
//! Episode after episode until enough frames were sent, and the verdict on all of them.

use crate::campaign::episode::of_rings;
use crate::campaign::{Tally, Violation};
use serde::Serialize;
use std::fmt;

/// Selection of episodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Campaign {
    /// Everything random follows from it.
    pub seed: u64,
    /// Rings with gateways of every episode; 0: one ring alone.
    pub rings: usize,
    /// Boards of every ring.
    pub boards: usize,
    /// Number of frames to send: episodes are run until it is reached.
    pub frames: u64,
    /// So many episodes instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub episodes: Option<u64>,
    /// This episode alone.
    pub episode: Option<u64>,
}

/// The result of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The campaign that was run.
    pub campaign: Campaign,
    /// Sums over the episodes without a violation.
    #[serde(flatten)]
    pub tally: Tally,
    /// The violation that ended the campaign.
    pub violation: Option<Violation>,
}

impl Campaign {
    /// Runs `episode` with the number of each episode, up to the first violation. `progress` is
    /// called with the frames sent so far.
    pub fn run(
        self,
        mut episode: impl FnMut(u64) -> Result<Tally, Violation>,
        progress: &mut dyn FnMut(u64),
    ) -> Verdict {
        let mut verdict = self.begin();
        let (first, last) = self.episode.map_or((0, u64::MAX), |k| (k, k));
        for k in first..=last {
            match episode(k) {
                Ok(tally) => verdict.tally.add(&tally),
                Err(violation) => verdict.violation = Some(violation),
            }
            progress(verdict.tally.frames);
            if verdict.violation.is_some() || verdict.tally.frames >= self.frames {
                break;
            }
        }
        verdict
    }

    fn begin(self) -> Verdict {
        Verdict { campaign: self, tally: Tally::default(), violation: None }
    }

    /// The verdict on episodes that were run, in their order: those after the first violation do not count.
    #[must_use]
    pub fn verdict(self, ends: Vec<Result<Tally, Violation>>) -> Verdict {
        let mut verdict = self.begin();
        for end in ends {
            match end {
                Ok(tally) => verdict.tally.add(&tally),
                Err(violation) => {
                    verdict.violation = Some(violation);
                    break;
                }
            }
        }
        verdict
    }
}

impl Verdict {
    /// Something was checked, and there was no violation.
    #[must_use]
    pub fn holds(&self) -> bool {
        let Tally { episodes, frames, gateways, .. } = &self.tally;
        let reached = self.campaign.rings == 0 || gateways.answers > 0 && gateways.far > 0;
        self.violation.is_none() && *episodes > 0 && *frames > 0 && reached
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Campaign { seed, rings, boards, frames, episodes: number, episode } = self.campaign;
        let Tally { episodes, frames: sent, .. } = self.tally;
        if episodes > 0 {
            writeln!(f, "{}", self.tally)?;
        }
        let again = match (episode, number) {
            (Some(k), _) => format!("--case {k}"),
            (None, Some(number)) => format!("--cases {number}"),
            (None, None) => format!("--frames {frames}"),
        };
        let (verdict, again) = match &self.violation {
            Some(Violation { episode, what, .. }) => {
                (format!("VIOLATION in episode {episode}: {what}"), format!("--case {episode}"))
            }
            None if self.holds() => ("no violation".into(), again),
            None => {
                ("NOTHING CHECKED: no frame was sent, or no access to another ring".into(), again)
            }
        };
        let checked = match rings {
            0 => "after each episode: replicas, signals, tokens, monitor",
            _ => {
                "each answer, one process with a lock; after each episode: memory, windows, replicas"
            }
        };
        let of = of_rings(rings);
        let missed = self.tally.gateways.missed();
        if rings > 0 && !missed.is_empty() {
            writeln!(f, "not reached: {}", missed.join("; "))?;
        }
        write!(
            f,
            "checked {checked}\n\
             {episodes} episodes without a violation, {sent} frames sent, rings of {boards} boards\n\
             replay: awgstar campaign --seed {seed} {of}--nodes {boards} {again}\n\
             verdict: {verdict}"
        )
    }
}
