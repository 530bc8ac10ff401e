// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times of the lock engine (ENG-2) and of its timers (ENG-3).

use crate::adapter::Engine;
use awgstar_board::rtl::lock_engine::Inputs;
use awgstar_frame::contract::{Order, Signal};
use awgstar_frame::quantity::NodeId;
use awgstar_sync::firmware::Message;

fn request(node: u8, lock: u32, tag: u16) -> Message {
    Message {
        node_id: NodeId(node),
        lock_number: lock,
        tag,
        ..Message::new(Signal::LockQueueRequest, NodeId(node))
    }
}

fn pass(to: u8, lock: u32, tag: u16, epoch: u16) -> Message {
    Message {
        node_id: NodeId(to),
        lock_number: lock,
        tag,
        epoch,
        ..Message::new(Signal::LockQueuePass, NodeId(3))
    }
}

fn engine(first: u16) -> Engine {
    Engine::new(2, 1, first, Order::Sent)
}

/// Cycles, with `inputs` offered until `taken`, until `seen` is there. The first cycle is 0.
fn cycles(
    engine: &mut Engine,
    mut inputs: Inputs,
    seen: impl Fn(&awgstar_board::rtl::lock_engine::Outputs) -> bool,
) -> u32 {
    for cycle in 0..100 {
        let now = engine.rtl.outputs(&inputs);
        if seen(&now) {
            return cycle;
        }
        engine.clock(&inputs);
        if now.msg_ready {
            inputs.msg_valid = false;
        }
        if now.cmd_done {
            inputs.cmd_valid = false;
        }
    }
    panic!("not within 100 cycles");
}

fn command(engine: &Engine, release: bool, lock: u8) -> Inputs {
    Inputs { cmd_valid: true, cmd_release: release, cmd_number: lock, ..engine.base }
}

// checks ENG-2
#[test]
fn hand_over_takes_these_cycles() {
    // Release to the pass.
    let mut e = engine(1 << 4);
    assert!(e.command(4, false));
    e.tell(&request(2, 4, 1));
    e.settle();
    let release = command(&e, true, 4);
    assert_eq!(cycles(&mut e, release, |o| o.out_valid), 4);
    // Pass to the process.
    let mut e = engine(0);
    assert!(e.command(4, false));
    e.settle();
    let offer = e.offer(&pass(1, 4, 1, 1));
    assert_eq!(cycles(&mut e.clone(), offer, |o| o.ev_acquired), 2);
    assert_eq!(cycles(&mut e, offer, |o| o.held == 1 << 4), 3);
    // A request to the pass of a free lock.
    let mut e = engine(1 << 4);
    let offer = e.offer(&request(2, 4, 1));
    assert_eq!(cycles(&mut e, offer, |o| o.out_valid), 7);
    // Acquire to the request, and to the process if the lock is here.
    let mut e = engine(1 << 4);
    let acquire = command(&e, false, 4);
    assert_eq!(cycles(&mut e.clone(), acquire, |o| o.held == 1 << 4), 2);
    let acquire = command(&e, false, 5);
    assert_eq!(cycles(&mut e, acquire, |o| o.out_valid), 3);
}

/// splitmix64
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ z >> 31) % n
    }

    fn byte(&mut self, n: u64) -> u8 {
        self.below(n).to_le_bytes()[0]
    }
}

/// Commands, returns and ticks in every cycle, and messages at every distance from them: a message is
/// done with, and the next one could be taken, within 14 cycles of its first. The longest kind is reached.
// checks ENG-2
#[test]
fn message_is_done_with_in_time() {
    let mut random = Random(7);
    let (mut worst, mut served) = (0, 0);
    for round in 0..400 {
        let mut e = engine(random.below(1 << 16).to_le_bytes()[0].into());
        let mut tag = 0;
        for _ in 0..200 {
            tag += 1;
            let (lock, node) = (random.below(4), random.byte(4));
            let own = e.rtl.tags[usize::try_from(lock).unwrap()];
            let epoch = e.rtl.epochs[usize::try_from(lock).unwrap()];
            let lock = u32::try_from(lock).unwrap();
            let message = match random.below(4) {
                0 => pass(1, lock, own, epoch + 1),
                1 => pass(1, lock, tag, epoch + 1),
                2 => pass(node, lock, tag, epoch),
                _ => request(node, lock, tag),
            };
            let gap = random.below(9);
            let mut offered: Option<(u64, bool)> = None;
            for cycle in 0_u64.. {
                let number = random.byte(4);
                let release = e.rtl.held_q >> number & 1 != 0;
                let busy = Inputs {
                    out_done: round % 3 > 0,
                    tick: round % 2 > 0,
                    ..command(&e, release, number)
                };
                let mut inputs = busy;
                if cycle >= gap && offered.is_none_or(|(_, taken)| !taken) {
                    let m = e.offer(&message);
                    inputs = Inputs {
                        cmd_valid: inputs.cmd_valid,
                        cmd_release: release,
                        cmd_number: number,
                        out_done: busy.out_done,
                        tick: busy.tick,
                        ..m
                    };
                    offered = offered.or(Some((cycle, false)));
                }
                let o = e.rtl.outputs(&inputs);
                if let Some((since, taken)) = offered {
                    if taken && o.msg_ready {
                        let took = cycle - since;
                        worst = worst.max(took);
                        assert!(took <= 14, "{took} cycles: {message:?}");
                        break;
                    }
                    served += u64::from(!taken && o.msg_ready);
                    offered = Some((since, taken || o.msg_ready));
                }
                e.clock(&inputs);
            }
        }
    }
    println!("{served} messages, at most {worst} cycles");
    // A release with its hand-over, sent at once, then a request that is served at once.
    assert_eq!(worst, 9);
}

/// A timer ends with the second tick behind its start, not with the first.
// checks ENG-3
#[test]
fn timers_end_after_one_to_two_periods() {
    let tick = |e: &mut Engine| {
        let inputs = Inputs { tick: true, ..e.base };
        e.clock(&inputs);
        e.settle();
    };
    let out = |e: &Engine| e.sends().map(|(m, _)| m.signal);
    let mut e = engine(1);
    assert!(e.command(3, false));
    e.settle();
    for _ in 0..3 {
        assert_eq!(out(&e), Some(Signal::LockQueueRequest));
        e.returned();
        e.settle();
        assert_eq!(out(&e), None);
        tick(&mut e);
        assert_eq!(out(&e), None);
        tick(&mut e);
    }
    // Started anew between two ticks: by a request that comes again.
    let mut e = engine(1);
    e.tell(&request(2, 0, 1));
    e.settle();
    let again = |e: &mut Engine| {
        e.tell(&request(2, 0, 1));
        e.settle();
    };
    for _ in 0..3 {
        assert_eq!(out(&e), Some(Signal::LockQueuePass));
        tick(&mut e);
        again(&mut e);
        tick(&mut e);
        assert_eq!(e.runs(0), [false, true]);
        // Twice put in while it waits, once sent; its return stops the timer.
        e.returned();
        e.settle();
        assert_eq!(out(&e), Some(Signal::LockQueuePass));
        e.returned();
        e.settle();
        assert_eq!((out(&e), e.runs(0)), (None, [false, false]));
        for _ in 0..3 {
            tick(&mut e);
            assert_eq!(out(&e), None);
        }
        again(&mut e);
    }
}
