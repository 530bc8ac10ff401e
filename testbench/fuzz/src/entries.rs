// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entry points of the fuzzers: one function for each kind of input that a user or a tool gives to
//! the project. A function may refuse its input with an error; it must not panic.
//!
//! `testbench/cli/tests/repository/corpus.rs` compiles this file too and feeds it the committed corpus.

use awgstar::{
    codec::{Frame, Mac},
    contract::{Token, limits::FRAME_MAX},
    rtl::{Parameters, RingNode, Smb},
};
use awgstar_cli::counterexample::{Example, Vector as Run};
use awgstar_lockstep::{conform::ports, mutants as lists};
use awgstar_scenario::scenario;
use awgstar_simulator::{
    self as simulator, crossings,
    crossings::tops::{Clock, Top},
    elaborate,
};
use awgstar_stimulus::{
    deposit::Deposit,
    machine::Machine,
    vector::Vector,
    vectors::{
        hex as columns,
        load::{FrameTexts, crcs, frames},
        manifest::Manifest,
    },
};
use std::{collections::BTreeMap, fs};

/// A function that is fuzzed.
pub type Entry = fn(&[u8]);

/// All of them, by the name of their fuzz target and of their folder in `corpus`.
pub const ENTRIES: &[(&str, Entry)] = &[
    ("case", case),
    ("counterexample", counterexample),
    ("frame", frame),
    ("hex", hex),
    ("manifest", manifest),
    ("mutants", mutants),
    ("output", output),
    ("scenario", scenario),
    ("yosys", yosys),
];

/// Line between the files of one input.
const BETWEEN: &str = "\n-- next file --\n";

/// Inputs with repeated lines grow when they are read: longer ones are passed over.
const CASE_MAX: usize = 2048;

/// The input as text. What is not UTF-8 is replaced, as files are read as text before they are parsed.
fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// The bytes of a frame. One that is accepted and encoded again has the same fields and valid bytes; of a
/// free token MAC and `Node_ID` are the only fields.
///
/// # Panics
/// If it has not.
pub fn frame(data: &[u8]) {
    let _ = text(data).parse::<Mac>();
    let _ = Frame::decode_checked(data);
    if let Ok(mut frame) = Frame::decode(data) {
        if frame.token == Token::Free {
            let (c_st, multi_g, act_seq, packet_cnt, addr) = (0, 0, 0, 0, 0);
            frame = Frame { c_st, multi_g, act_seq, packet_cnt, addr, ..frame };
        }
        let mut bytes = [0; FRAME_MAX];
        let length = frame.encode(&mut bytes).expect("an accepted frame can be encoded");
        assert_eq!(Frame::decode(&bytes[..length]).as_ref(), Ok(&frame));
    }
}

/// A scenario file of any kind.
pub fn scenario(data: &[u8]) {
    if let Err(error) = scenario::read("input.toml", &text(data)) {
        let _ = error.to_string();
    }
}

/// The `.hex` files of a class of frame vectors: fields, words of the link, payloads.
pub fn hex(data: &[u8]) {
    let text = text(data);
    let _ = columns::parse_words(&text);
    let _ = columns::parse_sizes(&text);
    let _ = crcs(&text);
    let mut parts = text.split(BETWEEN);
    let mut part = || parts.next().unwrap_or_default();
    let texts = FrameTexts { fields: part(), wire: part(), tx_payload: part(), rx_payload: part() };
    if let Err((_, error)) = frames(&texts) {
        let _ = error.to_string();
    }
}

/// `vectors/manifest.json`.
pub fn manifest(data: &[u8]) {
    let _ = serde_json::from_slice::<Manifest>(data);
}

/// A case of the lockstep: `vector.toml`, `stimulus.hex` and `expect.hex`. It is read for a node and for a board.
///
/// # Panics
/// If no temporary folder can be written.
pub fn case(data: &[u8]) {
    fn read<M: Machine>(folder: &std::path::Path) {
        if let Err(error) = Vector::<M>::load(folder) {
            let _ = error.to_string();
        }
    }
    if data.len() > CASE_MAX {
        return;
    }
    let text = text(data);
    for line in text.lines() {
        let _ = line.parse::<Deposit>();
        for module in ["ring_node", "smb"] {
            let _ = Parameters::DEFAULT.parse(module, [line]);
        }
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, part) in
        ["vector.toml", "stimulus.hex", "expect.hex"].iter().zip(text.split(BETWEEN))
    {
        fs::write(folder.path().join(name), part).expect("a temporary file");
    }
    read::<RingNode>(folder.path());
    read::<Smb>(folder.path());
}

/// A counterexample: `vectors/firmware/*.json`, `vectors/paging/*.json`.
pub fn counterexample(data: &[u8]) {
    let Ok(vector) = serde_json::from_slice::<Run>(data) else { return };
    for one in Example::all().filter(|one| one.name() == vector.name) {
        let _ = vector.replay(one);
    }
}

/// Output of a simulator. `TOKEN` is replaced by the token of the testbench.
pub fn output(data: &[u8]) {
    let token = simulator::Token::random();
    let text = text(data).replace("TOKEN", &token.to_string());
    if let Err(error) = simulator::output::parse(&text, &token) {
        let _ = error.to_string();
    }
}

/// The JSON of Yosys.
pub fn yosys(data: &[u8]) {
    let text = text(data);
    let _ = elaborate::from_json(&text, "top");
    let clocks = &[Clock { net: "clk", ps: 1, asked: None }];
    let top = Top { module: "top", board: false, clocks, ports: &[("*", "clk")] };
    let _ = crossings::from_json(&text, &top);
    let _ = ports::from_json(&text, "top", &BTreeMap::new());
}

/// A list of mutants.
///
/// # Panics
/// If no temporary file can be written.
pub fn mutants(data: &[u8]) {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    fs::write(file.path(), data).expect("a temporary file");
    let _ = lists::read(file.path());
}
