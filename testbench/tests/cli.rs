//! The command line as a script sees it. Checks CLI-1 to CLI-3, FRM-1, FRM-6, FCS-1.

use assert_cmd::Command;
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
        assert_eq!((code, out.as_str()), (1, ""), "{err}");
        assert!(err.starts_with(&format!("error: {field} at byte ")), "{err}");
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
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 2: fcs at byte 60"));
}

#[test]
fn demo_writes_a_waveform_that_a_vcd_parser_reads() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let out = folder.path().join("demo");
    let (code, text, err) = awgstar(&["demo", "--out", out.to_str().expect("path")]);
    assert_eq!(code, 0, "{err}");
    assert!(text.contains("lock_number = 7") && text.contains("Look next"), "{text}");
    // ACK-3: a bit error is survived.
    assert!(text.contains("sends it again (1 time)"), "{text}");
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
    let save = std::fs::read_to_string(out.join("frames.gtkw")).expect("save file");
    for line in save.lines().filter(|l| l.starts_with("link.")) {
        let name = line.trim_start_matches("link.").split('[').next().expect("name");
        assert!(header.find_var(&["link", name]).is_some(), "{line}");
    }
}

#[test]
fn doctor_answers_for_every_tool() {
    let (_, out, _) = awgstar(&["doctor", "--json"]);
    let tools: Value = serde_json::from_str(&out).expect("JSON");
    let names: Vec<_> =
        tools.as_array().expect("array").iter().map(|t| t["tool"].clone()).collect();
    assert_eq!(names, ["iverilog", "verilator", "yosys", "z3", "valgrind", "gtkwave"]);
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
        assert!(code == 0 && out.contains("packet-cnt"), "{shell}");
    }
    let (code, out, _) = awgstar(&["man"]);
    assert!(code == 0 && out.contains(".TH awgstar 1"));
    let folder = tempfile::tempdir().expect("temporary folder");
    assert_eq!(awgstar(&["man", "--out", folder.path().to_str().expect("path")]).0, 0);
    assert!(folder.path().join("awgstar-frame-encode.1").exists());
}

/// A size that the Verilog refuses, of a parameter that the module does not have, of a module
/// without any: nothing is built.
#[test]
fn sizes_that_no_module_takes_exit_with_2() {
    let cosim = ["cosim", "--sim", "verilator", "--root", "no/such/folder", "--module"];
    for (module, setting, says) in [
        ("smb", "RX_ADDR_W=7", "parameter RX_ADDR_W of smb is 7: expected 8 to 15"),
        ("ring", "MEM_ADDR_W=4", "parameter MEM_ADDR_W: ring_node has BUFFER_ADDR_W"),
        ("node", "TOKEN_RUN", "parameter `TOKEN_RUN`: expected NAME=VALUE"),
        ("frame_tx", "TOKEN_RUN=4", "expected with --module `node`"),
    ] {
        let (code, out, err) = awgstar(&[&cosim[..], &[module, "--param", setting]].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(says), "{err}");
    }
    let dut = concat!(env!("CARGO_MANIFEST_DIR"), "/../hdl/crc32.v");
    let conform =
        ["conform", "--dut", dut, "--top", "crc32", "--module", "crc32", "--sim", "icarus"];
    let (code, _, err) = awgstar(&[&conform[..], &["--param", "MAIL_W=2"]].concat());
    assert_eq!(code, 2);
    assert!(err.contains("parameter MAIL_W: crc32 has no parameters"), "{err}");
}
