// SPDX-License-Identifier: MIT OR Apache-2.0
//! The picture itself.

use crate::spacetime::{Bar, Diagram, Fate, LEFT, Origin, Scale};
use awgstar::contract::{Token, limits::CLOCK_HZ};
use awgstar_draw::svg::{Legend, Shape, Svg, step, tenth, whole};

const FONT: &str = "DejaVu Sans, sans-serif";
const LEGEND: f64 = 46.0;
/// Width of a node's column.
const COLUMN: f64 = 22.0;
const HEIGHT_MAX: f64 = 2400.0;
/// Pixels per cycle when there is room.
const SCALE_MAX: f64 = 5.0;
/// Bars lower than this carry no text.
const TEXT_HEIGHT: f64 = 11.0;

/// Token and the colour of its frames.
pub(crate) const COLOURS: &[(Option<Token>, &str, &str)] = &[
    (Some(Token::Free), "#c9ced6", "free token"),
    (Some(Token::Data), "#4c8eda", "data token"),
    (Some(Token::P2p), "#e8a33d", "point-to-point"),
    (Some(Token::Multicast), "#9a6fd0", "multicast"),
    (Some(Token::Broadcast), "#4fae6a", "broadcast"),
    (Some(Token::Control), "#d4709e", "control"),
    (None, "#555555", "no valid TOKEN"),
];

impl Scale {
    /// Right edge of a column.
    fn right(&self, column: usize) -> f64 {
        self.left(column) + COLUMN
    }
}

/// The picture as an SVG document.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "pixels")]
pub fn svg(diagram: &Diagram) -> String {
    let nodes = diagram.fibre.len();
    let (from, to) = diagram.window;
    let cycles = to.saturating_sub(from).max(1) as f64;
    let pitch = (900.0 / nodes.max(1) as f64).clamp(26.0 + COLUMN, 200.0);
    let y = (HEIGHT_MAX / cycles).min(SCALE_MAX);
    let mut scale = Scale { top: 0.0, y, pitch, from, to };
    let width = (scale.right(nodes) + 30.0).max(660.0);
    // The legend decides where the window begins.
    scale.top = legend(&mut Svg::new(0.0, 0.0, false, "", 0), diagram, width) + 24.0;
    let mut out = Svg::new(width, scale.y(to) + 30.0, false, FONT, 11);
    out.add(&Shape::new("rect").with([
        ("width", &"100%"),
        ("height", &"100%"),
        ("fill", &"white"),
    ]));
    out.add(&Shape::text(12, 20, &diagram.title).set("font-size", 14));
    let about = "Each column is a node, time runs downwards; a slanted bar is a frame on the link to the next node.";
    out.add(&Shape::text(12, 36, about).set("fill", "#667"));
    legend(&mut out, diagram, width);
    axis(&mut out, &scale, width);
    for column in 0..=nodes {
        let (x, bottom) = (scale.left(column), scale.y(to));
        let node = Shape::rect(tenth(x), tenth(scale.top), COLUMN, tenth(bottom - scale.top));
        let number = (column % nodes.max(1)).to_string();
        let name = if pitch > 60.0 { format!("node {number}") } else { number };
        let name = Shape::text(tenth(x + COLUMN / 2.0), tenth(scale.top - 8.0), &name);
        out.row([
            &node.set("fill", "#f1f2f4"),
            &name.set("text-anchor", "middle").set("font-weight", "bold"),
        ]);
    }
    for bar in &diagram.bars {
        frame(&mut out, &scale, diagram, bar);
    }
    // Marks are drawn above all frames.
    for bar in &diagram.bars {
        marks(&mut out, &scale, diagram, bar);
    }
    out.text()
}

fn colour(bar: &Bar) -> &'static str {
    COLOURS.iter().find(|(token, ..)| *token == bar.token).map_or("#555555", |c| c.1)
}

/// Only what occurs in the picture; gives where it ends.
fn legend(out: &mut Svg, diagram: &Diagram, width: f64) -> f64 {
    let mut legend = Legend::new(12.0, width - 12.0, LEGEND, 11.0);
    for (token, fill, name) in COLOURS {
        if has(diagram, |bar| bar.token == *token) {
            legend.entry(out, &Shape::rect(0, 0, 13, 12).set("fill", fill), name);
        }
    }
    legend.end_line();
    for (mark, text, there) in [
        (sent(6.0, 6.0), "sent here", has(diagram, |b| b.origin == Origin::Sent)),
        (taken(6.0, 6.0), "free token taken", has(diagram, |b| b.fate == Fate::Taken)),
        (stripped(6.0, 6.0), "stripped by its source", has(diagram, |b| b.fate == Fate::Stripped)),
        (absorbed(6.0, 6.0), "absorbed", has(diagram, |b| b.fate == Fate::Absorbed)),
        (delivered(6.0, 6.0), "received", has(diagram, |b| b.delivered)),
        (
            Shape::rect(0, 0, 13, 12).with([
                ("fill", &"none"),
                ("stroke", &"#c22"),
                ("stroke-width", &2),
            ]),
            "bad",
            has(diagram, |b| b.bad),
        ),
    ] {
        if there {
            legend.entry(out, &mark, text);
        }
    }
    legend.note(out, "Label 1 #2: a frame with the MAC of node 1 and Packet_Cnt 2.");
    legend.bottom()
}

fn has(diagram: &Diagram, what: impl Fn(&Bar) -> bool) -> bool {
    diagram.bars.iter().any(what)
}

#[expect(clippy::cast_precision_loss, reason = "a label")]
fn axis(out: &mut Svg, scale: &Scale, width: f64) {
    let end = |y: f64, text: &str| {
        Shape::text(whole(LEFT - 8.0), tenth(y), text).set("text-anchor", "end")
    };
    out.add(&Shape::text(12, tenth(scale.top - 8.0), "cycle").set("fill", "#667"));
    let step = step(60.0 / scale.y);
    let mut cycle = scale.from.next_multiple_of(step);
    while cycle <= scale.to {
        let y = scale.y(cycle);
        let microseconds = cycle as f64 * 1e6 / CLOCK_HZ as f64;
        let rule = Shape::rule(LEFT, whole(width - 30.0), tenth(y));
        out.row([
            &rule.set("stroke", "#e3e5e8"),
            &end(y + 1.0, &cycle.to_string()).set("fill", "#667"),
            &end(y + 11.0, &format!("{microseconds:.2} µs"))
                .set("fill", "#99a")
                .set("font-size", 9),
        ]);
        cycle += step;
    }
}

fn frame(out: &mut Svg, scale: &Scale, diagram: &Diagram, bar: &Bar) {
    let fibre = u64::from(diagram.fibre.get(bar.link).copied().unwrap_or(0));
    // A frame whose end is unknown goes on beyond the picture.
    let (first, end) = (bar.first, bar.last.map_or(u64::MAX, |last| last + 1));
    if end.saturating_add(fibre) < scale.from || first > scale.to {
        return;
    }
    let stroke = if bar.bad { "#c22" } else { "white" };
    let stroke_width = if bar.bad { "1.6" } else { "0.5" };
    let (x0, x1) = (scale.right(bar.link), scale.left(bar.link + 1));
    let mut polygon = |points: [(f64, u64); 4], opacity: &str| {
        out.add(&Shape::polygon(&points.map(|(x, cycle)| (x, scale.y(cycle)))).with([
            ("fill", &colour(bar)),
            ("fill-opacity", &opacity),
            ("stroke", &stroke),
            ("stroke-width", &stroke_width),
        ]));
    };
    let far = end.saturating_add(fibre);
    polygon([(x0, first), (x1, first + fibre), (x1, far), (x0, end)], "1");
    if let Origin::Passed { arrived } = bar.origin {
        let x = scale.left(bar.link);
        let tail = arrived.saturating_add(end - first);
        polygon([(x, arrived), (x0, first), (x0, end), (x, tail)], "0.45");
    }
    let height = scale.y(end) - scale.y(first);
    if height >= TEXT_HEIGHT && scale.pitch > 60.0 && bar.token.is_some() {
        let fill = if bar.token == Some(Token::Free) { "#444" } else { "white" };
        let y = f64::midpoint(scale.y(first + fibre / 2), scale.y(end.saturating_add(fibre / 2)));
        let text = format!("{} #{}", bar.source, bar.packet_cnt);
        out.add(&Shape::text(tenth(f64::midpoint(x0, x1)), tenth(y + 4.0), &text).with([
            ("text-anchor", &"middle"),
            ("fill", &fill),
            ("font-size", &10),
        ]));
    }
}

/// Draws origin and fate of a frame.
fn marks(out: &mut Svg, scale: &Scale, diagram: &Diagram, bar: &Bar) {
    let fibre = u64::from(diagram.fibre.get(bar.link).copied().unwrap_or(0));
    let (first, arrival) = (bar.first, bar.first + fibre);
    let inside = |cycle| (scale.from..scale.to).contains(&cycle);
    if bar.origin == Origin::Sent && inside(first) {
        out.add(&sent(scale.right(bar.link) - COLUMN / 2.0, scale.y(first) + 6.0));
    }
    if !inside(arrival) {
        return;
    }
    let (x, y) = (scale.left(bar.link + 1) + COLUMN / 2.0, scale.y(arrival) + 6.0);
    match bar.fate {
        Fate::Stripped => out.add(&stripped(x, y)),
        Fate::Taken => out.add(&taken(x, y)),
        Fate::Absorbed => out.add(&absorbed(x, y)),
        Fate::Passed | Fate::Unseen => {}
    }
    if let Some(end) = bar.last.map(|last| last + 1 + fibre)
        && bar.delivered
        && end <= scale.to
    {
        out.add(&delivered(x, scale.y(end) - 1.0));
    }
}

fn sent(x: f64, y: f64) -> Shape {
    let shape = Shape::path(format_args!("M{x:.1} {:.1}l5 9h-10z", y - 4.0));
    shape.set("fill", "#222").tooltip("sent here")
}

fn taken(x: f64, y: f64) -> Shape {
    let shape = Shape::circle(tenth(x), tenth(y), 4.5).set("fill", "white").set("stroke", "#222");
    shape.set("stroke-width", 1.6).tooltip("free token taken")
}

fn stripped(x: f64, y: f64) -> Shape {
    let shape = Shape::path(format_args!("M{:.1} {:.1}l8 8m0 -8l-8 8", x - 4.0, y - 4.0));
    shape.set("stroke", "#222").set("stroke-width", 2).tooltip("stripped by its source")
}

fn absorbed(x: f64, y: f64) -> Shape {
    let shape = Shape::path(format_args!("M{:.1} {y:.1}h9", x - 4.5));
    shape.set("stroke", "#c22").set("stroke-width", 3).tooltip("absorbed")
}

fn delivered(x: f64, y: f64) -> Shape {
    Shape::circle(tenth(x), tenth(y), 3).set("fill", "#222").tooltip("received")
}
