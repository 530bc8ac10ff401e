// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paths between clocks, found in the netlists of all top levels that have more than one (CDC-4), and the constraint
//! files that follow from them.
//!
//! Yosys makes a flat netlist; each register and each write port has a clock. What reaches it from another clock must
//! be a bit of a register at the first of two registers, or a word of a store whose pointers cross in Gray code.

pub mod constraints;
mod netlist;
mod report;
pub mod tops;
mod walk;

use crate::SimError;
use crate::yosys::{self, Json, JsonModule};
use netlist::{Netlist, Part};
pub use report::{Crossing, End, Kind, Report};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tops::{TOPS, Top};

/// Removes what is constant or unused, and keeps the names.
const FLAT: &str = "proc; flatten; opt_expr; opt_dff; opt_clean; memory_collect; opt_clean";
/// The parts of the ECP5, without what is in them.
const PARTS: &str = "read_verilog -lib +/ecp5/cells_bb.v";

/// The netlist of a top level of the Verilog in `hdl`.
///
/// # Errors
/// If Yosys is missing or does not take the Verilog.
pub fn netlist(hdl: &Path, top: &Top) -> Result<String, SimError> {
    let (boards, module) = (hdl.join("boards"), top.module);
    let (folders, parts) = if top.board { (vec![hdl, &boards], PARTS) } else { (vec![hdl], "") };
    yosys::netlist(&folders, module, &format!("{parts}; hierarchy -check -top {module}; {FLAT}"))
}

/// Looks at all paths between clocks of a top level.
///
/// # Errors
/// If Yosys is missing or does not take the Verilog.
pub fn check(hdl: &Path, top: &Top) -> Result<Report, SimError> {
    from_json(&netlist(hdl, top)?, top).map_err(|e| SimError::format(hdl, e))
}

/// The same, of a netlist that Yosys has written.
///
/// # Errors
/// If the text has another form or does not have the module.
pub fn from_json(text: &str, top: &Top) -> Result<Report, String> {
    let json: Json = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let module = json.modules.get(top.module).ok_or_else(|| format!("no module {}", top.module))?;
    Ok(walk::Walk::new(top, &Netlist::new(module)).run())
}

/// Modules in `hdl` and `hdl/boards` with more clocks than one that are not in [`TOPS`].
///
/// # Errors
/// If Yosys is missing or does not take the Verilog.
pub fn left_out(hdl: &Path) -> Result<Vec<String>, SimError> {
    let text = yosys::netlist(&[hdl, &hdl.join("boards")], "hdl", &format!("{PARTS}; proc"))?;
    let json: Json =
        serde_json::from_str(&text).map_err(|e| SimError::format(hdl, e.to_string()))?;
    let mut all = BTreeMap::new();
    for name in json.modules.keys() {
        clocks(&json, name, &mut all);
    }
    let listed = |name: &str| TOPS.iter().any(|top| top.module == name);
    let many = all.into_iter().filter(|(name, clocks)| clocks.len() > 1 && !listed(name));
    Ok(many.map(|(name, _)| name.to_owned()).collect())
}

/// Nets of a module that are clocks of what is in it.
fn clocks<'a>(
    json: &'a Json,
    name: &'a str,
    all: &mut BTreeMap<&'a str, BTreeSet<u64>>,
) -> BTreeSet<u64> {
    if let Some(found) = all.get(name) {
        return found.clone();
    }
    let Some(module) = json.modules.get(name).filter(|module| !is_part(module)) else {
        return BTreeSet::new();
    };
    all.insert(name, BTreeSet::new());
    let mut found = BTreeSet::new();
    for (_, instance, part) in &Netlist::new(module).cells {
        let ports = match part {
            Part::Register(clock) => vec![*clock],
            _ if instance.kind.starts_with("$mem") => vec!["CLK"],
            Part::Other => {
                let inner = clocks(json, &instance.kind, all);
                let ports = json.modules.get(&instance.kind).map(|m| &m.ports.0);
                let clock = |bits: &[yosys::Bit]| {
                    bits.iter().filter_map(netlist::net).any(|net| inner.contains(&net))
                };
                let ports = ports.into_iter().flatten().filter(|(_, port)| clock(&port.bits));
                ports.map(|(name, _)| name.as_str()).collect()
            }
            _ => Vec::new(),
        };
        let nets = ports.iter().filter_map(|port| instance.connections.get(*port)).flatten();
        found.extend(nets.filter_map(netlist::net));
    }
    all.insert(name, found.clone());
    found
}

/// A part of the FPGA: nothing is in it.
fn is_part(module: &JsonModule) -> bool {
    module.cells.is_empty()
}
