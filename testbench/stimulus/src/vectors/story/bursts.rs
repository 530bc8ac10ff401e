// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bursts of the host of an AXI4 port.

use super::host::{answer, register};
use super::tree::{Any, Result, Table, Value};
use crate::board::parts::WINDOW;
use awgstar::ring::burst::{Burst, FIXED, INCR, Pace, WRAP};

/// A burst of a story, and the answers to it.
pub(super) fn burst(bursts: &mut Vec<Burst>, answers: &mut Vec<String>, t: &Table) -> Result<()> {
    let Some(verb) = t.one_of(&["write", "read"])? else {
        return Err(t.wrong("expected write or read"));
    };
    let place = t.value(verb)?;
    let addr = match place.get_ref() {
        Any::Number(_) => (WINDOW | t.as_number::<u32>(verb, place)?).0,
        _ => register(t, verb, place)?.offset.0,
    };
    let one = match verb {
        "write" => Burst::word_write(addr, t.needed("data")?, 15),
        _ => Burst::word_read(addr),
    };
    let beats = t.number("beats")?.unwrap_or(1_u16);
    let len = beats.checked_sub(1).and_then(|len| u8::try_from(len).ok());
    let len = len.ok_or_else(|| t.wrong(format!("`beats` is {beats}: expected 1 to 256")))?;
    let bytes = t.number("bytes")?.unwrap_or(4_u8);
    let size = (0..=7).find(|size| 1 << size == bytes);
    let size =
        size.ok_or_else(|| t.wrong(format!("`bytes` is {bytes}: expected a power of two")))?;
    let kinds = [("fixed", FIXED), ("incr", INCR), ("wrap", WRAP)];
    let kind = t.get("kind").map(|value| t.choice("kind", value, kinds)).transpose()?;
    bursts.push(Burst {
        len,
        size,
        kind: kind.unwrap_or(one.kind),
        id: t.number_or_0("id")?,
        fence: !t.flag("at_once")?,
        ..one
    });
    if verb == "read" {
        let all = t.list("is")?;
        if all.len() != usize::from(beats) {
            return Err(t.wrong(format!("`is` has {} answers: expected {beats}", all.len())));
        }
        let beat = |value: &Value| match value.get_ref() {
            Any::Text(text) if text == "slverr" => Ok(text.clone()),
            Any::Number(_) => Ok(answer(t.as_number("is", value)?)),
            _ => Err(t.unexpected("is", value, "words and `slverr`")),
        };
        answers.extend(all.iter().map(beat).collect::<Result<Vec<_>>>()?);
    } else if t.flag("refused")? {
        answers.push("slverr".into());
    }
    Ok(())
}

/// How often the channels of a story move.
pub(super) fn pace(t: &Table) -> Result<Pace> {
    let Some(value) = t.get("pace") else { return Ok(Pace::FULL) };
    let t = t.inner("pace", value)?;
    let all = ["aw", "w", "ar", "b", "r"].map(|channel| t.needed(channel));
    let [aw, w, ar, b, r] = all;
    t.done()?;
    Ok(Pace { aw: aw?, w: w?, ar: ar?, b: b?, r: r? })
}
