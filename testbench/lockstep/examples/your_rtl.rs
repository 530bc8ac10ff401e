// SPDX-License-Identifier: MIT OR Apache-2.0
//! Your `ring_node.v` in lockstep with the model: every output, register and memory word, every cycle.
//!
//! `cargo run -p awgstar-lockstep --example your_rtl -- FOLDER`, with the folder of your Verilog and its
//! `include/`; `hdl` without one. It needs Verilator. Exit code 1: model and Verilog differ.

use awgstar::rtl::RingNode;
use awgstar_lockstep::{Lockstep, Verdict, text};
use awgstar_stimulus::node::directed;
use std::{env, path::Path, process::ExitCode};

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let folder = env::args().nth(1).unwrap_or_else(|| "hdl".into());
    let lockstep = Lockstep::<RingNode>::new(Path::new(&folder), Path::new("target/cosim"))?;
    let mut cycles = 0;
    for case in directed::cases() {
        match lockstep.run(&case.case)? {
            Verdict::Equal(compared) => cycles += compared,
            Verdict::Diverged(divergence) => {
                println!("{}: {}", case.name, text::render(&divergence));
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    println!("{cycles} cycles compared, no difference");
    Ok(ExitCode::SUCCESS)
}
