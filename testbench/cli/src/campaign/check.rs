// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bookkeeping of the hosts in a run: words written, words refused, signals received.

use crate::campaign::plan::{Plan, To};
use awgstar::contract::Order;
use awgstar::quantity::ByteAddress;
use awgstar::ring::boards::{WINDOW, bytes};
use awgstar::ring::{BoardRing, HostOp, Outcome};

/// A write that a board accepted.
#[derive(Clone, Copy, Debug)]
struct Accepted {
    addr: usize,
    data: [u8; 4],
    strobe: u8,
}

/// All hosts together.
#[derive(Clone, Debug)]
pub(super) struct Witness<'a> {
    plan: &'a Plan,
    /// Results that were looked at, of each host.
    seen: Vec<usize>,
    /// Writes of each host, in their order.
    accepted: Vec<Vec<Accepted>>,
    refused: u64,
    /// Numbers that each host wrote before its signals, and the board accepted.
    flags: Vec<Vec<u32>>,
    /// Numbers of the signals at each board, by source.
    got: Vec<Vec<Vec<u32>>>,
}

impl<'a> Witness<'a> {
    pub(super) fn new(plan: &'a Plan) -> Self {
        let n = plan.scenario.boards;
        Witness {
            plan,
            seen: vec![0; n],
            accepted: vec![Vec::new(); n],
            refused: 0,
            flags: vec![Vec::new(); n],
            got: vec![vec![Vec::new(); n]; n],
        }
    }

    /// Words written, writes refused, signals received.
    pub(super) fn counts(&self) -> (u64, u64, u64) {
        let writes = self.accepted.iter().map(|w| w.len() as u64).sum();
        let signals = self.got.iter().flatten().map(|s| s.len() as u64).sum();
        (writes, self.refused, signals)
    }

    /// Reads the answers to the hosts and the contents of their mailboxes. A signal with an order
    /// must come after its data.
    pub(super) fn look(&mut self, ring: &mut BoardRing) -> Result<(), String> {
        for i in 0..ring.boards() {
            self.answers(ring, i);
        }
        let live: Vec<usize> = ring.live().collect();
        for i in live {
            self.mail(ring, i)?;
        }
        Ok(())
    }

    fn answers(&mut self, ring: &BoardRing, i: usize) {
        let results = &ring.host(i).results()[self.seen[i]..];
        self.seen[i] += results.len();
        for result in results {
            match result.op {
                HostOp::Write { addr, data, strobe } if addr >= WINDOW => {
                    let addr = (addr - WINDOW) as usize;
                    if result.outcome == Outcome::Done {
                        if addr == i * self.plan.area() {
                            self.flags[i].push(data);
                        }
                        let data = data.to_le_bytes();
                        self.accepted[i].push(Accepted { addr, data, strobe });
                    } else {
                        self.refused += 1;
                    }
                }
                _ => {}
            }
        }
    }

    fn mail(&mut self, ring: &mut BoardRing, i: usize) -> Result<(), String> {
        loop {
            let mail = &mut ring.board_mut(i).u_mailbox;
            if mail.rd_q == mail.wr_q {
                return Ok(());
            }
            let at = usize::from(mail.rd_q & 15) << 4;
            let (source, number) = ((mail.mem[at + 2] >> 16 & 255) as usize, mail.mem[at + 4]);
            mail.rd_q = (mail.rd_q + 1) & 31;
            let planned = self
                .plan
                .signals
                .get(source)
                .and_then(|signals| signals.get((number as usize).checked_sub(1)?));
            let Some(planned) = planned else {
                return Err(format!("board {i} got signal {number} of board {source}: never sent"));
            };
            self.got[i][source].push(number);
            // The write before it may have been refused: then the one before that counts.
            let flags = self.flags[source].iter().copied();
            let due = flags.filter(|&flag| flag <= number).max().unwrap_or(0);
            let mut found = [0; 4];
            found.copy_from_slice(&bytes(
                ring.board(i),
                ByteAddress::at(source * self.plan.area()),
                4,
            ));
            let found = u32::from_le_bytes(found);
            if planned.order != Order::None && found < due {
                let which = format!("signal {number} ({:?}) of board {source}", planned.order);
                let cycle = ring.cycle();
                return Err(format!(
                    "cycle {cycle}: board {i} got {which} before its data: expected {due}, found {found}"
                ));
            }
        }
    }

    /// At the end: what live boards wrote is in all live replicas, and what a dead one wrote up to
    /// some point; signals are there once and in order.
    pub(super) fn judge(&self, ring: &BoardRing) -> Result<(), String> {
        let live: Vec<usize> = ring.live().collect();
        for source in 0..ring.boards() {
            let dead = !live.contains(&source);
            for &i in &live {
                self.replica(ring, source, i, dead)?;
                if i != source {
                    self.signals(source, i, dead)?;
                }
            }
        }
        Ok(())
    }

    fn replica(&self, ring: &BoardRing, source: usize, i: usize, dead: bool) -> Result<(), String> {
        let area = self.plan.area();
        let found = bytes(ring.board(i), ByteAddress::at(source * area), area);
        let mut image = vec![0; area];
        // A dead board's writes went round up to one of them.
        if dead && image == found {
            return Ok(());
        }
        for write in &self.accepted[source] {
            let at = write.addr - source * area;
            for lane in (0..4).filter(|lane| write.strobe >> lane & 1 == 1) {
                image[at + lane] = write.data[lane];
            }
            if dead && image[at..at + 4] == found[at..at + 4] && image == found {
                return Ok(());
            }
        }
        let at = image.iter().zip(&found).position(|(a, b)| a != b);
        match at {
            None => Ok(()),
            Some(at) => Err(format!(
                "replica of board {i}, byte {:#x} of board {source}{}: expected {:02x}, found {:02x}",
                source * area + at,
                if dead { ", which is dead" } else { "" },
                image[at],
                found[at]
            )),
        }
    }

    fn signals(&self, source: usize, i: usize, dead: bool) -> Result<(), String> {
        let is_for = |to: To| match to {
            To::One(node) => node == i,
            To::Group(group) => self.plan.groups[i] >> group & 1 == 1,
            To::All => true,
        };
        let sent = (1u32..).zip(&self.plan.signals[source]);
        let expected: Vec<u32> = sent.filter(|(_, s)| is_for(s.to)).map(|(n, _)| n).collect();
        let got = &self.got[i][source];
        let good = if dead { expected.starts_with(got) } else { expected == *got };
        if good {
            return Ok(());
        }
        let at = expected.iter().zip(got).position(|(a, b)| a != b);
        let at = at.unwrap_or(expected.len().min(got.len()));
        Err(format!(
            "signals of board {source} at board {i}: entry {at}: expected {:?}, found {:?}",
            expected.get(at),
            got.get(at)
        ))
    }
}
