// SPDX-License-Identifier: MIT OR Apache-2.0
//! `system = "clusters"`: clusters with gateways between them, for programs that are processes of this computer.

use super::cluster::named;
use super::file::File;
use super::source::{Result, Source};
use crate::run::cluster::ClustersPlan;
use awgstar::quantity::Nanoseconds;
use awgstar_rings::clusters::{Costs, Meeting, Settings};
use toml::Spanned;

/// The plan of a file.
pub(super) fn convert(source: &Source, file: &File) -> Result<ClustersPlan> {
    let said = source.need("clusters", file.clusters.as_ref(), &(0..0))?;
    let clusters: usize = source.within("clusters", said)?;
    let nodes = source.need("nodes", file.nodes.as_ref(), &(0..0))?;
    let nodes: usize = source.within("nodes", nodes)?;
    source.few("clusters", said, nodes - 1)?;
    let usual = Settings::new(clusters, nodes - 1);
    let mut settings = Settings {
        memory: source.number("memory_bytes", &file.memory_bytes, usual.memory)?,
        limit: Nanoseconds(source.number("limit_ns", &file.limit_ns, usual.limit.0)?),
        costs: costs(source, file)?,
        ..usual
    };
    if let Some(keys) = file.primitives.as_ref().map(Spanned::get_ref) {
        source.only(keys, "barrier locks", "primitives: system \"clusters\"")?;
        settings.locks = source.number("primitives.locks", &keys.locks, settings.locks)?;
        if let Some(name) = &keys.barrier {
            let all = named(Meeting::ALL, Meeting::name);
            settings.meeting = source.choice("primitives.barrier", name, all)?;
        }
    }
    settings.check().map_err(|error| {
        let said = file.memory_bytes.as_ref().unwrap_or(said);
        source.error(&said.span(), error.to_string())
    })?;
    Ok(ClustersPlan { title: file.title(), settings })
}

fn costs(source: &Source, file: &File) -> Result<Costs> {
    let usual = Costs::COMPAS;
    let Some(keys) = file.steps.as_ref().map(Spanned::get_ref) else { return Ok(usual) };
    let time =
        |field, value, usual: Nanoseconds| source.number(field, value, usual.0).map(Nanoseconds);
    let rate = |field, value, usual| source.number(field, value, usual);
    let nicam =
        rate("steps.nicam_bytes_per_ms", &keys.nicam_bytes_per_ms, usual.nicam_bytes_per_ms)?;
    let tcp = rate("steps.tcp_bytes_per_ms", &keys.tcp_bytes_per_ms, usual.tcp_bytes_per_ms)?;
    Ok(Costs {
        nicam_read: time("steps.nicam_read_ns", &keys.nicam_read_ns, usual.nicam_read)?,
        nicam_write: time("steps.nicam_write_ns", &keys.nicam_write_ns, usual.nicam_write)?,
        tcp: time("steps.tcp_ns", &keys.tcp_ns, usual.tcp)?,
        local: time("steps.local_ns", &keys.local_ns, usual.local)?,
        handling: time("steps.handling_ns", &keys.handling_ns, usual.handling)?,
        nicam_bytes_per_ms: nicam,
        tcp_bytes_per_ms: tcp,
    })
}
