//! What was repaired holds in every run within bounds.

use super::bench::{Acknowledged, Bare, LIMIT, Lines};
use crate::snapshot;
use awgstar::check::{Profile, paging::Settings};

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

/// `cargo test -p awgstar --test protocols -- --ignored --nocapture paging::holds::long_list`
#[test]
#[ignore = "takes two minutes and 3 GB"]
fn long_list() {
    let mut lines = Lines::new();
    for s in [Acknowledged, Bare].into_iter().flat_map(long) {
        lines.holds(&s, 5_000_000);
    }
    snapshot::section("paging.md", "long list", &lines.0);
}
