// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text drawing of a frame: every field with its bits, its place in the words of the RTL, its
//! meaning, and every defect.

use super::{Frame, defects, fcs};
use crate::Tap;
use crate::contract::{
    Field, FieldLayout, LAYOUT, Signal, Token,
    limits::{DATA_MIN, FCS_BYTES, FRAME_MIN, HEADER_BYTES, WORD_BYTES},
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use bitvec::prelude::*;
use core::fmt::Write;

/// Data bytes in one row of the drawing.
const ROW: usize = 16;

/// Draws `bytes` as a frame. Any bytes will do: what is missing is left out, what is wrong is named.
#[must_use]
pub fn explain(bytes: &[u8]) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} bytes, {}", bytes.len(), verdict(bytes));
    let _ =
        writeln!(out, "\n{:<11} {:<27} {:<32} value", "field", "RTL: word and tdata bits", "bits");
    let bits = bytes.view_bits::<Msb0>();
    for layout in &LAYOUT {
        if let Some(field) = bits.get(layout.bit..layout.bit + layout.bits) {
            header_field(&mut out, bytes, layout, field);
        }
    }
    if bytes.len() > HEADER_BYTES + FCS_BYTES {
        data(&mut out, bytes);
    }
    if bytes.len() >= FRAME_MIN {
        let at = bytes.len() - FCS_BYTES;
        let found = fcs::read(bytes).unwrap_or_default();
        let good = if fcs::compute(&bytes[..at]) == found { "good" } else { "WRONG" };
        let _ =
            writeln!(out, "{:<11} {:<27} crc 0x{found:08x}, {good}", "fcs", place(at, FCS_BYTES));
    }
    let problems = defects(bytes);
    if !problems.is_empty() {
        out.push('\n');
    }
    for problem in problems {
        let _ = writeln!(out, "error: {problem}");
    }
    out
}

fn verdict(bytes: &[u8]) -> String {
    match Frame::decode(bytes) {
        Err(error) => format!("BAD: {}", error.check.doc()),
        Ok(frame) => match frame.signal() {
            Some(signal) => format!("good: {}", signal.doc()),
            None if frame.token.is_signal() => {
                format!("good: {}, C.ST not assigned", frame.token.doc())
            }
            None => format!("good: {}, {} valid bytes", frame.token.doc(), frame.data.len()),
        },
    }
}

fn header_field(out: &mut String, bytes: &[u8], layout: &FieldLayout, field: &BitSlice<u8, Msb0>) {
    let pattern: String = field.iter().map(|bit| if *bit { '1' } else { '0' }).collect();
    let value = field.iter().fold(0u64, |v, bit| v << 1 | u64::from(*bit));
    let rtl = if layout.bits < 8 {
        let lane = layout.byte() % WORD_BYTES * 8;
        let high = lane + 7 - layout.bit % 8;
        format!("word {} [{}:{}]", layout.byte() / WORD_BYTES, high, high + 1 - layout.bits)
    } else {
        place(layout.byte(), layout.bits / 8)
    };
    let shown = if layout.bits > 32 { format!("0x{value:012x}") } else { pattern };
    let meaning = meaning(bytes, layout.field, value);
    let _ = writeln!(out, "{:<11} {rtl:<27} {shown:<32} {meaning}", layout.field.name());
}

fn meaning(bytes: &[u8], field: Field, value: u64) -> String {
    let tap = Tap::of_bytes(bytes);
    let token = tap.field(Field::Token).and_then(|_| Token::from_code(tap.header().token));
    match field {
        Field::Mac => super::Mac::from_u64(value).to_string(),
        Field::Token => token.map_or("not assigned".into(), |t| t.doc().into()),
        Field::CSt => {
            let code = (value & 0x1f) as u8;
            match token {
                Some(Token::Data) if code == 0 => "0: every Data byte is valid".into(),
                Some(Token::Data) if code == 1 => "1: short".into(),
                Some(t) => Signal::from_codes(t, code)
                    .map_or(format!("{value}"), |s| format!("{value}: {}", s.doc())),
                None => format!("{value}"),
            }
        }
        Field::NodeId => match signal_of(bytes) {
            Some(s) => format!("{value}: {}", s.node_id_meaning()),
            None => format!("{value}"),
        },
        Field::Addr => format!("0x{value:08x}"),
        _ => format!("{value}"),
    }
}

fn signal_of(bytes: &[u8]) -> Option<Signal> {
    let tap = Tap::of_bytes(bytes);
    tap.field(Field::CSt)?;
    Signal::from_codes(Token::from_code(tap.header().token)?, tap.header().c_st)
}

fn data(out: &mut String, bytes: &[u8]) {
    let data = &bytes[HEADER_BYTES..bytes.len() - FCS_BYTES];
    let valid = Frame::decode(bytes).map_or(data.len(), |f| f.data.len());
    let note = match Frame::decode(bytes) {
        Ok(f) if f.token == Token::Data && data.len() == DATA_MIN && valid < DATA_MIN => {
            format!("{valid} valid, then pad, count in the last byte")
        }
        Ok(f) if f.token == Token::Free => "a free token has no valid bytes".into(),
        Ok(_) => format!("{valid} valid"),
        Err(_) => "not decoded".into(),
    };
    let rtl = format!("byte {HEADER_BYTES} to {}", bytes.len() - FCS_BYTES - 1);
    let _ = writeln!(out, "{:<11} {rtl:<27} {} bytes: {note}", "data", data.len());
    if let Some(signal) = signal_of(bytes) {
        for field in signal.fields() {
            if let Some(raw) = data.get(field.offset..field.offset + field.bytes) {
                let value = raw.iter().fold(0u64, |v, b| v << 8 | u64::from(*b));
                let _ = writeln!(out, "  {} = {value}", field.name);
            }
        }
    }
    for (row, chunk) in data.chunks(ROW).enumerate() {
        let hex: Vec<String> = chunk
            .iter()
            .enumerate()
            .map(
                |(i, b)| {
                    if row * ROW + i < valid { format!("{b:02x}") } else { format!("{b:02x}~") }
                },
            )
            .collect();
        let _ = writeln!(out, "  {:>4}  {}", row * ROW, hex.join(" "));
    }
    if valid < data.len() {
        out.push_str("        (~ is pad or count)\n");
    }
}

/// Place of `count` bytes from byte `at` on in the words of the link, in link order.
fn place(at: usize, count: usize) -> String {
    let end = at + count - 1;
    let bit = |byte: usize| byte % WORD_BYTES * 8;
    if at == end {
        format!("word {} [{}:{}]", at / WORD_BYTES, bit(at) + 7, bit(at))
    } else {
        format!(
            "word {} [{}..] to {} [..{}]",
            at / WORD_BYTES,
            bit(at),
            end / WORD_BYTES,
            bit(end) + 7
        )
    }
}
