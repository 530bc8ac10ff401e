//! A timing drawing as SVG: a line per bit, a band per number.

use crate::blocks::figures::{Figure, Row};
use crate::blocks::record::Recording;
use awgstar::contract::fsm::FSMS;
use awgstar_draw::markup::escape;
use std::fmt::Write;

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
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"DejaVu Sans Mono, monospace\" font-size=\"11\">\n\
         <!-- Recorded from the model (awgstar contract generate). -->\n\
         <title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
        escape(figure.title)
    );
    text(&mut out, LABEL - 8, 18, "end", "cycle");
    for (i, row) in figure.rows.iter().enumerate() {
        text(&mut out, LABEL - 8, TOP + ROW * i + 16, "end", &label(figure, row));
    }
    let mut left = LABEL;
    for (first, values) in &recording.windows {
        window(&mut out, figure, recording, (left, cell), *first, values);
        left += cell * values.len() + GAP;
    }
    out.push_str("</svg>\n");
    out
}

/// Own signals by their name, those of others with the instance before it.
fn label(figure: &Figure, row: &Row) -> String {
    match row.signal.split_once('.') {
        Some((instance, name)) if instance == figure.instance => name.to_owned(),
        _ => row.signal.to_owned(),
    }
}

fn window(
    out: &mut String,
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
        let _ = writeln!(
            out,
            "<path d=\"M{x} {TOP}V{bottom}\" stroke=\"#e3e7ec\" stroke-width=\"1\"/>"
        );
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
                    let _ = writeln!(out, "<path d=\"M{x} {y}H{}\" stroke=\"#c9ced6\"/>", x + w);
                }
                Some(value) if recording.bits[i] == 1 => {
                    let y = top + if value == 0 { 19 } else { 5 };
                    let start = level.map_or(format!("M{x} {y}"), |l| format!("M{x} {l}V{y}"));
                    let _ = writeln!(
                        out,
                        "<path d=\"{start}H{}\" stroke=\"{LINE}\" stroke-width=\"1.6\" fill=\"none\"/>",
                        x + w
                    );
                    level = Some(y);
                }
                Some(value) => band(out, (x, top, w), &shown(row, recording.bits[i], value)),
            }
            from = to;
        }
    }
}

/// A number, as long as it stays.
fn band(out: &mut String, (x, top, w): (usize, usize, usize), label: &str) {
    let (a, b, mid) = (top + 4, top + 20, top + 12);
    let end = x + w;
    let _ = writeln!(
        out,
        "<path d=\"M{x} {mid}L{} {a}H{}L{end} {mid}L{} {b}H{}Z\" fill=\"#eaf3fb\" stroke=\"{LINE}\"/>",
        x + 3,
        end - 3,
        end - 3,
        x + 3
    );
    let room = w.saturating_sub(6);
    // A number that is too wide loses its zeros in front, then is written smaller, then left out.
    let short = label.trim_start_matches('0');
    let label = match (7 * label.len() <= room, short) {
        (true, _) => label,
        (false, "") => "0",
        (false, short) => short,
    };
    let tenths = (110 * room / (7 * label.len()).max(1)).min(110);
    if tenths >= 50 {
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#1b2733\" font-size=\"{}.{}\">{}</text>",
            x + w / 2,
            top + 16,
            tenths / 10,
            tenths % 10,
            escape(label)
        );
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

fn text(out: &mut String, x: usize, y: usize, anchor: &str, label: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"#1b2733\">{}</text>",
        escape(label)
    );
}
