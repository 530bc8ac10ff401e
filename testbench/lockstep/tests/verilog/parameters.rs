// SPDX-License-Identifier: MIT OR Apache-2.0
//! A value of a parameter out of its range stops Icarus, Verilator and Yosys; its ends do not. Names and
//! ranges are those of the table in `hdl/README.md`.

use awgstar::rtl::parameters::legal;
use awgstar_simulator::process::Task;
use awgstar_simulator::sources::list;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(120);
/// A part of the boards of an FPGA, or a file beside it, is found in the first of these folders.
const FOLDERS: [&str; 3] = ["hdl/boards/sim", "hdl/boards", "hdl"];
/// Tops: one of them has each parameter, and they take longer than all other modules together.
const TOPS: [&str; 4] = ["smb", "smb_axi4", "smb_link", "ring_node"];
/// Verilator holds no memory of more than 2^24 words.
const VERILATOR_MEMORY: i64 = 24;

#[derive(Clone)]
struct Parameter {
    module: String,
    name: String,
    least: i64,
    most: i64,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("two folders up").to_owned()
}

/// The rows `| module | NAME 1 to 2, NAME 3 to 4 |` of the table.
fn table() -> Vec<Parameter> {
    let text = fs::read_to_string(repository().join("hdl/README.md")).expect("hdl/README.md");
    let rows = text.split_once("| module | parameters |\n|---|---|\n").expect("the table").1;
    let rows = rows.lines().take_while(|line| line.starts_with('|'));
    rows.flat_map(|row| {
        let [_, module, parameters, _] = row.split('|').collect::<Vec<_>>()[..] else {
            panic!("two cells: {row}");
        };
        let module = module.trim().trim_matches('`').to_owned();
        parameters.split(',').map(move |one| {
            let [name, least, "to", most] = one.split_whitespace().collect::<Vec<_>>()[..] else {
                panic!("{module}: NAME LEAST to MOST: {one}");
            };
            Parameter {
                module: module.clone(),
                name: name.trim_matches('`').to_owned(),
                least: least.parse().expect("a number"),
                most: most.parse().expect("a number"),
            }
        })
    })
    .collect()
}

fn file_of(module: &str) -> String {
    let name = |folder: &&str| format!("{folder}/{module}.v");
    let found = FOLDERS.iter().map(name).find(|file| repository().join(file).exists());
    found.unwrap_or_else(|| panic!("no file of {module}"))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Tool {
    Icarus,
    Verilator,
    /// All its cases are elaborated in one process.
    Yosys,
}

/// A module with values of its parameters, and the check that must remain, if any.
struct Case<'a> {
    module: &'a str,
    values: Vec<(&'a str, i64)>,
    check: Option<String>,
}

/// Output of the elaboration of `module` with these values in Icarus or Verilator, and whether it succeeded.
fn elaborate(tool: Tool, module: &str, values: &[(&str, i64)]) -> (String, bool) {
    let mut command = Command::new(if tool == Tool::Icarus { "iverilog" } else { "verilator" });
    if tool == Tool::Icarus {
        command.args(["-g2012", "-t", "null", "-s", module]);
        command.args(values.iter().map(|(name, value)| format!("-P{module}.{name}={value}")));
    } else {
        command.args(["--lint-only", "-Wno-lint", "--top-module", module]);
        command.args(values.iter().map(|(name, value)| format!("-G{name}={value}")));
    }
    command.arg("-Ihdl/include");
    command.args(FOLDERS.iter().flat_map(|folder| ["-y", folder]));
    let package = if tool == Tool::Icarus { "iverilog" } else { "verilator" };
    let done = Task::new(package, LIMIT)
        .run(command.arg(file_of(module)).current_dir(repository()))
        .unwrap_or_else(|error| panic!("{error}"));
    (done.text, done.success)
}

/// Elaborates all cases in one process of Yosys.
fn in_yosys(cases: &[Case]) {
    let mut files: BTreeSet<PathBuf> =
        list(&repository().join("hdl"), "v").expect("files").into_iter().collect();
    files.extend(list(&repository().join("hdl/boards"), "v").expect("files"));
    let mut script = "read_verilog -sv -Ihdl/include".to_owned();
    for file in files {
        let file = file.strip_prefix(repository()).expect("below");
        let _ = write!(script, " {}", file.display());
    }
    script += "\nread_verilog -lib +/ecp5/cells_bb.v\ndesign -save all\n";
    for Case { module, values, check } in cases {
        let _ = write!(script, "design -load all\nhierarchy -top {module}");
        for (name, value) in values {
            // It takes no sign.
            let bits = u32::from_ne_bytes(i32::try_from(*value).expect("32 bits").to_ne_bytes());
            let _ = write!(script, " -chparam {name} 32'h{bits:x}");
        }
        let _ = match check {
            Some(check) => {
                writeln!(script, "\nlog {module} {values:?}\nselect -assert-min 1 t:*{check}")
            }
            None => {
                writeln!(script, "\nlog {module} {values:?}\nselect -assert-none t:*_must_be_*")
            }
        };
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cases.ys");
    fs::write(&file, script).expect("written");
    let done = Task::new("yosys", LIMIT)
        .run(Command::new("yosys").arg("-q").arg("-s").arg(&file).current_dir(repository()))
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(done.success, "{}", done.text);
}

/// Whether both ends are given to all tools, or one of the ends to one of the tools in turn.
#[derive(Clone, Copy, PartialEq)]
enum Tools {
    All,
    InTurn,
}

/// Both values, or one of them in turn.
struct Ends {
    tools: Tools,
    second: bool,
}

impl Ends {
    fn some<T: Copy>(&mut self, [first, second]: [T; 2]) -> Vec<T> {
        self.second = !self.second;
        match self.tools {
            Tools::All => vec![first, second],
            Tools::InTurn => vec![if self.second { second } else { first }],
        }
    }
}

/// Values out of the range of each chosen parameter, and the ends of all parameters of its module.
fn ends(tools: Tools, chosen: impl Fn(&Parameter) -> bool) {
    let every = [Tool::Icarus, Tool::Verilator, Tool::Yosys];
    let mut turns = every.into_iter().cycle();
    let mut next = || match tools {
        Tools::All => every.to_vec(),
        Tools::InTurn => turns.next().into_iter().collect(),
    };
    let mut ends = Ends { tools, second: false };
    let all = table();
    let modules: BTreeSet<&str> = all.iter().map(|p| p.module.as_str()).collect();
    let mut cases = Vec::new();
    let mut wrong = Vec::new();
    for parameter in all.iter().filter(|p| chosen(p)) {
        let Parameter { module, name, least, most } = parameter;
        let check = format!("_must_be_{least}_to_{most}");
        for value in ends.some([least - 1, most + 1]) {
            let values = vec![(name.as_str(), value)];
            for tool in next() {
                if tool == Tool::Yosys {
                    cases.push(Case { module, values: values.clone(), check: Some(check.clone()) });
                    continue;
                }
                let (text, success) = elaborate(tool, module, &values);
                // A part that has the parameter, too, may refuse it first, with another range.
                let any = format!("_{name}_must_be_");
                let of_a_part = text.contains(&any) && !text.contains(&format!("{module}{any}"));
                if success || !text.contains(&check) && !of_a_part {
                    wrong.push(format!("{tool:?}: {module} {values:?} is not refused:\n{text}"));
                }
            }
        }
    }
    for module in modules {
        let own = || all.iter().filter(|p| p.module == module);
        if !own().any(&chosen) {
            continue;
        }
        for least in ends.some([true, false]) {
            let value = |p: &Parameter| if least { p.least } else { p.most };
            for tool in next() {
                let mut values: Vec<_> = own().map(|p| (p.name.as_str(), value(p))).collect();
                if tool == Tool::Yosys {
                    cases.push(Case { module, values, check: None });
                    continue;
                }
                for (name, value) in &mut values {
                    if tool == Tool::Verilator && *name == "MEM_ADDR_W" {
                        *value = VERILATOR_MEMORY.min(*value);
                    }
                }
                let (text, success) = elaborate(tool, module, &values);
                if !success {
                    wrong.push(format!("{tool:?}: {module} {values:?} is refused:\n{text}"));
                }
            }
        }
    }
    assert!(!cases.is_empty());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    in_yosys(&cases);
}

/// Every parameter that a file of `hdl` or `hdl/boards` declares is in the table, in the same order.
#[test]
fn the_table_has_every_parameter() {
    let mut declared = Vec::new();
    for folder in ["hdl", "hdl/boards"] {
        for file in list(&repository().join(folder), "v").expect("files") {
            let module = file.file_stem().expect("a name").to_string_lossy().into_owned();
            let text = fs::read_to_string(&file).expect("Verilog");
            for line in text.lines() {
                let Some(rest) = line.trim_start().strip_prefix("parameter ") else { continue };
                let name = rest.split('=').next().expect("a name").trim().to_owned();
                declared.push((module.clone(), name));
            }
        }
    }
    let listed: Vec<_> = table().into_iter().map(|p| (p.module, p.name)).collect();
    assert_eq!(listed, declared);
    assert!(listed.len() > 70, "{}", listed.len());
}

/// A parameter with a type would cut a value before its check sees it.
#[test]
fn no_parameter_has_a_type() {
    for p in table() {
        let text = fs::read_to_string(repository().join(file_of(&p.module))).expect("Verilog");
        let mut words = text.lines().filter(|l| l.trim_start().starts_with("parameter "));
        let plain = |line: &str| line.split_whitespace().nth(1) == Some(p.name.as_str());
        assert!(words.any(plain), "{} {}", p.module, p.name);
    }
}

/// Those of the model, which `cosim` and `conform` take.
#[test]
fn the_table_is_that_of_the_model() {
    for module in
        ["ring_gateway", "ring_node", "ring_link", "smb", "smb_axi4", "smb_link", "axi4_port"]
    {
        let listed = table().into_iter().filter(|p| p.module == module);
        let listed: Vec<_> = listed.map(|p| (p.name, p.least, p.most)).collect();
        let model = legal(module).iter();
        let model =
            model.map(|(p, r)| (p.name().to_owned(), i64::from(*r.start()), i64::from(*r.end())));
        assert!(!listed.is_empty());
        assert_eq!(listed, model.collect::<Vec<_>>(), "{module}");
    }
}

/// The memory with one write port is no file of the table: a design has one memory or the other.
#[test]
fn a_value_out_of_range_stops_the_memory_with_one_write_port() {
    let file = "hdl/one_write/shared_memory.v";
    for (value, legal) in [(1, false), (2, true), (29, true), (30, false)] {
        let mut command = Command::new("iverilog");
        command.args(["-g2012", "-t", "null", "-s", "shared_memory", "-Ihdl/include", file]);
        command.arg(format!("-Pshared_memory.MEM_ADDR_W={value}")).current_dir(repository());
        let done = Task::new("iverilog", LIMIT).run(&mut command);
        let done = done.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(done.success, legal, "{value}: {}", done.text);
        assert_eq!(done.text.contains("MEM_ADDR_W_must_be_2_to_29"), !legal, "{value}");
    }
}

/// Each module but the tops; of the tops each parameter once.
#[test]
fn a_value_out_of_range_stops_elaboration() {
    let own = |p: &Parameter| match p.name.as_str() {
        "TOKEN_RUN" | "BUFFER_ADDR_W" => p.module == "ring_node",
        "AXI_ID_W" | "MAIL_W" => p.module == "smb_axi4",
        "ENGINE_NODE_W" => p.module == "smb_link",
        _ => false,
    };
    let part = |p: &Parameter| !p.module.starts_with("ulx3s") && !TOPS.contains(&p.module.as_str());
    ends(Tools::InTurn, |p| part(p) || own(p));
}

/// The same, each value with every tool.
#[test]
#[ignore = "a minute"]
fn a_value_out_of_range_of_a_part_stops_every_tool() {
    ends(Tools::All, |p| !p.module.starts_with("ulx3s") && !TOPS.contains(&p.module.as_str()));
}

#[test]
#[ignore = "all parameters of whole boards: half a minute"]
fn a_value_out_of_range_of_a_board_stops_elaboration() {
    ends(Tools::All, |p| p.module.starts_with("ulx3s") || TOPS.contains(&p.module.as_str()));
}
