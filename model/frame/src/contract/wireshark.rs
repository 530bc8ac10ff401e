// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders `testbench/wireshark/awgstar.lua`: the dissector of Wireshark, `wireshark.lua` after the tables that it
//! uses.

use super::{
    Check, LAYOUT, Signal, Token, board, capture, limits,
    signal::{PROCESS_C_ST, PROCESS_FIELDS, SignalField},
};
use alloc::{format, string::String, vec::Vec};
use core::fmt::Write;

/// The text of `awgstar.lua`.
#[must_use]
pub fn dissector() -> String {
    let mut out = String::from(
        "-- SPDX-License-Identifier: MIT OR Apache-2.0\n\
         -- Dissector of AWG-STAR frames for Wireshark and tshark (docs/wireshark.md).\n\
         -- Generated from the contract (model/frame/src/contract) by `cargo xtask contract generate`.\n\
         -- Do not edit: `cargo xtask contract check` and the tests fail on drift.\n\n\
         local contract = {}\n\n",
    );
    numbers(&mut out);
    table(
        &mut out,
        "header",
        LAYOUT.iter().map(|l| {
            let (name, title) = (text(l.field.name()), text(l.field.thesis_name()));
            let doc = text(l.doc);
            format!(
                "{{ name = {name}, title = {title}, bit = {}, bits = {}, doc = {doc} }}",
                l.bit, l.bits
            )
        }),
    );
    table(
        &mut out,
        "tokens",
        Token::ALL.iter().map(|token| {
            let signal = if token.is_signal() { ", signal = true" } else { "" };
            format!(
                "{{ code = {}, name = {}, doc = {}{signal} }}",
                token.code(),
                text(token.name()),
                text(token.doc())
            )
        }),
    );
    table(
        &mut out,
        "checks",
        Check::ALL.iter().map(|check| {
            format!(
                "{{ code = {}, name = {}, doc = {} }}",
                check.code(),
                text(check.name()),
                text(check.doc())
            )
        }),
    );
    let firmware = Signal::ALL.iter().map(|s| {
        let (token, node) = (s.token().code(), s.node_id_meaning());
        signal(s.name(), token, s.c_st(), node, s.doc(), s.fields())
    });
    let processes = [Token::P2p, Token::Broadcast].map(|token| {
        let node = if token == Token::P2p { "receiver" } else { "send node" };
        let doc = "signal between processes";
        signal("process", token.code(), PROCESS_C_ST, node, doc, PROCESS_FIELDS)
    });
    table(&mut out, "signals", firmware.chain(processes));
    let controls = board::CONTROLS.iter();
    table(
        &mut out,
        "controls",
        controls.map(|c| {
            format!("{{ name = {}, c_st = {}, doc = {} }}", text(c.name), c.c_st, text(c.doc))
        }),
    );
    table(
        &mut out,
        "flags",
        capture::FLAGS.iter().map(|(name, mask, doc)| {
            format!("{{ name = {}, mask = 0x{mask:02x}, doc = {} }}", text(name), text(doc))
        }),
    );
    out.push_str(include_str!("wireshark.lua"));
    out
}

fn numbers(out: &mut String) {
    let codes = |token: Token| u64::from(token.code());
    for (name, value) in [
        ("link_type", capture::LINK_TYPE.into()),
        ("bare_link_type", capture::BARE_LINK_TYPE.into()),
        ("capture_bytes", capture::BYTES as u64),
        ("capture_version", capture::VERSION.into()),
        ("capture_flags_byte", capture::FLAGS_BYTE as u64),
        ("header_bytes", limits::HEADER_BYTES as u64),
        ("fcs_bytes", limits::FCS_BYTES as u64),
        ("data_min", limits::DATA_MIN as u64),
        ("frame_min", limits::FRAME_MIN as u64),
        ("frame_max", limits::FRAME_MAX as u64),
        ("short_count_index", limits::SHORT_COUNT_INDEX as u64),
        ("c_st_data_full", limits::C_ST_DATA_FULL.into()),
        ("c_st_data_short", limits::C_ST_DATA_SHORT.into()),
        ("crc_poly", limits::CRC32_POLY_REFLECTED.into()),
        ("crc_init", limits::CRC32_INIT.into()),
        ("token_free", codes(Token::Free)),
        ("token_data", codes(Token::Data)),
        ("token_control", codes(Token::Control)),
    ] {
        let _ = writeln!(out, "contract.{name} = {value}");
    }
}

fn table(out: &mut String, name: &str, rows: impl Iterator<Item = String>) {
    let _ = writeln!(out, "\ncontract.{name} = {{");
    for row in rows {
        let _ = writeln!(out, "  {row},");
    }
    out.push_str("}\n");
}

fn signal(
    name: &str,
    token: u8,
    c_st: u8,
    node_id: &str,
    doc: &str,
    fields: &[SignalField],
) -> String {
    let field = |f: &SignalField| {
        format!("{{ name = {}, offset = {}, bytes = {} }}", text(f.name), f.offset, f.bytes)
    };
    let fields: Vec<String> = fields.iter().map(field).collect();
    let fields = fields.join(", ");
    format!(
        "{{ name = {}, token = {token}, c_st = {c_st}, node_id = {}, doc = {}, fields = {{ {fields} }} }}",
        text(name),
        text(node_id),
        text(doc)
    )
}

/// A Lua literal of a text.
fn text(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn a_literal_escapes_what_would_end_it() {
        assert_eq!(text("a \"b\" \\"), "\"a \\\"b\\\" \\\\\"");
    }
}
