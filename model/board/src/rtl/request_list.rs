// SPDX-License-Identifier: MIT OR Apache-2.0
//! `request_list`: for each of 16 locks the nodes that wait, in order, and the newest request known
//! of every node (ENG-1).

use super::parameters::Parameters;
use super::state::{ports, state};

/// Bits of a node number in the lists: without an engine 1, so that every memory has a word.
pub(super) const fn node_w(parameters: &Parameters) -> usize {
    match parameters.engine_node_w() {
        0 => 1,
        bits => bits,
    }
}

ports! {
    /// Inputs of `request_list`.
    pub struct Inputs with parameters {
        /// Synchronous reset.
        rst: bool = 1,
        /// A word of every memory becomes 0.
        clear: bool = 1,
        clear_address: u16 = node_w(parameters) + 4,
        /// The entry and the neighbours of a node are read.
        read: bool = 1,
        /// Lock of the list.
        read_lock: u8 = 4,
        read_node: u8 = node_w(parameters),
        /// Lock of what follows.
        lock: u8 = 4,
        /// Node of what follows, the one that was read last.
        node: u8 = node_w(parameters),
        /// The entry of the node is written.
        learn: bool = 1,
        learn_waiting: bool = 1,
        /// Number of its newest request.
        learn_tag: u16 = 16,
        /// The node leaves the list.
        unlink: bool = 1,
        /// The node joins the list, at its end.
        append: bool = 1,
    }
}

ports! {
    /// Outputs of `request_list`.
    pub struct Outputs with parameters {
        /// A request of the node that was read is known.
        known: bool = 1,
        waiting: bool = 1,
        /// Number of its newest request.
        newest: u16 = 16,
        /// A node waits for `lock`.
        some: bool = 1,
        /// The first one.
        head: u8 = node_w(parameters),
    }
}

state! {
    /// Registers and memories of `request_list`.
    pub struct RequestList("request_list", Inputs, Outputs) with parameters {
        registers {
            /// A node waits, by lock.
            some_q: u16 = 16,
            /// Entry that was read.
            entry_q: u32 = 18,
            /// Node before the one that was read.
            before_q: u8 = node_w(parameters),
            after_q: u8 = node_w(parameters),
        }
        buffers {
            /// `{known, waiting, newest request}` at {lock, node}.
            entries: [u32; 16 << node_w(parameters)] = 18 => U32,
            /// Node before, of one that waits.
            befores: [u8; 16 << node_w(parameters)] = node_w(parameters) => U8,
            afters: [u8; 16 << node_w(parameters)] = node_w(parameters) => U8,
            /// First node of each list.
            heads: [u8; 16] = node_w(parameters) => U8,
            /// Last node.
            tails: [u8; 16] = node_w(parameters) => U8,
        }
    }
}

impl RequestList {
    fn at(&self, lock: u8, node: u8) -> usize {
        usize::from(lock & 15) << node_w(&self.parameters) | usize::from(node)
    }

    /// First and last node of a list.
    fn ends_of(&self, lock: u8) -> (u8, u8) {
        (self.heads.at(lock), self.tails.at(lock))
    }

    /// A node waits for this lock.
    #[must_use]
    pub fn some(&self, lock: u8) -> bool {
        self.some_q >> (lock & 15) & 1 != 0
    }

    /// Just before the edge.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let [_, flags, high, low] = self.entry_q.to_be_bytes();
        Outputs {
            known: flags & 2 != 0,
            waiting: flags & 1 != 0,
            newest: u16::from_be_bytes([high, low]),
            some: self.some(i.lock),
            head: self.ends_of(i.lock).0,
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let was = i.read.then(|| self.at(i.read_lock, i.read_node));
        let read = was.map(|at| (self.entries.at(at), self.befores.at(at), self.afters.at(at)));
        if i.clear {
            let at = usize::from(i.clear_address);
            *self.entries.at_mut(at) = 0;
            *self.befores.at_mut(at) = 0;
            *self.afters.at_mut(at) = 0;
            *self.heads.at_mut(at) = 0;
            *self.tails.at_mut(at) = 0;
        } else {
            self.change(i);
        }
        if let Some((entry, before, after)) = read {
            (self.entry_q, self.before_q, self.after_q) = (entry, before, after);
        }
        if i.rst {
            self.some_q = 0;
        }
    }

    fn change(&mut self, i: &Inputs) {
        let at = self.at(i.lock, i.node);
        if i.learn {
            *self.entries.at_mut(at) =
                1 << 17 | u32::from(i.learn_waiting) << 16 | u32::from(i.learn_tag);
        }
        if i.unlink {
            self.unlink(i.lock, i.node);
        } else if i.append {
            self.append(i.lock, i.node);
        }
    }

    fn set_ends(&mut self, lock: u8, head: u8, tail: u8) {
        *self.heads.at_mut(lock) = head;
        *self.tails.at_mut(lock) = tail;
    }

    fn unlink(&mut self, lock: u8, node: u8) {
        let (head, tail) = self.ends_of(lock);
        let (before, after) = (self.before_q, self.after_q);
        if node != head {
            let at = self.at(lock, before);
            *self.afters.at_mut(at) = after;
        }
        if node != tail {
            let at = self.at(lock, after);
            *self.befores.at_mut(at) = before;
        }
        if node == head && node == tail {
            self.some_q &= !(1 << lock);
        }
        let head = if node == head { after } else { head };
        self.set_ends(lock, head, if node == tail { before } else { tail });
    }

    fn append(&mut self, lock: u8, node: u8) {
        let (head, tail) = self.ends_of(lock);
        let some = self.some(lock);
        if some {
            let (at, end) = (self.at(lock, node), self.at(lock, tail));
            *self.befores.at_mut(at) = tail;
            *self.afters.at_mut(end) = node;
        }
        self.some_q |= 1 << lock;
        self.set_ends(lock, if some { head } else { node }, node);
    }
}
