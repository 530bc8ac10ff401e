// SPDX-License-Identifier: MIT OR Apache-2.0
//! Static division of the picture (EVA-2).

use awgstar_frame::quantity::narrow;
use core::ops::Range;

/// Rows of the array in the shared memory (thesis 4.2.2).
pub const ARRAY_ROWS: u32 = 1000;
/// Points of a row of it.
pub const ARRAY_WIDTH: u32 = 3000;

/// Rows of one parallel execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Of the picture.
    pub rows: Range<u32>,
}

/// The parallel executions of a picture of `size` rows: as many rows as the array has, then what is left.
///
/// ```
/// use awgstar_thesis::mandelbrot::batches;
/// let rows: Vec<_> = batches(1500).into_iter().map(|b| b.rows).collect();
/// assert_eq!(rows, [0..1000, 1000..1500]);
/// ```
#[must_use]
pub fn batches(size: u32) -> Vec<Batch> {
    let from = (0..size).step_by(ARRAY_ROWS as usize);
    from.map(|from| Batch { rows: from..(from + ARRAY_ROWS).min(size) }).collect()
}

/// The rows of a batch that `node` of `nodes` computes: neighbours, as many as any other or one more.
///
/// ```
/// use awgstar_thesis::mandelbrot::rows;
/// assert_eq!([rows(&(0..10), 0, 3), rows(&(0..10), 1, 3), rows(&(0..10), 2, 3)], [0..3, 3..6, 6..10]);
/// ```
#[must_use]
pub fn rows(batch: &Range<u32>, node: usize, nodes: usize) -> Range<u32> {
    let count = u64::from(batch.end - batch.start);
    let at = |k: usize| {
        let rows = count * k as u64 / nodes.max(1) as u64;
        batch.start + narrow::<u32>(rows.min(count))
    };
    at(node)..at(node + 1)
}
