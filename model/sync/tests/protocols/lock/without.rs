// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each repair alone taken out: something goes wrong, in a run that is kept; with it, nothing does.

use super::bench::{Acknowledged, Bare, LIMIT, Wrong, base, dist, goes_wrong, mw};
use crate::wrong::Wrong::{Breaks, Stuck};
use awgstar_frame::contract::Order::Confirmed;
use awgstar_sync::{
    check::{
        Property::{Exclusion, Fair, Unaided},
        Settings, explore,
    },
    firmware::lock::{DistRepairs, MwRepairs},
};

const ONE: Settings = Settings { unaided: true, ..base(2, Acknowledged) };
const TWO: Settings = Settings { rounds: 2, ..ONE };
const THREE: Settings = Settings { unaided: true, rounds: 2, ..base(3, Acknowledged) };
const FAIR: Settings = Settings { fair: true, ..THREE };

#[test]
fn master_worker_needs_each_repair() {
    let cases: &[(MwRepairs, Wrong, Settings)] = &[
        (MwRepairs::ASK_AT_ONCE, Stuck, Settings { rounds: 1, losses: 1, unaided: false, ..THREE }),
        (MwRepairs::ASK_ON, Stuck, Settings { losses: 1, ..base(2, Bare) }),
        (MwRepairs::NUMBERED, Breaks(Exclusion), THREE),
        (MwRepairs::ONCE, Breaks(Unaided), TWO),
        (MwRepairs::UNLOCK_OF_GRANT, Breaks(Exclusion), Settings { losses: 1, ..TWO }),
        (MwRepairs::UNLOCK_AGAIN, Stuck, Settings { full: 1, ..ONE }),
    ];
    assert!(cases.iter().map(|case| case.0).eq(MwRepairs::LIST.iter().map(|one| one.0)));
    for ((repair, wrong, settings), (_, name)) in cases.iter().zip(MwRepairs::LIST) {
        let ring = |repairs| mw(*settings, Confirmed, repairs);
        let name = format!("lock_mw_without_{name}");
        goes_wrong(&name, *wrong, &ring(MwRepairs::ALL.without(*repair)));
        assert!(explore(&ring(MwRepairs::ALL), LIMIT).holds(), "{name}");
    }
}

#[test]
fn distributed_needs_each_repair() {
    let cases: &[(DistRepairs, Wrong, Settings)] = &[
        (DistRepairs::FIRST, Breaks(Unaided), ONE),
        (
            DistRepairs::ASK_AT_ONCE,
            Stuck,
            Settings { losses: 1, rounds: 1, unaided: false, ..THREE },
        ),
        (DistRepairs::RECORDED, Stuck, Settings { full: 1, rounds: 1, ..THREE }),
        (DistRepairs::NUMBERED, Breaks(Fair), FAIR),
        (DistRepairs::EPOCHS, Breaks(Exclusion), Settings { losses: 1, ..TWO }),
        (DistRepairs::ASK_ON, Stuck, Settings { full: 1, ..ONE }),
        (DistRepairs::SHOWN, Breaks(Fair), FAIR),
    ];
    // Without it only time is lost: see `hand_overs`.
    let repairs = || DistRepairs::LIST.iter().filter(|one| one.0 != DistRepairs::HANDED_ON);
    assert!(cases.iter().map(|case| case.0).eq(repairs().map(|one| one.0)));
    for ((repair, wrong, settings), (_, name)) in cases.iter().zip(repairs()) {
        let ring = |repairs| dist(*settings, Confirmed, repairs);
        let name = format!("lock_dist_without_{name}");
        goes_wrong(&name, *wrong, &ring(DistRepairs::ALL.without(*repair)));
        // Three nodes that ask twice: `distributed_holds` explores them.
        if *settings != FAIR {
            assert!(explore(&ring(DistRepairs::ALL), LIMIT).holds(), "{name}");
        }
    }
}
