// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every run of messages on a one-way ring of gateways with bounded buffers.

use super::push;
use crate::station::{Parcel, Station};
use awgstar_sync::check::Step;
use awgstar_sync::check::explore::{Checkable, Next};
use std::fmt;

/// A ring of gateways, and the messages that each has to send.
#[derive(Clone, Debug)]
pub struct Stations {
    pub parcels: Vec<Vec<Parcel>>,
    pub slots: usize,
    pub keeps_free: bool,
}

/// A state of the ring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    stations: Vec<Station>,
    sent: Vec<usize>,
    arrived: usize,
}

/// What happens in a step.
#[derive(Clone, Copy, Debug)]
pub enum What {
    Sends(Parcel),
    PassesOn(Parcel),
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Sends(parcel) => write!(f, "has a message for {}", parcel.to),
            What::PassesOn(parcel) => write!(f, "passes on a message for {}", parcel.to),
        }
    }
}

impl Checkable for Stations {
    type State = State;
    type Step = Step<What>;
    type Property = ();

    fn start(&self) -> State {
        let count = self.parcels.len();
        let stations = vec![Station::new(self.slots, self.keeps_free); count];
        State { stations, sent: vec![0; count], arrived: 0 }
    }

    fn steps(&self, state: &State, next: &mut Vec<Next<Self>>) {
        for at in 0..self.parcels.len() {
            if let Some(&parcel) = self.parcels[at].get(state.sent[at]) {
                let mut after = state.clone();
                if after.stations[at].take(parcel, true) {
                    after.sent[at] += 1;
                    push(next, (at, Some(0)), What::Sends(parcel), after);
                }
            }
            let Some(parcel) = state.stations[at].front() else { continue };
            let (to, mut after) = ((at + 1) % self.parcels.len(), state.clone());
            let moves = parcel.to == to || after.stations[to].take(parcel, false);
            if moves {
                after.arrived += usize::from(parcel.to == to);
                after.stations[at].leaves();
                push(next, (at, Some(1)), What::PassesOn(parcel), after);
            }
        }
    }

    fn broken(&self, _state: &State) -> Option<()> {
        None
    }

    fn done(&self, state: &State) -> bool {
        state.arrived == self.parcels.iter().map(Vec::len).sum::<usize>()
    }

    fn describe(&self, step: &mut Step<What>, after: &State) {
        step.after = format!("{} in its buffer", after.stations[step.node].len());
    }
}
