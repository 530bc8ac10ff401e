// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process of the operating system as a process of the modelled machine.

use crate::{
    call::{Call, Machine},
    change,
    port::Port,
};
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId, narrow};
use awgstar_request::{
    Answer, Data, Fence, Got, Len, Place, Process, ProcessSignal, Refused, Request, Span,
};
use std::sync::Arc;

/// A process on a machine. It accesses its board word by word.
#[derive(Debug)]
pub struct OnMachine {
    port: Port,
    machine: Machine,
    /// Order of signals after data.
    order: Order,
    /// The call under way.
    call: Option<Call>,
}

impl OnMachine {
    /// The process that uses a port; its signals have this order after its writes.
    #[must_use]
    pub fn new(port: Port, order: Order) -> Self {
        OnMachine { machine: port.machine(), port, order, call: None }
    }

    fn place(&self, addr: ByteAddress) -> Place {
        Place::shared(self.machine.first_byte + addr.0)
    }

    fn node(&self, node: NodeId) -> NodeId {
        NodeId(self.machine.first_node.0.saturating_add(node.0))
    }

    /// Bytes of the data of the call, after some of the first word.
    fn bytes(&self, skip: u32, bytes: usize) -> Arc<[u8]> {
        let words = (skip as usize + bytes).div_ceil(4);
        let all = (0..words).flat_map(|at| self.port.word(at).to_le_bytes());
        all.skip(skip as usize).take(bytes).collect()
    }

    /// What a call wants of the machine; `None` for one that the port handles itself.
    fn request(&mut self, call: Call) -> Option<Request> {
        Some(match call {
            Call::Read { addr, words } => {
                Request::Read(self.place(addr), Len::Bytes(4 * u64::from(words)))
            }
            Call::Write { addr, words } => {
                Request::Write(self.place(addr), Data::Bytes(self.bytes(0, 4 * words as usize)))
            }
            Call::WritePart { addr, bytes } => {
                let first = bytes.trailing_zeros();
                let data = self.bytes(first, bytes.count_ones() as usize);
                Request::Write(self.place(addr + first), Data::Bytes(data))
            }
            Call::WriteLong(addr) => {
                let [low, high] = [0, 1].map(|at| u64::from(self.port.word(at)));
                Request::Write(self.place(addr), Data::Long((high << 32 | low).to_le_bytes()))
            }
            Call::Update { addr, words, .. } => {
                let change = change::read(|at| self.port.word(at), words as usize)?;
                Request::Update(self.place(addr), change)
            }
            Call::FarRead { ring, addr, words } => {
                Request::FarRead { ring, address: self.place(addr).addr, words: narrow(words) }
            }
            Call::FarWrite { ring, addr, words } => {
                let data = (0..words as usize).map(|at| self.port.word(at)).collect();
                Request::FarWrite { ring, address: self.place(addr).addr, data }
            }
            Call::Fence(to) => {
                Request::Fence(to.map_or(Fence::Confirmed, |to| Fence::To(self.node(to))))
            }
            Call::Changed { addr, bytes } => {
                Request::Changed(self.place(addr), self.bytes(0, bytes as usize))
            }
            Call::Status => Request::Status,
            Call::Signal { to, number, value } => {
                let (source, to) = (NodeId::default(), to.map(|to| self.node(to)));
                Request::Signal(ProcessSignal { source, to, number, value }, self.order)
            }
            Call::Await { number, limit } => Request::Await(number, limit.map(Span::Time)),
            Call::Lock(lock) => Request::Lock(self.machine.first_lock + lock),
            Call::Try(lock) => Request::Try(self.machine.first_lock + lock),
            Call::Unlock(lock) => Request::Unlock(self.machine.first_lock + lock),
            Call::Barrier => Request::Barrier(0),
            Call::Compute(time) => Request::compute(time),
            // Without replicas there is nothing to map.
            Call::Watch if self.machine.homes => return None,
            Call::Begin | Call::Watch => Request::compute(Nanoseconds(0)),
            Call::Coherent { call, .. } => Request::Coherent(call, self.port.changes()?.into()),
            Call::End => Request::End,
            Call::Flush | Call::Rest(_) | Call::Allocated { .. } | Call::Released(_) => {
                return None;
            }
        })
    }

    /// Puts what the machine has answered where the process finds it; false if the machine does not offer the call.
    fn put(&mut self, call: Call, answer: &Answer) -> bool {
        match (&answer.got, call) {
            (Err(Refused::NotOffered(_) | Refused::NoLock(_)), _) => {
                self.port.not_offered(call);
                return false;
            }
            (Ok(Got::Bytes(bytes)), Call::Coherent { .. }) => self.port.set_news(bytes.clone()),
            (Ok(Got::Bytes(bytes)), _) => {
                let (words, _) = bytes.as_chunks::<4>();
                for (at, word) in words.iter().enumerate() {
                    self.port.put_word(at, u32::from_le_bytes(*word));
                }
            }
            (Ok(Got::Word(word)), _) => {
                self.port.put_status(*word);
                if let (Call::Try(lock), 1) = (call, word) {
                    self.port.holds(lock);
                }
            }
            (_, Call::Await { .. }) => {
                let first = self.machine.first_node.0;
                let own = |signal: ProcessSignal| ProcessSignal {
                    source: NodeId(signal.source.0.saturating_sub(first)),
                    ..signal
                };
                self.port.put_signal(answer.signal().map(own));
            }
            _ => {}
        }
        true
    }
}

impl Process for OnMachine {
    fn next(&mut self, answer: &Answer) -> Request {
        let now = answer.now.time();
        if let Some(call) = self.call.take() {
            if !self.put(call, answer) {
                return Request::End;
            }
            self.port.done(answer.got.is_err(), now);
        }
        let Some(call) = self.port.next(now) else { return Request::End };
        let Some(request) = self.request(call) else {
            self.port.not_offered(call);
            return Request::End;
        };
        if call == Call::End {
            self.port.done(false, now);
        } else {
            self.call = Some(call);
        }
        request
    }

    fn watches(&self) -> bool {
        self.port.watches()
    }

    fn see(&mut self, at: ByteAddress, bytes: &[u8]) {
        // What is before the first byte is not the program's.
        if let Some(at) = at.0.checked_sub(self.machine.first_byte.0) {
            self.port.see(ByteAddress(at), bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Computing, Fault, Life, Monitor, call::CALLS, slots};
    use awgstar_request::{Change, Feature, Kind, Update};

    const MACHINE: Machine = Machine {
        memory: 64,
        first_byte: ByteAddress(0x100),
        first_lock: 1,
        first_node: NodeId(1),
        rings: Some(crate::call::Rings { count: 3, processes: 1, words: 4 }),
        signals: true,
        homes: true,
        coherent: Some(awgstar_request::Protection::Read),
    };

    /// The process of a slot that holds a call, and and its monitor.
    fn calling(call: Call) -> (OnMachine, Arc<Monitor>, crate::Slot) {
        let (_fd, slots) = slots(2, MACHINE, Computing::Told).unwrap();
        call.put(&slots[0], 0);
        slots[0].pass(CALLS);
        let monitor = Arc::new(Monitor::default());
        let life = Box::new(|| Life::Succeeded);
        let port = Port::new(slots[0].clone(), NodeId(0), MACHINE, life, Arc::clone(&monitor));
        (OnMachine::new(port, Order::Sent), monitor, slots[0].clone())
    }

    /// A signal that reached generation 1 was answered as a computation of no time.
    #[test]
    fn a_call_that_the_machine_does_not_offer_is_refused_by_name() {
        let to = Some(NodeId(1));
        for (call, name) in [
            (Call::Signal { to, number: 3, value: 0 }, "signal"),
            (Call::Await { number: None, limit: None }, "wait"),
            (Call::Status, "status"),
        ] {
            let (mut process, monitor, _slot) = calling(call);
            assert_ne!(process.next(&Answer::default()), Request::End);
            let got = Err(Refused::NotOffered(Feature::Signals));
            assert_eq!(process.next(&Answer { got, ..Answer::default() }), Request::End);
            let fault = monitor.fault().map(|(_, fault)| fault);
            assert_eq!(fault, Some(Fault::NotOffered { call: name }));
        }
    }

    /// The words of a call come after what is posted, and become the request.
    #[test]
    fn each_call_becomes_a_request() {
        let change = Change::Update(Update::compare(8, 3, 9));
        let sum = Change::Accumulate { kind: Kind::Int32, scale: [7; 16], data: [5; 8].into() };
        let place = |at: u32| Place::shared(ByteAddress(0x100 + at));
        let words = |change: &Change| change::bytes(change);
        let update = |addr, change: &Change| {
            let [bytes, words] = [change.bytes(), words(change).len() / 4].map(narrow::<u32>);
            Call::Update { addr: ByteAddress(addr), bytes, words }
        };
        for (call, data, request) in [
            (Call::Try(5), vec![], Request::Try(6)),
            (Call::Fence(None), vec![], Request::Fence(Fence::Confirmed)),
            (Call::Fence(Some(NodeId(1))), vec![], Request::Fence(Fence::To(NodeId(2)))),
            (
                Call::FarRead { ring: 2, addr: ByteAddress(8), words: 3 },
                vec![],
                Request::FarRead { ring: 2, address: ByteAddress(0x108), words: 3 },
            ),
            (
                Call::FarWrite { ring: 1, addr: ByteAddress(4), words: 2 },
                vec![1, 0, 0, 0, 9, 8, 7, 6],
                Request::FarWrite {
                    ring: 1,
                    address: ByteAddress(0x104),
                    data: [1, 0x0607_0809].into(),
                },
            ),
            (
                Call::Changed { addr: ByteAddress(3), bytes: 5 },
                vec![1, 2, 3, 4, 5, 0, 0, 0],
                Request::Changed(place(3), [1, 2, 3, 4, 5].into()),
            ),
            (update(8, &change), words(&change), Request::Update(place(8), change.clone())),
            (update(4, &sum), words(&sum), Request::Update(place(4), sum.clone())),
        ] {
            let (mut process, _, slot) = calling(call);
            let long = [crate::call::LONG, 16, 0x0403_0201, 0x0807_0605];
            let block = crate::call::at::BLOCK;
            (block..).zip(long).for_each(|(at, word)| slot.set(at, word));
            slot.put(block + long.len(), &data);
            call.put(&slot, 4);
            let posted = Request::Write(place(16), Data::Long([1, 2, 3, 4, 5, 6, 7, 8]));
            assert_eq!(process.next(&Answer::default()), posted);
            assert_eq!(process.next(&Answer::default()), request);
        }
    }

    /// A lock that was tried and is held must be given back; one that is not held cannot be.
    #[test]
    fn a_lock_that_was_tried_is_held_or_not() {
        for (has, fault) in
            [(1, Fault::Holds { lock: 5 }), (0, Fault::NotFinalized { last: "try" })]
        {
            let (mut process, monitor, slot) = calling(Call::Try(5));
            assert_eq!(process.next(&Answer::default()), Request::Try(6));
            let got = Ok(Got::Word(has));
            assert_eq!(process.next(&Answer { got, ..Answer::default() }), Request::End);
            assert_eq!(slot.get(crate::call::at::VALUE), has);
            assert_eq!(monitor.fault().map(|(_, fault)| fault), Some(fault));
        }
    }

    /// Without replicas a process cannot map one.
    #[test]
    fn a_machine_with_homes_has_no_replica_to_map() {
        let (mut process, monitor, _slot) = calling(Call::Watch);
        assert_eq!(process.next(&Answer::default()), Request::End);
        let fault = monitor.fault().map(|(_, fault)| fault);
        assert_eq!(fault, Some(Fault::NotOffered { call: "replica" }));
    }

    /// Address 0 and lock 0 of a program are the first that its machine leaves to programs.
    #[test]
    fn memory_and_locks_begin_where_the_machine_says() {
        let (mut process, ..) = calling(Call::Lock(5));
        assert_eq!(process.next(&Answer::default()), Request::Lock(6));
        let (mut process, _, slot) = calling(Call::Read { addr: ByteAddress(8), words: 2 });
        let place = Place::shared(ByteAddress(0x108));
        assert_eq!(process.next(&Answer::default()), Request::Read(place, Len::Bytes(8)));
        let got = Ok(Got::Bytes(vec![1, 2, 3, 4, 5, 6, 7, 8]));
        process.next(&Answer { got, ..Answer::default() });
        let word = |at| slot.get(crate::call::at::BLOCK + at);
        assert_eq!([word(0), word(1)], [0x0403_0201, 0x0807_0605]);
    }
}
