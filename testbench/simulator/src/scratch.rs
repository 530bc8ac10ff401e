// SPDX-License-Identifier: MIT OR Apache-2.0
//! A folder for one build or run, and plain names in it for the files of others.
//!
//! Simulators, `make` and Yosys split names at spaces, put them into shell commands and scripts, or
//! cannot print them. They only get to see names made here: links in a folder below `/tmp`.

use crate::SimError;
use crate::running::running;
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

/// Names made here and what they are for.
#[derive(Clone, Debug, Default)]
pub struct Names(Vec<(String, String)>);

impl Names {
    /// A message of a program, with the names that its reader knows.
    #[must_use]
    pub fn restore(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (link, name)| text.replace(link, name))
    }

    /// The same names, made in another folder.
    #[must_use]
    pub fn moved(&self, from: &Path, to: &Path) -> Self {
        let (from, to) = (from.to_string_lossy(), to.to_string_lossy());
        Names(self.0.iter().map(|(l, n)| (l.replacen(&*from, &to, 1), n.clone())).collect())
    }
}

/// The folder; it is gone when the run is over, and when a signal ends this process.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    links: Vec<(PathBuf, PathBuf)>,
}

impl Scratch {
    /// A new folder, whose name every program takes.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new() -> Result<Self, SimError> {
        let wanted = std::env::temp_dir();
        let plain = wanted.is_absolute() && wanted.to_str().is_some_and(|n| n.chars().all(plain));
        Scratch::below(if plain { &wanted } else { Path::new("/tmp") })
    }

    /// A new folder below `parent`.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn below(parent: &Path) -> Result<Self, SimError> {
        let mut all = running();
        let folder = tempfile::Builder::new().prefix("awgstar-").tempdir_in(parent);
        let folder = folder.map_err(SimError::io(parent))?.keep();
        all.add_folder(&folder);
        Ok(Scratch { folder, links: Vec::new() })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// A plain name for a file or folder, also for a file that a program is to write.
    ///
    /// # Errors
    /// If its name has a control character, or the link cannot be made.
    pub fn link(&mut self, path: &Path) -> Result<PathBuf, SimError> {
        check_name(path)?;
        let target = std::path::absolute(path).map_err(SimError::io(path))?;
        let name = path.file_name().map_or_else(|| "folder".into(), |n| n.to_string_lossy());
        let name: String = name.chars().map(|c| if plain(c) { c } else { '_' }).collect();
        let folder = self.folder.join(self.links.len().to_string());
        fs::create_dir(&folder).map_err(SimError::io(&folder))?;
        let link = folder.join(name);
        symlink(target, &link).map_err(SimError::io(&link))?;
        self.links.push((link.clone(), path.into()));
        Ok(link)
    }

    /// Writes a file of this name into the folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, SimError> {
        let path = self.folder.join(name);
        fs::write(&path, text).map_err(SimError::io(&path))?;
        Ok(path)
    }

    /// The number of the link that `path` is or leads through, and the rest of it.
    pub fn through(&self, path: &Path) -> Option<(usize, PathBuf)> {
        let mut links = self.links.iter().enumerate();
        links.find_map(|(i, (link, _))| Some((i, path.strip_prefix(link).ok()?.into())))
    }

    pub fn linked(&self, number: usize) -> Option<&Path> {
        self.links.get(number).map(|(link, _)| link.as_path())
    }

    /// Names of all links.
    #[must_use]
    pub fn names(&self) -> Names {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        Names(self.links.iter().map(|(link, path)| (text(link), text(path))).collect())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        running().end_folder(&self.folder);
    }
}

/// A character that no program interprets.
fn plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "/_-.+".contains(c)
}

/// Refuses names with control characters: a message cannot show them, and a script could end at one.
///
/// # Errors
/// [`SimError::Name`].
pub fn check_name(path: &Path) -> Result<(), SimError> {
    let name = path.to_string_lossy();
    if name.chars().any(char::is_control) {
        return Err(SimError::Name { name: name.escape_debug().to_string() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_plain_names_and_messages_the_others() {
        let mut scratch = Scratch::new().unwrap();
        let odd = Path::new("/nowhere/é $(touch x); \"exec\" it's.sv");
        for i in 0..12 {
            let link = scratch.link(odd).unwrap();
            assert!(link.to_str().unwrap().chars().all(plain), "{}", link.display());
            assert!(link.extension().is_some_and(|e| e == "sv"));
            assert_eq!(scratch.through(&link.join("x.vh")), Some((i, "x.vh".into())));
            let said = scratch.names().restore(&format!("{}:3: syntax error", link.display()));
            assert_eq!(said, format!("{}:3: syntax error", odd.display()));
        }
        let folder = scratch.path().to_owned();
        assert!(folder.exists());
        drop(scratch);
        assert!(!folder.exists());
    }

    #[test]
    fn control_characters_are_refused_and_shown() {
        let e = check_name(Path::new("a\n\texec touch\u{1b}.v")).unwrap_err().to_string();
        assert!(e.contains(r"a\n\texec touch\u{1b}.v") && !e.contains('\n'), "{e}");
    }
}
