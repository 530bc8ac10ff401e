// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was repaired holds in every run within bounds.

use super::bench::{Acknowledged, Bare, LIMIT, Lines};
use crate::snapshot;
use awgstar_sync::check::{
    Profile, explore,
    paging::{Network, Settings},
};

/// What takes seconds.
fn short(profile: Profile) -> Vec<Settings> {
    let base = |pages, frames, scripts: &[&[u16]]| Settings {
        profile,
        ..Settings::new(pages, frames, scripts)
    };
    let one = base(2, 1, &[&[], &[2]]);
    let apart = base(2, 1, &[&[1], &[2]]);
    let same = base(2, 1, &[&[2], &[2]]);
    let three = base(2, 1, &[&[], &[2], &[1]]);
    vec![
        Settings { losses: 2, early: 1, ..one },
        Settings { losses: 1, ..base(2, 1, &[&[], &[2, 1]]) },
        Settings { losses: 1, lets_go: true, ..base(2, 1, &[&[], &[2, 2]]) },
        apart.clone(),
        Settings { losses: 2, ..apart.clone() },
        Settings { early: 1, ..apart },
        Settings { losses: 1, ..same.clone() },
        Settings { early: 1, ..same },
        base(2, 1, &[&[1, 2], &[2, 1]]),
        Settings { losses: 1, ..base(3, 2, &[&[], &[3, 1]]) },
        base(3, 2, &[&[3], &[3, 1]]),
        three.clone(),
        Settings { early: 1, ..three },
        // Back to a page after it was let go.
        Settings { lets_go: true, full: 1, slow: true, ..base(2, 1, &[&[], &[2, 1, 2]]) },
        Settings { lets_go: true, slow: true, ..base(2, 1, &[&[1, 2, 1], &[2]]) },
        Settings { lets_go: true, full: 1, ..base(2, 1, &[&[1], &[2, 2]]) },
        Settings { lets_go: true, slow: true, ..base(3, 2, &[&[], &[3, 1, 3]]) },
        Settings { losses: 1, ..base(2, 1, &[&[], &[], &[], &[2]]) },
    ]
}

/// What takes minutes.
fn long(profile: Profile) -> Vec<Settings> {
    let base = |pages, frames, scripts: &[&[u16]]| Settings {
        profile,
        ..Settings::new(pages, frames, scripts)
    };
    let three = base(2, 1, &[&[], &[2], &[1]]);
    vec![
        Settings { losses: 1, early: 1, ..base(2, 1, &[&[2], &[2]]) },
        Settings { losses: 2, ..base(2, 1, &[&[2], &[2]]) },
        Settings { losses: 2, early: 1, ..base(2, 1, &[&[1], &[2]]) },
        Settings { losses: 1, ..base(2, 1, &[&[1, 2], &[2, 1]]) },
        Settings { losses: 1, ..base(3, 2, &[&[3], &[3, 1]]) },
        Settings { losses: 1, early: 1, ..three.clone() },
        Settings { losses: 2, ..three },
        Settings { losses: 1, ..base(3, 2, &[&[], &[3], &[1]]) },
        base(2, 1, &[&[2], &[1], &[2]]),
        Settings { lets_go: true, full: 1, slow: true, ..base(2, 1, &[&[1], &[2, 1, 2]]) },
        Settings { lets_go: true, full: 1, slow: true, ..base(2, 1, &[&[], &[2, 2], &[1]]) },
        Settings { losses: 1, ..base(2, 1, &[&[], &[2], &[], &[1]]) },
    ]
}

#[test]
fn repaired_holds() {
    let mut lines = Lines::new();
    for s in [Acknowledged, Bare].into_iter().flat_map(short) {
        lines.holds(&s, LIMIT);
    }
    snapshot::section("paging.md", "holds", &lines.0);
}

/// `cargo test -p awgstar-sync --test protocols -- --ignored --nocapture paging::holds::long_list`
#[test]
#[ignore = "takes two minutes and 3 GB"]
fn long_list() {
    let mut lines = Lines::new();
    for s in [Acknowledged, Bare].into_iter().flat_map(long) {
        lines.holds(&s, 5_000_000);
    }
    snapshot::section("paging.md", "long list", &lines.0);
}

#[test]
fn settings_out_of_range_are_refused() {
    let refused = |pages, frames, scripts: &[&[u16]], field, found| {
        let error = Network::new(Settings::new(pages, frames, scripts)).expect_err(field);
        assert_eq!((error.field, error.found), (field, found), "{error}");
    };
    refused(2, 1, &[&[1][..]; 5], "processes", 5);
    refused(2, 1, &[], "processes", 0);
    refused(0, 0, &[&[]], "frames", 0);
    refused(2, 0, &[&[1]], "frames", 0);
    refused(2, 3, &[&[1]], "frames", 3);
    refused(2, 1, &[&[1], &[3]], "script", 3);
    refused(2, 1, &[&[0]], "script", 0);
    refused(2, 1, &[&[1; 256][..]], "script", 256);
    let error = Network::new(Settings::new(2, 1, &[&[1][..]; 5])).unwrap_err();
    let text = "page table, processes: expected 1 to 4, a byte of a page for each, found 5";
    assert_eq!(error.to_string(), text);
}

/// All four bytes of a page are used.
#[test]
fn four_nodes_access_a_page_that_is_in() {
    let settings = Settings::new(1, 1, &[&[], &[1], &[], &[1]]);
    let report = explore(&Network::new(settings).expect("four nodes"), LIMIT);
    assert!(report.holds(), "{} states", report.states);
}
