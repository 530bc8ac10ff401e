// SPDX-License-Identifier: MIT OR Apache-2.0
//! Engine and firmware get the same events: their states are equal after each, and so is what they send
//! when the sends of the firmware are put into slots. All that is expected comes from the firmware.

use crate::adapter::Engine;
use awgstar_frame::contract::{Order, Signal};
use awgstar_frame::quantity::NodeId;
use awgstar_sync::firmware::lock::RingQueue;
use awgstar_sync::firmware::{Action, Event, Firmware, Message, Timer};
use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use std::collections::VecDeque;

const LOCKS: [u8; 3] = [0, 6, 15];
const NODE: u8 = 2;

/// What happens, with numbers relative to what the firmware knows.
#[derive(Clone, Copy, Debug)]
enum Happens {
    Acquire,
    Release,
    Request { node: u8, ahead: i32 },
    Pass { to: u8, ahead: i32, later: i32 },
    Returns,
    Timer(Timer),
}

/// A lock in firmware, and what its sends are worth when they leave later.
struct Lock {
    number: u8,
    machine: RingQueue,
    /// The request while it is open, and the pass while ownership is given.
    request: Option<Message>,
    pass: Option<(Message, Order)>,
    inside: bool,
    runs: [bool; 2],
    /// Newest number of each node, and of a pass.
    newest: [u16; 8],
    epoch: u16,
}

/// Firmware of all locks with the slots of the engine.
struct Reference {
    locks: Vec<Lock>,
    /// Slots in the order in which they were put in: (lock, is a pass).
    slots: VecDeque<(usize, bool)>,
    out: Option<(usize, Message, Order)>,
}

impl Reference {
    fn new(first: u16, tag: u16, epoch: u16) -> Reference {
        let lock = |number: u8| {
            let owner = if first >> number & 1 != 0 { NODE } else { 7 };
            let machine = RingQueue::new(NodeId(NODE), number.into(), NodeId(owner), Order::Sent)
                .counting_from(tag, epoch);
            Lock {
                number,
                machine,
                request: None,
                pass: None,
                inside: false,
                runs: [false; 2],
                newest: [tag; 8],
                epoch,
            }
        };
        let locks = LOCKS.into_iter().map(lock).collect();
        Reference { locks, slots: VecDeque::new(), out: None }
    }

    fn put(&mut self, slot: (usize, bool)) {
        if !self.slots.contains(&slot) {
            self.slots.push_back(slot);
        }
    }

    fn event(&mut self, at: usize, event: Event) {
        let mut actions = Vec::new();
        let lock = &mut self.locks[at];
        lock.machine.step(event, &mut actions);
        if let Event::Timer(timer) = event {
            lock.runs[usize::from(timer == Timer::Pass)] = false;
        }
        for action in actions {
            let lock = &mut self.locks[at];
            match action {
                Action::Send(message, order) => {
                    let pass = message.signal == Signal::LockQueuePass;
                    if pass {
                        lock.pass = Some((message, order));
                        lock.epoch = message.epoch;
                    } else {
                        assert_eq!(order, Order::None);
                        lock.request = Some(message);
                        lock.newest[usize::from(NODE)] = message.tag;
                    }
                    self.put((at, pass));
                }
                Action::Start(timer) => lock.runs[usize::from(timer == Timer::Pass)] = true,
                Action::Stop(timer) => {
                    lock.runs[usize::from(timer == Timer::Pass)] = false;
                    // A newer pass is known: ownership is not given from here any more.
                    if timer == Timer::Pass && matches!(event, Event::Signal(_)) {
                        lock.pass = None;
                    }
                }
                Action::Acquired => {
                    lock.request = None;
                    lock.inside = true;
                }
                Action::Released => lock.inside = false,
                Action::Passed => unreachable!("a lock"),
            }
        }
        if let Event::Signal(m) = event {
            let lock = &mut self.locks[at];
            let newest = &mut lock.newest[m.node_id.index()];
            if m.tag.wrapping_sub(*newest) < 0x8000 {
                *newest = m.tag;
            }
            if m.signal == Signal::LockQueuePass && m.epoch.wrapping_sub(lock.epoch) < 0x8000 {
                lock.epoch = m.epoch;
            }
        }
        self.load();
    }

    /// What goes out when nothing is out: what is still worth sending.
    fn load(&mut self) {
        while self.out.is_none() {
            let Some((at, pass)) = self.slots.pop_front() else { return };
            let lock = &self.locks[at];
            let content = if pass { lock.pass } else { lock.request.map(|m| (m, Order::None)) };
            self.out = content.map(|(message, order)| (at, message, order));
        }
    }
}

fn happens() -> impl Strategy<Value = Happens> {
    let ahead = prop_oneof![6 => 0..3_i32, 2 => -2..0_i32, 1 => Just(0x7FFF), 1 => Just(0x8000)];
    let later = prop_oneof![6 => Just(1), 2 => -2..3_i32, 1 => Just(0x7FFF), 1 => Just(0x8000)];
    prop_oneof![
        5 => Just(Happens::Acquire),
        5 => Just(Happens::Release),
        8 => (0..8_u8, ahead.clone()).prop_map(|(node, ahead)| Happens::Request { node, ahead }),
        8 => (0..8_u8, ahead, later).prop_map(|(to, ahead, later)| Happens::Pass { to, ahead, later }),
        5 => Just(Happens::Pass { to: NODE, ahead: 0, later: 1 }),
        8 => Just(Happens::Returns),
        2 => Just(Happens::Timer(Timer::Request)),
        2 => Just(Happens::Timer(Timer::Pass)),
    ]
}

fn offset(from: u16, by: i32) -> u16 {
    let [low, high, ..] = by.to_le_bytes();
    from.wrapping_add(u16::from_le_bytes([low, high]))
}

/// Does to both what happens; `None` if it cannot happen now.
fn both(reference: &mut Reference, engine: &mut Engine, at: usize, what: Happens) -> Option<()> {
    let lock = &reference.locks[at];
    let number = lock.number;
    let message = |signal, node_id, tag, epoch| Message {
        node_id: NodeId(node_id),
        tag,
        epoch,
        lock_number: number.into(),
        ..Message::new(signal, NodeId(7))
    };
    let event = match what {
        Happens::Acquire => {
            let free = !lock.inside && lock.request.is_none();
            assert_eq!(engine.command(number, false), free);
            Event::Acquire
        }
        Happens::Release => {
            assert_eq!(engine.command(number, true), lock.inside);
            Event::Release
        }
        Happens::Request { node, ahead } => {
            let tag = offset(lock.newest[usize::from(node)], ahead);
            Event::Signal(message(Signal::LockQueueRequest, node, tag, 0))
        }
        Happens::Pass { to, ahead, later } => {
            let tag = offset(lock.newest[usize::from(to)], ahead);
            let epoch = offset(lock.epoch, later);
            Event::Signal(message(Signal::LockQueuePass, to, tag, epoch))
        }
        Happens::Returns => {
            let (at, message, _) = reference.out.take()?;
            engine.returned();
            reference.event(at, Event::Returned(message));
            return Some(());
        }
        Happens::Timer(timer) => {
            let pass = timer == Timer::Pass;
            if !lock.runs[usize::from(pass)] {
                return None;
            }
            engine.fire(number | if pass { 16 } else { 0 });
            Event::Timer(timer)
        }
    };
    if let Event::Signal(message) = &event {
        engine.tell(message);
    }
    reference.event(at, event);
    Some(())
}

/// Numbers at the start, and what happens.
type Run = (u16, u16, u16, Vec<(usize, Happens)>);

/// Something wrong in the engine.
type Bug = fn(&mut Engine);

/// `bug` changes the engine after each event.
fn compared(run: &Run, bug: impl Fn(&mut Engine)) -> Result<(), TestCaseError> {
    let &(first, tag, epoch, ref run) = run;
    let mut reference = Reference::new(first, tag, epoch);
    let mut engine = Engine::new(3, NODE, first, Order::Sent);
    for number in LOCKS {
        engine.rtl.tags[usize::from(number)] = tag;
        engine.rtl.epochs[usize::from(number)] = epoch;
    }
    for (step, &(at, what)) in run.iter().enumerate() {
        if both(&mut reference, &mut engine, at, what).is_none() {
            continue;
        }
        engine.settle();
        bug(&mut engine);
        for lock in &reference.locks {
            let place = format!("step {step}, {what:?} of lock {at}, lock {}", lock.number);
            prop_assert_eq!(engine.summary(lock.number), lock.machine.summary(), "{}", place);
            prop_assert_eq!(engine.runs(lock.number), lock.runs, "{}", place);
            let e = &engine.rtl;
            let word = usize::from(lock.number);
            let given = e.givens[word];
            let given =
                (e.given_q >> lock.number & 1 != 0).then_some((given >> 16, given & 0xFFFF));
            let expected = lock.pass.map(|(m, _)| (u32::from(m.node_id.0), u32::from(m.tag)));
            prop_assert_eq!(given, expected, "{}", place);
        }
        let out = reference.out.map(|(_, message, order)| (message, order));
        prop_assert_eq!(engine.sends(), out, "step {}, {:?}", step, what);
    }
    Ok(())
}

fn runs() -> impl Strategy<Value = Run> {
    let number = || prop_oneof![Just(0_u16), Just(0xFFFE), Just(0x7FFF), any::<u16>()];
    let events = proptest::collection::vec((0..LOCKS.len(), happens()), 1..120);
    (any::<u16>(), number(), number(), events)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]
    // checks ENG-1, ENG-3
    #[test]
    fn engine_is_the_ring_queue(run in runs()) {
        compared(&run, |_| {})?;
    }
}

/// The comparison sees an engine that is not the ring queue.
#[test]
fn bugs_are_seen() {
    let bugs: [(&str, Bug); 7] = [
        ("sends are forgotten", |e| {
            (e.rtl.want_q, e.rtl.rd_q) = (0, e.rtl.wr_q);
        }),
        ("a pass is forgotten", |e| {
            if e.rtl.passing_q == 0 {
                e.rtl.given_q = 0;
            }
        }),
        ("a list of three is forgotten", |e| {
            if e.waiting(6).len() == 3 {
                e.rtl.u_list.some_q &= !(1 << 6);
            }
        }),
        ("a request is known twice", |e| {
            for word in e.rtl.u_list.entries.iter_mut().filter(|word| **word >> 16 & 1 == 0) {
                *word &= 0xFFFF;
            }
        }),
        ("a timer goes on", |e| e.rtl.passing_q |= e.rtl.given_q),
        ("a pass is older than it is", |e| {
            if e.rtl.held_q >> 15 & 1 != 0 {
                e.rtl.epochs[15] = e.rtl.epochs[15].wrapping_sub(1);
            }
        }),
        ("a timer stops", |e| e.rtl.asking_q &= !(e.rtl.given_q & 1)),
    ];
    for (name, bug) in bugs {
        let config = ProptestConfig {
            cases: 1500,
            failure_persistence: None,
            max_shrink_iters: 0,
            ..ProptestConfig::default()
        };
        let found = TestRunner::new(config).run(&runs(), |run| compared(&run, bug));
        assert!(matches!(found, Err(TestError::Fail(..))), "{name}");
    }
}
