// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames on the link: link control, free tokens, data and signals, by the cycle in which they begin.

use super::script::Script;
use super::tree::{Result, Table};
use crate::board::stimulus::BoardFrame;
use crate::echo;
use awgstar::contract::{Signal, SignalField, Token, board::CONTROLS, limits};
use awgstar::quantity::narrow;

/// Bytes of Data in which the firmware's signals have their values.
pub(super) const VALUES: usize = 10;

/// A frame of a story's `link`.
pub(super) fn frame(script: &mut Script, t: &Table) -> Result<()> {
    let frame = one(script, t)?;
    let range = script.next_frame();
    let at = t.number("at")?.unwrap_or(*range.start());
    if !range.contains(&at) {
        let (first, last) = range.into_inner();
        let what = format!("`at` is {at}: expected {first} to {last}, after the frame before");
        return Err(t.wrong(what));
    }
    script.put(at, frame);
    Ok(())
}

fn one(script: &Script, t: &Table) -> Result<BoardFrame> {
    let kinds: Vec<&str> = ["data", "signal", "echo", "token"]
        .into_iter()
        .chain(CONTROLS.iter().map(|control| control.name))
        .collect();
    let kind = t.one_of(&kinds)?;
    let frame = match kind {
        Some("data") => {
            let frame = from(t.needed("from")?, Token::Data);
            BoardFrame { addr: t.needed("data")?, ..frame }
        }
        Some("signal") => return signal(t, t.needed("from")?),
        Some("echo") => BoardFrame { len: t.needed("echo")?, ..from(script.node(), Token::Data) },
        Some("token") => from(t.needed("token")?, Token::Free),
        kind => {
            let control = CONTROLS.iter().find(|control| Some(control.name) == kind);
            let Some(control) = control else {
                return Err(t.wrong(format!("expected one of {}", kinds.join(", "))));
            };
            BoardFrame { c_st: control.c_st, ..from(t.needed(control.name)?, Token::Control) }
        }
    };
    common(t, frame)
}

/// A frame of this board; Node_ID is its own.
fn from(source: u8, token: Token) -> BoardFrame {
    BoardFrame { source, node_id: source, token: token.code(), ..BoardFrame::default() }
}

/// A signal of the contract by its name, or any by its token and C.ST.
pub(super) fn signal(t: &Table, source: u8) -> Result<BoardFrame> {
    let tokens = Token::ALL.into_iter().filter(|token| token.is_signal());
    let tokens = tokens.map(|token| (token.name(), (token, None)));
    let signals = Signal::ALL.iter().map(|one| (one.name(), (one.token(), Some(*one))));
    let (token, signal) = t.choice("signal", t.value("signal")?, tokens.chain(signals))?;
    let frame = match signal {
        None => BoardFrame { c_st: t.number_or_0("c_st")?, ..from(source, token) },
        Some(signal) if t.has("first") || t.has("bytes") => {
            BoardFrame { c_st: signal.c_st(), ..from(source, token) }
        }
        Some(signal) => message(source, signal, &values(t, signal.fields())?),
    };
    common(t, frame)
}

/// Values of the fields of a signal that are there.
fn values(t: &Table, fields: &[SignalField]) -> Result<Vec<(&'static str, u32)>> {
    let mut all = Vec::new();
    for field in fields {
        let Some(value) = t.get(field.name) else { continue };
        let number = t.as_number::<u32>(field.name, value)?;
        if u64::from(number) >> (8 * field.bytes) != 0 {
            let expected = format!("a number of {} bytes", field.bytes);
            return Err(t.unexpected(field.name, value, expected));
        }
        all.push((field.name, number));
    }
    Ok(all)
}

/// A signal of node `source` with these values, big-endian; the others are 0. Node_ID is that of its source.
pub(in crate::vectors) fn message(
    source: u8,
    signal: Signal,
    values: &[(&str, u32)],
) -> BoardFrame {
    let mut bytes = vec![0; VALUES];
    for field in signal.fields() {
        let number = values.iter().find(|(name, _)| *name == field.name).map_or(0, |(_, n)| *n);
        let all = number.to_be_bytes();
        let own = &all[all.len() - field.bytes..];
        bytes[field.offset..field.offset + field.bytes].copy_from_slice(own);
    }
    let len = narrow(bytes.len());
    BoardFrame { c_st: signal.c_st(), len, bytes, ..from(source, signal.token()) }
}

/// What any frame can have.
fn common(t: &Table, frame: BoardFrame) -> Result<BoardFrame> {
    let mut frame = BoardFrame {
        node_id: t.number("to")?.unwrap_or(frame.node_id),
        multi_g: t.number_or_0("group")?,
        addr: t.number("addr")?.unwrap_or(frame.addr),
        skip: t.number_or_0("skip")?,
        flip: t.number("flip")?,
        monitor: t.flag("m")?,
        salt: t.number_or_0("first")?,
        ..frame
    };
    if let Some(value) = t.get("bytes") {
        let digits = t.as_text("bytes", value)?.replace(' ', "");
        frame.bytes = echo::hex(&digits).map_err(|what| t.at(value, format!("`bytes`: {what}")))?;
        if frame.bytes.len() > limits::DATA_MAX {
            let (found, most) = (frame.bytes.len(), limits::DATA_MAX);
            return Err(t.at(value, format!("`bytes` has {found} bytes: expected {most} at most")));
        }
        frame.len = narrow(frame.bytes.len());
    }
    frame.len = t.number("len")?.unwrap_or(frame.len);
    Ok(frame)
}
