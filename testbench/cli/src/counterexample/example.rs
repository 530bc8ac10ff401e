// SPDX-License-Identifier: MIT OR Apache-2.0
//! A counterexample of whatever protocol, for who wants to see it.

use crate::counterexample::vector::Player;
use crate::counterexample::{CASES, Case, CounterexampleError, Found, Replay, Vector, paging};
use std::{io, path::Path};

/// One of them.
#[derive(Clone, Copy, Debug)]
pub enum Example {
    /// Of a lock or barrier.
    Protocol(&'static Case),
    /// Of the virtual shared memory.
    Paging(&'static paging::Case),
}

/// A counterexample, found and replayed.
pub enum Shown {
    /// Of a lock or barrier: run, file and what was replayed.
    Protocol(Found, Box<Vector>, Box<Replay>),
    /// Of the virtual shared memory: run, file and what was played.
    Paging(paging::Found, Box<Vector>, Box<paging::Play>),
}

impl From<&'static Case> for Example {
    fn from(case: &'static Case) -> Self {
        Example::Protocol(case)
    }
}

impl From<&'static paging::Case> for Example {
    fn from(case: &'static paging::Case) -> Self {
        Example::Paging(case)
    }
}

impl Example {
    /// All.
    pub fn all() -> impl Iterator<Item = Example> {
        let paging = paging::CASES.iter().map(Example::Paging);
        CASES.iter().map(Example::Protocol).chain(paging)
    }

    /// The one of this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<Example, CounterexampleError> {
        let error = || CounterexampleError::Name { found: name.into() };
        Example::all().find(|one| one.name() == name).ok_or_else(error)
    }

    /// Name of the counterexample and of its files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Example::Protocol(case) => case.name,
            Example::Paging(case) => case.name,
        }
    }

    /// Folder of its vector below `vectors/`.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Example::Protocol(_) => crate::counterexample::FOLDER,
            Example::Paging(_) => paging::FOLDER,
        }
    }

    /// Behaviour that the counterexample shows.
    #[must_use]
    pub const fn why(self) -> &'static str {
        match self {
            Example::Protocol(case) => case.why,
            Example::Paging(case) => case.why,
        }
    }

    /// Protocol and variant in words.
    #[must_use]
    pub fn protocol(self) -> String {
        match self {
            Example::Protocol(case) => case.protocol().into(),
            Example::Paging(case) => case.protocol(),
        }
    }

    /// Description of the violated property.
    #[must_use]
    pub const fn breaks(self) -> &'static str {
        match self {
            Example::Protocol(case) => case.breaks(),
            Example::Paging(case) => case.breaks(),
        }
    }

    /// Fresh state machines.
    pub(super) fn player(self) -> Box<dyn Player> {
        match self {
            Example::Protocol(case) => Box::new(Replay::new(case)),
            Example::Paging(case) => Box::new(paging::Play::new(case)),
        }
    }

    /// Looks for the shortest run, and replays it.
    ///
    /// # Errors
    /// If nothing breaks, or a replay does something else.
    pub fn find(self) -> Result<Shown, CounterexampleError> {
        match self {
            Example::Protocol(case) => {
                let found = case.find()?;
                let (vector, replay) = found.vector().map_err(CounterexampleError::Replay)?;
                Ok(Shown::Protocol(found, Box::new(vector), Box::new(replay)))
            }
            Example::Paging(case) => {
                let found = case.find()?;
                let (vector, play) = found.vector().map_err(CounterexampleError::Replay)?;
                Ok(Shown::Paging(found, Box::new(vector), Box::new(play)))
            }
        }
    }
}

impl Shown {
    /// The run as text: a line for each step.
    #[must_use]
    pub fn listing(&self) -> String {
        match self {
            Shown::Protocol(found, ..) => found.listing(),
            Shown::Paging(found, ..) => found.listing(),
        }
    }

    /// The text of its vector.
    #[must_use]
    pub fn vector(&self) -> String {
        match self {
            Shown::Protocol(_, vector, _) | Shown::Paging(_, vector, _) => vector.text(),
        }
    }

    /// Space-time diagram.
    #[must_use]
    pub fn picture(&self) -> String {
        match self {
            Shown::Protocol(found, _, replay) => found.picture(replay),
            Shown::Paging(found, _, play) => play.picture(found.case),
        }
    }

    /// Writes a VCD and its save file, both called by the name that is given back.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn waves(&self, folder: &Path) -> io::Result<&'static str> {
        match self {
            Shown::Protocol(found, _, replay) => found.waves(replay, folder).map(|()| "firmware"),
            Shown::Paging(found, _, play) => play.waves(found.case, folder).map(|()| "paging"),
        }
    }
}
