// SPDX-License-Identifier: MIT OR Apache-2.0
//! A ring of nodes or of boards, the fibre between them and their hosts (RING-1 to RING-4).
//!
//! ```
//! use awgstar_frame::{contract::Token, quantity::Cycle};
//! use awgstar_board::ring::{Outgoing, Ring, Scenario, Send};
//!
//! let frame = Outgoing { addr: 0x100, ..Outgoing::new(Token::Data, vec![1, 2, 3]) };
//! let mut scenario = Scenario::new(4, 1, Cycle(1_000));
//! scenario.sends.push(Send { node: 2, cycle: Cycle(0), frame });
//! let mut ring = Ring::new(&scenario)?;
//! while !ring.done() {
//!     ring.step();
//! }
//! assert_eq!(ring.host(3).delivered()[0].data, [1, 2, 3]);
//! assert!(ring.host(2).returned()[0].good);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod ahead;
mod board;
pub mod boards;
pub mod burst;
mod faults;
mod fibre;
mod host;
mod light;
mod member;
mod nodes;
mod place;
mod port;
mod records;
mod routes;
mod scenario;
pub mod star;
mod sweep;

pub use board::Board;
pub use boards::{BoardHost, BoardRing, BoardScenario, HostOp, HostResult, Outcome};
pub use burst::BurstRing;
pub use fibre::Word;
pub use host::Host;
pub use member::{Member, Now};
pub use nodes::NodeRing;
pub use port::pattern;
pub use records::{Counts, Delivered, Returned, Sent};
pub use scenario::{
    FIBRE_MAX, Fault, FaultKind, LEN_MAX, NODES_MAX, Outgoing, RESET_CYCLES, Saturate, Scenario,
    ScenarioError, Send, node_mac,
};
pub use sweep::{Look, Ring, Setting};
