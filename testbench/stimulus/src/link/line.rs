// SPDX-License-Identifier: MIT OR Apache-2.0
//! The line to a receiver: words and codes of the model's ends of a link, with bit errors, noise, darkness
//! and sets that are none.

use awgstar::random::SplitMix64;
use awgstar::rtl::Link;
use awgstar::rtl::{Enc8b10b, LinkTx, enc_8b10b, link_tx};

/// Steps after which all faults of the line have been there once.
pub const PERIOD: usize = 12_000;

/// Frames for a link: mostly good ones, some without an idle word, with holes, too long, or with
/// a `tkeep` that is none.
#[derive(Clone, Debug, Default)]
pub struct Source {
    left: u64,
    idle: u64,
    first: bool,
}

impl Source {
    /// The next word; a hostile source breaks the rules of a link.
    #[expect(clippy::cast_possible_truncation, reason = "random bits, and numbers below 16")]
    pub fn word(&mut self, random: &mut SplitMix64, hostile: bool) -> link_tx::Inputs {
        let mut word = link_tx::Inputs {
            s_axis: Link { tdata: random.next_u64() as u32, tkeep: 0b1111, ..Link::default() },
            ..link_tx::Inputs::default()
        };
        if self.left == 0 {
            if self.idle > 0 {
                self.idle -= 1;
                return word;
            }
            self.left = match random.below(20) {
                0 => 1,
                1 | 4 if hostile => 261 + random.below(4),
                1 => 261,
                2 => 2,
                _ => 3 + random.below(30),
            };
            self.first = true;
            self.idle = if random.below(4) == 0 { random.below(12) } else { 1 };
            if hostile && random.below(40) == 0 {
                self.idle = 0;
            }
        }
        if hostile && random.below(1500) == 0 {
            return word; // a hole
        }
        self.left -= 1;
        word.s_axis.tvalid = true;
        word.s_axis.tlast = self.left == 0;
        word.s_axis.tuser = if self.first || self.left == 0 { random.below(3) == 0 } else { false };
        if self.left == 0 {
            word.s_axis.tkeep = [1, 3, 7, 15][random.below(4) as usize];
            if hostile && random.below(30) == 0 {
                word.s_axis.tkeep = random.below(16) as u8;
            }
        }
        self.first = false;
        word
    }
}

/// Steps in which the line is hostile, quiet or full of errors: by their number.
#[must_use]
pub fn is_hostile(number: usize) -> bool {
    number % 3000 > 1600
}

/// The end of a link that sends, and the line after it.
#[derive(Clone, Debug)]
pub struct Line {
    tx: LinkTx,
    enc: Enc8b10b,
    /// The last 80 bits.
    bits: u128,
    skew: u64,
    code: u64,
    word: link_tx::Inputs,
    dark: u64,
    los: u64,
    /// One word in so many has a bit error.
    pub rate: u64,
}

impl Line {
    /// A line with a random place of the words.
    #[must_use]
    pub fn new(random: &mut SplitMix64, rate: u64) -> Self {
        Line {
            tx: LinkTx::default(),
            enc: Enc8b10b::default(),
            bits: 0,
            skew: random.below(40),
            code: 0,
            word: link_tx::Inputs::default(),
            dark: 0,
            los: 0,
            rate,
        }
    }

    /// Step `number`: loss of signal, and the bits at the receiver. `next` gives the word that is sent, if the
    /// clock of the line rises.
    #[expect(clippy::cast_possible_truncation, reason = "40 bits of the line")]
    pub fn step(
        &mut self,
        random: &mut SplitMix64,
        number: usize,
        next: Option<link_tx::Inputs>,
    ) -> (bool, u64) {
        let quiet = (7000..10_400).contains(&(number % 12_000));
        if let Some(next) = next {
            let mut bytes = self.tx.outputs(&self.word);
            // A set that is none, in good codes.
            if is_hostile(number) && bytes.m_k != 0 && random.below(12) == 0 {
                bytes.m_data ^= 1 << (8 + random.below(24));
            }
            self.enc.clock(&enc_8b10b::Inputs { rst: false, s_data: bytes.m_data, s_k: bytes.m_k });
            self.tx.clock(&self.word);
            self.word = next;
            self.bits = self.bits >> 40 | u128::from(self.enc.outputs().m_code) << 40;
            self.code = (self.bits >> (40 - self.skew)) as u64 & 0xFF_FFFF_FFFF;
            let rate = if number % 6000 > 5600 { self.rate / 10 } else { self.rate };
            if !quiet && random.below(rate) == 0 {
                self.code ^= 1 << random.below(40);
            }
            if number % 6000 > 5900 && random.below(3) == 0 {
                self.code ^= random.next_u64() & random.next_u64() & 0xFF_FFFF_FFFF;
            }
            if self.dark == 0 && !quiet && random.below(4000) == 0 {
                self.dark = 1 + random.below(60);
                self.skew = random.below(40);
            }
            // A dark receiver is quiet, or hears noise, or something that is a code, once for long.
            if self.dark > 0 {
                self.dark -= 1;
                self.code = if self.dark.is_multiple_of(2) {
                    0
                } else {
                    random.next_u64() & 0xFF_FFFF_FFFF
                };
            }
            if quiet {
                self.code = 0x55_5555_5555; // D21.5 without end
            }
        }
        // Loss of signal, now and then with a line that can be read.
        let lost = !quiet && random.below(2500) == 0;
        self.los = if lost { random.below(80) } else { self.los.max(1) - 1 };
        (self.dark > 20 || self.los > 0, self.code)
    }
}
