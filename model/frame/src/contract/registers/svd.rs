// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders `hdl/registers/awgstar_smb.svd`: the registers in CMSIS-SVD, for debuggers and `svd2rust`.

use super::{Item, MEMORY, RANGE, SUMMARY, WINDOW, WINDOW_BYTES, all, describe, items, xml};
use crate::contract::board::{Access, Register, VERSION};
use alloc::{format, string::String};
use core::fmt::Write;

/// The text of `hdl/registers/awgstar_smb.svd`.
#[must_use]
pub fn text() -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <!-- SPDX-License-Identifier: MIT OR Apache-2.0\n     \
         Generated from the contract (model/frame/src/contract) by `awgstar contract generate`.\n     \
         Do not edit: `awgstar contract check` and the tests fail on drift.\n     \
         Base addresses are those of the host port; add that of the board in your system. -->\n\
         <device schemaVersion=\"1.3\" xmlns:xs=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xs:noNamespaceSchemaLocation=\"CMSIS-SVD.xsd\">\n",
    );
    let version = VERSION.reset;
    let _ = write!(
        out,
        "  <vendor>AWG-STAR</vendor>\n  <vendorID>awgstar</vendorID>\n  <name>AWGSTAR_SMB</name>\n  <version>{version}</version>\n  \
         <description>{}</description>\n  <addressUnitBits>8</addressUnitBits>\n  <width>32</width>\n  \
         <size>32</size>\n  <access>read-write</access>\n  <resetValue>0x00000000</resetValue>\n  \
         <resetMask>0xFFFFFFFF</resetMask>\n  <peripherals>\n    <peripheral>\n      <name>SMB</name>\n      \
         <version>{version}</version>\n      <description>Registers of the host port</description>\n      \
         <groupName>SMB</groupName>\n      <baseAddress>0x00000000</baseAddress>\n      <addressBlock>\n        \
         <offset>0x0</offset>\n        <size>0x{RANGE:X}</size>\n        <usage>registers</usage>\n      \
         </addressBlock>\n      <registers>\n",
        xml(SUMMARY)
    );
    for register in all() {
        one(&mut out, register);
    }
    let _ = write!(
        out,
        "      </registers>\n    </peripheral>\n    <peripheral>\n      <name>SMB_MEMORY</name>\n      \
         <version>{version}</version>\n      <description>{}</description>\n      <groupName>SMB</groupName>\n      \
         <baseAddress>0x{WINDOW:08X}</baseAddress>\n      <addressBlock>\n        <offset>0x0</offset>\n        \
         <size>0x{WINDOW_BYTES:X}</size>\n        <usage>buffer</usage>\n      </addressBlock>\n      <registers>\n        \
         <register>\n          <dim>{}</dim>\n          <dimIncrement>4</dimIncrement>\n          \
         <name>WORD[%s]</name>\n          <description>{}</description>\n          <addressOffset>0x0</addressOffset>\n          \
         <resetMask>0x00000000</resetMask>\n        </register>\n      </registers>\n    </peripheral>\n  </peripherals>\n</device>\n",
        xml(MEMORY),
        WINDOW_BYTES / 4,
        xml(MEMORY)
    );
    out
}

const fn access(access: Access) -> &'static str {
    match access {
        Access::Ro => "read-only",
        Access::Wo => "write-only",
        Access::Rw | Access::Config | Access::W1c | Access::W1s => "read-write",
    }
}

fn one(out: &mut String, register: &Register) {
    out.push_str("        <register>\n");
    let row = register.count > 1;
    if row {
        let _ = writeln!(out, "          <dim>{}</dim>", register.count);
        out.push_str("          <dimIncrement>4</dimIncrement>\n");
    }
    let _ = write!(
        out,
        "          <name>{}{}</name>\n          <description>{}</description>\n          \
         <addressOffset>0x{:03X}</addressOffset>\n          <access>{}</access>\n          \
         <resetValue>0x{:08X}</resetValue>\n",
        register.name,
        if row { "[%s]" } else { "" },
        xml(&describe(register)),
        register.offset.0,
        access(register.access),
        register.reset
    );
    if let Some(modified) = match register.access {
        Access::W1c => Some("oneToClear"),
        Access::W1s => Some("oneToSet"),
        _ => None,
    } {
        let _ = writeln!(out, "          <modifiedWriteValues>{modified}</modifiedWriteValues>");
    }
    if register.read_depends_on_state() {
        out.push_str("          <readAction>modifyExternal</readAction>\n");
    }
    out.push_str("          <fields>\n");
    for item in items(register) {
        field(out, &item);
    }
    out.push_str("          </fields>\n        </register>\n");
}

fn field(out: &mut String, item: &Item) {
    let _ = write!(
        out,
        "            <field>\n              <name>{}</name>\n              <description>{}</description>\n              \
         <bitOffset>{}</bitOffset>\n              <bitWidth>{}</bitWidth>\n",
        item.name,
        xml(&item.doc),
        item.bit,
        item.bits
    );
    if !item.values.is_empty() {
        out.push_str("              <enumeratedValues>\n");
        for v in &item.values {
            let value = format!("<value>{}</value>", v.code);
            let _ = writeln!(
                out,
                "                <enumeratedValue><name>{}</name><description>{}</description>{value}</enumeratedValue>",
                v.name,
                xml(v.doc)
            );
        }
        out.push_str("              </enumeratedValues>\n");
    }
    out.push_str("            </field>\n");
}
