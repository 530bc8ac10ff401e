// SPDX-License-Identifier: MIT OR Apache-2.0
//! Faults in words.

use awgstar::ring::FaultKind;

/// A fault in words.
pub(super) fn text(kind: FaultKind) -> String {
    match kind {
        FaultKind::Bit(bit) => format!("bit {bit} inverted"),
        FaultKind::Lose => "lost".into(),
        FaultKind::Twice => "sent twice".into(),
        FaultKind::Truncate(words) => format!("cut short after {words} words"),
    }
}
