// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first wire that is wrong: a register that differs has often been fed by another module.
//!
//! In the cycle before a register differs, all registers are still equal, so what is wrong is in the
//! combinational logic of some module. Icarus shows the ports of every instance in it, the model has
//! them too. The instance whose inputs agree and of which an output differs is to blame; so is one of which an
//! output that depends on registers only differs.

use crate::divergence::{Divergence, Kind};
use crate::run::Lockstep;
use awgstar::quantity;
use awgstar::quantity::narrow;
use awgstar::{
    ring::RESET_CYCLES,
    rtl::state::{Ports, Signal},
};
use awgstar_simulator::SimError;
use awgstar_simulator::four_state as icarus;
use awgstar_simulator::four_state::{Cycle, FourState};
use awgstar_stimulus::deposit;
use awgstar_stimulus::machine::{Machine, Stimulus, Track};
use awgstar_stimulus::meaning::Meaning;
use awgstar_stimulus::shape::{Shape, value};
use awgstar_stimulus::vector::track_of;
use std::{collections::BTreeMap, fmt, path::Path};

/// A wrong wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blame {
    /// In this cycle.
    pub cycle: u64,
    /// Path of the port below the top module.
    pub port: String,
    /// The module in which the mistake is.
    pub module: &'static str,
    /// Width in bits.
    pub bits: usize,
    /// In the model.
    pub model: u128,
    /// In the Verilog; bits that are X are 0.
    pub rtl: u128,
    /// True if the signal is an output of an instance of that module whose inputs agree, or do not matter. False if
    /// it is an input of an instance in that module, and no output of an instance explains it.
    pub output: bool,
}

impl fmt::Display for Blame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Blame { cycle, port, module, bits, model, rtl, output } = self;
        let what = if *output { "output" } else { "wire to" };
        write!(
            f,
            "{what} {port} in cycle {cycle} (module {module})\n    \
             model   {bits}'h{model:x}\n    Verilog {bits}'h{rtl:x}\n    "
        )?;
        f.write_str(match output {
            true if REGISTERED.contains(module) => "it depends on registers only, which agree",
            true => "its inputs agree",
            false => "the outputs of all instances agree",
        })
    }
}

/// Ports of the instances of a machine by path: inputs, outputs.
type Instances = BTreeMap<String, [(Vec<Signal>, Vec<u32>); 2]>;

fn instances<M: Machine>(machine: &M, inputs: &M::Inputs) -> Instances {
    let mut all = Instances::new();
    let mut held = None;
    machine.look(inputs, &mut |path, ports, image| {
        let side = (ports.to_vec(), image.to_vec());
        match held.take() {
            None => held = Some(side),
            Some(inputs) => drop(all.insert(path.to_owned(), [inputs, side])),
        }
    });
    all
}

/// A port of an instance on which model and Icarus do not agree.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// Path of the instance.
    pub instance: String,
    /// Module of the signal.
    pub module: &'static str,
    /// Name of the port.
    pub port: &'static str,
    output: bool,
    bits: usize,
    model: u128,
    rtl: u128,
}

/// Ports that differ in a cycle: bits that are known in Icarus and mean something in the model.
#[must_use]
pub fn compare<M: Machine>(
    shape: &Shape,
    machine: &M,
    inputs: &M::Inputs,
    icarus: &[FourState],
) -> Vec<Wrong> {
    let model = instances(machine, inputs);
    let paths = icarus::instance_ports(shape);
    let rtl: BTreeMap<&str, &FourState> = paths.iter().map(String::as_str).zip(icarus).collect();
    let mut wrong = Vec::new();
    shape.layout.walk("", &mut |prefix, layout| {
        let Some(sides) = prefix.strip_suffix('.').and_then(|path| model.get(path)) else { return };
        for (output, (ports, image)) in [false, true].into_iter().zip(sides) {
            let mask = Meaning::of(ports).mask(image, &vec![u32::MAX; image.len()]);
            let mut at = 0;
            for port in ports {
                let [now, means] = [image, &mask].map(|words| value(words, at, port.bits));
                at += port.words();
                let Some(found) = rtl.get(format!("{prefix}{}", port.name).as_str()) else {
                    continue;
                };
                let known = means & !found.unknown & u128::MAX >> (128 - port.bits);
                if (now ^ found.value) & known != 0
                    && !unqualified(layout.module, port.name, image, ports)
                {
                    wrong.push(Wrong {
                        instance: prefix.trim_end_matches('.').to_owned(),
                        module: layout.module,
                        port: port.name,
                        output,
                        bits: port.bits,
                        model: now,
                        rtl: found.value,
                    });
                }
            }
        }
    });
    wrong
}

/// The ports that differ in the first cycle, out of reset, in which some do; none if all agree
/// to the end.
#[must_use]
pub fn all_differences<M: Machine>(track: &Track<M::Inputs>, cycles: &[Cycle]) -> Vec<Wrong> {
    let mut machine = M::default();
    for (number, (inputs, cycle)) in (0..).zip(track.inputs.iter().zip(cycles)) {
        deposit::apply(&mut machine, &deposit::due(&track.deposits, quantity::Cycle(number)));
        if number >= RESET_CYCLES.0 {
            let wrong = compare(M::shape(), &machine, inputs, &cycle.ports);
            if !wrong.is_empty() {
                return wrong;
            }
        }
        machine.clock(inputs);
    }
    Vec::new()
}

/// The port counts only while another one is 1, and that is 0.
fn unqualified(module: &str, port: &str, image: &[u32], ports: &[Signal]) -> bool {
    let Some((.., by)) = QUALIFIED.iter().find(|(m, o, _)| (*m, *o) == (module, port)) else {
        return false;
    };
    let low = |by: &&str| {
        let before = ports.iter().take_while(|p| p.name != *by);
        let at: usize = before.map(Signal::words).sum();
        image.get(at).is_some_and(|word| word & 1 == 0)
    };
    by.iter().all(low)
}

/// Outputs and inputs that count only while another one is 1: module, port, those others.
pub(super) const QUALIFIED: &[(&str, &str, &[&str])] = &[
    ("rx_sorter", "mail_index", &["mail_we"]),
    ("rx_sorter", "mail_data", &["mail_we"]),
    ("mail_box", "index", &["we"]),
    ("mail_box", "data", &["we"]),
    ("sync_engine", "s_index", &["s_we"]),
    ("sync_engine", "s_data", &["s_we"]),
    ("sync_engine", "m_index", &["m_we"]),
    ("sync_engine", "m_data", &["m_we"]),
    ("tx_arbiter", "grant_cycles", &["grant_data", "grant_signal", "grant_free"]),
    ("ring_egress", "grant_cycles", &["grant"]),
];

/// Modules whose outputs depend on registers only. All registers agree in the cycle of a wrong wire, so a wrong
/// output is the mistake of the module, even if a loop of wires makes its inputs wrong too.
const REGISTERED: &[&str] =
    &["frame_rx", "frame_tx", "insert_buffer", "node_counters", "order_gate"];

/// The module that holds the instance at `path`.
fn parent(shape: &Shape, path: &str) -> &'static str {
    let above = path.rsplit_once('.').map_or("", |(above, _)| above);
    let mut module = shape.layout.module;
    shape.layout.walk("", &mut |prefix, layout| {
        if prefix.trim_end_matches('.') == above {
            module = layout.module;
        }
    });
    module
}

/// Selects the port that is the cause from those that differ; `None` if the mistake is in how the module of
/// the register computes its next value.
#[must_use]
pub fn cause(shape: &Shape, cycle: u64, wrong: &[Wrong]) -> Option<Blame> {
    let agree = |w: &&Wrong| {
        let fed = || wrong.iter().any(|i| i.instance == w.instance && !i.output);
        w.output && (REGISTERED.contains(&w.module) || !fed())
    };
    let suspects: Vec<&Wrong> = wrong.iter().filter(agree).collect();
    // Of an instance and another one inside it the inner one.
    let inner = |w: &&&Wrong| {
        let inside = format!("{}.", w.instance);
        !suspects.iter().any(|other| other.instance.starts_with(&inside))
    };
    let output = suspects.iter().find(inner).copied();
    let w = output.or_else(|| {
        let fed = wrong.iter().any(|w| w.output);
        wrong.iter().find(|w| !w.output && !fed)
    })?;
    let module = if output.is_some() { w.module } else { parent(shape, &w.instance) };
    Some(Blame {
        cycle,
        port: format!("{}.{}", w.instance, w.port),
        module,
        bits: w.bits,
        model: w.model,
        rtl: w.rtl,
        output: output.is_some(),
    })
}

/// The wire that is wrong before or as what `d` says differs; `None` if the mistake is in how the
/// module of the register computes its next value. `program` is one of
/// [`icarus::build_with_ports`].
///
/// # Errors
/// If Icarus is missing or a run gives no answer.
pub fn blame<M: Machine>(
    d: &Divergence<M::Case>,
    lockstep: &Lockstep<M>,
    program: &Path,
) -> Result<Option<Blame>, SimError> {
    let shape = lockstep.shape();
    // Outputs alone differ in the cycle of their cause, registers one later.
    let late = u64::from(d.first().is_some_and(|s| s.kind != Kind::Output));
    let cycle = d.cycle - late;
    let case = d.case.with_cycles(quantity::Cycle(d.cycle + 1));
    let track = track_of::<M>(&case, d.node, &shape.parameters)?;
    let cycles = icarus::play_from::<M>(shape, program, &track, cycle)?;
    let at = narrow::<usize>(cycle);
    let Some(icarus) = cycles.get(at) else { return Ok(None) };
    let mut wrong = Vec::new();
    lockstep.watch(&case, cycle, cycle + 1, &mut |_, node, machine, _, shot| {
        if node == d.node {
            wrong = compare::<M>(shape, machine, &M::Inputs::unpack(&shot.inputs), &icarus.ports);
        }
    })?;
    Ok(cause(shape, cycle, &wrong))
}

#[cfg(test)]
mod tests {
    use super::*;
    use awgstar::rtl::{Parameters, RingNode, ring_node};
    use awgstar_stimulus::known::starts;
    use std::collections::BTreeSet;

    /// In many states, no output of these modules changes with the inputs of the node.
    #[test]
    fn modules_with_registered_outputs() {
        let shape = Shape::of::<RingNode>(&Parameters::DEFAULT);
        let mut x = 1_u32;
        let mut random = || {
            let words = (0..<ring_node::Inputs as Ports>::WORDS).map(|_| {
                x ^= x << 13;
                x ^= x >> 17;
                x ^= x << 5;
                x
            });
            ring_node::Inputs::unpack(&words.collect::<Vec<_>>())
        };
        let (mut all, mut combinational) = (BTreeSet::new(), BTreeSet::new());
        for mut node in starts::<RingNode>(&shape, 20) {
            for _ in 0..50 {
                let [one, other] = [random(), random()].map(|i| instances(&node, &i));
                shape.layout.walk("", &mut |prefix, layout| {
                    // The model shows no ports of the node itself.
                    let path = prefix.trim_end_matches('.');
                    let (Some(one), Some(other)) = (one.get(path), other.get(path)) else { return };
                    all.insert(layout.module);
                    if one[1].1 != other[1].1 {
                        combinational.insert(layout.module);
                    }
                });
                let mut inputs = random();
                inputs.rst = false;
                node.clock(&inputs);
            }
        }
        for module in REGISTERED {
            assert!(all.contains(module) && !combinational.contains(module), "{module}");
        }
        // The inputs reach the outputs of others.
        for module in ["tx_arbiter", "tx_mux", "ring_egress"] {
            assert!(combinational.contains(module), "{module}");
        }
    }
}
