// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases that random ones rarely reach: each buffer full, the longest frame, the end of the token
//! count, the state after a reset, and the functions of a monitor. Each is here because a mutant
//! survived, or would survive, without it.

use crate::case::Case;
use crate::machine::Player as _;
use crate::node::player::Player;
use crate::node::{Defect, LinkEvent, LinkFrame, NodeSend, NodeStimulus};
use awgstar::contract::{Token, node};
use awgstar::quantity::Cycle;
use awgstar::ring::RESET_CYCLES;
use awgstar::rtl::RingNode;
use awgstar::rtl::ring_node::Inputs;

const OWN: u8 = 2;
const OTHER: u8 = 5;

fn frame(token: Token, len: u16) -> LinkFrame {
    LinkFrame { source: OTHER, token: token.code(), node_id: OWN, len, ..LinkFrame::default() }
}

fn after(gap: u16, frame: LinkFrame) -> LinkEvent {
    LinkEvent { gap, frame }
}

fn node(cycles: u64, link: Vec<LinkEvent>, sends: Vec<NodeSend>) -> NodeStimulus {
    NodeStimulus {
        node_id: OWN,
        cycles: Cycle(cycles),
        link,
        sends,
        ready: [8, 8],
        ..NodeStimulus::default()
    }
}

fn send(cycle: u64, signal: bool, len: u16) -> NodeSend {
    let token = Token::Broadcast.code();
    NodeSend { cycle: Cycle(cycle), signal, token, len, ..NodeSend::default() }
}

/// Frames one after another while the node sends one of 1,024 bytes and then one that just fits
/// what is left of the insertion buffer, or just not.
fn full(signal: bool, len: u16) -> NodeStimulus {
    let long = || after(1, frame(Token::Broadcast, 1024));
    let free = || after(1, frame(Token::Free, 0));
    let link = vec![long(), long(), free(), long(), free(), long(), long()];
    let sends = vec![send(20, true, 1024), send(21, signal, len), send(22, !signal, 46)];
    NodeStimulus { issues: vec![Cycle(30), Cycle(31)], ..node(1250, link, sends) }
}

/// Free tokens that come while data waits but has no room: they must pass.
fn free_without_room() -> NodeStimulus {
    let long = || after(1, frame(Token::Broadcast, 1024));
    let free = || after(1, frame(Token::Free, 0));
    // The second long frame fills the buffer while the node sends its own.
    let link = vec![long(), long(), free(), free(), long(), free()];
    node(1250, link, vec![send(20, true, 1024), send(21, false, 1024)])
}

/// More frames than the receive buffer holds, of Data or of headers, read slowly or not at all.
fn overflow(len: u16, count: usize, ready: [u8; 2]) -> NodeStimulus {
    let mut link: Vec<LinkEvent> =
        (0..count).map(|_| after(1, frame(Token::Broadcast, len))).collect();
    // Time to drain, then frames that have room again.
    link.push(after(2000, frame(Token::Broadcast, 8)));
    link.push(after(1, frame(Token::P2p, 100)));
    let cycles = 2300 + count as u64 * (u64::from(len.max(46)) / 4 + 8);
    NodeStimulus { ready, ..node(cycles, link, vec![]) }
}

/// Frames without a pause while there is room for one header at most: a header is read once for each frame, a
/// cycle later in each, so that one is read in the very cycle in which a frame is refused.
fn headers_read_in_turn() -> Vec<Inputs> {
    // A short frame and an idle word.
    const PERIOD: u64 = 17;
    let count = 1 << node::RX_HEADER_ADDR_W;
    let link = (0..count + 40).map(|_| after(1, frame(Token::Broadcast, 0))).collect();
    let cycles = PERIOD * (count + 40);
    let mut player = Player::new(&node(cycles, link, vec![]));
    let from = PERIOD * (count + 2);
    let turn = |cycle: u64| cycle >= from && (cycle - from).is_multiple_of(PERIOD + 1);
    let inputs = |cycle| Inputs { m_rx_hdr_ready: turn(cycle), ..player.drive(Cycle(cycle)) };
    (0..cycles).map(inputs).collect()
}

/// Words of a frame on the link.
fn words(len: u16) -> u64 {
    (u64::from(len.max(46)) + 18).div_ceil(4)
}

/// Frames of others on the link, when each ends there, and inputs of a node that gets them.
struct Arrivals {
    player: Player,
    ends: Vec<u64>,
}

impl Arrivals {
    /// Idle words before each frame, and its valid bytes.
    fn new(frames: &[(u16, u16)], resets: Vec<(Cycle, u8)>) -> Self {
        let link = frames.iter().map(|&(gap, len)| after(gap, frame(Token::Broadcast, len)));
        let mut end = RESET_CYCLES.0;
        let ends = frames.iter().map(|&(gap, len)| {
            end += u64::from(gap) + words(len);
            end
        });
        let ends = ends.collect();
        Arrivals {
            player: Player::new(&NodeStimulus { resets, ..node(0, link.collect(), vec![]) }),
            ends,
        }
    }

    /// The cycle of the verdict on a frame, and with it the one in which its last beat is there.
    fn verdict(&self, frame: usize) -> u64 {
        self.ends[frame] + VERDICT
    }

    /// The cycle of the first beat of a frame of this length.
    fn first(&self, frame: usize, len: u16) -> u64 {
        self.ends[frame] - words(len) + FIRST_BEAT
    }

    /// Inputs of so many cycles; headers and beats are read in the cycles of which this is so.
    fn inputs(
        mut self,
        cycles: u64,
        hdr: impl Fn(u64) -> bool,
        beat: impl Fn(u64) -> bool,
    ) -> Vec<Inputs> {
        let inputs = |cycle| Inputs {
            m_rx_hdr_ready: hdr(cycle),
            m_rx_axis_tready: beat(cycle),
            ..self.player.drive(Cycle(cycle))
        };
        (0..cycles).map(inputs).collect()
    }
}

/// Cycles from the end of a frame on the link to its verdict.
const VERDICT: u64 = 3;
/// Cycles from the first word of a frame on the link to its first beat.
const FIRST_BEAT: u64 = 8;

/// A header is read as the next one comes, with one inside and with one place left. Then all places are taken,
/// and a reset comes.
fn headers_at_limits() -> Vec<Inputs> {
    let full = 1 << node::RX_HEADER_ADDR_W;
    let frames = vec![(1, 0); full + 4];
    let at = Arrivals::new(&frames, vec![]).verdict(full + 3) + 4;
    let arrivals = Arrivals::new(&frames, vec![(Cycle(at), 1)]);
    let turns = [1, full].map(|frame| arrivals.verdict(frame));
    arrivals.inputs(at + 20, |cycle| turns.contains(&cycle), |_| true)
}

/// Two frames fill the buffer of beats. A beat is read as one of the third is lost, and as that frame is refused.
/// Then all are read; the next ones bring the pointers to their ends, where the first beat goes in while it is
/// empty, and one is read while it is full. At last it is full in a reset.
fn beats_at_limits() -> Vec<Inputs> {
    let frames = [
        (1, 1024),
        (1, 1024),
        (1, 1024),
        (530, 1020),
        (270, 1024),
        (270, 1024),
        (1, 1024),
        (1, 1024),
    ];
    let at = Arrivals::new(&frames, vec![]).first(7, 1024) + 4;
    let arrivals = Arrivals::new(&frames, vec![(Cycle(at), 1)]);
    let [refused, fourth, fifth, full] = [2, 3, 4, 6].map(|frame| arrivals.verdict(frame));
    let single = [arrivals.first(2, 1024), refused, arrivals.first(4, 1024), full + 3];
    // All but two of 512; all but the last of 255; all.
    let several = [(refused, 510), (fourth, 254), (fifth, 256)].map(|(at, n)| at + 3..at + 3 + n);
    let beat = move |cycle| single.contains(&cycle) || several.iter().any(|r| r.contains(&cycle));
    arrivals.inputs(at + 20, |_| true, beat)
}

/// Frames that pass until the pointers of the insertion buffer are at their ends and it is empty. A frame takes
/// a word more there than it has.
fn insertion_at_the_end() -> NodeStimulus {
    let lens = [1024, 974, 46];
    debug_assert_eq!(words(lens[0]) + words(lens[1]) + 2, (1 << node::BUFFER_ADDR_W) - 1);
    let link = lens.map(|len| after(40, frame(Token::Broadcast, len)));
    node(700, link.to_vec(), vec![])
}

/// More tokens than a hand can hold.
fn many_tokens() -> NodeStimulus {
    NodeStimulus { issues: (10..330).map(Cycle).collect(), ..node(420, vec![], vec![]) }
}

/// The shape of frames: one word, the longest, damaged in the last word.
fn shapes() -> NodeStimulus {
    let bad = |token, len, defect| LinkFrame { defect, ..frame(token, len) };
    let link = vec![
        after(3, bad(Token::Broadcast, 46, Defect::Cut(0))),
        after(0, frame(Token::Broadcast, 46)),
        after(1, frame(Token::Data, 1024)),
        after(1, frame(Token::Data, 1023)),
        after(1, bad(Token::Broadcast, 47, Defect::Keep(16, 0b0101))),
        after(1, frame(Token::P2p, 48)),
        after(1, bad(Token::Data, 1024, Defect::Long(1))),
        after(1, frame(Token::P2p, 49)),
        after(1, bad(Token::Multicast, 1024, Defect::Long(3))),
        after(1, frame(Token::P2p, 50)),
        after(1, bad(Token::P2p, 60, Defect::User(7))),
        // MACs that differ from this node's in an upper byte only.
        after(1, LinkFrame { source: OWN, ..bad(Token::Data, 46, Defect::Flip(4)) }),
        after(1, LinkFrame { source: OWN, ..bad(Token::P2p, 46, Defect::Flip(18)) }),
    ];
    node(1600, link, vec![])
}

/// Every TOKEN with and without M, own and not, whole and without a second word.
fn marked(monitor: bool) -> NodeStimulus {
    let mut link = vec![];
    for token in 0..8 {
        for bits in 0..8u8 {
            let [own, m, broken] = [1, 2, 4].map(|bit| bits & bit != 0);
            let source = if own { OWN } else { OTHER };
            let defect = if broken { Defect::Hole(1, 1) } else { Defect::None };
            let (len, salt) = (u16::from(token == 1), token << 3 | bits);
            let frame = LinkFrame {
                source,
                token,
                node_id: OWN,
                len,
                monitor: m,
                salt,
                defect,
                ..LinkFrame::default()
            };
            link.push(after(1 + u16::from(bits == 7) * 30, frame));
        }
    }
    // Then without an idle word between, and with data that waits for a free token with M.
    let m =
        |token: Token| LinkFrame { monitor: true, ..frame(token, u16::from(token == Token::Data)) };
    link.extend([after(1, m(Token::Data)), after(0, m(Token::Data)), after(1, m(Token::Free))]);
    link.extend([
        after(1, m(Token::Free)),
        after(20, m(Token::Data)),
        after(1, m(Token::Broadcast)),
    ]);
    NodeStimulus { monitor, ..node(1600, link, vec![send(1380, false, 46)]) }
}

/// Tokens that are dropped: with none, one and some in hand, when they could go out as data or as
/// free tokens, and when they come.
fn discarded(data: bool) -> NodeStimulus {
    let free = || after(25, frame(Token::Free, 0));
    let signals = (0..4).map(|i| send(130 + 10 * i, true, 46));
    let sends = if data { (0..6).map(|i| send(40 + 30 * i, false, 46)).collect() } else { vec![] };
    NodeStimulus {
        issues: (30..34).chain(100..110).chain([200, 201, 240]).map(Cycle).collect(),
        discards: vec![
            (Cycle(20), 13),
            (Cycle(36), 1),
            (Cycle(60), 1),
            (Cycle(90), 12),
            (Cycle(112), 60),
            (Cycle(200), 3),
            (Cycle(260), 300),
        ],
        ..node(700, (0..16).map(|_| free()).collect(), signals.chain(sends).collect())
    }
}

/// A full hand, from which one is dropped as another comes.
fn discarded_from_a_full_hand() -> NodeStimulus {
    let issues = (10..330).map(Cycle).collect();
    NodeStimulus {
        issues,
        discards: vec![(Cycle(305), 3), (Cycle(315), 1)],
        ..node(400, vec![], vec![])
    }
}

/// A reset while a request waits after words in the buffer.
fn reset_behind_words(at: u64) -> NodeStimulus {
    let long = || after(1, frame(Token::Broadcast, 400));
    let sends = vec![send(10, true, 300), send(11, true, 20)];
    NodeStimulus {
        resets: vec![(Cycle(at), 2)],
        ..node(700, vec![long(), long(), long(), long()], sends)
    }
}

/// A reset of one cycle around the last word of a frame that passes: the idle word after it is due.
fn reset_at_the_end(at: u64) -> NodeStimulus {
    let link = vec![after(1, frame(Token::Broadcast, 46)), after(40, frame(Token::P2p, 46))];
    NodeStimulus { resets: vec![(Cycle(at), 1)], ..node(120, link, vec![]) }
}

/// Data that waits behind a run that is over, with no token in hand: it must let one pass. `gap` idle words
/// lie before the free token that comes beside the last frame of the run.
fn run_over(gap: u16, resets: Vec<(Cycle, u8)>) -> NodeStimulus {
    let sends = (0..12).map(|_| send(10, false, 46)).collect();
    // One token at a time: the last one in hand is kept for data, others leave as free tokens.
    let issues = (0..8).map(|run| Cycle(40 + 40 * run)).collect();
    let free = || frame(Token::Free, 0);
    let link = vec![after(gap, free()), after(60, free()), after(60, free())];
    NodeStimulus { resets, issues, ..node(600, link, sends) }
}

/// Frames that are read at once, until one begins where the first one ended, a buffer before: the last beat that
/// is still in the memory there is not its first.
fn wrapped() -> NodeStimulus {
    let mut lens = vec![46];
    lens.extend(vec![1024; (1 << node::RX_ADDR_W) / 256 - 1]);
    lens.extend([972, 46]); // with the first: 11 beats more than the buffer holds, then the frame
    let cycles = 800 + (1 << node::RX_ADDR_W) + 40 * lens.len() as u64;
    let mut link: Vec<_> =
        lens.into_iter().map(|len| after(20, frame(Token::Broadcast, len))).collect();
    // All of the others are read by then.
    link.extend([after(400, frame(Token::Broadcast, 46))]);
    node(cycles, link, vec![])
}

/// A case with its name and the requirements that it is about.
#[derive(Clone, Debug)]
pub struct Named<C = Case<RingNode>> {
    pub name: String,
    /// Requirement ids.
    pub requirements: Vec<&'static str>,
    pub case: C,
}

impl<C> Named<C> {
    /// The same with another case made of its case.
    pub fn map<D>(self, case: impl FnOnce(C) -> D) -> Named<D> {
        Named { name: self.name, requirements: self.requirements, case: case(self.case) }
    }
}

fn named(name: impl Into<String>, about: &[&'static str], stimulus: NodeStimulus) -> Named {
    Named { name: name.into(), requirements: about.to_vec(), case: Case::alone(stimulus) }
}

/// All of them.
#[must_use]
pub fn cases() -> Vec<Named> {
    let frames = ["NODE-1", "NODE-3", "NODE-6", "NODE-7", "NODE-8", "NODE-16"];
    let lost = ["NODE-17", "NODE-20"];
    let room = ["NODE-8", "NODE-9", "NODE-11"];
    let mut all = vec![
        named("shapes", &frames, shapes()),
        named("many_tokens", &["NODE-13", "NODE-15"], many_tokens()),
    ];
    for at in [40, 97, 140] {
        all.push(named(format!("reset_behind_words_{at}"), &["NODE-21"], reset_behind_words(at)));
    }
    for at in 18..30 {
        let about = ["NODE-8", "NODE-21"];
        all.push(named(format!("reset_at_the_end_{at}"), &about, reset_at_the_end(at)));
    }
    all.push(named("beats_not_read", &lost, overflow(1024, 4, [0, 0])));
    all.push(named("beats_read_slowly", &lost, overflow(1024, 5, [8, 2])));
    all.push(named("headers_not_read", &lost, overflow(0, 40, [0, 8])));
    all.push(named("headers_read_slowly", &lost, overflow(0, 40, [1, 8])));
    // About 244 words are the most that fit after a frame of 1,024 bytes.
    for (port, signal) in [("signal", true), ("data", false)] {
        for len in (943..=967).step_by(4) {
            all.push(named(format!("full_{port}_{len}"), &room, full(signal, len)));
        }
    }
    all.push(named("full_data_1024", &room, full(false, 1024)));
    all.push(named("free_without_room", &["NODE-9", "NODE-12"], free_without_room()));
    let tokens = ["NODE-3", "NODE-4", "NODE-5", "NODE-7", "NODE-18", "NODE-24"];
    all.push(named("every_token", &tokens, marked(false)));
    all.push(named(
        "every_token_at_the_monitor",
        &[&tokens[..], &["NODE-22"]].concat(),
        marked(true),
    ));
    let hand = ["NODE-13", "NODE-15", "NODE-23"];
    // The free token passes before, in and after the cycle in which the last frame of the run is granted.
    for gap in 298..=318 {
        all.push(named(format!("run_over_{gap}"), &["NODE-12"], run_over(gap, vec![])));
    }
    let reset = vec![(Cycle(400), 2)];
    all.push(named("run_over_reset", &["NODE-12", "NODE-21"], run_over(500, reset)));
    all.push(named("wrapped", &["NODE-17"], wrapped()));
    all.push(named("discard_free", &hand, discarded(false)));
    all.push(named("discard_data", &hand, discarded(true)));
    all.push(named("discard_from_a_full_hand", &hand, discarded_from_a_full_hand()));
    for (name, inputs) in [
        ("headers_read_in_turn", headers_read_in_turn()),
        ("headers_at_limits", headers_at_limits()),
        ("beats_at_limits", beats_at_limits()),
    ] {
        let case = Case::fed(inputs);
        all.push(Named { name: name.to_owned(), requirements: lost.to_vec(), case });
    }
    all.push(named("insertion_at_the_end", &["NODE-8"], insertion_at_the_end()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;
    use crate::reached;

    #[test]
    fn a_header_is_read_as_a_frame_is_refused() {
        let track = headers_read_in_turn().into();
        let reached = reached::of::<RingNode>(RingNode::shape(), &track).unwrap();
        let count = |name| reached.count("at limits", name);
        assert!(count("received headers full, read and refused") > 0, "{reached:?}");
        assert!(count("received headers full, read") > 20, "{reached:?}");
        assert!(reached.count("full", "received headers") > 20, "{reached:?}");
    }
}
