// SPDX-License-Identifier: MIT OR Apache-2.0
//! Single machines, what they refuse, and the tables of the page.

mod words;

use crate::document;
use awgstar_frame::quantity::{ByteAddress, NodeId};
use awgstar_rings::client::{Call, Caller, Client, Refused};
use awgstar_rings::gateway::{Duty, Event, Gateway, Place};
use awgstar_rings::lock::{LockGateway, Queue, Step};
use awgstar_rings::repairs::{LockRepairs, ReflectRepairs, Repairs, RequestRepairs};
use awgstar_rings::standby::{Near, Out, Reflected, Reflecting, Reflector};
use awgstar_rings::{
    Action, Answer, Codes, Homing, LayoutError, Memory, Message, Neighbours, Operation, Order,
    Request, Requester, RingNumber, Slot, Status, Window, Word,
};
use std::collections::BTreeMap;

const OWN: RingNumber = RingNumber(0);
const FAR: RingNumber = RingNumber(1);
const ME: NodeId = NodeId(0);

/// A memory of some words.
#[derive(Default)]
struct Words(BTreeMap<Word, u32>, u32);

impl Memory for Words {
    fn word(&self, word: Word) -> u32 {
        self.0.get(&word).copied().unwrap_or(0)
    }

    fn stored(&self, _by: Slot) -> u32 {
        self.1
    }
}

impl Words {
    fn take(&mut self, actions: &[Action]) {
        for action in actions {
            if let Action::Store(frame, _) = action {
                self.1 += u32::try_from(frame.len()).unwrap();
                self.0.extend(frame.iter().copied());
            }
        }
    }
}

fn gateway() -> Gateway {
    gateway_of(Neighbours { peers: vec![FAR], ..Neighbours::default() })
}

fn gateway_of(neighbours: Neighbours) -> Gateway {
    Gateway::new(place_of(neighbours), Repairs::ALL)
}

fn place_of(neighbours: Neighbours) -> Place {
    Place {
        cache: None,
        ring: OWN,
        slot: Slot(0),
        gateways: 1,
        clients: vec![ME],
        members: vec![ME],
        end: ByteAddress(32),
        routes: BTreeMap::from([(FAR, FAR)]),
        neighbours,
        far: vec![Requester { ring: FAR, client: ME }],
        credits: 1,
        windows: Vec::new(),
        locks: 0,
    }
}

fn step(gateway: &mut Gateway, memory: &mut Words, event: Event) -> Vec<Action> {
    let mut actions = Vec::new();
    gateway.step(event, memory, &mut actions);
    memory.take(&actions);
    actions
}

fn sent(actions: &[Action]) -> Vec<&Message> {
    let mut messages = Vec::new();
    for action in actions {
        if let Action::Send(_, message) = action {
            messages.push(message);
        }
    }
    messages
}

fn client() -> Client {
    Client::new(ME, 1, RequestRepairs::ALL)
}

/// What a client may not do has an error, and nothing happens.
#[test]
fn misuse_of_a_client() {
    let refused = |client: &Client, call: &Call| {
        let (mut tried, mut actions) = (client.clone(), Vec::new());
        let error = tried.call(call, &mut actions).unwrap_err();
        assert_eq!((&tried, actions), (client, Vec::new()), "nothing has happened");
        error
    };
    let get = |at, length| Call::Get(FAR, ByteAddress(at), length);
    let mut one = client();
    assert_eq!(refused(&one, &get(6, 1)), Refused::Address(ByteAddress(6)));
    assert_eq!(refused(&one, &get(4, 0)), Codes::Length(0).into());
    let put = |words| Call::Put(FAR, ByteAddress(4), vec![0; words]);
    assert_eq!(refused(&one, &put(0x1000)), Codes::Length(0x1000).into());
    assert_eq!(refused(&one, &put(0x1_0000)), Codes::Length(u16::MAX).into());
    one.call(&get(4, 1), &mut Vec::new()).unwrap();
    for call in [get(4, 1), Call::Meet] {
        assert_eq!(refused(&one, &call), Refused::Nested);
    }
    let texts = [
        (
            Refused::Nested.to_string(),
            "client: it calls while it waits; expected one call at a time",
        ),
        (Refused::Address(ByteAddress(6)).to_string(), "address 6: expected a multiple of 4"),
        (Codes::Operation(3).to_string(), "operation: 3; expected 1 or 2"),
        (
            LayoutError::Block { found: 2, block: 2 }.to_string(),
            "word of a request: 2; expected 0 to 1",
        ),
    ];
    for (text, expected) in texts {
        assert_eq!(text, expected);
    }
}

/// The words of a request, its number last, and the reply of each status.
#[test]
fn a_client_asks() {
    let (mut one, mut memory, mut actions) = (client(), Words::default(), Vec::new());
    one.call(&Call::Put(FAR, ByteAddress(4), vec![7, 8]), &mut actions).unwrap();
    let words = vec![
        (Word::Target(ME), 1),
        (Word::Address(ME), 4),
        (Word::Data(ME, 0), 7),
        (Word::Data(ME, 1), 8),
    ];
    let request = vec![(Word::Request(ME), 0x0001_2002)];
    assert_eq!(actions, [Action::Store(words, Order::After), Action::Store(request, Order::After)]);
    let mut poll = |one: &mut Client, word, value| {
        memory.0.insert(word, value);
        let mut actions = Vec::new();
        one.poll(&memory, &mut actions);
        actions
    };
    let reply = Word::Reply(Slot(0), ME);
    assert_eq!(poll(&mut one, reply, 0), [], "of no request");
    assert_eq!(poll(&mut one, reply, 0x0001_0900), [], "a status that means nothing");
    let refused = poll(&mut one, reply, 0x0001_0200);
    assert_eq!(refused, [Action::Done(Status::NoAddress, vec![])]);
    one.call(&Call::Get(FAR, ByteAddress(4), 2), &mut Vec::new()).unwrap();
    poll(&mut one, Word::Value(Slot(0), ME, 1), 9);
    assert_eq!(poll(&mut one, reply, 0x0002_0000), [Action::Done(Status::Good, vec![0, 9])]);
    one.call(&Call::Get(FAR, ByteAddress(4), 2), &mut Vec::new()).unwrap();
    let refused = poll(&mut one, reply, 0x0003_0100);
    assert_eq!(refused, [Action::Done(Status::NoRing, vec![])], "without values");
    one.call(&Call::Meet, &mut Vec::new()).unwrap();
    assert_eq!(poll(&mut one, Word::Release(Slot(0)), 0), []);
    assert_eq!(poll(&mut one, Word::Release(Slot(0)), 0x0001_0000), [Action::Passed]);
}

/// The number after 65,535 is 0 for a client, too.
#[test]
fn a_clients_numbers_wrap() {
    let (mut one, mut memory) = (client(), Words::default());
    for number in (1..=0x1_0001).map(|number| number & 0xffff) {
        let mut actions = Vec::new();
        one.call(&Call::Get(FAR, ByteAddress(4), 1), &mut actions).unwrap();
        memory.take(&actions);
        assert_eq!(memory.word(Word::Request(ME)), number << 16 | 0x1001);
        memory.0.insert(Word::Reply(Slot(0), ME), number << 16);
        actions.clear();
        one.poll(&memory, &mut actions);
        assert_eq!(actions, [Action::Done(Status::Good, vec![0])], "{number}");
    }
}

/// A request for a ring without a way, and words that are no request, are answered at once.
#[test]
fn near_errors() {
    for (request, target, status) in [
        (0x0001_1001, 5, 0x0001_0100),
        (0x0001_0001, 1, 0x0001_0300),
        (0x0001_f001, 1, 0x0001_0300),
    ] {
        let (mut gateway, mut memory) = (gateway(), Words::default());
        memory.0.insert(Word::Request(ME), request);
        memory.0.insert(Word::Target(ME), target);
        let actions = step(&mut gateway, &mut memory, Event::Poll);
        let reply = vec![(Word::Reply(Slot(0), ME), status)];
        assert_eq!(actions.first(), Some(&Action::Store(reply, Order::After)));
    }
}

fn request(number: u16, address: u32, data: &[u32]) -> Request {
    let operation = if data.is_empty() { Operation::Get } else { Operation::Put };
    Request {
        from: Requester { ring: FAR, client: ME },
        number,
        target: OWN,
        operation,
        address: ByteAddress(address),
        length: u16::try_from(data.len().max(1)).unwrap(),
        data: data.to_vec(),
    }
}

/// A gateway that carries out this request: what it answers.
fn serve(gateway: &mut Gateway, memory: &mut Words, request: Request) -> Option<Answer> {
    // The barrier says first where this ring is.
    step(gateway, memory, Event::Poll);
    step(gateway, memory, Event::Message(FAR, Message::Requests(vec![request])));
    let mut actions = step(gateway, memory, Event::Poll);
    if actions.contains(&Action::Flush) {
        actions = step(gateway, memory, Event::Flushed);
    }
    match sent(&actions)[..] {
        [Message::Answer(answer)] => Some(answer.clone()),
        _ => None,
    }
}

#[test]
fn home_answers() {
    let (mut gateway, mut memory) = (gateway(), Words::default());
    memory.0.insert(Word::Memory(ByteAddress(28)), 5);
    let status = |answer: Option<Answer>| answer.map(|answer| (answer.status, answer.values));
    let good = |values: &[u32]| Some((Status::Good, values.to_vec()));
    let get = request(1, 28, &[]);
    assert_eq!(status(serve(&mut gateway, &mut memory, get.clone())), good(&[5]));
    memory.0.insert(Word::Memory(ByteAddress(28)), 6);
    assert_eq!(status(serve(&mut gateway, &mut memory, get)), good(&[5]), "from the record");
    let none = Some((Status::NoAddress, vec![]));
    assert_eq!(status(serve(&mut gateway, &mut memory, request(2, 32, &[]))), none);
    assert_eq!(status(serve(&mut gateway, &mut memory, request(2, 32, &[]))), none);
    assert_eq!(status(serve(&mut gateway, &mut memory, request(3, 28, &[1, 2]))), none);
    assert_eq!(status(serve(&mut gateway, &mut memory, request(4, 2, &[1]))), none);
    assert_eq!(status(serve(&mut gateway, &mut memory, request(5, u32::MAX - 3, &[1]))), none);
    let short = Request { length: 1, ..request(6, 28, &[1, 2]) };
    let none = Some((Status::NoRequest, vec![]));
    assert_eq!(
        status(serve(&mut gateway, &mut memory, short)),
        none,
        "another length than its data"
    );
    assert_eq!(status(serve(&mut gateway, &mut memory, request(7, 24, &[1, 2]))), good(&[]));
    let words = [24, 28].map(|at| memory.word(Word::Memory(ByteAddress(at))));
    assert_eq!(words, [1, 2]);
    assert_eq!(serve(&mut gateway, &mut memory, request(5, 24, &[9])), None, "an old request");
    assert_eq!(memory.word(Word::Memory(ByteAddress(24))), 1);
}

/// The number after 65,535 is 0, for requests and for episodes.
#[test]
fn numbers_wrap() {
    let (mut gateway, mut memory) = (gateway(), Words::default());
    let from = Requester { ring: FAR, client: ME };
    memory.0.insert(Word::Done(Slot(0), from), 0xffff_0000);
    let answer = serve(&mut gateway, &mut memory, request(0, 0, &[3]));
    assert_eq!(answer.map(|answer| answer.number), Some(0));
    assert_eq!(memory.word(Word::Memory(ByteAddress(0))), 3);
    assert_eq!(serve(&mut gateway, &mut memory, request(0xffff, 0, &[4])), None, "an old one");
    // A gateway that begins in episode 65,535, which all have left.
    memory.0.insert(Word::Release(Slot(0)), 0xffff_0000);
    memory.0.insert(Word::Arrival(ME), 0);
    let mut gateway = self::gateway();
    step(&mut gateway, &mut memory, Event::Start);
    let actions = step(&mut gateway, &mut memory, Event::Poll);
    assert_eq!(sent(&actions), [&Message::Arrived(0)]);
    step(&mut gateway, &mut memory, Event::Message(FAR, Message::Arrived(0)));
    let actions = step(&mut gateway, &mut memory, Event::Poll);
    let release = vec![(Word::Release(Slot(0)), 0)];
    assert_eq!(actions, [Action::Store(release, Order::After)]);
}

/// A gateway below another one releases after a restart what that one says, and nothing before.
#[test]
fn numbers_wrap_below() {
    let neighbours = || Neighbours { above: Some(FAR), ..Neighbours::default() };
    let (mut gateway, mut memory) = (gateway_of(neighbours()), Words::default());
    memory.0.insert(Word::Release(Slot(0)), 0xffff_0000);
    step(&mut gateway, &mut memory, Event::Start);
    let actions = step(&mut gateway, &mut memory, Event::Poll);
    assert_eq!(actions, [Action::Send(FAR, Message::Arrived(0))]);
    step(&mut gateway, &mut memory, Event::Message(FAR, Message::Released(0)));
    let actions = step(&mut gateway, &mut memory, Event::Poll);
    assert_eq!(actions, [Action::Store(vec![(Word::Release(Slot(0)), 0)], Order::After)]);
}

/// The count of an intent is what the board has accepted when it has the intent, whatever else is stored in that turn.
#[test]
fn the_count_of_an_intent() {
    let (mut gateway, mut memory) = (gateway(), Words::default());
    step(&mut gateway, &mut memory, Event::Poll);
    let put = Message::Requests(vec![request(1, 0, &[3, 4])]);
    step(&mut gateway, &mut memory, Event::Message(FAR, put));
    // The barrier has a release to store now.
    step(&mut gateway, &mut memory, Event::Message(FAR, Message::Arrived(1)));
    memory.0.insert(Word::Arrival(ME), 0x0001_0000);
    let actions: Vec<Action> =
        (0..3).flat_map(|_| step(&mut gateway, &mut memory, Event::Poll)).collect();
    let at = Word::IntentAt(Slot(0), Requester { ring: FAR, client: ME });
    let mut accepted = Words::default();
    for action in &actions {
        accepted.take(std::slice::from_ref(action));
        if accepted.0.contains_key(&at) {
            break;
        }
    }
    assert_eq!(accepted.1, 6, "a release, and an intent of five words");
    assert_eq!(accepted.word(at), 6);
}

/// Requests are grouped by ring, one credit is one request, and an answer gives it back.
#[test]
fn credits_and_groups() {
    let clients: Vec<NodeId> = NodeId::all(3).collect();
    let mut memory = Words::default();
    for (client, target) in clients.iter().zip([1, 2, 1]) {
        memory.0.insert(Word::Request(*client), 0x0001_1001);
        memory.0.insert(Word::Target(*client), target);
    }
    let (second, other) = (RingNumber(2), RingNumber(3));
    let place = |credits| Place {
        cache: None,
        ring: OWN,
        slot: Slot(0),
        gateways: 1,
        clients: clients.clone(),
        members: vec![],
        end: ByteAddress(32),
        routes: BTreeMap::from([(FAR, FAR), (second, other)]),
        neighbours: Neighbours::default(),
        far: vec![],
        credits,
        windows: Vec::new(),
        locks: 0,
    };
    let groups = |actions: &[Action]| {
        let group = |action: &Action| match action {
            Action::Send(to, Message::Requests(all)) => {
                Some((*to, all.iter().map(|one| one.from.client).collect::<Vec<_>>()))
            }
            _ => None,
        };
        actions.iter().filter_map(group).collect::<Vec<_>>()
    };
    let mut many = Gateway::new(place(2), Repairs::ALL);
    let actions = step(&mut many, &mut memory, Event::Poll);
    let [first, middle, last] = clients[..] else { panic!("three clients") };
    assert_eq!(groups(&actions), [(FAR, vec![first, last]), (other, vec![middle])]);
    assert!(many.waits());
    let mut few = Gateway::new(place(1), Repairs::ALL);
    let actions = step(&mut few, &mut memory, Event::Poll);
    assert_eq!(groups(&actions), [(FAR, vec![first]), (other, vec![middle])]);
    assert_eq!(step(&mut few, &mut memory, Event::Poll), [], "no credit is left");
    let to = Requester { ring: OWN, client: first };
    let answer = Answer { to, number: 1, status: Status::Good, values: vec![4] };
    step(&mut few, &mut memory, Event::Message(FAR, Message::Answer(answer)));
    assert_eq!(memory.word(Word::Value(Slot(0), first, 0)), 4);
    let actions = step(&mut few, &mut memory, Event::Poll);
    assert_eq!(groups(&actions), [(FAR, vec![last])]);
}

/// Messages that no gateway sends, and those of rings that are no neighbours, change nothing.
#[test]
fn strange_messages() {
    let (mut gateway, mut memory) = (gateway(), Words::default());
    // A node that is no client has words of a request, too.
    memory.0.insert(Word::Request(NodeId(9)), 0x0001_1001);
    step(&mut gateway, &mut memory, Event::Poll);
    let before = gateway.clone();
    let to = |ring, client| Requester { ring, client };
    let answer = |to| Answer { to, number: 1, status: Status::Good, values: vec![] };
    let far = Request { target: RingNumber(7), ..request(1, 0, &[]) };
    for message in [
        Message::Answer(answer(to(OWN, NodeId(9)))),
        Message::Answer(answer(to(RingNumber(7), ME))),
        Message::Requests(vec![far]),
        Message::Released(1),
    ] {
        let actions = step(&mut gateway, &mut memory, Event::Message(FAR, message));
        assert_eq!((actions, &gateway), (vec![], &before));
    }
    let stranger = Event::Message(RingNumber(7), Message::Arrived(1));
    assert_eq!((step(&mut gateway, &mut memory, stranger), &gateway), (vec![], &before));
}

#[test]
fn lock_gateway() {
    let queue = |held, asked, wanted| Queue { held, asked, wanted };
    let mut gateway = LockGateway::new(LockRepairs::ALL);
    let (free, away) = (queue(true, false, false), queue(false, false, false));
    assert_eq!(gateway.step(free, away), None);
    assert_eq!(gateway.step(queue(true, false, true), away), Some(Step::AskUpper));
    assert_eq!(gateway.step(queue(true, false, true), queue(false, true, false)), None);
    // Fresh: one process of the own ring first.
    let (wanted, both) = (queue(true, false, true), queue(true, false, true));
    assert_eq!(gateway.step(wanted, both), Some(Step::GiveLower));
    assert_eq!(gateway.step(wanted, both), Some(Step::GiveUpper));
    assert_eq!(gateway.step(wanted, queue(true, false, false)), Some(Step::GiveLower));
    assert_eq!(gateway.step(away, both), Some(Step::AskLower));
    assert_eq!(gateway.step(queue(false, true, false), both), None);
    assert_eq!(gateway.step(away, queue(true, false, false)), None, "it stays");
}

/// A standby takes the stream in order, keeps what it has not seen there, and goes on with its number.
#[test]
fn standby() {
    let mut standby = Reflector::new(true, 1, 2, ReflectRepairs::ALL);
    let near = |number| Near { source: 0, number };
    (1..=4).for_each(|number| standby.near(near(number)));
    standby.near(Near { source: 9, number: 1 });
    let frame = |number| Reflected { stream: 0, number, near: near(number) };
    assert!(!standby.passes(frame(2)), "the one before is missing");
    assert!((1..=3).all(|number| standby.passes(frame(number))));
    assert!(standby.passes(frame(1)), "seen before");
    assert_eq!(standby.send(), None, "it is passive");
    assert_eq!(standby.other_dead(), Some(Out::Mark));
    assert_eq!(standby.other_dead(), None);
    assert_eq!(standby.state(), Reflecting::Marking);
    standby.mark_returned();
    assert!(standby.open().iter().eq(&[frame(2), frame(3)]), "a log of two");
    assert_eq!(standby.send(), None, "no more than the log has room for");
    standby.returned(frame(2));
    assert_eq!(standby.send(), Some(Out::Frame(frame(4))));
    assert_eq!(standby.send(), None);
}

/// The tables of states.
#[test]
fn states() {
    for (name, table) in [
        ("client", Caller::TABLE),
        ("home", Homing::TABLE),
        ("gateway", Duty::TABLE),
        ("reflecting", Reflecting::TABLE),
    ] {
        let text = format!("{}\n```mermaid\n{}```\n", table.markdown(), table.mermaid());
        document::section("ring-of-rings.md", &format!("states {name}"), &text);
    }
}

/// The mark of a window is odd while it is whole: not before all of it has come, and not after its words may be lost, at
/// either end.
#[test]
fn a_window_that_may_have_lost_words_is_not_whole() {
    let at = ByteAddress(16);
    let third = RingNumber(FAR.0 + 1);
    let window = |ring, first, whole| {
        let to = [OWN, FAR, third].into_iter().filter(|to| *to != ring).collect();
        Window { ring, first: ByteAddress(first), bytes: 4, to, whole }
    };
    let windows = vec![window(FAR, 0, Some(at)), window(third, 4, None), window(OWN, 8, Some(at))];
    let place =
        Place { windows, ..place_of(Neighbours { peers: vec![FAR], ..Neighbours::default() }) };
    let (mut gateway, mut memory) = (Gateway::new(place, Repairs::ALL), Words::default());
    let marks = |actions: &[Action]| -> Vec<u32> {
        let stored = actions.iter().filter_map(|one| match one {
            Action::Store(frame, _) => Some(frame.clone()),
            _ => None,
        });
        stored.flatten().filter(|one| one.0 == Word::Memory(at)).map(|one| one.1).collect()
    };
    let whole = |ring| Event::Message(ring, Message::Whole);
    for (event, expected, fills) in [
        (Event::Start, vec![], true),
        (whole(FAR), vec![1], false),
        (whole(FAR), vec![], false),
        (whole(third), vec![], false),
        (Event::Reset(third), vec![], true),
        (Event::Reset(FAR), vec![2], true),
        (Event::Reset(FAR), vec![], true),
        (whole(FAR), vec![3], false),
        (Event::Start, vec![4], true),
        (Event::Timer, vec![], false),
    ] {
        let actions = step(&mut gateway, &mut memory, event.clone());
        assert_eq!(marks(&actions), expected, "{event:?}");
        assert_eq!(actions.contains(&Action::Fill), fills, "{event:?}");
    }
    // While its own window is sent once more it speaks of no arrival.
    memory.0.insert(Word::Arrival(ME), 0x0001_0000);
    let arrived = |actions: &[Action]| sent(actions).contains(&&Message::Arrived(1));
    assert!(!arrived(&step(&mut gateway, &mut memory, Event::Poll)));
    let actions = step(&mut gateway, &mut memory, Event::Filled);
    assert_eq!(sent(&actions), [&Message::Whole]);
    assert!(arrived(&step(&mut gateway, &mut memory, Event::Poll)));
}

/// What a gateway answers to a request of the other ring with this number.
fn asked(
    gateway: &mut Gateway,
    memory: &mut Words,
    (number, operation, value): (u16, Operation, u32),
) -> Option<Answer> {
    let from = Requester { ring: FAR, client: ME };
    let put = operation == Operation::Put;
    let data = if put { vec![value] } else { Vec::new() };
    let address = ByteAddress(4);
    let request = Request { from, number, target: OWN, operation, address, length: 1, data };
    step(gateway, memory, Event::Message(FAR, Message::Requests(vec![request])));
    let mut done = Vec::new();
    for event in [Event::Poll, Event::Poll, Event::Flushed, Event::Poll] {
        done.extend(step(gateway, memory, event));
    }
    sent(&done).iter().find_map(|message| match message {
        Message::Answer(answer) => Some(answer.clone()),
        _ => None,
    })
}

/// A client that makes many requests to another ring calls again with a number far from the last one here. It waited
/// without end, because the number counted as an old one.
#[test]
fn numbers_of_requests_to_other_rings() {
    let (mut one, mut memory) = (gateway(), Words::default());
    let mut value = 0;
    for number in [1, 2, 32_768, 32_769, 3, 40_000, 39_744, 65_535, 0, 16_384] {
        value += 1;
        let put = asked(&mut one, &mut memory, (number, Operation::Put, value));
        assert_eq!(put.map(|one| (one.number, one.status)), Some((number, Status::Good)));
        assert_eq!(memory.word(Word::Memory(ByteAddress(4))), value, "{number}");
        // The same number once more is a request that is done.
        asked(&mut one, &mut memory, (number, Operation::Put, 99)).unwrap();
        assert_eq!(memory.word(Word::Memory(ByteAddress(4))), value, "{number}");
    }
}

/// A client that has made so many requests to another ring that its number would be an old one leaves numbers out.
#[test]
fn numbers_are_not_old_ones_after_requests_to_other_rings() {
    let mut one = client();
    let mut number = |ring: u16| {
        let mut actions = Vec::new();
        one.call(&Call::Get(RingNumber(ring), ByteAddress(4), 1), &mut actions).unwrap();
        let mut memory = Words::default();
        memory.take(&actions);
        let number = memory.word(Word::Request(ME)) >> 16;
        memory.0.insert(Word::Reply(Slot(0), ME), number << 16);
        one.poll(&memory, &mut Vec::new());
        number
    };
    for others in [65_279, 65_280, 65_534, 65_535, 65_536, 70_000] {
        let first = number(1);
        let rest = (0..others).map(|_| number(2)).last().unwrap();
        let next = number(1);
        let ahead = next.wrapping_sub(first) & 0xffff;
        assert!((1..=0xffff - 255).contains(&ahead), "{others}: {first}, {next}");
        assert_ne!(next, rest, "the reply to it is there");
    }
}

/// A gateway begins again a long time after the last put: the put is done, whatever its number looks like by then.
#[test]
fn a_put_of_long_ago_is_not_done_again() {
    for steps in [1_u16, 3, 97, 16_383, 20_000] {
        let (mut one, mut memory) = (gateway(), Words::default());
        asked(&mut one, &mut memory, (5, Operation::Put, 7)).unwrap();
        // A process of the ring writes there.
        memory.0.insert(Word::Memory(ByteAddress(4)), 8);
        let mut number = 5_u16;
        for _ in 0..140_000 / u32::from(steps) {
            number = number.wrapping_add(steps);
            let got = asked(&mut one, &mut memory, (number, Operation::Get, 0)).unwrap();
            assert_eq!(got.values, [8]);
            let (mut again, mut actions) = (gateway(), Vec::new());
            again.step(Event::Start, &memory, &mut actions);
            let stores = actions.iter().any(|one| matches!(one, Action::Store(..)));
            assert!(!stores, "steps of {steps}, number {number}: {actions:?}");
        }
    }
}
