// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar new`: a folder to start from.

use super::{CliError, CliResult, Outcome, at};
use awgstar_cli::carried;
use std::{
    fmt::Write as _,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  awgstar new my_board --module ring_node\n  cd my_board\n  awgstar sim scenario.toml --svg ring.svg"
)]
pub(crate) struct Args {
    /// Folder to write; it must not exist or be empty
    folder: PathBuf,
    /// The module that your RTL implements
    #[arg(long, default_value = "ring_node", value_parser = ["crc32", "frame_tx", "frame_rx", "ring_node", "smb"])]
    module: String,
    /// One JSON object: the folder and its files
    #[arg(long)]
    json: bool,
}

const SCENARIO: &str = "docs/scenarios/first.toml";

/// A carried text.
fn carried(path: &str) -> Result<String, CliError> {
    let missing = || CliError::Usage(format!("{path}: not carried by this version"));
    let content = at(path, carried::file(path))?.ok_or_else(missing)?;
    String::from_utf8(content).map_err(|e| CliError::Usage(format!("{path}: {e}")))
}

/// From `module NAME` to the `);` that ends its ports.
fn head<'a>(text: &'a str, module: &str) -> Option<&'a str> {
    let from = text.find(&format!("\nmodule {module} "))? + 1;
    let len = text[from..].find("\n);")?;
    Some(&text[from..from + len + 3])
}

/// The last word of a declaration `KIND ... NAME`, without a value or a comma.
fn declared<'a>(line: &'a str, kinds: &[&str]) -> Option<&'a str> {
    let line = line.split("//").next()?.split('=').next()?.trim().trim_end_matches([',', ')']);
    let mut words = line.split_whitespace();
    kinds.contains(&words.next()?).then(|| words.last()).flatten()
}

/// A module with the ports of `module` that contains the reference design, to be replaced.
fn template(text: &str, module: &str) -> Option<String> {
    let head = head(text, module)?;
    let list = |kinds: &[&str]| {
        let names = head.lines().filter_map(|line| declared(line, kinds));
        names.map(|name| format!("        .{name}({name})")).collect::<Vec<_>>().join(",\n")
    };
    let (parameters, ports) = (list(&["parameter"]), list(&["input", "output", "inout"]));
    let parameters =
        if parameters.is_empty() { String::new() } else { format!("#(\n{parameters}\n    ) ") };
    let head =
        head.replacen(module, &format!("my_{module}"), 1).replace("output reg ", "output wire");
    Some(format!(
        "// my_{module}: your implementation of `{module}`.\n//\n// It contains the reference design so that the first run passes. Replace the instance by your code.\n`include \"awgstar.vh\"\n`default_nettype none\n\n{head}\n    {module} {parameters}reference (\n{ports}\n    );\nendmodule\n\n`default_nettype wire\n"
    ))
}

/// The files of the folder and their texts.
fn files(module: &str) -> Result<Vec<(PathBuf, String)>, CliError> {
    let text = carried(&format!("hdl/{module}.v"))?;
    let design = template(&text, module)
        .ok_or_else(|| CliError::Usage(format!("hdl/{module}.v: no module {module} in it")))?;
    let check = format!(
        "awgstar conform --dut rtl/my_{module}.v rtl/reference/*.v --include rtl/reference/include --top my_{module} --module {module} --sim icarus"
    );
    let readme = format!(
        "# A ring and your RTL\n\n`rtl/my_{module}.v` is your implementation of `{module}`. It contains the reference design until you replace it.\n\n```sh\nawgstar sim scenario.toml --svg ring.svg   # a ring of four nodes: report and picture\n{check}\n```\n\nThe second command runs the conformance suite on your RTL. `--sim verilator` is faster, `--html FILE` writes a report.\n"
    );
    let version = env!("CARGO_PKG_VERSION");
    let ci = format!(
        "# Conformance of rtl/my_{module}.v. AWGSTAR is where this runner finds the project's source.\nname: conformance\non: [push, pull_request]\njobs:\n  conformance:\n    runs-on: ubuntu-latest\n    env:\n      AWGSTAR: https://github.com/awgstar/awgstar\n    steps:\n      - uses: actions/checkout@v4\n      - run: sudo apt-get update && sudo apt-get install --yes iverilog yosys\n      - run: cargo install --locked --git \"$AWGSTAR\" --tag v{version} awgstar-cli\n      - run: {check} --junit conform.xml --html conform.html\n      - uses: actions/upload-artifact@v4\n        if: always()\n        with:\n          name: conformance\n          path: conform.*\n"
    );
    let mut all = vec![
        ("README.md".into(), readme),
        ("scenario.toml".into(), carried(SCENARIO)?),
        (format!("rtl/my_{module}.v").into(), design),
        (".github/workflows/conformance.yml".into(), ci),
        (".gitignore".into(), "target/\n".into()),
    ];
    for file in carried::files() {
        let (name, content) = at("carried files", file)?;
        let Ok(below) = name.strip_prefix("hdl") else { continue };
        let ours = below.parent().is_some_and(|p| p == Path::new("") || p == Path::new("include"));
        if ours && below.extension().is_some_and(|e| e == "v" || e == "vh") {
            let text = String::from_utf8_lossy(&content).into_owned();
            all.push((Path::new("rtl/reference").join(below), text));
        }
    }
    Ok(all)
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let folder = &args.folder;
    if folder.exists() && fs::read_dir(folder).map_or(true, |mut all| all.next().is_some()) {
        let what =
            format!("`{}`: expected a folder that is empty or does not exist", folder.display());
        return Err(CliError::Usage(what));
    }
    let (mut list, mut names) = (String::new(), Vec::new());
    for (name, text) in files(&args.module)? {
        let path = folder.join(&name);
        if let Some(parent) = path.parent() {
            at(parent.display(), fs::create_dir_all(parent))?;
        }
        at(path.display(), fs::write(&path, text))?;
        if !name.starts_with("rtl/reference") {
            let _ = writeln!(list, "  {}", name.display());
        }
        names.push(name.display().to_string());
    }
    if args.json {
        let object = serde_json::json!({ "folder": folder.display().to_string(), "files": names });
        writeln!(out, "{object}")?;
        return Ok(Outcome::Holds);
    }
    writeln!(
        out,
        "wrote {}:\n{list}  rtl/reference: the reference design\nnext: cd {} && awgstar sim scenario.toml --svg ring.svg",
        folder.display(),
        folder.display()
    )?;
    Ok(Outcome::Holds)
}
