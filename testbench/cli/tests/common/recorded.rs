// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashes of outputs in a table below `testbench/fixtures`: an output that is not committed may not change unseen.

use awgstar_stimulus::vectors::tree::sha256;
use std::{collections::BTreeMap, fmt::Write, fs, path::Path};

/// Size and hash of each output by its name.
#[derive(Default)]
pub(super) struct Recorded(BTreeMap<String, (usize, String)>);

impl Recorded {
    pub(super) fn add(&mut self, name: impl Into<String>, bytes: &[u8]) {
        let before = self.0.insert(name.into(), (bytes.len(), sha256(bytes)[..32].to_owned()));
        assert_eq!(before, None, "two outputs of one name");
    }

    /// Compares with the committed table. `UPDATE=1` writes it.
    pub(super) fn check(&self, file: &Path) {
        let mut text = String::from("output,bytes,sha256\n");
        for (name, (bytes, hash)) in &self.0 {
            writeln!(text, "{name},{bytes},{hash}").unwrap();
        }
        if std::env::var_os("UPDATE").is_some() {
            fs::write(file, &text).unwrap();
        }
        let committed = fs::read_to_string(file).unwrap();
        let (old, new): (Vec<&str>, Vec<&str>) =
            (committed.lines().collect(), text.lines().collect());
        let gone: Vec<_> = old.iter().filter(|line| !new.contains(line)).collect();
        let came: Vec<_> = new.iter().filter(|line| !old.contains(line)).collect();
        assert!(
            gone.is_empty() && came.is_empty(),
            "{}: outputs changed\nbefore {gone:#?}\nnow {came:#?}\nWrite the table again with UPDATE=1 and say why in CHANGELOG.md.",
            file.display()
        );
    }
}
