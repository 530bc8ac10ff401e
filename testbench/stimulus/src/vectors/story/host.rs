// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps of the host: `put` and `get` are of the shared memory, `set`, `read` and `count` of registers, `send` is of
//! signals.

use super::script::Script;
use super::tree::{Any, Result, Table, Value};
use crate::board::parts::{self, WINDOW};
use crate::board::stimulus::HostAccess;
use awgstar::contract::{
    BoardCounter, Counter, Order, Token,
    board::{self, Register},
};
use awgstar::quantity::ByteAddress;

const VERBS: [&str; 6] = ["put", "get", "set", "read", "count", "send"];

/// One step of a story's `host`.
pub(super) fn step(script: &mut Script, t: &Table) -> Result<()> {
    if t.has("until") {
        let (cycle, range) = (t.needed("until")?, script.next_access());
        if !range.contains(&cycle) {
            let (first, last) = range.into_inner();
            let what =
                format!("`until` is {cycle}: expected {first} to {last}, after the step before");
            return Err(t.wrong(what));
        }
        script.until(cycle);
    }
    let wait = t.number("wait")?;
    if wait.is_some() && script.waits() {
        return Err(t.wrong("`wait`: expected no `until` before it"));
    }
    let Some(verb) = t.one_of(&VERBS)? else {
        if t.has("until") {
            return Ok(());
        }
        return Err(t.wrong(format!("expected one of {}, until", VERBS.join(", "))));
    };
    let gap = wait.unwrap_or(0);
    if verb == "send" {
        return send(script, gap, t);
    }
    let value = t.value(verb)?;
    let (addr, register) = match verb {
        "put" | "get" => (WINDOW | t.as_number::<u32>(verb, value)?, None),
        "count" => (board::COUNT.offset + 4 * t.choice::<u32>(verb, value, counters())?, None),
        _ => place(t, verb, value)?,
    };
    let late = t.number_or_0("late")?;
    let refused = t.flag("refused")?;
    if verb == "put" || verb == "set" {
        script.access(HostAccess {
            gap,
            strobe: t.number("lanes")?.unwrap_or(15),
            skew: t.number_or_0("skew")?,
            late,
            ..parts::write(addr, word(t, "to", register)?)
        });
    } else {
        if !refused {
            script.answers.push(answer(word(t, "is", register)?));
        }
        script.access(HostAccess { gap, write: false, late, ..parts::write(addr, 0) });
    }
    if refused {
        script.answers.push("slverr".into());
    }
    Ok(())
}

/// A word as the host gets it.
pub(super) fn answer(word: u32) -> String {
    format!("{word:08x}")
}

/// A signal with four bytes of Data.
fn send(script: &mut Script, gap: u16, t: &Table) -> Result<()> {
    let all = Token::ALL.into_iter().filter(|token| token.is_signal());
    let token = t.choice("send", t.value("send")?, all.map(|one| (one.name(), one)))?;
    let orders = Order::ALL.iter().map(|one| (one.name(), *one));
    let order = t.choice("order", t.value("order")?, orders)?;
    let [token, order] = [token.code(), order.code()].map(u32::from);
    let value = parts::signal(token, t.needed("c_st")?, 0, 0, 4, order);
    let data = parts::write(board::SIGNAL_DATA.offset, t.needed("data")?);
    script.access(HostAccess { gap, ..data });
    script.access(parts::write(board::SIGNAL_SEND.offset, value));
    Ok(())
}

/// Numbers of the counters at the host port.
fn counters() -> impl Iterator<Item = (&'static str, u32)> {
    let node = Counter::ALL.iter().map(|one| (one.name(), one.code().into()));
    node.chain(BoardCounter::ALL.iter().map(|one| (one.name(), 16 + u32::from(one.code()))))
}

/// The register with this name.
pub(super) fn register(t: &Table, key: &str, value: &Value) -> Result<&'static Register> {
    let all = board::registers();
    t.choice(key, value, all.map(|one| (one.name, one)))
}

/// A register by its name, of a row with `word`, or any address of the host port.
fn place(t: &Table, key: &str, value: &Value) -> Result<(ByteAddress, Option<&'static Register>)> {
    if let Any::Number(_) = value.get_ref() {
        return Ok((ByteAddress(t.as_number(key, value)?), None));
    }
    let register = register(t, key, value)?;
    let word = t.number_or_0::<u32>("word")?;
    if word >= register.count {
        let (name, count) = (register.name, register.count);
        let what = format!("`word` is {word}: expected less than {count}, the words of {name}");
        return Err(t.wrong(what));
    }
    Ok((register.offset + 4 * word, Some(register)))
}

/// The value of a key: a number, names of bits of the register, or values of its fields.
pub(super) fn word(t: &Table, key: &'static str, register: Option<&Register>) -> Result<u32> {
    let value = t.value(key)?;
    let Some(register) = register else { return t.as_number(key, value) };
    match value.get_ref() {
        Any::List(names) => {
            let bit = |name| t.choice(key, name, bits(register));
            names.iter().map(bit).try_fold(0, |all, bit| Ok(all | bit?))
        }
        Any::Table(_) => fields(&t.inner(key, value)?, register),
        _ => t.as_number(key, value),
    }
}

/// Bits of a register that have names.
fn bits(register: &Register) -> Vec<(&'static str, u32)> {
    let mut all = Vec::new();
    for field in register.fields {
        if field.bits == 1 {
            all.push((field.name, 1 << field.bit));
        }
        if field.values.are_flags() {
            let flags = field.values.names().into_iter();
            all.extend(flags.map(|one| (one.name, 1 << (field.bit + usize::from(one.code)))));
        }
    }
    all
}

/// Values of fields of a register; those that are not there are 0.
fn fields(t: &Table, register: &Register) -> Result<u32> {
    let mut word = 0;
    for field in register.fields {
        let Some(value) = t.get(field.name) else { continue };
        let number: u32 = match value.get_ref() {
            Any::Text(_) if !field.values.are_flags() => {
                let names = field.values.names().into_iter();
                t.choice(field.name, value, names.map(|one| (one.name, one.code.into())))?
            }
            _ => t.as_number(field.name, value)?,
        };
        if number >> field.bits != 0 {
            let expected = format!("a number of {} bits", field.bits);
            return Err(t.unexpected(field.name, value, expected));
        }
        word |= number << field.bit;
    }
    t.done()?;
    Ok(word)
}
