// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a ring asks of its boards, and of their hosts.

use super::access::{HostOp, HostResult};
use super::fibre::Word;
use super::scenario::ScenarioError;
use super::sweep::Swept;
use crate::rtl::{Parameters, SmbCore, ring_node};
use std::ops::DerefMut;

/// A board of either kind.
pub trait Board: Swept + DerefMut<Target = SmbCore> {
    /// Words that a host hands over at once: those of a burst, or one.
    const BURST: usize;

    /// A board before its first edge.
    fn with(parameters: &Parameters) -> Self;
    /// A host for operations.
    fn host() -> Self::Host;
    /// Nothing waits at the host or is under way.
    fn is_idle(host: &Self::Host) -> bool;
    /// The host of a board that is reset.
    fn forget(host: &mut Self::Host);
    /// Operations after those that wait.
    ///
    /// # Errors
    /// If one is invalid; the queue does not change then.
    fn push(host: &mut Self::Host, ops: Vec<HostOp>) -> Result<(), ScenarioError>;
    /// Operations that are over.
    fn results(host: &Self::Host) -> &[HostResult];
    /// The same, which the host forgets.
    fn take_results(host: &mut Self::Host) -> Vec<HostResult>;
    /// The word that arrives.
    fn arriving(i: &Self::Inputs) -> Option<Word>;
    /// The ports of the node inside the board just before the edge, for an observer of its links such as
    /// [`Recorder`](crate::trace::Recorder).
    fn node_ports(&self, i: &Self::Inputs) -> (ring_node::Inputs, ring_node::Outputs);
}
