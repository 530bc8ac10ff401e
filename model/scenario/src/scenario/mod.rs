// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenario files: a system, what its hosts do, and what goes wrong (RING-1 to RING-3).
//!
//! [`read`] turns the text of a TOML file into a [`Run`] or an error that names the line.
//! `docs/scenarios.md` describes every key.

mod act;
mod boards;
mod cluster;
mod clusters;
mod described;
mod fault;
mod file;
mod gen1;
mod limits;
mod machine;
mod mandelbrot;
mod nodes;
mod paging;
mod random;
mod renamed;
mod rings;
mod schema;
mod signal;
mod source;
mod system;
mod timeline;

pub use crate::place::{FileError, Marks};
pub use limits::CYCLES_MAX;
pub use machine::{Machine, barrier_names, lock_names, read_machine};
pub use schema::schema;

use crate::run::{Run, boards::BoardsPlan, nodes::NodesPlan};
use file::File;
use source::{Result, Source};
use system::{SYSTEMS, System};

/// Reads the text of a scenario file of any system. `name` stands in the errors.
///
/// # Errors
/// [`FileError`] with line and column when the text is no TOML, has unknown or missing keys, or a
/// value is out of its range.
pub fn read(name: &str, text: &str) -> Result<Box<dyn Run>> {
    let source = &Source { name, text, system: None, ring: None };
    let (mut file, system) = parse(source, &SYSTEMS)?;
    let source = &Source { system: Some(system), ..*source };
    Ok(match system {
        System::NodeRing => Box::new(nodes::convert(source, &file)?),
        System::BoardRing => Box::new(boards::convert(source, &file)?),
        System::Generation1 => Box::new(gen1::convert(source, &file)?),
        System::Mandelbrot => Box::new(mandelbrot::convert(source, &file)?),
        System::Paging => Box::new(paging::convert(source, &file)?),
        System::Cluster => {
            cluster::convert(source, &file)?;
            return Err(processes(source, &file));
        }
        System::Clusters => {
            clusters::convert(source, &file)?;
            return Err(processes(source, &file));
        }
        System::Rings => {
            let wrong = processes(source, &file);
            rings::convert(source, &mut file)?;
            return Err(wrong);
        }
    })
}

/// The system of the file is a machine for processes of this computer only.
fn processes(source: &Source, file: &File) -> FileError {
    let place = file.system.as_ref().map_or(0..0, toml::Spanned::span);
    let name = file.system.as_ref().map_or("", |name| name.get_ref());
    let what = format!(
        "system `{name}` has no hosts with acts: expected a run of processes, `awgstar run --ring`"
    );
    source.error(&place, what)
}

/// Reads the text of a file of a ring of nodes.
///
/// # Errors
/// As [`read`].
pub fn read_nodes(name: &str, text: &str) -> Result<NodesPlan> {
    let source = &Source { name, text, system: Some(System::NodeRing), ring: None };
    nodes::convert(source, &parse(source, &SYSTEMS[..1])?.0)
}

/// Reads the text of a file of a ring of boards.
///
/// # Errors
/// As [`read`].
pub fn read_boards(name: &str, text: &str) -> Result<BoardsPlan> {
    let source = &Source { name, text, system: Some(System::BoardRing), ring: None };
    boards::convert(source, &parse(source, &SYSTEMS[1..2])?.0)
}

/// The keys of a file of one of these systems, which has all of them.
fn parse(source: &Source, systems: &[(&'static str, System)]) -> Result<(File, System)> {
    let file: File = toml::from_str(source.text).map_err(|e| match renamed::key(e.message()) {
        Some(what) => source.error(&e.span().unwrap_or_default(), what),
        None => FileError::toml(source.name, source.text, &e),
    })?;
    let Some(name) = &file.system else {
        let names: Vec<String> = systems.iter().map(|(name, _)| format!("`{name}`")).collect();
        let what = format!("missing key `system`: expected one of {}", names.join(", "));
        return Err(source.error(&(0..0), what));
    };
    let system = source.choice("system", name, systems.iter().copied())?;
    let keys = format!("system title {}", system.keys());
    source.only(&file, &keys, &format!("system \"{}\"", name.get_ref()))?;
    Ok((file, system))
}
