// SPDX-License-Identifier: MIT OR Apache-2.0
//! What golden vectors of `crc32`, `frame_tx` and `frame_rx` reach: verdicts, kinds of good frames, lanes.

use super::counts::Reached;
use crate::vectors::Vectors;
use awgstar::contract::{Check, Token, TxStatus};

/// How a mode of the benches plays words.
fn mode_name(mode: u32) -> String {
    match mode {
        0 => "back to back".into(),
        1 => "with gaps".into(),
        2 => "long idle".into(),
        other => format!("mode {other}"),
    }
}

impl Reached {
    /// Adds those of the vectors with these indices that a module has to do with, played in a mode; their number.
    pub fn add_vectors(
        &mut self,
        module: &str,
        mode: u32,
        vectors: &Vectors,
        indices: impl IntoIterator<Item = usize>,
    ) -> usize {
        let kind = |code: u8| Token::from_code(code).map_or("reserved", |token| token.name());
        let mut added = 0;
        for index in indices {
            match vectors {
                Vectors::Crc32(all) if module == "crc32" => {
                    let Some(one) = all.get(index) else { continue };
                    self.add("words", &format!("of {} bytes", one.keep.count_ones()), 1);
                }
                Vectors::Frame(all) if module == "frame_tx" => {
                    let Some(one) = all.get(index).filter(|one| one.tx) else { continue };
                    self.add("verdicts", one.tx_status.name(), 1);
                    if one.tx_status == TxStatus::Ok {
                        self.add("frames out", kind(one.header.token), 1);
                    }
                }
                Vectors::Frame(all) if module == "frame_rx" => {
                    let Some(one) = all.get(index).filter(|one| one.rx) else { continue };
                    self.add("verdicts", one.check.name(), 1);
                    if one.check == Check::Ok {
                        self.add("frames in", kind(one.header.token), 1);
                    }
                }
                _ => continue,
            }
            added += 1;
            if module != "crc32" {
                self.add("played", &mode_name(mode), 1);
            }
        }
        added
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::generate;

    #[test]
    fn the_golden_vectors_reach_every_verdict_and_kind() {
        let mut reached = [Reached::default(), Reached::default(), Reached::default()];
        for class in generate() {
            for (reached, module) in reached.iter_mut().zip(["crc32", "frame_tx", "frame_rx"]) {
                reached.add_vectors(module, 0, &class.vectors, 0..class.len());
            }
        }
        let [crc32, tx, rx] = reached;
        assert!((1..=4).all(|n| crc32.count("words", &format!("of {n} bytes")) > 0));
        for token in Token::ALL {
            assert!(rx.count("frames in", token.name()) > 0, "{token:?}: {:?}", rx.lines());
            assert!(tx.count("frames out", token.name()) > 0, "{token:?}: {:?}", tx.lines());
        }
        for check in Check::ALL {
            assert!(rx.count("verdicts", check.name()) > 0, "{check:?}: {:?}", rx.lines());
        }
        for status in TxStatus::ALL {
            assert!(tx.count("verdicts", status.name()) > 0, "{status:?}: {:?}", tx.lines());
        }
    }
}
