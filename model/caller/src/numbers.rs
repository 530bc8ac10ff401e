// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reductions: numbers of a kind in bytes, and what two of them become.

mod extended;
mod reduction;

pub use reduction::Reduction;

use std::ffi::c_int;

/// Kinds of numbers that are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Signed8,
    Unsigned8,
    Signed16,
    Unsigned16,
    Signed32,
    Unsigned32,
    Signed64,
    Unsigned64,
    Float32,
    Float64,
    /// `long double` of x86-64: 10 bytes, then 6 that do not count.
    Extended,
    /// Two numbers of 32 bits: real and imaginary part.
    Complex32,
    /// Two numbers of 64 bits.
    Complex64,
}

impl Number {
    /// Bytes of a number.
    pub const fn bytes(self) -> usize {
        match self {
            Number::Signed8 | Number::Unsigned8 => 1,
            Number::Signed16 | Number::Unsigned16 => 2,
            Number::Signed32 | Number::Unsigned32 | Number::Float32 => 4,
            Number::Signed64 | Number::Unsigned64 | Number::Float64 | Number::Complex32 => 8,
            Number::Extended | Number::Complex64 => 16,
        }
    }

    const fn is_integer(self) -> bool {
        !matches!(self, Number::Float32 | Number::Float64 | Number::Extended) && !self.is_complex()
    }

    const fn is_complex(self) -> bool {
        matches!(self, Number::Complex32 | Number::Complex64)
    }

    /// The number in the first bytes is less than the other. Complex numbers have no order.
    pub fn is_less(self, one: &[u8], other: &[u8]) -> bool {
        macro_rules! less {
            ($number:ty) => {
                <$number>::from_le_bytes(first(one)) < <$number>::from_le_bytes(first(other))
            };
        }
        match self {
            Number::Signed8 => less!(i8),
            Number::Unsigned8 => less!(u8),
            Number::Signed16 => less!(i16),
            Number::Unsigned16 => less!(u16),
            Number::Signed32 => less!(i32),
            Number::Unsigned32 => less!(u32),
            Number::Signed64 => less!(i64),
            Number::Unsigned64 => less!(u64),
            Number::Float32 => less!(f32),
            Number::Float64 => less!(f64),
            Number::Extended => extended::is_less(first(one), first(other)),
            Number::Complex32 | Number::Complex64 => false,
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
    /// There is such a reduction of these numbers.
    pub const fn takes(self, number: Number) -> bool {
        match self {
            Reduction::Sum | Reduction::Product => true,
            Reduction::Min | Reduction::Max => !number.is_complex(),
            Reduction::AbsMin | Reduction::AbsMax => {
                !number.is_complex() && !matches!(number, Number::Extended)
            }
            _ => number.is_integer(),
        }
    }

    /// Reduces numbers of one kind. Integers are modulo their width.
    pub fn apply(self, number: Number, to: &mut [u8], from: &[u8]) {
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
        macro_rules! complex {
            ($type:ty) => {{
                const BYTES: usize = size_of::<$type>();
                for (to, from) in to.chunks_exact_mut(2 * BYTES).zip(from.chunks_exact(2 * BYTES)) {
                    let parts = |bytes: &[u8]| {
                        let (re, im) = bytes.split_at(BYTES);
                        [re, im].map(|part| <$type>::from_le_bytes(first(part)))
                    };
                    let ([a, b], [c, d]) = (parts(to), parts(from));
                    let new = match self {
                        Reduction::Product => [a * c - b * d, a * d + b * c],
                        // The others have no order.
                        _ => [a + c, b + d],
                    };
                    to.copy_from_slice(&new.map(<$type>::to_le_bytes).concat());
                }
            }};
        }
        match number {
            Number::Signed8 => integers!(i8, i8::wrapping_abs),
            Number::Unsigned8 => integers!(u8, u8::from),
            Number::Signed16 => integers!(i16, i16::wrapping_abs),
            Number::Unsigned16 => integers!(u16, u16::from),
            Number::Signed32 => integers!(i32, i32::wrapping_abs),
            Number::Unsigned32 => integers!(u32, u32::from),
            Number::Signed64 => integers!(i64, i64::wrapping_abs),
            Number::Unsigned64 => integers!(u64, u64::from),
            Number::Float32 => floats!(f32),
            Number::Float64 => floats!(f64),
            Number::Extended => {
                for (to, from) in to.chunks_exact_mut(16).zip(from.chunks_exact(16)) {
                    to.copy_from_slice(&extended::apply(self, first(to), first(from)));
                }
            }
            Number::Complex32 => complex!(f32),
            Number::Complex64 => complex!(f64),
        }
    }
}

/// Two numbers of a message.
pub fn pair(bytes: &[u8]) -> [u64; 2] {
    let mut numbers = [0; 2];
    for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(8)) {
        *number = bytes.try_into().map_or(0, u64::from_le_bytes);
    }
    numbers
}

/// A count of the library of C. There are 256 processes at most.
pub fn number(count: usize) -> c_int {
    c_int::try_from(count).unwrap_or(c_int::MAX)
}
