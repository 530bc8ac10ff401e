// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of the board for formats of other tools. A C header and `SystemRDL` are written here;
//! `awgstar` writes CMSIS-SVD from the same fields, and `PeakRDL` makes IP-XACT of the `SystemRDL`.
//!
//! All are made from [`registers`] and the codes of the contract. Fields that
//! are a row of interrupts become one field for each interrupt.

pub mod c_header;
pub mod system_rdl;

use super::board::{JOIN_REGISTERS, MEM_ADDR_W, Named, Register, WINDOW_BIT, registers};
use alloc::{
    string::{String, ToString},
    vec,
    vec::Vec,
};

/// Bytes of address space that the registers take.
pub const RANGE: u32 = 0x1000;
/// Byte address of the shared memory.
pub const WINDOW: u32 = 1 << WINDOW_BIT;
/// Bytes of the shared memory of a board with default parameters.
pub const WINDOW_BYTES: u32 = 4 << MEM_ADDR_W;
/// Description of the whole map.
pub const SUMMARY: &str = "Host port of the Shared Memory Board (SMB) of AWG-STAR, a reflective-memory board. \
     A register is read and written whole; any other access is answered with SLVERR and does nothing.";
/// Description of the shared memory.
pub const MEMORY: &str =
    "Local replica of the shared memory. A write goes to every other board of the ring.";
/// What is said of registers that are locked while the board is enabled.
const CONFIG: &str = "Written only while CONTROL.enable is 0.";
/// What is said of the registers of the engine.
const ENGINE: &str = "Only on boards with ENGINE_NODE_W other than 0.";
/// What is said of the registers of a board that can join.
const JOIN: &str = "Only on boards with JOIN = 1.";
/// What is said of registers whose values follow from parameters of the board.
const PARAMETER: &str = "The value after reset is that of a board with default parameters.";

/// A field as these formats need it.
#[derive(Clone, Debug)]
pub struct Item {
    /// Name in lower case.
    pub name: String,
    /// The lowest bit.
    pub bit: usize,
    /// Width.
    pub bits: usize,
    /// Description, in Markdown.
    pub doc: String,
    /// Value after reset.
    pub reset: u32,
    /// Names of values; empty for a number.
    pub values: Vec<Named>,
}

impl Item {
    pub(super) const fn mask(&self) -> u32 {
        mask(self.bits) << self.bit
    }
}

const fn mask(bits: usize) -> u32 {
    u32::MAX >> (32 - bits)
}

/// Every register, by address.
pub fn all() -> impl Iterator<Item = &'static Register> {
    registers()
}

/// The fields of a register; one named `value` if it has none.
pub fn items(register: &Register) -> Vec<Item> {
    let reset = |bit: usize, bits: usize| register.reset >> bit & mask(bits);
    if register.fields.is_empty() {
        let (name, doc) = ("value".to_string(), register.doc.to_string());
        return vec![Item { name, bit: 0, bits: 32, doc, reset: register.reset, values: vec![] }];
    }
    let mut items = Vec::new();
    for f in register.fields {
        if f.values.are_flags() {
            items.extend(f.values.names().iter().map(|one| {
                let bit = f.bit + usize::from(one.code);
                let (name, doc) = (one.name.to_string(), one.doc.to_string());
                Item { name, bit, bits: 1, doc, reset: reset(bit, 1), values: vec![] }
            }));
        } else {
            let (name, doc, values) = (f.name.to_string(), f.doc.to_string(), f.values.names());
            let (bit, bits) = (f.bit, f.bits);
            items.push(Item { name, bit, bits, doc, reset: reset(bit, bits), values });
        }
    }
    items
}

/// Description of a register, with what is not in its fields.
#[must_use]
pub fn describe(register: &Register) -> String {
    use super::board::{Access, ENGINE_STATUS, MEM_SIZE, TX_FREE};
    let mut text = plain(register.doc);
    text.push('.');
    let mut add = |more: &str| {
        text.push(' ');
        text.push_str(more);
    };
    if register.access == Access::Config {
        add(CONFIG);
    }
    if [MEM_SIZE.offset, TX_FREE.offset].contains(&register.offset) {
        add(PARAMETER);
    }
    if JOIN_REGISTERS.contains(register) {
        add(JOIN);
    }
    if register.offset >= ENGINE_STATUS.offset {
        add(ENGINE);
    }
    text
}

/// Text of a description without the marks of Markdown.
#[must_use]
pub fn plain(text: &str) -> String {
    text.replace('`', "")
}
