// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs tshark with the dissector.

use std::{collections::BTreeMap, path::Path, process::Command};

/// Fields of a packet that tshark prints, by name; those that it has not are missing.
pub(crate) type Printed = BTreeMap<&'static str, Vec<String>>;

/// What separates several values of a field.
const BETWEEN: &str = "\u{1f}";

/// The fields that are asked for.
pub(crate) const FIELDS: [&str; 38] = [
    "frame.interface_name",
    "frame.time_epoch",
    "frame.comment",
    "awgstar.length",
    "awgstar.mac",
    "awgstar.token",
    "awgstar.c_st",
    "awgstar.node_id",
    "awgstar.multi_g",
    "awgstar.act_seq",
    "awgstar.packet_cnt",
    "awgstar.addr",
    "awgstar.kind",
    "awgstar.data",
    "awgstar.valid",
    "awgstar.valid_length",
    "awgstar.pad",
    "awgstar.short_count",
    "awgstar.fcs",
    "awgstar.fcs_computed",
    "awgstar.fcs_good",
    "awgstar.check",
    "awgstar.monitor",
    "awgstar.aborted",
    "awgstar.keep",
    "awgstar.cut",
    "awgstar.lost",
    "awgstar.changed",
    "awgstar.again",
    "awgstar.signal.send_node",
    "awgstar.signal.barrier_number",
    "awgstar.signal.tag",
    "awgstar.signal.lock_number",
    "awgstar.signal.page_number",
    "awgstar.signal.epoch",
    "awgstar.signal.number",
    "awgstar.signal.value",
    "_ws.expert.message",
];

/// Every packet of a capture file that a display filter selects, read with this dissector.
pub(crate) fn read(lua: &Path, capture: &Path, filter: &str) -> Vec<Printed> {
    let mut command = Command::new("tshark");
    command.arg("-X").arg(format!("lua_script:{}", lua.display())).arg("-r").arg(capture);
    command.args(["-n", "-T", "fields", "-E", "separator=/t", "-E", "occurrence=a"]);
    command.args(["-E", &format!("aggregator={BETWEEN}"), "-Y", filter]);
    for field in FIELDS {
        command.args(["-e", field]);
    }
    let output = command.output().expect("tshark: install it with testbench/setup.sh");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "tshark: {errors}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lua_error = text.lines().chain(errors.lines()).find(|line| line.contains("Lua"));
    assert_eq!(lua_error, None);
    text.lines().map(packet).collect()
}

fn packet(line: &str) -> Printed {
    let values: Vec<&str> = line.split('\t').collect();
    assert_eq!(values.len(), FIELDS.len(), "{line}");
    let there = FIELDS.iter().zip(values).filter(|(_, value)| !value.is_empty());
    there.map(|(name, value)| (*name, value.split(BETWEEN).map(plain).collect())).collect()
}

/// Newer versions print words for a truth value.
fn plain(value: &str) -> String {
    match value {
        "True" => "1".into(),
        "False" => "0".into(),
        other => other.into(),
    }
}
