// SPDX-License-Identifier: MIT OR Apache-2.0
//! Capture files of programs, read by tshark.

use super::{root, run, tshark};
use std::{fs, path::Path};

/// Address and valid bytes of every data frame on a link.
pub(super) fn data(file: &Path, link: &str) -> Vec<(String, String)> {
    let filter = format!("awgstar.token == \"data\" && frame.interface_name == \"{link}\"");
    let found = tshark::read(&root().join("testbench/wireshark/awgstar.lua"), file, &filter);
    let one = |packet: &tshark::Printed, name| packet[name][0].clone();
    found.iter().map(|p| (one(p, "awgstar.addr"), one(p, "awgstar.valid"))).collect()
}

/// Each value of the counter passes each link once, in its order: 3 processes add 1 to the word at 0 five times, and 2
/// to the word at 4.
#[test]
fn a_program_has_its_frames() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.pcapng");
    let name = file.display().to_string();
    let (code, _, err) = run(&["-n", "3", "--pcapng", &name, "--", "@counter", "5"]);
    assert_eq!((code, err), (0, format!("{name}\n")));
    for link in ["link 0", "link 1", "link 2"] {
        let all = data(&file, link);
        for (addr, step) in [("0x00000000", 1), ("0x00000004", 2)] {
            let values = all.iter().filter(|one| one.0 == addr).map(|one| one.1.as_str());
            let expected = (1..=15).map(|count: u32| hex::encode((count * step).to_le_bytes()));
            assert!(values.eq(expected), "{link} {addr}: {all:?}");
        }
        assert_eq!(all.len(), 30, "{link}");
    }
    // A window has a part of them, and a page has the same one.
    let (part, page) = (folder.path().join("part.pcapng"), folder.path().join("run.html"));
    let (part_name, page) = (part.display().to_string(), page.display().to_string());
    let window = ["--window", "190us:200us", "--html", &page];
    let args =
        [&["-n", "3", "--pcapng", &part_name], &window[..], &["--", "@counter", "5"]].concat();
    let (code, _, err) = run(&args);
    assert_eq!(code, 0, "{err}");
    let some = data(&part, "link 1");
    let all = data(&file, "link 1");
    assert!(!some.is_empty() && some.len() < all.len() / 2, "{some:?}");
    assert!(all.windows(some.len()).any(|part| part == some), "{some:?}");
}

/// A process that crashes leaves a file that can be read up to the end of the run; wrong usage leaves none.
#[test]
fn a_program_that_fails_leaves_a_file_that_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.pcapng");
    let name = file.display().to_string();
    let (code, _, err) = run(&["-n", "3", "--pcapng", &name, "--", "@wrong", "crash"]);
    assert!(code == 139 && err.contains("signal 11"), "{code} {err}");
    let lua = root().join("testbench/wireshark/awgstar.lua");
    assert!(!tshark::read(&lua, &file, "awgstar.kind == \"monitor\"").is_empty());
    fs::remove_file(&file).unwrap();
    for (args, expected) in [
        (&["--machine", "gen1", "--pcapng", &name][..], "--pcapng: only the ring has such frames"),
        (&["--pcapng", &name, "--window", "9000000:9000001"], "--window: the run ends after"),
        (&["--window", "1:2"], "--window: expected --html or --pcapng with it"),
    ] {
        let (code, _, err) = run(&[&["-n", "2"], args, &["--", "@counter", "1"]].concat());
        assert!(code == 2 && err.contains(expected), "{code} {err}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
