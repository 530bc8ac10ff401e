// SPDX-License-Identifier: MIT OR Apache-2.0
//! Capture files of `awgstar sim --pcapng`, and packets that are no frames.

use super::{
    dissector,
    tshark::{self, Printed},
};
use assert_cmd::Command;
use awgstar_draw::pcapng::{self, Interface, Packet};
use std::{
    fs,
    path::{Path, PathBuf},
};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn sim(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("awgstar").expect("binary");
    command.current_dir(ROOT).arg("sim").args(arguments).assert()
}

/// The capture file of a scenario of the documentation.
fn capture(folder: &Path, scenario: &str, more: &[&str]) -> PathBuf {
    let file = folder.join(format!("{scenario}.pcapng"));
    let path = format!("docs/scenarios/{scenario}.toml");
    let name = file.display().to_string();
    sim(&[&[path.as_str(), "--pcapng", &name], more].concat()).success();
    file
}

fn one<'a>(packet: &'a Printed, name: &str) -> &'a str {
    packet.get(name).map_or("", |values| &values[0])
}

/// Link, cycle in which the frame leaves, comment, and the flags lost, changed and again: the faults of
/// `frames.toml`, as docs/scenarios.md prints them.
const FAULTS: [(&str, u64, &str, [&str; 3]); 7] = [
    ("link 2", 12_199, "fault: bit 900 inverted", ["0", "1", "0"]),
    ("link 2", 20_192, "fault: lost", ["1", "0", "0"]),
    ("link 2", 28_202, "fault: cut short after 20 words", ["0", "1", "0"]),
    ("link 0", 28_343, "fault: lost", ["1", "0", "0"]),
    ("link 0", 28_413, "fault: lost", ["1", "0", "0"]),
    ("link 2", 36_195, "fault: sent twice", ["0", "0", "0"]),
    // The frame has 218 bytes, 55 words; an idle word follows it.
    ("link 2", 36_195 + 56, "fault: sent twice", ["0", "0", "1"]),
];

/// A comment is where a fault was injected, at its time in ns, and nowhere else.
#[test]
fn faults_have_comments() {
    // 62 m of fibre.
    const FIBRE: u64 = 21;
    let folder = tempfile::tempdir().expect("folder");
    let file = capture(folder.path(), "frames", &[]);
    let found = tshark::read(&dissector(), &file, "frame.comment");
    assert_eq!(found.len(), FAULTS.len(), "{found:#?}");
    for (packet, (link, cycle, comment, flags)) in found.iter().zip(FAULTS) {
        assert_eq!(one(packet, "frame.interface_name"), link, "{packet:#?}");
        assert_eq!(one(packet, "frame.comment"), comment, "{packet:#?}");
        let ns = (cycle + FIBRE) * 1_000_000_000 / 67_250_000;
        assert_eq!(one(packet, "frame.time_epoch"), format!("0.{ns:09}"), "{packet:#?}");
        let names = ["awgstar.lost", "awgstar.changed", "awgstar.again"];
        assert_eq!(names.map(|name| one(packet, name)), flags, "{packet:#?}");
    }
    // The frame with the bit error is bad on the three links up to its source.
    let bad = tshark::read(&dissector(), &file, "awgstar.check == \"fcs\"");
    let links: Vec<&str> = bad.iter().map(|packet| one(packet, "frame.interface_name")).collect();
    assert_eq!(links, ["link 2", "link 3", "link 0"]);
    // Each link has frames, and no other interface is there.
    let all = tshark::read(&dissector(), &file, "frame");
    assert!(all.len() > 9_000, "{} frames", all.len());
    for link in ["link 0", "link 1", "link 2", "link 3"] {
        let count = all.iter().filter(|p| one(p, "frame.interface_name") == link).count();
        assert!(count > 2_000 && count < all.len() / 3, "{link}: {count}");
    }
}

/// A ring on the router. Board 2 loses its light at the time of its first word of the cycle.
const ROUTER: &str = "
    system = \"board-ring\"
    nodes = 4
    cycles = 60_000
    fibre_m = 62
    period = 800
    [router]
    command_us = 10
    tune_us = 100
    [[lost]]
    nodes = 2
    at = 40_000
    what = \"WHAT\"
";

/// With the router frames are followed, too: faults have their comments, and so has the light that no board gets.
#[test]
fn a_router_has_comments() {
    // The program and the faults of link 2 of `frames.toml`. With the router the fibre is as long.
    let frames =
        fs::read_to_string(Path::new(ROOT).join("docs/scenarios/frames.toml")).expect("file");
    let (_, rest) = frames.split_once("period = 800").expect("period");
    let (rest, _) = rest.split_once("# The signal is lost").expect("signal");
    let rest = rest
        .replace("{ signal = \"broadcast\", c_st = 7, hex = \"c0ffee\", order = \"sent\" },", "");
    let folder = tempfile::tempdir().expect("folder");
    for (what, board, comment) in [
        ("downlink", "into 2", "fault: downlink of board 2 lost"),
        ("uplink", "into 3", "fault: uplink of board 2 lost"),
        ("power", "into 2", "fault: board 2 has no power"),
    ] {
        let path = folder.path().join(format!("{what}.toml"));
        fs::write(&path, format!("{}{rest}", ROUTER.replace("WHAT", what))).expect("file");
        let file = path.with_extension("pcapng");
        let (path, name) = (path.display().to_string(), file.display().to_string());
        sim(&[&path, "--pcapng", &name]);
        let found = tshark::read(&dissector(), &file, "frame.comment");
        let faults = [FAULTS[0], FAULTS[1], FAULTS[2], FAULTS[5], FAULTS[6]];
        for (packet, (_, cycle, comment, flags)) in found.iter().zip(faults) {
            assert_eq!(one(packet, "frame.interface_name"), "into 3", "{packet:#?}");
            assert_eq!(one(packet, "frame.comment"), comment, "{packet:#?}");
            // Without the signal the third block leaves 17 cycles earlier.
            let cycle = if cycle == 28_202 { 28_185 } else { cycle };
            let ns = (cycle + 21) * 1_000_000_000 / 67_250_000;
            assert_eq!(one(packet, "frame.time_epoch"), format!("0.{ns:09}"), "{packet:#?}");
            let names = ["awgstar.lost", "awgstar.changed", "awgstar.again"];
            assert_eq!(names.map(|name| one(packet, name)), flags, "{packet:#?}");
        }
        let dark = &found[faults.len()..];
        let loss = |packet: &Printed| one(packet, "frame.comment") == comment;
        let first = dark.iter().position(loss).expect(what);
        assert_eq!(one(&dark[first], "frame.interface_name"), board, "{what}");
        // Light that was under way needs 21 cycles; a frame of 64 bytes has 16 words.
        let time = one(&dark[first], "frame.time_epoch");
        assert!(("0.0005945".."0.0005958").contains(&time), "{what}: {time}");
        for packet in dark {
            let text = one(packet, "frame.comment");
            let laser = text.starts_with("the laser of board ");
            assert!(
                laser || loss(packet) || text.ends_with("fails within the frame"),
                "{packet:#?}"
            );
            assert!(one(packet, "awgstar.lost") == "1" || one(packet, "awgstar.changed") == "1");
        }
        // The lasers of the board and of the one before it are off while they are tuned.
        assert!(
            dark.iter()
                .any(|packet| one(packet, "frame.comment").starts_with("the laser of board 1"))
        );
    }
}

/// A run that fails leaves no file, and an older one of the name as it was. No other file is left beside.
#[test]
fn a_run_that_fails_leaves_no_capture() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("frames.pcapng");
    let name = file.display().to_string();
    let late = ["docs/scenarios/frames.toml", "--pcapng", &name, "--window", "70_000:70_001"];
    let late = late.map(|word| word.replace('_', ""));
    let late: Vec<&str> = late.iter().map(String::as_str).collect();
    sim(&late).code(2);
    assert_eq!(fs::read_dir(folder.path()).expect("folder").count(), 0);
    fs::write(&file, "old").expect("file");
    sim(&late).code(2);
    assert_eq!(fs::read(&file).expect("file"), b"old");
    assert_eq!(fs::read_dir(folder.path()).expect("folder").count(), 1);
    // A run that is whole replaces it.
    sim(&["docs/scenarios/first.toml", "--pcapng", &name]).success();
    assert!(!tshark::read(&dissector(), &file, "frame").is_empty());
    assert_eq!(fs::read_dir(folder.path()).expect("folder").count(), 1);
}

/// A signal leaves no file: it has its name only when it is whole.
#[test]
fn a_killed_run_leaves_no_capture() {
    let folder = tempfile::tempdir().expect("folder");
    let text =
        fs::read_to_string(Path::new(ROOT).join("docs/scenarios/frames.toml")).expect("file");
    let path = folder.path().join("long.toml");
    fs::write(&path, text.replace("cycles = 60_000", "cycles = 100_000_000")).expect("file");
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("awgstar"));
    let mut child = command
        .arg("sim")
        .arg(&path)
        .arg("--pcapng")
        .arg(folder.path().join("f.pcapng"))
        .spawn()
        .expect("command");
    // Frames are written while the run goes on.
    let part = || {
        let folders = fs::read_dir(folder.path()).expect("folder").filter_map(Result::ok);
        let parts = folders.filter_map(|entry| fs::metadata(entry.path().join("part")).ok());
        parts.map(|part| part.len()).max().unwrap_or(0)
    };
    let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while part() < 200_000 {
        assert!(std::time::Instant::now() < end && child.try_wait().expect("child").is_none());
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let kill = format!("kill -TERM {}", child.id());
    assert!(std::process::Command::new("sh").args(["-c", &kill]).status().expect("sh").success());
    assert!(!child.wait().expect("child").success());
    let left: Vec<_> =
        fs::read_dir(folder.path()).expect("folder").filter_map(Result::ok).collect();
    assert!(left.len() == 1 && left[0].path() == path, "{left:?}");
}

/// A pipe gets the frames at once: `tshark -i -` and Wireshark read it while the run goes on.
#[test]
fn a_pipe_gets_the_frames() {
    let folder = tempfile::tempdir().expect("folder");
    let file = capture(folder.path(), "first", &[]);
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let from = pipe.clone();
    let reader = std::thread::spawn(move || fs::read(from));
    sim(&["docs/scenarios/first.toml", "--pcapng", &pipe.display().to_string()]).success();
    assert_eq!(reader.join().expect("thread").expect("pipe"), fs::read(file).expect("file"));
}

/// The write, the signal and the bit error of `first.toml`, a ring of nodes.
#[test]
fn nodes_have_their_frames() {
    let folder = tempfile::tempdir().expect("folder");
    let file = capture(folder.path(), "first", &[]);
    // The write at 0x100 passes all four links, whole.
    let data =
        tshark::read(&dissector(), &file, "awgstar.token == \"data\" && awgstar.addr == 0x100");
    let links: Vec<&str> = data.iter().map(|p| one(p, "frame.interface_name")).collect();
    assert_eq!(links, ["link 1", "link 2", "link 3", "link 0"]);
    assert!(data.iter().all(|p| one(p, "awgstar.valid") == "0011aabb"), "{data:#?}");
    let text = fs::read_to_string(Path::new(ROOT).join("docs/scenarios/first.toml")).expect("file");
    let signals = tshark::read(&dissector(), &file, "awgstar.kind == \"lock_mw_request\"");
    assert_eq!(!signals.is_empty(), text.contains("lock_mw_request"));
    let comments = tshark::read(&dissector(), &file, "frame.comment");
    assert_eq!(comments.len(), text.matches("[[fault]]").count(), "{comments:#?}");
}

/// The captures of programs and of pages have their signals, by name; those of noise have its bits.
#[test]
fn every_kind_of_run_has_a_capture() {
    let folder = tempfile::tempdir().expect("folder");
    for (scenario, filters) in [
        ("lock", &["awgstar.kind == \"lock_queue_pass\" && awgstar.signal.lock_number == 1"][..]),
        ("paging", &["awgstar.kind == \"swap_request\" && awgstar.signal.page_number >= 1"]),
        ("noise", &["frame.comment contains \"noise: bits inverted\" && awgstar.changed == 1"]),
        (
            "cut_and_slow",
            &[
                "frame.comment contains \"link cut from cycle\" && awgstar.lost == 1",
                "frame.comment contains \"cycles late\"",
            ],
        ),
        ("monitor_dies", &["frame.comment contains \"passes the dead board\""]),
        ("bypass", &["frame.interface_name contains \"into\" && awgstar.token == \"data\""]),
    ] {
        let file = capture(folder.path(), scenario, &[]);
        for filter in filters {
            let found = tshark::read(&dissector(), &file, filter);
            assert!(!found.is_empty(), "{scenario}: {filter}");
        }
    }
}

/// A window leaves the other frames out.
#[test]
fn a_window_selects_frames() {
    let folder = tempfile::tempdir().expect("folder");
    let file = capture(folder.path(), "frames", &["--window", "181us:182us"]);
    let found = tshark::read(&dissector(), &file, "frame");
    let times: Vec<&str> = found.iter().map(|packet| one(packet, "frame.time_epoch")).collect();
    assert!(times.len() > 10 && times.len() < 60, "{times:?}");
    // A cycle that the window touches belongs to it.
    assert!(times.iter().all(|time| ("0.000180985".."0.000182015").contains(time)), "{times:?}");
}

/// A system without these frames is a typed error; `--out` writes what there is.
#[test]
fn generation_1_has_no_such_frames() {
    let out = sim(&["docs/scenarios/generation1.toml", "--pcapng", "target/no.pcapng"]).code(2);
    let text = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
    assert!(text.contains("--pcapng: a run of the kind `generation1`"), "{text}");
}

/// Packets that are no frames: of every length, without the capture header, of another version, with every
/// flag. The dissector has no such error, and says that they are bad.
#[test]
fn what_is_no_frame_is_flagged() {
    let interface = |name: &str, link_type| Interface {
        name: name.into(),
        description: String::new(),
        link_type,
        speed: 1,
    };
    let frame: Vec<u8> = (0..80_u8).map(|byte| byte.wrapping_mul(37)).collect();
    let mut all: Vec<(u32, Vec<u8>)> = Vec::new();
    for length in 0..=frame.len() {
        all.push((0, [&[1, 0][..], &frame[..length]].concat()));
        all.push((1, frame[..length].to_vec()));
    }
    all.extend([(0, vec![]), (0, vec![1]), (0, vec![2, 0, 1, 2, 3])]);
    all.extend((0..=255).map(|flags| (0, [&[1, flags][..], &frame].concat())));
    let packets: Vec<Packet> = (1..)
        .zip(all)
        .map(|(ns, (interface, bytes))| Packet { interface, ns, bytes, comments: Vec::new() })
        .collect();
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("bad.pcapng");
    let mut out = Vec::new();
    let interfaces = [interface("frames", 147), interface("bare", 148)];
    let mut writer = pcapng::Writer::new(&mut out, "", "", &interfaces).expect("memory");
    packets.iter().try_for_each(|packet| writer.packet(packet)).expect("memory");
    fs::write(&file, out).expect("file");
    let found = tshark::read(&dissector(), &file, "_ws.expert.message contains \"Bad frame\"");
    let versions = tshark::read(&dissector(), &file, "_ws.expert.message contains \"No capture\"");
    // A capture header alone has no frame to be bad.
    assert_eq!((found.len(), versions.len()), (packets.len() - 3 - 1, 3));
}
