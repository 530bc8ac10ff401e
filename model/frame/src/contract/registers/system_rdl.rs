// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders `hdl/registers/awgstar_smb.rdl`: the registers in `SystemRDL` 2.0.

use super::{CONFIG, Item, MEMORY, SUMMARY, WINDOW, WINDOW_BYTES, all, describe, items, plain};
use crate::contract::board::{
    Access, ENGINE_IRQ_ENABLE, ENGINE_IRQ_STATUS, IRQ_ENABLE, IRQ_STATUS, JOIN_IRQ_ENABLE,
    JOIN_IRQ_STATUS, Named, Register, Values,
};
use alloc::{format, string::String};
use core::fmt::Write;

/// The text of `hdl/registers/awgstar_smb.rdl`.
#[must_use]
pub fn text() -> String {
    let mut out = String::from(
        "// SPDX-License-Identifier: MIT OR Apache-2.0\n\
         // Generated from the contract (model/frame/src/contract) by `cargo xtask contract generate`.\n\
         // Do not edit: `cargo xtask contract check` and the tests fail on drift.\n\n",
    );
    let _ = write!(
        out,
        "property awgstar_config {{\n    component = reg;\n    type = boolean;\n}}; // {CONFIG}\n\n"
    );
    enumeration(&mut out, "smb_signal_token", 3, &Values::SignalTokens.names());
    enumeration(&mut out, "smb_order", 2, &Values::Orders.names());
    enumeration(&mut out, "smb_join_command", 2, &Values::JoinCommands.names());
    let _ = write!(
        out,
        "addrmap awgstar_smb {{\n    name = \"AWG-STAR SMB\";\n    desc = \"{SUMMARY}\";\n    \
         default regwidth = 32;\n    default accesswidth = 32;\n    littleendian;\n    lsb0;\n"
    );
    for register in all() {
        one(&mut out, register);
    }
    let _ = write!(
        out,
        "\n    external mem {{\n        name = \"Shared memory\";\n        desc = \"{MEMORY}\";\n        \
         mementries = {};\n        memwidth = 32;\n        sw = rw;\n    }} MEMORY @ 0x{WINDOW:08X};\n",
        WINDOW_BYTES / 4
    );
    let enables = [
        (IRQ_STATUS, IRQ_ENABLE),
        (JOIN_IRQ_STATUS, JOIN_IRQ_ENABLE),
        (ENGINE_IRQ_STATUS, ENGINE_IRQ_ENABLE),
    ];
    for (status, enable) in enables {
        out.push('\n');
        for item in items(&status) {
            let (s, e, f) = (status.name, enable.name, &item.name);
            let _ = writeln!(out, "    {s}.{f} -> enable = {e}.{f};");
        }
    }
    out.push_str("};\n");
    out
}

fn enumeration(out: &mut String, name: &str, bits: usize, values: &[Named]) {
    let _ = writeln!(out, "enum {name} {{");
    for v in values {
        let _ = writeln!(out, "    {} = {bits}'d{} {{ desc = \"{}\"; }};", v.name, v.code, v.doc);
    }
    out.push_str("};\n\n");
}

fn one(out: &mut String, register: &Register) {
    // A read with an effect of the user's is possible outside the generated registers only.
    let external = if register.read_depends_on_state() { "external " } else { "" };
    let _ = write!(out, "\n    {external}reg {{\n        desc = \"{}\";\n", describe(register));
    if register.access == Access::Config {
        out.push_str("        awgstar_config = true;\n");
    }
    for item in items(register) {
        field(out, register, &item);
    }
    let row = if register.count == 1 { String::new() } else { format!("[{}]", register.count) };
    let _ = writeln!(out, "    }} {}{row} @ 0x{:03X};", register.name, register.offset.0);
}

fn field(out: &mut String, register: &Register, item: &Item) {
    let access = match register.access {
        Access::Ro if register.read_depends_on_state() => "sw = r; onread = ruser; hw = w;",
        Access::Ro if register.changes() => "sw = r; hw = w;",
        Access::Ro => "sw = r; hw = na;",
        // A command is an event for the hardware, not a value.
        Access::Wo if register.is_command() => "sw = w; hw = r; swmod;",
        Access::Wo => "sw = w; hw = r;",
        Access::Rw | Access::Config => "sw = rw; hw = r;",
        Access::W1c => "sw = rw; onwrite = woclr; hw = w; level intr;",
        Access::W1s => "sw = rw; onwrite = woset; hw = r;",
    };
    let _ = write!(out, "        field {{ {access}");
    if let Some(name) = enumeration_of(item) {
        let _ = write!(out, " encode = {name};");
    }
    let _ = write!(out, " desc = \"{}\"; }} {}", plain(&item.doc), item.name);
    let _ = write!(out, "[{}:{}]", item.bit + item.bits - 1, item.bit);
    if register.access != Access::Wo {
        let _ = write!(out, " = 0x{:X}", item.reset);
    }
    out.push_str(";\n");
}

fn enumeration_of(item: &Item) -> Option<&'static str> {
    match item.values.first()? {
        first if Some(first) == Values::Orders.names().first() => Some("smb_order"),
        first if Some(first) == Values::JoinCommands.names().first() => Some("smb_join_command"),
        _ => Some("smb_signal_token"),
    }
}
