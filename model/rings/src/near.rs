// SPDX-License-Identifier: MIT OR Apache-2.0
//! The gateway of the ring where a request begins: steps 2, 3 and 7 to 9 of section 4.1 of paper 004.

use crate::cache::near::{Lines, Read};
use crate::interface::{Action, Answer, Frame, Memory, Order, Request, number_of};
use crate::line::Note;
use crate::repairs::RequestRepairs;
use crate::words::{Head, Operation, Requester, RingNumber, Slot, Status, Word};
use awgstar_frame::quantity::{ByteAddress, NodeId};
use std::collections::{BTreeMap, BTreeSet};

/// Requests of this ring that are with other rings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Near {
    ring: RingNumber,
    slot: Slot,
    gateways: u8,
    clients: Vec<NodeId>,
    repairs: RequestRepairs,
    credits: usize,
    /// The number of each request that was sent, and its ring.
    sent: BTreeMap<NodeId, (u16, RingNumber)>,
}

impl Near {
    pub(crate) fn new(
        (ring, slot, gateways): (RingNumber, Slot, u8),
        clients: Vec<NodeId>,
        (repairs, credits): (RequestRepairs, usize),
    ) -> Near {
        Near { ring, slot, gateways, clients, repairs, credits, sent: BTreeMap::new() }
    }

    fn answered(&self, memory: &impl Memory, client: NodeId, number: u16) -> bool {
        let replied = |slot| number_of(memory, Word::Reply(Slot(slot), client)) == number;
        (0..self.gateways).any(replied)
    }

    /// Polls all channels, and groups the requests that wait by their ring. `knows`: a way leads there. A read whose lines
    /// are here is answered.
    pub(crate) fn poll(
        &mut self,
        memory: &impl Memory,
        (knows, lines): (impl Fn(RingNumber) -> bool, &mut Option<Lines>),
        actions: &mut Vec<Action>,
    ) -> (BTreeMap<RingNumber, Vec<Request>>, Vec<Note>) {
        let mut groups: BTreeMap<RingNumber, Vec<Request>> = BTreeMap::new();
        let mut notes = Vec::new();
        for client in self.clients.clone() {
            let word = memory.word(Word::Request(client));
            let number = crate::words::number(word);
            let taken = if self.repairs.has(RequestRepairs::KEPT) {
                self.sent.get(&client).is_some_and(|sent| sent.0 == number)
            } else {
                number_of(memory, Word::Taken(self.slot, client)) == number
            };
            if taken || self.answered(memory, client, number) {
                continue;
            }
            let target = RingNumber((memory.word(Word::Target(client)) & 0xffff) as u16);
            let Ok(head) = Head::of(word) else {
                self.reply(client, Status::NoRequest.word(number), &[], actions);
                continue;
            };
            if !knows(target) {
                self.reply(client, Status::NoRing.word(number), &[], actions);
                continue;
            }
            let address = ByteAddress(memory.word(Word::Address(client)));
            if let Some(lines) = lines.as_mut().filter(|_| head.operation == Operation::Get) {
                let (call, of) = ((client, number), (target, address, head.length));
                let (read, wanted) = lines.read(memory, call, of, actions);
                notes.extend(wanted);
                match read {
                    Read::Values(values) => {
                        self.reply(client, Status::Good.word(number), &values, actions);
                        continue;
                    }
                    Read::Waits => continue,
                    Read::Goes => {}
                }
            }
            let open = self.sent.values().filter(|sent| sent.1 == target).count();
            if self.repairs.has(RequestRepairs::CREDIT) && open >= self.credits {
                continue;
            }
            if !self.repairs.has(RequestRepairs::KEPT) {
                let taken = (Word::Taken(self.slot, client), u32::from(number) << 16);
                actions.push(Action::Store(vec![taken], Order::After));
            }
            let data = match head.operation {
                Operation::Get => 0..0,
                Operation::Put => 0..head.length,
            };
            self.sent.insert(client, (number, target));
            groups.entry(target).or_default().push(Request {
                from: Requester { ring: self.ring, client },
                number,
                target,
                operation: head.operation,
                address,
                length: head.length,
                data: data.map(|at| memory.word(Word::Data(client, at))).collect(),
            });
        }
        (groups, notes)
    }

    /// Stores values and the reply (steps 8 and 9).
    fn reply(&mut self, client: NodeId, reply: u32, values: &[u32], actions: &mut Vec<Action>) {
        self.sent.remove(&client);
        if !values.is_empty() {
            let value = |(value, at): (&u32, u16)| (Word::Value(self.slot, client, at), *value);
            let frame: Frame = values.iter().zip(0..).map(value).collect();
            let order = if self.repairs.has(RequestRepairs::ONE_WAY) {
                Order::After
            } else {
                Order::Beside
            };
            actions.push(Action::Store(frame, order));
        }
        actions.push(Action::Store(vec![(Word::Reply(self.slot, client), reply)], Order::After));
    }

    pub(crate) fn answer(
        &mut self,
        answer: &Answer,
        memory: &impl Memory,
        actions: &mut Vec<Action>,
    ) {
        let client = answer.to.client;
        if answer.to.ring != self.ring || !self.clients.contains(&client) {
            return;
        }
        let number = number_of(memory, Word::Request(client));
        let other = answer.number != number && self.repairs.has(RequestRepairs::ANSWER_NUMBER);
        if other || self.answered(memory, client, number) {
            return;
        }
        self.reply(client, answer.status.word(number), &answer.values, actions);
    }

    /// What was sent to these rings may be lost.
    pub(crate) fn again(&mut self, rings: &BTreeSet<RingNumber>) {
        if self.repairs.has(RequestRepairs::AGAIN) {
            self.sent.retain(|_, sent| !rings.contains(&sent.1));
        }
    }

    /// The timer runs.
    pub(crate) fn waits(&self) -> bool {
        !self.sent.is_empty()
    }

    pub(crate) fn summary(&self) -> String {
        let sent: Vec<String> =
            self.sent.iter().map(|(client, sent)| format!("{client}#{}", sent.0)).collect();
        format!("sent [{}]", sent.join(" "))
    }
}
