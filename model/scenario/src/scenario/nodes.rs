// SPDX-License-Identifier: MIT OR Apache-2.0
//! `system = "node-ring"`: bare nodes and the frames that hosts hand to them.

use crate::run::nodes::NodesPlan;
use crate::scenario::act::{Host, address, payload, programs};
use crate::scenario::fault::{KINDS, Supported, When, fault};
use crate::scenario::file::{File, Random};
use crate::scenario::random;
use crate::scenario::signal::{Receivers, signal};
use crate::scenario::source::{Result, Source, fibre_cycles};
use crate::scenario::timeline::Timeline;
use awgstar::quantity::Cycle;
use awgstar::random::SplitMix64;
use awgstar::{
    contract::{Token, limits::DATA_MAX},
    ring::{self, Outgoing, Scenario, Send},
};
use toml::Spanned;

/// Signals that a host may send.
pub(super) const TOKENS: [Token; 4] =
    [Token::P2p, Token::Multicast, Token::Broadcast, Token::Control];
const FAULTS: Supported = Supported { system: "node-ring", when: "frame", what: KINDS };

/// The plan of a file.
pub(super) fn convert(source: &Source, file: &File) -> Result<NodesPlan> {
    let top = 0..0;
    let nodes: usize = source.within("nodes", source.need("nodes", file.nodes.as_ref(), &top)?)?;
    let fibre_m = source.fibre(file.fibre_m.as_ref(), nodes)?;
    let cycles = source.need("cycles", file.cycles.as_ref(), &top)?;
    let mut scenario = Scenario {
        nodes,
        fibre: fibre_m.iter().map(|&m| fibre_cycles(m)).collect(),
        groups: source.groups(file.groups.as_ref(), nodes)?,
        tokens: source.number("tokens", &file.tokens, nodes.min(16))?,
        cycles: Cycle(source.within("cycles", cycles)?),
        ..Scenario::default()
    };
    let mut time = Timeline::new(source, scenario.cycles.0, "cycles");
    sends(&mut time, file, &mut scenario)?;
    let mut pattern = SplitMix64::new(source.number("seed", &file.seed, 0)?);
    for traffic in file.random.iter().flat_map(Spanned::get_ref) {
        scenario.sends.extend(random_traffic(&mut time, traffic, nodes, &mut pattern)?);
    }
    number(&mut scenario.sends, nodes);
    for spanned in file.saturate.iter().flat_map(Spanned::get_ref) {
        let saturate = spanned.get_ref();
        let bytes = source.need("saturate.bytes", saturate.bytes.as_ref(), &spanned.span())?;
        let len = source.within("saturate.bytes", bytes)?;
        let nodes = source.nodes_or_all("saturate.nodes", saturate.nodes.as_ref(), nodes)?;
        scenario.saturate.extend(nodes.into_iter().map(|node| ring::Saturate { node, len }));
    }
    for one in file.fault.iter().flat_map(Spanned::get_ref) {
        let one = fault(&mut time, one, nodes, &FAULTS)?;
        // The only one that is supported.
        if let When::Frame(frame) = one.when {
            scenario.faults.push(ring::Fault { link: one.link, frame, kind: one.kind });
            time.marks.faults.push(one.missed);
        }
    }
    scenario.check().map_err(|e| source.error(&top, e.to_string()))?;
    Ok(NodesPlan { scenario, title: file.title(), fibre_m, marks: time.marks })
}

/// The frames of programs: each is handed over when the ones before it are.
fn sends(time: &mut Timeline, file: &File, scenario: &mut Scenario) -> Result<()> {
    let nodes = scenario.nodes;
    let receivers = Receivers {
        node_ids: (0..=255).take(nodes).collect(),
        groups: scenario.groups.iter().fold(0, |all, groups| all | groups),
    };
    let mut now = vec![0; nodes];
    programs(time, Host::NodeRing, file, nodes, |time, _, node, acts| {
        for planned in acts {
            now[node] = planned.at.max(now[node]);
            let frame = if let Some(addr) = &planned.act.write {
                let (source, act, place) = (time.source, planned.act, &planned.place);
                let seed = addr.get_ref().cast_unsigned() << 8 | node as u64;
                let data = payload(source, act, place, seed, DATA_MAX, u32::to_le_bytes)?;
                let len = data.len();
                let addr = address(source, ("do.write", addr), act, node, len, 1 << 32)?;
                Outgoing { addr: addr.0, ..Outgoing::new(Token::Data, data) }
            } else {
                signal(time, planned, &TOKENS, DATA_MAX, &receivers)?
            };
            scenario.sends.push(Send { node, cycle: Cycle(now[node]), frame });
        }
        Ok(())
    })
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

fn random_traffic(
    time: &mut Timeline,
    spanned: &Spanned<Random>,
    all: usize,
    pattern: &mut SplitMix64,
) -> Result<Vec<Send>> {
    let (source, traffic, place) = (time.source, spanned.get_ref(), spanned.span());
    let from = time.at("random.from", traffic.from.as_ref())?;
    let until = source.need("random.until", traffic.until.as_ref(), &place)?;
    let until = time.until("random.until", Some(until), from)?.unwrap_or(time.end);
    let share = traffic.signals.as_ref();
    let share = share.map_or(Ok(0.0), |share| source.real("random.signals", share, ""))?;
    let every = source.need("random.every", traffic.every.as_ref(), &place)?;
    let plan = random::Plan {
        nodes: source.nodes_or_all("random.nodes", traffic.nodes.as_ref(), all)?,
        all,
        from,
        until,
        every: source.within("random.every", every)?,
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
        signals: (share * 1000.0).round() as u64,
        bytes_max: source.number("random.bytes_max", &traffic.bytes_max, 64)?,
    };
    Ok(random::sends(&plan, pattern))
}
