// SPDX-License-Identifier: MIT OR Apache-2.0
//! The train as a picture: a row for each link, time across, frames in the colour of their source.

use crate::spacetime::trains::{SOURCES, trains};
use awgstar::quantity::Nanoseconds;
use awgstar_draw::svg::{Legend, Shape, Svg, tenth, whole};
use awgstar_thesis::gen1::record::{Happened, Record};

const LEFT: f64 = 90.0;
const ROW: f64 = 34.0;
const BAR: f64 = 18.0;
const WIDTH: f64 = 860.0;
const TOKEN: &str = "#1b1b1b";
/// Least width of a bar: that of a token would not be seen.
const LEAST: f64 = 2.5;
/// Height of a token above the bars.
const TALLER: f64 = 5.0;
/// Colours whose frames have dark numbers.
const LIGHT: [&str; 4] = ["#e69f00", "#56b4e9", "#f0e442", "#cc79a7"];
/// The trains that leave nodes from `window.0` to before `window.1` ns.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a picture of at most some ms")]
pub fn train(title: &str, nodes: usize, records: &[Record], window: (u64, u64)) -> String {
    let span = window.1.saturating_sub(window.0).max(1) as f64;
    let x =
        |ns: Nanoseconds| LEFT + ns.saturating_sub(Nanoseconds(window.0)).0 as f64 / span * WIDTH;
    let top = legend(&mut Svg::new(0.0, 0.0, false, "", 0), nodes) + 8.0;
    let y = |node: usize| top + ROW * node as f64;
    let mut svg = Svg::new(LEFT + WIDTH + 50.0, y(nodes) + 44.0, false, "sans-serif", 12);
    svg.add(&Shape::new("rect").with([
        ("width", &"100%"),
        ("height", &"100%"),
        ("fill", &"white"),
    ]));
    svg.add(&Shape::text(10, 20, title).set("font-size", 14));
    legend(&mut svg, nodes);
    for tick in 0..=5_u64 {
        let ns = window.0 + (window.1 - window.0) * tick / 5;
        let (at, base) = (x(Nanoseconds(ns)), y(nodes) + 16.0);
        let number = format!("{}.{:03}", ns / 1000, ns % 1000);
        svg.row([
            &Shape::line(tenth(at), whole(top), tenth(at), whole(base - 12.0))
                .set("stroke", "#eee"),
            &Shape::text(whole(at), whole(base), &number)
                .set("text-anchor", "middle")
                .set("fill", "#555"),
        ]);
    }
    let unit = Shape::text(whole(LEFT + WIDTH / 2.0), whole(y(nodes) + 34.0), "time, µs");
    svg.add(&unit.set("text-anchor", "middle").set("fill", "#555"));
    for node in 0..nodes {
        let line = y(node) + BAR;
        let name = format!("link {node}-{}", (node + 1) % nodes.max(1));
        svg.row([
            &Shape::text(10, whole(line - 4.0), &name),
            &Shape::rule(LEFT, whole(LEFT + WIDTH), whole(line)).set("stroke", "#ccc"),
        ]);
    }
    let mut bar =
        |node: usize, from: Nanoseconds, to: Nanoseconds, fill: &str, name: &str| {
            if from >= Nanoseconds(window.1) || to <= Nanoseconds(window.0) {
                return;
            }
            let (left, right) = (x(from), x(to.min(Nanoseconds(window.1))));
            let width = (right - left).max(LEAST);
            // The control token is so short that the frame after it would hide all but a hairline.
            let above = if fill == TOKEN { TALLER } else { 0.0 };
            svg.add(
                &Shape::rect(tenth(left), whole(y(node) - above), tenth(width), BAR + above)
                    .with([("fill", &fill), ("stroke", &"white"), ("stroke-width", &"0.5")]),
            );
            if width > 9.0 {
                let (mid, base) = (left + width / 2.0, y(node) + BAR - 5.0);
                let ink = if LIGHT.contains(&fill) { "#222" } else { "white" };
                let text = Shape::text(tenth(mid), whole(base), name);
                svg.add(&text.set("text-anchor", "middle").set("fill", ink));
            }
        };
    for (node, source, from, to, _) in trains(records) {
        let fill = source.map_or(TOKEN, |source| SOURCES[source % SOURCES.len()]);
        let name = source.map_or(String::new(), |source| source.to_string());
        bar(node, Nanoseconds(from), Nanoseconds(to), fill, &name);
    }
    for record in records {
        let Happened::Signal(_) = record.what else { continue };
        if (window.0..window.1).contains(&record.at.0) {
            let (cx, cy) = (x(record.at), y(record.node) + BAR + 6.0);
            svg.add(&Shape::circle(tenth(cx), whole(cy), 3));
        }
    }
    svg.text()
}

/// Draws the legend; returns its lower end.
fn legend(svg: &mut Svg, nodes: usize) -> f64 {
    let mut legend = Legend::new(10.0, LEFT + WIDTH, 30.0, 12.0);
    let square = |fill: &str| Shape::rect(0, 0, 12, 12).set("fill", fill);
    legend.entry(svg, &square(TOKEN), "control token");
    for (node, fill) in SOURCES.iter().enumerate().take(nodes) {
        legend.entry(svg, &square(fill), &format!("frame of node {node}"));
    }
    legend.entry(svg, &Shape::circle(6, 6, 3), "a signal reaches its thread");
    legend.note(svg, "A row is the link from a node to the next; the number in a bar is the node that sent the frame. The control token stands out above its train.");
    legend.bottom()
}
