// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of the elaborated Verilog against those of the model (LCK-2).
//!
//! Yosys elaborates and writes JSON; a register is a named net whose bits are all driven by
//! flip-flops. An instance that holds no state may be missing in the model.

use crate::SimError;
use crate::yosys::{self, Bit, Json};
use awgstar::rtl::{
    Parameters,
    state::{Layout, Signal},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// A module as the Verilog has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// Name, without parameters.
    pub name: String,
    /// Inputs but `clk`, in order: name and bits.
    pub inputs: Vec<(String, usize)>,
    pub outputs: Vec<(String, usize)>,
    /// Registers: name to bits.
    pub registers: BTreeMap<String, usize>,
    /// Memories: name to bits and depth.
    pub memories: BTreeMap<String, (usize, usize)>,
    /// Instances.
    pub children: BTreeMap<String, Module>,
}

impl Module {
    fn has_state(&self) -> bool {
        !self.registers.is_empty()
            || !self.memories.is_empty()
            || self.children.values().any(Module::has_state)
    }
}

/// Elaborates `top` of the Verilog in `hdl` with these parameters.
///
/// # Errors
/// If Yosys is missing or does not take the Verilog, or a name has a control character.
pub fn elaborate(
    hdl: &Path,
    top: &'static str,
    parameters: &Parameters,
) -> Result<Module, SimError> {
    let sizes = parameters.of(top).fold(String::new(), |t, (n, v)| format!("{t} -chparam {n} {v}"));
    let script = format!("hierarchy -check -top {top}{sizes}; proc");
    let text = yosys::netlist(&[hdl], top, &script)?;
    from_json(&text, top).map_err(|e| SimError::format(hdl, e))
}

/// The module `top` in what Yosys' `write_json` wrote.
///
/// # Errors
/// If the text has another form, has no such module, or a module is an instance inside itself.
pub fn from_json(text: &str, top: &str) -> Result<Module, String> {
    let json: Json = serde_json::from_str(text).map_err(|e| e.to_string())?;
    module(&json, top, &mut Vec::new())
}

/// `$paramod\insert_buffer\ADDR_W=...` or `$paramod$hash\insert_buffer` is `insert_buffer`.
fn plain(name: &str) -> &str {
    match name.strip_prefix("$paramod") {
        Some(rest) => rest.split('\\').nth(1).unwrap_or(rest),
        None => name.trim_start_matches('\\'),
    }
}

/// `inside` are the modules that it is an instance in.
fn module<'a>(json: &'a Json, name: &'a str, inside: &mut Vec<&'a str>) -> Result<Module, String> {
    let found = json.modules.get(name).ok_or_else(|| format!("no module {name}"))?;
    if inside.contains(&name) {
        return Err(format!("module {name} is an instance inside itself"));
    }
    let ports = |direction: &str| -> Vec<(String, usize)> {
        let ports = found.ports.0.iter().filter(|(n, p)| p.direction == direction && n != "clk");
        ports.map(|(n, p)| (n.clone(), p.bits.len())).collect()
    };
    let flops = found.cells.values().filter(|c| {
        let kind = c.kind.trim_start_matches('$');
        c.kind.starts_with('$') && (kind.contains("dff") || kind.contains("dlatch"))
    });
    let driven: BTreeSet<&Bit> = flops.filter_map(|c| c.connections.get("Q")).flatten().collect();
    // An output that is a register has two names; the register's ends in `_q`.
    let mut by_bits: BTreeMap<&[Bit], Vec<&str>> = BTreeMap::new();
    for (net, n) in &found.netnames {
        // A `$` is in names that Yosys made: of a function's arguments, of a case that became a table.
        let own = n.hide_name == 0 && !net.contains('$');
        if own && !n.bits.is_empty() && n.bits.iter().all(|b| driven.contains(b)) {
            by_bits.entry(&n.bits).or_default().push(net);
        }
    }
    let is_port = |name: &str| found.ports.0.iter().any(|(n, _)| n == name);
    let registers_end = |name: &str| name.ends_with("_q");
    let of_registers: BTreeSet<&Bit> = by_bits
        .iter()
        .filter(|(_, names)| names.iter().any(|n| registers_end(n)))
        .flat_map(|(bits, _)| bits.iter())
        .collect();
    let mut registers = BTreeMap::new();
    for (bits, names) in &by_bits {
        let mut chosen: Vec<&str> = names.iter().copied().filter(|n| registers_end(n)).collect();
        // Bits of registers that have their names already: a wire.
        if chosen.is_empty() && !bits.iter().all(|b| of_registers.contains(b)) {
            let own = names.iter().find(|n| !is_port(n)).or(names.first());
            chosen.extend(own.copied());
        }
        registers.extend(chosen.into_iter().map(|n| (n.to_owned(), bits.len())));
    }
    let memories = found.memories.iter().filter(|(n, _)| !n.contains('$'));
    inside.push(name);
    let instances = found.cells.iter().filter(|(_, c)| json.modules.contains_key(&c.kind));
    let children = instances
        .map(|(n, c)| Ok((n.clone(), module(json, &c.kind, inside)?)))
        .collect::<Result<_, String>>()?;
    inside.pop();
    Ok(Module {
        name: plain(name).to_owned(),
        inputs: ports("input"),
        outputs: ports("output"),
        registers,
        memories: memories.map(|(n, m)| (n.clone(), (m.width, m.size))).collect(),
        children,
    })
}

/// Compares the names of Verilog and model: a sentence for each difference, none if all agree.
#[must_use]
pub fn differences(verilog: &Module, model: &Layout) -> Vec<String> {
    let mut found = BTreeSet::new();
    compare(verilog, model, &mut found);
    found.into_iter().collect()
}

fn compare(verilog: &Module, model: &Layout, found: &mut BTreeSet<String>) {
    let place = &verilog.name;
    if *place != model.module {
        found.insert(format!("module {place} of the Verilog is {} in the model", model.module));
        return;
    }
    ports("input", place, &verilog.inputs, &model.inputs, found);
    ports("output", place, &verilog.outputs, &model.outputs, found);
    let names = |signals: &[Signal]| signals.iter().map(|s| (s.name.to_owned(), s.bits)).collect();
    sets("register", place, &verilog.registers, &names(&model.registers), found, |b| {
        format!("{b} bits")
    });
    let memories = model.memories.iter().map(|m| (m.name.to_owned(), (m.bits, m.depth))).collect();
    sets("memory", place, &verilog.memories, &memories, found, |(b, d)| {
        format!("{d} words of {b} bits")
    });
    for (name, child) in &verilog.children {
        match model.children.iter().find(|(n, _)| n == name) {
            Some((_, layout)) => compare(child, layout, found),
            None if child.has_state() => {
                found.insert(format!(
                    "instance `{name}` of {place} is in the Verilog but not in the model"
                ));
            }
            None => {}
        }
    }
    for (name, _) in model.children.iter().filter(|(n, _)| !verilog.children.contains_key(*n)) {
        found
            .insert(format!("instance `{name}` of {place} is in the model but not in the Verilog"));
    }
}

fn sets<T: PartialEq>(
    what: &str,
    place: &str,
    verilog: &BTreeMap<String, T>,
    model: &BTreeMap<String, T>,
    found: &mut BTreeSet<String>,
    show: impl Fn(&T) -> String,
) {
    for (name, shape) in verilog {
        match model.get(name) {
            None => {
                found.insert(format!(
                    "{what} `{name}` of {place} is in the Verilog but not in the model"
                ));
            }
            Some(other) if other != shape => {
                let (v, m) = (show(shape), show(other));
                found.insert(format!(
                    "{what} `{name}` of {place}: {v} in the Verilog, {m} in the model"
                ));
            }
            Some(_) => {}
        }
    }
    for name in model.keys().filter(|n| !verilog.contains_key(*n)) {
        found.insert(format!("{what} `{name}` of {place} is in the model but not in the Verilog"));
    }
}

fn ports(
    what: &str,
    place: &str,
    verilog: &[(String, usize)],
    model: &[Signal],
    found: &mut BTreeSet<String>,
) {
    let before = found.len();
    // A module with more clocks than one has `clk` among its inputs in the model.
    let model: Vec<&Signal> = model.iter().filter(|s| s.name != "clk").collect();
    let mine = model.iter().map(|s| (s.name.to_owned(), s.bits)).collect();
    sets(what, place, &verilog.iter().cloned().collect(), &mine, found, |b| format!("{b} bits"));
    if found.len() > before {
        return;
    }
    let order = verilog.iter().zip(&model).find(|((v, _), m)| v != m.name);
    if let Some(((v, _), m)) = order {
        found.insert(format!(
            "{what}s of {place} are in another order: `{v}` in the Verilog, `{}` in the model",
            m.name
        ));
    }
}
