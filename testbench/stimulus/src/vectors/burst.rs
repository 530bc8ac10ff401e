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
    if !i.s_axi_awvalid {
        (i.s_axi_awid, i.s_axi_awaddr, i.s_axi_awlen) = (0, 0, 0);
        (i.s_axi_awsize, i.s_axi_awburst) = (0, 0);
    }
    if !i.s_axi_wvalid {
        (i.s_axi_wdata, i.s_axi_wstrb, i.s_axi_wlast) = (0, 0, false);
    }
    if !i.s_axi_arvalid {
        (i.s_axi_arid, i.s_axi_araddr, i.s_axi_arlen) = (0, 0, 0);
        (i.s_axi_arsize, i.s_axi_arburst) = (0, 0);
    }
    if !i.s_axis_tvalid {
        (i.s_axis_tdata, i.s_axis_tkeep) = (0, 0);
        (i.s_axis_tlast, i.s_axis_tuser) = (false, false);
    }
}

/// Answers that a host gets in a run of these inputs and outputs, in the form of
/// [`Story::answers`].
pub fn answers<'a>(cycles: impl IntoIterator<Item = (&'a Inputs, Outputs)>) -> Vec<String> {
    let mut all = Vec::new();
    for (i, o) in cycles {
        if o.s_axi_bvalid && i.s_axi_bready && o.s_axi_bresp != 0 {
            all.push("slverr".into());
        }
        if o.s_axi_rvalid && i.s_axi_rready {
            let word = format!("{:08x}", o.s_axi_rdata);
            all.push(if o.s_axi_rresp == 0 { word } else { "slverr".into() });
        }
    }
    all
}
