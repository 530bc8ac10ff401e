//! The testbench that plays inputs to a foreign module and compares its outputs (CNF-2).
//!
//! Inputs change 1 ns behind an edge and outputs are compared 1 ns before the next one (LCK-1). A
//! line of `known.hex` has a 1 for every bit that is compared. An X is a difference: `!==`. What it
//! prints is marked by a [`Token`].

use crate::conform::play::BEHIND;
use awgstar::rtl::state::Signal;
use awgstar_simulator::Token;
use awgstar_simulator::four_state::overrides;
use awgstar_stimulus::shape::Shape;
use std::fmt::Write as _;

/// Name of the testbench's module.
pub const NAME: &str = "awgstar_conform_bench";

fn width(signals: &[Signal]) -> usize {
    signals.iter().map(|s| s.bits).sum()
}

fn names(signals: &[Signal]) -> String {
    signals.iter().map(|s| s.name).collect::<Vec<_>>().join(", ")
}

/// The testbench for `top` with these parameters, each `NAME=VALUE`, and with room for stimuli of so many cycles.
#[must_use]
pub fn text(shape: &Shape, top: &str, settings: &[String], cycles: usize, token: &Token) -> String {
    let mut out = format!("`default_nettype none\nmodule {NAME};\n    reg clk;\n");
    let mut ports = String::from(".clk(clk)");
    for (kind, signals) in [("reg", &shape.inputs), ("wire", &shape.outputs)] {
        for s in signals {
            let _ = writeln!(out, "    {kind} [{}:0] {};", s.bits - 1, s.name);
            let _ = write!(ports, ",\n        .{0}({0})", s.name);
        }
    }
    let (i, o) = (width(&shape.inputs) - 1, width(&shape.outputs) - 1);
    let _ = write!(
        out,
        "    {top}{parameters} dut ({ports});

    reg [{i}:0] stimulus [0:{last}];
    reg [{o}:0] expected [0:{last}];
    reg [{o}:0] known [0:{last}];
    reg [{o}:0] found;
    reg [{o}:0] wrong;
    string dir;
    integer k, bad, cycles;

    initial begin
        clk = 1'b0;
        bad = -1;
        cycles = 0;
        if ($value$plusargs(\"dir=%s\", dir) == 0) $finish;
        if ($value$plusargs(\"cycles=%d\", cycles) == 0) $finish;
        $readmemh({{dir, \"/stimulus.hex\"}}, stimulus, 0, cycles - 1);
        $readmemh({{dir, \"/expected.hex\"}}, expected, 0, cycles - 1);
        $readmemh({{dir, \"/known.hex\"}}, known, 0, cycles - 1);
        for (k = 0; k < cycles && (bad < 0 || k <= bad + {BEHIND}); k = k + 1) begin
            #1 {{{inputs}}} = stimulus[k];
            #4 clk = 1'b0;
            #4 found = {{{outputs}}};
            wrong = (found ^ expected[k]) & known[k];
            if (bad < 0 && wrong !== {{{bits}{{1'b0}}}}) begin
                bad = k;
                $display(\"{token} DIFFERS %0d\", k);
            end
            if (bad >= 0) $display(\"{token} FOUND %b\", found);
            #1 clk = 1'b1;
        end
        $display(\"{token} END %0d\", k);
        $finish;
    end
endmodule
`default_nettype wire
",
        parameters = overrides(settings),
        last = cycles.max(1) - 1,
        inputs = names(&shape.inputs),
        outputs = names(&shape.outputs),
        bits = o + 1,
    );
    out
}
