// SPDX-License-Identifier: MIT OR Apache-2.0
//! A barrier and a lock of all rings by those of the boards: each ring has them, and so has a ring of gateways above.
//!
//! A gateway is a host with a board on its ring, node 0, and one on the ring above, node *r* for ring *r*. What one half
//! knows the other half knows some cycles later.
//!
//! Barrier: all of a ring meet at barrier 0 of its boards, the gateway among them; the gateways meet at barrier 0
//! above; and each gateway sends a signal, for which the processes of its ring wait. A second barrier in its place would
//! have as many frames on the ring at once as there are processes, and a word would wait for a token.
//!
//! Lock: lock 0 of a ring is with its gateway at first, and is given to processes while the gateway has lock 0 above
//! ([`LockGateway`]). A word for each node, which it alone writes, says that it wants the lock or holds it.

use super::build::{MeshError, RINGS_MAX};
use super::common::Common;
use super::run::{Rings, Side};
use super::wire::{Pace, Receiver, Sender, wire};
use crate::lock::{LockGateway, Queue, Step};
use crate::repairs::LockRepairs;
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar_host::{Choice, DrivenRing, Setup};
use awgstar_request::{Answer, Len, Place, Process, ProcessSignal, Request};

/// Rings below one ring of their gateways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    /// The boards of each ring, its gateway, node 0, among them. Bit errors are at other places in each.
    pub below: Setup,
    /// The ring above, with a board for each gateway.
    pub above: Setup,
    /// From one half of a gateway to the other.
    pub crossing: Cycle,
    /// Locks and barriers of the boards.
    pub choice: Choice,
}

/// What the halves of a gateway say to each other of the lock above: it is asked for; is here; is wanted by others; is
/// given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Ask,
    Have,
    Wanted,
    Give,
}

/// The words of nodes that want the lock, which are the last of the memory.
#[derive(Clone, Copy)]
struct Wants(ByteAddress);

impl Wants {
    fn of(setup: &Setup) -> Wants {
        let memory = 4_u32 << setup.scenario.parameters.mem_addr_w();
        Wants(ByteAddress(memory - 4 * narrow::<u32>(RINGS_MAX)))
    }

    fn say(self, node: usize, value: u32) -> Request {
        Request::write(self.0 + 4 * narrow::<u32>(node), value)
    }

    /// To read those of so many nodes from `first` on.
    fn look(self, first: usize, nodes: usize) -> Request {
        let at = self.0 + 4 * narrow::<u32>(first);
        Request::Read(Place::shared(at), Len::Bytes(4 * nodes as u64))
    }
}

/// The number of the signal that ends a barrier of all rings.
const RELEASE: u16 = 0xfffe;

/// A process below: barrier 0 and lock 0 are those of all rings.
struct Below<Q> {
    process: Q,
    node: usize,
    wants: Wants,
    then: Option<Request>,
}

impl<Q: Process> Process for Below<Q> {
    fn next(&mut self, answer: &Answer) -> Request {
        if let Some(next) = self.then.take() {
            return next;
        }
        let wants = |value| self.wants.say(self.node, value);
        let request = self.process.next(answer);
        let (first, then) = match request {
            Request::Barrier(0) => (Request::Barrier(0), Request::Await(Some(RELEASE), None)),
            Request::Lock(0) => (wants(1), Request::Lock(0)),
            Request::Unlock(0) => (wants(0), Request::Unlock(0)),
            other => return other,
        };
        self.then = Some(then);
        first
    }
}

/// Both directions to the other half.
struct Half<T> {
    to: Sender<T>,
    from: Receiver<T>,
}

impl<T> Half<T> {
    fn say(&mut self, now: Cycle, word: T) {
        self.to.send(now, 0, word);
    }
}

/// Half of a gateway at the barrier. It tells the other half that all on its ring have arrived.
struct Meeting {
    half: Half<()>,
    below: bool,
    at: At,
}

/// Where it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Begin,
    /// At the barrier.
    Meets,
    /// It waits for the other half.
    Waits,
}

impl Process for Meeting {
    fn next(&mut self, answer: &Answer) -> Request {
        let now = answer.now.cycle();
        match (self.at, self.below) {
            (At::Begin, false) => self.at = At::Waits,
            (At::Begin, true) => {
                self.at = At::Meets;
                return Request::Barrier(0);
            }
            (At::Meets, _) => {
                self.half.say(now, ());
                self.at = At::Waits;
            }
            (At::Waits, _) => {}
        }
        if self.half.from.take(now).is_none() {
            return Request::wait(Cycle(1));
        }
        if !self.below {
            self.at = At::Meets;
            return Request::Barrier(0);
        }
        self.at = At::Begin;
        let signal = ProcessSignal { source: NodeId(0), to: None, number: RELEASE, value: 0 };
        Request::Signal(signal, Order::None)
    }
}

/// What a half of a gateway at the lock waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    /// Asks for the lock of the ring, which it owns.
    Begins,
    Nothing,
    /// Has looked at the words of who wants the lock.
    Looks,
    Locks,
}

/// Half of a gateway at the lock, below.
struct Lower {
    half: Half<Word>,
    wants: Wants,
    processes: usize,
    gateway: LockGateway,
    below: Queue,
    above: Queue,
    does: Does,
}

impl Process for Lower {
    fn next(&mut self, answer: &Answer) -> Request {
        let now = answer.now.cycle();
        match std::mem::replace(&mut self.does, Does::Nothing) {
            Does::Begins => {
                self.does = Does::Locks;
                return Request::Lock(0);
            }
            Does::Nothing => {}
            Does::Looks => self.below.wanted = answer.bytes().iter().any(|byte| *byte != 0),
            Does::Locks => self.below = Queue { held: true, ..Queue::default() },
        }
        while let Some(word) = self.half.from.take(now) {
            match word {
                Word::Have => self.above = Queue { held: true, ..Queue::default() },
                _ => self.above.wanted = true,
            }
        }
        match self.gateway.step(self.below, self.above) {
            Some(Step::AskUpper) => {
                self.above.asked = true;
                self.half.say(now, Word::Ask);
            }
            Some(Step::GiveUpper) => {
                self.above = Queue::default();
                self.half.say(now, Word::Give);
            }
            Some(Step::AskLower) => {
                self.does = Does::Locks;
                return Request::Lock(0);
            }
            Some(Step::GiveLower) => {
                self.below = Queue::default();
                return Request::Unlock(0);
            }
            None => {}
        }
        self.does = Does::Looks;
        self.wants.look(1, self.processes)
    }
}

/// Half of a gateway at the lock, above.
struct Upper {
    half: Half<Word>,
    wants: Wants,
    me: usize,
    rings: usize,
    holds: bool,
    told: bool,
    does: Does,
    then: Option<Request>,
}

impl Process for Upper {
    fn next(&mut self, answer: &Answer) -> Request {
        let now = answer.now.cycle();
        if let Some(next) = self.then.take() {
            return next;
        }
        match std::mem::replace(&mut self.does, Does::Nothing) {
            Does::Begins | Does::Nothing => {}
            Does::Locks => {
                (self.holds, self.told) = (true, false);
                self.half.say(now, Word::Have);
            }
            Does::Looks => {
                let words = answer.bytes().chunks(4).enumerate();
                let mut others = words.filter(|(node, _)| *node != self.me);
                if !self.told && others.any(|(_, word)| word != [0; 4]) {
                    self.told = true;
                    self.half.say(now, Word::Wanted);
                }
            }
        }
        let (value, then) = match self.half.from.take(now) {
            Some(Word::Ask) => {
                self.does = Does::Locks;
                (1, Request::Lock(0))
            }
            Some(_) => {
                self.holds = false;
                (0, Request::Unlock(0))
            }
            None if self.holds => {
                self.does = Does::Looks;
                return self.wants.look(0, self.rings);
            }
            None => return Request::wait(Cycle(1)),
        };
        self.then = Some(then);
        self.wants.say(self.me, value)
    }
}

/// One ring, with a process for each board: what rings with gateways are compared with.
///
/// # Errors
/// [`MeshError`].
pub fn single<Q: Process + Send + 'static>(
    boards: usize,
    fibre: u32,
    choice: Choice,
    mut process: impl FnMut(NodeId) -> Q,
) -> Result<Rings, MeshError> {
    let mut ring = ring(&Setup::new(boards, fibre), 0, choice)?;
    let ending: Vec<NodeId> = NodeId::all(boards).collect();
    for &node in &ending {
        ring.start(node, Box::new(process(node)))?;
    }
    // Nothing comes from outside.
    Ok(Rings::new(vec![Side::new(ring, ending)], Cycle(64), Common::default()))
}

/// A ring, whose bit errors are at other places in each with another number.
fn ring(
    setup: &Setup,
    number: usize,
    choice: Choice,
) -> Result<DrivenRing<Choice, dyn Process + Send>, MeshError> {
    let boards = setup.scenario.boards;
    if !(2..=256).contains(&boards) {
        return Err(MeshError::Boards { found: boards, least: 2 });
    }
    let mut setup = setup.clone();
    if choice.has_engines() {
        setup = setup.with_engines();
    }
    let noise = &mut setup.scenario.noise;
    noise.seed = noise.seed.wrapping_add(number as u64);
    Ok(DrivenRing::for_processes(choice, &setup, setup.configuration())?)
}

/// The two hosts of a gateway, the lower one first.
type Hosts = (Box<dyn Process + Send>, Box<dyn Process + Send>);

impl Levels {
    /// The rings, the one above last, with a process for each board below but those of gateways, which serve the barrier.
    ///
    /// # Errors
    /// [`MeshError`].
    pub fn with_barrier<Q: Process + Send + 'static>(
        &self,
        process: impl FnMut(usize, NodeId) -> Q,
    ) -> Result<Rings, MeshError> {
        let hosts = |_, below, above| -> Hosts {
            let lower = Meeting { half: below, below: true, at: At::Begin };
            (Box::new(lower), Box::new(Meeting { half: above, below: false, at: At::Begin }))
        };
        self.build(hosts, process)
    }

    /// The same with gateways that serve the lock: a host does one thing at a time.
    ///
    /// # Errors
    /// [`MeshError`].
    pub fn with_lock<Q: Process + Send + 'static>(
        &self,
        process: impl FnMut(usize, NodeId) -> Q,
    ) -> Result<Rings, MeshError> {
        let wants = Wants::of(&self.below);
        let above_wants = Wants::of(&self.above);
        let hosts = |me, below, above| -> Hosts {
            let lower = Lower {
                half: below,
                wants,
                processes: self.processes(),
                gateway: LockGateway::new(LockRepairs::ALL),
                below: Queue::default(),
                above: Queue::default(),
                does: Does::Begins,
            };
            let upper = Upper {
                half: above,
                wants: above_wants,
                me,
                rings: self.rings(),
                holds: false,
                told: false,
                does: Does::Nothing,
                then: None,
            };
            (Box::new(lower), Box::new(upper))
        };
        self.build(hosts, process)
    }

    /// Gateways, one for each ring below.
    #[must_use]
    pub const fn rings(&self) -> usize {
        self.above.scenario.boards
    }

    /// Processes of each ring.
    #[must_use]
    pub const fn processes(&self) -> usize {
        self.below.scenario.boards.saturating_sub(1)
    }

    fn build<T: Send + 'static, Q: Process + Send + 'static>(
        &self,
        hosts: impl Fn(usize, Half<T>, Half<T>) -> Hosts,
        mut process: impl FnMut(usize, NodeId) -> Q,
    ) -> Result<Rings, MeshError> {
        if !(2..=RINGS_MAX).contains(&self.rings()) {
            return Err(MeshError::Rings(self.rings()));
        }
        if self.crossing == Cycle(0) {
            return Err(MeshError::Latency);
        }
        let pace = Pace { latency: self.crossing, word: Cycle(0) };
        let mut above = ring(&self.above, self.rings(), self.choice)?;
        let mut sides = Vec::new();
        for number in 0..self.rings() {
            let mut below = ring(&self.below, number, self.choice)?;
            let ((up, from_below), (down, from_above)) = (wire(pace), wire(pace));
            let halves = (Half { to: up, from: from_above }, Half { to: down, from: from_below });
            let (lower, upper) = hosts(number, halves.0, halves.1);
            below.start(NodeId(0), lower)?;
            above.start(NodeId::at(number), upper)?;
            let ending: Vec<NodeId> = NodeId::all(self.below.scenario.boards).skip(1).collect();
            for &node in &ending {
                let (process, wants) = (process(number, node), Wants::of(&self.below));
                let one = Below { process, node: node.index(), wants, then: None };
                below.start(node, Box::new(one))?;
            }
            sides.push(Side::new(below, ending));
        }
        sides.push(Side::new(above, Vec::new()));
        Ok(Rings::new(sides, self.crossing, Common::default()))
    }
}
