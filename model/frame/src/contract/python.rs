// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders `model/python/python/awgstar/contract.py`: the contract for Python.

use super::{
    BoardCounter, Check, Counter, EngineInterrupt, FrameKind, Interrupt, JoinCommand,
    JoinInterrupt, LAYOUT, Order, Signal, Token, TxClass, TxStatus, board, fsm::FSMS, limits, node,
};
use alloc::string::String;
use core::fmt::Write;

/// The text of `contract.py`.
#[must_use]
pub fn module() -> String {
    let mut out = String::from(HEAD);
    numbers(&mut out);
    enums(&mut out);
    out.push_str(TABLES);
    layout(&mut out);
    signals(&mut out);
    out.push_str(
        "\n#: Link-control frames: TOKEN `Token.CONTROL`, no Data.\nCONTROLS: Final[tuple[Control, ...]] = (\n",
    );
    for c in board::CONTROLS {
        let _ = writeln!(out, "    Control({}, 0b{:05b}, {}),", text(c.name), c.c_st, text(c.doc));
    }
    out.push_str(")\n");
    registers(
        &mut out,
        "REGISTERS",
        "Registers that every board has, by address.",
        board::REGISTERS,
    );
    registers(
        &mut out,
        "JOIN_REGISTERS",
        "Registers of a board that can join: boards with `JOIN` = 1.",
        board::JOIN_REGISTERS,
    );
    registers(
        &mut out,
        "ENGINE_REGISTERS",
        "Registers of the lock and barrier engine: boards with `ENGINE_NODE_W` other than 0.",
        board::ENGINE_REGISTERS,
    );
    out.push_str(
        "\n#: Encoding of the states of each module: code by name.\nSTATES: Final[dict[str, dict[str, int]]] = {\n",
    );
    for fsm in FSMS {
        let _ = writeln!(out, "    {}: {{", text(fsm.module));
        for (state, code) in fsm.states {
            let _ = writeln!(out, "        {}: {code},", text(state));
        }
        out.push_str("    },\n");
    }
    out.push_str("}\n");
    out
}

const HEAD: &str = "\
# SPDX-License-Identifier: MIT OR Apache-2.0
# Generated from the contract (model/frame/src/contract) by `cargo xtask contract generate`.
# Do not edit: `cargo xtask contract check` and the tests fail on drift.
\"\"\"Constants and tables that the model, the Verilog and this package share.

Codes are the values on the ports of the Verilog. Addresses and offsets are in bytes.
\"\"\"

from enum import IntEnum
from typing import Final, NamedTuple

";

const TABLES: &str = "

class HeaderField(NamedTuple):
    \"\"\"A field of the header of a frame.\"\"\"

    #: Name, as an attribute of `Frame`.
    name: str
    #: Name in the thesis.
    thesis_name: str
    #: First bit on the link; 0 is the most significant bit of byte 0.
    bit: int
    #: Width in bits.
    bits: int
    #: Meaning.
    doc: str


class SignalField(NamedTuple):
    \"\"\"A value in the Data of a signal, big-endian.\"\"\"

    #: Name.
    name: str
    #: First byte within Data.
    offset: int
    #: Length in bytes.
    bytes: int


class Signal(NamedTuple):
    \"\"\"A signal of the firmware: a pair of TOKEN and C.ST.\"\"\"

    #: Name.
    name: str
    #: TOKEN.
    token: Token
    #: C.ST, 5 bits.
    c_st: int
    #: Meaning of Node_ID.
    node_id: str
    #: Values in Data; bytes that no field covers are zero.
    fields: tuple[SignalField, ...]
    #: Purpose.
    doc: str


class Control(NamedTuple):
    \"\"\"A link-control frame.\"\"\"

    #: Name.
    name: str
    #: C.ST, 5 bits.
    c_st: int
    #: Purpose.
    doc: str


class BitField(NamedTuple):
    \"\"\"A field of a register.\"\"\"

    #: Name.
    name: str
    #: Lowest bit.
    bit: int
    #: Width in bits.
    bits: int
    #: Meaning.
    doc: str


class Register(NamedTuple):
    \"\"\"A register of the host port, or a row of them.\"\"\"

    #: Name.
    name: str
    #: Byte address.
    offset: int
    #: Number of registers at consecutive words.
    words: int
    #: `RO`, `WO`, `RW`, `RW config` (written only while the board is not enabled) or `R, W1C`.
    access: str
    #: Value after reset.
    reset: int
    #: Meaning.
    doc: str
    #: Fields; empty if the register is one number of 32 bits.
    fields: tuple[BitField, ...]
";

/// A Python literal of a text.
fn text(value: &str) -> String {
    let mut out = String::from("\"");
    for c in value.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

fn numbers(out: &mut String) {
    for (name, value, doc) in [
        (
            "HEADER_BYTES",
            limits::HEADER_BYTES as u64,
            "Bytes of the header of a frame: MAC to Addr.",
        ),
        ("FCS_BYTES", limits::FCS_BYTES as u64, "Bytes of the frame check sequence."),
        ("DATA_MIN", limits::DATA_MIN as u64, "Bytes of the shortest Data on the link."),
        ("DATA_MAX", limits::DATA_MAX as u64, "Bytes of the longest Data."),
        ("FRAME_MIN", limits::FRAME_MIN as u64, "Bytes of the shortest frame."),
        ("FRAME_MAX", limits::FRAME_MAX as u64, "Bytes of the longest frame."),
        (
            "SHORT_COUNT_INDEX",
            limits::SHORT_COUNT_INDEX as u64,
            "Index in Data of the count of a short data token.",
        ),
        ("WORD_BYTES", limits::WORD_BYTES as u64, "Bytes of a word of the link."),
        (
            "IDLE_WORDS_MIN",
            limits::IDLE_WORDS_MIN as u64,
            "Idle words between two frames, at least.",
        ),
        (
            "C_ST_DATA_FULL",
            limits::C_ST_DATA_FULL.into(),
            "C.ST of a data token whose Data is valid to its end.",
        ),
        (
            "C_ST_DATA_SHORT",
            limits::C_ST_DATA_SHORT.into(),
            "C.ST of a data token with a short count.",
        ),
        ("LINE_RATE_BPS", limits::LINE_RATE_BPS, "Line rate in bit/s."),
        ("CLOCK_HZ", limits::CLOCK_HZ, "Clock of the link in Hz: a cycle is 1/CLOCK_HZ s."),
        ("FIBRE_NS_PER_M", limits::FIBRE_NS_PER_M, "Delay of fibre in ns/m."),
        (
            "MAC_PREFIX",
            board::MAC_PREFIX,
            "Upper 40 bits of the MAC of a board after reset; the lower 8 are Node_ID.",
        ),
        ("WINDOW", 1 << board::WINDOW_BIT, "Byte address of the shared memory at the host port."),
        ("SIGNAL_MAX", board::SIGNAL_MAX as u64, "Bytes of Data of a signal of a host, at most."),
        ("ENGINE_LOCKS", board::ENGINE_LOCKS as u64, "Locks of the engine of a board."),
        ("ENGINE_BARRIERS", board::ENGINE_BARRIERS as u64, "Barriers of the engine of a board."),
    ] {
        let _ = writeln!(out, "#: {doc}\n{name}: Final = {value}");
    }
    out.push_str("#: Parameters of `smb` and `ring_node` in Verilog, with their defaults.\nPARAMETERS: Final[dict[str, int]] = {\n");
    for (name, value) in [
        ("MEM_ADDR_W", board::MEM_ADDR_W),
        ("TX_ADDR_W", board::TX_ADDR_W),
        ("TX_FRAME_W", board::TX_FRAME_W),
        ("SIGNAL_W", board::SIGNAL_W),
        ("MAIL_W", board::MAIL_W),
        ("ENGINE_NODE_W", board::ENGINE_NODE_W),
        ("JOIN", board::JOIN),
        ("BUFFER_ADDR_W", node::BUFFER_ADDR_W),
        ("RX_ADDR_W", node::RX_ADDR_W),
        ("RX_HEADER_ADDR_W", node::RX_HEADER_ADDR_W),
        ("TOKEN_RUN", node::TOKEN_RUN),
    ] {
        let _ = writeln!(out, "    {}: {value},", text(name));
    }
    out.push_str("}\n");
}

/// An enumeration: name, code and documentation of each member.
fn one(
    out: &mut String,
    name: &str,
    doc: &str,
    all: impl Iterator<Item = (&'static str, u8, &'static str)>,
) {
    let _ = write!(out, "\n\nclass {name}(IntEnum):\n    \"\"\"{doc}\"\"\"\n\n");
    for (name, code, doc) in all {
        let _ = writeln!(out, "    #: {doc}\n    {} = {code}", name.to_uppercase());
    }
}

fn enums(out: &mut String) {
    macro_rules! all {
        ($type:ident) => {
            $type::ALL.iter().map(|one| (one.name(), one.code(), one.doc()))
        };
    }
    one(out, "Token", "Kind of a frame: TOKEN, 3 bits.", all!(Token));
    one(out, "Check", "Verdict of the receiver on a frame.", all!(Check));
    one(out, "TxStatus", "Verdict of the transmitter on a header.", all!(TxStatus));
    one(out, "FrameKind", "Kind of a frame at the node where it arrives.", all!(FrameKind));
    one(out, "TxClass", "Class of a frame that a node sends.", all!(TxClass));
    one(out, "Counter", "Counters of a node.", all!(Counter));
    one(out, "BoardCounter", "Counters of a board.", all!(BoardCounter));
    one(out, "Interrupt", "Bits of IRQ_STATUS and IRQ_ENABLE.", all!(Interrupt));
    one(
        out,
        "EngineInterrupt",
        "Bits of ENGINE_IRQ_STATUS and ENGINE_IRQ_ENABLE.",
        all!(EngineInterrupt),
    );
    one(out, "JoinInterrupt", "Bits of JOIN_IRQ_STATUS and JOIN_IRQ_ENABLE.", all!(JoinInterrupt));
    one(out, "JoinCommand", "What a host orders with JOIN_COMMAND.", all!(JoinCommand));
    one(
        out,
        "Order",
        "Order of a signal against the data that its host wrote before it.",
        all!(Order),
    );
}

fn layout(out: &mut String) {
    out.push_str("\n\n#: Fields of the header, in the order of the link.\nLAYOUT: Final[tuple[HeaderField, ...]] = (\n");
    for l in LAYOUT {
        let (name, thesis) = (text(l.field.name()), text(l.field.thesis_name()));
        let _ = writeln!(
            out,
            "    HeaderField({name}, {thesis}, {}, {}, {}),",
            l.bit,
            l.bits,
            text(l.doc)
        );
    }
    out.push_str(")\n");
}

fn signals(out: &mut String) {
    out.push_str("\n#: Signals of the firmware.\nSIGNALS: Final[tuple[Signal, ...]] = (\n");
    for &s in Signal::ALL {
        let mut fields = String::new();
        for f in s.fields() {
            let _ = write!(fields, "SignalField({}, {}, {}), ", text(f.name), f.offset, f.bytes);
        }
        let _ = writeln!(
            out,
            "    Signal({}, Token.{}, 0b{:05b}, {}, ({}), {}),",
            text(s.name()),
            s.token().name().to_uppercase(),
            s.c_st(),
            text(s.node_id_meaning()),
            fields.trim_end(),
            text(s.doc()),
        );
    }
    out.push_str(")\n");
}

fn registers(out: &mut String, name: &str, doc: &str, all: &[board::Register]) {
    let _ = write!(out, "\n#: {doc}\n{name}: Final[tuple[Register, ...]] = (\n");
    for r in all {
        let mut fields = String::new();
        for f in r.fields {
            let _ = write!(
                fields,
                "\n        BitField({}, {}, {}, {}),",
                text(f.name),
                f.bit,
                f.bits,
                text(f.doc)
            );
        }
        let end = if fields.is_empty() { "" } else { "\n    " };
        let _ = writeln!(
            out,
            "    Register({}, 0x{:03X}, {}, {}, 0x{:X}, {}, ({fields}{end})),",
            text(r.name),
            r.offset.0,
            r.count,
            text(r.access.name()),
            r.reset,
            text(r.doc),
        );
    }
    out.push_str(")\n");
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn a_literal_escapes_what_would_end_it() {
        assert_eq!(text("a \"b\" \\"), "\"a \\\"b\\\" \\\\\"");
    }
}
