// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cycles of the link clock in nanoseconds, and back.

use super::limits::CLOCK_HZ;
use crate::quantity::{Cycle, Nanoseconds, narrow};

const NS_PER_S: u128 = 1_000_000_000;

impl Cycle {
    /// Whole nanoseconds of so many cycles of the link clock.
    ///
    /// ```
    /// use awgstar_frame::quantity::{Cycle, Nanoseconds};
    /// assert_eq!(Cycle(3).to_nanoseconds(), Nanoseconds(44));
    /// ```
    #[must_use]
    pub fn to_nanoseconds(self) -> Nanoseconds {
        Nanoseconds(narrow(u128::from(self.0) * NS_PER_S / u128::from(CLOCK_HZ)))
    }

    /// [`Cycle::to_nanoseconds`], rounded up.
    #[must_use]
    pub fn to_nanoseconds_ceil(self) -> Nanoseconds {
        Nanoseconds(narrow((u128::from(self.0) * NS_PER_S).div_ceil(u128::from(CLOCK_HZ))))
    }
}

impl Nanoseconds {
    /// Whole cycles of the link clock in this time.
    ///
    /// ```
    /// use awgstar_frame::quantity::{Cycle, Nanoseconds};
    /// assert_eq!(Nanoseconds(44).to_cycles(), Cycle(2));
    /// assert_eq!(Nanoseconds(44).to_cycles_ceil(), Cycle(3));
    /// ```
    #[must_use]
    pub fn to_cycles(self) -> Cycle {
        Cycle(narrow(u128::from(self.0) * u128::from(CLOCK_HZ) / NS_PER_S))
    }

    /// [`Nanoseconds::to_cycles`], rounded up.
    #[must_use]
    pub fn to_cycles_ceil(self) -> Cycle {
        Cycle(narrow((u128::from(self.0) * u128::from(CLOCK_HZ)).div_ceil(NS_PER_S)))
    }
}
