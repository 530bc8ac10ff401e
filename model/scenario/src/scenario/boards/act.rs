// SPDX-License-Identifier: MIT OR Apache-2.0
//! Acts of hosts that access their boards.

use crate::run::boards::Act as BoardAct;
use crate::scenario::act::{Planned, address, order, payload};
use crate::scenario::file::{Act, Table};
use crate::scenario::signal::{Receivers, signal};
use crate::scenario::source::{Result, Source};
use crate::scenario::timeline::Timeline;
use awgstar::contract::{
    Interrupt, Order, Token,
    board::{REGISTERS, SIGNAL_MAX},
};
use awgstar::quantity::{ByteAddress, Cycle, narrow};
use toml::Spanned;

/// How long a host waits when the file does not say, in cycles.
const LIMIT: u64 = 100_000;
/// What a host can wait for, besides an interrupt.
pub(in crate::scenario) const STATES: [&str; 4] =
    ["synced", "acknowledged", "signals_back", "visible"];
/// Signals that a host may send.
const TOKENS: [Token; 3] = [Token::P2p, Token::Multicast, Token::Broadcast];

/// An act of the host of a board.
pub(super) fn act(
    time: &mut Timeline,
    planned: &Planned,
    board: usize,
    receivers: &Receivers,
    memory: usize,
) -> Result<BoardAct> {
    let size: i64 = narrow(memory);
    let source = time.source;
    let act = planned.act;
    let act = match act {
        Act { write: Some(addr), .. } => {
            let (addr, bytes) = content(source, planned, ("do.write", addr), board, memory)?;
            BoardAct::write(addr, &bytes)
        }
        Act { read: Some(addr), .. } => {
            let len = act.bytes.as_ref().map(|len| source.between("do.bytes", len, 1, size));
            let len: u32 = len.transpose()?.unwrap_or(4);
            let place = ("do.read", addr);
            BoardAct::read(address(source, place, act, board, len as usize, size)?, len)
        }
        Act { register: Some(name), .. } => {
            let all = REGISTERS.iter().map(|register| (register.name, register));
            let register = source.choice("do.register", name, all)?;
            BoardAct::register(register, source.maybe("do.value", &act.value)?)
        }
        Act { compute: Some(cycles), .. } => {
            BoardAct::wait(Cycle(source.within("do.compute", cycles)?))
        }
        Act { until: Some(what), .. } => until(source, planned, what, memory)?,
        Act { receive: Some(count), .. } => {
            BoardAct::receive(source.within("do.receive", count)?, limit(source, act)?)
        }
        Act { flush: Some(_), .. } => {
            source.yes("do.flush", act.flush.as_ref())?;
            BoardAct::flush()
        }
        _ => {
            let frame = signal(time, planned, &TOKENS, SIGNAL_MAX, receivers)?;
            let order = act.order.as_ref().map(|o| order(source, "do.order", o)).transpose()?;
            let (codes, place) = ((frame.token, frame.c_st), (frame.node_id, frame.multi_g));
            BoardAct::signal(codes, place, order.unwrap_or(Order::None), &frame.data)
        }
    };
    Ok(BoardAct { at: Cycle(planned.at), ..act })
}

fn limit(source: &Source, act: &Act) -> Result<Cycle> {
    source.number("do.limit", &act.limit, LIMIT).map(Cycle)
}

/// Bytes of an act and their address.
fn content(
    source: &Source,
    Planned { act, place, .. }: &Planned,
    (field, addr): (&str, &Spanned<i64>),
    board: usize,
    memory: usize,
) -> Result<(ByteAddress, Vec<u8>)> {
    let seed = addr.get_ref().unsigned_abs();
    let bytes = payload(source, act, place, seed, memory, u32::to_le_bytes)?;
    Ok((address(source, (field, addr), act, board, bytes.len(), narrow(memory))?, bytes))
}

/// Waits for something.
fn until(
    source: &Source,
    planned: &Planned,
    what: &Spanned<String>,
    memory: usize,
) -> Result<BoardAct> {
    let name = what.get_ref().as_str();
    let limit = limit(source, planned.act)?;
    if name == "visible" {
        let addr = planned.act.addr.as_ref();
        let addr =
            addr.ok_or_else(|| source.error(&what.span(), "do.until: `visible` needs addr"))?;
        let (addr, bytes) = content(source, planned, ("do.addr", addr), 0, memory)?;
        return Ok(BoardAct::until_visible(addr, &bytes, limit));
    }
    for (key, place) in planned.act.keys() {
        if !["at", "until", "limit"].contains(&key) {
            return Err(source.error(&place, format!("{key} goes with until = \"visible\" only")));
        }
    }
    let states = STATES.map(|state| (state, None));
    let events = Interrupt::ALL.iter().map(|event| (event.name(), Some(*event)));
    let event = source.choice("do.until", what, states.into_iter().chain(events))?;
    Ok(match (name, event) {
        (_, Some(event)) => BoardAct::until_interrupt(event, limit),
        ("synced", _) => BoardAct::until_synced(limit),
        ("acknowledged", _) => BoardAct::until_acknowledged(limit),
        _ => BoardAct::until_signals_back(limit),
    })
}
