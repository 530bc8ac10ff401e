// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of a run that has not ended: a page of an earlier run must not be taken for it.

use super::{CliError, whole};
use awgstar_draw::page::Document;
use std::path::{Path, PathBuf};

/// Writes pages that say that the run has not ended, runs it, and says in them why it failed if it did. A run that
/// succeeds has written its own pages.
pub(super) fn with_pages<T>(
    paths: &[PathBuf],
    title: &str,
    run: impl FnOnce() -> Result<T, CliError>,
) -> Result<T, CliError> {
    let write = |path: &Path, verdict: &str| {
        let mut page = Document::new(title);
        page.verdict(verdict, false);
        whole::write(path, page.html())
    };
    for path in paths {
        write(path, "This run has not ended, or was broken off.")?;
    }
    run().inspect_err(|error| {
        for path in paths {
            // The error of the run is the one to report.
            let _ = write(path, &format!("This run failed: {error}"));
        }
    })
}
