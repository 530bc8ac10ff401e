// SPDX-License-Identifier: MIT OR Apache-2.0
//! A divergence in words.

use crate::difference::{Difference, Divergence, InFlight};
use crate::word::Seen;
use awgstar::{
    Tap,
    codec::Mac,
    contract::{Field, FrameKind, Token, TxClass, fsm::FSMS},
};
use std::fmt::Write as _;

/// Other differences that are listed.
const LISTED: usize = 8;

/// The name of a state, kind or class; `None` for other registers.
#[must_use]
pub fn name_of(module: &str, path: &str, value: u128) -> Option<&'static str> {
    let code = u8::try_from(value).ok()?;
    let name = path.rsplit('.').next()?;
    match name {
        "state_q" => {
            let fsm = FSMS.iter().find(|f| f.module == module)?;
            fsm.states.iter().find(|(_, c)| *c == code).map(|(n, _)| *n)
        }
        "kind_q" | "kind1_q" => FrameKind::ALL.iter().find(|k| k.code() == code).map(|k| k.name()),
        "class_q" => TxClass::ALL.iter().find(|c| c.code() == code).map(|c| c.name()),
        _ => None,
    }
}

fn shown(d: &Difference, seen: Seen) -> String {
    let bits = d.signal.bits;
    if seen.x != 0 {
        return format!("{bits}'h{}", seen.hex(bits));
    }
    let number = format!("{bits}'h{:x}", seen.value);
    match name_of(d.signal.module, &d.signal.path, seen.value) {
        Some(name) => format!("{number} ({name})"),
        None => number,
    }
}

fn line(d: &Difference) -> String {
    let (model, rtl) = (shown(d, Seen::known(d.model())), shown(d, d.found()));
    format!("{:<28} model {model}, Verilog {rtl}", d.path())
}

/// One line about a frame, whole or not.
#[must_use]
pub fn frame_line(bytes: &[u8], whole: bool) -> String {
    let mut out = format!("{} bytes{}", bytes.len(), if whole { "" } else { " so far" });
    let tap = Tap::of_bytes(bytes);
    if let Some(mac) = tap.field(Field::Mac) {
        let _ = write!(out, " from {}", Mac::from_u64(mac));
    }
    if let Some(c_st) = tap.field(Field::CSt) {
        let token = Token::from_code(tap.header().token).map_or("reserved token", |t| t.name());
        let _ = write!(out, ", {token}, C.ST {c_st}");
    }
    if let Some(node) = tap.field(Field::NodeId) {
        let _ = write!(out, ", Node_ID {node}");
    }
    if let Some(count) = tap.field(Field::PacketCnt) {
        let _ = write!(out, ", Packet_Cnt {count}");
    }
    out
}

fn frame(f: &InFlight) -> String {
    format!("node {}, {:<8} {}", f.node, f.place, frame_line(&f.bytes, f.whole))
}

/// The report of a divergence.
#[must_use]
pub fn render<C>(d: &Divergence<C>) -> String {
    let mut out = format!("model and Verilog differ in cycle {}, node {}\n", d.cycle, d.node);
    let Some(first) = d.first() else { return out };
    let _ = writeln!(
        out,
        "\n  {} {}, bit {} (module {})\n    model   {}\n    Verilog {}",
        first.signal.kind.name(),
        first.path(),
        first.bit(),
        first.signal.module,
        shown(first, Seen::known(first.model())),
        shown(first, first.found())
    );
    let rest = &d.signals[1..];
    if !rest.is_empty() {
        out.push_str("\n  differ in the same cycle, further downstream:\n");
        for s in rest.iter().take(LISTED) {
            let _ = writeln!(out, "    {}", line(s));
        }
        if rest.len() > LISTED {
            let _ = writeln!(out, "    and {} more", rest.len() - LISTED);
        }
    }
    if !d.others.is_empty() {
        let _ = writeln!(out, "\n  nodes that differ in the same cycle: {:?}", d.others);
    }
    // The values of ports whose valid is 0 are noise.
    let valid = |name: &str| {
        let ports = [
            ("s_axi_aw", "s_axi_awvalid"),
            ("s_axi_w", "s_axi_wvalid"),
            ("s_axi_ar", "s_axi_arvalid"),
            ("s_axis_", "s_axis_tvalid"),
            ("s_data_hdr_", "s_data_hdr_valid"),
            ("s_data_axis_", "s_data_axis_tvalid"),
            ("s_signal_hdr_", "s_signal_hdr_valid"),
            ("s_signal_axis_", "s_signal_axis_tvalid"),
        ];
        let port = ports.iter().find(|(prefix, _)| name.starts_with(prefix));
        port.is_none_or(|(_, valid)| d.inputs.iter().any(|(n, _, v)| n == valid && *v != 0))
    };
    let inputs: Vec<String> = d
        .inputs
        .iter()
        .filter(|(name, _, value)| *value != 0 && !name.starts_with("cfg_") && valid(name))
        .map(|(name, bits, value)| format!("{name} {bits}'h{value:x}"))
        .collect();
    if !inputs.is_empty() {
        out.push_str("\n  inputs of the cycle before, as far as they are not 0:\n");
        for line in inputs.chunks(4) {
            let _ = writeln!(out, "    {}", line.join(", "));
        }
    }
    if !d.frames.is_empty() {
        out.push_str("\n  last frame on each link, this cycle included:\n");
        for f in &d.frames {
            let _ = writeln!(out, "    {}", frame(f));
        }
    }
    if let Some(cause) = &first.cause {
        let _ = writeln!(out, "\n  cause: {cause}");
    }
    out
}
