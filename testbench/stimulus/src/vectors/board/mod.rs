// SPDX-License-Identifier: MIT OR Apache-2.0
//! Golden vectors of the board: each a run of a few hundred cycles of one board, between a link and
//! a host that are driven by hand, with the answers that the host must get (HST, WRT, ACK, SND,
//! RCV, MON, IRQ) and, of a board with a lock and barrier engine, the signals that it must send (ENG).
//!
//! The outputs in the files are the model's; answers and signals are not, they are written in
//! `testbench/stimulus/stories`.

pub(super) mod golden;
mod lists;

pub use golden::{ENGINE_FOLDER, FOLDER, Golden};
pub use lists::{lists, own_numbers_wrap};

use crate::StimulusError;
use crate::place::FileErrors;
use crate::vector;
use crate::vector::Vector;
use crate::vectors::story;
use awgstar::contract::board as map;
use awgstar::rtl::{
    AxilAnswer, AxilRequest, Smb,
    smb::{Inputs, Outputs},
    state::State,
};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// All folders with vectors of a board.
pub const FOLDERS: [&str; 2] = [FOLDER, ENGINE_FOLDER];

/// Those of a board with the contract's parameters.
///
/// # Errors
/// Mistakes in the files of stories.
pub fn plain() -> Result<&'static [Golden], StimulusError> {
    static ALL: LazyLock<Result<Vec<Golden>, FileErrors>> = LazyLock::new(story::plain);
    ALL.as_deref().map_err(|mistakes| mistakes.clone().into())
}

/// Those of a board with a lock and barrier engine.
///
/// # Errors
/// Mistakes in the files of stories.
pub fn with_engine() -> Result<&'static [Golden], StimulusError> {
    static ALL: LazyLock<Result<Vec<Golden>, FileErrors>> = LazyLock::new(story::engine);
    ALL.as_deref().map_err(|mistakes| mistakes.clone().into())
}

/// All of them.
///
/// # Errors
/// Mistakes in the files of stories.
pub fn all() -> Result<impl Iterator<Item = &'static Golden>, StimulusError> {
    Ok(plain()?.iter().chain(with_engine()?))
}

/// Answers that a host gets in a run of these inputs and outputs, in the form of
/// [`Story::answers`](super::Story::answers).
pub fn host_answers<'a>(cycles: impl IntoIterator<Item = (&'a Inputs, Outputs)>) -> Vec<String> {
    cycles.into_iter().filter_map(|(i, o)| host_answer(&i.s_axi, &o.s_axi)).collect()
}

/// The answer that a host takes in a cycle.
pub(super) fn host_answer(i: &AxilRequest, o: &AxilAnswer) -> Option<String> {
    let (read, write) = (o.rvalid && i.rready, o.bvalid && i.bready);
    if (read && o.rresp != 0) || (write && o.bresp != 0) {
        return Some("slverr".into());
    }
    read.then(|| format!("{:08x}", o.rdata))
}

/// Signals that a board sends in a run of these inputs and outputs, in the form of [`Story::signals`](super::Story::signals): good
/// frames with the MAC of the Node_ID that its host wrote last.
pub fn sent_signals<'a>(cycles: impl IntoIterator<Item = (&'a Inputs, Outputs)>) -> Vec<String> {
    let (mut all, mut bytes, mut node) = (Vec::new(), Vec::new(), 0);
    for (i, o) in cycles {
        if i.s_axi.awvalid && i.s_axi.awaddr == map::NODE_ID.offset.0 && i.s_axi.wvalid {
            node = i.s_axi.wdata.to_le_bytes()[0];
        }
        if !o.m_axis.tvalid {
            continue;
        }
        bytes.extend(o.m_axis.tdata.to_le_bytes());
        if o.m_axis.tlast {
            let signal = (3..6).contains(&(bytes.get(6).copied().unwrap_or(0) >> 5));
            if signal && bytes[5] == node && !o.m_axis.tuser && bytes.len() >= 24 {
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
pub(super) fn difference(what: &str, expected: &[String], found: &[String]) -> Option<String> {
    let length = expected.len().max(found.len());
    let n = (0..length).find(|&n| expected.get(n) != found.get(n))?;
    let [expected, found] = [expected, found].map(|all| all.get(n).map_or("none", |s| s));
    Some(format!("{what} {n}: expected {expected}, found {found}"))
}
