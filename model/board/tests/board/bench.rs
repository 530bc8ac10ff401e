// SPDX-License-Identifier: MIT OR Apache-2.0
//! A ring that is up, and what is seen on its links.

use awgstar_board::ring::boards::{Counted, configure, count, register, wait_synced};
use awgstar_board::ring::{BoardRing, BoardScenario, HostOp, HostResult, Outcome};
use awgstar_board::rtl::smb::Outputs;
use awgstar_frame::codec::Frame;
use awgstar_frame::contract::Token;
use awgstar_frame::contract::board::{COUNT, MAIL_COUNT, MAIL_DATA, MAIL_POP, Register};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};

pub(crate) const TIMEOUT: u32 = 2_000;
pub(crate) const PERIOD: u32 = 600;
/// A ring is up and has its tokens by then.
pub(crate) const UP: u64 = 10 * (PERIOD as u64 + 1) + 1_000;

/// Boards 0 to n - 1 with `tokens` tokens, configured and not up yet.
pub(crate) fn configured(scenario: &BoardScenario, tokens: u8) -> BoardRing {
    let mut ring = BoardRing::new(scenario).expect("good");
    for i in 0..scenario.boards {
        let mut ops = configure(NodeId::at(i), tokens, TIMEOUT, PERIOD);
        ops.push(wait_synced(Cycle(20_000)));
        ring.push(i, ops).expect("good");
    }
    ring
}

/// The same when board 0 is the monitor and the tokens are there.
pub(crate) fn up(scenario: &BoardScenario, tokens: u8) -> BoardRing {
    let mut ring = configured(scenario, tokens);
    ring.run_until(Cycle(UP));
    ring
}

/// Everything that was written or sent has returned.
pub(crate) fn settled(ring: &BoardRing) -> bool {
    ring.hosts_idle()
        && (0..ring.boards()).all(|i| {
            let board = ring.board(i);
            !board.u_combiner.open_q
                && board.u_data.base_q == board.u_data.tail_q
                && board.u_signal.rd_q == board.u_signal.wr_q
        })
}

/// Runs until everything has returned, and until what arrived last has been dealt with.
pub(crate) fn settle(ring: &mut BoardRing, cycles: u64) {
    assert!(ring.run_until_done(Cycle(cycles), settled), "not settled in cycle {}", ring.cycle());
    ring.run_until(ring.cycle() + Cycle(400));
}

/// Runs until all hosts have done what they have to.
pub(crate) fn finish(ring: &mut BoardRing, cycles: u64) {
    assert!(ring.run_until_done(Cycle(cycles), BoardRing::hosts_idle), "a host is not done");
}

/// The last `n` results of a host.
pub(crate) fn last(ring: &BoardRing, i: usize, n: usize) -> &[HostResult] {
    let results = ring.host(i).results();
    &results[results.len() - n..]
}

/// What a host reads from one address, by way of the port.
pub(crate) fn read(ring: &mut BoardRing, i: usize, addr: ByteAddress) -> (u32, Outcome) {
    ring.push(i, [HostOp::Read { addr }]).expect("good");
    finish(ring, 100_000);
    let result = last(ring, i, 1)[0];
    (result.data, result.outcome)
}

/// A register that can be read.
pub(crate) fn get(ring: &mut BoardRing, i: usize, register: &Register) -> u32 {
    let (data, outcome) = read(ring, i, register.offset);
    assert_eq!(outcome, Outcome::Done, "{}", register.name);
    data
}

/// A counter by way of the port (HST-7), which must be the one in the model.
pub(crate) fn counter(ring: &mut BoardRing, i: usize, which: impl Into<Counted>) -> u32 {
    let which = which.into();
    let number = match which {
        Counted::Node(counter) => u32::from(counter.code()),
        Counted::Board(counter) => 16 + u32::from(counter.code()),
    };
    let before = count(ring.board(i), which);
    let (data, outcome) = read(ring, i, COUNT.offset + 4 * number);
    assert_eq!(outcome, Outcome::Done);
    assert!((before.saturating_sub(2)..=count(ring.board(i), which)).contains(&data));
    data
}

/// A message, as a host reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) words: [u32; 16],
}

impl Message {
    pub(crate) fn token(&self) -> Option<Token> {
        Token::from_code((self.words[0] >> 29).to_le_bytes()[0])
    }
    pub(crate) fn c_st(&self) -> u32 {
        self.words[0] >> 24 & 31
    }
    pub(crate) fn node_id(&self) -> u32 {
        self.words[0] >> 16 & 255
    }
    pub(crate) fn packet_cnt(&self) -> u32 {
        self.words[0] & 255
    }
    pub(crate) fn source(&self) -> u32 {
        self.words[2] >> 16 & 255
    }
    /// The first `len` bytes of Data.
    pub(crate) fn data(&self, len: usize) -> Vec<u8> {
        self.words[4..].iter().flat_map(|w| w.to_le_bytes()).take(len).collect()
    }
}

/// Takes the oldest message of board `i`, by way of the port.
pub(crate) fn message(ring: &mut BoardRing, i: usize) -> Message {
    ring.push(i, (0..16).map(|k| HostOp::Read { addr: MAIL_DATA.offset + 4 * k })).expect("good");
    ring.push(i, [register(&MAIL_POP, 0)]).expect("good");
    finish(ring, 10_000);
    let results = last(ring, i, 17);
    assert!(results.iter().all(|r| r.outcome == Outcome::Done), "MAIL_DATA and MAIL_POP");
    Message { words: std::array::from_fn(|k| results[k].data) }
}

/// All messages of board `i`.
pub(crate) fn messages(ring: &mut BoardRing, i: usize) -> Vec<Message> {
    (0..get(ring, i, &MAIL_COUNT)).map(|_| message(ring, i)).collect()
}

/// A good frame on the link behind a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Its number among all frames that left the board, as faults count.
    pub(crate) index: u64,
    pub(crate) source: u8,
    pub(crate) token: Token,
    pub(crate) c_st: u8,
    pub(crate) act_seq: u8,
    pub(crate) packet_cnt: u8,
    pub(crate) addr: u32,
    pub(crate) data: Vec<u8>,
}

/// Reads the link behind each board.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tap {
    bytes: Vec<u8>,
    index: u64,
    pub(crate) frames: Vec<Seen>,
}

impl Tap {
    fn word(&mut self, o: &Outputs) {
        if !o.m_axis.tvalid {
            return;
        }
        let n = o.m_axis.tkeep.count_ones() as usize;
        self.bytes.extend_from_slice(&o.m_axis.tdata.to_le_bytes()[..n]);
        if !o.m_axis.tlast {
            return;
        }
        if let Ok(f) = Frame::decode(&self.bytes) {
            self.frames.push(Seen {
                index: self.index,
                source: f.mac.0[5],
                token: f.token,
                c_st: f.c_st,
                act_seq: f.act_seq,
                packet_cnt: f.packet_cnt,
                addr: f.addr,
                data: f.data.to_vec(),
            });
        }
        self.bytes.clear();
        self.index += 1;
    }
}

/// Runs to the cycle `end` and gives the frames on the links from now on. Frames are counted from
/// the start of the run only if that is now.
pub(crate) fn watch(ring: &mut BoardRing, end: u64) -> Vec<Tap> {
    let mut taps = vec![Tap::default(); ring.boards()];
    while ring.cycle() < Cycle(end) {
        ring.step_observed(&mut |i, _, _, o| taps[i].word(o));
    }
    taps
}

/// The same of a ring that runs already, when so many frames have left every board.
pub(crate) fn watch_from(ring: &mut BoardRing, index: u64, end: u64) -> Vec<Tap> {
    let mut taps = vec![Tap { index, ..Tap::default() }; ring.boards()];
    while ring.cycle() < Cycle(end) {
        ring.step_observed(&mut |i, _, _, o| taps[i].word(o));
    }
    taps
}

/// The first frame for which `is` holds among those that leave board `link` of a fresh ring.
pub(crate) fn find(ring: &mut BoardRing, link: usize, is: impl Fn(&Seen) -> bool) -> Seen {
    assert_eq!(ring.cycle(), Cycle(0), "frames are counted from the start");
    let taps = watch(ring, UP + 8_000);
    let found = taps[link].frames.iter().find(|f| is(f));
    found.cloned().expect("such a frame")
}

/// A counter as the model has it.
pub(crate) fn count_of(ring: &BoardRing, i: usize, which: impl Into<Counted>) -> u32 {
    count(ring.board(i), which)
}
