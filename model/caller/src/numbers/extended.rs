// SPDX-License-Identifier: MIT OR Apache-2.0
//! `long double` of x86-64, which Rust does not have.

use super::reduction::Reduction;
use std::arch::asm;

/// The number; its last 6 bytes do not count.
type Bytes = [u8; 16];

/// Two instructions' worth of work on the numbers: `b` is in `st(1)`, `a` in `st(0)`, and what is in `st(0)` then
/// is the result; the other is dropped.
macro_rules! work {
    ($a:ident, $b:ident, $($line:literal),+) => {{
        let mut a = $a;
        // SAFETY: loads 10 bytes of each and stores 10 bytes to the first; the stack of the unit is as before.
        unsafe {
            asm!(
                "fld tbyte ptr [{b}]",
                "fld tbyte ptr [{a}]",
                $($line,)+
                "fstp tbyte ptr [{a}]",
                "fstp st(0)",
                a = in(reg) a.as_mut_ptr(),
                b = in(reg) $b.as_ptr(),
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            );
        }
        a
    }};
}

/// What two numbers become: sum, product, least or greatest.
pub(super) fn apply(op: Reduction, a: Bytes, b: Bytes) -> Bytes {
    match op {
        Reduction::Product => work!(a, b, "fmul st(0), st(1)"),
        Reduction::Min => work!(a, b, "fcomi st(0), st(1)", "fcmovnbe st(0), st(1)"),
        Reduction::Max => work!(a, b, "fcomi st(0), st(1)", "fcmovb st(0), st(1)"),
        // It has no others.
        _ => work!(a, b, "fadd st(0), st(1)"),
    }
}

pub(super) fn is_less(a: Bytes, b: Bytes) -> bool {
    let number = |bytes: Bytes| bytes[..10].to_vec();
    number(apply(Reduction::Min, b, a)) != number(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A whole number of up to 63 bits: sign and exponent are after the fraction, whose first bit is written.
    fn extended(value: i64) -> Bytes {
        let mut bytes = [0; 16];
        if value != 0 {
            let size = value.unsigned_abs();
            let shift = size.leading_zeros();
            let exponent = u16::try_from(16383 + 63 - shift).unwrap();
            bytes[..8].copy_from_slice(&(size << shift).to_le_bytes());
            let sign = if value < 0 { 1 << 15 } else { 0 };
            bytes[8..10].copy_from_slice(&(exponent | sign).to_le_bytes());
        }
        bytes
    }

    #[test]
    fn numbers_that_a_double_does_not_hold() {
        let large = (1 << 60) + 1;
        for (op, a, b, expected) in [
            (Reduction::Sum, large, 2, large + 2),
            (Reduction::Sum, large, -large, 0),
            (Reduction::Product, large, -3, -3 * large),
            (Reduction::Min, large, large + 1, large),
            (Reduction::Min, large, -1, -1),
            (Reduction::Max, large, large + 1, large + 1),
            (Reduction::Max, -7, -8, -7),
        ] {
            assert_eq!(apply(op, extended(a), extended(b)), extended(expected), "{op:?} {a} {b}");
        }
        assert!(is_less(extended(-2), extended(1)) && !is_less(extended(1), extended(-2)));
        assert!(!is_less(extended(5), extended(5)));
    }
}
