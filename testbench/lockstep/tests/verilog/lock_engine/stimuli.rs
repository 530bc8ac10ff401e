// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens to a lock engine: directed parts for the ends of lists and numbers, random ones for the
//! rest. The model runs beside, so that a message fits what the engine knows, and counts what was reached.

#![expect(clippy::cast_possible_truncation, reason = "random bits, and numbers that fit")]

use awgstar::quantity::Cycle;
use awgstar::random::SplitMix64;
use awgstar::rtl::lock_engine::{
    self, ACT, COMMAND, GIVE, IDLE, Inputs, LOAD, LOOK, PASS, REQUEST, RETURN,
};
use awgstar::rtl::{LockEngine, Parameters, state::State as _};
use awgstar_stimulus::Case;
use awgstar_stimulus::deposit::Deposit;
use awgstar_stimulus::engine::sized;
use awgstar_stimulus::machine::{self, Track};
use std::collections::BTreeMap;

/// How often something was reached, by its name.
pub(super) type Reached = BTreeMap<&'static str, u64>;

/// What every list of steps reaches.
pub(super) const ALL: [&str; 58] = [
    "list empty again",
    "list of one",
    "list full",
    "all lists full",
    "all lists empty again",
    "pass unlinks head",
    "pass unlinks middle",
    "pass unlinks tail",
    "pass unlinks only",
    "request moves head",
    "request moves middle",
    "request moves tail",
    "request moves only",
    "pass of older request keeps",
    "pass of unknown node",
    "tag wraps ahead",
    "tag wraps behind",
    "tag half way",
    "own tag wraps",
    "epoch wraps",
    "epoch wraps when given",
    "epoch half way",
    "stale pass",
    "stale request",
    "stale request sends again",
    "same request again",
    "pass answers",
    "pass of earlier request",
    "serves on",
    "enters after all",
    "not mine",
    "request served at once",
    "request waits for holder",
    "all locks ask",
    "all locks give",
    "all locks enter",
    "all slots wait",
    "walk stops for messages",
    "tick in a walk",
    "request timer",
    "pass timer",
    "timer of a slot that waits",
    "timer young",
    "return stops timer",
    "return too old",
    "return at once",
    "return late",
    "return of nothing",
    "not sent: not given",
    "not sent: not asking",
    "message before command",
    "command before return",
    "return before send",
    "send before walk",
    "message refused",
    "command refused",
    "reset in the middle",
    "timer of a slot that leaves",
];

/// Locks seen in an event.
#[derive(Default)]
struct Seen {
    ask: u16,
    give: u16,
    enter: u16,
}

pub(super) struct Drive {
    random: SplitMix64,
    pub model: LockEngine,
    parameters: Parameters,
    track: Track<Inputs>,
    pub reached: Reached,
    seen: Seen,
    base: Inputs,
    nodes: u64,
    /// Cycles in which a message was given out and has not returned.
    out: u64,
    /// Returns come by themselves, this many cycles late at most.
    late: Option<u64>,
    message: Option<Inputs>,
    command: Option<Inputs>,
    filled: bool,
}

/// How often things happen in a random part, of 64.
#[derive(Clone, Copy)]
struct Rates {
    message: u64,
    pass: u64,
    command: u64,
    tick: u64,
    locks: u64,
    late: u64,
}

impl Drive {
    fn new(node_w: u8, seed: u64) -> Drive {
        let parameters = sized(node_w);
        Drive {
            random: SplitMix64::new(seed),
            model: LockEngine::new(&parameters),
            parameters,
            track: Track::default(),
            reached: Reached::new(),
            seen: Seen::default(),
            base: Inputs { enable: true, cfg_node_id: 1, cfg_order: 2, ..Inputs::default() },
            nodes: 1 << node_w,
            out: 0,
            late: Some(0),
            message: None,
            command: None,
            filled: false,
        }
    }

    /// What the engine was fed with.
    pub(super) fn case(&self) -> Case<LockEngine> {
        Case::fed(self.track.clone()).on(self.parameters)
    }

    fn count(&mut self, name: &'static str, when: bool) {
        *self.reached.entry(name).or_default() += u64::from(when);
    }

    fn length(&self, lock: u8) -> u64 {
        let list = &self.model.u_list;
        if !list.some(lock) {
            return 0;
        }
        let bits = self.nodes.ilog2();
        let ends = [&list.heads, &list.tails].map(|ends| u16::from(ends[usize::from(lock)]));
        let [mut at, tail] = ends;
        let mut count = 1;
        while at != tail {
            at = list.afters[usize::from(lock) << bits | usize::from(at)].into();
            count += 1;
            assert!(count <= self.nodes, "the list of lock {lock} does not end");
        }
        count
    }

    /// The number of a lock's next request becomes this one, that of each other lock another.
    fn deposit(&mut self, lock: u8, tag: u16) {
        let value = (tag ^ u16::from(lock)).into();
        let cycle = Cycle(self.track.inputs.len() as u64);
        let all = [Deposit { cycle, path: "tags".into(), value }];
        machine::deposit(&mut self.model, &all);
        self.track.deposits.extend(all);
    }

    /// One cycle.
    fn step(&mut self, inputs: Inputs) -> lock_engine::Outputs {
        let outputs = self.model.outputs(&inputs);
        self.look(&inputs, &outputs);
        self.track.inputs.push(inputs);
        let state = self.model.state_q;
        let had = self.model.u_list.some_q;
        self.model.clock(&inputs);
        let lock = self.model.lock_q;
        if matches!(state, lock_engine::APPEND | ACT | GIVE) && !inputs.rst {
            let length = self.length(lock);
            self.count("list of one", length == 1);
            self.count("list full", length == self.nodes);
            self.count("list empty again", length == 0 && had >> lock & 1 != 0);
            if length == self.nodes && (0..16).all(|lock| self.length(lock) == self.nodes) {
                self.filled = true;
                self.count("all lists full", true);
            }
            self.count("all lists empty again", self.filled && self.model.u_list.some_q == 0);
        }
        self.out = if outputs.out_valid && !inputs.out_done { self.out + 1 } else { 0 };
        outputs
    }

    /// Counts what this cycle reaches.
    fn look(&mut self, i: &Inputs, o: &lock_engine::Outputs) {
        if i.rst {
            let state = self.model.state_q;
            self.count("reset in the middle", !matches!(state, IDLE | lock_engine::CLEAR));
            return;
        }
        let m = std::mem::take(&mut self.model);
        let lock = usize::from(m.lock_q);
        let bit = 1_u16 << lock;
        let node = m.node_q;
        let (first, last) = (node == m.u_list.heads[lock], node == m.u_list.tails[lock]);
        let entry = m.u_list.entry_q;
        let (known, waiting, newest) = (entry >> 17 != 0, entry >> 16 & 1 != 0, entry as u16);
        let some = m.u_list.some_q & bit != 0;
        let (held, asks, here) = (m.held_q & bit != 0, m.asking_q & bit != 0, m.right_q & bit != 0);
        let mine = m.node_q == i.cfg_node_id;
        match m.state_q {
            LOOK => {
                let ahead = m.tag_q.wrapping_sub(newest);
                self.count("tag wraps ahead", known && m.tag_q < newest && ahead < 0x8000);
                self.count("tag wraps behind", known && m.tag_q > newest && ahead > 0x8000);
                self.count("tag half way", known && ahead == 0x8000);
                let later = m.epoch_q.wrapping_sub(m.epochs[lock]);
                let less = m.epoch_q < m.epochs[lock];
                self.count("epoch wraps", m.pass_q && less && later < 0x8000);
                self.count("epoch half way", m.pass_q && later == 0x8000);
            }
            ACT if m.pass_q => {
                let out = waiting && !m.behind_q;
                self.count("pass unlinks head", out && first && !last);
                self.count("pass unlinks middle", out && !first && !last);
                self.count("pass unlinks tail", out && !first && last);
                self.count("pass unlinks only", out && first && last);
                self.count("pass of older request keeps", waiting && m.behind_q);
                self.count("pass of unknown node", !known);
                self.count("stale pass", !m.later_q && mine);
                self.count("not mine", m.later_q && !mine && asks);
                let answers = m.later_q && mine && asks && m.tag_q == m.tags[lock];
                self.count("pass answers", answers);
                self.count("pass of earlier request", m.later_q && mine && asks && !answers);
                self.seen.enter |= if answers { bit } else { 0 };
            }
            ACT => {
                let moves = waiting && m.ahead_q;
                self.count("request moves head", moves && first && !last);
                self.count("request moves middle", moves && !first && !last);
                self.count("request moves tail", moves && !first && last);
                self.count("request moves only", moves && first && last);
                self.count("same request again", m.tag_q == newest && known);
                self.count("stale request", m.behind_q && known);
                self.count("stale request sends again", !m.ahead_q && m.given_q & bit != 0);
                self.count("request served at once", m.ahead_q && here && !held && !asks);
                self.count("request waits for holder", m.ahead_q && held);
            }
            lock_engine::POP => {
                self.count("serves on", some && asks);
                self.count("enters after all", !some && asks);
            }
            GIVE => {
                self.count("epoch wraps when given", m.epochs[lock] == u16::MAX);
                self.seen.give |= bit;
            }
            COMMAND => {
                self.count("command refused", o.cmd_error);
                let asks = !o.cmd_error && !i.cmd_release && !here;
                self.count("own tag wraps", asks && m.tags[lock] == u16::MAX);
                self.seen.ask |= if asks { bit } else { 0 };
            }
            LOAD => {
                self.count("not sent: not given", m.pass_q && m.given_q & bit == 0);
                self.count("not sent: not asking", !m.pass_q && !asks);
            }
            RETURN => {
                self.count("return stops timer", m.out_epoch_q == m.epochs[lock]);
                self.count("return too old", m.out_epoch_q != m.epochs[lock]);
            }
            IDLE => {
                let slots = m.wr_q != m.rd_q && !m.out_valid_q;
                let leaves = !i.msg_valid && !i.cmd_valid && !m.done_q && slots;
                let first = m.slots[usize::from(m.rd_q & 31)];
                let together = m.fired_q && m.fired_slot_q == first;
                self.count("timer of a slot that leaves", leaves && together);
                self.count("message before command", i.msg_valid && i.cmd_valid);
                let alone = !i.msg_valid && i.cmd_valid;
                self.count("command before return", alone && m.done_q);
                let free = !i.msg_valid && !i.cmd_valid;
                self.count("return before send", free && m.done_q && slots);
                self.count("send before walk", free && !m.done_q && slots && m.walk_on_q);
                self.count("walk stops for messages", i.msg_valid && m.walk_on_q && m.walk_q > 0);
                let known = i.enable && u64::from(i.msg_node) < self.nodes && i.msg_kind <= PASS;
                self.count("message refused", i.msg_valid && !known);
                if free && !m.done_q && !slots && m.walk_on_q {
                    let running = u32::from(m.passing_q) << 16 | u32::from(m.asking_q);
                    let at = 1 << m.walk_q;
                    let fires = running & m.age_q & at != 0;
                    self.count("request timer", fires && m.walk_q < 16);
                    self.count("pass timer", fires && m.walk_q >= 16);
                    self.count("timer of a slot that waits", fires && m.want_q & at != 0);
                    self.count("timer young", running & at != 0 && m.age_q & at == 0);
                }
            }
            _ => {}
        }
        self.count("all locks ask", self.seen.ask == u16::MAX);
        self.count("all locks give", self.seen.give == u16::MAX);
        self.count("all locks enter", self.seen.enter == u16::MAX);
        self.count("all slots wait", m.want_q == u32::MAX);
        self.count("tick in a walk", i.tick && m.walk_on_q);
        let done = i.out_done && m.out_valid_q;
        self.count("return at once", done && self.out == 0);
        self.count("return late", done && self.out > 300);
        self.count("return of nothing", i.out_done && !m.out_valid_q);
        self.model = m;
    }

    /// A cycle of a directed part: what waits is offered, returns come as they are set.
    fn cycle(&mut self, tick: bool) -> lock_engine::Outputs {
        let mut i = Inputs { tick, ..self.base };
        if let Some(m) = self.message {
            i = Inputs {
                msg_valid: true,
                msg_kind: m.msg_kind,
                msg_number: m.msg_number,
                msg_node: m.msg_node,
                msg_tag: m.msg_tag,
                msg_epoch: m.msg_epoch,
                ..i
            };
        }
        if let Some(c) = self.command {
            i = Inputs {
                cmd_valid: true,
                cmd_release: c.cmd_release,
                cmd_number: c.cmd_number,
                ..i
            };
        }
        let valid = self.model.out_valid_q;
        i.out_done = match self.late {
            Some(late) => valid && self.out >= late,
            None => false,
        };
        let o = self.step(i);
        if o.msg_ready {
            self.message = None;
        }
        if o.cmd_done {
            self.command = None;
        }
        o
    }

    fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.cycle(false);
        }
    }

    /// A message, until it is taken.
    fn offer(&mut self, kind: u8, lock: u8, node: u64, tag: u16, epoch: u16) {
        self.message = Some(Inputs {
            msg_kind: kind,
            msg_number: lock,
            msg_node: node as u8,
            msg_tag: tag,
            msg_epoch: epoch,
            ..Inputs::default()
        });
        while self.message.is_some() {
            self.cycle(false);
        }
    }

    /// A message, until it is done with.
    fn tell(&mut self, kind: u8, lock: u8, node: u64, tag: u16, epoch: u16) {
        self.offer(kind, lock, node, tag, epoch);
        self.idle(6);
    }

    fn ask(&mut self, lock: u8, node: u64, tag: u16) {
        self.tell(REQUEST, lock, node, tag, 0);
    }

    fn command(&mut self, release: bool, lock: u8) {
        self.command = Some(Inputs { cmd_release: release, cmd_number: lock, ..Inputs::default() });
        while self.command.is_some() {
            self.cycle(false);
        }
        self.idle(4);
    }

    /// A reset, until the memories are cleared; these locks are here afterwards.
    fn reset(&mut self, first: u16) {
        (self.message, self.command) = (None, None);
        self.step(Inputs { rst: true, ..self.base });
        self.base.cfg_first = !first;
        self.base.enable = false;
        while self.model.state_q == lock_engine::CLEAR {
            self.step(self.base);
        }
        self.base.cfg_first = first;
        // Messages and commands before the board takes part: nothing comes of them.
        self.ask(3, 2, 1);
        self.command(false, 3);
        self.base.enable = true;
    }

    fn epoch(&self, lock: u8) -> u16 {
        self.model.epochs[usize::from(lock)]
    }

    /// All lists full, then emptied from every place.
    fn lists(&mut self) {
        self.reset(0);
        let n = self.nodes;
        for lock in 0..16 {
            for node in 0..n {
                self.offer(REQUEST, lock, (node * 3 + 1) % n, 7, 0);
            }
        }
        for lock in 0..16 {
            // Asked again: from the front, from the middle, the last one.
            self.ask(lock, 1, 8);
            self.ask(lock, (3 * 2 + 1) % n, 8);
            self.ask(lock, (3 * 2 + 1) % n, 9);
            self.ask(lock, 1, 8);
            self.ask(lock, 1, 3);
            let head = u64::from(self.model.u_list.heads[usize::from(lock)]);
            self.tell(PASS, lock, head, 7, 1); // the head
            self.tell(PASS, lock, (3 * 2 + 1) % n, 9, 1); // the last
            self.tell(PASS, lock, 1, 7, 1); // an older request
            self.ask(lock, head, 20);
            self.tell(PASS, lock, 1, 8, 2); // neither
        }
        for lock in 0..16 {
            for node in 0..n {
                self.offer(PASS, lock, node, 30, 3);
            }
            self.ask(lock, 2, 40); // alone
            self.ask(lock, 2, 41);
            self.tell(PASS, lock, 2, 41, 3);
        }
    }

    /// Every lock is acquired, given away and comes back, numbers beyond 65,535.
    fn numbers(&mut self) {
        self.reset(0);
        self.base.cfg_node_id = 2;
        for lock in 0..16 {
            self.deposit(lock, 0xFFFE);
            self.step(self.base);
            for round in 0..3_u16 {
                self.command(false, lock);
                let (tag, epoch) = (self.model.tags[usize::from(lock)], self.epoch(lock));
                self.ask(lock, 3, 0xFFFF_u16.wrapping_add(round * 2));
                self.ask(lock, 0, 0x7FFF_u16.wrapping_add(round));
                self.tell(PASS, lock, 2, tag, epoch.wrapping_add(0x8000)); // neither newer nor older
                let far = [0x7FFF, 0x7FFF, 3][usize::from(round)];
                self.tell(PASS, lock, 2, tag, epoch.wrapping_add(far));
                self.command(true, lock);
                self.ask(lock, 3, 0x7FFF_u16.wrapping_add(round * 2)); // half way
                self.ask(lock, 3, 0xFFFF_u16.wrapping_add(round * 2)); // sent again
                self.ask(lock, 3, 0xFFF0);
                self.tell(PASS, lock, 0, 1, self.epoch(lock));
            }
            // The epoch that this node gives is beyond 65,535.
            let epoch = self.epoch(lock);
            self.tell(PASS, lock, 2, 9, epoch.wrapping_add(0x7FF0));
            let epoch = self.epoch(lock);
            let jump = u16::MAX.wrapping_sub(epoch);
            if jump < 0x8000 {
                self.tell(PASS, lock, 3, 9, u16::MAX - 1);
                self.tell(PASS, lock, 2, 9, u16::MAX);
            } else {
                self.tell(PASS, lock, 2, 9, epoch.wrapping_add(0x7FFF));
                self.tell(PASS, lock, 2, 9, u16::MAX);
            }
            self.ask(lock, 0, 0x9001);
            self.ask(lock, 3, 0x4001);
        }
        self.base.cfg_node_id = 1;
    }

    /// Ownership comes for an earlier request of this node.
    fn earlier(&mut self) {
        self.reset(0);
        for lock in 0..16 {
            self.command(false, lock);
            self.ask(lock, 2, 5);
            for _ in 0..2 {
                let (tag, epoch) = (self.model.tags[usize::from(lock)], self.epoch(lock));
                self.tell(PASS, lock, 1, tag.wrapping_sub(1), epoch.wrapping_add(1));
            }
        }
    }

    /// All slots wait at once, then leave one after the other.
    fn slots(&mut self) {
        self.reset(u16::MAX);
        self.late = None;
        for lock in 0..16 {
            self.command(false, lock);
            self.ask(lock, 2, 5);
            self.ask(lock, 3, 6);
            self.command(true, lock);
            self.command(false, lock);
        }
        // The one that is out, again.
        self.ask(0, 2, 5);
        self.idle(400);
        for _ in 0..3 {
            self.cycle(true);
            self.idle(40);
        }
        self.late = Some(0);
        self.idle(200);
        // Timers of what is out of date: the process enters while its request waits.
        self.late = None;
        self.cycle(true);
        self.idle(40);
        self.cycle(true);
        self.idle(40);
        for lock in 0..16 {
            let (tag, epoch) = (self.model.tags[usize::from(lock)], self.epoch(lock));
            self.tell(PASS, lock, 1, tag, epoch.wrapping_add(1));
        }
        self.late = Some(3);
        self.idle(200);
    }

    /// Timers from start to end, seen by walks that messages stop.
    fn timers(&mut self) {
        self.reset(0x00FF);
        self.late = Some(0);
        for lock in [0, 5, 9, 15] {
            self.command(false, lock);
            self.ask(lock, 3, 1);
        }
        self.command(true, 5);
        self.idle(40);
        for round in 0..5 {
            self.cycle(true);
            self.idle(3);
            for number in 0..12 {
                self.ask(12, 3, 100 * round + number);
                self.idle(2);
                if round == 2 && number == 4 {
                    self.cycle(true);
                }
            }
            self.idle(70);
        }
        // Returns late: the timer of a pass ends while it is out.
        self.late = Some(500);
        self.command(false, 6);
        self.ask(6, 2, 9);
        self.command(true, 6);
        for _ in 0..4 {
            self.cycle(true);
            self.idle(60);
        }
        self.idle(900);
        // A pass that returns after a newer one is known.
        self.late = Some(60);
        self.command(false, 7);
        self.ask(7, 2, 9);
        self.command(true, 7);
        self.idle(10);
        self.tell(PASS, 7, 3, 1, self.epoch(7).wrapping_add(1));
        self.idle(100);
        // A timer ends as its slot leaves, because another message has just returned.
        self.late = Some(0);
        self.idle(100);
        self.late = None;
        self.command(true, 15);
        self.ask(10, 2, 9);
        self.command(false, 13);
        self.ask(11, 2, 9);
        self.command(false, 11);
        for _ in 0..2 {
            self.cycle(true);
            let next = |d: &Drive| d.model.slots[usize::from(d.model.rd_q & 31)];
            while self.model.tick_q || self.model.walk_on_q {
                let m = &self.model;
                let fires = m.walk_on_q && m.walk_q == next(self) && m.age_q >> m.walk_q & 1 != 0;
                self.late = if fires { Some(0) } else { None };
                self.cycle(false);
            }
        }
        // Out of date before it leaves.
        self.late = Some(200);
        self.command(false, 1);
        self.ask(1, 2, 9);
        self.command(false, 2);
        self.ask(2, 2, 9);
        self.command(true, 1);
        self.command(true, 2);
        self.tell(PASS, 2, 3, 1, self.epoch(2).wrapping_add(1));
        self.idle(500);
    }

    fn one_of(&mut self, near: u16) -> u16 {
        let jump = self.random.next_u64() as u16;
        match self.random.below(16) {
            0 => near.wrapping_add(0x8000),
            1 => near.wrapping_add(0x7FFF),
            2 => jump,
            3..=5 => near.wrapping_sub(1 + jump % 4),
            6..=9 => near,
            _ => near.wrapping_add(1 + jump % 3),
        }
    }

    fn any_message(&mut self, rates: Rates) -> Inputs {
        let lock = self.random.below(rates.locks) as u8;
        let node = match self.random.below(40) {
            0 => self.random.below(256),
            _ => self.random.below(self.nodes.min(6)),
        };
        let word = usize::from(lock) * self.nodes as usize + (node % self.nodes) as usize;
        let newest = self.model.u_list.entries[word] as u16;
        let pass = self.random.below(64) < rates.pass;
        let own = pass && node == u64::from(self.base.cfg_node_id);
        let near = if own { self.model.tags[usize::from(lock)] } else { newest };
        let kind = match self.random.below(60) {
            0 => 2 + self.random.below(2) as u8,
            _ => u8::from(pass),
        };
        let msg_tag = if own && self.random.below(4) > 0 { near } else { self.one_of(near) };
        let msg_epoch = self.one_of(self.epoch(lock));
        Inputs {
            msg_kind: kind,
            msg_number: lock,
            msg_node: node as u8,
            msg_tag,
            msg_epoch,
            ..Inputs::default()
        }
    }

    fn any(&mut self, cycles: usize, rates: Rates) {
        self.late = Some(rates.late);
        for _ in 0..cycles {
            if self.message.is_none() && self.random.below(64) < rates.message {
                self.message = Some(self.any_message(rates));
            }
            if self.command.is_none() && self.random.below(64) < rates.command {
                let cmd_number = self.random.below(rates.locks) as u8;
                let fits = self.model.held_q >> cmd_number & 1 != 0;
                let cmd_release = fits ^ (self.random.below(10) == 0);
                self.command = Some(Inputs { cmd_release, cmd_number, ..Inputs::default() });
            }
            if self.random.below(200) == 0 {
                self.late = Some(self.random.below(rates.late + 1));
            }
            if self.random.below(300) == 0 && !self.model.out_valid_q {
                let i = Inputs { out_done: true, ..self.base };
                self.step(i);
            }
            let tick = self.random.below(64) < rates.tick;
            self.cycle(tick);
        }
    }

    /// Random parts with many loads, each after a reset in whatever state.
    fn random_parts(&mut self, parts: usize) {
        for part in 0..parts {
            let rates = Rates {
                message: [64, 20, 6, 2][part % 4],
                pass: [20, 10, 40][part % 3],
                command: [8, 40, 2][part % 3],
                tick: [1, 0, 8, 64][part / 2 % 4],
                locks: [2, 16, 1, 5][part % 4],
                late: [0, 2, 30, 400][part / 3 % 4],
            };
            let first = self.random.next_u64() as u16;
            self.base.cfg_order = self.random.below(4) as u8;
            self.base.cfg_node_id = match part % 6 {
                5 => self.random.below(256) as u8,
                _ => self.random.below(self.nodes.min(6)) as u8,
            };
            self.reset(first);
            self.any(700 + part % 7, rates);
        }
    }
}

/// The case for an engine of this size, and the run of the model that they were made with.
pub(super) fn drive(node_w: u8, seed: u64, parts: usize) -> Drive {
    let mut drive = Drive::new(node_w, seed);
    for _ in 0..3 {
        drive.step(Inputs { rst: true, ..drive.base });
    }
    drive.numbers();
    drive.earlier();
    drive.slots();
    drive.timers();
    drive.random_parts(parts);
    drive.lists();
    drive
}

/// Inputs without sense.
pub(super) fn anything(count: usize) -> Vec<Inputs> {
    let mut random = SplitMix64::new(9);
    let mut step = |number| {
        let mut bit = || random.next_u64() & 1 != 0;
        Inputs {
            rst: number < 3 || number == count / 2,
            enable: bit(),
            cfg_node_id: 1,
            cfg_first: 0x5A0F,
            tick: bit(),
            msg_valid: bit(),
            msg_kind: u8::from(bit()),
            msg_node: u8::from(bit()),
            msg_tag: 3,
            msg_epoch: 4,
            cmd_valid: bit(),
            cmd_release: bit(),
            out_done: bit(),
            ..Inputs::default()
        }
    };
    (0..count).map(&mut step).collect()
}
