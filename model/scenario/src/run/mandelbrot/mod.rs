// SPDX-License-Identifier: MIT OR Apache-2.0
//! The evaluation of the thesis: the picture really computed, and the time that it takes on generation 1 and
//! on generation 2 (EVA-1, EVA-3, EVA-4, EVA-5).

mod image;
mod job;
mod machine;
pub mod usage;
mod watch;
mod wave;

pub use image::{palette, png};
pub use job::Mandelbrot;
pub use machine::{Machine, OBSERVED_WORD, Timed, run, watch};
pub use watch::{Flight, Mark, Watch};

use awgstar_thesis::mandelbrot::{Picture, View, batches, rows};
use rayon::prelude::*;

/// Iterations after which a point is one of the set. The thesis does not print its limit. Two
/// sentences of 4.3.2 bound it: 600 × 600 points keep a worker at nearly 100 % for a second (at least
/// 4,000), and 300 × 300 points take less than a second (at most 19,000). From about 9,000 on a worker
/// is busy for 2 s, so that some sample is full wherever the samples begin.
pub const LIMIT: u32 = 10_000;

/// Computes a picture on all cores; `done` is called with the node whose row is ready, if `nodes`
/// share the work. The number of cores does not change the picture.
pub fn compute(
    view: View,
    size: u32,
    limit: u32,
    nodes: usize,
    done: &(impl Fn(usize) + Sync),
) -> Picture {
    let owners = owners(size, nodes);
    let row = |y: u32| {
        let row = Picture::row(view, size, limit, y);
        done(owners[y as usize]);
        row
    };
    let all: Vec<Vec<u32>> = (0..size).into_par_iter().map(row).collect();
    Picture::from_rows(size, limit, all)
}

/// The node that computes each row.
#[must_use]
pub fn owners(size: u32, nodes: usize) -> Vec<usize> {
    let mut owners = vec![0; size as usize];
    for batch in batches(size) {
        for node in 0..nodes {
            for row in rows(&batch.rows, node, nodes) {
                owners[row as usize] = node;
            }
        }
    }
    owners
}
