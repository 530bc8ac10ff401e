// SPDX-License-Identifier: MIT OR Apache-2.0
//! Episodes of rings with gateways: processes whose every answer is known before, faults of rings, gateways that begin
//! again, and those that die, with a standby or without.

use super::episode::{Violation, add_counters};
use super::random::Random;
use super::{Faults, Gateways, Tally};
use awgstar::quantity::{ByteAddress, Cycle, narrow};
use awgstar::request::{Answer, Got, Len, Place, Process, Request};
use awgstar_rings::RingNumber;
use awgstar_rings::machine::{Counts, RingsError};
use awgstar_scenario::run::boards::first_difference;
use awgstar_scenario::run::rings::RingsPlan;
use awgstar_scenario::scenario::{Machine, read_machine};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

pub const RINGS_MIN: usize = 2;
pub const RINGS_MAX: usize = 8;
/// Boards of a ring, its gateway among them.
pub const NODES_MAX: usize = 8;

/// Longest episode.
const LIMIT: Cycle = Cycle(50_000_000);
/// Processes are at work between these cycles: rings have found their tokens.
const BEGIN: u64 = 14_000;
const OVER: u64 = 90_000;
/// Gateways die after that: the tokens of a board that dies before may be missed for good.
const UP: u64 = 20_000;
/// Locks of all rings; each has a count, in the memory of ring `lock` modulo the rings.
const LOCKS: u32 = 4;
const COUNTS: u32 = 2_048;
/// Words of a process in each ring that it alone writes.
const OWN: u32 = 4_096;
const OWN_WORDS: u32 = 32;
/// The window of each ring, in which each process has some words, and the words that say that windows are whole.
const WHOLE: u32 = 14_336;
const WINDOW: u32 = 16_384;
const WINDOW_BYTES: u32 = 1_024;
const WINDOW_WORDS: u32 = 16;

/// What an answer must be.
#[derive(Clone, Debug)]
enum Expect {
    Exactly(Got),
    /// The process has the lock now.
    Enter(u32),
    /// Any word: it is written one higher.
    Count(u32),
}

#[derive(Clone, Debug)]
enum Step {
    Ask(Request, Expect),
    /// A lock is given up.
    Leave(u32),
}

/// What processes leave.
#[derive(Debug, Default)]
struct Log {
    inside: BTreeMap<u32, String>,
    answers: u64,
    wrong: Option<String>,
}

/// The shape of the rings, and where words are.
#[derive(Clone, Copy)]
struct Shape {
    rings: usize,
    nodes: usize,
    /// Gateways of each ring: its first boards.
    gateways: usize,
}

impl Shape {
    fn processes(self) -> usize {
        self.nodes - self.gateways
    }

    fn number(self, ring: usize, node: usize) -> usize {
        ring * self.processes() + node - self.gateways
    }

    fn own(self, ring: usize, node: usize, word: u32) -> ByteAddress {
        let first = OWN + 4 * OWN_WORDS * narrow::<u32>(self.number(ring, node));
        ByteAddress(first + 4 * word)
    }

    fn window(ring: usize, node: usize, word: u32) -> ByteAddress {
        let (ring, node) = (narrow::<u32>(ring), narrow::<u32>(node));
        ByteAddress(WINDOW + WINDOW_BYTES * ring + 4 * (WINDOW_WORDS * (node - 1) + word))
    }

    /// Each process, as its ring and node.
    fn all(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.rings)
            .flat_map(move |ring| (self.gateways..self.nodes).map(move |node| (ring, node)))
    }
}

/// An access of a process of a ring to a ring, which may be its own.
fn read(from: usize, to: usize, address: ByteAddress, words: u16) -> Request {
    if from == to {
        return Request::Read(Place::shared(address), Len::Bytes(4 * u64::from(words)));
    }
    Request::FarRead { ring: narrow(to), address, words }
}

fn write(from: usize, to: usize, address: ByteAddress, data: &[u32]) -> Request {
    if from == to {
        let bytes: Vec<u8> = data.iter().flat_map(|word| word.to_le_bytes()).collect();
        return Request::write_bytes(address, &bytes);
    }
    Request::FarWrite { ring: narrow(to), address, data: data.into() }
}

fn bytes(words: &[u32]) -> Got {
    Got::Bytes(words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

fn nothing(request: Request) -> Step {
    Step::Ask(request, Expect::Exactly(Got::Nothing))
}

/// What processes do, and what is where in the end.
struct Scripts {
    shape: Shape,
    steps: BTreeMap<(usize, usize), VecDeque<Step>>,
    /// Words of the memory of rings, as they must be.
    memory: BTreeMap<(usize, ByteAddress), u32>,
    tally: Gateways,
    words: u64,
    windows: bool,
}

impl Scripts {
    fn new(shape: Shape, windows: bool, random: &mut Random) -> Scripts {
        let steps = shape.all().map(|who| (who, VecDeque::new())).collect();
        let (memory, tally) = (BTreeMap::new(), Gateways::default());
        let mut scripts = Scripts { shape, steps, memory, tally, words: 0, windows };
        for _ in 0..random.within(3, 7) {
            shape.all().for_each(|who| scripts.alone(who, random));
            scripts.meet();
            shape.all().for_each(|who| scripts.looks(who, random));
            scripts.meet();
        }
        scripts
    }

    fn push(&mut self, who: (usize, usize), step: Step) {
        self.steps.entry(who).or_default().push_back(step);
    }

    fn meet(&mut self) {
        for who in self.shape.all() {
            self.push(who, nothing(Request::Barrier(0)));
        }
    }

    fn word(&self, ring: usize, address: ByteAddress) -> u32 {
        self.memory.get(&(ring, address)).copied().unwrap_or(0)
    }

    fn reads(&mut self, who: (usize, usize), (to, address): (usize, ByteAddress), words: u16) {
        let all = (0..u32::from(words)).map(|word| self.word(to, address + 4 * word));
        let expected = bytes(&all.collect::<Vec<_>>());
        self.tally.far += u64::from(to != who.0);
        self.push(who, Step::Ask(read(who.0, to, address, words), Expect::Exactly(expected)));
    }

    fn writes(
        &mut self,
        who: (usize, usize),
        (to, address): (usize, ByteAddress),
        words: u16,
        random: &mut Random,
    ) {
        let data: Vec<u32> = (0..words).map(|_| random.small(0, u32::MAX)).collect();
        for (word, value) in (0..).zip(&data) {
            self.memory.insert((to, address + 4 * word), *value);
        }
        self.words += u64::from(words);
        self.tally.far += u64::from(to != who.0);
        self.push(who, nothing(write(who.0, to, address, &data)));
    }

    /// What no other process sees: accesses to a process's own words, and counts under a lock.
    fn alone(&mut self, who: (usize, usize), random: &mut Random) {
        let (shape, (ring, node)) = (self.shape, who);
        for _ in 0..random.within(0, 9) {
            let to = random.index(shape.rings);
            let words = random.small(1, 17);
            let at = shape.own(ring, node, random.small(0, OWN_WORDS - words));
            let words = narrow(words);
            match random.within(0, 8) {
                0..=2 => self.writes(who, (to, at), words, random),
                3 | 4 => self.reads(who, (to, at), words),
                5 if self.windows => {
                    let at = Shape::window(ring, node, random.small(0, WINDOW_WORDS));
                    self.writes(who, (ring, at), 1, random);
                }
                // A standby takes no locks over.
                6 if shape.gateways == 1 => {
                    let lock = random.small(0, LOCKS);
                    self.tally.locks += 1;
                    self.push(who, Step::Ask(Request::Lock(lock), Expect::Enter(lock)));
                    let (home, at) = count(lock, shape.rings);
                    let asks = read(ring, home, at, 1);
                    self.push(who, Step::Ask(asks, Expect::Count(lock)));
                    self.push(who, Step::Leave(lock));
                    *self.memory.entry((home, at)).or_default() += 1;
                    self.tally.far += 2 * u64::from(home != ring);
                    self.words += 1;
                }
                _ => self.push(who, nothing(Request::wait(Cycle(random.within(1, 600))))),
            }
        }
    }

    /// After a barrier: what others have written.
    fn looks(&mut self, who: (usize, usize), random: &mut Random) {
        let shape = self.shape;
        for _ in 0..random.within(1, 5) {
            let node = shape.gateways + random.index(shape.processes());
            let ring = random.index(shape.rings);
            let words = random.small(1, 17);
            let at = shape.own(ring, node, random.small(0, OWN_WORDS - words));
            self.reads(who, (random.index(shape.rings), at), narrow(words));
            if self.windows {
                let at = Shape::window(ring, node, 0);
                let all = (0..WINDOW_WORDS).map(|word| self.word(ring, at + 4 * word));
                let expected = Expect::Exactly(bytes(&all.collect::<Vec<_>>()));
                let asks = read(who.0, who.0, at, narrow(WINDOW_WORDS));
                self.push(who, Step::Ask(asks, expected));
            }
        }
    }
}

/// The ring and the address of the count of a lock.
fn count(lock: u32, rings: usize) -> (usize, ByteAddress) {
    (narrow::<usize>(u64::from(lock)) % rings, ByteAddress(COUNTS + 4 * lock))
}

/// A process that does its steps, and compares.
struct Doing {
    who: (usize, usize),
    rings: usize,
    steps: VecDeque<Step>,
    asked: Option<(Request, Expect)>,
    log: Arc<Mutex<Log>>,
}

impl Doing {
    fn check(&mut self, answer: &Answer) {
        let Some((request, expect)) = self.asked.take() else { return };
        let (ring, node) = self.who;
        let me = format!("process {node} of ring {ring}");
        let log = Arc::clone(&self.log);
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        log.answers += 1;
        let mut wrong = None;
        match (expect, &answer.got) {
            (Expect::Exactly(expected), Ok(got)) if *got == expected => {}
            (Expect::Exactly(expected), got) => {
                wrong = Some(format!("expected {expected:?}, found {got:?}"));
            }
            (Expect::Enter(lock), Ok(_)) => {
                if let Some(other) = log.inside.insert(lock, me.clone()) {
                    wrong = Some(format!("{other} has the lock"));
                }
            }
            (Expect::Count(lock), Ok(Got::Bytes(found))) if found.len() == 4 => {
                let found = u32::from_le_bytes([found[0], found[1], found[2], found[3]]);
                let (home, at) = count(lock, self.rings);
                let next = write(ring, home, at, &[found.wrapping_add(1)]);
                self.steps.push_front(nothing(next));
            }
            (_, got) => wrong = Some(format!("found {got:?}")),
        }
        if let Some(wrong) = wrong {
            let now = answer.now.cycle();
            let text = format!("cycle {now}: {me}: {request}: {wrong}");
            log.wrong.get_or_insert(text);
        }
    }
}

impl Process for Doing {
    fn next(&mut self, answer: &Answer) -> Request {
        self.check(answer);
        let (request, expect) = match self.steps.pop_front() {
            None => return Request::End,
            Some(Step::Ask(request, expect)) => (request, expect),
            Some(Step::Leave(lock)) => {
                let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
                log.inside.remove(&lock);
                (Request::Unlock(lock), Expect::Exactly(Got::Nothing))
            }
        };
        self.asked = Some((request.clone(), expect));
        request
    }
}

/// The file of an episode: rings, and what happens to them. Some gateways die with `deaths`.
fn file(shape: Shape, windows: bool, deaths: bool, random: &mut Random) -> (String, Faults) {
    let Shape { rings, nodes, gateways } = shape;
    let standby = gateways > 1;
    let mut faults = Faults::default();
    let mut text = format!(
        "system = \"rings\"\nrings = {rings}\nnodes = {nodes}\nfar_words = 16\nmemory_bytes = 65536\n"
    );
    let lock = ["queue", "distributed", "master-worker"][random.index(3)];
    let timeout = random.within(3_000, 30_000);
    let fibre: Vec<_> = (0..nodes).map(|_| random.within(5, 300).to_string()).collect();
    let (latency, word) = (random.within(5, 2_000), random.within(0, 5));
    let _ = write!(
        text,
        "primitives = {{ lock = \"{lock}\", locks = {} }}\nstandby = {standby}\nrequest_timeout = {timeout}\n\
         fibre_m = [{}]\nbetween = {{ latency = {latency}, word = {word} }}\n",
        if standby { 0 } else { LOCKS },
        fibre.join(", ")
    );
    // One episode in eight has no faults.
    let some = !random.once_in(8);
    // No board sends again what a dead gateway had sent: nothing else may be lost where one takes over.
    let loses = some && !(standby && deaths);
    if loses && random.once_in(2) {
        let exponent = random.within(5, 8);
        let _ = writeln!(text, "noise = 1e-{exponent}\nseed = {}", random.within(0, 1 << 31));
    }
    if !standby && random.once_in(2) {
        let (lines, words) = (random.within(1, 24), [1, 2, 4, 8][random.index(4)]);
        let _ = writeln!(text, "cache = {{ lines = {lines}, words = {words} }}");
    }
    if windows {
        for ring in 0..rings {
            let first = WINDOW + WINDOW_BYTES * narrow::<u32>(ring);
            let whole = WHOLE + 4 * narrow::<u32>(ring);
            let _ = writeln!(
                text,
                "[[window]]\nring = {ring}\nfirst = {first}\nbytes = {WINDOW_BYTES}\nto = \"all\"\nwhole = {whole}"
            );
        }
    }
    if loses && random.once_in(3) {
        for _ in 0..random.within(1, 4) {
            let (ring, link) = (random.index(rings), random.index(nodes));
            let from = random.within(BEGIN, OVER);
            let until = from + random.within(1, 2_000);
            let _ = writeln!(
                text,
                "[[cut]]\nring = {ring}\nlink = {link}\nfrom = {from}\nuntil = {until}"
            );
            faults.cuts += 1;
        }
    }
    if some && random.once_in(4) {
        let (ring, node) = (random.index(rings), random.index(nodes));
        let cycles = random.within(2, 300);
        let _ = writeln!(text, "[[slow]]\nring = {ring}\nnodes = {node}\ncycles = {cycles}");
    }
    for ring in (0..rings).filter(|_| deaths) {
        if random.once_in(2) {
            let at = random.within(UP, OVER);
            let _ = writeln!(text, "[[dead]]\nring = {ring}\nnodes = 0\nat = {at}");
            faults.dead += 1;
        }
    }
    if some && random.once_in(2) {
        for _ in 0..random.within(1, 30) {
            let (ring, at) = (random.index(rings), random.within(BEGIN, OVER));
            let _ = writeln!(text, "[[restart]]\nring = {ring}\nat = {at}");
        }
    }
    (text, faults)
}

/// Runs an episode of rings with gateways.
///
/// # Errors
/// If an answer, a count, a window or a replica is not as it must be, or the rings stop.
pub fn episode(seed: u64, episode: u64, rings: usize, boards: usize) -> Result<Tally, Violation> {
    let mut random = Random::new(seed, episode);
    let standby = random.once_in(3) && boards > 2;
    let deaths = random.once_in(if standby { 2 } else { 16 });
    let shape = Shape { rings, nodes: boards, gateways: 1 + usize::from(standby) };
    // A standby does not take windows over.
    let windows = random.once_in(2) && !(standby && deaths);
    let (text, faults) = file(shape, windows, deaths, &mut random);
    let scripts = Scripts::new(shape, windows, &mut random);
    run(&text, scripts, faults).map_err(|what| Violation { seed, episode, rings, boards, what })
}

fn run(text: &str, scripts: Scripts, faults: Faults) -> Result<Tally, String> {
    let Scripts { shape, steps, memory, tally, words, .. } = scripts;
    let Machine::Rings(plan) = read_machine("episode", text).map_err(|error| error.to_string())?
    else {
        return Err("the file of the episode describes no rings".into());
    };
    let plan: &RingsPlan = &plan;
    let log = Arc::new(Mutex::new(Log::default()));
    let processes = steps.into_iter().map(|(who, steps)| Doing {
        who,
        rings: shape.rings,
        steps,
        asked: None,
        log: Arc::clone(&log),
    });
    let built = plan.build(processes, false, (&[], None));
    let mut rings = built.map_err(|error| error.to_string())?;
    let right = || {
        let log = log.lock().unwrap_or_else(PoisonError::into_inner);
        log.wrong.clone().map_or(Ok(()), Err)
    };
    let ran = rings.run_while(NonZeroUsize::MIN, LIMIT, &mut |_| right().is_ok());
    right()?;
    let alone = shape.gateways == 1 && rings.counts().deaths > 0;
    let stood_still = match ran {
        Err(RingsError::Stalled(waiting)) if alone && !waiting.is_empty() => true,
        ran => ran.map_err(|error| error.to_string()).map(|()| false)?,
    };
    if stood_still {
        let Counts { messages, deaths, .. } = rings.counts();
        let answers = log.lock().unwrap_or_else(PoisonError::into_inner).answers;
        // What was asked and not answered may be done or not.
        let gateways = Gateways { answers, messages, deaths, stood_still: 1, ..tally };
        let cycles = rings.cycle();
        let mut tally = Tally { episodes: 1, cycles, faults, gateways, ..Tally::default() };
        for side in rings.sides() {
            tally.faults.noise += side.ring.ring().inverted();
            add_counters(side.ring.ring(), &mut tally);
        }
        return Ok(tally);
    }
    if let Some((ring, waiting)) = rings.unfinished().first() {
        let (node, cycle) = (waiting.node, rings.cycle());
        return Err(format!("cycle {cycle}: process {node} of ring {ring} has not ended"));
    }
    rings.settle(LIMIT).map_err(|error| error.to_string())?;
    let replica = |ring: RingNumber| -> Option<&[u32]> {
        let ring = rings.sides().get(usize::from(ring.0))?.ring.ring();
        Some(&ring.board(ring.live().next()?).u_memory.mem[..])
    };
    for (&(ring, address), &expected) in &memory {
        let found = replica(RingNumber(narrow(ring))).map(|words| words[address.word()]);
        if found != Some(expected) {
            let place = format!("ring {ring}, address {address:#x}");
            return Err(format!("{place}: expected {expected:#x}, found {found:x?}"));
        }
    }
    if let Some(at) = plan.mesh.windows.iter().position(|window| !window.is_everywhere(replica)) {
        return Err(format!("window {at} is not the same in all rings that have it"));
    }
    let Counts { messages, restarts, recovered, lost, reflected, turns, hits, misses, .. } =
        rings.counts();
    let of = Gateways { turns, reflected, messages, restarts, recovered, lost, ..tally };
    let Counts { deaths, take_overs, .. } = rings.counts();
    let gateways = Gateways { hits, misses, deaths, take_overs, ..of };
    let answers = log.lock().unwrap_or_else(PoisonError::into_inner).answers;
    let mut tally =
        Tally { episodes: 1, cycles: rings.cycle(), writes: words, faults, ..Tally::default() };
    tally.gateways = Gateways { answers, ..gateways };
    for (number, side) in rings.sides().iter().enumerate() {
        let ring = side.ring.ring();
        if let Some(at) = first_difference(ring) {
            return Err(format!("ring {number}: replicas differ at {at:#x}"));
        }
        tally.faults.noise += ring.inverted();
        add_counters(ring, &mut tally);
    }
    for side in rings.into_sides() {
        side.ring.finish(None).map_err(|error| error.to_string())?;
    }
    Ok(tally)
}
