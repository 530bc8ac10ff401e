// SPDX-License-Identifier: MIT OR Apache-2.0
//! What programs do on both machines, byte by byte: their output, the report of their processes, waves, frames.

use super::{command, root};
use std::fs;

#[path = "../common/recorded.rs"]
mod table;
use table::Recorded;

/// Programs whose output does not depend on the order in which processes of the system print.
const PROGRAMS: [&[&str]; 3] = [&["@pi", "20000"], &["@allreduce", "32"], &["@halo", "12"]];

#[test]
fn programs_do_what_they_did() {
    let mut recorded = Recorded::default();
    let out = tempfile::tempdir().unwrap();
    for machine in ["ring", "gen1"] {
        for program in PROGRAMS {
            let name = format!("{}-{machine}", &program[0][1..]);
            let vcd = format!("{name}.vcd");
            let options = ["-n", "3", "--machine", machine, "--json", "--vcd", &vcd, "--"];
            let words = [&options[..], program].concat();
            // The command names the file: a name without the folder, which is another one in each run.
            let run = command(&words).current_dir(out.path()).output().unwrap();
            assert!(run.status.success(), "{name}: {run:?}");
            recorded.add(format!("{name}.txt"), &run.stdout);
            recorded.add(format!("{name}.json"), &run.stderr);
            recorded.add(vcd.clone(), &fs::read(out.path().join(vcd)).unwrap());
        }
    }
    let pcapng = out.path().join("pi.pcapng");
    let words = ["-n", "3", "--pcapng", pcapng.to_str().unwrap(), "--", "@pi", "20000"];
    assert!(command(&words).output().unwrap().status.success());
    recorded.add("pi-ring.pcapng", &fs::read(&pcapng).unwrap());
    recorded.check(&root().join("testbench/fixtures/programs.csv"));
}
