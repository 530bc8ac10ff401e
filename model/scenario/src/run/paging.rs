// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes with virtual shared memory on the cycle-accurate ring of boards.

use crate::page::{Scene, Unit};
use crate::run::capture::{Capture, Link};
use crate::run::script::{Runner, Script, Step};
use crate::run::{
    Common, Files, Kind, Progress, Report, Request, Run, RunError, WaveRequest, Window, ns, within,
    write_waves,
};
use crate::spacetime::{Picture, firmware};
use crate::wave::paging::{Pages, Seen};
use awgstar::quantity::{ByteAddress, Cycle, NodeId};
use awgstar::{
    contract::{PageTable, page_table::word},
    host::{Choice, DrivenRing, Happened, Record, Setup, pager::Side},
    request::Place,
};
use std::fmt::Write as _;
use std::sync::Arc;

/// Cycles after which a run is given up.
const LIMIT: Cycle = Cycle(4_000_000);
/// Cycles until the ring is up, at most.
const UP: Cycle = Cycle(1_000_000);

/// Processes with virtual shared memory, ready to run.
#[derive(Debug)]
pub struct Paging {
    /// One line that says what it shows.
    pub title: String,
    /// Layout of the pages and their table.
    pub table: PageTable,
    /// The ring.
    pub setup: Setup,
    /// Metres of fibre after each board.
    pub fibre_m: Vec<f64>,
    /// The program of each node; a node without steps has no process.
    pub scripts: Vec<Script>,
}

/// A run that is over.
struct PagingRun {
    begin: Cycle,
    end: Cycle,
    records: Vec<Record>,
    seen: Vec<Seen>,
    wrong: Option<String>,
}

/// The word of `node` in a page.
fn address(table: &PageTable, page: u16, node: u8) -> ByteAddress {
    ByteAddress(table.page_bytes * u32::from(page - 1) + 4 * u32::from(node))
}

/// A step of `node` that adds 1 to its word of a page.
pub(crate) fn access(table: &PageTable, page: u16, node: u8) -> Step {
    Step::add(Place::paged(address(table, page, node)), 1)
}

impl Paging {
    fn simulate(
        &self,
        mut capture: Option<&mut Capture<'_>>,
        progress: &mut Progress<'_>,
    ) -> Result<PagingRun, RunError> {
        let choice = Choice { pages: Some(self.table), ..Choice::new() };
        let text = |e: awgstar::host::HostError| RunError::Invalid(e.to_string());
        let mut system = DrivenRing::new(choice, &self.setup).map_err(text)?;
        system.run_until_up(UP).map_err(text)?;
        let begin = system.ring().cycle();
        let nodes = self.scripts.iter().enumerate();
        for (node, script) in nodes.filter(|(_, script)| !script.is_empty()) {
            let process = Runner::new(node, script, &Arc::default());
            system.start(NodeId::at(node), Box::new(process)).map_err(text)?;
        }
        let mut seen: Vec<Seen> = Vec::new();
        let mut last: Vec<Option<Seen>> = vec![None; self.scripts.len()];
        let mut late = None;
        while !(system.ended() && system.settled()) {
            let cycle = system.ring().cycle().0;
            match &mut capture {
                Some(all) => {
                    system.step_observed(&mut |n, board, i, _| all.board(cycle, n, board, i));
                    all.after_boards(system.ring());
                }
                None => {
                    system.step();
                }
            }
            let cycle = system.ring().cycle();
            if cycle - begin >= LIMIT {
                let waiting: Vec<String> =
                    system.waiting().iter().map(ToString::to_string).collect();
                let waiting = waiting.join(", ");
                late = Some(format!("not at its end after {LIMIT} cycles: {waiting}"));
                break;
            }
            for (node, last) in last.iter_mut().enumerate() {
                let now = self.look(&system, node, cycle);
                if last.as_ref().is_none_or(|l| (l.valid, &l.flags) != (now.valid, &now.flags)) {
                    seen.push(now.clone());
                    *last = Some(now);
                }
            }
            if cycle.0.is_multiple_of(4096) {
                progress((cycle - begin).0, LIMIT.0);
            }
        }
        let (end, records) = (system.ring().cycle(), system.take_records());
        Ok(PagingRun { begin, end, records, seen, wrong: late.or_else(|| self.wrong(&system)) })
    }

    /// The table in a replica.
    fn look(&self, system: &DrivenRing<Choice>, node: usize, cycle: Cycle) -> Seen {
        let memory = &system.ring().board(node).u_memory.mem;
        // The file was checked: the table is within the memory.
        let at = |addr: ByteAddress| memory[addr.word()];
        let mut valid = 0;
        let mut flags = Vec::new();
        for page in 1..=self.table.pages {
            valid |= u64::from(word(at(self.table.valid(page))) != 0) << (page - 1);
            let flag = |process: u8| {
                let addr = self.table.flag(page, process);
                u64::from(at(addr) >> (8 * addr.lane()) & 1) << process
            };
            flags.push((0..self.table.processes).map(flag).sum());
        }
        Seen { cycle, node, valid, flags }
    }

    /// The first word that is not what its process wrote last.
    fn wrong(&self, system: &DrivenRing<Choice>) -> Option<String> {
        for page in 1..=self.table.pages {
            for (writer, script) in (0..self.table.processes).zip(&self.scripts) {
                let access = access(&self.table, page, writer);
                let expected: u32 = script.iter().map(|(_, step)| u32::from(*step == access)).sum();
                for node in 0..self.scripts.len() {
                    let addr = address(&self.table, page, writer);
                    let found = system.virtual_word(NodeId::at(node), addr);
                    if found != Some(expected) {
                        let found = found.map_or("no word".into(), |word| word.to_string());
                        return Some(format!(
                            "node {node}, page {page}, word of process {writer}: expected {expected}, found {found}"
                        ));
                    }
                }
            }
        }
        None
    }

    /// The cycles of the window that lie in the run; by default all.
    fn window(run: &PagingRun, window: Option<Window>) -> Result<(u64, u64), RunError> {
        window.map_or(Ok((run.begin.0, run.end.0)), |w| within(w.cycles(), run.end.0, "cycles"))
    }
}

/// Counts of the master: (swaps, pages hidden and shown again).
fn master(records: &[Record]) -> (usize, usize) {
    let states = records.iter().filter_map(|record| match &record.what {
        Happened::Pages(Side::Master, state) => state.split_whitespace().nth(1),
        _ => None,
    });
    let mut states: Vec<&str> = states.collect();
    states.dedup();
    let count = |from: &str, to: &str| states.windows(2).filter(|two| *two == [from, to]).count();
    (count("copying_out", "copying_in"), count("looking_again", "choosing"))
}

impl Run for Paging {
    fn kind(&self) -> Kind {
        Kind::Paging
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn nodes(&self) -> usize {
        self.scripts.len()
    }

    fn run(&self, request: &Request<'_>, progress: &mut Progress<'_>) -> Result<Report, RunError> {
        let wanted = request.window.map_or((0, u64::MAX), |window| window.cycles());
        let links = || Link::fibres("board", &self.setup.scenario.fibre, &self.fibre_m);
        let capture =
            request.capture.map(|out| Capture::new(out, &self.title, links(), None, wanted));
        let mut capture = capture.transpose()?;
        let run = self.simulate(capture.as_mut(), progress)?;
        let (swaps, back) = master(&run.records);
        let table = &self.table;
        let cycles = run.end - run.begin;
        let mut text = format!(
            "{}\n{} nodes, {} pages of {} bytes, room for {}\n",
            self.title, table.processes, table.pages, table.page_bytes, table.frames
        );
        let _ =
            writeln!(text, "{swaps} pages swapped, {back} hidden and shown again, {cycles} cycles");
        let exact = match &run.wrong {
            None => "every word is what its process wrote last, on every board".to_string(),
            Some(wrong) => format!("WRONG: {wrong}"),
        };
        text.push_str(&exact);
        let common = Common {
            kind: Run::kind(self).name(),
            title: &self.title,
            nodes: Run::nodes(self),
            cycles,
            microseconds: ns(cycles) / 1000.0,
            holds: run.wrong.is_none(),
            warnings: &[],
        };
        let json = common.with(&serde_json::json!({
            "pages": table.pages,
            "room": table.frames,
            "page_bytes": table.page_bytes,
            "swaps": swaps,
            "shown_again": back,
            "wrong": run.wrong,
        }))?;
        let drawn = Picture {
            nodes: Run::nodes(self),
            records: &run.records,
            hops: &[],
            window: Paging::window(&run, request.window)?,
            title: &self.title,
        };
        let (holds, warnings) = (common.holds, Vec::new());
        if let Some(capture) = capture {
            capture.finish()?;
        }
        let picture = request.picture.then(|| firmware(&drawn).into_bytes());
        let picture = picture.map(|svg| ("spacetime.svg".into(), svg));
        let page = request.page.then(|| {
            let kind = Run::kind(self).name();
            let mut page = Scene::new(kind, &self.title, Unit::Cycle, drawn.nodes, drawn.window);
            page.add_firmware(&drawn);
            page.add_report(&text, Some(holds));
            page
        });
        Ok(Report { text, json, holds, warnings, picture, page, files: Vec::new() })
    }

    fn waves(
        &self,
        request: &WaveRequest,
        files: &mut dyn Files,
        progress: &mut Progress<'_>,
    ) -> Result<(), RunError> {
        let shown = request.shown(Run::nodes(self))?;
        let run = self.simulate(None, progress)?;
        let pages = Pages {
            nodes: Run::nodes(self),
            shown: &shown,
            pages: self.table.pages.into(),
            records: &run.records,
            seen: &run.seen,
            texts: &[],
            window: Paging::window(&run, request.window)?,
        };
        Ok(write_waves(files, request.stem(Run::kind(self).waves()), |file, dump| {
            pages.write(file, dump)
        })?)
    }
}
