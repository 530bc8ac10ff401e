// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decodes a capture: one frame in hexadecimal on each line of standard input, or two built-in ones.
//!
//! `cargo run -p awgstar --example decode_capture < FILE`

use awgstar::codec::{Frame, explain};
use std::io::{IsTerminal as _, stdin};

/// The bytes of a line; `None` if it is not an even number of hexadecimal digits.
fn bytes(line: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = line.trim().chars().map(|c| c.to_digit(16)).collect();
    let pairs = digits.filter(|digits| digits.len() % 2 == 0)?;
    pairs.chunks(2).map(|pair| u8::try_from(pair[0] << 4 | pair[1]).ok()).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let lines: Vec<String> = if stdin().is_terminal() {
        let body = "02534d420001000001".to_owned() + &"00".repeat(51);
        let fcs = awgstar::codec::fcs::compute(&bytes(&body).ok_or("digits")?);
        let free = format!("{body}{:08x}", fcs.swap_bytes());
        vec![free.replacen("00", "01", 1), free]
    } else {
        stdin().lines().collect::<Result<_, _>>()?
    };
    for (number, line) in lines.iter().enumerate() {
        let Some(bytes) = bytes(line) else {
            println!("line {}: not hexadecimal", number + 1);
            continue;
        };
        match Frame::decode(&bytes) {
            Ok(frame) => println!("line {}: {} from {}", number + 1, frame.token.name(), frame.mac),
            Err(error) => println!("line {}: {error}\n{}", number + 1, explain(&bytes)),
        }
    }
    Ok(())
}
