// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables of ports and registers of the pages `docs/blocks/*.md`. Directions and widths are those of the Verilog;
//! a person says which are one row, and what they mean. Widths of memories, and of registers whose width has a
//! name in the module alone, are a person's, too.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// Direction and width of each port, by its name.
type Ports = BTreeMap<String, [String; 2]>;

/// The page of a module, as it is and as it should be.
#[derive(Debug)]
pub struct Page {
    /// Path below the repository's root.
    pub path: PathBuf,
    /// Text of the file.
    pub old: String,
    /// Text with ports and registers of the Verilog.
    pub new: String,
}

/// The page of each module of `hdl`, by name.
///
/// # Errors
/// If a file cannot be read; a module without a page is such an error.
pub fn pages(root: &Path) -> io::Result<Vec<Page>> {
    let constants = read(&root.join("hdl/include/awgstar.vh"))?;
    let files = fs::read_dir(root.join("hdl"))?.map(|entry| Ok(entry?.path()));
    let mut files = files.collect::<io::Result<Vec<_>>>()?;
    files.retain(|path| path.extension().is_some_and(|end| end == "v"));
    files.sort();
    let page = |file: PathBuf| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let path = PathBuf::from(format!("docs/blocks/{name}.md"));
        let old = read(&root.join(&path))?;
        let verilog = read(&file)?;
        let none = || io::Error::other(format!("{}: no module {name}", file.display()));
        let new = with_ports(&old, &ports(&name, &verilog, &constants).ok_or_else(none)?);
        let new = with_registers(&new, &registers(&verilog, &constants));
        Ok(Page { path, old, new })
    };
    files.into_iter().map(page).collect()
}

fn read(path: &Path) -> io::Result<String> {
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    fs::read_to_string(path).map_err(named)
}

/// The ports in the head of a module: `input  wire [3:0] name,`; `None` if there is no such module.
fn ports(module: &str, verilog: &str, constants: &str) -> Option<Ports> {
    let (_, head) = verilog.split_once(&format!("\nmodule {module} "))?;
    let lines = head.lines().take_while(|line| !line.starts_with(");"));
    let port = |line: &str| {
        let (code, _) = line.split_once("//").unwrap_or((line, ""));
        let mut words = code.trim().trim_end_matches(',').split_whitespace();
        let direction = match words.next()? {
            "input" => "in",
            "output" => "out",
            _ => return None,
        };
        let name = words.next_back()?;
        let range = code.split_once('[').and_then(|(_, rest)| rest.split_once(":0]"));
        let width = range.map_or_else(|| "1".into(), |(high, _)| width(high, constants));
        Some((name.to_owned(), [direction.to_owned(), width]))
    };
    Some(lines.filter_map(port).collect())
}

/// Width of a range from `high` to 0: `31` is 32, a constant is its number, `N-1` is N, `N` is N + 1. Of another
/// expression it is that with 1 added.
fn width(high: &str, constants: &str) -> String {
    let high = high.trim();
    let less = high.split_once('-').map(|(base, number)| (base, number, -1));
    let parts = less.or_else(|| high.split_once('+').map(|(base, number)| (base, number, 1)));
    let number = |(base, number, sign): (&str, &str, i64)| {
        let number: i64 = number.trim().parse().ok()?;
        Some((base.trim().to_owned(), sign * number))
    };
    let Some((base, more)) = parts.map_or(Some((high.to_owned(), 0)), number) else {
        return format!("{high} + 1");
    };
    let defined = base.strip_prefix('`').and_then(|name| {
        let mut lines = constants.lines().map(str::split_whitespace);
        lines.find_map(|mut words| {
            (words.next() == Some("`define") && words.next() == Some(name)).then(|| words.next())?
        })
    });
    match (defined.unwrap_or(&base).parse::<i64>(), more + 1) {
        (Ok(number), more) => (number + more).to_string(),
        (Err(_), 0) => base,
        (Err(_), more) => format!("{base} + {more}"),
    }
}

/// Widths of the registers whose width is a number or follows from a parameter of the module.
fn registers(verilog: &str, constants: &str) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for line in verilog.lines() {
        let (code, _) = line.split_once("//").unwrap_or((line, ""));
        let code = code.trim().trim_start_matches("output").trim_start();
        let Some(rest) = code.strip_prefix("reg ").map(str::trim_start) else { continue };
        let (high, names) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(":0]")) {
            Some((high, names)) => (high, names),
            None => ("0", rest),
        };
        let width = width(high, constants);
        let (base, _) = width.split_once(" + ").unwrap_or((&width, ""));
        let known = base.parse::<u32>().is_ok() || verilog.contains(&format!("parameter {base} "));
        // A memory has a range after its name.
        if known && !names.contains('[') {
            let names = names.trim_end_matches([';', ',']).split(',');
            all.extend(names.map(|name| (name.trim().to_owned(), width.clone())));
        }
    }
    all
}

/// Names in backticks; `a_{b,c}_q` is `a_b_q` and `a_c_q`.
fn names(cell: &str) -> Vec<String> {
    let mut all = Vec::new();
    for name in cell.split('`').skip(1).step_by(2) {
        let parts =
            name.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?)));
        match parts {
            Some((head, (some, tail))) => {
                all.extend(some.split(',').map(|one| format!("{head}{one}{tail}")));
            }
            None => all.push(name.to_owned()),
        }
    }
    all
}

/// The page with these widths in its tables of registers.
fn with_registers(page: &str, registers: &BTreeMap<String, String>) -> String {
    let mut table = false;
    let line = |line: &str| {
        table = line.starts_with("| register | width") || table && line.starts_with('|');
        let cells: Vec<&str> = line.splitn(4, '|').collect();
        let ["", cell, _, meaning] = cells[..] else { return line.to_owned() };
        let widths: Option<Vec<_>> = names(cell).iter().map(|name| registers.get(name)).collect();
        match widths.filter(|widths| table && !widths.is_empty()) {
            Some(widths) => format!("|{cell}| {} |{meaning}", each(&widths)),
            None => line.to_owned(),
        }
    };
    page.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// One value for all, or one for each.
fn each(values: &[&String]) -> String {
    let all = if values.iter().all(|one| *one == values[0]) { &values[..1] } else { values };
    all.iter().map(|one| one.as_str()).collect::<Vec<_>>().join(", ")
}

/// The page with a table of these ports: a row loses the ports that there are no more, a new port is a row.
fn with_ports(page: &str, ports: &Ports) -> String {
    let Some(begin) = page.find("\n## Interface\n") else { return page.to_owned() };
    let end = page[begin + 1..].find("\n## ").map_or(page.len(), |at| begin + 1 + at);
    let mut missing = ports.clone();
    let mut rows: Vec<String> = Vec::new();
    for line in page[begin..end].lines() {
        let Some((cell, meaning)) = line.strip_prefix("| `").and_then(|_| {
            let (cell, rest) = line[2..].split_once(" | ")?;
            Some((cell, rest.splitn(3, '|').nth(2)?))
        }) else {
            rows.push(line.to_owned());
            continue;
        };
        let all = names(cell);
        let there: Vec<&String> = all.iter().filter(|name| ports.contains_key(*name)).collect();
        let cell = if there.len() == all.len() { cell.to_owned() } else { quoted(&there) };
        if !there.is_empty() {
            rows.push(row(&cell, &there, ports, meaning));
        }
        missing.retain(|name, _| !all.contains(name));
    }
    let table = rows.iter().rposition(|row| row.starts_with('|')).map_or(rows.len(), |at| at + 1);
    let new = missing.keys().map(|name| row(&quoted(&[name]), &[name], ports, " |"));
    rows.splice(table..table, new.collect::<Vec<_>>());
    let tail = if page[..end].ends_with('\n') { "\n" } else { "" };
    format!("{}{}{tail}{}", &page[..begin], rows.join("\n"), &page[end..])
}

fn quoted(names: &[&String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn row(cell: &str, names: &[&String], ports: &Ports, meaning: &str) -> String {
    let column = |at: usize| each(&names.iter().map(|name| &ports[*name][at]).collect::<Vec<_>>());
    format!("| {cell} | {} | {} |{meaning}", column(0), column(1))
}

#[cfg(test)]
mod tests {
    use super::{ports, registers, width, with_ports, with_registers};

    #[test]
    fn a_table_follows_the_verilog() {
        let verilog = "// x\nmodule x #(\n    parameter W = 4 // of a\n) (\n    input  wire       clk,\n\
                       \n    input  wire [W:0] a_valid, // so\n    output reg  [`AWG_HDR_W-1:0] a_ready,\n\
                       \n    output wire [W+3:0] b,\n    input  wire [W-1:0] d\n);\n    input [7:0] frame;\n";
        let ports = ports("x", verilog, "`define AWG_HDR_W 123\n").expect("a module");
        let page = "# x\n\n## Interface\n\n| port | dir | width | |\n|---|---|---:|---|\n\
                    | `clk`, `gone` | out | 1 | |\n| `a_{valid,ready}` | in, out | 5, 9 | e \\| f |\n\
                    | `b` | out | W + 4 | g |\n| `old` | in | 1 | |\n\n## Next\n| `c` | in | 1 |\n";
        let expected = "# x\n\n## Interface\n\n| port | dir | width | |\n|---|---|---:|---|\n\
                    | `clk` | in | 1 | |\n| `a_{valid,ready}` | in, out | W + 1, 123 | e \\| f |\n\
                    | `b` | out | W + 4 | g |\n| `d` | in | W | |\n\n## Next\n| `c` | in | 1 |\n";
        assert_eq!(with_ports(page, &ports), expected);
        assert_eq!(with_ports(expected, &ports), expected);
    }

    #[test]
    fn a_width_that_is_not_known_is_an_expression() {
        for (high, says) in [("31", "32"), ("W - 1", "W"), ("W+3", "W + 4"), ("A-B", "A-B + 1")] {
            assert_eq!(width(high, ""), says);
        }
        assert!(ports("y", "\nmodule x (\n);\n", "").is_none());
    }

    #[test]
    fn widths_of_registers_follow_the_verilog() {
        let verilog = "module x #(\n    parameter W = 4,\n) (\n    output reg [1:0] a_q,\n);\n\
                       \n    localparam L = 2;\n    reg [W:0] b_c_q, b_d_q; // so\n    reg e;\n    reg [L-1:0] f;\n    reg [3:0] m [0:7];\n";
        let page = "| `a_q` | 1 |\n\n| register | width | |\n|---|---:|---|\n| **`a_q`** (0), `e` | 3 | a \\| b |\n\
                    | `b_{c,d}_q` | 5, 5 | |\n| `f` | 2 | |\n| `m` | 4 × 8 | |\n\nText.\n";
        let expected = page.replace("| 3 | a", "| 2, 1 | a").replace("| 5, 5 |", "| W + 1 |");
        assert_eq!(with_registers(page, &registers(verilog, "")), expected);
    }
}
