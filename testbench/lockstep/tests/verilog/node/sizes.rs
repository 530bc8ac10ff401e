// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lockstep under other parameters than the contract's. What the cases reach is counted: a lockstep
//! in which no buffer ever gets full says nothing about its size.

use super::{out, repository};
use awgstar::rtl::{Parameters, RingEgress, RingNode, Smb, mem_writer, ring_egress, state::State};
use awgstar_lockstep::{Lockstep, Memories, Verdict, campaign, text};
use awgstar_simulator::elaborate;
use awgstar_stimulus::Case;
use awgstar_stimulus::board;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::node::directed::Named;
use awgstar_stimulus::node::{sized, strategy};
use awgstar_stimulus::shape::image;
use proptest::strategy::{Strategy, ValueTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const SMALLEST_NODE: &str = "BUFFER_ADDR_W=5 RX_ADDR_W=4 RX_HEADER_ADDR_W=1 TOKEN_RUN=1";
const SMALLEST_BOARD: &str = "MEM_ADDR_W=2 TX_ADDR_W=9 TX_FRAME_W=1 SIGNAL_W=1 MAIL_W=1 \
                              BUFFER_ADDR_W=9 RX_ADDR_W=8 RX_HEADER_ADDR_W=1 TOKEN_RUN=1";

/// Sets for the long run: each parameter small beside large ones, and the largest that the
/// simulators can hold (2^18 words of shared memory are 1 MiB on either side).
const NODES: [&str; 5] = [
    SMALLEST_NODE,
    "",
    "BUFFER_ADDR_W=15 RX_ADDR_W=15 RX_HEADER_ADDR_W=15 TOKEN_RUN=15",
    "BUFFER_ADDR_W=12 RX_ADDR_W=5 RX_HEADER_ADDR_W=7 TOKEN_RUN=3",
    "BUFFER_ADDR_W=6 RX_ADDR_W=11 RX_HEADER_ADDR_W=2 TOKEN_RUN=14",
];
const BOARDS: [&str; 5] = [
    SMALLEST_BOARD,
    "",
    "MEM_ADDR_W=18 TX_ADDR_W=15 TX_FRAME_W=6 SIGNAL_W=6 MAIL_W=12 BUFFER_ADDR_W=15 RX_ADDR_W=15 \
     RX_HEADER_ADDR_W=15 TOKEN_RUN=15",
    "MEM_ADDR_W=9 TX_ADDR_W=9 TX_FRAME_W=2 SIGNAL_W=5 MAIL_W=1 BUFFER_ADDR_W=11 RX_ADDR_W=8 \
     RX_HEADER_ADDR_W=6 TOKEN_RUN=2",
    "MEM_ADDR_W=15 TX_ADDR_W=13 TX_FRAME_W=6 SIGNAL_W=1 MAIL_W=8 BUFFER_ADDR_W=9 RX_ADDR_W=12 \
     RX_HEADER_ADDR_W=1 TOKEN_RUN=15",
];

fn parameters(module: &str, settings: &str) -> Parameters {
    Parameters::DEFAULT.parse(module, settings.split_whitespace()).unwrap()
}

/// Level and capacity of a buffer, its pointers and their greatest value.
struct Level {
    name: &'static str,
    held: usize,
    capacity: usize,
    last: usize,
    pointers: [usize; 2],
}

fn level(
    name: &'static str,
    capacity: usize,
    write: impl Into<usize>,
    read: impl Into<usize>,
) -> Level {
    let [write, read] = [write.into(), read.into()];
    Level {
        name,
        held: write.wrapping_sub(read) % (2 * capacity),
        capacity,
        last: 2 * capacity - 1,
        pointers: [write, read],
    }
}

/// What must be reached, seen in the model.
trait Reach: Machine {
    fn levels(&self) -> Vec<Level>;
    /// Other things that a state shows.
    fn marks(&self) -> Vec<&'static str>;
}

impl Reach for RingNode {
    fn levels(&self) -> Vec<Level> {
        let (b, rx) = (&self.u_buffer, &self.u_rx_buffer);
        // The arbiter grants nothing that could fill it: one word stays free, or two (NODE-9).
        let insertion = Level {
            name: "insertion buffer",
            held: b.words_q.into(),
            capacity: b.mem.len() - 2,
            last: b.mem.len() - 1,
            pointers: [b.wr_ptr_q.into(), b.rd_ptr_q.into()],
        };
        vec![
            insertion,
            level("beats", rx.mem.len(), rx.wr_ptr_q, rx.rd_ptr_q),
            level("headers", rx.hdr_mem.len(), rx.hdr_wr_q, rx.hdr_rd_q),
        ]
    }

    fn marks(&self) -> Vec<&'static str> {
        let run = usize::from(self.u_arbiter.run_q) == self.parameters().token_run();
        [(run, "token run"), (self.u_rx_buffer.lost_q, "a beat lost")]
            .into_iter()
            .filter_map(|(is, name)| is.then_some(name))
            .collect()
    }
}

impl Reach for Smb {
    fn levels(&self) -> Vec<Level> {
        let (data, signal, mail) = (&self.u_data, &self.u_signal, &self.u_mailbox);
        let frames = data.headers.len();
        let slots = [data.tail_q, data.base_q].map(|n| usize::from(n) % (2 * frames));
        let waiting = usize::from(data.tail_q.wrapping_sub(data.base_q));
        let mut all = self.u_node.levels();
        // The sorter takes what the node delivers as fast as it comes.
        all.retain(|l| l.name != "insertion buffer");
        all.extend([
            level("words of data", data.mem.len(), data.wr_q, data.free_q),
            Level {
                name: "frames of data",
                held: waiting,
                capacity: frames,
                last: 2 * frames - 1,
                pointers: slots,
            },
            level("signals", signal.headers.len(), signal.wr_q, signal.rd_q),
            level("messages", mail.mem.len() / 16, mail.wr_q, mail.rd_q),
        ]);
        all
    }

    fn marks(&self) -> Vec<&'static str> {
        let writes = self.u_writer.state_q != mem_writer::IDLE;
        let word = self.u_writer.word_q as usize;
        let last = self.u_memory.mem.len() - 1;
        [
            (writes && word == 0, "the ring writes the first word"),
            (writes && word == last, "the ring writes the last word"),
            (self.u_sorter.outside_q, "data beyond the memory"),
        ]
        .into_iter()
        .filter_map(|(is, name)| is.then_some(name))
        .collect()
    }
}

/// Everything that the cases reach under these parameters, as `buffer: empty`.
fn reached<M: Reach>(cases: &[Named<Case<M>>], parameters: &Parameters) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for Named { case, .. } in cases {
        let mut bench = case.bench_with(parameters).unwrap();
        let mut before: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        let mut used = BTreeSet::new();
        let mut reset = true;
        while !bench.done() {
            bench.step(&mut |_, state: &M, inputs, _| {
                for l in state.levels() {
                    let last = before.insert(l.name, l.pointers).unwrap_or_default();
                    if reset {
                        continue;
                    }
                    if l.held > 0 {
                        used.insert(l.name);
                    } else if used.contains(l.name) {
                        found.insert(format!("{}: empty", l.name));
                    }
                    if l.held >= l.capacity {
                        found.insert(format!("{}: full", l.name));
                    }
                    for (which, at) in [("write", 0), ("read", 1)] {
                        // Frames move a pointer by many words; one that is dropped moves it back.
                        if last[at] > l.pointers[at] + l.last / 2 {
                            found.insert(format!("{}: {which} lap", l.name));
                        }
                    }
                }
                reset = image(inputs)[0] & 1 == 1; // the first port
                found.extend(state.marks().into_iter().map(str::to_owned));
            });
        }
    }
    found
}

fn hold<M: Machine>(lockstep: &Lockstep<M>, cases: &[Named<Case<M>>]) -> u64 {
    cases
        .iter()
        .map(|Named { name, case, .. }| match lockstep.run(case).unwrap() {
            Verdict::Equal(cycles) => cycles,
            Verdict::Diverged(d) => {
                panic!("{name}, {:?}: {}", lockstep.shape().parameters, text::render(&d))
            }
        })
        .sum()
}

fn random<S: Strategy>(strategy: &S, count: usize) -> Vec<Named<S::Value>> {
    let case = |number| campaign::case(strategy, 18, number).unwrap().current();
    let named = |number| Named {
        name: format!("random {number}"),
        requirements: Vec::new(),
        case: case(number),
    };
    (0..count).map(named).collect()
}

fn node_cases(parameters: &Parameters, count: usize) -> Vec<Named> {
    let mut all = sized::cases(parameters);
    all.extend(random(&strategy::node(1500), count));
    all
}

fn board_cases(parameters: &Parameters, count: usize) -> Vec<Named<Case<Smb>>> {
    let mut all = board::sized::cases(parameters);
    let parameters = *parameters;
    let fit = move |case| board::sized::fit(case, &parameters);
    all.extend(random(&board::strategy::board(1500).prop_map(fit), count));
    all
}

fn lockstep<M: Machine>(parameters: &Parameters) -> Lockstep<M> {
    let lockstep = Lockstep::with_parameters(&repository().join("hdl"), &out(), parameters);
    lockstep.unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn all_of(found: &BTreeSet<String>, buffers: &[&str], marks: &[&str]) {
    let ways = ["empty", "full", "write lap", "read lap"];
    let due = buffers.iter().flat_map(|b| ways.map(|way| format!("{b}: {way}")));
    let due = due.chain(marks.iter().map(|m| (*m).to_owned()));
    let missing: Vec<_> = due.filter(|d| !found.contains(d)).collect();
    assert!(missing.is_empty(), "not reached: {missing:?}; reached: {found:?}");
}

#[test]
fn smallest_node() {
    let parameters = parameters("ring_node", SMALLEST_NODE);
    let cases = node_cases(&parameters, 60);
    let found = reached::<RingNode>(&cases, &parameters);
    let marks = ["token run", "a beat lost"];
    all_of(&found, &["insertion buffer", "beats", "headers"], &marks);
    hold(&lockstep::<RingNode>(&parameters), &cases);
}

/// What a board of any size reaches.
const BOARD_MARKS: [&str; 6] = [
    "the ring writes the first word",
    "the ring writes the last word",
    "data beyond the memory",
    "frames of data: full",
    "words of data: write lap",
    "words of data: read lap",
];

#[test]
fn smallest_board() {
    let parameters = parameters("smb", SMALLEST_BOARD);
    let cases = board_cases(&parameters, 20);
    let found = reached::<Smb>(&cases, &parameters);
    let buffers = ["frames of data", "signals", "messages", "beats", "headers"];
    all_of(&found, &buffers, &BOARD_MARKS);
    // Two frames of four words are never 512 words.
    assert!(!found.contains("words of data: full"), "{found:?}");
    hold(&lockstep::<Smb>(&parameters), &cases);
}

/// How often a node granted a frame while its own last one left, by the cycles of INSERT that were left: two and one.
fn grants_behind_own<M: Machine>(
    cases: &[Named<Case<M>>],
    parameters: &Parameters,
    egress: fn(&M) -> &RingEgress,
) -> [usize; 2] {
    let mut found = [0; 2];
    for Named { case, .. } in cases {
        let mut bench = case.bench_with(parameters).unwrap();
        let mut before = BTreeMap::new();
        while !bench.done() {
            bench.step(&mut |node, state: &M, _, _| {
                let e = egress(state);
                let now = (e.state_q == ring_egress::INSERT).then_some(e.left_q);
                let last = before.insert(node, now).flatten();
                if let (Some(left @ 1..=2), Some(more)) = (last, now)
                    && more > left
                {
                    found[usize::from(left == 1)] += 1;
                }
            });
        }
    }
    found
}

/// The same stimuli with one idle word before own frames and with two: only the first has grants one cycle
/// earlier, and model and Verilog agree on the second.
fn two_idle_words<M: Machine>(cases: &[Named<Case<M>>], egress: fn(&M) -> &RingEgress) -> u64 {
    let module = M::layout().module;
    let two = parameters(module, "OWN_IDLE=2");
    let [early, _] = grants_behind_own::<M>(cases, &Parameters::DEFAULT, egress);
    let [never, late] = grants_behind_own::<M>(cases, &two, egress);
    println!("{module}: {early} grants with one idle word, {late} with two");
    assert!(early > 10 && never == 0 && late > 10, "{module}: {early} {never} {late}");
    hold(&lockstep::<M>(&two), cases)
}

// checks LNK-5
#[test]
fn two_idle_words_before_frames_of_a_node() {
    let cases = node_cases(&Parameters::DEFAULT, 20);
    two_idle_words::<RingNode>(&cases, |node| &node.u_egress);
}

// checks LNK-5
#[test]
fn two_idle_words_before_frames_of_a_board() {
    let cases = board_cases(&Parameters::DEFAULT, 4);
    two_idle_words::<Smb>(&cases, |board| &board.u_node.u_egress);
}

/// Whether the Verilog in `hdl` differs from the model with two idle words before own frames.
pub(crate) fn differs_with_two_idle_words(hdl: &Path, out: &Path, board: bool) -> bool {
    fn any<M: Machine>(hdl: &Path, out: &Path, cases: &[Named<Case<M>>]) -> bool {
        let two = parameters(M::layout().module, "OWN_IDLE=2");
        let lockstep = Lockstep::<M>::with_parameters(hdl, out, &two);
        let lockstep = lockstep.unwrap_or_else(|error| panic!("{error}"));
        let equal =
            |c: &Named<Case<M>>| matches!(lockstep.run(&c.case).unwrap(), Verdict::Equal(_));
        !cases.iter().all(equal)
    }
    if board {
        any::<Smb>(hdl, out, &board_cases(&Parameters::DEFAULT, 0))
    } else {
        any::<RingNode>(hdl, out, &node_cases(&Parameters::DEFAULT, 6))
    }
}

/// LCK-2 under other parameters: names, widths and depths as Yosys elaborates them.
#[test]
fn names_agree_at_the_ends() {
    for (module, settings) in [
        ("ring_node", SMALLEST_NODE),
        ("ring_node", NODES[2]),
        ("smb", SMALLEST_BOARD),
        ("smb", BOARDS[2]),
    ] {
        let parameters = parameters(module, settings);
        let hdl = repository().join("hdl");
        let layout = if module == "smb" {
            Smb::layout_of(&parameters)
        } else {
            RingNode::layout_of(&parameters)
        };
        let top = layout.module;
        let verilog =
            elaborate::elaborate(&hdl, top, &parameters).unwrap_or_else(|error| panic!("{error}"));
        let found = elaborate::differences(&verilog, &layout);
        assert!(found.is_empty(), "{settings}: {found:#?}");
    }
}

/// Every set of the long run, with thousands of random cases: `docs/lockstep.md` has the command.
#[test]
#[ignore = "takes an hour; AWGSTAR_CASES=100 takes minutes"]
fn all_sets() {
    let asked = std::env::var("AWGSTAR_CASES").map(|n| n.parse().expect("a number of cases"));
    let (of_node, of_board) = asked.map_or((2000, 1000), |n: usize| (n, n));
    for settings in NODES {
        let parameters = parameters("ring_node", settings);
        let cases = node_cases(&parameters, of_node);
        let mut lockstep = lockstep::<RingNode>(&parameters);
        lockstep.memories = Memories::Fast;
        let cycles = hold(&lockstep, &cases);
        let found = reached::<RingNode>(&cases[..cases.len() - of_node], &parameters);
        println!("ring_node {settings}: {cycles} cycles, no difference; {found:?}");
    }
    for settings in BOARDS {
        let parameters = parameters("smb", settings);
        let cases = board_cases(&parameters, of_board);
        let mut lockstep = lockstep::<Smb>(&parameters);
        lockstep.memories = Memories::Fast;
        let cycles = hold(&lockstep, &cases);
        let found = reached::<Smb>(&cases[..cases.len() - of_board], &parameters);
        println!("smb {settings}: {cycles} cycles, no difference; {found:?}");
    }
}
