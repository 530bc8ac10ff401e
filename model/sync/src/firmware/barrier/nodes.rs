// SPDX-License-Identifier: MIT OR Apache-2.0
//! A set of nodes.

use awgstar_frame::quantity::{NodeId, narrow};

/// Nodes of a ring, 256 at most: who takes part in a barrier, or who has arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Nodes([u64; 4]);

impl Nodes {
    /// No node.
    pub const NONE: Nodes = Nodes([0; 4]);

    const fn place(node: NodeId) -> (usize, u64) {
        (node.index() / 64, 1 << (node.0 % 64))
    }

    /// Puts `node` in; `false` takes it out.
    pub fn set(&mut self, node: NodeId, within: bool) {
        let (word, bit) = Self::place(node);
        if within {
            self.0[word] |= bit;
        } else {
            self.0[word] &= !bit;
        }
    }

    /// Puts `node` in.
    pub fn insert(&mut self, node: NodeId) {
        self.set(node, true);
    }

    /// Bit i of word w is node 32 w + i.
    #[must_use]
    pub fn words(&self) -> [u32; 8] {
        std::array::from_fn(|w| {
            let [low, high] = [self.0[w / 2] & 0xffff_ffff, self.0[w / 2] >> 32];
            narrow(if w % 2 == 0 { low } else { high })
        })
    }

    /// Takes all out.
    pub fn clear(&mut self) {
        *self = Nodes::default();
    }

    /// `node` is in.
    pub fn contains(&self, node: NodeId) -> bool {
        let (word, bit) = Self::place(node);
        self.0[word] & bit != 0
    }

    /// The lowest node that is in.
    pub fn first(&self) -> Option<NodeId> {
        (0..=u8::MAX).map(NodeId).find(|&node| self.contains(node))
    }

    /// Those of these nodes that are not in `others`.
    #[must_use]
    pub fn without(&self, others: &Nodes) -> Nodes {
        let mut rest = *self;
        rest.0.iter_mut().zip(others.0).for_each(|(word, other)| *word &= !other);
        rest
    }

    /// Every node from the lowest one up.
    pub fn iter(&self) -> impl Iterator<Item = NodeId> {
        (0..=u8::MAX).map(NodeId).filter(|&node| self.contains(node))
    }
}

impl FromIterator<NodeId> for Nodes {
    fn from_iter<I: IntoIterator<Item = NodeId>>(nodes: I) -> Self {
        let mut set = Nodes::default();
        nodes.into_iter().for_each(|node| set.insert(node));
        set
    }
}
