// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the flights of a trace to the bars of the picture.

use crate::spacetime::{Bar, Fate, Origin};
use awgstar::quantity::Cycle;
use awgstar::trace::{self, Flight, Trace};

/// Every frame on every link.
#[must_use]
pub fn bars(trace: &Trace) -> Vec<Bar> {
    let nodes = trace.links.len();
    let mut out = Vec::new();
    for link in 0..nodes {
        // A node passes frames on in their order: the n-th that it did not put in itself is the n-th
        // that arrived to be passed on.
        let mut passed = trace.links[(link + nodes - 1) % nodes].iter().filter(|f| was_passed(f));
        for flight in &trace.links[link] {
            let origin = if flight.inserted {
                Origin::Sent
            } else {
                let arrived = passed.next().and_then(|before| before.arrival);
                arrived.map_or(Origin::Unknown, |Cycle(arrived)| Origin::Passed { arrived })
            };
            out.push(bar(link, flight, origin));
        }
        // The run may end within the last frame: its end is unknown, and no frame is that short.
        if let (Some(bar), Some(flight)) = (out.last_mut(), trace.links[link].last())
            && flight.end <= flight.begin
            && !flight.aborted
        {
            bar.last = None;
        }
    }
    out
}

fn was_passed(flight: &Flight) -> bool {
    matches!(flight.fate, trace::Fate::Passed | trace::Fate::Delivered | trace::Fate::Cut)
}

fn bar(link: usize, flight: &Flight, origin: Origin) -> Bar {
    Bar {
        link,
        first: flight.begin.0,
        last: Some(flight.end.max(flight.begin).0),
        token: flight.frame.kind(),
        source: flight.frame.mac.0[5],
        packet_cnt: flight.frame.packet_cnt,
        origin,
        fate: match flight.fate {
            trace::Fate::UnderWay => Fate::Unseen,
            trace::Fate::Passed | trace::Fate::Delivered | trace::Fate::Cut => Fate::Passed,
            trace::Fate::Stripped => Fate::Stripped,
            trace::Fate::Taken => Fate::Taken,
            trace::Fate::Absorbed | trace::Fate::Dropped => Fate::Absorbed,
        },
        delivered: flight.fate == trace::Fate::Delivered,
        bad: flight.aborted || flight.good == Some(false),
        content: flight.content,
    }
}
