// SPDX-License-Identifier: MIT OR Apache-2.0
//! Single nodes: errors of programs, messages that no node sends, pages of real sizes, the tables of the page.

use crate::document;
use awgstar_coherence::fdsm::{self, FdsmRepairs, Phase};
use awgstar_coherence::memory::{Memory, Pages, Run, Shape, ShapeError};
use awgstar_coherence::scash::{self, Homes, News, Page, ScashRepairs, Settings};
use awgstar_coherence::spans::Spans;
use awgstar_coherence::{Action, Coherence, Event, Misuse, Protection, Refused, Site};
use awgstar_frame::quantity::NodeId;
use std::collections::BTreeSet;

const ZERO: NodeId = NodeId(0);
const ONE: NodeId = NodeId(1);
const SITE: Site = Site { place: 7, semi: false };

fn shape() -> Shape {
    Shape::new(2, 8, 4096).unwrap()
}

fn scash(me: NodeId, homes: Homes) -> scash::Node {
    let repairs = ScashRepairs::ALL;
    scash::Node::new(me, shape(), Settings { homes, repairs, acknowledged: false })
}

fn fdsm(me: NodeId) -> fdsm::Node {
    fdsm::Node::new(me, shape(), FdsmRepairs::ALL)
}

fn step<C: Coherence>(
    node: &mut C,
    memory: &mut Pages,
    event: Event<C::Message>,
) -> Vec<Action<C::Message>> {
    let mut actions = Vec::new();
    node.step(event, memory, &mut actions).unwrap();
    actions
}

fn refused<C: Coherence>(node: &C, event: Event<C::Message>) -> Refused {
    let (mut tried, mut memory, mut actions) = (node.clone(), Pages::new(shape()), Vec::new());
    let error = tried.step(event, &mut memory, &mut actions).unwrap_err();
    assert_eq!((&tried, &actions), (node, &Vec::new()), "nothing has happened");
    error
}

fn misuse<C: Coherence>(mut node: C, closed: usize) {
    let beyond = Event::Fault { page: 8, write: false };
    assert_eq!(refused(&node, beyond), Refused::Page { found: 8, pages: 8 });
    assert_eq!(refused(&node, Event::Release(4)), Misuse::NotHeld(4).into());
    let mut memory = Pages::new(shape());
    let done = step(&mut node, &mut memory, Event::Fault { page: closed, write: true });
    assert_eq!(done, [Action::Protect(closed, Protection::Write), Action::Done]);
    let again = refused(&node, Event::Fault { page: closed, write: false });
    assert_eq!(again, Misuse::Open(closed).into());
    // Lock 4 is managed by node 0 itself.
    assert_eq!(step(&mut node, &mut memory, Event::Acquire(4)), [Action::Done]);
    assert_eq!(refused(&node, Event::Acquire(4)), Misuse::Twice(4).into());
    assert!(!step(&mut node, &mut memory, Event::Barrier(SITE)).contains(&Action::Done));
    for call in [Event::Barrier(SITE), Event::Acquire(1), Event::Release(4)] {
        assert_eq!(refused(&node, call), Misuse::Nested.into());
    }
}

#[test]
fn errors_of_the_program_are_named_and_do_nothing() {
    misuse(scash(ZERO, Homes::Blocks), 1);
    misuse(fdsm(ZERO), 1);
}

#[test]
fn messages_that_no_node_sends_are_refused() {
    use scash::Message;
    let node = scash(ZERO, Homes::Blocks);
    let got = |from: u8, message| refused(&node, Event::Message(NodeId(from), message));
    let node_2 = Refused::Node { found: NodeId(2), nodes: 2 };
    assert_eq!(got(2, Message::Request { lock: 0 }), node_2);
    assert_eq!(got(1, Message::Homed { page: 1, home: NodeId(2) }), node_2);
    let page_8 = Refused::Page { found: 8, pages: 8 };
    assert_eq!(got(1, Message::Fetch { page: 8, need: News::default() }), page_8);
    let mut diff = awgstar_coherence::memory::Diff::default();
    diff.runs.push(Run { at: 4095, bytes: vec![1, 2] });
    let bytes = Refused::Bytes { page: 1, size: 4096 };
    assert_eq!(got(1, Message::Diff { page: 1, number: 1, diff }), bytes);
    let unexpected = Refused::Unexpected(ONE);
    let news = News::default();
    assert_eq!(got(1, Message::Page { page: 1, bytes: vec![0; 4096] }), unexpected);
    assert_eq!(got(1, Message::Grant { lock: 0, news: news.clone() }), unexpected);
    assert_eq!(got(1, Message::Unlock { lock: 0, news: news.clone() }), unexpected);
    assert_eq!(got(1, Message::Arrive { epoch: 1, news: news.clone() }), unexpected);
    assert_eq!(got(1, Message::Leave { epoch: 0, news }), unexpected);
}

#[test]
fn messages_that_no_node_of_fdsm_sends_are_refused() {
    use fdsm::{Message as Fdsm, Piece};
    let (node_2, page_8) =
        (Refused::Node { found: NodeId(2), nodes: 2 }, Refused::Page { found: 8, pages: 8 });
    let (bytes, unexpected) = (Refused::Bytes { page: 1, size: 4096 }, Refused::Unexpected(ONE));
    let mut diff = awgstar_coherence::memory::Diff::default();
    diff.runs.push(Run { at: 4095, bytes: vec![1, 2] });
    let node = fdsm(ZERO);
    let got = |from: u8, message| refused(&node, Event::Message(NodeId(from), message));
    assert_eq!(got(2, Fdsm::Request { lock: 0 }), node_2);
    let beyond = Spans::from(8 * 4096..8 * 4096 + 1);
    assert_eq!(got(1, Fdsm::Get { epoch: 0, page: 1, wanted: beyond }), page_8);
    let pieces = vec![Piece { page: 1, diff: diff.clone() }];
    assert_eq!(got(1, Fdsm::Push { epoch: 0, pieces }), bytes);
    diff.runs[0].at = 0;
    let piece = Piece { page: 1, diff };
    assert_eq!(got(1, Fdsm::Data { epoch: 0, piece }), unexpected);
    let counts = fdsm::Counts::default();
    assert_eq!(got(1, Fdsm::Grant { lock: 0, counts: counts.clone() }), unexpected);
    assert_eq!(got(1, Fdsm::Unlock { lock: 0, counts }), unexpected);
}

#[test]
fn sizes_that_no_system_has_are_refused() {
    assert_eq!(Shape::new(0, 1, 1), Err(ShapeError::Nodes(0)));
    assert_eq!(Shape::new(257, 1, 1), Err(ShapeError::Nodes(257)));
    assert_eq!(Shape::new(1, 0, 1), Err(ShapeError::Pages(0)));
    assert_eq!(Shape::new(1, 1, 0), Err(ShapeError::PageSize(0)));
    assert_eq!(Shape::new(1, 1, 65537), Err(ShapeError::PageSize(65537)));
    assert!(Shape::new(256, 1 << 36, 1 << 16).is_ok());
}

#[test]
fn homes_by_their_rules() {
    let homes = |rule| (0..8).map(|page| scash(ZERO, rule).home(page)).collect::<Vec<_>>();
    let named = |homes: [u8; 8]| homes.map(|home| Some(NodeId(home))).to_vec();
    assert_eq!(homes(Homes::Blocks), named([0, 0, 0, 0, 1, 1, 1, 1]));
    assert_eq!(homes(Homes::RoundRobin), named([0, 1, 0, 1, 0, 1, 0, 1]));
    assert_eq!(homes(Homes::FirstTouch), vec![None; 8]);
}

/// Nodes 1 and 2 ask node 0 for a lock that it holds: node 1 gets it first.
#[test]
fn a_lock_goes_to_the_node_that_asked_first() {
    let shape = Shape::new(3, 2, 2).unwrap();
    let settings =
        Settings { homes: Homes::RoundRobin, repairs: ScashRepairs::ALL, acknowledged: false };
    let (mut node, mut memory) = (scash::Node::new(ZERO, shape, settings), Pages::new(shape));
    step(&mut node, &mut memory, Event::Acquire(0));
    for from in [ONE, NodeId(2)] {
        let asks = Event::Message(from, scash::Message::Request { lock: 0 });
        assert_eq!(step(&mut node, &mut memory, asks), []);
    }
    let grant = scash::Message::Grant { lock: 0, news: News::default() };
    let given = step(&mut node, &mut memory, Event::Release(0));
    assert_eq!(given, [Action::Done, Action::Send(ONE, grant.clone())]);
    let unlock = scash::Message::Unlock { lock: 0, news: News::default() };
    let given = step(&mut node, &mut memory, Event::Message(ONE, unlock));
    assert_eq!(given, [Action::Send(NodeId(2), grant)]);
}

/// A page of 4 KiB at another home: three runs of bytes go there, with the numbers of bytes of a message.
#[test]
fn a_diff_has_the_bytes_that_were_changed() {
    let (mut node, mut memory) = (scash(ZERO, Homes::Blocks), Pages::new(shape()));
    assert_eq!(step(&mut node, &mut memory, Event::Acquire(0)), [Action::Done]);
    step(&mut node, &mut memory, Event::Fault { page: 5, write: true });
    for (at, value) in [(0, 1), (1, 2), (3, 4), (4095, 3)] {
        memory.page_mut(5)[at] = value;
    }
    let actions = step(&mut node, &mut memory, Event::Release(0));
    let [Action::Protect(5, Protection::Read), Action::Send(ONE, message), Action::Done] =
        actions.as_slice()
    else {
        panic!("{actions:?}")
    };
    let scash::Message::Diff { page: 5, number: 1, diff } = message else { panic!("{message}") };
    let run = |at, bytes: &[u8]| Run { at, bytes: bytes.to_vec() };
    let runs = [run(0, &[1, 2]), run(3, &[4]), run(4095, &[3])];
    assert_eq!(diff.runs, runs);
    // A header, the number, three heads of runs, four bytes.
    assert_eq!(scash::Node::size(message), 16 + 4 + 24 + 4);
    // Nothing was written since: nothing is sent.
    step(&mut node, &mut memory, Event::Acquire(0));
    assert_eq!(step(&mut node, &mut memory, Event::Release(0)), [Action::Done]);
}

/// The home serves what its process has published, not what it writes meanwhile.
#[test]
fn a_home_serves_published_bytes() {
    let (mut node, mut memory) = (scash(ZERO, Homes::Blocks), Pages::new(shape()));
    step(&mut node, &mut memory, Event::Fault { page: 0, write: true });
    memory.page_mut(0)[9] = 1;
    let fetch = scash::Message::Fetch { page: 0, need: News::default() };
    let bytes = vec![0; 4096];
    let page = Action::Send(ONE, scash::Message::Page { page: 0, bytes });
    assert_eq!(step(&mut node, &mut memory, Event::Message(ONE, fetch)), [page]);
}

/// A fetch that needs two diffs waits for both, and for those of its page.
#[test]
fn a_fetch_waits_for_all_its_diffs() {
    let (mut node, mut memory) = (scash(ZERO, Homes::Blocks), Pages::new(shape()));
    let mut need = News::default();
    need.note(0, ONE, 2);
    let mut got = |message| step(&mut node, &mut memory, Event::Message(ONE, message));
    assert_eq!(got(scash::Message::Fetch { page: 0, need }), []);
    let diff = |page, number, value| {
        let mut diff = awgstar_coherence::memory::Diff::default();
        diff.runs.push(Run { at: 4095, bytes: vec![value] });
        scash::Message::Diff { page, number, diff }
    };
    for early in [diff(0, 1, 1), diff(1, 1, 1), diff(1, 2, 2)] {
        assert_eq!(got(early), []);
    }
    let mut bytes = vec![0; 4096];
    bytes[4095] = 2;
    let page = Action::Send(ONE, scash::Message::Page { page: 0, bytes });
    assert_eq!(got(diff(0, 2, 2)), [page]);
}

/// A node alone: a barrier takes no message, and a block that was executed before has its pages open.
#[test]
fn a_known_block_begins_with_its_pages_open() {
    let shape = Shape::new(1, 8, 4096).unwrap();
    let (mut node, mut memory) =
        (fdsm::Node::new(ZERO, shape, FdsmRepairs::ALL), Pages::new(shape));
    let fault = |page, write| Event::Fault { page, write };
    for _ in 0..2 {
        assert_eq!(step(&mut node, &mut memory, Event::Barrier(SITE)), [Action::Done]);
    }
    step(&mut node, &mut memory, fault(1, false));
    step(&mut node, &mut memory, fault(2, true));
    memory.page_mut(2)[5] = 1;
    let open = |page, protection| Action::Protect(page, protection);
    let again = step(&mut node, &mut memory, Event::Barrier(SITE));
    assert_eq!(again, [Action::Done], "both pages stay open");
    let other = Site { place: 8, semi: false };
    let closed = step(&mut node, &mut memory, Event::Barrier(other));
    assert_eq!(closed, [open(1, Protection::None), open(2, Protection::None), Action::Done]);
    step(&mut node, &mut memory, Event::Barrier(SITE));
    let begins = step(&mut node, &mut memory, Event::Barrier(SITE));
    assert_eq!(begins, [open(1, Protection::Read), open(2, Protection::Write), Action::Done]);
    let beyond = step(&mut node, &mut memory, fault(3, false));
    assert_eq!(beyond, [Action::Beyond(3), open(3, Protection::Read), Action::Done]);
    memory.page_mut(2)[6] = 1;
    let learned = step(&mut node, &mut memory, Event::Barrier(SITE));
    assert_eq!(learned, [Action::Beyond(2), Action::Done]);
    assert_eq!(node.epoch(), 7);
}

/// What a message is counted with is what it has.
#[test]
fn sizes_of_messages_of_fdsm() {
    use fdsm::{Counts, Message, Piece, Report};
    let mut counts = Counts::default();
    counts.count(ONE);
    let mut diff = awgstar_coherence::memory::Diff::default();
    diff.runs.push(Run { at: 0, bytes: vec![1; 100] });
    let piece = Piece { page: 1, diff };
    let writes: Spans = [0..100, 200..201].into_iter().collect();
    let report = Report { pages: BTreeSet::from([1, 2]), writes: writes.clone() };
    for (message, size) in [
        (Message::Request { lock: 0 }, 16),
        (Message::Grant { lock: 0, counts: counts.clone() }, 24),
        (Message::Push { epoch: 0, pieces: vec![piece.clone(); 2] }, 16 + 2 * 116),
        (Message::Data { epoch: 0, piece: piece.clone() }, 132),
        (Message::Record { epoch: 0, counts, pieces: vec![piece] }, 140),
        (Message::Get { epoch: 0, page: 0, wanted: writes }, 48),
        (Message::Arrive { epoch: 0, site: SITE, report, records: 0 }, 16 + 16 + 16 + 32),
    ] {
        assert_eq!(fdsm::Node::size(&message), size, "{message}");
    }
}

#[test]
fn the_page_has_the_tables_of_the_code() {
    for (name, table) in [("scash", Page::TABLE), ("fdsm", Phase::TABLE)] {
        let text = format!("{}\n```mermaid\n{}```\n", table.markdown(), table.mermaid());
        document::section("coherence.md", &format!("states {name}"), &text);
    }
}
