// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line as a script sees it. Checks CLI-1 to CLI-3, FRM-1, FRM-6, FCS-1.

use crate::gtkw;
use assert_cmd::Command;
use awgstar_cli::campaign::{Campaign, Tally, Violation};
use awgstar_stimulus::vectors::tree::sha256;
use serde_json::{Value, json};

/// A 4-byte write, built here byte by byte: header, data, zeros, count, FCS (from zlib's crc32).
const WRITE: &str = concat!(
    "02534d420001",
    "21",
    "01",
    "00",
    "07",
    "00000100",
    "0011aabb",
    "0000000000000000000000000000000000000000000000000000000000000000000000000000000000",
    "04",
    "7bdb561e"
);

fn awgstar(args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("awgstar").expect("binary").args(args).output().expect("runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("exit code"), text(output.stdout), text(output.stderr))
}

fn encode<'a>(extra: &[&'a str]) -> (i32, String, String) {
    let mut args = vec!["frame", "encode", "--mac", "02:53:4d:42:00:01"];
    args.extend::<&[&'a str]>(extra);
    awgstar(&args)
}

#[test]
fn encode_prints_the_whole_frame_on_one_line() {
    let (code, out, err) = awgstar(&[
        "frame",
        "encode",
        "--token",
        "data",
        "--mac",
        "02:53:4d:42:00:01",
        "--node-id",
        "1",
        "--c-st",
        "0",
        "--multi-g",
        "0",
        "--act-seq",
        "0",
        "--packet-cnt",
        "7",
        "--addr",
        "0x100",
        "--data",
        "0011aabb",
    ]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, format!("{WRITE}\n").as_str(), ""));
}

/// The fields of the frame in hex, and that.
#[test]
fn encode_json_is_what_decode_json_reads() {
    let mac = "02:53:4d:42:00:01";
    let fields = ["--token", "data", "--mac", mac, "--node-id", "1", "--packet-cnt", "7"];
    let rest = ["--addr", "0x100", "--data", "0011aabb", "--json"];
    let (code, out, _) = awgstar(&[&["frame", "encode"], &fields[..], &rest].concat());
    assert_eq!(code, 0);
    let mut found: Value = serde_json::from_str(&out).expect("one JSON object");
    assert_eq!(found.as_object_mut().and_then(|all| all.remove("frame")), Some(json!(WRITE)));
    let (_, out, _) = awgstar(&["frame", "decode", "--json", WRITE]);
    assert_eq!(found, serde_json::from_str::<Value>(&out).expect("one JSON object"));
}

#[test]
fn decode_json_has_the_fixed_keys() {
    let (code, out, _) = awgstar(&["frame", "decode", "--json", WRITE]);
    assert_eq!(code, 0);
    let found: Value = serde_json::from_str(&out).expect("one JSON object");
    let expected = json!({
        "mac": "02:53:4d:42:00:01", "token": "data", "c_st": 1, "node_id": 1, "multi_g": 0, "act_seq": 0,
        "packet_cnt": 7, "addr": 256, "data": "0011aabb", "fcs": "7bdb561e"
    });
    assert_eq!(found, expected);
}

#[test]
fn every_token_round_trips() {
    for (token, data) in [
        ("free", ""),
        ("data", "01"),
        ("p2p", "0300000000000007"),
        ("multicast", "02"),
        ("broadcast", ""),
        ("control", "ff"),
    ] {
        let (code, hex, _) = encode(&["--token", token, "--data", data]);
        assert_eq!(code, 0, "{token}");
        let (code, out, _) = awgstar(&["frame", "decode", "--json", hex.trim()]);
        let found: Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!((code, found["token"].as_str()), (0, Some(token)));
        assert!(found["data"].as_str().is_some_and(|d| d.starts_with(data)));
    }
}

#[test]
fn a_bad_frame_exits_with_1_and_names_the_field() {
    let fcs = WRITE.replace("0011aabb", "0011aabc");
    for (hex, field) in [(fcs.as_str(), "fcs"), (&WRITE[..126], "frame"), ("", "frame")] {
        let (code, out, err) = awgstar(&["frame", "decode", "--json", hex]);
        assert_eq!(code, 1, "{err}");
        assert!(err.starts_with(&format!("error: {field} at byte ")), "{err}");
        let found: Value = serde_json::from_str(&out).expect("one JSON object");
        assert_eq!(found["error"]["kind"], "check");
        assert!(err.contains(found["error"]["message"].as_str().expect("text")), "{out}{err}");
    }
    let (code, out, _) = awgstar(&["frame", "explain", &fcs]);
    assert_eq!(code, 1);
    assert!(out.contains("error: fcs at byte 60") && out.contains("packet_cnt"), "{out}");
}

#[test]
fn unusable_arguments_exit_with_2() {
    let cases: [(&[&str], &str); 9] = [
        (&["--token", "nothing"], "--token"),
        (&["--token", "data", "--data", "0"], "data"),
        (&["--token", "data", "--data", "0g"], "data"),
        (&["--token", "data", "--data", ""], "data"),
        (&["--token", "p2p", "--c-st", "32"], "--c-st"),
        (&["--token", "p2p", "--multi-g", "16"], "--multi-g"),
        (&["--token", "p2p", "--addr", "0x100000000"], "--addr"),
        (&["--token", "free", "--addr", "1"], "addr"),
        (&["--token", "data", "--data", "00", "--c-st", "2"], "c_st"),
    ];
    for (args, names) in cases {
        let (code, out, err) = encode(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(names), "{args:?}: {err}");
    }
    assert_eq!(awgstar(&["frame", "decode", "xyz"]).0, 2);
    assert_eq!(awgstar(&["frame"]).0, 2);
    assert_eq!(awgstar(&["no-such-command"]).0, 2);
}

#[test]
fn standard_input_is_read_line_by_line_and_nothing_good_is_lost() {
    let bad = WRITE.replace("0011aabb", "0011aabc");
    let output = Command::cargo_bin("awgstar")
        .expect("binary")
        .args(["frame", "decode", "--json", "-"])
        .write_stdin(format!("{WRITE}\n{bad}\n\n{WRITE}\n"))
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(1));
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let values: Vec<Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let lines: Vec<Option<u64>> = values.iter().map(|v| v["error"]["line"].as_u64()).collect();
    assert_eq!(lines, [None, Some(2), None]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 2: fcs at byte 60"));
}

/// Old words do what they did, with a warning each; no help names them.
#[test]
fn old_words_are_accepted_with_a_warning() {
    let seed = ["--seed", "2", "--json"];
    let old = [&["campaign", "--boards", "2", "--episode=0"], &seed[..]].concat();
    let new = [&["campaign", "--nodes", "2", "--case=0"], &seed[..]].concat();
    let ((code, out, err), expected) = (awgstar(&old), awgstar(&new));
    assert_eq!((code, &out, expected.0, expected.2.as_str()), (0, &expected.1, 0, ""));
    let warning = |old, new| {
        format!(
            "warning: `{old}` is an old name, which the next release does not know: use `{new}`\n"
        )
    };
    assert_eq!(err, warning("--boards", "--nodes") + &warning("--episode", "--case"));
    let (code, out, err) = awgstar(&["man"]);
    assert!(code == 0 && out.contains(".TH awgstar 1"), "{err}");
    assert_eq!(err, warning("awgstar man", "cargo xtask man"));
    let (_, help, _) = awgstar(&["--help"]);
    let listed: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    let commands = listed.iter().filter_map(|line| line.split("  ").next());
    let commands: Vec<&str> = commands.filter(|name| !name.contains([' ', '-'])).collect();
    for name in ["sim", "run", "cosim", "conform", "campaign", "study", "frame", "vectors", "new"] {
        assert!(commands.contains(&name), "{name}: {help}");
    }
    for name in ["wave", "xtask", "man", "mutants", "speed", "latency"] {
        assert!(!commands.contains(&name), "{name}: {help}");
    }
}

/// Reports of checks and lists as JSON.
#[test]
fn checks_and_lists_print_json() {
    let json = |args: &[&str]| {
        let (code, out, err) = awgstar(&[args, &["--json"]].concat());
        let value: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}"));
        (code, value)
    };
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let (_, found) = json(&["xtask", "contract", "check", "--root", root]);
    assert_eq!(found["files"], json!([]), "{found}");
    assert!(found["figures"].is_array(), "{found}");
    let (code, found) = json(&["vectors", "check", "--root", root]);
    assert_eq!(code, 0, "{found}");
    for part in ["files", "codec", "board", "firmware"] {
        assert_eq!(found[part]["failures"], json!([]), "{found}");
    }
    assert!(found["codec"]["run"].as_u64() > Some(0), "{found}");
    let (code, found) = json(&["study", "counterexample"]);
    let first = found[0]["name"].as_str().expect("a name").to_owned();
    assert_eq!(code, 0);
    let (code, run) = json(&["study", "counterexample", &first]);
    assert!(code == 0 && run.is_object(), "{run}");
}

/// A wrong value gets the names that there are, and the nearest.
#[test]
fn a_wrong_value_gets_the_nearest_name() {
    for (args, says) in [
        (&["run", "--lock", "que", "--", "true"][..], "a similar value exists: 'queue'"),
        (&["run", "--machine", "gen2", "--", "true"], "a similar value exists: 'gen1'"),
        (&["run", "--order", "confirm", "--", "true"], "a similar value exists: 'confirmed'"),
        (&["cosim", "--sim", "icarsu"], "a similar value exists: 'icarus'"),
        (&["cosim", "--sim", "icarus", "--class", "token"], "the nearest is `tokens`"),
        (&["vectors", "list", "--class", "token"], "the nearest is `tokens`"),
        (&["xtask", "mutants", "firmware-locks"], "a similar value exists: 'firmware-lock'"),
        (&["study", "counterexample", "lock_mw_printed_grant_agian"], "the nearest is `lock_mw_p"),
        (&["contract", "print", "awgstar.lu"], "the nearest is `awgstar.lua`"),
    ] {
        let (code, out, err) = awgstar(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(says), "{args:?}: {err}");
    }
}

/// A command with --json prints an object for an error, too, whatever is wrong.
#[test]
fn errors_are_json_too() {
    for (args, code, kind, what) in [
        (&["sim", "/no/file.toml", "--json"][..], 2, "io", "/no/file.toml"),
        (&["sim", "docs/scenarios/first.toml", "--json", "--window", "x"], 2, "usage", "--window"),
        (&["frame", "decode", "--json", "0g"], 2, "usage", "hex digit 1"),
        (&["campaign", "--json", "--nodes", "0"], 2, "usage", "--nodes"),
        (&["xtask", "speed", "--json", "--nodes", "0"], 2, "usage", "--nodes"),
        (&["xtask", "speed", "--json", "--root", "/no"], 2, "usage", "/no"),
        (&["xtask", "mutants", "--json", "none"], 2, "usage", "none"),
        (&["xtask", "contract", "check", "--json", "--root", "/no"], 2, "usage", "/no"),
        (&["vectors", "check", "--json", "--vectors", "/no"], 2, "io", "/no"),
        (&["study", "lock", "--json", "--nodes", "1"], 2, "usage", "--nodes"),
        (&["conform", "--json", "--dut", "/no.v"], 2, "usage", "--module"),
        // Standard output is that of the processes.
        (&["run", "--json", "-n", "0", "--", "true"], 2, "usage", "-n"),
        (&["run", "--json", "-n", "1", "--", "/no/program"], 2, "io", "/no/program"),
    ] {
        let (found, mut out, mut err) = awgstar(args);
        if args[0] == "run" {
            assert_eq!(out, "", "{err}");
            (out, err) = err.split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        }
        let value: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}"));
        let error = &value["error"];
        assert_eq!((found, error["kind"].as_str()), (code, Some(kind)), "{out}");
        assert!(error["message"].as_str().is_some_and(|text| text.contains(what)), "{out}");
        assert!(err.starts_with("error: "), "{err}");
    }
    // Without it, and after `--`, there is text alone.
    for args in [&["sim", "/no/file.toml"][..], &["run", "-n", "0", "--", "true", "--json"]] {
        let (code, out, err) = awgstar(args);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
    }
}

/// What `awgstar frame decode --json -` says to these lines: exit code, standard output and error.
fn decode(lines: &[u8]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("awgstar").expect("binary");
    let output = command.args(["frame", "decode", "--json", "-"]).write_stdin(lines.to_vec());
    let output = output.output().expect("runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("exit code"), text(output.stdout), text(output.stderr))
}

#[test]
fn no_line_of_standard_input_ends_the_others() {
    let bad: [(&[u8], &str); 5] = [
        (b"xyz", "hex digit 0: expected 0-9 or a-f, found 'x'"),
        (b"012", "expected an even number of hex digits, found 3"),
        (b"ab\xff", "byte 2: expected text in UTF-8"),
        ("0\u{e9}".as_bytes(), "hex digit 1: expected 0-9 or a-f, found '\u{e9}' (U+00E9)"),
        (b"\x1b[31m", "hex digit 0: expected 0-9 or a-f, found U+001B"),
    ];
    for (line, what) in bad {
        let lines = [WRITE.as_bytes(), line, WRITE.as_bytes()].join(&b'\n');
        let (code, out, err) = decode(&lines);
        assert_eq!((code, out.lines().count()), (1, 3), "{err}");
        assert_eq!(err, format!("error: line 2: {what}\n"));
    }
    // The longest frame with a separator at every place is a line; four times that and one more is none.
    let longest = 14 + 1024 + 4;
    let line = |bytes: usize| ["0".repeat(bytes), WRITE.into()].join("\n");
    let (code, out, err) = decode(line(4 * longest).as_bytes());
    assert_eq!((code, out.lines().count()), (1, 2), "{err}");
    assert!(err.starts_with("error: line 1: frame at byte "), "{err}");
    let (code, out, err) = decode(line(4 * longest + 1).as_bytes());
    assert_eq!((code, out.lines().count()), (1, 2), "{err}");
    assert!(err.starts_with("error: line 1: longer than 4168 bytes: expected"), "{err}");
}

/// 300 MB on one line pass through a process that may have 200 MB.
#[test]
fn a_line_without_an_end_takes_no_memory() {
    let binary = assert_cmd::cargo::cargo_bin("awgstar");
    let script = format!(
        "{{ head -c 300000000 /dev/zero; printf '\\n{WRITE}\\n'; }} | {{ ulimit -v 200000; '{}' frame decode --json -; }}",
        binary.display()
    );
    let output = std::process::Command::new("sh").args(["-c", &script]).output().expect("runs");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 2, "{err}");
    assert!(err.starts_with("error: line 1: longer than "), "{err}");
}

/// A character is one, however many bytes it has, and marks have no form of their own.
#[test]
fn a_character_that_is_no_digit_is_shown_as_it_is() {
    for (text, found) in [
        ("\u{e9}", "hex digit 0: expected 0-9 or a-f, found '\u{e9}' (U+00E9)"),
        ("e\u{301}", "hex digit 1: expected 0-9 or a-f, found U+0301"),
        ("00\u{1f600}", "hex digit 2: expected 0-9 or a-f, found '\u{1f600}' (U+1F600)"),
        ("\u{200d}", "hex digit 0: expected 0-9 or a-f, found U+200D"),
        ("0_g", "hex digit 1: expected 0-9 or a-f, found 'g'"),
    ] {
        let (code, out, err) = awgstar(&["frame", "decode", text]);
        assert_eq!(
            (code, out.as_str(), err.as_str()),
            (2, "", format!("error: {found}\n").as_str())
        );
    }
}

/// What needs a checkout says so where there is none, and how to point to one. The rest works anywhere.
#[test]
fn commands_that_need_a_checkout_say_so() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let cases: [(&[&str], &str); 4] = [
        (&["xtask", "mutants", "firmware-lock"], "testbench/mutants"),
        (&["xtask", "contract", "check"], "hdl"),
        (&["xtask", "contract", "generate"], "hdl"),
        (&["vectors", "list", "--root", "nowhere"], "vectors"),
    ];
    let cache = tempfile::tempdir().expect("temporary folder");
    let run = |args: &[&str]| {
        let mut command = Command::cargo_bin("awgstar").expect("binary");
        let command = command.current_dir(folder.path()).env("XDG_CACHE_HOME", cache.path());
        let output = command.args(args).output().expect("runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (output.status.code().expect("exit code"), text(output.stdout), text(output.stderr))
    };
    for (args, part) in cases {
        let (code, out, err) = run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        let says = |what: &str| assert!(err.contains(what), "{args:?}: {what}: {err}");
        says(&format!("no folder `{part}` in `"));
        says("this command needs a checkout of the project");
        says("--root FOLDER");
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("folder").collect();
    assert!(left.is_empty(), "{left:?}");
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let (code, out, err) = run(&["vectors", "list", "--root", root]);
    assert!(code == 0 && out.contains("short_count"), "{err}");
    let (code, elsewhere, err) = run(&["vectors", "list"]);
    assert!(code == 0 && elsewhere == out, "{err}");
    assert!(err.contains("no checkout here: the files of this version are in "), "{err}");
    // They are in the cache of the user, one folder for each build; nothing is written here.
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("folder").collect();
    assert!(left.is_empty(), "{left:?}");
    let mut places = std::fs::read_dir(cache.path().join("awgstar")).expect("folder");
    let place = places.next().expect("a folder").expect("entry").path();
    assert!(err.contains(&place.display().to_string()), "{err}");
    let (code, out, err) = run(&["cosim", "--sim", "icarus", "--module", "crc32"]);
    assert!(code == 0 && out.contains(" 0 failed"), "{out}{err}");
    let (code, out, err) = run(&["sim", "docs/scenarios/first.toml"]);
    assert!(code == 0 && out.contains("A write, a lock request"), "{out}{err}");
    // A broken copy is not used.
    std::fs::write(place.join("hdl/crc32.v"), "module crc32; endmodule").expect("written");
    let (code, out, err) = run(&["cosim", "--sim", "icarus", "--module", "crc32"]);
    assert!(code == 0 && out.contains(" 0 failed"), "{out}{err}");
    // Once these were tested with the carried Verilog: a PASS for a design that was never read.
    std::fs::create_dir(folder.path().join("hdl")).expect("folder");
    for args in [&["cosim", "--sim", "icarus", "--module", "crc32"][..], &["xtask", "speed"]] {
        let (code, out, err) = run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains("would not be used"), "{args:?}: {err}");
    }
}

/// The design of a new folder passes, and one with a mutant fails.
#[test]
fn a_new_folder_is_a_starting_point() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let run = |at: &str, args: &[&str]| {
        let mut command = Command::cargo_bin("awgstar").expect("binary");
        let output = command.current_dir(folder.path().join(at)).args(args).output().expect("runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (output.status.code().expect("exit code"), text(output.stdout), text(output.stderr))
    };
    for module in ["crc32", "frame_tx", "frame_rx", "ring_node", "smb"] {
        let (code, out, err) = run("", &["new", module, "--module", module]);
        assert!(code == 0 && out.contains(&format!("rtl/my_{module}.v")), "{out}{err}");
    }
    let (code, _, err) = run("", &["new", "crc32"]);
    assert!(code == 2 && err.contains("expected a folder that is empty"), "{err}");
    let (code, out, err) = run("crc32", &["sim", "scenario.toml"]);
    assert!(code == 0 && out.contains("A write, a lock request"), "{out}{err}");
    let design = folder.path().join("frame_tx/rtl/my_frame_tx.v");
    let readme = std::fs::read_to_string(folder.path().join("frame_tx/README.md")).expect("text");
    let check = readme.lines().find(|line| line.starts_with("awgstar conform")).expect("a command");
    let binary = assert_cmd::cargo::cargo_bin("awgstar");
    let script = check.replacen("awgstar", &format!("'{}'", binary.display()), 1);
    let conform = || {
        let mut command = std::process::Command::new("sh");
        let output = command
            .current_dir(folder.path().join("frame_tx"))
            .args(["-c", &format!("{script} --only header_extremes")])
            .output()
            .expect("runs");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, out) = conform();
    assert_eq!(code, Some(0), "{out}");
    let good = std::fs::read_to_string(&design).expect("text");
    let bad = good.replacen(".s_hdr_token(s_hdr_token)", ".s_hdr_token(~s_hdr_token)", 1);
    assert_ne!(good, bad);
    std::fs::write(&design, bad).expect("written");
    let (code, out) = conform();
    assert_eq!(code, Some(1), "{out}");
}

/// A message repeats neither a long argument nor a control character in one.
#[test]
fn an_argument_is_not_echoed_in_full() {
    let long = "x".repeat(100_000);
    for args in [
        &["frame", "encode", "--mac", &long, "--token", "free"][..],
        &["frame", "decode", &long],
        &["campaign", &format!("--frames={long}")],
        &["study", "counterexample", &long],
        &[
            "vectors",
            "list",
            "--root",
            concat!(env!("CARGO_MANIFEST_DIR"), "/../.."),
            "--class",
            &long,
        ],
        &["\u{1b}[31m"],
        &["sim", "\u{1b}[31m.toml"],
    ] {
        let (code, out, err) = awgstar(args);
        assert_eq!((code, out.as_str()), (2, ""), "{:?}", args[0]);
        assert!(
            err.len() < 2000 && !err.contains('\u{1b}'),
            "{:?}: {}",
            args[0],
            &err[..err.len().min(2000)]
        );
    }
}

/// A campaign of these episodes; the verdict is its last line.
fn campaign(frames: u64, episodes: &[Result<u64, &str>]) -> (bool, String) {
    let campaign = Campaign { seed: 3, rings: 0, boards: 5, frames, episodes: None, episode: None };
    let episode = |k: u64| match episodes[usize::try_from(k).expect("few")] {
        Ok(frames) => Ok(Tally { episodes: 1, frames, ..Tally::default() }),
        Err(what) => Err(Violation { seed: 3, rings: 0, episode: k, boards: 5, what: what.into() }),
    };
    let verdict = campaign.run(episode, &mut |_| {});
    (verdict.holds(), verdict.to_string())
}

#[test]
fn a_campaign_ends_with_a_verdict() {
    let (holds, text) = campaign(100, &[Ok(60), Ok(60)]);
    assert!(holds && text.ends_with("\nverdict: no violation"), "{text}");
    assert!(
        text.contains("\n2 episodes without a violation, 120 frames sent, rings of 5 boards\n")
    );
    assert!(
        text.contains("\nreplay: awgstar campaign --seed 3 --nodes 5 --frames 100\n"),
        "{text}"
    );
    // The episode after the violation is not run, and the first one is counted.
    let (holds, text) = campaign(100, &[Ok(60), Err("two monitors"), Ok(60)]);
    assert!(!holds && text.ends_with("\nverdict: VIOLATION in episode 1: two monitors"), "{text}");
    assert!(text.contains("\n1 episodes without a violation, 60 frames sent"), "{text}");
    assert!(text.contains("\nreplay: awgstar campaign --seed 3 --nodes 5 --case 1\n"), "{text}");
    // Before the first row of the table there is no table.
    let (holds, text) = campaign(100, &[Err("two monitors")]);
    assert!(!holds && !text.contains('|'), "{text}");
    // Episodes in which nothing was sent check nothing.
    let (holds, text) = campaign(0, &[Ok(0)]);
    let nothing = "\nverdict: NOTHING CHECKED: no frame was sent, or no access to another ring";
    assert!(!holds && text.ends_with(nothing), "{text}");
}

#[test]
fn the_campaign_prints_its_verdict() {
    let (code, out, err) = awgstar(&["campaign", "--frames", "1", "--seed", "2", "--nodes", "2"]);
    assert_eq!((code, out.lines().last()), (0, Some("verdict: no violation")), "{out}{err}");
    assert!(out.contains("\nreplay: awgstar campaign --seed 2 --nodes 2 --frames 1\n"), "{out}");
    let args = ["campaign", "--json", "--case", "0", "--seed", "2", "--nodes", "2"];
    let (code, out, _) = awgstar(&args);
    let found: Value = serde_json::from_str(&out).expect("one JSON object");
    assert_eq!(
        (code, &found["violation"], &found["campaign"]["episode"]),
        (0, &Value::Null, &json!(0))
    );
    assert!(found["frames"].as_u64() > Some(0), "{out}");
    let (code, _, err) = awgstar(&["campaign", "--frames", "0"]);
    assert!(code == 2 && err.contains("--frames"), "{err}");
}

/// Rings with gateways: what was reached is in the object; the same episode has the same counts, in whatever part.
#[test]
fn a_campaign_of_rings() {
    let args =
        ["campaign", "--rings", "3", "--nodes", "3", "--seed", "8", "--cases", "5", "--json"];
    let (code, out, err) = awgstar(&args);
    let found: Value = serde_json::from_str(&out).expect("one JSON object");
    assert_eq!(
        (code, &found["violation"], &found["episodes"]),
        (0, &Value::Null, &json!(5)),
        "{err}"
    );
    let counts = &found["gateways"];
    let asked = ["answers", "far", "locks", "turns", "reflected", "hits", "misses"];
    let failed = ["restarts", "lost", "deaths", "take_overs", "stood_still"];
    for reached in asked.into_iter().chain(failed) {
        assert!(counts[reached].as_u64() > Some(0), "{reached}: {out}");
    }
    let faults = &found["faults"];
    assert!(faults["noise"].as_u64() > Some(0) && faults["cuts"].as_u64() > Some(0), "{out}");
    let one = ["campaign", "--rings", "3", "--nodes", "3", "--seed", "5", "--case", "2"];
    let (code, first, _) = awgstar(&one);
    assert_eq!((code, awgstar(&one).1), (0, first.clone()));
    // What no run has come to is said.
    assert!(first.contains("\nnot reached: "), "{first}");
    assert!(
        first.contains("replay: awgstar campaign --seed 5 --rings 3 --nodes 3 --case 2\n"),
        "{first}"
    );
    for (wrong, expected) in [
        (["--rings", "1"], "expected 2 to 8"),
        (["--nodes", "9"], "--nodes is 9: with --rings expected 2 to 8"),
    ] {
        let args = [&["campaign", "--rings", "2"][..], &wrong].concat();
        let args = if wrong[0] == "--rings" { [&["campaign"][..], &wrong].concat() } else { args };
        let (code, _, err) = awgstar(&args);
        assert!(code == 2 && err.contains(expected), "{err}");
    }
}

/// Both commands name the files that they wrote.
#[test]
fn what_is_written_is_in_the_object() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let written = |command: &[&str]| {
        let (code, text, err) = awgstar(&[command, &["--json"]].concat());
        assert_eq!(code, 0, "{err}");
        let object: Value = serde_json::from_str(&text).expect("one JSON object");
        let place = std::path::Path::new(object["folder"].as_str().expect("a folder")).to_owned();
        let files = object["files"].as_array().expect("files").clone();
        assert!(files.len() > 4, "{object}");
        for file in &files {
            assert!(place.join(file.as_str().expect("a name")).exists(), "{file}");
        }
        object
    };
    let demo = folder.path().join("demo");
    let object = written(&["demo", "--out", demo.to_str().expect("path")]);
    assert_eq!((&object["sent_again"], &object["counters"]), (&json!(1), &json!([4, 4, 4, 4])));
    assert_eq!(object["frames"].as_array().map(Vec::len), Some(2));
    assert_eq!(object["ring"]["replicas_equal"], json!(true));
    let new = folder.path().join("new");
    written(&["new", new.to_str().expect("path"), "--module", "crc32"]);
}

#[test]
fn demo_writes_a_waveform_that_a_vcd_parser_reads() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let out = folder.path().join("demo");
    let output = Command::cargo_bin("awgstar")
        .expect("binary")
        .env("CARGO_PKG_NAME", "another")
        .args(["demo", "--out"])
        .arg(&out)
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    // Commands are named as this one was started.
    let own = assert_cmd::cargo::cargo_bin("awgstar").display().to_string();
    let own = if own.contains(' ') { format!("'{own}'") } else { own };
    assert!(text.contains(&format!("\n  {own} doctor  ")), "{text}");
    assert!(text.contains("lock_number = 7") && text.contains("Look next"), "{text}");
    // ACK-3: a bit error is survived.
    assert!(text.contains("retransmits it (1 time)"), "{text}");
    assert!(text.contains("every replica holds the block: true"), "{text}");
    let file = std::fs::File::open(out.join("frames.vcd")).expect("waveform");
    let mut parser = vcd::Parser::new(std::io::BufReader::new(file));
    let header = parser.parse_header().expect("header");
    let mac = header.find_var(&["link", "mac"]).expect("link.mac").code;
    let token = header.find_var(&["link", "token"]).expect("link.token").code;
    let mut seen = Vec::new();
    for command in parser {
        match command.expect("well-formed") {
            vcd::Command::ChangeVector(id, value) if id == token => seen.push(value.to_string()),
            vcd::Command::ChangeVector(id, value) if id == mac => assert_eq!(value.len(), 48),
            _ => {}
        }
    }
    assert_eq!(seen, ["xxx", "001", "011"]);
    for stem in ["frames", "wave", "firmware"] {
        gtkw::check(&out, stem);
    }
}

#[test]
fn doctor_answers_for_every_tool() {
    let (_, out, _) = awgstar(&["doctor", "--json"]);
    let tools: Value = serde_json::from_str(&out).expect("JSON");
    let names: Vec<_> =
        tools.as_array().expect("array").iter().map(|t| t["tool"].clone()).collect();
    assert_eq!(names, ["iverilog", "verilator", "yosys", "z3", "tshark", "valgrind", "gtkwave"]);
}

/// A line about the usage is no version.
#[test]
fn doctor_finds_the_line_with_the_version() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("gtkwave");
    for (text, version) in [
        (
            "Usage: gtkwave [OPTION]... [DUMPFILE]\nGTKWave Analyzer v3.3.104",
            "GTKWave Analyzer v3.3.104",
        ),
        ("Usage: gtkwave [OPTION]... [DUMPFILE]", "(it does not say its version)"),
    ] {
        std::fs::write(&path, format!("#!/bin/sh\necho '{text}'\n")).expect("written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("set");
        let mut command = Command::cargo_bin("awgstar").expect("binary");
        let output = command.args(["doctor", "--json"]).env("PATH", folder.path()).output();
        let tools: Value = serde_json::from_slice(&output.expect("runs").stdout).expect("JSON");
        let tools = tools.as_array().expect("array");
        let tool = tools.iter().find(|tool| tool["tool"] == "gtkwave").expect("it is listed");
        assert_eq!(tool["version"], version);
    }
}

/// Without a simulator in the path doctor says what is missing and fails.
#[test]
fn doctor_fails_when_tools_are_missing() {
    let output = Command::cargo_bin("awgstar")
        .expect("binary")
        .arg("doctor")
        .env("PATH", "")
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("MISSING  iverilog") && text.contains("apt-get install iverilog"),
        "{text}"
    );
}

#[test]
fn completions_and_man_page_name_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let (code, out, _) = awgstar(&["completions", shell]);
        assert!(code == 0 && out.contains("packet-cnt") && !out.contains("xtask"), "{shell}");
    }
    let (code, out, _) = awgstar(&["xtask", "man"]);
    assert!(code == 0 && out.contains(".TH awgstar 1"));
    let folder = tempfile::tempdir().expect("temporary folder");
    assert_eq!(awgstar(&["xtask", "man", "--out", folder.path().to_str().expect("path")]).0, 0);
    assert!(folder.path().join("awgstar-frame-encode.1").exists());
}

/// A size that the Verilog refuses, of a parameter that the module does not have, of a module
/// without any: nothing is built.
#[test]
fn sizes_that_no_module_takes_exit_with_2() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let cosim = ["cosim", "--sim", "verilator", "--root", root, "--module"];
    for (module, setting, says) in [
        ("smb", "RX_ADDR_W=7", "parameter RX_ADDR_W of smb is 7: expected 8 to 15"),
        (
            "ring",
            "MEM_ADDR_W=4",
            "parameter MEM_ADDR_W of ring_node: expected one of BUFFER_ADDR_W",
        ),
        ("smb", "RX_ADR_W=9", "; the nearest is `RX_ADDR_W`"),
        ("ring_node", "TOKEN_RUN", "parameter `TOKEN_RUN`: expected NAME=VALUE"),
        ("frame_tx", "TOKEN_RUN=4", "expected with --module `ring_node`"),
    ] {
        let (code, out, err) = awgstar(&[&cosim[..], &[module, "--param", setting]].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(says), "{err}");
    }
    let dut = concat!(env!("CARGO_MANIFEST_DIR"), "/../../hdl/crc32.v");
    let conform =
        ["conform", "--dut", dut, "--top", "crc32", "--module", "crc32", "--sim", "icarus"];
    let (code, _, err) =
        awgstar(&[&conform[..], &["--root", root, "--param", "MAIL_W=2"]].concat());
    assert_eq!(code, 2);
    assert!(err.contains("parameter MAIL_W: crc32 has no parameters"), "{err}");
}

/// The files of all parts of a run, and what `merge` makes of them.
fn parts(folder: &std::path::Path, of: usize, command: &[&str]) -> Vec<String> {
    let part = |number: usize| {
        let shard = format!("{number}/{of}");
        let (code, out, err) = awgstar(&[command, &["--shard", &shard]].concat());
        assert_eq!(code, 0, "{err}");
        let file = folder.join(format!("{number}.jsonl")).to_str().unwrap().to_owned();
        std::fs::write(&file, out).unwrap();
        file
    };
    (1..=of).rev().map(part).collect()
}

/// What is printed, and what is written, are the same bytes as of the whole run.
#[test]
fn a_divided_run_is_put_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let commands: [(&[&str], bool); 3] = [
        (&["campaign", "--cases", "3", "--seed", "9", "--nodes", "3"], false),
        (&["study", "engine", "--nodes", "2,3"], true),
        (&["study", "paging", "--nodes", "1"], true),
    ];
    for (command, files) in commands {
        let (whole, merged) = (path("whole"), path("merged"));
        let (_, json, _) = awgstar(&[command, &["--json"]].concat());
        let to = |folder| if files { vec!["--out", folder] } else { Vec::new() };
        let expected = awgstar(&[command, &to(whole.as_str())].concat());
        assert_eq!(expected.0, 0, "{}", expected.2);
        let parts = parts(folder.path(), 2, command);
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let found = awgstar(&[&["merge"], &parts[..], &to(merged.as_str())].concat());
        assert_eq!((found.0, &found.1), (0, &expected.1), "{}", found.2);
        assert_eq!(awgstar(&[&["merge", "--json"], &parts[..]].concat()).1, json);
        for file in std::fs::read_dir(&whole).into_iter().flatten() {
            let file = file.unwrap();
            let other = std::path::Path::new(&merged).join(file.file_name());
            assert_eq!(std::fs::read(file.path()).unwrap(), std::fs::read(other).unwrap());
        }
    }
}

/// A part's file is data: it cannot make `merge` write a file or run something else.
#[test]
fn parts_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let command = ["campaign", "--cases", "2", "--nodes", "3"];
    let parts = parts(folder.path(), 2, &command);
    let first = std::fs::read_to_string(&parts[0]).unwrap();
    let refused = |files: &[&str], message: &str| {
        let (code, out, err) = awgstar(&[&["merge"], files].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(message), "{err}");
    };
    refused(&[&parts[0]], "not found: 1");
    refused(&[&parts[0], &parts[1], &parts[0]], "expected once");
    refused(&["/nowhere"], "/nowhere: ");
    let changed = |from: &str, to: &str, message: &str| {
        assert!(first.contains(from), "{first}");
        for (file, text) in
            [(&parts[0], &first), (&parts[1], &std::fs::read_to_string(&parts[1]).unwrap())]
        {
            let text = text.replacen(from, to, 1);
            // The last line has the hash of the others.
            let (lines, _) = text.split_once("{\"end\"").unwrap();
            let (_, hash) = text.rsplit_once("\"sha256\":\"").unwrap();
            let text = text.replace(&hash[..64], &sha256(lines.as_bytes()));
            std::fs::write(format!("{file}.x"), text).unwrap();
        }
        refused(&[&format!("{}.x", parts[0]), &format!("{}.x", parts[1])], message);
    };
    let written = folder.path().join("written");
    let out = format!("\"campaign\",\"--out={}\"", written.display());
    changed("\"campaign\"", &out, "--out is none of a part's");
    let command = "[\"campaign\",\"--cases\",\"2\",\"--nodes\",\"3\"]";
    changed(command, "[\"doctor\"]", "expected campaign, mutants, conform or study");
    changed("\"--nodes\"", "\"--node\"", "command of the parts: unexpected argument");
    changed("\"build\":\"", "\"build\":\"0", "as in this command, found 0");
    changed("\"--cases\",\"2\"", "\"--help\"", "asks for help");
    assert!(!written.exists());
    std::fs::write(&parts[0], first.replacen("\"delivered\":", "\"delivered\":1", 1)).unwrap();
    refused(&[&parts[0], &parts[1]], "the file was changed");
    for (wrong, message) in [
        (&["campaign", "--shard", "1/2"][..], "--shard needs --cases"),
        (&["campaign", "--cases", "2", "--shard", "0/2"], "expected I/N with I from 1 to N"),
        (&["campaign", "--cases", "2", "--json", "--shard", "1/2"], "give it to `merge`"),
        (
            &["study", "counterexample", "--shard", "1/2"],
            "a counterexample and the table of latencies are one run",
        ),
    ] {
        let (code, _, err) = awgstar(wrong);
        assert!(code == 2 && err.contains(message), "{wrong:?}: {err}");
    }
}
