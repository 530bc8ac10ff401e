// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vector of a board's story.

use crate::StimulusError;
use crate::board::BoardStimulus;
use crate::board::engine::parameters;
use crate::case::Case;
use crate::node::directed::Named;
use crate::shape::Shape;
use crate::vector::{About, Vector, expect, track_of};
use crate::vectors::story::Story;
use awgstar::rtl::{AxilRequest, Link, Parameters, Smb};

/// Folder below `vectors/`.
pub const FOLDER: &str = "board";

/// Folder of the vectors of a board with a lock and barrier engine.
pub const ENGINE_FOLDER: &str = "board_engine";

/// A story of a board.
pub type Golden = Story<BoardStimulus>;

impl<S> Story<S> {
    /// What the vector says of itself.
    pub(in crate::vectors) fn about(&self, module: &str) -> About {
        About {
            module: module.into(),
            why: self.shows.clone(),
            requirements: self.requirements.clone(),
            answers: self.answers.clone(),
            signals: self.signals.clone(),
            ..About::default()
        }
    }
}

impl Golden {
    /// Parameters of the board.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        if self.signals.is_some() { parameters() } else { Parameters::DEFAULT }
    }

    /// The stimulus with name and requirements.
    #[must_use]
    pub fn named(&'static self) -> Named<BoardStimulus> {
        Named {
            name: self.name.clone(),
            requirements: self.requirements.iter().map(String::as_str).collect(),
            case: self.stimulus.clone(),
        }
    }

    /// Folder of the vector's folder, below `vectors/`.
    #[must_use]
    pub fn folder(&self) -> &'static str {
        if self.signals.is_some() { ENGINE_FOLDER } else { FOLDER }
    }

    /// Inputs, outputs and all that is said of it.
    ///
    /// # Errors
    /// None: the stimulus is a good one.
    pub fn vector(&self) -> Result<Vector<Smb>, StimulusError> {
        let case = Case::alone(self.stimulus.clone());
        let parameters = self.parameters();
        let mut track = track_of::<Smb>(&case, 0, &parameters)?;
        track.inputs.iter_mut().for_each(|i| quiet(&mut i.s_axi, &mut i.s_axis));
        let about = About { parameters: parameters.changed("smb"), ..self.about("smb") };
        let expect = expect::<Smb>(&Shape::of::<Smb>(&parameters), &track);
        Ok(Vector { about, parameters, track, expect })
    }
}

/// Sets don't-care inputs to 0: files stay small. The lockstep puts noise on them.
pub(in crate::vectors) fn quiet(s_axi: &mut AxilRequest, s_axis: &mut Link) {
    if !s_axi.awvalid {
        (s_axi.awaddr, s_axi.awprot) = (0, 0);
    }
    if !s_axi.wvalid {
        (s_axi.wdata, s_axi.wstrb) = (0, 0);
    }
    if !s_axi.arvalid {
        (s_axi.araddr, s_axi.arprot) = (0, 0);
    }
    if !s_axis.tvalid {
        (s_axis.tdata, s_axis.tkeep) = (0, 0);
        (s_axis.tlast, s_axis.tuser) = (false, false);
    }
}
