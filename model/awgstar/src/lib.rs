// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bit-accurate, cycle-accurate model of a reflective-memory ring.
//!
//! Every computer on the ring has a Shared Memory Board (SMB). A write on one board appears at the
//! same address on every other board. A ring of four boards; the host of board 0 writes a word:
//!
//! ```
//! use awgstar::quantity::{ByteAddress, Cycle, NodeId};
//! use awgstar::ring::{BoardRing, BoardScenario, boards};
//!
//! let mut ring = BoardRing::new(&BoardScenario::new(4))?;
//! for node in NodeId::all(4) {
//!     ring.push(node.index(), boards::configure(node, 1, 2_000, 500))?;
//! }
//! ring.push(0, boards::write_block(ByteAddress(0x100), b"shared"))?;
//! ring.run_until(Cycle(20_000));
//! assert_eq!(boards::bytes(ring.board(3), ByteAddress(0x100), 6), b"shared");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`contract`] and [`codec`]: the frame, its fields and codes (crate `awgstar-frame`).
//! * [`ring`], [`rtl`], [`trace`]: nodes, boards and rings, cycle by cycle (crate `awgstar-board`).
//! * [`firmware`], [`check`]: locks, barriers, paging and their model checker (crate `awgstar-sync`).
//! * [`request`], [`stall`]: what a process asks of its machine, and whether a run of processes that wait can go on
//!   (crate `awgstar-request`).
//! * [`host`]: programs with locks and barriers on a ring of boards (crate `awgstar-host`).
//!
//! The evaluation of the AWG-STAR thesis, in nanoseconds, is the crate `awgstar-thesis`, and processes of the
//! operating system on the ring are `awgstar-program`: both depend on the core, and the core on none of them.
//!
//! Requirement ids such as `FRM-3` refer to `docs/spec.md`.
#![forbid(unsafe_code)]

pub use awgstar_board::{ring, rtl, trace};
pub use awgstar_frame::{Tap, codec, contract, quantity, random};
pub use awgstar_host as host;
pub use awgstar_request as request;
pub use awgstar_request::stall;
pub use awgstar_sync::{check, firmware, record, repairs, states};

/// Pages whose Rust is compiled and run by the documentation tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = include_str!("../../../docs/engine.md")]
    mod engine {}
    #[doc = include_str!("../../../docs/paging.md")]
    mod paging {}
    #[doc = include_str!("../../../docs/protocols.md")]
    mod protocols {}
}
