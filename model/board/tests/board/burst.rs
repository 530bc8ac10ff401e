// SPDX-License-Identifier: MIT OR Apache-2.0
//! The AXI4 port: what it writes and reads against an array of bytes, answers, order and rate. Checks
//! AXI-1 to AXI-7.

use super::seeded::seeded;
use awgstar_board::ring::boards::{Board, Cut, HostOp, Outcome, bytes, configure, register};
use awgstar_board::ring::burst::{
    Answer, Burst, BurstHost, BurstRing, FIXED, INCR, Pace, WRAP, bursts_of,
};
use awgstar_board::ring::{BoardScenario, Fault, FaultKind, Ring};
use awgstar_board::rtl::smb_axi4::{Inputs, Outputs};
use awgstar_board::rtl::{Parameters, Smb, SmbAxi4};
use awgstar_frame::contract::board::{self, MEM_ADDR_W};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId, narrow};
use proptest::{collection::vec, prelude::*, sample::select};

/// Byte address of the window on the bus.
const WINDOW: u32 = 1 << board::WINDOW_BIT;
/// Bytes of the shared memory.
const BYTES: usize = 4 << MEM_ADDR_W;
/// Cycles until a ring of two boards is up.
const UP: u64 = 12_000;

/// A ring with that many cycles of fibre after each board.
fn scenario(boards: usize, fibre: u32) -> BoardScenario {
    BoardScenario { fibre: vec![fibre; boards], ..BoardScenario::new(boards) }
}

/// Two boards that take part, with one token.
fn up(pace: Pace) -> BurstRing {
    let mut ring = BurstRing::with_pace(&scenario(2, 3), pace).expect("a ring");
    ring.configure(1, 2_000, 600);
    while ring.cycle().0 < UP {
        ring.step();
    }
    assert!((0..2).all(|i| ring.board(i).blocks.u_control.synced_q));
    ring
}

/// Runs until host 0 has its answers, `limit` cycles at most: those after the ones of the configuration.
fn answers(ring: &mut BurstRing, bursts: &[Burst], limit: u64) -> Vec<Answer> {
    let before = ring.host_mut(0).answers().len();
    ring.host_mut(0).push(bursts.iter().copied());
    let end = ring.cycle().0 + limit;
    while !ring.host_mut(0).is_idle() {
        assert!(ring.cycle().0 < end, "a burst is not answered");
        ring.step();
    }
    let mut all: Vec<Answer> = ring.host_mut(0).answers()[before..].to_vec();
    for answer in &mut all {
        answer.burst -= before;
    }
    all
}

/// A burst that the port takes, by the rules of AXI: not by the port's.
fn taken(burst: &Burst) -> bool {
    let bytes = 1u32 << burst.size;
    let first = burst.addr & !(bytes - 1);
    let end = u64::from(first) + u64::from(bytes) * (u64::from(burst.len) + 1);
    let page = u64::from(burst.addr) / 4096;
    burst.size <= 2
        && (burst.kind == INCR || (burst.kind == FIXED && burst.len == 0))
        && (end - 1) / 4096 == page
}

/// What a burst does to the bytes, and what its beats are answered.
fn expected(memory: &mut [u8], burst: &Burst) -> Vec<(bool, Option<u32>)> {
    let inside = |addr: u32| ((addr & !WINDOW) as usize) < BYTES;
    let mut beats = Vec::new();
    let mut failed = !taken(burst);
    for k in 0..=burst.len {
        let addr = burst.address(k) & !3;
        let at = (addr & !WINDOW) as usize;
        if burst.write {
            failed |= !inside(addr);
            for lane in 0..4usize {
                if !failed && burst.strobes(k) >> lane & 1 == 1 {
                    memory[at + lane] = burst.word(k).to_le_bytes()[lane];
                }
            }
        } else if taken(burst) && inside(addr) {
            let word: [u8; 4] = memory[at..at + 4].try_into().expect("four bytes");
            beats.push((false, Some(u32::from_le_bytes(word))));
        } else {
            beats.push((true, None));
        }
    }
    if burst.write {
        beats.push((failed, None));
    }
    beats
}

fn agree(bursts: &[Burst], pace: Pace) {
    let mut ring = up(pace);
    let mut memory = vec![0u8; BYTES];
    let found = answers(&mut ring, bursts, 400_000);
    assert_eq!(found.len(), bursts.len());
    for (place, burst) in bursts.iter().enumerate() {
        let answer = found.iter().find(|a| a.burst == place).expect("an answer");
        assert_eq!(answer.id, burst.id, "{burst:?}");
        assert!(answer.last_is_right, "{burst:?}");
        let beats = expected(&mut memory, burst);
        assert_eq!(beats.len(), answer.beats.len(), "{burst:?}");
        for (k, (expected, found)) in beats.iter().zip(&answer.beats).enumerate() {
            assert_eq!(expected.0, found.0, "beat {k} of {burst:?}");
            if let Some(word) = expected.1 {
                assert_eq!(word, found.1, "beat {k} of {burst:?}");
            }
        }
    }
    // The other board has the same bytes when all frames have returned.
    for _ in 0..30_000 {
        ring.step();
    }
    for board in 0..2 {
        let words = &ring.board(board).blocks.u_memory.mem;
        let all: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let differs = all.iter().zip(&memory).position(|(a, b)| a != b);
        assert_eq!(differs, None, "board {board}");
    }
}

prop_compose! {
    fn burst()(
        write: bool,
        id in 0u16..16,
        at in prop_oneof![
            6 => 0u32..0x400,
            2 => (0u32..4, -40i32..40).prop_map(|(page, by)| (4096 * page).wrapping_add_signed(by) & 0x3fff),
            1 => 0x3f00u32..0x4100,
        ],
        len in prop_oneof![3 => 0u8..4, 3 => 0u8..20, 1 => 250u8..=255],
        size in prop_oneof![6 => Just(2u8), 2 => 0u8..2, 1 => 3u8..8],
        kind in prop_oneof![12 => Just(INCR), 1 => Just(FIXED), 1 => Just(WRAP), 1 => Just(3)],
        data: u32,
        strobe in prop_oneof![4 => Just(15u8), 1 => 0u8..16],
    ) -> Burst {
        Burst { write, id, addr: WINDOW | at, len, size, kind, gap: 0, fence: true, data, strobe }
    }
}

fn pace() -> impl Strategy<Value = Pace> {
    let one = || select(vec![1u8, 3, 7, 8]);
    (one(), one(), one(), one(), one()).prop_map(|(aw, w, ar, b, r)| Pace { aw, w, ar, b, r })
}

/// The answers to these operations, and the memory after them, through the port of `M`.
fn through<M: Board>(ops: &[HostOp]) -> (Vec<(u32, Outcome)>, Vec<u8>) {
    let mut ring = Ring::<M>::of_boards(&scenario(1, 3)).expect("a ring");
    ring.push(0, configure(NodeId(0), 1, 2_000, 600)).expect("good");
    ring.run_until(Cycle(UP));
    ring.take_results(0);
    ring.push(0, ops.iter().copied()).expect("good");
    assert!(ring.run_until_done(Cycle(100_000), |ring| ring.is_idle(0)), "not answered");
    let results = ring.take_results(0);
    assert!(results.iter().map(|result| result.op).eq(ops.iter().copied()), "in their order");
    let answers = results.iter().map(|result| (result.data, result.outcome)).collect();
    (answers, bytes(ring.board(0), ByteAddress(0), BYTES))
}

/// An access to one of a few words, so that some follow each other and others do not; some are registers, or beyond the
/// memory.
fn operation() -> impl Strategy<Value = HostOp> {
    let word = prop_oneof![
        8 => (0u32..6).prop_map(|k| WINDOW + 4092 + 4 * k),
        2 => Just(WINDOW + narrow::<u32>(BYTES) - 4),
        1 => Just(WINDOW + narrow::<u32>(BYTES)),
        2 => select(vec![board::PERIOD.offset.0, board::TIMEOUT.offset.0]),
    ];
    (word, any::<bool>(), any::<u32>(), 0u8..16).prop_map(|(addr, write, data, strobe)| {
        let addr = ByteAddress(addr);
        if write { HostOp::Write { addr, data, strobe } } else { HostOp::Read { addr } }
    })
}

proptest! {
    #![proptest_config(seeded(60))]
    /// HST-1, DRV-10: a host gets the same answers through AXI4, where what follows goes as bursts, as through
    /// AXI4-Lite, one by one, and leaves the same memory.
    #[test]
    fn operations_through_both_ports(ops in vec(operation(), 1..60)) {
        let (lite, memory) = through::<Smb>(&ops);
        let (burst, same) = through::<SmbAxi4>(&ops);
        // A burst has one answer: a write beside one that is refused may be refused with it.
        let refused = |answers: &[(u32, Outcome)]| answers.iter().any(|a| a.1 == Outcome::Refused);
        prop_assert_eq!(refused(&lite), refused(&burst));
        if !refused(&lite) {
            prop_assert_eq!(burst, lite);
        }
        prop_assert!(same == memory, "memories differ");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]
    /// AXI-1 to AXI-5: any burst at any pace, one after another, against an array of bytes.
    #[test]
    fn any_bursts(bursts in vec(burst(), 1..40), pace in pace()) {
        agree(&bursts, pace);
    }

    /// AXI-5, AXI-6: without a fence all are answered, each direction in its order, with its IDs.
    #[test]
    fn answers_in_order(mut bursts in vec(burst(), 1..60), pace in pace()) {
        for burst in &mut bursts {
            burst.fence = false;
        }
        let mut ring = up(pace);
        let found = answers(&mut ring, &bursts, 400_000);
        for write in [false, true] {
            let asked: Vec<u16> = bursts.iter().filter(|b| b.write == write).map(|b| b.id).collect();
            let got = found.iter().filter(|a| bursts[a.burst].write == write);
            prop_assert_eq!(asked, got.map(|a| a.id).collect::<Vec<_>>());
        }
        prop_assert!(found.iter().all(|a| a.last_is_right));
    }
}

/// AXI-3: each refused burst by itself, and that it changes nothing.
#[test]
fn refused_bursts() {
    let full = Burst { len: 3, ..Burst::word_write(WINDOW | 0x100, 7, 15) };
    let wrong = [
        Burst { kind: WRAP, ..full },
        Burst { kind: FIXED, ..full },
        Burst { kind: 3, ..full },
        Burst { size: 3, ..full },
        Burst { size: 7, ..full },
        Burst { addr: WINDOW | 0xff4, ..full },
        Burst { addr: WINDOW | 0xff5, ..full },
        Burst { addr: WINDOW | 0xfff, len: 1, size: 0, ..full },
        Burst { addr: WINDOW | 0xffe, len: 1, size: 1, ..full },
    ];
    let right = [
        Burst { kind: FIXED, len: 0, ..full },
        Burst { addr: WINDOW | 0xff0, ..full },
        Burst { addr: WINDOW | 0xff3, ..full },
        Burst { addr: WINDOW | 0xffe, len: 1, size: 0, ..full },
        Burst { addr: WINDOW | 0xc00, len: 255, ..full },
        Burst { addr: WINDOW | 0x3ffc, len: 0, ..full },
    ];
    let all: Vec<Burst> = wrong.iter().chain(&right).copied().collect();
    let both = all.iter().flat_map(|b| [*b, Burst { write: false, ..*b }]);
    let bursts: Vec<Burst> = both.map(|b| Burst { fence: true, ..b }).collect();
    let mut ring = up(Pace::FULL);
    let found = answers(&mut ring, &bursts, 100_000);
    for (answer, burst) in found.iter().zip(&bursts) {
        let refused = wrong.iter().any(|w| {
            w.addr == burst.addr
                && (w.kind, w.size) == (burst.kind, burst.size)
                && w.len == burst.len
        });
        assert!(answer.beats.iter().all(|beat| beat.0 == refused), "{burst:?}");
    }
    agree(&bursts, Pace::FULL);
}

/// AXI-4: registers in bursts, and a burst that runs out of the memory: what comes before is written.
#[test]
fn registers_and_the_end_of_the_memory() {
    let mut ring = up(Pace::FULL);
    let read = |addr: u32, len: u8| Burst { len, fence: true, ..Burst::word_read(addr) };
    let found = answers(&mut ring, &[read(board::ID.offset.0, 1)], 1_000);
    let words: Vec<u32> = found[0].beats.iter().map(|b| b.1).collect();
    assert_eq!(words, [board::ID.reset, board::VERSION.reset]);
    let put = Burst {
        len: 1,
        data: 0x1234,
        fence: true,
        ..Burst::word_write(board::TIMEOUT.offset.0, 0, 15)
    };
    let found = answers(&mut ring, &[put, read(board::TIMEOUT.offset.0, 1)], 1_000);
    assert_eq!(found[0].beats, [(false, 0)]);
    assert_eq!(found[1].beats[0], (false, 0x1234));
    assert_eq!(found[1].beats[1].1, put.word(1) & 0xffff);
    // ID cannot be written: nor is what comes after it.
    let put = Burst { len: 2, ..Burst { addr: board::ID.offset.0, ..put } };
    let found = answers(&mut ring, &[put], 1_000);
    assert_eq!(found[0].beats, [(true, 0)]);
}

/// Cycles in which a channel of board 0 moves.
struct Seen {
    aw: u64,
    b: u64,
    first_r: u64,
    last_r: u64,
    beats: u64,
}

fn watch(ring: &mut BurstRing, bursts: &[Burst], limit: u64) -> Seen {
    let mut seen = Seen { aw: 0, b: 0, first_r: 0, last_r: 0, beats: 0 };
    ring.host_mut(0).push(bursts.iter().copied());
    let from = ring.cycle().0;
    while !ring.host_mut(0).is_idle() {
        let now = ring.cycle().0;
        assert!(now < from + limit, "a burst is not answered");
        ring.step_observed(&mut |board, _, i: &Inputs, o: &Outputs| {
            if board != 0 {
                return;
            }
            if (i.s_axi.awvalid || i.s_axi.arvalid) && seen.aw == 0 {
                seen.aw = now;
            }
            if o.s_axi.bvalid && seen.b == 0 {
                seen.b = now;
            }
            if o.s_axi.rvalid {
                if seen.beats == 0 {
                    seen.first_r = now;
                }
                seen.last_r = now;
                seen.beats += 1;
            }
        });
    }
    seen
}

/// AXI-6, AXI-7: a write is answered 2 cycles after it is put on the port, as on the AXI4-Lite port; a
/// burst of 256 beats takes 255 more; a burst of reads has its first word after 2 cycles and one a cycle.
#[test]
fn a_word_a_cycle() {
    let mut ring = up(Pace::FULL);
    let one = watch(&mut ring, &[Burst::word_write(WINDOW, 1, 15)], 100);
    assert_eq!(one.b - one.aw, 2);
    for _ in 0..3_000 {
        ring.step();
    }
    let all = Burst { len: 255, ..Burst::word_write(WINDOW | 0x400, 1, 15) };
    let burst = watch(&mut ring, &[all], 1_000);
    assert_eq!(burst.b - burst.aw, 2 + 255);
    let reads = [all, Burst { addr: WINDOW | 0x800, ..all }].map(|b| Burst { write: false, ..b });
    let words = watch(&mut ring, &reads, 1_000);
    assert_eq!((words.first_r - words.aw, words.beats), (2, 512));
    assert_eq!(words.last_r - words.first_r, 511);
}

/// AXI-6: while a write waits for room, it is not lost and nothing hangs.
#[test]
fn a_board_without_room() {
    // Not configured: what is written fills the buffer, then HST-6 refuses.
    let mut ring = BurstRing::with_pace(&scenario(1, 3), Pace::FULL).expect("a ring");
    let all = Burst { len: 255, ..Burst::word_write(WINDOW, 1, 15) };
    let found = answers(&mut ring, &[all; 6], 10_000);
    let refused: Vec<bool> = found.iter().map(|a| a.beats[0].0).collect();
    assert_eq!(refused, [false, false, false, false, true, true]);
    let host = BurstHost::new(Pace::FULL, 1);
    assert!(host.is_idle());
}

/// AXI-7: of 1,042 bytes of a frame 1,024 are payload, so the line carries 4 * 1024 / 1042 bytes of it a
/// cycle; one host gets 98 % of that, on up to 4 boards with links of 10 m.
#[test]
fn one_host_fills_the_line() {
    const SPAN: u64 = 60_000;
    let parameters = Parameters::DEFAULT.with("smb_axi4", "TOKEN_RUN", 15).expect("legal");
    for boards in [2, 4] {
        let scenario = BoardScenario { parameters, ..scenario(boards, 4) };
        let mut ring = BurstRing::with_pace(&scenario, Pace::FULL).expect("a ring");
        ring.configure(1, 4_000, 1_000);
        while ring.cycle().0 < 20_000 {
            ring.step();
        }
        let period = bursts_of(&[register(&board::PERIOD, board::PERIOD.reset)]);
        for host in 0..boards {
            ring.host_mut(host).push(period.clone());
        }
        let block =
            |k: u32| Burst { len: 255, ..Burst::word_write(WINDOW | (k % 16) << 10, k, 15) };
        ring.host_mut(1).push((0..300).map(block));
        let (mut frames, mut base) = (0, 0);
        for cycle in 0..SPAN + 10_000 {
            ring.step();
            let now = ring.board(1).blocks.u_data.base_q;
            if cycle >= 10_000 {
                frames += u64::from(now.wrapping_sub(base));
            }
            base = now;
        }
        // A frame more or less at each end.
        assert!((frames + 1) * 1_042 * 100 >= 98 * 4 * SPAN, "{boards} boards: {frames} frames");
        assert!(frames * 1_042 <= 4 * SPAN, "{boards} boards: {frames} frames");
    }
}

/// A ring of these boards is a ring of boards: frames are lost, links are cut, boards are reset, and what hosts wrote
/// arrives.
#[test]
fn faults_of_any_ring() {
    let mut ring = up(Pace::FULL);
    let block = |k: u32| Burst { len: 255, ..Burst::word_write(WINDOW | k << 10, k, 15) };
    // The next one may be on the link already.
    let (link, frame) = (0, ring.frames(0) + 1);
    for next in 0..3 {
        ring.add_fault(Fault { link, frame: frame + next, kind: FaultKind::Lose }).unwrap();
    }
    let found = answers(&mut ring, &[block(1)], 10_000);
    assert!(!found[0].beats[0].0);
    let from = ring.cycle() + Cycle(200);
    ring.add_cut(Cut { link: 1, from, until: from + Cycle(3_000) }).unwrap();
    ring.host_mut(0).push([block(2)]);
    let end = ring.cycle() + Cycle(60_000);
    ring.run_until(end);
    assert_eq!(ring.faults_met(0).len(), 3, "a frame that was to be lost did not come");
    for k in [1, 2] {
        let sent = bytes(&ring.board(0).blocks, ByteAddress(k << 10), 1024);
        assert!(sent.iter().any(|byte| *byte != 0));
        assert_eq!(bytes(&ring.board(1).blocks, ByteAddress(k << 10), 1024), sent, "block {k}");
    }
    ring.reset(1, Cycle(20)).unwrap();
    ring.step();
    ring.step();
    assert!(!ring.board(1).blocks.u_control.synced_q, "it is in reset");
    assert!(ring.board(0).blocks.u_control.synced_q);
}
