// SPDX-License-Identifier: MIT OR Apache-2.0
//! One-sided programs: segments of the shared memory, with the example of their layer.

use super::{built, capture, run};

/// Runs the example with these options of the run, as so many ranks.
fn world(nodes: &str, options: &[&str], mode: &str) -> (i32, String, String) {
    let program = built().join("examples/world");
    let program = program.to_str().unwrap();
    run(&[&["-n", nodes], options, &["--", program, mode]].concat())
}

/// The example checks what it gets. Every run takes the same time on the machine.
#[test]
fn segments_are_right_on_every_machine() {
    segments(false);
}

#[test]
#[ignore = "long: a minute; every run has each machine with other nodes, and again"]
fn segments_are_right_with_every_option() {
    segments(true);
}

/// With `every`, options of a machine are treated as the machine is.
fn segments(every: bool) {
    let machines: [&[&str]; 6] = [
        &[],
        &["--memory", "256K", "--order", "sent"],
        &["--lock", "distributed", "--barrier", "master-worker"],
        &["--machine", "gen1"],
        &["--machine", "cluster", "--memory", "256K"],
        &["--machine", "cluster", "--lock", "hybrid", "--barrier", "all-fence"],
    ];
    let usual = [machines[0], machines[3], machines[4]];
    for machine in machines {
        let modes = ["put", "neighbours", "update", "wait", "locks", "messages", "data", "late"];
        for (index, mode) in modes.into_iter().enumerate() {
            let first = world("3", machine, mode);
            assert_eq!((first.0, first.2.as_str()), (0, ""), "{machine:?} {mode} 3: {}", first.1);
            assert_eq!(first.1.contains(" ns"), mode != "data", "{machine:?} {mode}");
            // Each machine once with other nodes, and again: one of the three in each mode.
            let one = usual[index % usual.len()];
            if !every && machine != one {
                continue;
            }
            for nodes in ["1", "2"] {
                let (code, out, err) = world(nodes, machine, mode);
                assert_eq!((code, err.as_str()), (0, ""), "{machine:?} {mode} {nodes}: {out}");
            }
            assert_eq!(lines(&first.1), lines(&world("3", machine, mode).1), "{machine:?} {mode}");
        }
    }
}

/// Lines of processes come in any order.
fn lines(text: &str) -> Vec<&str> {
    let mut all: Vec<&str> = text.lines().collect();
    all.sort_unstable();
    all
}

/// The heap and the program's data are at the same addresses in every process.
#[test]
fn addresses_are_the_same_everywhere() {
    let (code, out, err) = world("4", &[], "address");
    assert_eq!((code, err.as_str()), (0, ""));
    let all: Vec<&str> = out.lines().filter(|line| line.starts_with("0x")).collect();
    assert!(all.len() == 4 && all.iter().all(|line| *line == all[0]), "{out}");
}

/// A wait that no rank ends, and locks of the library, are named.
#[test]
fn what_never_ends_is_named() {
    for machine in [&[][..], &["--machine", "gen1"], &["--machine", "cluster"]] {
        let (code, _, err) = world("2", machine, "never");
        let waits = |node: u32| format!("node {node} waits until its memory changes at 0x");
        assert!(code != 0 && err.contains("error: no call can end: node 0 waits"), "{err}");
        assert!(err.contains(&waits(0)) && err.contains(&waits(1)), "{err}");
        let (code, _, err) = world("2", machine, "cross");
        let expected = "no call can end: node 0 waits for mutex 2, node 1 waits for mutex 1\n";
        assert!(code != 0 && err.contains(expected), "{err}");
        let (code, _, err) = world("2", machine, "held");
        assert!(code != 0 && err.contains("a lock is still held"), "{err}");
    }
}

#[test]
fn too_little_memory_is_said_with_what_is_enough() {
    let (code, _, err) = world("4", &["--memory", "16K"], "put");
    let expected =
        "the shared memory of 16384 bytes is too small for 4 ranks: expected 32768 or more";
    assert!(code != 0 && err.contains(expected), "{err}");
    assert_eq!(world("4", &["--memory", "32K"], "wait").0, 0);
}

/// A put of 64 bits is in one frame, wherever it comes; one of 8 bytes at another place need not be.
#[test]
fn a_put_of_64_bits_is_in_one_frame() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.pcapng");
    let (code, _, err) = world("2", &["--pcapng", file.to_str().unwrap()], "long");
    assert_eq!(code, 0, "{err}");
    let all = capture::data(&file, "link 0");
    let ends = |value: &str| all.iter().filter(|one| one.1.ends_with(value)).count();
    let parts = |value: &str| all.iter().filter(|one| one.1 == value).count();
    assert_eq!((ends("1111111111111111"), parts("11111111")), (1, 0), "{all:?}");
    assert_eq!((ends("0522222222"), parts("22222222")), (1, 1), "{all:?}");
}
