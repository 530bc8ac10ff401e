// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process of the operating system as a process of generation 1.

use crate::{
    call::{Call, Machine},
    port::Port,
};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, narrow};
use awgstar_thesis::gen1::{
    Access, Answer, Op, Process,
    system::{FREE, MEMORY_BYTES},
};
use std::sync::Arc;

/// What generation 1 has for programs: all memory but the areas of the primitives, and no signals.
#[must_use]
pub fn gen1_machine() -> Machine {
    Machine { memory: narrow(MEMORY_BYTES - u64::from(FREE.0)), signals: false }
}

/// A process on generation 1. It accesses its board with a pointer (thesis 2.2.3). Its address 0 is the
/// first byte that the primitives leave.
#[derive(Debug)]
pub struct OnGen1 {
    port: Port,
    call: Option<Call>,
}

impl OnGen1 {
    /// The process that uses a port.
    #[must_use]
    pub const fn new(port: Port) -> Self {
        OnGen1 { port, call: None }
    }

    /// What the machine has to do for a call; `None` for a call that it does not offer.
    fn op(&self, call: Call) -> Option<Op> {
        Some(match call {
            Call::Read { addr, words } => {
                Op::Read { addr: FREE + addr.0, len: 4 * u64::from(words), access: Access::Pointer }
            }
            Call::Write { addr, words } => {
                let bytes: Arc<[u8]> =
                    (0..words as usize).flat_map(|at| self.port.word(at).to_le_bytes()).collect();
                Op::Write { addr: FREE + addr.0, bytes, access: Access::Pointer }
            }
            Call::WritePart { addr, bytes } => {
                let first = bytes.trailing_zeros();
                let word = self.port.word(0).to_le_bytes();
                let bytes = word.into_iter().skip(first as usize).take(bytes.count_ones() as usize);
                let access = Access::Pointer;
                Op::Write { addr: FREE + (addr + first).0, bytes: bytes.collect(), access }
            }
            // Numbered from 1 here.
            Call::Lock(lock) => Op::Lock(lock + 1),
            Call::Unlock(lock) => Op::Unlock(lock + 1),
            Call::Barrier => Op::Barrier,
            Call::Compute(time) => Op::Compute(time),
            Call::Begin | Call::Watch => Op::Compute(Nanoseconds(0)),
            Call::End => Op::End,
            // Of the port alone, and of the ring alone.
            Call::Flush
            | Call::Allocated { .. }
            | Call::Released(_)
            | Call::Status
            | Call::Signal { .. }
            | Call::Await { .. } => return None,
        })
    }
}

impl Process for OnGen1 {
    fn next(&mut self, answer: &Answer) -> Op {
        if let Some(call) = self.call.take() {
            if matches!(call, Call::Read { .. }) {
                let (words, _) = answer.bytes.as_chunks::<4>();
                for (at, word) in words.iter().enumerate() {
                    self.port.put_word(at, u32::from_le_bytes(*word));
                }
            }
            self.port.done(false, answer.now);
        }
        let Some(call) = self.port.next(answer.now) else { return Op::End };
        let Some(op) = self.op(call) else {
            self.port.not_offered(call);
            return Op::End;
        };
        if call == Call::End {
            self.port.done(false, answer.now);
        } else {
            self.call = Some(call);
        }
        op
    }

    fn watches(&self) -> bool {
        self.port.watches()
    }

    fn see(&mut self, at: ByteAddress, bytes: &[u8]) {
        // The areas of the primitives are not the program's.
        if let Some(at) = at.0.checked_sub(FREE.0) {
            self.port.see(ByteAddress(at), bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Computing, Fault, Life, Monitor, call::CALLS, slots};
    use awgstar_frame::quantity::NodeId;
    use std::rc::Rc;

    /// A signal that reached generation 1 was answered as a computation of no time.
    #[test]
    fn a_call_of_the_ring_is_refused_by_name() {
        let ring = Machine { memory: 64, signals: true };
        let (_fd, slots) = slots(2, ring, Computing::Told).unwrap();
        let to = Some(NodeId(1));
        for (call, name) in [
            (Call::Signal { to, number: 3, value: 0 }, "signal"),
            (Call::Await { number: None, limit: None }, "wait"),
            (Call::Status, "status"),
        ] {
            call.put(&slots[0], 0);
            slots[0].pass(CALLS);
            let monitor = Rc::new(Monitor::default());
            let life = Box::new(|| Life::Runs);
            let port = Port::new(slots[0].clone(), NodeId(0), ring, life, Rc::clone(&monitor));
            assert_eq!(OnGen1::new(port).next(&Answer::default()), Op::End);
            let fault = monitor.fault().map(|(_, fault)| fault);
            assert_eq!(fault, Some(Fault::NotOffered { call: name }));
        }
    }
}
