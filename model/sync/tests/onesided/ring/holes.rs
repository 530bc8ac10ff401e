// SPDX-License-Identifier: MIT OR Apache-2.0
//! The queue lock and updates by the owner of a word, on a ring: each repair, left out.

use super::FROM;
use crate::holes::{Breaks, Found, Hangs};
use crate::systems::{owner, published, ring, takers};
use awgstar_frame::contract::Order;
use awgstar_sync::check::explore;
use awgstar_sync::check::onesided::{
    Call::{Fence, Read, Until, Word},
    Property, Settings,
};
use awgstar_sync::firmware::onesided::Access::{Add, Put};
use awgstar_sync::firmware::onesided::owner::OwnerRepairs;
use awgstar_sync::firmware::onesided::ring::RingRepairs;

#[test]
fn queue_locks_on_a_ring() {
    let mut found = Found::default();
    // The third one does not want the lock, and has a replica.
    let third = [takers(1, 2, None), takers(1, 1, None), vec![vec![]]].concat();
    let writers = [
        ("one writer for each word", takers(2, 2, None), Order::Sent),
        ("one writer for each word, lines confirmed", third, Order::Confirmed),
    ];
    for (name, scripts, order) in writers {
        let settings = Settings::ring(scripts);
        let with = ring(settings.clone(), RingRepairs::ALL, 0);
        found.hole(name, &published(settings, order), &with, Breaks(Property::Same));
    }
    for &(repair, name) in RingRepairs::LIST {
        let (scripts, early, wrong) = match repair {
            RingRepairs::ONCE => (takers(2, 1, None), 1, Hangs),
            RingRepairs::DIFFERENCE => (takers(2, 2, None), 0, Hangs),
            RingRepairs::FENCE => (takers(3, 1, Some(0)), 0, Breaks(Property::Current)),
            _ => (takers(2, 2, None), 0, Breaks(Property::Exclusion)),
        };
        let settings = Settings { early, ..Settings::ring(scripts) };
        let system = |repairs| ring(settings.clone(), repairs, FROM);
        let without = RingRepairs::ALL.without(repair);
        found.hole(name, &system(without), &system(RingRepairs::ALL), wrong);
    }
    found.write("ring");
}

#[test]
fn updates_by_the_owner() {
    let mut found = Found::default();
    // Word 1 is at home with process 1; process 0 raises word 0 as a flag.
    let (add, put, flag) = (Word(1, Add(1)), Word(1, Put(5)), Word(0, Put(1)));
    let reader = vec![Until(0), Read(1, 1)];
    for &(repair, name) in OwnerRepairs::LIST {
        let (scripts, wrong) = match repair {
            OwnerRepairs::READ_WAITS => (vec![vec![add, Read(1, 1)], vec![]], Property::Seen),
            OwnerRepairs::FENCE_WAITS => {
                (vec![vec![add, Fence, flag], reader.clone()], Property::Seen)
            }
            OwnerRepairs::ANSWER_CONFIRMED => {
                (vec![vec![add, Fence, flag], vec![], reader.clone()], Property::Seen)
            }
            OwnerRepairs::REQUEST_CONFIRMED => {
                (vec![vec![put, add], vec![], vec![]], Property::Same)
            }
            OwnerRepairs::PUT_WAITS => (vec![vec![add, put], vec![]], Property::Same),
            _ => (vec![vec![add], vec![]], Property::Counted),
        };
        let early = u8::from(repair == OwnerRepairs::ONCE);
        let settings = Settings { early, ..Settings::ring(scripts) };
        let system = |repairs| owner(settings.clone(), repairs, FROM);
        let without = OwnerRepairs::ALL.without(repair);
        found.hole(name, &system(without), &system(OwnerRepairs::ALL), Breaks(wrong));
    }
    found.write("owner");
}

/// What the text says of replicas as published: exclusion holds, also with three processes.
#[test]
fn as_published_one_process_has_the_lock_on_a_ring() {
    for order in [Order::Sent, Order::Confirmed] {
        let report = explore(&published(Settings::ring(takers(3, 1, None)), order), 2_000_000);
        assert!(report.exhausted && report.stuck.is_none() && report.livelock.is_none());
        assert!(report.run(Property::Exclusion).is_none(), "{order:?}");
    }
}
