// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waits of the process for memory: until its writes are everywhere, or until bytes change (DRV-9).

use super::{Driver, Job};
use crate::{Protocols, port};
use awgstar_board::ring::{HostOp, HostResult, Outcome, boards::in_window};
use awgstar_frame::quantity::{ByteAddress, Cycle, narrow};
use awgstar_request::{Got, Process, Refused, Request};

impl<P: Protocols, Q: Process + ?Sized> Driver<P, Q> {
    /// The bytes whose change the process waits for, as they were, and their address.
    pub(crate) fn watched(&self) -> Option<(ByteAddress, &[u8])> {
        match &self.asked {
            Some((Request::Changed(place, old), _)) => Some((place.addr, old)),
            _ => None,
        }
    }

    /// The bytes differ: they are read as soon as the host is idle.
    pub(crate) fn look(&mut self) {
        (self.look, self.rests_until) = (true, Cycle(0));
    }

    /// A read of the bytes is to be made, or is under way.
    pub(crate) fn looks(&self) -> bool {
        self.look && self.watched().is_some() || self.job == Job::Look
    }

    /// The process waits until its writes are everywhere.
    pub(crate) fn fences(&self) -> bool {
        matches!(self.asked, Some((Request::Fence(_), _)))
    }

    /// The next accesses for such a wait.
    pub(super) fn ask_memory(&mut self) -> Option<Vec<HostOp>> {
        if self.fences() {
            self.job = Job::Fence;
            return Some(match self.mark {
                None => port::flush().to_vec(),
                Some(_) => vec![HostOp::Wait { cycles: port::PAUSE }, port::frames()],
            });
        }
        if !std::mem::take(&mut self.look) {
            return None;
        }
        let (at, old) = self.watched()?;
        let words = (at.0 % 4 + narrow::<u32>(old.len())).div_ceil(4);
        let first = ByteAddress(at.0 & !3);
        let read = |word| HostOp::Read { addr: in_window(first + 4 * word) };
        let ops = (0..words).map(read).collect();
        self.job = Job::Look;
        Some(ops)
    }

    /// The numbers of data frames were read.
    pub(super) fn fenced(&mut self, cycle: Cycle, results: &[HostResult]) {
        if results.iter().any(|result| result.outcome == Outcome::Refused) {
            return self.reply(cycle, Err(Refused::Bus));
        }
        let (base, tail) = port::numbers(results.last().map_or(0, |result| result.data));
        if port::confirmed(*self.mark.get_or_insert(tail), base) {
            self.reply(cycle, Ok(Got::Nothing));
        }
    }

    /// The bytes were read whose change the process waits for.
    pub(super) fn looked(&mut self, cycle: Cycle, results: &[HostResult]) {
        let Some((at, old)) = self.watched() else { return };
        let bytes = results.iter().flat_map(|result| result.data.to_le_bytes());
        let same = bytes.skip(at.0 as usize % 4).take(old.len()).eq(old.iter().copied());
        if results.iter().any(|result| result.outcome == Outcome::Refused) {
            self.reply(cycle, Err(Refused::Bus));
        } else if !same {
            self.reply(cycle, Ok(Got::Nothing));
        }
    }
}
