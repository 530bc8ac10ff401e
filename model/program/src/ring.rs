// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process of the operating system as a process of the cycle-accurate ring.

use crate::{call::Call, port::Port};
use awgstar_frame::quantity::Cycle;
use awgstar_host::{Answer, Ask, Process};

/// A process on the cycle-accurate ring.
#[derive(Debug)]
pub struct OnRing {
    port: Port,
    /// The call under way, and its words that are done.
    call: Option<(Call, u32)>,
}

impl OnRing {
    /// The process that uses a port.
    #[must_use]
    pub const fn new(port: Port) -> Self {
        OnRing { port, call: None }
    }

    /// What the call wants next when `done` of its words are done.
    fn ask(&self, call: Call, done: u32) -> Ask {
        match call {
            Call::Read { addr, .. } => Ask::Read(addr + 4 * done),
            Call::Write { addr, .. } => Ask::Write(addr + 4 * done, self.port.word(done as usize)),
            Call::Lock(lock) => Ask::Lock(lock),
            Call::Unlock(lock) => Ask::Unlock(lock),
            Call::Barrier => Ask::Barrier,
            Call::Compute(time) => Ask::Wait(time.to_cycles_ceil().max(Cycle(1))),
            // The port answers a flush itself.
            Call::Begin | Call::Flush => Ask::Wait(Cycle(1)),
            Call::End => Ask::End,
        }
    }
}

impl Process for OnRing {
    fn next(&mut self, answer: Answer) -> Ask {
        let now = answer.cycle.to_nanoseconds();
        if let Some((call, before)) = self.call.take() {
            if matches!(call, Call::Read { .. }) {
                self.port.put_word(before as usize, answer.data);
            }
            let done = before + 1;
            if !answer.refused && done < call.words() {
                self.call = Some((call, done));
                return self.ask(call, done);
            }
            self.port.done(answer.refused, now);
        }
        let Some(call) = self.port.next(now) else { return Ask::End };
        if call == Call::End {
            self.port.done(false, now);
        } else {
            self.call = Some((call, 0));
        }
        self.ask(call, 0)
    }
}
