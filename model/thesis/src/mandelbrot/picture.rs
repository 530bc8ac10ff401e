// SPDX-License-Identifier: MIT OR Apache-2.0
//! The picture, and what is shown of it (EVA-1, EVA-3).

use super::kernel::{View, iterations};

/// Most points in a row of the window (thesis 4.2.2).
pub const DISPLAY: u32 = 900;

/// Shades for each doubling of a count: 255 shades are enough for 21 doublings.
pub const SHADES_OF_OCTAVE: u64 = 12;

/// Counts of all points, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    size: u32,
    limit: u32,
    counts: Vec<u32>,
}

impl Picture {
    /// Computes a picture of `size` × `size`.
    #[must_use]
    pub fn new(view: View, size: u32, limit: u32) -> Self {
        Picture::from_rows(size, limit, (0..size).map(|y| Picture::row(view, size, limit, y)))
    }

    /// One row: any number of them may be computed side by side.
    #[must_use]
    pub fn row(view: View, size: u32, limit: u32, y: u32) -> Vec<u32> {
        (0..size).map(|x| iterations(view.point(x, y, size), limit)).collect()
    }

    /// From its rows, in their order.
    #[must_use]
    pub fn from_rows(size: u32, limit: u32, rows: impl IntoIterator<Item = Vec<u32>>) -> Self {
        Picture { size, limit, counts: rows.into_iter().flatten().collect() }
    }

    /// Points of a row, and rows.
    #[must_use]
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// Iterations after which a point is taken for one of the set.
    #[must_use]
    pub const fn limit(&self) -> u32 {
        self.limit
    }

    /// The count at column `x` and row `y`.
    ///
    /// # Panics
    /// If there is no such point.
    #[must_use]
    pub fn at(&self, x: u32, y: u32) -> u32 {
        assert!(x < self.size && y < self.size, "({x}, {y}) of {} x {0}", self.size);
        self.counts[(y * self.size + x) as usize]
    }

    /// All counts, row by row.
    #[must_use]
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The counts of row `y`.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    pub fn row_counts(&self, y: u32) -> &[u32] {
        let size = self.size as usize;
        &self.counts[y as usize * size..][..size]
    }

    /// Iterations of all points.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.counts.iter().map(|&n| u64::from(n)).sum()
    }

    /// Every so-manyth point of every so-manyth row, so that no more than `most` are left of each; the
    /// picture as it is when it fits (thesis, Fig. 15).
    #[must_use]
    pub fn thinned(&self, most: u32) -> Picture {
        let step = self.size.div_ceil(most.max(1)).max(1);
        let size = self.size.div_ceil(step);
        let row = |y: u32| (0..size).map(|x| self.at(x * step, y * step)).collect();
        Picture::from_rows(size, self.limit, (0..size).map(row).collect::<Vec<_>>())
    }

    /// A byte for each point: 0 in the set, otherwise larger the longer the point stays.
    /// Each doubling of the count plus one adds [`SHADES_OF_OCTAVE`], in even steps, up to 255.
    #[must_use]
    pub fn shades(&self) -> Vec<u8> {
        let shade = |&n: &u32| {
            if n >= self.limit {
                return 0;
            }
            // The logarithm to the base 2, by straight lines between whole numbers.
            let (n, octave) = (u64::from(n) + 1, (n + 1).ilog2());
            let part = (SHADES_OF_OCTAVE * (n - (1 << octave))) >> octave;
            let shade = 1 + SHADES_OF_OCTAVE * u64::from(octave) + part;
            shade.min(255).to_le_bytes()[0]
        };
        self.counts.iter().map(shade).collect()
    }
}
