// SPDX-License-Identifier: MIT OR Apache-2.0
//! Save files for GTKWave: groups, rows and their formats.

use awgstar_frame::contract::{Check, FrameKind, Signal, Token, TxClass, TxStatus, fsm::FSMS};
use std::{collections::BTreeSet, fmt::Write as _, ops::Range};

/// Number format of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown<'a> {
    /// Hexadecimal.
    Hex,
    Decimal,
    /// Binary; also of a text.
    Binary,
    /// By the names in this filter file, without `.filter`.
    Names(&'a str),
    /// By the names of the states of this module.
    State(&'a str),
}

/// A save file under way.
#[derive(Clone, Debug)]
pub struct Save {
    text: String,
    paths: BTreeSet<String>,
}

impl Save {
    /// The window shows all of the file, which covers `times` in its unit of time; the marker is at
    /// `marker`.
    #[must_use]
    pub fn new(vcd_name: &str, times: Range<u64>, marker: u64) -> Self {
        let Range { start, end } = times;
        // Zoom 0 shows about 5 units of time in a window of that width, each step down twice as many.
        let zoom = (end.saturating_sub(start) / 5).max(1).ilog2() + 1;
        let text = format!(
            "[dumpfile] \"{vcd_name}\"\n[timestart] {start}\n[size] 1400 700\n[signals_width] 250\n*-{zoom}.000000 {marker}\n"
        );
        Save { text, paths: BTreeSet::new() }
    }

    /// A heading.
    pub fn group(&mut self, title: &str) {
        let _ = writeln!(self.text, "@200\n-{title}");
    }

    /// A signal by its path with its range, unless it has a row already. GTKWave shows the last part of a
    /// path only, so a signal below the first scope gets a name with all parts and `/` between them.
    pub fn row(&mut self, shown: Shown<'_>, path: &str) {
        if !self.paths.insert(path.to_owned()) {
            return;
        }
        let flags = match shown {
            Shown::Hex => "@22".to_owned(),
            Shown::Decimal => "@24".to_owned(),
            Shown::Binary => "@28".to_owned(),
            Shown::Names(filter) => format!("@2028\n^1 {filter}.filter"),
            Shown::State(module) => format!("@2028\n^1 {module}_state.filter"),
        };
        let deep = path.matches('.').count() > 1;
        let name = if deep { format!("+{{{}}} ", path.replace('.', "/")) } else { String::new() };
        let _ = writeln!(self.text, "{flags}\n{name}{path}");
    }

    /// Text of the save file.
    #[must_use]
    pub fn text(self) -> String {
        self.text
    }
}

/// Filter files that turn codes into names: file name and text.
#[must_use]
pub fn filters() -> Vec<(String, String)> {
    let lines = |codes: &mut dyn Iterator<Item = (usize, u8, &str)>| -> String {
        codes.fold(String::new(), |mut text, (bits, code, name)| {
            let _ = writeln!(text, "{code:0bits$b} {name}");
            text
        })
    };
    let mut files = vec![
        ("token.filter".into(), lines(&mut Token::ALL.iter().map(|t| (3, t.code(), t.name())))),
        ("check.filter".into(), lines(&mut Check::ALL.iter().map(|c| (4, c.code(), c.name())))),
        (
            "tx_status.filter".into(),
            lines(&mut TxStatus::ALL.iter().map(|c| (3, c.code(), c.name()))),
        ),
        ("kind.filter".into(), lines(&mut FrameKind::ALL.iter().map(|k| (2, k.code(), k.name())))),
        ("class.filter".into(), lines(&mut TxClass::ALL.iter().map(|c| (2, c.code(), c.name())))),
        ("c_st.filter".into(), c_st()),
    ];
    for fsm in FSMS {
        let states = lines(&mut fsm.states.iter().map(|(name, code)| (fsm.bits, *code, *name)));
        files.push((format!("{}_state.filter", fsm.module), states));
    }
    files
}

/// Names of C.ST. A code that two signals share has both: TOKEN tells them apart.
fn c_st() -> String {
    let mut names: std::collections::BTreeMap<u8, Vec<&str>> = std::collections::BTreeMap::new();
    for signal in Signal::ALL {
        names.entry(signal.c_st()).or_default().push(signal.name());
    }
    names.iter().fold(String::new(), |mut text, (code, names)| {
        let _ = writeln!(text, "{code:05b} {}", names.join("/"));
        text
    })
}
