// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors through the Rust codec. Checks FRM-1 to FRM-13, FCS-1, SIG-1, SIG-3, VEC-3.

use awgstar::contract::Check;
use awgstar_cli::codec;
use awgstar_stimulus::vectors;
use awgstar_stimulus::vectors::{Class, Vectors};
use std::path::Path;

fn committed() -> Vec<Class> {
    vectors::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors"))
        .expect("vectors load")
}

#[test]
fn the_codec_passes_every_vector() {
    let summary = codec::run(&committed());
    let told: Vec<String> = summary.failures.iter().take(5).map(ToString::to_string).collect();
    assert!(summary.failures.is_empty(), "{}", told.join("\n"));
    assert!(summary.run > 3000, "{} run", summary.run);
}

/// A vector that expects something else fails, with its id, requirements and what differs.
#[test]
fn a_wrong_expectation_is_told() {
    let mut classes = committed();
    let class = classes.iter_mut().find(|c| c.name == "short_data").expect("class");
    let Vectors::Frame(frames) = &mut class.vectors else { panic!("frames") };
    frames[4].header.packet_cnt ^= 0x10;
    frames[7].check = Check::Fcs;
    frames[9].wire[3].data ^= 0x0100_0000;
    let failures = codec::run(&classes).failures;
    let told: Vec<String> = failures.iter().map(ToString::to_string).collect();
    let of = |id: &str| told.iter().filter(|t| t.starts_with(id)).cloned().collect::<String>();
    assert!(of("short_data/0004").contains("packet_cnt: expected"), "{told:#?}");
    assert!(of("short_data/0007").contains("check: expected fcs, found ok"), "{told:#?}");
    assert!(of("short_data/0009").contains("word 3: expected"), "{told:#?}");
    assert!(of("short_data/0009").contains("FRM-6"), "{told:#?}");
    assert!(told.iter().all(|t| ["0004", "0007", "0009"].iter().any(|i| t[..20].contains(i))));
}

/// Generation into a folder that holds other things leaves them alone (VEC-2).
#[test]
fn generation_leaves_other_files_alone() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let other = folder.path().join("other.txt");
    std::fs::write(&other, "mine").expect("file");
    let classes = vectors::generate();
    vectors::write(folder.path(), &classes).expect("written");
    vectors::write(folder.path(), &classes).expect("written again");
    assert_eq!(std::fs::read_to_string(&other).expect("still there"), "mine");
    let differences = vectors::check(folder.path(), &classes).expect("checked");
    assert_eq!(differences.len(), 1, "the other file is extra");
}
