// SPDX-License-Identifier: MIT OR Apache-2.0
//! `system = "generation-1"`: the current version of the thesis with its programs.

use crate::run::gen1::Gen1Plan;
use crate::run::script::Step;
use crate::scenario::act::{Host as Acts, Planned, address, order, payload, programs};
use crate::scenario::boards::VARIANTS;
use crate::scenario::fault::{Supported, When, fault};
use crate::scenario::file::{Act, File};
use crate::scenario::limits::MEMORY_SIZE;
use crate::scenario::source::{Result, Source};
use crate::scenario::timeline::Timeline;
use awgstar::quantity::{Nanoseconds, narrow};
use awgstar::request::{Data, Fence, Len, Moment, Path, Place, Request};
use awgstar::{
    contract::{Order, limits::FIBRE_NS_PER_M},
    ring,
};
use awgstar_thesis::gen1::{
    Fault, FaultKind, Forwarding, Host, Line, MailRepairs, Processing, Settings,
    system::MEMORY_BYTES,
};
use toml::Spanned;

const FAULTS: Supported = Supported { system: "generation-1", when: "from", what: "bit lose" };
pub(super) const FORWARDING: [(&str, Forwarding); 2] =
    [("cut-through", Forwarding::CutThrough), ("store-and-forward", Forwarding::StoreAndForward)];
pub(super) const PROCESSING: [(&str, Processing); 2] =
    [("visit", Processing::Visit), ("frame", Processing::Frame)];
/// What a process can wait for.
pub(super) const AWAITED: [(&str, bool); 2] = [("acknowledged", false), ("dma", true)];

/// The plan of a file.
pub(super) fn convert(source: &Source, file: &File) -> Result<Gen1Plan> {
    let nodes = source.need("nodes", file.nodes.as_ref(), &(0..0))?;
    let nodes: usize = source.within("nodes", nodes)?;
    let usual = Settings::new(1);
    let limit = source.number("limit_ns", &file.limit_ns, usual.limit.0)?;
    let mut settings = Settings {
        line: line(source, file, nodes)?,
        host: host(source, file)?,
        limit: Nanoseconds(limit),
        record: true,
        order: Order::Confirmed,
        ..usual
    };
    primitives(source, file, &mut settings)?;
    let mut time = Timeline::new(source, limit, "ns");
    let mut fault_warnings = Vec::new();
    for spanned in file.fault.iter().flat_map(Spanned::get_ref) {
        let one = fault(&mut time, spanned, nodes, &FAULTS)?;
        let kind = match one.kind {
            ring::FaultKind::Bit(bit) => FaultKind::Bit(bit.into()),
            _ => FaultKind::Lose,
        };
        // The only one that is supported.
        let When::From(from) = one.when else { continue };
        let (link, at) = (one.link, Nanoseconds(from));
        settings.faults.push(Fault { link, at, kind });
        let place = one.keys.link.as_ref().map_or(0..0, Spanned::span);
        let what = format!("fault on link {link} at {at} ns: no train met it before the run ended");
        fault_warnings.push(source.error(&place, what));
    }
    let mut steps = vec![Vec::new(); nodes];
    programs(&mut time, Acts::Generation1, file, nodes, |time, _, node, acts| {
        for planned in acts {
            let step = step(time.source, planned, node, settings.locks)?;
            steps[node].push((Moment::Time(Nanoseconds(planned.at)), step));
        }
        Ok(())
    })?;
    let show = file.show.iter().flat_map(Spanned::get_ref);
    let show =
        show.map(|addr| source.place("show", addr, 4, MEMORY_SIZE)).collect::<Result<_>>()?;
    Ok(Gen1Plan { title: file.title(), settings, programs: steps, show, fault_warnings })
}

fn line(source: &Source, file: &File, nodes: usize) -> Result<Line> {
    let metres = source.fibre(file.fibre_m.as_ref(), nodes)?;
    let mut line = Line::new(nodes, 0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked: 0 to 1e6"
    )]
    let ns = |metres: &f64| Nanoseconds((metres * 1000.0).round() as u64 * FIBRE_NS_PER_M / 1000);
    line.fibre = metres.iter().map(ns).collect();
    let usual = line.processing.0;
    let processing = source.number("processing_ns", &file.processing_ns, usual)?;
    line.processing = Nanoseconds(processing);
    line.per = match &file.processing {
        None => Processing::Visit,
        Some(name) => source.choice("processing", name, PROCESSING)?,
    };
    line.forwarding = match &file.forwarding {
        None => Forwarding::CutThrough,
        Some(name) => source.choice("forwarding", name, FORWARDING)?,
    };
    line.visit_bytes = source.number("visit_bytes", &file.visit_bytes, line.visit_bytes)?;
    let least = line.longest_rotation();
    line.regenerate = match &file.new_token_ns {
        None => Some(2 * least),
        Some(never) if *never.get_ref() == 0 => None,
        Some(value) => {
            let low = narrow(least.0.min(i64::MAX.cast_unsigned()));
            let ns = source.between("new_token_ns", value, low, i64::MAX);
            Some(Nanoseconds(ns.map_err(|e| e.and(", or 0 for never"))?))
        }
    };
    Ok(line)
}

fn host(source: &Source, file: &File) -> Result<Host> {
    let usual = Host::default();
    let Some(pci) = file.pci.as_ref().map(Spanned::get_ref) else { return Ok(usual) };
    let rate = |field, value, usual| source.number(field, value, usual);
    let time =
        |field, value, usual: Nanoseconds| source.number(field, value, usual.0).map(Nanoseconds);
    Ok(Host {
        pointer_write: rate("pci.pointer_write", &pci.pointer_write, usual.pointer_write)?,
        pointer_read: rate("pci.pointer_read", &pci.pointer_read, usual.pointer_read)?,
        dma_write: rate("pci.dma_write", &pci.dma_write, usual.dma_write)?,
        dma_read: rate("pci.dma_read", &pci.dma_read, usual.dma_read)?,
        dma_setup: time("pci.dma_setup_ns", &pci.dma_setup_ns, usual.dma_setup)?,
        interrupt: time("pci.interrupt_ns", &pci.interrupt_ns, usual.interrupt)?,
        poll: time("pci.poll_ns", &pci.poll_ns, usual.poll)?,
    })
}

fn primitives(source: &Source, file: &File, settings: &mut Settings) -> Result<()> {
    settings.repairs = MailRepairs::ALL;
    let Some(keys) = file.primitives.as_ref().map(Spanned::get_ref) else { return Ok(()) };
    let known = "variant without order locks";
    source.only(keys, known, "primitives: system \"generation-1\"")?;
    let published = keys.variant.as_ref();
    let published = published.map(|name| source.choice("primitives.variant", name, VARIANTS));
    if published.transpose()? == Some(true) {
        settings.repairs = MailRepairs::NONE;
    }
    for name in keys.without.iter().flat_map(Spanned::get_ref) {
        let all = MailRepairs::LIST.iter().map(|(one, name)| (*name, *one));
        let one = source.choice("primitives.without", name, all)?;
        settings.repairs = settings.repairs.without(one);
    }
    if let Some(said) = &keys.order {
        settings.order = order(source, "primitives.order", said)?;
    }
    settings.locks = source.number("primitives.locks", &keys.locks, settings.locks)?;
    Ok(())
}

fn step(source: &Source, planned: &Planned, node: usize, locks: u32) -> Result<Step> {
    let Planned { act, place, .. } = planned;
    let lock = |field, number| source.between(field, number, 1, locks.into());
    let place_of =
        |field, addr, len: u64| address(source, (field, addr), act, node, narrow(len), MEMORY_SIZE);
    let dma = act.dma.as_ref().is_some_and(|dma| *dma.get_ref());
    let path = if dma { Path::Dma } else { Path::Words };
    let by_path = |addr| Place { path, ..Place::shared(addr) };
    let request = match act {
        Act { compute: Some(ns), .. } => {
            Request::compute(Nanoseconds(source.within("do.compute", ns)?))
        }
        // Bytes that no node reads, so that much data costs little.
        Act {
            write: Some(addr), bytes: Some(bytes), hex: None, text: None, value: None, ..
        } => {
            let len = source.within("do.bytes", bytes)?;
            Request::Write(by_path(place_of("do.write", addr, len)?), Data::Blank(len))
        }
        Act { write: Some(addr), .. } => {
            let bytes = payload(source, act, place, 0, narrow(MEMORY_BYTES), u32::to_be_bytes)?;
            let addr = place_of("do.write", addr, bytes.len() as u64)?;
            Request::Write(by_path(addr), Data::Bytes(bytes.into()))
        }
        Act { read: Some(addr), .. } => {
            let len = source.number("do.bytes", &act.bytes, 4)?;
            Request::Read(by_path(place_of("do.read", addr, len)?), Len::Bytes(len))
        }
        Act { add: Some(addr), .. } => {
            let by = source.number("do.by", &act.by, 1)?;
            return Ok(Step::add(Place::shared(place_of("do.add", addr, 4)?), by));
        }
        Act { lock: Some(number), .. } => Request::Lock(lock("do.lock", number)?),
        Act { unlock: Some(number), .. } => Request::Unlock(lock("do.unlock", number)?),
        Act { until: Some(what), .. } => {
            if source.choice("do.until", what, AWAITED)? {
                Request::Fence(Fence::Dma)
            } else {
                Request::Fence(Fence::Confirmed)
            }
        }
        _ => {
            source.yes("do.barrier", act.barrier.as_ref())?;
            Request::Barrier(0)
        }
    };
    Ok(request.into())
}
