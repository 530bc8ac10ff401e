// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compiles Verilog, and finds again what is compiled already.
//!
//! A result is used again only if everything is the same that it was made from: the versions of the
//! programs, flags and generated texts; the text after the preprocessor, so that an included file
//! that appears, changes or moves counts; the names of files in folders that are searched for modules;
//! and the contents of every file that the compiler says it has read.

use crate::outside::compile;
pub use crate::recipe::Recipe;
use crate::recipe::{Compiled, Compiler, Laid};
use crate::scratch::{Names, Scratch};
use crate::sources::list;
use crate::{SimError, Token};
use awgstar_stimulus::vectors::tree::sha256;
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    fs::{self, File},
    path::{Path, PathBuf},
};

/// Environment variables that make the programs read other files.
const VARIABLES: &[&str] =
    &["VERILATOR_ROOT", "VERILATOR_BIN", "CPATH", "CPLUS_INCLUDE_PATH", "CXX", "MAKEFLAGS"];

impl Recipe {
    /// The same with this token in its flags and texts.
    fn marked(&self, token: &Token) -> Recipe {
        let marked = |text: &String| text.replace(Token::PLACE, &token.to_string());
        Recipe {
            flags: self.flags.iter().map(marked).collect(),
            texts: self.texts.iter().map(|(name, text)| (*name, marked(text))).collect(),
            ..self.clone()
        }
    }

    /// Key of the cache: everything the result depends on, as far as known before compiling.
    fn key(&self, compiler: &dyn Compiler, laid: &Laid) -> Result<String, SimError> {
        let scratch = laid.scratch.path().to_string_lossy().into_owned();
        let mut command = compiler.preprocess(self, laid);
        let text = compiler.step(&mut command, self, laid)?;
        let mut parts = vec![compiler.identity()?, self.top.clone(), text.replace(&*scratch, "")];
        parts.extend(self.flags.iter().cloned());
        parts.extend(self.texts.iter().flat_map(|(n, t)| [(*n).to_owned(), t.clone()]));
        let linked = laid.files.iter().chain(&laid.includes);
        parts.extend(linked.map(|f| f.to_string_lossy().replace(&*scratch, "")));
        if let Some(commands) = &self.commands {
            parts.push(fs::read_to_string(commands).map_err(SimError::io(commands))?);
        }
        // A module that is not among the files is looked for here.
        for folder in self.includes.iter().map(PathBuf::as_path).chain([Path::new(".")]) {
            for extension in ["v", "sv"] {
                let files = list(folder, extension)?;
                let names = files.iter().filter_map(|f| f.file_name());
                parts.push(names.map(|n| n.to_string_lossy() + "/").collect());
            }
        }
        parts.extend(VARIABLES.iter().map(|v| format!("{:?}", std::env::var_os(v))));
        // Serialized, so that no two lists of parts look the same.
        Ok(sha256(serde_json::to_string(&parts).unwrap_or_default().as_bytes()))
    }
}

/// A file that a compiler has read, independent of the folder of the checkout.
#[derive(Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// A link of the scratch folder, and the path below it.
    Given(usize, PathBuf),
    Absolute(PathBuf),
}

/// File that describes a result, in the same folder.
#[derive(Deserialize, Serialize)]
struct Manifest {
    scratch: PathBuf,
    product: PathBuf,
    read: Vec<(Place, String)>,
}

impl Manifest {
    fn of(compiled: &Compiled, laid: &Laid) -> Result<Self, SimError> {
        let mut places = BTreeSet::new();
        for path in compiled.read.iter().chain(&laid.files) {
            let path = std::path::absolute(path).map_err(SimError::io(path))?;
            places.insert(match laid.scratch.through(&path) {
                Some((number, rest)) => Place::Given(number, rest),
                // Made by this build.
                None if path.starts_with(laid.scratch.path()) => continue,
                None => Place::Absolute(path),
            });
        }
        let hashed = places.into_iter().map(|place| {
            let hash = hash(&place, laid).unwrap_or_default();
            (place, hash)
        });
        let product = compiled.product.file_name().unwrap_or_default().into();
        Ok(Manifest { scratch: laid.scratch.path().into(), product, read: hashed.collect() })
    }

    /// The manifest in `folder`, if what it lists is still the same.
    fn current(folder: &Path, laid: &Laid) -> Option<Self> {
        let text = fs::read_to_string(folder.join(MANIFEST)).ok()?;
        let found: Manifest = serde_json::from_str(&text).ok()?;
        let same = |(place, was): &(Place, String)| hash(place, laid).is_some_and(|h| h == *was);
        let whole = folder.join(&found.product).is_file() && Token::load(folder).is_ok();
        let whole = whole && !found.read.is_empty();
        (whole && found.read.iter().all(same)).then_some(found)
    }
}

const MANIFEST: &str = "manifest.json";

fn hash(place: &Place, laid: &Laid) -> Option<String> {
    let path = match place {
        Place::Given(number, rest) => laid.scratch.linked(*number)?.join(rest),
        Place::Absolute(path) => path.clone(),
    };
    // A path that ends with `/` is that of a folder.
    let path: PathBuf = path.components().collect();
    Some(sha256(&fs::read(path).ok()?))
}

/// A file to run or load.
#[derive(Clone, Debug)]
pub struct Product {
    pub file: PathBuf,
    /// Meaning of the names in its messages.
    pub names: Names,
}

/// Compiles, unless the result is below `out` already.
///
/// # Errors
/// If a program is missing, the Verilog does not compile, or a name has a control character.
pub fn build(compiler: &dyn Compiler, recipe: &Recipe, out: &Path) -> Result<Product, SimError> {
    let laid = recipe.lay_out()?;
    let key = recipe.key(compiler, &laid)?;
    let out = out.join("builds");
    fs::create_dir_all(&out).map_err(SimError::io(&out))?;
    let name = format!("{}-{}-{}", compiler.about().0, recipe.module, &key[..24]);
    let folder = out.join(&name);
    let _one = lock(&out.join(name + ".lock"))?;
    let manifest = if let Some(found) = Manifest::current(&folder, &laid) {
        found
    } else {
        let token = Token::random();
        let marked = recipe.marked(&token);
        let laid = marked.lay_out()?;
        store(&compile(compiler, &marked, &laid)?, &laid, &token, &folder)?
    };
    let names = laid.scratch.names().moved(laid.scratch.path(), &manifest.scratch);
    Ok(Product { file: folder.join(&manifest.product), names })
}

/// Others that build the same wait, in this process and in others.
fn lock(path: &Path) -> Result<File, SimError> {
    let file = File::create(path).map_err(SimError::io(path))?;
    flock(&file, FlockOperation::LockExclusive).map_err(|e| SimError::io(path)(e.into()))?;
    Ok(file)
}

/// Puts a result into its folder, in place of one that is out of date.
fn store(
    compiled: &Compiled,
    laid: &Laid,
    token: &Token,
    folder: &Path,
) -> Result<Manifest, SimError> {
    let scratch = Scratch::below(folder.parent().unwrap_or(folder))?;
    let fresh = scratch.path().join("fresh");
    fs::create_dir(&fresh).map_err(SimError::io(&fresh))?;
    let manifest = Manifest::of(compiled, laid)?;
    let product = fresh.join(&manifest.product);
    fs::copy(&compiled.product, &product).map_err(SimError::io(&compiled.product))?;
    let text = serde_json::to_string(&manifest);
    let text = text.map_err(|e| SimError::format(folder, e.to_string()))?;
    fs::write(fresh.join(MANIFEST), text).map_err(SimError::io(&fresh))?;
    token.save(&fresh)?;
    if folder.exists() {
        fs::rename(folder, scratch.path().join("old")).map_err(SimError::io(folder))?;
    }
    fs::rename(&fresh, folder).map_err(SimError::io(folder))?;
    Ok(manifest)
}

/// The files that a rule for `make` names to the right of a colon. Relative ones are below `base`.
pub fn prerequisites(text: &str, base: &Path) -> Vec<PathBuf> {
    let lines = text.replace("\\\n", " ");
    let mut files = Vec::new();
    for line in lines.lines() {
        let Some((_, right)) = line.split_once(": ") else { continue };
        let right = right.replace("\\ ", "\0");
        let names = right.split_ascii_whitespace().map(|n| n.replace('\0', " "));
        files.extend(names.map(|n| base.join(n)));
    }
    files
}

/// Files named in the make rules in the files `*.d` of a folder; those of Verilator are relative to
/// this process.
///
/// # Errors
/// If one cannot be read.
pub fn rules_in(folder: &Path) -> Result<Vec<PathBuf>, SimError> {
    let mut files = Vec::new();
    for rules in list(folder, "d")? {
        let text = fs::read_to_string(&rules).map_err(SimError::io(&rules))?;
        let verilator = rules.to_string_lossy().ends_with("__ver.d");
        files.extend(prerequisites(&text, if verilator { Path::new("") } else { folder }));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read() {
        let text = "a.o b.o: /x/a.cpp \\\n /with\\ space/b.h \\\n c.h\n\nc.h:\n/x/a.cpp :  \n";
        let found = prerequisites(text, Path::new("/obj"));
        assert_eq!(found, ["/x/a.cpp", "/with space/b.h", "/obj/c.h"].map(PathBuf::from));
    }
}
