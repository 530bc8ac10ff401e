// SPDX-License-Identifier: MIT OR Apache-2.0
//! The identity of a build: a hash of the sources that results depend on, for `awgstar merge`.
//!
//! Builds of the same sources on several computers have the same identity.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

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

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
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
