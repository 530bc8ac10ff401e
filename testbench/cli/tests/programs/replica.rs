// SPDX-License-Identifier: MIT OR Apache-2.0
//! The replica of a node, mapped into its process.

use super::run;

const NOTHING: (i32, String, String) = (0, String::new(), String::new());

/// Loads through the mapping give what the nodes have written, and what `awg_read` gives.
#[test]
fn the_mapped_replica_is_the_replica() {
    for machine in ["ring", "gen1"] {
        for nodes in ["1", "2", "4"] {
            let result = run(&["-n", nodes, "--machine", machine, "--", "@replica", "equal"]);
            assert_eq!(result, NOTHING, "{machine}, {nodes}");
        }
        let result = run(&["-n", "3", "--machine", machine, "--", "@replica", "later"]);
        assert_eq!(result, NOTHING, "{machine}");
        let (code, _, err) = run(&["-n", "2", "--machine", machine, "--", "@replica", "store"]);
        let expected = "error: node 1: signal 11 (segmentation fault), after its call `replica`";
        assert!(code == 139 && err.contains(expected), "{machine}: {code} {err}");
    }
    let result = run(&["-n", "2", "--machine", "gen1", "--", "@replica", "large"]);
    assert_eq!(result, NOTHING);
    for memory in ["16", "16K", "512M"] {
        let result = run(&["-n", "2", "--memory", memory, "--", "@replica", "large"]);
        assert_eq!(result, NOTHING, "{memory}");
    }
}

/// The mapping changes no time but that of the call that maps it, which is in the report.
#[test]
fn runs_with_a_mapped_replica_are_the_same() {
    let args = ["-n", "4", "--report", "--", "@halo", "5", "mapped"];
    let (code, out, err) = run(&args);
    assert!(code == 0 && out.starts_with("sum 1000000 after 5 steps, "), "{out}{err}");
    let plain = run(&["-n", "4", "--report", "--", "@halo", "5"]);
    assert_ne!(plain.1, out, "without reads it is faster");
    for _ in 0..3 {
        assert_eq!(run(&args), (code, out.clone(), err.clone()));
    }
}
