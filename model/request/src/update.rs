// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changes of memory in one step: numbers are little-endian.

use std::sync::Arc;

/// Most bytes of a value that an [`Update`] changes.
pub const UPDATE_BYTES: usize = 16;

/// What an update does with the value in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Adds the operand, modulo the width.
    Add,
    /// Writes the operand.
    Swap,
    /// Writes the operand if the value is the expected one.
    CompareSwap,
    And,
    Or,
    Xor,
    /// Changes nothing.
    Fetch,
}

/// A change of a value in one step. It gives the value from before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    pub op: Op,
    /// Bytes of the value: 4, 8 or 16. 16 are a pair of 64-bit words (paper 001, 3.2.2): for [`Op::Swap`],
    /// [`Op::CompareSwap`] and [`Op::Fetch`] only.
    pub bytes: u8,
    /// Its first bytes are used.
    pub operand: [u8; UPDATE_BYTES],
    /// Its first bytes are used by [`Op::CompareSwap`].
    pub expected: [u8; UPDATE_BYTES],
}

impl Update {
    /// An update of 4 or 8 bytes without an expected value.
    #[must_use]
    pub fn of(op: Op, bytes: u8, operand: u64) -> Self {
        let mut all = [0; UPDATE_BYTES];
        all[..8].copy_from_slice(&operand.to_le_bytes());
        Update { op, bytes, operand: all, expected: [0; UPDATE_BYTES] }
    }

    /// A compare-and-swap of 4 or 8 bytes.
    #[must_use]
    pub fn compare(bytes: u8, expected: u64, new: u64) -> Self {
        let expected = Update::of(Op::Swap, bytes, expected).operand;
        Update { expected, ..Update::of(Op::CompareSwap, bytes, new) }
    }

    /// There is such an update.
    #[must_use]
    pub const fn is_valid(&self) -> bool {
        match self.bytes {
            4 | 8 => true,
            16 => matches!(self.op, Op::Swap | Op::CompareSwap | Op::Fetch),
            _ => false,
        }
    }

    /// The value after the update of `old`, of which as many bytes count.
    #[must_use]
    pub fn apply(&self, old: [u8; UPDATE_BYTES]) -> [u8; UPDATE_BYTES] {
        let bytes = usize::from(self.bytes).min(UPDATE_BYTES);
        let [value, operand] = [old, self.operand].map(u128::from_le_bytes);
        let new = match self.op {
            // What is carried beyond the value does not count.
            Op::Add => value.wrapping_add(operand),
            Op::Swap => operand,
            Op::CompareSwap if old[..bytes] == self.expected[..bytes] => operand,
            Op::CompareSwap | Op::Fetch => value,
            Op::And => value & operand,
            Op::Or => value | operand,
            Op::Xor => value ^ operand,
        };
        let mut all = [0; UPDATE_BYTES];
        all[..bytes].copy_from_slice(&new.to_le_bytes()[..bytes]);
        all
    }
}

/// Numbers of an accumulate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Int32,
    Int64,
    Float32,
    Float64,
    /// Two numbers of 32 bits: real and imaginary part.
    Complex32,
    /// Two numbers of 64 bits.
    Complex64,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] =
        [Kind::Int32, Kind::Int64, Kind::Float32, Kind::Float64, Kind::Complex32, Kind::Complex64];

    /// Bytes of a number.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Kind::Int32 | Kind::Float32 => 4,
            Kind::Int64 | Kind::Float64 | Kind::Complex32 => 8,
            Kind::Complex64 => 16,
        }
    }

    /// Adds `scale` times each number of `data` to that of `memory`. `scale` is one number. Integers are modulo
    /// their width. Bytes after the last whole number stay.
    pub fn accumulate(self, memory: &mut [u8], scale: &[u8], data: &[u8]) {
        macro_rules! each {
            ($number:ty, $bytes:literal, $parts:literal, $add:expr) => {{
                let parts = |bytes: &[u8]| {
                    let mut all = [<$number>::default(); $parts];
                    for (part, bytes) in all.iter_mut().zip(bytes.chunks_exact($bytes)) {
                        *part = bytes.try_into().map_or(*part, <$number>::from_le_bytes);
                    }
                    all
                };
                let (scale, size) = (parts(scale), $bytes * $parts);
                for (to, from) in memory.chunks_exact_mut(size).zip(data.chunks_exact(size)) {
                    let new = $add(parts(to), scale, parts(from));
                    for (to, part) in to.chunks_exact_mut($bytes).zip(new) {
                        to.copy_from_slice(&part.to_le_bytes());
                    }
                }
            }};
        }
        macro_rules! integers {
            ($number:ty, $bytes:literal) => {
                each!($number, $bytes, 1, |[a]: [$number; 1], [s]: [$number; 1], [d]: [_; 1]| {
                    [a.wrapping_add(s.wrapping_mul(d))]
                })
            };
        }
        macro_rules! floats {
            ($number:ty, $bytes:literal) => {
                each!($number, $bytes, 1, |[a]: [$number; 1], [s]: [_; 1], [d]: [_; 1]| {
                    [a + s * d]
                })
            };
        }
        macro_rules! complex {
            ($number:ty, $bytes:literal) => {
                each!($number, $bytes, 2, |a: [$number; 2], s: [_; 2], d: [_; 2]| {
                    [a[0] + (s[0] * d[0] - s[1] * d[1]), a[1] + (s[0] * d[1] + s[1] * d[0])]
                })
            };
        }
        match self {
            Kind::Int32 => integers!(i32, 4),
            Kind::Int64 => integers!(i64, 8),
            Kind::Float32 => floats!(f32, 4),
            Kind::Float64 => floats!(f64, 8),
            Kind::Complex32 => complex!(f32, 4),
            Kind::Complex64 => complex!(f64, 8),
        }
    }
}

/// A change of memory by the machine, in one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Of a value, which is given as it was before ([`crate::Got::Bytes`], as many as it has).
    Update(Update),
    /// `scale` times `data` is added to numbers. Gives nothing.
    Accumulate {
        kind: Kind,
        /// A number.
        scale: [u8; UPDATE_BYTES],
        /// Whole numbers.
        data: Arc<[u8]>,
    },
}

impl Change {
    /// Bytes of memory that change.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Change::Update(update) => update.bytes.into(),
            Change::Accumulate { data, .. } => data.len(),
        }
    }

    /// Changes so many bytes of memory, and gives what it has to give.
    pub fn apply(&self, memory: &mut [u8]) -> Vec<u8> {
        match self {
            Change::Update(update) => {
                let old = memory.to_vec();
                let mut all = [0; UPDATE_BYTES];
                for (to, from) in all.iter_mut().zip(&old) {
                    *to = *from;
                }
                let new = update.apply(all);
                for (to, from) in memory.iter_mut().zip(new) {
                    *to = from;
                }
                old
            }
            Change::Accumulate { kind, scale, data } => {
                kind.accumulate(memory, &scale[..kind.bytes()], data);
                Vec::new()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(bytes: &[u8]) -> [u8; UPDATE_BYTES] {
        let mut all = [0; UPDATE_BYTES];
        all[..bytes.len()].copy_from_slice(bytes);
        all
    }

    #[test]
    fn each_operation() {
        let old = value(&0xffff_fff0_u32.to_le_bytes());
        for (op, operand, new) in [
            (Op::Add, 0x20, 0x10),
            (Op::Swap, 7, 7),
            (Op::And, 0xff, 0xf0),
            (Op::Or, 0xf, 0xffff_ffff),
            (Op::Xor, 0xffff_ffff, 0xf),
            (Op::Fetch, 9, 0xffff_fff0_u32),
        ] {
            let found = Update::of(op, 4, operand).apply(old);
            assert_eq!(found, value(&new.to_le_bytes()), "{op:?}");
        }
        let long = value(&u64::MAX.to_le_bytes());
        assert_eq!(Update::of(Op::Add, 8, 3).apply(long), value(&[2]));
        for (expected, new) in [(0xffff_fff0, 5_u32), (1, 0xffff_fff0)] {
            let found = Update::compare(4, expected, 5).apply(old);
            assert_eq!(found, value(&new.to_le_bytes()));
        }
    }

    /// Paper 001, 3.2.2: pointers are pairs of a process and an address.
    #[test]
    fn a_pair_is_compared_and_swapped_whole() {
        let (old, mut other) = ([3; 16], [3; 16]);
        other[15] = 4;
        let swap = |expected| {
            Update { op: Op::CompareSwap, bytes: 16, operand: [9; 16], expected }.apply(old)
        };
        assert_eq!((swap(old), swap(other)), ([9; 16], old));
        let valid = |op| Update { op, bytes: 16, operand: old, expected: old }.is_valid();
        assert_eq!([Op::Swap, Op::CompareSwap, Op::Fetch].map(valid), [true; 3]);
        assert_eq!([Op::Add, Op::And, Op::Or, Op::Xor].map(valid), [false; 4]);
        let widths = (0..=255).filter(|&bytes| Update::of(Op::Add, bytes, 0).is_valid());
        assert_eq!(widths.collect::<Vec<_>>(), [4, 8]);
    }

    #[test]
    fn each_kind_adds_the_scaled_numbers() {
        let mut ints: Vec<u8> = [1_i32, -2].iter().flat_map(|n| n.to_le_bytes()).collect();
        let data: Vec<u8> = [10_i32, i32::MAX].iter().flat_map(|n| n.to_le_bytes()).collect();
        Kind::Int32.accumulate(&mut ints, &3_i32.to_le_bytes(), &data);
        // 3 * (2^31 - 1) - 2 = 2^31 + (2^32 - 5)
        let expected = [31_i32, 0x7fff_fffb];
        assert_eq!(ints, expected.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>());
        let mut long = 5_i64.to_le_bytes();
        Kind::Int64.accumulate(&mut long, &(-2_i64).to_le_bytes(), &4_i64.to_le_bytes());
        assert_eq!(i64::from_le_bytes(long), -3);
        let mut single = 0.5_f32.to_le_bytes();
        Kind::Float32.accumulate(&mut single, &2_f32.to_le_bytes(), &1.25_f32.to_le_bytes());
        assert_eq!(f32::from_le_bytes(single).to_bits(), 3_f32.to_bits());
        let mut double = 1_f64.to_le_bytes();
        Kind::Float64.accumulate(&mut double, &(-1_f64).to_le_bytes(), &4_f64.to_le_bytes());
        assert_eq!(f64::from_le_bytes(double).to_bits(), (-3_f64).to_bits());
        // (1 + 2i) (3 + 4i) = -5 + 10i
        let two = |a: f64, b: f64| [a.to_le_bytes(), b.to_le_bytes()].concat();
        let mut complex = two(100.0, 200.0);
        Kind::Complex64.accumulate(&mut complex, &two(1.0, 2.0), &two(3.0, 4.0));
        assert_eq!(complex, two(95.0, 210.0));
        let two = |a: f32, b: f32| [a.to_le_bytes(), b.to_le_bytes()].concat();
        let mut complex = two(0.0, 0.0);
        Kind::Complex32.accumulate(&mut complex, &two(0.0, 1.0), &two(0.0, 1.0));
        assert_eq!(complex, two(-1.0, 0.0));
    }

    #[test]
    fn a_change_gives_what_was_there() {
        let mut memory = [1, 2, 3, 4];
        let change = Change::Update(Update::of(Op::Swap, 4, 0));
        assert_eq!((change.bytes(), change.apply(&mut memory)), (4, vec![1, 2, 3, 4]));
        assert_eq!(memory, [0; 4]);
        let data = [2_i32, 3].iter().flat_map(|n| n.to_le_bytes()).collect();
        let scale = value(&1_i32.to_le_bytes());
        let change = Change::Accumulate { kind: Kind::Int32, scale, data };
        let mut memory = [0; 8];
        assert_eq!((change.bytes(), change.apply(&mut memory)), (8, vec![]));
        assert_eq!(memory, [2, 0, 0, 0, 3, 0, 0, 0]);
    }
}
