// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run as waves and as a picture.

use crate::counterexample::paging::Case;
use crate::counterexample::paging::play::STEP_CYCLES;
use crate::counterexample::paging::state::Play;
use awgstar::host::{Happened, Record};
use awgstar_scenario::run::{Folder, write_waves};
use awgstar_scenario::spacetime::{Picture, firmware_steps};
use awgstar_scenario::wave::paging::Pages;
use std::{io, path::Path};

impl Play {
    fn window(&self) -> (u64, u64) {
        (0, (self.texts.len() as u64 + 2) * STEP_CYCLES)
    }

    /// Space-time diagram: what each process is at, its state machine's states, and the way of every frame.
    #[must_use]
    pub fn picture(&self, case: &Case) -> String {
        // Frames are drawn from node to node, so signals not once more.
        let shown = |record: &&Record| {
            !matches!(
                record.what,
                Happened::Sent(_) | Happened::Received(_) | Happened::Returned(_)
            )
        };
        let records: Vec<Record> = self.records.iter().filter(shown).cloned().collect();
        let picture = Picture {
            nodes: case.settings().nodes(),
            records: &records,
            hops: &self.hops,
            window: self.window(),
            title: &format!("{}: {}", case.name, case.breaks()),
        };
        firmware_steps(&picture, STEP_CYCLES)
    }

    /// Writes `paging.vcd` and `paging.gtkw`.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn waves(&self, case: &Case, folder: &Path) -> io::Result<()> {
        let settings = case.settings();
        let shown: Vec<usize> = (0..settings.nodes()).collect();
        let pages = Pages {
            nodes: settings.nodes(),
            shown: &shown,
            pages: settings.pages.into(),
            records: &self.records,
            seen: &self.seen,
            texts: &self.texts,
            window: self.window(),
        };
        write_waves(&mut Folder::new(folder), "paging", |file, dump| pages.write(file, dump))
    }
}
