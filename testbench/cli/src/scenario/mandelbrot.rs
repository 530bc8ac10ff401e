//! `system = "mandelbrot"`: the thesis' program on one machine (EVA-1 to EVA-5).

use crate::place::FileError;
use crate::run::Run;
use crate::run::mandelbrot::{Machine, Mandelbrot};
use crate::scenario::file::title;
use crate::scenario::source::{Result, Source};
use crate::study::mandelbrot::LIMIT;
use awgstar::quantity::Nanoseconds;
use awgstar::thesis::{
    gen1::Access,
    mandelbrot::{
        View,
        program::{Costs, Plan, Writes},
    },
};
use awgstar_stimulus::echo::shown;
use serde::Deserialize;
use toml::Spanned;

type Number = Spanned<i64>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "system")]
    _system: String,
    #[serde(default, deserialize_with = "title")]
    title: String,
    size: Number,
    nodes: Option<Number>,
    limit: Option<Number>,
    machine: Option<Spanned<String>>,
    read: Option<Spanned<String>>,
    writes: Option<Spanned<String>>,
    re: Option<Spanned<[f64; 2]>>,
    im: Option<Spanned<[f64; 2]>>,
    iteration_ps: Option<Number>,
    point_ns: Option<Number>,
    master_percent: Option<Number>,
}

/// The text of a file becomes a run.
pub(super) fn read(name: &str, text: &str) -> Result<Box<dyn Run>> {
    let file: File = toml::from_str(text).map_err(|e| FileError::toml(name, text, &e))?;
    let source = Source { name, text };
    let number = |field, value: Option<&Number>, least, most, usual: u64| {
        value.map_or(Ok(usual), |v| source.within(field, v, least, most))
    };
    let (usual, plan) = (Costs::default(), Plan::default());
    let view = View::default();
    let machines = Machine::ALL.map(|m| (m.name(), m));
    let job = Mandelbrot {
        title: file.title.clone(),
        size: source.within("size", &file.size, 1, 10_000)?,
        nodes: file.nodes.as_ref().map_or(Ok(4), |n| source.within("nodes", n, 1, 32))?,
        limit: file
            .limit
            .as_ref()
            .map_or(Ok(LIMIT), |n| source.within("limit", n, 1, 1_000_000))?,
        machine: file
            .machine
            .as_ref()
            .map_or(Ok(Machine::Observed), |m| choice(&source, "machine", m, &machines))?,
        plan: Plan {
            read: file
                .read
                .as_ref()
                .map_or(Ok(plan.read), |a| choice(&source, "read", a, &READS))?,
            writes: file
                .writes
                .as_ref()
                .map_or(Ok(plan.writes), |w| choice(&source, "writes", w, &WRITES))?,
            ..plan
        },
        view: View {
            re: file.re.as_ref().map_or(Ok(view.re), |r| range(&source, "re", r))?,
            im: file.im.as_ref().map_or(Ok(view.im), |r| range(&source, "im", r))?,
        },
        costs: Costs {
            iteration_ps: number(
                "iteration_ps",
                file.iteration_ps.as_ref(),
                1,
                1_000_000_000,
                usual.iteration_ps,
            )?,
            point_ns: Nanoseconds(number(
                "point_ns",
                file.point_ns.as_ref(),
                0,
                1_000_000,
                usual.point_ns.0,
            )?),
            master_percent: number(
                "master_percent",
                file.master_percent.as_ref(),
                1,
                100,
                usual.master_percent,
            )?,
            ..usual
        },
    };
    Ok(Box::new(job))
}

const READS: [(&str, Access); 2] = [("pointer", Access::Pointer), ("dma", Access::Dma)];
const WRITES: [(&str, Writes); 2] = [("word", Writes::Word), ("row", Writes::Row)];

fn choice<T: Copy>(
    source: &Source,
    field: &str,
    name: &Spanned<String>,
    all: &[(&str, T)],
) -> Result<T> {
    let found = all.iter().find(|(known, _)| known == name.get_ref());
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        let what =
            format!("{field} is `{}`: expected one of {}", shown(name.get_ref()), names.join(", "));
        source.error(&name.span(), what)
    })
}

fn range(source: &Source, field: &str, range: &Spanned<[f64; 2]>) -> Result<[f64; 2]> {
    let found = *range.get_ref();
    if found.iter().all(|v| (-10.0..=10.0).contains(v)) && found[0] < found[1] {
        return Ok(found);
    }
    let what = format!(
        "{field} is {}: expected two numbers from -10 to 10, the lower first",
        shown(format!("{found:?}"))
    );
    Err(source.error(&range.span(), what))
}
