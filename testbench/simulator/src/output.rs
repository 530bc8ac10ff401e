// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines a testbench prints: FAIL, DUMP, HEADER, and with its token ERROR and RESULT.

use crate::{Module, ParseError, Token};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    str::FromStr,
};

/// A word of the link or of the payload, `F_K_DDDDDDDD`; digits may be `x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// `tlast` in bit 0, `tuser` in bit 1; `None` when unknown.
    pub flags: Option<u8>,
    /// `tkeep`; `None` when unknown.
    pub keep: Option<u8>,
    /// Lanes 0 to 3; `None` when unknown.
    pub lanes: [Option<u8>; 4],
    /// Text as the testbench printed it.
    pub text: String,
}

impl Word {
    /// The bytes that `tkeep` marks, 0 for an unknown one.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        let keep = self.keep.unwrap_or(0);
        (0..4).filter(move |lane| keep >> lane & 1 == 1).map(|lane| self.lanes[lane].unwrap_or(0))
    }
}

impl FromStr for Word {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        let mut parts = text.trim().split('_');
        let (Some(flags), Some(keep), Some(data), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(());
        };
        let plain = |s: &str, n: usize| {
            s.len() == n && s.chars().all(|c| c.is_ascii_hexdigit() || "xXzZ".contains(c))
        };
        if !(plain(flags, 1) && plain(keep, 1) && plain(data, 8)) {
            return Err(());
        }
        let lane = |i: usize| u8::from_str_radix(&data[6 - 2 * i..8 - 2 * i], 16).ok();
        Ok(Word {
            flags: u8::from_str_radix(flags, 16).ok(),
            keep: u8::from_str_radix(keep, 16).ok(),
            lanes: [lane(0), lane(1), lane(2), lane(3)],
            text: text.trim().to_owned(),
        })
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// One FAIL line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Module under test.
    pub module: Module,
    /// Vector's index in its class.
    pub index: usize,
    /// Kind of difference: `word`, `extra_word`, `missing_word`, `idle`, `latency`, `status`,
    /// `field:<name>`, `check`, `payload`, `timeout`, `x`, `abort`, `verdict`, `reset`.
    pub kind: String,
    /// Word or beat, by kind.
    pub at: u64,
    /// Expected value.
    pub expected: String,
    /// Value found.
    pub found: String,
}

/// One run of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOutput {
    /// Every FAIL line, in order.
    pub failures: Vec<Failure>,
    /// Words that came out, by failing vector.
    pub found: BTreeMap<usize, Vec<Word>>,
    /// Values of the header ports at the verdict, by failing vector (`frame_rx`).
    pub headers: BTreeMap<usize, BTreeMap<String, String>>,
    pub mode: u32,
    /// Vectors that apply to the module.
    pub vectors: usize,
    /// Vectors that fail.
    pub failed: usize,
}

impl RunOutput {
    /// Indices of the failing vectors, in order.
    #[must_use]
    pub fn failing(&self) -> BTreeSet<usize> {
        self.failures.iter().map(|f| f.index).collect()
    }

    /// The output, if all vectors that apply were run. A run that ends after `stop` failing vectors
    /// need not have run them.
    ///
    /// # Errors
    /// [`ParseError::Vectors`].
    pub fn complete(self, applying: usize, stop: usize) -> Result<Self, ParseError> {
        if self.vectors == applying || self.failed >= stop {
            return Ok(self);
        }
        Err(ParseError::Vectors { expected: applying, found: self.vectors })
    }
}

struct Line<'a> {
    text: &'a str,
    pairs: BTreeMap<&'a str, &'a str>,
}

impl<'a> Line<'a> {
    fn new(text: &'a str) -> Self {
        let pairs = text.split_ascii_whitespace().filter_map(|p| p.split_once('=')).collect();
        Line { text, pairs }
    }

    fn get(&self, key: &'static str) -> Result<&'a str, ParseError> {
        self.pairs
            .get(key)
            .copied()
            .ok_or_else(|| ParseError::Key { line: self.text.to_owned(), key })
    }

    fn parse<T: FromStr>(&self, key: &'static str, what: &'static str) -> Result<T, ParseError> {
        let value = self.get(key)?;
        value.parse().map_err(|_| ParseError::Value {
            line: self.text.to_owned(),
            value: value.to_owned(),
            what,
        })
    }
}

/// Parses what a testbench printed; lines of the simulator itself are skipped. FAIL lines need no token:
/// one that the design prints can only make a run fail.
///
/// # Errors
/// On a malformed line, on a RESULT that is missing, there twice or the design's, and when RESULT and
/// FAIL lines disagree.
pub fn parse(text: &str, token: &Token) -> Result<RunOutput, ParseError> {
    let mut out = RunOutput {
        failures: Vec::new(),
        found: BTreeMap::new(),
        headers: BTreeMap::new(),
        mode: 0,
        vectors: 0,
        failed: 0,
    };
    let mut ended = false;
    for raw in text.lines() {
        let line = Line::new(raw.trim());
        match line.text.split_ascii_whitespace().next() {
            Some("FAIL") => out.failures.push(failure(&line)?),
            Some("DUMP") => {
                let word = line.get("side").and_then(|_| dump_word(&line))?;
                out.found.entry(line.parse("index", "index")?).or_default().push(word);
            }
            Some("HEADER") => {
                let pairs = line.pairs.iter();
                let pairs = pairs.map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
                out.headers.insert(line.parse("index", "index")?, pairs.collect());
            }
            Some("RESULT") => return Err(ParseError::Forged(line.text.to_owned())),
            _ => {}
        }
    }
    for line in token.lines(text).map(Line::new) {
        match line.text.split_ascii_whitespace().next() {
            Some("ERROR") => return Err(ParseError::Bench(line.text.to_owned())),
            Some("RESULT") if ended => return Err(ParseError::Twice),
            Some("RESULT") => {
                line.parse::<Module>("module", "module")?;
                out.mode = line.parse("mode", "mode")?;
                out.vectors = line.parse("vectors", "count")?;
                out.failed = line.parse("failed", "count")?;
                ended = true;
            }
            _ => {}
        }
    }
    if !ended {
        let tail: Vec<&str> = text.lines().rev().take(3).collect();
        return Err(ParseError::NoResult(tail.join(" | ")));
    }
    let lines = out.failing().len();
    if lines != out.failed {
        return Err(ParseError::Count { result: out.failed, lines });
    }
    Ok(out)
}

fn failure(line: &Line<'_>) -> Result<Failure, ParseError> {
    Ok(Failure {
        module: line.parse("module", "module")?,
        index: line.parse("index", "index")?,
        kind: line.get("kind")?.to_owned(),
        at: line.parse("at", "number")?,
        expected: line.get("expected")?.to_owned(),
        found: line.get("found")?.to_owned(),
    })
}

fn dump_word(line: &Line<'_>) -> Result<Word, ParseError> {
    let value = line.text.rsplit(' ').next().unwrap_or_default();
    value.parse().map_err(|()| ParseError::Value {
        line: line.text.to_owned(),
        value: value.to_owned(),
        what: "word",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "VCD info: dumpfile x opened\n\
        FAIL module=frame_rx index=12 kind=word at=5 expected=1_F_00112233 found=1_F_0011223x\n\
        DUMP index=12 side=found word=0 0_f_44332211\n\
        HEADER index=12 good=1 check=0 mac=001122334455\n\
        TOKEN RESULT module=frame_rx mode=1 vectors=123 failed=1\n";

    fn parse(text: &str) -> Result<RunOutput, ParseError> {
        let token = Token::random();
        super::parse(&text.replace("TOKEN", &token.to_string()), &token)
    }

    #[test]
    fn every_line_of_the_grammar_is_parsed() {
        let out = parse(GOOD).unwrap();
        assert_eq!((out.mode, out.vectors, out.failed), (1, 123, 1));
        assert_eq!(out.failures[0].kind, "word");
        assert_eq!(out.failures[0].at, 5);
        let bytes: Vec<u8> = out.found[&12][0].bytes().collect();
        assert_eq!(bytes, [0x11, 0x22, 0x33, 0x44]);
        assert_eq!(out.headers[&12]["mac"], "001122334455");
    }

    #[test]
    fn an_unknown_digit_is_an_unknown_lane() {
        let word: Word = "1_3_0011x2zz".parse().unwrap();
        assert_eq!(word.lanes, [None, None, Some(0x11), Some(0)]);
        assert_eq!((word.flags, word.keep), (Some(1), Some(3)));
    }

    #[test]
    fn a_run_without_result_is_an_error() {
        let cut = GOOD.replace("RESULT", "RESUL");
        assert!(matches!(parse(&cut), Err(ParseError::NoResult(_))));
        assert!(matches!(parse(""), Err(ParseError::NoResult(_))));
    }

    #[test]
    fn counts_must_agree() {
        let wrong = GOOD.replace("failed=1", "failed=0");
        assert_eq!(parse(&wrong), Err(ParseError::Count { result: 0, lines: 1 }));
    }

    #[test]
    fn malformed_lines_are_errors() {
        for (from, to) in [
            ("index=12 kind", "index=a kind"),
            (" kind=word", ""),
            ("module=frame_rx index", "module=other index"),
            ("0_f_44332211", "0_f_4433221"),
            ("vectors=123", "vectors="),
        ] {
            assert!(parse(&GOOD.replace(from, to)).is_err(), "{from} -> {to}");
        }
        assert!(matches!(parse("TOKEN ERROR no dir"), Err(ParseError::Bench(_))));
    }

    #[test]
    fn a_result_of_the_design_is_no_verdict() {
        let result = "RESULT module=frame_rx mode=1 vectors=123 failed=0\n";
        assert!(matches!(parse(result), Err(ParseError::Forged(_))));
        assert!(matches!(parse(&format!("{GOOD}{result}")), Err(ParseError::Forged(_))));
        let other = format!("{} {result}", Token::random());
        assert!(matches!(parse(&other), Err(ParseError::NoResult(_))));
        assert_eq!(parse(&format!("{GOOD}TOKEN {result}")), Err(ParseError::Twice));
        assert!(matches!(parse("ERROR no dir"), Err(ParseError::NoResult(_))));
    }

    #[test]
    fn a_result_of_fewer_vectors_is_no_verdict() {
        let out = parse(GOOD).unwrap();
        let wrong = ParseError::Vectors { expected: 124, found: 123 };
        assert_eq!(out.clone().complete(124, 10), Err(wrong));
        assert!(out.clone().complete(124, 1).is_ok());
        assert!(out.complete(123, 10).is_ok());
    }
}
