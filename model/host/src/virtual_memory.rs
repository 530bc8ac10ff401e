// SPDX-License-Identifier: MIT OR Apache-2.0
//! Virtual shared memory in the driver: passes accesses of the process to the pager, and those of
//! the pager to the board. An address outside all pages is refused (PAG-9).

use super::driver::{Driver, Job, accesses, at};
use super::pager::{Order, Side, Turn};
use super::{Happened, Protocols};
use awgstar_board::ring::{HostOp, HostResult};
use awgstar_frame::quantity::{ByteAddress, Cycle};
use awgstar_request::{Place, Process, Refused, Request, Space};
use awgstar_sync::firmware::{Timer, paging::Event};

impl<P: Protocols, Q: Process + ?Sized> Driver<P, Q> {
    /// The process accesses a virtual address.
    pub(super) fn access_virtual(&mut self, cycle: Cycle, addr: ByteAddress) {
        let at = self.pager.as_ref().map(|pager| pager.place().at);
        match at.and_then(|at| at.locate(addr)) {
            Some((page, _)) => self.tell_pager(cycle, Side::Process, Event::Access(page)),
            None => self.reply(cycle, Err(Refused::Bus)),
        }
    }

    /// The process lets its page go; whether it has to wait until it has.
    pub(super) fn lets_go(&mut self, cycle: Cycle) -> bool {
        let holds = self.pager.as_ref().is_some_and(|pager| pager.access().page().is_some());
        if holds {
            self.tell_pager(cycle, Side::Process, Event::LetGo);
        }
        holds
    }

    pub(super) fn tell_pager(&mut self, cycle: Cycle, side: Side, event: Event) {
        self.with_pager(cycle, side, |pager| pager.tell(side, event));
    }

    /// Does something with the pager, and records what it changed in a state machine.
    fn with_pager<T: Default>(
        &mut self,
        cycle: Cycle,
        side: Side,
        what: impl FnOnce(&mut super::Pager) -> T,
    ) -> T {
        let Some(pager) = &mut self.pager else { return T::default() };
        let look = self.records.is_some();
        let before = if look { pager.summary(side) } else { String::new() };
        let out = what(pager);
        let after = if look { pager.summary(side) } else { String::new() };
        if !pager.timer() {
            self.page_timer = None;
        }
        if before != after {
            self.record(cycle, Happened::Pages(side, after));
        }
        out
    }

    /// The next accesses for a state machine of the pager.
    pub(super) fn run_pager(&mut self, protocols: &P, cycle: Cycle, side: Side) -> Vec<HostOp> {
        loop {
            let Some(pager) = &mut self.pager else { return Vec::new() };
            let turn = pager.turn(side);
            if !pager.timer() {
                self.page_timer = None;
            }
            match turn {
                Turn::Rest => return Vec::new(),
                Turn::Host(ops) => {
                    self.job = Job::Pages(side);
                    return ops;
                }
                Turn::Now(Order::Send(message)) => {
                    self.send(
                        cycle,
                        crate::port::Mail::Firmware(message),
                        awgstar_frame::contract::Order::None,
                    );
                }
                Turn::Now(Order::Start) => {
                    let end = cycle.saturating_add(protocols.cycles(Timer::Request));
                    self.page_timer = Some(end);
                }
                Turn::Now(Order::Granted(offset)) => self.granted = self.grant(offset),
                Turn::Now(Order::Released) => self.released(protocols, cycle),
            }
        }
    }

    /// The page is at `offset`: the access that waits for it.
    fn grant(&self, offset: ByteAddress) -> Option<HostOp> {
        let table = self.pager.as_ref()?.place().at;
        let (request, _) = self.asked.as_ref()?;
        match request {
            Request::Read(Place { space: Space::Virtual, addr, .. }, _)
            | Request::Write(Place { space: Space::Virtual, addr, .. }, _) => {
                let within = table.locate(*addr).map_or(0, |(_, within)| within);
                at(offset + within, request)
            }
            _ => None,
        }
    }

    /// The accesses that the board's reset cut short.
    pub(super) fn ask_again(&self, cut: bool) -> Vec<HostOp> {
        let Some((request, _)) = self.asked.as_ref().filter(|_| cut) else { return Vec::new() };
        let ops = accesses(request);
        if !ops.is_empty() {
            return ops;
        }
        let held = self.pager.as_ref().and_then(|pager| pager.access().page());
        held.and_then(|(_, offset)| self.grant(offset)).into_iter().collect()
    }

    /// No page is held: what the process waits for is begun.
    fn released(&mut self, protocols: &P, cycle: Cycle) {
        if let Some((request, _)) = self.asked.clone() {
            self.begin_request(protocols, cycle, &request);
        }
    }

    pub(super) fn pages_done(&mut self, cycle: Cycle, side: Side, results: &[HostResult]) {
        self.with_pager(cycle, side, |pager| pager.done(side, results));
    }
}
