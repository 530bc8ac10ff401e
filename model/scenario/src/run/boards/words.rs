// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals and frames in words.

use awgstar::contract::{Signal, Token, board};

/// Kind and destination of a signal.
pub(super) fn signal(token: Token, c_st: u8, node_id: u8, multi_g: u8) -> String {
    let name = Signal::from_codes(token, c_st)
        .map_or_else(|| format!("{} {c_st:05b}", token.name()), |s| s.name().to_owned());
    match token {
        Token::P2p => format!("{name} to {node_id}"),
        Token::Multicast => format!("{name} to group {multi_g}"),
        _ => name,
    }
}

/// A frame, by its header.
pub(super) fn frame(token: Option<Token>, c_st: u8, source: u8) -> String {
    let what = match token {
        Some(Token::Control) if c_st == board::MONITOR.c_st => "heartbeat",
        Some(Token::Control) if c_st == board::SYNC.c_st => "sync",
        Some(Token::Free) => return "free token".into(),
        Some(token) => token.name(),
        None => "reserved token",
    };
    format!("{what} of {source:02x}")
}
