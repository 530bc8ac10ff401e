// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stall rule: a run has stalled only if its state says that no request can be answered any more.
//!
//! A machine describes its state as a [`Machine`]; [`Judge`] decides.
//! No time is a reason to end a run: a computation, a long fibre or a repaired cut may take any time.
//!
//! A machine that polls, or moves through the same states again and again, counts *rounds*: in a round all that
//! polls has looked once. Its state has returned after a round in which nothing was in flight, so every later round
//! is the same.

/// What the open requests of the live processes need to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// There is none.
    None,
    /// One of them ends by itself: a computation, an access, a wait with a limit.
    Ends,
    /// All wait for others.
    Waits,
}

/// A machine with processes, as far as the rule looks at it.
pub trait Machine {
    /// State that has returned when nothing can change.
    type Shape: Eq;

    /// The open requests of the live processes.
    fn open(&self) -> Open;
    /// Something is under way that may still change the state.
    fn in_flight(&self) -> bool;
    /// Something that is known to come can help: the end of a cut or of a reset.
    fn helps_later(&self) -> bool;
    /// Rounds so far; `None` if nothing polls.
    fn rounds(&self) -> Option<u64>;
    /// The state, while nothing is in flight.
    fn shape(&self) -> Self::Shape;
}

/// State of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A request may still be answered.
    Runs,
    /// No process waits, and nothing is under way.
    Over,
    /// Processes wait, and no request can be answered any more.
    Stalled,
}

/// A state that is compared with later ones.
#[derive(Clone, Debug)]
struct Kept<S> {
    shape: S,
    /// Round in which nothing was in flight first.
    first: u64,
    /// Round of the state.
    at: u64,
}

/// Applies the rule to one run.
#[derive(Clone, Debug)]
pub struct Judge<S> {
    kept: Option<Kept<S>>,
}

impl<S> Default for Judge<S> {
    fn default() -> Self {
        Judge { kept: None }
    }
}

/// Rounds after which a state has been through a whole one: it may have been kept in the middle of the first.
const WHOLE: u64 = 2;

impl<S: Eq> Judge<S> {
    /// Judges the machine as it is now. Call it often: after each event, or at intervals.
    pub fn judge(&mut self, machine: &impl Machine<Shape = S>) -> Verdict {
        let open = machine.open();
        if open == Open::Ends || machine.in_flight() || machine.helps_later() {
            self.kept = None;
            return Verdict::Runs;
        }
        if open == Open::None {
            return Verdict::Over;
        }
        let Some(now) = machine.rounds() else { return Verdict::Stalled };
        let shape = machine.shape();
        let first = match &self.kept {
            Some(kept) if now >= kept.at + WHOLE && kept.shape == shape => return Verdict::Stalled,
            // A cycle of states may be long: each state is kept for twice as long as the one before.
            Some(kept) if now < 2 * kept.at - kept.first + 2 * WHOLE => return Verdict::Runs,
            Some(kept) => kept.first,
            None => now,
        };
        self.kept = Some(Kept { shape, first, at: now });
        Verdict::Runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy)]
    struct Toy {
        open: Open,
        in_flight: bool,
        helps_later: bool,
        rounds: Option<u64>,
        shape: u64,
    }

    const WAITS: Toy =
        Toy { open: Open::Waits, in_flight: false, helps_later: false, rounds: None, shape: 0 };

    impl Machine for Toy {
        type Shape = u64;
        fn open(&self) -> Open {
            self.open
        }
        fn in_flight(&self) -> bool {
            self.in_flight
        }
        fn helps_later(&self) -> bool {
            self.helps_later
        }
        fn rounds(&self) -> Option<u64> {
            self.rounds
        }
        fn shape(&self) -> u64 {
            self.shape
        }
    }

    /// The first of these states that is judged as anything but running, and the verdict.
    fn first(toys: impl IntoIterator<Item = Toy>) -> Option<(usize, Verdict)> {
        let mut judge = Judge::default();
        let verdicts = toys.into_iter().map(|toy| judge.judge(&toy));
        verdicts.enumerate().find(|(_, verdict)| *verdict != Verdict::Runs)
    }

    #[test]
    fn each_reason_to_go_on() {
        assert_eq!(first([WAITS]), Some((0, Verdict::Stalled)));
        for runs in [
            Toy { open: Open::Ends, ..WAITS },
            Toy { in_flight: true, ..WAITS },
            Toy { helps_later: true, ..WAITS },
            Toy { open: Open::None, in_flight: true, ..WAITS },
            Toy { open: Open::None, helps_later: true, ..WAITS },
        ] {
            assert_eq!(first(std::iter::repeat_n(runs, 1000)), None);
        }
        assert_eq!(first([Toy { open: Open::None, ..WAITS }]), Some((0, Verdict::Over)));
    }

    /// A state that has not been through a whole round proves nothing.
    #[test]
    fn a_poll_that_has_not_looked_may_find_something() {
        let polls = |n: u64| Toy { rounds: Some(n), ..WAITS };
        assert_eq!(first([polls(7), polls(7), polls(8), polls(8)]), None);
        assert_eq!(first([polls(7), polls(8), polls(9)]), Some((2, Verdict::Stalled)));
        // A frame in between begins the count anew, and so does an answer.
        for between in [Toy { in_flight: true, ..polls(8) }, Toy { open: Open::Ends, ..polls(8) }] {
            assert_eq!(first([polls(7), between, polls(9), polls(10)]), None);
        }
    }

    #[test]
    fn cycles_of_any_length_are_found_and_counters_go_on() {
        for length in [1, 2, 3, 7, 64, 1000] {
            // The first states do not return.
            let shape = |n: u64| if n < 50 { length + n } else { n % length };
            let cycle = |n: u64| Toy { rounds: Some(1_000_000 + n), shape: shape(n), ..WAITS };
            let (at, verdict) = first((0..100_000).map(cycle)).unwrap();
            assert_eq!(verdict, Verdict::Stalled);
            assert!((at as u64) < 6 * length + 250, "{length}: {at}");
        }
        let counts = |n: u64| Toy { rounds: Some(n), shape: n, ..WAITS };
        assert_eq!(first((0..100_000).map(counts)), None);
    }
}
