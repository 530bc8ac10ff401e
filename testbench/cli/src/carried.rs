// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that the command carries, for use outside a checkout: Verilog, testbenches, vectors,
//! scenarios.

use crate::work::{BUILD, VERSION};
use rust_embed::{Embed, EmbeddedFile};
use std::{
    borrow::Cow,
    env, fs,
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};
use tempfile::Builder;

#[derive(Embed)]
#[folder = "../../hdl"]
#[exclude = "boards/*"]
struct Hdl;

#[derive(Embed)]
#[folder = "../verilog"]
struct Benches;

#[derive(Embed)]
#[folder = "../../vectors"]
struct Vectors;

#[derive(Embed)]
#[folder = "../../docs/scenarios"]
#[include = "*.toml"]
struct Scenarios;

/// A carried file below the folder of its kind.
type Get = fn(&str) -> Option<EmbeddedFile>;

/// Every carried file: its path in a checkout, and its content.
pub fn files() -> impl Iterator<Item = (PathBuf, Cow<'static, [u8]>)> {
    fn all<E: Embed>(folder: &'static str) -> impl Iterator<Item = (&'static str, String, Get)> {
        E::iter().map(move |name| (folder, name.into_owned(), E::get as Get))
    }
    all::<Hdl>("hdl")
        .chain(all::<Benches>("testbench/verilog"))
        .chain(all::<Vectors>("vectors"))
        .chain(all::<Scenarios>("docs/scenarios"))
        .filter_map(|(folder, name, get)| Some((Path::new(folder).join(&name), get(&name)?.data)))
}

/// The content of the carried file with this path in a checkout.
#[must_use]
pub fn file(path: &str) -> Option<Cow<'static, [u8]>> {
    let (_, content) = files().find(|(name, _)| name == Path::new(path))?;
    Some(content)
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
    for (name, content) in files() {
        let path = place.join(&name);
        if !fs::read(&path).is_ok_and(|found| found == *content) {
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
        assert!(file("docs/scenarios/first.toml").is_some());
        assert!(file("docs/scenarios/none.toml").is_none());
    }
}
