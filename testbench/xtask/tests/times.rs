// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times of tests from what `cargo test` prints.

use awgstar_xtask::times::{Clock, Time, TimesError, longest, run};
use std::{fs, time::Duration};

fn seconds(times: &[Time]) -> Vec<(&str, &str, u64)> {
    times
        .iter()
        .map(|time| (time.program.as_str(), time.test.as_str(), time.took.as_secs()))
        .collect()
}

/// With two threads `a` and `b` start at once, `c` when `a` has ended, `d` when `b` has.
#[test]
fn a_test_starts_when_another_has_ended() {
    let mut clock = Clock::new(2);
    for (line, now) in [
        ("     Running tests/x.rs (target/debug/deps/x-0)", 1),
        ("running 5 tests", 2),
        ("test ignored ... ignored, takes minutes", 2),
        ("test a ... ok", 5),
        ("test b ... FAILED", 9),
        ("test d ... ok", 10),
        ("test c has been running for over 60 seconds", 65),
        ("test c ... ok", 70),
        ("test result: ok. 4 passed; 0 failed", 70),
        ("   Doc-tests awgstar_board", 71),
        ("running 1 test", 80),
        ("test src/lib.rs - f (line 3) ... ok", 81),
    ] {
        clock.line(line, Duration::from_secs(now));
    }
    assert_eq!(
        seconds(&clock.finish()),
        [
            ("tests/x.rs", "a", 3),
            ("tests/x.rs", "b", 7),
            ("tests/x.rs", "c", 65),
            ("tests/x.rs", "d", 1),
            ("awgstar_board", "src/lib.rs - f (line 3)", 1),
        ]
    );
}

#[test]
fn the_code_of_the_command_and_its_times_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("new/times");
    let script =
        "echo '     Running tests/y.rs (y)' >&2; echo running 1 test; echo test z ... ok; exit 7";
    let mut out = Vec::new();
    let status = run(&file, &["sh".into(), "-c".into(), script.into()], &mut out).expect("runs");
    assert_eq!(String::from_utf8(out).expect("text").lines().count(), 3);
    assert_eq!(status.code(), Some(7));
    assert!(longest(&[file], 10).expect("its own lines").ends_with(" s  z (tests/y.rs)\n"));
}

#[test]
fn the_longest_come_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [folder.path().join("1"), folder.path().join("2")];
    fs::write(&files[0], "1500\tp\ta\n20\tp\tb\n").expect("writes");
    fs::write(&files[1], "90000\tq\tc d\n").expect("writes");
    assert_eq!(longest(&files, 2).expect("reads"), "   90.0 s  c d (q)\n    1.5 s  a (p)\n");
    fs::write(&files[1], "7\tq\tc\nseven\tq\td\n").expect("writes");
    assert!(matches!(longest(&files, 2), Err(TimesError::Line { line: 2, .. })));
    fs::write(&files[1], "").expect("writes");
    assert!(matches!(longest(&files[1..], 2), Err(TimesError::Nothing)));
}
