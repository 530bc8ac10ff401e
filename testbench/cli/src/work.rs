// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs that are divided among computers, and put together again.
//!
//! A run has a list of items, each with a result, and what it prints follows from all results. [`Work`] says where
//! results come from: from running every item, from running those of one part, or from the files of all parts. So
//! the text of a divided run is made by the code that makes it of a whole run.
//!
//! The file of a part has a JSON object on each line: the head, an object for each item, and the end. The head has the
//! hash of each file that the command read, and the end that of all lines before it.

use awgstar_lockstep::inputs::Inputs;
use awgstar_simulator::Shard;
use awgstar_stimulus::vectors::tree::sha256;
use rayon::prelude::*;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    io::{self, BufRead, Write},
    sync::{Mutex, PoisonError},
};

/// Version of the command, which parts and merge must share.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Identity of the build, which parts and merge must share: a hash of the sources.
pub const BUILD: &str = env!("AWGSTAR_BUILD");

/// First line of a part's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Version of the command.
    pub awgstar: String,
    /// Identity of the build.
    pub build: String,
    /// Arguments of the command, without `--shard`.
    pub command: Vec<String>,
    /// Which part.
    pub shard: Shard,
    /// SHA-256 of the files that the command read, by their names.
    pub inputs: Inputs,
}

/// Line of an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// Number in the whole list, from 0.
    item: usize,
    /// Items of the whole list.
    items: usize,
    /// Which item it is, to tell lists apart that differ.
    what: String,
    result: Value,
}

/// Last line: a file without it is not complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    /// Lines of items before it.
    end: usize,
    /// Of all lines before it.
    sha256: String,
}

/// Hash of lines, each with its end.
fn digest<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let text: String = lines.into_iter().flat_map(|line| [line, "\n"]).collect();
    sha256(text.as_bytes())
}

/// Files of parts that cannot be put together.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A line cannot be read.
    #[error("{file}, line {line}: expected {expected}: {why}")]
    Line {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What the line must be.
        expected: &'static str,
        /// Why it is not.
        why: String,
    },
    /// The file ends early: its command was ended before it had finished.
    #[error("{file}: not complete: expected {expected}: run this part again")]
    Incomplete {
        /// The file.
        file: String,
        /// What is missing.
        expected: String,
    },
    /// Parts of different runs.
    #[error("{file}: {field}: expected {expected}, as in {other}, found {found}")]
    Differs {
        /// The file.
        file: String,
        /// Field of the head, or the name of a file that the commands read.
        field: String,
        /// Value of the other file.
        expected: String,
        /// The file that was read before.
        other: String,
        /// Value of this file.
        found: String,
    },
    /// Something in the file is not as it was written.
    #[error(
        "{file}: sha256 of the lines: expected {expected}, found {found}: the file was changed"
    )]
    Changed {
        /// The file.
        file: String,
        /// By its last line.
        expected: String,
        /// Of its lines.
        found: String,
    },
    /// A part is there twice.
    #[error("{file}: part {shard}: expected once, found in {other}, too")]
    Twice {
        /// The file.
        file: String,
        /// The part.
        shard: Shard,
        /// The file that was read before.
        other: String,
    },
    /// Parts are missing.
    #[error("parts: expected 1 to {of}, not found: {missing}")]
    Missing {
        /// Number of parts.
        of: usize,
        /// Which are missing.
        missing: String,
    },
    /// No file.
    #[error("files: expected one of each part, found none")]
    Nothing,
    /// The results are not those of this command's list.
    #[error(
        "item {item}: expected {expected}, found {found}: made by another version of the files or programs?"
    )]
    Item {
        /// Number of the item, from 0.
        item: usize,
        /// The item of this command's list, or its type of result.
        expected: String,
        /// The item of the file.
        found: String,
    },
}

/// Error of a divided run.
#[derive(Debug, thiserror::Error)]
pub enum WorkError<E> {
    /// An item has no result.
    #[error("{0}")]
    Run(E),
    /// The parts do not fit.
    #[error(transparent)]
    Merge(#[from] MergeError),
}

/// What a part has come to.
#[derive(Debug, Default)]
struct Written {
    inputs: Inputs,
    lines: Vec<Line>,
}

#[derive(Debug)]
enum Source {
    Whole,
    Part(Shard, Mutex<Written>),
    Merged(Mutex<BTreeMap<usize, Line>>),
}

/// Where the results of a run come from.
#[derive(Debug)]
pub struct Work(Source);

impl Work {
    /// All items are run here; with a shard those of that part, whose results [`Work::write`] writes.
    #[must_use]
    pub fn new(shard: Option<Shard>) -> Self {
        Work(shard.map_or(Source::Whole, |shard| Source::Part(shard, Mutex::default())))
    }

    /// Which part this is, if it is one.
    #[must_use]
    pub fn part(&self) -> Option<Shard> {
        if let Source::Part(shard, _) = &self.0 { Some(*shard) } else { None }
    }

    /// The files that the items follow from, before the first item is run. They are read if this is a part only: a
    /// merge runs nothing.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn reads<E>(&self, inputs: impl FnOnce() -> Result<Inputs, E>) -> Result<(), E> {
        if let Source::Part(_, written) = &self.0 {
            let inputs = inputs()?;
            written.lock().unwrap_or_else(PoisonError::into_inner).inputs.extend(inputs);
        }
        Ok(())
    }

    /// All parts of the run: for a run whose parts are its items.
    #[must_use]
    pub fn parts(&self) -> Vec<Shard> {
        let of = match &self.0 {
            Source::Whole => 1,
            Source::Part(shard, _) => shard.of,
            Source::Merged(items) => items.lock().map_or(0, |items| items.len()),
        };
        (1..=of).map(|number| Shard { number, of }).collect()
    }

    /// Numbers of the items that are to be run here, of `items`.
    #[must_use]
    pub fn chosen(&self, items: usize) -> Vec<usize> {
        match &self.0 {
            Source::Whole => (0..items).collect(),
            Source::Part(shard, _) => (0..items).filter(|&item| shard.has(item)).collect(),
            Source::Merged(_) => Vec::new(),
        }
    }

    /// The results of all items, where `what` names each and `own` are those of [`Work::chosen`]. `None` if this is a
    /// part: what a run prints is then left to the merge. To be called once in a run.
    ///
    /// # Errors
    /// If the results of the parts are not those of the same items.
    pub fn collect<R: Serialize + DeserializeOwned>(
        &self,
        what: &[String],
        own: Vec<R>,
    ) -> Result<Option<Vec<R>>, MergeError> {
        match &self.0 {
            Source::Whole => Ok(Some(own)),
            Source::Part(_, written) => {
                let mut lines = Vec::new();
                for (item, result) in self.chosen(what.len()).into_iter().zip(own) {
                    let result = serde_json::to_value(result).map_err(|e| MergeError::Item {
                        item,
                        expected: "a result that can be written".into(),
                        found: e.to_string(),
                    })?;
                    lines.push(Line { item, items: what.len(), what: what[item].clone(), result });
                }
                written.lock().unwrap_or_else(PoisonError::into_inner).lines.extend(lines);
                Ok(None)
            }
            Source::Merged(items) => {
                let mut items = items.lock().unwrap_or_else(PoisonError::into_inner);
                let mut results = Vec::new();
                for (number, expected) in what.iter().enumerate() {
                    let Some(found) = items.remove(&number) else {
                        return Err(wrong(number, expected, "nothing"));
                    };
                    if found.what != *expected || found.items != what.len() {
                        let of = |what: &str, items| format!("{what} of {items} items");
                        let expected = of(expected, what.len());
                        return Err(wrong(number, &expected, &of(&found.what, found.items)));
                    }
                    let result = serde_json::from_value(found.result);
                    results.push(result.map_err(|e| wrong(number, "its result", &e.to_string()))?);
                }
                if let Some((&item, found)) = items.first_key_value() {
                    return Err(wrong(item, "no further item", &found.what));
                }
                Ok(Some(results))
            }
        }
    }

    /// Runs the items that are to be run here, several at a time, and gives the results of all, as
    /// [`Work::collect`].
    ///
    /// # Errors
    /// The first item without a result; parts that do not fit.
    pub fn map<T: Sync, R: Serialize + DeserializeOwned + Send, E: Send>(
        &self,
        items: &[T],
        what: impl Fn(&T) -> String,
        run: impl Fn(&T) -> Result<R, E> + Sync,
    ) -> Result<Option<Vec<R>>, WorkError<E>> {
        let chosen = self.chosen(items.len());
        let own: Result<Vec<R>, E> = chosen.par_iter().map(|&item| run(&items[item])).collect();
        let what: Vec<String> = items.iter().map(what).collect();
        Ok(self.collect(&what, own.map_err(WorkError::Run)?)?)
    }

    /// Writes the file of a part: nothing if this is none. Says how many items it has, and of how many.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, command: Vec<String>, out: &mut dyn Write) -> io::Result<(usize, usize)> {
        let Source::Part(shard, written) = &self.0 else { return Ok((0, 0)) };
        let written = written.lock().unwrap_or_else(PoisonError::into_inner);
        let (awgstar, build, inputs) = (VERSION.into(), BUILD.into(), written.inputs.clone());
        let head = Head { awgstar, build, command, shard: *shard, inputs };
        let mut lines = vec![serde_json::to_string(&head)?];
        for item in &written.lines {
            lines.push(serde_json::to_string(item)?);
        }
        let (end, sha256) = (written.lines.len(), digest(lines.iter().map(String::as_str)));
        lines.push(serde_json::to_string(&End { end, sha256 })?);
        for line in lines {
            writeln!(out, "{line}")?;
        }
        Ok((end, written.lines.first().map_or(0, |item| item.items)))
    }

    /// Reads the files of all parts of a run, each with its name; gives the arguments of its command, too.
    ///
    /// # Errors
    /// If a file is not that of a part or not complete, they are parts of different runs, or one is missing or there
    /// twice.
    pub fn merged<F: BufRead>(
        files: impl IntoIterator<Item = (String, F)>,
    ) -> Result<(Vec<String>, Self), MergeError> {
        let mut parts: BTreeMap<usize, (String, Head)> = BTreeMap::new();
        let mut items = BTreeMap::new();
        for (file, text) in files {
            let (head, lines) = part(&file, text)?;
            let same = [("awgstar", VERSION, &head.awgstar), ("build", BUILD, &head.build)];
            if let Some((field, expected, found)) = same.into_iter().find(|one| one.1 != one.2) {
                let (expected, found, field) = (expected.into(), found.clone(), field.into());
                let other = "this command".into();
                return Err(MergeError::Differs { file, field, expected, other, found });
            }
            if let Some((other, first)) = parts.values().next() {
                let differs = |field: &str, expected, found| MergeError::Differs {
                    file: file.clone(),
                    field: field.into(),
                    expected,
                    other: other.clone(),
                    found,
                };
                if head.command != first.command {
                    let words = |head: &Head| head.command.join(" ");
                    return Err(differs("command", words(first), words(&head)));
                }
                if head.shard.of != first.shard.of {
                    let of = |head: &Head| head.shard.of.to_string();
                    return Err(differs("number of parts", of(first), of(&head)));
                }
                let names = first.inputs.keys().chain(head.inputs.keys());
                let of = |head: &Head, name: &str| {
                    head.inputs.get(name).cloned().unwrap_or_else(|| "no such file".into())
                };
                for name in names {
                    let (expected, found) = (of(first, name), of(&head, name));
                    if expected != found {
                        return Err(differs(name, expected, found));
                    }
                }
            }
            if let Some((other, _)) = parts.get(&head.shard.number) {
                let (shard, other) = (head.shard, other.clone());
                return Err(MergeError::Twice { file, shard, other });
            }
            items.extend(lines.into_iter().map(|line| (line.item, line)));
            parts.insert(head.shard.number, (file, head));
        }
        let Some((_, head)) = parts.values().next() else { return Err(MergeError::Nothing) };
        let of = head.shard.of;
        let missing: Vec<String> =
            (1..=of).filter(|n| !parts.contains_key(n)).map(|n| n.to_string()).collect();
        if !missing.is_empty() {
            return Err(MergeError::Missing { of, missing: missing.join(", ") });
        }
        Ok((head.command.clone(), Work(Source::Merged(Mutex::new(items)))))
    }
}

fn wrong(item: usize, expected: &str, found: &str) -> MergeError {
    MergeError::Item { item, expected: expected.into(), found: found.into() }
}

const HEAD: &str = "the head of a part of a run (awgstar ... --shard I/N)";
const LINE: &str = "an item, or the end with the number of items";
const NOTHING: &str = "nothing after the end";

/// Lines of a part's file.
struct Reader<'a, F> {
    file: &'a str,
    lines: std::iter::Enumerate<io::Lines<F>>,
    /// Number of the last line, from 1.
    at: usize,
}

impl<F: BufRead> Reader<'_, F> {
    fn wrong(&self, expected: &'static str, why: &dyn std::fmt::Display) -> MergeError {
        MergeError::Line { file: self.file.into(), line: self.at, expected, why: why.to_string() }
    }

    fn incomplete(&self, expected: impl Into<String>) -> MergeError {
        MergeError::Incomplete { file: self.file.into(), expected: expected.into() }
    }

    fn next(&mut self, expected: &'static str) -> Result<Option<String>, MergeError> {
        let Some((at, line)) = self.lines.next() else { return Ok(None) };
        self.at = at + 1;
        line.map(Some).map_err(|e| self.wrong(expected, &e))
    }

    fn some(&mut self, expected: &'static str) -> Result<String, MergeError> {
        self.next(expected)?.ok_or_else(|| self.incomplete(expected))
    }
}

fn part(file: &str, text: impl BufRead) -> Result<(Head, Vec<Line>), MergeError> {
    let mut reader = Reader { file, lines: text.lines().enumerate(), at: 0 };
    let line = reader.some(HEAD)?;
    let head: Head = serde_json::from_str(&line).map_err(|e| reader.wrong(HEAD, &e))?;
    if head.shard.to_string().parse() != Ok(head.shard) {
        return Err(reader.wrong(HEAD, &format!("part {}", head.shard)));
    }
    let mut items: Vec<Line> = Vec::new();
    let mut lines = vec![line];
    loop {
        let line = reader.some(LINE)?;
        if let Ok(End { end, sha256 }) = serde_json::from_str(&line) {
            if end != items.len() {
                return Err(reader.incomplete(format!("{end} items, found {}", items.len())));
            }
            let found = digest(lines.iter().map(String::as_str));
            if sha256 != found {
                return Err(MergeError::Changed { file: file.into(), expected: sha256, found });
            }
            return match reader.next(NOTHING)? {
                None => Ok((head, items)),
                Some(line) => {
                    Err(reader.wrong(NOTHING, &line.chars().take(40).collect::<String>()))
                }
            };
        }
        let item: Line = serde_json::from_str(&line).map_err(|e| reader.wrong(LINE, &e))?;
        let after = items.last().is_none_or(|last| last.item < item.item);
        if !head.shard.has(item.item) || !after {
            let why = format!("item {} is not of part {}, or there twice", item.item, head.shard);
            return Err(reader.wrong(LINE, &why));
        }
        items.push(item);
        lines.push(line);
    }
}

#[cfg(test)]
mod tests {
    use super::{MergeError, Work, digest};
    use awgstar_simulator::Shard;
    use std::convert::Infallible;

    type Files = Vec<(String, Vec<u8>)>;

    fn squares(work: &Work) -> Option<Vec<f64>> {
        let items: Vec<u32> = (0..10).collect();
        let run = |item: &u32| Ok::<_, Infallible>(f64::from(*item) / 3.0);
        work.map(&items, |item| format!("item {item}"), run).unwrap()
    }

    fn files(of: usize) -> Files {
        let file = |number| {
            let work = Work::new(Some(Shard { number, of }));
            let design = [("a.v".to_owned(), "0a1b".to_owned())];
            work.reads(|| Ok::<_, Infallible>(design.into())).unwrap();
            assert_eq!(squares(&work), None);
            let mut text = Vec::new();
            work.write(vec!["study".into(), "x".into()], &mut text).unwrap();
            (format!("part-{number}"), text)
        };
        (1..=of).map(file).collect()
    }

    fn merged(files: &Files) -> Result<(Vec<String>, Work), MergeError> {
        Work::merged(files.iter().map(|(name, text)| (name.clone(), text.as_slice())))
    }

    #[test]
    fn parts_make_the_whole() {
        let whole = squares(&Work::new(None));
        for of in [1, 2, 3, 10, 17] {
            let mut files = files(of);
            files.reverse();
            let (command, work) = merged(&files).unwrap();
            assert_eq!(command, ["study", "x"]);
            assert_eq!(squares(&work), whole, "{of} parts");
        }
    }

    fn refused(change: impl Fn(&mut Files), message: &str) {
        let mut files = files(3);
        change(&mut files);
        let error = match merged(&files) {
            Err(error) => error.to_string(),
            Ok((_, work)) => {
                let items: Vec<u32> = (0..10).collect();
                let run = |item: &u32| Ok::<_, Infallible>(f64::from(*item) / 3.0);
                let result = work.map(&items, |item| format!("item {item}"), run);
                result.expect_err(message).to_string()
            }
        };
        assert!(error.contains(message), "{error}");
    }

    fn change(files: &mut Files, file: usize, from: &str, to: &str) {
        let text = String::from_utf8(files[file].1.clone()).unwrap();
        assert!(text.contains(from), "{text}");
        files[file].1 = text.replacen(from, to, 1).into_bytes();
    }

    /// Changes a file and its hash.
    fn edit(files: &mut Files, file: usize, from: &str, to: &str) {
        change(files, file, from, to);
        let text = String::from_utf8(files[file].1.clone()).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("{\"end\"")).collect();
        if let Some((_, old)) = text.split_once("\"sha256\":\"") {
            files[file].1 = text.replace(&old[..64], &digest(lines)).into_bytes();
        }
    }

    #[test]
    fn wrong_files_are_refused() {
        refused(Vec::clear, "found none");
        refused(|files| drop(files.remove(1)), "not found: 2");
        refused(|files| files.push(files[0].clone()), "part 1/3: expected once");
        refused(|files| files[2] = super::tests::files(4)[2].clone(), "number of parts");
        refused(
            |files| edit(files, 1, "\"x\"", "\"y\""),
            "expected study x, as in part-1, found study y",
        );
        refused(|files| edit(files, 0, super::VERSION, "0.0.0"), "found 0.0.0");
        let other = "0123456789abcdef";
        let both =
            format!("part-1: build: expected {}, as in this command, found {other}", super::BUILD);
        refused(|files| edit(files, 0, super::BUILD, other), &both);
        refused(|files| edit(files, 0, "\"build\":", "\"built\":"), "line 1");
        refused(|files| files[1].1.truncate(40), "line 1");
        let cut = |text: &mut Vec<u8>| {
            let end = text.windows(5).position(|part| part == b"{\"end").unwrap();
            text.truncate(end);
        };
        refused(|files| cut(&mut files[1].1), "not complete");
        refused(|files| edit(files, 1, "\"end\":3", "\"end\":4"), "expected 4 items, found 3");
        refused(|files| files[0].1.extend(b"{}\n"), "nothing after the end");
        refused(
            |files| edit(files, 0, "item 3", "item 4"),
            "expected item 3 of 10 items, found item 4",
        );
        refused(|files| edit(files, 0, "\"items\":10", "\"items\":11"), "of 11 items");
        refused(|files| edit(files, 0, "\"item\":3", "\"item\":4"), "not of part 1/3");
        refused(|files| edit(files, 0, "\"item\":3", "\"item\":30"), "or there twice");
        refused(|files| edit(files, 0, "\"result\":0.0", "\"result\":\"0.0\""), "its result");
        refused(|files| edit(files, 0, "\"number\":1", "\"number\":0"), "part 0/3");
        refused(|files| files[0].1 = b"\xff\n".to_vec(), "line 1");
        refused(|files| files[0].1.clear(), "not complete");
    }

    /// A number that was changed in a part, its hash or its design was no error.
    #[test]
    fn what_was_changed_is_refused() {
        let changed = "the file was changed";
        refused(|files| change(files, 0, "\"result\":0.0", "\"result\":1.0"), changed);
        refused(|files| change(files, 1, "\"a.v\":\"0a1b\"", "\"a.v\":\"ff\""), changed);
        refused(|files| change(files, 1, "\"sha256\":\"", "\"sha256\":\"0"), changed);
        refused(
            |files| edit(files, 1, "\"a.v\":\"0a1b\"", "\"a.v\":\"ff\""),
            "part-2: a.v: expected 0a1b, as in part-1, found ff",
        );
        refused(
            |files| edit(files, 2, "\"a.v\"", "\"b.v\""),
            "a.v: expected 0a1b, as in part-1, found no such file",
        );
    }
}
