// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar vectors generate | check | list`.

use super::{CliError, CliResult, Outcome, at, files_at};
use awgstar::quantity::Cycle;
use awgstar::rtl::Smb;
use awgstar_cli::{codec, counterexample};
use awgstar_stimulus::vector::Vector;
use awgstar_stimulus::vectors::Story;
use awgstar_stimulus::{StimulusError, echo, vector, vectors};
use clap::Subcommand;
use serde::Serialize;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Write every golden vector; the same bytes on every machine
    #[command(after_help = "Example:\n  awgstar vectors generate --out /tmp/vectors")]
    Generate {
        /// Folder of the vectors
        #[arg(long, default_value = "vectors")]
        out: PathBuf,
    },
    /// Compare the files with what is generated, and run them through the Rust codec
    #[command(after_help = "Example:\n  awgstar vectors check")]
    Check {
        #[command(flatten)]
        place: Place,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Name the classes, or the vectors of one: what they check, which bug they catch
    #[command(
        after_help = "Examples:\n  awgstar vectors list\n  awgstar vectors list --class short_count"
    )]
    List {
        #[command(flatten)]
        place: Place,
        /// The vectors of this class
        #[arg(long)]
        class: Option<String>,
        /// One JSON array
        #[arg(long)]
        json: bool,
    },
}

/// Folder of the vectors.
#[derive(clap::Args)]
pub(crate) struct Place {
    /// Folder of the vectors; `vectors` in the repository when left out
    #[arg(long)]
    vectors: Option<PathBuf>,
    /// Root of the repository
    #[arg(long, default_value = ".")]
    root: PathBuf,
}

impl Place {
    fn folder(&self) -> Result<PathBuf, CliError> {
        if let Some(folder) = &self.vectors {
            return Ok(folder.clone());
        }
        Ok(files_at(&self.root, &["vectors"])?.join("vectors"))
    }
}

pub(crate) fn run(command: &Command, out: &mut dyn Write) -> CliResult {
    match command {
        Command::Generate { out: folder } => {
            let classes = vectors::generate();
            let written = at(folder.display(), vectors::write(folder, &classes))?;
            let count: usize = classes.iter().map(vectors::Class::len).sum();
            writeln!(
                out,
                "wrote {count} vectors and {} of the board in {} files to {}",
                boards()?.count(),
                written.len(),
                folder.display()
            )?;
            Ok(Outcome::Holds)
        }
        Command::Check { place, json } => check(&place.folder()?, *json, out),
        Command::List { place, class, json } => {
            let rows = rows(&load(&place.folder()?)?, class.as_deref())?;
            if *json {
                let text =
                    serde_json::to_string(&rows).map_err(|e| CliError::Usage(e.to_string()))?;
                writeln!(out, "{text}")?;
            } else {
                for row in rows {
                    let requirements = row.requirements.join(" ");
                    writeln!(out, "{:<32} {}\n{:>32} {requirements}", row.id, row.text, "")?;
                }
            }
            Ok(Outcome::Holds)
        }
    }
}

/// Compares the files of a folder with what is generated, and runs them.
fn check(folder: &Path, json: bool, out: &mut dyn Write) -> CliResult {
    let differences = at(folder.display(), vectors::check(folder, &vectors::generate()))?;
    let files: Vec<String> = differences.iter().map(ToString::to_string).collect();
    // Also when the files cannot be read.
    for difference in files.iter().filter(|_| !json) {
        writeln!(out, "{difference}")?;
    }
    let classes = load(folder)?;
    readable(folder)?;
    let summary = codec::run(&classes);
    let (mut boards, mut board) = (0, Vec::new());
    for name in vectors::board::FOLDERS {
        let (count, found) = vectors::board::check(&folder.join(name));
        boards += count;
        board.extend(found);
    }
    let (count, found) = vectors::gateway::check(&folder.join(vectors::gateway::FOLDER));
    boards += count;
    board.extend(found);
    let (runs, firmware) = counterexample::check(folder);
    let codec: Vec<String> = summary.failures.iter().map(ToString::to_string).collect();
    let holds = [&files, &codec, &board, &firmware].iter().all(|failures| failures.is_empty());
    let holds = holds && summary.run > 0 && boards > 0;
    if json {
        let object = serde_json::json!({
            "files": { "failures": files },
            "codec": { "run": summary.run, "left_out": summary.left_out, "failures": codec },
            "board": { "run": boards, "failures": board },
            "firmware": { "run": runs, "failures": firmware },
        });
        writeln!(out, "{object}")?;
    } else {
        for failure in [&codec, &board, &firmware].into_iter().flatten() {
            writeln!(out, "{failure}")?;
        }
        writeln!(
            out,
            "firmware: {runs} runs replayed, {} failed\nfiles: {} differ from what is generated\ncodec: {} vectors run, {} failed, {} left to the simulators\nboard: {boards} vectors run, {} failed",
            firmware.len(),
            files.len(),
            summary.run,
            codec.len(),
            summary.left_out,
            board.len()
        )?;
    }
    Ok(if holds { Outcome::Holds } else { Outcome::Failed })
}

/// A class or a vector.
#[derive(Serialize)]
struct Row {
    id: String,
    text: String,
    requirements: Vec<String>,
}

/// Vectors of the board: one to a class.
fn boards() -> Result<impl Iterator<Item = (Row, &'static str)>, StimulusError> {
    let boards = vectors::board::all()?.map(|b| row(b, b.folder(), b.stimulus.cycles));
    let bursts = vectors::burst::all()?.iter();
    let boards = boards.chain(bursts.map(|b| row(b, vectors::burst::FOLDER, b.stimulus.cycles)));
    let gateways = vectors::gateway::all()?.iter();
    Ok(boards.chain(gateways.map(|g| row(g, vectors::gateway::FOLDER, g.stimulus.cycles()))))
}

fn row<S>(story: &'static Story<S>, folder: &str, cycles: Cycle) -> (Row, &'static str) {
    let (catches, effect) = (&story.catches, &story.effect);
    let row = Row {
        id: format!("{folder}/{}", story.name),
        text: format!("{cycles} cycles of a board; catches {catches}: {effect}"),
        requirements: story.requirements.clone(),
    };
    (row, &story.shows)
}

fn rows(classes: &[vectors::Class], class: Option<&str>) -> Result<Vec<Row>, CliError> {
    if let Some((row, shows)) = boards()?.find(|(row, _)| Some(row.id.as_str()) == class) {
        return Ok(vec![Row { text: shows.into(), ..row }]);
    }
    let Some(name) = class else {
        return Ok(classes
            .iter()
            .map(|c| Row {
                id: c.name.clone(),
                text: format!("{} vectors; catches {}: {}", c.len(), c.bug_class, c.effect),
                requirements: c.requirements.clone(),
            })
            .chain(boards()?.map(|(row, _)| row))
            .collect());
    };
    let class = classes.iter().find(|c| c.name == name).ok_or_else(|| {
        let names = classes.iter().map(|class| class.name.as_str());
        let names = echo::expected(name, names);
        CliError::Usage(format!("no class '{name}': {names}; `awgstar vectors list` has all"))
    })?;
    let notes = class.notes().into_iter().enumerate();
    Ok(notes
        .map(|(index, note)| Row {
            id: class.id(index),
            text: note.comment.clone(),
            requirements: class.requirements_of(note).to_vec(),
        })
        .collect())
}

fn load(folder: &std::path::Path) -> Result<Vec<vectors::Class>, CliError> {
    vectors::load(folder).map_err(|e| CliError::Usage(e.to_string()))
}

/// Vectors of the board and runs that are no file of their format.
fn readable(folder: &Path) -> Result<(), CliError> {
    for board in vectors::board::FOLDERS.iter().flat_map(|name| vector::list(&folder.join(name))) {
        Vector::<Smb>::load(&board)?;
    }
    for runs in [counterexample::FOLDER, counterexample::paging::FOLDER] {
        for file in fs::read_dir(folder.join(runs)).into_iter().flatten() {
            let path = at(runs, file)?.path();
            let text = at(path.display(), fs::read_to_string(&path))?;
            let json: Result<serde_json::Value, _> = serde_json::from_str(&text);
            json.map_err(|e| CliError::Usage(format!("{}: {e}", path.display())))?;
        }
    }
    Ok(())
}
