// SPDX-License-Identifier: MIT OR Apache-2.0
//! Golden vectors of the board: each a run of a few hundred cycles of one board, between a link and
//! a host that are driven by hand, with the answers that the host must get (HST, WRT, ACK, SND,
//! RCV, MON, IRQ) and, of a board with a lock and barrier engine, the signals that it must send (ENG).
//!
//! The outputs in the files are the model's; answers and signals are not, they are written here.

mod engine;
mod host;
mod lists;
mod monitor;
mod paging;
mod receive;
mod script;
mod send;
mod signals;

use crate::StimulusError;
use crate::board::engine::parameters;
use crate::board::{BoardCase, BoardStimulus};
use crate::shape::Shape;
use crate::vector;
use crate::vector::{About, Vector, expect, track_of};
use awgstar::contract::board as map;
use awgstar::quantity::Cycle;
use awgstar::rtl::{
    Parameters, Smb,
    smb::{Inputs, Outputs},
    state::State,
};
pub use lists::{lists, own_numbers_wrap};
use script::Script;
use std::path::{Path, PathBuf};

/// Folder below `vectors/`.
pub const FOLDER: &str = "board";
/// Folder of the vectors of a board with a lock and barrier engine.
pub const ENGINE_FOLDER: &str = "board_engine";
/// All folders with vectors of a board.
pub const FOLDERS: [&str; 2] = [FOLDER, ENGINE_FOLDER];

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

/// Those of a board with the contract's parameters.
#[must_use]
pub fn plain() -> Vec<Golden> {
    [host::all(), send::all(), signals::all(), receive::all(), monitor::all(), paging::all()]
        .concat()
}

/// Those of a board with a lock and barrier engine.
#[must_use]
pub fn with_engine() -> Vec<Golden> {
    engine::all()
}

/// All of them.
#[must_use]
pub fn all() -> Vec<Golden> {
    [plain(), with_engine()].concat()
}

impl Golden {
    /// Answers that the host must get, in order: words that it reads as 8 hexadecimal digits,
    /// `slverr` for an access that is refused.
    #[must_use]
    pub fn answers(&self) -> &[String] {
        &self.script.answers
    }

    /// The signals that a board with an engine must send, in order: TOKEN and C.ST in binary, Node_ID and
    /// the first 10 bytes of Data in hexadecimal. None of a board without an engine.
    #[must_use]
    pub fn signals(&self) -> Option<&[String]> {
        self.script.signals.as_deref()
    }

    /// Parameters of the board.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        if self.script.engine { parameters() } else { Parameters::DEFAULT }
    }

    /// Folder of the vector's folder, below `vectors/`.
    #[must_use]
    pub fn folder(&self) -> &'static str {
        if self.script.engine { ENGINE_FOLDER } else { FOLDER }
    }

    /// The stimulus as it was written.
    #[must_use]
    pub fn stimulus(&self) -> BoardStimulus {
        self.script.stimulus()
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
        let parameters = self.parameters();
        let mut track = track_of::<Smb>(&case, 0, &parameters)?;
        track.inputs.iter_mut().for_each(quiet);
        let about = About {
            module: "smb".into(),
            why: self.shows.into(),
            requirements: self.requirements.iter().map(|id| (*id).into()).collect(),
            answers: self.answers().to_vec(),
            signals: self.signals().map(<[String]>::to_vec),
            parameters: parameters.changed("smb"),
            ..About::default()
        };
        let expect = expect::<Smb>(&Shape::of::<Smb>(&parameters), &track);
        Ok(Vector { about, parameters, track, expect })
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

/// Signals that a board sends in a run of these inputs and outputs, in the form of [`Golden::signals`]: good
/// frames with the MAC of the Node_ID that its host wrote last.
pub fn sent_signals<'a>(cycles: impl IntoIterator<Item = (&'a Inputs, Outputs)>) -> Vec<String> {
    let (mut all, mut bytes, mut node) = (Vec::new(), Vec::new(), 0);
    for (i, o) in cycles {
        if i.s_axi_awvalid && i.s_axi_awaddr == map::NODE_ID.offset.0 && i.s_axi_wvalid {
            node = i.s_axi_wdata.to_le_bytes()[0];
        }
        if !o.m_axis_tvalid {
            continue;
        }
        bytes.extend(o.m_axis_tdata.to_le_bytes());
        if o.m_axis_tlast {
            let signal = (3..6).contains(&(bytes.get(6).copied().unwrap_or(0) >> 5));
            if signal && bytes[5] == node && !o.m_axis_tuser && bytes.len() >= 24 {
                let (token, c_st) = (bytes[6] >> 5, bytes[6] & 31);
                let data = bytes[14..24].iter().fold(0u128, |all, b| all << 8 | u128::from(*b));
                all.push(format!("{token:03b} {c_st:05b} {:02x} {data:020x}", bytes[7]));
            }
            bytes.clear();
        }
    }
    all
}

/// Checks the vectors in `folder` (one of the board's, below `vectors`): a board of the model plays
/// each, the host must get the answers in `vector.toml`, the board must send the signals there, and the
/// outputs must be those of `expect.hex`. Returns the number of vectors and the errors.
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
        let cycles: Vec<_> = vector.track.inputs.iter().map(|i| (i, board.step(i))).collect();
        let about = &vector.about;
        let wrong = difference("answer", &about.answers, &host_answers(cycles.iter().copied()));
        let signals = || {
            let signals = about.signals.as_ref()?;
            difference("signal", signals, &sent_signals(cycles.iter().copied()))
        };
        wrong.or_else(signals).map(|text| format!("{name}: {text}"))
    };
    let all: Vec<String> = folders.iter().filter_map(wrong).collect();
    (folders.len(), all)
}

/// The first place in which two lists differ, in words.
fn difference(what: &str, expected: &[String], found: &[String]) -> Option<String> {
    let length = expected.len().max(found.len());
    let n = (0..length).find(|&n| expected.get(n) != found.get(n))?;
    let [expected, found] = [expected, found].map(|all| all.get(n).map_or("none", |s| s));
    Some(format!("{what} {n}: expected {expected}, found {found}"))
}
