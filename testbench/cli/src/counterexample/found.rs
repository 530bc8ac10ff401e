// SPDX-License-Identifier: MIT OR Apache-2.0
//! Search for the run of a case.

use crate::counterexample::CounterexampleError;
use crate::counterexample::catalogue::{Case, Use};
use crate::counterexample::replay::{Replay, replay};
use awgstar::{
    check::{Network, Property, Step, explore, find, listing},
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
    /// Event and actions of each step.
    pub replay: Replay,
}

impl Found {
    /// The run as text: a line for each step.
    #[must_use]
    pub fn listing(&self) -> String {
        listing(&self.steps, self.case.settings.nodes)
    }
}

impl Case {
    /// Looks for the shortest run, and replays it.
    ///
    /// # Errors
    /// If nothing breaks, or the state machines do not do in a replay what they did in the run.
    pub fn find(&'static self) -> Result<Found, CounterexampleError> {
        struct Look(Option<Property>);
        impl Use for Look {
            type Out = Option<Vec<Step>>;
            fn with<F: Firmware>(self, network: &Network<F>) -> Self::Out {
                match self.0 {
                    Some(property) => find(network, STATES, property),
                    None => explore(network, STATES).stuck,
                }
            }
        }
        let steps = self.run(Look(self.breaks));
        let steps = steps.ok_or(CounterexampleError::Holds { name: self.name })?;
        let replay = replay(self, &steps)?;
        Ok(Found { case: self, steps, replay })
    }
}
