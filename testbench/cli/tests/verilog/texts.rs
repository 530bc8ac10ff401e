// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors: committed files, promises, reader (VEC-1 to VEC-4).

#[path = "../../../../model/test_support/seeded.rs"]
mod seeded;

use awgstar::contract::{Check, Signal, Token, TxStatus};
use awgstar_stimulus::vectors::hex::{CRC_FIELDS, FRAME_FIELDS};
use awgstar_stimulus::vectors::load::{FrameTexts, crcs, frames};
use awgstar_stimulus::vectors::manifest::Manifest;
use awgstar_stimulus::vectors::word::bytes;
use awgstar_stimulus::vectors::{
    Class, Difference, FrameVector, Vectors, check, generate, hex, load, schema, write,
};
use proptest::prelude::*;
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

static CLASSES: LazyLock<Vec<Class>> = LazyLock::new(generate);

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn vectors() -> PathBuf {
    repository().join("vectors")
}

fn json<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    serde_json::from_str(&fs::read_to_string(path).expect("file")).expect("json")
}

fn all_frames() -> impl Iterator<Item = (&'static Class, usize, &'static FrameVector)> {
    CLASSES.iter().flat_map(|class| {
        let v: &[FrameVector] = match &class.vectors {
            Vectors::Frame(v) => v,
            Vectors::Crc32(_) => &[],
        };
        v.iter().enumerate().map(move |(n, v)| (class, n, v))
    })
}

/// One bit at a time, by hand: no code in common with the reference.
fn register(start: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(start, |mut r, byte| {
        for bit in 0..8 {
            let carry = (r ^ u32::from(byte >> bit)) & 1;
            r = (r >> 1) ^ (0xEDB8_8320 * carry);
        }
        r
    })
}

#[test]
fn committed_files_are_those_generated() {
    let differences: Vec<String> =
        check(&vectors(), &CLASSES).expect("folder").iter().map(ToString::to_string).collect();
    assert!(differences.is_empty(), "{differences:#?}");
}

/// VEC-2: those that are not generated are compared with their hashes.
#[test]
fn a_changed_missing_or_new_vector_is_found() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("vectors-replayed");
    let _ = fs::remove_dir_all(&folder);
    let files = [
        "node/turn_after_free_token/vector.toml",
        "firmware/lock_mw_printed_timer.json",
        "mailbox/worker_lock.toml",
    ];
    for name in files {
        fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        fs::copy(vectors().join(name), folder.join(name)).unwrap();
    }
    write(&folder, &CLASSES).unwrap();
    assert_eq!(check(&folder, &CLASSES).unwrap(), []);
    let committed: Manifest = json(&vectors().join("manifest.json"));
    let copied: Manifest = json(&folder.join("manifest.json"));
    assert!(files.iter().all(|name| copied.replayed.iter().any(|file| file.path == *name)));
    assert!(copied.replayed.iter().all(|file| committed.replayed.contains(file)));

    let [changed, missing, _] = files.map(str::to_owned);
    let mut bytes = fs::read(folder.join(&changed)).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(folder.join(&changed), bytes).unwrap();
    fs::remove_file(folder.join(&missing)).unwrap();
    let new = "mailbox/more/new.toml".to_owned();
    fs::create_dir_all(folder.join("mailbox/more")).unwrap();
    fs::write(folder.join(&new), "").unwrap();
    let mut found = check(&folder, &CLASSES).unwrap();
    let key = |difference: &Difference| difference.to_string();
    found.sort_by_key(key);
    let mut expected = [
        Difference::Hash { path: changed },
        Difference::Missing { path: missing },
        Difference::Unlisted { path: new },
    ];
    expected.sort_by_key(key);
    assert_eq!(found, expected);
}

/// VEC-2: the hash of one of them, as `sha256sum` prints it.
#[test]
fn hashes_are_sha256() {
    let manifest: Manifest = json(&vectors().join("manifest.json"));
    let of = |name: &str| manifest.replayed.iter().find(|file| file.path == name).unwrap();
    assert_eq!(
        of("mailbox/worker_numbers.toml").sha256,
        "4c31eccc1064155ce6ccb2d303a92dcb94382e83005342c1bb6bdba90b8fd297"
    );
}

#[test]
fn loading_gives_what_was_generated() {
    let loaded = load(&vectors()).expect("files are good");
    assert!(loaded == *CLASSES);
}

#[test]
fn requirement_ids_exist_in_the_specification() {
    let spec = fs::read_to_string(repository().join("docs/spec.md")).expect("spec");
    for class in CLASSES.iter() {
        assert!(!class.requirements.is_empty(), "{}", class.name);
        for note in class.notes() {
            for id in class.requirements_of(note) {
                assert!(spec.contains(&format!("**{id}**")), "{}: {id}", class.name);
            }
        }
    }
}

#[test]
fn class_names_are_unique_and_texts_present() {
    let names: BTreeSet<&str> = CLASSES.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names.len(), CLASSES.len());
    for class in CLASSES.iter() {
        assert!(!class.is_empty() && class.len() < 10_000, "{}", class.name);
        assert!(!class.bug_class.is_empty() && !class.effect.is_empty());
        assert!(class.notes().iter().all(|n| !n.comment.is_empty()));
    }
}

/// What `value` breaks of the keywords that our schemas use; a keyword beyond them is a failure.
fn broken(schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (keyword, rule) in schema.as_object().expect("schema") {
        let good = match keyword.as_str() {
            "$schema" | "title" | "$defs" => true,
            "type" => match rule.as_str() {
                Some("object") => value.is_object(),
                Some("array") => value.is_array(),
                Some("string") => value.is_string(),
                Some("integer") => value.is_u64(),
                _ => false,
            },
            "const" => rule == value,
            "enum" => rule.as_array().is_some_and(|r| r.contains(value)),
            "minimum" => value.as_u64() >= rule.as_u64(),
            "minLength" => value.as_str().is_some_and(|s| !s.is_empty()),
            "pattern" => {
                value.as_str().is_some_and(|s| matches_pattern(rule.as_str().unwrap_or(""), s))
            }
            "required" => rule
                .as_array()
                .is_some_and(|r| r.iter().all(|k| value.get(k.as_str().unwrap_or("")).is_some())),
            "additionalProperties" => value
                .as_object()
                .is_some_and(|o| o.keys().all(|k| schema["properties"].get(k).is_some())),
            "properties" => {
                for (key, inner) in rule.as_object().expect("properties") {
                    if let Some(v) = value.get(key) {
                        out.extend(broken(inner, v, &format!("{at}/{key}")));
                    }
                }
                true
            }
            "items" => {
                for (n, v) in value.as_array().into_iter().flatten().enumerate() {
                    out.extend(broken(rule, v, &format!("{at}/{n}")));
                }
                true
            }
            other => panic!("keyword {other} is not known here"),
        };
        if !good {
            out.push(format!("{at}: {keyword}"));
        }
    }
    out
}

/// The four patterns of the schemas.
fn matches_pattern(pattern: &str, s: &str) -> bool {
    let name = |s: &str| {
        s.starts_with(|c: char| c.is_ascii_lowercase())
            && s.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    };
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    match pattern {
        "^[a-z][a-z0-9_]*$" => name(s),
        "^[0-9a-f]{64}$" => s.len() == 64 && s.bytes().all(|b| b"0123456789abcdef".contains(&b)),
        "^[A-Z]{2,4}-[0-9]+$" => s.split_once('-').is_some_and(|(a, n)| {
            (2..=4).contains(&a.len()) && a.bytes().all(|b| b.is_ascii_uppercase()) && digits(n)
        }),
        "^[a-z][a-z0-9_]*/[0-9]{4}$" => {
            s.split_once('/').is_some_and(|(a, n)| name(a) && n.len() == 4 && digits(n))
        }
        other => panic!("pattern {other} is not known here"),
    }
}

#[test]
fn json_files_follow_their_schemas() {
    let read = |path: &str| -> Value { json(&vectors().join(path)) };
    let manifest = read("manifest.json");
    assert_eq!(broken(&schema::manifest(), &manifest, ""), Vec::<String>::new());
    let manifest: Manifest = serde_json::from_value(manifest).expect("manifest");
    for class in manifest.classes {
        let list = read(&format!("{}/{}/vectors.json", class.module, class.name));
        assert_eq!(broken(&schema::vectors(), &list, &class.name), Vec::<String>::new());
    }
}

#[test]
fn hex_lines_are_as_wide_as_the_format_says() {
    let digits = |layout: &[(&str, usize, u64)]| layout.iter().map(|l| l.1).sum::<usize>();
    assert_eq!(4 * digits(&FRAME_FIELDS), 216);
    assert_eq!(4 * digits(&CRC_FIELDS), 100);
}

/// Each verdict has its defect, found here by other means than those of the reference.
#[test]
fn received_frames_have_the_promised_defect() {
    for (class, n, v) in all_frames().filter(|(.., v)| v.rx) {
        let id = class.id(n);
        let frame = bytes(&v.wire);
        let residue = register(u32::MAX, &frame) == 0xDEBB_20E3;
        let last = v.wire.last().expect("a frame has words");
        assert_eq!(v.wire.iter().filter(|w| w.last).count(), 1, "{id}");
        assert!(last.last, "{id}");
        assert_eq!(v.monitor, v.wire[0].user, "{id}: M and tuser");
        let beyond_link = (64..=1042).contains(&frame.len());
        match v.check {
            Check::Abort => assert!(last.user, "{id}"),
            Check::Keep => assert!(
                v.wire[..v.wire.len() - 1].iter().any(|w| w.keep != 15)
                    || ![1, 3, 7, 15].contains(&last.keep),
                "{id}"
            ),
            Check::Runt => assert!(frame.len() < 64, "{id}"),
            Check::Long => assert!(frame.len() > 1042, "{id}"),
            Check::Fcs => assert!(!residue && beyond_link, "{id}"),
            Check::Token => assert!(residue && [2, 7].contains(&(frame[6] >> 5)), "{id}"),
            Check::CSt => assert!(residue && frame[6] >> 5 == 1 && frame[6] & 31 > 1, "{id}"),
            Check::Length => assert!(
                residue && frame.len() > 64 && (frame[6] == 0x21 || frame[6] >> 5 == 0),
                "{id}"
            ),
            Check::ShortCount => assert!(
                residue && frame[6] == 0x21 && frame.len() == 64 && !(1..46).contains(&frame[59]),
                "{id}"
            ),
            Check::Ok => {
                assert!(residue && beyond_link && !last.user, "{id}");
                assert_eq!(bytes(&v.rx_payload), frame[14..frame.len() - 4], "{id}");
            }
        }
    }
}

/// What the transmitter sends holds its payload, a zero pad and a good FCS, or ends as cut.
#[test]
fn sent_frames_hold_their_payload() {
    for (class, n, v) in all_frames().filter(|(.., v)| v.tx) {
        let id = class.id(n);
        match v.tx_status {
            TxStatus::Token | TxStatus::Length => assert!(v.wire.is_empty(), "{id}"),
            TxStatus::Underrun | TxStatus::Last => {
                let last = v.wire.last().expect("an abort word");
                assert!(last.last && last.user && last.data == 0 && last.keep == 15, "{id}");
                assert!(v.wire.len() >= 4, "{id}");
            }
            TxStatus::Ok => {
                let frame = bytes(&v.wire);
                let valid = bytes(&v.tx_payload);
                assert_eq!(register(u32::MAX, &frame), 0xDEBB_20E3, "{id}");
                assert_eq!(frame.len(), 18 + valid.len().max(46), "{id}");
                assert_eq!(frame[14..14 + valid.len()], valid, "{id}");
                assert_eq!(usize::from(v.len), valid.len(), "{id}");
                let short = v.header.token == 1 && valid.len() < 46;
                let pad = (14 + valid.len()).min(60)..if short { 59 } else { frame.len() - 4 };
                if valid.len() < 46 {
                    assert!(frame[pad].iter().all(|b| *b == 0), "{id}");
                }
                if short {
                    assert_eq!((frame[6], usize::from(frame[59])), (0x21, valid.len()), "{id}");
                }
                assert_eq!(frame[..6], v.header.mac.to_be_bytes()[2..], "{id}");
            }
        }
    }
}

#[test]
fn crc_steps_agree_with_a_register_by_hand() {
    for class in CLASSES.iter() {
        let Vectors::Crc32(vectors) = &class.vectors else {
            continue;
        };
        for v in vectors {
            let count = match v.keep {
                1 => 1,
                3 => 2,
                7 => 3,
                15 => 4,
                _ => 0,
            };
            assert_eq!(v.crc_out, register(v.crc_in, &v.data.to_le_bytes()[..count]));
        }
    }
}

#[test]
fn every_code_and_every_alignment_occurs() {
    let good = |f: &dyn Fn(&FrameVector) -> bool| {
        all_frames().any(|(.., v)| v.rx && v.tx && v.check == Check::Ok && f(v))
    };
    for signal in Signal::ALL {
        let (token, c_st) = (signal.token().code(), signal.c_st());
        assert!(good(&|v| v.header.token == token && v.header.c_st == c_st));
    }
    for token in Token::ALL {
        assert!(good(&|v| v.header.token == token.code()));
    }
    for check in Check::ALL {
        let count = all_frames().filter(|(.., v)| v.rx && v.check == *check);
        assert!(count.count() >= 20, "{}", check.name());
    }
    for status in TxStatus::ALL {
        let count = all_frames().filter(|(.., v)| v.tx && v.tx_status == *status);
        assert!(count.count() >= 15, "{}", status.name());
    }
    for len in (1..=130).chain(1009..=1024) {
        assert!(good(&|v| v.header.token == 1 && usize::from(v.len) == len), "{len}");
    }
    for residue in 0..4 {
        let count = all_frames().filter(|(.., v)| v.rx && bytes(&v.wire).len() % 4 == residue);
        assert!(count.count() > 200, "{residue}");
    }
}

/// A small class as text, to damage.
fn sample() -> [String; 4] {
    let folder = vectors().join("frame/divided_block");
    ["fields", "wire", "tx_payload", "rx_payload"]
        .map(|name| fs::read_to_string(folder.join(format!("{name}.hex"))).expect("file"))
}

proptest! {
    #![proptest_config(seeded::seeded(256))]

    #[test]
    fn reader_answers_whatever_the_bytes(
        file in 0usize..4,
        at in any::<prop::sample::Index>(),
        text in "\\PC{0,3}|[0-9a-f_\n]{0,40}",
    ) {
        let mut texts = sample();
        let place = at.index(texts[file].len());
        texts[file].replace_range(place..=place, &text);
        let [fields, wire, tx_payload, rx_payload] = &texts;
        let given = FrameTexts { fields, wire, tx_payload, rx_payload };
        if let Err((_, error)) = frames(&given) {
            prop_assert!(error.line > 0 && error.column > 0 && !error.expected.is_empty());
        }
    }

    #[test]
    fn reader_answers_whatever_the_text(text in "(\\PC{0,30}\n?){0,5}") {
        let _ = hex::parse_sizes(&text);
        let _ = hex::parse_words(&text);
        let _ = crcs(&text);
        let given = FrameTexts { fields: &text, wire: &text, tx_payload: "", rx_payload: "" };
        let _ = frames(&given);
    }
}
