// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a holder wrote is there when the next one enters: which order a release needs (LOCK-6).

use super::bench::{Acknowledged, Bare, LIMIT, Lines, base, dist, goes_wrong, mw, queue};
use crate::{snapshot, wrong::Wrong::Breaks};
use awgstar_frame::contract::Order::{self, Confirmed, None, Sent};
use awgstar_sync::{
    check::{Profile, Property::Visible, Settings},
    firmware::lock::{DistRepairs, MwRepairs},
};

fn data(nodes: usize, profile: Profile) -> Settings {
    Settings { data: true, ..base(nodes, profile) }
}

#[test]
fn confirmed_releases_show_what_was_written() {
    let mut lines = Lines::new();
    for profile in [Acknowledged, Bare] {
        let two = Settings { rounds: 2, losses: 1, ..data(2, profile) };
        for s in [two, Settings { losses: 1, ..data(3, profile) }] {
            lines.holds("master-worker", &mw(s, Confirmed, MwRepairs::ALL), LIMIT);
            lines.holds("distributed", &dist(s, Confirmed, DistRepairs::ALL), LIMIT);
            lines.holds("ring queue", &queue(s, Confirmed), LIMIT);
        }
    }
    snapshot::section("protocols-lock.md", "data holds", &lines.0);
}

/// Between two nodes, or where nothing is lost, `sent` is enough.
#[test]
fn sent_releases_show_what_was_written_to_one_receiver() {
    let mut lines = Lines::new();
    for profile in [Acknowledged, Bare] {
        for s in [Settings { losses: 1, ..data(2, profile) }, data(3, profile)] {
            lines.holds("master-worker", &mw(s, Sent, MwRepairs::ALL), LIMIT);
            lines.holds("distributed", &dist(s, Sent, DistRepairs::ALL), LIMIT);
            lines.holds("ring queue", &queue(s, Sent), LIMIT);
        }
    }
    snapshot::section("protocols-lock.md", "data sent", &lines.0);
}

#[test]
fn weaker_releases_do_not() {
    let all = |order: Order, s: Settings| {
        let name = |lock| format!("lock_{lock}_data_{}", format!("{order:?}").to_lowercase());
        goes_wrong(&name("mw"), Breaks(Visible), &mw(s, order, MwRepairs::ALL));
        goes_wrong(&name("dist"), Breaks(Visible), &dist(s, order, DistRepairs::ALL));
        goes_wrong(&name("queue"), Breaks(Visible), &queue(s, order));
    };
    all(None, data(2, Acknowledged));
    // What the third node must see is there for the second one only.
    all(Sent, Settings { losses: 1, ..data(3, Acknowledged) });
}
