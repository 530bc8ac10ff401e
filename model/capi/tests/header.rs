// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header and the library agree.

use std::{collections::BTreeSet, fs, path::Path};

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn name(line: &str) -> Option<String> {
    Some(line[line.find("awg_")?..].split('(').next()?.to_owned())
}

/// Every function of the header is in the library, and the other way round.
#[test]
fn functions() {
    let (header, source) = (text("include/awgstar.h"), text("src/lib.rs"));
    let defined = source.lines().filter(|line| line.contains("extern \"C\" fn awg_"));
    let defined: BTreeSet<String> = defined.filter_map(name).collect();
    let declared = header.lines().filter(|l| l.ends_with(");") && !l.starts_with(['/', ' ']));
    let declared: BTreeSet<String> = declared.filter_map(name).collect();
    assert_eq!(defined, declared);
    assert!(defined.len() >= 18, "{defined:?}");
}

/// The header has each error code of the library once, with its name.
#[test]
fn codes() {
    let header = text("include/awgstar.h");
    for code in 1..=14 {
        let is = |line: &&str| {
            let value = line.trim_start().strip_prefix("AWG_").and_then(|l| l.split_once("= "));
            value.is_some_and(|(_, v)| v.split([',', ' ']).next() == Some(&code.to_string()))
        };
        assert_eq!(header.lines().filter(is).count(), 1, "{code}");
    }
}
