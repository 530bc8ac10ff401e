// SPDX-License-Identifier: MIT OR Apache-2.0
//! `system = "cluster"`: computers with messages and servers, for programs that are processes of this computer.

use crate::run::cluster::ClusterPlan;
use crate::scenario::file::File;
use crate::scenario::source::{Result, Source};
use awgstar::quantity::Nanoseconds;
use awgstar_cluster::{Barriers, Costs, Fences, Locks, Settings};
use toml::Spanned;

/// The names of a list of protocols.
pub(super) fn named<T: Copy>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl Iterator<Item = (&'static str, T)> + Clone {
    all.iter().map(move |one| (name(*one), *one))
}

/// The plan of a file.
pub(super) fn convert(source: &Source, file: &File) -> Result<ClusterPlan> {
    let nodes = source.need("nodes", file.nodes.as_ref(), &(0..0))?;
    let nodes: usize = source.within("nodes", nodes)?;
    let usual = Settings::new(nodes);
    let memory = source.number("memory_bytes", &file.memory_bytes, usual.memory)?;
    let least = u64::from(awgstar::request::PAGE) * nodes as u64;
    if let Some(said) = file.memory_bytes.as_ref().filter(|_| u64::from(memory) < least) {
        let what = format!("memory_bytes is {memory}: expected {least} or more for {nodes} nodes");
        return Err(source.error(&said.span(), what));
    }
    let mut settings = Settings {
        memory,
        per_computer: source.number("per_computer", &file.per_computer, usual.per_computer)?,
        limit: Nanoseconds(source.number("limit_ns", &file.limit_ns, usual.limit.0)?),
        costs: costs(source, file)?,
        ..usual
    };
    if let Some(keys) = file.primitives.as_ref().map(Spanned::get_ref) {
        source.only(keys, "lock barrier fences", "primitives: system \"cluster\"")?;
        if let Some(name) = &keys.lock {
            settings.locks =
                source.choice("primitives.lock", name, named(Locks::ALL, Locks::name))?;
        }
        if let Some(name) = &keys.barrier {
            let all = named(Barriers::ALL, Barriers::name);
            settings.barrier = source.choice("primitives.barrier", name, all)?;
        }
        if let Some(name) = &keys.fences {
            let all = named(Fences::ALL, Fences::name);
            settings.fences = source.choice("primitives.fences", name, all)?;
        }
    }
    Ok(ClusterPlan { title: file.title(), settings })
}

fn costs(source: &Source, file: &File) -> Result<Costs> {
    let usual = Costs::MYRINET_2000_GM;
    let Some(keys) = file.costs.as_ref().map(Spanned::get_ref) else { return Ok(usual) };
    let time =
        |field, value, usual: Nanoseconds| source.number(field, value, usual.0).map(Nanoseconds);
    let latency = time("costs.latency_ns", &keys.latency_ns, usual.latency)?;
    let rate = source.number("costs.bytes_per_us", &keys.bytes_per_us, usual.bytes_per_us)?;
    Ok(Costs {
        send: time("costs.send_ns", &keys.send_ns, usual.send)?,
        latency,
        own_latency: time("costs.own_latency_ns", &keys.own_latency_ns, latency)?,
        receive: time("costs.receive_ns", &keys.receive_ns, usual.receive)?,
        bytes_per_us: rate,
        wake: time("costs.wake_ns", &keys.wake_ns, usual.wake)?,
        serve: time("costs.serve_ns", &keys.serve_ns, usual.serve)?,
        access: time("costs.access_ns", &keys.access_ns, usual.access)?,
        atomic: time("costs.atomic_ns", &keys.atomic_ns, usual.atomic)?,
        fault: time("costs.fault_ns", &keys.fault_ns, usual.fault)?,
        page: time("costs.page_ns", &keys.page_ns, usual.page)?,
    })
}
