// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases of a node whose lengths follow from its parameters: each buffer becomes empty and full, and
//! each pointer runs past its end.

use crate::case::Case;
use crate::node::directed::Named;
use crate::node::{LinkEvent, LinkFrame, NodeSend, NodeStimulus};
use awgstar::quantity::{Cycle, narrow};
use awgstar::{
    contract::{
        Token,
        limits::{DATA_MAX, DATA_MIN},
    },
    ring::RESET_CYCLES,
    rtl::Parameters,
};

const OWN: u8 = 2;
/// Idle words after a frame in which everything that waits can leave.
const PAUSE: u16 = 60;
/// Words of a frame beyond those of its Data, and the idle word after it.
const OVERHEAD: usize = 6;
/// A buffer larger than this is not filled: it takes more than 100,000 cycles.
const LARGE: usize = 1 << 12;

fn frame(token: Token, len: usize) -> LinkFrame {
    let len = narrow::<u16>(len);
    LinkFrame { source: 5, token: token.code(), node_id: OWN, len, ..LinkFrame::default() }
}

/// `count` frames of `len` bytes with one idle word between them, then a pause.
fn train(token: Token, len: usize, count: usize) -> Vec<LinkEvent> {
    let one = |i: usize| LinkFrame { salt: i.to_le_bytes()[0], ..frame(token, len) };
    let mut all: Vec<_> = (0..count).map(|i| LinkEvent { gap: 1, frame: one(i) }).collect();
    all.push(LinkEvent { gap: PAUSE, frame: frame(Token::P2p, DATA_MIN) });
    all
}

fn node(link: Vec<LinkEvent>, sends: Vec<NodeSend>) -> NodeStimulus {
    let words =
        |e: &LinkEvent| usize::from(e.gap) + usize::from(e.frame.len).max(DATA_MIN) / 4 + OVERHEAD;
    let cycles = link.iter().map(words).sum::<usize>() as u64 + RESET_CYCLES.0 + 200;
    NodeStimulus {
        node_id: OWN,
        cycles: Cycle(cycles),
        link,
        sends,
        ready: [8, 8],
        ..NodeStimulus::default()
    }
}

/// Own frames that just fit the insertion buffer, or just do not, while frames pass without a
/// break. The larger the buffer, the more of them are needed to fill it: each waits until the
/// previous contents of the buffer have left.
fn insertion_buffer(depth: usize, signal: bool, spare: usize) -> NodeStimulus {
    let words = (depth - 4 - spare).min(260 - spare);
    let len = narrow::<u16>(4 * words - 18);
    let count = if depth > 1 << 9 { depth / 262 + 2 } else { 2 };
    let send = |i: usize| NodeSend {
        cycle: Cycle(40 + i as u64),
        signal: signal ^ (i % 3 == 2),
        token: Token::Broadcast.code(),
        len,
        ..NodeSend::default()
    };
    let frames = (0..count).map(|i| 262 * i + 600).sum::<usize>() / 262 + 4;
    let mut link = train(Token::Broadcast, DATA_MAX, frames);
    // The first word comes about when the first frame goes: before, in and after its cycle.
    link[0].gap = 24 + 2 * narrow::<u16>(spare) + u16::from(signal);
    NodeStimulus {
        issues: (20..30).map(Cycle).collect(),
        ..node(link, (0..count).map(send).collect())
    }
}

/// More data than a run, with many tokens in hand, and signals between.
fn token_runs() -> NodeStimulus {
    let send = |i: u64| NodeSend {
        cycle: Cycle(100 + i),
        signal: i % 9 == 8,
        token: Token::Broadcast.code(),
        len: 40,
        ..NodeSend::default()
    };
    let link = (0..12).map(|_| LinkEvent { gap: 70, frame: frame(Token::Free, 0) }).collect();
    NodeStimulus {
        issues: (10..80).map(Cycle).collect(),
        cycles: Cycle(2200),
        ..node(link, (0..50).map(send).collect())
    }
}

/// Frames for this node, as many as fill its receive buffer twice, read at these rates.
fn received(len: usize, count: usize, ready: [u8; 2]) -> NodeStimulus {
    NodeStimulus { ready, ..node(train(Token::Broadcast, len, count), vec![]) }
}

/// All of them.
#[must_use]
pub fn cases(parameters: &Parameters) -> Vec<Named> {
    let depth = 1usize << parameters.buffer_addr_w();
    let beats = 1usize << parameters.rx_addr_w();
    let headers = 1usize << parameters.rx_header_addr_w();
    let mut all = Vec::new();
    let mut add = |name: String, about: &[&'static str], stimulus: NodeStimulus| {
        let case = Case::alone(stimulus);
        all.push(Named { name, requirements: about.to_vec(), case });
    };
    if depth <= LARGE {
        for spare in 0..8 {
            for (port, signal) in [("signal", true), ("data", false)] {
                let name = format!("insertion_buffer_{port}_{spare}");
                let about = ["NODE-8", "NODE-9", "NODE-11"];
                add(name, &about, insertion_buffer(depth, signal, spare));
            }
        }
    }
    let lap = train(Token::Broadcast, DATA_MAX, 2 * depth / 262 + 2);
    add("insertion_buffer_lap".into(), &["NODE-1", "NODE-2"], node(lap, vec![]));
    add("token_runs".into(), &["NODE-12", "NODE-13"], token_runs());

    let lost = ["NODE-17", "NODE-20"];
    let len = (4 * beats).clamp(DATA_MIN, DATA_MAX);
    for len in [len, len / 2 + 1, len.min(61)] {
        let count = 2 * beats / len.max(DATA_MIN).div_ceil(4) + 3;
        for (name, ready) in [("not_read", [0, 0]), ("slowly", [8, 2]), ("at_once", [8, 8])] {
            // A frame that finds no room is dropped: the slower, the more frames a lap takes.
            let count = if name == "slowly" { 4 * count } else { count };
            add(format!("beats_{name}_{len}"), &lost, received(len, count, ready));
        }
    }
    if headers <= LARGE {
        for (name, ready) in [("not_read", [0, 8]), ("slowly", [1, 8]), ("at_once", [8, 8])] {
            add(format!("headers_{name}"), &lost, received(0, 2 * headers + 3, ready));
        }
    }
    all
}
