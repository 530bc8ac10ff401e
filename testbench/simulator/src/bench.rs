// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one frame of all generated testbenches, and its sampling schedule (LCK-1).
//!
//! A cycle takes 10 units of time. Inputs change 1 unit after an edge; what is compared or printed is
//! sampled 1 unit before the next one. The files of a run lie in the folder `+dir=`, and `+cycles=` is its length.

use awgstar::rtl::state::Signal;
use awgstar_stimulus::shape::Shape;
use std::fmt::Write as _;

/// Name of the testbench's module: no design has it by accident.
pub const NAME: &str = "awgstar_bench";

/// A testbench for a design with the ports of `shape`: a frame, and the statements that differ.
#[derive(Debug)]
pub struct Bench<'a> {
    /// Ports of the design.
    pub shape: &'a Shape,
    /// Name of its module.
    pub top: &'a str,
    /// Parameters of the instance `dut`, each `NAME=VALUE`.
    pub settings: &'a [String],
    /// Cycles for which there is room.
    pub room: usize,
    /// Declarations, tasks and processes beside the main one.
    pub items: String,
    /// Statements before the first cycle: read files, set a state.
    pub begin: String,
    /// Condition for another cycle.
    pub go_on: String,
    /// Statements before the inputs of a cycle change.
    pub before: &'static str,
    /// Statements at the sampling point.
    pub sample: String,
    /// Statements after the last cycle.
    pub end: String,
}

/// Parameters of an instance, each `NAME=VALUE`; nothing if there is none.
pub(crate) fn overrides(settings: &[String]) -> String {
    let list = settings.iter().filter_map(|s| s.split_once('='));
    let list: Vec<_> = list.map(|(name, value)| format!(".{name}({value})")).collect();
    if list.is_empty() { String::new() } else { format!(" #({})", list.join(", ")) }
}

/// Signals, separated by commas: in braces the vector that a line of a file has.
#[must_use]
pub fn names(signals: &[Signal]) -> String {
    signals.iter().map(|s| s.name).collect::<Vec<_>>().join(", ")
}

/// Bits of all signals together.
#[must_use]
pub fn width(signals: &[Signal]) -> usize {
    signals.iter().map(|s| s.bits).sum()
}

/// Statement that reads a file of the run's folder: one line per cycle.
#[must_use]
pub fn read(name: &str) -> String {
    format!("        $readmemh({{dir, \"/{name}.hex\"}}, {name}, 0, cycles - 1);\n")
}

impl Bench<'_> {
    /// The Verilog.
    #[must_use]
    pub fn text(&self) -> String {
        let Bench { shape, top, items, begin, go_on, before, sample, end, .. } = self;
        let mut signals = String::new();
        let mut ports = String::from(".clk(clk)");
        for (kind, list) in [("reg", &shape.inputs), ("wire", &shape.outputs)] {
            for s in list {
                let range =
                    if s.bits == 1 { String::new() } else { format!("[{}:0] ", s.bits - 1) };
                let _ = writeln!(signals, "    {kind} {range}{};", s.name);
                let _ = write!(ports, ",\n        .{0}({0})", s.name);
            }
        }
        format!(
            "`default_nettype none
module {NAME};
    reg clk;
{signals}    {top}{parameters} dut ({ports});

    reg [{left}:0] stimulus [0:{last}];
    string dir;
    integer k, cycles;
{items}
    initial begin
        clk = 1'b0;
        cycles = 0;
        if ($value$plusargs(\"dir=%s\", dir) == 0) $finish;
        if ($value$plusargs(\"cycles=%d\", cycles) == 0) $finish;
{stimulus}{begin}        for (k = 0; {go_on}; k = k + 1) begin
            #1 {before}{{{inputs}}} = stimulus[k];
            #4 clk = 1'b0;
            #4
{sample}            #1 clk = 1'b1;
        end
{end}        $finish;
    end
endmodule
`default_nettype wire
",
            parameters = overrides(self.settings),
            left = width(&shape.inputs) - 1,
            last = self.room.max(1) - 1,
            stimulus = read("stimulus"),
            inputs = names(&shape.inputs),
        )
    }
}
