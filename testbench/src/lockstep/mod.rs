//! Lockstep: model and verilated Verilog fed with the same inputs, every output, register and
//! memory word compared every cycle (LCK-1 to LCK-5). `docs/lockstep.md` tells how to use it.

pub mod adopt;
pub mod alone;
pub mod blame;
pub mod block_mutants;
pub mod board;
pub mod build;
pub mod campaign;
pub mod case;
pub mod deposit;
pub mod directed;
pub mod divergence;
pub mod elaborate;
pub mod ends;
pub mod flight;
pub mod icarus;
pub mod machine;
pub mod meaning;
pub mod mutants;
pub mod player;
pub mod run;
mod runs;
pub mod shape;
pub mod shim;
pub mod shrink;
pub mod sized;
pub mod states;
pub mod stimulus;
pub mod strategy;
pub mod text;
pub mod vector;
pub mod verilated;
pub mod vote;
pub mod waves;

pub use case::Case;
pub use divergence::{Differs, Divergence};
pub use run::{Lockstep, Memories, Verdict};
pub use stimulus::NodeStimulus;
