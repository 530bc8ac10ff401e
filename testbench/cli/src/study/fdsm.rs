// SPDX-License-Identifier: MIT OR Apache-2.0
//! The evaluation of paper 003, section 5: CG of class B with FDSM and with SCASH on the paper's machine, and the same
//! sharing on the ring.
//!
//! What is run is one product of CG with the matrix, again and again: the accesses, barriers and sums of `nas_cg.c`
//! among the tests of `OpenMP`, with time in place of computing.

use crate::study::sweep::retry_timeout;
use crate::study::{Ring, StudyError, Tick};
use crate::work::{Work, WorkError};
use awgstar::host::{Choice, DrivenRing};
use awgstar::quantity::{ByteAddress, Cycle, Nanoseconds, NodeId, narrow};
use awgstar::request::{
    Answer, Changes, Coherent, Data, Len, Moment, News, PAGE, Piece, Place, Plain, Process,
    Protection, Request, Segment,
};
use awgstar::ring::boards::Board;
use awgstar::rtl::{Smb, SmbAxi4};
use awgstar_cluster::{
    Blocks, Cluster, Coherence, Costs, Counts, Homes, Inspection, Settings, Sharing,
};
use awgstar_coherence::ring as on_ring;
use serde::{Deserialize, Serialize};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, VecDeque},
    ops::Range,
    rc::Rc,
    sync::Arc,
};

/// Rows of the matrix of class B.
pub const ROWS: usize = 75_000;
/// Products of class B.
pub const PRODUCTS: f64 = 1950.0;
/// Operations of class B, in millions.
pub const MOP: f64 = 54_708.75;
/// Printed in Table 3 for one node, in Mop/s: IA-32, and IA-64 with FDSM.
pub const ONE: [f64; 2] = [68.38, 72.3];
/// Payload that the line of the ring carries, in MB/s.
pub const LINE: f64 = 264.35;
/// Bytes of a record of changes for those of a page: its number, and a bit for each line and each byte.
pub const RECORD: (usize, usize) = (528 + 4096, 4096);
const BYTES: usize = PAGE as usize;
/// Products that are run: the first is inspected, the second learns its plans, the last is measured.
const TURNS: usize = 4;
const MEM_ADDR_W: u32 = 20;
const LIMIT: Cycle = Cycle(4_000_000_000);

/// What a thread does between two barriers.
struct Block {
    /// It reads all of `p`, and computes.
    product: bool,
    /// Its part of these vectors it reads, and of these it writes.
    reads: &'static [usize],
    writes: &'static [usize],
    /// The sum that it adds its part to, and the one that it reads.
    gives: Option<usize>,
    takes: Option<usize>,
}

impl Block {
    const fn write(writes: &'static [usize]) -> Block {
        Block { product: false, reads: &[], writes, gives: None, takes: None }
    }
}

const Q: usize = 0;
const Z: usize = 1;
const R: usize = 2;
const P: usize = 3;
const VECTORS: usize = 4;

/// A product of `nas_cg.c`.
const NAS_CG: &[Block] = &[
    Block { product: true, ..Block::write(&[Q]) },
    Block { reads: &[P, Q], gives: Some(0), ..Block::write(&[]) },
    Block { reads: &[P, Q], takes: Some(0), gives: Some(1), ..Block::write(&[Z, R]) },
    Block { reads: &[R], takes: Some(1), ..Block::write(&[P]) },
];

/// One that writes six vectors between eight barriers, as the C version of 1998 does.
const SIX: &[Block] = &[
    Block { product: true, ..Block::write(&[Z]) },
    Block::write(&[Q]),
    Block { gives: Some(0), ..Block::write(&[Z]) },
    Block { takes: Some(0), ..Block::write(&[]) },
    Block::write(&[Z, R]),
    Block { gives: Some(1), ..Block::write(&[]) },
    Block { takes: Some(1), ..Block::write(&[]) },
    Block::write(&[P]),
];

/// How threads share memory, and on what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// On the paper's cluster, with the computing of an architecture.
    Cluster(Coherence, usize),
    /// With FDSM on the ring.
    RingFdsm { bursts: bool },
    /// Written once, to all.
    Replica { six: bool, all: bool, record: bool, reads: Reads },
}

/// How a node of the ring gets what others wrote from its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Not at all: its memory is that of the program.
    Free,
    Blocks,
    Words,
}

const SCASH: Coherence = Coherence::Scash(Homes::Blocks);

const fn replica(six: bool, all: bool, record: bool, reads: Reads) -> Way {
    Way::Replica { six, all, record, reads }
}

/// All of them, by name.
pub const WAYS: [(&str, Way); 14] = [
    ("FDSM IA-32", Way::Cluster(Coherence::Fdsm(Inspection::Owners), 0)),
    ("SCASH IA-32", Way::Cluster(SCASH, 0)),
    ("FDSM IA-64", Way::Cluster(Coherence::Fdsm(Inspection::Owners), 1)),
    ("ring: FDSM; blocks", Way::RingFdsm { bursts: true }),
    ("ring: FDSM; words", Way::RingFdsm { bursts: false }),
    ("ring: p; reads free", replica(false, false, false, Reads::Free)),
    ("ring: p; blocks", replica(false, false, false, Reads::Blocks)),
    ("ring: p; records; words", replica(false, false, true, Reads::Words)),
    ("ring: all; reads free", replica(false, true, false, Reads::Free)),
    ("ring: all; blocks", replica(false, true, false, Reads::Blocks)),
    ("ring: all; records; words", replica(false, true, true, Reads::Words)),
    ("ring: six vectors; reads free", replica(true, true, false, Reads::Free)),
    ("ring: six vectors; records; reads free", replica(true, true, true, Reads::Free)),
    ("ring: six vectors; records; words", replica(true, true, true, Reads::Words)),
];

/// A way on a number of nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub way: String,
    pub nodes: usize,
    /// Computing of a node for a product.
    pub computing_ms: f64,
    /// All else of a product.
    pub beside_ms: f64,
    /// What the first two products take longer than others.
    pub inspection_ms: f64,
    /// Of a product, over all nodes: bytes in messages, or bytes that are written to the ring.
    pub bytes: u64,
    /// The same of messages and of faults; 0 where there are none.
    pub messages: u64,
    pub faults: u64,
}

impl Row {
    /// Seconds of the benchmark, with a line of the ring so many times slower.
    fn seconds(&self, slower: f64) -> f64 {
        (PRODUCTS * (self.computing_ms + slower * self.beside_ms) + slower * self.inspection_ms)
            / 1000.0
    }

    #[must_use]
    pub fn mops(&self) -> f64 {
        MOP / self.seconds(1.0)
    }

    /// Seconds of one node.
    fn alone(&self) -> f64 {
        let nodes = u32::try_from(self.nodes).map_or(f64::INFINITY, f64::from);
        PRODUCTS * nodes * self.computing_ms / 1000.0
    }

    /// Against one node, with a line of the ring of so many MB/s; its boards and ports are slower with it.
    #[must_use]
    pub fn speed_up(&self, line: f64) -> f64 {
        self.alone() / self.seconds(LINE / line)
    }

    /// The line rate, in MB/s, below which the ring is less than so many times faster than one node.
    #[must_use]
    pub fn line_for(&self, times: f64) -> Option<f64> {
        let left = 1000.0 * self.alone() / times - PRODUCTS * self.computing_ms;
        (left > 0.0).then(|| LINE * (PRODUCTS * self.beside_ms + self.inspection_ms) / left)
    }
}

/// Number of rows.
#[must_use]
pub fn steps(nodes: &[usize]) -> usize {
    WAYS.len() * nodes.len()
}

/// Measures; `None` of a part.
///
/// # Errors
/// The first run without a figure; parts that do not fit.
pub fn rows(
    nodes: &[usize],
    work: &Work,
    done: &Tick<'_>,
) -> Result<Option<Vec<Row>>, WorkError<StudyError>> {
    let points: Vec<_> =
        nodes.iter().flat_map(|&n| WAYS.map(|(name, way)| (name, way, n))).collect();
    let what = |(name, _, n): &(&str, Way, usize)| format!("{name} of {n}");
    work.map(&points, what, |&(name, way, n)| {
        row((name, way), n, ROWS, Nanoseconds(0)).inspect(|_| done())
    })
}

/// Computing of a node for a product of class B.
#[expect(clippy::cast_precision_loss, reason = "a figure")]
fn computing_ms(architecture: usize, nodes: usize) -> f64 {
    1000.0 * MOP / ONE[architecture] / PRODUCTS / nodes as f64
}

/// Runs one. On the ring all nodes compute for the same time, in which nothing is on the line: that time is added, and
/// `inside` is simulated with the rest.
///
/// # Errors
/// The run does not end, or a byte is wrong.
pub fn row(
    (name, way): (&str, Way),
    nodes: usize,
    rows: usize,
    inside: Nanoseconds,
) -> Result<Row, StudyError> {
    let wrong = |wrong| StudyError::Wrong { point: format!("{name}, {nodes} nodes"), wrong };
    let architecture = if let Way::Cluster(_, architecture) = way { architecture } else { 0 };
    let computing_ms = computing_ms(architecture, nodes);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "ns")]
    let computing = Nanoseconds((1e6 * computing_ms).round() as u64);
    let six = matches!(way, Way::Replica { six: true, .. });
    let logs = matches!(way, Way::Replica { all: true, .. });
    let sizes = |computing| Sizes { nodes, rows, six, logs, computing };
    let (ended, simulated) = match way {
        Way::Cluster(coherence, _) => (on_cluster(coherence, sizes(computing)), computing),
        Way::RingFdsm { bursts } => (with_fdsm(bursts, sizes(inside)), inside),
        Way::Replica { reads, .. } => (with_replicas(way, reads, sizes(inside)), inside),
    };
    let Ended { ends: [_, second, third, last], counts } = ended.map_err(wrong)?;
    let product = last - third;
    #[expect(clippy::cast_precision_loss, reason = "a figure")]
    let ms = |ns: u64| ns as f64 / 1e6;
    Ok(Row {
        way: name.to_owned(),
        nodes,
        computing_ms,
        beside_ms: ms(product.saturating_sub(simulated.0)),
        inspection_ms: ms(second.saturating_sub(2 * product)),
        bytes: counts.bytes,
        messages: counts.messages,
        faults: counts.read_faults + counts.write_faults,
    })
}

/// What is run.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    nodes: usize,
    rows: usize,
    six: bool,
    /// A node reads all that others have written after each barrier, not what it needs.
    logs: bool,
    /// For a product.
    computing: Nanoseconds,
}

impl Sizes {
    const fn blocks(self) -> &'static [Block] {
        if self.six { SIX } else { NAS_CG }
    }

    /// Of a vector, which begins with a page.
    const fn pages(self) -> usize {
        (8 * self.rows).div_ceil(BYTES)
    }

    /// The bytes of a node of a vector.
    const fn part(self, vector: usize, node: usize) -> Range<usize> {
        let first = vector * self.pages() * BYTES;
        first + 8 * (node * self.rows / self.nodes)
            ..first + 8 * ((node + 1) * self.rows / self.nodes)
    }

    /// The bytes of a node of a sum, which has 64 parts.
    const fn sum(self, sum: usize, node: usize) -> Range<usize> {
        let first = VECTORS * self.pages() * BYTES + 512 * sum;
        first + 8 * (node * 64 / self.nodes)..first + 8 * ((node + 1) * 64 / self.nodes)
    }

    /// Of all.
    const fn bytes(self) -> usize {
        (VECTORS * self.pages() + 1) * BYTES
    }
}

/// What the processes leave.
#[derive(Debug, Default)]
struct Left {
    /// When node 0 left the last barrier of each product, in ns.
    ends: Vec<u64>,
    /// Nodes that are in their last product, and the bytes that they have written to the ring in it.
    last: BTreeSet<usize>,
    written: u64,
    wrong: Option<String>,
}

type Log = Rc<RefCell<Left>>;

/// What a run gives: when products ended, and the counts of the last one.
struct Ended {
    ends: [u64; TURNS],
    counts: Counts,
}

impl Ended {
    fn of(log: &Log, counts: Counts) -> Result<Ended, String> {
        let left = log.borrow();
        if let Some(wrong) = &left.wrong {
            return Err(wrong.clone());
        }
        let ends = left.ends.first_chunk().copied();
        Ok(Ended { ends: ends.ok_or("the run did not end")?, counts })
    }
}

/// What a process does; bytes have the value that is named.
#[derive(Clone, Debug)]
enum Step {
    /// It reads what others wrote.
    Others(Range<usize>, u8),
    /// It reads its own.
    Own(Range<usize>, u8),
    /// It asks for this, of any machine.
    Ask(Request),
    /// These pages will be written.
    Open(Range<usize>),
    /// These bytes get this value.
    Fill(Range<usize>, u8),
    Barrier(u64),
}

/// The steps of a product: what is written has its number, so `p` begins with that of the one before.
fn product(sizes: Sizes, me: usize, number: u8) -> VecDeque<Step> {
    let mut steps = VecDeque::new();
    for (block, place) in sizes.blocks().iter().zip(1..) {
        // From its own part on, so that not all ask the same node.
        let others = || (1..sizes.nodes).map(|step| (me + step) % sizes.nodes);
        if block.product {
            steps.push_back(Step::Own(sizes.part(P, me), number - 1));
            let parts = others().filter(|_| !sizes.logs).map(|node| sizes.part(P, node));
            steps.extend(parts.map(|part| Step::Others(part, number - 1)));
            steps.push_back(Step::Ask(Request::compute(sizes.computing)));
        }
        if let Some(sum) = block.takes.filter(|_| !sizes.logs) {
            steps.extend(others().map(|node| Step::Others(sizes.sum(sum, node), number)));
        }
        let value = |vector| if vector == P { number - 1 } else { number };
        steps.extend(block.reads.iter().map(|&v| Step::Own(sizes.part(v, me), value(v))));
        let written = |node| -> Vec<_> {
            let vectors = block.writes.iter().map(|&v| sizes.part(v, node));
            vectors.chain(block.gives.map(|sum| sizes.sum(sum, node))).collect()
        };
        steps.extend(written(me).into_iter().map(Step::Open));
        steps.extend(written(me).into_iter().map(|part| Step::Fill(part, number)));
        steps.push_back(Step::Barrier(place));
        let logs = others().filter(|_| sizes.logs).flat_map(written);
        steps.extend(logs.map(|part| Step::Others(part, number)));
    }
    steps
}

/// The products of a process.
struct Turns {
    sizes: Sizes,
    me: usize,
    /// Of the present product, from 1.
    number: u8,
    left: VecDeque<Step>,
    log: Log,
}

impl Turns {
    fn new(sizes: Sizes, me: usize, log: &Log) -> Turns {
        Turns { sizes, me, number: 0, left: VecDeque::new(), log: Rc::clone(log) }
    }

    /// The next step; none at the end.
    fn step(&mut self, now: Moment) -> Option<Step> {
        if self.left.is_empty() {
            if self.number > 0 && self.me == 0 {
                self.log.borrow_mut().ends.push(now.time().0);
            }
            if usize::from(self.number) == TURNS {
                return None;
            }
            self.number += 1;
            if usize::from(self.number) == TURNS {
                self.log.borrow_mut().last.insert(self.me);
            }
            self.left = product(self.sizes, self.me, self.number);
        }
        self.left.pop_front()
    }

    /// These bytes have this value.
    fn check(&self, bytes: &[u8], at: &Range<usize>, value: u8) {
        if let Some(place) = bytes.iter().position(|&byte| byte != value) {
            let (me, at) = (self.me, at.start + place);
            let wrong = format!("node {me} reads {} at {at}, not {value}", bytes[place]);
            self.log.borrow_mut().wrong.get_or_insert(wrong);
        }
    }
}

/// A process with coherent pages.
struct Paged {
    turns: Turns,
    first: Protection,
    protections: BTreeMap<u64, Protection>,
    memory: Vec<u8>,
    changes: Changes,
    /// Calls before the first product.
    areas: Vec<Coherent>,
}

impl Paged {
    fn new(turns: Turns, protocol: Coherence) -> Paged {
        let pages: u32 = narrow(turns.sizes.pages());
        let area = |at| Coherent::Area { page: at * u64::from(pages), pages };
        let areas = (0..VECTORS as u64).map(area).collect();
        let memory = vec![0; turns.sizes.bytes()];
        let first = protocol.first_protection();
        let (protections, changes) = (BTreeMap::new(), Changes::default());
        Paged { turns, first, protections, memory, changes, areas }
    }

    fn learn(&mut self, answer: &Answer) {
        let Some(news) = News::decode(answer.bytes()) else { return };
        for page in &news.pages {
            let at = page.place().0 * u64::from(PAGE);
            if let Some(to) =
                self.memory.get_mut(narrow::<usize>(at)..).and_then(|to| to.get_mut(..BYTES))
            {
                to.copy_from_slice(&page.bytes);
            }
        }
        self.protections.extend(news.protections);
    }

    /// The fault of the first page that is not ready.
    fn fault(&self, at: &Range<usize>, write: bool) -> Option<Request> {
        let wanted = if write { Protection::Write } else { Protection::Read };
        let closed = |page: &u64| *self.protections.get(page).unwrap_or(&self.first) < wanted;
        let page =
            (at.start / BYTES..at.end.div_ceil(BYTES)).map(|page| page as u64).find(closed)?;
        Some(Request::Coherent(Coherent::Fault { page, write }, Arc::default()))
    }
}

impl Process for Paged {
    fn next(&mut self, answer: &Answer) -> Request {
        self.learn(answer);
        if let Some(area) = self.areas.pop() {
            return Request::Coherent(area, Arc::default());
        }
        while let Some(step) = self.turns.step(answer.now) {
            let fault = match &step {
                Step::Others(at, _) | Step::Own(at, _) => self.fault(at, false),
                Step::Open(at) => self.fault(at, true),
                _ => None,
            };
            if let Some(fault) = fault {
                self.turns.left.push_front(step);
                return fault;
            }
            match step {
                Step::Others(at, value) | Step::Own(at, value) => {
                    self.turns.check(&self.memory[at.clone()], &at, value);
                }
                Step::Open(_) => {}
                Step::Ask(request) => return request,
                Step::Fill(at, value) => {
                    self.memory[at.clone()].fill(value);
                    let ends = (at.start / BYTES + 1..).map(|page| page * BYTES);
                    let mut from = at.start;
                    for end in ends.map(|end| end.min(at.end)) {
                        let bytes = self.memory[from..end].to_vec();
                        self.changes.pieces.push(Piece { at: from as u64, bytes });
                        from = end;
                        if end == at.end {
                            break;
                        }
                    }
                }
                Step::Barrier(place) => {
                    let changes = std::mem::take(&mut self.changes);
                    return Request::Coherent(Coherent::Barrier(place), Arc::new(changes));
                }
            }
        }
        Request::End
    }
}

/// A process with a replica on its board.
struct Whole {
    turns: Turns,
    all: bool,
    record: bool,
    reads: Reads,
    /// What is being read.
    asked: Option<(Range<usize>, u8)>,
}

impl Whole {
    /// Where bytes are on the board: records of them take more.
    const fn place(&self, at: &Range<usize>) -> Range<usize> {
        let (to, from) = if self.record { RECORD } else { (1, 1) };
        at.start * to / from / 4 * 4..at.end * to / from / 4 * 4
    }
}

impl Process for Whole {
    fn next(&mut self, answer: &Answer) -> Request {
        if let Some((at, value)) = self.asked.take() {
            self.turns.check(answer.bytes(), &at, value);
        }
        while let Some(step) = self.turns.step(answer.now) {
            match step {
                Step::Others(at, value) if self.reads != Reads::Free => {
                    let at = self.place(&at);
                    let place = Place::shared(ByteAddress::at(at.start));
                    let len = Len::Bytes(at.len() as u64);
                    self.asked = Some((at, value));
                    return Request::Read(place, len);
                }
                Step::Fill(at, value) => {
                    let q_to_r = at.start < P * self.turns.sizes.pages() * BYTES;
                    if q_to_r && !self.all {
                        continue;
                    }
                    let at = self.place(&at);
                    let bytes = vec![value; at.len()];
                    return Request::write_bytes(ByteAddress::at(at.start), &bytes);
                }
                Step::Ask(request) => return request,
                Step::Barrier(_) => return Request::Barrier(0),
                _ => {}
            }
        }
        Request::End
    }
}

fn total(blocks: &[&Blocks]) -> Counts {
    let all = blocks.iter().flat_map(|one| one.values());
    all.fold(Counts::default(), |sum, one| Counts {
        read_faults: sum.read_faults + one.read_faults,
        write_faults: sum.write_faults + one.write_faults,
        messages: sum.messages + one.messages,
        bytes: sum.bytes + one.bytes,
        ..sum
    })
}

/// What was counted since.
fn since(before: Option<Counts>, after: Counts) -> Counts {
    let before = before.unwrap_or_default();
    Counts {
        read_faults: after.read_faults - before.read_faults,
        write_faults: after.write_faults - before.write_faults,
        messages: after.messages - before.messages,
        bytes: after.bytes - before.bytes,
        ..after
    }
}

/// The last product begins.
fn is_last(log: &Log) -> bool {
    log.borrow().ends.len() + 1 == TURNS
}

/// The cluster of the paper.
fn settings(nodes: usize, coherence: Coherence) -> Settings {
    let memory = PAGE * narrow::<u32>(nodes);
    let (costs, sharing) = (Costs::SCORE_MYRINET, Sharing::Pages(coherence));
    Settings { memory, costs, sharing, ..Settings::new(nodes) }
}

fn on_cluster(coherence: Coherence, sizes: Sizes) -> Result<Ended, String> {
    let log = Log::default();
    let settings = settings(sizes.nodes, coherence);
    let process =
        |me| Box::new(Paged::new(Turns::new(sizes, me, &log), coherence)) as Box<dyn Process>;
    let memory = |_| Box::new(Plain::new(ByteAddress(0), settings.memory)) as Box<dyn Segment>;
    let (all, memories) = ((0..sizes.nodes).map(process), (0..sizes.nodes).map(memory));
    let mut cluster =
        Cluster::new(&settings, all.collect(), memories.collect()).map_err(|e| e.to_string())?;
    let mut before = None;
    let counts = |cluster: &Cluster| total(&cluster.blocks().unwrap_or_default());
    let ran = cluster.run_while(&mut |cluster| {
        if before.is_none() && is_last(&log) {
            before = Some(counts(cluster));
        }
        true
    });
    ran.map_err(|e| e.to_string())?;
    Ended::of(&log, since(before, counts(&cluster)))
}

fn with_fdsm(bursts: bool, sizes: Sizes) -> Result<Ended, String> {
    let log = Log::default();
    let process = |me| Paged::new(Turns::new(sizes, me, &log), Coherence::Fdsm(Inspection::Owners));
    let all = (0..sizes.nodes).map(process).collect();
    let Costs { fault, page, .. } = Costs::SCORE_MYRINET;
    let costs = on_ring::Costs { fault, page };
    let logs = (ByteAddress(0), 4 << MEM_ADDR_W);
    let nodes = on_ring::nodes(all, (Coherence::Fdsm(Inspection::Owners), costs), logs);
    let (all, shared) = nodes.map_err(|e| e.to_string())?;
    let counts = || total(&shared.borrow().blocks.iter().collect::<Vec<_>>());
    let fails = || match &shared.borrow().failure {
        Some((node, failure)) => Err(format!("node {node}: {failure}")),
        None => Ok(()),
    };
    let all = all.into_iter().map(|one| Box::new(one) as Box<dyn Process>).collect();
    through(bursts, all, &log, (&counts, &fails))
}

fn with_replicas(way: Way, reads: Reads, sizes: Sizes) -> Result<Ended, String> {
    let Way::Replica { all, record, .. } = way else { return Err("no replicas".into()) };
    let log = Log::default();
    let process = |me| {
        let turns = Turns::new(sizes, me, &log);
        Box::new(Whole { turns, all, record, reads, asked: None }) as Box<dyn Process>
    };
    let processes = (0..sizes.nodes).map(process).collect();
    through(reads != Reads::Words, processes, &log, (&Counts::default, &|| Ok(())))
}

/// What is counted, and what ends a run.
type Looks<'a> = (&'a dyn Fn() -> Counts, &'a dyn Fn() -> Result<(), String>);

/// Runs on a ring of boards with one kind of port or the other.
fn through(
    bursts: bool,
    all: Vec<Box<dyn Process>>,
    log: &Log,
    looks: Looks<'_>,
) -> Result<Ended, String> {
    if bursts { boards::<SmbAxi4>(all, log, looks) } else { boards::<Smb>(all, log, looks) }
}

/// The process of a node, whose writes are counted.
fn counted(node: NodeId, mut one: Box<dyn Process>, log: &Log) -> Box<dyn Process> {
    let log = Rc::clone(log);
    Box::new(move |answer: &Answer| {
        let request = one.next(answer);
        if let Request::Write(_, data) = &request {
            let mut log = log.borrow_mut();
            if log.last.contains(&node.index()) {
                log.written += match data {
                    Data::Word { lanes, .. } => u64::from(lanes.count_ones()),
                    Data::Bytes(bytes) => bytes.len() as u64,
                    Data::Long(bytes) => bytes.len() as u64,
                    Data::Blank(bytes) => *bytes,
                };
            }
        }
        request
    })
}

fn boards<M: Board>(
    all: Vec<Box<dyn Process>>,
    log: &Log,
    (counts, fails): Looks<'_>,
) -> Result<Ended, String> {
    let ring = Ring::new(all.len());
    let choice = Choice { retry_timeout: retry_timeout(&ring), ..Choice::new() };
    let mut setup = ring.setup();
    setup.records = false;
    let parameters = setup.scenario.parameters.with("smb", "MEM_ADDR_W", MEM_ADDR_W.into());
    setup.scenario.parameters = parameters.map_err(|e| e.to_string())?;
    let boards = setup.configuration();
    let mut system = DrivenRing::<Choice, dyn Process, M>::for_processes(choice, &setup, boards)
        .map_err(|e| e.to_string())?;
    for (node, process) in NodeId::all(all.len()).zip(all) {
        system.start(node, counted(node, process, log)).map_err(|e| e.to_string())?;
    }
    system.run_until_up(LIMIT).map_err(|e| e.to_string())?;
    let mut before = None;
    while !system.ended() {
        fails()?;
        if system.ring().cycle() >= LIMIT {
            return Err(format!("who waits at the end: {:?}", system.waiting()));
        }
        if before.is_none() && is_last(log) {
            before = Some(counts());
        }
        system.advance();
    }
    let bytes = log.borrow().written;
    Ended::of(log, Counts { bytes, ..since(before, counts()) })
}
