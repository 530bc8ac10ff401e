// SPDX-License-Identifier: MIT OR Apache-2.0
//! A golden vector of the board.

use super::script::Script;
use crate::StimulusError;
use crate::board::BoardStimulus;
use crate::board::engine::parameters;
use crate::case::Case;
use crate::shape::Shape;
use crate::vector::{About, Vector, expect, track_of};
use awgstar::quantity::Cycle;
use awgstar::rtl::{Parameters, Smb, smb::Inputs};

/// Folder below `vectors/`.
pub const FOLDER: &str = "board";

/// Folder of the vectors of a board with a lock and barrier engine.
pub const ENGINE_FOLDER: &str = "board_engine";

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
    pub(super) script: Script,
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
        let case = Case::alone(self.script.stimulus());
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
    if !i.s_axi.awvalid {
        (i.s_axi.awaddr, i.s_axi.awprot) = (0, 0);
    }
    if !i.s_axi.wvalid {
        (i.s_axi.wdata, i.s_axi.wstrb) = (0, 0);
    }
    if !i.s_axi.arvalid {
        (i.s_axi.araddr, i.s_axi.arprot) = (0, 0);
    }
    if !i.s_axis.tvalid {
        (i.s_axis.tdata, i.s_axis.tkeep) = (0, 0);
        (i.s_axis.tlast, i.s_axis.tuser) = (false, false);
    }
}

impl Script {
    /// The vector.
    pub(super) fn golden(
        self,
        name: &'static str,
        requirements: &'static [&'static str],
        [shows, catches, effect]: [&'static str; 3],
    ) -> Golden {
        Golden { name, requirements, shows, catches, effect, script: self }
    }
}
