// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders `hdl/driver/smb_registers.h`: offsets, masks, shifts, values after reset and codes for C.

use super::{Item, WINDOW, WINDOW_BYTES, all, items, plain};
use crate::contract::{
    BoardCounter, Counter, EngineInterrupt, Field, Interrupt, JoinCommand, JoinInterrupt, LAYOUT,
    Order, Signal, Token,
    board::{self, Access, ENGINE_BARRIERS, ENGINE_LOCKS, RETRY_LIMIT, SIGNAL_MAX},
    signal::{PROCESS_C_ST, PROCESS_FIELDS, SignalField},
};
use alloc::{collections::BTreeSet, format, string::String};
use core::fmt::{Display, Write};

/// The text of `hdl/driver/smb_registers.h`.
#[must_use]
pub fn header() -> String {
    let mut out = String::from(
        "/* SPDX-License-Identifier: MIT OR Apache-2.0\n \
         * Registers and codes of the board, for C99 and C++11.\n \
         * Generated from the contract (model/frame/src/contract) by `cargo xtask contract generate`.\n \
         * Do not edit: `cargo xtask contract check` and the tests fail on drift.\n \
         *\n \
         * Of register R:  SMB_R_OFFSET byte address, SMB_R_RESET value after reset, SMB_R_COUNT registers of a row.\n \
         * Of field F:     SMB_R_F_SHIFT lowest bit, SMB_R_F_MASK its bits in the register. */\n\
         #ifndef SMB_REGISTERS_H\n#define SMB_REGISTERS_H\n\n#include <stdint.h>\n",
    );
    section(&mut out, "Address space of the host port");
    hex(&mut out, "WINDOW", WINDOW);
    hex(&mut out, "WINDOW_BYTES_DEFAULT", WINDOW_BYTES);
    for register in all() {
        let access = register.access.name();
        let _ = write!(out, "\n/* {}: {access}. {}. */\n", register.name, plain(register.doc));
        hex(&mut out, &format!("{}_OFFSET", register.name), register.offset.0);
        if register.access != Access::Wo {
            hex(&mut out, &format!("{}_RESET", register.name), register.reset);
        }
        if register.count > 1 {
            number(&mut out, &format!("{}_COUNT", register.name), register.count);
        }
        if !register.fields.is_empty() {
            for item in items(register) {
                field(&mut out, register.name, &item);
            }
        }
    }
    codes(&mut out);
    mail(&mut out);
    signals(&mut out);
    section(&mut out, "Sizes");
    let sizes = [
        ("SIGNAL_BYTES_MAX", SIGNAL_MAX),
        ("MAIL_MESSAGES_DEFAULT", 1 << board::MAIL_W),
        ("SIGNALS_DEFAULT", 1 << board::SIGNAL_W),
        ("TX_FRAMES_DEFAULT", 1 << board::TX_FRAME_W),
        ("RETRY_LIMIT", RETRY_LIMIT),
        ("ENGINE_LOCKS", ENGINE_LOCKS),
        ("ENGINE_BARRIERS", ENGINE_BARRIERS),
    ];
    for (name, value) in sizes {
        number(&mut out, name, value);
    }
    out.push_str("\n#endif\n");
    out
}

fn field(out: &mut String, register: &str, item: &Item) {
    let name = format!("{register}_{}", item.name.to_uppercase());
    let mask = format!("{name}_MASK");
    let _ = write!(
        out,
        "#define SMB_{:<40} {}\n#define SMB_{mask:<40} ",
        format!("{name}_SHIFT"),
        item.bit
    );
    let _ = writeln!(out, "UINT32_C(0x{:08X}) /* {} */", item.mask(), plain(&item.doc));
}

fn codes(out: &mut String) {
    section(out, "Interrupts: bits of IRQ_STATUS and IRQ_ENABLE");
    for one in Interrupt::ALL {
        hex(out, &format!("IRQ_{}", one.name().to_uppercase()), 1 << one.code());
    }
    section(out, "Interrupts of the engine: bits of ENGINE_IRQ_STATUS and ENGINE_IRQ_ENABLE");
    for one in EngineInterrupt::ALL {
        hex(out, &format!("ENGINE_IRQ_{}", one.name().to_uppercase()), 1 << one.code());
    }
    section(
        out,
        "Interrupts of a board that can join: bits of JOIN_IRQ_STATUS and JOIN_IRQ_ENABLE",
    );
    for one in JoinInterrupt::ALL {
        hex(out, &format!("JOIN_IRQ_{}", one.name().to_uppercase()), 1 << one.code());
    }
    section(out, "What JOIN_COMMAND orders");
    for one in JoinCommand::ALL {
        number(out, &format!("JOIN_{}", one.name().to_uppercase()), one.code());
    }
    section(out, "Counters: index of COUNT");
    for one in Counter::ALL {
        number(out, &format!("COUNTER_{}", one.name().to_uppercase()), one.code());
    }
    for one in BoardCounter::ALL {
        number(out, &format!("COUNTER_BOARD_{}", one.name().to_uppercase()), 16 + one.code());
    }
    out.push_str("\n/* TOKEN: kind of frame. */\nenum smb_token {\n");
    let tokens = Token::ALL.map(|one| (one.name(), one.code(), one.doc()));
    constants(out, "TOKEN", tokens.into_iter());
    out.push_str("\n/* Order of a signal against data written before. */\nenum smb_order {\n");
    constants(out, "ORDER", Order::ALL.iter().map(|one| (one.name(), one.code(), one.doc())));
}

fn constants<'a>(
    out: &mut String,
    prefix: &str,
    all: impl Iterator<Item = (&'a str, u8, &'a str)>,
) {
    let mut all = all.peekable();
    while let Some((name, code, doc)) = all.next() {
        let comma = if all.peek().is_some() { "," } else { "" };
        let _ =
            writeln!(out, "    SMB_{prefix}_{} = {code}{comma} /* {doc} */", name.to_uppercase());
    }
    out.push_str("};\n");
}

/// Words of `MAIL_DATA`: header bytes 6 to 9, MAC, MAC and length, Addr, Data.
fn mail(out: &mut String) {
    section(out, "Words of MAIL_DATA");
    for (name, word) in [("HEADER", 0), ("MAC_HIGH", 1), ("MAC_LOW", 2), ("ADDR", 3), ("DATA", 4)] {
        number(out, &format!("MAIL_WORD_{name}"), word);
    }
    section(out, "Fields of MAIL_DATA[SMB_MAIL_WORD_HEADER]");
    for l in LAYOUT.iter().filter(|l| (48..80).contains(&l.bit)) {
        let name = l.field.name().to_uppercase();
        number(out, &format!("MAIL_{name}_SHIFT"), 80 - l.bit - l.bits);
        hex(out, &format!("MAIL_{name}_MASK"), super::mask(l.bits) << (80 - l.bit - l.bits));
    }
    section(out, "Fields of MAIL_DATA[SMB_MAIL_WORD_MAC_LOW]");
    number(out, "MAIL_SOURCE_SHIFT", 16);
    hex(out, "MAIL_SOURCE_MASK", 0xff << 16);
    number(out, "MAIL_LEN_SHIFT", 0);
    hex(out, "MAIL_LEN_MASK", super::mask(crate::contract::LEN_BITS));
    debug_assert!(LAYOUT.iter().any(|l| l.field == Field::Mac && l.bit == 0 && l.bits == 48));
}

fn signals(out: &mut String) {
    out.push_str(
        "\n/* Signals of the firmware: TOKEN in bits 7 to 5, C.ST in bits 4 to 0, as in the upper byte of\n \
         * MAIL_DATA[SMB_MAIL_WORD_HEADER]. */\nenum smb_signal_code {\n",
    );
    let code = |token: Token, c_st: u8| token.code() << 5 | c_st;
    let named =
        Signal::ALL.iter().map(|one| (one.name(), code(one.token(), one.c_st()), one.doc()));
    let process = [
        ("process_p2p", code(Token::P2p, PROCESS_C_ST), "between processes, to one node"),
        ("process_broadcast", code(Token::Broadcast, PROCESS_C_ST), "between processes, to all"),
    ];
    constants(out, "SIGNAL", named.chain(process));
    number(out, "PROCESS_C_ST", PROCESS_C_ST);
    section(out, "Bytes of Data that the values of a signal fill");
    let mut places = BTreeSet::new();
    for signal in Signal::ALL {
        let end = signal.fields().iter().map(end).max().unwrap_or(0);
        number(out, &format!("{}_BYTES", signal.name().to_uppercase()), end);
        places.extend(signal.fields().iter().map(|f| (f.offset, f.name, f.bytes)));
    }
    number(out, "PROCESS_BYTES", PROCESS_FIELDS.iter().map(end).max().unwrap_or(0));
    let longest = Signal::ALL.iter().flat_map(|signal| signal.fields()).map(end).max();
    number(out, "MESSAGE_BYTES", longest.unwrap_or(0));
    section(out, "Values in the Data of signals: first byte and number of bytes, big-endian");
    for (offset, name, bytes) in places {
        number(out, &format!("DATA_{}", name.to_uppercase()), offset);
        number(out, &format!("DATA_{}_BYTES", name.to_uppercase()), bytes);
    }
    for f in PROCESS_FIELDS {
        number(out, &format!("DATA_PROCESS_{}", f.name.to_uppercase()), f.offset);
        number(out, &format!("DATA_PROCESS_{}_BYTES", f.name.to_uppercase()), f.bytes);
    }
}

const fn end(field: &SignalField) -> usize {
    field.offset + field.bytes
}

fn section(out: &mut String, title: &str) {
    let _ = write!(out, "\n/* {title}. */\n");
}

fn hex(out: &mut String, name: &str, value: u32) {
    let _ = writeln!(out, "#define SMB_{name:<40} UINT32_C(0x{value:08X})");
}

fn number(out: &mut String, name: &str, value: impl Display) {
    let _ = writeln!(out, "#define SMB_{name:<40} {value}");
}
