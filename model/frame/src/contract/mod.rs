// SPDX-License-Identifier: MIT OR Apache-2.0
//! THE contract: every field position, code, length and timing constant, written once.
//!
//! Everything else derives from here: the codec in [`crate::codec`], `hdl/include/awgstar.vh` and
//! `hdl/crc32.v` ([`verilog`], [`crc_equations`]), the registers in formats of other tools
//! ([`registers`]), the dissector of Wireshark ([`wireshark`]), the package of [`systemverilog`], the tables of
//! `docs/contract.md` ([`tables`])
//! and the vector schema. `cargo xtask contract check` (also a test) fails when a generated file drifts.

pub mod board;
pub mod bundle;
pub mod capture;
pub mod check;
mod clock;
pub mod crc_equations;
pub mod fsm;
pub mod layout;
pub mod limits;
pub mod node;
pub mod page_table;
pub mod picture;
pub mod python;
pub mod registers;
pub mod signal;
pub mod systemverilog;
pub mod tables;
pub mod token;
pub mod verilog;
pub mod wireshark;

pub use board::{BoardCounter, EngineInterrupt, Interrupt, JoinCommand, JoinInterrupt, Order};
pub use bundle::{DATA_HDR_BITS, HDR_BITS, HDR_FIELDS, Hdr, HdrField, LEN_BITS, SIGNAL_HDR_BITS};
pub use check::{Check, TxStatus};
pub use layout::{Field, FieldLayout, HeaderWire, LAYOUT};
pub use node::{Counter, FrameKind, TxClass};
pub use page_table::PageTable;
pub use signal::{Signal, SignalField};
pub use token::Token;
