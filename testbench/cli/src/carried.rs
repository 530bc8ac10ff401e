// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that the command carries, for use outside a checkout: Verilog, testbenches, vectors,
//! scenarios.

use crate::work::{BUILD, VERSION};
use flate2::read::DeflateDecoder;
use std::{
    env, fs,
    io::{self, Read as _, Write as _},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};
use tempfile::Builder;

/// Name in a checkout of each carried file, in the order of their folders, and its compressed content.
const FILES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/carried.rs"));

/// Every carried file: its path in a checkout, and its content.
///
/// # Errors
/// If the program is damaged: the content of a file cannot be read.
pub fn files() -> impl Iterator<Item = io::Result<(&'static Path, Vec<u8>)>> {
    FILES.iter().map(|&(name, bytes)| Ok((Path::new(name), inflated(bytes)?)))
}

fn inflated(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    DeflateDecoder::new(bytes).read_to_end(&mut content)?;
    Ok(content)
}

/// The content of the carried file with this path in a checkout; `None` if there is none.
///
/// # Errors
/// If the program is damaged.
pub fn file(path: &str) -> io::Result<Option<Vec<u8>>> {
    let found = FILES.iter().find(|(name, _)| *name == path);
    found.map(|&(_, bytes)| inflated(bytes)).transpose()
}

/// The folder of the user for files that can be made again; `None` if the environment names none.
#[must_use]
pub fn cache() -> Option<PathBuf> {
    let folder = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let below = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
    folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(below)))
}

/// The folder below `folder` that [`lay_out`] fills: one for each build.
#[must_use]
pub fn place(folder: &Path) -> PathBuf {
    let build = &BUILD[..BUILD.len().min(12)];
    folder.join("awgstar").join(format!("{VERSION}-{build}"))
}

/// Makes `place` hold every carried file. A file with other content is written again, and one that is
/// not carried is removed from the carried folders, so that a changed copy is never used.
///
/// # Errors
/// If a file or folder cannot be read, written or removed.
pub fn lay_out(place: &Path) -> io::Result<()> {
    fs::create_dir_all(place)?;
    let mode = fs::Permissions::from_mode(0o666);
    let mut kept = Vec::new();
    for file in files() {
        let (name, content) = file?;
        let path = place.join(name);
        if !fs::read(&path).is_ok_and(|found| found == content) {
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            // Other runs read it at the same time: it is whole, or not there.
            let mut file = Builder::new().permissions(mode.clone()).tempfile_in(place)?;
            file.write_all(&content)?;
            file.persist(&path)?;
        }
        kept.push(path);
    }
    kept.sort();
    for folder in ["hdl", "testbench", "vectors", "docs"] {
        prune(&place.join(folder), &kept)?;
    }
    Ok(())
}

/// Removes the files below `folder` that are not among `kept`, which is sorted.
fn prune(folder: &Path, kept: &[PathBuf]) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.is_symlink() {
            prune(&path, kept)?;
        } else if kept.binary_search(&path).is_err() {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_copy_is_repaired() {
        let folder = tempfile::tempdir().unwrap();
        let place = place(folder.path());
        lay_out(&place).unwrap();
        let module = place.join("hdl/frame_tx.v");
        let good = fs::read(&module).unwrap();
        assert_eq!(
            good,
            fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../hdl/frame_tx.v")).unwrap()
        );
        fs::write(&module, "module frame_tx; endmodule").unwrap();
        fs::write(place.join("hdl/more.v"), "not ours").unwrap();
        lay_out(&place).unwrap();
        assert_eq!(fs::read(&module).unwrap(), good);
        assert!(!place.join("hdl/more.v").exists());
        assert!(place.join("vectors/manifest.json").exists());
        assert!(place.join("testbench/verilog/tb_frame_tx.v").exists());
    }

    #[test]
    fn a_file_is_found_by_its_path() {
        for folder in ["hdl", "testbench/verilog", "vectors", "docs/scenarios"] {
            let files = FILES.iter().filter(|(name, _)| name.starts_with(folder));
            assert!(files.clone().count() > 10, "{folder}");
            for (name, _) in files {
                let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
                let written = fs::read(root.join(name)).unwrap();
                assert_eq!(file(name).unwrap().unwrap(), written, "{name}");
            }
        }
        assert_eq!(file("docs/scenarios/none.toml").unwrap(), None);
    }
}
