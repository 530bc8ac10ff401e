// SPDX-License-Identifier: MIT OR Apache-2.0
//! `system = "paging"`: processes with virtual shared memory on the cycle-accurate ring of boards.

use crate::run::paging::{Paging, access};
use crate::scenario::act::{Host, programs};
use crate::scenario::boards::noise;
use crate::scenario::file::{Act, File};
use crate::scenario::source::{Result, Source, fibre_cycles};
use crate::scenario::timeline::Timeline;
use awgstar::quantity::{Cycle, narrow};
use awgstar::request::{Moment, Request};
use awgstar::{
    contract::{PageTable, board::MEM_ADDR_W},
    host::Setup,
};

/// The run of a file.
pub(super) fn convert(source: &Source, file: &File) -> Result<Paging> {
    let need = |field, value| source.need(field, value, &(0..0));
    let nodes: u8 = source.within("nodes", need("nodes", file.nodes.as_ref())?)?;
    let pages: u16 = source.within("pages", need("pages", file.pages.as_ref())?)?;
    let place = need("room", file.room.as_ref())?;
    let room: u16 = source.between("room", place, 1, pages.into())?;
    let bytes = need("page_bytes", file.page_bytes.as_ref())?;
    let page_bytes: u32 = source.within("page_bytes", bytes)?;
    // A word of each process in each page.
    let least = 4 * u32::from(nodes);
    if page_bytes < least || !page_bytes.is_multiple_of(4) {
        let what = format!("page_bytes is {page_bytes}: expected a multiple of 4 from {least} on");
        return Err(source.error(&bytes.span(), what));
    }
    let table = PageTable::new(page_bytes, pages, room, nodes);
    table
        .check(nodes.into(), 4 << MEM_ADDR_W)
        .map_err(|e| source.error(&place.span(), e.to_string()))?;
    let metres = source.fibre(file.fibre_m.as_ref(), nodes.into())?;
    let fibre: Vec<u32> = metres.iter().map(|&metres| fibre_cycles(metres)).collect();
    // Timers follow from the longest link.
    let longest = fibre.iter().copied().max().unwrap_or_default();
    let mut setup = Setup { records: true, ..Setup::new(nodes.into(), longest) };
    setup.scenario.fibre = fibre;
    setup.scenario.noise = noise(source, file)?;
    let mut scripts = vec![Vec::new(); nodes.into()];
    let mut time = Timeline::new(source, u64::MAX, "cycles");
    programs(&mut time, Host::Paging, file, nodes.into(), |time, _, node, acts| {
        for planned in acts {
            let step = match planned.act {
                Act { access: Some(page), .. } => {
                    let page = time.source.between("do.access", page, 1, pages.into())?;
                    access(&table, page, narrow(node))
                }
                Act { compute, .. } => {
                    let cycles = time.source.number("do.compute", compute, 1)?;
                    Request::wait(Cycle(cycles)).into()
                }
            };
            // One after the other, as the file has them.
            scripts[node].push((Moment::default(), step));
        }
        Ok(())
    })?;
    Ok(Paging { title: file.title(), table, setup, fibre_m: metres, scripts })
}
