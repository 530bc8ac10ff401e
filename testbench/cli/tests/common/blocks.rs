// SPDX-License-Identifier: MIT OR Apache-2.0
//! Code blocks of the pages.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

pub(crate) fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A fenced block.
#[derive(Debug)]
pub(crate) struct Block {
    /// Page below the root of the repository.
    pub(crate) page: String,
    /// Line of the fence.
    line: usize,
    /// Word after the fence.
    pub(crate) label: String,
    /// Lines between the fences, without the indent of the fence.
    pub(crate) text: String,
}

impl Block {
    /// Page and line, for messages.
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.page, self.line)
    }
}

/// All Markdown files of the repository, by their paths; build results left out.
pub(crate) fn documents() -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    markdown("", &mut all);
    all
}

fn markdown(folder: &str, all: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(repository().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        if entry.path().is_dir() {
            if !name.starts_with('.') && name != "target" && !name.starts_with("mutants.out") {
                markdown(&path, all);
            }
        } else if is_markdown(&name) {
            all.insert(path, fs::read_to_string(entry.path()).unwrap());
        }
    }
}

pub(crate) fn is_markdown(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ending| ending == "md")
}

/// The blocks of all pages with one of these labels; all blocks without a label to look for.
pub(crate) fn blocks(labels: &[&str]) -> Vec<Block> {
    let all = documents().into_iter().flat_map(|(page, text)| of_page(&page, &text));
    all.filter(|block| labels.is_empty() || labels.contains(&block.label.as_str())).collect()
}

/// The blocks of a page.
pub(crate) fn of_page(page: &str, text: &str) -> Vec<Block> {
    let (mut all, mut open) = (Vec::new(), None::<(Block, usize)>);
    for (number, line) in (1..).zip(text.lines()) {
        let start = line.trim_start();
        match (open.take(), start.strip_prefix("```")) {
            (None, Some(label)) => {
                let (page, label) = (page.into(), label.into());
                open = Some((
                    Block { page, line: number, label, text: String::new() },
                    line.len() - start.len(),
                ));
            }
            (Some((block, _)), Some(_)) => all.push(block),
            (Some((mut block, indent)), None) => {
                block.text += &line[indent.min(line.len() - start.len())..];
                block.text.push('\n');
                open = Some((block, indent));
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{page}: a block without an end: {open:?}");
    all
}
