// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waves of what is known as changes, in any order of signals.

use crate::waves::{Signal, Waves};
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// Time in the unit of the waves.
type Time = u64;

/// New value of a signal.
#[derive(Clone, Debug)]
pub enum Change {
    /// A number.
    Bits(u64),
    /// A text; blanks in it are written as `_`.
    Text(String),
}

/// Changes of signals by time.
#[derive(Debug, Default)]
pub struct Changes(BTreeMap<Time, Vec<(Signal, Change)>>);

impl Changes {
    /// At time 0 every number is 0 and every text is `-`.
    #[must_use]
    pub fn from_idle<W: Write>(waves: &Waves<W>) -> Changes {
        let mut changes = Changes::default();
        for (signal, text) in waves.signals() {
            let idle = if text { Change::Text("-".into()) } else { Change::Bits(0) };
            changes.put(0, signal, idle);
        }
        changes
    }

    /// The signal becomes this at `at`, after what was put for the same time before.
    pub fn put(&mut self, at: Time, signal: Signal, change: Change) {
        self.0.entry(at).or_default().push((signal, change));
    }

    /// Writes the changes from `window.0` to before `window.1`; values from before the window are
    /// written at its beginning.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write<W: Write>(mut self, waves: &mut Waves<W>, window: (Time, Time)) -> io::Result<()> {
        let later = self.0.split_off(&window.0);
        let before: BTreeMap<Signal, Change> = self.0.into_values().flatten().collect();
        waves.at(window.0)?;
        for (signal, change) in before {
            write(waves, signal, &change)?;
        }
        for (at, changes) in later.into_iter().take_while(|(at, _)| *at < window.1) {
            waves.at(at)?;
            for (signal, change) in changes {
                write(waves, signal, &change)?;
            }
        }
        waves.end(window.1)
    }
}

fn write<W: Write>(waves: &mut Waves<W>, signal: Signal, change: &Change) -> io::Result<()> {
    match change {
        Change::Bits(value) => waves.set_vector(signal, (*value).into()),
        Change::Text(text) => waves.say(signal, text),
    }
}
