// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders `hdl/registers/awgstar_smb.xml`: the registers in IP-XACT, IEEE 1685-2014.

use super::{Item, MEMORY, RANGE, SUMMARY, WINDOW, WINDOW_BYTES, all, describe, items, xml};
use crate::contract::board::{Access, Register};
use alloc::string::String;
use core::fmt::Write;

/// The text of `hdl/registers/awgstar_smb.xml`.
#[must_use]
pub fn text() -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!-- SPDX-License-Identifier: MIT OR Apache-2.0\n     \
         Generated from the contract (model/frame/src/contract) by `awgstar contract generate`.\n     \
         Do not edit: `awgstar contract check` and the tests fail on drift. -->\n\
         <ipxact:component xmlns:ipxact=\"http://www.accellera.org/XMLSchema/IPXACT/1685-2014\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xsi:schemaLocation=\"http://www.accellera.org/XMLSchema/IPXACT/1685-2014 \
         http://www.accellera.org/XMLSchema/IPXACT/1685-2014/index.xsd\">\n",
    );
    let _ = write!(
        out,
        "  <ipxact:vendor>awgstar</ipxact:vendor>\n  <ipxact:library>awgstar</ipxact:library>\n  \
         <ipxact:name>awgstar_smb</ipxact:name>\n  <ipxact:version>{}</ipxact:version>\n  \
         <ipxact:memoryMaps>\n    <ipxact:memoryMap>\n      <ipxact:name>host</ipxact:name>\n      \
         <ipxact:description>{}</ipxact:description>\n      <ipxact:addressBlock>\n        \
         <ipxact:name>awgstar_smb</ipxact:name>\n        <ipxact:baseAddress>'h0</ipxact:baseAddress>\n        \
         <ipxact:range>'h{RANGE:X}</ipxact:range>\n        <ipxact:width>32</ipxact:width>\n        \
         <ipxact:usage>register</ipxact:usage>\n",
        env!("CARGO_PKG_VERSION"),
        xml(SUMMARY)
    );
    for register in all() {
        one(&mut out, register);
    }
    let _ = write!(
        out,
        "      </ipxact:addressBlock>\n      <ipxact:addressBlock>\n        <ipxact:name>MEMORY</ipxact:name>\n        \
         <ipxact:description>{}</ipxact:description>\n        <ipxact:baseAddress>'h{WINDOW:X}</ipxact:baseAddress>\n        \
         <ipxact:range>'h{WINDOW_BYTES:X}</ipxact:range>\n        <ipxact:width>32</ipxact:width>\n        \
         <ipxact:usage>memory</ipxact:usage>\n        <ipxact:volatile>true</ipxact:volatile>\n        \
         <ipxact:access>read-write</ipxact:access>\n      </ipxact:addressBlock>\n      \
         <ipxact:addressUnitBits>8</ipxact:addressUnitBits>\n    </ipxact:memoryMap>\n  </ipxact:memoryMaps>\n\
         </ipxact:component>\n",
        xml(MEMORY)
    );
    out
}

fn one(out: &mut String, register: &Register) {
    let _ = write!(
        out,
        "        <ipxact:register>\n          <ipxact:name>{}</ipxact:name>\n          \
         <ipxact:description>{}</ipxact:description>\n",
        register.name,
        xml(&describe(register))
    );
    if register.count > 1 {
        let _ = writeln!(out, "          <ipxact:dim>{}</ipxact:dim>", register.count);
    }
    let _ = write!(
        out,
        "          <ipxact:addressOffset>'h{:X}</ipxact:addressOffset>\n          <ipxact:size>32</ipxact:size>\n",
        register.offset.0
    );
    for item in items(register) {
        field(out, register, &item);
    }
    out.push_str("        </ipxact:register>\n");
}

fn field(out: &mut String, register: &Register, item: &Item) {
    let _ = write!(
        out,
        "          <ipxact:field>\n            <ipxact:name>{}</ipxact:name>\n            \
         <ipxact:description>{}</ipxact:description>\n            <ipxact:bitOffset>{}</ipxact:bitOffset>\n",
        item.name,
        xml(&item.doc),
        item.bit
    );
    if register.access != Access::Wo {
        let _ = writeln!(
            out,
            "            <ipxact:resets><ipxact:reset><ipxact:value>'h{:X}</ipxact:value></ipxact:reset></ipxact:resets>",
            item.reset
        );
    }
    let (access, modified) = match register.access {
        Access::Ro => ("read-only", None),
        Access::Wo => ("write-only", None),
        Access::Rw | Access::Config => ("read-write", None),
        Access::W1c => ("read-write", Some("oneToClear")),
        Access::W1s => ("read-write", Some("oneToSet")),
    };
    let _ = write!(
        out,
        "            <ipxact:bitWidth>{}</ipxact:bitWidth>\n            <ipxact:volatile>{}</ipxact:volatile>\n            \
         <ipxact:access>{access}</ipxact:access>\n",
        item.bits,
        register.changes()
    );
    if !item.values.is_empty() {
        out.push_str("            <ipxact:enumeratedValues>\n");
        for v in &item.values {
            let _ = writeln!(
                out,
                "              <ipxact:enumeratedValue><ipxact:name>{}</ipxact:name><ipxact:description>{}</ipxact:description>\
                 <ipxact:value>{}</ipxact:value></ipxact:enumeratedValue>",
                v.name,
                xml(v.doc),
                v.code
            );
        }
        out.push_str("            </ipxact:enumeratedValues>\n");
    }
    if let Some(modified) = modified {
        let _ = writeln!(
            out,
            "            <ipxact:modifiedWriteValue>{modified}</ipxact:modifiedWriteValue>"
        );
    }
    if register.read_depends_on_state() {
        out.push_str("            <ipxact:testable>false</ipxact:testable>\n");
    }
    out.push_str("          </ipxact:field>\n");
}
