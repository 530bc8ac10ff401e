// SPDX-License-Identifier: MIT OR Apache-2.0
//! A lock engine as a state machine of firmware: the cycle model runs until it rests.

use awgstar_board::rtl::lock_engine::{IDLE, Inputs, LockEngine, Outputs, PASS, REQUEST};
use awgstar_board::rtl::{Parameters, state::State};
use awgstar_frame::contract::{Order, Signal, Token};
use awgstar_frame::quantity::NodeId;
use awgstar_sync::firmware::{Action, Event, Firmware, Message, Timer};
use std::hash::{Hash, Hasher};

/// The engine of a node, with the inputs that stay as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Engine {
    pub rtl: LockEngine,
    pub base: Inputs,
    node_w: u8,
    /// Cycles so far.
    pub cycles: u64,
}

impl Engine {
    /// The engine of `node` after its start; locks of `first` are here.
    pub(crate) fn new(node_w: u8, node: u8, first: u16, order: Order) -> Engine {
        let parameters = Parameters::DEFAULT.with("smb", "ENGINE_NODE_W", node_w.into()).unwrap();
        let base = Inputs {
            cfg_node_id: node,
            cfg_order: order.code(),
            cfg_first: first,
            ..Inputs::default()
        };
        let mut engine = Engine { rtl: LockEngine::new(&parameters), base, node_w, cycles: 0 };
        engine.clock(&Inputs { rst: true, ..base });
        while !engine.rtl.outputs(&base).ready {
            engine.clock(&base);
        }
        engine.clock(&base);
        engine.base.enable = true;
        engine.cycles = 0;
        engine
    }

    pub(crate) fn clock(&mut self, inputs: &Inputs) -> Outputs {
        let outputs = self.rtl.outputs(inputs);
        self.rtl.clock(inputs);
        self.cycles += 1;
        outputs
    }

    /// Nothing more happens by itself.
    fn rests(&self) -> bool {
        let e = &self.rtl;
        let free = e.wr_q == e.rd_q || e.out_valid_q;
        e.state_q == IDLE && !e.done_q && !e.fired_q && !e.walk_on_q && !e.tick_q && free
    }

    /// Runs until it rests.
    pub(crate) fn settle(&mut self) {
        let base = self.base;
        for _ in 0..400 {
            if self.rests() {
                // What the last edge led to.
                return;
            }
            self.clock(&base);
        }
        panic!("the engine does not come to rest: {self:?}");
    }

    /// A command, until it is done. Returns true if it was not refused.
    pub(crate) fn command(&mut self, lock: u8, release: bool) -> bool {
        let inputs =
            Inputs { cmd_valid: true, cmd_release: release, cmd_number: lock, ..self.base };
        loop {
            let outputs = self.clock(&inputs);
            if outputs.cmd_done {
                return !outputs.cmd_error;
            }
        }
    }

    /// The inputs that offer a message of another node.
    pub(crate) fn offer(&self, message: &Message) -> Inputs {
        let kind = if message.signal == Signal::LockQueuePass { PASS } else { REQUEST };
        Inputs {
            msg_valid: true,
            msg_kind: kind,
            msg_number: (message.lock_number & 15) as u8,
            msg_node: message.node_id.0,
            msg_tag: message.tag,
            msg_epoch: message.epoch,
            ..self.base
        }
    }

    /// A message, until it is taken.
    pub(crate) fn tell(&mut self, message: &Message) {
        let inputs = self.offer(message);
        while !self.clock(&inputs).msg_ready {}
    }

    /// What was given out has returned.
    pub(crate) fn returned(&mut self) {
        let inputs = Inputs { out_done: true, ..self.base };
        self.clock(&inputs);
    }

    /// The timer of this slot alone ends.
    pub(crate) fn fire(&mut self, slot: u8) {
        self.rtl.age_q = 1 << slot;
        let inputs = Inputs { tick: true, ..self.base };
        self.clock(&inputs);
        self.settle();
        self.rtl.age_q = 0;
    }

    /// The message that is given out, and its order; read by the decoder of the firmware.
    pub(crate) fn sends(&self) -> Option<(Message, Order)> {
        let o = self.rtl.outputs(&self.base);
        let data = o.out_data.to_le_bytes();
        let from = (Token::Broadcast, o.out_c_st);
        let source = NodeId(self.base.cfg_node_id);
        o.out_valid.then(|| {
            let message = Message::read(from, source, NodeId(o.out_node_id), &data[..10]);
            let order = [Order::None, Order::Sent, Order::Confirmed][usize::from(o.out_order)];
            (message.expect("a message of the ring queue"), order)
        })
    }

    pub(crate) fn runs(&self, lock: u8) -> [bool; 2] {
        [self.rtl.asking_q >> lock & 1 != 0, self.rtl.passing_q >> lock & 1 != 0]
    }

    /// Nodes that wait for a lock, each with the number of its request, in order.
    pub(crate) fn waiting(&self, lock: u8) -> Vec<(u8, u16)> {
        let list = &self.rtl.u_list;
        let mut all = Vec::new();
        if list.some(lock) {
            let (mut at, tail) = (list.heads[usize::from(lock)], list.tails[usize::from(lock)]);
            loop {
                let word = usize::from(lock) << self.node_w | usize::from(at);
                let [_, _, high, low] = list.entries[word].to_be_bytes();
                all.push((at, u16::from_be_bytes([high, low])));
                assert!(all.len() <= 1 << self.node_w, "the list does not end");
                if at == tail {
                    break;
                }
                at = list.afters[word];
            }
        }
        all
    }

    /// In the words of the firmware.
    pub(crate) fn summary(&self, lock: u8) -> String {
        let e = &self.rtl;
        let set = |bits: u16| bits >> lock & 1 != 0;
        let caller = match (set(e.held_q), set(e.asking_q)) {
            (true, true) => "inside and asking",
            (true, false) => "inside",
            (false, true) => "asking",
            (false, false) => "idle",
        };
        let right = if set(e.right_q) { "here" } else { "away" };
        let at = usize::from(lock);
        let (tag, epoch) = (e.tags[at], e.epochs[at]);
        let waiting: Vec<String> =
            self.waiting(lock).into_iter().map(|(node, tag)| format!("{node}#{tag}")).collect();
        format!("{caller} #{tag}, right {right} ({epoch}), waiting [{}]", waiting.join(" "))
    }

    /// What no later cycle reads becomes 0, so that states that are equal look equal.
    fn forget(&mut self) {
        let node_w = self.node_w;
        let mask = (1_usize << node_w) - 1;
        for lock in 0..16_u8 {
            let at = usize::from(lock);
            let waiting = self.waiting(lock);
            let list = &mut self.rtl.u_list;
            let first = at << node_w;
            let (befores, afters) = (list.befores.to_vec(), list.afters.to_vec());
            list.befores[first..=first + mask].fill(0);
            list.afters[first..=first + mask].fill(0);
            for pair in waiting.windows(2) {
                let (one, next) = (first + usize::from(pair[0].0), first + usize::from(pair[1].0));
                list.afters[one] = afters[one];
                list.befores[next] = befores[next];
            }
            if waiting.is_empty() {
                (list.heads[at], list.tails[at]) = (0, 0);
            }
            if self.rtl.given_q >> lock & 1 == 0 {
                self.rtl.givens[at] = 0;
            }
        }
        let e = &mut self.rtl;
        (e.u_list.entry_q, e.u_list.before_q, e.u_list.after_q) = (0, 0, 0);
        (e.lock_q, e.pass_q, e.node_q, e.tag_q, e.epoch_q) = (0, false, 0, 0, 0);
        (e.waits_q, e.ahead_q, e.behind_q) = (false, false, false);
        e.later_q = false;
        if !e.out_valid_q {
            (e.out_pass_q, e.out_lock_q, e.out_order_q) = (false, 0, 0);
            (e.out_node_q, e.out_tag_q, e.out_epoch_q) = (0, 0, 0);
        }
        let count = e.wr_q.wrapping_sub(e.rd_q) & 63;
        let slots: Vec<u8> = (0..count).map(|n| e.slots.at(e.rd_q.wrapping_add(n))).collect();
        e.slots.fill(0);
        e.slots[..slots.len()].copy_from_slice(&slots);
        (e.rd_q, e.wr_q, e.age_q, e.fired_slot_q) = (0, count, 0, 0);
        self.cycles = 0;
    }
}

/// A bug in the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bug {
    None,
    /// Ownership that is given away stays, too.
    KeepsRight,
    /// The one that waits is forgotten when the lock is released.
    ForgetsWaiting,
    /// A pass counts however old it is.
    OldPass,
    /// The timer of a request does not run.
    NoTimer,
    /// The list is last in, first out.
    LastFirst,
}

/// One lock of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hardware {
    engine: Engine,
    lock: u8,
    bug: Bug,
}

impl Hardware {
    pub(crate) fn new(node: u8, lock: u32, first: u8, order: Order, bug: Bug) -> Hardware {
        let lock = u8::try_from(lock).expect("an engine has 16 locks");
        let first = if node == first { u16::MAX } else { 0 };
        Hardware { engine: Engine::new(2, node, first, order), lock, bug }
    }

    /// The bug, before an event.
    fn before(&mut self, event: &Event) {
        let e = &mut self.engine.rtl;
        let bit = 1_u16 << self.lock;
        match (self.bug, event) {
            (Bug::ForgetsWaiting, Event::Release) => e.u_list.some_q &= !bit,
            (Bug::OldPass, Event::Signal(m)) if m.signal == Signal::LockQueuePass => {
                e.epochs[usize::from(self.lock)] = m.epoch.wrapping_sub(1);
            }
            (Bug::LastFirst, Event::Release) => {
                let at = usize::from(self.lock);
                let (head, tail) = (e.u_list.heads[at], e.u_list.tails[at]);
                if e.u_list.some_q & bit != 0 && self.engine.waiting(self.lock).len() == 2 {
                    let list = &mut self.engine.rtl.u_list;
                    (list.heads[at], list.tails[at]) = (tail, head);
                    list.afters[at << 2 | usize::from(tail)] = head;
                    list.befores[at << 2 | usize::from(head)] = tail;
                }
            }
            _ => {}
        }
    }
}

impl Hash for Hardware {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let mut image = [0; LockEngine::WORDS];
        self.engine.rtl.pack(&mut image);
        image.hash(hasher);
        let e = &self.engine.rtl;
        // Of this lock; nothing is known of the others.
        let at = usize::from(self.lock);
        (e.tags[at], e.epochs[at], e.givens[at]).hash(hasher);
        (e.u_list.heads[at], e.u_list.tails[at]).hash(hasher);
        for word in at << 2..(at + 1) << 2 {
            let list = &e.u_list;
            (list.entries[word], list.befores[word], list.afters[word]).hash(hasher);
        }
        e.slots[..2].hash(hasher);
    }
}

impl Firmware for Hardware {
    fn step(&mut self, event: Event, actions: &mut Vec<Action>) {
        let bit = 1_u16 << self.lock;
        let (had, right) = (self.engine.runs(self.lock), self.engine.rtl.right_q & bit);
        let held = self.engine.rtl.held_q & bit != 0;
        let mut out = self.engine.sends();
        self.before(&event);
        let mut fired = None;
        match event {
            Event::Acquire => {
                self.engine.command(self.lock, false);
            }
            Event::Release => {
                if self.engine.command(self.lock, true) {
                    actions.push(Action::Released);
                }
            }
            Event::Signal(message) => {
                let known =
                    matches!(message.signal, Signal::LockQueueRequest | Signal::LockQueuePass);
                if known && message.lock_number == self.lock.into() {
                    self.engine.tell(&message);
                }
            }
            Event::Returned(message) => {
                if out.is_some_and(|(out, _)| out == message) {
                    self.engine.returned();
                    out = None;
                }
            }
            Event::Timer(timer) => {
                let pass = timer == Timer::Pass;
                fired = Some(usize::from(pass));
                self.engine.fire(self.lock | if pass { 16 } else { 0 });
            }
            Event::Arrive => {}
        }
        self.engine.settle();
        let e = &mut self.engine.rtl;
        if self.bug == Bug::KeepsRight {
            e.right_q |= right;
        }
        let entered = e.held_q & bit != 0 && (!held || event == Event::Release);
        if entered {
            actions.push(Action::Acquired);
        }
        let runs = self.engine.runs(self.lock);
        for (at, timer) in [Timer::Request, Timer::Pass].into_iter().enumerate() {
            let was = had[at] && fired != Some(at);
            match (was, runs[at]) {
                (false, true) if self.bug == Bug::NoTimer && timer == Timer::Request => {}
                (false, true) => actions.push(Action::Start(timer)),
                (true, false) => actions.push(Action::Stop(timer)),
                _ => {}
            }
        }
        if let (None, Some((message, order))) = (out, self.engine.sends()) {
            actions.push(Action::Send(message, order));
        }
        self.engine.forget();
    }

    fn summary(&self) -> String {
        self.engine.summary(self.lock)
    }

    fn leads(&self) -> bool {
        self.engine.rtl.right_q >> self.lock & 1 != 0
    }
}
