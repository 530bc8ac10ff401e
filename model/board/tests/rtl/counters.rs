// SPDX-License-Identifier: MIT OR Apache-2.0
//! `node_counters`: nothing is missed. Checks NODE-20.

use super::seeded::seeded;
use awgstar_board::rtl::{NodeCounters, node_counters::Inputs};
use proptest::prelude::*;

proptest! {
    #![proptest_config(seeded(32))]

    /// NODE-20: any events, from the first cycle after reset on; each is seen after 17 cycles and
    /// one for the read.
    #[test]
    fn no_event_is_missed(events in prop::collection::vec(prop_oneof![any::<u16>(), Just(0u16), Just(u16::MAX)], 1..600)) {
        let mut counters = NodeCounters::default();
        let mut memory = [0u32; 16];
        memory.fill(0xdead_beef);
        counters.mem.copy_from_slice(&memory);
        counters.clock(&Inputs { rst: true, events: 0, addr: 0 });
        let mut totals = [0u32; 16];
        for &e in &events {
            counters.clock(&Inputs { rst: false, events: e, addr: 0 });
            for (k, total) in totals.iter_mut().enumerate() {
                *total += u32::from(e >> k & 1);
            }
        }
        // The first round after reset clears, so at least two rounds must have passed.
        let more = if events.len() < 16 { 32 } else { 16 };
        for _ in 0..more {
            counters.clock(&Inputs::default());
        }
        for addr in 0..16u8 {
            counters.clock(&Inputs { rst: false, events: 0, addr });
            prop_assert_eq!(counters.outputs().data, totals[usize::from(addr)], "counter {}", addr);
        }
    }
}
