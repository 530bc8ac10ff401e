// SPDX-License-Identifier: MIT OR Apache-2.0
//! LU decomposition of paper 004, section 5.3, as its pattern of reads: on the machine of the paper, and by a formula on
//! rings of boards.
//!
//! Rows go around among the processes. In each step a process reads the row of the pivot where it is, unless the row is
//! its own, and then updates all of its rows below. The paper does not say how processes learn that they may go on, nor
//! what that takes: here they know at once.

use super::fdsm::LINE;
use super::rings::{CROSSING, HOP, of_levels};
use super::{MHZ, StudyError};
use awgstar::quantity::{ByteAddress, Nanoseconds, NodeId, narrow};
use awgstar::request::{Answer, Len, PAGE, Place, Process, Request};
use awgstar_rings::RingNumber;
use awgstar_rings::clusters::{Clusters, Settings};
use std::cell::RefCell;
use std::rc::Rc;

/// Rows, and columns, of the paper's matrix.
pub const ROWS: usize = 1200;
/// Most rows of a matrix here: a row of 8-byte numbers is a far read.
pub const ROWS_MAX: usize = 2000;

/// The paper's time of the program without its DSM, and with it on one node.
pub const SERIAL: Nanoseconds = Nanoseconds(32_878_000_000);
pub const ONE: Nanoseconds = Nanoseconds(42_463_000_000);

/// Numbers that are updated in a matrix of 1,200 rows, and rows: the sums of m * m and of m, 1 to 1,199.
const NUMBERS: u128 = 575_280_200;
const UPDATES: u128 = 719_400;

/// When processes go on, and how rows come to those who read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A step begins when all have ended the one before. Each reader asks for each row.
    Steps,
    /// [`Way::Steps`], but one process of each other cluster asks, and the others of its cluster read from it.
    Once,
    /// [`Way::Steps`], with the barrier of all before each row in place of knowing at once.
    Barrier,
    /// Each goes on when the owner of its row has updated all of its rows, and each reader asks for each row.
    Free,
}

/// A decomposition: so many rows, on so many clusters of so many processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lu {
    pub rows: usize,
    pub clusters: usize,
    pub processes: usize,
    /// The cost of the DSM at each update of a row is paid.
    pub dsm: bool,
    /// Neighbours in the order of rows are of different clusters; without it, of the same one.
    pub alternate: bool,
}

/// A process of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Who {
    cluster: usize,
    process: usize,
}

impl Lu {
    #[must_use]
    pub const fn new(rows: usize, clusters: usize, processes: usize) -> Lu {
        Lu { rows, clusters, processes, dsm: true, alternate: false }
    }

    const fn all(self) -> usize {
        self.clusters * self.processes
    }

    const fn owner(self, row: usize) -> Who {
        let at = row % self.all();
        if self.alternate {
            return Who { cluster: at % self.clusters, process: at / self.clusters };
        }
        Who { cluster: at / self.processes, process: at % self.processes }
    }

    /// Place of a process in the order of rows.
    const fn order(self, who: Who) -> usize {
        if self.alternate {
            who.process * self.clusters + who.cluster
        } else {
            who.cluster * self.processes + who.process
        }
    }

    /// Rows below a pivot that a process has.
    fn below(self, pivot: usize, who: Who) -> usize {
        let at = self.order(who);
        let up_to = |row: usize| (row + self.all() - 1 - at) / self.all();
        up_to(self.rows) - up_to(pivot + 1)
    }

    /// Rows below a pivot that a process of one cluster has.
    pub(super) fn below_of(self, pivot: usize, process: usize) -> usize {
        self.below(pivot, Who { cluster: 0, process })
    }

    /// The row of a pivot is that of a process of one cluster.
    pub(super) fn owns(self, pivot: usize, process: usize) -> bool {
        self.owner(pivot) == Who { cluster: 0, process }
    }

    /// Time to update so many rows below a pivot.
    pub(super) fn update(self, pivot: usize, rows: usize) -> Nanoseconds {
        let (rows, columns) = (rows as u128, (self.rows - pivot - 1) as u128);
        let numbers = rows * columns * u128::from(SERIAL.0) / NUMBERS;
        let dsm = rows * u128::from(ONE.0 - SERIAL.0) / UPDATES;
        Nanoseconds(narrow(if self.dsm { numbers + dsm } else { numbers }))
    }

    /// Bytes of the row of a pivot that are read.
    pub(super) const fn bytes(self, pivot: usize) -> usize {
        8 * (self.rows - pivot)
    }

    /// Bytes of a process' memory: two words that say what is there, a row that was read for others, its own rows.
    fn segment(self) -> usize {
        let rows = 1 + self.rows.div_ceil(self.all());
        (64 + rows * 8 * self.rows).next_multiple_of(PAGE as usize)
    }

    /// An address in the memory of a process.
    fn at(self, process: usize, offset: usize) -> ByteAddress {
        ByteAddress::at((1 + process) * self.segment() + offset)
    }

    /// Where the part of a row is that is read.
    fn place(self, row: usize) -> ByteAddress {
        let index = 1 + row / self.all();
        self.at(self.owner(row).process, 64 + index * 8 * self.rows + 8 * row)
    }

    /// The time of the program on a machine with these costs.
    ///
    /// # Errors
    /// Settings that cannot be, a run that does not end.
    pub fn on_clusters(self, settings: Settings, way: Way) -> Result<Nanoseconds, StudyError> {
        let wrong = |wrong| StudyError::Wrong { point: format!("{self:?}, {way:?}"), wrong };
        let memory = u32::try_from((1 + self.processes) * self.segment());
        let memory = memory.map_err(|_| wrong("beyond 32 bits of address".into()))?;
        let Lu { clusters, processes, .. } = self;
        let known = Rc::new(RefCell::new(Known::new(clusters)));
        let process = |ring: RingNumber, node: NodeId| {
            let who = Who { cluster: ring.0.into(), process: node.index() - 1 };
            let known = Rc::clone(&known);
            Box::new(Reader { lu: self, who, way, known, pivot: 0, doing: Doing::Begins })
                as Box<dyn Process>
        };
        let settings = Settings { clusters, processes, memory, ..settings };
        let mut machine =
            Clusters::new(&settings, process).map_err(|error| wrong(error.to_string()))?;
        let mut refused = None;
        let ran = machine.run_while(&mut |machine| {
            let news = std::mem::take(&mut known.borrow_mut().news);
            for (cluster, word, value) in news {
                for process in 0..processes {
                    let at = self.at(process, word);
                    let stored = machine.store(RingNumber(narrow(cluster)), at, &bytes(value));
                    refused = refused.or(stored.err());
                }
            }
            true
        });
        let end = ran.map_err(|error| wrong(error.to_string()))?;
        let refused = refused.or(known.borrow().refused);
        refused.map_or(Ok(end), |refused| Err(wrong(refused.to_string())))
    }

    /// The time of the program in s where each row is written once and comes into the memory of all, and a process
    /// computes with the memory of its board: the longest updates, each row on the line, and so many cycles until all have
    /// the row and have met.
    fn on_line(self, cycles: u64) -> f64 {
        let step = |pivot: usize| {
            let rows = (self.rows - pivot - 1).div_ceil(self.all());
            let update = self.update(pivot, rows);
            #[expect(clippy::cast_precision_loss, reason = "a figure")]
            let (update, bytes, cycles) =
                (update.0 as f64 / 1e9, self.bytes(pivot) as f64, cycles as f64);
            // One process has all rows: none is sent.
            if self.all() == 1 { update } else { update + bytes / LINE / 1e6 + cycles / MHZ / 1e6 }
        };
        (0..self.rows).map(step).sum()
    }

    /// In s as a program of one process.
    #[must_use]
    pub fn alone(self) -> f64 {
        Lu { clusters: 1, processes: 1, ..self }.on_line(0)
    }

    /// In s on one ring of boards.
    #[must_use]
    pub fn on_ring(self) -> f64 {
        let all = self.all() as u64;
        self.on_line(around(all) + of_levels(&[all]))
    }

    /// In s on a ring for each cluster and a ring of gateways above: around its own, the upper and another one.
    #[must_use]
    pub fn on_rings(self) -> f64 {
        if self.clusters == 1 {
            return self.on_ring();
        }
        let (processes, rings) = (self.processes as u64, self.clusters as u64);
        let seen = 2 * around(processes + 1) + around(rings) + 2 * CROSSING;
        self.on_line(seen + of_levels(&[processes, rings]))
    }
}

/// Cycles of a host and its frame.
const FRAME: u64 = 20;

/// Cycles until data are on all boards of a ring: they wait for the token for half a rotation, and go around once.
const fn around(boards: u64) -> u64 {
    boards * HOP * 3 / 2 + FRAME
}

/// Words of a process' memory: rows that can be read, and those that another process of its cluster has read.
const READY: usize = 0;
const HERE: usize = 4;

fn bytes(count: usize) -> [u8; 4] {
    narrow::<u32>(count).to_le_bytes()
}

/// What processes know of each other.
struct Known {
    /// Rows that can be read, and for each cluster those that its first process has read from another one.
    ready: usize,
    /// Processes that have ended the step in which the others are.
    ended: usize,
    here: Vec<usize>,
    /// Words that change in the memory of each process of a cluster.
    news: Vec<(usize, usize, usize)>,
    refused: Option<awgstar::request::Refused>,
}

impl Known {
    fn new(clusters: usize) -> Known {
        let news = (0..clusters).map(|cluster| (cluster, READY, 1)).collect();
        Known { ready: 1, ended: 0, here: vec![0; clusters], news, refused: None }
    }
}

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    Begins,
    /// It waits for a row.
    Waits,
    Reads,
    Updates,
    /// It waits for all others.
    Meets,
}

/// A process.
struct Reader {
    lu: Lu,
    who: Who,
    way: Way,
    known: Rc<RefCell<Known>>,
    pivot: usize,
    doing: Doing,
}

impl Reader {
    /// The process reads the row, waits for it, or needs no read.
    fn read(&mut self) -> Option<Request> {
        let Reader { lu, who, pivot, .. } = *self;
        let owner = lu.owner(pivot);
        let known = self.known.borrow();
        if owner == who && known.ready > pivot {
            return None;
        }
        let first = Who { process: 0, ..who };
        let far = owner.cluster != who.cluster;
        let through = self.way == Way::Once && far && who != first;
        let (word, count) =
            if through { (HERE, known.here[who.cluster]) } else { (READY, known.ready) };
        if count <= pivot {
            drop(known);
            self.doing = Doing::Waits;
            let own = Place::shared(lu.at(who.process, word));
            // The first row is known before the first event is over.
            return Some(Request::Changed(own, bytes(count).into()));
        }
        drop(known);
        self.doing = Doing::Reads;
        let len = lu.bytes(pivot);
        Some(if through {
            Request::Read(Place::shared(lu.at(0, 64)), Len::Bytes(len as u64))
        } else if far {
            let (ring, words) = (narrow(owner.cluster), narrow(len / 4));
            Request::FarRead { ring, address: lu.place(pivot), words }
        } else {
            Request::Read(Place::shared(lu.place(pivot)), Len::Bytes(len as u64))
        })
    }

    fn update(&mut self) -> Request {
        self.doing = Doing::Updates;
        let rows = self.lu.below(self.pivot, self.who);
        Request::compute(self.lu.update(self.pivot, rows))
    }

    /// A row is where others can read it.
    fn has_read(&self) {
        let mut known = self.known.borrow_mut();
        let cluster = self.who.cluster;
        let far = self.lu.owner(self.pivot).cluster != cluster;
        if self.way == Way::Once && far && self.who.process == 0 {
            known.here[cluster] = self.pivot + 1;
            known.news.push((cluster, HERE, self.pivot + 1));
        }
    }

    fn has_updated(&mut self) {
        self.pivot += 1;
        if self.pivot == self.lu.rows {
            return;
        }
        let mut known = self.known.borrow_mut();
        known.ended += 1;
        let goes_on = match self.way {
            Way::Free => self.lu.owner(self.pivot) == self.who,
            Way::Steps | Way::Once | Way::Barrier => known.ended == self.lu.all(),
        };
        if goes_on {
            (known.ready, known.ended) = (self.pivot + 1, 0);
            let all = (0..self.lu.clusters).map(|cluster| (cluster, READY, self.pivot + 1));
            known.news.extend(all);
        }
    }
}

impl Process for Reader {
    fn next(&mut self, answer: &Answer) -> Request {
        if let Err(refused) = answer.got {
            self.known.borrow_mut().refused = Some(refused);
            return Request::End;
        }
        match self.doing {
            Doing::Begins | Doing::Waits | Doing::Meets => {}
            Doing::Reads => {
                self.has_read();
                return self.update();
            }
            Doing::Updates => {
                self.has_updated();
                if self.way == Way::Barrier && self.pivot < self.lu.rows {
                    self.doing = Doing::Meets;
                    return Request::Barrier(0);
                }
            }
        }
        if self.pivot == self.lu.rows {
            return Request::End;
        }
        self.read().unwrap_or_else(|| self.update())
    }
}

#[cfg(test)]
mod tests {
    use super::{Lu, ROWS, Way, Who};
    use awgstar::quantity::Nanoseconds;
    use awgstar_rings::clusters::Settings;

    /// Each row has one owner, and each process the rows that it owns.
    #[test]
    fn rows_go_around() {
        for alternate in [false, true] {
            let lu = Lu { alternate, ..Lu::new(50, 3, 4) };
            for pivot in [0, 7, 48, 49] {
                for cluster in 0..3 {
                    for process in 0..4 {
                        let who = Who { cluster, process };
                        let own = (pivot + 1..50).filter(|row| lu.owner(*row) == who).count();
                        assert_eq!(lu.below(pivot, who), own, "{who:?} below {pivot}");
                    }
                }
            }
            let next = [lu.owner(0).cluster, lu.owner(1).cluster];
            assert_eq!(next[0] == next[1], !alternate);
        }
    }

    /// On one node nothing but updates takes time: the time of the paper, less a ns for each step.
    #[test]
    fn one_process_takes_the_time_of_one_node() {
        let settings = Settings::new(1, 1);
        let time = Lu::new(ROWS, 1, 1).on_clusters(settings, Way::Steps).unwrap();
        assert!((42_462_997_600..=42_463_000_000).contains(&time.0), "{time}");
        let alone = Lu { dsm: false, ..Lu::new(ROWS, 2, 3) }.alone();
        assert!((alone - 32.878).abs() < 1e-5, "{alone}");
    }

    /// Two rows on two clusters: one row is read, from afar, and updated.
    #[test]
    fn a_step_is_a_read_and_an_update() {
        let two = Lu::new(2, 2, 1);
        for way in [Way::Steps, Way::Once, Way::Free] {
            let time = two.on_clusters(Settings::new(2, 1), way).unwrap();
            // 16 bytes: 8 beyond the first at 32,042 bytes a ms, twice, and at 10,162. An update of one number takes
            // 57 ns and 13,323 ns. At the end the other process reads the last number.
            let first = 1_358_000 + 2 * 250 + 788;
            assert_eq!(time, Nanoseconds(first + 57 + 13_323 + 1_358_000), "{way:?}");
        }
    }
}
