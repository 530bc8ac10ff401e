//! z² − c, its picture, what is shown and how it is divided. Checks EVA-1, EVA-2, EVA-3.

use super::seeded::seeded;
use awgstar::lambda::mandelbrot::{
    ARRAY_ROWS, ARRAY_WIDTH, DISPLAY, Picture, View, batches, iterations, rows,
};
use proptest::prelude::*;

/// Points whose fate is known: the set of z² − c is that of z² + c, mirrored.
#[test]
fn known_points() {
    let inside = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 0.5], [-0.25, 0.0], [0.122, 0.745]];
    for c in inside {
        assert_eq!(iterations(c, 2_000), 2_000, "{c:?}");
    }
    // z goes 0, −c, …: by hand. |z| is looked at before each step.
    for (c, count) in [([3.0, 0.0], 1), ([2.25, 0.0], 1), ([-2.0, 0.0], 2), ([-1.0, 0.0], 3)] {
        assert_eq!(iterations(c, 100), count, "{c:?}");
    }
    assert_eq!(iterations([3.0, 3.0], 0), 0);
}

/// The same picture by whole numbers: 2^-28, which is finer than the points lie apart and coarser than
/// a double. Counts of points that leave early must be the same.
#[test]
fn whole_numbers_agree() {
    const ONE: i128 = 1 << 60;
    let view = View::default();
    let mut looked = 0;
    for (x, y) in (0..30).flat_map(|x| (0..30).map(move |y| (x, y))) {
        // Points of a grid of 30 are tenths: exact here as fractions.
        let (re, im) =
            (ONE * (i128::from(x) * 100 - 750) / 1000, ONE * (i128::from(y) * 100 - 1500) / 1000);
        let (mut a, mut b, mut count) = (0_i128, 0_i128, 0);
        while count < 12 && (a * a + b * b) / ONE <= 4 * ONE {
            (a, b) = ((a * a - b * b) / ONE - re, 2 * a * b / ONE - im);
            count += 1;
        }
        assert_eq!(iterations(view.point(x, y, 30), 12), count, "({x}, {y})");
        looked += 1;
    }
    assert_eq!(looked, 900);
}

/// Upper and lower half are mirror images, and rows computed alone are those of the picture.
#[test]
fn symmetry_and_rows() {
    let picture = Picture::new(View::default(), 40, 200);
    for (x, y) in (0..40).flat_map(|x| (1..40).map(move |y| (x, y))) {
        assert_eq!(picture.at(x, y), picture.at(x, 40 - y), "({x}, {y})");
    }
    let backwards: Vec<Vec<u32>> =
        (0..40).rev().map(|y| Picture::row(View::default(), 40, 200, y)).collect();
    let again = Picture::from_rows(40, 200, backwards.into_iter().rev());
    assert_eq!(again, picture);
    let work = picture.work();
    assert_eq!(work.rows.len(), 40);
    let all: u64 = picture.counts().iter().map(|&n| u64::from(n)).sum();
    assert_eq!(work.rows.iter().sum::<u64>(), all);
    assert_eq!(work.rows[20], (0..40).map(|x| u64::from(picture.at(x, 20))).sum());
}

/// Fig. 15: of a picture that is too large every third point of every third row is used.
#[test]
fn thinning() {
    let rows = [
        [4, 5, 5, 5, 5, 6, 6],
        [5, 5, 5, 5, 6, 6, 7],
        [5, 5, 5, 6, 6, 7, 9],
        [5, 6, 6, 6, 7, 7, 9],
        [6, 6, 6, 7, 7, 8, 10],
        [6, 6, 6, 7, 8, 9, 11],
        [6, 6, 7, 9, 11, 12, 12],
    ];
    let picture = Picture::from_rows(7, 100, rows.map(Vec::from));
    assert_eq!(picture.thinned(3).counts(), [4, 5, 6, 5, 6, 9, 6, 9, 12]);
    assert_eq!(picture.thinned(7), picture);
    assert_eq!(picture.thinned(DISPLAY), picture);
    for (size, shown) in [(900, 900), (901, 451), (1500, 750), (1800, 900), (3000, 750)] {
        let picture = Picture::from_rows(size, 1, (0..size).map(|_| vec![1; size as usize]));
        assert_eq!(picture.thinned(DISPLAY).size(), shown);
    }
}

/// Points of the set are black, others lighter the longer they stay.
#[test]
fn shades() {
    let counts = [0, 1, 2, 3, 5, 9, 100, 999, 1000];
    let picture = Picture::from_rows(3, 1000, [counts.to_vec()]);
    let shades = picture.shades();
    assert_eq!(shades.last(), Some(&0));
    assert!(shades[..8].is_sorted_by(|a, b| a < b), "{shades:?}");
}

/// Fig. 16, and the sizes of Figs 19 to 22.
#[test]
fn parallel_executions() {
    let parts =
        |size| batches(size).into_iter().map(|b| (b.rows.start, b.rows.end)).collect::<Vec<_>>();
    assert_eq!(parts(300), [(0, 300)]);
    assert_eq!(parts(600), [(0, 600)]);
    assert_eq!(parts(1500), [(0, 1000), (1000, 1500)]);
    assert_eq!(parts(3000), [(0, 1000), (1000, 2000), (2000, 3000)]);
    assert_eq!(ARRAY_ROWS * ARRAY_WIDTH, 3_000_000);
    assert!(parts(0).is_empty());
}

proptest! {
    #![proptest_config(seeded(256))]

    /// Every row has one node, shares are neighbours and differ by a row at most.
    #[test]
    fn every_row_once(from in 0u32..5000, count in 0u32..5000, nodes in 1usize..=32) {
        let batch = from..from + count;
        let shares: Vec<_> = (0..nodes).map(|k| rows(&batch, k, nodes)).collect();
        prop_assert_eq!(shares[0].start, batch.start);
        prop_assert_eq!(shares[nodes - 1].end, batch.end);
        prop_assert!(shares.windows(2).all(|w| w[0].end == w[1].start));
        let sizes: Vec<u32> = shares.iter().map(|r| r.end - r.start).collect();
        prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
    }
}
