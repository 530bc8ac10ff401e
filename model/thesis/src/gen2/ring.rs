// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tokens and frames, in cycles (EVA-6).
//!
//! A free token moves a hop at a time until a node takes it; its place follows from the place and
//! time at which it was released. A node that has the token sends its frame when the ring has room.
//! A ring carries one frame after the other wherever they come from, because each passes every
//! link. The frame's header returns a rotation later, and with it the token: the next frame of the
//! same node follows, or a free token.

use super::settings::Settings;
use awgstar_frame::contract::node::TOKEN_RUN;
use awgstar_frame::quantity::Cycle;
use std::collections::VecDeque;

/// Cycles from a frame's last word to the acknowledgement, and from a write's last word to the offer of
/// its frame: what is between the modules of a board.
const BOARD: Cycle = Cycle(7);

/// A free token: where it was let go, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Free {
    node: usize,
    at: Cycle,
}

/// A frame that got its token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    pub node: usize,
    /// Cycle in which its first word leaves.
    pub start: Cycle,
    /// Cycle in which the token has returned.
    pub token: Cycle,
    /// Cycle in which it is acknowledged.
    pub back: Cycle,
}

#[derive(Clone, Debug)]
pub struct Ring {
    nodes: usize,
    hop: Cycle,
    free: Vec<Free>,
    /// The links have room from this cycle on.
    room: Cycle,
    /// Frames of each node that wait for a token: their words.
    waiting: Vec<VecDeque<u64>>,
    /// Nodes that wait, and those that have a token under way.
    queued: Vec<bool>,
    /// Frames sent in a row with one token.
    run: Vec<u64>,
    /// Frames sent; `None` if they are not recorded.
    sent: Option<Vec<Sent>>,
}

impl Ring {
    /// A ring at rest, its tokens spread over it.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let n = settings.nodes;
        let at = |k: usize| Free { node: k * n / settings.tokens, at: Cycle(0) };
        Ring {
            nodes: n,
            hop: settings.hop(),
            free: (0..settings.tokens).map(at).collect(),
            room: Cycle(0),
            waiting: vec![VecDeque::new(); n],
            queued: vec![false; n],
            run: vec![0; n],
            sent: None,
        }
    }

    /// From now on keeps the frames that are sent.
    pub fn record(&mut self) {
        self.sent = Some(Vec::new());
    }

    /// The frames that were sent since [`Ring::record`], in the order in which they got their tokens.
    #[must_use]
    pub fn sent(&self) -> &[Sent] {
        self.sent.as_deref().unwrap_or(&[])
    }

    #[must_use]
    pub fn rotation(&self) -> Cycle {
        self.hop * self.nodes as u64
    }

    /// When a free token reaches `node`, at `now` or later.
    fn reaches(&self, token: Free, node: usize, now: Cycle) -> Cycle {
        let hops = (node + self.nodes - token.node) % self.nodes;
        let first = token.at + self.hop * hops as u64;
        let lap = self.rotation().max(Cycle(1));
        first + lap * now.saturating_sub(first).div_ceil(lap)
    }

    /// A frame of `words` words is offered by `node` in cycle `now`. If it gets a token, the frame that
    /// goes out with it; else it waits.
    pub fn offer(&mut self, node: usize, words: u64, now: Cycle) -> Option<Sent> {
        self.waiting[node].push_back(words);
        if self.queued[node] {
            return None;
        }
        self.queued[node] = true;
        let reach = |(k, token): (usize, &Free)| (self.reaches(*token, node, now), k);
        let (at, k) = self.free.iter().enumerate().map(reach).min()?;
        self.free.swap_remove(k);
        self.run[node] = 0;
        self.send(node, at)
    }

    fn send(&mut self, node: usize, at: Cycle) -> Option<Sent> {
        let words = self.waiting[node].pop_front()?;
        let start = at.max(self.room);
        let words = Cycle(words);
        self.room = start + words + Cycle(1);
        self.run[node] += 1;
        let lap = self.rotation();
        let back = start + lap + words + BOARD;
        let sent = Sent { node, start, token: start + lap.max(words + Cycle(1)), back };
        if let Some(all) = &mut self.sent {
            all.push(sent);
        }
        Some(sent)
    }

    /// Handles the return of the token of a frame of `node` in cycle `now`; returns the frame that
    /// leaves with it next.
    pub fn token(&mut self, node: usize, now: Cycle) -> Option<Sent> {
        if !self.waiting[node].is_empty() && self.run[node] < TOKEN_RUN as u64 {
            return self.send(node, now);
        }
        self.queued[node] = !self.waiting[node].is_empty();
        // It goes to the next node that waits; this one is the last to get it.
        let next = (1..=self.nodes)
            .map(|k| (k, (node + k) % self.nodes))
            .find(|&(_, i)| self.queued[i] && self.run[i] == 0 && !self.waiting[i].is_empty());
        let own = || self.queued[node].then_some((self.nodes, node));
        let Some((hops, next)) = next.or_else(own) else {
            self.run[node] = 0;
            self.free.push(Free { node, at: now });
            return None;
        };
        self.run[node] = 0;
        self.send(next, now + self.hop * hops as u64)
    }
}
