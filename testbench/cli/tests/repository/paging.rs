// SPDX-License-Identifier: MIT OR Apache-2.0
//! The study of page sizes: rows are, to the last digit, those in `docs/study`.

use awgstar_cli::study::paging::{points, results, row};
use std::{fs, path::PathBuf};

fn committed(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn rows_are_those_in_the_documents() {
    let (all, page) = (committed("study/paging.csv"), committed("paging.md"));
    let mut seen = 0;
    for point in points(&[4], 1).into_iter().filter(|point| point.page_bytes >= 4096) {
        let rows = [row(point)];
        let results = results(&rows).unwrap();
        let text = results.rows[0].csv();
        let line = text.lines().nth(1).unwrap();
        assert!(all.lines().any(|one| one == line), "not in paging.csv: {line}");
        // A row alone is the fastest of its group.
        let shown = results.text();
        let line = shown.lines().nth(2).unwrap().trim_end_matches(" fastest |");
        assert!(page.lines().any(|one| one.starts_with(line)), "not in paging.md: {line}");
        seen += 1;
    }
    assert_eq!(seen, 3 * 2 * 5);
}

#[test]
fn files_are_those_in_the_documents() {
    let text = committed("study/paging.csv");
    assert_eq!(text.lines().count(), 1 + points(&[2, 4, 8], 1).len());
    // The plots are drawn from the rows alone.
    let small: Vec<_> =
        points(&[2], 1).into_iter().filter(|p| p.page_bytes >= 65536).map(row).collect();
    let files = results(&small).unwrap().files();
    let names: Vec<_> = files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "paging.csv",
            "paging-sequential.svg",
            "paging-strided.svg",
            "paging-random.svg",
            "paging-costs.svg"
        ]
    );
    for file in &files[1..] {
        assert!(file.text.trim_end().ends_with("</svg>"), "{}", file.name);
        assert!(committed(&format!("study/{}", file.name)).trim_end().ends_with("</svg>"));
    }
}

/// What the page says of the sizes: pages of the row's size for walks, small ones for random access.
#[test]
fn small_pages_for_random_access() {
    let all = committed("study/paging.csv");
    let time = |pattern: &str, bytes: u32| -> u64 {
        let start = format!("{pattern},4,2,{bytes},");
        let line = all.lines().find(|line| line.starts_with(&start)).unwrap();
        line.split(',').nth(11).unwrap().parse().unwrap()
    };
    assert!(time("random", 1024) * 10 < time("random", 1 << 20));
    assert!(time("sequential", 256) > time("sequential", 16 << 10));
}
