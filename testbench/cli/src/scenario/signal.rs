//! What a signal carries: one of the thesis by its name, or any by its token.

use crate::place::FileError;
use crate::scenario::random::outgoing;
use crate::scenario::source::{Result, Source};
use awgstar::{
    contract::{Signal as Named, Token, limits::DATA_MAX},
    ring::Outgoing,
};
use awgstar_stimulus::echo::shown;
use std::{collections::BTreeSet, ops::Range};
use toml::Spanned;

/// Kinds that hosts of a node may send.
pub(super) const KINDS: &str = "\"p2p\", \"multicast\", \"broadcast\" or \"control\"";

/// The keys that say what is in it.
pub(super) struct Content<'a> {
    /// Only by token.
    pub(super) c_st: Option<&'a Spanned<i64>>,
    /// Only by token.
    pub(super) hex: Option<&'a Spanned<String>>,
    /// Only by name: values of the thesis' signals.
    pub(super) values: [(&'static str, Option<&'a Spanned<i64>>); 5],
}

/// Who can get a signal.
pub(super) struct Receivers {
    pub(super) node_ids: BTreeSet<u8>,
    /// Groups with a member: bit g is group g.
    pub(super) groups: u16,
}

/// The keys that say for whom a signal is.
pub(super) struct Destination<'a> {
    /// The table they are in, for messages.
    pub(super) table: &'static str,
    pub(super) to: Option<&'a Spanned<i64>>,
    pub(super) group: Option<&'a Spanned<i64>>,
    /// Where a key is missing.
    pub(super) place: Range<usize>,
}

impl Destination<'_> {
    /// `Node_ID` and `Multi_G` of a signal of this kind, and a warning if it is for none of
    /// `receivers`.
    pub(super) fn check(
        &self,
        source: &Source,
        token: Token,
        receivers: &Receivers,
    ) -> Result<(u8, u8, Option<FileError>)> {
        let Destination { table, to, group, place } = self;
        let missing = |key: &str| {
            let what = format!("{table}: a {} signal needs {key}: expected a number", token.name());
            Err(source.error(place, what))
        };
        match (token, to, group) {
            (Token::P2p, None, _) => return missing("to"),
            (Token::Multicast, _, None) => return missing("group"),
            _ => {}
        }
        let node_id = source.optional(&format!("{table}.to"), *to, 255)?;
        let multi_g = source.optional(&format!("{table}.group"), *group, 15)?;
        let warning = match (token, to, group) {
            (Token::P2p, Some(to), _) if !receivers.node_ids.contains(&node_id) => {
                Some((to.span(), format!("{table}.to is {node_id}: no node has this Node_ID")))
            }
            (Token::Multicast, _, Some(group)) if receivers.groups >> multi_g & 1 == 0 => Some((
                group.span(),
                format!("{table}.group is {multi_g}: no node is in this group"),
            )),
            _ => None,
        };
        Ok((node_id, multi_g, warning.map(|(span, what)| source.error(&span, what))))
    }
}

/// The signal of this name.
pub(super) fn named(
    source: &Source,
    content: &Content,
    name: &Spanned<String>,
) -> Result<Outgoing> {
    let kind = Named::ALL.iter().find(|s| s.name() == name.get_ref()).ok_or_else(|| {
        let names: Vec<&str> = Named::ALL.iter().map(|s| s.name()).collect();
        source.error(
            &name.span(),
            format!("no signal `{}`: expected one of {}", shown(name.get_ref()), names.join(", ")),
        )
    })?;
    for (field, span) in [
        ("signal.c_st", content.c_st.map(Spanned::span)),
        ("signal.hex", content.hex.map(Spanned::span)),
    ] {
        if let Some(span) = span {
            return Err(source.error(&span, format!("{field} does not go with signal.name")));
        }
    }
    let end = kind.fields().iter().map(|f| f.offset + f.bytes).max();
    let mut data = vec![0; end.unwrap_or(0).max(8)];
    for (field, value) in content.values {
        let Some(value) = value else { continue };
        let place = kind.fields().iter().find(|f| f.name == field).ok_or_else(|| {
            source.error(&value.span(), format!("{} has no {field}", kind.name()))
        })?;
        let max = (1i64 << (8 * place.bytes)) - 1;
        let value: u64 = source.within(&format!("signal.{field}"), value, 0, max)?;
        let bytes = value.to_be_bytes();
        data[place.offset..place.offset + place.bytes]
            .copy_from_slice(&bytes[bytes.len() - place.bytes..]);
    }
    Ok(Outgoing { c_st: kind.c_st(), ..outgoing(kind.token(), data) })
}

/// A signal of this token.
pub(super) fn by_token(
    source: &Source,
    content: &Content,
    token: &Spanned<String>,
) -> Result<Outgoing> {
    let kind = Token::ALL
        .into_iter()
        .filter(|t| !matches!(t, Token::Free | Token::Data))
        .find(|t| t.name() == token.get_ref())
        .ok_or_else(|| {
            source.error(
                &token.span(),
                format!("signal.token is `{}`: expected {KINDS}", shown(token.get_ref())),
            )
        })?;
    for (field, value) in content.values {
        if let Some(value) = value {
            let what = format!("signal.{field} goes with signal.name only; say its bytes in hex");
            return Err(source.error(&value.span(), what));
        }
    }
    let data = content.hex.map_or(Ok(Vec::new()), |h| source.hex("signal.hex", h))?;
    if data.len() > DATA_MAX {
        let span = content.hex.map_or(0..0, Spanned::span);
        let what = format!("signal has {} bytes: expected at most {DATA_MAX}", data.len());
        return Err(source.error(&span, what));
    }
    let c_st = source.optional("signal.c_st", content.c_st, 31)?;
    Ok(Outgoing { c_st, ..outgoing(kind, data) })
}
