// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders `docs/frame.svg`: the frame in words of the link, as datasheets draw it.

use super::{
    LAYOUT,
    limits::{DATA_MAX, DATA_MIN, HEADER_BYTES},
};
use alloc::{format, string::String};
use core::fmt::Write;

const BIT: usize = 22;
const ROW: usize = 40;
const LEFT: usize = 90;
const TOP: usize = 50;
const ROW_BITS: usize = 32;

/// The text of `docs/frame.svg`.
#[must_use]
pub fn svg() -> String {
    let rows = 6;
    let (width, height) = (LEFT + ROW_BITS * BIT + 20, TOP + rows * ROW + 30);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <!-- Generated from the contract (cargo xtask contract generate). -->\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    text(&mut out, LEFT, 18, "start", "first byte on the link (tdata[7:0])");
    text(&mut out, LEFT + ROW_BITS * BIT, 18, "end", "tdata[31:24]");
    for byte in 0..4 {
        text(
            &mut out,
            LEFT + (byte * 8 + 4) * BIT,
            40,
            "middle",
            &format!("byte {byte} of the word"),
        );
    }
    for word in 0..4 {
        text(&mut out, LEFT - 10, TOP + word * ROW + 25, "end", &format!("word {word}"));
    }
    for (i, layout) in LAYOUT.iter().enumerate() {
        let fill = if i % 2 == 0 { "#d7e8f7" } else { "#eaf3fb" };
        let end = layout.bit + layout.bits;
        let mut at = layout.bit;
        while at < end {
            let stop = end.min((at / ROW_BITS + 1) * ROW_BITS);
            let first = at == layout.bit;
            let label = if first { layout.field.thesis_name() } else { "" };
            cell(&mut out, at, stop, fill, label);
            if first {
                width_of(&mut out, at, stop, layout.bits);
            }
            at = stop;
        }
    }
    let data = HEADER_BYTES * 8;
    cell(&mut out, data, data + 16, "#e3f4df", "Data");
    let label = format!(
        "Data: {DATA_MIN} to {DATA_MAX} bytes with pad; index 45 is the short count when C.ST = 00001"
    );
    cell(&mut out, 4 * ROW_BITS, 5 * ROW_BITS, "#e3f4df", &label);
    cell(
        &mut out,
        5 * ROW_BITS,
        6 * ROW_BITS,
        "#f9e6d5",
        "FCS: CRC-32 over all before it, least significant byte first",
    );
    text(&mut out, LEFT - 10, TOP + 4 * ROW + 25, "end", "…");
    text(&mut out, LEFT - 10, TOP + 5 * ROW + 25, "end", "last 4 bytes");
    out.push_str("</svg>\n");
    out
}

fn cell(out: &mut String, from: usize, to: usize, fill: &str, label: &str) {
    let (x, y) = (LEFT + from % ROW_BITS * BIT, TOP + from / ROW_BITS * ROW);
    let width = (to - from) * BIT;
    let _ = writeln!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{ROW}\" fill=\"{fill}\" stroke=\"#33475b\"/>"
    );
    text(out, x + width / 2, y + 22, "middle", label);
}

/// The bits of a field, below its name.
fn width_of(out: &mut String, from: usize, to: usize, bits: usize) {
    let x = LEFT + from % ROW_BITS * BIT + (to - from) * BIT / 2;
    let y = TOP + from / ROW_BITS * ROW + 36;
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"10\" fill=\"#4a5a6a\">{bits} bits</text>"
    );
}

fn text(out: &mut String, x: usize, y: usize, anchor: &str, label: &str) {
    if !label.is_empty() {
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"#1b2733\">{label}</text>"
        );
    }
}
