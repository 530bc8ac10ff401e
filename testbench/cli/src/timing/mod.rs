// SPDX-License-Identifier: MIT OR Apache-2.0
//! The timing diagrams of the board's modules (`docs/blocks/*.svg`): recorded from runs of the model,
//! so they are what the model does now.

mod draw;
mod figures;
mod record;
mod runs;

pub use draw::svg;
pub use figures::{FIGURES, Figure, Row, Window};
pub use record::{Recording, record};

/// Path below the repository's root and text of every drawing.
///
/// # Panics
/// If a figure asks for a signal that is not there or for something that does not happen in its run:
/// a mistake in its description, which the test of the generated files shows.
#[must_use]
pub fn files() -> Vec<(&'static str, String)> {
    FIGURES.iter().map(|f| (f.file, svg(f, &record(f)))).collect()
}
