// SPDX-License-Identifier: MIT OR Apache-2.0
//! Folders of the project's files.

use super::outcome::{CliError, at, say};
use awgstar_cli::carried;
use std::path::{Path, PathBuf};

/// Testbenches of the simulators, in a checkout.
pub(crate) const BENCHES: &str = "testbench/verilog";

/// The default of --root.
const ROOT: &str = ".";

/// Refuses a `root` without these folders.
pub(crate) fn checkout(root: &Path, folders: &[&str]) -> Result<(), CliError> {
    let Some(missing) = folders.iter().find(|folder| !root.join(folder).is_dir()) else {
        return Ok(());
    };
    Err(CliError::Usage(format!(
        "no folder `{missing}` in `{}`: this command needs a checkout of the project: run it in one, or name one with --root FOLDER",
        root.display()
    )))
}

/// Finds the folder with the project's files: `root` if it has these folders. Without --root and
/// outside a checkout it is a folder of the user's cache with the files that the command carries. A
/// folder with its own Verilog in `hdl` is refused: the verdict would be about the carried Verilog.
pub(crate) fn files_at(root: &Path, folders: &[&str]) -> Result<PathBuf, CliError> {
    let named = root != Path::new(ROOT);
    if named || folders.iter().all(|folder| root.join(folder).is_dir()) {
        return checkout(root, folders).map(|()| root.to_owned());
    }
    if folders.contains(&"hdl") && root.join("hdl").exists() {
        return Err(CliError::Usage(
            "the folder `hdl` here is not part of a checkout of the project and would not be used: for Verilog of your own name it with --hdl (cosim) or --dut (conform); for the Verilog of the project run in another folder or name a checkout with --root FOLDER".into(),
        ));
    }
    let place = carried::place(&carried::cache().unwrap_or_else(|| root.join("target")));
    at(place.display(), carried::lay_out(&place))?;
    say(format_args!(
        "no checkout here: the files of this version are in {}, and what a simulator makes of them in `target` there",
        place.display()
    ));
    Ok(place)
}
