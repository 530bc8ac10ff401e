// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals between processes (DRV-7). checks DRV-7

use awgstar_board::ring::boards::Noise;
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_host::{Choice, DrivenRing, Handle, Program, Setup, Stopped};
use awgstar_request::ProcessSignal;

fn run(setup: &Setup, programs: Vec<Program<'_>>) -> Vec<Result<(), Stopped>> {
    let mut system = DrivenRing::new(Choice::new(), setup).expect("good");
    system.run_programs(Cycle(4_000_000), programs).unwrap_or_else(|e| panic!("{e}"))
}

fn boxed<'a, F>(program: F) -> Program<'a>
where
    F: FnOnce(&mut Handle) -> Result<(), Stopped> + Send + 'a,
{
    Box::new(program)
}

#[test]
fn number_value_and_sender_arrive_in_order() {
    let setup = Setup::new(3, 4);
    let sender = |me: u8| {
        boxed(move |node| {
            node.signal(Some(NodeId(0)), 7, 0x0102_0300 + u32::from(me), Order::Sent)?;
            node.signal(None, 8, u32::from(me), Order::Sent)?;
            let other = node.wait_signal(Some(8), None)?.expect("no limit");
            assert_eq!(
                (other.source, other.to, other.value),
                (NodeId(3 - me), None, (3 - me).into())
            );
            Ok(())
        })
    };
    let receiver = boxed(|node| {
        // By number: those to all came between.
        let mut values = Vec::new();
        for number in [Some(8), Some(8), Some(7), Some(7)] {
            let signal = node.wait_signal(number, None)?.expect("no limit");
            values.push((signal.number, signal.value));
        }
        values.sort_unstable();
        assert_eq!(values, [(7, 0x0102_0301), (7, 0x0102_0302), (8, 1), (8, 2)]);
        Ok(())
    });
    for end in run(&setup, vec![receiver, sender(1), sender(2)]) {
        assert_eq!(end, Ok(()));
    }
}

/// Data written before is there when the signal is, also when frames are lost on the way.
#[test]
fn data_comes_before_its_signal() {
    for (order, rate) in [(Order::Sent, 0), (Order::Confirmed, 0), (Order::Confirmed, 21_000)] {
        let mut setup = Setup::new(4, 4);
        setup.scenario.noise = Noise { rate, seed: 5 };
        let writer = boxed(move |node| {
            for round in 1..=20 {
                for word in 0..8 {
                    node.write(ByteAddress(4 * word), round)?;
                }
                node.signal(None, 1, round, order)?;
                for _ in 0..3 {
                    node.wait_signal(Some(2), None)?;
                }
            }
            Ok(())
        });
        let reader = || {
            boxed(move |node: &mut Handle| {
                for round in 1..=20 {
                    let signal = node.wait_signal(Some(1), None)?.expect("no limit");
                    assert_eq!(signal.value, round);
                    for word in 0..8 {
                        let found = node.read(ByteAddress(4 * word))?;
                        if found != round {
                            return Err(Stopped::Check { expected: round, found });
                        }
                    }
                    node.signal(Some(NodeId(0)), 2, 0, order)?;
                }
                Ok(())
            })
        };
        for end in run(&setup, vec![writer, reader(), reader(), reader()]) {
            assert_eq!(end, Ok(()), "{order:?} {rate}");
        }
    }
}

#[test]
fn a_wait_ends_in_time() {
    let waits = boxed(|node| {
        node.wait(Cycle(1))?;
        let begin = node.cycle();
        assert_eq!(node.wait_signal(None, Some(Cycle(1000)))?, None);
        let took = node.cycle().saturating_sub(begin);
        assert!((1000..1010).contains(&took.0), "{took:?}");
        let found = node.wait_signal(Some(5), Some(Cycle(100_000)))?;
        let expected =
            ProcessSignal { source: NodeId(1), to: Some(NodeId(0)), number: 5, value: 9 };
        assert_eq!(found, Some(expected));
        Ok(())
    });
    let sends = boxed(|node| {
        node.wait(Cycle(5000))?;
        node.signal(Some(NodeId(0)), 5, 9, Order::Sent)
    });
    assert!(run(&Setup::new(2, 4), vec![waits, sends]).iter().all(Result::is_ok));
}

/// A host that looks too seldom loses signals, and is told.
#[test]
fn a_full_mailbox_is_told() {
    let mut setup = Setup::new(4, 4);
    setup.slow = vec![Cycle(20_000)];
    let sends = || {
        boxed(|node: &mut Handle| {
            for value in 0..40 {
                node.signal(Some(NodeId(0)), 1, value, Order::Sent)?;
            }
            Ok(())
        })
    };
    let (mut lost, mut found) = (0, 0);
    let receives = boxed(|node| {
        loop {
            match node.wait_signal(None, Some(Cycle(200_000))) {
                Ok(Some(_)) => found += 1,
                Ok(None) => return Ok(()),
                Err(Stopped::Lost) => lost += 1,
                Err(other) => return Err(other),
            }
        }
    });
    assert!(run(&setup, vec![receives, sends(), sends(), sends()]).iter().all(Result::is_ok));
    assert!(lost > 0 && found > 0 && found < 120, "{lost} {found}");
}
