// SPDX-License-Identifier: MIT OR Apache-2.0
//! A part of a run that is divided among computers.

use serde::{Deserialize, Serialize};
use std::{fmt, ops::Range, str::FromStr};

/// Most parts of a run.
const PARTS_MAX: usize = 10_000;

/// Part `number` of `of`; the first is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, from 1.
    pub number: usize,
    /// Number of parts.
    pub of: usize,
}

impl Shard {
    /// A run that is not divided.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Returns true if item `index`, from 0, is one of this part. Every part gets items from the whole list, because
    /// in many lists the later items take longer.
    #[must_use]
    pub const fn has(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }

    /// The part as a range of `items`: for lists whose parts are put together one after the other.
    #[must_use]
    pub const fn range(self, items: usize) -> Range<usize> {
        items * (self.number - 1) / self.of..items * self.number / self.of
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// The text is no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected I/N with I from 1 to N and N at most {PARTS_MAX}")]
pub struct NoShard;

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let (number, of) = text.split_once('/').ok_or(NoShard)?;
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(number) || !digits(of) {
            return Err(NoShard);
        }
        let shard = Shard {
            number: number.parse().map_err(|_| NoShard)?,
            of: of.parse().map_err(|_| NoShard)?,
        };
        let valid = (1..=shard.of).contains(&shard.number) && shard.of <= PARTS_MAX;
        if valid { Ok(shard) } else { Err(NoShard) }
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn parts_are_disjoint_and_complete() {
        for of in 1..9 {
            for items in 0..30 {
                let parts = || (1..=of).map(|number| Shard { number, of });
                for item in 0..items {
                    assert_eq!(parts().filter(|part| part.has(item)).count(), 1);
                }
                let all: Vec<usize> = parts().flat_map(|part| part.range(items)).collect();
                assert_eq!(all, (0..items).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn texts() {
        assert_eq!("2/3".parse(), Ok(Shard { number: 2, of: 3 }));
        for text in ["", "1", "0/3", "4/3", "1/0", "+1/3", "1/ 3", "1/3/3", "1/10001", "a/b"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
