// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tree below `vectors/`: rendering, writing, comparing (VEC-2).

use crate::vectors::manifest::{FileHash, Manifest, ManifestBoard, ManifestClass, SCHEMA_VERSION};
use crate::vectors::pages::{list, table};
use crate::vectors::story::Story;
use crate::vectors::texts::{class_files, pretty, story_files};
use crate::vectors::tree::{Difference, Tree, sha256, walk};
use crate::vectors::vector::Class;
use crate::vectors::{board, burst, gateway, replayed, schema};
use awgstar::quantity::Cycle;
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

/// Files below `vectors/` that are written by hand.
const BY_HAND: [&str; 3] = ["FORMAT.md", "README.md", "run-icarus.sh"];

/// Renders every file of the classes; `replayed` are the files of vectors that are not generated, which
/// the manifest names too.
///
/// # Errors
/// If a vector gives no files.
pub fn tree(classes: &[Class], replayed: &[FileHash]) -> io::Result<Tree> {
    let mut tree = Tree::new();
    let mut entries = Vec::new();
    for class in classes {
        let files = class_files(class)?;
        entries.push(ManifestClass {
            module: class.module().name().into(),
            name: class.name.clone(),
            duts: class.duts().into_iter().map(Into::into).collect(),
            requirements: class.requirements.clone(),
            bug_class: class.bug_class.clone(),
            effect: class.effect.clone(),
            vectors: class.len(),
            files: files.iter().map(hash).collect(),
        });
        tree.extend(files);
    }
    let mut boards = Vec::new();
    for story in board::all().map_err(io::Error::other)? {
        let files = story_files(&format!("{}/{}", story.folder(), story.name), story.vector())?;
        boards.push(entry(story, story.stimulus.cycles, &files));
        tree.extend(files);
    }
    for story in burst::all().map_err(io::Error::other)? {
        let files = story_files(&format!("{}/{}", burst::FOLDER, story.name), story.vector())?;
        boards.push(entry(story, story.stimulus.cycles, &files));
        tree.extend(files);
    }
    for story in gateway::all().map_err(io::Error::other)? {
        let files = story_files(&format!("{}/{}", gateway::FOLDER, story.name), story.vector())?;
        boards.push(entry(story, story.stimulus.cycles(), &files));
        tree.extend(files);
    }
    let common = [
        ("classes.txt".to_owned(), list(classes)),
        ("classes.md".to_owned(), table(classes).map_err(io::Error::other)?),
        ("schema/manifest.schema.json".to_owned(), pretty(&schema::manifest())?),
        ("schema/vectors.schema.json".to_owned(), pretty(&schema::vectors())?),
    ];
    let manifest = Manifest {
        schema_version: SCHEMA_VERSION,
        classes: entries,
        boards,
        replayed: replayed.to_vec(),
        files: common.iter().map(|(path, text)| hash((path, text))).collect(),
    };
    tree.extend(common);
    tree.insert("manifest.json".into(), pretty(&manifest)?);
    Ok(tree)
}

/// A story in the manifest.
fn entry<S>(story: &Story<S>, cycles: Cycle, files: &Tree) -> ManifestBoard {
    ManifestBoard {
        name: story.name.clone(),
        requirements: story.requirements.clone(),
        shows: story.shows.clone(),
        bug_class: story.catches.clone(),
        effect: story.effect.clone(),
        cycles: cycles.0,
        files: files.iter().map(hash).collect(),
    }
}

/// Writes every file of the generated `classes` below `root` (the folder `vectors`). Removes what the manifest
/// that was there names and is no longer made, and nothing else: `root` may be any folder.
///
/// # Errors
/// If a file cannot be written.
pub fn write(root: &Path, classes: &[Class]) -> io::Result<Vec<PathBuf>> {
    let tree = tree(classes, &replayed::list(&replayed::hashes(root)?))?;
    let earlier = named_by_manifest(root);
    let mut written = Vec::new();
    for (name, text) in &tree {
        let path = root.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text)?;
        written.push(path);
    }
    let stale = present(root)?.into_iter().filter(|p| !tree.contains_key(p) && earlier.contains(p));
    for path in stale {
        fs::remove_file(root.join(path))?;
    }
    Ok(written)
}

/// Writes the files of one class below `root` and gives the class's folder. No manifest: this is for
/// classes beyond the golden ones.
///
/// # Errors
/// If a file cannot be written.
pub fn write_class(root: &Path, class: &Class) -> io::Result<PathBuf> {
    let folder = root.join(class.module().name()).join(&class.name);
    fs::create_dir_all(&folder)?;
    for (name, text) in class_files(class)? {
        fs::write(root.join(name), text)?;
    }
    Ok(folder)
}

/// Files that the manifest below `root` names; none without a readable manifest.
fn named_by_manifest(root: &Path) -> BTreeSet<String> {
    let Some(manifest) = manifest(root) else { return BTreeSet::new() };
    let classes = manifest.classes.into_iter().flat_map(|class| class.files);
    let boards = manifest.boards.into_iter().flat_map(|board| board.files);
    classes.chain(boards).chain(manifest.files).map(|file| file.path).collect()
}

/// The manifest below `root`, if it can be read.
fn manifest(root: &Path) -> Option<Manifest> {
    serde_json::from_str(&fs::read_to_string(root.join("manifest.json")).ok()?).ok()
}

/// Compares the files below `root` (the folder `vectors`) with those of the freshly generated `classes`, and
/// those of vectors that are not generated with the hashes in its manifest.
///
/// # Errors
/// If a folder cannot be listed.
pub fn check(root: &Path, classes: &[Class]) -> io::Result<Vec<Difference>> {
    let named = manifest(root).map(|m| m.replayed).unwrap_or_default();
    let named = named.into_iter().map(|f| (f.path, f.sha256)).collect();
    let tree = tree(classes, &replayed::list(&named))?;
    let mut out = Vec::new();
    for (path, expected) in &tree {
        let path = path.clone();
        match fs::read_to_string(root.join(&path)) {
            Err(_) => out.push(Difference::Missing { path }),
            Ok(found) if found != *expected => {
                let pairs = expected.split('\n').zip(found.split('\n'));
                let line = 1 + pairs.take_while(|(a, b)| a == b).count();
                out.push(Difference::Text { path, line });
            }
            Ok(_) => {}
        }
    }
    let extra = present(root)?.into_iter().filter(|p| !tree.contains_key(p));
    out.extend(extra.map(|path| Difference::Extra { path }));
    out.extend(replayed::differences(&named, &replayed::hashes(root)?));
    Ok(out)
}

/// Files below `root` that are generated or should not be there.
fn present(root: &Path) -> io::Result<Vec<String>> {
    let mut out = walk(root, &[""], |folder| !replayed::FOLDERS.contains(&folder))?;
    out.retain(|path| !BY_HAND.contains(&path.as_str()));
    Ok(out)
}

fn hash((path, text): (&String, &String)) -> FileHash {
    FileHash { path: path.clone(), sha256: sha256(text.as_bytes()) }
}
