// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reductions: numbers of a kind in bytes, and what two of them become.

use std::ffi::c_int;

/// Kinds of numbers that are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Unsigned8,
    Signed32,
    Unsigned32,
    Signed64,
    Unsigned64,
    Float32,
    Float64,
}

/// What two numbers become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    Sum,
    Product,
    Min,
    Max,
    /// Of the values without sign.
    AbsMin,
    AbsMax,
    /// Of integers only, as the following.
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
    Xor,
}

impl Number {
    /// Bytes of a number.
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Number::Unsigned8 => 1,
            Number::Signed32 | Number::Unsigned32 | Number::Float32 => 4,
            Number::Signed64 | Number::Unsigned64 | Number::Float64 => 8,
        }
    }

    /// Type of `message.h`.
    pub(crate) fn of_armci(type_: c_int) -> Option<Number> {
        let all = [
            Number::Signed32,
            Number::Signed64,
            Number::Signed64,
            Number::Float32,
            Number::Float64,
        ];
        all.get(usize::try_from(type_).ok()?).copied()
    }

    /// Type of `mpi.h`.
    pub(crate) fn of_mpi(type_: c_int) -> Option<Number> {
        let all = [
            Number::Unsigned8,
            Number::Signed32,
            Number::Unsigned32,
            Number::Signed64,
            Number::Unsigned64,
            Number::Float32,
            Number::Float64,
        ];
        all.get(usize::try_from(type_.checked_sub(1)?).ok()?).copied()
    }

    const fn is_float(self) -> bool {
        matches!(self, Number::Float32 | Number::Float64)
    }

    /// The first of the bytes is less.
    pub(crate) fn is_less(self, one: &[u8], other: &[u8]) -> bool {
        macro_rules! less {
            ($number:ty) => {
                <$number>::from_le_bytes(first(one)) < <$number>::from_le_bytes(first(other))
            };
        }
        match self {
            Number::Unsigned8 => less!(u8),
            Number::Signed32 => less!(i32),
            Number::Unsigned32 => less!(u32),
            Number::Signed64 => less!(i64),
            Number::Unsigned64 => less!(u64),
            Number::Float32 => less!(f32),
            Number::Float64 => less!(f64),
        }
    }
}

/// The first bytes, zeros for those that are missing.
fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut all = [0; N];
    for (to, from) in all.iter_mut().zip(bytes) {
        *to = *from;
    }
    all
}

impl Reduction {
    /// Operation of `message.h`.
    pub(crate) fn of_armci(op: &str) -> Option<Reduction> {
        Some(match op {
            "+" => Reduction::Sum,
            "*" => Reduction::Product,
            "min" => Reduction::Min,
            "max" => Reduction::Max,
            "absmin" => Reduction::AbsMin,
            "absmax" => Reduction::AbsMax,
            "or" => Reduction::BitOr,
            _ => return None,
        })
    }

    /// Operation of `mpi.h`.
    pub(crate) fn of_mpi(op: c_int) -> Option<Reduction> {
        let all = [
            Reduction::Sum,
            Reduction::Product,
            Reduction::Min,
            Reduction::Max,
            Reduction::BitAnd,
            Reduction::BitOr,
            Reduction::BitXor,
            Reduction::And,
            Reduction::Or,
            Reduction::Xor,
        ];
        all.get(usize::try_from(op.checked_sub(1)?).ok()?).copied()
    }

    /// There is such a reduction of these numbers.
    pub(crate) const fn takes(self, number: Number) -> bool {
        use Reduction::{AbsMax, AbsMin, Max, Min, Product, Sum};
        matches!(self, Sum | Product | Min | Max | AbsMin | AbsMax) || !number.is_float()
    }

    /// Reduces numbers of one kind. Integers are modulo their width.
    pub(crate) fn apply(self, number: Number, to: &mut [u8], from: &[u8]) {
        macro_rules! each {
            ($type:ty, $work:expr) => {{
                const BYTES: usize = size_of::<$type>();
                for (to, from) in to.chunks_exact_mut(BYTES).zip(from.chunks_exact(BYTES)) {
                    let [one, other] = [&*to, from].map(|n| <$type>::from_le_bytes(first(n)));
                    to.copy_from_slice(&$work(one, other).to_le_bytes());
                }
            }};
        }
        macro_rules! integers {
            ($type:ty, $abs:expr) => {
                each!($type, |a: $type, b: $type| match self {
                    Reduction::Sum => a.wrapping_add(b),
                    Reduction::Product => a.wrapping_mul(b),
                    Reduction::Min => a.min(b),
                    Reduction::Max => a.max(b),
                    Reduction::AbsMin => $abs(a).min($abs(b)),
                    Reduction::AbsMax => $abs(a).max($abs(b)),
                    Reduction::BitAnd => a & b,
                    Reduction::BitOr => a | b,
                    Reduction::BitXor => a ^ b,
                    Reduction::And => <$type>::from(a != 0 && b != 0),
                    Reduction::Or => <$type>::from(a != 0 || b != 0),
                    Reduction::Xor => <$type>::from((a != 0) != (b != 0)),
                })
            };
        }
        macro_rules! floats {
            ($type:ty) => {
                each!($type, |a: $type, b: $type| match self {
                    Reduction::Product => a * b,
                    Reduction::Min => a.min(b),
                    Reduction::Max => a.max(b),
                    Reduction::AbsMin => a.abs().min(b.abs()),
                    Reduction::AbsMax => a.abs().max(b.abs()),
                    // The others take integers only.
                    _ => a + b,
                })
            };
        }
        match number {
            Number::Unsigned8 => integers!(u8, u8::from),
            Number::Signed32 => integers!(i32, i32::wrapping_abs),
            Number::Unsigned32 => integers!(u32, u32::from),
            Number::Signed64 => integers!(i64, i64::wrapping_abs),
            Number::Unsigned64 => integers!(u64, u64::from),
            Number::Float32 => floats!(f32),
            Number::Float64 => floats!(f64),
        }
    }
}

/// Two numbers of a message.
pub(crate) fn pair(bytes: &[u8]) -> [u64; 2] {
    let mut numbers = [0; 2];
    for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(8)) {
        *number = bytes.try_into().map_or(0, u64::from_le_bytes);
    }
    numbers
}

/// A count of the library of C. There are 256 processes at most.
pub(crate) fn number(count: usize) -> c_int {
    c_int::try_from(count).unwrap_or(c_int::MAX)
}
