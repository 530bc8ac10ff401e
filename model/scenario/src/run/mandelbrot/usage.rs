// SPDX-License-Identifier: MIT OR Apache-2.0
//! CPU use second by second, as in Figs 19 to 22 of the thesis: table and picture (EVA-5).

use crate::run::mandelbrot::Timed;
use awgstar::quantity::narrow;
use awgstar_draw::plot::{COLOURS, GRID, number};
use awgstar_draw::table::{Sheet, Table};
use awgstar_thesis::mandelbrot::usage::usage;
use plotters::prelude::*;
use std::ops::Range;

/// Nodes with a strip in the picture.
const STRIPS: usize = 4;
/// Heights of the title, of a strip, and of the name of the axis below the last one.
const TITLE: u32 = 40;
const STRIP: u32 = 120;
const SECONDS: u32 = 26;

/// Tenths of a percent, by node and second. `master` is the percentage of its CPU that the master's process
/// has while it is busy.
#[must_use]
pub fn samples(run: &Timed, master: u64) -> Vec<Vec<u32>> {
    let share = |node: usize| if node == 0 { master } else { 100 };
    let scaled = |(node, spans): (usize, &Vec<_>)| {
        let part = |tenths: u32| u64::from(tenths) * share(node) / 100;
        let bins = usage(spans, run.total).into_iter();
        bins.map(|tenths| narrow::<u32>(part(tenths))).collect()
    };
    run.spans.iter().enumerate().map(scaled).collect()
}

/// A row for each second: percent of each node.
#[must_use]
pub fn sheet(title: &str, samples: &[Vec<u32>]) -> Sheet {
    let table = Table::new().number("second", |second: &usize| *second);
    let percent =
        |node: &Vec<u32>, second: usize| format!("{}.{}", node[second] / 10, node[second] % 10);
    let table = samples.iter().enumerate().fold(table, |table, (i, node)| {
        table.number(format!("node{i}"), move |second| percent(node, *second))
    });
    table.sheet(title, &(0..samples.first().map_or(0, Vec::len)).collect::<Vec<_>>())
}

/// Plots a strip for each of the first four nodes, one above the other.
///
/// # Errors
/// The message of the plotting library.
pub fn svg(title: &str, samples: &[Vec<u32>]) -> Result<String, String> {
    let seconds = samples.first().map_or(1, |s| s.len().max(1));
    svg_of(title, samples, 0..seconds)
}

/// The whole seconds that these ns touch.
#[must_use]
pub fn seconds((from, to): (u64, u64)) -> Range<usize> {
    let bounded = |second: u64| narrow::<usize>(second);
    bounded(from / 1_000_000_000)..bounded(to.div_ceil(1_000_000_000))
}

/// [`svg`] of some seconds of the run.
///
/// # Errors
/// The message of the plotting library.
pub fn svg_of(title: &str, samples: &[Vec<u32>], seconds: Range<usize>) -> Result<String, String> {
    let all = samples.first().map_or(1, |s| s.len().max(1));
    let seconds = seconds.start.min(all - 1)..seconds.end.clamp(1, all);
    let mut text = String::new();
    draw(title, samples, &seconds, &mut text).map_err(|e| e.to_string())?;
    text.push('\n');
    Ok(text)
}

fn draw(
    title: &str,
    samples: &[Vec<u32>],
    shown_seconds: &Range<usize>,
    text: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let shown = samples.len().min(STRIPS);
    let strips = u32::try_from(shown.max(1))?;
    let height = TITLE + STRIP * strips + SECONDS;
    let root = SVGBackend::with_string(text, (720, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let root = root.titled(title, ("sans-serif", 17))?;
    let begin = u32::try_from(shown_seconds.start)?;
    let end = u32::try_from(shown_seconds.end)?;
    // The strips have one height: the axis of all is below the last.
    let ends: Vec<i32> =
        (1..strips).map(|end| i32::try_from(STRIP * end)).collect::<Result<_, _>>()?;
    let none: [i32; 0] = [];
    for (node, strip) in root.split_by_breakpoints(none, ends).iter().enumerate().take(shown) {
        let last = node + 1 == shown;
        let mut chart = ChartBuilder::on(strip)
            .margin(6)
            .margin_right(16)
            .x_label_area_size(if last { 8 + SECONDS } else { 8 })
            .y_label_area_size(66)
            .build_cartesian_2d(f64::from(begin)..f64::from(end), 0.0..100.0)?;
        let name = if node == 0 { "master, %".to_owned() } else { format!("node {node}, %") };
        let mut mesh = chart.configure_mesh();
        mesh.y_labels(3).y_desc(name).max_light_lines(1).bold_line_style(GRID);
        if last {
            mesh.x_desc("seconds");
        }
        let label = |value: &f64| number(*value);
        mesh.x_label_formatter(&label).y_label_formatter(&label);
        mesh.draw()?;
        // Steps: a sample holds for its second.
        let part = samples[node].get(shown_seconds.clone()).unwrap_or_default();
        let steps = (begin..).zip(part).flat_map(|(second, tenths)| {
            let (from, percent) = (f64::from(second), f64::from(*tenths) / 10.0);
            [(from, percent), (from + 1.0, percent)]
        });
        chart.draw_series(LineSeries::new(steps, COLOURS[node].stroke_width(2)))?;
    }
    root.present()?;
    Ok(())
}
