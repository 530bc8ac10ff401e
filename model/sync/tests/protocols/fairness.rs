// SPDX-License-Identifier: MIT OR Apache-2.0
//! The check for livelocks, on small systems whose answers were found by hand and by trying all sets
//! of states.

use awgstar_sync::check::{
    Checkable, Lasso, Report,
    explore::{Next, explore},
};
use std::collections::BTreeSet;

type State = u8;
/// From, action, to.
type Edge = (State, Option<u16>, State);

/// A fault.
const F: Option<u16> = None;
const A: Option<u16> = Some(0);
const B: Option<u16> = Some(1);
/// Actions have numbers with gaps.
const C: Option<u16> = Some(700);
const END: State = 9;

/// A system that is a list of its steps; the start is state 0.
#[derive(Debug)]
struct Small<'a>(&'a [Edge]);

impl Checkable for Small<'_> {
    type State = State;
    type Step = Edge;
    type Property = ();

    fn start(&self) -> State {
        0
    }

    fn steps(&self, state: &State, next: &mut Vec<Next<Self>>) {
        let mine = self.0.iter().filter(|edge| edge.0 == *state);
        next.extend(mine.map(|&step| Next { step, state: step.2, action: step.1 }));
    }

    fn broken(&self, _: &State) -> Option<()> {
        None
    }

    fn done(&self, state: &State) -> bool {
        *state == END
    }
}

fn found(edges: &[Edge]) -> Report<(), Edge> {
    let report = explore(&Small(edges), 1000);
    assert!(report.exhausted);
    report
}

/// All fair runs end, and so the end can be reached from each state.
fn ends(edges: &[Edge]) {
    let report = found(edges);
    assert_eq!((report.livelock.clone(), report.stuck.clone()), (None, None), "{edges:?}");
    assert!(report.holds());
}

/// The states of the lasso, cycle last; the end can be reached from each state, or not.
fn livelock(edges: &[Edge], prefix: &[State], cycle: &[State], stuck: bool) {
    let report = found(edges);
    assert!(!report.holds());
    let lasso = report.livelock.expect("a livelock");
    let froms = |run: &[Edge]| run.iter().map(|edge| edge.0).collect::<Vec<_>>();
    assert_eq!((froms(&lasso.prefix).as_slice(), froms(&lasso.cycle).as_slice()), (prefix, cycle));
    assert_eq!(report.stuck.is_some(), stuck);
}

#[test]
fn an_action_that_is_enabled_from_time_to_time_is_taken() {
    // Weak fairness would let it circle: B is not enabled all the time.
    ends(&[(0, A, 1), (1, A, 0), (1, B, END)]);
    // The same with a timer, which may run out only in state 1.
    ends(&[(0, A, 1), (1, A, 2), (2, A, 0), (1, C, END)]);
    // All the time.
    ends(&[(0, A, 0), (0, B, END)]);
}

#[test]
fn polling_without_an_end_is_a_cycle() {
    livelock(&[(0, A, 1), (1, A, 2), (2, A, 1)], &[0], &[1, 2], true);
    // A step that changes nothing is a cycle too.
    livelock(&[(0, A, 1), (1, B, 1)], &[0], &[1], true);
    // A deadlock is none; it is stuck.
    let report = found(&[(0, A, 1)]);
    assert_eq!((report.livelock, report.stuck), (None, Some(Vec::new())));
}

#[test]
fn an_action_may_choose_the_cycle_each_time() {
    // The end can be reached, but nothing has to choose it.
    livelock(&[(0, A, 0), (0, A, END)], &[], &[0], false);
    livelock(&[(0, A, 1), (1, B, 0), (1, B, END)], &[], &[0, 1], false);
    // A timer that asks again, and an answer that is lost in the same way each time.
    livelock(&[(0, C, 1), (1, A, 2), (2, B, 0), (2, B, END)], &[], &[0, 1, 2], false);
}

#[test]
fn faults_need_not_happen_and_make_no_cycle() {
    // Only a fault leads out.
    livelock(&[(0, A, 0), (0, F, END)], &[], &[0], true);
    // Only a fault leads in.
    livelock(&[(0, A, END), (0, F, 1), (1, B, 1), (1, B, END)], &[0], &[1], false);
    // A cycle that needs a fault in each turn.
    ends(&[(0, A, 1), (1, F, 0), (1, B, END)]);
    ends(&[(0, F, 0), (0, A, END)]);
}

#[test]
fn states_that_enable_a_neglected_action_are_removed_in_rounds() {
    // C leads out of 2; without 2, B is neglected in 1; what is left is no cycle.
    let rounds = [(0, A, 1), (1, A, 0), (1, B, 2), (2, B, 1), (2, C, END)];
    ends(&rounds);
    // A run can stay in 0 where that does not enable B.
    livelock(&[&rounds[..], &[(0, A, 0)]].concat(), &[], &[0], false);
    // In a part of the component that is not the first one.
    let part = [(0, A, 1), (1, A, 0), (0, B, 2), (2, A, 3), (3, A, 2), (3, A, 0), (0, C, END)];
    livelock(&part, &[0], &[2, 3], false);
}

#[test]
fn a_cycle_takes_all_that_its_states_enable() {
    // Two loops through 0, of actions A and B: a fair run takes both.
    let both = [(0, A, 1), (1, A, 0), (0, B, 2), (2, B, 0), (2, A, 2)];
    let report = found(&both);
    let Some(Lasso { prefix, cycle }) = report.livelock else { panic!("a livelock") };
    assert_eq!(prefix, []);
    assert!(fair(&both, &cycle), "{cycle:?}");
    assert!(cycle.len() <= 4, "{cycle:?}");
}

#[test]
fn a_cycle_through_the_end_is_none() {
    ends(&[(0, A, END), (END, A, 0)]);
}

#[test]
fn the_limit_does_not_hide_a_livelock_that_was_reached() {
    let endless: Vec<Edge> =
        (0..100).map(|at| (at, A, at + 1)).chain([(1, A, 1), (100, A, END)]).collect();
    let endless: Vec<Edge> = endless.into_iter().filter(|edge| edge.0 != END).collect();
    let report = explore(&Small(&endless), 5);
    assert!(!report.exhausted && report.stuck.is_none());
    assert_eq!(report.livelock.map(|lasso| lasso.cycle), Some(vec![(1, A, 1)]));
}

/// The steps of a cycle take each action that its states enable.
fn fair(edges: &[Edge], cycle: &[Edge]) -> bool {
    let taken: BTreeSet<u16> = cycle.iter().filter_map(|edge| edge.1).collect();
    let visited = |state| cycle.iter().any(|edge| edge.0 == state);
    edges
        .iter()
        .filter(|edge| visited(edge.0))
        .filter_map(|edge| edge.1)
        .all(|one| taken.contains(&one))
}

/// Steps from state 0 to each state, over all steps or over those that are meant.
fn distances(edges: &[Edge], from: State, meant: impl Fn(&Edge) -> bool) -> [Option<usize>; 10] {
    let mut steps = [None; 10];
    steps[usize::from(from)] = Some(0);
    for length in 1..10 {
        for edge in edges.iter().filter(|edge| meant(edge)) {
            let (at, to) = (usize::from(edge.0), usize::from(edge.2));
            if steps[at] == Some(length - 1) && steps[to].is_none() {
                steps[to] = Some(length);
            }
        }
    }
    steps
}

/// Every set of states is tried: the least distance of a set in which a fair run can stay.
fn tried(edges: &[Edge], states: State) -> Option<usize> {
    let reached = distances(edges, 0, |_| true);
    let sets = 1_u16..1 << states;
    let nearest = sets.filter_map(|set| {
        let has = |state: State| state < states && set >> state & 1 == 1;
        let inside = |edge: &Edge| edge.1.is_some() && has(edge.0) && has(edge.2);
        let members = || (0..states).filter(|state| has(*state));
        let taken: BTreeSet<_> =
            edges.iter().filter(|edge| inside(edge)).map(|edge| edge.1).collect();
        let all_taken = edges
            .iter()
            .filter(|edge| has(edge.0) && edge.1.is_some())
            .all(|edge| taken.contains(&edge.1));
        let connected = members().all(|from| {
            let steps = distances(edges, from, inside);
            members().all(|to| steps[usize::from(to)].is_some())
        });
        let distance = members().filter_map(|state| reached[usize::from(state)]).min();
        distance.filter(|_| all_taken && connected && !taken.is_empty())
    });
    nearest.min()
}

/// Numbers that look random, the same in every run (a linear congruential generator).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }

    fn one_of<T: Copy>(&mut self, some: &[T]) -> T {
        some[self.below(some.len())]
    }
}

#[test]
fn every_set_of_states_was_tried() {
    let mut random = Random(1);
    let (mut with, mut without) = (0, 0);
    for _ in 0..3000 {
        let count = 1 + random.below(15);
        let edges: Vec<Edge> = (0..count)
            .map(|_| {
                let from = random.one_of(&[0, 1, 2, 3, 4, 5]);
                (from, random.one_of(&[F, A, A, B, C]), random.one_of(&[0, 1, 2, 3, 4, 5, END]))
            })
            .collect();
        let report = found(&edges);
        let expected = tried(&edges, 6);
        assert_eq!(report.livelock.as_ref().map(|lasso| lasso.prefix.len()), expected, "{edges:?}");
        let Some(Lasso { prefix, cycle }) = report.livelock else {
            without += 1;
            continue;
        };
        with += 1;
        let run: Vec<Edge> = prefix.iter().chain(&cycle).copied().collect();
        assert!(run.iter().all(|edge| edges.contains(edge) && edge.0 != END), "{edges:?}");
        assert!(run.windows(2).all(|pair| pair[0].2 == pair[1].0) && run[0].0 == 0, "{edges:?}");
        assert_eq!(cycle[0].0, cycle[cycle.len() - 1].2, "{edges:?}");
        assert!(cycle.iter().all(|edge| edge.1.is_some()) && fair(&edges, &cycle), "{edges:?}");
    }
    assert!(with > 300 && without > 300, "{with} with a livelock, {without} without");
}
