// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every option of `sim` and `wave` with every kind of scenario file.

use super::{gtkw, root};
use assert_cmd::Command;
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// A kind of scenario, and what its files are and contain.
struct Example {
    name: &'static str,
    kind: &'static str,
    /// A window in cycles in which something happens, and one after the end.
    window: &'static str,
    late: &'static str,
    /// The picture, and what is in it.
    picture: (&'static str, &'static str),
    /// Waves, and a name in them.
    waves: &'static [(&'static str, &'static str)],
    /// What else there is.
    others: &'static [&'static str],
}

const EXAMPLES: [Example; 7] = [
    Example {
        name: "first",
        kind: "nodes",
        window: "90:400",
        late: "1500:1600",
        picture: ("spacetime.svg", "data token"),
        waves: &[("wave", "module node1 ")],
        others: &[],
    },
    Example {
        name: "message",
        kind: "boards",
        window: "7000:7300",
        late: "1000000us:2000000us",
        picture: ("spacetime.svg", "point-to-point"),
        waves: &[("wave", "module board1 ")],
        others: &[],
    },
    Example {
        name: "bypass",
        kind: "boards",
        window: "20000:20600",
        late: "9000000:9000001",
        picture: ("spacetime.svg", "free token"),
        waves: &[("wave", "module board3 ")],
        others: &[],
    },
    Example {
        name: "lock",
        kind: "boards",
        window: "6600:8000",
        late: "90000:90001",
        picture: ("spacetime.svg", "lock_queue_pass"),
        waves: &[("wave", "module board1 "), ("firmware", "lock_holder")],
        others: &[],
    },
    Example {
        name: "generation1",
        kind: "generation1",
        window: "0:3000",
        late: "900000000:900000001",
        picture: ("train.svg", "link 0-1"),
        waves: &[("wave", "token_at")],
        others: &["events.txt"],
    },
    Example {
        name: "mandelbrot",
        kind: "mandelbrot",
        window: "9000000:9100000",
        late: "900000000000:900000000001",
        picture: ("cpu.svg", "CPU use"),
        waves: &[("mandelbrot", "rows_done")],
        others: &["picture.png", "cpu.csv"],
    },
    Example {
        name: "paging",
        kind: "paging",
        window: "6000:9000",
        late: "9000000:9000001",
        picture: ("spacetime.svg", "accesses its page"),
        waves: &[("paging", "master_state")],
        others: &[],
    },
];

/// (exit code, standard output, standard error).
fn awgstar(command: &str, example: &Example, args: &[&str]) -> (i32, String, String) {
    let file = format!("docs/scenarios/{}.toml", example.name);
    let mut process = Command::cargo_bin("awgstar").unwrap();
    let output = process.current_dir(root()).args([command, &file]).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[track_caller]
fn holds(command: &str, example: &Example, args: &[&str]) -> String {
    let (code, out, err) = awgstar(command, example, args);
    // The old name is accepted for one release.
    let said = err.lines().filter(|line| !line.starts_with("warning: `awgstar wave` is an old"));
    assert_eq!((code, said.collect::<Vec<_>>()), (0, vec![]), "{} {args:?}", example.name);
    out
}

fn names(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = files.filter(|entry| entry.file_type().unwrap().is_file());
    let names = files.map(|entry| entry.file_name().into_string().unwrap());
    // Names of codes, for GTKWave.
    names.filter(|name| !name.ends_with(".filter")).collect()
}

/// First and last time of waves that a parser reads to their end.
#[track_caller]
fn times(vcd_text: &str) -> (u64, u64) {
    let mut parser = vcd::Parser::new(vcd_text.as_bytes());
    parser.parse_header().unwrap();
    let times: Vec<u64> = parser
        .filter_map(|command| match command.unwrap() {
            vcd::Command::Timestamp(at) => Some(at),
            _ => None,
        })
        .collect();
    assert!(times.is_sorted() && times.len() > 1, "{} times", times.len());
    (times[0], times[times.len() - 1])
}

#[test]
fn json_has_the_same_keys() {
    for example in &EXAMPLES {
        let out = holds("sim", example, &["--json"]);
        assert_eq!(out.lines().count(), 1, "{}", example.name);
        let json: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(json["kind"], example.kind, "{}", example.name);
        assert_eq!(json["holds"], true, "{}", example.name);
        assert_eq!(json["warnings"], Value::Array(Vec::new()), "{}", example.name);
        assert!(json["title"].as_str().is_some_and(|title| !title.is_empty()), "{}", example.name);
        assert!(json["nodes"].as_u64().is_some_and(|nodes| nodes > 1), "{}", example.name);
        let (cycles, us) =
            (json["cycles"].as_u64().unwrap(), json["microseconds"].as_f64().unwrap());
        #[expect(clippy::cast_precision_loss, reason = "a figure")]
        let same = (cycles as f64 / 67.25 - us).abs() < 0.02;
        assert!(cycles > 600 && same, "{}: {cycles} cycles, {us} us", example.name);
    }
}

/// The exit code of a run that fails is in its JSON too.
#[test]
fn json_says_what_fails() {
    for (name, kind) in [("stopped_node", "boards"), ("generation1_as_published", "generation1")] {
        let example = Example { name, kind, ..EXAMPLES[0] };
        let (code, out, _) = awgstar("sim", &example, &["--json"]);
        let json: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((code, &json["holds"]), (1, &Value::Bool(false)), "{name}");
    }
}

#[test]
fn a_picture_of_every_kind() {
    let folder = tempfile::tempdir().unwrap();
    for example in &EXAMPLES {
        let draw = |file: &str, args: &[&str]| {
            let path = folder.path().join(file);
            let out = holds("sim", example, &[&["--svg", path.to_str().unwrap()], args].concat());
            assert!(out.ends_with(&format!("{}\n", path.display())), "{out}");
            fs::read_to_string(path).unwrap()
        };
        let all = draw("all.svg", &[]);
        assert!(all.starts_with("<svg") && all.trim_end().ends_with("</svg>"), "{}", example.name);
        assert!(all.contains(example.picture.1), "{}: {}", example.name, example.picture.1);
        let part = draw("part.svg", &["--window", example.window]);
        // That program ends within its first second.
        let same = example.kind == "mandelbrot";
        assert!(part.starts_with("<svg") && (part == all) == same, "{}", example.name);
    }
}

/// The CPU use of the seconds of a window.
#[test]
fn a_picture_of_some_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let text = "system = \"mandelbrot\"\nsize = 8\nlimit = 4\nmachine = \"observed\"\n";
    fs::write(folder.path().join("a.toml"), text).unwrap();
    let draw = |args: &[&str]| {
        let mut process = Command::cargo_bin("awgstar").unwrap();
        let args = [&["sim", "a.toml", "--svg", "a.svg"], args].concat();
        process.current_dir(folder.path()).args(args).assert().success();
        fs::read_to_string(folder.path().join("a.svg")).unwrap()
    };
    let label = |picture: &str, second: &str| picture.contains(&format!("\n{second}\n"));
    let (all, part) = (draw(&[]), draw(&["--window", "2000001us:4500000us"]));
    assert!(label(&all, "0") && label(&all, "7"), "{all}");
    assert!(label(&part, "2") && label(&part, "5") && !label(&part, "7"), "{part}");
}

/// In a picture of boards every frame that a board passes on comes to it over a link: in time, and in
/// the same colour.
#[test]
fn frames_go_from_link_to_link() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.svg");
    for example in EXAMPLES.iter().filter(|e| ["first", "message", "bypass"].contains(&e.name)) {
        holds("sim", example, &["--svg", path.to_str().unwrap()]);
        let picture = fs::read_to_string(&path).unwrap();
        // (seen through, colour, height at the left, height at the right) of each polygon.
        let polygons = picture.lines().filter_map(|line| {
            let of = |key: &str| line.split(&format!("{key}=\"")).nth(1)?.split('"').next();
            let points: Vec<f64> = of("points")?
                .split(' ')
                .filter_map(|p| p.split_once(',')?.1.parse().ok())
                .collect();
            Some((of("fill-opacity")? != "1", of("fill")?.to_owned(), points[0], points[1]))
        });
        let polygons: Vec<(bool, String, f64, f64)> = polygons.collect();
        let links: Vec<_> = polygons.iter().filter(|polygon| !polygon.0).collect();
        let comes = |node: &(bool, String, f64, f64)| {
            links.iter().any(|link| link.1 == node.1 && (link.3 - node.2).abs() < 0.15)
        };
        let passed: Vec<_> = polygons.iter().filter(|polygon| polygon.0).collect();
        assert!(passed.len() > 30, "{}: {}", example.name, passed.len());
        assert!(passed.iter().all(|node| comes(node)), "{}", example.name);
    }
}

#[test]
fn every_file_of_every_kind() {
    for example in &EXAMPLES {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().to_str().unwrap();
        let text = holds("sim", example, &["--out", out, "--window", example.window]);
        let mut expected: BTreeSet<String> =
            ["report.txt", "report.json", "run.html", example.picture.0].map(str::to_owned).into();
        expected.extend(example.others.iter().map(|name| (*name).to_owned()));
        // The others have no frames of the contract.
        if !example.name.starts_with("generation1") && !example.name.starts_with("mandelbrot") {
            expected.insert("frames.pcapng".into());
        }
        for (stem, name) in example.waves {
            let files = ["vcd", "gtkw"].map(|extension| format!("{stem}.{extension}"));
            let [vcd, save] =
                files.each_ref().map(|file| fs::read_to_string(folder.path().join(file)).unwrap());
            assert!(vcd.contains(name), "{}: {name}", example.name);
            times(&vcd);
            gtkw::check_text(&save, &vcd, &|filter| folder.path().join(filter).exists());
            expected.extend(files);
        }
        assert_eq!(names(folder.path()), expected, "{}", example.name);
        for name in &expected {
            assert!(text.contains(&format!("{}\n", folder.path().join(name).display())), "{text}");
        }
        let report = fs::read_to_string(folder.path().join("report.txt")).unwrap();
        assert!(text.starts_with(&report), "{}", example.name);
        let json = fs::read_to_string(folder.path().join("report.json")).unwrap();
        let json: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["kind"], example.kind);
        let svg = fs::read_to_string(folder.path().join(example.picture.0)).unwrap();
        assert!(svg.starts_with("<svg"), "{}", example.name);
    }
}

/// The waves of `--vcd` are those of `wave`, under another name.
#[test]
fn waves_under_a_name() {
    for example in &EXAMPLES {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| -> PathBuf { folder.path().join(name) };
        let (mine, wave) = (path("mine/mine.vcd"), path("wave"));
        fs::create_dir(path("mine")).unwrap();
        let mine = mine.to_str().unwrap();
        let args = ["--vcd", mine, "--window", example.window, "--json"];
        let json: Value = serde_json::from_str(&holds("sim", example, &args)).unwrap();
        assert_eq!(json["kind"], example.kind, "JSON alone on standard output");
        let args = ["--out", wave.to_str().unwrap(), "--window", example.window];
        holds("wave", example, &args);
        for (stem, _) in example.waves {
            let own = if *stem == "firmware" { "mine-firmware" } else { "mine" };
            let read = |folder: &str, name: &str| {
                fs::read_to_string(path(folder).join(name))
                    .unwrap_or_else(|e| panic!("{name}: {e}"))
            };
            let vcd = read("mine", &format!("{own}.vcd"));
            assert_eq!(vcd, read("wave", &format!("{stem}.vcd")), "{}", example.name);
            let save = read("mine", &format!("{own}.gtkw"));
            assert!(save.contains(&format!("{own}.vcd")), "{save}");
            gtkw::check_text(&save, &vcd, &|filter| path("mine").join(filter).exists());
        }
    }
}

/// A window in ns or us is the same as that in cycles of 67.25 MHz.
#[test]
fn a_window_has_one_meaning() {
    // 269 cycles are 4 us.
    let windows = ["6725:6994", "100000ns:104us", "100us:104000ns", "6725:104us"];
    for example in EXAMPLES.iter().filter(|example| example.name != "first") {
        let folder = tempfile::tempdir().unwrap();
        let (stem, _) = example.waves[0];
        let vcd = windows.map(|window| {
            let out = folder.path().join("out");
            holds("wave", example, &["--window", window, "--out", out.to_str().unwrap()]);
            fs::read_to_string(out.join(format!("{stem}.vcd"))).unwrap()
        });
        assert!(vcd.iter().all(|other| *other == vcd[0]), "{}", example.name);
        let (first, last) = times(&vcd[0]);
        let ns = vcd[0].contains("$timescale 1 ns");
        let period = awgstar_scenario::wave::PERIOD_PS;
        let expected = if ns { (100_000, 104_000) } else { (6725 * period, 6994 * period) };
        assert!(first == expected.0 && last <= expected.1, "{}: {first} {last}", example.name);
    }
}

#[test]
fn waves_of_some_nodes() {
    for example in &EXAMPLES {
        let folder = tempfile::tempdir().unwrap();
        let (stem, _) = example.waves[0];
        let file = folder.path().join(format!("{stem}.vcd"));
        let nodes = ["--nodes", "1", "--window", example.window];
        holds("sim", example, &[&nodes[..], &["--vcd", file.to_str().unwrap()]].concat());
        let vcd = fs::read_to_string(folder.path().join(format!("{stem}.vcd"))).unwrap();
        let owner = if example.kind == "boards" { "board" } else { "node" };
        for (node, there) in [(0, false), (1, true), (2, false)] {
            let scope = format!("module {owner}{node} ");
            assert_eq!(vcd.contains(&scope), there, "{}: {scope}", example.name);
        }
        let save = fs::read_to_string(folder.path().join(format!("{stem}.gtkw"))).unwrap();
        gtkw::check_text(&save, &vcd, &|filter| folder.path().join(filter).exists());
    }
}

#[test]
fn wrong_values_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (svg, vcd, out) = (path("x.svg"), path("x.vcd"), path("x"));
    let refused = |command: &str, example: &Example, args: &[&str], what: &str| {
        let (code, stdout, err) = awgstar(command, example, args);
        assert_eq!((code, stdout.as_str()), (2, ""), "{} {args:?}: {err}", example.name);
        assert!(err.contains(what), "{} {args:?}: {err}", example.name);
    };
    for example in &EXAMPLES {
        let end = "--window: the run ends after ";
        let late = example.late;
        for option in [["--svg", &svg], ["--vcd", &vcd], ["--out", &out]] {
            let args = [&option[..], &["--window", late]].concat();
            let (code, _, err) = awgstar("sim", example, &args);
            assert!(code == 2 && err.contains(end), "{} {args:?}: {code} {err}", example.name);
        }
        refused("wave", example, &["--window", late, "--out", &out], end);
        refused(
            "sim",
            example,
            &["--window", "1:2"],
            "--window: expected --svg, --html, --vcd, --pcapng or --out",
        );
        refused("sim", example, &["--vcd", &svg], "expected a file name that ends in .vcd");
        refused("wave", example, &["--nodes", "99", "--out", &out], "--nodes: 99: expected 0 to ");
        refused("sim", example, &["--nodes", "1"], "--nodes: expected --vcd or --out");
    }
    // A folder whose name is that of a file.
    fs::write(path("file"), "").unwrap();
    let (inside, vcd) = (path("file/out"), path("file/a.vcd"));
    for (command, option) in
        [("sim", ["--out", &inside]), ("wave", ["--out", &inside]), ("sim", ["--vcd", &vcd])]
    {
        let (code, _, err) = awgstar(command, &EXAMPLES[0], &option);
        assert!(code == 2 && err.contains(&path("file")), "{command} {option:?}: {code} {err}");
    }
    let window = "expected FROM:TO, two cycle numbers or times with ns or us, the first smaller";
    for wrong in ["5:5", "9:8", "1", "1:", ":1", "1:2:3", "1ms:2ms", "1s:2s", "1 ns:2ns", "0x1:2"] {
        refused("wave", &EXAMPLES[0], &["--window", wrong], window);
    }
    // A cycle is 14.87 ns.
    refused("wave", &EXAMPLES[0], &["--window", "2:29ns"], window);
}
