// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first wire that is wrong: a register that differs has often been fed by another module.
//!
//! In the cycle before a register differs, all registers are still equal, so what is wrong is in the
//! combinational logic of some module. Icarus shows the ports of every instance in it, the model has
//! them too. The instance whose inputs agree and of which an output differs is to blame; so is one of which an
//! output that depends on registers only differs.

use crate::cycle::Cycle;
use crate::difference::{Cause, Difference};
use crate::signals::{Kind, Signal};
use crate::word::{Expected, Seen};
use awgstar::quantity;
use awgstar::{ring::RESET_CYCLES, rtl::state::Signal as Port};
use awgstar_stimulus::deposit;
use awgstar_stimulus::machine::{self, Machine, Track};
use awgstar_stimulus::meaning::Meaning;
use awgstar_stimulus::shape::{Shape, ones, value};
use std::{collections::BTreeMap, sync::Arc};

/// Ports of all instances below the top module by path: those of an instance before those inside it, inputs before
/// outputs.
#[must_use]
pub fn ports(shape: &Shape) -> Vec<(String, Port)> {
    let mut all = Vec::new();
    shape.layout.walk("", &mut |prefix, module| {
        if !prefix.is_empty() {
            let ports = module.inputs.iter().chain(&module.outputs);
            all.extend(ports.map(|port| (format!("{prefix}{}", port.name), *port)));
        }
    });
    all
}

/// Ports of the instances of a machine by path: inputs, outputs.
type Instances = BTreeMap<String, [(Vec<Port>, Vec<u32>); 2]>;

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

/// Ports that differ in a cycle: bits that are known in the design and mean something in the model. `seen` is in the
/// order of [`ports`].
#[must_use]
pub fn wires<M: Machine>(
    shape: &Shape,
    machine: &M,
    inputs: &M::Inputs,
    seen: &[Seen],
    cycle: u64,
) -> Vec<Difference> {
    let model = instances(machine, inputs);
    let mut all = seen.iter();
    let mut wrong = Vec::new();
    shape.layout.walk("", &mut |prefix, layout| {
        let Some(path) = prefix.strip_suffix('.') else { return };
        let shown = [&layout.inputs, &layout.outputs]
            .map(|ports| all.by_ref().take(ports.len()).collect::<Vec<_>>());
        let Some(sides) = model.get(path) else { return };
        for ((output, (ports, image)), shown) in [false, true].into_iter().zip(sides).zip(shown) {
            let mask = Meaning::of(ports).mask(image, &vec![u32::MAX; image.len()]);
            let mut at = 0;
            for (port, seen) in ports.iter().zip(shown) {
                let [now, means] = [image, &mask].map(|words| value(words, at, port.bits));
                at += port.words();
                let means =
                    if unqualified(layout.module, port.name, image, ports) { 0 } else { means };
                let expected = Expected { value: now, care: means & ones(port.bits), care_x: 0 };
                if expected.wrong(*seen) != 0 {
                    let signal = Arc::new(Signal {
                        kind: Kind::Wire { output },
                        path: format!("{prefix}{}", port.name),
                        module: layout.module,
                        bits: port.bits,
                        number: 0,
                    });
                    let seen = *seen;
                    wrong.push(Difference {
                        signal,
                        word: None,
                        cycle,
                        expected,
                        seen,
                        cause: None,
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
pub fn all_differences<M: Machine>(track: &Track<M::Inputs>, cycles: &[Cycle]) -> Vec<Difference> {
    let mut machine = M::default();
    for (number, (inputs, cycle)) in (0..).zip(track.inputs.iter().zip(cycles)) {
        machine::deposit(&mut machine, &deposit::due(&track.deposits, quantity::Cycle(number)));
        if number >= RESET_CYCLES.0 {
            let wrong = wires(M::shape(), &machine, inputs, &cycle.ports, number);
            if !wrong.is_empty() {
                return wrong;
            }
        }
        machine.clock(inputs);
    }
    Vec::new()
}

/// The port counts only while another one is 1, and that is 0.
fn unqualified(module: &str, port: &str, image: &[u32], ports: &[Port]) -> bool {
    let Some((.., by)) = QUALIFIED.iter().find(|(m, o, _)| (*m, *o) == (module, port)) else {
        return false;
    };
    let low = |by: &&str| {
        let before = ports.iter().take_while(|p| p.name != *by);
        let at: usize = before.map(Port::words).sum();
        image.get(at).is_some_and(|word| word & 1 == 0)
    };
    by.iter().all(low)
}

/// Outputs and inputs that count only while another one is 1: module, port, those others.
pub const QUALIFIED: &[(&str, &str, &[&str])] = &[
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

/// Path of the instance of a wire.
fn instance(wire: &Difference) -> &str {
    wire.signal.path.rsplit_once('.').map_or("", |(instance, _)| instance)
}

fn is_output(wire: &Difference) -> bool {
    wire.signal.kind == Kind::Wire { output: true }
}

/// Selects the wire that is the cause from those that differ, with the module in which the mistake is; `None` if the
/// mistake is in how the module of the register computes its next value.
#[must_use]
pub fn cause(shape: &Shape, wrong: &[Difference]) -> Option<Cause> {
    let agree = |w: &&Difference| {
        let fed = || wrong.iter().any(|i| instance(i) == instance(w) && !is_output(i));
        is_output(w) && (REGISTERED.contains(&w.signal.module) || !fed())
    };
    let suspects: Vec<&Difference> = wrong.iter().filter(agree).collect();
    // Of an instance and another one inside it the inner one.
    let inner = |w: &&&Difference| {
        let inside = format!("{}.", instance(w));
        !suspects.iter().any(|other| instance(other).starts_with(&inside))
    };
    let output = suspects.iter().find(inner).copied();
    let wire = output.or_else(|| {
        let fed = wrong.iter().any(is_output);
        wrong.iter().find(|w| !is_output(w) && !fed)
    })?;
    let (module, why) = match output {
        Some(wire) if REGISTERED.contains(&wire.signal.module) => {
            (wire.signal.module, "it depends on registers only, which agree")
        }
        Some(wire) => (wire.signal.module, "its inputs agree"),
        None => (parent(shape, instance(wire)), "the outputs of all instances agree"),
    };
    Some(Cause { module, wire: Some(Box::new(wire.clone())), why })
}

#[cfg(test)]
mod tests {
    use super::*;
    use awgstar::rtl::{Parameters, RingNode, ring_node, state::Ports};
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
