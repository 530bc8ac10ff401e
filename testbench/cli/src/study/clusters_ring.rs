// SPDX-License-Identifier: MIT OR Apache-2.0
//! The LU decomposition of paper 004 on one cycle-accurate ring of boards, with a small matrix, beside the formula.
//!
//! In each step the owner of the row of the pivot writes it once, all meet at the barrier of the ring, by firmware, each
//! process looks at the end of the row in its own replica, and updates its rows.

use super::clusters_lu::Lu;
use super::sweep::retry_timeout;
use super::{MHZ, Ring, StudyError};
use awgstar::host::{Choice, DrivenRing};
use awgstar::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar::request::{Answer, Process, Request};
use awgstar::rtl::SmbAxi4;
use std::cell::RefCell;
use std::rc::Rc;

/// Rows of the small matrix.
pub const SMALL: usize = 48;
/// Words of the memory: 2^14, more than those of the matrix.
const MEM_ADDR_W: u32 = 14;
const LIMIT: Cycle = Cycle(50_000_000);

/// What the processes of a run leave.
#[derive(Debug, Default)]
struct Log {
    /// When each has left the first barrier, and when it has ended.
    begins: Vec<Cycle>,
    ends: Vec<Cycle>,
    wrong: Option<String>,
}

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    Begins,
    MeetsFirst,
    Writes,
    Meets,
    Looks,
    Updates,
}

/// A process.
struct Writer {
    lu: Lu,
    process: usize,
    pivot: usize,
    doing: Doing,
    log: Rc<RefCell<Log>>,
}

impl Writer {
    /// The last word of a row.
    fn end(&self) -> ByteAddress {
        ByteAddress::at(8 * self.lu.rows * (self.pivot + 1) - 4)
    }

    /// What each word of the row is.
    fn word(&self) -> u32 {
        narrow::<u32>(self.pivot) + 7
    }

    fn step(&mut self) -> Request {
        if self.lu.owns(self.pivot, self.process) {
            self.doing = Doing::Writes;
            let len = self.lu.bytes(self.pivot);
            let row: Vec<u8> = (0..len / 4).flat_map(|_| self.word().to_le_bytes()).collect();
            let from = ByteAddress::at(self.end().index() + 4 - len);
            return Request::write_bytes(from, &row);
        }
        self.doing = Doing::Meets;
        Request::Barrier(0)
    }
}

impl Process for Writer {
    fn next(&mut self, answer: &Answer) -> Request {
        let now = answer.now.cycle();
        if let Err(refused) = answer.got {
            self.log.borrow_mut().wrong = Some(refused.to_string());
            return Request::End;
        }
        match self.doing {
            Doing::Begins => {
                self.doing = Doing::MeetsFirst;
                Request::Barrier(0)
            }
            Doing::MeetsFirst => {
                self.log.borrow_mut().begins.push(now);
                self.step()
            }
            Doing::Writes => {
                self.doing = Doing::Meets;
                Request::Barrier(0)
            }
            Doing::Meets => {
                self.doing = Doing::Looks;
                Request::read(self.end())
            }
            Doing::Looks => {
                if answer.word() != self.word() {
                    let wrong = format!("row {} is not there: {}", self.pivot, answer.word());
                    self.log.borrow_mut().wrong = Some(wrong);
                }
                self.doing = Doing::Updates;
                Request::compute(
                    self.lu.update(self.pivot, self.lu.below_of(self.pivot, self.process)),
                )
            }
            Doing::Updates => {
                self.pivot += 1;
                if self.pivot < self.lu.rows {
                    return self.step();
                }
                self.log.borrow_mut().ends.push(now);
                Request::End
            }
        }
    }
}

/// The time on a ring of so many boards, in us: from the end of a first barrier to the end of the last process.
///
/// # Errors
/// A run that does not end, a row that is not there.
pub fn simulated(processes: usize) -> Result<f64, StudyError> {
    let lu = Lu::new(SMALL, 1, processes);
    let wrong = |wrong| StudyError::Wrong { point: format!("{lu:?} on a ring"), wrong };
    let host = |error| StudyError::Host { point: format!("{lu:?} on a ring"), error };
    let ring = Ring::new(processes);
    let choice = Choice { retry_timeout: retry_timeout(&ring), ..Choice::new() };
    let mut setup = ring.setup();
    setup.records = false;
    let parameters = setup.scenario.parameters.with("smb", "MEM_ADDR_W", MEM_ADDR_W.into());
    setup.scenario.parameters = parameters.map_err(|error| wrong(error.to_string()))?;
    let boards = setup.configuration();
    let mut system =
        DrivenRing::<Choice, dyn Process, SmbAxi4>::for_processes(choice, &setup, boards)
            .map_err(host)?;
    let log: Rc<RefCell<Log>> = Rc::default();
    for node in NodeId::all(processes) {
        let log = Rc::clone(&log);
        let writer = Writer { lu, process: node.index(), pivot: 0, doing: Doing::Begins, log };
        system.start(node, Box::new(writer)).map_err(host)?;
    }
    system.run_until_up(LIMIT).map_err(host)?;
    while !system.ended() {
        if system.ring().cycle() >= LIMIT {
            return Err(wrong(format!("who waits at the end: {:?}", system.waiting())));
        }
        system.advance();
    }
    let log = log.take();
    if let Some(found) = log.wrong {
        return Err(wrong(found));
    }
    let (begin, end) = (log.begins.into_iter().max(), log.ends.into_iter().max());
    let (Some(begin), Some(end)) = (begin, end) else { return Err(wrong("no end".into())) };
    #[expect(clippy::cast_precision_loss, reason = "a figure")]
    Ok((end - begin).0 as f64 / MHZ)
}
