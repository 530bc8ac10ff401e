//! How busy a CPU was, second by second (thesis, Figs 19 to 22; EVA-5).

use crate::gen1::Span;
use crate::time::Ns;
use awgstar_frame::quantity::narrow;

/// Length of a sample.
pub const SECOND: Ns = 1_000_000_000;

/// Busy time in each second up to `end`, in tenths of a percent of the second; the last second is a
/// part of one when `end` is in its middle, and still counts as a whole.
///
/// ```
/// use awgstar_thesis::gen1::{Activity, Span};
/// use awgstar_thesis::mandelbrot::usage::{SECOND, usage};
/// let spans = [
///     Span { from: 0, to: SECOND + SECOND / 2, activity: Activity::Compute },
///     Span { from: SECOND + SECOND / 2, to: 3 * SECOND, activity: Activity::Barrier },
/// ];
/// assert_eq!(usage(&spans, 3 * SECOND), [1000, 500, 0]);
/// ```
#[must_use]
pub fn usage(spans: &[Span], end: Ns) -> Vec<u32> {
    let mut busy = vec![0_u64; narrow(end.div_ceil(SECOND))];
    for span in spans.iter().filter(|span| span.activity.busy()) {
        let mut from = span.from;
        while from < span.to.min(end) {
            let second = from / SECOND;
            let to = span.to.min((second + 1) * SECOND);
            if let Some(bin) = usize::try_from(second).ok().and_then(|s| busy.get_mut(s)) {
                *bin += to - from;
            }
            from = to;
        }
    }
    let tenths = |ns: &u64| narrow(ns * 1_000 / SECOND);
    busy.iter().map(tenths).collect()
}

/// Time spent in each kind of span, in ns: computing, held by accesses, waiting.
#[must_use]
pub fn totals(spans: &[Span]) -> [Ns; 3] {
    use crate::gen1::Activity::{Access, Compute};
    let mut sums = [0; 3];
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
