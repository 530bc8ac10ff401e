//! From the keys of a file to a scenario: every value checked, every error with its line.

use crate::place::Marks;
use crate::place::missed;
use crate::run::nodes::NodesPlan;
use crate::scenario::file::{Fault, File, Random, Saturate, Signal, Write};
use crate::scenario::random;
use crate::scenario::random::outgoing;
use crate::scenario::signal::{Content, Destination, Receivers, by_token, named};
use crate::scenario::source::{Result, Source, fibre, fibre_cycles, node_list};
use crate::scenario::timeline::Timeline;
use awgstar::quantity::narrow;
use awgstar::{
    contract::{
        Token,
        limits::{CLOCK_HZ, DATA_MAX, FRAME_MAX},
    },
    ring::{self, FaultKind, Outgoing, Scenario, Send},
};
use awgstar_stimulus::echo::shown;
use awgstar_stimulus::vectors::pattern::{Pattern, nonzero};
use std::ops::Range;
use toml::Spanned;

/// Longest run, in cycles: a minute of ring time.
pub(super) const CYCLES_MAX: i64 = CLOCK_HZ.cast_signed() * 60;

/// The scenario of a file.
pub(super) fn convert(name: &str, text: &str, file: &File) -> Result<NodesPlan> {
    let source = Source { name, text };
    let count: u16 = source.within("nodes", &file.nodes, 1, 256)?;
    let (nodes, last) = (usize::from(count), i64::from(count) - 1);
    let fibre_m = fibre(&source, file.fibre_m.as_ref(), nodes)?;
    let mut scenario = Scenario {
        nodes,
        fibre: fibre_m.iter().map(|&m| fibre_cycles(m)).collect(),
        groups: source.groups(&file.groups, nodes, last)?,
        monitor: None,
        tokens: match &file.tokens {
            Some(tokens) => source.within("tokens", tokens, 0, 255)?,
            None => nodes.min(16),
        },
        sends: Vec::new(),
        saturate: Vec::new(),
        faults: Vec::new(),
        cycles: source.within("cycles", &file.cycles, 1, CYCLES_MAX)?,
    };
    let mut time = Timeline { source: &source, end: scenario.cycles, marks: Marks::default() };
    for write in &file.write {
        scenario.sends.push(one_write(&mut time, write, last)?);
    }
    let receivers = Receivers {
        node_ids: (0..=255).take(nodes).collect(),
        groups: scenario.groups.iter().fold(0, |all, groups| all | groups),
    };
    for signal in &file.signal {
        scenario.sends.push(one_signal(&mut time, signal, last, &receivers)?);
    }
    let mut pattern = Pattern::new(file.seed);
    for traffic in &file.random {
        scenario.sends.extend(random_traffic(&mut time, traffic, count, &mut pattern)?);
    }
    for saturate in &file.saturate {
        let Saturate { nodes, bytes } = saturate;
        let len = source.within("saturate.bytes", bytes, 1, 1024)?;
        let nodes = node_list(&source, "saturate.nodes", nodes.as_deref(), count)?;
        scenario.saturate.extend(nodes.into_iter().map(|node| ring::Saturate { node, len }));
    }
    for fault in &file.fault {
        let one = one_fault(&source, fault, last)?;
        let what = missed(one.link, &format!("frame {}", one.frame));
        time.marks.faults.push(source.error(&fault.link.span(), what));
        scenario.faults.push(one);
    }
    number(&mut scenario.sends, nodes);
    scenario.check().map_err(|e| source.error(&(0..0), e.to_string()))?;
    let marks = time.marks;
    Ok(NodesPlan { scenario, title: file.title.clone(), fibre_m, marks })
}

/// Orders by time and gives every frame its source's next Packet_Cnt (FRM-9).
fn number(sends: &mut [Send], nodes: usize) {
    sends.sort_by_key(|send| send.cycle);
    let mut next = vec![0u8; nodes];
    for send in sends {
        send.frame.packet_cnt = next[send.node];
        next[send.node] = next[send.node].wrapping_add(1);
    }
}

fn one_write(time: &mut Timeline, write: &Write, last: i64) -> Result<Send> {
    let source = time.source;
    let node: usize = source.within("write.node", &write.node, 0, last)?;
    let addr: u32 = source.within("write.addr", &write.addr, 0, u32::MAX.into())?;
    let (data, span) = match (&write.hex, &write.text, &write.bytes) {
        (Some(hex), None, None) => (source.hex("write.hex", hex)?, hex.span()),
        (None, Some(text), None) => (text.get_ref().clone().into_bytes(), text.span()),
        (None, None, Some(bytes)) => {
            let count = source.within("write.bytes", bytes, 1, 1024)?;
            (nonzero(u64::from(addr) << 8 | node as u64, count), bytes.span())
        }
        _ => {
            let what = "write: expected exactly one of hex, text and bytes";
            return Err(source.error(&write.node.span(), what));
        }
    };
    if data.is_empty() || data.len() > DATA_MAX {
        let what = format!("write has {} bytes: expected 1 to {DATA_MAX}", data.len());
        return Err(source.error(&span, what));
    }
    source.place("write.addr", &write.addr, data.len(), 1 << 32)?;
    let cycle = time.at("write.at", write.at.as_ref())?;
    Ok(Send { node, cycle, frame: Outgoing { addr, ..outgoing(Token::Data, data) } })
}

fn one_signal(
    time: &mut Timeline,
    signal: &Signal,
    last: i64,
    receivers: &Receivers,
) -> Result<Send> {
    let source = time.source;
    let node: usize = source.within("signal.node", &signal.node, 0, last)?;
    let content = Content {
        c_st: signal.c_st.as_ref(),
        hex: signal.hex.as_ref(),
        values: [
            ("send_node", signal.send_node.as_ref()),
            ("tag", signal.tag.as_ref()),
            ("lock_number", signal.lock_number.as_ref()),
            ("page_number", signal.page_number.as_ref()),
            ("epoch", signal.epoch.as_ref()),
        ],
    };
    let frame = match (&signal.name, &signal.token) {
        (Some(name), None) => named(source, &content, name)?,
        (None, Some(token)) => by_token(source, &content, token)?,
        _ => {
            let what = "signal: expected either name or token";
            return Err(source.error(&signal.node.span(), what));
        }
    };
    let destination = Destination {
        table: "signal",
        to: signal.to.as_ref(),
        group: signal.group.as_ref(),
        place: signal.node.span(),
    };
    let (node_id, multi_g, warning) = destination.check(source, frame.token, receivers)?;
    time.marks.always.extend(warning);
    let cycle = time.at("signal.at", signal.at.as_ref())?;
    Ok(Send { node, cycle, frame: Outgoing { node_id, multi_g, ..frame } })
}

fn random_traffic(
    time: &mut Timeline,
    traffic: &Random,
    count: u16,
    pattern: &mut Pattern,
) -> Result<Vec<Send>> {
    let source = time.source;
    let from = time.at("random.from", traffic.from.as_ref())?;
    let until = time.until("random.until", Some(&traffic.until), from)?.unwrap_or(time.end);
    let share = traffic.signals.as_ref().map_or(Ok(0.0), |share| {
        let value = *share.get_ref();
        (0.0..=1.0).contains(&value).then_some(value).ok_or_else(|| {
            source.error(
                &share.span(),
                format!("random.signals is {}: expected 0 to 1", shown(value)),
            )
        })
    })?;
    let bytes_max = traffic.bytes_max.as_ref();
    let plan = random::Plan {
        nodes: node_list(source, "random.nodes", traffic.nodes.as_deref(), count)?,
        all: count.into(),
        from,
        until,
        every: source.within("random.every", &traffic.every, 1, 1_000_000_000)?,
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
        signals: (share * 1000.0).round() as u64,
        bytes_max: bytes_max.map_or(Ok(64), |b| source.within("random.bytes_max", b, 1, 1024))?,
    };
    Ok(random::sends(&plan, pattern))
}

/// What happens to a frame; `place` is where an error is said to be if it is not said once.
pub(super) fn fault_kind(
    source: &Source,
    place: &Range<usize>,
    bit: Option<&Spanned<i64>>,
    words: Option<&Spanned<i64>>,
    [lose, twice]: [bool; 2],
) -> Result<FaultKind> {
    let (bits, most) = (8 * FRAME_MAX, FRAME_MAX.div_ceil(4));
    let whole = |n: usize| narrow::<i64>(n) - 1;
    match (bit, words, lose, twice) {
        (Some(bit), None, false, false) => {
            Ok(FaultKind::Bit(source.within("fault.bit", bit, 0, whole(bits))?))
        }
        (None, Some(words), false, false) => {
            Ok(FaultKind::Truncate(source.within("fault.words", words, 1, whole(most))?))
        }
        (None, None, true, false) => Ok(FaultKind::Lose),
        (None, None, false, true) => Ok(FaultKind::Twice),
        _ => Err(source.error(place, "fault: expected exactly one of bit, words, lose and twice")),
    }
}

fn one_fault(source: &Source, fault: &Fault, last: i64) -> Result<ring::Fault> {
    let link: usize = source.within("fault.link", &fault.link, 0, last)?;
    let Fault { bit, words, lose, twice, .. } = fault;
    let place = fault.link.span();
    let kind = fault_kind(source, &place, bit.as_ref(), words.as_ref(), [*lose, *twice])?;
    Ok(ring::Fault { link, frame: fault.frame, kind })
}
