// SPDX-License-Identifier: MIT OR Apache-2.0
//! Golden vectors of the board: each a run of a few hundred cycles of one board, between a link and
//! a host that are driven by hand, with the answers that the host must get (HST, WRT, ACK, SND,
//! RCV, MON, IRQ).
//!
//! The outputs in the files are the model's; the answers are not, they are written here.

mod host;
mod monitor;
mod paging;
mod receive;
mod script;
mod send;
mod signals;

use crate::StimulusError;
use crate::board::BoardCase;
use crate::machine::Machine;
use crate::vector;
use crate::vector::{About, Vector, expect, track_of};
use awgstar::quantity::Cycle;
use awgstar::rtl::{
    Parameters, Smb,
    smb::{Inputs, Outputs},
    state::State,
};
use script::Script;
use std::path::{Path, PathBuf};

/// Folder below `vectors/`.
pub const FOLDER: &str = "board";

/// A vector of the board.
#[derive(Clone, Debug)]
pub struct Golden {
    /// Name of the vector and of its folder.
    pub name: &'static str,
    /// Requirement ids.
    pub requirements: &'static [&'static str],
    /// Behaviour that the vector shows.
    pub shows: &'static str,
    /// The bug it catches.
    pub catches: &'static str,
    /// Effect of that bug in the field.
    pub effect: &'static str,
    script: Script,
}

/// All of them.
#[must_use]
pub fn all() -> Vec<Golden> {
    [host::all(), send::all(), signals::all(), receive::all(), monitor::all(), paging::all()]
        .concat()
}

impl Golden {
    /// Answers that the host must get, in order: words that it reads as 8 hexadecimal digits,
    /// `slverr` for an access that is refused.
    #[must_use]
    pub fn answers(&self) -> &[String] {
        &self.script.answers
    }

    /// Length in cycles.
    #[must_use]
    pub fn cycles(&self) -> Cycle {
        self.script.stimulus().cycles
    }

    /// Inputs, outputs and all that is said of it.
    ///
    /// # Errors
    /// None: the stimulus is a good one.
    pub fn vector(&self) -> Result<Vector<Smb>, StimulusError> {
        let case = BoardCase::Board(self.script.stimulus());
        let mut track = track_of::<Smb>(&case, 0, &Parameters::DEFAULT)?;
        track.inputs.iter_mut().for_each(quiet);
        let about = About {
            module: "smb".into(),
            why: self.shows.into(),
            requirements: self.requirements.iter().map(|id| (*id).into()).collect(),
            answers: self.answers().to_vec(),
            ..About::default()
        };
        let expect = expect::<Smb>(Smb::shape(), &track);
        Ok(Vector { about, parameters: Parameters::DEFAULT, expect, track })
    }
}

/// Sets don't-care inputs to 0: files stay small. The lockstep puts noise on them.
fn quiet(i: &mut Inputs) {
    if !i.s_axi_awvalid {
        (i.s_axi_awaddr, i.s_axi_awprot) = (0, 0);
    }
    if !i.s_axi_wvalid {
        (i.s_axi_wdata, i.s_axi_wstrb) = (0, 0);
    }
    if !i.s_axi_arvalid {
        (i.s_axi_araddr, i.s_axi_arprot) = (0, 0);
    }
    if !i.s_axis_tvalid {
        (i.s_axis_tdata, i.s_axis_tkeep) = (0, 0);
        (i.s_axis_tlast, i.s_axis_tuser) = (false, false);
    }
}

/// Answers that a host gets in a run of these inputs and outputs, in the form of
/// [`Golden::answers`].
pub fn host_answers<'a>(cycles: impl IntoIterator<Item = (&'a Inputs, Outputs)>) -> Vec<String> {
    let mut all = Vec::new();
    for (i, o) in cycles {
        let read = o.s_axi_rvalid && i.s_axi_rready;
        let write = o.s_axi_bvalid && i.s_axi_bready;
        if (read && o.s_axi_rresp != 0) || (write && o.s_axi_bresp != 0) {
            all.push("slverr".into());
        } else if read {
            all.push(format!("{:08x}", o.s_axi_rdata));
        }
    }
    all
}

/// Checks the vectors in `folder` (that of the board, below `vectors`): a board of the model plays
/// each, the host must get the answers in `vector.toml`, and the outputs must be those of
/// `expect.hex`. Returns the number of vectors and the errors.
#[must_use]
pub fn check(folder: &Path) -> (usize, Vec<String>) {
    let folders = vector::list(folder);
    let wrong = |folder: &PathBuf| {
        let name = folder.display();
        let vector = match Vector::<Smb>::load(folder) {
            Ok(vector) => vector,
            Err(error) => return Some(error.to_string()),
        };
        if let Some(cycle) = vector.drift() {
            return Some(format!("{name}: cycle {cycle}: the model does not give expect.hex"));
        }
        let mut board = Smb::new(&vector.parameters);
        let found = host_answers(vector.track.inputs.iter().map(|i| (i, board.step(i))));
        let answers = &vector.about.answers;
        let differs = found.iter().zip(answers).position(|(f, a)| f != a);
        let differs = differs.or((found.len() != answers.len()).then_some(found.len()));
        differs.map(|n| {
            let [found, answer] = [&found, answers].map(|all| all.get(n).map_or("none", |s| s));
            format!("{name}: answer {n}: expected {answer}, found {found}")
        })
    };
    let all: Vec<String> = folders.iter().filter_map(wrong).collect();
    (folders.len(), all)
}
