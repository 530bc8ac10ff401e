// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `docs/protocols-lock.md` says of each run is what the catalogue and the run say. `UPDATE=1` writes
//! the tables again.

use super::{committed, kept};
use crate::document;
use awgstar_cli::counterexample::CASES;
use std::fmt::Write as _;

fn table(prefix: &str) -> String {
    let mut table = String::from(
        "| run | what happens | fault | what is broken | steps |\n|---|---|---|---|---:|\n",
    );
    for case in CASES.iter().filter(|case| case.name.starts_with(prefix)) {
        let s = &case.settings;
        let faults = [(s.losses, "a frame is lost"), (s.early, "a timer is early")];
        let faults: Vec<&str> = faults.iter().filter(|one| one.0 > 0).map(|one| one.1).collect();
        let fault = if faults.is_empty() { "none".into() } else { faults.join(", ") };
        let vector = committed(case);
        assert_eq!(vector.why, case.why, "{}", case.name);
        let steps = kept(case.name, s.nodes);
        // The run has the faults that the case allows, and no other.
        let has = |mark: &str| steps.iter().any(|step| step.1.contains(mark));
        assert_eq!((has("LOST"), has("EARLY")), (s.losses > 0, s.early > 0), "{}", case.name);
        let _ = writeln!(
            table,
            "| [`{}`](../model/sync/tests/protocols/runs/{}.txt) | {} | {fault} | {} | {} |",
            &case.name[prefix.len()..],
            case.name,
            case.why,
            case.breaks(),
            steps.len()
        );
    }
    table
}

#[test]
fn the_page_says_of_each_run_what_the_catalogue_says() {
    for prefix in ["lock_mw_printed_", "lock_dist_printed_"] {
        let name = format!("runs {}", prefix.trim_end_matches("_printed_"));
        document::section("protocols-lock.md", &name, &table(prefix));
    }
}
