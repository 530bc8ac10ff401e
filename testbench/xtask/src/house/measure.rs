// SPDX-License-Identifier: MIT OR Apache-2.0
//! The measures of a checkout.

use super::{
    error::{HouseError, PAGE, read},
    graph::{Graph, Module, module},
    rules::{CORE, Ceilings, Rules, package},
    source::Source,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

/// A crate.
#[derive(Clone, Debug)]
pub struct Room {
    /// Its folder from the root.
    pub folder: String,
    pub group: String,
    /// Lines of Rust in `src`.
    pub lines: usize,
    /// Lines of Rust in `tests`.
    pub tests: usize,
    /// Files in `src`.
    pub files: usize,
    /// Definitions that are public by their keyword.
    pub public: usize,
    /// Circles between files.
    pub circles: usize,
    /// Circles between neighbours in a folder.
    pub neighbours: usize,
}

/// A count with its places.
#[derive(Clone, Debug)]
pub struct Count {
    /// What is counted.
    pub name: String,
    /// Where.
    pub places: Vec<String>,
    /// How many there may be.
    pub ceiling: usize,
}

/// All measures.
#[derive(Clone, Debug)]
pub struct House {
    /// The crates.
    pub rooms: Vec<Room>,
    pub counts: Vec<Count>,
    /// Dependencies of the core on other groups. There may be none.
    pub of_the_core: Vec<String>,
}

/// A file: path from the root, and its text.
struct File {
    path: String,
    text: String,
}

impl House {
    /// Measures the checkout at `root`.
    ///
    /// # Errors
    /// If a file cannot be read, or has not the form it should have.
    pub fn measure(root: &Path) -> Result<Self, HouseError> {
        let (rules, rules_file) = rules(root)?;
        let mut house = Self { rooms: Vec::new(), counts: Vec::new(), of_the_core: Vec::new() };
        let mut forms = vec![Vec::new(); rules.idea.len()];
        let (mut narrowings, mut files, mut neighbours) = (Vec::new(), Vec::new(), Vec::new());
        let mut against = Vec::new();
        let mut defined = BTreeSet::new();
        for (folder, group) in crates(root, &rules, &rules_file)? {
            let sources = collect(root, &format!("{folder}/src"), &["rs"])?;
            let mut modules: BTreeMap<Module, Source> = BTreeMap::new();
            let mut public = 0;
            for file in &sources {
                let source = Source::parse(&file.text).map_err(|error| HouseError::Rust {
                    path: root.join(&file.path),
                    why: error.to_string(),
                })?;
                for definition in &source.definitions {
                    public += usize::from(definition.public);
                    defined.insert(format!("{}: {}", file.path, definition.name));
                    for (idea, places) in rules.idea.iter().zip(&mut forms) {
                        if idea.has(&file.path, definition) {
                            places.push(format!("{}: {}", file.path, definition.name));
                        }
                    }
                }
                narrowings.extend((0..source.narrowings).map(|_| file.path.clone()));
                modules.insert(module(&file.path[folder.len() + 5..]), source);
            }
            let graph = Graph::new(&modules);
            let (in_files, in_folders) = (graph.circles(), graph.neighbours());
            files.extend(in_files.iter().map(|circle| text_of(&folder, circle)));
            neighbours.extend(in_folders.iter().map(|circle| text_of(&folder, circle)));
            let wrong = wrong_dependencies(root, &folder, &group, &rules)?;
            (if group == CORE { &mut house.of_the_core } else { &mut against }).extend(wrong);
            house.rooms.push(Room {
                lines: lines(&sources),
                files: sources.len(),
                tests: lines(&collect(root, &format!("{folder}/tests"), &["rs"])?),
                public,
                circles: in_files.len(),
                neighbours: in_folders.len(),
                folder,
                group,
            });
        }
        let Ceilings { header_fields, generated, list, .. } = &rules.ceilings;
        let lists_fields = files_with_fields(root, header_fields, generated)?;
        let words = places_of_words(root, list, generated)?;
        for (idea, places) in rules.idea.iter().zip(forms) {
            if let Some(entry) = idea.stale(&defined) {
                let why = format!("idea \"{}\": no definition is \"{entry}\"", idea.name);
                return Err(HouseError::Rules { path: rules_file, why });
            }
            house.counts.push(Count { name: idea.name.clone(), places, ceiling: idea.ceiling });
        }
        let limits = &rules.ceilings;
        for (name, places, ceiling) in [
            (
                "dependencies between crates against the direction",
                against,
                limits.imports_against_the_direction,
            ),
            ("circles of imports between files", files, limits.circles_of_files),
            (
                "circles of imports between neighbours in a folder",
                neighbours,
                limits.circles_of_neighbours,
            ),
            ("conversions to a narrower integer with a default", narrowings, limits.narrowings),
            (
                "files by hand that list the header fields",
                lists_fields,
                limits.files_of_a_header_field,
            ),
            ("words with a better one, in comments and pages", words, limits.words),
        ] {
            house.counts.push(Count { name: name.to_owned(), places, ceiling });
        }
        Ok(house)
    }

    /// Each count with its places.
    #[must_use]
    pub fn list(&self) -> String {
        let mut text = String::new();
        for Count { name, places, ceiling } in &self.counts {
            let _ = writeln!(text, "{name}: {} (ceiling {ceiling})", places.len());
            for place in places {
                let _ = writeln!(text, "  {place}");
            }
        }
        text
    }
}

/// The rules, and the file that has them.
fn rules(root: &Path) -> Result<(Rules, PathBuf), HouseError> {
    let path = root.join("testbench/xtask/house.toml");
    match toml::from_str(&read(&path)?) {
        Ok(rules) => Ok((rules, path)),
        Err(error) => Err(HouseError::Rules { path, why: error.to_string() }),
    }
}

pub(super) fn packages(root: &Path, group: &str) -> Result<Vec<String>, HouseError> {
    let (rules, _) = rules(root)?;
    let Some(found) = rules.groups.get(group) else {
        let known = rules.groups.into_keys().collect();
        return Err(HouseError::NoGroup { found: group.to_owned(), known });
    };
    Ok(found.crates.iter().map(|folder| package(folder)).collect())
}

/// The crates of the checkout with their groups. Each must be in one group.
fn crates(root: &Path, rules: &Rules, file: &Path) -> Result<Vec<(String, String)>, HouseError> {
    let mut found = Vec::new();
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    for (group, has) in &rules.groups {
        known.extend(has.crates.iter().map(|name| (name.as_str(), group.as_str())));
    }
    let wrong = |why| HouseError::Rules { path: file.to_owned(), why };
    for top in ["model", "testbench"] {
        for folder in entries(&root.join(top))? {
            if !(folder.join("Cargo.toml").is_file() && folder.join("src/lib.rs").is_file()) {
                continue;
            }
            let name = file_name(&folder);
            if name == "fuzz" {
                continue;
            }
            let group = known.remove(name.as_str());
            let group = group
                .ok_or_else(|| wrong(format!("groups: no group has the crate {top}/{name}")))?;
            found.push((format!("{top}/{name}"), group.to_owned()));
        }
    }
    match known.keys().next() {
        Some(name) => Err(wrong(format!("groups: there is no crate {name}"))),
        None => Ok(found),
    }
}

/// Dependencies of a crate that its group does not allow. Those of tests are free.
fn wrong_dependencies(
    root: &Path,
    folder: &str,
    group: &str,
    rules: &Rules,
) -> Result<Vec<String>, HouseError> {
    let path = root.join(folder).join("Cargo.toml");
    let manifest: toml::Table = read(&path)?
        .parse()
        .map_err(|error: toml::de::Error| HouseError::Rules { path, why: error.to_string() })?;
    let uses = &rules.groups[group].uses;
    let names = dependencies(&manifest);
    let mut found = Vec::new();
    for (owner, has) in &rules.groups {
        for short in has.crates.iter().filter(|short| names.contains(&package(short))) {
            if owner != group && !uses.contains(owner) {
                found.push(format!("{folder} -> {}", package(short)));
            }
            if folder.starts_with("model/") && root.join("testbench").join(short).is_dir() {
                found.push(format!("{folder} -> testbench/{short}"));
            }
        }
    }
    Ok(found)
}

/// The packages that a manifest names, without those of tests: on every target, also under another name.
fn dependencies(manifest: &toml::Table) -> BTreeSet<String> {
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let targets =
        targets.into_iter().flat_map(toml::Table::values).filter_map(toml::Value::as_table);
    let mut found = BTreeSet::new();
    for table in targets.chain([manifest]) {
        for key in ["dependencies", "build-dependencies"] {
            let all = table.get(key).and_then(toml::Value::as_table);
            for (name, value) in all.into_iter().flatten() {
                let other = value.get("package").and_then(toml::Value::as_str);
                found.insert(other.unwrap_or(name).to_owned());
            }
        }
    }
    found
}

/// Files by hand of model, Verilog and test bench that name each of the fields.
fn files_with_fields(
    root: &Path,
    fields: &[String],
    generated: &[String],
) -> Result<Vec<String>, HouseError> {
    let mut found = Vec::new();
    for top in ["model", "hdl", "testbench"] {
        for file in collect(root, top, &["rs", "v", "vh", "sv", "py", "lua", "c", "h", "cpp"])? {
            if is_any(&file.path, generated) || file.path.contains("/tests/") {
                continue;
            }
            let text = file.text.to_lowercase();
            let words: BTreeSet<&str> =
                text.split(|char: char| !char.is_alphanumeric() && char != '_').collect();
            if fields.iter().all(|field| words.contains(field.as_str())) {
                found.push(file.path);
            }
        }
    }
    Ok(found)
}

/// Places of words that should be others, in comments and in pages.
fn places_of_words(
    root: &Path,
    words: &[String],
    generated: &[String],
) -> Result<Vec<String>, HouseError> {
    let mut found = Vec::new();
    for top in ["model", "hdl", "testbench", "docs", "vectors"] {
        for file in collect(root, top, &["rs", "v", "vh", "sv", "md"])? {
            if is_any(&file.path, generated) || file.path == PAGE {
                continue;
            }
            let page = Path::new(&file.path).extension().is_some_and(|end| end == "md");
            for (number, line) in file.text.lines().enumerate() {
                let text =
                    if page { Some(line) } else { line.split_once("//").map(|(_, text)| text) };
                let Some(text) = text.map(str::to_lowercase) else { continue };
                for word in words.iter().filter(|word| has_word(&text, word)) {
                    found.push(format!("{}:{}: {word}", file.path, number + 1));
                }
            }
        }
    }
    Ok(found)
}

/// Whether a word or some words are in a text, with nothing of a word before or after.
fn has_word(text: &str, word: &str) -> bool {
    let letter = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    text.match_indices(word).any(|(at, _)| {
        !letter(text[..at].chars().next_back()) && !letter(text[at + word.len()..].chars().next())
    })
}

fn is_any(path: &str, beginnings: &[String]) -> bool {
    beginnings.iter().any(|one| path.starts_with(one.as_str()))
}

fn text_of(folder: &str, circle: &BTreeSet<Module>) -> String {
    let names: Vec<String> = circle
        .iter()
        .map(|module| if module.is_empty() { "(root)".to_owned() } else { module.join("::") })
        .collect();
    format!("{folder}: {}", names.join(", "))
}

fn lines(files: &[File]) -> usize {
    files.iter().map(|file| file.text.lines().count()).sum()
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// What a folder has, by name; nothing if it is not there.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, HouseError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let wrong = |source| HouseError::File { path: folder.to_owned(), source };
    let all = fs::read_dir(folder).map_err(wrong)?;
    let mut found =
        all.map(|entry| Ok(entry.map_err(wrong)?.path())).collect::<Result<Vec<_>, _>>()?;
    found.sort();
    Ok(found)
}

/// Files with one of the endings below a folder, builds and hidden folders left out.
fn collect(root: &Path, folder: &str, endings: &[&str]) -> Result<Vec<File>, HouseError> {
    let mut found = Vec::new();
    for path in entries(&root.join(folder))? {
        let name = file_name(&path);
        let inner = format!("{folder}/{name}");
        if path.is_dir() {
            if !(name.starts_with('.') || ["target", "build", "venv"].contains(&name.as_str())) {
                found.extend(collect(root, &inner, endings)?);
            }
        } else if path.extension().is_some_and(|end| endings.iter().any(|one| end == *one)) {
            found.push(File { text: read(&path)?, path: inner });
        }
    }
    Ok(found)
}
