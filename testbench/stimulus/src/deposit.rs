// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values deposited into registers and memories in the middle of a run, on all sides alike: how a
//! run comes to a state that its inputs would reach after hours only (see [`crate::ends`]).

use crate::shape::Shape;
use awgstar::quantity::Cycle;
use std::{fmt, fmt::Write as _, str::FromStr};

/// A value for a register, or for the words of a memory, just before a cycle begins. In a memory,
/// word i becomes the value with i added bit by bit (xor): with an address that is not known yet, an
/// equal word everywhere would be known in the model and X in Icarus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deposit {
    /// In this cycle, before the inputs are set.
    pub cycle: Cycle,
    /// Path of the register or memory below the top module.
    pub path: String,
    /// The value; the upper bits that do not fit are 0.
    pub value: u128,
}

impl fmt::Display for Deposit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {:x}", self.cycle, self.path, self.value)
    }
}

impl FromStr for Deposit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("deposit `{text}`: expected `<cycle> <path> <hexadecimal value>`");
        let [cycle, path, value] =
            text.split(' ').collect::<Vec<_>>().try_into().map_err(|_| wrong())?;
        Ok(Deposit {
            cycle: cycle.parse().map(Cycle).map_err(|_| wrong())?,
            path: path.to_owned(),
            value: u128::from_str_radix(value, 16).map_err(|_| wrong())?,
        })
    }
}

/// Writes `value`, `bits` wide, into an image from word `at` on.
pub fn put(image: &mut [u32], at: usize, bits: usize, value: u128) {
    let bytes = value.to_le_bytes();
    for (word, bytes) in image[at..at + bits.div_ceil(32)].iter_mut().zip(bytes.chunks(4)) {
        *word = bytes.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b));
    }
}

/// Those of `deposits` that belong to `cycle`.
#[must_use]
pub fn due(deposits: &[Deposit], cycle: Cycle) -> Vec<Deposit> {
    deposits.iter().filter(|d| d.cycle == cycle).cloned().collect()
}

/// Those below the instance `prefix` (`u_data.`, empty for all), with paths below it.
pub fn below(deposits: &[Deposit], prefix: &str) -> Vec<Deposit> {
    let of = |d: &Deposit| {
        let path = d.path.strip_prefix(prefix)?.to_owned();
        Some(Deposit { path, ..*d })
    };
    deposits.iter().filter_map(of).collect()
}

/// Lines for `$readmemh`: cycle, number of the target, value. The last line has a cycle that never
/// comes.
pub fn file(shape: &Shape, deposits: &[Deposit]) -> String {
    let mut text = String::new();
    let names = || {
        let registers = shape.registers.iter().map(|(path, _)| path);
        registers.chain(shape.memories.iter().map(|(path, _)| path))
    };
    for deposit in deposits {
        if let Some(target) = names().position(|path| *path == deposit.path) {
            let _ = writeln!(text, "{:08x}{target:04x}{:032x}", deposit.cycle.0, deposit.value);
        }
    }
    text + &"f".repeat(44) + "\n"
}

/// Verilog that reads the file of deposits from the folder `dir`: `+deposited=` is how many there are.
pub const READ: &str = "        if ($value$plusargs(\"deposited=%d\", deposited) == 0) $finish;\n        $readmemh({dir, \"/deposits.hex\"}, deposits, 0, deposited);\n";

/// Verilog that puts in what is due before cycle `k`.
pub const DUE: &str = "deposit(k);\n            ";

/// Declarations and a task `deposit(cycle)` of a testbench with the design as instance `dut`:
/// `deposits` is loaded from [`file()`].
pub fn verilog(shape: &Shape) -> String {
    let mut out = String::from(
        "integer deposited;\nreg [175:0] deposits [0:4095];\nreg [175:0] deposit_now;\n\
         integer deposit_next = 0;\ninteger deposit_word;\n\
         task deposit(input [31:0] cycle);\n  while (deposits[deposit_next][175:144] == cycle) begin\n    \
         deposit_now = deposits[deposit_next];\n    deposit_next = deposit_next + 1;\n    \
         case (deposit_now[143:128])\n",
    );
    let registers = shape.registers.iter();
    for (target, (path, bits)) in registers.enumerate() {
        let _ = writeln!(out, "      16'd{target}: dut.{path} = deposit_now[{}:0];", bits - 1);
    }
    for (target, (path, m)) in (shape.registers.len()..).zip(&shape.memories) {
        let _ = writeln!(
            out,
            "      16'd{target}: for (deposit_word = 0; deposit_word < {}; deposit_word = deposit_word + 1) \
             dut.{path}[deposit_word] = deposit_now[{}:0] ^ deposit_word;",
            m.depth,
            m.bits - 1
        );
    }
    out.push_str("      default: ;\n    endcase\n  end\nendtask\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use awgstar::rtl::{Parameters, RingNode};

    #[test]
    fn text_and_back() {
        let deposit = Deposit { cycle: Cycle(4), path: "u_a.b_q".into(), value: 0xfe };
        assert_eq!(deposit.to_string(), "4 u_a.b_q fe");
        assert_eq!(deposit.to_string().parse(), Ok(deposit));
        for wrong in ["", "4 b_q", "x b_q 1", "4 b_q g", "4 b_q 1 1"] {
            assert!(wrong.parse::<Deposit>().unwrap_err().contains("expected `<cycle>"), "{wrong}");
        }
    }

    /// The line after the last deposit is one of a cycle that never comes, also when it is the first.
    #[test]
    fn the_file_ends() {
        let shape = &Shape::of::<RingNode>(&Parameters::DEFAULT);
        assert_eq!(file(shape, &[]), "f".repeat(44) + "\n");
        let path = shape.registers[2].0.clone();
        let text = file(shape, &[Deposit { cycle: Cycle(4), path, value: 0xfe }]);
        assert!(text.starts_with("000000040002") && text.lines().count() == 2, "{text}");
    }
}
