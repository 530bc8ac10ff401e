// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every save file for GTKWave must have, whatever waves it is of.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// Paths of the signals of a VCD file with their ranges, and its first and last time.
fn contents(vcd: &str) -> (BTreeSet<String>, u64, u64) {
    let (mut scopes, mut paths, mut times) = (Vec::new(), BTreeSet::new(), Vec::new());
    for line in vcd.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["$scope", _, name, ..] => scopes.push(name),
            ["$upscope", ..] => {
                scopes.pop();
            }
            ["$var", kind, bits, _, name, ..] => {
                let plain = bits == "1" || kind == "string";
                let high = bits.parse::<u32>().unwrap().saturating_sub(1);
                let range = if plain { String::new() } else { format!("[{high}:0]") };
                paths.insert(format!("{}.{name}{range}", scopes.join(".")));
            }
            _ => times.extend(line.strip_prefix('#').and_then(|t| t.parse::<u64>().ok())),
        }
    }
    (paths, times[0], *times.last().unwrap())
}

/// A window over all of the waves, rows of signals that are there and have names of their own, and C.ST
/// by the names of its filter file; `filter` says whether a filter file is there.
#[track_caller]
pub(crate) fn check_text(save: &str, vcd: &str, filter: &dyn Fn(&str) -> bool) {
    let (paths, first, last) = contents(vcd);
    let line = |start: &str| save.lines().find_map(|l| l.strip_prefix(start));
    assert!(line("[dumpfile] ").is_some(), "{save}");
    assert_eq!(line("[timestart] "), Some(first.to_string().as_str()), "{save}");
    // Zoom -z: a window as wide as [size] says shows about 5 * 2^z units of time.
    let zoom = line("*-").expect("no zoom line").split('.').next().unwrap();
    let (shown, length) = (5 << zoom.parse::<u32>().unwrap(), last - first);
    assert!((length..=3 * length).contains(&shown), "{shown} for {length}");
    let mut names = BTreeMap::new();
    let (mut flags, mut by_file) = ("", None);
    for line in save.lines() {
        if line.starts_with('@') {
            (flags, by_file) = (line, None);
        } else if let Some(file) = line.strip_prefix("^1 ") {
            assert!(flags == "@2028" && filter(file), "{file}");
            by_file = Some(file);
        } else if !line.starts_with(['[', '*', '-']) {
            let (name, path) = match line.strip_prefix("+{").and_then(|l| l.split_once("} ")) {
                Some(both) => both,
                None => (line, line),
            };
            assert!(paths.contains(path), "{path} is not in the waves: {paths:?}");
            // GTKWave shows what is after the last point.
            let name = name.rsplit('.').next().unwrap();
            assert_eq!(names.insert(name, path), None, "two rows are called {name}");
            if name.rsplit('/').next().unwrap().split('[').next() == Some("c_st") {
                assert_eq!((flags, by_file), ("@2028", Some("c_st.filter")), "{path}");
            }
        }
    }
    assert!(names.len() > 3, "{save}");
}

/// The same of `stem.gtkw` and `stem.vcd` in a folder.
#[track_caller]
pub(crate) fn check(folder: &Path, stem: &str) {
    let read = |name: &str| fs::read_to_string(folder.join(format!("{stem}.{name}"))).unwrap();
    check_text(&read("gtkw"), &read("vcd"), &|file| folder.join(file).exists());
}
