//! One thing a host does.

use crate::run::boards::{Act as Planned, Awaited, Task};
use crate::scenario::boards::file::Act;
use crate::scenario::signal::{Content, Destination, Receivers, by_token, named};
use crate::scenario::source::{Result, Source, Verb};
use crate::scenario::timeline::Timeline;
use awgstar::contract::{
    Interrupt, Order, Signal, Token,
    board::{MEM_ADDR_W, REGISTERS, SIGNAL_MAX},
};
use awgstar_stimulus::echo::shown;
use awgstar_stimulus::vectors::pattern::nonzero;
use std::ops::Range;
use toml::Spanned;

/// Bytes of the shared memory.
const SIZE: i64 = 4 << MEM_ADDR_W;
/// How long a host waits when the file does not say, in cycles.
const LIMIT: u64 = 100_000;

/// What says what is done, with the keys that may go with it.
const VERBS: [Verb; 8] = [
    ("write", &["hex", "text", "bytes"]),
    ("read", &["bytes"]),
    ("register", &["value"]),
    ("flush", &[]),
    (
        "signal",
        &[
            "order",
            "to",
            "group",
            "c_st",
            "hex",
            "text",
            "send_node",
            "tag",
            "lock_number",
            "page_number",
            "epoch",
        ],
    ),
    ("wait", &[]),
    ("until", &["limit", "addr", "hex", "text", "bytes"]),
    ("receive", &["limit"]),
];

impl Act {
    /// Every key but `at` that is there, with its place.
    fn keys(&self) -> Vec<(&'static str, Range<usize>)> {
        let number = |name, value: &Option<Spanned<i64>>| Some((name, value.as_ref()?.span()));
        let text = |name, value: &Option<Spanned<String>>| Some((name, value.as_ref()?.span()));
        [
            number("write", &self.write),
            number("read", &self.read),
            text("register", &self.register),
            self.flush.as_ref().map(|f| ("flush", f.span())),
            text("signal", &self.signal),
            number("wait", &self.wait),
            text("until", &self.until),
            number("receive", &self.receive),
            text("hex", &self.hex),
            text("text", &self.text),
            number("bytes", &self.bytes),
            number("value", &self.value),
            number("addr", &self.addr),
            number("limit", &self.limit),
            text("order", &self.order),
            number("to", &self.to),
            number("group", &self.group),
            number("c_st", &self.c_st),
            number("send_node", &self.send_node),
            number("tag", &self.tag),
            number("lock_number", &self.lock_number),
            number("page_number", &self.page_number),
            number("epoch", &self.epoch),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// An act of a host that does nothing before cycle `at`.
pub(super) fn act(
    time: &mut Timeline,
    spanned: &Spanned<Act>,
    at: u64,
    receivers: &Receivers,
) -> Result<Planned> {
    let source = time.source;
    let (act, place) = (spanned.get_ref(), spanned.span());
    source.verb(&act.keys(), &VERBS, &place)?;
    let task = match act {
        Act { write: Some(addr), .. } => write(source, act, addr, &place)?,
        Act { read: Some(addr), .. } => read(source, act, addr)?,
        Act { register: Some(name), .. } => register(source, act, name)?,
        Act { signal: Some(kind), .. } => signal(time, act, kind, receivers)?,
        Act { wait: Some(cycles), .. } => {
            Task::Wait(source.within("do.wait", cycles, 1, i64::MAX)?)
        }
        Act { until: Some(what), .. } => {
            Task::Until { awaited: awaited(source, act, what, &place)?, limit: limit(source, act)? }
        }
        Act { receive: Some(count), .. } => Task::Receive {
            count: source.within("do.receive", count, 1, 65_535)?,
            limit: limit(source, act)?,
        },
        Act { flush: Some(_), .. } => {
            source.yes("do.flush", act.flush.as_ref())?;
            Task::Flush
        }
        _ => return Err(source.none(&VERBS, &place)),
    };
    Ok(Planned { at: at.max(time.at("do.at", act.at.as_ref())?), task })
}

fn limit(source: &Source, act: &Act) -> Result<u64> {
    act.limit.as_ref().map_or(Ok(LIMIT), |l| source.within("do.limit", l, 1, i64::MAX))
}

/// The address in `field`, of `len` bytes that must lie in the memory.
fn place_of(source: &Source, field: &str, addr: &Spanned<i64>, len: usize) -> Result<u32> {
    source.place(field, addr, len, SIZE)
}

/// Bytes said by `hex`, `text` or, of a fixed pattern, by their number.
fn content(source: &Source, act: &Act, place: &Range<usize>, seed: i64) -> Result<Vec<u8>> {
    let (data, span) = match (&act.hex, &act.text, &act.bytes) {
        (Some(hex), None, None) => (source.hex("do.hex", hex)?, hex.span()),
        (None, Some(text), None) => (text.get_ref().clone().into_bytes(), text.span()),
        (None, None, Some(bytes)) => {
            let count = source.within("do.bytes", bytes, 1, SIZE)?;
            (nonzero(seed.unsigned_abs(), count), bytes.span())
        }
        _ => {
            let what = "do: expected exactly one of hex, text and bytes";
            return Err(source.error(place, what));
        }
    };
    if data.is_empty() {
        return Err(source.error(&span, format!("0 bytes: expected 1 to {SIZE}")));
    }
    Ok(data)
}

fn write(source: &Source, act: &Act, addr: &Spanned<i64>, place: &Range<usize>) -> Result<Task> {
    let bytes = content(source, act, place, *addr.get_ref())?;
    Ok(Task::Write { addr: place_of(source, "do.write", addr, bytes.len())?, bytes })
}

fn read(source: &Source, act: &Act, addr: &Spanned<i64>) -> Result<Task> {
    let len: u32 = act.bytes.as_ref().map_or(Ok(4), |b| source.within("do.bytes", b, 1, SIZE))?;
    Ok(Task::Read { addr: place_of(source, "do.read", addr, len as usize)?, len })
}

fn register(source: &Source, act: &Act, name: &Spanned<String>) -> Result<Task> {
    let register = REGISTERS.iter().find(|r| r.name == name.get_ref()).ok_or_else(|| {
        let names: Vec<&str> = REGISTERS.iter().map(|r| r.name).collect();
        let what = format!(
            "do.register is `{}`: expected one of {}",
            shown(name.get_ref()),
            names.join(", ")
        );
        source.error(&name.span(), what)
    })?;
    let value = act.value.as_ref();
    let value = value.map(|v| source.within("do.value", v, 0, u32::MAX.into())).transpose()?;
    Ok(Task::Register { register, value })
}

fn signal(
    time: &mut Timeline,
    act: &Act,
    kind: &Spanned<String>,
    receivers: &Receivers,
) -> Result<Task> {
    let source = time.source;
    let text = act.text.as_ref().map(|t| t.get_ref().clone().into_bytes());
    let content = Content {
        c_st: act.c_st.as_ref(),
        hex: act.hex.as_ref(),
        values: [
            ("send_node", act.send_node.as_ref()),
            ("tag", act.tag.as_ref()),
            ("lock_number", act.lock_number.as_ref()),
            ("page_number", act.page_number.as_ref()),
            ("epoch", act.epoch.as_ref()),
        ],
    };
    let named_so = |s: &&Signal| s.name() == kind.get_ref();
    let frame = match kind.get_ref().as_str() {
        "p2p" | "multicast" | "broadcast" => by_token(source, &content, kind)?,
        _ if Signal::ALL.iter().any(|s| named_so(&s)) => named(source, &content, kind)?,
        other => {
            let names: Vec<&str> = Signal::ALL.iter().map(|s| s.name()).collect();
            let names = names.join(", ");
            let what = format!(
                "do.signal is `{}`: expected p2p, multicast, broadcast or one of {names}",
                shown(other)
            );
            return Err(source.error(&kind.span(), what));
        }
    };
    if let Some(span) = act.text.as_ref().map(Spanned::span)
        && (act.hex.is_some() || Token::ALL.iter().all(|t| t.name() != kind.get_ref()))
    {
        return Err(source.error(&span, "do.text: expected one of hex and text, and a TOKEN"));
    }
    let data = text.unwrap_or(frame.data);
    if data.len() > SIGNAL_MAX {
        let span =
            act.hex.as_ref().or(act.text.as_ref()).map_or_else(|| kind.span(), Spanned::span);
        let what = format!("do.signal has {} bytes: expected at most {SIGNAL_MAX}", data.len());
        return Err(source.error(&span, what));
    }
    let order = act.order.as_ref().map_or(Ok(Order::None), |order| {
        Order::ALL.iter().copied().find(|o| o.name() == order.get_ref()).ok_or_else(|| {
            let what = format!(
                "do.order is `{}`: expected none, sent or confirmed",
                shown(order.get_ref())
            );
            source.error(&order.span(), what)
        })
    })?;
    let destination = Destination {
        table: "do",
        to: act.to.as_ref(),
        group: act.group.as_ref(),
        place: kind.span(),
    };
    let (node_id, multi_g, warning) = destination.check(source, frame.token, receivers)?;
    time.marks.always.extend(warning);
    Ok(Task::Signal { token: frame.token, c_st: frame.c_st, node_id, multi_g, order, data })
}

fn awaited(
    source: &Source,
    act: &Act,
    what: &Spanned<String>,
    place: &Range<usize>,
) -> Result<Awaited> {
    let (name, span) = (what.get_ref().as_str(), what.span());
    if name == "visible" {
        let Some(addr) = &act.addr else {
            return Err(source.error(&what.span(), "do.until: `visible` needs addr"));
        };
        let bytes = content(source, act, place, *addr.get_ref())?;
        return Ok(Awaited::Visible {
            addr: place_of(source, "do.addr", addr, bytes.len())?,
            bytes,
        });
    }
    for (key, place) in act.keys() {
        if !["until", "limit"].contains(&key) {
            return Err(source.error(&place, format!("{key} goes with until = \"visible\" only")));
        }
    }
    match name {
        "synced" => Ok(Awaited::Synced),
        "acknowledged" => Ok(Awaited::Acknowledged),
        "signals_back" => Ok(Awaited::SignalsBack),
        _ => {
            let event = Interrupt::ALL.iter().find(|event| event.name() == name);
            event.map(|event| Awaited::Interrupt(*event)).ok_or_else(|| {
                let events: Vec<&str> = Interrupt::ALL.iter().map(|e| e.name()).collect();
                let message = format!(
                    "do.until is `{}`: expected synced, acknowledged, signals_back, visible or an interrupt: {}",
                    shown(name),
                    events.join(", ")
                );
                source.error(&span, message)
            })
        }
    }
}
