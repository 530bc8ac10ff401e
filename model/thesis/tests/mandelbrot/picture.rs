// SPDX-License-Identifier: MIT OR Apache-2.0
//! z² − c, its picture, what is shown and how it is divided. Checks EVA-1, EVA-2, EVA-3.

use super::seeded::seeded;
use awgstar_thesis::mandelbrot::{
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
    let row: Vec<u32> = (0..40).map(|x| picture.at(x, 20)).collect();
    assert_eq!(picture.row_counts(20), row);
    let all = (0..40).flat_map(|y| (0..40).map(move |x| (x, y)));
    assert_eq!(picture.iterations(), all.map(|(x, y)| u64::from(picture.at(x, y))).sum());
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

/// Points of the set have shade 0, others more the longer they stay: 12 for a doubling.
#[test]
fn shades() {
    let counts = [0, 1, 2, 3, 5, 7, 15, 23, 100, 999, 1000];
    let picture = Picture::from_rows(3, 1000, [counts.to_vec()]);
    let shades = picture.shades();
    assert_eq!(shades.last(), Some(&0));
    assert!(shades[..10].is_sorted_by(|a, b| a < b), "{shades:?}");
    // Counts plus one of 1, 2, 4, 8, 16 and, half a doubling further on, 24.
    assert_eq!([0, 1, 3, 5, 6, 7].map(|k| shades[k]), [1, 13, 25, 37, 49, 55]);
    let most = Picture::from_rows(1, u32::MAX, [vec![u32::MAX - 1]]);
    assert_eq!(most.shades(), [255]);
}

/// An orbit that repeats itself is not computed to the end: the counts are those of the plain loop.
#[test]
fn cycles_are_counted_as_if_computed() {
    let plain = |[re, im]: [f64; 2], limit: u32| {
        let (mut x, mut y) = (0.0_f64, 0.0_f64);
        for step in 0..limit {
            if x * x + y * y > 4.0 {
                return step;
            }
            (x, y) = (x * x - y * y - re, 2.0 * x * y - im);
        }
        limit
    };
    let view = View::default();
    for (x, y) in (0..90).flat_map(|x| (0..90).map(move |y| (x, y))) {
        let c = view.point(x, y, 90);
        assert_eq!(iterations(c, 3_000), plain(c, 3_000), "({x}, {y})");
    }
    // The edge of the set, where points stay long before they leave.
    let edge =
        (1..200).map(|k| [0.75, 1.0 / f64::from(k)]).chain([[-0.250_01, 0.0], [2.000_1, 0.0]]);
    let mut late = 0;
    for c in edge {
        let count = iterations(c, 3_000);
        assert_eq!(count, plain(c, 3_000), "{c:?}");
        late += u32::from((100..3_000).contains(&count));
    }
    assert!(late > 50, "{late}");
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
