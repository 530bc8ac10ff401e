// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar study openmp`: what OpenMP programs cost on the ring, by the number of nodes and on both machines.

use super::study_output::{Output, list};
use super::{CliError, CliResult, Outcome, at, number, sim::progress};
use awgstar_cli::study::openmp::{MACHINES, Run, Study, read, results};
use awgstar_cli::work::Work;
use std::{
    collections::{BTreeMap, btree_map::Entry},
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

#[derive(clap::Args)]
#[command(
    after_help = "Needs gcc. In openmp.csv computing takes no time: its times are those of data and synchronisation. In openmp-speed-up.csv a basic block takes a time. Takes some minutes.\n\nExample:\n  awgstar study openmp --nodes 2,4,8,16 --out target/study"
)]
pub(crate) struct Args {
    /// Numbers of nodes, 1 to 64
    #[arg(long, value_delimiter = ',', default_values_t = [2, 4, 8, 16], value_name = "N,...", value_parser = number::within::<usize>(1..=64), conflicts_with = "from")]
    nodes: Vec<usize>,
    /// Measure nothing: draw the plots, and the page, of the rows of the four CSV files in this folder, which the study wrote
    #[arg(long, value_name = "FOLDER", conflicts_with = "json")]
    from: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// A program: name, source, arguments.
type Source = (&'static str, &'static str, &'static [&'static str]);

/// Sources of the tests, and one whose region does nothing.
const PROGRAMS: [Source; 10] = [
    ("empty", "int main(void)\n{\n#pragma omp parallel\n    __asm__ volatile(\"\");\n}\n", &[]),
    ("pi", include_str!("../../tests/openmp/programs/pi.c"), &["20000"]),
    ("mandelbrot", include_str!("../../tests/openmp/programs/mandelbrot.c"), &["24"]),
    ("jacobi", include_str!("../../tests/openmp/programs/jacobi.c"), &["16", "8"]),
    ("cg", include_str!("../../tests/openmp/programs/cg.c"), &["64", "5"]),
    ("lu", include_str!("../../tests/openmp/programs/lu.c"), &["14"]),
    ("matmul", include_str!("../../tests/openmp/programs/matmul.c"), &["24"]),
    ("histogram", include_str!("../../tests/openmp/programs/histogram.c"), &["2000"]),
    ("queens", include_str!("../../tests/openmp/programs/queens.c"), &["7"]),
    ("pipeline", include_str!("../../tests/openmp/programs/pipeline.c"), &["6"]),
];

/// Functions that the hooks of gcc call.
const HOOKS: &str = include_str!("../study/openmp_hooks.c");

pub(super) fn gcc(arguments: &[&str], files: &[&Path], to: &Path) -> Result<(), CliError> {
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-ffp-contract=off", "-fopenmp"]).args(arguments).args(files);
    let output = at("gcc", gcc.arg("-o").arg(to).output())?;
    if output.status.success() {
        return Ok(());
    }
    Err(CliError::Check(format!("gcc: {}", String::from_utf8_lossy(&output.stderr))))
}

/// A compiled program.
struct Compiled {
    plain: PathBuf,
    /// With hooks for basic blocks, loads and stores.
    hooked: PathBuf,
}

fn compile(source: &Source, folder: &Path) -> Result<Compiled, CliError> {
    let (name, text, _) = source;
    let path = |ending: &str| folder.join(format!("{name}{ending}"));
    let (file, object, hooks) = (path(".c"), path(".o"), folder.join("hooks.c"));
    let compiled = Compiled { plain: path(""), hooked: path("-hooked") };
    at(file.display(), fs::write(&file, text))?;
    at(hooks.display(), fs::write(&hooks, HOOKS))?;
    gcc(&[], &[&file], &compiled.plain)?;
    let options = [
        "-c",
        "-fsanitize=thread",
        "-fsanitize-coverage=trace-pc",
        "--param=tsan-instrument-func-entry-exit=0",
    ];
    gcc(&options, &[&file], &object)?;
    gcc(&[], &[&object, &hooks], &compiled.hooked)?;
    Ok(compiled)
}

/// `awgstar run --openmp` of this command on so many nodes.
pub(super) fn awgstar_run(nodes: usize) -> Result<Command, CliError> {
    let mut command = Command::new(env::current_exe()?);
    command.args(["run", "--openmp", "-n", &nodes.to_string()]);
    Ok(command)
}

fn measure(source: &Source, program: &Path, mut run: Run) -> Result<Run, CliError> {
    let (name, _, arguments) = source;
    run.program = (*name).into();
    run.arguments = arguments.join(" ");
    let mut command = awgstar_run(run.nodes)?;
    command.args(["--report", "--machine", &run.machine]);
    if run.block_ns > 0 {
        command.args(["--compute", &format!("counted:{}", run.block_ns)]);
    }
    let output = at(name, command.arg("--").arg(program).args(*arguments).output())?;
    let text = String::from_utf8_lossy(&output.stderr);
    let lines = text.lines().filter(|line| run.add(line)).count();
    if !output.status.success() || lines != run.nodes {
        let Run { nodes, machine, .. } = run;
        return Err(CliError::Check(format!("{name} on {nodes} nodes of {machine}: {text}")));
    }
    Ok(run)
}

/// Rows of the study to which a run belongs.
#[derive(Clone, Copy, Debug)]
enum List {
    Plain,
    Stores,
    Charged,
}

/// A run that is to be measured.
#[derive(Debug)]
struct Item {
    /// Which of [`PROGRAMS`].
    program: usize,
    list: List,
    run: Run,
}

impl Item {
    fn name(&self) -> String {
        let (name, ..) = PROGRAMS[self.program];
        let Run { machine, nodes, block_ns, .. } = &self.run;
        let list = self.list;
        format!("{name}, {nodes} nodes of {machine}, blocks of {block_ns} ns, {list:?}")
    }
}

/// All runs.
fn items(nodes: &[usize]) -> Vec<Item> {
    let mut all = Vec::new();
    for (program, (name, ..)) in PROGRAMS.iter().enumerate() {
        // Its sections wait for each other: it has three threads.
        let (pipeline, empty) = (*name == "pipeline", *name == "empty");
        for (machine, blocks) in MACHINES {
            let on = |nodes| Run { machine: machine.into(), nodes, ..Run::default() };
            if empty && !nodes.contains(&1) {
                all.push(Item { program, list: List::Plain, run: on(1) });
            }
            for &nodes in nodes.iter().filter(|&&nodes| !pipeline || nodes >= 3) {
                all.push(Item { program, list: List::Plain, run: on(nodes) });
                if !empty {
                    all.push(Item { program, list: List::Stores, run: on(nodes) });
                }
            }
            if pipeline || empty {
                continue;
            }
            for &block_ns in blocks {
                for &nodes in [1].iter().chain(nodes.iter().filter(|&&nodes| nodes != 1)) {
                    let run = Run { block_ns, ..on(nodes) };
                    all.push(Item { program, list: List::Charged, run });
                }
            }
        }
    }
    all
}

/// Measures those that are to be measured here; programs are compiled when the first of their runs comes.
fn measured(items: &[Item], chosen: &[usize]) -> Result<Vec<Run>, CliError> {
    let folder = tempfile::tempdir()?;
    let bar = progress(chosen.len() as u64, "runs");
    let mut programs: BTreeMap<usize, Compiled> = BTreeMap::new();
    let mut runs = Vec::new();
    for item in chosen.iter().map(|&number| &items[number]) {
        let source = &PROGRAMS[item.program];
        let compiled = match programs.entry(item.program) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(compile(source, folder.path())?),
        };
        let plain = matches!(item.list, List::Plain);
        let program = if plain { &compiled.plain } else { &compiled.hooked };
        runs.push(measure(source, program, item.run.clone())?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(runs)
}

pub(super) fn run(args: &Args, work: &Work, out: &mut dyn Write) -> CliResult {
    if let Some(from) = &args.from {
        let file = |name: &str| {
            let path = from.join(name);
            fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
        };
        return args.output.drawn(from, "openmp", work, || read(file).map_err(CliError::Usage));
    }
    let items = items(&args.nodes);
    let names: Vec<String> = items.iter().map(Item::name).collect();
    let own = measured(&items, &work.chosen(items.len()))?;
    let Some(runs) = work.collect(&names, own)? else {
        return Ok(Outcome::Holds);
    };
    let mut study = Study::default();
    for (item, run) in items.iter().zip(runs) {
        match item.list {
            List::Plain => study.plain.push(run),
            List::Stores => study.stores.push(run),
            List::Charged => study.charged.push(run),
        }
    }
    let command = ["openmp", "--nodes", &list(&args.nodes)];
    args.output.write(results(&study), &study, &command, out)
}
