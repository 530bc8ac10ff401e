// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards without hosts: for programs that are processes of this computer.

use super::{choice, convert, firmware};
use crate::run::boards::{BoardsPlan, Programs};
use crate::scenario::file::File;
use crate::scenario::limits::CYCLES_MAX;
use crate::scenario::source::{Result, Source};
use awgstar::host::Choice;
use awgstar::quantity::Cycle;
use toml::Spanned;

/// Makes the file of boards one for processes: its run has an end, if at all, that the file says. Returns the firmware.
pub(in crate::scenario) fn firmware_of(source: &Source, file: &mut File) -> Result<Choice> {
    firmware(source, file)?;
    file.cycles.get_or_insert_with(|| Spanned::new(0..0, CYCLES_MAX));
    match &file.primitives.take() {
        Some(keys) => choice(source, keys.get_ref()),
        None => Ok(Choice::new()),
    }
}

/// The boards of such a file.
pub(in crate::scenario) fn for_processes(
    source: &Source,
    file: &File,
    choice: Choice,
) -> Result<BoardsPlan> {
    let mut plan = convert(source, file)?;
    let slow = vec![Cycle(0); plan.boards.len()];
    plan.programs = Some(Programs { choice, slow, scripts: Vec::new() });
    Ok(plan)
}
