// SPDX-License-Identifier: MIT OR Apache-2.0
//! The commands that the pages show: a shell reads each block with programs that only write down their
//! arguments, and these are then compared with the options of `awgstar`, and with packages, tests and files of the repository.

#[path = "../../tests/common/blocks.rs"]
mod blocks;

use super::Cli;
use blocks::{Block, blocks, repository};
use clap::{CommandFactory, error::ErrorKind};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Programs that the blocks run.
const PROGRAMS: &[&str] = &[
    "awgstar",
    "cargo",
    "cat",
    "cc",
    "cp",
    "find",
    "gcc",
    "git",
    "gtkwave",
    "make",
    "man",
    "mkdir",
    "mkfifo",
    "node",
    "npm",
    "pip",
    "python3",
    "sbatch",
    "sed",
    "sh",
    "text2pcap",
    "tshark",
    "verilator",
    "wc",
    "xargs",
    "yosys",
];
/// Folders that are made by the commands themselves.
const MADE: &[&str] = &["target/", "build/", "venv/"];
/// Folders of the repository, which a path in a command may begin with.
const OURS: &[&str] = &["docs/", "hdl/", "model/", "testbench/", "vectors/"];

/// Writes down its folder, name and arguments, a line each; prints a word for `$(...)`.
const RECORDER: &str =
    "#!/bin/sh\nprintf '%s\\n' \"$PLACE\" \"${0##*/}\" \"$@\" > \"$RECORDS/$$\"\necho 1\n";
/// Folders do not exist where the shell runs; `cd` only says which it would be.
const PRELUDE: &str = "PLACE=.\nexport PLACE\ncd() { PLACE=\"$1\"; }\n";

/// A call of a program.
#[derive(Debug)]
struct Call {
    folder: String,
    program: String,
    arguments: Vec<String>,
}

/// What a shell makes of a script.
struct Shell {
    folder: tempfile::TempDir,
}

impl Shell {
    fn new() -> Shell {
        let folder = tempfile::tempdir().unwrap();
        let completions = ".local/share/bash-completion/completions";
        for name in ["bin", "records", "target", "venv/bin", completions] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        fs::write(folder.path().join("venv/bin/activate"), "").unwrap();
        let recorder = folder.path().join("recorder");
        fs::write(&recorder, RECORDER).unwrap();
        assert!(Command::new("chmod").arg("+x").arg(&recorder).status().unwrap().success());
        for name in PROGRAMS {
            std::os::unix::fs::symlink(&recorder, folder.path().join("bin").join(name)).unwrap();
        }
        Shell { folder }
    }

    /// The calls of a script, and the programs that were not found; an error for a script that is none.
    fn calls(&self, script: &str) -> Result<(Vec<Call>, Vec<String>), String> {
        let records = self.folder.path().join("records");
        let output = Command::new("/bin/sh")
            .args(["-c", &format!("{PRELUDE}{script}\nwait")])
            .current_dir(self.folder.path())
            .env("PATH", self.folder.path().join("bin"))
            .env("RECORDS", &records)
            .env("HOME", self.folder.path())
            .env("AWGSTAR", "checkout")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if said.contains("Syntax error") || said.contains("syntax error") {
            return Err(said);
        }
        let missing =
            said.lines().filter_map(|l| l.strip_suffix(": not found")?.rsplit(' ').next());
        let mut calls = Vec::new();
        for entry in fs::read_dir(&records).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            fs::remove_file(path).unwrap();
            let mut lines = text.lines().map(str::to_owned);
            let (folder, program) = (lines.next().unwrap(), lines.next().unwrap());
            calls.push(Call { folder, program, arguments: lines.collect() });
        }
        Ok((calls, missing.map(str::to_owned).collect()))
    }

    /// What is wrong with the commands of a script.
    fn problems(&self, script: &str) -> Vec<String> {
        let (calls, missing) = match self.calls(script) {
            Ok(found) => found,
            Err(said) => return vec![said],
        };
        let there = |path: &str| {
            MADE.iter().any(|made| path.starts_with(made)) || repository().join(path).is_file()
        };
        let unknown = missing.iter().filter(|name| !there(name));
        let mut all: Vec<String> =
            unknown.map(|name| format!("`{name}` is no program and no file")).collect();
        if calls.is_empty() && missing.is_empty() {
            all.push("no command".into());
        }
        for call in &calls {
            let found = problems(call).into_iter().chain(missing_files(call));
            all.extend(found.map(|problem| {
                format!("{} {}: {problem}", call.program, call.arguments.join(" "))
            }));
        }
        all
    }
}

/// The commands of a block: all of `sh`, lines after `$` of `console`, steps of a workflow in YAML.
fn script(block: &Block) -> String {
    let lines = |begin: &str| {
        let lines = block.text.lines().filter_map(|line| line.trim_start().strip_prefix(begin));
        lines.collect::<Vec<_>>().join("\n")
    };
    match block.label.as_str() {
        "console" => lines("$ "),
        // `${{ }}` is filled in by the runner; `sudo` runs what follows.
        "yaml" => lines("- run: ")
            .replace("sudo ", "")
            .replace("apt-get", ":")
            .replace("${{", "$((")
            .replace("}}", "))"),
        _ => block.text.clone(),
    }
}

/// Paths of the repository that are not there.
fn missing_files(call: &Call) -> Vec<String> {
    let place = repository().join(&call.folder);
    let ours = call.arguments.iter().filter(|a| OURS.iter().any(|folder| a.starts_with(folder)));
    let files = ours.filter(|path| match path.split_once('*') {
        Some((before, _)) => !place.join(before).parent().is_some_and(Path::is_dir),
        None => !place.join(path).exists(),
    });
    files.map(|path| format!("no file `{path}`")).collect()
}

fn problems(call: &Call) -> Vec<String> {
    let arguments: Vec<&str> = call.arguments.iter().map(String::as_str).collect();
    match (call.program.as_str(), arguments.as_slice()) {
        ("awgstar", arguments) => of_awgstar(arguments).into_iter().collect(),
        ("cargo", ["run", rest @ ..]) => {
            let end = rest.iter().position(|a| *a == "--").unwrap_or(rest.len());
            let (own, arguments) = (&rest[..end], rest.get(end + 1..).unwrap_or_default());
            match (value(own, "-p"), value(own, "--example")) {
                (Some(package), Some(example)) => {
                    let folder = package_folder(package).map(|p| p.join("examples"));
                    let there = folder.is_some_and(|f| f.join(format!("{example}.rs")).is_file());
                    if there { vec![] } else { vec![format!("no example {example}")] }
                }
                (None, None) => of_awgstar(arguments).into_iter().collect(),
                _ => vec!["expected an example of a package, or `awgstar`".into()],
            }
        }
        // Of the crate xtask alone.
        ("cargo", ["xtask", "house" | "group" | "longest" | "site" | "times", ..]) => vec![],
        ("cargo", ["xtask", ..]) => of_awgstar(&arguments).into_iter().collect(),
        ("cargo", [kind @ ("test" | "bench"), rest @ ..]) => of_tests(kind, rest),
        ("make", arguments) => of_make(&call.folder, arguments).into_iter().collect(),
        ("sed", arguments) => of_sed(arguments).into_iter().collect(),
        _ => vec![],
    }
}

/// Options and values that `awgstar` does not take.
fn of_awgstar(arguments: &[&str]) -> Option<String> {
    // The test runs in another folder than a reader, and what the commands make is not there yet.
    let place = |argument: &&str| match argument {
        a if OURS.iter().any(|ours| a.starts_with(ours)) => repository().join(a).into_os_string(),
        a if MADE.iter().any(|made| a.starts_with(made)) => {
            Path::new(a).file_name().unwrap_or_default().into()
        }
        a => (*a).into(),
    };
    let words = ["awgstar".into()].into_iter().chain(arguments.iter().map(place));
    let found = Cli::command().try_get_matches_from(words);
    let help = [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion];
    if let Some(class) = arguments.first().filter(|a| **a == "cosim").and_then(|_| {
        value(arguments, "--class").or(value(arguments, "--vector")?.split('/').next())
    }) && !awgstar_stimulus::vectors::generate().iter().any(|one| one.name == class)
    {
        return Some(format!("no class of vectors {class}"));
    }
    found.err().filter(|error| !help.contains(&error.kind())).map(|error| error.to_string())
}

/// The word after this option.
fn value<'a>(arguments: &[&'a str], option: &str) -> Option<&'a str> {
    let at = arguments.iter().position(|a| *a == option)?;
    arguments.get(at + 1).copied()
}

fn package_folder(name: &str) -> Option<PathBuf> {
    let last = name.strip_prefix("awgstar-").unwrap_or(name);
    let folders = ["model", "testbench"].map(|folder| repository().join(folder).join(last));
    folders.into_iter().find(|folder| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml"));
        manifest.is_ok_and(|text| text.contains(&format!("name = \"{name}\"\n")))
    })
}

/// Packages, programs and names of tests that are not there.
fn of_tests(kind: &str, arguments: &[&str]) -> Vec<String> {
    let Some(package) = value(arguments, "-p") else {
        return vec!["expected a package".into()];
    };
    let Some(folder) = package_folder(package) else {
        return vec![format!("no package {package}")];
    };
    let (option, tests) = if kind == "test" { ("--test", "tests") } else { ("--bench", "benches") };
    let program = value(arguments, option);
    let mut text = String::new();
    for place in program.map_or(vec![folder.join("src"), folder.join(tests)], |program| {
        vec![folder.join(tests).join(format!("{program}.rs")), folder.join(tests).join(program)]
    }) {
        sources(&place, &mut text);
    }
    if text.is_empty() {
        return vec![format!("no program {program:?} of {package}")];
    }
    let values = [Some(package), program];
    let names = arguments.iter().filter(|a| !a.starts_with('-') && !values.contains(&Some(**a)));
    let parts = names.flat_map(|name| name.split("::"));
    let unknown = parts.filter(|part| !text.contains(part));
    unknown.map(|part| format!("no test of {package} has `{part}` in its name")).collect()
}

/// Paths of the source files in a folder, or of one file, and their lines with names of functions and modules.
fn sources(place: &Path, text: &mut String) {
    if let Ok(entries) = fs::read_dir(place) {
        entries.for_each(|entry| sources(&entry.unwrap().path(), text));
    } else if place.extension().is_some_and(|e| e == "rs") && place.is_file() {
        text.push_str(&place.to_string_lossy());
        let source = fs::read_to_string(place).unwrap();
        let names = source.lines().filter(|l| l.contains("fn ") || l.contains("mod "));
        names.for_each(|line| text.push_str(line));
    }
}

/// A target that the makefile in this folder does not have.
fn of_make(folder: &str, arguments: &[&str]) -> Option<String> {
    let folder = value(arguments, "-C").unwrap_or(folder);
    // Copies that the pages make of these folders.
    let folder = match folder {
        "my_bench" => "testbench/dpi/example",
        "ring_node" | "smb" => &format!("testbench/cocotb/examples/{folder}"),
        folder => folder,
    };
    let folder = if folder == "." { "hdl/boards" } else { folder };
    let Ok(text) = fs::read_to_string(repository().join(folder).join("Makefile")) else {
        return Some(format!("no makefile in {folder}"));
    };
    let after = arguments.iter().position(|a| *a == "-C").map_or(0, |at| at + 2);
    let targets = arguments[after..].iter().filter(|a| !a.contains('='));
    let has = |target: &str| {
        let rules = text.lines().filter_map(|line| line.split_once(':'));
        rules.into_iter().any(|(names, _)| names.split_whitespace().any(|name| name == target))
    };
    let unknown = targets.into_iter().find(|target| !has(target))?;
    Some(format!("no target {unknown} in {folder}"))
}

/// An expression that changes nothing in the file of `hdl` with this name.
fn of_sed(arguments: &[&str]) -> Option<String> {
    let mut words = arguments.iter().filter(|a| **a != "-i");
    let (expression, file) = (words.next()?, words.next()?);
    let source = repository().join("hdl").join(Path::new(file).file_name()?);
    let output = Command::new("sed").arg(expression).arg(&source).output().unwrap();
    let changed = output.status.success() && output.stdout != fs::read(&source).unwrap_or_default();
    (!changed).then(|| format!("nothing changes in {}", source.display()))
}

#[test]
fn commands_of_the_pages_are_accepted() {
    let shell = Shell::new();
    let mut wrong = Vec::new();
    let all = blocks(&["sh", "console", "yaml"]);
    assert!(all.len() > 100, "{}", all.len());
    for block in all {
        let problems = shell.problems(&script(&block));
        wrong.extend(problems.into_iter().map(|problem| format!("{}: {problem}", block.place())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One named a class of vectors that was gone.
#[test]
fn examples_of_the_help_are_accepted() {
    fn examples(command: &clap::Command, all: &mut Vec<String>) {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let lines = help
            .lines()
            .filter(|line| line.starts_with("  awgstar ") || line.starts_with("  cargo xtask "));
        all.extend(lines.map(str::to_owned));
        command.get_subcommands().for_each(|one| examples(one, all));
    }
    let mut all = Vec::new();
    examples(&Cli::command(), &mut all);
    assert!(all.len() > 20, "{all:#?}");
    let shell = Shell::new();
    let wrong: Vec<String> = all.iter().flat_map(|line| shell.problems(line)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each of these was, or could be, on a page.
#[test]
fn wrong_commands_are_found() {
    let shell = Shell::new();
    for (script, says) in [
        ("awgstar sim x.toml --picture y", "--picture"),
        ("awgstar cosim --sim icarus --vector short_lengths/0004", "short_lengths"),
        ("for i in 1 2; do awgstar campaign --shard $i; done", "--shard"),
        ("awgstar campaign --boards 4", "--boards"),
        ("cargo xtask speed --nodes four", "four"),
        ("cargo run -- speed", "speed"),
        ("cargo run -- frame explain $(cargo run -- frame encode --toke free)", "--toke"),
        ("cargo run -p awgstar --example nothing", "no example nothing"),
        ("cargo test -p awgstar-nothing", "no package"),
        ("cargo test -p awgstar-lockstep --test nothing", "no program"),
        ("cargo test -p awgstar-lockstep --test verilog link::frobnicate", "`frobnicate`"),
        ("awgstar sim docs/scenarios/nothing.toml", "no file"),
        ("testbench/nothing.sh", "no program and no file"),
        ("frobnicate", "no program and no file"),
        ("cd hdl/boards\nmake nothing", "no target nothing"),
        ("make -C testbench/nothing all", "no makefile"),
        ("sed -i 's/nothing at all/x/' target/bug/tx_arbiter.v", "nothing changes"),
        ("for i in 1; do", "yntax error"),
        ("# a comment", "no command"),
    ] {
        let problems = shell.problems(script).join("\n");
        assert!(problems.contains(says), "{script}: {problems}");
    }
    let good = "AWGSTAR_SEED=7 cargo xtask speed --nodes 4,16 | sed 's/module/x/' hdl/crc32.v > target/x &\n";
    assert_eq!(shell.problems(good), Vec::<String>::new());
}
