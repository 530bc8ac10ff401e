// SPDX-License-Identifier: MIT OR Apache-2.0
//! `barrier_engine` and `engine_router` alone, model and Verilog in lockstep. Checks ENG-4, ENG-5, ENG-6.

use crate::fates::survivors;
use crate::link::{Tool, step::compared};
use awgstar::rtl::state::State;
use awgstar::rtl::{BarrierEngine, EngineRouter, Parameters, barrier_engine};
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::mutants::{Mutant, chosen, list_of, machines::Model, read};
use awgstar_simulator::{Sources, elaborate};
use awgstar_stimulus::Case;
use awgstar_stimulus::engine::{barriers, messages, sized, wrap};
use awgstar_stimulus::machine::Machine;
use std::path::PathBuf;

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every register, memory word and output in every cycle.
fn holds<M: Machine>(parameters: &Parameters, cases: &[Case<M>]) {
    let (hdl, out) = (repository().join("hdl"), repository().join("target/cosim"));
    let found = compared::<M>(Tool::Verilator, parameters, (&hdl, &out), cases);
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    assert!(found.is_empty(), "{}", found[0]);
}

/// What the stimuli of a barrier engine are there for.
#[derive(Debug, Default)]
struct Barriers {
    /// Passed when the last was counted, by the process' own arrival, by one in the next episode.
    passed: [u64; 3],
    /// Barriers that were passed.
    all: u8,
    /// Words in which a member was counted.
    words: u8,
    /// Episode 65,535 was passed.
    wraps: u64,
    /// A node that was counted before arrives again.
    again: u64,
    /// Arrivals of the episode before, and of none that is near.
    late: u64,
    strange: u64,
    /// Asked while waiting, and about the episode before.
    answers: [u64; 2],
    /// Questions, and those beyond the first word.
    questions: [u64; 2],
    /// An answer that left a question; a question that took the place of another or of an answer.
    kept: u64,
    replaced: u64,
    /// All eight slots wait.
    full: u64,
    /// Ticks while members are counted, messages dropped meanwhile, and walks begun anew.
    ticks: u64,
    dropped: u64,
    dirty: u64,
    /// Commands refused: the process waits, or the node takes no part.
    refused: [u64; 2],
    /// The board was switched off while a process waited.
    off: u64,
    /// Two messages, and a command with a message, in a row.
    rows: [u64; 2],
    /// Cycles that a message took at most.
    longest: u64,
}

impl Barriers {
    fn of(&mut self, case: &Case<BarrierEngine>) {
        use barrier_engine::{ADD, COUNT, IDLE, LOAD, SCAN};
        let mut engine = BarrierEngine::new(&case.parameters);
        let (mut since, mut last, mut gap) = (0, false, 0);
        for i in case.inputs() {
            let o = engine.outputs(i);
            let (b, bit) = (usize::from(engine.number_q), 1 << engine.number_q);
            let before = engine.clone();
            engine.clock(i);
            let passed = o.ev_passed;
            let waits = before.waiting_q & bit != 0;
            if passed {
                self.all |= bit;
                self.wraps += u64::from(before.episodes[b] == 0xffff);
            }
            // Without `ready` the router offers none.
            since = if i.msg_valid && o.ready && !i.rst { since + 1 } else { 0 };
            if o.msg_ready && i.msg_valid {
                self.longest = self.longest.max(since);
                since = 0;
            }
            match before.state_q {
                _ if i.rst => {}
                COUNT if !before.own_q => {
                    let jump = i.msg_tag != before.episodes[b];
                    self.passed[usize::from(jump) * 2] += u64::from(passed);
                    let place = b << 3 | usize::from(before.word_q);
                    let live = before.live_q >> place & 1 != 0;
                    let node = 1 << (i.msg_source & 31);
                    if !jump && before.member_q & node != 0 {
                        if live && before.heard_q & node != 0 {
                            self.again += 1;
                        } else {
                            self.words |= 1 << before.word_q;
                        }
                    }
                    let asked = i.msg_node == i.cfg_node_id;
                    let behind = before.episodes[b].wrapping_sub(i.msg_tag);
                    self.late += u64::from(behind == 1);
                    self.strange += u64::from(behind > 1 && behind < 0xffff);
                    self.answers[0] += u64::from(asked && !jump && waits);
                    self.answers[1] += u64::from(asked && behind == 1);
                    let answers = asked && (if jump { !passed } else { waits });
                    let question = before.queued_q & bit != 0 && before.asked[b] != i.cfg_node_id;
                    self.kept += u64::from(answers && question);
                    // Through idle and look, without a pause.
                    self.rows[usize::from(last)] += u64::from(gap == 2);
                }
                COUNT => {
                    self.passed[1] += u64::from(passed);
                    self.refused[usize::from(!waits)] += u64::from(o.cmd_error);
                }
                SCAN if engine.state_q == IDLE => {
                    self.questions[usize::from(before.word_q > 1)] += 1;
                    self.replaced += u64::from(before.queued_q & bit != 0);
                }
                LOAD | ADD => {
                    self.ticks += u64::from(i.tick);
                    self.dropped += u64::from(i.msg_valid);
                    self.dirty += u64::from(i.enable && before.dirty_q);
                }
                IDLE => self.off += u64::from(!i.enable && before.waiting_q != 0),
                _ => {}
            }
            self.full += u64::from(engine.queued_q == 0xff);
            gap += 1;
            if before.state_q == COUNT {
                (last, gap) = (before.own_q, 0);
            }
        }
    }

    /// Everything was reached, in an engine with this many words for each barrier.
    fn check(&self, words: u32) {
        println!("{self:?}");
        let Barriers { passed, answers, questions, refused, rows, .. } = self;
        let least = [
            passed[0],
            passed[1],
            passed[2],
            answers[0],
            answers[1],
            questions[0],
            refused[0],
            rows[0],
            rows[1],
            self.again,
            self.late,
            self.strange,
            self.kept,
            self.replaced,
            self.full,
            self.ticks,
            self.dropped,
            self.dirty,
            self.off,
        ];
        assert!(least.iter().all(|&count| count >= 3), "{least:?}");
        assert_eq!((self.all, self.words.count_ones()), (0xff, words));
        assert!(words == 1 || questions[1] > 0, "{self:?}");
        assert!(words == 8 || refused[1] > 0, "{self:?}");
        // ENG-5
        assert!((2..=14).contains(&self.longest), "{self:?}");
    }
}

#[test]
fn barrier_engine_is_its_model() {
    for (node_w, words) in [(2, 1), (5, 1), (6, 2), (8, 8)] {
        // The least and the most nodes.
        if !matches!(node_w, 2 | 8) && !crate::whole() {
            continue;
        }
        let cases: Vec<_> = (0..24).map(|seed| barriers(node_w, seed, 8000)).collect();
        let mut reached = Barriers::default();
        for case in &cases {
            reached.of(case);
        }
        reached.check(words);
        holds::<BarrierEngine>(&sized(node_w), &cases);
    }
}

#[test]
fn episodes_of_the_barrier_engine_wrap() {
    let case = wrap(8, false);
    let mut reached = Barriers::default();
    reached.of(&case);
    assert!(reached.wraps == 1 && reached.passed[1] > 65_536, "{reached:?}");
    holds::<BarrierEngine>(&sized(8), &[case]);
}

/// What the stimuli of a router are there for.
#[derive(Debug, Default)]
struct Messages {
    /// Taken, by kind.
    taken: [u64; 3],
    /// Taken while the mailbox was full.
    beside: u64,
    /// Locks and barriers of which a message was taken.
    numbers: [u16; 2],
    /// Kept for the mailbox: codes of the engine and not well formed, or not enabled.
    bad: u64,
    disabled: u64,
    /// Not well formed, with the mailbox full.
    lost: u64,
    /// Messages with other codes: committed, and stopped by a full mailbox.
    others: [u64; 2],
    /// Well formed, but the queue was full.
    overflow: u64,
    /// Written and never committed.
    dropped: u64,
    /// Frames of the engine before the engine was ready.
    early: u64,
}

impl Messages {
    fn of(&mut self, case: &Case<EngineRouter>) {
        let mut router = EngineRouter::new(&case.parameters);
        let mut open = false;
        for i in case.inputs() {
            let o = router.outputs(i);
            let before = router.clone();
            router.clock(i);
            if i.rst {
                open = false;
                continue;
            }
            if i.s_we && i.s_index == 0 {
                self.dropped += u64::from(open);
                self.early += u64::from(!i.ready && (4..=6).contains(&i.s_c_st));
                open = true;
            }
            open &= !i.s_commit;
            self.others[1] += u64::from(o.s_full && !i.s_we);
            if i.s_we && i.s_index == 6 && before.mine_q {
                let kind = usize::from(before.kind_q);
                let full = before.wr_q ^ before.rd_q == 4;
                let clean = before.good_q && i.s_data >> 16 == 0;
                if before.wr_q != router.wr_q {
                    self.taken[kind] += 1;
                    self.beside += u64::from(!before.room_q);
                    self.numbers[kind / 2] |= 1 << before.number_q;
                } else if !clean {
                    self.bad += 1;
                } else if full {
                    self.overflow += 1;
                } else {
                    self.disabled += 1;
                }
            }
            self.others[0] += u64::from(o.m_commit && !before.mine_q);
            self.lost += u64::from(o.ev_mail_full);
        }
    }

    fn check(&self) {
        println!("{self:?}");
        let [a, b, c] = self.taken;
        let least = [
            a,
            b,
            c,
            self.beside,
            self.bad,
            self.disabled,
            self.lost,
            self.others[0],
            self.others[1],
            self.overflow,
            self.dropped,
            self.early,
        ];
        assert!(least.iter().all(|&count| count >= 5), "{least:?}");
        assert_eq!(self.numbers, [0xffff, 0xff]);
    }
}

#[test]
fn engine_router_is_its_model() {
    let sizes = if crate::whole() { &[2, 5, 8][..] } else { &[2, 8] };
    for &node_w in sizes {
        let cases: Vec<_> = (0..12).map(|seed| messages(node_w, seed, 20_000)).collect();
        let mut reached = Messages::default();
        for case in &cases {
            reached.of(case);
        }
        reached.check();
        holds::<EngineRouter>(&sized(node_w), &cases);
    }
}

/// Without an engine nothing moves, and every message reaches the mailbox.
#[test]
fn without_an_engine() {
    let none = Parameters::DEFAULT;
    let barriers = barriers(8, 3, 4000).on(none);
    holds::<BarrierEngine>(&none, &[barriers]);
    let messages = messages(8, 3, 4000).on(none);
    let router = EngineRouter::new(&none);
    for i in messages.inputs() {
        let o = router.outputs(i);
        let through = (o.s_full, o.m_we, o.m_index, o.m_data, o.m_commit);
        assert_eq!(through, (i.m_full, i.s_we, i.s_index, i.s_data, i.s_commit));
        assert!(!o.l_msg_valid && !o.b_msg_valid && !o.ev_mail_full);
    }
    holds::<EngineRouter>(&none, &[messages]);
}

/// Ports, registers and memories have the same names and widths on both sides.
// checks LCK-2
#[test]
fn names_of_the_engine_agree() {
    for node_w in [0, 2, 8] {
        let set = sized(node_w);
        let layouts = [BarrierEngine::layout_of(&set), EngineRouter::layout_of(&set)];
        for layout in layouts {
            let verilog = elaborate::elaborate(&repository().join("hdl"), layout.module, &set)
                .unwrap_or_else(|error| panic!("{error}"));
            let found = elaborate::differences(&verilog, &layout);
            assert!(found.is_empty(), "NODE_W {node_w}: {found:#?}");
        }
    }
}

fn of(file: &str, list: &[Mutant]) -> Vec<Mutant> {
    list.iter().filter(|mutant| mutant.file == file).cloned().collect()
}

/// Every deliberate bug is found by the stimuli (LCK-3).
#[test]
fn no_mutant_of_the_engine_survives() {
    let list = chosen(&repository(), "engine-barrier", &Selection::from_env()).unwrap();
    let mut cases: Vec<_> = (0..10).map(|seed| barriers(8, seed, 6000)).collect();
    cases.push(wrap(8, true));
    let model = Model::new::<BarrierEngine>(Sources::of(&repository()), &cases).unwrap();
    let mut told = survivors(&of("barrier_engine.v", &list), &model).unwrap();
    let cases: Vec<_> = (0..6).map(|seed| messages(5, seed, 6000)).collect();
    let model = Model::new::<EngineRouter>(Sources::of(&repository()), &cases).unwrap();
    told.extend(survivors(&of("engine_router.v", &list), &model).unwrap());
    assert!(told.is_empty(), "{told:#?}");
}

#[test]
fn the_list_of_mutants_is_long_enough() {
    let list = read(&list_of(&repository(), "engine-barrier")).unwrap();
    for (file, least) in [("barrier_engine.v", 20), ("engine_router.v", 15)] {
        let count = of(file, &list).len();
        assert!(count >= least, "{file}: {count} mutants");
    }
}
