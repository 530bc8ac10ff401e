// SPDX-License-Identifier: MIT OR Apache-2.0
//! The testbenches that play a golden vector without Rust: one template, three files. Each is whole, because the
//! commands that compile them have no folder to include from.

use awgstar::rtl::{
    Parameters, RingNode, Smb, SmbAxi4,
    state::{Signal, State},
};
use awgstar_stimulus::shape::Shape;

const TEMPLATE: &str = include_str!("../../verilog/tb_vector.v.in");

/// Columns of a line.
const WIDTH: usize = 100;

/// Path below the repository's root and text of each.
#[must_use]
pub fn files() -> [(&'static str, String); 3] {
    [
        (
            "testbench/verilog/tb_ring_node.v",
            text::<RingNode>(
                "Plays one golden vector of the ring node (vectors/FORMAT.md, node). No Rust.",
                "",
                16_384,
                "    ring_node dut (",
            ),
        ),
        (
            "testbench/verilog/tb_smb.v",
            text::<Smb>(
                "Plays one golden vector of the board (vectors/FORMAT.md, board). No Rust.",
                "// AWGSTAR_ENGINE: the board has the lock and barrier engine, ENGINE_NODE_W is 2 \
                 (vectors/board_engine).\n",
                16_384,
                "`ifdef AWGSTAR_ENGINE\n    smb #(.ENGINE_NODE_W(2)) dut (\n`else\n    smb dut (\n`endif",
            ),
        ),
        (
            "testbench/verilog/tb_smb_axi4.v",
            text::<SmbAxi4>(
                "Plays a vector of a board with an AXI4 port, in the format of those of the board \
                 (vectors/FORMAT.md).",
                "",
                32_768,
                "    smb_axi4 dut (",
            ),
        ),
    ]
}

/// The testbench for a model's Verilog: what it says about itself, lines of a vector at most, and the beginning of the
/// instance.
fn text<M: State>(about: &str, note: &str, lines: usize, instance: &str) -> String {
    let shape = Shape::of::<M>(&Parameters::DEFAULT);
    let mut ports = vec![".clk(clk)".to_owned()];
    ports.extend(slices(&shape.inputs, "in"));
    ports.extend(slices(&shape.outputs, "out"));
    let bits = |signals: &[Signal]| signals.iter().map(|s| s.bits).sum::<usize>();
    let [input, output] = [&shape.inputs, &shape.outputs].map(|signals| bits(signals));
    let numbers = [
        ("@lines@", lines),
        ("@in_w@", input),
        ("@out_w@", output),
        ("@in_d@", input.next_multiple_of(4)),
        ("@out_d@", output.next_multiple_of(4)),
    ];
    let texts = [
        ("@about@", about),
        ("@note@", note),
        ("@module@", shape.layout.module),
        ("@instance@", instance),
        ("@ports@", &wrapped(&ports)),
    ];
    let text = texts.into_iter().fold(TEMPLATE.to_owned(), |t, (at, what)| t.replace(at, what));
    numbers.into_iter().fold(text, |t, (at, number)| t.replace(at, &number.to_string()))
}

/// Each port with its bits of the line of a vector, the first one highest.
fn slices(signals: &[Signal], line: &str) -> Vec<String> {
    let mut left: usize = signals.iter().map(|s| s.bits).sum();
    let slice = |signal: &Signal| {
        let high = left - 1;
        left -= signal.bits;
        match signal.bits {
            1 => format!(".{}({line}[{high}])", signal.name),
            _ => format!(".{}({line}[{high}:{left}])", signal.name),
        }
    };
    signals.iter().map(slice).collect()
}

/// A list, eight columns from the left.
fn wrapped(ports: &[String]) -> String {
    let mut lines = vec![String::new()];
    for (number, port) in ports.iter().enumerate() {
        let end = if number + 1 == ports.len() { "" } else { "," };
        let last = lines.pop().unwrap_or_default();
        let longer =
            if last.is_empty() { format!("{port}{end}") } else { format!("{last} {port}{end}") };
        if longer.len() + 8 > WIDTH && !last.is_empty() {
            lines.extend([last, format!("{port}{end}")]);
        } else {
            lines.push(longer);
        }
    }
    lines.join("\n        ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_files_are_what_the_template_gives() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for (name, text) in files() {
            assert!(!text.contains('@'), "{name}");
            let found = std::fs::read_to_string(root.join(name)).unwrap();
            assert!(found == text, "{name}: cargo xtask contract generate");
        }
    }
}
