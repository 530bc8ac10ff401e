//! From the keys of a file to a scenario: every value checked, every error with its line.

use super::{
    FileError, Loaded,
    file::{Fault, File, OneOrMany, Random, Saturate, Signal, Write},
    random::{self, outgoing},
};
use crate::vectors::pattern::{Pattern, nonzero};
use awgstar::{
    contract::{
        Signal as Named, Token,
        limits::{CLOCK_HZ, DATA_MAX, FIBRE_NS_PER_M},
    },
    ring::{self, FaultKind, Outgoing, Scenario, Send},
};
use std::ops::Range;
use toml::Spanned;

/// Longest run, in cycles: a minute of ring time.
const CYCLES_MAX: i64 = CLOCK_HZ.cast_signed() * 60;
/// Longest fibre behind a node in metres.
const FIBRE_MAX: f64 = 1e6;
const KINDS: &str = "\"p2p\", \"multicast\", \"broadcast\" or \"control\"";

/// Where errors are said to be.
struct Source<'a> {
    name: &'a str,
    text: &'a str,
}

type Result<T> = std::result::Result<T, FileError>;

impl Source<'_> {
    fn error(&self, span: &Range<usize>, what: impl Into<String>) -> FileError {
        FileError::at(self.name, self.text, span, what)
    }

    /// The value if it lies in `range`.
    fn within<T: TryFrom<i64>>(
        &self,
        field: &str,
        value: &Spanned<i64>,
        min: i64,
        max: i64,
    ) -> Result<T> {
        let found = *value.get_ref();
        let fits = (min..=max).contains(&found).then(|| T::try_from(found).ok()).flatten();
        fits.ok_or_else(|| {
            self.error(&value.span(), format!("{field} is {found}: expected {min} to {max}"))
        })
    }

    fn optional<T: TryFrom<i64> + Default>(
        &self,
        field: &str,
        value: Option<&Spanned<i64>>,
        max: i64,
    ) -> Result<T> {
        value.map_or(Ok(T::default()), |v| self.within(field, v, 0, max))
    }

    fn hex(&self, field: &str, value: &Spanned<String>) -> Result<Vec<u8>> {
        hex::decode(value.get_ref())
            .map_err(|e| self.error(&value.span(), format!("{field} is not hex: {e}")))
    }
}

/// The scenario of a file.
pub(super) fn convert(name: &str, text: &str, file: &File) -> Result<Loaded> {
    let source = Source { name, text };
    let nodes: usize = source.within("nodes", &file.nodes, 1, 256)?;
    let last = i64::try_from(nodes).unwrap_or(256) - 1;
    let fibre_m = fibre(&source, file, nodes)?;
    let mut scenario = Scenario {
        nodes,
        fibre: fibre_m.iter().map(|&m| fibre_cycles(m)).collect(),
        groups: vec![0; nodes],
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
    for (group, members) in &file.groups {
        let bit: u8 =
            group.get_ref().parse().ok().filter(|g| *g < 16).ok_or_else(|| {
                source.error(&group.span(), "group: expected a number from 0 to 15")
            })?;
        for member in members {
            let member: usize = source.within("member of a group", member, 0, last)?;
            scenario.groups[member] |= 1 << bit;
        }
    }
    for write in &file.write {
        scenario.sends.push(one_write(&source, write, last)?);
    }
    for signal in &file.signal {
        scenario.sends.push(one_signal(&source, signal, last)?);
    }
    let mut pattern = Pattern::new(file.seed);
    for traffic in &file.random {
        scenario.sends.extend(random_traffic(&source, traffic, last, &mut pattern)?);
    }
    for saturate in &file.saturate {
        let Saturate { nodes, bytes } = saturate;
        let len = source.within("saturate.bytes", bytes, 1, 1024)?;
        let nodes = node_list(&source, "saturate.nodes", nodes.as_deref(), last)?;
        scenario.saturate.extend(nodes.into_iter().map(|node| ring::Saturate { node, len }));
    }
    for fault in &file.fault {
        scenario.faults.push(one_fault(&source, fault, last)?);
    }
    number(&mut scenario.sends, nodes);
    scenario.check().map_err(|e| source.error(&(0..0), e.to_string()))?;
    Ok(Loaded { scenario, title: file.title.clone(), fibre_m })
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

/// RING-1: ceil(5 ns/m times metres / clock period).
fn fibre_cycles(metres: f64) -> u32 {
    #[expect(clippy::cast_precision_loss, reason = "small constants")]
    let cycles = metres * FIBRE_NS_PER_M as f64 * CLOCK_HZ as f64 / 1e9;
    // A product that is whole must not become one more by the last bit of a double.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked range")]
    let whole = (cycles - 1e-9).ceil().max(0.0) as u32;
    whole
}

fn fibre(source: &Source, file: &File, nodes: usize) -> Result<Vec<f64>> {
    let Some(spanned) = &file.fibre_m else { return Ok(vec![10.0; nodes]) };
    let metres = match spanned.get_ref() {
        OneOrMany::One(m) => vec![*m; nodes],
        OneOrMany::Many(list) => list.clone(),
    };
    if metres.len() != nodes {
        return Err(source.error(
            &spanned.span(),
            format!("fibre_m has {} values: expected one number or {nodes}", metres.len()),
        ));
    }
    if let Some(bad) = metres.iter().find(|m| !(0.0..=FIBRE_MAX).contains(*m)) {
        return Err(source.error(
            &spanned.span(),
            format!("fibre_m is {bad}: expected 0 to {FIBRE_MAX} metres"),
        ));
    }
    Ok(metres)
}

fn node_list(
    source: &Source,
    field: &str,
    nodes: Option<&[Spanned<i64>]>,
    last: i64,
) -> Result<Vec<usize>> {
    match nodes {
        None => Ok((0..=usize::try_from(last).unwrap_or(0)).collect()),
        Some(given) => given.iter().map(|node| source.within(field, node, 0, last)).collect(),
    }
}

fn one_write(source: &Source, write: &Write, last: i64) -> Result<Send> {
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
    Ok(Send { node, cycle: write.at, frame: Outgoing { addr, ..outgoing(Token::Data, data) } })
}

fn one_signal(source: &Source, signal: &Signal, last: i64) -> Result<Send> {
    let node: usize = source.within("signal.node", &signal.node, 0, last)?;
    let mut frame = match (&signal.name, &signal.token) {
        (Some(name), None) => named(source, signal, name)?,
        (None, Some(token)) => by_token(source, signal, token)?,
        _ => {
            let what = "signal: expected either name or token";
            return Err(source.error(&signal.node.span(), what));
        }
    };
    frame.node_id = source.optional("signal.to", signal.to.as_ref(), 255)?;
    frame.multi_g = source.optional("signal.group", signal.group.as_ref(), 15)?;
    Ok(Send { node, cycle: signal.at, frame })
}

fn named(source: &Source, signal: &Signal, name: &Spanned<String>) -> Result<Outgoing> {
    let kind = Named::ALL.iter().find(|s| s.name() == name.get_ref()).ok_or_else(|| {
        let names: Vec<&str> = Named::ALL.iter().map(|s| s.name()).collect();
        source.error(
            &name.span(),
            format!("no signal `{}`: expected one of {}", name.get_ref(), names.join(", ")),
        )
    })?;
    for (field, span) in [
        ("signal.c_st", signal.c_st.as_ref().map(Spanned::span)),
        ("signal.hex", signal.hex.as_ref().map(Spanned::span)),
    ] {
        if let Some(span) = span {
            return Err(source.error(&span, format!("{field} does not go with signal.name")));
        }
    }
    let mut data = vec![0; 8];
    for (field, value) in [
        ("send_node", &signal.send_node),
        ("tag", &signal.tag),
        ("lock_number", &signal.lock_number),
        ("page_number", &signal.page_number),
    ] {
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

fn by_token(source: &Source, signal: &Signal, token: &Spanned<String>) -> Result<Outgoing> {
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
    for (field, value) in [
        ("send_node", &signal.send_node),
        ("tag", &signal.tag),
        ("lock_number", &signal.lock_number),
        ("page_number", &signal.page_number),
    ] {
        if let Some(value) = value {
            let what = format!("signal.{field} goes with signal.name only; say its bytes in hex");
            return Err(source.error(&value.span(), what));
        }
    }
    let data = signal.hex.as_ref().map_or(Ok(Vec::new()), |h| source.hex("signal.hex", h))?;
    if data.len() > DATA_MAX {
        let span = signal.hex.as_ref().map_or(0..0, Spanned::span);
        let what = format!("signal has {} bytes: expected at most {DATA_MAX}", data.len());
        return Err(source.error(&span, what));
    }
    let c_st = source.optional("signal.c_st", signal.c_st.as_ref(), 31)?;
    Ok(Outgoing { c_st, ..outgoing(kind, data) })
}

fn random_traffic(
    source: &Source,
    traffic: &Random,
    last: i64,
    pattern: &mut Pattern,
) -> Result<Vec<Send>> {
    let share = traffic.signals.as_ref().map_or(Ok(0.0), |share| {
        let value = *share.get_ref();
        (0.0..=1.0).contains(&value).then_some(value).ok_or_else(|| {
            source.error(&share.span(), format!("random.signals is {value}: expected 0 to 1"))
        })
    })?;
    let bytes_max = traffic.bytes_max.as_ref();
    let plan = random::Plan {
        nodes: node_list(source, "random.nodes", traffic.nodes.as_deref(), last)?,
        all: usize::try_from(last).unwrap_or(0) + 1,
        from: traffic.from,
        until: source.within("random.until", &traffic.until, 1, CYCLES_MAX)?,
        every: source.within("random.every", &traffic.every, 1, 1_000_000_000)?,
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
        signals: (share * 1000.0).round() as u64,
        bytes_max: bytes_max.map_or(Ok(64), |b| source.within("random.bytes_max", b, 1, 1024))?,
    };
    Ok(random::sends(&plan, pattern))
}

fn one_fault(source: &Source, fault: &Fault, last: i64) -> Result<ring::Fault> {
    let link: usize = source.within("fault.link", &fault.link, 0, last)?;
    let kind = match (&fault.bit, fault.lose, fault.twice) {
        (Some(bit), false, false) => FaultKind::Bit(source.within("fault.bit", bit, 0, 8351)?),
        (None, true, false) => FaultKind::Lose,
        (None, false, true) => FaultKind::Twice,
        _ => {
            let what = "fault: expected exactly one of bit, lose and twice";
            return Err(source.error(&fault.link.span(), what));
        }
    };
    Ok(ring::Fault { link, frame: fault.frame, kind })
}
