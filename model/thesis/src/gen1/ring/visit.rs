// SPDX-License-Identifier: MIT OR Apache-2.0
//! A visit of the token at a node, and the train that leaves it (CUR-3, CUR-4).

use super::{Car, Delivery, Ring, Token};
use crate::{
    gen1::{
        frame::{Data, Frame, Kind},
        record::Happened,
        settings::{Forwarding, Processing},
    },
    time::line_ns,
};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId};

impl Ring {
    pub(super) fn visit(
        &mut self,
        node: usize,
        head: Nanoseconds,
        now: Nanoseconds,
        arrived: &mut Vec<Delivery>,
    ) {
        self.counters.visits += 1;
        if node == 0 {
            self.kept = now;
        }
        let came = line_ns(self.train_bytes);
        self.note(now, node, Happened::Token { bytes: self.train_bytes, frames: self.train.len() });
        let (removed, bytes) = self.remove(node, now);
        let copied = self.train.len();
        for at in 0..copied {
            self.copy(node, at, now, arrived);
        }
        let attached = self.attach(node, now);
        let touched = match self.line.per {
            Processing::Visit => 1,
            Processing::Frame => (removed + copied + attached).max(1) as u64,
        };
        let out = head
            + self.line.processing * touched
            + match self.line.forwarding {
                // The token waits for the frames after it that are taken away: no gap opens.
                Forwarding::CutThrough => line_ns(bytes),
                Forwarding::StoreAndForward => came,
            };
        // The node's last train has left by then: all frames of it were taken away since, which took
        // as long as they are.
        self.leave(node, out);
    }

    /// The train leaves `node`, its head at `out`.
    fn leave(&mut self, node: usize, out: Nanoseconds) {
        let length = line_ns(self.train_bytes);
        self.counters.longest_train = self.counters.longest_train.max(self.train_bytes);
        let head = out + self.line.fibre[node];
        let next = (node + 1) % self.line.nodes();
        let at = head + length + self.line.processing;
        self.token = Token::Coming { node: next, head, at };
        if self.records.is_some() {
            let of = |car: &Car| (car.frame.source, car.frame.bytes());
            let (bytes, frames) = (self.train_bytes, self.train.iter().map(of).collect());
            self.note(out, node, Happened::Leaves { bytes, frames });
        }
        self.strike(node, out, at);
    }

    /// The node takes its own frames away, and learns whether they are good (CUR-4): the number of
    /// frames and their bytes.
    fn remove(&mut self, node: usize, now: Nanoseconds) -> (usize, u64) {
        let own = &mut self.nodes[node];
        if own.generation != self.generation {
            // They were lost with their token.
            own.generation = self.generation;
            self.counters.sent_again += own.out.len() as u64;
            own.again(0);
        }
        let count = own.out.len();
        let mut good = 0;
        let mut bytes = 0;
        for at in 0..count {
            let Some(car) = self.train.pop_front() else { break };
            bytes += car.frame.bytes();
            if car.bad {
                self.counters.came_back_bad += 1;
            } else if good == at {
                good += 1;
            }
        }
        self.train_bytes -= bytes;
        if count > 0 {
            self.counters.acknowledged += good as u64;
            self.counters.sent_again += (count - good) as u64;
            self.nodes[node].again(good);
            self.note(now, node, Happened::Removed { good, bad: count - good });
        }
        (count, bytes)
    }

    /// The node takes another's frame over when it is the next one of its source.
    fn copy(&mut self, node: usize, at: usize, now: Nanoseconds, arrived: &mut Vec<Delivery>) {
        let Car { frame, bad } = &self.train[at];
        let Frame { kind, source, number, addr, data } = frame;
        if *bad {
            self.counters.bad_crc += 1;
            self.note(now, node, Happened::BadCrc);
            return;
        }
        let here = &mut self.nodes[node];
        let expected = &mut here.expected[source.index()];
        if number != expected {
            self.counters.out_of_order += 1;
            return;
        }
        *expected = number.wrapping_add(1);
        self.counters.copied += 1;
        if let Data::Bytes(bytes) = data {
            here.memory.write(ByteAddress(*addr), bytes);
        }
        let to = NodeId::at(node);
        if *kind == Kind::Signal && *addr == to.into() {
            arrived.push(Delivery { to, from: *source });
        }
        if self.records.is_some() {
            let frame = frame.clone();
            self.note(now, node, Happened::Copied(frame));
        }
    }

    /// The node attaches what waits, up to what a visit may take: the number of frames.
    fn attach(&mut self, node: usize, now: Nanoseconds) -> usize {
        let source = NodeId::at(node);
        let mut left = self.line.visit_bytes;
        let mut count = 0;
        while count < self.line.visit_frames()
            && let Some((frame, first)) = self.nodes[node].take(source, now, left)
        {
            left -= frame.data.len();
            count += 1;
            self.counters.attached += 1;
            self.counters.bytes += frame.data.len() as u64;
            if let (Data::Bytes(bytes), true) = (&frame.data, first) {
                // Again, now that its place among the frames of all is given: an older one of
                // another node may have come in between. What came after it must stay, though.
                self.nodes[node].memory.write(ByteAddress(frame.addr), bytes);
            }
            self.train_bytes += frame.bytes();
            self.note(now, node, Happened::Attached(frame.clone()));
            self.train.push_back(Car { frame, bad: false });
        }
        count
    }
}
