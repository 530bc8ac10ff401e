// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of the log. The library replaces functions of libc, so its modules are compiled into a program of
//! their own here.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]
#![expect(dead_code, clippy::cast_possible_truncation, reason = "not all of the modules is used")]

#[path = "../src/layout.rs"]
mod layout;
#[path = "../src/patch.rs"]
mod patch;
#[path = "../src/record.rs"]
mod record;

use layout::PAGE;
use patch::Patch;
use record::{FLUSH, Order, Record};
use std::slice::from_ref;

fn patch(page: usize, changed: &[usize]) -> Patch {
    let old = [7; PAGE];
    let mut new = old;
    for &at in changed {
        new[at] = (at % 251) as u8 ^ 0x80;
    }
    Patch::of(page, &old, &new, from_ref(&(page..page + PAGE)), 0).unwrap()
}

#[test]
fn what_is_decoded_is_what_was_encoded() {
    let all: Vec<usize> = (0..PAGE).filter(|at| (at % 251) as u8 ^ 0x80 != 7).collect();
    for changed in [&[0][..], &[4095], &[0, 1, 63, 64, 100, 4095], &all] {
        let patch = patch(0x5000, changed);
        let mut log = Vec::new();
        patch.encode(&mut log);
        assert_eq!((log.len(), log.len() % 4), (patch.encoded_len(), 0));
        let mut rest = &log[..];
        assert_eq!(Patch::decode(&mut rest), Some(patch.clone()));
        assert!(rest.is_empty());
        let mut found = Vec::new();
        patch.each(|index, value| found.push((index, Some(value))));
        let expected: Vec<_> = changed.iter().map(|&at| (at, patch.value(at))).collect();
        assert_eq!(found, expected);
        // A log that is cut short is no patch.
        for len in (0..log.len()).step_by(4) {
            assert_eq!(Patch::decode(&mut &log[..len]), None, "{len}");
        }
    }
}

#[test]
fn only_what_is_tracked_travels() {
    let (old, mut new) = ([7; PAGE], [7; PAGE]);
    new[0] = 1;
    new[64] = 2;
    new[4000] = 3;
    let parts = [0x5001..0x5041, 0x5f00..0x5fa1];
    let patch = Patch::of(0x5000, &old, &new, &parts, 0).unwrap();
    assert_eq!((patch.value(0), patch.value(64), patch.value(4000)), (None, Some(2), Some(3)));
    assert_eq!(Patch::of(0x5000, &old, &old, &parts, 0), None);
    let other = |at| self::patch(0x5000, &[at]);
    assert!(patch.overlaps(&other(64)) && !patch.overlaps(&other(65)));
}

#[test]
fn records_follow_one_another() {
    let order = Order { lamport: 9, number: 3, synced: vec![1, 0, 4], cause: FLUSH };
    let first = Record {
        order: order.clone(),
        site: 0x5555_5555_4321,
        freed: vec![0x1000_0000_0010, 0x1000_0000_0020],
        patches: vec![patch(0x5000, &[1, 2]), patch(0x9000, &[4000])],
    };
    let second = Record { order, ..Record::default() };
    let mut log = Vec::new();
    first.encode(&mut log);
    let empty = log.len();
    second.encode(&mut log);
    assert_eq!(log.len() - empty, Record::head_len(3, 0));
    let mut rest = &log[..];
    assert_eq!(Record::decode(&mut rest, 3), Some(first));
    assert_eq!(Record::decode(&mut rest, 3), Some(second));
    assert_eq!(Record::decode(&mut rest, 3), None);
    assert_eq!(Record::decode(&mut &log[..40], 3), None);
}
