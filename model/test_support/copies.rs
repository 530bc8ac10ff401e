// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs with shared pages as processes of a machine, each in a thread, and what they must read.

use awgstar_frame::quantity::{ByteAddress, Nanoseconds};
use awgstar_request::{
    Answer, Changes, Coherent, News, PAGE, Piece, Process, Protection, Request, Shared,
};
use proptest::prelude::*;
use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

type Bytes = [u8; PAGE as usize];

struct Page {
    bytes: Bytes,
    twin: Bytes,
    protection: Protection,
}

/// The copies of a program, all 0 at first.
struct Copies {
    pages: BTreeMap<u64, Page>,
    first: Protection,
    asks: Sender<Request>,
    answers: Receiver<Answer>,
    /// Races and notes that came with answers.
    races: usize,
    notes: Vec<Vec<u8>>,
    note: Vec<u8>,
}

impl Copies {
    fn page(&mut self, page: u64) -> &mut Page {
        let protection = self.first;
        let empty = || Page { bytes: [0; PAGE as usize], twin: [0; PAGE as usize], protection };
        self.pages.entry(page).or_insert_with(empty)
    }

    fn request(&mut self, request: Request) -> Result<Answer, String> {
        self.asks.send(request).map_err(|_| "the run is over")?;
        Ok(self.answers.recv().map_err(|_| "the run is over")?)
    }

    /// The byte at an address, made ready for an access.
    fn byte(&mut self, at: u64, write: bool) -> Result<&mut u8, String> {
        let (page, place) = Piece { at, bytes: Vec::new() }.place();
        while self.open(page, write)? {}
        Ok(&mut self.page(page).bytes[place])
    }

    fn read(&mut self, at: u64) -> Result<u8, String> {
        self.byte(at, false).copied()
    }

    fn write(&mut self, at: u64, value: u8) -> Result<(), String> {
        *self.byte(at, true)? = value;
        Ok(())
    }
}

impl Shared for Copies {
    type Error = String;

    fn changes(&mut self, call: Coherent) -> Changes {
        let mut pieces = Vec::new();
        for (number, page) in &mut self.pages {
            for (index, (twin, now)) in (0..).zip(page.twin.iter_mut().zip(page.bytes)) {
                if *twin != now {
                    Piece::push(&mut pieces, number * u64::from(PAGE) + index, now);
                    *twin = now;
                }
            }
        }
        let carries = matches!(call, Coherent::Release(_) | Coherent::Barrier(_));
        let note = if carries { std::mem::take(&mut self.note) } else { Vec::new() };
        Changes { pieces, note }
    }

    fn ask(&mut self, call: Coherent, changes: &Changes) -> Result<News, String> {
        let answer = self.request(Request::Coherent(call, changes.clone().into()))?;
        News::decode(answer.bytes()).ok_or_else(|| format!("{call}: {:?}", answer.got))
    }

    fn replace(&mut self, piece: &Piece) -> Result<(), String> {
        let page = self.page(piece.place().0);
        for (index, theirs) in piece.bytes.iter().enumerate() {
            if page.bytes[index] == page.twin[index] {
                page.bytes[index] = *theirs;
            }
            page.twin[index] = *theirs;
        }
        Ok(())
    }

    fn protection(&self, page: u64) -> Protection {
        self.pages.get(&page).map_or(self.first, |page| page.protection)
    }

    fn protect(&mut self, page: u64, protection: Protection) -> Result<bool, String> {
        self.page(page).protection = protection;
        Ok(true)
    }

    fn told(&mut self, news: &News) -> Result<(), String> {
        self.races += news.races.len();
        self.notes.extend(news.notes.iter().map(|(_, note)| note.clone()));
        Ok(())
    }
}

/// What a program does between two barriers.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    /// Place of the barrier before it: blocks with one place are executions of one.
    pub(crate) site: u64,
    /// Of each cell: who writes it, which value, and who reads it when it has been written.
    pub(crate) writes: Vec<(usize, u8)>,
    pub(crate) reads: Vec<usize>,
    /// How often each program adds to a counter under a lock.
    pub(crate) sums: Vec<u8>,
    /// Of each program: computing, in us.
    pub(crate) computes: Vec<u64>,
}

/// Bytes between two cells: some share a page.
const CELL: u64 = 700;
const CELLS: usize = 12;
/// Alone on its page.
const COUNTER: u64 = 100 * PAGE as u64;
const LOCK: u32 = 20;
/// A word of the memory of all.
const WORD: ByteAddress = ByteAddress(0);

/// Programs whose blocks are executed several times, mostly alike.
pub(crate) fn phases(nodes: usize) -> impl Strategy<Value = Vec<Phase>> {
    let writes = prop::collection::vec((0..nodes, 1..=u8::MAX), CELLS);
    let reads = prop::collection::vec(0..nodes, CELLS);
    let sums = prop::collection::vec(prop_oneof![1 => Just(0), 2 => 1..4_u8], nodes);
    let computes = prop::collection::vec(0..60_u64, nodes);
    let block = (writes, reads, sums, computes);
    let blocks = prop::collection::vec(block, 1..4);
    (blocks, prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..CELLS), 1..12))
        .prop_map(move |(blocks, order)| {
            let phase = |(index, value, other): (prop::sample::Index, u8, usize)| {
                let site = index.index(blocks.len());
                let (mut writes, reads, sums, computes) = blocks[site].clone();
                for (place, (writer, one)) in writes.iter_mut().enumerate() {
                    *one = one.wrapping_add(value);
                    // Now and then another node does it: the pattern changes.
                    if value % 5 == 0 && place == other {
                        *writer = (*writer + 1) % nodes;
                    }
                }
                Phase { site: site as u64, writes, reads, sums, computes }
            };
            order.into_iter().map(phase).collect()
        })
}

/// One of the programs; what it reads is compared with what a memory without copies would have.
fn program(me: usize, phases: &[Phase], copies: &mut Copies) -> Result<(), String> {
    let mut cells = [0; CELLS];
    let mut sum = 0_u8;
    let mut own = 0;
    for (step, phase) in phases.iter().enumerate() {
        copies.call(Coherent::Barrier(1 + 2 * phase.site))?;
        let time = Nanoseconds(1000 * phase.computes[me]);
        copies.request(Request::compute(time))?;
        let mine = phase.writes.iter().enumerate().filter(|one| one.1.0 == me);
        for (place, &(_, value)) in mine {
            copies.write(place as u64 * CELL, value)?;
        }
        for _ in 0..phase.sums[me] {
            copies.call(Coherent::Acquire(LOCK))?;
            let word = copies.request(Request::read(WORD))?.word();
            let count = copies.read(COUNTER)?;
            // The notes of all who held it before are here, and no more.
            let notes = copies.notes.len() + own;
            if notes != usize::from(count / 2) {
                return Err(format!("node {me}, step {step}: {notes} notes, counter {count}"));
            }
            // The memory of all, beside the pages, has the same number.
            if word != u32::from(count) {
                return Err(format!("node {me}, step {step}: word {word}, counter {count}"));
            }
            copies.request(Request::write(WORD, count.wrapping_add(1).into()))?;
            copies.write(COUNTER, count.wrapping_add(1))?;
            // Each second one gives a note along.
            if count % 2 == 1 {
                copies.note = format!("{me} {step}").into_bytes();
                own += 1;
            }
            copies.call(Coherent::Release(LOCK))?;
        }
        cells.iter_mut().zip(&phase.writes).for_each(|(cell, (_, value))| *cell = *value);
        sum = phase.sums.iter().fold(sum, |sum, more| sum.wrapping_add(*more));
        copies.call(Coherent::Barrier(2 + 2 * phase.site))?;
        for (place, &reader) in phase.reads.iter().enumerate() {
            let found = if reader == me { copies.read(place as u64 * CELL)? } else { cells[place] };
            if found != cells[place] {
                return Err(format!(
                    "node {me}, step {step}: cell {place} is {found}, expected {}",
                    cells[place]
                ));
            }
        }
        let found = copies.read(COUNTER)?;
        if found != sum {
            return Err(format!("node {me}, step {step}: counter {found}, expected {sum}"));
        }
    }
    copies.call(Coherent::Barrier(99))?;
    // Others may have ended when this one reads what they have.
    if me == 0 {
        for (place, cell) in cells.iter().enumerate() {
            let found = copies.read(place as u64 * CELL)?;
            if found != *cell {
                return Err(format!("the end: cell {place} is {found}, expected {cell}"));
            }
        }
    }
    let (races, notes) = (copies.races, copies.notes.len() + own);
    if (races, notes) != (0, usize::from(sum / 2)) {
        return Err(format!("node {me}: {races} races, {notes} notes of {}", sum / 2));
    }
    Ok(())
}

struct Remote {
    asks: Receiver<Request>,
    answers: Sender<Answer>,
    began: bool,
}

impl Process for Remote {
    fn next(&mut self, answer: &Answer) -> Request {
        if self.began && self.answers.send(answer.clone()).is_err() {
            return Request::End;
        }
        self.began = true;
        self.asks.recv().unwrap_or(Request::End)
    }
}

/// Gives the processes to a machine, which runs them until they end or one has read something wrong, and says what that
/// is: others may wait for that one without end.
pub(crate) fn run(
    nodes: usize,
    first: Protection,
    phases: &[Phase],
    machine: impl FnOnce(Vec<Box<dyn Process>>, &dyn Fn() -> bool),
) -> Result<(), String> {
    let wrong = &Mutex::new(None);
    let known = || wrong.lock().expect("no panic");
    thread::scope(|scope| {
        let mut processes: Vec<Box<dyn Process>> = Vec::new();
        for me in 0..nodes {
            let ((asks, asked), (answers, answered)) = (channel(), channel());
            processes.push(Box::new(Remote { asks: asked, answers, began: false }));
            let mut copies = Copies {
                pages: BTreeMap::new(),
                first,
                asks,
                answers: answered,
                races: 0,
                notes: Vec::new(),
                note: Vec::new(),
            };
            scope.spawn(move || {
                if let Err(why) = program(me, phases, &mut copies) {
                    wrong.lock().expect("no panic").get_or_insert(why);
                }
            });
        }
        machine(processes, &|| known().is_some());
    });
    known().take().map_or(Ok(()), Err)
}
