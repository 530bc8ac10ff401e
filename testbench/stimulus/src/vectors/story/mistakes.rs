// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is said of stories with mistakes.

use super::{File, boards, burst_boards, gateway_sides};

const START: File = File {
    name: "start.toml",
    text: r#"[board]
host = [{ set = "NODE_ID", to = 5 }, { set = "CONTROL", to = 1 }]
"#,
};

fn said(text: &'static str) -> Vec<String> {
    let file = File { name: "some.toml", text };
    let mistakes = boards(START, &[file], true).unwrap_err().0;
    mistakes
        .iter()
        .map(|one| format!("{}:{}:{}: {}", one.file, one.line, one.column, one.what))
        .collect()
}

#[test]
fn every_mistake_has_its_place() {
    let text = r#"start = ["board"]
[[story]]
name = "one"
requirements = ["HST-1"]
shows = "that each is found"
catches = "a loader that gives up"
effect = "mistakes are found one by one"
cycles = 100
host = [
  { red = "STATUS", is = 1 },
  { read = "STATSU", is = 1 },
  { read = "STATUS", is = ["activ"] },
  { read = "STATUS" },
  { count = "rewind", is = 1 },
  { put = 0x40, to = 0x1_0000_0000 },
  { put = 0x40, get = 0x40 },
  { set = "FRAMES", to = { base = 256 } },
  { set = "NODE_ID", word = 1, to = 1 },
  { put = 0x40, to = 1, refuse = true },
  { until = 5, get = 0x40, is = 1 },
]
link = [
  { at = 60, sync = 5 },
  { at = 70, from = 1, data = 0x100, len = 4 },
  { at = 100, from = 1, signal = "lock_queue_reqest", tag = 1 },
  { at = 100, from = 1, signal = "lock_queue_request", tag = 0x1_0000 },
  { at = 100, from = 1, signal = "p2p", tag = 1 },
  { at = 100, echo = 8, bytes = "0x" },
]
sends = []

[[story]]
name = "two"
shows = "that the next one is read, too"
start = ["bord"]
host = "none"
"#;
    let found = said(text);
    let expected = [
        "10:3: story `one`, host: expected one of put, get, set, read, count, send, until",
        "11:12: story `one`, host: `read` is `STATSU`: expected one of ID, VERSION, CONTROL, STATUS, ... (46 in all); the nearest is `STATUS`",
        "12:28: story `one`, host: `is` is `activ`: expected one of synced, active, stalled, data_pending, signal_pending, signal_full; the nearest is `active`",
        "13:3: story `one`, host: missing key `is`",
        "14:13: story `one`, host: `count` is `rewind`: expected one of passed, returned_good, returned_bad, token_taken, ... (32 in all); the nearest is `rewound`",
        "15:22: story `one`, host: `to` is 4294967296: expected a number from 0 to 0xffffffff",
        "16:3: story `one`, host: `put` and `get`: expected one of them",
        "17:35: story `one`, host, to: `base` is 256: expected a number of 8 bits",
        "18:3: story `one`, host: `word` is 1: expected less than 1, the words of NODE_ID",
        "19:25: story `one`, host: unknown key `refuse`: expected one of count, get, lanes, late, ... (15 in all); the nearest is `refused`",
        "20:3: story `one`, host: `until` is 5: expected 16 to 65551, after the step before",
        "24:3: story `one`, link: `at` is 70: expected 77 to 65611, after the frame before",
        "25:34: story `one`, link: `signal` is `lock_queue_reqest`: expected one of p2p, multicast, broadcast, lock_mw_request, ... (21 in all); the nearest is `lock_queue_request`",
        "26:62: story `one`, link: `tag` is 65536: expected a number of 2 bytes",
        "27:41: story `one`, link: unknown key `tag`: expected one of",
        "28:33: story `one`, link: `bytes`: hex digit 1: expected 0-9 or a-f, found 'x'",
        "35:10: story `two`: `start` is `bord`: expected one of board; the nearest is `board`",
        "36:8: story `two`: `host` is `none`: expected a list",
        "32:1: story `two`: missing key `cycles`",
    ];
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(&format!("some.toml:{expected}")), "{found}\n{expected}");
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

#[test]
fn what_is_no_toml_has_its_place() {
    let found = said("[[story]]\nname = \n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("some.toml:2:8: "), "{found:?}");
    let found = said("[[story]]\nname = \"one\"\ncycles = 1.5\n");
    assert!(found[0].starts_with("some.toml:3:10: "), "{found:?}");
}

#[test]
fn a_burst_has_an_answer_for_each_beat() {
    let text =
        "[[story]]\nname = \"one\"\nbursts = [\n  { read = 0x40, beats = 2, is = [1] },\n]\n";
    let file = File { name: "some.toml", text };
    let mistakes = burst_boards(&[file]).unwrap_err().0;
    assert_eq!((mistakes[0].line, mistakes[0].column), (4, 3));
    assert_eq!(mistakes[0].what, "story `one`, bursts: `is` has 1 answers: expected 2");
}

#[test]
fn windows_of_a_gateway_are_whole_places() {
    let text = "[[story]]
name = \"one\"
cycles = 100
[story.a]
windows = [{ first = 0x104, last = 0x13f, to = 0 }]
";
    let said = |text: &'static str| {
        let mistakes = gateway_sides(START, &[File { name: "some.toml", text }]).unwrap_err().0;
        mistakes[0].what.clone()
    };
    assert_eq!(said(text), "story `one`, a, windows: `first` is 0x104: expected a multiple of 64");
    assert_eq!(
        said(
            "[[story]]\nname = \"one\"\ncycles = 1\na = { windows = [{ first = 0, last = 64, to = 0 }] }\n"
        ),
        "story `one`, a, windows: `last` is 0x40: expected the last of 64 bytes"
    );
    assert_eq!(
        said(
            "[[story]]\nname = \"one\"\ncycles = 1\na = { windows = [{ first = 64, last = 63, to = 0 }] }\n"
        ),
        "story `one`, a, windows: `last`: expected `first` before it"
    );
    assert_eq!(
        said("[[story]]\nname = \"one\"\ncycles = 1\na = {}\n"),
        "story `one`: missing key `b`"
    );
}
