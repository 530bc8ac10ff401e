// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vectors that are not generated: the manifest holds their hashes (VEC-2).

use crate::vectors::manifest::FileHash;
use crate::vectors::tree::{Difference, sha256, walk};
use std::{collections::BTreeMap, fs, io, path::Path};

/// Their folders: what the lockstep and the model checker found, and what was written by hand for the
/// current version.
pub(super) const FOLDERS: [&str; 4] = ["node", "firmware", "paging", "mailbox"];

/// Path below `vectors/` and SHA-256 of each file.
pub(super) type Hashes = BTreeMap<String, String>;

/// Of the files below `root`; hidden ones do not count, and a folder that is not there has none.
pub(super) fn hashes(root: &Path) -> io::Result<Hashes> {
    let there: Vec<&str> = FOLDERS.into_iter().filter(|name| root.join(name).is_dir()).collect();
    let hash = |path: String| Ok((path.clone(), sha256(&fs::read(root.join(path))?)));
    walk(root, &there, |_| true)?.into_iter().map(hash).collect()
}

/// As the manifest has them.
pub(super) fn list(hashes: &Hashes) -> Vec<FileHash> {
    let file = |(path, sha256): (&String, &String)| FileHash {
        path: path.clone(),
        sha256: sha256.clone(),
    };
    hashes.iter().map(file).collect()
}

/// How the files that were `found` differ from those that the manifest has.
pub(super) fn differences(manifest: &Hashes, found: &Hashes) -> Vec<Difference> {
    let mut out = Vec::new();
    for (path, sha256) in manifest {
        let path = path.clone();
        match found.get(&path) {
            None => out.push(Difference::Missing { path }),
            Some(other) if other != sha256 => out.push(Difference::Hash { path }),
            Some(_) => {}
        }
    }
    let unlisted = found.keys().filter(|path| !manifest.contains_key(*path)).cloned();
    out.extend(unlisted.map(|path| Difference::Unlisted { path }));
    out
}
