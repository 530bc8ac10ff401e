//! The train as a picture: a row for each link, time across, frames in the colour of their source.

use awgstar::thesis::{
    gen1::{
        frame::OVERHEAD,
        record::{Happened, Record},
    },
    time::{Ns, line_ns},
};
use awgstar_draw::markup::escape;
use std::fmt::Write;

const LEFT: f64 = 90.0;
const TOP: f64 = 54.0;
const ROW: f64 = 34.0;
const BAR: f64 = 18.0;
const WIDTH: f64 = 860.0;
const TOKEN: &str = "#9a9a9a";
/// Told apart also by those who do not see all colours, and by the number in each bar.
const SOURCES: [&str; 8] =
    ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999933"];

/// The trains that leave nodes from `window.0` to before `window.1` ns.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a picture of at most some ms")]
pub fn train(title: &str, nodes: usize, records: &[Record], window: (Ns, Ns)) -> String {
    let span = window.1.saturating_sub(window.0).max(1) as f64;
    let x = |ns: Ns| LEFT + (ns.saturating_sub(window.0)) as f64 / span * WIDTH;
    let y = |node: usize| TOP + ROW * node as f64;
    let height = y(nodes) + 40.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"10\" y=\"20\" font-size=\"14\">{}</text>\n<text x=\"10\" y=\"38\" fill=\"#555\">grey: control token; a bar is a frame, with the number of its source; dots: a signal reaches its thread</text>\n",
        LEFT + WIDTH + 20.0,
        escape(title)
    );
    for node in 0..nodes {
        let line = y(node) + BAR;
        let _ = writeln!(
            svg,
            "<text x=\"10\" y=\"{:.0}\">link {node}-{}</text><line x1=\"{LEFT}\" x2=\"{:.0}\" y1=\"{line:.0}\" y2=\"{line:.0}\" stroke=\"#ccc\"/>",
            line - 4.0,
            (node + 1) % nodes.max(1),
            LEFT + WIDTH
        );
    }
    let mut bar = |node: usize, from: Ns, to: Ns, fill: &str, name: &str| {
        if from >= window.1 || to <= window.0 {
            return;
        }
        let (left, right) = (x(from), x(to.min(window.1)));
        let width = (right - left).max(0.8);
        let _ = writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{:.0}\" width=\"{width:.1}\" height=\"{BAR}\" fill=\"{fill}\" stroke=\"white\" stroke-width=\"0.5\"/>",
            y(node)
        );
        if width > 9.0 {
            let (mid, base) = (left + width / 2.0, y(node) + BAR - 5.0);
            let _ = writeln!(
                svg,
                "<text x=\"{mid:.1}\" y=\"{base:.0}\" text-anchor=\"middle\" fill=\"white\">{name}</text>"
            );
        }
    };
    for record in records {
        let Happened::Leaves { frames, .. } = &record.what else { continue };
        let mut bytes = OVERHEAD as u64;
        let at = |bytes: u64| record.at + line_ns(bytes);
        bar(record.node, record.at, at(bytes), TOKEN, "");
        for (source, len) in frames {
            let fill = SOURCES[usize::from(*source) % SOURCES.len()];
            bar(record.node, at(bytes), at(bytes + len), fill, &source.to_string());
            bytes += len;
        }
    }
    for record in records {
        let Happened::Signal(_) = record.what else { continue };
        if (window.0..window.1).contains(&record.at) {
            let (cx, cy) = (x(record.at), y(record.node) + BAR + 6.0);
            let _ = writeln!(svg, "<circle cx=\"{cx:.1}\" cy=\"{cy:.0}\" r=\"3\"/>");
        }
    }
    let base = y(nodes) + 16.0;
    for tick in 0..=5_u64 {
        let ns = window.0 + (window.1 - window.0) * tick / 5;
        // The last one would not fit otherwise.
        let anchor = if tick == 5 { "end" } else { "middle" };
        let _ = writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{base:.0}\" text-anchor=\"{anchor}\" fill=\"#555\">{}.{:03} us</text>",
            x(ns),
            ns / 1000,
            ns % 1000
        );
    }
    svg.push_str("</svg>\n");
    svg
}
