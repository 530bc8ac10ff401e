// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of boards, each cycle-accurate, joined by gateways.
//!
//! Each ring has a gateway, node 0, and processes on its other nodes. A message between gateways takes at least the
//! latency of its wire, so all rings go on for that long before they meet, on as many threads as there are: what a run
//! does follows from its settings alone.

mod build;
mod client;
mod common;
mod gateway;
mod levels;
mod look;
mod run;
mod tap;
mod wire;

pub use build::{LOCKS_MAX, Mesh, MeshError, Processes, RINGS_MAX};
pub use client::{FarProcess, OWN_LOCKS};
pub use common::{Common, Counts, Failure};
pub use gateway::{Carried, GatewayHost, Link};
pub use levels::{Levels, single};
pub use run::{Rings, RingsError, Side, Stepped, System};
pub use wire::{Pace, Receiver, Sender, wire};
