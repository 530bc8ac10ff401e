// SPDX-License-Identifier: MIT OR Apache-2.0
//! The generated files are those of the contract, and the contract is that of the thesis. Checks
//! CTR-1, LNK-1.

use assert_cmd::Command;
use awgstar::contract::{Token, limits};
use awgstar_cli::generated;
use std::{fs, path::Path};

/// CTR-1: the committed files are what the contract prints now.
#[test]
fn no_generated_file_drifts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    assert_eq!(generated::drift(&root), [], "run `cargo xtask contract generate`");
    assert!(generated::ip_xact_is_current(&root), "run `testbench/registers/check.sh write`");
}

/// CTR-1: a change by hand is found, with its line, and the command fails.
#[test]
fn drift_is_found() {
    let folder = tempfile::tempdir().expect("temporary folder");
    for (name, text) in generated::files() {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("has a folder")).expect("folder");
        fs::write(path, text).expect("file");
    }
    assert_eq!(generated::drift(folder.path()), []);
    let header = folder.path().join("hdl/include/awgstar.vh");
    let text = fs::read_to_string(&header).expect("header");
    fs::write(&header, text.replace("11'd46", "11'd47")).expect("header");
    let (name, line) = generated::drift(folder.path())[0];
    assert_eq!(name, "hdl/include/awgstar.vh");
    assert!(text.lines().nth(line - 1).is_some_and(|l| l.contains("DATA_MIN")));
    Command::cargo_bin("awgstar")
        .expect("binary")
        .args(["xtask", "contract", "check", "--root"])
        .arg(folder.path())
        .assert()
        .code(1);
}

/// LNK-1 and the thesis' numbers, written out.
#[test]
fn numbers_of_the_thesis() {
    assert_eq!((limits::FRAME_MIN, limits::FRAME_MAX), (64, 1042));
    assert_eq!((limits::CLOCK_HZ, limits::LINE_RATE_BPS), (67_250_000, 2_152_000_000));
    let codes = Token::ALL.map(Token::code);
    assert_eq!(codes, [0b000, 0b001, 0b011, 0b100, 0b101, 0b110]);
    for reserved in Token::RESERVED {
        assert_eq!(Token::from_code(reserved), None);
    }
}

/// A generated file is printed as it is committed; an unknown name lists the others.
#[test]
fn generated_files_are_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let print = |name: &str| {
        let mut command = Command::cargo_bin("awgstar").expect("binary");
        command.args(["contract", "print", name]).assert()
    };
    for path in ["testbench/wireshark/awgstar.lua", "docs/scenarios/scenario.schema.json"] {
        let text = fs::read_to_string(root.join(path)).expect("file");
        let name = path.rsplit('/').next().expect("name");
        print(name).success().stdout(text);
    }
    let error = print("smb.lua").code(2);
    let text = String::from_utf8_lossy(&error.get_output().stderr).into_owned();
    assert!(text.contains("file `smb.lua`: expected one of awgstar.vh, "), "{text}");
}

/// The keys that the schema requires are those without which a file is refused.
#[test]
fn the_schema_requires_what_the_readers_require() {
    let schema: serde_json::Value =
        serde_json::from_str(&awgstar_scenario::scenario::schema()).expect("JSON");
    let files = [
        ("node-ring", "nodes = 2\ncycles = 900\n"),
        ("board-ring", "nodes = 2\ncycles = 900\n"),
        ("generation-1", "nodes = 2\n"),
        ("mandelbrot", "size = 10\n"),
        ("paging", "nodes = 2\npages = 3\nroom = 2\npage_bytes = 64\n"),
    ];
    for (system, keys) in files {
        let rules = schema["allOf"].as_array().expect("rules");
        let of = |rule: &&serde_json::Value| rule["if"]["properties"]["system"]["const"] == system;
        for rule in rules.iter().filter(of) {
            let required: Vec<&str> = rule["then"]["required"]
                .as_array()
                .expect("required")
                .iter()
                .filter_map(serde_json::Value::as_str)
                .collect();
            let whole = format!("system = \"{system}\"\n{keys}");
            awgstar_scenario::scenario::read("whole", &whole).expect("a whole file");
            for line in keys.lines() {
                let (key, _) = line.split_once(' ').expect("a key");
                let without = whole.replace(&format!("{line}\n"), "");
                let refused = awgstar_scenario::scenario::read("without", &without).is_err();
                // `awgstar run --ring` takes boards without it.
                let may = system == "board-ring" && key == "cycles";
                assert_eq!(refused && !may, required.contains(&key), "{system}: {key}");
            }
        }
    }
}

/// The schema of a key in the files of a system: what the system says, or what all of them have.
fn key<'a>(
    schema: &'a serde_json::Value,
    system: &str,
    key: &str,
) -> Option<&'a serde_json::Value> {
    let rules = schema["allOf"].as_array().expect("rules");
    let of = |rule: &&serde_json::Value| rule["if"]["properties"]["system"]["const"] == system;
    let rule = &rules.iter().find(of).expect("rule")["then"];
    let known = rule["propertyNames"]["enum"].as_array().expect("keys");
    if !known.iter().any(|known| known == key) {
        return None;
    }
    rule["properties"].get(key).or_else(|| schema["properties"].get(key))
}

/// The range of each number of a file is the one that its reader names when the value is outside.
#[test]
fn ranges_are_those_of_the_readers() {
    let schema: serde_json::Value =
        serde_json::from_str(&awgstar_scenario::scenario::schema()).expect("JSON");
    // Ranges that follow from other keys: the schema has the widest.
    let other = ["calm", "room", "new_token_ns"];
    let mut seen = 0;
    for (name, value) in schema["properties"].as_object().expect("keys") {
        if value["type"] != "integer" && value["type"] != "number" {
            continue;
        }
        for system in ["node-ring", "board-ring", "generation-1", "mandelbrot", "paging"] {
            let Some(range) = key(&schema, system, name) else { continue };
            let base = "nodes = 2\ncycles = 900\nsize = 10\npages = 3\nroom = 2\npage_bytes = 64\n";
            let others = base.lines().filter(|line| {
                let other = line.split(' ').next().unwrap_or_default();
                other != name && key(&schema, system, other).is_some()
            });
            let others: Vec<&str> = others.collect();
            let (least, most) = (&range["minimum"], &range["maximum"]);
            let outside = if let Some(most) = most.as_i64() {
                [least.as_i64().expect("minimum") - 1, most + 1].map(|value| value.to_string())
            } else if let Some(most) = most.as_f64() {
                ["-0.5".to_owned(), (most * 1.001).to_string()]
            } else {
                // Any larger integer of TOML.
                [(least.as_i64().expect("minimum") - 1).to_string(), String::new()]
            };
            for value in outside.iter().filter(|value| !value.is_empty()) {
                let text =
                    format!("system = \"{system}\"\n{}\n{name} = {value}\n", others.join("\n"));
                let error = awgstar_scenario::scenario::read("file", &text).err();
                let text = error.map(|e| e.to_string()).unwrap_or_default();
                let mut expected = format!("{name} is {value}: expected ");
                if most.is_i64() && !other.contains(&name.as_str()) {
                    expected = format!("{expected}{least} to {most}");
                }
                assert!(text.contains(&expected), "{system}: {text}, not {expected}");
                seen += 1;
            }
        }
    }
    assert!(seen > 50, "{seen}");
}

/// Every key has a description, and every integer a range.
#[test]
fn every_key_is_described() {
    let schema: serde_json::Value =
        serde_json::from_str(&awgstar_scenario::scenario::schema()).expect("JSON");
    let tables = schema["definitions"].as_object().expect("tables").values();
    // Those that say what goes with what have no keys of the reader.
    let tables = tables.filter(|table| table["additionalProperties"] == false);
    let (mut keys, mut ranges) = (0, 0);
    for table in tables.chain([&schema]) {
        assert!(table["description"].as_str().is_some_and(|text| text.len() > 5), "{table}");
        for (name, key) in table["properties"].as_object().expect("keys") {
            let text = key["description"].as_str().unwrap_or_default();
            let begin = text.starts_with(|c: char| c.is_uppercase() || c == '`');
            assert!(begin && text.ends_with('.'), "{name}: {text}");
            keys += 1;
            let number = if key["type"] == "array" { &key["items"] } else { key };
            if number["type"] == "integer" {
                assert!(number["minimum"].is_i64(), "{name}");
                ranges += u32::from(number["maximum"].is_i64());
            }
        }
    }
    assert!(keys > 120 && ranges > 80, "{keys} keys, {ranges} ranges");
}

/// Every integer of the schema is at least 0: no reader takes a negative one.
#[test]
fn no_key_takes_a_negative_integer() {
    let schema: serde_json::Value =
        serde_json::from_str(&awgstar_scenario::scenario::schema()).expect("JSON");
    let mut seen = 0;
    for (key, value) in schema["properties"].as_object().expect("keys") {
        if value["type"] != "integer" {
            continue;
        }
        for system in ["node-ring", "board-ring", "generation-1", "mandelbrot", "paging"] {
            let base = "nodes = 2\ncycles = 900\nsize = 10\npages = 3\nroom = 2\npage_bytes = 64\n";
            let rules = schema["allOf"].as_array().expect("rules");
            let of =
                |rule: &&serde_json::Value| rule["if"]["properties"]["system"]["const"] == system;
            let known = &rules.iter().find(of).expect("rule")["then"]["propertyNames"]["enum"];
            let known =
                |key: &str| known.as_array().is_some_and(|all| all.iter().any(|k| k == key));
            if !known(key) {
                continue;
            }
            let others = base.lines().filter(|line| {
                let name = line.split(' ').next().unwrap_or_default();
                known(name) && name != key
            });
            let others: Vec<&str> = others.collect();
            let file = format!("system = \"{system}\"\n{}\n{key} = -1\n", others.join("\n"));
            let error = awgstar_scenario::scenario::read("file", &file).err();
            let text = error.map(|e| e.to_string()).unwrap_or_default();
            assert!(text.contains(&format!("{key} is -1")), "{system}, {key}: {text}");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}
