// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model checker on lock engines, and on rings with engines and firmware.

use crate::adapter::{Bug, Hardware};
use awgstar_frame::contract::Order::{self, Confirmed};
use awgstar_frame::quantity::NodeId;
use awgstar_sync::check::{Kind, Network, Property, Report, Settings, Step, explore, listing};
use awgstar_sync::firmware::lock::RingQueue;
use awgstar_sync::firmware::{Action, Event, Firmware};

/// An engine or firmware.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Machine {
    Hardware(Box<Hardware>),
    Firmware(RingQueue),
}

impl Firmware for Machine {
    fn step(&mut self, event: Event, actions: &mut Vec<Action>) {
        match self {
            Machine::Hardware(one) => one.step(event, actions),
            Machine::Firmware(one) => one.step(event, actions),
        }
    }

    fn summary(&self) -> String {
        match self {
            Machine::Hardware(one) => one.summary(),
            Machine::Firmware(one) => one.summary(),
        }
    }

    fn leads(&self) -> bool {
        match self {
            Machine::Hardware(one) => one.leads(),
            Machine::Firmware(one) => one.leads(),
        }
    }
}

/// A ring: nodes of `engines` have an engine, the others firmware.
#[derive(Clone, Copy)]
struct Ring {
    settings: Settings,
    first: u8,
    engines: u8,
    order: Order,
    bug: Bug,
}

impl Ring {
    fn network(self) -> Network<Machine> {
        let Ring { settings, first, engines, order, bug } = self;
        let machine = |node: u8, lock: u32| {
            if engines >> node & 1 != 0 {
                Machine::Hardware(Box::new(Hardware::new(node, lock, first, order, bug)))
            } else {
                Machine::Firmware(RingQueue::new(NodeId(node), lock, NodeId(first), order))
            }
        };
        let numbers = || (0..).step_by(settings.lock_step as usize).take(settings.locks);
        let locks = |node| numbers().map(|lock| machine(node, lock)).collect();
        Network { settings, machines: (0..).take(settings.nodes).map(locks).collect() }
    }

    fn explored(self, limit: usize) -> Report<Property, Step> {
        let started = std::time::Instant::now();
        let report = explore(&self.network(), limit);
        let s = &self.settings;
        let engines = (0..s.nodes).filter(|node| self.engines >> node & 1 != 0).count();
        let slow = match s.slow {
            0 => "-".into(),
            u32::MAX => "all".into(),
            bits => bits.trailing_zeros().to_string(),
        };
        println!(
            "{:6.2} s | {engines} of {} | {} | {} | {} | {} | {} | {slow} | {} | {} | {} | {} |{}",
            started.elapsed().as_secs_f32(),
            s.nodes,
            s.locks,
            s.rounds,
            s.losses,
            s.early,
            s.full,
            if s.data { "yes" } else { "-" },
            report.states,
            report.steps,
            report.depth,
            if s.descending { " descending" } else { "" },
        );
        report
    }

    fn holds(self, limit: usize) {
        let report = self.explored(limit);
        let nodes = self.settings.nodes;
        if let Some((property, run)) = report.broken.first() {
            panic!("{property:?} is broken:\n{}", listing(run, nodes));
        }
        if let Some(run) = &report.stuck {
            panic!("stuck:\n{}", listing(run, nodes));
        }
        if let Some(lasso) = &report.livelock {
            panic!(
                "{}\nthen for ever\n{}",
                listing(&lasso.prefix, nodes),
                listing(&lasso.cycle, nodes)
            );
        }
        assert!(report.holds(), "{} states, and more", report.states);
    }
}

const LIMIT: usize = 4_000_000;

fn base(nodes: usize) -> Settings {
    Settings { rest: true, unaided: true, ..Settings::new(Kind::Lock, nodes) }
}

fn engines(settings: Settings) -> Ring {
    let fair = settings.full == 0;
    let settings = Settings { fair, ..settings };
    Ring { settings, first: 0, engines: u8::MAX, order: Confirmed, bug: Bug::None }
}

/// The rows of the ring queue on boards that resend (docs/protocols-lock.md), without those of seconds.
fn rows() -> Vec<Ring> {
    let (two, three) = (Settings { rounds: 2, ..base(2) }, base(3));
    let four = Settings { callers: 0b1100, ..base(4) };
    let mut rows: Vec<Ring> = [
        two,
        Settings { losses: 2, ..two },
        Settings { losses: 1, early: 1, ..two },
        Settings { losses: 1, full: 1, ..two },
        Settings { slow: 1, ..two },
        Settings { slow: 1 << 1, losses: 1, ..two },
        Settings { locks: 2, ..three },
        Settings { losses: 1, ..three },
        Settings { full: 1, ..three },
        Settings { slow: 1 << 1, ..three },
        Settings { data: true, unaided: false, losses: 1, ..two },
        Settings { locks: 2, losses: 1, ..two },
        Settings { early: 1, ..three },
        Settings { data: true, unaided: false, losses: 1, ..three },
    ]
    .map(engines)
    .to_vec();
    let other = [
        Settings { descending: true, full: 1, ..three },
        Settings { slow: u32::MAX, losses: 1, ..base(2) },
        Settings { losses: 1, ..four },
        Settings { early: 1, ..four },
        Settings { full: 1, ..four },
    ];
    rows.extend(other.map(|s| Ring { first: 1, ..engines(s) }));
    rows
}

// checks ENG-1
#[test]
fn lock_engine_holds() {
    for ring in rows() {
        ring.holds(LIMIT);
    }
}

// checks ENG-1
#[test]
fn engines_and_firmware_hold_on_one_ring() {
    let (two, three) = (Settings { rounds: 2, ..base(2) }, base(3));
    for mask in [0b01, 0b10] {
        for s in [
            two,
            Settings { losses: 1, early: 1, ..two },
            Settings { losses: 1, full: 1, ..two },
            Settings { slow: 1, ..two },
        ] {
            Ring { engines: mask, ..engines(s) }.holds(LIMIT);
        }
    }
    for mask in [0b001, 0b110] {
        for s in [
            Settings { losses: 1, ..three },
            Settings { early: 1, ..three },
            Settings { full: 1, ..three },
        ] {
            Ring { engines: mask, ..engines(s) }.holds(LIMIT);
        }
    }
}

/// `cargo test --release -p awgstar-host --test engine_lock -- --ignored --nocapture long`
// checks ENG-1
#[test]
#[ignore = "takes some minutes and 2 GB"]
fn long_list() {
    let (two, three) = (Settings { rounds: 2, ..base(2) }, base(3));
    for s in [
        Settings { rounds: 2, ..three },
        base(4),
        Settings { losses: 2, early: 1, full: 1, ..two },
        Settings { slow: 1 << 1, losses: 1, early: 1, ..two },
        Settings { losses: 2, ..three },
        Settings { losses: 1, early: 1, ..three },
        Settings { losses: 1, early: 1, full: 1, ..three },
        Settings { slow: 1 << 1, losses: 1, ..three },
        Settings { losses: 1, rounds: 2, ..three },
        Settings { losses: 1, ..base(4) },
    ] {
        engines(s).holds(LIMIT);
    }
    for mask in [0b0101, 0b1000] {
        Ring { engines: mask, ..engines(base(4)) }.holds(LIMIT);
    }
    for mask in [0b010, 0b101] {
        Ring { engines: mask, ..engines(Settings { losses: 1, early: 1, ..three }) }.holds(LIMIT);
        Ring { engines: mask, ..engines(Settings { rounds: 2, ..three }) }.holds(LIMIT);
    }
}

/// A bug in the engine that the checker must find, on a ring that holds without it.
fn finds(bug: Bug, settings: Settings, expected: impl Fn(&Report<Property, Step>) -> bool) {
    let good = engines(settings);
    let report = Ring { bug, ..good }.explored(LIMIT);
    let broken: Vec<_> = report.broken.iter().map(|(p, run)| (*p, run.len())).collect();
    println!("{bug:?}: {broken:?}, stuck {:?}", report.stuck.as_ref().map(Vec::len));
    assert!(expected(&report), "{bug:?}: {broken:?}");
    assert!(!report.holds());
    good.holds(LIMIT);
}

#[test]
fn bugs_in_the_engine_are_found() {
    let two = Settings { rounds: 2, ..base(2) };
    finds(Bug::KeepsRight, two, |r| r.run(Property::OneLeader).is_some());
    finds(Bug::ForgetsWaiting, two, |r| r.run(Property::Unaided).is_some());
    finds(Bug::OldPass, Settings { early: 1, losses: 1, ..two }, |r| {
        r.run(Property::Exclusion).is_some() || r.run(Property::OneLeader).is_some()
    });
    finds(Bug::NoTimer, Settings { full: 1, ..two }, |r| r.stuck.is_some());
    finds(Bug::LastFirst, base(3), |r| r.run(Property::Fair).is_some());
}

/// A pass that does not wait for data shows an old word.
#[test]
fn weaker_passes_do_not_show_what_was_written() {
    let settings = Settings { data: true, unaided: false, ..base(2) };
    let report = Ring { order: Order::None, ..engines(settings) }.explored(LIMIT);
    assert!(report.run(Property::Visible).is_some());
}
