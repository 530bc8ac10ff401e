// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders `include/awgstar_dpi.h`, `sv/awgstar_pkg.sv` and `sv/awgstar_design.svh`.
//!
//! Types and constants come from the contract, ports, registers and memories from the model, functions of DPI-C
//! and their comments from the source of this crate.

use crate::bits;
use crate::error::CODES;
use awgstar::codec::fcs;
use awgstar::contract::systemverilog;
use awgstar::rtl::{
    RingNode, Smb,
    state::{Ports, Signal},
};
use awgstar_compare::cause;
use awgstar_stimulus::machine::Machine;
use std::fmt::Write as _;

const SOURCE: &str = include_str!("lib.rs");

const GENERATED: &str = "Generated from the contract (model/frame/src/contract), the model and testbench/dpi/src by `cargo xtask contract generate`.";

/// Path below the repository's root and text of every file.
#[must_use]
pub fn files() -> Vec<(&'static str, String)> {
    vec![
        ("testbench/dpi/include/awgstar_dpi.h", header()),
        ("testbench/dpi/sv/awgstar_pkg.sv", package()),
        ("testbench/dpi/sv/awgstar_design.svh", design()),
    ]
}

/// A type in Rust, in C with its space, in `SystemVerilog`.
const TYPES: &[(&str, &str, &str)] = &[
    ("c_int", "int ", "input int"),
    ("u32", "unsigned int ", "input int unsigned"),
    ("u64", "unsigned long long ", "input longint unsigned"),
    ("*const c_char", "const char *", "input string"),
    ("*mut u64", "unsigned long long *", "output longint unsigned"),
    ("*const Value", "const uint32_t *", "input bit [127:0]"),
    ("*mut Value", "uint32_t *", "output bit [127:0]"),
    ("*const Frame", "const uint32_t *", "input awg_frame_t"),
    ("*mut Frame", "uint32_t *", "output awg_frame_t"),
    ("*const Line", "const uint32_t *", "input awg_line_t"),
    ("*mut Line", "uint32_t *", "output awg_line_t"),
    ("*const RingNodeInputs", "const uint32_t *", "input awg_ring_node_in_t"),
    ("*const RingNodeOutputs", "const uint32_t *", "input awg_ring_node_out_t"),
    ("*mut RingNodeOutputs", "uint32_t *", "output awg_ring_node_out_t"),
    (
        "*const RingNodeRegisters",
        "const unsigned int *",
        "input int unsigned @ [AWG_RING_NODE_REGISTER_WORDS]",
    ),
    (
        "*const RingNodeWires",
        "const unsigned int *",
        "input int unsigned @ [AWG_RING_NODE_WIRE_WORDS]",
    ),
    ("*const SmbInputs", "const uint32_t *", "input awg_smb_in_t"),
    ("*const SmbOutputs", "const uint32_t *", "input awg_smb_out_t"),
    ("*mut SmbOutputs", "uint32_t *", "output awg_smb_out_t"),
    (
        "*const SmbRegisters",
        "const unsigned int *",
        "input int unsigned @ [AWG_SMB_REGISTER_WORDS]",
    ),
    ("*const SmbWires", "const unsigned int *", "input int unsigned @ [AWG_SMB_WIRE_WORDS]"),
];

/// A function of the library.
struct Function {
    name: String,
    doc: Vec<String>,
    /// Name and type in Rust.
    arguments: Vec<(String, String)>,
    /// Type in Rust; `None` for a function without a value.
    result: Option<String>,
}

/// The functions of C in the source of the library, with their comments without the section on safety.
fn functions() -> Vec<Function> {
    let mut all = Vec::new();
    let mut doc: Vec<String> = Vec::new();
    let mut rest = SOURCE;
    while let Some((line, after)) = rest.split_once('\n') {
        if let Some(text) = line.strip_prefix("///") {
            doc.push(text.trim().to_owned());
        } else if line.contains("extern \"C\" fn ") {
            let signature = rest.split_once('{').map_or(rest, |(signature, _)| signature);
            let signature = signature.split_once("fn ").map_or("", |(_, whole)| whole);
            let (name, whole) = signature.split_once('(').unwrap_or_default();
            let (arguments, result) = whole.split_once(')').unwrap_or_default();
            let safety = doc.iter().position(|line| line == "# Safety").unwrap_or(doc.len());
            doc.truncate(safety);
            while doc.last().is_some_and(String::is_empty) {
                doc.pop();
            }
            all.push(Function {
                name: name.to_owned(),
                doc: std::mem::take(&mut doc),
                arguments: arguments
                    .split(',')
                    .filter_map(|argument| argument.trim().split_once(": "))
                    .map(|(name, of)| (name.to_owned(), of.to_owned()))
                    .collect(),
                result: result.trim().strip_prefix("->").map(|of| of.trim().to_owned()),
            });
        } else if !line.starts_with("#[") {
            doc.clear();
        }
        rest = after;
    }
    all
}

fn types(rust: &str) -> (&'static str, &'static str) {
    let found = TYPES.iter().find(|(name, ..)| *name == rust);
    found.map_or(("/* unknown */ ", "/* unknown */"), |(_, c, sv)| (c, sv))
}

fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// The text of `awgstar_dpi.h`.
#[must_use]
pub fn header() -> String {
    let mut out = format!(
        "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n\
         /* libawgstar_dpi: the model as reference of a SystemVerilog bench, over DPI-C.\n \
         * {GENERATED}\n \
         * Do not edit: `cargo xtask contract check` and the tests fail on drift.\n \
         *\n \
         * A bench in SystemVerilog imports these functions with the package awgstar_pkg; this header is for benches\n \
         * in C and C++, and for simulators that want one. A pointer to words is a packed structure of the package,\n \
         * least significant word first, as svBitVecVal of svdpi.h. A function that returns int returns 0 or an error\n \
         * code, unless it says otherwise; awg_dpi_message has the text. Calls of several threads are made one after\n \
         * another. */\n\
         #ifndef AWGSTAR_DPI_H\n#define AWGSTAR_DPI_H\n\n#include <stdint.h>\n\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\nenum {{\n    AWG_DPI_OK = 0,\n"
    );
    for (at, (name, code, doc)) in CODES.iter().enumerate() {
        let comma = if at + 1 < CODES.len() { "," } else { "" };
        let value = format!("AWG_DPI_{name} = {code}{comma}");
        let _ = writeln!(out, "    {value:<24} /* {doc} */");
    }
    out.push_str("};\n\n/* Numbers of the layouts, and words of the structures and arrays. */\n");
    sizes::<RingNode>(&mut out);
    sizes::<Smb>(&mut out);
    for function in functions() {
        let arguments: Vec<String> =
            function.arguments.iter().map(|(name, of)| format!("{}{name}", types(of).0)).collect();
        let arguments = if arguments.is_empty() { "void".into() } else { arguments.join(", ") };
        let result = function.result.as_deref().map_or("void ", |of| types(of).0);
        let doc = plain(&function.doc.join("\n * "));
        let _ = writeln!(out, "\n/* {doc} */\n{result}{}({arguments});", function.name);
    }
    out.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    out
}

fn upper<M: Machine>() -> String {
    M::shape().layout.module.to_uppercase()
}

/// Words of the ports of all instances; asked for in every cycle.
pub(crate) fn wire_words<M: Machine>() -> usize {
    let mut words = 0;
    M::shape().layout.walk("", &mut |prefix, module| {
        if !prefix.is_empty() {
            let ports = module.inputs.iter().chain(&module.outputs);
            words += ports.map(Signal::words).sum::<usize>();
        }
    });
    words
}

/// Numbers of the arrays and structures of a module.
fn numbers<M: Machine>() -> [(&'static str, usize); 4] {
    [
        ("IN_WORDS", bits::words(M::Inputs::PORTS)),
        ("OUT_WORDS", bits::words(M::Outputs::PORTS)),
        ("REGISTER_WORDS", M::WORDS),
        ("WIRE_WORDS", wire_words::<M>()),
    ]
}

fn sizes<M: Machine>(out: &mut String) {
    let top = upper::<M>();
    let _ = writeln!(out, "#define AWG_{top}_LAYOUT 0x{:08X}u", layout::<M>());
    for (name, words) in numbers::<M>() {
        let _ = writeln!(out, "#define AWG_{top}_{name} {words}");
    }
}

/// Number that changes with every name, width and order in the structures and arrays of a module.
#[must_use]
pub fn layout<M: Machine>() -> u32 {
    let shape = M::shape();
    let mut text = format!("1 {}\n", systemverilog::declarations());
    let mut add = |name: &str, bits: usize| {
        let _ = writeln!(text, "{name} {bits}");
    };
    for port in shape.inputs.iter().chain(&shape.outputs) {
        add(port.name, port.bits);
    }
    for (path, bits) in &shape.registers {
        add(path, *bits);
    }
    for (path, memory) in &shape.memories {
        add(path, memory.bits);
    }
    for (path, port) in cause::ports(shape) {
        add(&path, port.bits);
    }
    fcs::compute(text.as_bytes())
}

/// The text of `awgstar_pkg.sv`.
#[must_use]
pub fn package() -> String {
    let mut out = format!(
        "// SPDX-License-Identifier: MIT OR Apache-2.0\n\
         // {GENERATED}\n\
         // Do not edit: `cargo xtask contract check` and the tests fail on drift.\n\
         //\n\
         // Types, constants and functions of frames, registers and signals, and the model over DPI-C (libawgstar_dpi).\n\
         // With the macro AWGSTAR_NO_DPI there is no model: for simulators without DPI-C, such as Icarus, and for lint.\n\
         package awgstar_pkg;\n"
    );
    out.push_str(&systemverilog::declarations());
    ports::<RingNode>(&mut out);
    ports::<Smb>(&mut out);
    out.push_str(
        "\n`ifndef AWGSTAR_NO_DPI\n\n  // ---- The model ----\n\n  // Codes of the functions.\n",
    );
    out.push_str("  typedef enum int {\n    AWG_DPI_OK = 0,\n");
    for (at, (name, code, doc)) in CODES.iter().enumerate() {
        let comma = if at + 1 < CODES.len() { "," } else { "" };
        let _ = writeln!(out, "    AWG_DPI_{name} = {code}{comma} // {doc}");
    }
    out.push_str("  } awg_dpi_e;\n");
    arrays::<RingNode>(&mut out);
    arrays::<Smb>(&mut out);
    for function in functions() {
        out.push('\n');
        for line in &function.doc {
            let _ = writeln!(out, "  // {}", plain(line));
        }
        let arguments: Vec<String> = function
            .arguments
            .iter()
            .map(|(name, of)| match types(of).1 {
                array if array.contains('@') => array.replace('@', name),
                plain => format!("{plain} {name}"),
            })
            .collect();
        let result = function.result.as_deref().map_or("void", |of| {
            let of = types(of).1;
            of.strip_prefix("input ").unwrap_or(of)
        });
        let _ = writeln!(
            out,
            "  import \"DPI-C\" function {result} {}({});",
            function.name,
            arguments.join(", ")
        );
    }
    out.push_str("\n`endif\n\nendpackage\n");
    out
}

/// Structures of the ports of a module.
fn ports<M: Machine>(out: &mut String) {
    let shape = M::shape();
    let module = shape.layout.module;
    let _ = write!(
        out,
        "\n  // ---- Ports of {module}, but clk ----\n\n  \
         localparam bit [31:0] AWG_{}_LAYOUT = 32'h{:08X}; // of this package\n",
        upper::<M>(),
        layout::<M>()
    );
    for (suffix, ports) in [("in", M::Inputs::PORTS), ("out", M::Outputs::PORTS)] {
        out.push_str("\n  typedef struct packed {\n");
        for port in ports {
            let range =
                if port.bits == 1 { String::new() } else { format!("[{}:0]", port.bits - 1) };
            let _ = writeln!(out, "    bit {range:<6} {};", port.name);
        }
        let _ = writeln!(out, "  }} awg_{module}_{suffix}_t;");
    }
}

/// Arrays of the registers and wires of a module.
fn arrays<M: Machine>(out: &mut String) {
    let (top, module) = (upper::<M>(), M::shape().layout.module);
    let _ = write!(
        out,
        "\n  // Registers of {module}, and ports of its instances: awgstar_design.svh fills them.\n"
    );
    for (name, words) in &numbers::<M>()[2..] {
        let _ = writeln!(out, "  localparam int AWG_{top}_{name} = {words};");
    }
    for (suffix, name) in [("registers", "REGISTER_WORDS"), ("wires", "WIRE_WORDS")] {
        let _ = writeln!(out, "  typedef int unsigned awg_{module}_{suffix}_t [AWG_{top}_{name}];");
    }
}

/// The text of `awgstar_design.svh`.
#[must_use]
pub fn design() -> String {
    let mut out = format!(
        "// SPDX-License-Identifier: MIT OR Apache-2.0\n\
         // {GENERATED}\n\
         // Do not edit: `cargo xtask contract check` and the tests fail on drift.\n\
         //\n\
         // Macros that read a design with the hierarchy of hdl/ for awgstar_pkg. `dut` is the instance of the module:\n\
         //   `AWG_RING_NODE_REGISTERS(dut, to)    puts the registers into the array `to`\n\
         //   `AWG_RING_NODE_WIRES(dut, to)        the ports of all instances\n\
         //   `AWG_RING_NODE_WORDS(dut, h, status) gives every memory word to the model with handle `h`; `status`, an\n\
         //                                        int, is 0 or the code of the last error\n\
         //   `AWG_RING_NODE_PORTS(in, out)        connects its ports but clk to two structures of the package\n\
         // and the same for smb. Values are those of the moment: use them when the clock is low and nothing changes.\n\
         `ifndef AWGSTAR_DESIGN_SVH\n`define AWGSTAR_DESIGN_SVH\n"
    );
    macros::<RingNode>(&mut out);
    macros::<Smb>(&mut out);
    out.push_str("\n`endif\n");
    out
}

/// Assignments of a value of the design to words of an array.
fn assign(out: &mut String, path: &str, bits: usize, at: usize) {
    for i in 0..bits.div_ceil(32) {
        // The cast drops what is above, and extends a width that follows from parameters.
        let shift = if i == 0 { String::new() } else { format!(" >> {}", 32 * i) };
        let _ = write!(out, "\\\n    to[{}] = 32'(dut.{path}{shift}); ", at + i);
    }
}

fn macros<M: Machine>(out: &mut String) {
    let (top, shape) = (upper::<M>(), M::shape());
    let sides = [("in", &shape.inputs), ("out", &shape.outputs)];
    let ports = sides.iter().flat_map(|(side, ports)| ports.iter().map(move |p| (side, p.name)));
    let ports: Vec<String> =
        ports.map(|(side, name)| format!("\\\n  .{name}(s_{side}.{name})")).collect();
    let _ = writeln!(out, "\n`define AWG_{top}_PORTS(s_in, s_out) {}", ports.join(", "));
    let _ = write!(out, "\n`define AWG_{top}_REGISTERS(dut, to) \\\n  begin ");
    for (path, bits, at) in shape.register_words() {
        assign(out, path, bits, at);
    }
    let _ = write!(out, "\\\n  end\n\n`define AWG_{top}_WIRES(dut, to) \\\n  begin ");
    let mut at = 0;
    for (path, port) in cause::ports(shape) {
        assign(out, &path, port.bits, at);
        at += port.words();
    }
    let _ = write!(
        out,
        "\\\n  end\n\n`define AWG_{top}_WORDS(dut, h, status) \\\n  begin \\\n    int awg_code; \\\n    status = 0; "
    );
    for (number, (path, _)) in shape.memories.iter().enumerate() {
        let _ = write!(
            out,
            "\\\n    for (int i = 0; i < $size(dut.{path}); i++) begin \
             awg_code = awgstar_pkg::awg_dpi_word(h, {number}, i, 128'(dut.{path}[i])); \
             if (awg_code != 0) status = awg_code; end "
        );
    }
    out.push_str("\\\n  end\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_of_the_library_is_known() {
        let all = functions();
        assert!(all.len() >= 24, "{}", all.len());
        for function in &all {
            assert!(!function.doc.is_empty(), "{}", function.name);
            let arguments = function.arguments.iter().map(|(_, of)| of.as_str());
            for of in arguments.chain(function.result.as_deref()) {
                assert!(TYPES.iter().any(|(name, ..)| *name == of), "{}: {of}", function.name);
            }
        }
    }

    #[test]
    fn codes_are_those_of_the_errors() {
        let codes: Vec<_> = CODES.iter().map(|(_, code, _)| *code).collect();
        assert_eq!(codes, (1..=12).collect::<Vec<_>>());
    }
}
