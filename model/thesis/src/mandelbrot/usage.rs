// SPDX-License-Identifier: MIT OR Apache-2.0
//! CPU usage, second by second (thesis, Figs 19 to 22; EVA-5).

use crate::gen1::Span;
use awgstar_frame::quantity::{Nanoseconds, narrow};

/// Length of a sample.
pub const SECOND: Nanoseconds = Nanoseconds(1_000_000_000);

/// Busy time in each second up to `end`, in tenths of a percent of the second; the last second is a
/// part of one when `end` is in its middle, and still counts as a whole.
///
/// ```
/// use awgstar_frame::quantity::Nanoseconds;
/// use awgstar_thesis::gen1::{Activity, Span};
/// use awgstar_thesis::mandelbrot::usage::{SECOND, usage};
/// let spans = [
///     Span { from: Nanoseconds(0), to: SECOND + SECOND / 2, activity: Activity::Compute },
///     Span { from: SECOND + SECOND / 2, to: 3 * SECOND, activity: Activity::Barrier },
/// ];
/// assert_eq!(usage(&spans, 3 * SECOND), [1000, 500, 0]);
/// ```
#[must_use]
pub fn usage(spans: &[Span], end: Nanoseconds) -> Vec<u32> {
    let mut busy = vec![Nanoseconds(0); narrow(end.div_ceil(SECOND))];
    for span in spans.iter().filter(|span| span.activity.busy()) {
        let mut from = span.from;
        while from < span.to.min(end) {
            let second = from.0 / SECOND.0;
            let to = span.to.min(SECOND * (second + 1));
            busy[narrow::<usize>(second)] += to - from;
            from = to;
        }
    }
    let tenths = |busy: &Nanoseconds| narrow(busy.0 * 1_000 / SECOND.0);
    busy.iter().map(tenths).collect()
}

/// Time spent in each kind of span, in ns: computing, held by accesses, waiting.
#[must_use]
pub fn totals(spans: &[Span]) -> [Nanoseconds; 3] {
    use crate::gen1::Activity::{Access, Compute};
    let mut sums = [Nanoseconds(0); 3];
    for span in spans {
        let kind = match span.activity {
            Compute => 0,
            Access => 1,
            _ => 2,
        };
        sums[kind] += span.to - span.from;
    }
    sums
}
