// SPDX-License-Identifier: MIT OR Apache-2.0
//! What all wrote before they arrived is seen by all behind the barrier (BAR-5).

use super::bench::{Acknowledged, Bare, Bench, LIMIT, Lines, UNSEEN, base, bench, goes_wrong};
use awgstar_frame::contract::Order;
use awgstar_sync::{
    check::Settings,
    firmware::barrier::{DistRepairs, MwRepairs},
};

#[test]
fn all_is_seen() {
    let mut lines = Lines::new(LIMIT);
    for profile in [Bare, Acknowledged] {
        let two = Settings { data: true, ..base(2, profile) };
        lines.each(bench(Settings { losses: 1, ..two }));
        lines.each(bench(Settings { full: 1, ..two }));
        let three = Settings { data: true, rounds: 1, ..base(3, profile) };
        lines.each(bench(three));
        lines.mw(bench(Settings { losses: 1, ..three }));
    }
    lines.keep("data");
}

/// Weaker orders: the shortest run to what they lose.
#[test]
fn weaker_orders_are_not_enough() {
    let three = Settings { data: true, rounds: 1, ..base(3, Acknowledged) };
    let two = Settings { data: true, rounds: 1, ..base(2, Acknowledged) };
    let weak = Bench { arrivals: Order::None, ..bench(two) };
    let title = "Ring barrier, arrivals `none`";
    goes_wrong("barrier-ring-arrivals-none", title, UNSEEN, &weak.ring());
    let sent = Bench { arrivals: Order::Sent, ..bench(Settings { losses: 1, ..three }) };
    let title = "Master-worker barrier, arrivals `sent`";
    goes_wrong("barrier-mw-arrivals-sent", title, UNSEEN, &sent.mw(MwRepairs::ALL));
    let title = "Distributed barrier, arrivals `sent`";
    goes_wrong("barrier-dist-arrivals-sent", title, UNSEEN, &sent.dist(DistRepairs::ALL));
    let weak = Bench { releases: Order::None, ..bench(two) };
    let title = "Master-worker barrier, releases `none`";
    goes_wrong("barrier-mw-releases-none", title, UNSEEN, &weak.mw(MwRepairs::ALL));
}
