//! The locks of the thesis as printed: the shortest run to everything that goes wrong.

use super::bench::{
    Acknowledged, Bare, LIMIT, Lines,
    Wrong::{Breaks, Stuck},
    base, dist, goes_wrong, mw,
};
use crate::snapshot;
use awgstar::{
    check::{
        Property::{Exclusion, Fair, OneLeader, Unaided},
        Settings,
    },
    contract::Order::Confirmed,
    firmware::lock::{DistRepairs, MwRepairs},
};

const TWO: Settings = Settings { rounds: 2, ..base(2, Acknowledged) };
const THREE: Settings = Settings { rounds: 2, ..base(3, Acknowledged) };

#[test]
fn master_worker_as_printed() {
    let printed = |s| mw(s, Confirmed, MwRepairs::NONE);
    // Nothing is lost and no timer is early.
    goes_wrong("lock_mw_printed_answer", Breaks(Exclusion), &printed(THREE));
    goes_wrong(
        "lock_mw_printed_timer",
        Breaks(Unaided),
        &printed(Settings { unaided: true, ..THREE }),
    );
    goes_wrong("lock_mw_printed_fair", Breaks(Fair), &printed(Settings { fair: true, ..THREE }));
    let lost = Settings { losses: 1, ..base(2, Bare) };
    goes_wrong("lock_mw_printed_lost_request", Stuck, &printed(lost));
    let again = Settings { losses: 1, ..TWO };
    goes_wrong("lock_mw_printed_grant_again", Breaks(Exclusion), &printed(again));
    goes_wrong("lock_mw_printed_request_again", Stuck, &printed(again));
    let unlock = Settings { rounds: 1, losses: 1, ..THREE };
    goes_wrong("lock_mw_printed_unlock_again", Breaks(Exclusion), &printed(unlock));
}

#[test]
fn distributed_as_printed() {
    let none = Settings { unaided: true, ..base(2, Acknowledged) };
    let printed = |s| dist(s, Confirmed, DistRepairs::NONE);
    goes_wrong("lock_dist_printed_nobody", Breaks(Unaided), &printed(none));
    // What is wrong besides.
    let printed = |s| dist(s, Confirmed, DistRepairs::FIRST);
    goes_wrong(
        "lock_dist_printed_timer",
        Breaks(Unaided),
        &printed(Settings { unaided: true, ..THREE }),
    );
    goes_wrong("lock_dist_printed_stuck", Stuck, &printed(THREE));
    let once = Settings { rounds: 1, losses: 1, ..THREE };
    goes_wrong("lock_dist_printed_two_rights", Breaks(OneLeader), &printed(once));
    let early = Settings { early: 1, ..THREE };
    goes_wrong("lock_dist_printed_two_inside", Breaks(Exclusion), &printed(early));
}

/// All states of both as printed: what is broken, and how far from the start. Behind what is broken
/// nothing is looked at.
#[test]
fn states_as_printed() {
    let (mut of_mw, mut of_dist) = (Lines::new(), Lines::new());
    for profile in [Acknowledged, Bare] {
        let base = |nodes| Settings { unaided: true, ..base(nodes, profile) };
        let two = Settings { rounds: 2, ..base(2) };
        let faults = |s| {
            [Settings { losses: 1, ..s }, Settings { early: 1, ..s }, Settings { full: 1, ..s }]
        };
        let clean = [two, Settings { slow: Some(0), ..two }, Settings { rounds: 2, ..base(3) }];
        for s in clean.into_iter().chain(faults(two)).chain(faults(base(3))) {
            of_mw.add("master-worker", &mw(s, Confirmed, MwRepairs::NONE), LIMIT);
            of_dist.add("distributed", &dist(s, Confirmed, DistRepairs::FIRST), LIMIT);
        }
    }
    snapshot::section("protocols-lock.md", "mw printed", &of_mw.0);
    snapshot::section("protocols-lock.md", "dist printed", &of_dist.0);
}
