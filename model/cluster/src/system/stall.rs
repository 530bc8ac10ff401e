// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stall rule on a cluster: nothing polls, so a run without events has stalled.

use super::Cluster;
use crate::state::Doing;
use awgstar_request::stall::{Machine, Open};

impl Machine for Cluster {
    type Shape = ();

    fn open(&self) -> Open {
        let mut open = Open::None;
        for process in &self.processes {
            match process.doing {
                Doing::Until(_) => return Open::Ends,
                Doing::Ended => {}
                _ => open = Open::Waits,
            }
        }
        open
    }

    fn in_flight(&self) -> bool {
        self.queue.events().next().is_some()
    }

    fn helps_later(&self) -> bool {
        false
    }

    fn rounds(&self) -> Option<u64> {
        None
    }

    fn shape(&self) {}
}
