// SPDX-License-Identifier: MIT OR Apache-2.0
//! A ring of boards, the fibre between them and a host for each (RING-1 to RING-3).
//!
//! ```
//! use awgstar_board::ring::{BoardRing, BoardScenario, boards};
//! use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
//!
//! let mut ring = BoardRing::new(&BoardScenario::new(2))?;
//! ring.push(0, boards::configure(NodeId(0), 1, 2_000, 500))?;
//! ring.push(1, boards::configure(NodeId(1), 1, 2_000, 500))?;
//! ring.push(0, boards::write_block(ByteAddress(0x100), b"shared"))?;
//! ring.run_until(Cycle(20_000));
//! assert_eq!(boards::bytes(ring.board(1), ByteAddress(0x100), 6), b"shared");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod host;
mod operations;
mod pins;
mod scenario;
mod smb;
mod survey;

pub use super::access::{HostOp, HostResult, Outcome};
pub use super::board::Board;
pub use super::member::{Member, Now};
pub use super::routes::Aim;
pub use super::scenario::{Cut, Dead, Noise, Slow};
pub use host::BoardHost;
pub use operations::{
    Counted, Engine, WINDOW, bytes, configure, configure_engine, count, in_window, read_block,
    register, send_signal, wait_synced, write_block,
};
pub use pins::{Axi4, Axil, Pins};
pub use scenario::BoardScenario;
pub use survey::Survey;

use super::fibre::Fibre;
use super::member::sealed;
use super::place::Place;
use super::scenario::{RESET_CYCLES, ScenarioError};
use super::sweep::{Ring, Setting};
use crate::rtl::{Smb, state::Buffer};
use awgstar_frame::quantity::Cycle;

pub type BoardRing = Ring<Smb>;

impl sealed::Sealed for BoardScenario {}

impl Setting for BoardScenario {
    type Member = Smb;

    fn ring(&self) -> Result<BoardRing, ScenarioError> {
        BoardRing::of_boards(self)
    }
}

/// A ring before its first cycle; `host` makes the host of each board.
pub(super) fn with_hosts<M: Board>(
    scenario: &BoardScenario,
    mut host: impl FnMut(usize) -> M::Host,
) -> Result<Ring<M>, ScenarioError> {
    scenario.check()?;
    let board = |(i, &delay): (usize, &u32)| {
        let fibre = Fibre::new(i, delay, &scenario.faults)
            .with_noise(scenario.noise.rate, scenario.noise.seed ^ i as u64);
        let mut place = Place::new(host(i), fibre);
        place.reset_until = RESET_CYCLES.0;
        place.dead_from = Dead::from(&scenario.dead, i);
        (M::with(&scenario.parameters), place)
    };
    let mut ring = Ring::of(scenario.fibre.iter().enumerate().map(board));
    (ring.cuts, ring.slow) = (scenario.cuts.clone(), scenario.slow.clone());
    Ok(ring)
}

impl<M: Board> Ring<M> {
    /// A ring of boards with hosts for operations, before its first cycle.
    ///
    /// # Errors
    /// If the scenario is invalid; the error names the first wrong entry.
    pub fn of_boards(scenario: &BoardScenario) -> Result<Self, ScenarioError> {
        with_hosts(scenario, |_| M::host())
    }

    /// Removes and returns the finished operations of the host of board `i`; empty if there is no
    /// such board.
    pub fn take_results(&mut self, i: usize) -> Vec<HostResult> {
        self.places.get_mut(i).map(|place| M::take_results(&mut place.host)).unwrap_or_default()
    }

    /// Appends operations to the queue of the host of board `i`.
    ///
    /// # Errors
    /// If there is no such board, or an operation is invalid; the queue does not change then.
    pub fn push(
        &mut self,
        i: usize,
        operations: impl IntoIterator<Item = HostOp>,
    ) -> Result<(), ScenarioError> {
        let place = self.place("operations", i)?.1;
        M::push(&mut place.host, operations.into_iter().collect())
    }

    /// Operations of the host of board `i` that are over.
    ///
    /// # Panics
    /// If there is no such board.
    pub fn results(&self, i: usize) -> &[HostResult] {
        M::results(&self.places[i].host)
    }

    /// Nothing waits at the host of board `i` or is under way.
    ///
    /// # Panics
    /// If there is no such board.
    pub fn is_idle(&self, i: usize) -> bool {
        M::is_idle(&self.places[i].host)
    }

    pub fn boards(&self) -> usize {
        self.members.len()
    }

    /// Board `i`, as it is before the next edge.
    ///
    /// # Panics
    /// If there is no such board.
    pub fn board(&self, i: usize) -> &M {
        &self.members[i]
    }

    /// The replica of board `i`, to [watch](Buffer::watch) it. A board that is skipped stays so.
    ///
    /// # Panics
    /// If there is no such board.
    pub fn replica_mut(&mut self, i: usize) -> &mut Buffer<u32> {
        &mut self.members[i].u_memory.mem
    }

    /// Board `i`, to be given another state.
    ///
    /// # Panics
    /// If there is no such board.
    pub fn board_mut(&mut self, i: usize) -> &mut M {
        self.wake(i).0
    }

    /// Resets board `i` for the next `cycles` cycles; its host forgets the operations that wait.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn reset(&mut self, i: usize, cycles: Cycle) -> Result<(), ScenarioError> {
        let until = self.cycle.saturating_add(cycles.0);
        let (_, place) = self.place("reset", i)?;
        place.reset_until = until;
        M::forget(&mut place.host);
        Ok(())
    }

    /// Nothing waits at any host whose board is alive.
    pub fn hosts_idle(&self) -> bool {
        self.places.iter().all(|place| place.dead_from <= self.cycle || M::is_idle(&place.host))
    }
}
