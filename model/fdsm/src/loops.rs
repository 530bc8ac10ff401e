// SPDX-License-Identifier: MIT OR Apache-2.0
//! Begin and end of a loop whose work is shared.

use crate::{places::Place, process::Process};
use awgstar_caller::wrong::Wrong;

impl Process {
    /// A loop begins here.
    pub(crate) fn begin_loop(&mut self) -> Result<(), Wrong> {
        if self.within.is_some() {
            return Err(Wrong::Order("within a loop: expected fdsm_after_loop before"));
        }
        self.within = Some(Place::of_caller());
        Ok(())
    }

    /// The barrier: all processes have what all have written before it.
    pub(crate) fn end_loop(&mut self) -> Result<(), Wrong> {
        let begin = self.within.take();
        self.coherent(Place::of_caller().after(begin).barrier())
    }

    pub(crate) fn outside_of_a_loop(&self) -> Result<(), Wrong> {
        match self.within {
            None => Ok(()),
            Some(_) => Err(Wrong::Order("within a loop: expected fdsm_after_loop before")),
        }
    }
}
