// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar study openmp`: what OpenMP programs cost on the ring, by the number of nodes and on both machines.

use super::{CliError, CliResult, Outcome, at, sim::progress};
use serde::Serialize;
use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

#[derive(clap::Args)]
#[command(
    after_help = "Needs gcc. Computing takes no time: the times are those of data and synchronisation.\n\nExample:\n  awgstar study openmp --nodes 2,4,8 --out target/study"
)]
pub(crate) struct Args {
    /// Numbers of nodes, 1 to 64
    #[arg(long, value_delimiter = ',', default_values_t = [2, 4, 8], value_name = "N,...")]
    nodes: Vec<usize>,
    /// Folder for the CSV file; made if it is not there
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// The rows as JSON instead of CSV
    #[arg(long)]
    json: bool,
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

/// A run. Times are in us on the ring, bytes those of all nodes.
#[derive(Clone, Debug, Default, Serialize)]
struct Row {
    program: String,
    arguments: String,
    machine: String,
    nodes: usize,
    end_us: f64,
    read_bytes: u64,
    written_bytes: u64,
    /// Means over the nodes.
    read_us: f64,
    write_us: f64,
    lock_us: f64,
    barrier_us: f64,
}

const HEAD: &str = "program,arguments,machine,nodes,end_us,read_bytes,written_bytes,read_us,write_us,lock_us,barrier_us";

impl Row {
    fn csv(&self) -> String {
        let Row { program, arguments, machine, nodes, end_us, read_bytes, written_bytes, .. } =
            self;
        let times = [self.read_us, self.write_us, self.lock_us, self.barrier_us];
        let times = times.map(|time| format!("{time:.3}")).join(",");
        format!(
            "{program},{arguments},{machine},{nodes},{end_us:.3},{read_bytes},{written_bytes},{times}"
        )
    }

    /// Adds the line of a node in the report of a run; false if it is another line.
    fn add(&mut self, line: &str) -> bool {
        let cells: Vec<f64> = line.split('|').filter_map(|cell| cell.trim().parse().ok()).collect();
        let [_, _, read, written, read_us, write_us, lock_us, barrier_us, _, end] = cells[..]
        else {
            return false;
        };
        #[expect(clippy::cast_precision_loss, reason = "64 nodes at most")]
        let nodes = self.nodes as f64;
        self.end_us = self.end_us.max(end);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts")]
        {
            self.read_bytes += read as u64;
            self.written_bytes += written as u64;
        }
        self.read_us += read_us / nodes;
        self.write_us += write_us / nodes;
        self.lock_us += lock_us / nodes;
        self.barrier_us += barrier_us / nodes;
        true
    }
}

fn compile(source: &Source, folder: &Path) -> Result<PathBuf, CliError> {
    let (name, text, _) = source;
    let (file, program) = (folder.join(name).with_extension("c"), folder.join(name));
    at(file.display(), fs::write(&file, text))?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-ffp-contract=off", "-fopenmp"]).arg(&file).arg("-o").arg(&program);
    let output = at("gcc", gcc.output())?;
    if output.status.success() {
        return Ok(program);
    }
    Err(CliError::Check(format!("gcc: {}", String::from_utf8_lossy(&output.stderr))))
}

fn measure(source: &Source, program: &Path, machine: &str, nodes: usize) -> Result<Row, CliError> {
    let own = env::current_exe()?;
    let (name, _, arguments) = source;
    let mut command = Command::new(own);
    command.args(["run", "--openmp", "--report", "--machine", machine, "-n", &nodes.to_string()]);
    let output = at(name, command.arg("--").arg(program).args(*arguments).output())?;
    let text = String::from_utf8_lossy(&output.stderr);
    let mut row = Row {
        program: (*name).into(),
        arguments: arguments.join(" "),
        machine: machine.into(),
        nodes,
        ..Row::default()
    };
    let lines = text.lines().filter(|line| row.add(line)).count();
    if !output.status.success() || lines != nodes {
        return Err(CliError::Check(format!("{name} on {nodes} nodes of {machine}: {text}")));
    }
    Ok(row)
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    if let Some(found) = args.nodes.iter().find(|n| !(1..=64).contains(*n)) {
        return Err(CliError::Usage(format!("nodes: expected 1 to 64, found {found}")));
    }
    let folder = tempfile::tempdir()?;
    let bar = progress((2 * PROGRAMS.len() * args.nodes.len()) as u64, "runs");
    let mut rows = Vec::new();
    for source in &PROGRAMS {
        let program = compile(source, folder.path())?;
        for machine in ["ring", "gen1"] {
            for &nodes in &args.nodes {
                bar.inc(1);
                // Its sections wait for each other: it has three threads.
                if source.0 == "pipeline" && nodes < 3 {
                    continue;
                }
                rows.push(measure(source, &program, machine, nodes)?);
            }
        }
    }
    bar.finish_and_clear();
    let mut csv = format!("{HEAD}\n");
    for row in &rows {
        csv.push_str(&row.csv());
        csv.push('\n');
    }
    if args.json {
        let json = serde_json::to_string(&rows).map_err(|e| CliError::Usage(e.to_string()))?;
        writeln!(out, "{json}")?;
    } else {
        write!(out, "{csv}")?;
    }
    if let Some(folder) = &args.out {
        at(folder.display(), fs::create_dir_all(folder))?;
        let path = folder.join("openmp.csv");
        at(path.display(), fs::write(&path, csv))?;
    }
    Ok(Outcome::Holds)
}
