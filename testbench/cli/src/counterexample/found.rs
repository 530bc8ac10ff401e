// SPDX-License-Identifier: MIT OR Apache-2.0
//! Search for the run of a case.

use crate::counterexample::CounterexampleError;
use crate::counterexample::catalogue::{Case, Use};
use crate::counterexample::replay::Replay;
use crate::counterexample::vector::{Frames, Playback, Vector};
use awgstar::{
    check::{Network, Profile, Property, Step, explore, find, listing},
    firmware::Firmware,
};

/// Enough for every case.
const STATES: usize = 1_500_000;

/// A run that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Case of the run.
    pub case: &'static Case,
    /// Steps of the run.
    pub steps: Vec<Step>,
}

impl Found {
    /// The run as a vector, replayed on fresh state machines.
    ///
    /// # Errors
    /// If the state machines do not do in a replay what they did in the run.
    pub fn vector(&self) -> Result<(Vector, Replay), String> {
        let (mut frames, mut replay) = (Frames::default(), Replay::new(self.case));
        let mut steps = Vec::new();
        for (number, step) in self.steps.iter().enumerate() {
            let mut step = replay.vector_step(step, &mut frames);
            let mut playback = Playback::new(self.case.name, &mut replay, number);
            step.actions = playback.step(&step, &mut frames)?;
            steps.push(step);
        }
        let case = self.case;
        let again = case.settings.profile == Profile::Acknowledged;
        let vector = Vector {
            schema_version: 1,
            name: case.name.into(),
            protocol: case.protocol().into(),
            why: case.why.into(),
            breaks: case.breaks().into(),
            nodes: case.settings.nodes,
            pages: None,
            room: None,
            boards_send: if again { "again" } else { "once" }.into(),
            frames: frames.0,
            steps,
            goes_on: None,
            circles: None,
        };
        Ok((vector, replay))
    }

    /// The run as text: a line for each step.
    #[must_use]
    pub fn listing(&self) -> String {
        listing(&self.steps, self.case.settings.nodes)
    }
}

impl Case {
    /// Looks for the shortest run.
    ///
    /// # Errors
    /// If nothing breaks.
    pub fn find(&'static self) -> Result<Found, CounterexampleError> {
        struct Look(Option<Property>);
        impl Use for Look {
            type Out = Option<Vec<Step>>;
            fn with<F: Firmware + 'static>(self, network: &Network<F>) -> Self::Out {
                match self.0 {
                    Some(property) => find(network, STATES, property),
                    None => explore(network, STATES).stuck,
                }
            }
        }
        let steps = self.run(Look(self.breaks));
        let steps = steps.ok_or(CounterexampleError::Holds { name: self.name })?;
        Ok(Found { case: self, steps })
    }
}
