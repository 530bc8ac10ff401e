// SPDX-License-Identifier: MIT OR Apache-2.0
//! The AWG router: a star of fibres that is a ring of boards (thesis 2.2.2; AWG-1 to AWG-8).
//!
//! * [`Router`]: which wavelength leads from which input port to which output port.
//! * [`ring_order`]: the ring that the transmitters' wavelengths make.
//! * [`Star`]: the controller that leads the light round a dead board, and back through one that
//!   returns, on the cycle-accurate ring of boards.
//! * [`recovery`]: a run with hosts that write all the while, its times, and what must hold after it.

mod change;
mod network;
mod order;
pub mod recovery;
mod router;

pub use change::{Change, Times};
pub use network::Star;
pub use order::{OrderError, Transmitter, ring_order, wavelengths};
pub use router::{CHANNELS, FSR, LAST, PORTS, Router, RouterError, STEP, WAVELENGTH_0};
