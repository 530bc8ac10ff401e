// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a ring asks of its members and their hosts.

use super::fibre::Word;
use crate::rtl::RingEgress;
use std::fmt::Debug;

pub(super) mod sealed {
    pub trait Sealed {}
    impl Sealed for crate::rtl::RingNode {}
    impl Sealed for crate::rtl::Smb {}
    impl Sealed for crate::rtl::SmbAxi4 {}
}

/// A cycle of a member of a ring.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// Number of the cycle.
    pub cycle: u64,
    /// The member is in reset. The host of a node knows that itself.
    pub reset: bool,
    /// Word on its input.
    pub word: Option<Word>,
}

/// What a ring can be made of: `ring_node`, `smb` or `smb_axi4`.
pub trait Member: sealed::Sealed + Clone + Debug {
    type Inputs;
    type Outputs;
    /// Host at its ports.
    type Host: Clone + Debug;

    /// Cycles in which it could rest, one after the other, before it does.
    const CALM: u8;

    /// One cycle with its host; with `SEEN`, `look` sees the member just before the edge.
    fn cycle<const SEEN: bool>(
        &mut self,
        host: &mut Self::Host,
        now: Now,
        look: impl FnOnce(&Self, &Self::Inputs, &Self::Outputs),
    );
    /// Where words leave it.
    fn egress(&self) -> &RingEgress;
    /// Edges from `cycle` on that only count, when no word comes; 0 if the next one does more.
    fn rests(&self, host: &Self::Host, cycle: u64) -> u64;
    /// Such edges, from that of cycle `from` to that before `until`.
    fn pass(&mut self, from: u64, until: u64);

    /// The word on its output, as it is before the next edge.
    #[inline]
    fn leaving(&self) -> Option<Word> {
        let out = self.egress();
        out.m_valid_q.then(|| Word {
            data: out.m_data_q,
            keep: out.keep(),
            last: out.m_last_q,
            user: out.m_user_q,
        })
    }
}
