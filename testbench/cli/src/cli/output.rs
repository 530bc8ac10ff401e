// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of files that a command writes. They are checked before the run: only `--out` makes folders.

use clap::builder::{PathBufValueParser, TypedValueParser};
use std::path::{Path, PathBuf};

fn checked(path: PathBuf) -> Result<PathBuf, String> {
    if path.is_dir() {
        return Err("expected the name of a file, found a folder".into());
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    match folder.filter(|folder| !folder.is_dir()) {
        None => Ok(path),
        Some(missing) => Err(format!(
            "expected a file in a folder that is there: no folder `{}`",
            missing.display()
        )),
    }
}

/// A parser of names of files.
pub(crate) fn file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(checked)
}

/// A parser of names of waveforms, whose stem names the save file, too.
pub(crate) fn vcd() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path: PathBuf| {
        let right = path.extension().is_some_and(|extension| extension == "vcd");
        let utf8 = path.file_stem().and_then(|stem| stem.to_str()).is_some();
        let named = right && utf8;
        if named { checked(path) } else { Err("expected a file name that ends in .vcd".into()) }
    })
}
