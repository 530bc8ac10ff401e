//! From the keys of a file to a plan: every value checked, every error with its place.

use crate::place::FileError;
use crate::run::gen1::{Gen1Plan, Step};
use crate::scenario::gen1::file::{Act, Fault, File};
use crate::scenario::source::{Result, Source, Verb, fibre, node_list};
use awgstar::quantity::{Nanoseconds, narrow};
use awgstar::{
    contract::Order,
    thesis::{
        gen1::{
            self, Access, FaultKind, Forwarding, Host, Line, MailRepairs, Op, Processing, Settings,
            settings::TIME_MAX,
            system::{LOCK_MAX, MEMORY_BYTES},
        },
        time::FIBRE_NS_PER_M,
    },
};
use awgstar_stimulus::echo::shown;
use std::ops::Range;
use toml::Spanned;

/// Bytes of the shared memory.
const MEMORY_SIZE: i64 = MEMORY_BYTES.cast_signed();
/// Most things that a program does.
const STEPS_MAX: usize = 1_000_000;

/// One of the names in `table`.
fn one_of<T: Copy>(
    source: &Source,
    field: &str,
    value: Option<&Spanned<String>>,
    table: &[(&str, T)],
) -> Result<Option<T>> {
    let Some(value) = value else { return Ok(None) };
    let found = table.iter().find(|(name, _)| name == value.get_ref());
    found.map(|(_, one)| Some(*one)).ok_or_else(|| {
        let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
        let what = format!(
            "{field} is `{}`: expected one of {}",
            shown(value.get_ref()),
            names.join(", ")
        );
        source.error(&value.span(), what)
    })
}

fn time(
    source: &Source,
    field: &str,
    value: Option<&Spanned<i64>>,
    least: i64,
    usual: Nanoseconds,
) -> Result<Nanoseconds> {
    let most = TIME_MAX.0.cast_signed();
    value.map_or(Ok(usual), |value| source.within(field, value, least, most).map(Nanoseconds))
}

/// The plan of a file.
pub(super) fn convert(name: &str, text: &str, file: &File) -> Result<Gen1Plan> {
    let source = &Source { name, text };
    let count: u16 = source.within("nodes", &file.nodes, 1, 32)?;
    let (nodes, last) = (usize::from(count), i64::from(count) - 1);
    let line = line(source, file, nodes)?;
    let limit = match &file.limit_ns {
        Some(limit) => Nanoseconds(source.within("limit_ns", limit, 1, i64::MAX)?),
        None => Settings::new(1).limit,
    };
    let faults = file.fault.iter().map(|f| fault(source, f, last, limit));
    let (faults, fault_warnings) = faults.collect::<Result<_>>()?;
    let settings = Settings {
        line,
        host: host(source, file)?,
        repairs: repairs(source, file)?,
        order: one_of(source, "order", file.order.as_ref(), &ORDERS)?.unwrap_or(Order::Confirmed),
        faults,
        locks: match &file.locks {
            Some(locks) => source.within("locks", locks, 0, LOCK_MAX.into())?,
            None => Settings::new(1).locks,
        },
        limit,
        record: true,
    };
    let mut programs = vec![Vec::new(); nodes];
    for program in &file.program {
        let of = node_list(source, "program.nodes", program.nodes.as_deref(), count)?;
        let times_key = program.times.as_ref();
        let times: usize =
            times_key.map_or(Ok(1), |t| source.within("program.times", t, 1, 1_000_000))?;
        let locks = i64::from(settings.locks);
        let steps: Vec<Step> =
            program.acts.iter().map(|act| step(source, act, locks)).collect::<Result<_>>()?;
        for node in of {
            if steps.len().saturating_mul(times) > STEPS_MAX - programs[node].len() {
                let what = format!("program: node {node} does more than {STEPS_MAX} things");
                let first = || program.acts.first().map_or(0..0, Spanned::span);
                return Err(source.error(&times_key.map_or_else(first, Spanned::span), what));
            }
            programs[node].extend(std::iter::repeat_n(&steps, times).flatten().cloned());
        }
    }
    let show =
        file.show.iter().map(|addr| place(source, "show", addr, 4)).collect::<Result<_>>()?;
    Ok(Gen1Plan { title: file.title.clone(), settings, programs, show, fault_warnings })
}

const ORDERS: [(&str, Order); 3] =
    [("none", Order::None), ("sent", Order::Sent), ("confirmed", Order::Confirmed)];

fn line(source: &Source, file: &File, nodes: usize) -> Result<Line> {
    let metres = fibre(source, file.fibre_m.as_ref(), nodes)?;
    let forwarding = [
        ("cut-through", Forwarding::CutThrough),
        ("store-and-forward", Forwarding::StoreAndForward),
    ];
    let processing = [("visit", Processing::Visit), ("frame", Processing::Frame)];
    let mut line = Line::new(nodes, 0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked: 0 to 1e6"
    )]
    let ns = |metres: &f64| Nanoseconds((metres * 1000.0).round() as u64 * FIBRE_NS_PER_M / 1000);
    line.fibre = metres.iter().map(ns).collect();
    line.processing =
        time(source, "processing_ns", file.processing_ns.as_ref(), 1, line.processing)?;
    line.per = one_of(source, "processing", file.processing.as_ref(), &processing)?
        .unwrap_or(Processing::Visit);
    line.forwarding = one_of(source, "forwarding", file.forwarding.as_ref(), &forwarding)?
        .unwrap_or(Forwarding::CutThrough);
    if let Some(bytes) = &file.visit_bytes {
        line.visit_bytes = source.within("visit_bytes", bytes, 4, 65_536)?;
    }
    let least = line.longest_rotation();
    line.regenerate = match &file.new_token_ns {
        None => Some(2 * least),
        Some(never) if *never.get_ref() == 0 => None,
        Some(value) => {
            let low = narrow(least.0.min(i64::MAX.cast_unsigned()));
            let ns = source.within("new_token_ns", value, low, i64::MAX).map_err(|mut error| {
                error.what += ", or 0 for never";
                error
            })?;
            Some(Nanoseconds(ns))
        }
    };
    Ok(line)
}

fn host(source: &Source, file: &File) -> Result<Host> {
    let usual = Host::default();
    let rate = |field, value: &Option<Spanned<i64>>, usual| {
        value.as_ref().map_or(Ok(usual), |v| source.within(field, v, 1, 1_000_000_000_000))
    };
    let h = &file.host;
    Ok(Host {
        pointer_write: rate("host.pointer_write", &h.pointer_write, usual.pointer_write)?,
        pointer_read: rate("host.pointer_read", &h.pointer_read, usual.pointer_read)?,
        dma_write: rate("host.dma_write", &h.dma_write, usual.dma_write)?,
        dma_read: rate("host.dma_read", &h.dma_read, usual.dma_read)?,
        dma_setup: time(source, "host.dma_setup_ns", h.dma_setup_ns.as_ref(), 0, usual.dma_setup)?,
        interrupt: time(source, "host.interrupt_ns", h.interrupt_ns.as_ref(), 0, usual.interrupt)?,
        poll: time(source, "host.poll_ns", h.poll_ns.as_ref(), 1, usual.poll)?,
    })
}

fn repairs(source: &Source, file: &File) -> Result<MailRepairs> {
    let sets = [("printed", MailRepairs::NONE), ("repaired", MailRepairs::ALL)];
    let set = one_of(source, "primitives", file.primitives.as_ref(), &sets)?;
    let mut set = set.unwrap_or(MailRepairs::ALL);
    let names: Vec<(&str, MailRepairs)> =
        MailRepairs::LIST.iter().map(|(one, name)| (*name, *one)).collect();
    for name in file.without.iter().flatten() {
        let one = one_of(source, "without", Some(name), &names)?;
        set = set.without(one.unwrap_or(MailRepairs::NONE));
    }
    Ok(set)
}

fn fault(
    source: &Source,
    fault: &Fault,
    last: i64,
    limit: Nanoseconds,
) -> Result<(gen1::Fault, FileError)> {
    let link = source.within("fault.link", &fault.link, 0, last)?;
    let kind = match (&fault.bit, fault.lose) {
        (Some(bit), false) => FaultKind::Bit(source.within("fault.bit", bit, 0, 100_000_000)?),
        (None, true) => FaultKind::Lose,
        _ => {
            let what = "fault: expected exactly one of bit and lose";
            return Err(source.error(&fault.link.span(), what));
        }
    };
    let most = narrow::<i64>(limit.0) - 1;
    let at = fault.at.as_ref().map_or(Ok(0), |at| source.within("fault.at", at, 0, most));
    let at = at.map(Nanoseconds).map_err(|e| e.and(&format!(": the run ends after {limit} ns")))?;
    let what = format!("fault on link {link} at {at} ns: no train met it before the run ended");
    Ok((gen1::Fault { link, at, kind }, source.error(&fault.link.span(), what)))
}

/// The first of `len` bytes that lie in the shared memory.
fn place(source: &Source, field: &str, addr: &Spanned<i64>, len: u64) -> Result<u32> {
    source.place(field, addr, len, MEMORY_SIZE)
}

impl Act {
    /// Every key that is there, with its place; those that say what is done first.
    fn keys(&self) -> Vec<(&'static str, Range<usize>)> {
        let number = |name, value: &Option<Spanned<i64>>| Some((name, value.as_ref()?.span()));
        let flag = |name, value: &Option<Spanned<bool>>| Some((name, value.as_ref()?.span()));
        let all = [
            number("compute", &self.compute),
            number("write", &self.write),
            number("read", &self.read),
            number("add", &self.add),
            number("lock", &self.lock),
            number("unlock", &self.unlock),
            flag("barrier", &self.barrier),
            flag("sync", &self.sync),
            flag("dma_wait", &self.dma_wait),
            self.hex.as_ref().map(|hex| ("hex", hex.span())),
            number("bytes", &self.bytes),
            number("by", &self.by),
            flag("dma", &self.dma),
        ];
        all.into_iter().flatten().collect()
    }
}

/// What is done, with the keys that may go with it.
const VERBS: [Verb; 9] = [
    ("compute", &[]),
    ("write", &["hex", "bytes", "dma"]),
    ("read", &["bytes", "dma"]),
    ("add", &["by"]),
    ("lock", &[]),
    ("unlock", &[]),
    ("barrier", &[]),
    ("sync", &[]),
    ("dma_wait", &[]),
];

fn step(source: &Source, act: &Spanned<Act>, locks: i64) -> Result<Step> {
    let (place_of_act, act) = (act.span(), act.get_ref());
    source.verb(&act.keys(), &VERBS, &place_of_act)?;
    for (field, flag) in
        [("do.barrier", &act.barrier), ("do.sync", &act.sync), ("do.dma_wait", &act.dma_wait)]
    {
        source.yes(field, flag.as_ref())?;
    }
    let access = if act.dma.as_ref().is_some_and(|dma| *dma.get_ref()) {
        Access::Dma
    } else {
        Access::Pointer
    };
    let op = match act {
        Act { compute: Some(ns), .. } => {
            Op::Compute(time(source, "do.compute", Some(ns), 0, Nanoseconds(0))?)
        }
        Act { write: Some(addr), .. } => write(source, act, addr, access, &place_of_act)?,
        Act { read: Some(addr), .. } => {
            let len = match &act.bytes {
                Some(bytes) => size(source, bytes)?,
                None => 4,
            };
            Op::Read { addr: place(source, "do.read", addr, len)?, len, access }
        }
        Act { add: Some(addr), .. } => {
            let by = act.by.as_ref();
            let by = by.map_or(Ok(1), |by| source.within("do.by", by, 0, u32::MAX.into()))?;
            return Ok(Step::Add { addr: place(source, "do.add", addr, 4)?, by });
        }
        Act { lock: Some(lock), .. } => Op::Lock(source.within("do.lock", lock, 1, locks)?),
        Act { unlock: Some(lock), .. } => Op::Unlock(source.within("do.unlock", lock, 1, locks)?),
        Act { barrier: Some(_), .. } => Op::Barrier,
        Act { sync: Some(_), .. } => Op::Sync,
        Act { dma_wait: Some(_), .. } => Op::DmaWait,
        _ => return Err(source.none(&VERBS, &place_of_act)),
    };
    Ok(Step::Op(op))
}

fn size(source: &Source, bytes: &Spanned<i64>) -> Result<u64> {
    source.within("do.bytes", bytes, 1, MEMORY_SIZE)
}

/// A write of these bytes, or of so many that nobody looks at.
fn write(
    source: &Source,
    act: &Act,
    addr: &Spanned<i64>,
    access: Access,
    place_of_act: &Range<usize>,
) -> Result<Op> {
    match (&act.hex, &act.bytes) {
        (Some(hex), None) => {
            let bytes = source.hex("do.hex", hex)?;
            if bytes.is_empty() {
                return Err(source.error(&hex.span(), "do.hex is empty: expected 1 byte or more"));
            }
            let addr = place(source, "do.write", addr, bytes.len() as u64)?;
            Ok(Op::Write { addr, bytes: bytes.into(), access })
        }
        (None, Some(bytes)) => {
            let len = size(source, bytes)?;
            Ok(Op::WriteBlank { addr: place(source, "do.write", addr, len)?, len, access })
        }
        _ => Err(source.error(place_of_act, "do: write needs exactly one of hex and bytes")),
    }
}
