// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks of all rings at a gateway (P4), by words of its ring and messages between gateways.
//!
//! A gateway gives a lock to clients of its ring, one at a time, while the lock is with its ring: in its *turn*. One
//! gateway, the lock's *manager*, gives turns. Each turn of a ring has a number, so that a message of a turn that is
//! over does nothing but say so.

use crate::interface::{About, Action, Frame, Memory, Order, Turn};
use crate::lock::{LockGateway, Queue, Step};
use crate::repairs::{LockRepairs, TurnRepairs};
use crate::words::{RingNumber, Slot, Word, number};
use awgstar_frame::quantity::NodeId;
use awgstar_sync::firmware::lock::newer;
use std::collections::{BTreeMap, VecDeque};

/// What the gateway has of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Has {
    Nothing,
    Asked,
    Held,
}

/// A lock, as far as it is not in the memory of the ring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Lock {
    gateway: LockGateway,
    /// Other rings wait for the end of the turn.
    wanted: bool,
    /// The manager was asked for the turn, and nothing was lost since.
    asked: bool,
    /// At the manager: rings that wait, with the numbers of their turns, and whether the ring with the turn knows.
    waiting: VecDeque<(RingNumber, u16)>,
    warned: bool,
}

/// All locks of all rings at a gateway.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Turns {
    ring: RingNumber,
    slot: Slot,
    clients: Vec<NodeId>,
    /// Rings that a manager can be of.
    rings: Vec<RingNumber>,
    repairs: TurnRepairs,
    locks: Vec<Lock>,
    /// Words that this gateway writes, and what clients want.
    known: BTreeMap<Word, u32>,
    /// The calls of each client that the gateway knows of.
    seen: BTreeMap<NodeId, u16>,
}

/// What a step stores and says.
#[derive(Default)]
pub(crate) struct Said {
    frame: Frame,
    messages: VecDeque<Turn>,
}

impl Said {
    fn say(&mut self, about: About, to: RingNumber, (lock, ring, number): (u16, RingNumber, u16)) {
        self.messages.push_back(Turn { to, about, lock, ring, number });
    }

    /// Stores go first: what is said is known after a restart.
    pub(crate) fn actions(self, actions: &mut Vec<Action>) -> impl Iterator<Item = Turn> + use<> {
        actions.extend(self.frame.into_iter().map(|one| Action::Store(vec![one], Order::After)));
        self.messages.into_iter()
    }
}

/// The word of a client: number of its call 16, 1 until it gives the lock up.
pub(crate) fn want(call: u16, wants: bool) -> u32 {
    u32::from(call) << 16 | u32::from(wants)
}

/// The word of the client that has the lock: number of its call 16, node 8.
pub(crate) fn grant(call: u16, client: NodeId) -> u32 {
    u32::from(call) << 16 | u32::from(client.0)
}

pub(crate) const fn granted(word: u32) -> NodeId {
    NodeId((word & 0xff) as u8)
}

/// In the word of a client's arrival, beside the episode: calls of locks 8, not 0 after the first; the lock of the last 8.
const fn calls_of(word: u32) -> u16 {
    (word & 0xffff) as u16
}

pub(crate) const fn next_call(count: u16) -> u16 {
    if count == 0xff { 1 } else { count + 1 }
}

impl Turns {
    pub(crate) fn new(
        (ring, slot): (RingNumber, Slot),
        clients: Vec<NodeId>,
        mut rings: Vec<RingNumber>,
        (locks, repairs, turns): (u16, TurnRepairs, LockRepairs),
    ) -> Turns {
        rings.push(ring);
        rings.sort_unstable();
        let lock = Lock {
            gateway: LockGateway::new(turns),
            wanted: false,
            asked: false,
            waiting: VecDeque::new(),
            warned: false,
        };
        let locks = vec![lock; locks.into()];
        let (known, seen) = (BTreeMap::new(), BTreeMap::new());
        Turns { ring, slot, clients, rings, repairs, locks, known, seen }
    }

    /// The gateway begins, with what is in the memory.
    pub(crate) fn start(&mut self, memory: &impl Memory) {
        if self.repairs.has(TurnRepairs::KEPT) {
            for lock in (0..).take(self.locks.len()) {
                let words = [Word::Grant(self.slot, lock), Word::Turn(self.slot, lock)];
                let owner = Word::Owner(self.slot, lock);
                let owner = Some(owner).filter(|_| self.manager(lock) == self.ring);
                let found = words.into_iter().chain(owner).map(|word| (word, memory.word(word)));
                self.known.extend(found);
            }
        }
    }

    /// The ring whose gateway gives the turns of a lock.
    fn manager(&self, lock: u16) -> RingNumber {
        self.rings[usize::from(lock) % self.rings.len()]
    }

    fn known(&self, word: Word) -> u32 {
        self.known.get(&word).copied().unwrap_or(0)
    }

    fn store(&mut self, word: Word, value: u32, said: &mut Said) {
        self.known.insert(word, value);
        said.frame.retain(|one| one.0 != word);
        said.frame.push((word, value));
    }

    /// The number of the turn that the ring had last, and what it has of it.
    fn turn(&self, lock: u16) -> (u16, Has) {
        let word = self.known(Word::Turn(self.slot, lock));
        let has = match word & 3 {
            1 => Has::Asked,
            2 => Has::Held,
            _ => Has::Nothing,
        };
        (number(word), has)
    }

    fn set_turn(&mut self, lock: u16, number: u16, has: Has, said: &mut Said) {
        let has = match has {
            Has::Nothing => 0,
            Has::Asked => 1,
            Has::Held => 2,
        };
        self.store(Word::Turn(self.slot, lock), u32::from(number) << 16 | has, said);
    }

    /// At the manager: the ring that has the turn, and its number.
    fn owner(&self, lock: u16) -> Option<(RingNumber, u16)> {
        let word = self.known(Word::Owner(self.slot, lock));
        let ring = (word & 0xffff) as u16;
        Some((RingNumber(ring.checked_sub(1)?), number(word)))
    }

    fn set_owner(&mut self, lock: u16, owner: Option<(RingNumber, u16)>, said: &mut Said) {
        let word = owner.map_or(0, |(ring, turn)| u32::from(turn) << 16 | u32::from(ring.0 + 1));
        self.store(Word::Owner(self.slot, lock), word, said);
    }

    /// What a client wants is read when it has called: one lock after one call, else all.
    fn look(&mut self, memory: &impl Memory) {
        for client in self.clients.clone() {
            let calls = calls_of(memory.word(Word::Arrival(client)));
            let seen = self.seen.get(&client).copied();
            if calls == seen.unwrap_or(0) {
                continue;
            }
            let (count, lock) = (calls >> 8, calls & 0xff);
            let one = seen.is_some_and(|seen| next_call(seen >> 8) == count);
            let all = (0..).take(self.locks.len()).filter(|at| !one || *at == lock);
            let words = all.map(|lock| Word::Want(client, lock));
            self.known.extend(words.map(|word| (word, memory.word(word))));
            self.seen.insert(client, calls);
        }
    }

    /// A turn of the handler.
    pub(crate) fn poll(&mut self, memory: &impl Memory) -> Said {
        let mut said = Said::default();
        if self.locks.is_empty() {
            return said;
        }
        self.look(memory);
        for lock in (0..).take(self.locks.len()) {
            self.serve(lock, &mut said);
            self.warn(lock, &mut said);
        }
        self.take_own(&mut said);
        said
    }

    /// The ring's part.
    fn serve(&mut self, lock: u16, said: &mut Said) {
        let word = self.known(Word::Grant(self.slot, lock));
        let holder = granted(word);
        let word_of = |client: NodeId| self.known(Word::Want(client, lock));
        let held = self.clients.contains(&holder) && word_of(holder) == want(number(word), true);
        // The client that has had the lock last comes last.
        let after = self.clients.iter().position(|one| one.0 > holder.0).unwrap_or(0);
        let (first, last) = self.clients.split_at(after);
        let waits = |client: &&NodeId| !(held && **client == holder) && word_of(**client) & 1 == 1;
        let next = last.iter().chain(first).find(waits).copied();
        let (turn, has) = self.turn(lock);
        // The gateway has the lock of the ring when no client does.
        let lower = Queue { held: !held, asked: held, wanted: next.is_some() };
        let at = usize::from(lock);
        let wanted = self.locks[at].wanted;
        let upper = Queue { held: has == Has::Held, asked: has == Has::Asked, wanted };
        match self.locks[at].gateway.step(lower, upper) {
            Some(Step::AskUpper) => {
                self.set_turn(lock, turn.wrapping_add(1), Has::Asked, said);
                self.locks[at].asked = false;
            }
            Some(Step::GiveUpper) => {
                self.set_turn(lock, turn, Has::Nothing, said);
                said.say(About::Back, self.manager(lock), (lock, self.ring, turn));
            }
            Some(Step::GiveLower) => {
                let Some(next) = next else { return };
                let call = number(self.known(Word::Want(next, lock)));
                self.store(Word::Grant(self.slot, lock), grant(call, next), said);
            }
            Some(Step::AskLower) | None => {}
        }
        let (turn, has) = self.turn(lock);
        if has == Has::Asked && !self.locks[at].asked {
            self.locks[at].asked = true;
            said.say(About::Ask, self.manager(lock), (lock, self.ring, turn));
        }
    }

    /// The manager's part: the ring that has the turn learns that others wait.
    fn warn(&mut self, lock: u16, said: &mut Said) {
        let at = usize::from(lock);
        let waits = !self.locks[at].waiting.is_empty() && !self.locks[at].warned;
        if let Some((ring, turn)) = self.owner(lock).filter(|_| waits) {
            self.locks[at].warned = true;
            said.say(About::Wanted, ring, (lock, ring, turn));
        }
    }

    /// The manager's part: the next ring has a turn.
    fn give(&mut self, lock: u16, said: &mut Said) {
        let at = usize::from(lock);
        if self.owner(lock).is_some() {
            return;
        }
        if let Some((ring, turn)) = self.locks[at].waiting.pop_front() {
            self.locks[at].warned = false;
            self.set_owner(lock, Some((ring, turn)), said);
            said.say(About::Given, ring, (lock, ring, turn));
        }
    }

    /// A message for this gateway.
    pub(crate) fn receive(&mut self, message: Turn) -> Said {
        let mut said = Said::default();
        self.take(message, &mut said);
        self.take_own(&mut said);
        said
    }

    /// What a gateway says to itself.
    fn take_own(&mut self, said: &mut Said) {
        while let Some(at) = said.messages.iter().position(|one| one.to == self.ring) {
            if let Some(message) = said.messages.remove(at) {
                self.take(message, said);
            }
        }
    }

    fn take(&mut self, message: Turn, said: &mut Said) {
        let Turn { about, lock, ring, number, .. } = message;
        let at = usize::from(lock);
        let managed = self.manager(lock) == self.ring;
        if at >= self.locks.len() {
            return;
        }
        match about {
            About::Ask if managed => {
                if self.owner(lock) == Some((ring, number)) {
                    // It was not heard.
                    said.say(About::Given, ring, (lock, ring, number));
                    return;
                }
                let waiting = &mut self.locks[at].waiting;
                match waiting.iter_mut().find(|one| one.0 == ring) {
                    Some(one) if newer(number, one.1) => one.1 = number,
                    Some(_) => {}
                    None => waiting.push_back((ring, number)),
                }
                self.give(lock, said);
            }
            About::Back if managed && self.owner(lock) == Some((ring, number)) => {
                self.set_owner(lock, None, said);
                self.give(lock, said);
            }
            About::Given | About::Wanted if ring == self.ring => {
                let (turn, has) = self.turn(lock);
                let numbered = self.repairs.has(TurnRepairs::NUMBERS);
                match (about, has) {
                    (About::Given, Has::Asked) if number == turn || !numbered => {
                        self.set_turn(lock, turn, Has::Held, said);
                        self.locks[at].wanted = false;
                    }
                    (About::Wanted, Has::Held) if number == turn => self.locks[at].wanted = true,
                    (_, Has::Asked | Has::Held) if number == turn => {}
                    _ if self.repairs.has(TurnRepairs::BACK) => {
                        said.say(About::Back, self.manager(lock), (lock, ring, number));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// What was said may be lost.
    pub(crate) fn again(&mut self) {
        if self.repairs.has(TurnRepairs::AGAIN) {
            for lock in &mut self.locks {
                lock.asked = false;
                lock.warned = false;
            }
        }
    }

    /// The gateway waits for what may be lost.
    pub(crate) fn waits(&self) -> bool {
        let asked = |lock| self.turn(lock).1 == Has::Asked;
        let locks = (0..).zip(&self.locks);
        locks.into_iter().any(|(at, lock)| asked(at) || !lock.waiting.is_empty())
    }

    pub(crate) fn summary(&self) -> String {
        let one = |lock| {
            let (turn, has) = self.turn(lock);
            let has = match has {
                Has::Nothing => "-",
                Has::Asked => "asked",
                Has::Held => "held",
            };
            let owner = self.owner(lock).map(|(ring, turn)| format!(", owner {ring}#{turn}"));
            format!("turn {turn} {has}{}", owner.unwrap_or_default())
        };
        let all: Vec<String> = (0..).take(self.locks.len()).map(one).collect();
        all.join("; ")
    }
}
