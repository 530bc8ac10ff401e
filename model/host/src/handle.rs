// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocking programming interface: programs as they are written for a real node.
//!
//! Each program runs in a separate thread. The simulation advances only while all of them wait, so
//! every run gives the same result.

use super::{DrivenRing, HostError, Protocols};
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_request::{Answer, Data, Len, Place, Process, ProcessSignal, Request, Span};
use std::sync::mpsc::{Receiver, Sender, channel};
use thiserror::Error;

/// A call that will not be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Stopped {
    /// The run is over.
    #[error("the run was stopped")]
    Run,
    /// The board answered SLVERR.
    #[error("address {addr:#x}: the board refused the access")]
    Refused {
        /// Byte address in the shared memory.
        addr: ByteAddress,
    },
    /// The node has no barrier with this number.
    #[error("there is no barrier {number}")]
    NoBarrier {
        /// The number.
        number: u8,
    },
    /// The mailbox was full.
    #[error("the mailbox was full: a signal may be lost")]
    Lost,
    /// The program found a value that must not be.
    #[error("found {found}, expected {expected}")]
    Check {
        /// Expected value.
        expected: u32,
        /// Value found.
        found: u32,
    },
}

/// A node in a program.
#[derive(Debug)]
pub struct Handle {
    node: NodeId,
    asks: Sender<Request>,
    answers: Receiver<Answer>,
    cycle: Cycle,
}

/// Program of a node.
pub type Program<'a> = Box<dyn FnOnce(&mut Handle) -> Result<(), Stopped> + Send + 'a>;

impl Handle {
    fn ask(&mut self, request: Request) -> Result<Answer, Stopped> {
        self.asks.send(request).map_err(|_| Stopped::Run)?;
        let answer = self.answers.recv().map_err(|_| Stopped::Run)?;
        self.cycle = answer.now.cycle();
        Ok(answer)
    }

    fn read_at(&mut self, place: Place) -> Result<u32, Stopped> {
        let answer = self.ask(Request::Read(place, Len::Word))?;
        let word = answer.word();
        answer.got.map(|_| word).map_err(|_| Stopped::Refused { addr: place.addr })
    }

    fn write_at(&mut self, place: Place, data: u32) -> Result<(), Stopped> {
        let answer = self.ask(Request::Write(place, Data::Word { data, lanes: 0b1111 }))?;
        answer.got.map(drop).map_err(|_| Stopped::Refused { addr: place.addr })
    }

    /// Number of this node.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Cycle in which the last call was answered.
    pub fn cycle(&self) -> Cycle {
        self.cycle
    }

    /// Takes lock `id`. When this returns, no other node has it, and every write that an earlier
    /// holder made before its [`Handle::unlock`] is in this node's memory, if that was `sent` or
    /// `confirmed`.
    ///
    /// # Errors
    /// If the run is over first.
    pub fn lock(&mut self, id: u32) -> Result<(), Stopped> {
        self.ask(Request::Lock(id)).map(|_| ())
    }

    /// Gives lock `id` back. It leaves this node after all writes made before: with order
    /// `confirmed` when they are in the memory of every node, with `sent` after them on the ring.
    ///
    /// # Errors
    /// If the run is over first.
    pub fn unlock(&mut self, id: u32) -> Result<(), Stopped> {
        self.ask(Request::Unlock(id)).map(|_| ())
    }

    /// Waits for all nodes. When this returns, every write that any node made before its own call is
    /// in this node's memory, if arrivals are `sent` or `confirmed`.
    ///
    /// # Errors
    /// If the run is over first.
    pub fn barrier(&mut self) -> Result<(), Stopped> {
        self.arrive(0)
    }

    /// Waits for all members of a barrier: [`Handle::barrier`] is that of barrier 0.
    ///
    /// # Errors
    /// [`Stopped::NoBarrier`] if this node has no barrier with this number; if the run is over first.
    pub fn arrive(&mut self, barrier: u8) -> Result<(), Stopped> {
        self.ask(Request::Barrier(barrier))?
            .got
            .map(drop)
            .map_err(|_| Stopped::NoBarrier { number: barrier })
    }

    /// The word at byte `addr`, a multiple of 4, of this node's replica.
    ///
    /// # Errors
    /// If the run is over first, or the board refuses.
    pub fn read(&mut self, addr: ByteAddress) -> Result<u32, Stopped> {
        self.read_at(Place::shared(addr))
    }

    /// Writes the word at byte `addr`, a multiple of 4: here at once, elsewhere when its frame
    /// has come there.
    ///
    /// # Errors
    /// If the run is over first, or the board refuses.
    pub fn write(&mut self, addr: ByteAddress, data: u32) -> Result<(), Stopped> {
        self.write_at(Place::shared(addr), data)
    }

    /// The virtual shared memory.
    ///
    /// A page stays marked as accessed until this node accesses another one, calls [`Handle::lock`] or
    /// [`Handle::barrier`], or ends.
    pub fn pages(&mut self) -> Pages<'_> {
        Pages(self)
    }

    /// Sends a signal with a number and a word to node `to`, or to all others, behind data as `order` says.
    /// When this returns, it is in every receiver's mailbox.
    ///
    /// # Errors
    /// If the run is over first.
    pub fn signal(
        &mut self,
        to: Option<NodeId>,
        number: u16,
        value: u32,
        order: Order,
    ) -> Result<(), Stopped> {
        let signal = ProcessSignal { source: self.node, to, number, value };
        self.ask(Request::Signal(signal, order)).map(|_| ())
    }

    /// Waits for the oldest signal with this number, or with any, that has arrived; `None` if none has after
    /// `limit` cycles.
    ///
    /// # Errors
    /// [`Stopped::Lost`] once when the mailbox was full; if the run is over first.
    pub fn wait_signal(
        &mut self,
        number: Option<u16>,
        limit: Option<Cycle>,
    ) -> Result<Option<ProcessSignal>, Stopped> {
        let answer = self.ask(Request::Await(number, limit.map(Span::Cycles)))?;
        if answer.got.is_err() { Err(Stopped::Lost) } else { Ok(answer.signal()) }
    }

    /// Does nothing for `cycles` cycles.
    ///
    /// # Errors
    /// If the run is over first.
    pub fn wait(&mut self, cycles: Cycle) -> Result<(), Stopped> {
        self.ask(Request::wait(cycles)).map(|_| ())
    }
}

/// The virtual shared memory, seen from a node.
#[derive(Debug)]
pub struct Pages<'a>(&'a mut Handle);

impl Pages<'_> {
    /// The word at virtual byte address `addr`, a multiple of 4; its page is swapped in if need be.
    ///
    /// # Errors
    /// If the run is over first, `addr` is beyond the last page, or the board refuses.
    pub fn read(&mut self, addr: ByteAddress) -> Result<u32, Stopped> {
        self.0.read_at(Place::paged(addr))
    }

    /// Writes the word at virtual byte address `addr`, a multiple of 4. Others see it as they see
    /// [`Handle::write`].
    ///
    /// # Errors
    /// If the run is over first, `addr` is beyond the last page, or the board refuses.
    pub fn write(&mut self, addr: ByteAddress, data: u32) -> Result<(), Stopped> {
        self.0.write_at(Place::paged(addr), data)
    }
}

/// The other end of a handle.
struct Remote {
    asks: Receiver<Request>,
    answers: Sender<Answer>,
    began: bool,
}

impl Process for Remote {
    fn next(&mut self, answer: &Answer) -> Request {
        if self.began && self.answers.send(answer.clone()).is_err() {
            return Request::End;
        }
        self.began = true;
        // The program has ended when its handle is gone.
        self.asks.recv().unwrap_or(Request::End)
    }
}

/// Creates a handle for `node`, and the process that carries out the calls on the handle.
fn pair(node: NodeId) -> (Handle, Remote) {
    let (asks, asked) = channel();
    let (answers, answered) = channel();
    let remote = Remote { asks: asked, answers, began: false };
    (Handle { node, asks, answers: answered, cycle: Cycle(0) }, remote)
}

/// A program as a process, for a system that is stepped by its user. Its thread ends with it.
#[must_use]
pub fn process(node: NodeId, program: Program<'static>) -> Box<dyn Process> {
    let (mut handle, remote) = pair(node);
    std::thread::spawn(move || program(&mut handle));
    Box::new(remote)
}

impl<P: Protocols> DrivenRing<P> {
    /// Runs program i on node i, all at once, to their ends.
    ///
    /// # Errors
    /// If there are more programs than nodes, or some have not ended after `limit` cycles.
    ///
    /// # Panics
    /// If a program does.
    pub fn run_programs(
        &mut self,
        limit: Cycle,
        programs: Vec<Program<'_>>,
    ) -> Result<Vec<Result<(), Stopped>>, HostError> {
        let nodes = self.nodes();
        if programs.len() > nodes {
            return Err(HostError::Node { nodes, found: nodes });
        }
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for (node, program) in NodeId::all(nodes).zip(programs) {
                let (mut handle, remote) = pair(node);
                self.start(node, Box::new(remote))?;
                threads.push(scope.spawn(move || program(&mut handle)));
            }
            let run = self.run(limit);
            // Programs that still wait get the error `Stopped`.
            self.stop();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Result<(), Stopped>>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            let ends = threads.into_iter().map(join).collect();
            run.map(|()| ends)
        })
    }

    /// Processes are forgotten.
    fn stop(&mut self) {
        for driver in &mut self.drivers {
            driver.forget();
        }
    }
}
