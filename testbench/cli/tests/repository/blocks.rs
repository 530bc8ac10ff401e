// SPDX-License-Identifier: MIT OR Apache-2.0
//! Code blocks of all pages are compiled or read. Commands are those of `cli::commands_of_pages`, because
//! the options of `awgstar` are in the command.

#[path = "../common/blocks.rs"]
pub(crate) mod pages;

use awgstar_scenario::scenario;
use pages::{Block, blocks, repository};
use std::{
    collections::BTreeSet,
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

/// Labels of blocks, and where they are checked.
const LABELS: &[(&str, &str)] = &[
    ("text", "output, drawings and rules in words: nowhere"),
    ("mermaid", "states, by `pages` and by the tests of the protocols"),
    ("sh", "`cli::commands_of_pages`"),
    ("console", "commands, by `cli::commands_of_pages`"),
    ("yaml", "commands, by `cli::commands_of_pages`"),
    ("rust", "here, and by the documentation tests of `awgstar`"),
    ("c", "here"),
    ("python", "here, and run by `model/python/test.sh`"),
    ("toml", "here"),
    ("systemverilog", "here"),
];

/// A block without a label, or with one that has no check.
fn unknown(block: &Block) -> Option<String> {
    let checked = LABELS.iter().any(|(label, _)| *label == block.label);
    (!checked)
        .then(|| format!("{}: label `{}`: expected one of this test", block.place(), block.label))
}

#[test]
fn every_block_has_a_label_with_a_check() {
    let all = blocks(&[]);
    assert!(all.len() > 200, "{}", all.len());
    let wrong: Vec<String> = all.iter().filter_map(unknown).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let wrong = pages::of_page("p.md", "```\na\n```\n  ```rust,ignore\n  b\n  ```\n");
    let found: Vec<Option<String>> = wrong.iter().map(unknown).collect();
    assert!(found.len() == 2 && found.iter().all(Option::is_some), "{found:?}");
    assert_eq!(wrong[1].text, "b\n");
}

/// Pages that `#[doc = include_str!("...")]` gives to rustdoc, whose tests compile and run their blocks.
fn doctested() -> BTreeSet<PathBuf> {
    let of = |source: PathBuf| {
        let text = fs::read_to_string(&source).unwrap();
        let lines = text.lines().filter(|line| line.contains("[doc = include_str!"));
        let paths = lines.filter_map(|line| line.split('"').nth(1));
        let page = |path| source.parent().unwrap().join(path).canonicalize().expect(path);
        paths.map(page).collect::<Vec<_>>()
    };
    ["awgstar", "rings"]
        .iter()
        .flat_map(|one| of(repository().join("model").join(one).join("src/lib.rs")))
        .collect()
}

#[test]
fn rust_blocks_are_documentation_tests() {
    let (doctested, all) = (doctested(), blocks(&["rust"]));
    assert!(all.len() >= 4, "{all:?}");
    for block in all {
        let page = repository().join(&block.page).canonicalize().unwrap();
        assert!(
            doctested.contains(&page),
            "{}: add the page to src/lib.rs of model/awgstar or model/rings",
            block.place()
        );
    }
}

/// Runs a program that reads a text; its messages if it fails.
fn refused(command: &mut Command, text: &str) -> Option<String> {
    let command = command.current_dir(repository()).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).spawn().expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("an end");
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn c_blocks_compile() {
    let all = blocks(&["c"]);
    assert!(!all.is_empty());
    let c = |text: &str| {
        let mut command = Command::new("cc");
        let strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"];
        let headers = ["-Ihdl/driver", "-Imodel/fdsm/include"];
        refused(command.args(strict).args(headers).args(["-xc", "-"]), text)
    };
    for block in all {
        assert_eq!(c(&block.text), None, "{}", block.place());
    }
    assert!(c("#include \"smb.h\"\nint run(void) { return smb_nothing(); }\n").is_some());
}

/// Compiles a block; examples in the form of a dialogue are those of `doctest`. `model/python/test.sh` runs them.
const PYTHON: &str = "
import ast, doctest, sys
text = sys.stdin.read()
parts = [e.source for e in doctest.DocTestParser().get_examples(text)] if text.startswith('>>>') else [text]
assert parts
for part in parts:
    compile(part, 'block', 'exec', flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
";

#[test]
fn python_blocks_compile() {
    let all = blocks(&["python"]);
    assert!(all.len() > 10, "{}", all.len());
    let python = |text: &str| refused(Command::new("python3").args(["-c", PYTHON]), text);
    for block in all {
        assert_eq!(python(&block.text), None, "{}", block.place());
    }
    assert!(python("await board.read(\n").is_some());
    assert!(python(">>> board.read(\n... )]\n1\n").is_some());
}

#[test]
fn scenarios_of_the_pages_are_read() {
    let all = blocks(&["toml"]);
    assert!(all.len() >= 5, "{}", all.len());
    // A story is a part of its file, which its own tests read.
    let stories = fs::read_dir(repository().join("testbench/stimulus/stories")).unwrap();
    let stories: Vec<String> =
        stories.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    for block in all {
        if block.text.starts_with("[[story]]") {
            let there = stories.iter().any(|file| file.contains(&block.text));
            assert!(there, "{}: no story of the files", block.place());
            continue;
        }
        if let Err(error) = scenario::read(&block.place(), &block.text) {
            panic!("{}: {error}", block.place());
        }
    }
    assert!(scenario::read("a block", "system = \"node-ring\"\nnods = 3\n").is_err());
}

/// The block binds assertions to a board under another name.
#[test]
fn systemverilog_blocks_compile() {
    let all = blocks(&["systemverilog"]);
    assert!(!all.is_empty());
    let board = fs::read_to_string(repository().join("hdl/smb.v")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let lint = |text: &str| {
        let place = folder.path().join("block.sv");
        let board = board.replacen("module smb ", "module my_board ", 1);
        fs::write(&place, format!("{board}{text}")).unwrap();
        let mut command = Command::new("verilator");
        command.args(["--lint-only", "--assert", "--timing", "-Ihdl/include", "-y", "hdl"]);
        command.args(["-Itestbench/assert", "-y", "testbench/assert", "+libext+.v+.sv"]);
        refused(command.args(["--top-module", "my_board"]).arg(&place), "")
    };
    for block in all {
        assert!(block.text.contains("my_board"), "{}", block.place());
        assert_eq!(lint(&block.text), None, "{}", block.place());
    }
    assert!(lint("bind my_board smb_assert #(.NOTHING(12)) u_assert (.*);\n").is_some());
}
