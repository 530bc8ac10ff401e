//! What a signal carries: one of the thesis by its name, or any by its token.

use super::{
    random::outgoing,
    source::{Result, Source},
};
use awgstar::{
    contract::{Signal as Named, Token, limits::DATA_MAX},
    ring::Outgoing,
};
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
            format!("no signal `{}`: expected one of {}", name.get_ref(), names.join(", ")),
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
                format!("signal.token is `{}`: expected {KINDS}", token.get_ref()),
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
