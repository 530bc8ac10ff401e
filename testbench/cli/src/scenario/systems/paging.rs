//! `system = "paging"`: processes with virtual shared memory on the cycle-accurate ring of boards.

use crate::scenario::FileError;
use crate::scenario::file::title;
use crate::scenario::source::{Result, Source};
use crate::scenario::systems::{Artefact, Job, Report};
use crate::wave::PERIOD_PS;
use crate::wave::paging::{Pages, Seen};
use awgstar::{
    contract::{PageTable, board::MEM_ADDR_W, page_table::word},
    host::{Choice, Happened, Program, Record, Setup, System, pager::Side, process},
    ring::boards::Noise,
};
use serde::Deserialize;
use std::{fmt::Write as _, ops::Range};
use toml::Spanned;

/// Cycles after which a run is given up.
const LIMIT: u64 = 4_000_000;
/// Cycles until the ring is up, at most.
const UP: u64 = 1_000_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(rename = "system")]
    _system: String,
    #[serde(deserialize_with = "title")]
    title: String,
    nodes: Spanned<i64>,
    page_bytes: Spanned<i64>,
    pages: Spanned<i64>,
    room: Spanned<i64>,
    fibre: Option<Spanned<i64>>,
    noise: Option<Spanned<i64>>,
    seed: Option<Spanned<i64>>,
    process: Vec<Process>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Process {
    node: Spanned<i64>,
    pages: Spanned<Vec<Spanned<i64>>>,
    start: Option<Spanned<i64>>,
    pause: Option<Spanned<i64>>,
    repeat: Option<Spanned<i64>>,
}

/// What a process does.
#[derive(Clone, Debug, Default)]
struct Script {
    pages: Vec<u16>,
    start: u64,
    pause: u64,
    repeat: u32,
}

#[derive(Debug)]
struct Paging {
    title: String,
    at: PageTable,
    setup: Setup,
    scripts: Vec<Script>,
}

/// Reads a file.
pub(super) fn read(name: &str, text: &str) -> Result<Box<dyn Job>> {
    let source = Source { name, text };
    let file: Text = toml::from_str(text).map_err(|e| FileError::toml(name, text, &e))?;
    let nodes: u8 = source.within("nodes", &file.nodes, 2, 16)?;
    let pages: u16 = source.within("pages", &file.pages, 1, 64)?;
    let room: u16 = source.within("room", &file.room, 1, i64::from(pages))?;
    let page_bytes: u32 = source.within("page_bytes", &file.page_bytes, 4, 8192)?;
    // A word of each process in each page.
    let least = 4 * u32::from(nodes);
    if page_bytes < least || !page_bytes.is_multiple_of(4) {
        let what = format!("page_bytes is {page_bytes}: expected a multiple of 4 from {least} on");
        return Err(source.error(&file.page_bytes.span(), what));
    }
    let at = PageTable::new(page_bytes, pages, room, nodes);
    at.check(nodes.into(), 4 << MEM_ADDR_W)
        .map_err(|e| source.error(&file.room.span(), e.to_string()))?;
    let fibre = file.fibre.as_ref().map_or(Ok(4), |f| source.within("fibre", f, 0, 1000))?;
    let mut setup = Setup { records: true, ..Setup::new(nodes.into(), fibre) };
    let rate = source.optional("noise", file.noise.as_ref(), 1_000_000)?;
    let seed = source.optional("seed", file.seed.as_ref(), i64::MAX)?;
    setup.scenario.noise = Noise { rate, seed };
    let mut scripts = vec![Script::default(); nodes.into()];
    for process in &file.process {
        let node: usize = source.within("node", &process.node, 0, i64::from(nodes) - 1)?;
        if !scripts[node].pages.is_empty() {
            let what = format!("node {node} has a process: expected one for each node");
            return Err(source.error(&process.node.span(), what));
        }
        scripts[node] = script(&source, process, pages)?;
    }
    Ok(Box::new(Paging { title: file.title, at, setup, scripts }))
}

fn script(source: &Source<'_>, process: &Process, pages: u16) -> Result<Script> {
    let list = process.pages.get_ref();
    if list.is_empty() {
        return Err(source.error(&process.pages.span(), "pages is empty: expected a page"));
    }
    let page = |page| source.within("page", page, 1, i64::from(pages));
    Ok(Script {
        pages: list.iter().map(page).collect::<Result<_>>()?,
        start: source.optional("start", process.start.as_ref(), 1_000_000)?,
        pause: source.optional("pause", process.pause.as_ref(), 1_000_000)?,
        repeat: process.repeat.as_ref().map_or(Ok(1), |r| source.within("repeat", r, 1, 1000))?,
    })
}

/// A run.
struct Run {
    begin: u64,
    end: u64,
    records: Vec<Record>,
    seen: Vec<Seen>,
    wrong: Option<String>,
}

impl Paging {
    /// The word of `node` in a page.
    fn address(&self, page: u16, node: usize) -> u32 {
        self.at.page_bytes * u32::from(page - 1) + 4 * u32::try_from(node).unwrap_or(0)
    }

    /// A process adds 1 to its word of each of its pages.
    fn program(&self, node: usize) -> Program<'static> {
        let script = self.scripts[node].clone();
        let addresses: Vec<u32> =
            script.pages.iter().map(|&page| self.address(page, node)).collect();
        Box::new(move |handle| {
            if script.start > 0 {
                handle.wait(script.start)?;
            }
            for _ in 0..script.repeat {
                for &addr in &addresses {
                    let value = handle.pages().read(addr)?;
                    handle.pages().write(addr, value + 1)?;
                    if script.pause > 0 {
                        handle.wait(script.pause)?;
                    }
                }
            }
            Ok(())
        })
    }

    fn simulate(&self, progress: &mut dyn FnMut(u64, u64)) -> std::result::Result<Run, String> {
        let choice = Choice { pages: Some(self.at), ..Choice::new() };
        let text = |e: awgstar::host::SystemError| e.to_string();
        let mut system = System::new(choice, &self.setup).map_err(text)?;
        system.run_until_up(UP).map_err(text)?;
        let begin = system.ring().cycle();
        for node in (0..self.scripts.len()).filter(|&n| !self.scripts[n].pages.is_empty()) {
            system.start(node, process(node, self.program(node))).map_err(text)?;
        }
        let mut seen: Vec<Seen> = Vec::new();
        let mut last: Vec<Option<Seen>> = vec![None; self.scripts.len()];
        let mut late = None;
        while !(system.ended() && system.settled()) {
            system.step();
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
            if cycle.is_multiple_of(4096) {
                progress(cycle - begin, LIMIT);
            }
        }
        let (end, records) = (system.ring().cycle(), system.take_records());
        Ok(Run { begin, end, records, seen, wrong: late.or_else(|| self.wrong(&system)) })
    }

    /// The table in a replica.
    fn look(&self, system: &System<Choice>, node: usize, cycle: u64) -> Seen {
        let memory = &system.ring().board(node).u_memory.mem;
        let at = |addr: u32| {
            memory.get(usize::try_from(addr / 4).unwrap_or(usize::MAX)).copied().unwrap_or(0)
        };
        let mut valid = 0;
        let mut flags = Vec::new();
        for page in 1..=self.at.pages {
            valid |= u64::from(word(at(self.at.valid(page))) != 0) << (page - 1);
            let flag = |process: u8| {
                let addr = self.at.flag(page, process);
                u64::from(at(addr) >> (8 * (addr & 3)) & 1) << process
            };
            flags.push((0..self.at.processes).map(flag).sum());
        }
        Seen { cycle, node, valid, flags }
    }

    /// The first word that is not what its process wrote last.
    fn wrong(&self, system: &System<Choice>) -> Option<String> {
        for page in 1..=self.at.pages {
            for (writer, script) in self.scripts.iter().enumerate() {
                let once = script.pages.iter().filter(|one| **one == page).count();
                let expected = u32::try_from(once).unwrap_or(0) * script.repeat;
                for node in 0..self.scripts.len() {
                    let found = system.virtual_word(node, self.address(page, writer));
                    if found != Some(expected) {
                        let found = found.unwrap_or(0);
                        return Some(format!(
                            "node {node}, page {page}, word of process {writer}: expected {expected}, found {found}"
                        ));
                    }
                }
            }
        }
        None
    }

    fn artefacts(
        &self,
        run: &Run,
        window: Range<u64>,
    ) -> std::result::Result<Vec<Artefact>, String> {
        let pages = Pages {
            nodes: self.scripts.len(),
            pages: self.at.pages.into(),
            records: &run.records,
            seen: &run.seen,
            texts: &[],
            window: (window.start, window.end),
        };
        let mut bytes = Vec::new();
        pages.vcd(&mut bytes).map_err(|e| e.to_string())?;
        let save = pages.save("paging.vcd").into_bytes();
        Ok(vec![("paging.vcd".into(), bytes), ("paging.gtkw".into(), save)])
    }
}

/// What the master did: (swaps, pages hidden and shown again).
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

impl Job for Paging {
    fn title(&self) -> &str {
        &self.title
    }

    fn run(&self, progress: &mut dyn FnMut(u64, u64)) -> std::result::Result<Report, String> {
        let run = self.simulate(progress)?;
        let (swaps, back) = master(&run.records);
        let at = &self.at;
        let cycles = run.end - run.begin;
        let mut text = format!(
            "{}\n{} nodes, {} pages of {} bytes, room for {}\n",
            self.title, at.processes, at.pages, at.page_bytes, at.frames
        );
        let _ =
            writeln!(text, "{swaps} pages swapped, {back} hidden and shown again, {cycles} cycles");
        let exact = match &run.wrong {
            None => "every word is what its process wrote last, on every board".to_string(),
            Some(wrong) => format!("WRONG: {wrong}"),
        };
        text.push_str(&exact);
        let json = serde_json::json!({
            "title": self.title,
            "nodes": at.processes,
            "pages": at.pages,
            "room": at.frames,
            "page_bytes": at.page_bytes,
            "swaps": swaps,
            "shown_again": back,
            "cycles": cycles,
            "wrong": run.wrong,
        });
        let files = self.artefacts(&run, run.begin..run.end)?;
        Ok(Report { text, json, files, warnings: Vec::new() })
    }

    fn holds(&self, report: &Report) -> bool {
        report.json["wrong"].is_null()
    }

    fn waves(
        &self,
        window: Option<(u64, u64)>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> std::result::Result<Vec<Artefact>, String> {
        let run = self.simulate(progress)?;
        let cycle = |ns: u64| ns.saturating_mul(1000) / PERIOD_PS;
        let window = window.map_or(run.begin..run.end, |(from, to)| cycle(from)..cycle(to));
        self.artefacts(&run, window)
    }
}
