// SPDX-License-Identifier: MIT OR Apache-2.0
//! Acts of hosts: which ones each system supports, and the values that systems have in common.

use crate::scenario::file::{Act, File, Program, Table};
use crate::scenario::source::{Result, Source};
use crate::scenario::system::System;
use crate::scenario::timeline::Timeline;
use awgstar::contract::Order;
use awgstar::quantity::ByteAddress;
use awgstar_stimulus::echo;
use awgstar_stimulus::vectors::pattern::nonzero;
use std::ops::Range;
use toml::Spanned;

/// What carries out the acts of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Host {
    NodeRing,
    BoardRing,
    /// The firmware of a ring of boards.
    Firmware,
    Generation1,
    Paging,
}

impl Host {
    /// Acts of a node, repeated ones counted as often as they are done: fewer where each holds its bytes.
    fn most(self) -> usize {
        if matches!(self, Host::NodeRing | Host::BoardRing) { 100_000 } else { 1_000_000 }
    }

    pub(super) fn program_keys(self) -> &'static str {
        match self {
            Host::Firmware => "nodes at times do slow",
            Host::Paging => "nodes times do",
            _ => "nodes at times do",
        }
    }

    /// Keys of an act next to its verb: those that go with it, and its time.
    pub(super) fn act_keys(self, others: &str) -> String {
        if self == Host::Paging { others.into() } else { format!("at {others}") }
    }

    /// The system that has it.
    pub(super) fn system(self) -> System {
        match self {
            Host::NodeRing => System::NodeRing,
            Host::BoardRing | Host::Firmware => System::BoardRing,
            Host::Generation1 => System::Generation1,
            Host::Paging => System::Paging,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Host::NodeRing => "system \"node-ring\"",
            Host::BoardRing => "system \"board-ring\" without [primitives]",
            Host::Firmware => "system \"board-ring\" with [primitives]",
            Host::Generation1 => "system \"generation-1\"",
            Host::Paging => "system \"paging\"",
        }
    }
}

pub(super) const ALL: &[Host] =
    &[Host::NodeRing, Host::BoardRing, Host::Firmware, Host::Generation1, Host::Paging];
const LOCKS: &[Host] = &[Host::Firmware, Host::Generation1];

/// Every act: the key that says what is done, the keys that may go with it, and who supports that.
pub(super) const VERBS: &[(&str, &str, &[Host])] = &[
    ("write", "hex text bytes value each", &[Host::NodeRing, Host::BoardRing, Host::Firmware]),
    ("write", "hex text bytes value each dma", &[Host::Generation1]),
    ("read", "bytes each", &[Host::BoardRing]),
    ("read", "expect each", &[Host::Firmware]),
    ("read", "bytes each dma", &[Host::Generation1]),
    ("add", "by each", LOCKS),
    ("register", "value", &[Host::BoardRing]),
    ("flush", "", &[Host::BoardRing]),
    (
        "signal",
        "to group c_st hex text send_node tag lock_number page_number epoch",
        &[Host::NodeRing],
    ),
    (
        "signal",
        "to group c_st hex text send_node tag lock_number page_number epoch order",
        &[Host::BoardRing],
    ),
    ("until", "limit addr hex text bytes value", &[Host::BoardRing]),
    ("until", "", &[Host::Generation1]),
    ("receive", "limit", &[Host::BoardRing]),
    ("lock", "", LOCKS),
    ("unlock", "", LOCKS),
    ("barrier", "", LOCKS),
    ("compute", "", &[Host::BoardRing, Host::Firmware, Host::Generation1, Host::Paging]),
    ("access", "", &[Host::Paging]),
    ("repeat", "do", ALL),
];

/// An act that is done once.
#[derive(Clone)]
pub(super) struct Planned<'a> {
    /// Not before this time.
    pub(super) at: u64,
    pub(super) act: &'a Act,
    pub(super) place: Range<usize>,
}

/// Calls `each` with every program of a file and each node that runs it.
pub(super) fn programs(
    time: &mut Timeline,
    host: Host,
    file: &File,
    count: usize,
    mut each: impl FnMut(&mut Timeline, &Spanned<Program>, usize, &[Planned]) -> Result<()>,
) -> Result<()> {
    let source = time.source;
    let mut acts = vec![0; count];
    for spanned in file.program.iter().flat_map(Spanned::get_ref) {
        let (program, place) = (spanned.get_ref(), spanned.span());
        source.only(program, host.program_keys(), &format!("program: {}", host.name()))?;
        let nodes = source.nodes_or_all("program.nodes", program.nodes.as_ref(), count)?;
        let at = time.at("program.at", program.at.as_ref())?;
        let list = source.need("program.do", program.r#do.as_ref(), &place)?;
        let times = source.number("program.times", &program.times, 1)?;
        let once = expand(time, host, list.get_ref(), at)?;
        let all = repeated(source, host, &list.span(), once, times)?;
        for node in nodes {
            acts[node] += all.len();
            if acts[node] > host.most() {
                return Err(source.error(&list.span(), too_many(host, &format!("node {node}"))));
            }
            each(time, spanned, node, &all)?;
        }
    }
    Ok(())
}

fn too_many(host: Host, who: &str) -> String {
    format!("program: {who} has more than {} acts", host.most())
}

fn repeated<'a>(
    source: &Source,
    host: Host,
    place: &Range<usize>,
    acts: Vec<Planned<'a>>,
    times: usize,
) -> Result<Vec<Planned<'a>>> {
    if acts.len().saturating_mul(times) > host.most() {
        return Err(source.error(place, too_many(host, "a node")));
    }
    Ok(std::iter::repeat_n(acts, times).flatten().collect())
}

/// The acts of a list, each checked for its keys.
fn expand<'a>(
    time: &mut Timeline,
    host: Host,
    list: &'a [Spanned<Act>],
    at: u64,
) -> Result<Vec<Planned<'a>>> {
    let source = time.source;
    let mut all = Vec::new();
    for spanned in list {
        let (act, place) = (spanned.get_ref(), spanned.span());
        check(source, host, act, &place)?;
        let at = at.max(time.at("do.at", act.at.as_ref())?);
        let Some(times) = &act.repeat else {
            all.push(Planned { at, act, place });
            continue;
        };
        let times = source.within("do.repeat", times)?;
        let inner = act.r#do.as_ref().map_or(&[][..], |list| list.get_ref());
        if inner.is_empty() {
            return Err(source.error(&place, "do.repeat: expected do = [...]"));
        }
        let inner = expand(time, host, inner, at)?;
        all.extend(repeated(source, host, &place, inner, times)?);
    }
    Ok(all)
}

/// An act has one key that says what is done, which the host supports, and only keys that go with it.
fn check(source: &Source, host: Host, act: &Act, place: &Range<usize>) -> Result<()> {
    let supported = || VERBS.iter().filter(|(.., hosts)| hosts.contains(&host));
    let names: Vec<&str> = supported().map(|(verb, ..)| *verb).collect();
    let foreign = |key: &str| !names.contains(&key) && VERBS.iter().any(|(verb, ..)| *verb == key);
    let name = host.name();
    if let Some((key, span)) = act.keys().iter().find(|(key, _)| foreign(key)) {
        let names = echo::expected(key, names.iter().copied());
        let what = format!("do: {name} does not support the act `{key}`: {names}");
        return Err(source.error(span, what));
    }
    let verb = source.one_of("do", act, &names.join(" "), place)?;
    let others = supported().find(|(other, ..)| *other == verb).map_or("", |found| found.1);
    let known = host.act_keys(others);
    let goes = |key: &str| key == verb || known.split(' ').any(|other| other == key);
    match act.keys().iter().find(|(key, _)| !goes(key)) {
        None => Ok(()),
        Some(("value", span)) if verb == "add" => {
            Err(source.error(span, "do: value does not go with add; it is now `by`"))
        }
        Some((key, span)) => {
            let known = known.trim().replace(' ', ", ");
            let what = format!("do: {key} does not go with {verb} on {name}: expected {known}");
            Err(source.error(span, what))
        }
    }
}

/// Bytes given by `hex`, `text`, `value` (a word), or as a number of bytes of the pattern of `seed`.
pub(super) fn payload(
    source: &Source,
    act: &Act,
    place: &Range<usize>,
    seed: u64,
    most: usize,
    word: fn(u32) -> [u8; 4],
) -> Result<Vec<u8>> {
    source.one_of("do", act, "hex text bytes value", place)?;
    let whole = i64::try_from(most).unwrap_or(i64::MAX);
    let (data, span) = if let Some(hex) = &act.hex {
        (source.hex("do.hex", hex)?, hex.span())
    } else if let Some(text) = &act.text {
        (text.get_ref().clone().into_bytes(), text.span())
    } else if let Some(bytes) = &act.bytes {
        (nonzero(seed, source.between("do.bytes", bytes, 1, whole)?), bytes.span())
    } else {
        let value = source.need("do.value", act.value.as_ref(), place)?;
        let number = source.within("do.value", value)?;
        (word(number).to_vec(), value.span())
    };
    if (1..=most).contains(&data.len()) {
        return Ok(data);
    }
    Err(source.error(&span, format!("{} bytes: expected 1 to {most}", data.len())))
}

/// The address of `len` bytes in a memory of `size` bytes: `each` bytes further on each node.
pub(super) fn address(
    source: &Source,
    (field, addr): (&str, &Spanned<i64>),
    act: &Act,
    node: usize,
    len: usize,
    size: i64,
) -> Result<ByteAddress> {
    let each = act.each.as_ref().map(|each| source.between("do.each", each, 0, size));
    let each: i64 = each.transpose()?.unwrap_or(0);
    let further = each * i64::try_from(node).unwrap_or(i64::MAX);
    let addr = Spanned::new(addr.span(), addr.get_ref().saturating_add(further));
    let found = source.place(field, &addr, len, size);
    if each == 0 { found } else { found.map_err(|e| e.and(&format!(" on node {node}"))) }
}

/// The key `order`.
pub(super) fn order(source: &Source, field: &str, order: &Spanned<String>) -> Result<Order> {
    source.choice(field, order, Order::ALL.iter().map(|order| (order.name(), *order)))
}
