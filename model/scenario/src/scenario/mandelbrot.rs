// SPDX-License-Identifier: MIT OR Apache-2.0
//! `system = "mandelbrot"`: the thesis' program on one machine (EVA-1 to EVA-5).

use crate::run::mandelbrot::LIMIT;
use crate::run::mandelbrot::{Machine, Mandelbrot};
use crate::scenario::file::File;
use crate::scenario::limits;
use crate::scenario::source::{Result, Source};
use awgstar::quantity::Nanoseconds;
use awgstar::request::Path;
use awgstar_stimulus::echo::shown;
use awgstar_thesis::mandelbrot::{
    View,
    program::{Costs, Plan, Writes},
};
use toml::Spanned;

pub(super) const READS: [(&str, Path); 2] = [("pointer", Path::Words), ("dma", Path::Dma)];
pub(super) const WRITES: [(&str, Writes); 2] = [("word", Writes::Word), ("row", Writes::Row)];

/// The run of a file.
pub(super) fn convert(source: &Source, file: &File) -> Result<Mandelbrot> {
    let (usual, plan, view) = (Costs::default(), Plan::default(), View::default());
    let machines = Machine::ALL.map(|m| (m.name(), m));
    let machine = file.machine.as_ref().map(|m| source.choice("machine", m, machines));
    let read = file.read.as_ref().map(|r| source.choice("read", r, READS));
    let writes = file.writes.as_ref().map(|w| source.choice("writes", w, WRITES));
    let part = |field, value: &Option<_>, usual| {
        value.as_ref().map_or(Ok(usual), |value| range(source, field, value))
    };
    Ok(Mandelbrot {
        title: file.title(),
        size: source.within("size", source.need("size", file.size.as_ref(), &(0..0))?)?,
        nodes: source.number("nodes", &file.nodes, 4)?,
        limit: source.number("limit", &file.limit, LIMIT)?,
        machine: machine.transpose()?.unwrap_or(Machine::Observed),
        plan: Plan {
            read: read.transpose()?.unwrap_or(plan.read),
            writes: writes.transpose()?.unwrap_or(plan.writes),
            ..plan
        },
        view: View { re: part("re", &file.re, view.re)?, im: part("im", &file.im, view.im)? },
        costs: Costs {
            iteration_ps: source.number("iteration_ps", &file.iteration_ps, usual.iteration_ps)?,
            point_ns: Nanoseconds(source.number("point_ns", &file.point_ns, usual.point_ns.0)?),
            master_percent: source.number(
                "master_percent",
                &file.master_percent,
                usual.master_percent,
            )?,
            ..usual
        },
    })
}

fn range(source: &Source, field: &str, range: &Spanned<[f64; 2]>) -> Result<[f64; 2]> {
    let found = *range.get_ref();
    let (least, most) = limits::real(field).unwrap_or((f64::MIN, f64::MAX));
    if found.iter().all(|v| (least..=most).contains(v)) && found[0] < found[1] {
        return Ok(found);
    }
    let what = format!(
        "{field} is {}: expected two numbers from {least} to {most}, the lower first",
        shown(format!("{found:?}"))
    );
    Err(source.error(&range.span(), what))
}
