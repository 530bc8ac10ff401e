// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run of a board that is being put together: what the host does, and frames on the link.

use crate::board::BoardStimulus;
use crate::board::stimulus::{BoardEvent, BoardFrame, HostAccess, Numbers};
use awgstar::contract::board;
use awgstar::quantity::narrow;
use awgstar::ring::RESET_CYCLES;
use std::ops::RangeInclusive;

/// The host's list and that of the link do not depend on each other.
#[derive(Clone, Debug)]
pub(in crate::vectors) struct Script {
    pub(in crate::vectors) stimulus: BoardStimulus,
    /// Answers that the host must get.
    pub(in crate::vectors) answers: Vec<String>,
    /// First cycle in which no frame is on the link.
    free: u64,
    /// Cycles that the host waits before its next access.
    gap: u16,
    /// About the cycle in which it could begin without waiting.
    now: u64,
}

impl Default for Script {
    /// A board that no host has set up, after its reset.
    fn default() -> Self {
        let now = RESET_CYCLES.0;
        Script { stimulus: BoardStimulus::default(), answers: Vec::new(), free: now, gap: 0, now }
    }
}

impl Script {
    /// Node_ID of the board, as its host has set it.
    pub(in crate::vectors) fn node(&self) -> u8 {
        let mut all = self.stimulus.host.iter().rev();
        let set = all.find(|access| access.write && access.addr == board::NODE_ID.offset);
        set.map_or(0, |access| access.data.to_le_bytes()[0])
    }

    /// About the cycles until which the host can wait.
    pub(super) fn next_access(&self) -> RangeInclusive<u64> {
        self.now..=self.now + u64::from(u16::MAX)
    }

    /// Whether the host waits before its next access.
    pub(super) fn waits(&self) -> bool {
        self.gap != 0
    }

    /// Cycles in which the next frame can begin.
    pub(super) fn next_frame(&self) -> RangeInclusive<u64> {
        self.free + 1..=self.free + u64::from(u16::MAX)
    }

    /// The host waits until about this cycle.
    pub(in crate::vectors) fn until(&mut self, cycle: u64) {
        self.gap = narrow(cycle.saturating_sub(self.now));
    }

    /// An access of the host, after what it waits.
    pub(in crate::vectors) fn access(&mut self, access: HostAccess) {
        let command = [board::LOCK_ACQUIRE, board::LOCK_RELEASE, board::BARRIER_ARRIVE];
        let takes = if command.iter().any(|r| r.offset == access.addr) { 5 } else { 4 };
        let gap = self.gap.saturating_add(access.gap);
        self.now += u64::from(gap) + takes;
        self.stimulus.host.push(HostAccess { gap, ..access });
        self.gap = 0;
    }

    /// A frame on the link from cycle `at` on, or one cycle after the frame before it.
    pub(in crate::vectors) fn put(&mut self, at: u64, frame: BoardFrame) {
        let gap = narrow::<u16>(at.saturating_sub(self.free)).max(1);
        let words = frame.words(&mut Numbers::default()).len() as u64;
        self.free += u64::from(gap) + words;
        self.stimulus.link.push(BoardEvent { gap, frame });
    }
}
