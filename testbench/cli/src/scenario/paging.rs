//! `system = "paging"`: processes with virtual shared memory on the cycle-accurate ring of boards.

use crate::place::FileError;
use crate::run::Run;
use crate::run::paging::{Paging, Script};
use crate::scenario::file::title;
use crate::scenario::source::{Result, Source};
use awgstar::{
    contract::{PageTable, board::MEM_ADDR_W},
    host::Setup,
    ring::boards::Noise,
};
use serde::Deserialize;
use toml::Spanned;

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

/// Reads a file.
pub(super) fn read(name: &str, text: &str) -> Result<Box<dyn Run>> {
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
    Ok(Box::new(Paging { title: file.title, table: at, setup, scripts }))
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
