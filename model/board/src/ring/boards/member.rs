// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a ring of boards asks of a board and its host.

use super::host::BoardHost;
use crate::ring::fibre::Word;
use crate::rtl::state::State;
use crate::rtl::{Parameters, Smb, smb};
use std::fmt::Debug;

mod sealed {
    pub trait Sealed {}
    impl Sealed for crate::rtl::Smb {}
    impl Sealed for crate::rtl::SmbAxi4 {}
}

/// A cycle of a board on a ring.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// Number of the cycle.
    pub cycle: u64,
    /// The board is in reset.
    pub reset: bool,
    /// Word on its input.
    pub word: Option<Word>,
}

/// A board that a ring can have: `smb` or `smb_axi4`.
pub trait Member: sealed::Sealed + Clone + Debug {
    /// Inputs of the board.
    type Inputs;
    /// Outputs of the board.
    type Outputs;
    /// Host at its port.
    type Host: Clone + Debug;

    /// A board before its first edge.
    fn with(parameters: &Parameters) -> Self;
    /// All of it but its port.
    fn blocks(&self) -> &Smb;
    /// The same, to be changed.
    fn blocks_mut(&mut self) -> &mut Smb;
    /// One cycle with its host; `look` sees the board just before the edge.
    fn cycle(
        &mut self,
        host: &mut Self::Host,
        now: Now,
        look: impl FnOnce(&Self, &Self::Inputs, &Self::Outputs),
    );
    /// Edges from `cycle` on that only count, when no word comes; 0 if the next one does more.
    fn rests(&self, host: &Self::Host, cycle: u64) -> u64;
    /// That many such edges.
    fn pass(&mut self, cycles: u64);
    /// Nothing waits at the host or is under way.
    fn is_idle(host: &Self::Host) -> bool;
    /// The host of a board that is reset.
    fn forget(host: &mut Self::Host);
}

impl Member for Smb {
    type Inputs = smb::Inputs;
    type Outputs = smb::Outputs;
    type Host = BoardHost;

    fn with(parameters: &Parameters) -> Self {
        Smb::new(parameters)
    }

    #[inline]
    fn blocks(&self) -> &Smb {
        self
    }

    #[inline]
    fn blocks_mut(&mut self) -> &mut Smb {
        self
    }

    #[inline]
    fn cycle(
        &mut self,
        host: &mut BoardHost,
        Now { cycle, reset, word }: Now,
        look: impl FnOnce(&Smb, &smb::Inputs, &smb::Outputs),
    ) {
        if !reset {
            host.drive(cycle);
        }
        let inputs = &mut host.inputs;
        inputs.rst = reset;
        inputs.s_axis_tvalid = word.is_some();
        if let Some(Word { data, keep, last, user }) = word {
            (inputs.s_axis_tdata, inputs.s_axis_tkeep) = (data, keep);
            (inputs.s_axis_tlast, inputs.s_axis_tuser) = (last, user);
        }
        let outputs = self.outputs(inputs);
        look(self, inputs, &outputs);
        self.advance(inputs);
        if !reset {
            host.take(cycle, &outputs);
        }
    }

    #[inline]
    fn rests(&self, host: &BoardHost, cycle: u64) -> u64 {
        let Some(free) = host.free_until() else { return 0 };
        self.rests(&host.inputs).min(free.saturating_sub(cycle))
    }

    #[inline]
    fn pass(&mut self, cycles: u64) {
        self.skip(cycles);
    }

    fn is_idle(host: &BoardHost) -> bool {
        host.is_idle()
    }

    fn forget(host: &mut BoardHost) {
        host.forget();
    }
}
