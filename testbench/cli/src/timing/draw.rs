// SPDX-License-Identifier: MIT OR Apache-2.0
//! A timing drawing as SVG: a line per bit, a band per number.

use crate::timing::figures::{Figure, Row};
use crate::timing::record::Recording;
use awgstar::contract::fsm::FSMS;
use awgstar_draw::svg::{Shape, Svg};

const LABEL: usize = 190;
const ROW: usize = 24;
const TOP: usize = 30;
/// Between two windows.
const GAP: usize = 26;
/// Most of a drawing's width.
const WIDE: usize = 1000;
const LINE: &str = "#1b4f8a";

/// The drawing.
#[must_use]
pub fn svg(figure: &Figure, recording: &Recording) -> String {
    let cycles: usize = recording.windows.iter().map(|(_, c)| c.len()).sum();
    let cell = ((WIDE - LABEL) / cycles.max(1)).clamp(14, 40);
    let width = LABEL + cell * cycles + GAP * (recording.windows.len() - 1) + 10;
    let height = TOP + ROW * figure.rows.len() + 10;
    let size = [width, height].map(pixels);
    let mut out = Svg::new(size[0], size[1], false, "DejaVu Sans Mono, monospace", 11);
    out.comment("Recorded from the model (cargo xtask contract generate).");
    out.title(figure.title);
    out.add(&Shape::new("rect").set("width", width).set("height", height).set("fill", "#ffffff"));
    text(&mut out, LABEL - 8, 18, "end", "cycle");
    for (i, row) in figure.rows.iter().enumerate() {
        text(&mut out, LABEL - 8, TOP + ROW * i + 16, "end", &label(figure, row));
    }
    let mut left = LABEL;
    for (first, values) in &recording.windows {
        window(&mut out, figure, recording, (left, cell), *first, values);
        left += cell * values.len() + GAP;
    }
    out.text()
}

#[expect(clippy::cast_precision_loss, reason = "pixels")]
const fn pixels(size: usize) -> f64 {
    size as f64
}

/// Own signals by their name, those of others with the instance before it.
fn label(figure: &Figure, row: &Row) -> String {
    match row.signal.split_once('.') {
        Some((instance, name)) if instance == figure.instance => name.to_owned(),
        _ => row.signal.to_owned(),
    }
}

fn window(
    out: &mut Svg,
    figure: &Figure,
    recording: &Recording,
    (left, cell): (usize, usize),
    first: u64,
    values: &[Vec<u128>],
) {
    let bottom = TOP + ROW * figure.rows.len();
    let step = if cell < 26 { 5 } else { 1 };
    for (k, cycle) in (first..).take(values.len()).enumerate() {
        let x = left + cell * k;
        let line = Shape::path(format_args!("M{x} {TOP}V{bottom}"));
        out.add(&line.set("stroke", "#e3e7ec").set("stroke-width", 1));
        if cycle % step == 0 {
            text(out, x + cell / 2, 18, "middle", &cycle.to_string());
        }
    }
    for (i, row) in figure.rows.iter().enumerate() {
        let top = TOP + ROW * i;
        let when = row.when.and_then(|w| figure.rows.iter().position(|r| r.signal == w));
        let seen = |k: usize| when.is_none_or(|w| values[k][w] != 0);
        let of = |k: usize| seen(k).then(|| values[k][i]);
        let mut from = 0;
        let mut level: Option<usize> = None;
        while from < values.len() {
            let to = (from..values.len()).find(|&k| of(k) != of(from)).unwrap_or(values.len());
            let (x, w) = (left + cell * from, cell * (to - from));
            match of(from) {
                None => {
                    let y = top + 12;
                    let line = Shape::path(format_args!("M{x} {y}H{}", x + w));
                    out.add(&line.set("stroke", "#c9ced6"));
                }
                Some(value) if recording.bits[i] == 1 => {
                    let y = top + if value == 0 { 19 } else { 5 };
                    let start = level.map_or(format!("M{x} {y}"), |l| format!("M{x} {l}V{y}"));
                    let line = Shape::path(format_args!("{start}H{}", x + w));
                    out.add(&line.with([
                        ("stroke", &LINE),
                        ("stroke-width", &"1.6"),
                        ("fill", &"none"),
                    ]));
                    level = Some(y);
                }
                Some(value) => band(out, (x, top, w), &shown(row, recording.bits[i], value)),
            }
            from = to;
        }
    }
}

/// A number, as long as it stays.
fn band(out: &mut Svg, (x, top, w): (usize, usize, usize), label: &str) {
    let (high, low, mid) = (top + 4, top + 20, top + 12);
    let end = x + w;
    let (left, right) = (x + 3, end - 3);
    let shape = Shape::path(format_args!(
        "M{x} {mid}L{left} {high}H{right}L{end} {mid}L{right} {low}H{left}Z"
    ));
    out.add(&shape.set("fill", "#eaf3fb").set("stroke", LINE));
    let room = w.saturating_sub(6);
    // A number that is too wide loses its zeros in front, or is written on two lines, or smaller.
    let full = label;
    let short = label.trim_start_matches('0');
    let label = match (7 * label.len() <= room, short) {
        (true, _) => label,
        (false, "") => "0",
        (false, short) => short,
    };
    let tenths = (110 * room / (7 * label.len()).max(1)).min(110);
    let half = full.len() / 2;
    if tenths < 90 && full.len() == 8 && 50 * half <= 10 * room {
        for (part, down) in [(&full[..half], 11), (&full[half..], 19)] {
            let text = Shape::text(x + w / 2, top + down, part);
            out.add(&text.with([
                ("text-anchor", &"middle"),
                ("fill", &"#1b2733"),
                ("font-size", &"8"),
            ]));
        }
        return;
    }
    if tenths >= 50 {
        let size = format!("{}.{}", tenths / 10, tenths % 10);
        let text = Shape::text(x + w / 2, top + 16, label);
        out.add(&text.with([
            ("text-anchor", &"middle"),
            ("fill", &"#1b2733"),
            ("font-size", &size),
        ]));
    }
}

/// States by name, wide numbers in hex, narrow ones in decimal.
fn shown(row: &Row, bits: usize, value: u128) -> String {
    if let Some(module) = row.states {
        let fsm = FSMS.iter().find(|f| f.module == module);
        let state = fsm.and_then(|f| f.states.iter().find(|(_, code)| u128::from(*code) == value));
        return state.map_or_else(|| format!("{value}"), |(name, _)| (*name).to_owned());
    }
    if bits <= 12 { value.to_string() } else { format!("{value:0w$X}", w = bits.div_ceil(4)) }
}

fn text(out: &mut Svg, x: usize, y: usize, anchor: &str, label: &str) {
    out.add(&Shape::text(x, y, label).set("text-anchor", anchor).set("fill", "#1b2733"));
}
