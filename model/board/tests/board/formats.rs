// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers in CMSIS-SVD (`hdl/registers`) are what the host port does: access, value after reset, bits that
//! are kept. Checks CTR-1, HST-3, ENG-7.

use super::bench::{finish, last, read};
use awgstar_board::ring::{BoardRing, BoardScenario, HostOp, Outcome};
use awgstar_frame::quantity::{ByteAddress, Cycle};
use std::path::Path;

/// A register of the file.
#[derive(Debug)]
struct Register {
    name: String,
    addr: u32,
    count: u32,
    access: String,
    reset: u32,
    modified: Option<String>,
    /// A read does more than give a value, or can be refused: a debugger does not read it by itself.
    read_action: Option<String>,
    /// Bits that are in a field.
    mask: u32,
}

/// The text between the first `<tag>` and `</tag>`.
fn inside<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{tag}>"))?;
    Some(rest.split_once(&format!("</{tag}>"))?.0)
}

/// The texts of all elements `<tag>`.
fn all<'a>(text: &'a str, tag: &str) -> Vec<&'a str> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    text.split(&open).skip(1).filter_map(|part| Some(part.split_once(&close)?.0)).collect()
}

fn number(text: &str) -> u32 {
    let hex = text.strip_prefix("0x").map(|hex| u32::from_str_radix(hex, 16));
    hex.unwrap_or_else(|| text.parse()).expect("a number")
}

fn registers() -> Vec<Register> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hdl/registers/awgstar_smb.svd");
    let text = std::fs::read_to_string(path).expect("file");
    let smb = all(&text, "peripheral")[0];
    let base = number(inside(smb, "baseAddress").expect("base"));
    all(smb, "register")
        .into_iter()
        .map(|one| {
            let get = |tag| inside(one, tag).unwrap_or_else(|| panic!("{tag} in {one}"));
            let mask = |field: &str| {
                let bits = number(inside(field, "bitWidth").expect("width"));
                (u32::MAX >> (32 - bits)) << number(inside(field, "bitOffset").expect("offset"))
            };
            Register {
                name: get("name").into(),
                addr: base + number(get("addressOffset")),
                count: inside(one, "dim").map_or(1, number),
                access: get("access").into(),
                reset: number(get("resetValue")),
                modified: inside(one, "modifiedWriteValues").map(Into::into),
                read_action: inside(one, "readAction").map(Into::into),
                mask: all(one, "field").into_iter().map(mask).fold(0, |m, f| m | f),
            }
        })
        .collect()
}

/// A board with an engine that can join, as it is after reset.
fn fresh() -> BoardRing {
    let mut scenario = BoardScenario::new(1);
    scenario.parameters = scenario.parameters.with("smb", "ENGINE_NODE_W", 2).expect("legal");
    scenario.parameters = scenario.parameters.with("smb", "JOIN", 1).expect("legal");
    let mut ring = BoardRing::new(&scenario).expect("good");
    ring.run_until(Cycle(400));
    ring
}

fn write(ring: &mut BoardRing, addr: u32, data: u32) -> Outcome {
    ring.push(0, [HostOp::Write { addr: ByteAddress(addr), data, strobe: 15 }]).expect("good");
    finish(ring, 100_000);
    last(ring, 0, 1)[0].outcome
}

#[test]
fn the_file_has_every_address_that_the_board_answers() {
    let (registers, mut ring) = (registers(), fresh());
    assert_eq!(registers.len(), 46);
    for addr in (0..0x1000).step_by(4) {
        let of = |r: &&Register| (r.addr..r.addr + 4 * r.count).contains(&addr);
        let found = registers.iter().find(of);
        let (data, outcome) = read(&mut ring, 0, ByteAddress(addr));
        // A debugger reads these when it shows the registers: none may be refused.
        let reads = found.is_some_and(|r| r.access != "write-only" && r.read_action.is_none());
        assert_eq!(outcome == Outcome::Done, reads, "{addr:#x}");
        if let Some(one) = found.filter(|_| reads) {
            // The engine has cleared its memories; counters of the node count from the start.
            let expected = match one.name.as_str() {
                "ENGINE_STATUS" => 0x201,
                "COUNT[%s]" => data,
                _ => one.reset,
            };
            assert_eq!(data, expected, "{one:?}");
        }
    }
}

#[test]
fn what_is_written_is_kept_as_the_file_says() {
    // These need an enabled board, a message, or a board that joins.
    const LATER: [&str; 5] =
        ["MAIL_POP", "FILL_DATA", "LOCK_ACQUIRE", "LOCK_RELEASE", "BARRIER_ARRIVE"];
    for one in registers() {
        let mut ring = fresh();
        let value = match one.name.as_str() {
            // A signal that is legal, and a command; an order that is.
            "SIGNAL_SEND" | "JOIN_COMMAND" => 3,
            "ENGINE_ORDER" => 5,
            // A word of the memory.
            "FILL_ADDR" => 0x3ffc,
            _ => u32::MAX,
        };
        let outcome = write(&mut ring, one.addr, value);
        let done = one.access != "read-only" && !LATER.contains(&one.name.as_str());
        assert_eq!(outcome == Outcome::Done, done, "{one:?}");
        if one.access == "read-write" {
            let kept = match one.modified.as_deref() {
                Some("oneToClear") => 0,
                None | Some("oneToSet") => value & one.mask,
                other => panic!("{other:?}"),
            };
            assert_eq!(read(&mut ring, 0, ByteAddress(one.addr)).0, kept, "{one:?}");
            assert_eq!(write(&mut ring, one.addr, 0), Outcome::Done, "{one:?}");
            // Ones that were set stay.
            let stays = if one.modified.as_deref() == Some("oneToSet") { kept } else { 0 };
            assert_eq!(read(&mut ring, 0, ByteAddress(one.addr)).0, stays, "{one:?}");
        }
    }
}
