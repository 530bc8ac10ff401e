// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files are read, and replayed.

use crate::counterexample::Example;
use crate::counterexample::frames::decode;
use crate::counterexample::vector::{Frames, Playback, Vector};
use std::{fmt::Display, fs, path::Path};

impl Vector {
    /// Replays the file on fresh state machines of the published protocol; each message is decoded
    /// from its frame.
    ///
    /// # Errors
    /// The difference, and the step in which it occurs.
    pub fn replay(&self, case: impl Into<Example>) -> Result<(), String> {
        for frame in &self.frames {
            decode(frame)?;
        }
        let mut frames = Frames(self.frames.clone());
        let mut player = case.into().player();
        let mut playback = Playback::new(&self.name, &mut *player, 0);
        for step in self.steps.iter().chain(self.goes_on.iter().flatten()) {
            let found = playback.step(step, &mut frames)?;
            if found != step.actions {
                return Err(playback.at(&format!("expected {:?}, found {found:?}", step.actions)));
            }
        }
        player.end(self).map_err(|what| format!("{}: {what}", self.name))
    }
}

/// Checks the vectors in the folders of runs below `vectors`: each exists, and the state
/// machines of the published protocol do what it says. They are found, not generated: a folder that is not there
/// counts nothing. Returns their number and the errors.
#[must_use]
pub fn check(vectors: &Path) -> (usize, Vec<String>) {
    let (mut count, mut wrong) = (0, Vec::new());
    for one in Example::all() {
        let folder = vectors.join(one.folder());
        if folder.is_dir() {
            count += 1;
            wrong.extend(read(one, &folder.join(format!("{}.json", one.name()))).err());
        }
    }
    (count, wrong)
}

fn read(one: Example, path: &Path) -> Result<(), String> {
    let error = |e: &dyn Display| format!("{}: {e}", path.display());
    let text = fs::read_to_string(path).map_err(|e| error(&e))?;
    let vector: Vector = serde_json::from_str(&text).map_err(|e| error(&e))?;
    vector.replay(one).map_err(|e| error(&e))
}
