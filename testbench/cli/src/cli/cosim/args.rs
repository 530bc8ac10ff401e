// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments of `awgstar cosim`.

use crate::cli::choice::Tool;
use crate::cli::number;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

/// Modules that golden vectors of frames are for.
const FRAMES: [&str; 3] = ["crc32", "frame_tx", "frame_rx"];

/// Modules that run beside the model.
pub(super) const MODULES: [&str; 8] =
    ["ring_node", "ring", "smb", "smb_axi4", "boards", "ring_link", "smb_link", "ring_gateway"];

#[derive(clap::Args)]
#[command(
    after_help = "The report of a failing vector names its requirement, the first word that differs and both\nframes; its waveform is written below target/cosim/wave.\n\nExamples:\n  awgstar cosim --sim icarus\n  awgstar cosim --sim verilator --module frame_rx --class bit_flips\n  awgstar cosim --sim icarus --hdl my_rtl --vector short_data/0004\n  awgstar cosim --sim verilator --module ring --nodes 8 --cases 1000\n  awgstar cosim --sim verilator --module smb\n  awgstar cosim --sim verilator --module smb --param MEM_ADDR_W=2 --param TX_FRAME_W=1\n  awgstar cosim --sim verilator --module boards --nodes 3\n  awgstar cosim --replay vectors/node/turn_after_free_token"
)]
pub(crate) struct Args {
    /// Simulator
    #[arg(long, value_enum, value_name = "SIMULATOR", required_unless_present = "replay")]
    pub(crate) sim: Option<Tool>,
    /// Module, may be repeated; the first three without it. `ring_node`, `ring`, `smb` (a board),
    /// `boards` (a ring of them), `ring_link`, `smb_link` and `ring_gateway` (more than one clock) run in lockstep
    /// with the model
    #[arg(long = "module", value_name = "MODULE", value_parser = PossibleValuesParser::new(FRAMES.iter().chain(&MODULES)))]
    pub(crate) modules: Vec<String>,
    /// Nodes or boards of the rings
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::within::<u16>(1..=256))]
    pub(crate) nodes: u16,
    /// Random cases, from the seed. In lockstep 200 without it; half of those of `ring_node` and `smb` begin near
    /// far ends, and Verilator plays the cases made by hand before them. Of `frame_tx` and `frame_rx` at most
    /// 1000000 random frames in place of the golden vectors
    #[arg(long, value_name = "N", conflicts_with_all = ["vector", "classes"], value_parser = number::within::<u32>(1..=10_000_000))]
    pub(super) cases: Option<u32>,
    /// Longest case in cycles
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = number::within::<u64>(8..=60_000))]
    pub(crate) cycles: u64,
    /// In lockstep: a parameter of the module that model and Verilog are to have, may be
    /// repeated
    #[arg(long = "param", value_name = "NAME=VALUE", conflicts_with = "replay")]
    pub(crate) parameters: Vec<String>,
    /// In lockstep with Icarus: cases that are played, too; those made by hand take minutes for a board
    #[arg(long, value_name = "CASES", value_parser = ["directed"])]
    pub(crate) with: Option<String>,
    /// In lockstep: compare memories every 64 cycles only
    #[arg(long)]
    pub(crate) fast: bool,
    /// Replay a vector of the node or the board on model, Verilator and Icarus (or the one that --sim names)
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["modules", "vector", "classes", "cases"])]
    pub(crate) replay: Option<PathBuf>,
    /// Class of vectors, may be repeated; all without it
    #[arg(long = "class", value_name = "CLASS")]
    pub(super) classes: Vec<String>,
    /// One vector, `<class>/<index>`
    #[arg(long, value_name = "ID", conflicts_with = "classes")]
    pub(super) vector: Option<String>,
    /// 0 back to back, 1 pseudo-random gaps, 2 long idle; may be repeated; 0 and 1 without it
    #[arg(long = "mode", value_parser = number::within::<u32>(0..=2), value_name = "MODE")]
    pub(super) modes: Vec<u32>,
    /// Seed of the gaps, of the values on don't-care inputs and of random frames
    #[arg(long, default_value_t = 1, value_parser = number::any_32())]
    pub(crate) seed: u32,
    /// Folder of the Verilog, with its include/
    #[arg(long, value_name = "FOLDER")]
    pub(crate) hdl: Option<PathBuf>,
    /// Root of the repository
    #[arg(long, default_value = ".")]
    pub(crate) root: PathBuf,
    /// Write no waveforms
    #[arg(long)]
    pub(crate) no_waves: bool,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Random cases of a run in lockstep without `--cases`.
const CASES: u32 = 200;

impl Args {
    /// Random cases of a run in lockstep.
    pub(super) fn random_cases(&self) -> u32 {
        self.cases.unwrap_or(CASES)
    }
}
