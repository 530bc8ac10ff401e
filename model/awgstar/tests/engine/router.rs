// SPDX-License-Identifier: MIT OR Apache-2.0
//! `engine_router` behind a real `rx_sorter`, which gets signals one after the other without a pause (ENG-6).

use awgstar::contract::{Hdr, HeaderWire, Signal};
use awgstar::firmware::Message;
use awgstar::quantity::NodeId;
use awgstar::rtl::state::State as _;
use awgstar::rtl::{
    EngineRouter, Mailbox, Parameters, RxSorter, engine_router, mail_box, rx_sorter,
};

/// Cycles that an engine takes for a message at most (ENG-5).
const SLOWEST: u32 = 14;

/// Sorter, router and mailbox, fed with frames; engines that take `cycles` for a message.
struct Bench {
    sorter: RxSorter,
    router: EngineRouter,
    mailbox: Mailbox,
    cycles: u32,
    /// Cycles for which a message has been on offer.
    offered: u32,
    frames: Vec<(HeaderWire, Vec<u8>)>,
    beat: usize,
    /// Cycle, source and number of each message that an engine is done with.
    taken: Vec<(u64, u8, u8)>,
    /// Most messages in the queue.
    most: u8,
    lost: u32,
    cycle: u64,
}

impl Bench {
    fn new(cycles: u32) -> Self {
        let set = Parameters::DEFAULT.with("barrier_engine", "NODE_W", 8).expect("a size");
        Bench {
            sorter: RxSorter::new(&set),
            router: EngineRouter::new(&set),
            mailbox: Mailbox::new(&set),
            cycles,
            offered: 0,
            frames: Vec::new(),
            beat: 0,
            taken: Vec::new(),
            most: 0,
            lost: 0,
            cycle: 0,
        }
    }

    fn step(&mut self, rst: bool) {
        let none = (HeaderWire::default(), vec![0; 46]);
        let (header, data) = self.frames.first().unwrap_or(&none);
        let valid = !self.frames.is_empty();
        let beats = data.len().div_ceil(4);
        let beat = data.chunks(4).nth(self.beat).unwrap_or_default();
        let from_mailbox = self.mailbox.outputs();
        let mut route = engine_router::Inputs {
            rst,
            ready: true,
            cfg_locks: 0xffff,
            cfg_barriers: 0xff,
            s_token: header.token,
            s_c_st: header.c_st,
            m_full: from_mailbox.full,
            ..engine_router::Inputs::default()
        };
        let sort = rx_sorter::Inputs {
            rst,
            s_hdr_valid: valid,
            s_hdr: Hdr::new(header, u16::try_from(data.len()).expect("short")),
            s_axis_tvalid: valid,
            s_axis_tdata: beat.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)),
            s_axis_tlast: self.beat + 1 == beats,
            mail_full: self.router.outputs(&route).s_full,
            ..rx_sorter::Inputs::default()
        };
        let sorted = self.sorter.outputs(&sort);
        (route.s_we, route.s_commit) = (sorted.mail_we, sorted.mail_commit);
        (route.s_index, route.s_data) = (sorted.mail_index, sorted.mail_data);
        let head = self.router.outputs(&route);
        let some = head.l_msg_valid || head.b_msg_valid;
        self.offered = if some { self.offered + 1 } else { 0 };
        let done = some && self.offered == self.cycles;
        (route.l_msg_ready, route.b_msg_ready) = (done, done);
        let routed = self.router.outputs(&route);
        if done {
            self.taken.push((self.cycle, routed.msg_source, routed.msg_number));
            self.offered = 0;
        }
        self.lost += u32::from(routed.ev_mail_full);
        self.sorter.clock(&sort);
        self.router.clock(&route);
        self.mailbox.clock(&mail_box::Inputs {
            rst,
            we: routed.m_we,
            index: routed.m_index,
            data: routed.m_data,
            commit: routed.m_commit,
            ..mail_box::Inputs::default()
        });
        self.most = self.most.max(self.router.wr_q.wrapping_sub(self.router.rd_q) & 7);
        self.beat += usize::from(sorted.s_axis_tready && valid);
        if sorted.s_hdr_ready {
            self.frames.remove(0);
            self.beat = 0;
        }
        self.cycle += 1;
    }

    fn run(&mut self) {
        while !self.frames.is_empty() || self.router.wr_q != self.router.rd_q {
            self.step(false);
            assert!(self.cycle < 200_000);
        }
        (0..40).for_each(|_| self.step(false));
    }

    fn ready(cycles: u32) -> Self {
        let mut bench = Bench::new(cycles);
        bench.step(true);
        (0..300).for_each(|_| bench.step(false));
        bench
    }
}

/// Signal `number` of a node.
fn frame(message: &Message, number: u8, pad: usize) -> (HeaderWire, Vec<u8>) {
    let header = HeaderWire {
        token: message.signal.token().code(),
        c_st: message.signal.c_st(),
        node_id: message.node_id.0,
        packet_cnt: number,
        mac: 0x0253_4d42_0000 | u64::from(message.source.0),
        ..HeaderWire::default()
    };
    let mut data = message.data().to_vec();
    data.resize(pad, 0);
    (header, data)
}

fn arrival(source: u8, barrier: u32) -> Message {
    Message { lock_number: barrier, ..Message::new(Signal::BarrierRingArrival, NodeId(source)) }
}

/// A message every 17 cycles and engines that take 14 for each: one waits at most, of the four for which the
/// queue has room, and none is lost though the mailbox is full and nobody reads it.
#[test]
fn the_queue_does_not_overflow() {
    let mut bench = Bench::ready(SLOWEST);
    // What fills the mailbox is of no engine.
    for number in 0..20 {
        let strange = Message::new(Signal::LockDistRequest, NodeId(9));
        bench.frames.push(frame(&strange, number, 46));
    }
    bench.run();
    assert!(bench.mailbox.outputs().full && bench.taken.is_empty());
    let all = || (0..=255_u8).flat_map(|number| [(3_u8, number), (200, number)]);
    for (source, number) in all() {
        let message = match number % 3 {
            0 => Message {
                lock_number: u32::from(number % 16),
                ..Message::new(Signal::LockQueuePass, NodeId(source))
            },
            _ => arrival(source, u32::from(number % 8)),
        };
        bench.frames.push(frame(&message, number, 46));
    }
    let begin = bench.cycle;
    bench.run();
    let expected: Vec<(u8, u8)> =
        all().map(|(s, n)| (s, if n % 3 == 0 { n % 16 } else { n % 8 })).collect();
    let found: Vec<(u8, u8)> = bench.taken.iter().map(|one| (one.1, one.2)).collect();
    assert_eq!(found, expected);
    for pair in bench.taken.windows(2) {
        assert_eq!(pair[1].0 - pair[0].0, 17, "one after the other");
    }
    assert!(bench.taken[0].0 - begin < 40);
    assert_eq!((bench.most, bench.lost), (1, 0));
    // Engines that are slower than that fill the queue: the limit is what keeps it short.
    let mut slow = Bench::ready(40);
    slow.frames.extend((0..24).map(|number| frame(&arrival(3, 1), number, 46)));
    slow.run();
    assert_eq!(slow.most, 4);
    assert_eq!(slow.taken.len() + usize::from(slow.mailbox.outputs().count), 24, "none is lost");
}

/// A duplicate is not taken, what is too long or not well formed is the mailbox', and so is another signal.
#[test]
fn what_is_taken() {
    let mut bench = Bench::ready(2);
    let good = arrival(7, 5);
    bench.frames.extend([frame(&good, 1, 46), frame(&good, 1, 46), frame(&good, 2, 46)]);
    bench.run();
    assert_eq!(bench.taken.len(), 2, "{:?}", bench.taken);
    assert_eq!(bench.mailbox.outputs().count, 0);
    let (header, mut bad) = frame(&good, 3, 46);
    bad[9] = 1;
    let far = Message { lock_number: 8, ..good };
    let other = Message::new(Signal::BarrierDistArrival, NodeId(7));
    bench.frames.extend([
        (header, bad),
        frame(&good, 4, 47),
        frame(&far, 5, 46),
        frame(&other, 6, 46),
        frame(&good, 7, 46),
    ]);
    bench.run();
    assert_eq!((bench.taken.len(), bench.mailbox.outputs().count, bench.lost), (3, 4, 0));
}
