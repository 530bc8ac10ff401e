// SPDX-License-Identifier: MIT OR Apache-2.0
//! Coincidences on a board: which two events of its ports come one cycle apart or in one cycle, and in which
//! case first. What never meets has a reason, which is checked, or is open.

use crate::board::{directed, warm};
use crate::case::Case;
use crate::shape::value;
use crate::vectors::board::plain;
use awgstar::rtl::{Smb, smb::Inputs};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::{fs, path::Path};

/// An event: all of these one-bit ports of an instance are 1 just before an edge.
struct Event {
    name: &'static str,
    instance: &'static str,
    ports: &'static [&'static str],
}

const fn event(
    name: &'static str,
    instance: &'static str,
    ports: &'static [&'static str],
) -> Event {
    Event { name, instance, ports }
}

/// All events, 64 at most; by the part of the board that each is of.
const EVENTS: &[Event] = &[
    event("board: reset", "smb", &["rst"]),
    event("link: word in", "smb", &["s_axis_tvalid"]),
    event("link: frame ends in", "smb", &["s_axis_tvalid", "s_axis_tlast"]),
    event("link: word out", "smb", &["m_axis_tvalid"]),
    event("link: frame ends out", "smb", &["m_axis_tvalid", "m_axis_tlast"]),
    event("host: write address taken", "smb", &["s_axi_awvalid", "s_axi_awready"]),
    event("host: write data taken", "smb", &["s_axi_wvalid", "s_axi_wready"]),
    event("host: write answered", "smb", &["s_axi_bvalid", "s_axi_bready"]),
    event("host: read address taken", "smb", &["s_axi_arvalid", "s_axi_arready"]),
    event("host: read answered", "smb", &["s_axi_rvalid", "s_axi_rready"]),
    event("regs: access done", "u_regs", &["reg_valid", "reg_done"]),
    event("regs: access refused", "u_regs", &["reg_valid", "reg_done", "reg_error"]),
    event("regs: flush", "u_regs", &["flush"]),
    event("regs: word of a signal", "u_regs", &["word_we"]),
    event("regs: signal pushed", "u_regs", &["push"]),
    event("regs: message dropped", "u_regs", &["mail_pop"]),
    event("window: access done", "u_window", &["win_valid", "win_done"]),
    event("window: access refused", "u_window", &["win_valid", "win_done", "win_error"]),
    event("window: put", "u_window", &["put_valid", "put_ready"]),
    event("combiner: word", "u_combiner", &["word_valid"]),
    event("combiner: frame closed", "u_combiner", &["close_valid"]),
    event("data: header taken", "u_data", &["m_hdr_valid", "m_hdr_ready"]),
    event("data: word taken", "u_data", &["m_axis_tvalid", "m_axis_tready"]),
    event("data: last word taken", "u_data", &["m_axis_tvalid", "m_axis_tready", "m_axis_tlast"]),
    event("data: frame returns", "u_data", &["ret_hit"]),
    event("data: rewound", "u_data", &["rewound"]),
    event("data: timeout", "u_data", &["ev_timeout"]),
    event("signal: header taken", "u_signal", &["m_hdr_valid", "m_hdr_ready"]),
    event("signal: word taken", "u_signal", &["m_axis_tvalid", "m_axis_tready"]),
    event(
        "signal: last word taken",
        "u_signal",
        &["m_axis_tvalid", "m_axis_tready", "m_axis_tlast"],
    ),
    event("signal: frame returns", "u_signal", &["ret_hit"]),
    event("signal: done", "u_signal", &["ev_done"]),
    event("signal: again", "u_signal", &["ev_resend"]),
    event("monitor: heartbeat taken", "u_control", &["c_hdr_valid", "c_hdr_ready"]),
    event("monitor: heartbeat returns", "u_control", &["ret_hit"]),
    event("monitor: token added", "u_control", &["ev_added"]),
    event("monitor: token removed", "u_control", &["ev_discarded", "ev_removed"]),
    event("monitor: role", "u_control", &["ev_role"]),
    event("node: own frame returns good", "u_node", &["m_ret_valid", "m_ret_good"]),
    event("node: own frame returns", "u_node", &["m_ret_valid"]),
    event("node: sent", "u_node", &["m_sent_valid"]),
    event("node: token seen", "u_node", &["token_seen"]),
    event("node: orphan", "u_node", &["ev_orphan"]),
    event("node: header taken", "u_node", &["m_rx_hdr_valid", "m_rx_hdr_ready"]),
    event("node: word taken", "u_node", &["m_rx_axis_tvalid", "m_rx_axis_tready"]),
    event("sorter: another monitor", "u_sorter", &["monitor_seen"]),
    event("sorter: data", "u_sorter", &["ev_data"]),
    event("sorter: data again", "u_sorter", &["ev_data_again"]),
    event("sorter: data with a gap", "u_sorter", &["ev_data_gap"]),
    event("sorter: data out of range", "u_sorter", &["ev_data_range"]),
    event("sorter: signal", "u_sorter", &["ev_signal"]),
    event("sorter: signal again", "u_sorter", &["ev_signal_again"]),
    event("sorter: signal early", "u_sorter", &["ev_signal_early"]),
    event("sorter: signal long", "u_sorter", &["ev_signal_long"]),
    event("sorter: mailbox full", "u_sorter", &["ev_mail_full"]),
    event("sorter: same Node_ID", "u_sorter", &["ev_same_id"]),
    event("sorter: message complete", "u_sorter", &["mail_commit"]),
    event("writer: done", "u_writer", &["done"]),
];

/// How two events come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum When {
    /// The first is one cycle before the second.
    Before,
    /// Both are in one cycle.
    With,
}

use When::{Before, With};

impl When {
    const fn name(self) -> &'static str {
        match self {
            Before => "before",
            With => "with",
        }
    }
}

/// Reason why events cannot come so: an event's name, or the beginning of names before a `*`. Of two in one
/// cycle the order is nothing.
struct Never {
    first: &'static [&'static str],
    when: &'static [When],
    second: &'static [&'static str],
    why: &'static str,
}

/// Cycles of one access of the host that come one after the other: taken, acting, done, answered.
const TAKEN: &[&str] = &["host: write address taken", "host: write data taken", READ_TAKEN];
const READ_TAKEN: &str = "host: read address taken";
const ACTS: &[&str] =
    &["regs: flush", "regs: word of a signal", "regs: signal pushed", "regs: message dropped"];
const DONE: &[&str] = &["regs: access*", "window: access*"];
const ANSWERED: &[&str] = &["host: write answered", "host: read answered"];
const HOST: &[&str] = &["host: *", "regs: *", "window: *"];
const RETURNS: &[&str] = &[
    "node: own frame returns*",
    "data: frame returns",
    "signal: frame returns",
    "monitor: heartbeat returns",
];
const KINDS: &[&str] =
    &["data: frame returns", "signal: frame returns", "monitor: heartbeat returns"];
const VERDICTS: &[&str] =
    &["sorter: data*", "sorter: signal*", "sorter: mailbox full", "sorter: another monitor"];
const JUDGED: &[&str] =
    &["sorter: data*", "sorter: signal*", FULL, "sorter: another monitor", SAME];
const FULL: &str = "sorter: mailbox full";
const SAME: &str = "sorter: same Node_ID";
const ENDS: &[&str] = &["sorter: message complete", "writer: done"];
const TAKES: &[&str] = &["node: header taken", "node: word taken"];
const DATA: &[&str] = &["data: header taken", "data: word taken", "data: last word taken"];
const SIGNAL: &[&str] = &["signal: header taken", "signal: word taken", "signal: last word taken"];

const fn never(
    first: &'static [&'static str],
    when: &'static [When],
    second: &'static [&'static str],
    why: &'static str,
) -> Never {
    Never { first, when, second, why }
}

const ONE_ACCESS: &str = "the host port has one access at a time";
const ONE_REQUEST: &str = "a request is for the registers or for the memory";
const ONE_STATE: &str = "the states of the sorter follow each other";
const ONE_FRAME: &str = "the node takes one frame at a time and its FCS follows";

const NEVER: &[Never] = &[
    never(
        &["board: reset"],
        &[Before],
        &[
            "link: word out",
            "link: frame ends out",
            "host: *",
            "regs: *",
            "window: *",
            "combiner: *",
            "data: *",
            "signal: *",
            "monitor: *",
            "node: *",
            "sorter: *",
            "writer: *",
        ],
        "nothing is under way after a reset",
    ),
    never(TAKEN, &[Before], TAKEN, ONE_ACCESS),
    never(&[READ_TAKEN], &[With], &["host: write*"], ONE_ACCESS),
    never(ANSWERED, &[Before, With], HOST, ONE_ACCESS),
    never(
        DONE,
        &[Before],
        &[
            "host: write address taken",
            "host: write data taken",
            READ_TAKEN,
            "regs: *",
            "window: *",
        ],
        ONE_ACCESS,
    ),
    never(
        &["host: write address taken", "host: write data taken"],
        &[Before],
        &["host: read answered"],
        ONE_ACCESS,
    ),
    never(&[READ_TAKEN], &[Before], &["host: write answered"], ONE_ACCESS),
    never(&["regs: *"], &[Before, With], &["window: *"], ONE_REQUEST),
    never(&["window: *"], &[Before], &["regs: *"], ONE_REQUEST),
    never(&[READ_TAKEN], &[Before, With], ACTS, "a read changes nothing"),
    never(&[READ_TAKEN], &[Before, With], &["window: put"], "a read changes nothing"),
    never(ACTS, &[Before], ACTS, "a write acts in one cycle"),
    never(ACTS, &[Before], TAKEN, ONE_ACCESS),
    never(ACTS, &[Before], ANSWERED, "an access is done before it is answered"),
    never(ACTS, &[With], &["regs: access*"], "a write acts before it is done"),
    never(
        &["regs: word of a signal", "regs: message dropped"],
        &[With],
        ACTS,
        "a write is of one register",
    ),
    never(RETURNS, &[Before], RETURNS, "a frame has more words than one"),
    never(KINDS, &[With], KINDS, "a frame is of one kind"),
    never(&["signal: done"], &[Before, With], &["signal: again"], "one signal is under way"),
    never(&["signal: again"], &[Before], &["signal: done"], "one signal is under way"),
    never(VERDICTS, &[With], VERDICTS, "a frame has one verdict"),
    never(&[SAME], &[With], &["sorter: signal*", FULL], "signals name the node that they are for"),
    never(JUDGED, &[Before], JUDGED, ONE_STATE),
    never(JUDGED, &[Before, With], ENDS, ONE_STATE),
    never(ENDS, &[Before], JUDGED, ONE_STATE),
    never(ENDS, &[Before, With], ENDS, ONE_STATE),
    never(JUDGED, &[With], TAKES, ONE_STATE),
    never(&["node: header taken"], &[Before], JUDGED, ONE_STATE),
    never(&["node: header taken"], &[Before], &["node: header taken"], ONE_STATE),
    never(ENDS, &[Before], TAKES, ONE_STATE),
    never(DATA, &[Before, With], SIGNAL, ONE_FRAME),
    never(SIGNAL, &[Before], DATA, ONE_FRAME),
    never(&["data: last word taken"], &[Before], DATA, ONE_FRAME),
    never(&["signal: last word taken"], &[Before], SIGNAL, ONE_FRAME),
    never(&["node: sent"], &[Before], &["node: sent"], "a frame has more words than one"),
    never(
        &["node: token seen"],
        &[Before],
        &["node: token seen"],
        "a frame has more words than one",
    ),
    never(&["node: orphan"], &[Before], &["node: orphan"], "a frame has more words than one"),
];

fn is(patterns: &[&str], name: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(begins) => name.starts_with(begins),
        None => *pattern == name,
    })
}

fn why_never(first: &str, when: When, second: &str) -> Option<&'static str> {
    let applies = |never: &&Never| {
        let so = |a, b| is(never.first, a) && is(never.second, b);
        never.when.contains(&when) && (so(first, second) || (when == With && so(second, first)))
    };
    NEVER.iter().find(applies).map(|never| never.why)
}

/// All pairs: each event before each, and each with each other.
fn pairs() -> impl Iterator<Item = (usize, When, usize)> {
    let ordered = |a| (0..EVENTS.len()).map(move |b| (a, Before, b));
    let together = |a| (a + 1..EVENTS.len()).map(move |b| (a, With, b));
    (0..EVENTS.len()).flat_map(move |a| ordered(a).chain(together(a)))
}

/// A port that an event depends on: place in the image, width, bit of the event.
type Term = (usize, usize, u64);

/// Terms of each image, in the order in which a board shows its ports.
fn terms(board: &Smb) -> Vec<Vec<Term>> {
    let mut all = Vec::new();
    board.look(&Inputs::default(), &mut |instance, signals, _| {
        let mut at = 0;
        let mut own = Vec::new();
        for signal in signals {
            for (bit, event) in EVENTS.iter().enumerate() {
                if event.instance == instance && event.ports.contains(&signal.name) {
                    own.push((at, signal.bits, 1 << bit));
                }
            }
            at += signal.words();
        }
        all.push(own);
    });
    all
}

/// The first case in which each pair was met.
#[derive(Default)]
struct Met {
    /// Second events by first, before and with.
    seen: [Vec<u64>; 2],
    first: BTreeMap<(usize, When, usize), String>,
}

impl Met {
    fn see(&mut self, case: &str, when: When, was: u64, is: u64) {
        let seen = &mut self.seen[when as usize];
        seen.resize(EVENTS.len(), 0);
        let mut left = was;
        while left != 0 {
            let a = left.trailing_zeros() as usize;
            left &= left - 1;
            let mut new = is & !seen[a];
            seen[a] |= is;
            while new != 0 {
                let b = new.trailing_zeros() as usize;
                new &= new - 1;
                self.first.insert((a, when, b), case.to_owned());
            }
        }
    }

    /// All cycles of a case.
    fn play(&mut self, name: &str, case: &Case<Smb>, terms: &[Vec<Term>]) {
        let mut bench = case.bench().unwrap();
        let mut was = 0;
        while !bench.done() {
            if !bench.deposit().is_empty() {
                was = 0;
            }
            bench.step(&mut |_, machine: &Smb, inputs, _| {
                let mut none = 0;
                let mut own = terms.iter();
                machine.look(inputs, &mut |_, _, image| {
                    for &(at, bits, event) in own.next().into_iter().flatten() {
                        if value(image, at, bits) == 0 {
                            none |= event;
                        }
                    }
                });
                let now = !none & (u64::MAX >> (64 - EVENTS.len()));
                self.see(name, Before, was, now);
                self.see(name, With, now, now);
                was = now;
            });
        }
    }
}

/// A description that names a port wrongly would see an event in every cycle.
#[test]
fn ports_of_the_events_exist() {
    let mut ports = BTreeSet::new();
    Smb::default().look(&Inputs::default(), &mut |instance, signals, _| {
        ports.extend(signals.iter().map(|s| (instance.to_owned(), s.name, s.bits)));
    });
    for event in EVENTS {
        for port in event.ports {
            let port = (event.instance.to_owned(), *port, 1);
            assert!(ports.contains(&port), "{}: {port:?}", event.name);
        }
    }
    let patterns = NEVER.iter().flat_map(|never| never.first.iter().chain(never.second));
    for pattern in patterns {
        assert!(EVENTS.iter().any(|event| is(&[pattern], event.name)), "{pattern}");
    }
    // Each event that a block tells by a port is there.
    // What only a board that can join tells is counted by `board::join::reached`.
    let joins = |instance: &str| ["u_fence", "u_join"].contains(&instance);
    for (instance, port, _) in ports.iter().filter(|(_, port, _)| port.starts_with("ev_")) {
        if joins(instance) {
            continue;
        }
        let told = |event: &Event| event.ports.contains(port);
        assert!(EVENTS.iter().any(told), "{instance}.{port}");
    }
}

/// Each pair that never meets has a reason, and none with a reason is met, or it is open: a line of the table
/// says which. A pair that is open there and is met now is a change of the table.
#[test]
fn the_table_of_coincidences_is_current() {
    let terms = terms(&Smb::default());
    let mut met = Met::default();
    for named in directed::named().into_iter().chain(warm::named()) {
        met.play(&named.name, &named.case, &terms);
    }
    for (index, story) in plain().unwrap().iter().enumerate() {
        met.play(&format!("golden {index}"), &Case::alone(story.stimulus.clone()), &terms);
    }
    let (mut lines, mut wrong, mut counts) = (String::new(), String::new(), [0; 3]);
    for (a, when, b) in pairs() {
        let (first, second) = (EVENTS[a].name, EVENTS[b].name);
        let case = met.first.get(&(a, when, b));
        let why = why_never(first, when, second);
        let pair = format!("{first},{},{second}", when.name());
        // What has a reason is not met.
        if let (Some(case), Some(why)) = (case, why) {
            writeln!(wrong, "{pair}: met in {case}, but: {why}").unwrap();
        }
        let (kind, text) = match (case, why) {
            (Some(case), _) => (0, format!("case,{case}")),
            (None, Some(why)) => (1, format!("never,{why}")),
            (None, None) => (2, "open,".to_owned()),
        };
        counts[kind] += 1;
        writeln!(lines, "{pair},{text}").unwrap();
    }
    assert!(wrong.is_empty(), "{wrong}");
    let [cases, never, open] = counts;
    let head = format!(
        "# Events of a board, one cycle apart or in one cycle: {cases} pairs met, {never} that cannot be, {open} open\n\
         first,when,second,state,case or reason\n"
    );
    let table = head + &lines;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/coincidences.csv");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &table).unwrap();
    }
    let old = fs::read_to_string(&path).unwrap_or_default();
    let changed = table.lines().find(|line| !old.lines().any(|other| other == *line));
    assert!(old == table, "{}: run with UPDATE=1; {changed:?}", path.display());
}
