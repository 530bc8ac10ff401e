// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of the host port and the interrupt. Checks HST-2, HST-3, HST-5, HST-7, IRQ-1.

use super::bench::{finish, get, last, read, settle, up};
use super::seeded::seeded;
use awgstar_board::ring::boards::{WINDOW, register, send_signal};
use awgstar_board::ring::{BoardRing, BoardScenario, HostOp, Outcome};
use awgstar_board::rtl::{HostRegs, host_regs};
use awgstar_frame::contract::board::{
    self, Access, CONTROL, GROUPS, IRQ_ENABLE, IRQ_STATUS, MAIL_DATA, MAIL_POP, NODE_ID,
    PREFIX_HIGH, PREFIX_LOW, REGISTERS, SIGNAL_SEND, TIMEOUT,
};
use awgstar_frame::contract::{Interrupt, Order, Token};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use proptest::prelude::*;

/// A board after reset that no host has touched.
fn fresh() -> BoardRing {
    let mut ring = BoardRing::new(&BoardScenario::new(1)).expect("good");
    ring.run_until(Cycle(400));
    ring
}

fn write(ring: &mut BoardRing, addr: ByteAddress, data: u32, strobe: u8) -> Outcome {
    ring.push(0, [HostOp::Write { addr, data, strobe }]).expect("good");
    finish(ring, 100_000);
    last(ring, 0, 1)[0].outcome
}

/// HST-3: a read of any address gives what the map says, or SLVERR and 0.
#[test]
fn every_address_is_read() {
    let mut ring = fresh();
    for addr in (0..0x1000).step_by(4).chain([0x8000, 0x4000_0000, 0x7fff_fffc]).map(ByteAddress) {
        let of = |r: &&board::Register| (r.offset..r.offset + 4 * r.count).contains(&addr);
        let expected = match REGISTERS.iter().find(of) {
            Some(r) if r.access.reads() && r.offset != MAIL_DATA.offset => (r.reset, Outcome::Done),
            _ => (0, Outcome::Refused),
        };
        let (data, outcome) = read(&mut ring, 0, addr);
        assert_eq!(outcome, expected.1, "{addr:#x}");
        // Counters of the node count from the start.
        if addr < board::COUNT.offset || outcome == Outcome::Refused {
            assert_eq!(data, expected.0, "{addr:#x}");
        }
        // Bits 1 and 0 are not looked at.
        assert_eq!(read(&mut ring, 0, addr | 3).1, outcome, "{addr:#x}");
    }
}

/// HST-3: what can be written reads back, unused bits as 0; anything less than a whole word is refused
/// and changes nothing.
#[test]
fn every_register_is_written() {
    for r in
        REGISTERS.iter().filter(|r| matches!(r.access, Access::Rw | Access::Config | Access::W1s))
    {
        let mut ring = fresh();
        let used = if r.fields.is_empty() {
            !0
        } else {
            r.fields.iter().fold(0u32, |m, f| m | (!0 >> (32 - f.bits)) << f.bit)
        };
        for strobe in 0..15 {
            assert_eq!(write(&mut ring, r.offset, !0, strobe), Outcome::Refused, "{}", r.name);
        }
        assert_eq!(get(&mut ring, 0, r), r.reset, "{}", r.name);
        for value in [0x5a5a_5a5a, !0] {
            assert_eq!(write(&mut ring, r.offset, value, 15), Outcome::Done, "{}", r.name);
            let sticky = if r.offset == CONTROL.offset { value & 1 } else { value & used };
            assert_eq!(get(&mut ring, 0, r), sticky, "{}", r.name);
        }
    }
    for r in REGISTERS.iter().filter(|r| r.access == Access::Ro) {
        assert_eq!(write(&mut fresh(), r.offset, 0, 15), Outcome::Refused, "{}", r.name);
    }
}

/// HST-3, HST-5: prefix, Node_ID and groups stay when the board is enabled; MAC is made of them.
#[test]
fn configuration_is_fixed_when_enabled() {
    let mut ring = fresh();
    for (r, value) in [(&PREFIX_HIGH, 0x12), (&PREFIX_LOW, 0x3456_789a), (&NODE_ID, 0xbc)] {
        assert_eq!(write(&mut ring, r.offset, value, 15), Outcome::Done);
    }
    assert_eq!(write(&mut ring, CONTROL.offset, 1, 15), Outcome::Done);
    for r in [&PREFIX_HIGH, &PREFIX_LOW, &NODE_ID, &GROUPS] {
        assert_eq!(write(&mut ring, r.offset, 0x77, 15), Outcome::Refused, "{}", r.name);
    }
    assert_eq!(write(&mut ring, TIMEOUT.offset, 0x77, 15), Outcome::Done);
    assert_eq!(write(&mut ring, CONTROL.offset, 0, 15), Outcome::Done);
    assert_eq!(get(&mut ring, 0, &CONTROL), 1, "it stays until reset");
    let i = host_regs::Inputs::default();
    assert_eq!(ring.board(0).u_regs.outputs(&i).cfg_mac, 0x1234_5678_9abc);
}

/// HST-3: a signal needs a TOKEN of a signal, an order and up to 46 bytes; a mailbox needs a message.
#[test]
fn what_is_refused() {
    let mut ring = up(&BoardScenario::new(2), 1);
    let send = |ring: &mut BoardRing, token: u32, len: u32, order: u32| {
        write(ring, SIGNAL_SEND.offset, token | len << 20 | order << 26, 15)
    };
    for token in 0..8 {
        let expected = if (3..=5).contains(&token) { Outcome::Done } else { Outcome::Refused };
        assert_eq!(send(&mut ring, token, 3, 0), expected, "TOKEN {token}");
        settle(&mut ring, 20_000);
    }
    for (len, order, expected) in
        [(46, 2, Outcome::Done), (47, 0, Outcome::Refused), (1, 3, Outcome::Refused)]
    {
        assert_eq!(send(&mut ring, 5, len, order), expected, "{len} {order}");
        settle(&mut ring, 20_000);
    }
    assert_eq!(write(&mut ring, MAIL_POP.offset, 0, 15), Outcome::Refused);
    assert_eq!(read(&mut ring, 0, MAIL_DATA.offset).1, Outcome::Refused);
    assert_eq!(write(&mut ring, WINDOW + 0x4000, 0, 15), Outcome::Refused, "HST-4");
    assert_eq!(read(&mut ring, 0, WINDOW + 0x4000).1, Outcome::Refused, "HST-4");
    assert_eq!(read(&mut ring, 0, WINDOW + 0x3ffc).1, Outcome::Done);
    assert_eq!(read(&mut ring, 0, WINDOW + 0x4000_0000).1, Outcome::Refused);
}

/// IRQ-1, RCV-5: a message raises `irq` when it can be read, not before; writing 1 clears its bit.
#[test]
fn a_message_interrupts() {
    let mut ring = up(&BoardScenario::new(2), 1);
    let mail = 1 << Interrupt::Mail.code();
    ring.push(1, [register(&IRQ_STATUS, !0), register(&IRQ_ENABLE, mail)]).expect("good");
    finish(&mut ring, 100);
    ring.push(0, send_signal(Token::P2p, 1, NodeId(1), Order::None, &[1])).expect("good");
    let mut raised = None;
    for _ in 0..2_000 {
        ring.step_observed(&mut |i, board, _, o| {
            if i == 1 && o.irq {
                assert_eq!(board.u_mailbox.outputs().count, 1, "irq before the message");
                raised = Some(());
            }
        });
    }
    assert!(raised.is_some());
    assert_eq!(get(&mut ring, 1, &IRQ_STATUS) & mail, mail);
    ring.push(1, [register(&IRQ_STATUS, mail)]).expect("good");
    ring.run_until(ring.cycle() + Cycle(10));
    assert_eq!(get(&mut ring, 1, &IRQ_STATUS) & mail, 0);
    assert!(!ring.board(1).u_regs.irq_q);
    let done = 1 << Interrupt::SignalDone.code();
    assert_eq!(get(&mut ring, 0, &IRQ_STATUS) & done, done);
}

proptest! {
    #![proptest_config(seeded(256))]

    /// IRQ-1: any events and any clearing: a bit is set by its event, in whatever cycle, and stays until 1 is
    /// written to it; `irq` follows a cycle later.
    #[test]
    fn events_stay(steps in prop::collection::vec((0u16..512, 0u8..4, 0u32..512), 1..200), mask in 0u32..512) {
        let mut regs = HostRegs::default();
        regs.clock(&host_regs::Inputs { rst: true, ..Default::default() });
        let access = |addr: u32, data| host_regs::Inputs {
            reg_valid: true, reg_write: true, reg_addr: addr, reg_wdata: data, reg_wstrb: 15, ..Default::default()
        };
        regs.clock(&access(IRQ_ENABLE.offset.0, mask));
        regs.clock(&access(IRQ_ENABLE.offset.0, mask));
        let mut status = 0u16;
        for (events, write, data) in steps {
            let sparse = (events & (events >> 1)) & 0x155;
            let clears = write == 0;
            let acts = clears && regs.state_q == host_regs::IDLE;
            let mut i = if clears { access(IRQ_STATUS.offset.0, data) } else { host_regs::Inputs::default() };
            i.events = sparse;
            let irq = u32::from(status) & mask != 0;
            if acts {
                status &= !u16::try_from(data).expect("9 bits");
            }
            status |= sparse;
            regs.clock(&i);
            prop_assert_eq!(regs.status_q, status);
            prop_assert_eq!(regs.irq_q, irq);
        }
    }
}
