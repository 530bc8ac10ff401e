// SPDX-License-Identifier: MIT OR Apache-2.0
//! The act `signal`: a signal of the contract by its name, or one of any content by its token.

use crate::scenario::act::Planned;
use crate::scenario::file::{Act, Table};
use crate::scenario::source::Result;
use crate::scenario::timeline::Timeline;
use awgstar::{
    contract::{Signal, Token},
    ring::Outgoing,
};
use awgstar_stimulus::echo::shown;
use std::collections::BTreeSet;
use toml::Spanned;

/// Who can get a signal.
pub(super) struct Receivers {
    pub(super) node_ids: BTreeSet<u8>,
    /// Groups with a member: bit g is group g.
    pub(super) groups: u16,
}

/// The signal of an act, which may have one of `tokens` and at most `most` bytes.
pub(super) fn signal(
    time: &mut Timeline,
    Planned { act, place, .. }: &Planned,
    tokens: &[Token],
    most: usize,
    receivers: &Receivers,
) -> Result<Outgoing> {
    let source = time.source;
    let kind = source.need("do.signal", act.signal.as_ref(), place)?;
    let name = kind.get_ref().as_str();
    let frame = if let Some(token) = tokens.iter().find(|token| token.name() == name) {
        by_token(time, act, *token)?
    } else if let Some(signal) = Signal::ALL.iter().find(|signal| signal.name() == name) {
        named(time, act, *signal)?
    } else {
        let tokens: Vec<&str> = tokens.iter().map(|token| token.name()).collect();
        let names: Vec<&str> = Signal::ALL.iter().map(|signal| signal.name()).collect();
        let (found, tokens, names) = (shown(name), tokens.join(", "), names.join(", "));
        let what = format!("do.signal is `{found}`: expected {tokens} or one of {names}");
        return Err(source.error(&kind.span(), what));
    };
    if frame.data.len() > most {
        let place = act.hex.as_ref().or(act.text.as_ref()).unwrap_or(kind).span();
        let what = format!("do.signal has {} bytes: expected at most {most}", frame.data.len());
        return Err(source.error(&place, what));
    }
    let (node_id, multi_g) = destination(time, act, kind, frame.token, receivers)?;
    Ok(Outgoing { node_id, multi_g, ..frame })
}

/// The values that signals of the contract have.
fn values(act: &Act) -> impl Iterator<Item = (&'static str, &Spanned<i64>)> {
    let all = [
        ("send_node", &act.send_node),
        ("tag", &act.tag),
        ("lock_number", &act.lock_number),
        ("page_number", &act.page_number),
        ("epoch", &act.epoch),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)))
}

fn named(time: &Timeline, act: &Act, signal: Signal) -> Result<Outgoing> {
    let (source, name) = (time.source, signal.name());
    for (key, span) in act.keys() {
        if ["c_st", "hex", "text"].contains(&key) {
            return Err(source.error(&span, format!("do.{key} does not go with signal {name}")));
        }
    }
    let end = signal.fields().iter().map(|f| f.offset + f.bytes).max();
    let mut data = vec![0; end.unwrap_or(0).max(8)];
    for (field, value) in values(act) {
        let place = signal.fields().iter().find(|f| f.name == field);
        let place =
            place.ok_or_else(|| source.error(&value.span(), format!("{name} has no {field}")))?;
        let max = (1i64 << (8 * place.bytes)) - 1;
        let value: u64 = source.between(&format!("do.{field}"), value, 0, max)?;
        let bytes = value.to_be_bytes();
        data[place.offset..place.offset + place.bytes]
            .copy_from_slice(&bytes[bytes.len() - place.bytes..]);
    }
    Ok(Outgoing { c_st: signal.c_st(), ..Outgoing::new(signal.token(), data) })
}

fn by_token(time: &Timeline, act: &Act, token: Token) -> Result<Outgoing> {
    let source = time.source;
    if let Some((field, value)) = values(act).next() {
        let what = format!("do.{field} goes with a signal by its name; write its bytes in hex");
        return Err(source.error(&value.span(), what));
    }
    let data = match (&act.hex, &act.text) {
        (Some(_), Some(text)) => {
            return Err(source.error(&text.span(), "do.text: expected one of hex and text"));
        }
        (Some(hex), None) => source.hex("do.hex", hex)?,
        (None, text) => text.as_ref().map_or(Vec::new(), |t| t.get_ref().clone().into_bytes()),
    };
    let c_st = source.number("do.c_st", &act.c_st, 0)?;
    Ok(Outgoing { c_st, ..Outgoing::new(token, data) })
}

/// `Node_ID` and `Multi_G`, with a warning if no node of the ring has them.
fn destination(
    time: &mut Timeline,
    act: &Act,
    kind: &Spanned<String>,
    token: Token,
    receivers: &Receivers,
) -> Result<(u8, u8)> {
    let source = time.source;
    let missing = match token {
        Token::P2p if act.to.is_none() => Some("to"),
        Token::Multicast if act.group.is_none() => Some("group"),
        _ => None,
    };
    if let Some(key) = missing {
        let what = format!("do: a {} signal needs {key}: expected a number", token.name());
        return Err(source.error(&kind.span(), what));
    }
    let node_id = source.number("do.to", &act.to, 0)?;
    let multi_g = source.number("do.group", &act.group, 0)?;
    match (token, &act.to, &act.group) {
        (Token::P2p, Some(to), _) if !receivers.node_ids.contains(&node_id) => {
            time.warn(&to.span(), format!("do.to is {node_id}: no node has this Node_ID"));
        }
        (Token::Multicast, _, Some(group)) if receivers.groups >> multi_g & 1 == 0 => {
            time.warn(&group.span(), format!("do.group is {multi_g}: no node is in this group"));
        }
        _ => {}
    }
    Ok((node_id, multi_g))
}
