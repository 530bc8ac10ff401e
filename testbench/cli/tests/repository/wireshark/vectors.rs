// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every golden vector of a frame as tshark prints it. Expected values are the fields of the vector, by the rules
//! of the specification; the codec is not asked. Checks FRM-1 to FRM-13, FCS-1, SIG-1, SIG-2.

use super::tshark::{self, Printed};
use awgstar_draw::pcapng::{self, Interface, Packet};
use awgstar_stimulus::vectors::{self, FrameVector, Vectors, Word};
use std::{collections::BTreeMap, fs, path::Path};

/// Fields that a packet must have; `None`: must not have.
type Expected = BTreeMap<&'static str, Option<String>>;

/// A frame and what is to be printed of it.
struct Case {
    id: String,
    bytes: Vec<u8>,
    expected: Expected,
}

/// The flags of the capture header as docs/wireshark.md lists them.
const MONITOR: u8 = 1;
const ABORTED: u8 = 2;
const KEEP: u8 = 4;

/// Place of each value in the Data of a signal (SIG-2): first byte and number of bytes.
const SIGNAL_VALUES: [(&str, usize, usize); 6] = [
    ("awgstar.signal.send_node", 0, 1),
    ("awgstar.signal.barrier_number", 1, 1),
    ("awgstar.signal.tag", 2, 2),
    ("awgstar.signal.lock_number", 4, 4),
    ("awgstar.signal.page_number", 4, 4),
    ("awgstar.signal.epoch", 8, 2),
];

fn link_flags(wire: &[Word]) -> u8 {
    let last = wire.len() - 1;
    let mut flags = 0;
    for (i, word) in wire.iter().enumerate() {
        let allowed = word.keep == 15 || (i == last && [1, 3, 7].contains(&word.keep));
        flags |= if allowed { 0 } else { KEEP };
    }
    if wire[last].user {
        flags |= ABORTED;
    }
    if wire[0].user && last > 0 {
        flags |= MONITOR;
    }
    flags
}

fn frame_bytes(wire: &[Word]) -> Vec<u8> {
    let mut bytes: Vec<u8> = wire.iter().flat_map(|word| word.data.to_le_bytes()).collect();
    let off = match wire.last().map(|word| word.keep) {
        Some(1) => 3,
        Some(3) => 2,
        Some(7) => 1,
        _ => 0,
    };
    bytes.truncate(bytes.len() - off);
    bytes
}

fn hex(bytes: &[u8]) -> Option<String> {
    (!bytes.is_empty()).then(|| hex::encode(bytes))
}

/// The cases of a class: its vectors that have a frame on the link.
fn cases(name: &str, vectors: &[FrameVector]) -> Vec<Case> {
    let on_link = vectors.iter().enumerate().filter(|(_, vector)| !vector.wire.is_empty());
    on_link.map(|(i, vector)| case(name, format!("{name}/{i:04}"), vector)).collect()
}

fn case(class: &str, id: String, vector: &FrameVector) -> Case {
    let flags = link_flags(&vector.wire);
    let bytes = frame_bytes(&vector.wire);
    let mut expected = Expected::new();
    let mut set = |name, value| expected.insert(name, value);
    let bit = |mask: u8| Some(u8::from(flags & mask != 0).to_string());
    set("awgstar.length", Some(bytes.len().to_string()));
    set("awgstar.monitor", bit(MONITOR));
    set("awgstar.aborted", bit(ABORTED));
    set("awgstar.keep", bit(KEEP));
    // What frame_tx cuts ends in the abort word.
    let check = if vector.rx { vector.check.code() } else { u8::from(flags & ABORTED != 0) };
    set("awgstar.check", Some(check.to_string()));
    if check == 0 {
        good(class, vector, &bytes, &mut expected);
    }
    Case { id, bytes: [&[1, flags][..], &bytes].concat(), expected }
}

/// The fields of a good frame.
fn good(class: &str, vector: &FrameVector, bytes: &[u8], expected: &mut Expected) {
    const FREE: u8 = 0;
    const DATA: u8 = 1;
    let header = &vector.header;
    let len = usize::from(vector.len);
    // frame_tx sends a free token and the C.ST of a data token as TX-3 says.
    let free = header.token == FREE && !vector.rx;
    let kept = |value: u64| if free { 0 } else { value };
    let c_st = match header.token {
        DATA if !vector.rx => u8::from(len < 46),
        _ => header.c_st,
    };
    let mac: Vec<String> =
        header.mac.to_be_bytes()[2..].iter().map(|byte| format!("{byte:02x}")).collect();
    let mut set = |name, value: Option<String>| expected.insert(name, value);
    set("awgstar.mac", Some(mac.join(":")));
    set("awgstar.token", Some(header.token.to_string()));
    set("awgstar.c_st", Some(kept(c_st.into()).to_string()));
    set("awgstar.node_id", Some(header.node_id.to_string()));
    set("awgstar.multi_g", Some(kept(header.multi_g.into()).to_string()));
    set("awgstar.act_seq", Some(kept(header.act_seq.into()).to_string()));
    set("awgstar.packet_cnt", Some(kept(header.packet_cnt.into()).to_string()));
    set("awgstar.addr", Some(format!("{:#010x}", kept(header.addr.into()))));
    set("awgstar.fcs_good", Some("1".into()));
    let end = bytes.len() - 4;
    let fcs = u32::from_le_bytes([bytes[end], bytes[end + 1], bytes[end + 2], bytes[end + 3]]);
    set("awgstar.fcs", Some(format!("{fcs:#010x}")));
    set("awgstar.fcs_computed", Some(format!("{fcs:#010x}")));
    // All Data of a signal is valid to a receiver (FRM-11).
    let payload = if vector.rx { &vector.rx_payload } else { &vector.tx_payload };
    let mut data = vectors::word::bytes(payload);
    data.truncate(len);
    if !vector.rx && ![FREE, DATA].contains(&header.token) {
        data.resize(data.len().max(46), 0);
    }
    set("awgstar.valid_length", Some(data.len().to_string()));
    set("awgstar.valid", hex(&data));
    set("awgstar.data", hex(&bytes[14..end]));
    let short = header.token == DATA && len < 46;
    set("awgstar.short_count", short.then(|| len.to_string()));
    let signal = vector.note.comment.split(',').next().unwrap_or_default();
    if class == "signals" {
        set("awgstar.kind", Some(signal.into()));
        for (name, first, count) in SIGNAL_VALUES {
            let value = data[first..first + count]
                .iter()
                .fold(0_u64, |all, byte| all << 8 | u64::from(*byte));
            let there = match name {
                "awgstar.signal.tag" => true,
                "awgstar.signal.lock_number" => signal.starts_with("lock_"),
                "awgstar.signal.page_number" => signal == "swap_request",
                "awgstar.signal.barrier_number" => signal.starts_with("barrier_ring"),
                _ => continue,
            };
            set(name, there.then(|| value.to_string()));
        }
    } else if header.token == FREE || header.token == DATA {
        set("awgstar.kind", Some(["free", "data"][usize::from(header.token)].into()));
    }
}

/// Compares what tshark prints with this dissector; returns what differs.
pub(crate) fn differences(lua: &Path) -> (usize, Vec<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    let classes = vectors::load(&root).expect("vectors");
    let all = classes.iter().filter_map(|class| match &class.vectors {
        Vectors::Frame(vectors) => Some(cases(&class.name, vectors)),
        Vectors::Crc32(_) => None,
    });
    let all: Vec<Case> = all.flatten().collect();
    let interface = Interface {
        name: "vectors".into(),
        description: String::new(),
        link_type: 147,
        speed: 2_152_000_000,
    };
    let packets: Vec<Packet> = (1..)
        .zip(&all)
        .map(|(ns, case)| Packet {
            interface: 0,
            ns,
            bytes: case.bytes.clone(),
            comments: vec![case.id.clone()],
        })
        .collect();
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("vectors.pcapng");
    let mut out = Vec::new();
    let mut writer = pcapng::Writer::new(&mut out, "test", "", &[interface]).expect("memory");
    packets.iter().try_for_each(|packet| writer.packet(packet)).expect("memory");
    fs::write(&file, out).expect("file");
    let printed = tshark::read(lua, &file, "frame");
    assert_eq!(printed.len(), all.len(), "packets");
    let pairs = all.iter().zip(&printed);
    (all.len(), pairs.flat_map(|(case, found)| differs(case, found)).collect())
}

fn differs(case: &Case, found: &Printed) -> Vec<String> {
    let mut all = Vec::new();
    let mut compare = |name: &str, expected: Option<&String>, found: Option<&Vec<String>>| {
        let same = match (expected, found) {
            (None, None) => true,
            (Some(expected), Some(found)) => found.len() == 1 && found[0] == *expected,
            _ => false,
        };
        if !same {
            all.push(format!("{} {name}: expected {expected:?}, found {found:?}", case.id));
        }
    };
    let id = vec![case.id.clone()];
    compare("frame.comment", Some(&case.id), found.get("frame.comment").or(Some(&id)));
    for (name, expected) in &case.expected {
        compare(name, expected.as_ref(), found.get(name));
    }
    // A bad frame is an error that Wireshark lists, a good one is none.
    let bad = case.expected["awgstar.check"].as_deref() != Some("0");
    let messages = found.get("_ws.expert.message").map(|all| all.join("\n")).unwrap_or_default();
    if messages.contains("Bad frame") != bad {
        all.push(format!("{}: bad is {bad}, messages are {messages:?}", case.id));
    }
    all
}
