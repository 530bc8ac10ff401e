// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table `[[fault]]`: the link, when, and what happens to the frames.

use crate::place::FileError;
use crate::place::missed;
use crate::scenario::file::{Fault, Table};
use crate::scenario::source::Result;
use crate::scenario::timeline::Timeline;
use awgstar::quantity::narrow;
use awgstar::ring::FaultKind;
use toml::Spanned;

/// Which frames a fault meets.
pub(super) enum When {
    /// The one with this number.
    Frame(u64),
    /// Those from this time on.
    From(u64),
}

/// A fault, and the warning if it meets no frame.
pub(super) struct Checked<'a> {
    pub(super) keys: &'a Fault,
    pub(super) link: usize,
    pub(super) when: When,
    pub(super) kind: FaultKind,
    pub(super) missed: FileError,
}

/// What a system supports.
pub(super) struct Supported {
    pub(super) system: &'static str,
    pub(super) when: &'static str,
    pub(super) what: &'static str,
}

/// Every kind of fault of a frame.
pub(super) const KINDS: &str = "bit words lose twice";

/// A fault of a ring with `links` links.
pub(super) fn fault<'a>(
    time: &mut Timeline,
    spanned: &'a Spanned<Fault>,
    links: usize,
    supported: &Supported,
) -> Result<Checked<'a>> {
    let source = time.source;
    let (keys, place) = (spanned.get_ref(), spanned.span());
    let Supported { system, when, what } = supported;
    let filters = if when.contains(' ') { " kind source times" } else { "" };
    let ring = if source.ring.is_some() { " ring" } else { "" };
    let known = format!("link {when}{filters} {what}{ring}");
    source.only(keys, &known, &format!("fault: system \"{system}\""))?;
    let link = source.need("fault.link", keys.link.as_ref(), &place)?;
    let at = link.span();
    let link = source.between("fault.link", link, 0, narrow::<i64>(links) - 1)?;
    source.one_of("fault", keys, what, &at)?;
    source.yes("fault.lose", keys.lose.as_ref())?;
    source.yes("fault.twice", keys.twice.as_ref())?;
    let kind = match keys {
        Fault { bit: Some(bit), .. } => FaultKind::Bit(source.within("fault.bit", bit)?),
        Fault { words: Some(n), .. } => FaultKind::Truncate(source.within("fault.words", n)?),
        Fault { twice: Some(_), .. } => FaultKind::Twice,
        _ => FaultKind::Lose,
    };
    source.one_of("fault", keys, when, &at)?;
    let when = if let Some(frame) = &keys.frame {
        if let Some((_, span)) =
            keys.keys().iter().find(|(key, _)| filters.split(' ').any(|f| f == *key))
        {
            let what = "fault: kind, source and times go with from, not with frame";
            return Err(source.error(span, what));
        }
        When::Frame(source.within("fault.frame", frame)?)
    } else {
        let from = time.at("fault.from", keys.from.as_ref())?;
        // The fault has a warning already.
        time.marks.due.pop();
        When::From(from)
    };
    let frames = match when {
        When::Frame(frame) => format!("frame {frame}"),
        When::From(from) => format!("frames from cycle {from} on"),
    };
    Ok(Checked { keys, link, when, kind, missed: source.error(&at, missed(link, &frames)) })
}
