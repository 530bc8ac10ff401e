// SPDX-License-Identifier: MIT OR Apache-2.0
//! `barrier_engine` beside the state machine of the ring barrier (ENG-4, ENG-5).

use crate::adapter::{Adapter, Either, Feed, Part, Seen};
use crate::seeded::seeded;
use awgstar::check::{Kind, Network, Profile, Property, Settings, explore, listing};
use awgstar::contract::{Order, Signal, Token};
use awgstar::firmware::barrier::{Member, Nodes, Ring};
use awgstar::firmware::{Action, Event, Firmware, Message, Timer};
use awgstar::quantity::{NodeId, narrow};
use awgstar::rtl::barrier_engine::{IDLE, Inputs, Outputs};
use awgstar::rtl::state::State as _;
use awgstar::rtl::{BarrierEngine, Parameters};
use proptest::prelude::*;
use std::hash::{Hash, Hasher};

/// An engine of node `own` with members for each barrier, switched on.
fn engine(node_w: u8, own: u8, members: &[Nodes]) -> (BarrierEngine, Inputs) {
    let set = Parameters::DEFAULT.with("barrier_engine", "NODE_W", node_w.into());
    let mut engine = BarrierEngine::new(&set.expect("a size"));
    let order = Order::Confirmed.code();
    let off = Inputs { cfg_node_id: own, cfg_order: order, ..Inputs::default() };
    engine.clock(&Inputs { rst: true, ..off });
    while !engine.outputs(&off).ready {
        engine.clock(&off);
    }
    for (barrier, nodes) in (0_u8..).zip(members) {
        for word in 0..8_u8 {
            let of_word = nodes.iter().filter(|node| node.0 >> 5 == word);
            engine.clock(&Inputs {
                member_we: true,
                member_addr: barrier << 3 | word,
                member_data: of_word.fold(0, |bits, node| bits | 1 << (node.0 & 31)),
                ..off
            });
        }
    }
    let on = Inputs { enable: true, ..off };
    for _ in 0..400 {
        engine.clock(&on);
    }
    assert_eq!(engine.state_q, IDLE);
    (engine, on)
}

/// The signal at its output.
fn offered(own: u8, o: &Outputs) -> Option<(Message, Order)> {
    if !o.out_valid {
        return None;
    }
    let data: Vec<u8> = o.out_data.to_le_bytes()[..10].to_vec();
    let codes = (Token::Broadcast, o.out_c_st);
    let message = Message::read(codes, NodeId(own), NodeId(o.out_node_id), &data);
    assert_eq!(o.out_order, Order::Confirmed.code());
    Some((message.expect("a message"), Order::Confirmed))
}

/// The inputs of a message.
fn with(on: Inputs, message: &Message) -> Inputs {
    Inputs {
        msg_valid: true,
        msg_number: u8::try_from(message.lock_number).expect("a barrier of the engine"),
        msg_source: message.source.0,
        msg_node: message.node_id.0,
        msg_tag: message.tag,
        ..on
    }
}

/// Who has arrived at a barrier.
fn heard(engine: &BarrierEngine, barrier: usize) -> Vec<NodeId> {
    let live = |place: usize| engine.live_q >> place & 1 != 0;
    let place = |node: u8| barrier << 3 | usize::from(node >> 5);
    let arrived = |node: u8| live(place(node)) && engine.heard[place(node)] >> (node & 31) & 1 != 0;
    (0..=u8::MAX).filter(|&node| arrived(node)).map(NodeId).collect()
}

/// As [`Ring`] says it.
fn words(engine: &BarrierEngine, barrier: usize) -> String {
    let state = if engine.waiting_q >> barrier & 1 != 0 { "waiting" } else { "away" };
    format!("{state} in {}, arrived {:?}", engine.episodes[barrier], heard(engine, barrier))
}

// ---- The same after every event ----

/// What happens to all barriers of a node.
#[derive(Clone, Copy, Debug)]
enum Happens {
    /// An arrival: barrier, source, Node_ID, and its episode less that of the node.
    Message(u8, u8, u8, i32),
    /// The process arrives.
    Arrives(u8),
    /// Every timer that runs runs out.
    Timers,
    /// The signal on offer has returned.
    Returns,
}

/// Nodes of four words, few enough that barriers are passed.
const POOL: [u8; 8] = [0, 1, 31, 32, 63, 130, 200, 255];

fn node() -> impl Strategy<Value = u8> {
    prop_oneof![12 => prop::sample::select(POOL.to_vec()), 1 => any::<u8>()]
}

fn happens() -> impl Strategy<Value = Happens> {
    let tag = prop_oneof![12 => Just(0), 2 => Just(1), 3 => Just(-1), 1 => -70_000..70_000];
    let barrier = || prop_oneof![3 => 0..2_u8, 1 => 0..8_u8];
    prop_oneof![
        8 => (barrier(), node(), node(), tag).prop_map(|(b, s, n, t)| Happens::Message(b, s, n, t)),
        4 => barrier().prop_map(Happens::Arrives),
        1 => Just(Happens::Timers),
        3 => Just(Happens::Returns),
    ]
}

fn members() -> impl Strategy<Value = Vec<Nodes>> {
    let one = prop::collection::vec(node(), 0..5);
    let set = |nodes: Vec<u8>| nodes.into_iter().map(NodeId).collect::<Nodes>();
    prop::collection::vec(one.prop_map(set), 8)
}

/// The engine, the state machines, and what of their signals waits to be sent.
struct Pair {
    engine: BarrierEngine,
    on: Inputs,
    own: u8,
    rings: Vec<Ring>,
    /// By barrier: Node_ID and tag of the one that waits. In order: the barriers.
    waits: Vec<Option<(u8, u16)>>,
    queue: Vec<usize>,
    flying: bool,
    passed: usize,
    longest: usize,
}

impl Pair {
    /// Signals of a state machine coalesce: the newest counts, and no answer takes the place of a question.
    fn take(&mut self, barrier: usize, actions: &[Action]) {
        for action in actions {
            match action {
                Action::Send(message, _) => {
                    if self.waits[barrier].is_none() {
                        self.queue.push(barrier);
                    }
                    let asked = match self.waits[barrier] {
                        Some((asked, _)) if message.node_id.0 == self.own => asked,
                        _ => message.node_id.0,
                    };
                    self.waits[barrier] = Some((asked, message.tag));
                }
                Action::Passed => self.passed += 1,
                _ => {}
            }
        }
    }

    /// One event for both; then the engine runs until it rests.
    fn happens(&mut self, what: Happens) {
        let mut i = self.on;
        let mut actions = Vec::new();
        match what {
            Happens::Message(barrier, source, node, ahead) => {
                let at = usize::from(barrier);
                let tag = (i32::from(self.engine.episodes[at]) + ahead).rem_euclid(0x1_0000);
                let message = Message {
                    node_id: NodeId(node),
                    tag: u16::try_from(tag).expect("16 bits"),
                    lock_number: barrier.into(),
                    ..Message::new(Signal::BarrierRingArrival, NodeId(source))
                };
                i = with(i, &message);
                self.rings[at].step(Event::Signal(message), &mut actions);
                self.take(at, &actions);
            }
            Happens::Arrives(barrier) => {
                (i.cmd_valid, i.cmd_number) = (true, barrier);
                self.rings[usize::from(barrier)].step(Event::Arrive, &mut actions);
                self.take(usize::from(barrier), &actions);
            }
            Happens::Timers => {
                for at in 0..8 {
                    actions.clear();
                    self.rings[at].step(Event::Timer(Timer::Request), &mut actions);
                    self.take(at, &actions);
                }
                // The first tick makes them old; the second is that of the event.
                self.engine.age_q = 0xff;
                i.tick = true;
            }
            Happens::Returns => {
                i.out_done = self.flying;
                self.flying = false;
            }
        }
        let mut passed = 0;
        for cycle in 1..200 {
            let o = self.engine.outputs(&i);
            self.engine.clock(&i);
            passed += usize::from(o.ev_passed);
            (i.tick, i.out_done) = (false, false);
            if o.msg_ready && i.msg_valid {
                self.longest = self.longest.max(cycle);
            }
            i.msg_valid &= !o.msg_ready;
            i.cmd_valid &= !o.cmd_done;
            let o = self.engine.outputs(&i);
            if let Some((message, _)) = offered(self.own, &o).filter(|_| !self.flying) {
                self.flying = true;
                let barrier = self.queue.remove(0);
                let (asked, tag) = self.waits[barrier].take().expect("it waits");
                assert_eq!(message.lock_number as usize, barrier);
                assert_eq!((message.node_id.0, message.tag), (asked, tag), "{what:?}");
            }
            let queued = self.engine.queued_q != 0 && !self.flying;
            let busy = i.msg_valid || i.cmd_valid || queued || self.engine.due_q != 0;
            if !busy && self.engine.state_q == IDLE {
                break;
            }
        }
        assert_eq!(self.engine.state_q, IDLE, "{what:?}: it rests");
        assert_eq!(passed, std::mem::take(&mut self.passed), "{what:?}");
        assert_eq!(self.engine.queued_q.count_ones() as usize, self.queue.len(), "{what:?}");
        for (barrier, ring) in self.rings.iter().enumerate() {
            assert_eq!(words(&self.engine, barrier), ring.summary(), "{barrier}: {what:?}");
        }
    }
}

proptest! {
    #![proptest_config(seeded(600))]

    /// ENG-4: states and signals are those of the state machines, up to signals that coalesce.
    #[test]
    fn every_event_as_the_firmware(
        own in node(),
        members in members(),
        from in prop_oneof![Just(0_u16), Just(0xfffe), any::<u16>()],
        steps in prop::collection::vec(happens(), 1..160),
    ) {
        let (mut engine, on) = engine(8, own, &members);
        engine.episodes.fill(from);
        let ring = |(barrier, members): (u8, &Nodes)| {
            Ring::new(Member { barrier, episode: from, ..Member::new(NodeId(own), *members) })
        };
        let rings = (0_u8..).zip(&members).map(ring).collect();
        let mut pair = Pair {
            engine, on, own, rings,
            waits: vec![None; 8],
            queue: Vec::new(),
            flying: false,
            passed: 0,
            longest: 0,
        };
        for what in steps {
            pair.happens(what);
        }
        // ENG-5
        prop_assert!(pair.longest <= 14);
    }
}

/// ENG-5: cycles from the last arrival's message to the pulse, and from the command to the signal; these
/// are the numbers of `docs/blocks/barrier_engine.md`.
#[test]
fn cycles() {
    let both: Nodes = [0, 255].map(NodeId).into_iter().collect();
    let (mut engine, on) = engine(8, 0, &[both; 8]);
    let until = |engine: &mut BarrierEngine, mut i: Inputs, see: fn(&Outputs) -> bool| {
        for cycle in 0..100 {
            let o = engine.outputs(&i);
            if see(&o) {
                return cycle;
            }
            engine.clock(&i);
            i.msg_valid &= !o.msg_ready;
            i.cmd_valid &= !o.cmd_done;
        }
        panic!("never");
    };
    let arrive = Inputs { cmd_valid: true, cmd_number: 3, ..on };
    assert_eq!(until(&mut engine, arrive, |o| o.out_valid), 4);
    let last = Message { lock_number: 3, ..Message::new(Signal::BarrierRingArrival, NodeId(255)) };
    assert_eq!(until(&mut engine, with(on, &last), |o| o.ev_passed), 2);
}

// ---- In the model checker ----

/// A bug injected into the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Bug {
    None,
    /// Those heard in an episode count in the next.
    Uncleared,
    /// An arrival of the next episode is not known as such.
    NoJump,
    /// Nobody answers.
    Silent,
    /// The timer asks nobody.
    NoQuestion,
}

/// Barrier 0 of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Barrier {
    engine: BarrierEngine,
    on: Inputs,
    bug: Bug,
}

/// All registers, and word 0 of each memory, which is that of barrier 0.
impl Hash for Barrier {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut registers = vec![0; BarrierEngine::WORDS];
        self.engine.pack(&mut registers);
        registers.hash(state);
        self.engine.memories(&mut |memory| memory.get(0).hash(state));
    }
}

impl Part for Barrier {
    const TIMER: Timer = Timer::Request;

    fn cycle(&mut self, feed: &Feed) -> Seen {
        let mut i = Inputs {
            cmd_valid: feed.call == Some(Event::Arrive),
            tick: feed.tick && self.bug != Bug::NoQuestion,
            out_done: feed.done,
            ..self.on
        };
        if let Some(message) = feed.message {
            let near = message.tag == self.engine.episodes[0].wrapping_add(1);
            i = with(i, &message);
            i.msg_tag =
                if self.bug == Bug::NoJump && near { message.tag ^ 0x8000 } else { i.msg_tag };
            i.msg_node = if self.bug == Bug::Silent { !self.on.cfg_node_id } else { i.msg_node };
        }
        let o = self.engine.outputs(&i);
        let live = self.engine.live_q;
        self.engine.clock(&i);
        if self.bug == Bug::Uncleared && o.ev_passed {
            let heard = self.engine.heard[0] & self.engine.member[0];
            self.engine.live_q = live;
            self.engine.missing[0] -= narrow::<u16>(heard.count_ones());
        }
        Seen {
            message: o.msg_ready && i.msg_valid,
            call: o.cmd_done,
            out: offered(i.cfg_node_id, &self.engine.outputs(&self.on)),
            event: o.ev_passed.then_some(Action::Passed),
        }
    }

    fn rests(&self) -> bool {
        let engine = &self.engine;
        let sends = engine.queued_q != 0 && !engine.out_valid_q;
        engine.state_q == IDLE && !sends && engine.due_q == 0
    }

    fn waits(&self) -> bool {
        self.engine.waiting_q & 1 != 0
    }

    /// What is read anew before it counts, what is not live, where the queue begins, and the age of the timer,
    /// which the checker lets run out whenever it likes.
    fn forget(&mut self) {
        let engine = &mut self.engine;
        (engine.number_q, engine.word_q, engine.heard_q, engine.member_q) = (0, 0, 0, 0);
        (engine.age_q, engine.rd_q, engine.wr_q) = (0, 0, narrow(engine.queued_q.count_ones()));
        engine.slots.fill(0);
        (engine.own_q, engine.same_q, engine.next_q, engine.kept_q) = (false, false, false, false);
        (engine.takes_q, engine.first_q, engine.last_q) = (false, false, false);
        (engine.lacking_q, engine.end_q) = (0, false);
        if engine.live_q & 1 == 0 {
            engine.heard[0] = 0;
        }
        if engine.queued_q == 0 {
            engine.asked[0] = 0;
        }
        if !engine.out_valid_q {
            (engine.out_node_id_q, engine.out_tag_q) = (0, 0);
        }
    }

    fn words(&self) -> String {
        words(&self.engine, 0)
    }
}

type Mixed = Either<Barrier, Ring>;

/// A ring whose nodes with a bit in `engines` have an engine of 4 nodes.
fn network(settings: Settings, from: u16, engines: u8, bug: Bug) -> Network<Mixed> {
    let members: Nodes = NodeId::all(settings.nodes).collect();
    let machine = |node: NodeId| {
        if engines >> node.0 & 1 == 0 {
            let member = Member { episode: from, ..Member::new(node, members) };
            return Either::Firmware(Ring::new(member));
        }
        let (mut engine, on) = engine(2, node.0, &[members]);
        engine.episodes[0] = from;
        let mut barrier = Barrier { engine, on, bug };
        barrier.forget();
        Either::Engine(Adapter::new(barrier))
    };
    let machines = NodeId::all(settings.nodes).map(|node| vec![machine(node)]).collect();
    Network { settings, machines }
}

fn base(nodes: usize) -> Settings {
    let settings = Settings::new(Kind::Barrier, nodes);
    let profile = Profile::Acknowledged;
    Settings { rounds: 2, profile, drained: true, unaided: true, rest: true, ..settings }
}

fn holds(settings: Settings, from: u16, engines: u8) {
    let started = std::time::Instant::now();
    let found = explore(&network(settings, from, engines, Bug::None), 1_000_000);
    let (states, steps) = (found.states, found.steps);
    let time = started.elapsed().as_secs_f32();
    println!("{time:6.2} s engines {engines:#06b} {states} states, {steps} steps: {settings:?}");
    let run = found.broken.first().map(|(_, run)| run).or(found.stuck.as_ref());
    assert!(found.holds(), "{settings:?}\n{}", run.map_or(String::new(), |run| listing(run, 4)));
}

/// Rows of docs/protocols-barrier.md on a ring that resends, with an engine in every node.
#[test]
fn rings_of_engines() {
    let (two, three, four) = (base(2), base(3), base(4));
    let rows = [
        Settings { losses: 1, early: 1, full: 1, ..two },
        Settings { full: 2, ..two },
        Settings { losses: 1, early: 1, slow: 1, ..two },
        Settings { losses: 1, early: 1, slow: 2, ..two },
        Settings { losses: 1, data: true, ..two },
        Settings { full: 1, data: true, ..two },
        Settings { rounds: 1, data: true, ..three },
        Settings { losses: 1, ..three },
        Settings { rounds: 1, full: 1, ..three },
        Settings { early: 1, ..three },
        Settings { full: 1, ..three },
        Settings { slow: 2, ..three },
        Settings { losses: 1, descending: true, ..three },
        Settings { losses: 1, slow: u32::MAX, ..two },
        Settings { rounds: 1, ..four },
        Settings { rounds: 1, full: 1, ..four },
    ];
    for row in rows {
        holds(row, 0, 0b1111);
    }
    // Episodes wrap.
    holds(Settings { rounds: 3, losses: 1, early: 1, ..two }, u16::MAX, 0b1111);
}

/// Engines in some nodes, firmware in the others.
#[test]
fn mixed_rings() {
    let (two, three) = (base(2), base(3));
    for engines in [0b01, 0b10] {
        holds(Settings { rounds: 3, losses: 1, early: 1, ..two }, u16::MAX, engines);
        holds(Settings { losses: 1, early: 1, full: 1, ..two }, 0, engines);
    }
    for engines in [0b001, 0b110, 0b101] {
        holds(Settings { losses: 1, ..three }, 0, engines);
        holds(Settings { full: 1, ..three }, 0, engines);
    }
}

/// Each bug is found, by what it breaks.
#[test]
fn bugs_are_found() {
    let two = Settings { losses: 1, early: 1, full: 1, ..base(2) };
    let report = |bug| explore(&network(two, 0, 0b1111, bug), 1_000_000);
    let early = report(Bug::Uncleared);
    assert!(early.run(Property::Together).is_some(), "{:?}", early.broken);
    for bug in [Bug::NoJump, Bug::Silent, Bug::NoQuestion] {
        let found = report(bug);
        println!("{bug:?}: stuck {:?}", found.stuck.as_ref().map(Vec::len));
        assert!(found.stuck.is_some() || found.livelock.is_some(), "{bug:?}: {:?}", found.broken);
    }
    assert!(report(Bug::None).holds());
}
