// SPDX-License-Identifier: MIT OR Apache-2.0
//! The gateway of the ring where the memory is: steps 4 to 6 of section 4.1 of paper 004.
//!
//! *Intent* and *done* of each far client are words in the memory of the ring. They survive a restart of the gateway,
//! and a standby reads them.

use crate::cache::home::Directory;
use crate::interface::{Action, Answer, Frame, Memory, Order, Request, number_of};
use crate::line::Note;
use crate::repairs::{RequestRepairs, TakeOverRepairs};
use crate::words::{Head, Operation, Requester, Slot, Status, Word, older};
use awgstar_frame::quantity::ByteAddress;
use awgstar_sync::firmware::lock::newer;
use std::collections::VecDeque;

awgstar_sync::states! {
    /// State of a home gateway.
    pub enum Homing, /// Cause of a transition.
    HomingCause, "home gateway" {
        states {
            Free "free",
            /// Words of the request are stored one by one, other work in between: as published.
            Storing "storing",
            /// The gateway waits until the words are in all replicas.
            Confirming "confirming",
        }
        causes {
            Begin "begin": Free => Storing;
            Stored "stored": Storing => Confirming;
            Finish "finish": Storing => Free, Confirming => Free;
        }
    }
}

/// A request that is carried out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Work {
    from: Requester,
    number: u16,
    address: ByteAddress,
    /// Words that are not stored yet.
    rest: VecDeque<u32>,
    /// Somebody waits for an answer: not after a restart, when the request comes again.
    answer: bool,
}

/// Requests of other rings for the memory of this one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Home {
    slot: Slot,
    gateways: u8,
    /// First address beyond the memory.
    end: ByteAddress,
    repairs: RequestRepairs,
    take_over: TakeOverRepairs,
    state: Homing,
    waiting: VecDeque<Request>,
    work: Option<Work>,
}

/// An answer that is to be sent.
pub(crate) type Answered = Option<Answer>;

impl Home {
    pub(crate) fn new(
        (slot, gateways): (Slot, u8),
        end: ByteAddress,
        (repairs, take_over): (RequestRepairs, TakeOverRepairs),
    ) -> Home {
        let (waiting, work) = (VecDeque::new(), None);
        Home { slot, gateways, end, repairs, take_over, state: Homing::Free, waiting, work }
    }

    fn has(&self, repair: RequestRepairs) -> bool {
        self.repairs.has(repair)
    }

    /// This gateway, and with the repair the others of the ring.
    fn slots(&self, repair: TakeOverRepairs) -> Vec<Slot> {
        let others = (0..self.gateways).map(Slot).filter(|slot| *slot != self.slot);
        let others = others.filter(|_| self.take_over.has(repair));
        std::iter::once(self.slot).chain(others).collect()
    }

    /// A client has one request at a time: a newer one, and one that is sent again, takes the place of the one before.
    pub(crate) fn receive(&mut self, request: Request) {
        self.waiting.retain(|waiting| waiting.from != request.from);
        self.waiting.push_back(request);
    }

    /// Requests that wait here.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// The last request of a client that is done, by whichever gateway.
    fn record(&self, memory: &impl Memory, from: Requester) -> (u16, Slot) {
        let done = |slot| number_of(memory, Word::Done(slot, from));
        let all = self.slots(TakeOverRepairs::RECORDS).into_iter();
        let later =
            |last: Slot, slot: Slot| if newer(done(slot), done(last)) { slot } else { last };
        let last = all.reduce(later).unwrap_or(self.slot);
        (done(last), last)
    }

    /// Goes on with the work, or begins the next request. The gateway has nothing else to store now.
    pub(crate) fn poll(
        &mut self,
        memory: &impl Memory,
        directory: &mut Option<Directory>,
        actions: &mut Vec<Action>,
    ) -> (Answered, Vec<Note>) {
        if self.state == Homing::Storing {
            return (self.go_on(actions), Vec::new());
        }
        if self.state != Homing::Free {
            return (None, Vec::new());
        }
        let mut notes = Vec::new();
        let next = (0..self.waiting.len()).find(|at| {
            let (waits, wanted) = self.held_up(memory, *at, directory);
            notes.extend(wanted);
            !waits
        });
        let request = next.and_then(|at| self.waiting.remove(at));
        (request.and_then(|request| self.carry_out(memory, request, actions)), notes)
    }

    /// A request waits until other rings have dropped lines.
    fn held_up(
        &self,
        memory: &impl Memory,
        at: usize,
        directory: &mut Option<Directory>,
    ) -> (bool, Vec<Note>) {
        let (request, Some(directory)) = (&self.waiting[at], directory) else {
            return (false, Vec::new());
        };
        let Request { address, length, operation, .. } = *request;
        if request.number == self.record(memory, request.from).0 {
            return (false, Vec::new());
        }
        match operation {
            Operation::Get => (directory.read_waits(address, length), Vec::new()),
            Operation::Put => directory.write_waits(address, request.data.len()),
        }
    }

    fn carry_out(
        &mut self,
        memory: &impl Memory,
        request: Request,
        actions: &mut Vec<Action>,
    ) -> Answered {
        let (done, by) = self.record(memory, request.from);
        if self.has(RequestRepairs::ONCE) {
            if request.number == done {
                return Some(answer(memory, &request, by));
            }
            let next = request.number == done.wrapping_add(1);
            // A client asks again only when its request before was answered.
            let later = !older(request.number, done) && self.take_over.has(TakeOverRepairs::GAP);
            if !next && !later {
                return None;
            }
            let put = request.operation == Operation::Put;
            if !put && (request.number >> 14 != done >> 14 || request.number < done) {
                // An intent of long ago must not look as if it were after this request.
                let Request { number, from, operation, .. } = request;
                if let Ok(word) = (Head { number, operation, length: 1 }).word() {
                    let none = vec![(Word::Intent(self.slot, from), word)];
                    actions.push(Action::Store(none, Order::After));
                }
            }
        }
        let words = u32::from(request.length) * 4;
        let end = request.address.checked_add(words);
        let put = request.operation == Operation::Put;
        let refused = if put && request.data.len() != usize::from(request.length) {
            Some(Status::NoRequest)
        } else if !request.address.is_aligned() || end.is_none_or(|end| end > self.end) {
            Some(Status::NoAddress)
        } else {
            None
        };
        if let Some(status) = refused {
            self.store_done(request.from, status.word(request.number), &[], actions);
            let (to, number, values) = (request.from, request.number, Vec::new());
            return Some(Answer { to, number, status, values });
        }
        match request.operation {
            Operation::Get => {
                let word = |at| memory.word(Word::Memory(request.address + 4 * u32::from(at)));
                let values: Vec<u32> = (0..request.length).map(word).collect();
                let done = Status::Good.word(request.number);
                self.store_done(request.from, done, &values, actions);
                let (to, number) = (request.from, request.number);
                Some(Answer { to, number, status: Status::Good, values })
            }
            Operation::Put => self.begin(memory, request, true, actions),
        }
    }

    /// Begins to store the words of a request.
    fn begin(
        &mut self,
        memory: &impl Memory,
        request: Request,
        answer: bool,
        actions: &mut Vec<Action>,
    ) -> Answered {
        let Request { from, number, address, data, .. } = request;
        if self.has(RequestRepairs::INTENT) {
            let length = u16::try_from(data.len()).ok()?;
            let head = Head { number, operation: Operation::Put, length }.word().ok()?;
            let words = 3 + u32::from(length);
            let at = memory.stored(self.slot).wrapping_add(words);
            let mut intent: Frame = vec![
                (Word::Intent(self.slot, from), head),
                (Word::IntentAddress(self.slot, from), address.0),
                (Word::IntentAt(self.slot, from), at),
            ];
            let word = |(at, value): (u16, &u32)| (Word::IntentData(self.slot, from, at), *value);
            intent.extend((0..).zip(&data).map(word));
            if self.has(RequestRepairs::ONE_FRAME) {
                actions.push(Action::Store(intent, Order::After));
            } else {
                let one = |word| Action::Store(vec![word], Order::After);
                actions.extend(intent.into_iter().map(one));
            }
        }
        if !self.has(RequestRepairs::DONE_AFTER) {
            self.store_done(from, Status::Good.word(number), &[], actions);
        }
        self.state.go(HomingCause::Begin);
        self.work = Some(Work { from, number, address, rest: data.into(), answer });
        if self.has(RequestRepairs::ALONE) { self.go_on(actions) } else { None }
    }

    /// Stores the next word; with nothing in between, all of them.
    fn go_on(&mut self, actions: &mut Vec<Action>) -> Answered {
        let all = self.has(RequestRepairs::ALONE);
        let work = self.work.as_mut()?;
        let words = if all { work.rest.len() } else { work.rest.len().min(1) };
        for value in work.rest.drain(..words) {
            actions.push(Action::Store(vec![(Word::Memory(work.address), value)], Order::After));
            work.address += 4;
        }
        if !work.rest.is_empty() {
            return None;
        }
        if self.has(RequestRepairs::CONFIRMED) {
            self.state.go(HomingCause::Stored);
            actions.push(Action::Flush);
            return None;
        }
        self.finish(actions)
    }

    /// All frames of this gateway are in all replicas.
    pub(crate) fn flushed(&mut self, actions: &mut Vec<Action>) -> Answered {
        if self.state == Homing::Confirming { self.finish(actions) } else { None }
    }

    fn finish(&mut self, actions: &mut Vec<Action>) -> Answered {
        self.state.go(HomingCause::Finish);
        let Work { from: to, number, answer, .. } = self.work.take()?;
        if self.has(RequestRepairs::DONE_AFTER) {
            self.store_done(to, Status::Good.word(number), &[], actions);
        }
        answer.then(|| Answer { to, number, status: Status::Good, values: Vec::new() })
    }

    /// The values and the number of what is done, in one frame.
    fn store_done(&self, from: Requester, done: u32, values: &[u32], actions: &mut Vec<Action>) {
        let value = |(at, value): (u16, &u32)| (Word::Result(self.slot, from, at), *value);
        let mut frame: Frame = (0..).zip(values).map(value).collect();
        frame.push((Word::Done(self.slot, from), done));
        actions.push(Action::Store(frame, Order::After));
    }

    /// After a restart, and when a standby takes over: goes on with an intent that is not done.
    pub(crate) fn recover(
        &mut self,
        memory: &impl Memory,
        far: &[Requester],
        actions: &mut Vec<Action>,
    ) {
        if !self.has(RequestRepairs::INTENT) || self.state != Homing::Free {
            return;
        }
        // An intent of this gateway is newer than the one of another gateway that it was made of.
        let slots = self.slots(TakeOverRepairs::INTENTS);
        for &from in far {
            let done = self.record(memory, from).0;
            let open = |slot: &&Slot| newer(number_of(memory, Word::Intent(**slot, from)), done);
            let Some(&slot) = slots.iter().find(open) else { continue };
            let Ok(head) = Head::of(memory.word(Word::Intent(slot, from))) else { continue };
            if head.operation == Operation::Get {
                continue;
            }
            let word = |at| memory.word(Word::IntentData(slot, from, at));
            let data: Vec<u32> = (0..head.length).map(word).collect();
            let address = ByteAddress(memory.word(Word::IntentAddress(slot, from)));
            let stored = self.stored(memory, slot, from, (address, &data));
            let rest = data[stored..].to_vec();
            let Some(address) = (0..stored).try_fold(address, |at, _| at.checked_add(4)) else {
                continue;
            };
            let number = head.number;
            if slot == self.slot || rest.is_empty() {
                self.state.go(HomingCause::Begin);
                self.work = Some(Work { from, number, address, rest: rest.into(), answer: false });
                self.go_on(actions);
            } else {
                // Words of this gateway count from an intent that it has stored.
                let (target, operation, length) = (from.ring, Operation::Put, 0);
                let request =
                    Request { from, number, target, operation, address, length, data: rest };
                self.begin(memory, request, false, actions);
            }
            // One at a time has an intent that is not done.
            return;
        }
    }

    /// Words of an intent that are stored.
    fn stored(
        &self,
        memory: &impl Memory,
        slot: Slot,
        from: Requester,
        (address, data): (ByteAddress, &[u32]),
    ) -> usize {
        if self.has(RequestRepairs::COUNTED) {
            let at = memory.word(Word::IntentAt(slot, from));
            let stored = memory.stored(slot).wrapping_sub(at);
            return usize::try_from(stored).map_or(data.len(), |stored| stored.min(data.len()));
        }
        let same = |(value, at): &(&u32, u32)| {
            let word = address.checked_add(4 * at).map(Word::Memory);
            word.is_some_and(|word| memory.word(word) == **value)
        };
        data.iter().zip(0..).take_while(same).count()
    }

    pub(crate) fn summary(&self) -> String {
        let rest = self.work.as_ref().map(|work| format!(" {}#{}", work.from, work.number));
        format!("{}{}", self.state.name(), rest.unwrap_or_default())
    }
}

/// The answer from the record.
fn answer(memory: &impl Memory, request: &Request, by: Slot) -> Answer {
    let &Request { from: to, number, length, operation, .. } = request;
    let status = Status::of(memory.word(Word::Done(by, to))).unwrap_or(Status::NoRequest);
    let length = if operation == Operation::Get && status == Status::Good { length } else { 0 };
    let values = (0..length).map(|at| memory.word(Word::Result(by, to, at))).collect();
    Answer { to, number, status, values }
}
