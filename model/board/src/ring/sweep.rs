// SPDX-License-Identifier: MIT OR Apache-2.0
//! A ring of members of one kind, and one cycle of it. Members at rest are passed over.

use super::fibre::Word;
use super::member::{Member, Now, sealed};
use super::place::{Place, Rest};
use super::routes::Routes;
use super::scenario::{Cut, ScenarioError, Slow};
use crate::rtl::{RingNode, Smb, SmbAxi4};
use awgstar_frame::quantity::Cycle;

/// A ring in a run: of nodes, or of boards.
#[derive(Clone, Debug)]
pub struct Ring<M: Member = RingNode> {
    pub(super) members: Vec<M>,
    pub(super) places: Vec<Place<M::Host>>,
    /// Members that do not rest.
    awake: usize,
    pub(super) cuts: Vec<Cut>,
    pub(super) slow: Vec<Slow>,
    /// Once light has been turned or lost.
    pub(super) routes: Option<Box<Routes>>,
    pub(super) cycle: u64,
    /// Length of the run, where the scenario has one.
    pub(super) end: u64,
}

/// An observer: number, member, its inputs and its outputs just before the edge.
pub type Look<'a, M> = dyn FnMut(usize, &M, &<M as Member>::Inputs, &<M as Member>::Outputs) + 'a;

/// A member of a ring that can be run.
pub trait Swept: Member {
    #[doc(hidden)]
    fn step(ring: &mut Ring<Self>);
    #[doc(hidden)]
    fn step_observed(ring: &mut Ring<Self>, look: &mut Look<'_, Self>);
    #[doc(hidden)]
    fn step_skipping(ring: &mut Ring<Self>);
    #[doc(hidden)]
    fn run_until(ring: &mut Ring<Self>, end: u64);
}

/// What a ring is made from: [`Scenario`](super::Scenario), or [`BoardScenario`](super::BoardScenario).
pub trait Setting: sealed::Sealed {
    /// The ring's members.
    type Member: Member;

    /// A ring before its first cycle.
    ///
    /// # Errors
    /// If the scenario is invalid; the error names the first wrong entry.
    fn ring(&self) -> Result<Ring<Self::Member>, ScenarioError>;
}

impl<M: Member> Ring<M> {
    /// A ring before its first cycle.
    ///
    /// # Errors
    /// If the scenario is invalid; the error names the first wrong entry.
    pub fn new(scenario: &impl Setting<Member = M>) -> Result<Self, ScenarioError> {
        scenario.ring()
    }

    /// A ring before its first cycle.
    pub(super) fn of(all: impl Iterator<Item = (M, Place<M::Host>)>) -> Self {
        let (members, places): (Vec<M>, Vec<_>) = all.unzip();
        Ring {
            awake: members.len(),
            members,
            places,
            cuts: Vec::new(),
            slow: Vec::new(),
            routes: None,
            cycle: 0,
            end: u64::MAX,
        }
    }

    /// The cycle that [`Ring::step`] does next.
    pub fn cycle(&self) -> Cycle {
        Cycle(self.cycle)
    }

    /// The host of member `i`.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn host(&self, i: usize) -> &M::Host {
        &self.places[i].host
    }

    /// The word on the output of member `i`, as it is before the next edge. One that dies or loses its power keeps the
    /// last.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn leaving(&self, i: usize) -> Option<Word> {
        self.members[i].leaving()
    }

    /// Member `i` was passed over in the last cycle: what it reports has not changed.
    #[inline]
    pub fn is_skipped(&self, i: usize) -> bool {
        self.places[i].rest.until != 0
    }

    /// Member `i` with all its registers, to be changed from outside.
    pub(super) fn wake(&mut self, i: usize) -> (&mut M, &mut Place<M::Host>) {
        let (member, place) = (&mut self.members[i], &mut self.places[i]);
        if place.rest.wake(member, self.cycle) {
            self.awake += 1;
        }
        (member, place)
    }

    /// The same; `list` is for the error.
    pub(super) fn place(
        &mut self,
        list: &'static str,
        i: usize,
    ) -> Result<(&mut M, &mut Place<M::Host>), ScenarioError> {
        let nodes = self.places.len();
        if i < nodes {
            Ok(self.wake(i))
        } else {
            Err(ScenarioError::NoSuchNode { list, index: 0, nodes, found: i })
        }
    }

    /// A cycle of the members that are not at rest. With `EXACT` the registers of the others go on too; with `ALL`
    /// none rests, and `look` sees each just before its edge.
    #[inline]
    fn sweep<const EXACT: bool, const ALL: bool>(
        &mut self,
        look: &mut impl FnMut(usize, &M, &M::Inputs, &M::Outputs),
    ) {
        let (cycle, last) = (self.cycle, self.members.len() - 1);
        if !self.slow.is_empty() {
            // A word is on the output in the cycle after the edge that puts it there.
            for (i, place) in self.places.iter_mut().enumerate() {
                place.fibre.slow(Slow::late(&self.slow, i, cycle + 1));
            }
        }
        let turned = self.routes.is_some();
        if turned {
            self.gather();
        }
        let cuts = &self.cuts;
        let arrives = |place: &mut Place<M::Host>, i| {
            let word = place.fibre.pop(cycle);
            if cuts.is_empty() { word } else { word.filter(|_| !Cut::any(cuts, i, cycle)) }
        };
        // Members before this one have had their edge, but what they put on their output is meant for the next cycle
        // and waits in the fibre.
        let mut arriving = if turned { None } else { arrives(&mut self.places[last], last) };
        for (i, (member, place)) in self.members.iter_mut().zip(&mut self.places).enumerate() {
            let mut word = arriving;
            // The last link's word has been taken.
            arriving = if turned || i == last { None } else { arrives(place, i) };
            if let Some(routes) = &mut self.routes {
                word = routes.take(i);
            }
            if place.rest.until != 0 {
                if !ALL && place.rest.until > cycle && word.is_none() {
                    if EXACT {
                        place.rest.catch_up(member, cycle + 1);
                    }
                    continue;
                }
                place.rest.wake(member, cycle);
                self.awake += 1;
            }
            if place.dead_from <= cycle {
                if let Some(word) = word.filter(|_| !place.dark) {
                    place.fibre.push(cycle + 1, word);
                }
                place.rest = Rest::DEAD;
                self.awake -= 1;
                continue;
            }
            let now = Now { cycle, reset: cycle < place.reset_until, word };
            member.cycle::<ALL>(&mut place.host, now, |member, inputs, outputs| {
                look(i, member, inputs, outputs);
            });
            if let Some(word) = member.leaving() {
                if place.dark {
                    place.fibre.lose(word);
                } else {
                    place.fibre.push(cycle + 1, word);
                }
            }
            if !ALL && word.is_none() {
                if place.try_rest(member, cycle + 1) {
                    self.awake -= 1;
                }
            } else if M::CALM > 1 {
                place.calm = 0;
            }
        }
        self.cycle += 1;
    }

    /// First cycle in which something happens to a ring whose members all rest.
    fn next_event(&self) -> u64 {
        let arrivals = self.places.iter().filter_map(|place| place.fibre.next_arrival());
        let ends = self.places.iter().map(|place| place.rest.until);
        let light = self.routes.iter().filter_map(|routes| routes.next_event());
        arrivals.chain(ends).chain(light).min().unwrap_or(u64::MAX)
    }
}

/// What runs a ring is compiled, and optimised, in this crate only.
macro_rules! swept {
    ($($member:ty)*) => { $(
        impl Swept for $member {
            fn step(ring: &mut Ring<Self>) {
                ring.sweep::<true, false>(&mut |_, _, _, _| {});
            }

            fn step_observed(ring: &mut Ring<Self>, look: &mut Look<'_, Self>) {
                ring.sweep::<true, true>(&mut |i, member, inputs, outputs| look(i, member, inputs, outputs));
            }

            fn step_skipping(ring: &mut Ring<Self>) {
                ring.sweep::<false, false>(&mut |_, _, _, _| {});
            }

            fn run_until(ring: &mut Ring<Self>, end: u64) {
                while ring.cycle < end {
                    if ring.awake == 0 {
                        ring.cycle = ring.next_event().clamp(ring.cycle, end);
                        if ring.cycle == end {
                            break;
                        }
                    }
                    ring.sweep::<false, false>(&mut |_, _, _, _| {});
                }
            }
        }
    )* };
}
swept! { RingNode Smb SmbAxi4 }

impl<M: Swept> Ring<M> {
    /// One cycle of all members.
    pub fn step(&mut self) {
        M::step(self);
    }

    /// [`Ring::step`], with a look at every live member, its inputs and its outputs just before the edge.
    pub fn step_observed(&mut self, look: &mut Look<'_, M>) {
        M::step_observed(self, look);
    }

    /// One cycle. What counts cycles in members at rest lags until [`Ring::catch_up`].
    pub fn step_skipping(&mut self) {
        M::step_skipping(self);
    }

    /// Every register of every member is as it is in this cycle.
    pub fn catch_up(&mut self) {
        for (member, place) in self.members.iter_mut().zip(&mut self.places) {
            place.rest.catch_up(member, self.cycle);
        }
    }

    /// Steps until [`Ring::cycle`] is `end`: as [`Ring::step`], but members at rest cost nothing, and when all
    /// are, so does the time until something happens.
    pub fn run_until(&mut self, Cycle(end): Cycle) {
        M::run_until(self, end);
        self.catch_up();
    }

    /// Steps until `done`, for `cycles` cycles at most; says whether it was.
    pub fn run_until_done(&mut self, cycles: Cycle, mut done: impl FnMut(&Self) -> bool) -> bool {
        let end = self.cycle.saturating_add(cycles.0);
        while !done(self) {
            if self.cycle >= end {
                return false;
            }
            self.step();
        }
        true
    }
}
