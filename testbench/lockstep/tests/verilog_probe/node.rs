// SPDX-License-Identifier: MIT OR Apache-2.0
//! The machine with its Verilog, alone or several at once.

use crate::probe::{self, Probe};
use awgstar::quantity::{Cycle, narrow};
use awgstar::rtl::Parameters;
use awgstar::rtl::state::{Layout, MemoryMut, MemoryRef, State};
use awgstar_stimulus::StimulusError;
use awgstar_stimulus::deposit::{Deposit, due};
use awgstar_stimulus::machine::{self, Look, Machine, Running, Stimulus, Track};
use awgstar_stimulus::shape::Shape;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) type Inputs = probe::Inputs;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Node(pub(crate) Probe);

impl State for Node {
    const WORDS: usize = Probe::WORDS;

    fn layout_of(parameters: &Parameters) -> Layout {
        Probe::layout_of(parameters)
    }

    fn new(_: &Parameters) -> Self {
        Node::default()
    }

    fn pack(&self, out: &mut [u32]) {
        self.0.pack(out);
    }

    fn unpack(&mut self, image: &[u32]) {
        self.0.unpack(image);
    }

    fn memories<'a>(&'a self, visit: &mut dyn FnMut(MemoryRef<'a>)) {
        self.0.memories(visit);
    }

    fn memories_mut(&mut self, visit: &mut dyn FnMut(MemoryMut<'_>)) {
        self.0.memories_mut(visit);
    }

    fn fill_memories(&mut self, bit: bool) {
        self.0.fill_memories(bit);
    }
}

impl Machine for Node {
    type Inputs = Inputs;
    type Outputs = probe::Outputs;
    type Case = Nodes;

    fn shape() -> &'static Arc<Shape> {
        Probe::shape()
    }

    fn outputs(&self, inputs: &Inputs) -> probe::Outputs {
        self.0.outputs(inputs)
    }

    fn clock(&mut self, inputs: &Inputs) {
        self.0.clock(inputs);
    }

    fn replay(track: Track<Inputs>) -> Nodes {
        Nodes(vec![track])
    }
}

/// What happens to each node; values are deposited in the first.
#[derive(Clone, Debug)]
pub(crate) struct Nodes(pub(crate) Vec<Track<Inputs>>);

impl Stimulus<Node> for Nodes {
    fn nodes(&self) -> usize {
        self.0.len()
    }

    fn cycles(&self) -> Cycle {
        Cycle(self.0[0].inputs.len() as u64)
    }

    fn with_cycles(&self, cycles: Cycle) -> Self {
        Nodes(self.0.iter().map(|track| track.clone().with_cycles(cycles)).collect())
    }

    fn bench(&self) -> Result<Box<dyn Running<Node>>, StimulusError> {
        let nodes = vec![Node::default(); self.0.len()];
        Ok(Box::new(Bench { nodes, tracks: self.0.clone(), cycle: Cycle(0) }))
    }

    fn candidates(&self) -> Vec<Self> {
        Vec::new()
    }
}

struct Bench {
    nodes: Vec<Node>,
    tracks: Vec<Track<Inputs>>,
    cycle: Cycle,
}

impl Running<Node> for Bench {
    fn done(&self) -> bool {
        self.cycle.0 >= self.tracks[0].inputs.len() as u64
    }

    fn deposit(&mut self) -> Vec<Deposit> {
        let due = due(&self.tracks[0].deposits, self.cycle);
        machine::deposit(&mut self.nodes[0], &due);
        due
    }

    fn node_mut(&mut self, node: usize) -> &mut Node {
        &mut self.nodes[node]
    }

    fn step(&mut self, look: &mut Look<'_, Node>) {
        self.deposit();
        for (number, (node, track)) in self.nodes.iter_mut().zip(&self.tracks).enumerate() {
            let inputs = &track.inputs[narrow::<usize>(self.cycle.0)];
            look(number, node, inputs, &node.outputs(inputs));
            node.clock(inputs);
        }
        self.cycle += Cycle(1);
    }
}

/// Cycles of a run.
pub(crate) const CYCLES: u64 = 150;

/// `FA17`: a fault of the Verilog. `FA18`: none, until a bug changes the number.
pub(crate) const FAULT: u64 = 0xFA17;
pub(crate) const NONE: u64 = 0xFA18;

/// Inputs with faults: cycle and number of each.
pub(crate) fn with(kind: u64, faults: &[(u64, u64)]) -> Vec<Inputs> {
    let fed = |cycle: u64| {
        let inputs = probe::inputs(cycle);
        let fault = faults.iter().find(|(at, _)| *at == cycle);
        fault.map_or(inputs, |(_, number)| Inputs {
            s_axis_tdata: kind << 16 | number,
            s_axis_tvalid: false,
            ..inputs
        })
    };
    (0..CYCLES).map(fed).collect()
}

/// One node with faults.
pub(crate) fn case(faults: &[(u64, u64)]) -> Nodes {
    Nodes(vec![with(FAULT, faults).into()])
}

/// A folder with the Verilog, and with `icarus.f`.
pub(crate) fn verilog(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("probe").join(name);
    std::fs::create_dir_all(folder.join("include")).unwrap();
    let design = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verilog_probe/probe.v");
    std::fs::copy(design, folder.join("probe.v")).unwrap();
    let bench = folder.join("testbench/verilog");
    std::fs::create_dir_all(&bench).unwrap();
    std::fs::write(bench.join("icarus.f"), "+timescale+1ns/1ns\n").unwrap();
    folder
}
