// SPDX-License-Identifier: MIT OR Apache-2.0
//! The testbench that plays inputs to a foreign module and compares its outputs (CNF-2).
//!
//! A line of `known.hex` has a 1 for every bit that is compared. An X is a difference: `!==`. What it
//! prints is marked by a [`Token`].

use crate::conform::play::BEHIND;
use awgstar_simulator::Token;
use awgstar_simulator::bench::{Bench, names, read, width};
use awgstar_stimulus::shape::Shape;

/// The testbench for `top` with these parameters, each `NAME=VALUE`, and with room for stimuli of that many cycles.
#[must_use]
pub fn text(shape: &Shape, top: &str, settings: &[String], cycles: usize, token: &Token) -> String {
    let (bits, last) = (width(&shape.outputs), cycles.max(1) - 1);
    let left = bits - 1;
    let vectors = format!(
        "    reg [{left}:0] expected [0:{last}];
    reg [{left}:0] known [0:{last}];
    reg [{left}:0] found;
    reg [{left}:0] wrong;
    integer bad = -1;
"
    );
    let sample = format!(
        "            found = {{{outputs}}};
            wrong = (found ^ expected[k]) & known[k];
            if (bad < 0 && wrong !== {{{bits}{{1'b0}}}}) begin
                bad = k;
                $display(\"{token} DIFFERS %0d\", k);
            end
            if (bad >= 0) $display(\"{token} FOUND %b\", found);
",
        outputs = names(&shape.outputs),
    );
    Bench {
        shape,
        top,
        settings,
        room: cycles,
        items: vectors,
        begin: [read("expected"), read("known")].concat(),
        go_on: format!("k < cycles && (bad < 0 || k <= bad + {BEHIND})"),
        before: "",
        sample,
        end: format!("        $display(\"{token} END %0d\", k);\n"),
    }
    .text()
}
