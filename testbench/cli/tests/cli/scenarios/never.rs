// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a file asks for and never gets: refused where that is certain, a warning where only the run
//! shows it. And what a file has no way to do: write to a terminal.

use super::root;
use assert_cmd::Command;
use awgstar_scenario::scenario;
use serde_json::{Value, json};
use std::{fs, path::Path};

const NODES: &str = "system = \"node-ring\"\nnodes = 4\ncycles = 100\n";
const BOARDS: &str = "system = \"board-ring\"\nnodes = 4\ncycles = 100\n";
const CURRENT: &str = "system = \"generation-1\"\nnodes = 4\nlimit_ns = 1000\n";

#[test]
fn what_cannot_happen_is_refused() {
    let end = "the run ends after 100 cycles";
    let lost =
        |rest: &str| format!("{BOARDS}[router]\n[[lost]]\nnodes = 1\nwhat = \"power\"\n{rest}\n");
    let act = |keys: &str| format!("{BOARDS}[[program]]\nnodes = 0\ndo = [\n{keys}\n]\n");
    let sends = |keys: &str| format!("{NODES}[[program]]\nnodes = 1\ndo = [\n{keys}\n]\n");
    let cases = [
        // Events after the end, in every kind of table.
        (sends("{ write = 0, hex = \"00\", at = 100 }"), 7, "do.at is 100: expected 0 to 99"),
        (sends("{ signal = \"broadcast\", at = -1 }"), 7, "do.at is -1: expected 0 to 99"),
        (
            format!("{NODES}[[random]]\nfrom = 100\nuntil = 100\nevery = 5\n"),
            5,
            "random.from is 100: expected 0 to 99",
        ),
        (
            format!("{NODES}[[random]]\nfrom = 50\nuntil = 50\nevery = 5\n"),
            6,
            "random.until is 50: expected 51 to 100",
        ),
        (format!("{NODES}[[random]]\nuntil = 101\nevery = 5\n"), 5, end),
        (format!("{BOARDS}calm = 100\n"), 4, "calm is 100: expected 0 to 99"),
        (
            format!("{BOARDS}[[board]]\nnodes = 1\nat = 100\n"),
            6,
            "board.at is 100: expected 0 to 99",
        ),
        (
            format!("{BOARDS}[[program]]\nnodes = 1\nat = 100\ndo = []\n"),
            6,
            "program.at is 100: expected 0 to 99",
        ),
        (act("{ at = 100, compute = 1 }"), 7, "do.at is 100: expected 0 to 99"),
        (
            format!("{BOARDS}[[program]]\nnodes = 1\nat = 100\ndo = []\n"),
            6,
            "program.at is 100: expected 0 to 99",
        ),
        (
            format!("{BOARDS}[[fault]]\nlink = 1\nfrom = 100\nlose = true\n"),
            6,
            "fault.from is 100: expected 0 to 99",
        ),
        (
            format!("{BOARDS}calm = 9\n[[fault]]\nlink = 1\nfrom = 9\nlose = true\n"),
            7,
            "fault.from is 9: expected less than calm, 9",
        ),
        (
            format!("{BOARDS}[[cut]]\nlink = 1\nfrom = 100\n"),
            6,
            "cut.from is 100: expected 0 to 99",
        ),
        (
            format!("{BOARDS}[[cut]]\nlink = 1\nfrom = 9\nuntil = 101\n"),
            7,
            "cut.until is 101: expected 10 to 100",
        ),
        (format!("{BOARDS}[[dead]]\nnodes = 1\nat = 100\n"), 6, "dead.at is 100: expected 0 to 99"),
        (
            format!("{BOARDS}[[slow]]\nnodes = 1\ncycles = 1\nfrom = 100\n"),
            7,
            "slow.from is 100: expected 0 to 99",
        ),
        (
            format!("{BOARDS}[[slow]]\nnodes = 1\ncycles = 1\nuntil = 0\n"),
            7,
            "slow.until is 0: expected 1 to 100",
        ),
        (
            format!("{BOARDS}[[reset]]\nnodes = 1\nat = 100\n"),
            6,
            "reset.at is 100: expected 0 to 99",
        ),
        (lost("at = 100"), 8, "lost.at is 100: expected 0 to 99"),
        (lost("at = 5\nuntil = 5"), 9, "lost.until is 5: expected 6 to 100"),
        (
            format!("{CURRENT}[[fault]]\nlink = 1\nfrom = 1000\nlose = true\n"),
            6,
            "fault.from is 1000: expected 0 to 999: the run ends after 1000 ns",
        ),
        // Signals for no one in particular.
        (sends("{ signal = \"p2p\" }"), 7, "do: a p2p signal needs to"),
        (sends("{ signal = \"multicast\", to = 1 }"), 7, "do: a multicast signal needs group"),
        (sends("{ signal = \"lock_mw_request\" }"), 7, "do: a p2p signal needs to"),
        (act("{ signal = \"p2p\", group = 1 }"), 7, "do: a p2p signal needs to"),
        (act("{ signal = \"multicast\" }"), 7, "do: a multicast signal needs group"),
        // Addresses that wrap past 32 bits, or past the memory.
        (
            sends("{ write = 0xfffffffd, hex = \"00112233\" }"),
            7,
            "do.write is 4294967293: expected 0 to 4294967292",
        ),
        (act("{ write = 16381, hex = \"00112233\" }"), 7, "do.write is 16381: expected 0 to 16380"),
        (
            format!("{CURRENT}show = [0x1ffffffd]\n"),
            4,
            "show is 536870909: expected 0 to 536870908",
        ),
    ];
    for (text, line, what) in cases {
        let error = scenario::read("test.toml", &text).expect_err(&text);
        assert!(error.line == line && error.what.contains(what), "{text}{error}");
    }
    // The last address and the last cycle are none of them.
    let write = sends("{ at = 99, write = 0xfffffffc, hex = \"00112233\" }");
    assert!(scenario::read("test.toml", &write).is_ok());
}

fn run(command: &str, folder: &Path, text: &str, args: &[&str]) -> (i32, String, String) {
    fs::write(folder.join("a.toml"), text).unwrap();
    let mut process = Command::cargo_bin("awgstar").unwrap();
    let output = process.current_dir(folder).args([command, "a.toml"]).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// (line, start of the message) of every warning: on standard error and in JSON they are the same.
fn warnings(text: &str) -> Vec<(u64, String)> {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, err) = run("sim", folder.path(), text, &["--json"]);
    assert_eq!(code, 0, "{text}{err}");
    let object: Value = serde_json::from_str(&out).unwrap();
    let all = object["warnings"].as_array().unwrap().iter().map(|warning| {
        assert_eq!(warning["file"], json!("a.toml"));
        let what = warning["what"].as_str().unwrap();
        let place = format!("a.toml:{}:{}", warning["line"], warning["column"]);
        assert!(err.contains(&format!("warning: {place}: {what}\n")), "{err}");
        (warning["line"].as_u64().unwrap(), what.to_owned())
    });
    let all: Vec<(u64, String)> = all.collect();
    assert_eq!(err.matches("warning: ").count(), all.len(), "{err}");
    all
}

fn expect(text: &str, expected: &[(u64, &str)]) {
    let found = warnings(text);
    let same = found.len() == expected.len()
        && found.iter().zip(expected).all(|(f, e)| f.0 == e.0 && f.1.starts_with(e.1));
    assert!(same, "{text}: {found:#?}");
}

#[test]
fn what_did_not_happen_is_a_warning() {
    // Free tokens are 64 bytes: frame 0 of link 1 has no bit 8000, and is lost.
    expect(
        "system = \"node-ring\"\nnodes = 4\ncycles = 500\n\
         [[fault]]\nlink = 1\nframe = 0\nlose = true\n\
         [[fault]]\nlink = 1\nframe = 0\nbit = 8000\n\
         [[fault]]\nlink = 2\nframe = 99999\ntwice = true\n\
         [[program]]\nnodes = [1, 2]\ntimes = 2\ndo = [{ signal = \"p2p\", to = 4 },\n\
         { signal = \"multicast\", group = 3 }]\n",
        &[
            (9, "fault on link 1, frame 0: no such frame left, or it ended before"),
            (13, "fault on link 2, frame 99999"),
            (19, "do.to is 4: no node has this Node_ID"),
            (20, "do.group is 3: no node is in this group"),
        ],
    );
    expect(
        "system = \"board-ring\"\nnodes = 2\ncycles = 12_000\nperiod = 400\n[groups]\n3 = [0]\n\
         [[board]]\nnodes = 1\nnode_id = 7\n\
         [[program]]\nnodes = 0\ndo = [\n{ signal = \"p2p\", to = 1 },\n{ signal = \"p2p\", to = 7 },\n\
         { signal = \"multicast\", group = 3 },\n{ compute = 12_000 },\n{ compute = 1 },\n]\n\
         [[fault]]\nlink = 1\nfrom = 9_000\nkind = \"data\"\nlose = true\n\
         [[fault]]\nlink = 0\nfrom = 0\nkind = \"free\"\nbit = 8000\n\
         [[fault]]\nlink = 0\nframe = 99999\ntwice = true\n\
         [[fault]]\nlink = 0\nframe = 3\nbit = 3\n",
        &[
            (11, "host of board 0: 1 acts had not begun when the run ended"),
            (13, "do.to is 1: no node has this Node_ID"),
            (20, "fault on link 1, frames from cycle 9000 on: "),
            (25, "fault on link 0, frames from cycle 0 on: "),
            (30, "fault on link 0, frame 99999"),
        ],
    );
    // Programs end the run: what comes later does not happen.
    expect(
        "system = \"board-ring\"\nnodes = 2\ncycles = 400_000\nperiod = 800\n[primitives]\n\
         [[program]]\nnodes = \"all\"\ndo = [{ barrier = true }]\n\
         [[dead]]\nnodes = 1\nat = 300_000\n\
         [[slow]]\nnodes = 1\ncycles = 3\nfrom = 10\nuntil = 300_001\n",
        &[
            (11, "dead.at is 300000: the run ended before, in cycle "),
            (16, "slow.until is 300001: the run ended before, in cycle "),
        ],
    );
    expect(
        "system = \"generation-1\"\nnodes = 2\n[[program]]\ndo = [{ compute = 9_000 }]\n\
         [[fault]]\nlink = 1\nfrom = 50_000\nbit = 900\n\
         [[fault]]\nlink = 1\nfrom = 0\nbit = 9_000_000\n\
         [[fault]]\nlink = 0\nfrom = 0\nbit = 5\n",
        &[
            (6, "fault on link 1 at 50000 ns: no train met it before the run ended"),
            (10, "fault on link 1 at 0 ns: no train met it"),
        ],
    );
}

/// The examples of the documentation have none.
#[test]
fn no_example_has_a_warning() {
    for name in ["first", "message", "frames", "generation1", "generation1_token", "lock", "paging"]
    {
        let text = fs::read_to_string(root().join(format!("docs/scenarios/{name}.toml"))).unwrap();
        expect(&text, &[]);
    }
}

/// A file of each kind, small, with a title that would set the title of a terminal's window, turn the
/// direction of writing, and begin a line.
fn nasty() -> Vec<(&'static str, String)> {
    let title = r#"title = "\u001b]0;x\u0007\u009b31m\u202e\nreplicas: equal""#;
    let files = [
        ("nodes", "system = \"node-ring\"\nnodes = 2\ncycles = 60\n"),
        ("boards", "system = \"board-ring\"\nnodes = 2\ncycles = 60\n"),
        (
            "programs",
            "system = \"board-ring\"\nnodes = 2\ncycles = 20_000\nperiod = 400\n[primitives]\n[[program]]\nnodes = 0\ndo = [{ compute = 1 }]\n",
        ),
        ("router", "system = \"board-ring\"\nnodes = 2\ncycles = 60\n[router]\n"),
        (
            "generation1",
            "system = \"generation-1\"\nnodes = 2\n[[program]]\ndo = [{ compute = 9 }]\n",
        ),
        ("mandelbrot", "system = \"mandelbrot\"\nsize = 4\nlimit = 5\n"),
        (
            "paging",
            "system = \"paging\"\nnodes = 2\npage_bytes = 64\npages = 1\nroom = 1\n[[program]]\nnodes = 1\ndo = [{ access = 1 }]\n",
        ),
    ];
    files.into_iter().map(|(kind, text)| (kind, format!("{title}\n{text}"))).collect()
}

fn clean(kind: &str, what: &str, text: &str) {
    let hidden = |c: char| c.is_control() && c != '\n' && c != '\t' || c == '\u{202e}';
    assert!(!text.contains(hidden), "{kind}, {what}: {text:?}");
}

#[test]
fn a_title_has_no_way_to_the_terminal() {
    for (kind, text) in nasty() {
        let folder = tempfile::tempdir().unwrap();
        for args in [&[][..], &["--json"], &["--svg", "out.svg"], &["--out", "out"]] {
            let (code, out, err) = run("sim", folder.path(), &text, args);
            assert_eq!(code, 0, "{kind}: {err}");
            clean(kind, "standard output", &out);
            clean(kind, "standard error", &err);
            assert!(out.contains("u001b]0;x"), "{kind}: {out}");
            assert!(!out.contains("\nreplicas: equal\n2 "), "{kind}: {out}");
        }
        let (code, out, err) = run("wave", folder.path(), &text, &["--out", "wave"]);
        assert_eq!(code, 0, "{kind}: {err}");
        clean(kind, "standard output", &out);
        let folders = ["", "out", "wave"].map(|name| folder.path().join(name));
        let files = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
        for path in files.map(|entry| entry.unwrap().path()) {
            let picture = path.extension().is_some_and(|e| e == "png" || e == "toml");
            if path.extension().is_some_and(|e| e == "pcapng") {
                // Frames have any byte; the title has not.
                let bytes = fs::read(&path).unwrap();
                assert!(!bytes.windows(4).any(|part| part == b"\x1b]0;"), "{kind}");
                continue;
            }
            if path.is_file() && !picture {
                clean(kind, &path.display().to_string(), &fs::read_to_string(&path).unwrap());
            }
        }
    }
}

/// Keys and values that an error repeats are shortened, and so is the line.
#[test]
fn an_error_repeats_no_more_than_is_of_use() {
    let long = "x\\u001b[31m".repeat(20_000);
    let folder = tempfile::tempdir().unwrap();
    for text in [
        format!("{NODES}\"{long}\" = 1\n"),
        format!("{NODES}tokens = \"{long}\"\n"),
        format!("{NODES}fibre_m = 1e300\n"),
        format!("{NODES}[[program]]\ndo = [{{ signal = \"{long}\" }}]\n"),
        format!("{NODES}[[random]]\nuntil = 9\nevery = 1\nsignals = 1e300\n"),
        format!("{NODES}# \u{1b}]0;x\u{7}\n"),
        format!("{BOARDS}noise = 1e300\n"),
        format!("{BOARDS}[[program]]\nnodes = 0\ndo = [{{ until = \"{long}\" }}]\n"),
        format!("{BOARDS}[[program]]\nnodes = 0\ndo = [{{ register = \"{long}\" }}]\n"),
        format!("{BOARDS}[[program]]\nnodes = 0\ndo = [{{ signal = \"{long}\" }}]\n"),
        format!("{BOARDS}[router]\ntune_us = 1e300\n"),
        format!("{BOARDS}[[program]]\nnodes = \"{long}\"\ndo = []\n"),
        format!("{CURRENT}[primitives]\norder = \"{long}\"\n"),
        format!("system = \"{long}\"\n"),
        format!("system = \"mandelbrot\"\nsize = 4\nmachine = \"{long}\"\n"),
        "system = \"mandelbrot\"\nsize = 4\nre = [1e300, 1]\n".to_owned(),
    ] {
        let (code, out, err) = run("sim", folder.path(), &text, &[]);
        let start = &text[..text.len().min(200)];
        assert_eq!((code, out.as_str()), (2, ""), "{start}");
        assert!(err.len() < 1500, "{start}: {} bytes: {err}", err.len());
        clean(start, "standard error", &err);
    }
}
