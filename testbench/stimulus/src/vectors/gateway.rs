// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vectors of a gateway between two rings: `vectors/gateway`. Ring b has 15 cycles in the time of 16 of ring a: files stay small.

use crate::StimulusError;
use crate::gateway::Sides;
use crate::machine::Machine as _;
use crate::place::FileErrors;
use crate::vector::{self, Vector, expect, track_of};
use crate::vectors::board::golden::quiet;
use crate::vectors::board::{difference, host_answer};
use crate::vectors::story::{self, Story};
use awgstar::rtl::{Parameters, RingGateway, ring_gateway};
use std::path::Path;
use std::sync::LazyLock;

/// Folder below `vectors/`.
pub const FOLDER: &str = "gateway";

/// All of them.
///
/// # Errors
/// Mistakes in the file of stories.
pub fn all() -> Result<&'static [Story<Sides>], StimulusError> {
    static ALL: LazyLock<Result<Vec<Story<Sides>>, FileErrors>> = LazyLock::new(story::gateways);
    ALL.as_deref().map_err(|mistakes| mistakes.clone().into())
}

impl Story<Sides> {
    /// Inputs, outputs and all that is said of it.
    ///
    /// # Errors
    /// None: the stimulus is a good one.
    pub fn vector(&self) -> Result<Vector<RingGateway>, StimulusError> {
        let case = self.stimulus.case(|step| [true, step % 16 != 15]);
        let mut track = track_of::<RingGateway>(&case, 0, &Parameters::DEFAULT)?;
        for i in &mut track.inputs {
            quiet(&mut i.a_axi, &mut i.a_in);
            quiet(&mut i.b_axi, &mut i.b_in);
        }
        let expect = expect::<RingGateway>(RingGateway::shape(), &track);
        let about = self.about("ring_gateway");
        Ok(Vector { about, parameters: Parameters::DEFAULT, expect, track })
    }
}

/// Answers that both hosts of a gateway of the model get on these inputs, those of ring a first, in the form of
/// [`Story::answers`].
#[must_use]
pub fn answers(inputs: &[ring_gateway::Inputs]) -> Vec<String> {
    let mut model = RingGateway::default();
    let mut all = [Vec::new(), Vec::new()];
    for i in inputs {
        let o = model.outputs(i);
        let of_a = host_answer(&i.a_axi, &o.a_axi).filter(|_| i.a_clk && !i.a_rst);
        let of_b = host_answer(&i.b_axi, &o.b_axi).filter(|_| i.b_clk && !i.b_rst);
        all[0].extend(of_a.map(|answer| format!("a {answer}")));
        all[1].extend(of_b.map(|answer| format!("b {answer}")));
        model.clock(i);
    }
    all.concat()
}

/// Checks the vectors in `folder`, that of the gateway below `vectors`: the model plays each, the hosts must get the
/// answers in `vector.toml`, and the outputs must be those of `expect.hex`. Returns the number of vectors and the
/// errors.
#[must_use]
pub fn check(folder: &Path) -> (usize, Vec<String>) {
    let folders = vector::list(folder);
    let wrong = |folder: &std::path::PathBuf| {
        let name = folder.display();
        let vector = match Vector::<RingGateway>::load(folder) {
            Ok(vector) => vector,
            Err(error) => return Some(error.to_string()),
        };
        if let Some(cycle) = vector.drift() {
            return Some(format!("{name}: step {cycle}: the model does not give expect.hex"));
        }
        let found = answers(&vector.track.inputs);
        difference("answer", &vector.about.answers, &found).map(|text| format!("{name}: {text}"))
    };
    (folders.len(), folders.iter().filter_map(wrong).collect())
}
