// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lists of the lock and barrier engine: the nodes that wait for a lock, the members that a barrier has counted,
//! the arrivals that wait to be sent. How many there are, which of them leaves, and numbers that wrap.
//!
//! The lists of locks are in memories, so they are followed here: from the registers of `lock_engine`, which say
//! who joins and who leaves.

use super::counts::Reached;
use super::place::{Place, code};
use crate::shape::Shape;
use awgstar::contract::board as map;
use awgstar::quantity::{Narrow, narrow};
use std::collections::BTreeMap;

/// Group of these events.
pub(super) const GROUP: &str = "lists";

const JOINS: [&str; 3] = ["joins, none waits", "joins, one waits", "joins, several wait"];
const ALL_WAIT: &str = "all nodes wait";
const GIVEN: [&str; 4] = [
    "given to the only one",
    "given to the first",
    "given to one in the middle",
    "given to the last",
];
const SERVED: [&str; 4] = [
    "served elsewhere, the only one",
    "served elsewhere, the first",
    "served elsewhere, one in the middle",
    "served elsewhere, the last",
];
const ANEW: [&str; 4] = [
    "asks anew, the only one",
    "asks anew, the first",
    "asks anew, one in the middle",
    "asks anew, the last",
];
const AGAIN: &str = "asks again while it waits";
const OLD: &str = "an old request of one that waits";
const REQUESTS_WRAP: &str = "request numbers wrap";
const OWN_REQUESTS_WRAP: &str = "own request numbers wrap";
const EPOCHS_WRAP: [&str; 2] = ["hand-overs wrap, elsewhere", "hand-overs wrap, here"];
const ASK_AND_ACQUIRE: &str = "a message and an acquisition in one cycle";
const ASK_AND_RELEASE: &str = "a request and a release of its lock in one cycle";
const ARRIVES: [&str; 3] =
    ["arrives, none is there", "arrives, one is there", "arrives, several are there"];
const ARRIVES_LAST: &str = "arrives, the last one";
const ARRIVES_AGAIN: &str = "arrives again";
const ARRIVES_OUTSIDE: &str = "arrives, no member";
const ARRIVES_NEXT: &str = "arrives, in the next episode";
const OWN_ARRIVAL: [&str; 3] =
    ["the process arrives first", "the process arrives in between", "the process arrives last"];
const ARRIVE_AND_ARRIVE: &str = "an arrival of a member and of the process in one cycle";
const TO_SEND: [&str; 3] = [
    "arrival to be sent, none waits",
    "arrival to be sent, one waits",
    "arrival to be sent, several wait",
];
const ALL_TO_SEND: &str = "arrivals of all barriers wait to be sent";
const EPISODES_WRAP: &str = "episodes wrap";

fn names() -> impl Iterator<Item = &'static str> {
    let single = [
        ALL_WAIT,
        AGAIN,
        OLD,
        REQUESTS_WRAP,
        OWN_REQUESTS_WRAP,
        ASK_AND_ACQUIRE,
        ASK_AND_RELEASE,
        ARRIVES_LAST,
        ARRIVES_AGAIN,
        ARRIVES_OUTSIDE,
        ARRIVES_NEXT,
        ARRIVE_AND_ARRIVE,
        ALL_TO_SEND,
        EPISODES_WRAP,
    ];
    let threes = [JOINS, ARRIVES, OWN_ARRIVAL, TO_SEND].concat();
    let given = GIVEN.into_iter().take(2); // it is the first one always
    let fours = [SERVED, ANEW].concat();
    single.into_iter().chain(threes).chain(given).chain(fours).chain(EPOCHS_WRAP)
}

macro_rules! registers {
    ($($name:ident = $path:literal,)*) => {
        /// Registers that are looked at, in the order of [`PATHS`].
        #[derive(Clone, Copy, Debug)]
        enum Register { $($name,)* }

        /// Their paths below the engine.
        const PATHS: &[&str] = &[$($path,)*];
    };
}

registers! {
    LockState = "u_lock.state_q",
    Lock = "u_lock.lock_q",
    Node = "u_lock.node_q",
    Tag = "u_lock.tag_q",
    Epoch = "u_lock.epoch_q",
    Pass = "u_lock.pass_q",
    Waits = "u_lock.waits_q",
    Ahead = "u_lock.ahead_q",
    Behind = "u_lock.behind_q",
    Later = "u_lock.later_q",
    LockOut = "u_lock.out_valid_q",
    LockOutPass = "u_lock.out_pass_q",
    LockOutLock = "u_lock.out_lock_q",
    LockOutTag = "u_lock.out_tag_q",
    Entry = "u_lock.u_list.entry_q",
    BarrierState = "u_barrier.state_q",
    Number = "u_barrier.number_q",
    Own = "u_barrier.own_q",
    Same = "u_barrier.same_q",
    Next = "u_barrier.next_q",
    Takes = "u_barrier.takes_q",
    First = "u_barrier.first_q",
    Last = "u_barrier.last_q",
    Waiting = "u_barrier.waiting_q",
    Queued = "u_barrier.queued_q",
    BarrierOut = "u_barrier.out_valid_q",
    BarrierOutNumber = "u_barrier.out_number_q",
    BarrierOutTag = "u_barrier.out_tag_q",
    HostState = "u_regs.state_q",
    HostSelects = "u_regs.sel_q",
}

/// Codes of the states of the lock engine, of the barrier engine, and of the registers' command.
#[derive(Debug)]
struct Codes {
    lock: BTreeMap<u32, &'static str>,
    barrier: BTreeMap<u32, &'static str>,
    command: u32,
}

impl Codes {
    fn new() -> Option<Self> {
        let of = |module: &str, states: &[&'static str]| {
            let states = states.iter().map(|state| Some((narrow(code(module, state)?), *state)));
            states.collect::<Option<BTreeMap<_, _>>>()
        };
        Some(Codes {
            lock: of(
                "lock_engine",
                &["clear", "idle", "look", "act", "append", "give", "command"],
            )?,
            barrier: of("barrier_engine", &["clear", "load", "add", "idle", "look", "count"])?,
            command: narrow(code("engine_regs", "command")?),
        })
    }
}

/// What is known of the engine of one node.
#[derive(Clone, Debug, Default)]
struct Engine {
    /// Nodes that wait for each lock, in order.
    waiting: [Vec<u8>; 16],
    /// Number of the last hand-over known of each lock.
    epochs: [u16; 16],
    /// Last number that was sent, by lock and by barrier.
    requests: [u16; 16],
    episodes: [u16; 8],
    /// Members that each barrier has counted.
    heard: [u16; 8],
    /// States of both engines, barriers whose arrivals wait to be sent, in the cycle before.
    before: Option<(&'static str, &'static str, u8)>,
    /// The lock of a request that was taken in the cycle of a release.
    asked: Option<u8>,
}

/// Counts of a case.
#[derive(Debug)]
pub(super) struct Lists {
    rst: Place,
    places: Vec<Place>,
    codes: Codes,
    /// Nodes that take part.
    nodes: usize,
    engines: Vec<Engine>,
    counts: BTreeMap<&'static str, u64>,
}

/// Values of registers in one cycle.
struct Values<'a> {
    places: &'a [Place],
    image: &'a [u32],
}

impl Values<'_> {
    fn get<T: Narrow>(&self, register: Register) -> T
    where
        u128: TryInto<T>,
    {
        narrow(self.places[register as usize].of(self.image))
    }

    fn is(&self, register: Register) -> bool {
        self.places[register as usize].of(self.image) != 0
    }
}

/// Index of what is said of a place in a list: the only one, the first, in the middle, the last.
fn place_of(at: usize, length: usize) -> usize {
    match at {
        0 if length == 1 => 0,
        0 => 1,
        at if at + 1 == length => 3,
        _ => 2,
    }
}

impl Lists {
    /// Of a board with an engine.
    pub(super) fn new(shape: &Shape, nodes: usize) -> Option<Self> {
        let width = shape.parameters.engine_node_w();
        let find = |name: &str| {
            let path = format!("u_engine.{name}");
            let mut words = shape.register_words();
            words.find(|(p, ..)| *p == path).map(|(_, bits, at)| Place { at, bits })
        };
        let mut inputs = shape.input_words();
        let rst = inputs.find(|(name, ..)| *name == "rst");
        Some(Lists {
            rst: rst.map(|(_, bits, at)| Place { at, bits }).filter(|_| width != 0)?,
            places: PATHS.iter().map(|name| find(name)).collect::<Option<_>>()?,
            codes: Codes::new()?,
            nodes: 1 << width,
            engines: vec![Engine::default(); nodes],
            counts: names().map(|name| (name, 0)).collect(),
        })
    }

    /// Values were deposited: what was before says nothing of what comes.
    pub(super) fn jump(&mut self) {
        self.engines.iter_mut().for_each(|engine| engine.before = None);
    }

    /// One cycle of a board, before the edge.
    pub(super) fn see(&mut self, node: usize, inputs: &[u32], registers: &[u32]) {
        if self.rst.of(inputs) != 0 {
            self.engines[node] = Engine::default();
            return;
        }
        let values = Values { places: &self.places, image: registers };
        let [lock, barrier] = [
            (&self.codes.lock, Register::LockState),
            (&self.codes.barrier, Register::BarrierState),
        ]
        .map(|(codes, register)| codes.get(&values.get(register)).copied().unwrap_or_default());
        let engine = &mut self.engines[node];
        let command = values.get::<u32>(Register::HostState) == self.codes.command;
        let selects = values.get::<u32>(Register::HostSelects);
        let of_host =
            |register: &map::Register| command && selects == (register.offset.0 & 0x7ff) >> 2;
        let mut found = Vec::new();
        // A message was taken while a command waited: both came, or waited, in the cycle before.
        if let Some((was_lock, was_barrier, _)) = engine.before {
            if was_lock == "idle" && lock == "look" {
                if of_host(&map::LOCK_ACQUIRE) {
                    found.push(ASK_AND_ACQUIRE);
                }
                let asks = of_host(&map::LOCK_RELEASE) && !values.is(Register::Pass);
                engine.asked = asks.then(|| values.get(Register::Lock));
            }
            if was_barrier == "idle"
                && barrier == "look"
                && !values.is(Register::Own)
                && of_host(&map::BARRIER_ARRIVE)
            {
                found.push(ARRIVE_AND_ARRIVE);
            }
        }
        engine.of_locks(lock, &values, self.nodes, &mut found);
        engine.of_barriers(barrier, &values, &mut found);
        engine.before = Some((lock, barrier, values.get(Register::Queued)));
        for name in found {
            *self.counts.entry(name).or_default() += 1;
        }
    }

    pub(super) fn add_to(&self, reached: &mut Reached) {
        for (name, count) in &self.counts {
            reached.add(GROUP, name, *count);
        }
    }
}

impl Engine {
    fn of_locks(
        &mut self,
        state: &str,
        values: &Values<'_>,
        nodes: usize,
        found: &mut Vec<&'static str>,
    ) {
        let lock: usize = values.get(Register::Lock);
        let node: u8 = values.get(Register::Node);
        match state {
            "clear" => *self = Engine { before: self.before, ..Engine::default() },
            "act" if values.is(Register::Pass) => {
                if values.is(Register::Waits) && !values.is(Register::Behind) {
                    self.leave(lock, node, SERVED, found);
                }
                let epoch = values.get(Register::Epoch);
                if values.is(Register::Later) {
                    found.extend((epoch < self.epochs[lock]).then_some(EPOCHS_WRAP[0]));
                    self.epochs[lock] = epoch;
                }
            }
            "act" => {
                let [waits, ahead, behind] =
                    [Register::Waits, Register::Ahead, Register::Behind].map(|r| values.is(r));
                let entry: u32 = values.get(Register::Entry);
                let (known, newest) = (entry >> 17 != 0, entry & 0xffff);
                match (waits, ahead) {
                    (true, true) => self.leave(lock, node, ANEW, found),
                    (true, false) => found.push(if behind { OLD } else { AGAIN }),
                    (false, _) => {}
                }
                if ahead && known && values.get::<u32>(Register::Tag) < newest {
                    found.push(REQUESTS_WRAP);
                }
            }
            "append" => {
                let list = &mut self.waiting[lock];
                found.push(JOINS[list.len().min(2)]);
                list.push(node);
                if list.len() == nodes {
                    found.push(ALL_WAIT);
                }
            }
            "give" => {
                self.leave(lock, node, GIVEN, found);
                self.epochs[lock] = self.epochs[lock].wrapping_add(1);
                if self.epochs[lock] == 0 {
                    found.push(EPOCHS_WRAP[1]);
                }
            }
            "command" => {
                let asked = self.asked.take().map(usize::from);
                found.extend((asked == Some(lock)).then_some(ASK_AND_RELEASE));
            }
            _ => {}
        }
        if values.is(Register::LockOut) && !values.is(Register::LockOutPass) {
            let sent = &mut self.requests[values.get::<usize>(Register::LockOutLock)];
            let now = values.get(Register::LockOutTag);
            found.extend((now < *sent).then_some(OWN_REQUESTS_WRAP));
            *sent = now;
        }
    }

    /// A node leaves a list.
    fn leave(
        &mut self,
        lock: usize,
        node: u8,
        names: [&'static str; 4],
        found: &mut Vec<&'static str>,
    ) {
        let list = &mut self.waiting[lock];
        if let Some(at) = list.iter().position(|waits| *waits == node) {
            found.push(names[place_of(at, list.len())]);
            list.remove(at);
        }
    }

    fn of_barriers(&mut self, state: &str, values: &Values<'_>, found: &mut Vec<&'static str>) {
        let number: usize = values.get(Register::Number);
        let waits = values.get::<u8>(Register::Waiting) >> number & 1 != 0;
        let [own, same, next, takes, first, last] = [
            Register::Own,
            Register::Same,
            Register::Next,
            Register::Takes,
            Register::First,
            Register::Last,
        ]
        .map(|register| values.is(register));
        let heard = &mut self.heard[number];
        match state {
            "clear" | "load" | "add" => self.heard = [0; 8],
            "count" if own && !waits => {
                let when = if last { 2 } else { usize::from(*heard != 0) };
                found.push(OWN_ARRIVAL[when]);
                *heard = if last { 0 } else { *heard + u16::from(first) };
            }
            "count" if !own && same => {
                found.push(match (takes, first) {
                    (false, _) => ARRIVES_OUTSIDE,
                    (true, false) => ARRIVES_AGAIN,
                    (true, true) if last && waits => ARRIVES_LAST,
                    (true, true) => ARRIVES[usize::from(*heard).min(2)],
                });
                *heard = if last && waits { 0 } else { *heard + u16::from(first) };
            }
            "count" if !own && next && waits => {
                found.push(ARRIVES_NEXT);
                *heard = u16::from(takes);
            }
            _ => {}
        }
        let queued: u8 = values.get(Register::Queued);
        if let Some((.., was)) = self.before
            && queued & !was != 0
        {
            found.push(TO_SEND[was.count_ones().min(2) as usize]);
            found.extend((queued == 0xff).then_some(ALL_TO_SEND));
        }
        if values.is(Register::BarrierOut) {
            let sent = &mut self.episodes[values.get::<usize>(Register::BarrierOutNumber)];
            let now = values.get(Register::BarrierOutTag);
            // An answer of the episode before is no wrap.
            found.extend((now < *sent && *sent - now > 0x8000).then_some(EPISODES_WRAP));
            *sent = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BoardStimulus;
    use crate::board::burst::of_single_accesses;
    use crate::board::engine::parameters;
    use crate::case::Case;
    use crate::machine::Machine;
    use crate::vector::track_of;
    use crate::vectors::board::{lists, own_numbers_wrap};
    use awgstar::rtl::{Smb, SmbAxi4};

    /// Events that no run at the ports alone comes to, and why.
    const BEYOND: [(&str, &str); 2] = [
        (OWN_REQUESTS_WRAP, "a board asks for a lock 65,535 times before"),
        (EPISODES_WRAP, "all members pass a barrier 65,535 times before"),
    ];

    fn reached<M: Machine>(cases: impl IntoIterator<Item = Case<M>>) -> Reached {
        let shape = Shape::of::<M>(&parameters());
        let mut all = Reached::default();
        for case in cases {
            let track = track_of::<M>(&case, 0, &parameters()).unwrap();
            all.merge(&crate::reached::of::<M>(&shape, &track).unwrap());
        }
        all
    }

    /// All is reached but what has a reason, and what has a reason is not reached.
    fn complete(reached: &Reached) {
        for name in names() {
            let beyond = BEYOND.iter().find(|(event, _)| *event == name).map(|(_, why)| why);
            let count = reached.count(GROUP, name);
            assert_eq!(count > 0, beyond.is_none(), "{name} {count}: {beyond:?}");
        }
    }

    #[test]
    fn a_board_comes_to_each_length_of_its_lists() {
        complete(&reached::<Smb>(lists().unwrap().into_iter().map(|one| Case::alone(one.case))));
    }

    #[test]
    fn a_board_with_bursts_comes_to_each_length_of_its_lists() {
        let case = |one: &BoardStimulus| Case::alone(of_single_accesses(one));
        complete(&reached::<SmbAxi4>(lists().unwrap().iter().map(|one| case(&one.case))));
    }

    #[test]
    fn the_own_numbers_wrap_where_memories_are_set() {
        let reached = reached::<Smb>([own_numbers_wrap().unwrap().case]);
        for (name, _) in BEYOND {
            assert!(reached.count(GROUP, name) > 0, "{name}: {:?}", reached.lines());
        }
    }
}
