// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events of a run, a line each.

use awgstar_thesis::gen1::{
    frame::{Frame, Kind},
    mailbox::Mail,
    record::{Happened, Record},
};
use std::fmt::Write;

/// One line for each record, with ns and node; the token's visits only when it has frames.
#[must_use]
pub fn events(records: &[Record]) -> String {
    let mut text = String::from("        ns  node  what\n");
    for Record { at, node, what } in records {
        if let Some(words) = words(what) {
            let _ = writeln!(text, "{at:10}  {node:4}  {words}");
        }
    }
    text
}

fn frame(frame: &Frame) -> String {
    let Frame { kind, source, number, addr, data } = frame;
    match kind {
        Kind::Signal => format!("signal {number} of {source} for {addr}"),
        _ => format!("data {number} of {source}, {} B at {addr:#x}", data.len()),
    }
}

/// A record in words; nothing for what is of no interest in a text.
#[must_use]
pub(super) fn words(what: &Happened) -> Option<String> {
    Some(match what {
        Happened::Token { .. } => return None,
        Happened::Leaves { frames, .. } if frames.is_empty() => return None,
        Happened::Leaves { bytes, frames } => {
            let of: Vec<String> = frames.iter().map(|(source, _)| source.to_string()).collect();
            format!("train leaves: {bytes} B, frames of {}", of.join(" "))
        }
        Happened::Attached(f) => format!("attaches {}", frame(f)),
        Happened::Copied(f) => format!("copies {}", frame(f)),
        Happened::Removed { good, bad: 0 } => format!("strips {good} own frames, all good"),
        Happened::Removed { good, bad } => {
            format!("strips its own frames: {good} good, {bad} to retransmit")
        }
        Happened::BadCrc => "frame with a wrong CRC".into(),
        Happened::Struck { bit } => format!("bit {bit} of the train is inverted on its way"),
        Happened::TokenLost => "the token does not come".into(),
        Happened::TokenMade => "makes a new token".into(),
        Happened::Asked(request) => format!("process asks: {}", request.text()),
        Happened::Answered(request) => format!("process has it: {}", request.text()),
        Happened::Area { process, words } => {
            let mail = Mail::read(*words).map_or_else(|e| e.to_string(), Mail::text);
            format!("writes area of {process}: {:08x} {:08x} ({mail})", words[0], words[1])
        }
        Happened::RequestProcess(list) => format!("RequestProcess: {list:?}"),
        Happened::Thread(thread, state) => format!("{thread}: {state}"),
        Happened::Index { lock, holder } => format!("index: lock {lock} is {holder}"),
        Happened::Signal(from) => format!("signal of {from} reaches its thread"),
    })
}
