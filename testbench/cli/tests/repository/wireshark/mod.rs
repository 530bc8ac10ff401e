// SPDX-License-Identifier: MIT OR Apache-2.0
//! The dissector and the capture files, read by tshark.

mod captures;
mod tshark;
mod vectors;

use std::path::{Path, PathBuf};

/// The dissector of the repository.
fn dissector() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../wireshark/awgstar.lua")
}

/// Every vector is printed as it is defined.
#[test]
fn every_frame_vector_has_its_fields() {
    let (count, found) = vectors::differences(&dissector());
    assert!(count > 3_000, "{count} vectors");
    assert!(
        found.is_empty(),
        "{} differences, first: {:#?}",
        found.len(),
        &found[..found.len().min(5)]
    );
}

/// Mistakes that a person would make in the dissector: what is there, and what it becomes.
const MUTANTS: [(&str, &str); 14] = [
    // A field that begins a bit early, and one that is read a byte late.
    ("name = \"c_st\", title = \"C.ST\", bit = 51", "name = \"c_st\", title = \"C.ST\", bit = 50"),
    (
        "name = \"packet_cnt\", title = \"Packet_Cnt\", bit = 72",
        "name = \"packet_cnt\", title = \"Packet_Cnt\", bit = 80",
    ),
    // The FCS most significant byte first.
    ("fcs:le_uint()", "fcs:uint()"),
    ("tree:add_le(fields.fcs, fcs)", "tree:add(fields.fcs, fcs)"),
    // The CRC without its complement, and over the FCS, too.
    ("return bnot(register) % 4294967296", "return register % 4294967296"),
    ("frame:raw(0, length - contract.fcs_bytes)", "frame:raw(0, length)"),
    // Limits that are off by one.
    ("if length < contract.frame_min then refuse", "if length <= contract.frame_min then refuse"),
    ("if length > contract.frame_max then refuse", "if length >= contract.frame_max then refuse"),
    ("short_count < 1 or", "short_count < 0 or"),
    (
        "short_count > contract.short_count_index then",
        "short_count >= contract.short_count_index then",
    ),
    // The order of the verdicts.
    ("if verdict == \"ok\" then verdict = name end", "verdict = name"),
    // A short data token of any length.
    (
        "elseif data_length ~= contract.data_min then\n    return nil, \"length\"\n  elseif short_count",
        "elseif short_count",
    ),
    // A value of a signal.
    ("name = \"tag\", offset = 2", "name = \"tag\", offset = 3"),
    // A flag of the link.
    ("set.aborted or set.cut", "set.cut"),
];

/// The comparison finds each of them.
#[test]
#[ignore = "14 runs of tshark over all vectors: part of `test.sh long`"]
fn every_mutant_of_the_dissector_is_found() {
    let text = std::fs::read_to_string(dissector()).expect("dissector");
    let folder = tempfile::tempdir().expect("folder");
    let lua = folder.path().join("awgstar.lua");
    for (from, to) in MUTANTS {
        assert!(text.contains(from), "{from}");
        std::fs::write(&lua, text.replace(from, to)).expect("file");
        let (_, found) = vectors::differences(&lua);
        println!("{from}: {} differences", found.len());
        assert!(!found.is_empty(), "not found: {from} -> {to}");
    }
}
