// SPDX-License-Identifier: MIT OR Apache-2.0
//! The conformance suite on third-party RTL with this project's ports (CNF-1 to CNF-6).
//!
//! The design is a black box. First its [`ports`] are checked. Then [`golden`] runs the vectors on
//! `crc32`, `frame_tx` and `frame_rx`, and [`machine`] plays the stimuli of the lockstep to larger
//! modules and compares their outputs with the model's. The result is a [`report::Report`], written
//! as [`text`], [`junit`] or [`html`].

pub mod always;
pub mod bench;
mod blame;
pub mod case;
mod clocks;
pub mod dut;
pub mod golden;
pub mod html;
pub mod junit;
pub mod machine;
pub mod options;
pub mod play;
pub mod ports;
pub mod report;
pub mod requirements;
pub mod subjects;
pub mod text;

pub use case::{Played, Verdict};
pub use dut::Dut;
pub use options::{CASES, Options};
pub use report::Report;

use crate::inputs;
use crate::inputs::Inputs;
use awgstar::rtl::{
    Parameters, RingGateway, RingLink, RingNode, Smb, SmbAxi4, SmbLink, crc32, frame_rx, frame_tx,
    state::{Ports as _, Signal},
};
use awgstar_simulator as sim;
use awgstar_simulator::{Scratch, Shard, SimError};
use awgstar_stimulus::shape::Shape;
use machine::{Suite, play_all};
use std::{collections::BTreeMap, path::Path, sync::atomic::AtomicBool, time::Instant};

/// The modules that a design can be: those with golden vectors of frames, and the machines of this list.
macro_rules! modules {
    ($($machine:ident $name:literal,)+) => {
        /// A module that a design can be.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Module {
            /// One with golden vectors.
            Golden(sim::Module),
            $(#[doc = concat!("`", $name, "`.")] $machine,)+
        }

        impl Module {
            /// Names, for the command line.
            pub const NAMES: &'static [&'static str] = &["crc32", "frame_tx", "frame_rx", $($name),+];

            /// The requirements that are its own with these parameters, by their letters.
            fn families(self, parameters: &Parameters) -> &'static [&'static str] {
                match self {
                    Module::Golden(module) => golden::families(module),
                    $(Module::$machine => <$machine as Suite>::families(parameters),)+
                }
            }

            /// Folders of its committed vectors, below `vectors`.
            fn vectors(self) -> &'static [&'static str] {
                match self {
                    Module::Golden(sim::Module::Crc32) => &["crc32"],
                    Module::Golden(_) => &["frame"],
                    $(Module::$machine => $machine::VECTORS,)+
                }
            }

            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Module::$machine),)+
                    name => name.parse().ok().map(Module::Golden),
                }
            }
        }

        fn played(dut: &Dut, module: Module, options: &Options<'_>) -> Result<Report, SimError> {
            match module {
                Module::Golden(m) => frames(dut, m, options),
                $(Module::$machine => suite::<$machine>(dut, options),)+
            }
        }
    };
}

modules! {
    RingNode "ring_node",
    Smb "smb",
    SmbAxi4 "smb_axi4",
    RingLink "ring_link",
    SmbLink "smb_link",
    RingGateway "ring_gateway",
}

/// Plays the suite in a folder to a design with these settings, each `NAME=VALUE`; the flag is set
/// once the design hangs.
type Play<'a> = dyn Fn(&Scratch, &[String], &AtomicBool) -> Result<Played, SimError> + 'a;

/// Data that all modules need.
struct Job<'a> {
    dut: &'a Dut,
    options: &'a Options<'a>,
    module: &'static str,
    inputs: &'a [Signal],
    outputs: &'a [Signal],
    clock: bool,
    families: &'static [&'static str],
}

/// Extensions of files that a design may include or read.
const INCLUDED: [&str; 9] = ["v", "vh", "sv", "svh", "h", "inc", "hex", "mem", "txt"];

/// Hashes of the design's files, and of all in the folders that it includes from.
fn of_design(dut: &Dut, root: &Path) -> Result<Inputs, SimError> {
    let mut all = Inputs::new();
    for file in &dut.files {
        inputs::add(&mut all, file.display().to_string(), file)?;
    }
    let included = |path: &Path| path.extension().is_some_and(|e| INCLUDED.iter().any(|i| e == *i));
    let contract = root.join("hdl/include");
    for folder in dut.includes.iter().filter(|folder| **folder != contract) {
        inputs::add_folder(&mut all, &folder.display().to_string(), folder, &included)?;
    }
    if contract.is_dir() {
        inputs::add_folder(&mut all, "hdl/include", &contract, &included)?;
    }
    Ok(all)
}

/// Hashes of the vectors and testbenches of `module`.
fn of_suite(module: Module, root: &Path) -> Result<[Inputs; 2], SimError> {
    let [mut vectors, mut benches] = [Inputs::new(), Inputs::new()];
    for name in module.vectors() {
        let folder = root.join("vectors").join(name);
        inputs::add_folder(&mut vectors, &format!("vectors/{name}"), &folder, &|_| true)?;
    }
    let folder = root.join("testbench/verilog");
    inputs::add_folder(&mut benches, "testbench/verilog", &folder, &|_| true)?;
    Ok([vectors, benches])
}

/// Hashes of the files that the suite of `module` on `dut` reads.
///
/// # Errors
/// If one cannot be read.
pub fn inputs(dut: &Dut, module: Module, root: &Path) -> Result<Inputs, SimError> {
    let mut all = of_design(dut, root)?;
    all.extend(of_suite(module, root)?.into_iter().flatten());
    Ok(all)
}

/// Runs the suite of `module` on `dut`.
///
/// # Errors
/// If a program is missing, a file cannot be read, or nothing was asked for that exists.
pub fn run(dut: &Dut, module: Module, options: &Options<'_>) -> Result<Report, SimError> {
    let mut read = of_design(dut, &options.root)?;
    let [vectors, benches] = of_suite(module, &options.root)?;
    read.insert(report::VECTORS.into(), inputs::together(&vectors));
    read.insert(report::TESTBENCHES.into(), inputs::together(&benches));
    let dut = &dut.with_contract(&options.root);
    let mut report = played(dut, module, options)?;
    report.inputs = read;
    Ok(report)
}

/// The suite of a module with golden vectors.
fn frames(dut: &Dut, m: sim::Module, options: &Options<'_>) -> Result<Report, SimError> {
    let (inputs, outputs) = match m {
        sim::Module::Crc32 => (crc32::Inputs::PORTS, crc32::Outputs::PORTS),
        sim::Module::FrameTx => (frame_tx::Inputs::PORTS, frame_tx::Outputs::PORTS),
        sim::Module::FrameRx => (frame_rx::Inputs::PORTS, frame_rx::Outputs::PORTS),
    };
    let clock = m != sim::Module::Crc32;
    let families = golden::families(m);
    let job = Job { dut, options, module: m.name(), inputs, outputs, clock, families };
    job.run(&|folder, _, hung| golden::run(dut, m, options, folder, hung))
}

/// The suite of a module that the model has as a machine.
fn suite<M: Suite>(dut: &Dut, options: &Options<'_>) -> Result<Report, SimError> {
    let shape = Shape::of::<M>(&options.parameters);
    let job = Job {
        dut,
        options,
        module: shape.layout.module,
        inputs: &shape.inputs,
        outputs: &shape.outputs,
        clock: shape.clocks() == ["clk"],
        families: M::families(&options.parameters),
    };
    job.run(&|folder, settings, hung| {
        play_all::<M>(dut, options, &shape, settings, folder.path(), hung)
    })
}

impl Job<'_> {
    fn run(&self, play: &Play<'_>) -> Result<Report, SimError> {
        let start = Instant::now();
        let options = self.options;
        let version = options.simulator.version()?;
        let scratch = Scratch::new()?;
        let expected: BTreeMap<_, _> = ports::expected(self.inputs, self.outputs, self.clock);
        let changed = options.parameters.changed(self.module);
        let mut ports = ports::check(self.dut, &expected, &changed)?;
        let settings = ports.settings(&changed);
        let hung = AtomicBool::new(false);
        let played = if ports.findings.is_empty() {
            play(&scratch, &settings, &hung)?
        } else {
            Ok(Vec::new())
        };
        let (groups, compiler) = match played {
            Ok(groups) => (groups, None),
            Err(failure) => (Vec::new(), Some(failure)),
        };
        let mut report = Report {
            top: self.dut.top.clone(),
            module: self.module.to_owned(),
            simulator: version.trim_end_matches(" ()").to_owned(),
            parameters: changed,
            seed: options.seed,
            subset: options.subset(),
            requirements: requirements::gather(&groups, self.families),
            ports,
            compiler,
            groups,
            idle: None,
            inputs: Inputs::new(),
            seconds: 0.0,
        };
        report.idle = report.reached().idle(&options.parameters);
        report.took(start.elapsed());
        if options.shard == Shard::WHOLE { checked(report, options) } else { Ok(report) }
    }
}

/// A run in which nothing was checked is an error.
fn checked(report: Report, options: &Options<'_>) -> Result<Report, SimError> {
    let Report { groups, compiler, ports, .. } = &report;
    if groups.is_empty() && compiler.is_none() && ports.findings.is_empty() {
        return Err(SimError::NothingRun(options.only.join(", ")));
    }
    Ok(report)
}

/// The report of a run from those of its parts, in their order.
///
/// # Errors
/// If there is no part, or nothing was checked in any.
pub fn join(module: Module, options: &Options<'_>, parts: Vec<Report>) -> Result<Report, SimError> {
    let mut parts = parts.into_iter();
    let mut report = parts.next().ok_or_else(|| SimError::NothingRun("no part".into()))?;
    parts.for_each(|next| report.append(next));
    let families = module.families(&options.parameters);
    report.requirements = requirements::gather(&report.groups, families);
    report.idle = report.reached().idle(&options.parameters);
    checked(report, options)
}
