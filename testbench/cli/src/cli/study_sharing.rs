// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar study sharing`: runs of one synthetic `OpenMP` program, `sharing.c` of the tests.

use super::study_openmp::{awgstar_run, gcc};
use super::study_output::{From, Output, Study, list};
use super::{CliError, CliResult, at, number};
use awgstar_cli::study::sharing::{BYTES, CLUSTER, Point, Row, SUBJECT, Way, points, results};
use awgstar_cli::work::Work;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

#[derive(clap::Args)]
#[command(
    after_help = "Needs gcc. The cluster is that of docs/machines/score-myrinet.toml.\n\nExample:\n  awgstar study sharing --nodes 4 --out target/study"
)]
pub(crate) struct Args {
    /// Numbers of nodes, 2 to 16
    #[arg(long, value_delimiter = ',', default_values_t = [8], value_name = "N,...", value_parser = number::within::<u32>(2..=16), conflicts_with = "from")]
    nodes: Vec<u32>,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    output: Output,
}

const PROGRAM: &str = include_str!("../../tests/openmp/programs/sharing.c");
const MACHINE: &str = include_str!("../../../../docs/machines/score-myrinet.toml");
/// Steps before the time is taken, in which pages are inspected and plans learned, and all. A piece that moves every
/// fourth step is with each of them equally often.
const STEPS: (u32, u32) = (8, 16);

/// The file of the cluster with so many nodes.
fn machine(folder: &Path, nodes: u32) -> PathBuf {
    folder.join(format!("{nodes}-{CLUSTER}"))
}

/// Compiles the program, and writes the files of clusters with so many nodes.
fn prepare(folder: &Path, nodes: &[u32]) -> Result<(), CliError> {
    let path = |name: &str| folder.join(name);
    let file = path("sharing.c");
    at(file.display(), fs::write(&file, PROGRAM))?;
    for &nodes in nodes {
        let machine = machine(folder, nodes);
        let text = MACHINE.replace("nodes = 8", &format!("nodes = {nodes}"));
        at(machine.display(), fs::write(&machine, text))?;
    }
    gcc(&[], &[&file], &path("sharing"))
}

/// The us that the program prints.
fn printed(text: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.ends_with(" us a step"))?;
    line.split_whitespace().nth(2)?.parse().ok()
}

fn measure(folder: &Path, (name, options): Way, point: Point) -> Result<Row, String> {
    let Point { nodes, grain, readers, own, moves, locked, frequency } = point;
    let what = || format!("{name}: {point:?}");
    let processes = usize::try_from(nodes).map_err(|e| e.to_string())?;
    let mut command = awgstar_run(processes).map_err(|e| e.to_string())?;
    for &option in options {
        if option == CLUSTER {
            command.arg(machine(folder, nodes));
        } else {
            command.arg(option);
        }
    }
    let mut arguments = vec![("-d", BYTES), ("-g", grain), ("-k", readers), ("-p", own)];
    arguments.extend([("-m", moves), ("-l", locked), ("-w", STEPS.0), ("-s", STEPS.1)]);
    if frequency > 0 {
        let (blocks, ns) = point.blocks();
        command.args(["--compute", &format!("counted:{ns}")]);
        arguments.push(("-c", blocks));
    }
    command.arg("--").arg(folder.join("sharing"));
    for (option, value) in arguments {
        command.args([option, &value.to_string()]);
    }
    let output = command.output().map_err(|e| format!("{}: {e}", what()))?;
    let (text, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    match printed(&text) {
        Some(step) if output.status.success() => Ok(Row { way: name.to_owned(), point, step }),
        _ => Err(format!("{}: {text}{errors}", what())),
    }
}

pub(super) fn run(args: &Args, work: &Work, out: &mut dyn Write) -> CliResult {
    let points = points(&args.nodes);
    let study = Study {
        subject: SUBJECT,
        command: &["sharing", "--nodes", &list(&args.nodes)],
        steps: (points.len(), "runs"),
    };
    let what = |((name, _), point): &(Way, Point)| format!("{name}: {point:?}");
    let folder = tempfile::tempdir()?;
    if args.from.from.is_none() {
        prepare(folder.path(), &args.nodes)?;
    }
    study.run(
        (&args.from, &args.output),
        work,
        out,
        |done| {
            work.map(&points, what, |&(way, point)| {
                measure(folder.path(), way, point).inspect(|_| done())
            })
        },
        results,
    )
}
