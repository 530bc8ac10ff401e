// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vectors of the AXI4 port: `vectors/board_axi4`. A board that no ring knows yet, so nothing is sent.

use crate::StimulusError;
use crate::board::burst::BurstStimulus;
use crate::case::Case;
use crate::machine::Machine as _;
use crate::place::FileErrors;
use crate::vector::{Vector, expect, track_of};
use crate::vectors::story::{self, Story};
use awgstar::rtl::{
    Parameters, SmbAxi4,
    smb_axi4::{Inputs, Outputs},
};
use std::sync::LazyLock;

/// Folder below `vectors/`.
pub const FOLDER: &str = "board_axi4";

/// All of them.
///
/// # Errors
/// Mistakes in the file of stories.
pub fn all() -> Result<&'static [Story<BurstStimulus>], StimulusError> {
    static ALL: LazyLock<Result<Vec<Story<BurstStimulus>>, FileErrors>> =
        LazyLock::new(story::bursts);
    ALL.as_deref().map_err(|mistakes| mistakes.clone().into())
}

impl Story<BurstStimulus> {
    /// Inputs, outputs and all that is said of it.
    ///
    /// # Errors
    /// None: the stimulus is a good one.
    pub fn vector(&self) -> Result<Vector<SmbAxi4>, StimulusError> {
        let case = Case::alone(self.stimulus.clone());
        let mut track = track_of::<SmbAxi4>(&case, 0, &Parameters::DEFAULT)?;
        track.inputs.iter_mut().for_each(quiet);
        let expect = expect::<SmbAxi4>(SmbAxi4::shape(), &track);
        let about = self.about("smb_axi4");
        Ok(Vector { about, parameters: Parameters::DEFAULT, expect, track })
    }
}

/// Sets don't-care inputs to 0: files stay small. The lockstep puts noise on them.
fn quiet(i: &mut Inputs) {
    if !i.s_axi.awvalid {
        (i.s_axi.awid, i.s_axi.awaddr, i.s_axi.awlen) = (0, 0, 0);
        (i.s_axi.awsize, i.s_axi.awburst) = (0, 0);
    }
    if !i.s_axi.wvalid {
        (i.s_axi.wdata, i.s_axi.wstrb, i.s_axi.wlast) = (0, 0, false);
    }
    if !i.s_axi.arvalid {
        (i.s_axi.arid, i.s_axi.araddr, i.s_axi.arlen) = (0, 0, 0);
        (i.s_axi.arsize, i.s_axi.arburst) = (0, 0);
    }
    if !i.s_axis.tvalid {
        (i.s_axis.tdata, i.s_axis.tkeep) = (0, 0);
        (i.s_axis.tlast, i.s_axis.tuser) = (false, false);
    }
}

/// Answers that a host gets in a run of these inputs and outputs, in the form of
/// [`Story::answers`].
pub fn answers<'a>(cycles: impl IntoIterator<Item = (&'a Inputs, Outputs)>) -> Vec<String> {
    let mut all = Vec::new();
    for (i, o) in cycles {
        if o.s_axi.bvalid && i.s_axi.bready && o.s_axi.bresp != 0 {
            all.push("slverr".into());
        }
        if o.s_axi.rvalid && i.s_axi.rready {
            let word = format!("{:08x}", o.s_axi.rdata);
            all.push(if o.s_axi.rresp == 0 { word } else { "slverr".into() });
        }
    }
    all
}
