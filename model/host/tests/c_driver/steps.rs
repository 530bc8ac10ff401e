// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state machines in C, step by step beside those of `awgstar-sync`: the same signals and the same states after
//! every event.

use crate::process::{Program, compile, driver};
use awgstar_board::ring::{HostOp, HostResult, Outcome};
use awgstar_frame::contract::{Interrupt, Order, Signal, board};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_host::CustomHost;
use awgstar_sync::firmware::barrier::{Member, Nodes, Ring};
use awgstar_sync::firmware::lock::RingQueue;
use awgstar_sync::firmware::{Action, Event, Firmware, Message, Timer};
use std::{
    collections::{BTreeSet, VecDeque},
    path::Path,
};

const NODE: NodeId = NodeId(2);
const NODES: usize = 5;
const LOCK: u32 = 0x0102_0304;
const BARRIER: u8 = 3;
const RETRY: u64 = 500;

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    fn node(&mut self) -> NodeId {
        NodeId::at(usize::try_from(self.below(NODES as u64)).expect("small"))
    }

    /// A number a little before or after `near`.
    fn number(&mut self, near: u16) -> u16 {
        let back = u16::try_from(self.below(4)).expect("small");
        near.wrapping_add(2).wrapping_sub(back)
    }
}

/// The registers of a board, as far as the driver needs them, and the program behind them.
struct Fake {
    program: Program,
    cycle: u64,
    events: u32,
    mail: VecDeque<[u32; 16]>,
    data: [u32; 12],
    sent: Vec<(u32, [u32; 3])>,
    state: Vec<u32>,
    last: Vec<HostResult>,
}

impl Fake {
    /// Answers accesses until the program asks what to do, tells it, and answers until it has done that.
    fn run(&mut self, command: u32) -> Result<Vec<u32>, String> {
        self.state.clear();
        for _ in 0..2_000 {
            let last = std::mem::take(&mut self.last);
            let op = self.program.next(Cycle(self.cycle), &last).first().copied();
            let (data, end) = match op {
                Some(HostOp::Read { addr }) => (self.read(addr, command), false),
                Some(HostOp::Write { addr, data, .. }) => (0, self.write(addr, data)),
                Some(HostOp::Interrupt { .. }) => (0, false),
                other => return Err(format!("the program has ended: {other:?}")),
            };
            let (began, ended) = (Cycle(self.cycle), Cycle(self.cycle));
            let op = op.expect("some");
            self.last = vec![HostResult { op, began, ended, data, outcome: Outcome::Done }];
            if end {
                return Ok(std::mem::take(&mut self.state));
            }
        }
        Err("2,000 accesses for one event".into())
    }

    fn read(&self, addr: ByteAddress, command: u32) -> u32 {
        let mail = board::MAIL_DATA.offset;
        match addr {
            ByteAddress(0xF00) => command,
            a if a == board::ID.offset => board::ID.reset,
            a if a == board::VERSION.offset => 1,
            a if a == board::MEM_SIZE.offset => 16_384,
            a if a == board::IRQ_STATUS.offset => self.events,
            a if a == board::MAIL_COUNT.offset => u32::try_from(self.mail.len()).expect("small"),
            a if (mail..mail + 64).contains(&a) => {
                self.mail.front().map_or(0, |words| words[(a - mail) as usize / 4])
            }
            _ => 0,
        }
    }

    fn write(&mut self, addr: ByteAddress, value: u32) -> bool {
        let data = board::SIGNAL_DATA.offset;
        match addr {
            ByteAddress(0xF04) => self.state.push(value),
            a if a == board::IRQ_STATUS.offset => self.events &= !value,
            a if a == board::MAIL_POP.offset => drop(self.mail.pop_front()),
            a if (data..data + 48).contains(&a) => self.data[(a - data) as usize / 4] = value,
            a if a == board::SIGNAL_SEND.offset => {
                self.sent.push((value, [self.data[0], self.data[1], self.data[2]]));
            }
            _ => {}
        }
        addr == ByteAddress(0xF08)
    }

    fn deliver(&mut self, message: &Message) {
        let (token, c_st) = (message.signal.token().code(), message.signal.c_st());
        let mut words = [0; 16];
        words[0] =
            u32::from(token) << 29 | u32::from(c_st) << 24 | u32::from(message.node_id) << 16;
        words[1] = 0x0253_4d42;
        words[2] = u32::from(message.source) << 16 | 0x2e; // 46 bytes of Data
        words[4..7].copy_from_slice(&data_words(message));
        self.mail.push_back(words);
        self.events |= 1 << Interrupt::Mail.code();
    }
}

fn data_words(message: &Message) -> [u32; 3] {
    let mut bytes = [0; 12];
    bytes[..10].copy_from_slice(&message.data());
    [0, 4, 8].map(|i| u32::from_le_bytes(bytes[i..i + 4].try_into().expect("four")))
}

/// What a board is asked to send for a message.
fn send_word(message: &Message, order: Order) -> u32 {
    let (token, c_st) = (message.signal.token().code(), message.signal.c_st());
    let head = u32::from(token) | u32::from(c_st) << 3 | u32::from(message.node_id) << 8;
    head | 10 << 20 | u32::from(order.code()) << 26
}

/// The state machines in Rust with what a driver does for them.
struct Machines {
    lock: RingQueue,
    barrier: Ring,
    timers: BTreeSet<(bool, Timer)>,
    outbox: VecDeque<(Message, Order)>,
}

impl Machines {
    fn step(&mut self, of_lock: bool, event: Event) {
        let mut actions = Vec::new();
        if of_lock {
            self.lock.step(event, &mut actions);
        } else {
            self.barrier.step(event, &mut actions);
        }
        for action in actions {
            match action {
                Action::Send(message, order) => self.outbox.push_back((message, order)),
                Action::Start(timer) => drop(self.timers.insert((of_lock, timer))),
                Action::Stop(timer) => drop(self.timers.remove(&(of_lock, timer))),
                Action::Acquired | Action::Released | Action::Passed => {}
            }
        }
    }

    fn summary(&self) -> (String, String) {
        (self.lock.summary(), self.barrier.summary())
    }
}

/// The states of the program, in the words of the state machines in Rust.
fn words_of(state: &[u32]) -> (String, String) {
    let caller = ["idle", "asking", "inside"].get(state[1] as usize).unwrap_or(&"?");
    let right = if state[3] == 1 { "here" } else { "away" };
    let waiting = &state[8..8 + state[7] as usize];
    let waiting: Vec<String> =
        waiting.iter().map(|w| format!("{}#{}", w >> 16, w & 0xffff)).collect();
    let waiting = waiting.join(" ");
    let lock = format!("{caller} #{}, right {right} ({}), waiting [{waiting}]", state[2], state[4]);
    let heard = &state[8 + state[7] as usize..];
    let heard: Vec<NodeId> = NodeId::all(NODES)
        .zip(heard)
        .filter(|(_, here)| **here == 1)
        .map(|(node, _)| node)
        .collect();
    let barrier = if state[5] == 1 { "waiting" } else { "away" };
    (lock, format!("{barrier} in {}, arrived {heard:?}", state[6]))
}

/// A message that may be on such a ring, or nearly.
fn message(random: &mut Random, tag: u16, epoch: u16, episode: u16) -> Message {
    let mut source = random.node();
    while source == NODE {
        source = random.node();
    }
    let signals = [Signal::LockQueueRequest, Signal::LockQueuePass, Signal::BarrierRingArrival];
    let signal = signals[usize::try_from(random.below(3)).expect("small")];
    let mut message = Message::new(signal, source);
    message.node_id = if signal == Signal::LockQueueRequest { source } else { random.node() };
    message.tag = random.number(if signal == Signal::BarrierRingArrival { episode } else { tag });
    message.lock_number = LOCK;
    if signal == Signal::LockQueuePass {
        message.epoch = random.number(epoch);
    }
    if signal == Signal::BarrierRingArrival {
        message.lock_number = if random.below(8) == 0 { 4 } else { BARRIER.into() };
    }
    message
}

fn run(program: &Path, seed: u64, events: usize) -> Result<(), String> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let order =
        [Order::None, Order::Sent, Order::Confirmed][usize::try_from(seed % 3).expect("small")];
    let first = random.node();
    // Numbers that wrap round, and others.
    let near = |random: &mut Random| {
        let number = u16::try_from(random.below(6)).expect("small");
        if random.below(2) == 0 { number } else { number.wrapping_sub(6) }
    };
    let (tag, epoch, episode) = (near(&mut random), near(&mut random), near(&mut random));
    let mut member = Member::new(NODE, NodeId::all(NODES).collect::<Nodes>());
    (member.barrier, member.episode, member.arrivals) = (BARRIER, episode, order);
    let mut rust = Machines {
        lock: RingQueue::new(NODE, LOCK, first, order).counting_from(tag, epoch),
        barrier: Ring::new(member),
        timers: BTreeSet::new(),
        outbox: VecDeque::new(),
    };
    let numbers = [
        u64::from(NODE.0),
        order.code().into(),
        RETRY,
        first.0.into(),
        tag.into(),
        epoch.into(),
        episode.into(),
    ];
    let (program, _) = Program::start(program, &numbers.map(|n| n.to_string()), 20);
    let mut c = Fake {
        program,
        // The clock passes 2^32.
        cycle: (1 << 32) - 3_000,
        events: 0,
        mail: VecDeque::new(),
        data: [0; 12],
        sent: Vec::new(),
        state: Vec::new(),
        last: Vec::new(),
    };
    let (mut tag, mut epoch, mut episode) = (tag, epoch, episode);
    for at in 0..events {
        let mut command = 0;
        let what = match random.below(10) {
            0 => {
                command = 1;
                rust.step(true, Event::Acquire);
                "acquire".to_string()
            }
            1 => {
                command = 2;
                rust.step(true, Event::Release);
                "release".to_string()
            }
            2 => {
                command = 3;
                rust.step(false, Event::Arrive);
                "arrive".to_string()
            }
            3 => {
                c.cycle += RETRY;
                for (of_lock, timer) in std::mem::take(&mut rust.timers).into_iter().rev() {
                    rust.step(of_lock, Event::Timer(timer));
                }
                "time".to_string()
            }
            _ => {
                let message = message(&mut random, tag, epoch, episode);
                let of_lock = message.signal != Signal::BarrierRingArrival;
                rust.step(of_lock, Event::Signal(message));
                c.deliver(&message);
                format!("{message:?}")
            }
        };
        let fail = |text: String| format!("seed {seed}, event {at}, {what}: {text}");
        let mut state = c.run(command).map_err(&fail)?;
        // Every signal returns before the next event; some come back so late that timers run out before.
        loop {
            let sent = std::mem::take(&mut c.sent);
            let expected = rust.outbox.pop_front();
            let words =
                expected.map(|(message, order)| (send_word(&message, order), data_words(&message)));
            if sent.len() > 1 || sent.first().copied() != words {
                return Err(fail(format!(
                    "sends {sent:x?}, expected {expected:?}; state {state:?}, {:?}",
                    rust.summary()
                )));
            }
            let Some((message, _)) = expected else { break };
            if random.below(4) == 0 {
                c.cycle += RETRY;
                let before = rust.outbox.clone();
                for (of_lock, timer) in std::mem::take(&mut rust.timers).into_iter().rev() {
                    rust.step(of_lock, Event::Timer(timer));
                }
                // What waits or is with the board is not sent twice (DRV-2).
                let mut after = before;
                for one in rust.outbox.drain(..) {
                    if one.0 != message && !after.contains(&one) {
                        after.push_back(one);
                    }
                }
                rust.outbox = after;
                c.run(0).map_err(&fail)?;
            }
            let of_lock = message.signal != Signal::BarrierRingArrival;
            rust.step(of_lock, Event::Returned(message));
            c.events |= 1 << Interrupt::SignalDone.code();
            state = c.run(0).map_err(&fail)?;
        }
        let (found, expected) = (words_of(&state), rust.summary());
        if found != expected {
            return Err(fail(format!("{found:?}, expected {expected:?}")));
        }
        let low = |value: u32| u16::try_from(value).map_err(|e| fail(e.to_string()));
        (tag, epoch, episode) = (low(state[2])?, low(state[4])?, low(state[6])?);
    }
    Ok(())
}

/// Runs `runs` runs of `events` random events with the driver in `driver`.
pub(crate) fn compare(from: &Path, folder: &Path, runs: u64, events: usize) -> Result<(), String> {
    let program = compile(from, "steps", folder)?;
    (1..=runs).try_for_each(|seed| run(&program, seed, events))
}

#[test]
fn the_state_machines_are_those_in_rust() {
    compare(&driver(), &crate::temporary(), 16, 200).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
#[ignore = "15 s: more runs of the same"]
fn the_state_machines_are_those_in_rust_long() {
    compare(&driver(), &crate::temporary(), 500, 200).unwrap_or_else(|e| panic!("{e}"));
}
