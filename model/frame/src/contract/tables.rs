// SPDX-License-Identifier: MIT OR Apache-2.0
//! Generates `docs/contract.md`: the contract as tables.

use super::{
    BoardCounter, Check, Counter, DATA_HDR_BITS, EngineInterrupt, FrameKind, HDR_BITS, HDR_FIELDS,
    Interrupt, JoinInterrupt, LAYOUT, Order, SIGNAL_HDR_BITS, Signal, Token, TxClass, TxStatus,
    board, fsm::FSMS, limits, node, page_table::ENTRY,
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::Write;

/// The text of `docs/contract.md`.
#[must_use]
pub fn page() -> String {
    let mut out = String::from(
        "<!-- Generated from model/frame/src/contract by `cargo xtask contract generate`. Do not edit. -->\n\n\
         # Contract\n\n\
         Every constant that Rust, Verilog, waveforms and vectors share. In Verilog each name carries the\n\
         prefix `AWG_` (`hdl/include/awgstar.vh`).\n\n## Header fields\n\n\
         Bit 0 is the first bit on the link: the most significant bit of byte 0.\n\n\
         | name | thesis | bits | first bit | byte | contents |\n|---|---|---:|---:|---:|---|\n",
    );
    for l in LAYOUT {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} | {} |",
            l.field.name(),
            l.field.thesis_name(),
            l.bits,
            l.bit,
            l.byte(),
            l.doc
        );
    }
    let _ = write!(
        out,
        "\n## Header bundle\n\n\
         Between inner modules of the Verilog a header is one vector, the port `hdr` or `..._hdr`: {HDR_BITS} bits, `len` is the number\n\
         of valid bytes. A signal brings the {SIGNAL_HDR_BITS} bits from `token` on, a data frame the {DATA_HDR_BITS} bits from `act_seq` on.\n\n\
         | name | bits |\n|---|---|\n"
    );
    for field in HDR_FIELDS {
        let _ =
            writeln!(out, "| `{}` | {}:{} |", field.name, field.low + field.bits - 1, field.low);
    }
    out.push_str("\n## Lengths and link\n\n| name | value | unit |\n|---|---:|---|\n");
    for (name, value, unit) in [
        ("header", limits::HEADER_BYTES as u64, "bytes"),
        ("Data, least", limits::DATA_MIN as u64, "bytes"),
        ("Data, most", limits::DATA_MAX as u64, "bytes"),
        ("FCS", limits::FCS_BYTES as u64, "bytes"),
        ("frame, least", limits::FRAME_MIN as u64, "bytes"),
        ("frame, most", limits::FRAME_MAX as u64, "bytes"),
        ("index of the short count in Data", limits::SHORT_COUNT_INDEX as u64, ""),
        ("idle words between frames, least", limits::IDLE_WORDS_MIN as u64, "words of 4 bytes"),
        ("line rate", limits::LINE_RATE_BPS, "bit/s"),
        ("clock of the 32-bit datapath", limits::CLOCK_HZ, "Hz"),
        ("fibre delay", limits::FIBRE_NS_PER_M, "ns/m"),
    ] {
        let _ = writeln!(out, "| {name} | {value} | {unit} |");
    }
    out.push_str("\n## TOKEN\n\n| code | name | meaning |\n|---|---|---|\n");
    for code in 0..8 {
        let _ = match Token::from_code(code) {
            Some(t) => writeln!(out, "| {code:03b} | `{}` | {} |", t.name(), t.doc()),
            None => writeln!(out, "| {code:03b} | | not assigned |"),
        };
    }
    let _ = write!(
        out,
        "\n## C.ST of a data token\n\n| code | meaning |\n|---|---|\n\
         | {:05b} | every Data byte is valid |\n\
         | {:05b} | short: Data byte {} counts the valid bytes, 1 to {} |\n",
        limits::C_ST_DATA_FULL,
        limits::C_ST_DATA_SHORT,
        limits::SHORT_COUNT_INDEX,
        limits::SHORT_COUNT_INDEX
    );
    out.push_str(
        "\n## Signals\n\nA receiver decodes TOKEN and C.ST together. Values in Data are big-endian; `name@offset:bytes`.\n\n\
         | signal | TOKEN | C.ST | Node_ID | Data |\n|---|---|---|---|---|\n",
    );
    for &s in Signal::ALL {
        let fields: Vec<String> =
            s.fields().iter().map(|f| format!("`{}@{}:{}`", f.name, f.offset, f.bytes)).collect();
        let _ = writeln!(
            out,
            "| `{}`: {} | {:03b} | {:05b} | {} | {} |",
            s.name(),
            s.doc(),
            s.token().code(),
            s.c_st(),
            s.node_id_meaning(),
            fields.join(" ")
        );
    }
    page_table(&mut out);
    out.push_str("\n## Verdict of the receiver\n\nThe first that applies, top to bottom after `ok`.\n\n| code | name | meaning |\n|---:|---|---|\n");
    for c in Check::ALL {
        let _ = writeln!(out, "| {} | `{}` | {} |", c.code(), c.name(), c.doc());
    }
    out.push_str("\n## Verdict of the transmitter\n\n| code | name | meaning |\n|---:|---|---|\n");
    for c in TxStatus::ALL {
        let _ = writeln!(out, "| {} | `{}` | {} |", c.code(), c.name(), c.doc());
    }
    ring_node(&mut out);
    smb(&mut out);
    out.push_str("\n## State encodings\n\n| module | state | code |\n|---|---|---:|\n");
    for fsm in FSMS {
        for (state, code) in fsm.states {
            let _ = writeln!(out, "| `{}` | {state} | {code} |", fsm.module);
        }
    }
    out
}

fn page_table(out: &mut String) {
    out.push_str(
        "\n## Page table\n\nAn entry of the virtual shared memory's table (thesis 5.4.1), `n` processes. The entry of page p begins at\n\
         `table + (p - 1) * (8 + n, up to a multiple of 4)`; pages are numbered from 1, numbers are big-endian.\n\n\
         | part | byte | bytes | written by | meaning |\n|---|---:|---|---|---|\n",
    );
    for (name, at, bytes, writer, doc) in ENTRY {
        let _ = writeln!(out, "| {name} | {at} | {bytes} | {writer} | {doc} |");
    }
}

fn ring_node(out: &mut String) {
    out.push_str("\n## Ring node\n\n| name | value | unit |\n|---|---:|---|\n");
    for (name, value, unit) in [
        ("insertion buffer", 1 << node::BUFFER_ADDR_W, "link words"),
        ("receive buffer", 1 << node::RX_ADDR_W, "words of Data"),
        ("receive buffer, headers", 1 << node::RX_HEADER_ADDR_W, "frames"),
        ("room beyond a frame's words before it is sent", node::INSERT_MARGIN, "link words"),
        ("data frames in a row before a free token goes on", node::TOKEN_RUN, "frames"),
    ] {
        let _ = writeln!(out, "| {name} | {value} | {unit} |");
    }
    out.push_str("\n| kind of an arriving frame | name | meaning |\n|---:|---|---|\n");
    for k in FrameKind::ALL {
        let _ = writeln!(out, "| {} | `{}` | {} |", k.code(), k.name(), k.doc());
    }
    out.push_str("\n| class of a sent frame | name | meaning |\n|---:|---|---|\n");
    for c in TxClass::ALL {
        let _ = writeln!(out, "| {} | `{}` | {} |", c.code(), c.name(), c.doc());
    }
    out.push_str("\n| counter | name | counts |\n|---:|---|---|\n");
    for c in Counter::ALL {
        let _ = writeln!(out, "| {} | `{}` | {} |", c.code(), c.name(), c.doc());
    }
}

fn smb(out: &mut String) {
    out.push_str("\n## Board\n\n| parameter | value | unit |\n|---|---:|---|\n");
    for (name, value, unit) in [
        ("MEM_ADDR_W", board::MEM_ADDR_W, "address bits, shared memory, words"),
        ("TX_ADDR_W", board::TX_ADDR_W, "address bits, words of data not yet acknowledged"),
        ("TX_FRAME_W", board::TX_FRAME_W, "address bits, data frames not yet acknowledged"),
        ("SIGNAL_W", board::SIGNAL_W, "address bits, signals not yet acknowledged"),
        ("MAIL_W", board::MAIL_W, "address bits, messages"),
        ("AXI_ID_W", board::AXI_ID_W, "bits of an ID, AXI4 port"),
        (
            "ENGINE_NODE_W",
            board::ENGINE_NODE_W,
            "bits of a Node_ID, lock and barrier engine; 0: none",
        ),
        ("JOIN", board::JOIN, "1: the board can join with the memory of the others"),
        ("RETRY_LIMIT", board::RETRY_LIMIT, "timeouts in a row until stalled"),
    ] {
        let _ = writeln!(out, "| `{name}` | {value} | {unit} |");
    }
    out.push_str("\n| C.ST of link control (TOKEN 110) | name | meaning |\n|---|---|---|\n");
    for c in board::CONTROLS {
        let _ = writeln!(out, "| {:05b} | `{}` | {} |", c.c_st, c.name, c.doc);
    }
    out.push_str("\n| order | name | meaning |\n|---:|---|---|\n");
    for o in Order::ALL {
        let _ = writeln!(out, "| {} | `{}` | {} |", o.code(), o.name(), o.doc());
    }
    out.push_str("\n| counter of the board | name | counts |\n|---:|---|---|\n");
    for c in BoardCounter::ALL {
        let _ = writeln!(out, "| {} | `{}` | {} |", c.code(), c.name(), c.doc());
    }
    out.push_str("\n| interrupt | name | event |\n|---:|---|---|\n");
    for i in Interrupt::ALL {
        let _ = writeln!(out, "| {} | `{}` | {} |", i.code(), i.name(), i.doc());
    }
    out.push_str("\n| interrupt of the engine | name | event |\n|---:|---|---|\n");
    for i in EngineInterrupt::ALL {
        let _ = writeln!(out, "| {} | `{}` | {} |", i.code(), i.name(), i.doc());
    }
    out.push_str("\n| interrupt of a board that can join | name | event |\n|---:|---|---|\n");
    for i in JoinInterrupt::ALL {
        let _ = writeln!(out, "| {} | `{}` | {} |", i.code(), i.name(), i.doc());
    }
}

/// The text of `docs/registers.md`: the register map of the host port.
#[must_use]
pub fn registers() -> String {
    let mut out = String::from(
        "<!-- Generated from model/frame/src/contract by `cargo xtask contract generate`. Do not edit. -->\n\n\
         # Registers of the host port\n\n\
         Byte addresses on AXI4-Lite, 32 bits each. The shared memory is at 8000_0000 and above. A register is written whole;\n\
         any other access, and any address not listed, is answered with SLVERR and does nothing. *config*: written only while\n\
         `CONTROL.enable` is 0.\n\n\
         ",
    );
    list(&mut out, board::REGISTERS);
    fields(&mut out, board::REGISTERS);
    out.push_str(
        "\n# Registers of a board that can join\n\n\
         Boards with `JOIN` = 1; on others an access is answered with SLVERR.\n\n",
    );
    list(&mut out, board::JOIN_REGISTERS);
    fields(&mut out, board::JOIN_REGISTERS);
    out.push_str(
        "\n# Registers of the lock and barrier engine\n\n\
         Boards with `ENGINE_NODE_W` other than 0; on others an access is answered with SLVERR.\n\n",
    );
    list(&mut out, board::ENGINE_REGISTERS);
    fields(&mut out, board::ENGINE_REGISTERS);
    out
}

fn list(out: &mut String, registers: &[board::Register]) {
    out.push_str("| address | register | access | after reset | |\n|---|---|---|---|---|\n");
    for r in registers {
        let last = r.offset.0 + 4 * (r.count - 1);
        let address = if r.count == 1 {
            format!("{:03X}", r.offset.0)
        } else {
            format!("{:03X} to {last:03X}", r.offset.0)
        };
        let (access, reset) = (r.access.name(), r.reset);
        let _ = writeln!(out, "| {address} | `{}` | {access} | {reset:08X} | {} |", r.name, r.doc);
    }
}

fn fields(out: &mut String, registers: &[board::Register]) {
    for r in registers.iter().filter(|r| !r.fields.is_empty()) {
        let _ = write!(
            out,
            "\n## {} ({:03X})\n\n| bits | field | |\n|---|---|---|\n",
            r.name, r.offset.0
        );
        for f in r.fields {
            let top = f.bit + f.bits - 1;
            let bits = if f.bits == 1 { f.bit.to_string() } else { format!("{top}:{}", f.bit) };
            let _ = writeln!(out, "| {bits} | `{}` | {} |", f.name, f.doc);
        }
    }
}
