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
    pcapng::write(&mut out, "", "", &interfaces, &packets).expect("memory");
    fs::write(&file, out).expect("file");
    let found = tshark::read(&dissector(), &file, "_ws.expert.message contains \"Bad frame\"");
    let versions = tshark::read(&dissector(), &file, "_ws.expert.message contains \"No capture\"");
    // A capture header alone has no frame to be bad.
    assert_eq!((found.len(), versions.len()), (packets.len() - 3 - 1, 3));
}
