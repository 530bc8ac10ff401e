// SPDX-License-Identifier: MIT OR Apache-2.0
//! The identity of a build: a hash of the sources that results depend on, for `awgstar merge`; and the files that the
//! command carries, compressed: they are text, a tenth of their size.
//!
//! Builds of the same sources on several computers have the same identity.

use flate2::{Compression, write::DeflateEncoder};
use std::{
    env,
    ffi::OsStr,
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Folders that the command carries, from the root.
const CARRIED: [&str; 4] = ["hdl", "testbench/verilog", "vectors", "docs/scenarios"];

/// FNV-1a with 64 bits. The standard library has no hash that stays the same from version to version.
struct Hash(u64);

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for part in [&bytes.len().to_le_bytes()[..], bytes] {
            for byte in part {
                self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
}

/// What a folder has, in the order of the names; nothing if it is not there.
fn inside(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut all = entries.collect::<io::Result<Vec<_>>>()?;
    all.sort();
    Ok(all)
}

/// Every file below a path, in the order of the names.
fn files(path: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_file() {
        found.push(path.to_owned());
    }
    inside(path)?.iter().try_for_each(|path| files(path, found))
}

/// Whether a file of the folders is carried: no projects for boards of a vendor, of the scenarios no outputs.
fn carries(name: &Path) -> bool {
    !name.starts_with("hdl/boards")
        && (!name.starts_with("docs") || name.extension() == Some(OsStr::new("toml")))
}

/// Writes the carried files, compressed, and a list of `(name, bytes)`.
fn carry(root: &Path) -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let (mut list, mut number) = ("[".to_owned(), 0);
    for folder in CARRIED.map(|folder| root.join(folder)) {
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut found = Vec::new();
        files(&folder, &mut found)?;
        for file in found {
            let name = file.strip_prefix(root).map_err(io::Error::other)?;
            if !carries(name) {
                continue;
            }
            let name = name.to_str().ok_or_else(|| io::Error::other("a name that is no text"))?;
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(&fs::read(&file)?)?;
            fs::write(out.join(format!("carried-{number}")), encoder.finish()?)?;
            let bytes = format!("concat!(env!(\"OUT_DIR\"), \"/carried-{number}\")");
            let _ = writeln!(list, "({name:?}, include_bytes!({bytes})),");
            number += 1;
        }
    }
    fs::write(out.join("carried.rs"), list + "]")
}

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    carry(&root)?;
    let mut places = ["Cargo.lock", "Cargo.toml", "testbench/verilog", "vectors"]
        .map(|name| root.join(name))
        .to_vec();
    // Projects for boards of a vendor are not part of the command.
    places.extend(inside(&root.join("hdl"))?.into_iter().filter(|path| !path.ends_with("boards")));
    for group in ["model", "testbench"] {
        let mut crates = inside(&root.join(group))?;
        // Python has another workspace, which depends on this one.
        crates.retain(|path| path.join("src").is_dir() && !path.ends_with("python"));
        places.extend(crates.iter().flat_map(|path| [path.join("Cargo.toml"), path.join("src")]));
    }
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    // A source distribution has some of them only.
    for place in places.iter().filter(|place| place.exists()) {
        println!("cargo::rerun-if-changed={}", place.display());
        let mut found = Vec::new();
        files(place, &mut found)?;
        for file in found {
            let name = file.strip_prefix(&root).unwrap_or(&file);
            hash.add(name.to_string_lossy().as_bytes());
            hash.add(&fs::read(&file)?);
        }
    }
    println!("cargo::rustc-env=AWGSTAR_BUILD={:016x}", hash.0);
    Ok(())
}
