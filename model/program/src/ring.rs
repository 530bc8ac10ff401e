// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process of the operating system as a process of the cycle-accurate ring.

use crate::{call::Call, port::Port};
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_host::{Answer, Ask, Process, ProcessSignal};

/// A process on the cycle-accurate ring.
#[derive(Debug)]
pub struct OnRing {
    port: Port,
    /// Order of signals behind data.
    order: Order,
    /// The call under way, and its words that are done.
    call: Option<(Call, u32)>,
}

impl OnRing {
    /// The process that uses a port; its signals have this order behind its writes.
    #[must_use]
    pub const fn new(port: Port, order: Order) -> Self {
        OnRing { port, order, call: None }
    }

    /// What the call wants next when `done` of its words are done.
    /// `None` for a call that the port handles itself.
    fn ask(&self, call: Call, done: u32) -> Option<Ask> {
        Some(match call {
            Call::Read { addr, .. } => Ask::Read(addr + 4 * done),
            Call::Write { addr, .. } => Ask::Write(addr + 4 * done, self.port.word(done as usize)),
            Call::WritePart { addr, bytes } => Ask::WritePart(addr, self.port.word(0), bytes),
            Call::Status => Ask::Status,
            Call::Signal { to, number, value } => {
                let source = NodeId::default();
                Ask::Signal(ProcessSignal { source, to, number, value }, self.order)
            }
            Call::Await { number, limit } => {
                Ask::Await(number, limit.map(|time| time.to_cycles_ceil().max(Cycle(1))))
            }
            Call::Lock(lock) => Ask::Lock(lock),
            Call::Unlock(lock) => Ask::Unlock(lock),
            Call::Barrier => Ask::Barrier(0),
            Call::Compute(time) => Ask::Wait(time.to_cycles_ceil().max(Cycle(1))),
            Call::Begin | Call::Watch => Ask::Wait(Cycle(1)),
            Call::End => Ask::End,
            Call::Flush | Call::Allocated { .. } | Call::Released(_) => return None,
        })
    }
}

impl Process for OnRing {
    fn next(&mut self, answer: Answer) -> Ask {
        let now = answer.cycle.to_nanoseconds();
        if let Some((call, before)) = self.call.take() {
            if matches!(call, Call::Read { .. }) {
                self.port.put_word(before as usize, answer.data);
            }
            if call == Call::Status {
                self.port.put_status(answer.data);
            }
            if matches!(call, Call::Await { .. }) {
                self.port.put_signal(answer.signal);
            }
            let done = before + 1;
            if !answer.refused
                && done < call.words()
                && let Some(ask) = self.ask(call, done)
            {
                self.call = Some((call, done));
                return ask;
            }
            self.port.done(answer.refused, now);
        }
        let Some(call) = self.port.next(now) else { return Ask::End };
        let Some(ask) = self.ask(call, 0) else {
            self.port.not_offered(call);
            return Ask::End;
        };
        if call == Call::End {
            self.port.done(false, now);
        } else {
            self.call = Some((call, 0));
        }
        ask
    }

    fn watches(&self) -> bool {
        self.port.watches()
    }

    fn see(&mut self, at: usize, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.port.see(ByteAddress::at_word(at), &bytes);
    }
}
