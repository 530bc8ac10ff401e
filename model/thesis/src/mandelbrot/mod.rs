// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program with which the thesis evaluates the system: a picture of the Mandelbrot set on many nodes
//! (thesis 4.2; EVA-1, EVA-2, EVA-3, EVA-4, EVA-5).
//!
//! * [`kernel`]: z² − c, counted.
//! * [`split`]: which rows a node gets, and in how many parallel executions.
//! * [`program`]: what master and workers do, as operations on the shared memory.
//! * [`usage`]: how busy each CPU was, second by second.
//!
//! ```
//! use awgstar_thesis::mandelbrot::{Picture, View};
//! let picture = Picture::new(View::default(), 60, 100);
//! // The middle of the view is in the set, a corner does not.
//! assert_eq!(picture.at(15, 30), 100);
//! assert!(picture.at(0, 0) < 5);
//! ```

pub mod kernel;
pub mod picture;
pub mod program;
pub mod split;
pub mod usage;

pub use kernel::{View, iterations};
pub use picture::{DISPLAY, Picture, SHADES_OF_OCTAVE};
pub use split::{ARRAY_ROWS, ARRAY_WIDTH, Batch, batches, rows};
