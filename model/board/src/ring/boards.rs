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

mod ahead;
mod faults;
mod host;
mod light;
mod member;
mod operations;
mod place;
mod routes;
mod scenario;
mod survey;

use awgstar_frame::quantity::Cycle;
pub use host::{BoardHost, HostOp, HostResult, Outcome};
pub use member::{Member, Now};
pub use operations::{
    Counted, Engine, WINDOW, bytes, configure, configure_engine, count, in_window, read_block,
    register, send_signal, wait_synced, write_block,
};
pub use routes::Aim;
pub use scenario::{BoardScenario, Cut, Dead, Noise, Slow};
pub use survey::Survey;

use super::fibre::{Fibre, Word};
use super::scenario::{RESET_CYCLES, ScenarioError};
use crate::rtl::{Parameters, Smb, SmbAxi4, state::Buffer};
use place::Place;

/// A ring of boards in a run: of `smb`, or of `smb_axi4` ([`BurstRing`](super::burst::BurstRing)).
#[derive(Clone, Debug)]
pub struct BoardRing<M: Member = Smb> {
    places: Vec<Place<M>>,
    cuts: Vec<Cut>,
    slow: Vec<Slow>,
    parameters: Parameters,
    /// Once light has been turned or lost.
    routes: Option<Box<routes::Routes>>,
    cycle: u64,
}

impl BoardRing {
    /// A ring before its first cycle.
    ///
    /// # Errors
    /// If the scenario is invalid; the error names the first wrong entry.
    pub fn new(scenario: &BoardScenario) -> Result<Self, ScenarioError> {
        Self::with_hosts(scenario, |_| BoardHost::default())
    }

    /// Removes and returns the finished operations of the host of board `i`; empty if there is no
    /// such board.
    pub fn take_results(&mut self, i: usize) -> Vec<HostResult> {
        self.places.get_mut(i).map(|place| place.host.take_results()).unwrap_or_default()
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
        let cycle = self.cycle;
        let place = self.place("operations", i)?;
        place.wake(cycle);
        place.host.push(operations)
    }
}

impl<M: Member> BoardRing<M> {
    /// A ring before its first cycle; `host` makes the host of each board.
    pub(super) fn with_hosts(
        scenario: &BoardScenario,
        mut host: impl FnMut(usize) -> M::Host,
    ) -> Result<Self, ScenarioError> {
        scenario.check()?;
        let place = |(i, &delay)| Place {
            board: M::with(&scenario.parameters),
            host: host(i),
            fibre: Fibre::new(i, delay, &scenario.faults)
                .with_noise(scenario.noise.rate, scenario.noise.seed ^ i as u64),
            reset_until: RESET_CYCLES.0,
            dead_from: scenario.dead_from(i),
            dark: false,
            rest: None,
            calm: 0,
        };
        Ok(BoardRing {
            places: scenario.fibre.iter().enumerate().map(place).collect(),
            parameters: scenario.parameters,
            cuts: scenario.cuts.clone(),
            slow: scenario.slow.clone(),
            routes: None,
            cycle: 0,
        })
    }

    /// The cycle that [`BoardRing::step`] does next.
    pub fn cycle(&self) -> Cycle {
        Cycle(self.cycle)
    }

    /// Boards of the ring.
    pub fn boards(&self) -> usize {
        self.places.len()
    }

    /// Board `i`, as it is before the next edge.
    ///
    /// # Panics
    /// If there is no such board.
    pub fn board(&self, i: usize) -> &M {
        &self.places[i].board
    }

    /// The replica of board `i`, to [watch](Buffer::watch) it. A board that is skipped stays so.
    ///
    /// # Panics
    /// If there is no such board.
    pub fn replica_mut(&mut self, i: usize) -> &mut Buffer<u32> {
        &mut self.places[i].board.blocks_mut().u_memory.mem
    }

    /// Board `i`, to be given another state.
    ///
    /// # Panics
    /// If there is no such board.
    pub fn board_mut(&mut self, i: usize) -> &mut M {
        self.places[i].wake(self.cycle);
        &mut self.places[i].board
    }

    /// The word on the output of board `i`, as it is before the next edge. One that dies or loses its power keeps the
    /// last.
    ///
    /// # Panics
    /// If there is no such board.
    pub fn leaving(&self, i: usize) -> Option<Word> {
        self.places[i].leaving()
    }

    /// The host of board `i`.
    ///
    /// # Panics
    /// If there is no such board.
    pub fn host(&self, i: usize) -> &M::Host {
        &self.places[i].host
    }

    /// The host of board `i`, to be given work.
    pub(super) fn host_of(&mut self, i: usize) -> &mut M::Host {
        self.places[i].wake(self.cycle);
        &mut self.places[i].host
    }

    fn place(&mut self, list: &'static str, i: usize) -> Result<&mut Place<M>, ScenarioError> {
        let nodes = self.places.len();
        let error = ScenarioError::NoSuchNode { list, index: 0, nodes, found: i };
        self.places.get_mut(i).ok_or(error)
    }

    /// Resets board `i` for the next `cycles` cycles; its host forgets the operations that wait.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn reset(&mut self, i: usize, cycles: Cycle) -> Result<(), ScenarioError> {
        let until = self.cycle.saturating_add(cycles.0);
        let cycle = self.cycle;
        let place = self.place("reset", i)?;
        place.wake(cycle);
        place.reset_until = until;
        M::forget(&mut place.host);
        Ok(())
    }

    /// Board `i` was passed over in the last cycle: what it reports has not changed.
    #[inline]
    pub fn is_skipped(&self, i: usize) -> bool {
        self.places[i].rest.is_some()
    }

    /// Nothing waits at any host whose board is alive.
    pub fn hosts_idle(&self) -> bool {
        self.places.iter().all(|place| place.dead_from <= self.cycle || M::is_idle(&place.host))
    }

    /// The word that link `i` gives in this cycle.
    #[inline]
    fn arriving(&mut self, i: usize) -> Option<Word> {
        let word = self.places[i].fibre.pop(self.cycle);
        let cycle = self.cycle;
        if self.cuts.iter().any(|cut| cut.link == i && (cut.from.0..cut.until.0).contains(&cycle)) {
            return None;
        }
        word
    }

    #[inline]
    fn sweep<const LAZY: bool>(
        &mut self,
        look: &mut impl FnMut(usize, &M, &M::Inputs, &M::Outputs),
    ) {
        let (cycle, last) = (self.cycle, self.places.len() - 1);
        if !self.slow.is_empty() {
            // A word is on the output in the cycle after the edge that puts it there.
            for (i, place) in self.places.iter_mut().enumerate() {
                place.fibre.slow(BoardScenario::late(&self.slow, i, cycle + 1));
            }
        }
        // Boards before this one have had their edge, but what they put on their output is meant
        // for the next cycle and waits in the fibre.
        let turned = self.routes.is_some();
        if turned {
            self.gather();
        }
        let mut arriving = if turned { None } else { self.arriving(last) };
        for i in 0..=last {
            let mut word = arriving;
            // The last link's word has been taken.
            arriving = if turned || i == last { None } else { self.arriving(i) };
            if let Some(routes) = &mut self.routes {
                word = routes.take(i);
            }
            let place = &mut self.places[i];
            if LAZY && word.is_none() && place.dozes(cycle) {
                continue;
            }
            place.wake(cycle);
            if place.dead_from <= cycle {
                if let Some(word) = word.filter(|_| !place.dark) {
                    place.fibre.push(cycle + 1, word);
                }
                continue;
            }
            place.clock(cycle, word, |board, inputs, outputs| look(i, board, inputs, outputs));
            if LAZY && word.is_none() {
                place.try_rest(cycle + 1);
            } else {
                place.calm = 0;
            }
        }
        self.cycle += 1;
    }
}

/// What runs a ring is compiled, and optimised, in this crate only: it is not generic.
macro_rules! drive {
    ($($board:ty)*) => { $(
        impl BoardRing<$board> {
            /// One cycle of all boards.
            pub fn step(&mut self) {
                self.sweep::<false>(&mut |_, _, _, _| {});
            }

            /// [`BoardRing::step`], with a look at every live board, its inputs and its outputs just before
            /// the edge.
            pub fn step_observed(
                &mut self,
                look: &mut dyn FnMut(
                    usize,
                    &$board,
                    &<$board as Member>::Inputs,
                    &<$board as Member>::Outputs,
                ),
            ) {
                self.sweep::<false>(&mut |i, board, inputs, outputs| look(i, board, inputs, outputs));
            }

            /// One cycle. What counts cycles in boards at rest lags until [`BoardRing::catch_up`].
            pub fn step_skipping(&mut self) {
                self.sweep::<true>(&mut |_, _, _, _| {});
            }

            /// Every register of every board is as it is in this cycle.
            pub fn catch_up(&mut self) {
                let cycle = self.cycle;
                for place in &mut self.places {
                    place.wake(cycle);
                }
            }

            /// Steps until [`BoardRing::cycle`] is `end`.
            pub fn run_until(&mut self, Cycle(end): Cycle) {
                while self.cycle < end {
                    self.step_skipping();
                }
                self.catch_up();
            }

            /// Steps until `done`, for `cycles` cycles at most; says whether it was.
            pub fn run_until_done(
                &mut self,
                cycles: Cycle,
                mut done: impl FnMut(&Self) -> bool,
            ) -> bool {
                let end = self.cycle.saturating_add(cycles.0);
                while !done(self) {
                    if self.cycle >= end {
                        return false;
                    }
                    self.step();
                }
                true
            }
        }
    )* };
}
drive! { Smb SmbAxi4 }
