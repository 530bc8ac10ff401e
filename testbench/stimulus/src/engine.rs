// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts of the lock and barrier engine alone, of any size.

use crate::case::Case;
use crate::deposit::Deposit;
use crate::machine::{Track, machine};
use awgstar::contract::{Signal, Token};
use awgstar::quantity::{Cycle, narrow};
use awgstar::random::SplitMix64;
use awgstar::rtl::state::State as _;
use awgstar::rtl::{
    BarrierEngine, EngineMux, EngineRouter, LockEngine, Parameters, barrier_engine, engine_mux,
    engine_router, lock_engine,
};

/// Parameters of an engine for `Node_IDs` below 2^n.
///
/// # Panics
/// If n is above 8.
#[must_use]
pub fn sized(node_w: u8) -> Parameters {
    let set = Parameters::DEFAULT.with("barrier_engine", "NODE_W", node_w.into());
    set.unwrap_or_else(|error| panic!("{error}"))
}

// An engine of the contract's parameters has no state. One for all nodes drops no message.
machine!(BarrierEngine, barrier_engine, sized(8));
machine!(LockEngine, lock_engine, sized(2));
machine!(EngineRouter, engine_router, sized(5));
machine!(EngineMux, engine_mux, sized(8));

/// A word of the members of a barrier: few, many or all.
fn members(random: &mut SplitMix64, dense: u64) -> u32 {
    let one = |random: &mut SplitMix64| random.number::<u32>(1 << 32);
    match dense {
        0 => one(random) & one(random) & one(random) & one(random),
        1 => one(random) & one(random),
        2 => one(random),
        _ => u32::MAX,
    }
}

/// A member of a barrier: one that is not counted in `engine`, or any.
fn member(engine: &BarrierEngine, number: u8, random: &mut SplitMix64) -> Option<u8> {
    let any = random.once_in(5);
    let turn: u8 = random.number(8);
    let word = (0..8_u8).map(|word| (word + turn) % 8).find_map(|word| {
        let at = usize::from(number) << 3 | usize::from(word);
        let heard = if engine.live_q >> at & 1 != 0 { engine.heard[at] } else { 0 };
        let lacking = engine.member[at] & if any { u32::MAX } else { !heard };
        (lacking != 0).then_some((word, lacking))
    });
    let (word, bits) = word?;
    let turn: u32 = random.number(32);
    let bit = (bits.rotate_right(turn).trailing_zeros() + turn) % 32;
    Some(word << 5 | narrow::<u8>(bit))
}

/// A member that has arrived at a barrier.
fn heard(engine: &BarrierEngine, number: u8) -> Option<u8> {
    (0..=u8::MAX).find(|&node| {
        let at = usize::from(number) << 3 | usize::from(node >> 5);
        let both = engine.heard[at] & engine.member[at];
        engine.live_q >> at & 1 != 0 && both >> (node & 31) & 1 != 0
    })
}

/// A barrier engine whose environment counts on: members that are missing arrive, the process arrives, timers
/// run, signals return, and now and then what is not so.
#[must_use]
pub fn barriers(node_w: u8, seed: u64, cycles: usize) -> Case<BarrierEngine> {
    let parameters = sized(node_w);
    let mut random = SplitMix64::new(seed << 8 | u64::from(node_w));
    let mut engine = BarrierEngine::new(&parameters);
    let mask = 0xff >> (8 - node_w.min(8));
    let dense = random.number(4);
    let own = random.number::<u8>(256) & mask;
    let mut now = barrier_engine::Inputs { cfg_node_id: own, ..barrier_engine::Inputs::default() };
    let (mut inputs, mut off, mut flight, mut writes) = (Vec::new(), 40_u32, 0_u32, 0_u32);
    let (period, hurry) = (20 + random.number::<u64>(180), 1 + random.number::<u64>(12));
    let mut slow = 1 + random.number::<u64>(40);
    for cycle in 0..cycles {
        if cycle % 4096 == 0 {
            slow = [2, 30, 400][random.number::<usize>(3)];
        }
        now.rst = cycle < 3 || random.once_in(6000);
        // Now and then in the middle of counting the members.
        now.rst |= engine.state_q == barrier_engine::ADD && random.once_in(150);
        if now.rst && cycle >= 3 {
            off = 300;
        }
        // Off and on, now and then for one cycle only.
        off = off.saturating_sub(1);
        if random.once_in(2500) {
            off = if random.once_in(2) { 1 } else { random.number(200) };
            writes = random.number(20);
        }
        now.enable = off == 0;
        now.cfg_order = random.number(4);
        now.tick = random.once_in(period);
        now.member_we = writes > 0 && random.once_in(3) || random.once_in(900);
        if cycle < 100 || off > 60 {
            now.member_we |= random.once_in(2);
        }
        writes = writes.saturating_sub(now.member_we.into());
        now.member_addr = random.number(64);
        now.member_data = members(&mut random, dense);
        if random.once_in(4) {
            now.member_data |= 1 << (own & 31);
        }
        // A message, until it is taken.
        if !now.msg_valid && random.once_in(hurry) {
            now.msg_valid = true;
            now.msg_number = random.number(8);
            let missing = member(&engine, now.msg_number, &mut random);
            let any = random.number::<u8>(256) & mask;
            now.msg_source = missing.filter(|_| !random.once_in(8)).unwrap_or(any) & mask;
            now.msg_node = if random.once_in(3) { own } else { random.number::<u8>(256) & mask };
            let episode = engine.episodes[usize::from(now.msg_number)];
            now.msg_tag = match random.number::<u8>(24) {
                0 | 1 => {
                    // Often of one that was heard in this episode.
                    let heard = heard(&engine, now.msg_number);
                    now.msg_source = heard.filter(|_| random.once_in(2)).unwrap_or(now.msg_source);
                    episode.wrapping_add(1)
                }
                2 | 3 => episode.wrapping_sub(1),
                4 => episode ^ 1 << random.number::<u8>(16),
                5 => random.number(1 << 16),
                _ => episode,
            };
        }
        if !now.cmd_valid && random.once_in(3 * hurry) {
            now.cmd_valid = true;
            now.cmd_number = random.number(8);
        }
        // Away for good where it would not be one of those that take part.
        now.cfg_node_id = if node_w < 8 && random.once_in(70) { own | (mask + 1) } else { own };
        now.out_done = flight == 1 && engine.out_valid_q || random.once_in(3000);
        flight = match flight {
            0 if engine.out_valid_q => 1 + random.number::<u32>(slow),
            other => other.saturating_sub(1),
        };
        let outputs = engine.outputs(&now);
        engine.clock(&now);
        inputs.push(now);
        now.msg_valid &= !outputs.msg_ready;
        now.cmd_valid &= !outputs.cmd_done;
    }
    Case::fed(inputs).on(parameters)
}

/// A process alone at a barrier, until the episodes have wrapped: one arrival in three cycles, and messages of
/// episodes on both sides at the end. With `near`, the episodes are set to a number shortly before their maximum.
#[must_use]
pub fn wrap(node_w: u8, near: bool) -> Case<BarrierEngine> {
    let parameters = sized(node_w);
    let on = barrier_engine::Inputs { cfg_node_id: 1, ..barrier_engine::Inputs::default() };
    let mut inputs = vec![barrier_engine::Inputs { rst: true, ..on }; 3];
    inputs.extend([on; 70]);
    for addr in [40, 48] {
        let data = if addr == 40 { 0b10 } else { 0b111 };
        inputs.push(barrier_engine::Inputs {
            member_we: true,
            member_addr: addr,
            member_data: data,
            ..on
        });
    }
    let on = barrier_engine::Inputs { enable: true, ..on };
    inputs.extend([on; 400]);
    let arrives = barrier_engine::Inputs { cmd_valid: true, cmd_number: 5, ..on };
    // In a memory, the number of a word is added by xor: barrier 5 begins at 65,530.
    let set =
        Deposit { cycle: Cycle(inputs.len() as u64), path: "episodes".to_owned(), value: 0xffff };
    inputs.extend(vec![arrives; 3 * if near { 4 } else { 65_534 }]);
    for (step, tag) in [65_534, 65_535, 0, 1, 65_535, 0, 2].into_iter().enumerate() {
        let command = [arrives; 3];
        if step % 2 == 0 {
            inputs.extend(command);
        }
        let asks = barrier_engine::Inputs {
            msg_valid: true,
            msg_number: 5,
            msg_source: 2,
            msg_node: 1,
            msg_tag: tag,
            ..on
        };
        inputs.extend([
            asks,
            asks,
            asks,
            on,
            barrier_engine::Inputs { out_done: true, ..on },
            on,
            on,
        ]);
    }
    Case::fed(Track { inputs, deposits: if near { vec![set] } else { Vec::new() } }).on(parameters)
}

/// A mailbox with room for two messages, beside the router.
#[derive(Default)]
struct Mailbox(u8);

/// The words of a message as `rx_sorter` gives them, most of them good ones of the engine.
fn message(random: &mut SplitMix64, mask: u8) -> (u8, u8, Vec<u32>) {
    const CODES: [Signal; 3] =
        [Signal::LockQueueRequest, Signal::LockQueuePass, Signal::BarrierRingArrival];
    let signal = CODES[random.number::<usize>(3)];
    let (mut token, mut c_st) = (signal.token().code(), signal.c_st());
    match random.number::<u8>(24) {
        0 => token = Token::P2p.code(),
        1 => c_st = random.number(32),
        2 => token = random.number(8),
        _ => {}
    }
    let mut data = [0_u8; 12];
    for field in signal.fields() {
        for byte in &mut data[field.offset..field.offset + field.bytes] {
            *byte = random.number::<u8>(256);
        }
    }
    match signal {
        Signal::BarrierRingArrival => data[1] &= 7,
        _ => data[4..8].copy_from_slice(&random.number::<u32>(16).to_be_bytes()),
    }
    let mut len = 46;
    let (mut node, mut source) = (random.number::<u8>(256) & mask, random.number::<u8>(256) & mask);
    match random.number::<u8>(16) {
        0..3 => data[random.number::<usize>(12)] ^= 1 << random.number::<u8>(8),
        3 => node ^= 1 << random.number::<u8>(8),
        4 => source ^= 1 << random.number::<u8>(8),
        5 => len ^= 1 << random.number::<u8>(6),
        6 => len = [10, 0, 45, 47, 48, 46 + 1024][random.number::<usize>(6)],
        _ => {}
    }
    let any = random.number::<u32>(1 << 32);
    let mut words = vec![
        u32::from_be_bytes([
            token << 5 | c_st,
            node,
            random.number::<u8>(256),
            random.number::<u8>(256),
        ]),
        any,
        u32::from_be_bytes([random.number::<u8>(256), source, 0, 0]) | len,
        random.number(1 << 32),
    ];
    let bytes = data.chunks(4).map(|b| b.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b)));
    words.extend(bytes);
    words.extend((0..9).map(|_| random.number::<u32>(1 << 32)));
    (token, c_st, words)
}

/// A router between an `rx_sorter` that accepts most messages and a mailbox that is often full; engines that
/// are quick or slow.
#[must_use]
pub fn messages(node_w: u8, seed: u64, cycles: usize) -> Case<EngineRouter> {
    let parameters = sized(node_w);
    let mut random = SplitMix64::new(seed << 8 | u64::from(node_w));
    let mut router = EngineRouter::new(&parameters);
    let mut mailbox = Mailbox::default();
    let mut now = engine_router::Inputs::default();
    let mut inputs = Vec::new();
    let mask = 0xff >> (8 - node_w.min(8));
    let (mut words, mut at, mut full, mut accepted) = (Vec::new(), 0, false, false);
    let (mut rest, mut pace, mut reads) = (5_u32, 1, 10);
    for cycle in 0..cycles {
        if cycle % 512 == 0 {
            pace = [1, 3, 30, 400][random.number::<usize>(4)];
            reads = [4, 40, 400][random.number::<usize>(3)];
        }
        now.rst = cycle < 3 || random.once_in(5000);
        if now.rst {
            (rest, mailbox.0) = (5, 0);
        }
        now.ready = cycle > 60 && !random.once_in(60);
        if random.once_in(200) {
            now.cfg_locks = random.number(1 << 16);
            now.cfg_barriers = random.number::<u8>(256);
            if random.once_in(3) {
                (now.cfg_locks, now.cfg_barriers) =
                    [(0, 255), (0xffff, 0), (0, 0)][random.number::<usize>(3)];
            }
        }
        (now.s_we, now.s_commit) = (false, false);
        now.s_index = random.number(16);
        now.s_data = random.number(1 << 32);
        now.m_full = mailbox.0 == 2;
        if rest > 0 {
            rest -= 1;
            if rest == 0 {
                let (token, c_st, next) = message(&mut random, mask);
                (now.s_token, now.s_c_st, words, at) = (token, c_st, next, 0);
                accepted = !random.once_in(8);
            }
        } else {
            // LOOK and JUDGE, then HEAD and BODY if the message is accepted.
            if at == 0 {
                full = router.outputs(&now).s_full;
            }
            let gap = at > 3 && random.once_in(9);
            now.s_we = !full && !gap && at < words.len().min(16);
            if now.s_we {
                (now.s_index, now.s_data) = (narrow(at), words[at]);
            }
            if !gap {
                at += 1;
            }
            if at >= 2 && (full || !accepted) {
                rest = 1 + random.number::<u32>(6);
            } else if at == 16 {
                now.s_commit = true;
                rest = 1 + random.number::<u32>(4);
            }
        }
        now.l_msg_ready = random.once_in(pace);
        now.b_msg_ready = random.once_in(pace);
        let outputs = router.outputs(&now);
        router.clock(&now);
        mailbox.0 += u8::from(outputs.m_commit);
        if random.once_in(reads) {
            mailbox.0 = mailbox.0.saturating_sub(1);
        }
        inputs.push(now);
    }
    Case::fed(inputs).on(parameters)
}

/// Signals of both engines for `engine_mux`, each offered until it is done; both at once, one alone, and none.
#[must_use]
pub fn offers(seed: u64, cycles: usize) -> Case<EngineMux> {
    let mut random = SplitMix64::new(seed);
    let mut mux = EngineMux::default();
    let mut now = engine_mux::Inputs::default();
    let (mut inputs, mut pace) = (Vec::new(), 1);
    for cycle in 0..cycles {
        if cycle % 128 == 0 {
            pace = [1, 4, 40][random.number::<usize>(3)];
        }
        now.rst = cycle < 3 || random.once_in(2000);
        now.mark = random.number::<u8>(256);
        now.m_done = false;
        let both = random.once_in(4);
        if now.rst {
            (now.l_valid, now.b_valid) = (false, false);
        }
        if !now.rst && !now.l_valid && (both || random.once_in(pace)) {
            now.l_valid = true;
            (now.l_order, now.l_c_st) = (random.number(3), random.number(32));
            (now.l_node_id, now.l_data) = (random.number::<u8>(256), random.below(1 << 63).into());
        }
        if !now.rst && !now.b_valid && (both || random.once_in(pace)) {
            now.b_valid = true;
            (now.b_order, now.b_c_st) = (random.number(3), random.number(32));
            (now.b_node_id, now.b_data) = (random.number::<u8>(256), random.below(1 << 63).into());
        }
        // A signal is done a cycle after it was offered, or later.
        now.m_done = mux.busy_q && mux.outputs(&now).m_valid && random.once_in(5);
        let done = mux.outputs(&now);
        mux.clock(&now);
        inputs.push(now);
        now.l_valid &= !done.l_done;
        now.b_valid &= !done.b_done;
    }
    Case::fed(inputs)
}
