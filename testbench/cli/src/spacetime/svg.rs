//! The picture itself.

use crate::spacetime::{Bar, Diagram, Fate, Origin};
use awgstar::contract::{Token, limits::CLOCK_HZ};
use awgstar_draw::markup::escape;
use std::fmt::Write;

const TOP: f64 = 84.0;
const LEFT: f64 = 84.0;
/// Width of a node's column.
const COLUMN: f64 = 22.0;
const HEIGHT_MAX: f64 = 2400.0;
/// Pixels per cycle when there is room.
const SCALE_MAX: f64 = 5.0;
/// Bars lower than this carry no text.
const TEXT_HEIGHT: f64 = 11.0;

/// Token and the colour of its frames.
const COLOURS: &[(Option<Token>, &str, &str)] = &[
    (Some(Token::Free), "#c9ced6", "free token"),
    (Some(Token::Data), "#4c8eda", "data token"),
    (Some(Token::P2p), "#e8a33d", "point-to-point"),
    (Some(Token::Multicast), "#9a6fd0", "multicast"),
    (Some(Token::Broadcast), "#4fae6a", "broadcast"),
    (Some(Token::Control), "#d4709e", "control"),
    (None, "#555555", "no valid TOKEN"),
];

struct Scale {
    /// Pixels per cycle.
    y: f64,
    /// From the left edge of a column to the next one's.
    pitch: f64,
    from: u64,
    to: u64,
}

impl Scale {
    #[expect(clippy::cast_precision_loss, reason = "pixels")]
    fn y(&self, cycle: u64) -> f64 {
        TOP + (cycle.clamp(self.from, self.to) - self.from) as f64 * self.y
    }

    #[expect(clippy::cast_precision_loss, reason = "pixels")]
    fn left(&self, column: usize) -> f64 {
        LEFT + column as f64 * self.pitch
    }

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
    let scale = Scale { y: (HEIGHT_MAX / cycles).min(SCALE_MAX), pitch, from, to };
    let width = scale.right(nodes) + 30.0;
    let height = scale.y(to) + 30.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"DejaVu Sans, sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"12\" y=\"20\" font-size=\"14\">{}</text>\n",
        escape(&diagram.title)
    );
    legend(&mut out, diagram);
    axis(&mut out, &scale, width);
    for column in 0..=nodes {
        let (x, bottom) = (scale.left(column), scale.y(to));
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{TOP}\" width=\"{COLUMN}\" height=\"{:.1}\" fill=\"#f1f2f4\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>",
            bottom - TOP,
            x + COLUMN / 2.0,
            TOP - 8.0,
            column % nodes.max(1)
        );
    }
    for bar in &diagram.bars {
        draw(&mut out, &scale, diagram, bar);
    }
    out.push_str("</svg>\n");
    out
}

fn colour(bar: &Bar) -> &'static str {
    COLOURS.iter().find(|(token, ..)| *token == bar.token).map_or("#555555", |c| c.1)
}

/// Only what occurs in the picture.
fn legend(out: &mut String, diagram: &Diagram) {
    let mut x = 12.0;
    let mut entry = |out: &mut String, mark: &str, text: &str, advance: f64| {
        let _ = writeln!(
            out,
            "<g transform=\"translate({x:.0} 32)\">{mark}<text x=\"18\" y=\"10\">{text}</text></g>"
        );
        x += advance;
    };
    for (token, fill, name) in COLOURS {
        if diagram.bars.iter().any(|bar| bar.token == *token) {
            let mark = format!("<rect width=\"13\" height=\"12\" fill=\"{fill}\"/>");
            entry(out, &mark, name, 110.0);
        }
    }
    let mut x2 = 12.0;
    for (mark, text, there) in [
        (sent(6.0, 6.0), "sent here", has(diagram, |b| b.origin == Origin::Sent)),
        (taken(6.0, 6.0), "free token taken", has(diagram, |b| b.fate == Fate::Taken)),
        (stripped(6.0, 6.0), "stripped by its source", has(diagram, |b| b.fate == Fate::Stripped)),
        (delivered(6.0, 6.0), "received", has(diagram, |b| b.delivered)),
        (
            "<rect width=\"13\" height=\"12\" fill=\"none\" stroke=\"#c22\" stroke-width=\"2\"/>"
                .into(),
            "bad",
            has(diagram, |b| b.bad),
        ),
    ] {
        if there {
            let _ = writeln!(
                out,
                "<g transform=\"translate({x2:.0} 50)\">{mark}<text x=\"18\" y=\"10\">{text}</text></g>"
            );
            x2 += 150.0;
        }
    }
}

fn has(diagram: &Diagram, what: impl Fn(&Bar) -> bool) -> bool {
    diagram.bars.iter().any(what)
}

#[expect(clippy::cast_precision_loss, reason = "a label")]
fn axis(out: &mut String, scale: &Scale, width: f64) {
    let raw = 60.0 / scale.y;
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= raw);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 or more")]
    let step = step.unwrap_or(raw).max(1.0) as u64;
    let mut cycle = scale.from.next_multiple_of(step);
    while cycle <= scale.to {
        let y = scale.y(cycle);
        let microseconds = cycle as f64 * 1e6 / CLOCK_HZ as f64;
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{:.0}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#e3e5e8\"/>\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#667\">{cycle}</text>\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#99a\" font-size=\"9\">{microseconds:.2} µs</text>",
            width - 30.0,
            LEFT - 8.0,
            y + 1.0,
            LEFT - 8.0,
            y + 11.0
        );
        cycle += step;
    }
}

fn draw(out: &mut String, scale: &Scale, diagram: &Diagram, bar: &Bar) {
    let fibre = u64::from(diagram.fibre.get(bar.link).copied().unwrap_or(0));
    let (first, end) = (bar.first, bar.last + 1);
    if end + fibre < scale.from || first > scale.to {
        return;
    }
    let fill = colour(bar);
    let stroke = if bar.bad { "#c22" } else { "white" };
    let stroke_width = if bar.bad { 1.6 } else { 0.5 };
    let (x0, x1) = (scale.right(bar.link), scale.left(bar.link + 1));
    let mut polygon = |points: [(f64, u64); 4], opacity: f64| {
        let points: Vec<String> =
            points.iter().map(|&(x, t)| format!("{x:.1},{:.1}", scale.y(t))).collect();
        let _ = writeln!(
            out,
            "<polygon points=\"{}\" fill=\"{fill}\" fill-opacity=\"{opacity}\" stroke=\"{stroke}\" stroke-width=\"{stroke_width}\"/>",
            points.join(" ")
        );
    };
    polygon([(x0, first), (x1, first + fibre), (x1, end + fibre), (x0, end)], 1.0);
    if let Origin::Passed { arrived } = bar.origin {
        let x = scale.left(bar.link);
        polygon([(x, arrived), (x0, first), (x0, end), (x, arrived + (end - first))], 0.45);
    }
    if bar.origin == Origin::Sent && first >= scale.from {
        out.push_str(&sent(x0 - COLUMN / 2.0, scale.y(first) + 6.0));
    }
    let arrival = first + fibre;
    if arrival >= scale.from && arrival < scale.to {
        let (x, y) = (x1 + COLUMN / 2.0, scale.y(arrival) + 6.0);
        match bar.fate {
            Fate::Stripped => out.push_str(&stripped(x, y)),
            Fate::Taken => out.push_str(&taken(x, y)),
            Fate::Absorbed => out.push_str(&absorbed(x, y)),
            Fate::Passed | Fate::Unseen => {}
        }
        if bar.delivered && end + fibre <= scale.to {
            out.push_str(&delivered(x, scale.y(end + fibre) - 1.0));
        }
    }
    let height = scale.y(end) - scale.y(first);
    if height >= TEXT_HEIGHT && scale.pitch > 60.0 && bar.token.is_some() {
        let text_colour = if bar.token == Some(Token::Free) { "#444" } else { "white" };
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{text_colour}\" font-size=\"10\">{} #{}</text>",
            f64::midpoint(x0, x1),
            f64::midpoint(scale.y(first + fibre / 2), scale.y(end + fibre / 2)) + 4.0,
            bar.source,
            bar.packet_cnt
        );
    }
    out.push('\n');
}

fn sent(x: f64, y: f64) -> String {
    format!(
        "<path d=\"M{:.1} {:.1}l5 9h-10z\" fill=\"#222\"><title>sent here</title></path>",
        x,
        y - 4.0
    )
}

fn taken(x: f64, y: f64) -> String {
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"white\" stroke=\"#222\" stroke-width=\"1.6\"><title>free token taken</title></circle>"
    )
}

fn stripped(x: f64, y: f64) -> String {
    format!(
        "<path d=\"M{:.1} {:.1}l8 8m0 -8l-8 8\" stroke=\"#222\" stroke-width=\"2\"><title>stripped by its source</title></path>",
        x - 4.0,
        y - 4.0
    )
}

fn absorbed(x: f64, y: f64) -> String {
    format!(
        "<path d=\"M{:.1} {y:.1}h9\" stroke=\"#c22\" stroke-width=\"3\"><title>absorbed</title></path>",
        x - 4.5
    )
}

fn delivered(x: f64, y: f64) -> String {
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"#222\"><title>received</title></circle>"
    )
}
