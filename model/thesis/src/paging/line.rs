// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times at which a frame leaves, arrives and returns.

use super::{Costs, line_ns};
use awgstar_frame::quantity::Nanoseconds;

/// A token: where it is given back, and when.
#[derive(Clone, Copy, Debug)]
struct Token {
    node: usize,
    free: Nanoseconds,
}

/// The ring's tokens and transmitters.
#[derive(Clone, Debug)]
pub(super) struct Line {
    costs: Costs,
    nodes: usize,
    tokens: Vec<Token>,
    /// When each node's transmitter has sent what it had.
    sent: Vec<Nanoseconds>,
    /// Per node, the time at which all that it sent has returned.
    back: Vec<Nanoseconds>,
}

impl Line {
    pub(super) fn new(costs: Costs, nodes: usize) -> Line {
        // Tokens lie apart from each other at the start.
        let token =
            |i| Token { node: i * nodes / costs.tokens.max(1) % nodes, free: Nanoseconds(0) };
        let tokens = (0..costs.tokens.max(1)).map(token).collect();
        Line {
            costs,
            nodes,
            tokens,
            sent: vec![Nanoseconds(0); nodes],
            back: vec![Nanoseconds(0); nodes],
        }
    }

    fn rotation(&self) -> Nanoseconds {
        self.costs.hop * self.nodes as u64
    }

    /// Hops from a node to another one.
    fn hops(&self, from: usize, to: usize) -> u64 {
        ((to + self.nodes - from) % self.nodes) as u64
    }

    /// When the first word of what leaves `from` at `leaves` is at `to`.
    fn reaches(&self, leaves: Nanoseconds, from: usize, to: usize) -> Nanoseconds {
        leaves + self.costs.hop * self.hops(from, to)
    }

    /// When a token comes by at `node` that is not before `ready`.
    fn token(&self, token: Token, node: usize, ready: Nanoseconds) -> Nanoseconds {
        let first = self.reaches(token.free, token.node, node);
        if first >= ready {
            first
        } else {
            first + (ready - first).div_ceil(self.rotation()) * self.rotation()
        }
    }

    /// Sends `bytes` of Data, at most those of a frame, that are ready at `ready`: when the frame leaves,
    /// and what it takes on the line.
    pub(super) fn data(
        &mut self,
        from: usize,
        ready: Nanoseconds,
        bytes: u64,
    ) -> (Nanoseconds, Nanoseconds) {
        let takes = self.costs.frame(bytes);
        let ready = ready.max(self.sent[from]);
        let at = |token: &Token| self.token(*token, from, ready);
        let Some((which, leaves)) =
            self.tokens.iter().map(at).enumerate().min_by_key(|&(i, at)| (at, i))
        else {
            return (ready, takes);
        };
        self.sent[from] = leaves + takes;
        let back = leaves + takes + self.rotation();
        self.back[from] = self.back[from].max(back);
        // The source knows its own frame, and has its token again, by the first two words.
        let header = line_ns(8);
        self.tokens[which] = Token { node: from, free: leaves + header + self.rotation() };
        (leaves, takes)
    }

    /// Sends a signal, which needs no token; when its last word is at `to`.
    pub(super) fn signal(&mut self, from: usize, ready: Nanoseconds, to: usize) -> Nanoseconds {
        let (leaves, takes) = (ready.max(self.sent[from]), self.costs.frame(0));
        self.sent[from] = leaves + takes;
        self.reaches(leaves + takes, from, to)
    }

    /// When the last word of a frame is at `to`.
    pub(super) fn arrives(
        &self,
        (leaves, takes): (Nanoseconds, Nanoseconds),
        from: usize,
        to: usize,
    ) -> Nanoseconds {
        self.reaches(leaves + takes, from, to)
    }

    /// Time at which all that `node` has sent has returned.
    pub(super) fn confirmed(&self, node: usize) -> Nanoseconds {
        self.back[node]
    }
}
