// SPDX-License-Identifier: MIT OR Apache-2.0
//! The requests that a node knows of, in the order in which they passed it.

use super::newer;
use awgstar_frame::quantity::NodeId;
use std::fmt;

/// A request: its node and that node's number for it.
pub(super) type Request = (NodeId, u16);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Requests {
    /// Numbers are looked at: what was recorded or served once is not recorded again.
    numbered: bool,
    waiting: Vec<Request>,
    /// The newest request known of each node, in the order of nodes.
    latest: Vec<Request>,
}

impl Requests {
    pub(super) const fn new(numbered: bool) -> Requests {
        Requests { numbered, waiting: Vec::new(), latest: Vec::new() }
    }

    /// A request passes; whether it is a new one. A node has one request at a time: a newer one
    /// tells that the one before was served.
    pub(super) fn record(&mut self, request: Request) -> bool {
        let new = if self.numbered { self.learn(request) } else { !self.has(request.0) };
        if new {
            self.waiting.retain(|other| other.0 != request.0);
            self.waiting.push(request);
        }
        new
    }

    /// A request was served.
    pub(super) fn served(&mut self, request: Request) {
        let numbered = self.numbered;
        if numbered {
            self.learn(request);
        }
        let open = |other: &Request| other.0 != request.0 || numbered && newer(other.1, request.1);
        self.waiting.retain(open);
    }

    /// The request to be served next.
    pub(super) fn pop(&mut self) -> Option<Request> {
        if self.waiting.is_empty() { None } else { Some(self.waiting.remove(0)) }
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }

    fn has(&self, node: NodeId) -> bool {
        self.waiting.iter().any(|other| other.0 == node)
    }

    /// Records a request. Returns true if it is the newest one known of its node.
    fn learn(&mut self, (node, tag): Request) -> bool {
        match self.latest.binary_search_by_key(&node, |known| known.0) {
            Ok(at) => {
                let new = newer(tag, self.latest[at].1);
                if new {
                    self.latest[at].1 = tag;
                }
                new
            }
            Err(at) => {
                self.latest.insert(at, (node, tag));
                true
            }
        }
    }
}

impl fmt::Display for Requests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (at, (node, tag)) in self.waiting.iter().enumerate() {
            write!(f, "{}{node}#{tag}", if at == 0 { "" } else { " " })?;
        }
        f.write_str("]")
    }
}
