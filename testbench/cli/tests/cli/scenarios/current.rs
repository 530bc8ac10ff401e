// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of the current version (CUR-7): what they run, what is wrong with others, waves and pictures.

use super::{gtkw, report, root, sim, sim_ends, waves};
use assert_cmd::Command;
use awgstar_scenario::run::{Artefact, Run, Window};
use awgstar_scenario::scenario;
use std::fs;

fn job(text: &str) -> Box<dyn Run> {
    let text = format!("system = \"generation-1\"\n{text}");
    scenario::read("test.toml", &text).unwrap_or_else(|e| panic!("{e}"))
}

fn json(text: &str) -> serde_json::Value {
    report(&*job(text)).json
}

#[test]
fn errors_name_the_place_and_what_was_expected() {
    let head = "system = \"generation-1\"\nnodes = 4\n";
    let act = |act: &str| format!("[[program]]\ndo = [{{ {act} }}]\n");
    let cases = [
        ("forwarding = \"fast\"\n".into(), 3, "forwarding is `fast`: expected one of cut-through"),
        ("processing = \"all\"\n".into(), 3, "expected one of visit, frame"),
        ("[primitives]\nvariant = \"new\"\n".into(), 4, "expected one of as-published, repaired"),
        (
            "[primitives]\nwithout = [\"queued\", \"queue\"]\n".into(),
            4,
            "without is `queue`: expected one of queued",
        ),
        ("[primitives]\norder = \"late\"\n".into(), 4, "expected one of none, sent, confirmed"),
        ("fibre_m = [1, 2]\n".into(), 3, "fibre_m has 2 values: expected one number or 4"),
        ("visit_bytes = 3\n".into(), 3, "visit_bytes is 3: expected 4 to 65536"),
        ("processing_ns = 0\n".into(), 3, "processing_ns is 0: expected 1 to"),
        ("new_token_ns = 7\n".into(), 3, "new_token_ns is 7: expected 276"),
        ("limit_ns = 0\n".into(), 3, "limit_ns is 0: expected 1 to"),
        ("[primitives]\nlocks = 250001\n".into(), 4, "locks is 250001: expected 0 to 250000"),
        ("show = [0x1ffffffd]\n".into(), 3, "show is 536870909: expected 0 to 536870908"),
        ("[pci]\npoll_ns = 0\n".into(), 4, "pci.poll_ns is 0: expected 1 to"),
        ("[pci]\npointer_read = 0\n".into(), 4, "pci.pointer_read is 0: expected 1 to"),
        (
            "[[fault]]\nlink = 4\nfrom = 0\nlose = true\n".into(),
            4,
            "fault.link is 4: expected 0 to 3",
        ),
        ("[[fault]]\nlink = 1\n".into(), 4, "fault: expected exactly one of bit, lose"),
        ("[[program]]\nnodes = [4]\ndo = []\n".into(), 4, "program.nodes is 4: expected 0 to 3"),
        ("[[program]]\ntimes = 0\ndo = []\n".into(), 4, "program.times is 0"),
        (act(""), 4, "do: expected exactly one of write, read, add, until"),
        (act("lock = 1, unlock = 1"), 4, "do: expected exactly one of write"),
        (act("lock = 17"), 4, "do.lock is 17: expected 1 to 16"),
        (act("unlock = 0"), 4, "do.unlock is 0: expected 1 to 16"),
        (act("compute = -1"), 4, "do.compute is -1: expected 0 to"),
        (act("barrier = true, bytes = 4"), 4, "do: bytes does not go with barrier"),
        (act("barrier = false"), 4, "do.barrier is false: expected true"),
        (act("until = \"later\""), 4, "do.until is `later`: expected one of acknowledged, dma"),
        (act("flush = true"), 4, "system \"generation-1\" does not support the act `flush`"),
        (
            "[[fault]]\nlink = 1\nfrom = 0\nwords = 3\n".into(),
            6,
            "fault: system \"generation-1\" has no key `words`: expected one of link, from, bit, lose",
        ),
        (
            "[[program]]\ntimes = 500_001\ndo = [{ until = \"acknowledged\" }, { compute = 1 }]\n"
                .into(),
            5,
            "has more than 1000000 acts",
        ),
        (act("write = 0"), 4, "do: expected exactly one of hex, text, bytes, value"),
        (act("write = 0, hex = \"0\""), 4, "do.hex is not hex"),
        (act("write = 0, hex = \"\""), 4, "0 bytes: expected 1 to 536870912"),
        (act("write = 0x1fffffff, bytes = 2"), 4, "do.write is 536870911: expected 0 to 536870910"),
        (act("read = 0, bytes = 0"), 4, "do.bytes is 0: expected 1 to"),
        (act("add = 0, by = -1"), 4, "do.by is -1: expected 0 to 4294967295"),
        (act("jump = 0"), 4, "unknown key `jump`"),
    ];
    for (text, line, what) in cases {
        let error = scenario::read("test.toml", &format!("{head}{text}")).expect_err(&text);
        assert!(error.line == line && error.what.contains(what), "{text}: {error}");
    }
    let many = scenario::read("test.toml", "system = \"generation-1\"\nnodes = 33").unwrap_err();
    assert_eq!((many.line, many.what.as_str()), (2, "nodes is 33: expected 1 to 32"));
}

#[test]
fn a_counter_and_a_barrier() {
    let value = json(
        "nodes = 3\nshow = [0x100000]\n\
         [[program]]\ntimes = 4\ndo = [{ lock = 2 }, { add = 0x100000, by = 3 }, { unlock = 2 }]\n\
         [[program]]\ndo = [{ barrier = true }]\n",
    );
    assert_eq!(value["words"][0]["values"], serde_json::json!([36, 36, 36]));
    assert_eq!(value["replicas_equal"], true);
    assert_eq!(value["locks"].as_array().unwrap().len(), 12);
    assert_eq!(value["barriers_ns"].as_array().unwrap().len(), 1);
    assert_eq!(value["waiting"], serde_json::json!([]));
    // At most one has it: by the times that are told.
    let mut held: Vec<(u64, u64)> = value["locks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|held| (held["got_ns"].as_u64().unwrap(), held["left_ns"].as_u64().unwrap()))
        .collect();
    held.sort_unstable();
    assert!(held.windows(2).all(|two| two[0].1 <= two[1].0), "{held:?}");
}

/// Every key changes what it says.
#[test]
fn keys_do_what_they_say() {
    let end = |text: &str| json(text)["end_ns"].as_u64().unwrap();
    let write = "[[program]]\nnodes = [1]\ndo = [{ write = 0x100000, bytes = 4096 }, { until = \"acknowledged\" }]\n";
    let base = end(&format!("nodes = 4\n{write}"));
    // 64 us over the bus, the last words one rotation later; twice as fast, half of it.
    assert!((64_000..72_000).contains(&base), "{base}");
    let fast = end(&format!("nodes = 4\n{write}[pci]\npointer_write = 128_000_000\n"));
    assert!((32_000..40_000).contains(&fast), "{fast}");
    let bus = "[pci]\npointer_write = 1_000_000_000_000\n";
    let line = |keys: &str| end(&format!("nodes = 4\n{keys}\n{write}{bus}"));
    let quick = line("");
    // 4 visits; a rotation with 1,024 bytes is 2,200 ns and 3.8 us of line at one node.
    assert!((4 * 5_900..5 * 6_600).contains(&quick), "{quick}");
    assert!(line("visit_bytes = 4096") < quick);
    assert!(line("visit_bytes = 256") > quick);
    assert!(line("forwarding = \"store-and-forward\"") > quick + 4 * 3 * 3_800);
    assert!(line("fibre_m = 1000") > quick + 4 * 4 * 4_900);
    assert!(line("processing_ns = 1500") > quick + 4 * 4 * 900);
    assert!(line("processing = \"frame\"\nvisit_bytes = 64") > line("visit_bytes = 64"));
    let dma = "[[program]]\nnodes = [1]\ndo = [{ write = 0x100000, bytes = 4096, dma = true }, { until = \"dma\" }]\n";
    let setup = |ns: u32| end(&format!("nodes = 4\n{dma}[pci]\ndma_setup_ns = {ns}\n"));
    assert_eq!(setup(20_000) - setup(9_000), 11_000);
    let read =
        |bytes: u32| format!("nodes = 1\n[[program]]\ndo = [{{ read = 0, bytes = {bytes} }}]\n");
    assert_eq!(end(&read(1000)), 8_000_000);
    assert_eq!(end(&format!("{}[pci]\npointer_read = 1_000_000\n", read(1000))), 1_000_000);
}

/// Processes that wait at the end are a failure: the exit code says so, and each is named with what it
/// waits for.
#[test]
fn processes_that_wait_are_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.toml");
    let sim = |text: &str| {
        fs::write(&path, format!("system = \"generation-1\"\n{text}")).unwrap();
        let output = Command::cargo_bin("awgstar").unwrap().arg("sim").arg(&path).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let barrier = "nodes = 3\n[[program]]\nnodes = [0, 2]\ndo = [{ barrier = true }]\n";
    let (code, text) = sim(barrier);
    assert_eq!(code, Some(1), "{text}");
    for process in [0, 2] {
        let line = format!("\nPROCESS {process} NEVER ENDED: it waits for barrier");
        assert!(text.contains(&line), "{text}");
    }
    assert!(!text.contains("PROCESS 1"), "{text}");
    let (code, text) = sim(
        "nodes = 2\nlimit_ns = 900\n[[program]]\nnodes = [1]\ndo = [{ compute = 5_000 }, { compute = 1 }]\n",
    );
    assert!(code == Some(1) && text.contains("\nPROCESS 1 NEVER ENDED"), "{text}");
    let (code, text) =
        sim(&format!("{barrier}[[program]]\nnodes = [1]\ndo = [{{ barrier = true }}]\n"));
    assert!(code == Some(0) && !text.contains("NEVER"), "{text}");
}

#[test]
fn a_lost_token_is_made_again_or_halts_the_ring() {
    let text = |time: u32| {
        format!(
            "nodes = 4\nnew_token_ns = {time}\n[[fault]]\nlink = 0\nfrom = 0\nlose = true\n\
             [[program]]\nnodes = [2]\ndo = [{{ write = 0x100000, hex = \"01\" }}, {{ until = \"acknowledged\" }}]\n"
        )
    };
    let again = json(&text(500_000));
    assert_eq!((&again["tokens_lost"], &again["tokens_made"]), (&1.into(), &1.into()));
    assert!(again["end_ns"].as_u64().unwrap() > 500_000 && again["halted"] == false);
    let halted = report(&*job(&text(0)));
    assert_eq!(halted.json["halted"], true);
    assert_eq!(halted.json["waiting"][0]["process"], 2);
    assert!(halted.text.contains("THE RING HALTED"), "{}", halted.text);
}

/// The printed primitives lose a request; with the one repair they do not.
#[test]
fn printed_primitives_hang() {
    let text = |extra: &str| {
        format!(
            "nodes = 3\nlimit_ns = 5_000_000\n{extra}\n[[program]]\nnodes = [1, 2]\n\
             do = [{{ lock = 1 }}, {{ compute = 1000 }}, {{ unlock = 1 }}]\n"
        )
    };
    let waiting = |extra| json(&text(extra))["waiting"].clone();
    let one = serde_json::json!([{ "process": 1, "request": "lock 1" }]);
    assert_eq!(waiting("[primitives]\nvariant = \"as-published\"\n"), one);
    assert_ne!(waiting("[primitives]\nwithout = [\"queued\"]\n"), serde_json::json!([]));
    assert_eq!(waiting(""), serde_json::json!([]));
}

pub(super) fn file<'a>(files: &'a [Artefact], name: &str) -> &'a str {
    let found = files.iter().find(|file| file.0 == name).unwrap_or_else(|| panic!("no {name}"));
    std::str::from_utf8(&found.1).unwrap()
}

/// The waves as a reader of VCD has them: values of a signal by time.
pub(super) fn values(vcd_text: &str, scope: &str, name: &str) -> Vec<(u64, String)> {
    let mut parser = vcd::Parser::new(vcd_text.as_bytes());
    let header = parser.parse_header().unwrap();
    let path: Vec<&str> =
        if scope.is_empty() { vec!["ring", name] } else { vec!["ring", scope, name] };
    let id = header.find_var(&path).unwrap_or_else(|| panic!("{path:?}")).code;
    let mut now = 0;
    let mut found = Vec::new();
    for command in parser {
        match command.unwrap() {
            vcd::Command::Timestamp(at) => now = at,
            vcd::Command::ChangeString(i, text) if i == id => found.push((now, text)),
            vcd::Command::ChangeVector(i, bits) if i == id => {
                let value = bits.iter().fold(0_u64, |v, b| v << 1 | u64::from(b == vcd::Value::V1));
                found.push((now, value.to_string()));
            }
            _ => {}
        }
    }
    found
}

/// The write of `a_write_goes_round_once`, which is worked out by hand there: attached at 1103 at node
/// 1, whose train left at 1050; copied at 1734 by node 2; removed at 3384.
#[test]
fn waves_show_the_train_by_the_nanosecond() {
    let text = "nodes = 4\n[pci]\npointer_write = 1_000_000_000_000\n\
                [[program]]\nnodes = [1]\ndo = [{ write = 0x100, hex = \"3132333435363738\" }]\n";
    let files = waves(&*job(text), None).unwrap();
    let wave = file(&files, "wave.vcd");
    let train = |node| values(wave, node, "frames_of");
    let own = |at: u64| vec![(0, "0".to_string()), (at, "2".into()), (at + 134, "0".into())];
    assert_eq!(train("node1")[..3], own(1050));
    assert_eq!(train("node2"), own(1600));
    assert_eq!(train("node3"), own(2150));
    let copied = values(wave, "node2", "last_copied");
    assert_eq!(copied, [(0, "-".into()), (1734, "0_of_1".into())]);
    assert!(file(&files, "wave.gtkw").contains("ring.node3.frames_of[31:0]"));
    gtkw::check_text(file(&files, "wave.gtkw"), wave, &|_| false);
    // A window keeps what stands when it opens.
    let part = waves(&*job(text), Window::of_ns(2000, 2200)).unwrap();
    let copied = values(file(&part, "wave.vcd"), "node2", "last_copied");
    assert_eq!(copied, [(2000, "0_of_1".into())]);
    let late = waves(&*job(text), Window::of_ns(1_000_000, 2_000_000)).unwrap_err();
    assert!(late.to_string().contains("the run ends after"), "{late}");
}

#[test]
fn waves_show_mailbox_and_threads() {
    let text = "nodes = 2\n[[program]]\nnodes = [1]\ndo = [{ lock = 1 }, { unlock = 1 }]\n";
    let files = waves(&*job(text), None).unwrap();
    let wave = file(&files, "wave.vcd");
    let list = |scope, name| -> Vec<String> {
        values(wave, scope, name).into_iter().map(|value| value.1).collect()
    };
    assert_eq!(list("", "RequestProcess"), ["-", "1", "-", "1", "-"]);
    assert_eq!(list("", "lock_1_holder"), ["-", "1", "-1"]);
    let areas = [0, 0x0000_ff01_0000_0001_u64, 0x0000_ff09_0000_0001, 0x0000_fff2_0000_0001];
    let areas: Vec<String> =
        areas.into_iter().chain([0x0000_fffa_0000_0001]).map(|v| v.to_string()).collect();
    assert_eq!(list("node1", "area"), areas);
    let process = ["-", "asks_lock_1", "has_lock_1", "asks_unlock_1", "has_unlock_1"];
    assert_eq!(list("node1", "process"), process);
    let worker = ["-", "waiting", "reading", "idle", "waiting", "reading", "idle"];
    assert_eq!(list("node1", "thread"), worker);
}

#[test]
fn the_command_writes_files() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let text = sim(&["docs/scenarios/generation1.toml", "--out", out]);
    assert!(text.contains("word at 0x100040: 8 8 8 8") && text.contains("train.svg"), "{text}");
    let events = fs::read_to_string(folder.path().join("events.txt")).unwrap();
    assert!(events.contains("bit 200 of the train is inverted"), "{events}");
    let object: serde_json::Value =
        serde_json::from_str(&sim(&["docs/scenarios/generation1.toml", "--json"])).unwrap();
    assert_eq!(object["replicas_equal"], true);
    let mut wave = Command::cargo_bin("awgstar").unwrap();
    let args = ["wave", "docs/scenarios/generation1.toml", "--window", "0:50000ns", "--out", out];
    wave.current_dir(root()).args(args).assert().success();
    assert!(folder.path().join("wave.gtkw").exists());
}

/// The page shows what the commands give.
#[test]
fn the_page_shows_these_runs() {
    let page = fs::read_to_string(root().join("docs/current.md")).unwrap();
    for (name, code) in [("generation1", 0), ("generation1_as_published", 1)] {
        let text = sim_ends(&[&format!("docs/scenarios/{name}.toml")], code);
        assert!(page.contains(&format!("```text\n{text}```")), "docs/current.md: {name}:\n{text}");
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    sim(&["docs/scenarios/generation1_train.toml", "--out", out]);
    let new = fs::read(folder.path().join("train.svg")).unwrap();
    assert!(new == fs::read(root().join("docs/current.svg")).unwrap(), "docs/current.svg is old");
    let events = sim_events("generation1_as_published");
    let told = "RequestProcess: [1]\n";
    assert!(events.contains(told));
    for line in events.lines().filter(|line| line.contains("RequestProcess")) {
        assert!(page.contains(line), "docs/current.md: {line}");
    }
}

fn sim_events(name: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    sim_ends(&[&format!("docs/scenarios/{name}.toml"), "--out", out], 1);
    fs::read_to_string(folder.path().join("events.txt")).unwrap()
}
